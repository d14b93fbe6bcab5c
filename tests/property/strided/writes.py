"""What do operations on elements give and change? Pointwise ones, in-place ones and `out=`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import views as strided_views
from .layout import broadcast_sizes, has_zero_stride, pointwise_strides
from .model import Model, cast_model, new
from .values import (
    COMPARISONS,
    HALVES,
    NUMPY,
    Array,
    Number,
    RefusedError,
    UndefinedError,
    can_cast,
    cast,
    compute,
    fill_number,
    has_kernel,
    itemsize,
    number_as,
    refuse,
    result_type,
)

Operand = Model | Number
UNARY = ("neg", "abs", "bitwise_not")


class Unsettled:
    """Whether a step did what PyTorch leaves open, and trilith says."""

    def __init__(self) -> None:
        self.is_set = False


#: A write whose operands overlap in a way that PyTorch does not look for.
unsettled = Unsettled()


class _Computed:
    """The elements of a pointwise result, with the strides that they would have."""

    def __init__(self, name: str, operands: Sequence[Operand]) -> None:
        # The condition of `where` chooses; it takes no part in promotion.
        condition: list[Operand] = []
        if name == "where":
            condition, operands = list(operands[:1]), operands[1:]
        self.common = result_type([_kind(operand) for operand in operands])
        dtypes = [
            operand.dtype if isinstance(operand, Model) else _kind_of_number(operand)
            for operand in operands
        ]
        refuse(name, dtypes, self.common)
        if condition and isinstance(condition[0], Model) and condition[0].dtype != "bool":
            raise RefusedError(RuntimeError, "where expected condition to be a boolean tensor")
        convert = fill_number if condition else number_as
        cast_operands = condition + [
            _as_common(operand, self.common)
            if isinstance(operand, Model)
            else new(convert(operand, self.common), self.common, (), ())
            for operand in operands
        ]
        models = [operand for operand in cast_operands if isinstance(operand, Model)]
        sizes = broadcast_sizes([model.sizes for model in models])
        if sizes is None:
            raise RefusedError(RuntimeError, "the size of tensor a must match the size of tensor b")
        self.sizes = sizes
        self.strides = pointwise_strides(sizes, [model.layout for model in models])
        self.dtype = "bool" if name in COMPARISONS else self.common
        self.name = name
        self.arrays = [np_copy(model) for model in models]

    def values(self) -> Array:
        """Return the elements; a dtype that no kernel takes is refused here, last of all."""
        if not has_kernel(self.name, self.common):
            raise RefusedError(NotImplementedError, f"{self.name} of {self.common}")
        return compute(self.name, self.arrays, self.common)


def np_copy(model: Model) -> Array:
    return model.array().copy()


def _kind(operand: Operand) -> tuple[str, int] | Number:
    return (operand.dtype, operand.rank) if isinstance(operand, Model) else operand


def _kind_of_number(number: Number) -> str:
    return result_type([number])


def _as_common(operand: Model, common: str) -> Model:
    if common in HALVES and not operand.rank and operand.dtype != common:
        exact = operand.array().astype(NUMPY["complex128"])
        rounded = cast(operand.array(), operand.dtype, common).astype(NUMPY["complex128"])
        if exact != rounded:
            raise UndefinedError("how a 0-dim operand is rounded beside a half is not said")
    return cast_model(operand, common)


def pointwise(name: str, *operands: Operand) -> Model:
    """Return a new tensor."""
    found = _Computed(name, operands)
    return new(found.values(), found.dtype, found.sizes, found.strides)


def _overlap(target: Model, other: Model) -> None:
    """Refuse an operand that shares a part of the target's memory in another way."""
    if other is target or other.memory is not target.memory:
        return
    if not target.numel or not other.numel:
        return
    if target.is_dense and other.is_dense:
        begin, end = _span(target)
        other_begin, other_end = _span(other)
        if (begin, end) == (other_begin, other_end):
            if target.strides == other.strides:
                return
            raise RefusedError(RuntimeError, "partial overlap")
        if begin < other_end and other_begin < end:
            raise RefusedError(RuntimeError, "partial overlap")
        return
    _settle(target, other)


def _settle(target: Model, other: Model) -> None:
    """Note an overlap that PyTorch does not find: trilith reads the operand before it writes."""
    if target.bytes_touched().isdisjoint(other.bytes_touched()):
        return
    if not is_same_data(target, other):
        unsettled.is_set = True


def _span(tensor: Model) -> tuple[int, int]:
    size = itemsize(tensor.dtype)
    return tensor.offset * size, (tensor.offset + tensor.numel) * size


def _check_target(target: Model) -> None:
    if has_zero_stride(*target.layout):
        raise RefusedError(RuntimeError, "more than one element refers to a single location")
    if len(target.bytes_touched()) != target.numel * itemsize(target.dtype):
        raise UndefinedError("which of the writes to one place is the last is not said")


def in_place(name: str, target: Model, *others: Operand) -> Model:
    """Change the target, which is returned."""
    found = _Computed(name, [target, *others])
    _check_target(target)
    if not can_cast(found.dtype, target.dtype):
        raise RefusedError(RuntimeError, "result type can't be cast")
    if found.sizes != target.sizes:
        raise RefusedError(RuntimeError, "output with shape doesn't match the broadcast shape")
    for other in others:
        if isinstance(other, Model):
            _overlap(target, other)
    values = found.values()
    target.array()[...] = cast(values, found.dtype, target.dtype)
    return target


def out(name: str, target: Model, *operands: Operand) -> Model:
    """Write a result into a tensor that is given, and is resized if it does not fit."""
    found = _Computed(name, operands)
    _check_target(target)
    for operand in operands:
        if isinstance(operand, Model):
            _overlap(target, operand)
    if name in UNARY and found.dtype != target.dtype:
        raise RefusedError(RuntimeError, "found dtype but expected")
    if name not in COMPARISONS and not can_cast(found.dtype, target.dtype):
        raise RefusedError(RuntimeError, "result type can't be cast")
    if found.sizes != target.sizes:
        if any(operand is target for operand in operands):
            raise RefusedError(RuntimeError, "output with shape doesn't match the broadcast shape")
        if any(isinstance(o, Model) and o.memory is target.memory for o in operands):
            raise UndefinedError("what an operand is in a memory that is resized is not said")
        if not has_kernel(name, found.common):
            raise UndefinedError("whether a tensor is resized before an error is not said")
        _resize(target, found)
    values = found.values()
    target.array()[...] = cast(values, found.dtype, target.dtype)
    return target


def _resize(target: Model, found: _Computed) -> None:
    reach = 0
    if 0 not in found.sizes:
        reach = 1 + sum((s - 1) * t for s, t in zip(found.sizes, found.strides, strict=True))
        target.memory.grow((target.offset + reach) * itemsize(target.dtype))
    target.sizes, target.strides = found.sizes, found.strides


def copy(target: Model, source: Model) -> Model:
    """`copy_`: any dtype, broadcast."""
    if is_same_data(source, target):
        if has_zero_stride(*target.layout):
            raise UndefinedError("whether a copy of a tensor to itself is refused is not said")
        return target
    wide = strided_views.expand(source, target.sizes)
    _check_target(target)
    _overlap(target, source)
    target.array()[...] = cast(np_copy(wide), source.dtype, target.dtype)
    return target


def is_same_data(first: Model, second: Model) -> bool:
    return (
        first.memory is second.memory
        and (first.dtype, first.layout) == (second.dtype, second.layout)
        and first.offset == second.offset
    )


def fill(target: Model, number: Number) -> Model:
    """`fill_`: writing one value to one place many times is fine."""
    value = fill_number(number, target.dtype)
    target.array()[...] = value
    return target


def zero(target: Model) -> Model:
    return fill(target, 0)


def setitem(x: Model, index: tuple[Any, ...], value: Operand) -> None:
    """`x[index] = value`: leading sizes of 1 do not count."""
    part = strided_views.getitem(x, index)
    if not isinstance(value, Model):
        fill_number(value, part.dtype)
        _check_target(part)
        fill(part, value)
        return
    if not value.rank and part.rank:
        # One element is read before any is written.
        value = new(np_copy(value), value.dtype, (), ())
    if value.sizes != part.sizes:
        extra = 0
        while extra < value.rank and value.sizes[extra] == 1:
            extra += 1
        value = value.seen(value.sizes[extra:], value.strides[extra:])
        value = strided_views.expand(value, part.sizes)
    copy(part, value)
