"""What must hold for every program? The checks, each with a name that shrinking holds on to.

- trace: the library takes the program, and every value has the oracle's dtype, shape and strides;
- compiled, eager: no element lies outside the oracle's bounds; what must raise raises;
- same: compiled and operation by operation give the same bits;
- kernels, scheduled: so do the interpreter of the structured and of the scheduled kernels;
- tensors: the interpreter of tensor operations agrees in dtype, shape, strides and bounds;
- aliases: outputs share memory with inputs and one another exactly where PyTorch's would.

Any NaN equals any NaN.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

import trilith as tri
from trilith.compiler.driver import Lowered, Traced
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.kernels.table import scheduled
from trilith.compiler.pipeline import Runner
from trilith.compiler.targets.cpu import CPU
from trilith.dialects.kernel.function import FuncOp as KernelOp

from ..equality import Equal
from .oracle.evaluation import Fault, Known, Value
from .oracle.intervals import storage_type
from .oracle.table import evaluate
from .program import NUMPY_TYPES, Program

Array = NDArray[Any]

#: Scheduled kernels are interpreted point by point: only for few elements.
_SCHEDULED_LIMIT = 400


class Failure(AssertionError):
    """A property that does not hold; `kind` is its name."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


@dataclass(slots=True)
class Tally:
    """What was checked."""

    programs: int = 0
    compared: int = 0
    elements: int = 0
    faults: int = 0
    interpreted: int = 0
    operations: Counter[str] = field(default_factory=Counter[str])
    #: What another device was compared with.
    equal: Equal = field(default_factory=Equal)

    def add(self, other: Tally) -> None:
        """Count another tally's checks too."""
        self.programs += other.programs
        self.compared += other.compared
        self.elements += other.elements
        self.faults += other.faults
        self.interpreted += other.interpreted
        self.operations.update(other.operations)
        self.equal.add(other.equal)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a program gave: compiled, and each step of it; or the error that it must raise."""

    expected: Mapping[str, Known]
    compiled: Sequence[tri.Tensor] = ()
    steps: Mapping[str, tri.Tensor] = field(default_factory=dict[str, tri.Tensor])
    fault: str | None = None


def check(program: Program, tally: Tally | None = None, interpreters: bool = True) -> Answers:
    """Check every property of a program, and return what it gave; raises Failure."""
    tally = Tally() if tally is None else tally
    tally.programs += 1
    tally.operations.update(step.operation for step in program.steps.values())
    try:
        expected: Mapping[str, Known] = evaluate(program)
    except Fault as fault:
        _check_fault(program, str(fault))
        tally.faults += 1
        return Answers({}, fault=str(fault))
    arguments = program.arguments()
    traced = attempt("trace", lambda: _trace(program, arguments, expected))
    lowered = attempt("lower", traced.lower)
    run = attempt("compile", lowered.compile)
    compiled: tuple[tri.Tensor, ...] = attempt("run", lambda: run(*arguments))
    _check_values("compiled", program.outputs, compiled, expected, tally)
    notes: dict[str, Any] = {}
    eager = attempt("eager", lambda: program(*arguments, notes=notes))
    steps = tensors_of(notes)
    _check_values("eager", tuple(steps), tuple(steps.values()), expected, tally)
    _check_same("same", program, [array_of(x) for x in compiled], [array_of(x) for x in eager])
    for outputs in (compiled, eager):
        check_aliases(program, arguments, outputs, expected)
    if interpreters:
        _check_interpreters(program, traced, lowered, arguments, compiled, expected, tally)
    return Answers(expected, compiled, steps)


def tensors_of(notes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the steps that gave one tensor; of several results each is a step of its own."""
    return {name: found for name, found in notes.items() if not isinstance(found, (tuple, list))}


def attempt(kind: str, action: Callable[[], Any]) -> Any:
    """Return what an action returns; what it raises is a Failure of that kind."""
    try:
        return action()
    except Failure:
        raise
    except Exception as error:
        text = getattr(error, "message", None) or str(error)
        raise Failure(
            f"{kind} {type(error).__name__}", text.splitlines()[0] if text else ""
        ) from error


def _check_fault(program: Program, message: str) -> None:
    for name, function in (("compiled", tri.compile(program)), ("eager", program)):
        try:
            function(*program.arguments())
        except tri.TrilithError as error:
            if error.message != message:
                raise Failure("fault", f"{name} raises {error.message}, not {message}") from error
        else:
            raise Failure("fault", f"{name} does not raise {message}")


def _trace(program: Program, arguments: Sequence[Any], expected: Mapping[str, Known]) -> Traced:
    notes: dict[str, Any] = {}

    def recorded(*values: Any) -> Any:
        return program(*values, notes=notes)

    traced = tri.trace(recorded, *arguments)
    for name, proxy in tensors_of(notes).items():
        check_spec("trace", name, proxy, expected[name])
    return traced


def check_spec(kind: str, name: str, found: Any, expected: Known) -> None:
    """Compare dtype, shape and strides with the oracle's."""
    assert isinstance(expected, Value)
    got = (repr(found.dtype).rpartition(".")[2], tuple(found.shape), found.stride())
    wanted = (expected.dtype, expected.shape, expected.strides)
    if got != wanted:
        raise Failure(f"{kind} spec", f"{name} is {got}, but must be {wanted}")


def array_of(tensor: tri.Tensor) -> Array:
    """Return a tensor's elements as an array of its own."""
    return np.array(tensor.numpy())


# ---- values


def _check_values(
    kind: str,
    names: Sequence[str],
    found: Sequence[tri.Tensor],
    expected: Mapping[str, Known],
    tally: Tally,
) -> None:
    for name, tensor in zip(names, found, strict=True):
        value = expected[name]
        check_spec(kind, name, tensor, value)
        assert isinstance(value, Value)
        check_bounds(kind, name, array_of(tensor), value, tally)


def check_bounds(kind: str, name: str, found: Array, value: Value, tally: Tally) -> None:
    """Compare elements with the oracle's bounds."""
    low, high, known = value.bounds
    with np.errstate(invalid="ignore"):  # signalling NaNs
        got = found.astype(storage_type(value.dtype))
    both_nan = np.isnan(got) & np.isnan(low) & np.isnan(high)
    inside = both_nan | ((low <= got) & (got <= high))
    # One possible zero is a zero with that sign.
    zero = value.bounds.is_point & (got == 0) & (low == 0)
    if got.dtype == np.float64:
        inside &= ~zero | (np.signbit(got) == np.signbit(low))
    tally.compared += int(known.sum())
    tally.elements += known.size
    wrong = known & ~inside
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise Failure(
            f"{kind} value",
            f"{name}{list(place)} is {got[place]!r}, but must lie in [{low[place]!r}, "
            f"{high[place]!r}]; {int(wrong.sum())} of {wrong.size} are wrong",
        )


def _check_same(
    kind: str, program: Program, ours: Sequence[Array], theirs: Sequence[Array]
) -> None:
    for name, left, right in zip(program.outputs, ours, theirs, strict=True):
        place = first_difference(left, right)
        if place is not None:
            raise Failure(kind, f"{name}{list(place)} is {left[place]!r} and {right[place]!r}")


def first_difference(left: Array, right: Array) -> tuple[int, ...] | None:
    """Return where two arrays differ in a bit, None if nowhere; any NaN equals any NaN."""
    if left.shape != right.shape or left.dtype != right.dtype:
        return (0,) * left.ndim
    differ = bits_of(left) != bits_of(right)
    if left.dtype.kind not in "iub":
        with np.errstate(invalid="ignore"):  # signalling NaNs
            wide = (left.astype(np.float64), right.astype(np.float64))
        differ &= ~(np.isnan(wide[0]) & np.isnan(wide[1]))
    if not differ.any():
        return None
    return tuple(int(i) for i in np.argwhere(differ)[0])


def bits_of(array: Array) -> Array:
    """Return the bits of each element as an integer."""
    return np.ascontiguousarray(array).view(f"u{array.itemsize}").reshape(array.shape)


# ---- interpreters


def _check_interpreters(
    program: Program,
    traced: Traced,
    lowered: Lowered,
    arguments: Sequence[Any],
    compiled: Sequence[tri.Tensor],
    expected: Mapping[str, Known],
    tally: Tally,
) -> None:
    tally.interpreted += 1
    arrays = [x.numpy() for x in arguments if isinstance(x, tri.Tensor)]
    # A flag is no argument of the IR: each of its values has a trace.
    scalars = [x for x in arguments if not isinstance(x, (tri.Tensor, bool))]
    results = [array_of(tensor) for tensor in compiled]

    def interpret(kind: str, module: ModuleOp) -> list[Array]:
        return attempt(kind, lambda: interpret_function(module, arrays, scalars))

    promoted = traced.module.clone()
    Runner().run(promoted, CPU.function[:1])
    for kind, module in (("tensors", traced.module), ("promoted", promoted)):
        for name, tensor, array in zip(
            program.outputs, compiled, interpret(kind, module), strict=True
        ):
            _check_interpreted(kind, name, tensor, array, expected[name], tally)
    _check_same("kernels", program, results, interpret("kernels", lowered.module))
    size = sum(math.prod(v.shape) for v in expected.values() if isinstance(v, Value))
    if size <= _SCHEDULED_LIMIT:
        module = attempt("scheduled", lambda: _scheduled(lowered.module))
        _check_same("scheduled", program, results, interpret("scheduled", module))


def _check_interpreted(
    kind: str, name: str, tensor: tri.Tensor, array: Array, value: Known, tally: Tally
) -> None:
    assert isinstance(value, Value)
    strides = tuple(stride // array.itemsize for stride in array.strides)
    got = (array.dtype, array.shape, strides)
    wanted = (np.dtype(NUMPY_TYPES[value.dtype]), tuple(tensor.shape), tensor.stride())
    if got != wanted:
        raise Failure(f"{kind} spec", f"{name} is {got} when interpreted, {wanted} when compiled")
    check_bounds(kind, name, array, value, tally)


def _scheduled(module: ModuleOp) -> ModuleOp:
    """Return a lowered module with its kernels in the scheduled form."""
    copy = module.clone()
    for op in list(copy.ops):
        if isinstance(op, KernelOp):
            replacement = scheduled(op)
            replacement.detach()
            block = op.parent_block()
            assert block is not None
            block.insert_op_before(replacement, op)
            op.detach()
            op.erase()
    return copy


# ---- aliases


def check_aliases(
    program: Program,
    arguments: Sequence[Any],
    outputs: Sequence[tri.Tensor],
    expected: Mapping[str, Known],
) -> None:
    """Compare who shares a storage with whom, and where in it a view begins."""
    owners = {
        name: tensor
        for name, tensor in zip(program.inputs, arguments, strict=True)
        if isinstance(tensor, tri.Tensor)
    }
    spans: dict[str, tuple[int, int]] = {}
    for name, tensor in zip(program.outputs, outputs, strict=True):
        value = expected[name]
        assert isinstance(value, Value)
        storage = tensor.untyped_storage()
        owner = owners.setdefault(value.base, tensor)
        if storage.data_ptr() != owner.untyped_storage().data_ptr():
            raise Failure("aliases", f"{name} does not share the memory of {value.base}")
        if value.base in program.inputs or value.base in program.outputs:
            if tensor.storage_offset() != value.offset:
                raise Failure(
                    "aliases", f"{name} begins at {tensor.storage_offset()}, not {value.offset}"
                )
        first = storage.data_ptr()
        spans[value.base] = (first, first + storage.nbytes())
    for name, tensor in owners.items():
        if name in program.inputs:
            first = tensor.untyped_storage().data_ptr()
            spans[name] = (first, first + tensor.untyped_storage().nbytes())
    ordered = sorted((span, name) for name, span in spans.items() if span[0] != span[1])
    for (left, one), (right, other) in pairwise(ordered):
        if right[0] < left[1]:
            raise Failure("aliases", f"{one} and {other} share memory")
