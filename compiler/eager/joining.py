"""How are many tensors joined? By a copy of each into its part of one result.

A plan is made for a number of operands, and a list that grows would need one for each length. So
only a few operands are a plan. Where each of more lies in the result is told by the rows' own
arithmetic on specs (`cat`, `stack` and what else is written in views and one join), and the copies
are calls, which find one plan for each kind of operand. Nothing is traced for a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, cast

from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided
from ...dialects.ops.frame.indexed import HostOp
from ...dialects.ops.frame.opspec import CompositeOp, JoinOp, ViewOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.table import TABLE
from ...runtime.tensors.tensor import Tensor, adopt, empty_tensor
from ..plan_table import PlanTable, Sightings
from ..short_keys import ShortKey
from ..trace.row_operands import row_operand
from .overlapping_operands import meet

#: How many operands have a plan for their number: 1 us, where a copy of each takes 0.6 us.
FEW = 8

#: Of how many it is remembered where they lie, which takes 10 kB.
LARGEST = 64

#: How often a call of so many comes, with tensors of the very same specs, before it gets a plan for
#: these, which takes 1 ms for each and runs in 0.1 us for each.
STEADY = 256


def takes_many(row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a call gives a row more tensors than a plan is made for."""
    return _takes_lists(row) and any(map(_is_long, (arguments, *arguments, *keywords.values())))


@cache
def _takes_lists(row: OpSpec) -> bool:
    """Whether a row takes a list of tensors, and may do no more than to join them."""
    has_list = any(each.is_list and each.is_operand for each in row.schema.parameters)
    return has_list and isinstance(row, (JoinOp, CompositeOp))


def _is_long(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(cast("Sequence[Any]", value)) > FEW


def with_lists(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return arguments with lists instead of long tuples, which no short key is made of."""
    if not any(type(value) is tuple and _is_long(value) for value in values):
        return values
    return tuple([[*value] if type(value) is tuple else value for value in values])


def refuse_many_meeting(
    row: OpSpec, out: Tensor, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    """Refuse an `out=` that meets a tensor of the list in a way that PyTorch refuses."""
    name, tensors, others = _divided(row, row.schema.bind(arguments, keywords))
    meet(row, out, [out, *tensors], {**others, name: tensors})


def _divided(row: OpSpec, bound: Mapping[str, Any]) -> tuple[str, list[Tensor], dict[str, Any]]:
    """Return the list of tensors that a row takes, the name for it, and its other arguments."""
    (parameter,) = (each for each in row.schema.parameters if each.is_operand and each.is_list)
    others = dict(bound)
    items = cast("Sequence[Any]", others.pop(parameter.name))
    return (
        parameter.name,
        [cast("Tensor", row_operand(row, parameter, item)) for item in items],
        others,
    )


class Joins:
    """What joins tensors of specs that came before, and how often they came."""

    def __init__(self, limit: int) -> None:
        """Remember so many lists of specs."""
        self._known: PlanTable[Any, Join] = PlanTable(limit)
        self._sightings = Sightings(4096)

    def is_steady(self, short: ShortKey) -> bool:
        """Whether a call, which is counted, has come so often that it gets a plan of its own."""
        key, tensors, _ = short
        is_small = key is not None and len(tensors) <= LARGEST
        return is_small and self._sightings.count(key) >= STEADY

    def run(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], short: ShortKey
    ) -> Tensor | None:
        """Join the tensors of a call; None if a row does more than to copy them."""
        key, tensors, _ = short
        found = None if key is None else self._known.shortcuts.get(key)
        if found is None:
            tensors, found = joining(row, arguments, keywords)
            if found is None:
                return None
            if key is not None and len(tensors) <= LARGEST:
                self._known.put(key, found)
                self._known.shorten(key, key, found)
        return found(tensors)

    def clear(self) -> None:
        """Forget all of them."""
        self._known.clear()
        self._sightings.clear()


def joining(
    row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[list[Tensor], Join | None]:
    """Return the tensors of a call and what joins them; None if that is more than copies."""
    name, tensors, others = _divided(row, row.schema.bind(arguments, keywords))
    pieces = [_Piece(tensor.spec, number, 0) for number, tensor in enumerate(tensors)]
    try:
        found = _Places().run(row, {**others, name: pieces})
    except _NoJoin:
        return tensors, None
    return tensors, found if isinstance(found, Join) else None


class _NoJoin(Exception):
    """A row does something else with its operands than to look at them and to join them once."""


class _Piece(NamedTuple):
    """An operand, by its number, or what a view sees of it, so far from its first element."""

    spec: TensorSpec
    number: int
    offset: int


class _Places:
    """The `TensorLanguage` in which a tensor is a `_Piece`, and joined ones are a `Join`."""

    def spec(self, value: Any) -> Any:
        """Return the spec of a piece, or of what they are joined to."""
        return value.spec

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Look at pieces, or join them."""
        row = TABLE[name]
        return self.run(row, row.schema.bind(arguments, keywords))

    def run(self, row: OpSpec, bound: dict[str, Any]) -> Any:
        """Do what a row means, whose arguments are bound."""
        if isinstance(row, CompositeOp) and not isinstance(row, HostOp):
            return row.expanded(cast("Any", self), bound)
        if isinstance(row, JoinOp):
            return _joined(row, bound)
        if isinstance(row, ViewOp) and row.dtype is None and not row.is_of_storage:
            return _seen(row, bound)
        raise _NoJoin


def _joined(row: JoinOp, bound: Mapping[str, Any]) -> Join:
    """Return where pieces lie in what a row joins them to."""
    (parameter,) = (each for each in row.schema.parameters if each.is_operand)
    pieces = bound[parameter.name]
    if not isinstance(pieces, (list, tuple)) or not all(
        isinstance(each, _Piece) for each in cast("Sequence[Any]", pieces)
    ):
        raise _NoJoin
    pieces = cast("Sequence[_Piece]", pieces)
    specs = [piece.spec for piece in pieces]
    attributes = {name: value for name, value in bound.items() if name != parameter.name}
    resolved = row.resolve(specs, attributes)
    places = row.place(specs, resolved.result, resolved.attributes)
    copies = tuple(_copies(pieces, [place for _, place in places], resolved.result))
    return Join(resolved.result, copies, is_filled=row.fill is not None)


def _copies(
    pieces: Sequence[_Piece], places: Sequence[Strided], whole: TensorSpec
) -> Iterator[tuple[_Piece, TensorSpec, int]]:
    """Return which piece goes where in the whole; places of one shape have one spec."""
    known: dict[tuple[Sequence[int], Sequence[int]], TensorSpec] = {}
    for piece, place in zip(pieces, places, strict=True):
        if not piece.spec.numel:
            continue
        key = place.shape, place.strides
        spec = known.get(key)
        if spec is None:
            spec = TensorSpec.of(place.shape, whole.dtype, whole.device, place.strides)
            known[key] = spec
        yield piece, spec, place.offset


def _seen(row: ViewOp, bound: Mapping[str, Any]) -> Any:
    """Return what a view sees of a piece, or of what pieces are joined to."""
    (parameter,) = (each for each in row.schema.parameters if each.is_operand)
    value = bound[parameter.name]
    attributes = {name: each for name, each in bound.items() if name != parameter.name}
    resolved = row.resolve([value.spec], attributes)
    viewed = row.apply(Strided(value.spec.shape, value.spec.strides, 0), resolved.attributes)
    if isinstance(value, _Piece):
        return _Piece(resolved.result, value.number, value.offset + viewed.offset)
    if not isinstance(value, Join) or viewed.offset:
        raise _NoJoin
    return Join(value.whole, value.copies, is_filled=value.is_filled, spec=resolved.result)


class Join:
    """Makes one tensor of many: what a plan does, for operands of these specs."""

    __slots__ = ("copies", "is_filled", "spec", "whole")

    def __init__(
        self,
        whole: TensorSpec,
        copies: tuple[tuple[_Piece, TensorSpec, int], ...],
        *,
        is_filled: bool,
        spec: TensorSpec | None = None,
    ) -> None:
        #: What is made, and what is seen of it.
        self.whole, self.spec = whole, whole if spec is None else spec
        #: What goes where: a piece, the spec of its part of the whole, and where that begins.
        self.copies = copies
        #: Whether there are zeros between the parts.
        self.is_filled = is_filled

    def __call__(self, tensors: Sequence[Tensor]) -> Tensor:
        """Return the tensors joined."""
        result = empty_tensor(self.whole)
        memory = result.memory
        if self.is_filled:
            result.zero_()
        for (spec, number, offset), part, start in self.copies:
            source = tensors[number]
            if source.spec is not spec or offset:
                source = _view(source, spec, offset)
            adopt(memory, part, start).copy_(source)
        memory.count_from(0)  # it is new: nobody has seen what was written
        return result if self.spec is self.whole else adopt(memory, self.spec)


def _view(tensor: Tensor, spec: TensorSpec, offset: int) -> Tensor:
    if not hasattr(tensor.memory, "pointer"):
        tensor.check_extent()  # the storage has become smaller than it once was
    return adopt(tensor.memory, spec, tensor.offset + offset)
