"""What are the gradients of elements that are reduced into others, at indices?

Slices that a vector names (`index_reduce`) and elements along a dim (`scatter_reduce`) share the
formulas: what differs is how a gradient is brought back to its source.
"""

from __future__ import annotations

from typing import Any

from ..frame.gradients import jointly


class _Along:
    """How values come to elements of the input and back, in the rows of one family."""

    def __init__(self, t: Any, dim: int, index: Any, names: tuple[str, str, str, str]) -> None:
        self._t, self._dim, self._index = t, dim, index
        self._reduce, self._add, self._take, self._fill = names

    def take(self, value: Any) -> Any:
        return self._t.call(self._take, value, self._dim, self._index)

    def add(self, value: Any, source: Any) -> Any:
        return self._t.call(self._add, value, self._dim, self._index, source)

    def fill(self, value: Any) -> Any:
        return self._t.call(self._fill, value, self._dim, self._index, 0)

    def multiply(self, value: Any, source: Any, include_self: bool) -> Any:
        return self._t.call(
            self._reduce,
            *(value, self._dim, self._index, source, "prod"),
            include_self=include_self,
        )


_SCATTER = ("scatter_reduce", "scatter_add", "gather", "scatter")
_INDEX = ("index_reduce", "index_add", "index_select", "index_fill")


def _reduced(
    t: Any, along: _Along, grad: Any, input: Any, source: Any, result: Any, how: str, whole: bool
) -> tuple[Any, Any]:
    """Return the gradients of the input and of the source."""
    if how == "sum":
        of_input, of_source = grad, along.take(grad)
    elif how == "mean":
        start = t.call("ones_like" if whole else "zeros_like", grad)
        count = along.add(start, t.call("ones_like", source))
        count = t.call("where", t.call("eq", count, 0), 1, count)
        of_input, of_source = grad / count, along.take(grad) / along.take(count)
    elif how == "prod":
        of_input = _kept_product(t, along, grad, input, source, whole)
        of_source = _added_product(t, along, grad, input, source, result, whole)
    else:
        is_own = t.call("eq", input, result).to(grad.dtype)
        is_new = t.call("eq", source, along.take(result)).to(grad.dtype)
        share = grad / along.add(is_own, is_new)
        of_input, of_source = is_own * share, is_new * along.take(share)
    return (of_input if whole else along.fill(of_input)), of_source


def _kept_product(t: Any, along: _Along, grad: Any, input: Any, source: Any, whole: bool) -> Any:
    filled = t.call("where", t.call("eq", input, 0), 1, input)
    return grad * along.multiply(filled, source, whole) / filled


def _added_product(
    t: Any, along: _Along, grad: Any, input: Any, source: Any, result: Any, whole: bool
) -> Any:
    """Return what the product is without each element: of a single zero that of all others."""
    is_zero = t.call("eq", source, 0)
    zeros = along.take(along.add(t.call("zeros_like", input), is_zero.to(source.dtype)))
    is_single = t.call("logical_and", is_zero, t.call("eq", zeros, 1))
    others = along.multiply(input, t.call("where", is_single, 1, source), whole)
    filled = t.call("where", is_zero, 1, source)
    return t.call("where", is_single, along.take(grad * others), along.take(grad * result) / filled)


def _scattered(
    t: Any,
    grad: Any,
    input: Any,
    dim: int,
    index: Any,
    src: Any,
    reduce: str,
    include_self: bool,
    result: Any,
) -> Any:
    along = _Along(t, dim, index, _SCATTER)
    found = _reduced(t, along, grad, input, src, result, reduce, include_self)
    return dict(zip(("input", "src"), found, strict=True))


def _indexed(
    t: Any,
    grad: Any,
    input: Any,
    dim: int,
    index: Any,
    source: Any,
    reduce: str,
    include_self: bool,
    result: Any,
) -> Any:
    along = _Along(t, dim, index, _INDEX)
    found = _reduced(t, along, grad, input, source, result, reduce, include_self)
    return dict(zip(("input", "source"), found, strict=True))


OF_SCATTER_REDUCE = jointly("ScatterReduceBackward0", _scattered, "input", "src")
OF_INDEX_REDUCE = jointly("IndexReduceBackward0", _indexed, "input", "source")
