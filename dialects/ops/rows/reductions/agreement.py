"""Are two tensors the same? equal and allclose, whose answer is a bool of Python's."""

from __future__ import annotations

from typing import Any

from ....diagnostics import TrilithRuntimeError
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.row import TABLE
from ...frame.view_rows import tensor_of


def _truth(t: ValueLanguage, value: Any) -> bool:
    """Return what a 0-dim tensor of bool holds; refuse while it is not known."""
    found = t.number(value)
    if found is None:
        hint = "return a tensor: (x == y).all(), or tri.isclose(x, y).all()"
        t.positions(value, hint, "this bool of Python's")  # refuses: values are not known
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
    return _truth(t, t.call("all", t.call("isclose", input, other, rtol, atol, equal_nan)))


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
