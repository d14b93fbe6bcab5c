"""Are two tensors the same? equal and allclose, whose answer is a bool of Python's."""

from __future__ import annotations

from typing import Any

from ...attributes.default_dtype import get_default_dtype
from ...attributes.dtype import Category
from ...diagnostics import TrilithRuntimeError
from ..frame.indexed import HostOp, ValueLanguage
from ..frame.row import TABLE
from ..frame.view_rows import tensor_of


def _truth(t: ValueLanguage, value: Any) -> bool:
    """Return what a 0-dim tensor of bool holds; refuse while it is not known."""
    found = t.number(value)
    if found is None:
        t.positions(value)  # refuses: values are not known
    return bool(found)


def _equal(t: ValueLanguage, input: Any, other: Any) -> bool:
    first, second = tensor_of(t, input), tensor_of(t, other)
    if first.device != second.device:
        raise TrilithRuntimeError(
            "Cannot compare two tensors on different devices. Got: "
            f"{first.device} and {second.device}"
        )
    if first.shape != second.shape:
        return False
    return not first.numel or _truth(t, t.call("all", t.call("eq", input, other)))


def _allclose(
    t: ValueLanguage, input: Any, other: Any, rtol: float, atol: float, equal_nan: bool
) -> bool:
    first, second = tensor_of(t, input), tensor_of(t, other)
    if first.dtype is not second.dtype:
        raise TrilithRuntimeError(f"{first.dtype.c_name} did not match {second.dtype.c_name}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise TrilithRuntimeError(
                f"{name} must be greater than or equal to zero, but got {value:g}"
            )
    close = t.call("eq", input, other)
    is_whole = first.dtype.category <= Category.INTEGRAL
    if equal_nan and not is_whole:
        both = t.call("logical_and", t.call("isnan", input), t.call("isnan", other))
        close = t.call("logical_or", close, both)
    if is_whole:
        input, other = (t.call("to", value, get_default_dtype()) for value in (input, other))
    allowed = t.call("add", t.call("abs", t.call("mul", other, rtol)), atol)
    error = t.call("abs", t.call("sub", input, other))
    is_near = t.call("logical_and", t.call("isfinite", error), t.call("le", error, allowed))
    return _truth(t, t.call("all", t.call("logical_or", close, is_near)))


TABLE.add(
    HostOp(
        "equal(Tensor input, Tensor other)",
        "Whether two tensors have the same shape and elements, as a bool of Python's.",
        "tri.equal(tri.tensor([1, 2]), tri.tensor([1, 2]))  # True",
        _equal,
        returns="builtins.bool",
    )
)
TABLE.add(
    HostOp(
        "allclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, "
        "bool equal_nan=False)",
        "Whether |input - other| <= atol + rtol * |other| for all elements, as a bool of Python's.",
        "tri.allclose(tri.tensor([1., 2.]), tri.tensor([1., 2.1]))  # False",
        _allclose,
        returns="builtins.bool",
    )
)
