"""How do gradients pass operations on sparse tensors? As PyTorch's, sparse where those are.

Where a gradient stands at the places of an operand alone, it is sparse: that of `to_dense`, of
`sparse.mm`, of a product with another sparse tensor. Elsewhere it is dense, and passes on as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...attributes.layout import sparse_coo
from ...attributes.views import wrap_dim
from ..frame.gradients import chosen, gradient
from .arithmetic import conj
from .sparse_functions import at_places, dense, is_sparse, with_values

# ---- from one layout to the other


def _of_dense(t: Any, grad: Any, input: Any, masked_grad: bool | None) -> Any:
    if masked_grad is False:
        return t.call("to_sparse", grad, input.sparse_dim())
    return at_places(t, grad, input)


def _of_masked(t: Any, grad: Any, input_spec: Any, mask: Any) -> Any:
    """Return what comes to the places of a mask: as often as it names them."""
    found = t.call("sparse_mask", grad, mask)
    return found if input_spec.layout is sparse_coo else dense(t, found)


def _name_of_to_sparse(bound: Mapping[str, Any]) -> str:
    return f"ToSparseBackward{int(bound['sparse_dim'] is None)}"


OF_TO_DENSE = gradient("ToDenseBackward0", input=_of_dense)
OF_TO_SPARSE = gradient(_name_of_to_sparse, input=lambda t, grad: dense(t, grad))
OF_SPARSE_MASK = gradient("SparseMaskBackward0", input=_of_masked)
OF_COALESCE = gradient("CoalesceBackward0", input=lambda t, grad: grad)
OF_COPY = gradient("CloneBackward0", input=lambda t, grad: grad)
OF_ALIAS = gradient("AliasBackward0", input=lambda t, grad: grad)
OF_CAST = gradient("ToCopyBackward0", input=lambda t, grad: grad)

# ---- elementwise


def _times(t: Any, grad: Any, factor: Any, spec: Any) -> Any:
    """Return grad * factor for an operand; one that was broadcast gets sums of dense ones."""
    found = t.call("mul", grad, conj(factor))
    if found.shape == spec.shape:
        return found
    return dense(t, found) if spec.rank else found.sum()


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


def _scaled(grad: Any, alpha: Any) -> Any:
    return grad if alpha == 1 else grad * conj(alpha)


# ---- sums


def _spread(grad: Any, dim: Any, keepdim: bool, shape: Any) -> Any:
    """Return a dense gradient of sums over dims, for each element that was added."""
    dims = range(len(shape)) if dim is None else (dim,) if isinstance(dim, int) else dim
    if not keepdim and grad.ndim != len(shape):
        for each in sorted(wrap_dim(each, len(shape)) for each in dims):
            grad = grad.unsqueeze(each)
    return grad.expand(shape)


def _of_sum(t: Any, grad: Any, dim: Any, keepdim: bool, input_spec: Any) -> Any:
    return _spread(dense(t, grad), dim, keepdim, input_spec.shape)


def _of_sparse_sum(t: Any, grad: Any, dim: Any, input: Any) -> Any:
    return at_places(t, _spread(dense(t, grad), dim, False, input.shape), input)


def _name_of_sum(bound: Mapping[str, Any]) -> str:
    return "SumBackward0" if bound["dim"] is None else "SumBackward1"


OF_SUM = gradient(_name_of_sum, input=_of_sum)
_OF_SUM_OVER_DIMS = gradient("SparseSumBackward0", input=_of_sparse_sum)
#: Without dims it is a step: the sum of the values.
OF_SPARSE_SUM = chosen(lambda bound: None if bound["dim"] is None else _OF_SUM_OVER_DIMS)


def _of_softmax(t: Any, grad: Any, result: Any, dim: int) -> Any:
    shares, given = dense(t, result), dense(t, t.call("coalesce", grad))
    mean = (given * shares).sum(dim, True)
    return t.call("sparse_mask", shares * (given - mean), result)


def _of_log_softmax(t: Any, grad: Any, result: Any, dim: int) -> Any:
    # What is not specified has no share, whatever gradient comes there.
    given = t.call("sparse_mask", grad, result)
    total = dense(t, given).sum(dim, True)
    places = t.call("sparse_mask", total.expand(result.shape), result)
    shares = t.call("sparse_mask", dense(t, result).exp(), result)
    return given - places * shares


OF_SPARSE_SOFTMAX = gradient("SparseSoftmaxBackward0", input=_of_softmax)
OF_SPARSE_LOG_SOFTMAX = gradient("SparseLogSoftmaxBackward0", input=_of_log_softmax)

# ---- products


def _adjoint(value: Any) -> Any:
    return conj(value.transpose(0, 1))


def _left(t: Any, grad: Any, second: Any) -> Any:
    """Return the gradient of the first of two matrices: dense if that of the product is."""
    return t.call("mm", grad, _adjoint(second))


def _right(t: Any, grad: Any, first: Any) -> Any:
    return t.call("mm", _adjoint(first), grad)


def _alike(t: Any, found: Any, operand: Any) -> Any:
    """Return a gradient at the places of its operand, if that is sparse: those that it has."""
    if not is_sparse(operand):
        return found
    if not is_sparse(found):
        return at_places(t, found, operand)
    places = t.call("coalesce", operand)
    ones = t.call("ones_like", places.values())
    return t.call("mul", found, with_values(t, places, ones))


def _name_of_sparse_mm(bound: Mapping[str, Any]) -> str:
    are_sparse = is_sparse(bound["input"]) and is_sparse(bound["mat2"])
    return "SparseSparseMatmulBackward0" if are_sparse else "SparseAddmmBackward0"


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
    if bound["input"].ndim == 1:
        return "SqueezeBackward4"
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
    _name_of_sparse_mm,
    input=lambda t, grad, input, mat2: _alike(t, _left(t, grad, mat2), input),
    mat2=lambda t, grad, input, mat2: _alike(t, _right(t, grad, input), mat2),
)
OF_SPARSE_ADDMM = gradient(
    "SparseAddmmBackward0",
    input=lambda t, grad, beta: _scaled(grad, beta),
    mat1=lambda t, grad, mat1, mat2, alpha: at_places(
        t, _left(t, _scaled(grad, alpha), mat2), mat1
    ),
    mat2=lambda t, grad, mat1, alpha: _right(t, _scaled(grad, alpha), mat1),
)
OF_ADDMM = gradient(
    "AddmmBackward0",
    input=lambda t, grad, beta: _scaled(grad, beta),
    mat1=lambda t, grad, mat2, alpha: _left(t, _scaled(grad, alpha), mat2),
    mat2=lambda t, grad, mat1, alpha: _right(t, _scaled(grad, alpha), mat1),
)
OF_BMM = gradient(
    "BmmBackward0",
    input=lambda t, grad, mat2: t.call("bmm", grad, conj(mat2.transpose(1, 2))),
    mat2=lambda t, grad, input: t.call("bmm", conj(input.transpose(1, 2)), grad),
)
