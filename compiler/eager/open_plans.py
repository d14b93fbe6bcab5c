"""How does an operation run on sizes that were never seen? By a plan for the patterns of operands.

What a call is made of is divided in two: structure, which is the key of its plans, and numbers
(sizes, strides, the integers of slices), which a plan takes as they come. A plan is made once, on
symbols, by the same trace and passes as any other; it serves every call that passes its guards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from ...dialects.attributes.device import Device, placement
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.attributes.opened_specs import opened
from ...dialects.attributes.settings import Settings, holding
from ...dialects.attributes.spec import ScalarSpec
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithError
from ...dialects.ops.frame.opspec import OpSpec
from ...dialects.ops.frame.schema import Parameter
from ...runtime.plan_function import PlanFunction, plan_function
from ...runtime.tensors.tensor import Tensor
from ..driver import Traced, returned_structure
from ..plan_table import PlanTable
from ..short_keys import are_wide, is_checked, is_moderate
from ..trace.numbers import is_argument, known_number
from ..trace.pytree import LEAF
from ..trace.tracer import Trace
from ..trace.writes import record_in_place

#: Plans for one key; a call that none of them takes has a plan for its own sizes.
MOST_PLANS = 16

#: How often equalities are put into a new trace; each takes a symbol away.
MOST_TRACES = 8

#: Integers that are structure wherever they stand, as sizes are.
_STRUCTURE = frozenset((-1, 0, 1))

_STATIC = (bool, type(None), DType, Device, Layout, MemoryFormat, str)

#: What is no part of a key.
_OTHER: Any = object()

#: What a plan does with its result.
WritesFirst: TypeAlias = bool


class _Call:
    """A call of a row, divided into structure and numbers."""

    __slots__ = ("key", "numbers", "scalars", "tensors")

    def __init__(self) -> None:
        self.key: list[Any] = []
        self.numbers: list[int] = []
        self.tensors: list[Tensor] = []
        self.scalars: list[Any] = []

    def tensor(self, value: Tensor) -> None:
        """Add an operand."""
        spec = value.spec
        self.key.append(spec.pattern)
        self.numbers += spec.numbers
        self.tensors.append(value)

    def add(self, row: OpSpec, parameter: Parameter, value: Any) -> bool:
        """Add an argument; return whether anything stands for it."""
        kind = type(value)
        if kind is Tensor:
            self.tensor(value)
        elif parameter.is_open:
            part = self._open(value)
            self.key.append(part)
            return part is not _OTHER
        elif parameter.is_operand:
            return self._operand(row, parameter, value)
        elif kind is int:
            self.key.append(value)
        elif kind in _STATIC:
            self.key.append((kind, value))
        elif kind is tuple and all(type(item) is int for item in value):
            self.key.append(value)
        else:
            return False
        return True

    def _open(self, value: Any) -> Any:
        kind = type(value)
        if kind is int:
            if value in _STRUCTURE:
                return value
            self.numbers.append(value)
            return int
        if kind is slice:
            step = value.step
            if step is not None and type(step) is not int:
                return _OTHER
            start, stop = self._bound(value.start), self._bound(value.stop)
            return _OTHER if start is _OTHER or stop is _OTHER else (slice, start, stop, step)
        if kind is tuple:
            parts = tuple([self._open(item) for item in value])
            return _OTHER if _OTHER in parts else (tuple, *parts)
        return value if value is None or value is Ellipsis else _OTHER

    def _bound(self, value: Any) -> Any:
        if type(value) is int:
            self.numbers.append(value)
            return int
        return None if value is None else _OTHER

    def _operand(self, row: OpSpec, parameter: Parameter, value: Any) -> bool:
        kind = type(value)
        if kind is list or kind is tuple:
            items = cast("Sequence[Any]", value)
            if not parameter.is_list or not all(type(item) is Tensor for item in items):
                return False
            self.key.append((list, len(items)))
            for item in items:
                self.tensor(item)
            return True
        if value is None and parameter.optional:
            self.key.append(None)
            return True
        if (kind is not int and kind is not float) or parameter.is_list:
            return False
        is_static = row.static_operands.get(parameter.name, parameter.is_left_out)
        if not is_argument(value):
            return False
        if is_static(value):
            self.key.append(known_number(value))
        else:
            self.key.append(kind)
            self.scalars.append(value)
        return True


def _divided(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any], head: tuple[Any, ...]
) -> _Call | None:
    """Return a call in two; None if it is none of the usual ones."""
    schema = row.schema
    positional = schema.positional
    call = _Call()
    call.key += head
    for index, value in enumerate(arguments):
        if index >= len(positional):
            return None
        parameter = positional[index]
        if parameter.is_variadic and type(value) is int:
            # The rest are the items of one argument.
            if not call.add(row, parameter, arguments[index:]):
                return None
            break
        if not call.add(row, parameter, value):
            return None
    for name, value in keywords.items():
        parameter = schema.by_name.get(name)
        if parameter is None:
            return None
        call.key.append(name)
        if not call.add(row, parameter, value):
            return None
    if not call.tensors:
        call.key.append(placement())
    return call


class _Opener:
    """Puts symbols and proxies into the places of a call's arguments, in the order of `_Call`."""

    def __init__(self, trace: Trace, env: ShapeEnv) -> None:
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
            return value if value in _STRUCTURE else self.env.symbol(value)
        if type(value) is slice:
            return slice(self._bound(value.start), self._bound(value.stop), value.step)
        return tuple(map(self._open, value)) if type(value) is tuple else value

    def _bound(self, value: Any) -> Any:
        return None if value is None else self.env.symbol(value)


class OpenPlans:
    """The plans of rows for all sizes."""

    def __init__(self, limit: int) -> None:
        """Remember plans for so many keys."""
        self._plans: PlanTable[Any, _Choices] = PlanTable(limit)
        self._made = 0

    def __len__(self) -> int:
        """Return how many plans were made."""
        return self._made

    def clear(self) -> None:
        """Forget every plan."""
        self._plans.clear()

    def run(
        self,
        row: OpSpec,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        settings: Settings,
        *,
        in_place: bool = False,
    ) -> list[Tensor] | None:
        """Run a call; None if no plan takes it and none can be made: then its own plan runs it."""
        call = _divided(row, arguments, keywords, (row, in_place, settings))
        if call is None:
            return None
        key = tuple(call.key)
        choices = self._plans.shortcuts.get(key)
        if choices is None:
            if not _is_usual(row, keywords):
                return None
            choices = self._plans.get(key, lambda: _Choices(_checks(row, keywords, call)))
            self._plans.shorten(key, key, choices)
        tensors, scalars, numbers = call.tensors, call.scalars, call.numbers
        if choices.is_checked and not (choices.is_wide and all(map(is_moderate, scalars))):
            row.refuse_numbers(row.schema.bind(arguments, keywords))
        for plan in choices.plans:
            results = plan(tensors, scalars, numbers)
            if results is not None:
                return results
        plan = choices.another(lambda: _make(row, arguments, keywords, settings, in_place))
        if plan is None:
            return None
        self._made += 1
        return plan(tensors, scalars, numbers)


class _Choices:
    """The plans for one key, the newest first."""

    __slots__ = ("is_checked", "is_closed", "is_wide", "plans")

    def __init__(self, checks: tuple[bool, bool]) -> None:
        #: Whether the row refuses some numbers, and whether none of moderate size.
        self.is_checked, self.is_wide = checks
        self.plans: tuple[PlanFunction, ...] = ()
        #: Whether no plan can be made for it, or no more.
        self.is_closed = False

    def another(self, make: Callable[[], PlanFunction | None]) -> PlanFunction | None:
        """Return a new plan, None if none can be made."""
        if self.is_closed:
            return None
        try:
            plan = make()
        except TrilithError:
            # A call that is refused: its own plan says why, with the numbers of the call.
            return None
        if plan is None:
            self.is_closed = True
            return None
        self.plans = (plan, *self.plans)
        self.is_closed = len(self.plans) >= MOST_PLANS
        return plan


def _is_usual(row: OpSpec, keywords: Mapping[str, Any]) -> bool:
    """Whether binding a call looks at nothing but the schema: plans for all sizes can be made."""
    return row.binder is None and not row.looks_at_offset


def _checks(row: OpSpec, keywords: Mapping[str, Any], call: _Call) -> tuple[bool, bool]:
    dtypes = [part for part in call.key if type(part) is tuple and part[0] is DType]
    return is_checked(row, keywords), not dtypes and are_wide(call.tensors)


def _make(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    settings: Settings,
    in_place: bool,
) -> PlanFunction | None:
    """Trace a call on symbols, and compile it; once more if sizes turned out to be equal."""
    with holding(settings):
        env: ShapeEnv | None = None
        for _ in range(MOST_TRACES):
            env = ShapeEnv(env)
            trace = Trace(row.name)
            traced = _trace(row, trace, _bound(row, trace, env, arguments, keywords), in_place)
            if traced is None:
                return None
            if not env.has_learned:
                return plan_function(traced.lower(in_place=True).artifact(), env)
    return None


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
    if structure != LEAF or same or trace.captured:
        return None
    return Traced(row.name, trace.finish(outputs), LEAF, structure, (), same, trace.written)
