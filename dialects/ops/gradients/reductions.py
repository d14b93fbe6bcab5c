"""What are the gradients of reductions? Every element that was reduced gets its share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from ...attributes.spec import TensorSpec
from ...attributes.views import wrap_dim
from ..frame.gradients import Gradient, chosen, gradient
from .arithmetic import conj


def reduced_dims(dim: Any, rank: int) -> tuple[int, ...]:
    """Return the dims that are reduced: those named, or all.

    >>> reduced_dims(None, 2), reduced_dims(-1, 2), reduced_dims((0,), 2)
    ((0, 1), (1,), (0,))
    """
    if dim is None or dim == ():
        return tuple(range(rank))
    dims = (dim,) if isinstance(dim, int) else dim
    return tuple(sorted(wrap_dim(each, rank) for each in dims)) if rank else ()


def count_of(spec: TensorSpec, dims: tuple[int, ...]) -> int:
    """Return how many elements are reduced to one."""
    count = 1
    for dim in dims:
        count *= spec.shape[dim]
    return count


def with_dims(value: Any, dims: tuple[int, ...], keepdim: bool) -> Any:
    """Return a result with the dims that were reduced, of size 1."""
    if not keepdim:
        for dim in dims:
            value = value.unsqueeze(dim)
    return value


def expanded(grad: Any, spec: TensorSpec, dim: Any, keepdim: bool) -> Any:
    """Return the gradient of a result at each element that was reduced."""
    return with_dims(grad, reduced_dims(dim, spec.rank), keepdim).expand(spec.shape)


def by_dim(whole: str, along: str) -> Callable[[Mapping[str, Any]], str]:
    """Return what names a node by whether dims are given."""
    return lambda bound: whole if bound["dim"] is None else along


def _mean(t: Any, grad: Any, input_spec: TensorSpec, dim: Any, keepdim: bool) -> Any:
    dims = reduced_dims(dim, input_spec.rank)
    return expanded(grad, input_spec, dim, keepdim) / count_of(input_spec, dims)


OF_SUM = gradient(
    by_dim("SumBackward0", "SumBackward1"),
    input=lambda t, grad, input_spec, dim, keepdim: expanded(grad, input_spec, dim, keepdim),
)
OF_MEAN = gradient(by_dim("MeanBackward0", "MeanBackward1"), input=_mean)


def _sum_without_nan(t: Any, grad: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    return expanded(grad, input.spec, dim, keepdim) * t.call("eq", input, input)


OF_SUM_WITHOUT_NAN = gradient("NansumBackward0", input=_sum_without_nan)


def _product(t: Any, grad: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    """Return the product of all others: of those before times those behind, never 0 / 0."""
    if not input.ndim:
        return grad
    if dim is None:
        flat = input.reshape(-1)
        return (grad * conj(product_of_others(t, flat, 0))).reshape(input.shape)
    wide = expanded(grad, input.spec, dim, keepdim)
    return wide * conj(product_of_others(t, input, wrap_dim(dim, input.ndim)))


def product_of_others(t: Any, input: Any, dim: int) -> Any:
    """Return for each element along a dim the product of all others."""
    size = input.shape[dim]
    if size < 2:
        return t.call("ones_like", input)
    one = t.call("ones_like", input.narrow(dim, 0, 1))
    before = input.narrow(dim, 0, size - 1).cumprod(dim)
    behind = input.narrow(dim, 1, size - 1).flip(dim).cumprod(dim).flip(dim)
    return t.call("cat", [one, before], dim) * t.call("cat", [behind, one], dim)


OF_PROD = gradient(by_dim("ProdBackward0", "ProdBackward1"), input=_product)

# ---- the largest and the smallest


def _shared(t: Any, grad: Any, mask: Any, dims: tuple[int, ...]) -> Any:
    """Return a gradient in equal shares where a mask holds."""
    return grad * mask / (t.call("sum", mask, dims, True) if dims else mask)


def _extreme(t: Any, grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    dims = reduced_dims(dim, input.ndim)
    wide, found = (with_dims(each, dims, keepdim) for each in (grad, result))
    return _shared(t, wide, t.call("eq", input, found), dims)


def _extreme_of_all(t: Any, grad: Any, input: Any, result: Any) -> Any:
    """Return equal shares of those elements that are the result; NaN is NaN here."""
    is_it = t.call("eq", input, result)
    are_lost = t.call("logical_and", t.call("isnan", input), t.call("isnan", result))
    mask = t.call("logical_or", is_it, are_lost)
    return grad * mask / t.call("sum", mask)


def _extremes(t: Any, grads: Any, input: Any, results: Any, dim: Any, keepdim: bool) -> Any:
    parts = [
        _extreme(t, grad, input, result, dim, keepdim)
        for grad, result in zip(grads, results, strict=True)
        if grad is not None
    ]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


OF_AMAX = gradient("AmaxBackward0", input=_extreme)
OF_AMIN = gradient("AminBackward0", input=_extreme)
OF_AMINMAX = gradient("AminmaxBackward0", input=_extremes)


def to_index(t: Any, grad: Any, input_spec: TensorSpec, index: Any, dim: int, keepdim: bool) -> Any:
    """Return zeros with a gradient at the index along a dim that was chosen."""
    if not input_spec.rank:
        return grad
    dim = wrap_dim(dim, input_spec.rank)
    grad, index = (with_dims(each, (dim,), keepdim) for each in (grad, index))
    return t.call("scatter", grad.new_zeros(input_spec.shape), dim, index, grad)


def _chosen_one(
    t: Any, grad: Any, input_spec: TensorSpec, result1: Any, dim: int, keepdim: bool
) -> Any:
    return to_index(t, grad, input_spec, result1, dim, keepdim)


def of_choice(name: str) -> Gradient:
    """Return the rule of a row that gives one element along a dim, and where it is."""
    return gradient(name, input=_chosen_one)


def of_extreme(name: str) -> Gradient:
    """Return the rule of `max` and `min`, which are those of all elements where no dim is given."""
    whole = gradient(f"{name}Backward1", input=_extreme_of_all)
    return chosen(lambda bound: whole if bound["dim"] is None and bound["other"] is None else None)


def of_median(name: str) -> Gradient:
    """Return the rule of a median: of all elements, or along a dim with its index."""
    whole = gradient(f"{name}Backward0", input=_extreme_of_all)
    along = gradient(f"{name}Backward1", input=_chosen_one)
    return chosen(lambda bound: whole if bound["dim"] is None else along)


# ---- moments


def _variance(grad: Any, input: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Return the gradient of a variance; without a degree of freedom it is infinite, or NaN."""
    dims = reduced_dims(dim, input.ndim)
    freedom = count_of(input.spec, dims) - (1 if correction is None else correction)
    distance = input - input.mean(dims, True) if dims else input - input
    wide = with_dims(grad, dims, keepdim)
    if freedom == 0:
        return wide * (distance * inf)
    return wide * (2.0 / freedom) * distance


def _deviation(
    t: Any, grad: Any, input: Any, result: Any, dim: Any, correction: Any, keepdim: bool
) -> Any:
    share = (grad / (result * 2)).masked_fill(t.call("eq", result, 0), 0)
    return _variance(share, input, dim, correction, keepdim)


def _with_mean(spread: Any, grad: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    """Return the gradient of a spread, None if there is none, plus that of a mean."""
    if grad is None:
        return spread
    count = count_of(input.spec, reduced_dims(dim, input.ndim))
    mean = expanded(grad, input.spec, dim, keepdim) / count
    return mean if spread is None else spread + mean


def _var_mean(t: Any, grads: Any, input: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    spread = None
    if grads[0] is not None:
        spread = _variance(grads[0], input, dim, correction, keepdim)
    return _with_mean(spread, grads[1], input, dim, keepdim)


def _std_mean(
    t: Any, grads: Any, input: Any, results: Any, dim: Any, correction: Any, keepdim: bool
) -> Any:
    spread = None
    if grads[0] is not None:
        spread = _deviation(t, grads[0], input, results[0], dim, correction, keepdim)
    return _with_mean(spread, grads[1], input, dim, keepdim)


OF_MOMENTS = {
    "var": gradient(
        "VarBackward0",
        input=lambda t, grad, input, dim, correction, keepdim: _variance(
            grad, input, dim, correction, keepdim
        ),
    ),
    "std": gradient("StdBackward0", input=_deviation),
    "var_mean": gradient("VarMeanBackward0", input=_var_mean),
    "std_mean": gradient("StdMeanBackward0", input=_std_mean),
}


def _log_sum(t: Any, grad: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    dims = reduced_dims(dim, input.ndim)
    wide, found = (with_dims(each, dims, keepdim) for each in (grad, result))
    return wide * conj((input - found).exp())


OF_LOGSUMEXP = gradient("LogsumexpBackward0", input=_log_sum)
