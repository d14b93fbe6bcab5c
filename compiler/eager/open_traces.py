"""How is a plan of a row for all sizes made? A trace on symbols is lowered and compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from ...dialects.attributes.opened_specs import opened
from ...dialects.attributes.settings import Settings, holding
from ...dialects.attributes.spec import ScalarSpec
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.ops.frame.opspec import OpSpec
from ...dialects.ops.frame.schema import Parameter
from ...runtime.execution.artifact import Artifact
from ...runtime.plan_function import PlanFunction, plan_function
from ...runtime.tensors.tensor import Tensor
from ..driver import Traced, returned_structure
from ..stored.calls import STRUCTURE
from ..trace.pytree import LEAF
from ..trace.tracer import Trace
from ..trace.writes import record_in_place
from .packing import is_plain, packing

#: How often equalities are put into a new trace; each takes a symbol away.
MOST_TRACES = 8


class _Opener:
    """Puts symbols and proxies in the place of a call's arguments, in the order of `_divided`."""

    def __init__(self, trace: Trace, env: ShapeEnv) -> None:
        """Add the arguments to a trace, and the symbols to its environment."""
        self.trace = trace
        self.env = env

    def opened(self, row: OpSpec, parameter: Parameter, value: Any) -> Any:
        """Return what stands for an argument while it is traced."""
        if isinstance(value, Tensor):
            return self._tensor(value)
        if parameter.is_open:
            return self._open(value)
        if not parameter.is_operand or value is None:
            return value
        if parameter.is_list:
            return [self._tensor(item) for item in value]
        is_static = row.static_operands.get(parameter.name, parameter.is_left_out)
        return value if is_static(value) else self.trace.scalar_argument(ScalarSpec.of(value))

    def _tensor(self, value: Tensor) -> Any:
        return self.trace.tensor_argument(opened(value.spec, self.env))

    def _open(self, value: Any) -> Any:
        if type(value) is int:
            return value if value in STRUCTURE else self.env.symbol(value)
        if type(value) is slice:
            return slice(self._bound(value.start), self._bound(value.stop), value.step)
        return tuple(map(self._open, cast("Any", value))) if type(value) is tuple else value

    def _bound(self, value: Any) -> Any:
        return None if value is None else self.env.symbol(value)


class MadePlan(NamedTuple):
    """A plan, and what it was made of."""

    plan: PlanFunction
    artifact: Artifact
    env: ShapeEnv
    #: Whether it gives its results as they are, not packed into a tuple.
    is_plain: bool


def make(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    settings: Settings,
    in_place: bool,
) -> MadePlan | None:
    """Trace a call on symbols, and compile it; once more if sizes turned out to be equal."""
    if _holds_values(row, arguments, keywords):
        return None
    with holding(settings):
        env: ShapeEnv | None = None
        for _ in range(MOST_TRACES):
            env = ShapeEnv(env)
            trace = Trace(row.name)
            trace.env = env
            traced = _trace(row, trace, _bound(row, trace, env, arguments, keywords), in_place)
            if traced is None:
                return None
            if not env.has_learned:
                return _compiled(traced, env)
    return None


def _compiled(traced: Traced, env: ShapeEnv) -> MadePlan | None:
    artifact = traced.lower(in_place=True).artifact()
    plan = plan_function(artifact, env)
    if plan is None:
        return None
    is_whole = is_plain(traced.result)
    return MadePlan(plan if is_whole else _packed(plan, traced), artifact, env, is_whole)


def _packed(plan: PlanFunction, traced: Traced) -> PlanFunction:
    """Return what runs a plan of several results, and gives their tuple in a list."""
    pack: Any = packing(traced.result)

    def run_and_pack(
        tensors: Sequence[Tensor], scalars: Sequence[Any], numbers: Sequence[int]
    ) -> list[Any] | None:
        results = plan(tensors, scalars, numbers)
        return None if results is None else [pack(results)]

    made: Any = run_and_pack
    made.env = cast("Any", plan).env
    return made


def _holds_values(row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a tensor stands where a number belongs: binding asks for its value."""
    given = [*zip(row.schema.positional, arguments, strict=False)]
    given += [(row.schema.by_name[name], value) for name, value in keywords.items()]
    return any(isinstance(value, Tensor) and not parameter.is_operand for parameter, value in given)


def _bound(
    row: OpSpec,
    trace: Trace,
    env: ShapeEnv,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
) -> dict[str, Any]:
    opener = _Opener(trace, env)
    positional = row.schema.positional
    given: list[Any] = []
    for index, value in enumerate(arguments):
        parameter = positional[index]
        if parameter.is_variadic and type(value) is int:
            given.append(opener.opened(row, parameter, arguments[index:]))
            break
        given.append(opener.opened(row, parameter, value))
    named = {
        name: opener.opened(row, row.schema.by_name[name], value)
        for name, value in keywords.items()
    }
    return row.schema.bind(given, named)


def _trace(row: OpSpec, trace: Trace, bound: dict[str, Any], in_place: bool) -> Traced | None:
    if in_place:
        trace.record(record_in_place, trace, row, bound)
        module = trace.finish([])
        return Traced(row.name, module, LEAF, ("none",), (), (), trace.written)
    result = trace.record(trace.apply_bound, row, bound)
    if any(result is argument for argument in trace.arguments):
        return None
    structure, outputs, same = returned_structure(trace, result, row.name)
    if same or trace.captured or not (is_plain(structure) or packing(structure)):
        return None
    return Traced(row.name, trace.finish(outputs), LEAF, structure, (), same, trace.written)
