"""How do gradients pass operations on sparse tensors? As PyTorch's, sparse where those are.

Where a gradient stands at the places of an operand alone, it is sparse: that of `to_dense`, of
`sparse.mm`, of a product with another sparse tensor. Elsewhere it is dense, and passes on as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...attributes.layout import sparse_coo
from ...attributes.views import wrap_dim
from ..frame.gradients import gradient
from .arithmetic import conj


def _is_sparse(value: Any) -> bool:
    return getattr(value, "layout", None) is sparse_coo


def _dense(t: Any, value: Any) -> Any:
    return t.call("to_dense", value) if _is_sparse(value) else value


def _at_places(t: Any, grad: Any, places: Any) -> Any:
    """Return what a gradient has where a sparse tensor specifies something."""
    return t.call("sparse_mask", grad, t.call("coalesce", places))


# ---- from one layout to the other


def _of_dense(t: Any, grad: Any, input: Any, masked_grad: bool | None) -> Any:
    if masked_grad is False:
        return t.call("to_sparse", grad, input.sparse_dim())
    return _at_places(t, grad, input)


def _of_masked(t: Any, grad: Any, mask: Any) -> Any:
    return _dense(t, grad if _is_sparse(grad) else t.call("sparse_mask", grad, mask))


OF_TO_DENSE = gradient("ToDenseBackward0", input=_of_dense)
OF_TO_SPARSE = gradient("ToSparseBackward1", input=lambda t, grad: _dense(t, grad))
OF_SPARSE_MASK = gradient("SparseMaskBackward0", input=_of_masked)
OF_COALESCE = gradient("CoalesceBackward0", input=lambda t, grad: grad)
OF_COPY = gradient("CloneBackward0", input=lambda t, grad: grad)
OF_ALIAS = gradient("AliasBackward0", input=lambda t, grad: grad)
OF_CAST = gradient("ToCopyBackward0", input=lambda t, grad: grad)

# ---- elementwise


def _times(t: Any, grad: Any, factor: Any, spec: Any) -> Any:
    """Return grad * factor for an operand; one that was broadcast gets sums of dense ones."""
    found = t.call("mul", grad, conj(factor))
    return found if found.shape == spec.shape else _dense(t, found)


OF_SUM_OF_TWO = gradient(
    "AddBackward0",
    input=lambda t, grad: grad,
    other=lambda t, grad, alpha: _scaled(grad, alpha),
)
OF_DIFFERENCE = gradient(
    "SubBackward0",
    input=lambda t, grad: grad,
    other=lambda t, grad, alpha: _scaled(grad, -alpha),
)
OF_PRODUCT = gradient(
    "MulBackward0",
    input=lambda t, grad, other, input_spec: _times(t, grad, other, input_spec),
    other=lambda t, grad, input, other_spec: _times(t, grad, input, other_spec),
)
OF_NEGATIVE = gradient("NegBackward0", input=lambda t, grad: -grad)
OF_QUOTIENT = gradient(
    "DivBackward0",
    input=lambda t, grad, other: grad / conj(other),
    other=lambda t, grad, input, other: -(grad * conj(input)).sum() / conj(other * other),
)


def _scaled(grad: Any, alpha: Any) -> Any:
    return grad if alpha == 1 else grad * conj(alpha)


def _of_power(t: Any, grad: Any, input: Any, exponent: Any) -> Any:
    if exponent == 1:
        return grad
    return grad * conj(t.call("pow", input, exponent - 1) * exponent)


OF_POWER = gradient("PowBackward0", input=_of_power)

# ---- sums


def _spread(grad: Any, dim: Any, keepdim: bool, shape: Any) -> Any:
    """Return a dense gradient of sums over dims, for each element that was added."""
    dims = range(len(shape)) if dim is None else (dim,) if isinstance(dim, int) else dim
    if not keepdim and grad.ndim != len(shape):
        for each in sorted(wrap_dim(each, len(shape)) for each in dims):
            grad = grad.unsqueeze(each)
    return grad.expand(shape)


def _of_sum(t: Any, grad: Any, dim: Any, keepdim: bool, input_spec: Any) -> Any:
    return _spread(_dense(t, grad), dim, keepdim, input_spec.shape)


def _of_sparse_sum(t: Any, grad: Any, dim: Any, input: Any) -> Any:
    return _at_places(t, _spread(_dense(t, grad), dim, False, input.shape), input)


OF_SUM = gradient("SumBackward0", input=_of_sum)
OF_SPARSE_SUM = gradient("SparseSumBackward0", input=_of_sparse_sum)


def _of_softmax(t: Any, grad: Any, result: Any, dim: int) -> Any:
    shares, given = _dense(t, result), _dense(t, t.call("coalesce", grad))
    mean = (given * shares).sum(dim, True)
    return t.call("sparse_mask", shares * (given - mean), result)


def _of_log_softmax(t: Any, grad: Any, result: Any, dim: int) -> Any:
    given = t.call("coalesce", grad)
    total = _dense(t, given).sum(dim, True)
    places = t.call("sparse_mask", total.expand(result.shape), result)
    shares = t.call("sparse_mask", _dense(t, result).exp(), result)
    return t.call("sparse_mask", given, result) - places * shares


OF_SPARSE_SOFTMAX = gradient("SparseSoftmaxBackward0", input=_of_softmax)
OF_SPARSE_LOG_SOFTMAX = gradient("SparseLogSoftmaxBackward0", input=_of_log_softmax)

# ---- dims in another order


def _moved_back(t: Any, grad: Any, dims: Any) -> Any:
    order = [wrap_dim(dim, len(dims)) for dim in dims]
    return t.call("permute", grad, tuple(order.index(dim) for dim in range(len(order))))


OF_TRANSPOSE = gradient(
    "TransposeBackward0",
    input=lambda t, grad, dim0, dim1: t.call("transpose", grad, dim0, dim1),
)
OF_T = gradient("TBackward0", input=lambda t, grad: t.call("t", grad))
OF_PERMUTE = gradient("PermuteBackward0", input=_moved_back)

# ---- products


def _adjoint(value: Any) -> Any:
    return conj(value.transpose(0, 1))


def _left(t: Any, grad: Any, second: Any) -> Any:
    """Return the gradient of the first of two matrices: dense if that of the product is."""
    return t.call("mm", grad, _adjoint(second))


def _right(t: Any, grad: Any, first: Any) -> Any:
    return t.call("mm", _adjoint(first), grad)


def _alike(t: Any, found: Any, operand: Any) -> Any:
    """Return a gradient at the places of its operand, if that is sparse."""
    return _at_places(t, found, operand) if _is_sparse(operand) else found


def _by_vector(t: Any, grad: Any, vec: Any) -> Any:
    return t.call("outer", grad, conj(vec))


def _of_first(t: Any, grad: Any, input_spec: Any, other: Any) -> Any:
    if other.ndim == 1:
        return _by_vector(t, grad, other)
    is_row = input_spec.rank == 1
    found = _left(t, grad.unsqueeze(0) if is_row else grad, other)
    return found.squeeze(0) if is_row else found


def _of_second(t: Any, grad: Any, input: Any, other_spec: Any) -> Any:
    if other_spec.rank == 1:
        return t.call("mv", _adjoint(input), grad)
    is_row = input.ndim == 1
    return _right(t, grad.unsqueeze(0), input.unsqueeze(0)) if is_row else _right(t, grad, input)


def _name_of_matmul(bound: Mapping[str, Any]) -> str:
    return "MvBackward0" if bound["other"].ndim == 1 else "MmBackward0"


OF_MM = gradient(
    "MmBackward0",
    input=lambda t, grad, mat2: _left(t, grad, mat2),
    mat2=lambda t, grad, input: _right(t, grad, input),
)
OF_MATMUL = gradient(_name_of_matmul, input=_of_first, other=_of_second)
OF_MV = gradient(
    "MvBackward0",
    input=lambda t, grad, vec: _by_vector(t, grad, vec),
    vec=lambda t, grad, input: t.call("mv", _adjoint(input), grad),
)
OF_SPARSE_MM = gradient(
    "SparseAddmmBackward0",
    input=lambda t, grad, input, mat2: _alike(t, _left(t, grad, mat2), input),
    mat2=lambda t, grad, input, mat2: _alike(t, _right(t, grad, input), mat2),
)
OF_SPARSE_ADDMM = gradient(
    "SparseAddmmBackward0",
    input=lambda t, grad, beta: _scaled(grad, beta),
    mat1=lambda t, grad, mat1, mat2, alpha: _at_places(
        t, _left(t, _scaled(grad, alpha), mat2), mat1
    ),
    mat2=lambda t, grad, mat1, alpha: _right(t, _scaled(grad, alpha), mat1),
)
