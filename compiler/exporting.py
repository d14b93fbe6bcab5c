"""How is a function compiled before any call? For dims of ranges: plans that take every size.

The function is traced for one size of each dim, on symbols. What it, and the passes, ask of them
are the guards of a plan. As long as there are sizes that no plan takes, one of them is the next; 0
and 1 are structure, so a plan for them has numbers there. A function that asks for the size itself
needs a plan for each: it is refused, with the line that asks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from ctypes import string_at
from pathlib import Path
from typing import Any, cast

from ..dialects.attributes.device import cpu
from ..dialects.attributes.dims import Dim, DimExpression, SymbolicSpec, declare_dims, joined
from ..dialects.attributes.dtype import DType
from ..dialects.attributes.expressions import Expression, constant, symbol
from ..dialects.attributes.extents import storage_extent
from ..dialects.attributes.facts import Guard
from ..dialects.attributes.spec import ScalarSpec, TensorSpec
from ..dialects.attributes.symint import ShapeEnv, TakenGuard
from ..dialects.diagnostics import (
    TrilithError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from ..runtime.devices.features import needed_features
from ..runtime.devices.objects import is_known_host
from ..runtime.execution.artifact import Artifact
from ..runtime.execution.sizes_form import encode_plan
from ..runtime.plan_function import plan_function
from ..runtime.programs.form import (
    StoredDim,
    StoredProgram,
    StoredVariant,
    encode_program,
)
from ..runtime.programs.program import ExportedProgram
from ..runtime.programs.trees import Tree, tree_of
from ..runtime.tensors.tensor import Tensor
from .driver import Traced, trace_specs
from .libraries import write_library
from .short_keys import WIDE
from .size_ranges import Sizes
from .trace.functions import check_function
from .trace.not_traceable import OffsetNeeded
from .trace.pytree import Structure, flatten
from .tracing import MOST_TRACES, spec_of

#: So many plans may be for one number of a dim; with more, the function asks for the number.
MOST_SINGLES = 6

#: What a plan is asked for: numbers that dims are pinned to, and the guards of the others.
Plan = tuple[dict[str, int], list[Guard]]


def export(
    function: Callable[..., Any], *arguments: Any, max_plans: int = 16, **keywords: Any
) -> CompiledProgram:
    """Compile a function ahead of time, for all sizes of the ranges of its dims.

    Arguments are those of `tri.trace`: `tri.spec(...)` with dims in the place of sizes, tensors and
    arrays as examples, Python numbers (any value of that kind may be passed), and tuples, lists
    and dicts of them. What comes of it is called as the function is, `save(path)` writes it into a
    file, and `tri.load_program(path)` reads that where there is no compiler.

    The code is for this machine's CPU: `needs` says which features another one must have.

    Raises TrilithValueError, with your line, if sizes of the ranges need more than `max_plans`
    plans, as those of a loop over a dim do; TrilithTypeError for what cannot be stored.

    >>> import trilith as tri
    >>> def centred(x):
    ...     return x - x.sum(0) / x.shape[0]
    >>> program = tri.export(centred, tri.spec((tri.dim("n", max=1000), 2)))
    >>> program(tri.tensor([[1.0, 2.0], [3.0, 6.0]]))
    tensor([[-1., -2.],
            [ 1.,  2.]])
    """
    check_function(function)
    leaves: list[Any] = []
    structure = flatten((arguments, keywords), leaves)
    specs = [spec_of(leaf) for leaf in leaves]
    return _Exporter(function, structure, specs, max_plans).program()


class CompiledProgram(ExportedProgram):
    """A program that was exported by this process, which has the compiler."""

    __slots__ = ()

    def to_shared_library(self, path: str | os.PathLike[str], name: str | None = None) -> Path:
        """Write a shared library for C programs, and beside it a header, whose path is returned.

        Its function is called `name`, or as the exported one. It takes the dims, pointers to
        contiguous tensors, numbers, pointers to memory for the results and scratch memory, and
        returns a status; `NAME_sizes` says how much memory that is. No C compiler is needed.

        Raises TrilithTypeError for results that are views or arguments, and for complex numbers;
        TrilithRuntimeError where libraries cannot be made: they are for x86-64 Linux.
        """
        if not is_known_host():
            raise TrilithRuntimeError("shared libraries are made for x86-64 Linux alone")
        return write_library(self.stored, Path(path), name)


class _Exporter:
    """Makes plans until every size has one."""

    def __init__(
        self, function: Callable[..., Any], structure: Structure, specs: list[Any], most: int
    ) -> None:
        self.function = function
        self.name = getattr(function, "__name__", "function").strip("<>")
        self.structure = structure
        self.specs = specs
        self.most = most
        self.dims = joined(d for spec in specs if isinstance(spec, SymbolicSpec) for d in spec.dims)
        self.plans: list[Plan] = []
        self.variants: list[StoredVariant] = []
        self.captured: tuple[Tensor, ...] = ()
        self.targets: set[str] = set()
        self.last: tuple[TakenGuard, ...] = ()
        self.is_moderate = False
        #: How many plans are for one number of a dim.
        self.singles = 0

    def program(self) -> CompiledProgram:
        """Return the program."""
        dims = self._sources()
        sizes = Sizes(list(self.dims.values()))
        while (point := sizes.next_left(self.plans)) is not None:
            if len(self.variants) == self.most or self.singles == MOST_SINGLES:
                raise self._too_many()
            self._add(point)
        target = _one(self.targets)
        stored = StoredProgram(
            name=self.name,
            maker="trilith",
            target=target,
            needs=tuple(needed_features(target)),
            dims=tuple(dims),
            arguments=self._tree(self.structure, "takes"),
            leaves=tuple(_leaf(spec) for spec in self.specs),
            captured=tuple((tensor.spec, _content(tensor)) for tensor in self.captured),
            variants=tuple(self.variants),
            is_covered=sizes.is_complete,
            is_moderate=self.is_moderate,
        )
        return CompiledProgram(encode_program(stored))

    def _sources(self) -> list[StoredDim]:
        """Return where the value of each dim is found: in a size that is linear in it alone."""
        found: dict[str, StoredDim] = {}
        tensors = [spec for spec in self.specs if not isinstance(spec, ScalarSpec)]
        for number, spec in enumerate(tensors):
            for index, size in enumerate(spec.shape):
                known = _linear(size) if isinstance(size, DimExpression) else None
                if known is None:
                    continue
                name, factor, offset = known
                if name not in found or factor < found[name].factor:
                    dim = self.dims[name]
                    found[name] = StoredDim(name, dim.min, dim.max, number, index, factor, offset)
        for name in self.dims:
            if name not in found:
                raise TrilithValueError(
                    f"the dim '{name}' is no size of an argument, but in expressions of others",
                    hint=f"give '{name}' to the size of an argument, alone or times a number",
                )
        return [found[name] for name in self.dims]

    def _add(self, point: Mapping[str, int]) -> None:
        """Make a plan for a point of sizes."""
        pins = {name: value for name, value in point.items() if value < 2}
        free = {name: dim for name, dim in self.dims.items() if name not in pins}
        traced, artifact, env = self._compiled(pins, free, point)
        self.last = env.taken_guards()
        self.singles += any(known.number is not None for known in env.equal.values())
        guards = [taken.guard for taken in self.last]
        bound = env.largest()
        # A dim without an end goes as far as its sizes fit into 64 bits.
        ends = [name for name, dim in free.items() if dim.max is not None]
        guards += [Guard(">=", constant(bound) - symbol(name)) for name in ends]
        self.plans.append((pins, guards))
        names = list(self.dims)
        words = [f"{name} == {value}" for name, value in pins.items()]
        self.variants.append(
            StoredVariant(
                data=encode_plan(artifact, env, {}),
                pins=tuple((names.index(name), value) for name, value in pins.items()),
                hints=tuple(point[name] for name in free),
                result=self._tree(traced.result, "returns"),
                same=traced.same,
                written=traced.written,
                guards=(*words, *map(str, self.last)),
            )
        )

    def _compiled(
        self, pins: Mapping[str, int], free: Mapping[str, Dim], point: Mapping[str, int]
    ) -> tuple[Traced, Artifact, ShapeEnv]:
        env: ShapeEnv | None = None
        for _ in range(MOST_TRACES):
            env = ShapeEnv(env)
            declare_dims(env, free, point)
            traced = self._traced(
                [s.opened(env, pins) if isinstance(s, SymbolicSpec) else s for s in self.specs],
                env,
            )
            if env.has_learned:
                continue
            artifact = traced.lower(in_place=True).artifact()
            if artifact.device is not cpu or plan_function(artifact, env) is None:
                raise TrilithTypeError(f"{self.name}() is on '{artifact.device}', not on the CPU")
            if env.has_learned:
                continue
            self.targets |= {kernel.target for kernel in artifact.kernels}
            return traced, artifact, env
        raise TrilithValueError(
            f"{self.name}() finds other sizes to be equal each time it is traced",
            hint="name sizes that are equal by one dim",
        )

    def _traced(self, specs: Sequence[TensorSpec | ScalarSpec], env: ShapeEnv) -> Traced:
        try:
            traced = trace_specs(self.function, self.structure, specs, env=env)
        except OffsetNeeded as error:
            raise TrilithTypeError(
                f"{self.name}() asks where an argument lies in its storage, which an exported "
                "program is not made for"
            ) from error
        except TrilithError as error:
            if error.hint is None and env.hints:
                sizes = ", ".join(f"{name} = {size}" for name, size in env.hints.items())
                error.hint = f"it is traced at {sizes}, with sizes that may be others"
            raise
        if traced.draws:
            raise TrilithTypeError(
                f"{self.name}() draws random numbers, which an exported program has no generator "
                "for",
                hint="draw them outside and pass them in",
            )
        for check in traced.checks:
            if not all(_takes_moderate(value) for _, value in check.bound):
                raise TrilithTypeError(
                    f"{self.name}() has operations that look at the values of its numbers, which "
                    "an exported program is not made for",
                    location=check.location,
                    hint="write the numbers into the function, or use wider dtypes",
                )
            self.is_moderate = True
        if self.plans and [*map(id, traced.captured)] != [*map(id, self.captured)]:
            raise TrilithTypeError(
                f"{self.name}() uses other tensors of the enclosing program at other sizes",
                hint="pass them as arguments",
            )
        self.captured = traced.captured
        return traced

    def _tree(self, structure: Structure, what: str) -> Tree:
        found = tree_of(structure)
        if found is None:
            raise TrilithTypeError(
                f"{self.name}() {what} what cannot be stored in a file",
                hint="tensors, numbers, texts, and tuples, lists and dicts of them can",
            )
        return found

    def _too_many(self) -> TrilithValueError:
        shown = "; ".join(" and ".join(variant.guards) or "all" for variant in self.variants[:4])
        asked = [taken for taken in self.last if taken.guard.relation == "=="]
        known = [taken.location for taken in (*asked, *self.last) if taken.location is not None]
        blamed = [taken.guard.expression.symbols() for taken in asked or self.last]
        names = sorted(set[str]().union(*blamed))
        return TrilithValueError(
            f"{self.name}() needs more than {len(self.variants)} plans for all sizes of "
            f"{', '.join(names) or 'its dims'}: {shown}; ...",
            location=known[0] if known else None,
            hint="a loop over a dim, or a size as a Python number, makes a plan for each size: use "
            "operations of tensors there, or give a number for the dim",
        )


def _takes_moderate(value: Any) -> bool:
    """Whether what an operation is given refuses no number of moderate size."""
    if isinstance(value, DType):
        return value in WIDE
    if isinstance(value, tuple):
        return all(map(_takes_moderate, cast("tuple[Any, ...]", value)))
    spec = getattr(value, "spec", None)
    return spec is None or spec.dtype in WIDE


def _linear(size: DimExpression) -> tuple[str, int, int] | None:
    """Return (name, factor, offset) of a size that is linear in one dim."""
    expression: Expression = size.expression
    names = expression.symbols()
    if len(names) != 1:
        return None
    (name,) = names
    factors = dict(expression.terms)
    factor = factors.pop((name,), 0)
    offset = factors.pop((), 0)
    return (name, factor, offset) if factor > 0 and not factors else None


def _leaf(spec: Any) -> str | DType:
    return spec.kind if isinstance(spec, ScalarSpec) else spec.dtype


def _content(tensor: Tensor) -> bytes:
    """Return the bytes from the first to the last element, as they are in memory."""
    spec = tensor.spec
    if spec.device is not cpu:
        raise TrilithTypeError("a tensor of the enclosing program is not on the CPU")
    nbytes = storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
    return string_at(tensor.address(), nbytes) if nbytes else b""


def _one(targets: set[str]) -> str:
    if len(targets) > 1:
        raise TrilithTypeError("the kernels of a program are for several CPUs")
    if targets:
        return next(iter(targets))
    return ""
