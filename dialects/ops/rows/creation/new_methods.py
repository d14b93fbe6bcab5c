"""Which methods make a tensor that takes after another? `new_zeros` and its relatives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....attributes.dtype import DType
from ....attributes.spec import TensorSpec
from ...frame.literals import check_fits
from ...frame.mapped_dims import of_sizes
from ...frame.row import TensorLanguage
from .filled import (
    OPTIONS,
    check_layout,
    check_value,
    empty_with_strides,
    factory_method,
    fill_with,
    option_dtype,
)


def _options_of(t: TensorLanguage, input: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return dtype and device: those asked for, else those of the tensor."""
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    return {
        "dtype": option_dtype(options, spec.dtype),
        "device": options["device"] or spec.device,
    }


def _check_new_full(bound: Mapping[str, Any]) -> None:
    dtype = bound["dtype"] or getattr(bound["input"], "dtype", None)
    if isinstance(dtype, DType):
        check_fits(bound["fill_value"], dtype)


def _new_full(
    t: TensorLanguage, input: Any, size: tuple[int, ...], fill_value: Any, **options: Any
) -> Any:
    check_layout("full", options["layout"])
    made = _options_of(t, input, options)
    check_value(t, "new_full", fill_value, made["dtype"])
    return fill_with(t, size, fill_value, **made)


def _new_zeros(t: TensorLanguage, input: Any, size: tuple[int, ...], **options: Any) -> Any:
    check_layout("new_zeros", options["layout"])
    return fill_with(t, size, 0, is_zero=True, **_options_of(t, input, options))


def _new_ones(t: TensorLanguage, input: Any, size: tuple[int, ...], **options: Any) -> Any:
    check_layout("full", options["layout"])
    return fill_with(t, size, 1, **_options_of(t, input, options))


def _new_empty(t: TensorLanguage, input: Any, size: tuple[int, ...], **options: Any) -> Any:
    check_layout("new_empty", options["layout"])
    return t.call("uninitialised", size, **_options_of(t, input, options))


def _new_empty_strided(
    t: TensorLanguage,
    input: Any,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    **options: Any,
) -> Any:
    check_layout("new_empty_strided", options["layout"])
    return empty_with_strides(t, size, stride, **_options_of(t, input, options))


factory_method(
    f"new_full(Tensor input, int[] size, Operand fill_value, {OPTIONS})",
    "A tensor of one value, with the dtype and device of this one.",
    "tri.zeros(1).new_full((2,), 7)  # tensor([7., 7.])",
    _new_full,
    check_numbers=_check_new_full,
    mapping=of_sizes("size"),
)
factory_method(
    f"new_zeros(Tensor input, int[]* size, {OPTIONS})",
    "Zeros with the dtype and device of this tensor.",
    "tri.tensor([1]).new_zeros(2)  # tensor([0, 0])",
    _new_zeros,
    mapping=of_sizes("size"),
)
factory_method(
    f"new_ones(Tensor input, int[]* size, {OPTIONS})",
    "Ones with the dtype and device of this tensor.",
    "tri.tensor([1]).new_ones(2)  # tensor([1, 1])",
    _new_ones,
    mapping=of_sizes("size"),
)
factory_method(
    f"new_empty(Tensor input, int[]* size, {OPTIONS})",
    "Uninitialised elements with the dtype and device of this tensor.",
    "tri.tensor([1]).new_empty(2, 3).shape  # trilith.Size([2, 3])",
    _new_empty,
    mapping=of_sizes("size"),
)
factory_method(
    f"new_empty_strided(Tensor input, int[] size, int[] stride, {OPTIONS})",
    "Uninitialised elements with given strides, and the dtype and device of this tensor.",
    "tri.tensor([1]).new_empty_strided((2, 3), (1, 2)).stride()  # (1, 2)",
    _new_empty_strided,
    mapping=of_sizes("size"),
)


def _type_as(t: TensorLanguage, input: Any, other: Any) -> Any:
    return t.call("to", input, other)


factory_method(
    "type_as(Tensor input, Tensor other)",
    "The tensor with the dtype and device of another.",
    "tri.zeros(1).type_as(tri.tensor([1]))  # tensor([0])",
    _type_as,
)
