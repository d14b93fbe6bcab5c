"""Which numbers of a call does a traced function refuse? Those that its operations would refuse.

While a function is traced its numbers have no values. An operation that looks at one before it
computes leaves a check behind, and every call of the plan runs it on the numbers that it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.symint import SymInt, hint_of
from ...dialects.diagnostics import Location, TrilithError, user_location
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.table import TABLE
from ...dialects.records import record
from ...runtime.tensors.tensor import Tensor
from .not_traceable import NumberNeeded, is_any
from .operands import as_operand
from .proxies import Proxy
from .scalar_proxies import ScalarProxy, place_of


@record
class _GivenNumber:
    """Stands for a number of the call."""

    number: int


@record
class _Described:
    """Stands for a tensor: checks look at what it is, not at its elements."""

    spec: TensorSpec

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self.spec.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes."""
        return self.spec.shape


@record
class NumberCheck:
    """What an operation asks of the numbers of a call; it pickles."""

    row: str
    bound: tuple[tuple[str, Any], ...]
    location: Location | None

    def for_all_sizes(self) -> NumberCheck | None:
        """Return the check for sizes that are symbols; None if it may depend on more of them.

        Of a tensor's sizes a check asks whether there is one element, or none: structure, which all
        sizes of a plan share. So it is given those of the call that was traced.
        """
        try:
            bound = tuple((name, _sized(value)) for name, value in self.bound)
        except TypeError:
            return None
        return NumberCheck(self.row, bound, self.location)

    def run(self, scalars: Sequence[Any]) -> None:
        """Refuse numbers as the operation does, with its line."""
        given = {name: _with_numbers(value, scalars) for name, value in self.bound}
        try:
            TABLE[self.row].refuse_numbers(given)
        except TrilithError as error:
            raise error.at(self.location) from None


def _sized(value: Any) -> Any:
    """Return an argument with numbers for the symbols of tensors; TypeError for other symbols."""
    if type(value) is _Described:
        spec = value.spec
        shape = tuple(map(hint_of, spec.shape))
        return _Described(TensorSpec.of(shape, spec.dtype, spec.device))
    if isinstance(value, tuple):
        return tuple(map(_sized, cast("tuple[Any, ...]", value)))
    if type(value) is SymInt:
        raise TypeError
    return value


def check_of(
    row: OpSpec, bound: dict[str, Any], scalars: Sequence[ScalarProxy]
) -> NumberCheck | None:
    """Return what a call of a row asks of numbers that have no value yet; None if nothing."""
    if row.check_numbers is None and row.check_keywords is None:
        return None
    if not any(type(value) is ScalarProxy for value in bound.values()):
        return None
    stand_ins = {id(scalar): _GivenNumber(number) for number, scalar in enumerate(scalars)}
    frozen = tuple((name, _frozen(value, stand_ins)) for name, value in bound.items())
    return NumberCheck(row.name, frozen, user_location())


def looked_at(
    row: OpSpec,
    bound: Mapping[str, Any],
    scalars: Sequence[ScalarProxy],
    numbers: Mapping[int, Any],
) -> dict[str, Any]:
    """Return the values that a row looks at among a call's numbers; they must be known."""
    found: dict[str, Any] = {}
    for name, is_looked_at in row.static_operands.items():
        value = bound[name]
        if type(value) is not ScalarProxy:
            continue
        index = place_of(value, scalars)
        if index is None:
            raise value.left_over()
        if index not in numbers:
            raise NumberNeeded(row.name, index, is_looked_at)
        if numbers[index] is not None:
            found[name] = numbers[index]
    return found


def ask_for_another(
    name: str, scalars: Sequence[ScalarProxy], numbers: Mapping[int, Any] | None
) -> None:
    """Ask for a plan of the value of a number that a function has failed without, if there is one.

    What is no operation of ours may look at a number in ways that cannot be seen: the C code of the
    standard library asks for the type of what stands for it.
    """
    if numbers is not None:
        for index in range(len(scalars)):
            if index not in numbers:
                raise NumberNeeded(name, index, is_any)


def _frozen(value: Any, stand_ins: dict[int, _GivenNumber]) -> Any:
    """Return what stands for an argument once the trace is over."""
    if type(value) is ScalarProxy:
        return stand_ins.get(id(value), value)
    if isinstance(value, Proxy):
        return _Described(value.spec)
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(item, stand_ins) for item in cast("Sequence[Any]", value))
    found = as_operand(value)
    return _Described(found.spec) if isinstance(found, Tensor) else value


def _with_numbers(value: Any, scalars: Sequence[Any]) -> Any:
    if type(value) is _GivenNumber:
        return scalars[value.number]
    return value
