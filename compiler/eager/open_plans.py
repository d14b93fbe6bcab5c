"""How does an operation run on sizes that were never seen? By a plan for the patterns of operands.

What a call is made of is divided in two: structure, which is the key of its plans, and numbers
(sizes, strides, the integers of slices), which a plan takes as they come. A plan is made once, on
symbols, by the same trace and passes as any other; it serves every call that passes its guards.
"""

from __future__ import annotations

from collections import deque
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
from ..plan_log import logged, missed_guard
from ..plan_table import NOTHING, Nothing, PlanTable
from ..short_keys import are_wide, is_checked, is_moderate
from ..trace.numbers import is_argument, known_number
from ..trace.pytree import LEAF
from ..trace.tracer import Trace
from ..trace.writes import record_in_place
from .packing import is_plain, packing

#: Plans for one key; a call that none of them takes has a plan for its own sizes.
MOST_PLANS = 16

#: How often equalities are put into a new trace; each takes a symbol away.
MOST_TRACES = 8

#: Why operations have no plans for all sizes, which is a flaw: the tests look that there is none.
REFUSED: deque[Exception] = deque(maxlen=64)

#: Integers that are structure wherever they stand, as sizes are.
_STRUCTURE = frozenset((-1, 0, 1))

_STATIC = (bool, type(None), DType, Device, Layout, MemoryFormat, str)

#: What is no part of a key.
_OTHER: Any = object()


#: A call in two: its key, and the tensors, numbers that are operands, and sizes of it.
_Call: TypeAlias = tuple[tuple[Any, ...], list[Tensor], list[Any], list[int]]


def _divided(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any], key: list[Any]
) -> _Call | None:
    """Return a call in two; None if it is none of the usual ones. Its key begins with `key`."""
    positional = row.schema.positional
    if len(arguments) > len(positional) and not _is_spread(positional, arguments):
        return None
    tensors: list[Tensor] = []
    scalars: list[Any] = []
    numbers: list[int] = []
    index = 0
    for value in arguments:
        # The usual argument: this loop runs in every call of a size that was not seen.
        if type(value) is Tensor:
            spec = value.spec
            key.append(spec.pattern)
            numbers += spec.numbers
            tensors.append(value)
        else:
            parameter = positional[index]
            is_rest = parameter.is_variadic and type(value) is int
            given = arguments[index:] if is_rest else value
            part = _part(row, parameter, given, tensors, scalars, numbers)
            if part is _OTHER:
                return None
            key.append(part)
            if is_rest:
                break
        index += 1
    for name, value in keywords.items():
        parameter = row.schema.by_name.get(name)
        part = (
            _OTHER if parameter is None else _part(row, parameter, value, tensors, scalars, numbers)
        )
        if part is _OTHER:
            return None
        key += (name, part)
    if not tensors or row.is_factory:
        key.append(placement())
    return tuple(key), tensors, scalars, numbers


def _is_spread(positional: Sequence[Parameter], arguments: tuple[Any, ...]) -> bool:
    """Whether the last arguments are the integers of one."""
    return positional[-1].is_variadic and type(arguments[len(positional) - 1]) is int


def _part(
    row: OpSpec,
    parameter: Parameter,
    value: Any,
    tensors: list[Tensor],
    scalars: list[Any],
    numbers: list[int],
) -> Any:
    """Return what stands for an argument in a key; what it holds is added to the lists."""
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    if parameter.is_open:
        return _open_part(value, numbers)
    if parameter.is_operand:
        if kind is int or kind is float:
            return _number_part(row, parameter, value, scalars)
        return _tensors_part(parameter, value, tensors, numbers)
    if kind is int or (kind is tuple and all(type(item) is int for item in value)):
        return value
    return (kind, value) if kind in _STATIC else _OTHER


def _open_part(value: Any, numbers: list[int]) -> Any:
    """Return what stands for sizes and places in dims, whose numbers are left open."""
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    if kind is int:
        if value in _STRUCTURE:
            return value
        numbers.append(value)
        return int
    if kind is slice:
        parts: list[Any] = [slice]
        for bound in (value.start, value.stop):
            if type(bound) is int:
                numbers.append(bound)
                parts.append(int)
            elif bound is None:
                parts.append(None)
            else:
                return _OTHER
        step = value.step
        return (*parts, step) if step is None or type(step) is int else _OTHER
    if kind is tuple:
        inner = tuple([_open_part(item, numbers) for item in value])
        return _OTHER if _OTHER in inner else inner
    return value if value is None or value is Ellipsis else _OTHER


def _number_part(row: OpSpec, parameter: Parameter, value: Any, scalars: list[Any]) -> Any:
    if parameter.is_list or not is_argument(value):
        return _OTHER
    is_static = row.static_operands.get(parameter.name, parameter.is_left_out)
    if is_static(value):
        return known_number(value)
    scalars.append(value)
    kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType] - of anything
    return kind


def _tensors_part(
    parameter: Parameter, value: Any, tensors: list[Tensor], numbers: list[int]
) -> Any:
    if value is None:
        return None if parameter.optional else _OTHER
    items: Sequence[Any] = (value,)
    if parameter.is_list and isinstance(value, (list, tuple)):
        items = cast("Sequence[Any]", value)
    parts: list[Any] = [len(items)]
    for item in items:
        if type(item) is not Tensor:
            return _OTHER
        parts.append(item.spec.pattern)
        numbers += item.spec.numbers
        tensors.append(item)
    return tuple(parts)


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
            return value if value in _STRUCTURE else self.env.symbol(value)
        if type(value) is slice:
            return slice(self._bound(value.start), self._bound(value.stop), value.step)
        return tuple(map(self._open, cast("Any", value))) if type(value) is tuple else value

    def _bound(self, value: Any) -> Any:
        return None if value is None else self.env.symbol(value)


class OpenPlans:
    """The plans of rows for all sizes."""

    def __init__(self, limit: int) -> None:
        """Remember plans for so many keys."""
        self._plans: PlanTable[Any, _Choices] = PlanTable(limit)
        #: The same by key and number.
        self._made: PlanTable[Any, PlanFunction | Nothing] = PlanTable(limit)
        self._count = 0

    def __len__(self) -> int:
        """Return how many plans were made."""
        return self._count

    def clear(self) -> None:
        """Forget every plan."""
        self._plans.clear()
        self._made.clear()

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
        call = _divided(row, arguments, keywords, [row, in_place, settings])
        if call is None:
            return None
        key, tensors, scalars, numbers = call
        choices = self._plans.shortcuts.get(key)
        if choices is None:
            if not _is_usual(row):
                return None
            choices = self._plans.get(key, lambda: _Choices(_checks(row, keywords, key, tensors)))
            self._plans.shorten(key, key, choices)
        if choices.is_checked and not (choices.is_wide and all(map(is_moderate, scalars))):
            row.refuse_numbers(row.schema.bind(arguments, keywords))
        for plan in choices.plans:
            results = plan(tensors, scalars, numbers)
            if results is not None:
                return results
        if choices.is_closed:
            return None
        plan = self._another(
            key, choices, numbers, lambda: _make(row, arguments, keywords, settings, in_place)
        )
        return None if plan is None else plan(tensors, scalars, numbers)

    def _another(
        self,
        key: Any,
        choices: _Choices,
        numbers: Sequence[int],
        make: Callable[[], PlanFunction | None],
    ) -> PlanFunction | None:
        """Return one more plan, made once however many threads ask; None if none can be made."""
        known: Any = choices.plans
        name = f"{key[0].name}(){' in place' if key[1] else ''}"

        def why() -> str:
            if not known:
                return "the first call with operands of this kind"
            return missed_guard(known[0].env, numbers)

        try:
            plan = self._made.get((key, len(known)), lambda: logged(make, name, why) or NOTHING)
        except TrilithError:
            # A call that is refused: its own plan says why, with the numbers of the call.
            return None
        except (AssertionError, TypeError, ValueError, ArithmeticError) as error:
            # Something in the compiler takes no expressions: each size has a plan of its own.
            REFUSED.append(error)
            plan = NOTHING
        if isinstance(plan, Nothing):
            choices.is_closed = True
            return None
        if choices.plans is known:
            choices.plans = (plan, *known)
            choices.is_closed = len(choices.plans) >= MOST_PLANS
            self._count += 1
        return plan


class _Choices:
    """The plans for one key, the newest first."""

    __slots__ = ("is_checked", "is_closed", "is_wide", "plans")

    def __init__(self, checks: tuple[bool, bool]) -> None:
        #: Whether the row refuses some numbers, and whether none of moderate size.
        self.is_checked, self.is_wide = checks
        self.plans: tuple[PlanFunction, ...] = ()
        #: Whether no plan can be made for it, or no more.
        self.is_closed = False


def _is_usual(row: OpSpec) -> bool:
    """Whether binding a call looks at nothing but the schema: plans for all sizes can be made."""
    return row.binder is None and not row.looks_at_offset


def _checks(
    row: OpSpec, keywords: Mapping[str, Any], key: tuple[Any, ...], tensors: Sequence[Tensor]
) -> tuple[bool, bool]:
    names_dtype = any(type(part) is tuple and part[:1] == (DType,) for part in key)
    return is_checked(row, keywords), not names_dtype and are_wide(tensors)


def _make(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    settings: Settings,
    in_place: bool,
) -> PlanFunction | None:
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
                plan = plan_function(traced.lower(in_place=True).artifact(), env)
                return plan if plan is None or is_plain(traced.result) else _packed(plan, traced)
    return None


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
