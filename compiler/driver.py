"""How does a Python function become something that runs? Trace, lower, compile: the one road.

    t = tri.trace(f, tri.spec((4, 3), tri.float32), y)     # Traced: tri IR
    low = t.lower()                                        # Lowered: kernels, one text per level
    exe = low.compile()                                    # Compiled: machine code, callable

`tri.compile` walks it for each new kind of arguments and remembers where it leads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects.attributes.device import META, Device, placement
from ..dialects.attributes.dtype import DType
from ..dialects.attributes.layout import Layout
from ..dialects.attributes.memory_format import MemoryFormat
from ..dialects.attributes.opened_specs import env_of
from ..dialects.attributes.settings import HELD, Settings, current, holding
from ..dialects.attributes.spec import ScalarSpec, TensorSpec
from ..dialects.attributes.symint import ShapeEnv, SymInt, TakenGuard
from ..dialects.diagnostics import (
    TrilithError,
    TrilithTypeError,
    TrilithValueError,
    user_location,
)
from ..dialects.kernel.function import FuncOp as KernelOp
from ..dialects.records import field, record
from ..runtime.devices.base import devices_there, kernel_target
from ..runtime.execution.artifact import Artifact, KernelCode
from ..runtime.tensors import dispatch
from ..runtime.tensors.generators import Draw
from ..runtime.tensors.size import Size
from ..runtime.tensors.tensor import Tensor
from .artifacts import CodeOf, build_artifact
from .compiled import Compiled
from .kept_functions import kept_operands, mark_captured
from .kept_operands import KeptOperands
from .kernels.counters import KernelCounters
from .kernels.table import KERNELS, kernel_text, scheduled
from .pipeline import Runner, device_of, target_of
from .plan_log import BY_HAND, logged
from .plan_records import OPEN, note_wanted, phase
from .stored.environment import environment
from .summaries import lowered_summary, traced_summary
from .targets.table import DEFAULT, device_types, levels, target_of_type
from .targets.target import Target
from .trace.argument_names import argument_names
from .trace.finishing import finished
from .trace.functions import code_of, raise_swallowed, symbol_of
from .trace.not_traceable import NotTraceable, WroteBefore
from .trace.number_checks import NumberCheck, ask_for_another
from .trace.operands import as_number
from .trace.proxies import Proxy
from .trace.pytree import Structure, flatten, unflatten, with_parts
from .trace.scalar_proxies import ScalarProxy, place_of
from .trace.tape_text import TapeText
from .trace.tracer import Trace


def text_levels() -> tuple[str, ...]:
    """Return the levels that `as_text` shows, from the top down; targets add theirs.

    >>> text_levels()
    ('tri', 'kernel', 'scheduled', 'llvm', 'asm', 'opencl')
    """
    return ("tri", "kernel", "scheduled", *levels())


@record(frozen=False)
class Traced:
    """A function as `tri` IR, for one kind of arguments."""

    name: str
    module: ModuleOp
    inputs: Structure
    result: Structure
    captured: tuple[Tensor, ...]
    #: Results that are an argument or an earlier result: (index among the results, index among
    #: the tensors given, captured ones included, and after them the results).
    same: tuple[tuple[int, int], ...] = ()
    #: The tensors among the arguments that the function writes to.
    written: tuple[int, ...] = ()
    #: What it was traced under, which the passes need as well.
    settings: Settings = field(default_factory=current)
    #: What its operations ask of the numbers of a call.
    checks: tuple[NumberCheck, ...] = ()
    #: What it does in words, by which other processes know it, if there are any.
    text: str | None = None
    #: What is known of the symbols, if it was traced on any.
    env: ShapeEnv | None = None
    #: What each call takes from generators of random numbers.
    draws: tuple[Draw, ...] = ()

    @property
    def guards(self) -> tuple[TakenGuard, ...]:
        """What must hold of the sizes that are symbols, with the lines that asked.

        Lowering may ask for more.

        >>> import trilith as tri
        >>> spec = tri.spec((tri.dim("n"), 3))
        >>> traced = tri.trace(lambda x: x[2:] if x.shape[0] > 5 else x, spec)
        >>> traced.guards, traced.guards[0].location
        ((n > 5,), None)
        """
        return () if self.env is None else self.env.taken_guards()

    def __repr__(self) -> str:
        """Return what it takes and gives, and what shows more."""
        summary = traced_summary(self.name, self.module)
        return f"<Traced: {summary}\n  print() shows the IR, .lower() makes kernels of it>"

    def __str__(self) -> str:
        """Return the IR."""
        return str(self.module)

    def _repr_html_(self) -> str:
        return _html(str(self))

    def lower(
        self, device: str | None = None, *, in_place: bool = False, keeps: bool = False
    ) -> Lowered:
        """Run the target's passes on a copy; `in_place` gives the traced IR up and saves a tenth.

        Without a device the target is that of the tensors. With `keeps` what products read of
        captured tensors alone may become a function of its own, whose results calls share.

        >>> import trilith as tri
        >>> traced = tri.trace(lambda x: x + 1, tri.spec((2,), tri.float32))
        >>> traced.lower(in_place=True).module is traced.module
        True
        """
        module = self.module if in_place else self.module.clone()
        target = _target_for(device, module)
        if keeps and not (self.written or self.draws):
            mark_captured(module, self.captured)
        with holding(self.settings), phase("lower"):
            Runner(self.name).run(module, target.function)
        return Lowered(self, module, target.name)

    def after(self, name: str, device: str | None = None) -> str:
        """Return the IR after the pass called `name`, one of the target's function passes.

        >>> import trilith as tri
        >>> traced = tri.trace(lambda x: x + 1, tri.spec((2,), tri.float32))
        >>> print(traced.after("tri-promote-types"))
        builtin.module {
          func.func @lambda(%x: !tri.tensor<2xf32>) -> !tri.tensor<2xf32> {
            %0 = tri.constant 1.0 : !tri.tensor<f32>
            %1 = tri.add %x, %0 : !tri.tensor<2xf32>, !tri.tensor<f32> -> !tri.tensor<2xf32>
            func.return %1 : !tri.tensor<2xf32>
          }
        }
        """
        module = self.module.clone()
        steps = _target_for(device, module).function
        names = [step.name for step in steps]
        if name not in names:
            of_device = "" if device is None else f" for '{device}'"
            raise TrilithValueError(
                f"'{name}' is no pass of the pipeline{of_device}: {', '.join(names)}"
            )
        with holding(self.settings):
            Runner(self.name).run(module, steps[: names.index(name) + 1])
        return str(module)


def _target_for(device: str | None, module: ModuleOp) -> Target:
    there = device_of(module)
    if device is None:
        return target_of(there)
    wanted = Device(device).type
    if META in (wanted, there.type) and wanted != there.type:
        raise TrilithValueError(f"the tensors are on {there}, the target is '{device}'")
    target = target_of_type(wanted)
    if target is None:
        known = ", ".join(device_types())
        raise TrilithValueError(
            f"there is no pipeline for '{device}'; there is {known}", hint=devices_there
        )
    return target


@record(frozen=False)
class Lowered:
    """A function as kernels and launches."""

    traced: Traced
    module: ModuleOp
    #: The name of the target that it was lowered for.
    target: str = DEFAULT

    @property
    def kernels(self) -> tuple[KernelOp, ...]:
        """The kernels, in the order of their first launch."""
        return tuple(op for op in self.module.ops if isinstance(op, KernelOp))

    def as_text(self, level: str = "kernel") -> str:
        """Return the text of one level: tri, kernel, scheduled, llvm, asm or opencl.

        `tri` is the IR as traced, `kernel` what was lowered from it, `scheduled` the kernels with
        the loops and vectors of the target, `llvm` and `asm` what is emitted for each, `opencl`
        what is emitted for a device of OpenCL that is a CPU.
        """
        if level == "tri":
            return str(self.traced)
        if level == "kernel":
            return str(self.module)
        if level == "scheduled":
            return "\n\n".join(str(scheduled(kernel, self.target)) for kernel in self.kernels)
        if level in levels():
            return "\n".join(kernel_text(kernel, level) for kernel in self.kernels)
        known = ", ".join(text_levels())
        raise TrilithValueError(f"there is no level '{level}'; there are {known}")

    def __repr__(self) -> str:
        """Return what it takes and gives, and what shows more."""
        shown = ", ".join(text_levels())
        return (
            f"<Lowered: {lowered_summary(self.traced.name, self.module)}\n"
            f"  print() or .as_text(level) shows it ({shown}), .compile() makes it run>"
        )

    def __str__(self) -> str:
        """Return the kernel level."""
        return self.as_text("kernel")

    def _repr_html_(self) -> str:
        return _html(str(self))

    def artifact(self, counters: KernelCounters | None = None) -> Artifact:
        """Compile the kernels that do not exist yet, and return the plan of a call."""
        note_wanted(len(self.kernels))
        with phase("compile"):
            return build_artifact(self.traced.name, self.module, _code_of(counters))

    def kept(self, counters: KernelCounters | None = None) -> KeptOperands | None:
        """Compile what the program computes of its captured tensors once; None if that is nothing.

        Its results follow the captured tensors among the program's operands.
        """
        with phase("compile"):
            return kept_operands(self.module, len(self.traced.captured), _code_of(counters))

    def compile(self, counters: KernelCounters | None = None) -> Compiled:
        """Compile the kernels that do not exist yet, and plan a call."""
        traced = self.traced

        def make() -> Compiled:
            artifact = self.artifact(counters)
            return Compiled(
                *(artifact, traced.inputs, traced.result, traced.captured, traced.same),
                *(traced.written, traced.checks, traced.draws, self.kept(counters)),
            )

        return make() if OPEN.record is not None else logged(make, traced.name, lambda: BY_HAND)


def _code_of(counters: KernelCounters | None) -> CodeOf:
    """Return what compiles kernels that do not exist yet."""
    counts = KernelCounters() if counters is None else counters

    def code_of(func: KernelOp, device: Device, steps: int) -> KernelCode:
        return KERNELS.get(func, counts, kernel_target(device), steps=steps)

    return code_of


def trace_specs(
    function: Callable[..., Any],
    structure: Structure,
    specs: Sequence[TensorSpec | ScalarSpec],
    repeats: Sequence[tuple[int, int]] = (),
    offsets: Sequence[int] | None = None,
    settings: Settings | None = None,
    numbers: Mapping[int, Any] | None = None,
    env: ShapeEnv | None = None,
) -> Traced:
    """Trace a function on flattened argument specs.

    `repeats` holds pairs of tensors, by index, of which the first is the second once more;
    `offsets` the storage offsets of the tensors, if the program made is for these alone;
    `settings` what the function is traced under, whatever other threads set; `numbers` those that
    operations look at by their index, if the program made is for their values (see `Trace`); `env`
    where the symbols come from, which may all have turned out to be numbers.
    """
    dispatch.load()  # puts the rows' operators on proxies, once per process
    settings, home = current() if settings is None else settings, placement()
    changes = HELD.changes
    with holding(settings, is_open=True), phase("trace"):
        traced = _trace(function, structure, specs, repeats, offsets, numbers, env)
        if HELD.changes != changes or placement() != home:
            raise NotTraceable(
                "a traced function changes the default dtype, the promotion mode or the default "
                "device",
                hint="do it outside of the function",
            )
    return traced


def _trace(
    function: Callable[..., Any],
    structure: Structure,
    specs: Sequence[TensorSpec | ScalarSpec],
    repeats: Sequence[tuple[int, int]],
    offsets: Sequence[int] | None,
    numbers: Mapping[int, Any] | None,
    env: ShapeEnv | None,
) -> Traced:
    name = symbol_of(function)
    repeated = {index for index, _ in repeats}
    if offsets is not None:
        offsets = [offset for index, offset in enumerate(offsets) if index not in repeated]
    recording = Trace(name, offsets, is_program=True)
    recording.code = code_of(function)
    recording.numbers = numbers
    env = recording.env = env or env_of(specs)
    if not (repeats or offsets or numbers) and environment() is not None:
        recording.words = TapeText()
    names = argument_names(function, structure)
    proxies: list[Any] = []
    tensors: list[Proxy] = []
    earlier = dict(repeats)
    for spec, argument in zip(specs, names, strict=True):
        if isinstance(spec, ScalarSpec):
            proxies.append(_number(recording, spec, argument))
            continue
        index = earlier.get(len(tensors))
        proxy = recording.tensor_argument(spec, argument) if index is None else tensors[index]
        tensors.append(proxy)
        proxies.append(proxy)
    if recording.words is not None:
        for proxy in proxies:
            recording.words.add_stand_in(proxy)
    arguments, keywords = unflatten(structure, iter(proxies))
    try:
        if env is not None:
            env.locate = user_location
        returned = recording.record(function, *arguments, **keywords)
    except Exception as error:
        raise_swallowed(recording.refusal, error)
        if recording.has_written and not isinstance(error, NotTraceable):
            text = "an error is raised after an argument was written to"
            location = error.location if isinstance(error, TrilithError) else None
            raise WroteBefore(text, location=location) from error
        if not isinstance(error, (NotTraceable, RuntimeError)):
            ask_for_another(recording.name, recording.scalars, recording.numbers)
        raise
    finally:
        if env is not None:
            env.locate = None
    _check_caught(recording)
    _check_containers(structure, proxies, (arguments, keywords))
    result, outputs, same = returned_structure(recording, returned, name)
    module = finished(recording, outputs)
    captured = tuple(tensor for tensor, _ in recording.captured.values())
    written, settings = recording.written, current()
    checks = tuple(recording.checks)
    return Traced(
        *(name, module, structure, result, captured, same, written, settings, checks),
        *(_text_of(recording, outputs), recording.env, tuple(recording.draws)),
    )


def _number(recording: Trace, spec: ScalarSpec, name: str | None) -> Any:
    """Return what stands for a number of the call: itself, if the program made is for its value."""
    index, proxy = len(recording.scalars), recording.scalar_argument(spec, name)
    known = (recording.numbers or {}).get(index)
    return proxy if known is None else known


def _text_of(recording: Trace, outputs: Sequence[Proxy]) -> str | None:
    """Return what a function does in words, if there are any for all of it."""
    words = recording.words
    is_more = recording.checks or recording.written or recording.draws
    if words is None or recording.borrowed or is_more:
        return None
    captured = [id(tensor) for tensor, _ in recording.captured.values()]
    if captured != [*map(id, words.captured)] or words.has_writes():
        return None
    return words.text(outputs)


def _check_caught(recording: Trace) -> None:
    """Refuse a function that has caught a refusal and gone on."""
    refusal, recording.refusal = recording.refusal, None
    if isinstance(refusal, NotTraceable):
        raise refusal
    if refusal is not None:
        raise NotTraceable(refusal.message, location=refusal.location, hint=refusal.hint)


def _check_containers(
    structure: Structure, leaves: Sequence[Proxy | ScalarProxy], given: Any
) -> None:
    """Refuse a function that changes the lists and dicts that it was given."""
    found: list[Any] = []
    is_same = flatten(given, found) == structure and len(found) == len(leaves)
    if not is_same or any(new is not old for new, old in zip(found, leaves, strict=True)):
        raise NotTraceable("a traced function cannot change the lists and dicts that it is given")


def returned_structure(
    recording: Trace, returned: Any, name: str
) -> tuple[Structure, list[Proxy], tuple[tuple[int, int], ...]]:
    """Return the structure and leaves of what a function returned, and which of them are one."""
    leaves: list[Any] = []
    structure = flatten(returned, leaves)
    leaves = [_known(leaf) for leaf in leaves]
    structure, leaves = with_parts(structure, leaves, partial(_returned_part, recording))
    outputs = [_as_output(recording, leaf, name) for leaf in leaves]
    first: dict[int, int] = {}
    same: list[tuple[int, int]] = []
    for number, proxy in enumerate((*recording.arguments, *outputs)):
        index = number - len(recording.arguments)
        earlier = first.setdefault(id(proxy), number)
        if index >= 0 and earlier != number:
            same.append((index, earlier))
    return structure, outputs, tuple(same)


def _known(leaf: Any) -> Any:
    """Return a leaf; a size that a function returns is that number, for this plan."""
    if type(leaf) is SymInt:
        return leaf.__index__()
    return Size(map(int, leaf)) if type(leaf) is Size else leaf


def _is_plain(leaf: Any) -> bool:
    """Whether a function returns a value that is the same in every call of a plan."""
    plain = (bool, int, float, complex, str, bytes, Size, DType, Device, Layout, MemoryFormat)
    if isinstance(leaf, (np.generic, ScalarProxy)) or hasattr(leaf, "left_over"):
        return False
    return isinstance(leaf, plain)


def _returned_part(recording: Trace, leaf: Any) -> Structure | None:
    """Return what a function returns that no kernel computes: what it is given, or knows."""
    if type(leaf) is ScalarProxy and recording.numbers is not None:
        return ("number", place_of(recording.own(leaf), recording.scalars))
    return ("value", leaf) if _is_plain(leaf) else None


def _as_output(recording: Trace, leaf: Any, name: str) -> Proxy:
    if isinstance(leaf, Proxy):
        return recording.own(leaf)
    if isinstance(leaf, ScalarProxy):
        return recording.call("full", (), recording.own(leaf))
    if hasattr(leaf, "left_over"):
        # It was a stand-in on a tape.
        raise leaf.left_over()
    number = as_number(leaf)
    if number is not None:
        return recording.call("full", (), number)
    proxy = recording.as_proxy(leaf)
    if proxy is not None:
        return proxy
    raise TrilithTypeError(
        f"{name}() returns a {type(leaf).__name__}; a compiled function returns tensors, numbers, "
        "and tuples, lists, dicts and dataclasses of them"
    )


def _html(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<pre>{escaped}</pre>"
