"""What are the gradients of partial results along a dim? Scans of gradients, from the other end."""

from __future__ import annotations

from typing import Any

from ...attributes.limits import finfo
from ...attributes.spec import TensorSpec
from ...attributes.views import wrap_dim
from ..frame.gradients import gradient
from .arithmetic import conj


def _backwards(t: Any, value: Any, dim: int, row: str = "cumsum") -> Any:
    """Return the partial results of a row from the last element on."""
    return t.call(row, value.flip(dim), dim).flip(dim)


def _sums(t: Any, grad: Any, dim: int) -> Any:
    return _backwards(t, grad, dim) if grad.ndim else grad


def _products(t: Any, grad: Any, input: Any, result: Any, dim: int, dtype: Any) -> Any:
    if input.numel() <= 1:
        return grad
    dim = wrap_dim(dim, input.ndim)
    wide = input if dtype is None else input.to(dtype)
    if t.is_recording:
        return _products_of_pairs(t, grad, wide, dim)
    return _products_once(t, grad, wide, result, dim)


def _products_once(t: Any, grad: Any, input: Any, result: Any, dim: int) -> Any:
    """Return sums of products over one element: a quotient as long as no element is zero.

    At the first zero the products are those that have 1 in its place; behind it there is nothing.
    """
    is_zero = t.call("eq", input, 0)
    zeros = t.call("cumsum", is_zero, dim)
    is_first = t.call("logical_and", is_zero, t.call("eq", zeros, 1))
    filled = t.call("where", is_first, 1, input)
    before = _backwards(t, grad * conj(result), dim) / conj(filled)
    first = _backwards(t, grad * conj(filled.cumprod(dim)), dim)
    behind = t.call("where", is_first, first, 0)
    return t.call("where", t.call("eq", zeros, 0), before, behind)


def _products_of_pairs(t: Any, grad: Any, input: Any, dim: int) -> Any:
    """Return the same without a quotient, which can be differentiated at zeros, too.

    Element (i, k) of a square is the product up to k without the factor i. It takes the square of
    the memory, as in PyTorch.
    """
    rows = input.movedim(dim, -1)
    size = rows.shape[-1]
    numbers = t.call("arange", size, device=input.device)
    across = numbers.unsqueeze(1)
    others = t.call("where", t.call("eq", numbers, across), 1, rows.unsqueeze(-2)).cumprod(-1)
    reached = t.call("where", t.call("ge", numbers, across), others, 0)
    found = (grad.movedim(dim, -1).unsqueeze(-2) * conj(reached)).sum(-1)
    return found.movedim(-1, dim)


def _extremes(t: Any, grad: Any, input_spec: TensorSpec, result1: Any, dim: int) -> Any:
    if not input_spec.rank:
        return grad
    return t.call("scatter_add", grad.new_zeros(input_spec.shape), dim, result1, grad)


def _log_sums(t: Any, grad: Any, input: Any, result: Any, dim: int) -> Any:
    """Return sums of grad * exp(input - result), as differences of sums of logarithms."""
    if not grad.ndim:
        return grad
    if t.is_pushing:
        return _in_proportion(t, grad, input, dim)
    greatest = _greatest(t, input, dim)
    # Less what both are close to: of large numbers no digits would be left for the gradient.
    input, result = input - greatest, result - greatest
    if grad.is_complex():
        return conj(_from_logs(t, conj(grad).log(), input, result, dim))
    rises, falls = t.call("gt", grad, 0), t.call("lt", grad, 0)
    parts = [
        _from_logs(t, _log_where(t, where, part), input, result, dim)
        for where, part in ((rises, grad), (falls, -grad))
    ]
    return parts[0] - parts[1]


def _in_proportion(t: Any, grad: Any, input: Any, dim: int) -> Any:
    """Return the same without logarithms, which have no derivative at 0, as PyTorch's forward mode.

    Exponentials are of distances from the greatest element.
    """
    powers = (input - _greatest(t, input, dim)).exp()
    return conj(powers) * _backwards(t, grad / conj(powers.cumsum(dim)), dim)


def _greatest(t: Any, input: Any, dim: int) -> Any:
    """Return the greatest real part along a dim, 0 where it is infinite; as a constant."""
    sizes = input.detach()
    sizes = sizes.real if sizes.is_complex() else sizes
    if not sizes.numel():
        return 0
    found = sizes.amax(dim, True)
    return t.call("where", t.call("lt", found.abs(), float("inf")), found, 0)


def _log_where(t: Any, where: Any, value: Any) -> Any:
    least = finfo(value.dtype).min
    return t.call("where", where, t.call("where", where, value, 1).log(), least)


def _from_logs(t: Any, logs: Any, input: Any, result: Any, dim: int) -> Any:
    return (_backwards(t, logs - result, dim, "logcumsumexp") + input).exp()


OF_CUMSUM = gradient("CumsumBackward0", input=_sums)
OF_CUMPROD = gradient("CumprodBackward0", input=_products)
OF_CUMMAX = gradient("CummaxBackward0", input=_extremes)
OF_CUMMIN = gradient("CumminBackward0", input=_extremes)
OF_LOGCUMSUMEXP = gradient("LogcumsumexpBackward0", input=_log_sums)
