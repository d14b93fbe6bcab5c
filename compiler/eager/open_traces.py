"""How is a plan of a row for all sizes made? A trace on symbols is lowered and compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...dialects.attributes.opened_specs import opened
from ...dialects.attributes.patterns import STRUCTURE
from ...dialects.attributes.settings import Settings, holding
from ...dialects.attributes.spec import ScalarSpec
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithError, user_location
from ...dialects.frames import held_warnings
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.schema import Parameter
from ...runtime.plan_function import plan_function
from ...runtime.tensors.tensor import Tensor
from ..driver import Traced, returned_structure
from ..plan_records import phase
from ..stored.calls import SEQUENCES, depends_on_offset, parameter_named
from ..trace.finishing import finished
from ..trace.not_traceable import NotTraceable
from ..trace.pytree import LEAF
from ..trace.tracer import Trace
from ..trace.writes import record_in_place, record_out
from .packing import is_plain, packing
from .plans import Goal
from .row_plans import AnyPlan, OpenPlan, OperandPlan, Refusal, Refused

#: How often equalities are put into a new trace; each takes a symbol away.
MOST_TRACES = 8


class Opener:
    """Puts symbols and proxies in the place of a call's arguments, in the order of `divided`."""

    def __init__(self, trace: Trace, env: ShapeEnv) -> None:
        """Add the arguments to a trace, and the symbols to its environment."""
        self.trace = trace
        self.env = env
        #: Where tensors begin in their storages, if that matters.
        self.offsets: list[Any] | None = None

    def opened(self, row: OpSpec, parameter: Parameter, value: Any) -> Any:
        """Return what stands for an argument while it is traced."""
        if isinstance(value, Tensor):
            return self.opened_tensor(value)
        if parameter.is_open:
            return self._open(value)
        if not parameter.is_operand or value is None:
            return value
        if parameter.is_list:
            return [self.opened_tensor(item) for item in value]
        is_static = row.static_operands.get(parameter.name, parameter.is_left_out)
        return value if is_static(value) else self.trace.scalar_argument(ScalarSpec.of(value))

    def opened_by_kind(self, row: OpSpec, value: Any) -> Any:
        """Return what stands for an argument of a row that a binder reads."""
        if type(value) is Tensor:
            return self.opened_tensor(value)
        if type(value) is int:
            return self._open(value) if row.opens_integers else value
        if type(value) in SEQUENCES:
            kind = SEQUENCES[type(value)]
            return kind([self.opened_by_kind(row, item) for item in value])
        return value

    def opened_tensor(self, value: Tensor) -> Any:
        """Return what stands for a tensor while it is traced."""
        spec = opened(value.spec, self.env)
        if self.offsets is not None:
            self.offsets.append(self.env.symbol(value.storage_offset(), least=0))
        return self.trace.tensor_argument(spec)

    def _open(self, value: Any) -> Any:
        if type(value) is int:
            return value if value in STRUCTURE else self.env.symbol(value)
        if type(value) is slice:
            return slice(self._bound(value.start), self._bound(value.stop), value.step)
        is_several = type(value) in SEQUENCES
        return tuple(map(self._open, value)) if is_several else value

    def _bound(self, value: Any) -> Any:
        return None if value is None else self.env.symbol(value)


def make(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    settings: Settings,
    goal: Goal,
    out: Tensor | None,
) -> AnyPlan | None:
    """Trace a call on symbols, and compile it; once more if sizes turned out to be equal."""
    if _holds_values(row, arguments, keywords):
        return None
    with holding(settings):
        env: ShapeEnv | None = None
        for _ in range(MOST_TRACES):
            env = ShapeEnv(env)
            opener = Opener(Trace(row.name), env)
            opener.trace.env = env
            env.locate = user_location
            try:
                with phase("trace"), held_warnings() as held:
                    target = None if out is None else opener.opened_tensor(out)
                    bound = _bound(row, opener, arguments, keywords)
                    traced = _trace(row, opener.trace, bound, goal, target)
            except NotTraceable:
                raise
            except TrilithError as error:
                raise Refused(Refusal(env)) from error
            finally:
                env.locate = None
            if traced is None:
                return None
            if isinstance(traced, int) or not env.has_learned:
                plan = _plan_of(traced, env)
                for warned in held if plan is not None else ():
                    warned.give()
                return plan
    return None


def _plan_of(traced: Traced | int, env: ShapeEnv) -> AnyPlan | None:
    """Compile what was traced, or hand on an operand; None if there is no plan for all sizes."""
    if isinstance(traced, int):
        return OperandPlan(traced, env)
    artifact = traced.lower(in_place=True).artifact()
    with phase("load"):
        run = plan_function(artifact, env)
    return None if run is None else OpenPlan(traced.result, artifact, env, run)


def _holds_values(row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a tensor stands where a number belongs: binding asks for its value."""
    given = [*zip(row.schema.positional, arguments, strict=False)]
    named = [(parameter_named(row, name), value) for name, value in keywords.items()]
    return any(
        isinstance(value, Tensor) and parameter is not None and not parameter.is_operand
        for parameter, value in (*given, *named)
    )


def _bound(
    row: OpSpec, opener: Opener, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    if row.binder is not None:
        if depends_on_offset(row, arguments, keywords):
            opener.trace.offsets = opener.offsets = []
        values = [opener.opened_by_kind(row, value) for value in arguments]
        items = {name: opener.opened_by_kind(row, value) for name, value in keywords.items()}
        return row.schema.bind(values, items)
    positional = row.schema.positional
    given: list[Any] = []
    for index, value in enumerate(arguments):
        parameter = positional[index]
        if parameter.is_variadic and type(value) is int:
            given.append(opener.opened(row, parameter, arguments[index:]))
            break
        given.append(opener.opened(row, parameter, value))
    named: dict[str, Any] = {}
    for name, value in keywords.items():
        parameter = parameter_named(row, name)
        assert isinstance(parameter, Parameter)
        named[name] = opener.opened(row, parameter, value)
    return row.schema.bind(given, named)


def _trace(
    row: OpSpec, trace: Trace, bound: dict[str, Any], goal: Goal, out: Any
) -> Traced | int | None:
    """Return the row as IR, or the number of the operand that is the result."""
    if goal != "value":
        if out is None:
            trace.record(record_in_place, trace, row, bound)
        else:
            trace.record(record_out, trace, row, bound, out, resizes=False)
        module = finished(trace, [])
        return Traced(row.name, module, LEAF, ("none",), (), (), trace.written)
    result = trace.record(trace.apply_bound, row, bound)
    for index, argument in enumerate(trace.arguments):
        if result is argument:
            return index
    structure, outputs, same = returned_structure(trace, result, row.name)
    if same or trace.captured or not (is_plain(structure) or packing(structure)):
        return None
    return Traced(row.name, finished(trace, outputs), LEAF, structure, (), same, trace.written)
