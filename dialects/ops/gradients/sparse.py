"""How do gradients pass operations on sparse tensors? As PyTorch's, sparse where those are.

Where a gradient stands at the places of an operand alone, it is sparse: that of `to_dense`, of
`sparse.mm`, of a product with another sparse tensor. Elsewhere it is dense, and passes on as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...attributes.layout import sparse_coo
from ...attributes.views import wrap_dim
from ..frame.gradients import Gradient, gradient, jointly
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


def _of_matrices(t: Any, needs: Any, grad: Any, input: Any, mat2: Any) -> dict[str, Any]:
    """Return dense gradients of a product of matrices, one of which is sparse."""
    found: dict[str, Any] = {}
    if "input" in needs:
        found["input"] = t.call("mm", grad, _adjoint(mat2))
    if "mat2" in needs:
        found["mat2"] = t.call("mm", _adjoint(input), grad)
    return found


def _of_sparse_mm(t: Any, needs: Any, grad: Any, input: Any, mat2: Any) -> dict[str, Any]:
    found = _of_matrices(t, needs, grad, input, mat2)
    for name, operand in (("input", input), ("mat2", mat2)):
        if name in found and _is_sparse(operand):
            found[name] = _at_places(t, found[name], operand)
    return found


def _of_matmul(t: Any, needs: Any, grad: Any, input: Any, other: Any) -> dict[str, Any]:
    """Return the gradients of a product by a matrix or by a vector."""
    if other.ndim == 1:
        names = {"input": "input", "vec": "other"}
        wanted = {name for name in names if names[name] in needs}
        found = _of_vector(t, wanted, grad, input, other)
        return {names[name]: value for name, value in found.items()}
    left, gradient_ = (input, grad) if input.ndim == 2 else (input.unsqueeze(0), grad.unsqueeze(0))
    wanted = {name for name, own in (("input", "input"), ("mat2", "other")) if own in needs}
    found = _of_matrices(t, wanted, gradient_, left, other)
    named = {"other" if name == "mat2" else name: value for name, value in found.items()}
    if input.ndim == 1 and "input" in named:
        named["input"] = named["input"].squeeze(0)
    return named


def _of_vector(t: Any, needs: Any, grad: Any, input: Any, vec: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "input" in needs:
        found["input"] = t.call("outer", grad, conj(vec))
    if "vec" in needs:
        found["vec"] = t.call("mv", _adjoint(input), grad)
    return found


def _of_added(
    t: Any, needs: Any, grad: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any
) -> dict[str, Any]:
    wanted = {name for name, own in (("input", "mat1"), ("mat2", "mat2")) if own in needs}
    found = _of_matrices(t, wanted, _scaled(grad, alpha), mat1, mat2)
    named = {"mat1" if name == "input" else name: value for name, value in found.items()}
    if "mat1" in named:
        named["mat1"] = _at_places(t, named["mat1"], mat1)
    if "input" in needs:
        named["input"] = _scaled(grad, beta)
    return named


def _name_of_matmul(bound: Mapping[str, Any]) -> str:
    return "MvBackward0" if bound["other"].ndim == 1 else "MmBackward0"


OF_MM = jointly("MmBackward0", _of_matrices, "input", "mat2")
OF_MATMUL = jointly(_name_of_matmul, _of_matmul, "input", "other")
OF_MV = jointly("MvBackward0", _of_vector, "input", "vec")
OF_SPARSE_MM: Gradient = jointly("SparseAddmmBackward0", _of_sparse_mm, "input", "mat2")
OF_SPARSE_ADDMM = jointly("SparseAddmmBackward0", _of_added, "input", "mat1", "mat2")
