"""Which operations find elements by their rank, or the most frequent? topk, kthvalue, mode.

They are computed on the host (`runtime/host/selection.py`). NaN is larger than every number. Of
equal elements the first ones are chosen, of the most frequent one the last: PyTorch's choice
depends on its sort.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....attributes.dtype import DType, bool_, int64
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.mapped_dims import along
from ...frame.named_results import named_results
from ...frame.out_rules import out_tensor_dtype
from ...frame.reduction_rules import reduced_shape
from ...frame.row import Attributes, OperandSpec, Resolved
from ...frame.rules import ARITHMETIC, REALS, check_dtype
from ...gradients.sorting import OF_KTHVALUE, OF_MODE, OF_RANKS, OF_TOPK
from .sorting import host_body


def _operand_and_dim(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[TensorSpec, int]:
    (operand,), dim = operands, attributes["dim"]
    assert isinstance(operand, TensorSpec)
    assert isinstance(dim, int)
    return operand, wrap_dim(dim, operand.rank)


def _values_and_indices(
    operand: TensorSpec, shape: tuple[int, ...], attributes: Attributes, dim: int
) -> Resolved:
    values = TensorSpec.of(shape, operand.dtype, operand.device)
    indices = TensorSpec.of(shape, int64, operand.device)
    return Resolved({**attributes, "dim": dim}, (operand.dtype,), values, indices)


# ---- the largest or smallest


def _resolve_topk(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    operand, dim = _operand_and_dim(operands, attributes)
    count: object = attributes["k"]
    assert isinstance(count, int)
    if not 0 <= count <= (operand.shape[dim] if operand.rank else 1):
        raise TrilithRuntimeError("selected index k out of range")
    if operand.dtype.is_complex:
        raise TrilithRuntimeError(" topk does not support complex dtypes on CPU")
    if operand.dtype is bool_:
        raise TrilithRuntimeError("topk does not support bool dtypes on CPU")
    if operand.rank:
        check_dtype("topk", operand.dtype, REALS)
    shape = (*operand.shape[:dim], count, *operand.shape[dim + 1 :]) if operand.rank else ()
    return _values_and_indices(operand, shape, attributes, dim)


host_body(
    "topk(Tensor input, SymInt k, int dim=-1, bool largest=True, bool sorted=True)",
    "The k largest elements along dim in order, or the smallest, and where they are.",
    "tri.topk(tri.tensor([3, 1, 4, 2]), 2).indices  # tensor([2, 0])",
    resolver=_resolve_topk,
    body="selection:topk",
    returns="return_types.topk",
    named_results=named_results("topk", "values", "indices"),
    refuse_outs=out_tensor_dtype,
    gradient=OF_TOPK,
    mapping=along("dim"),
)

# ---- one of each row


def _check_not_empty(name: str, operand: TensorSpec, dim: int) -> None:
    """Refuse a dim without elements, as PyTorch does where there are none at all."""
    if operand.rank and not operand.shape[dim]:
        raise TrilithIndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


def _shape_without(operand: TensorSpec, dim: int, attributes: Attributes) -> tuple[int, ...]:
    dims = (dim,) if operand.rank else ()
    return reduced_shape(operand.shape, dims, bool(attributes["keepdim"]))


def _resolve_kthvalue(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    operand, dim = _operand_and_dim(operands, attributes)
    rank: object = attributes["k"]
    assert isinstance(rank, int)
    _check_not_empty("kthvalue", operand, dim)
    if not 1 <= rank <= (operand.shape[dim] if operand.rank else 1):
        raise TrilithRuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    shape = _shape_without(operand, dim, attributes)
    if operand.rank:
        check_dtype("kthvalue", operand.dtype, REALS)
    return _values_and_indices(operand, shape, attributes, dim)


def _refuse_other_type(result: DType, out: DType) -> None:
    if out is not result:
        which = "indices must be of scalar type Long" if result is int64 else ""
        raise TrilithRuntimeError(f"output {which or 'values must be of same type as input'}")


host_body(
    "kthvalue(Tensor input, SymInt k, int dim=-1, bool keepdim=False)",
    "The k-th smallest element along dim, counted from 1, and where it is.",
    "tri.kthvalue(tri.tensor([3, 1, 4, 2]), 2).indices  # tensor(3)",
    resolver=_resolve_kthvalue,
    body="selection:kthvalue",
    returns="return_types.kthvalue",
    named_results=named_results("kthvalue", "values", "indices"),
    refuse_outs=_refuse_other_type,
    gradient=OF_KTHVALUE,
    mapping=along("dim"),
)


def _resolve_mode(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    operand, dim = _operand_and_dim(operands, attributes)
    _check_not_empty("mode", operand, dim)
    shape = _shape_without(operand, dim, attributes)
    if operand.rank and operand.numel:
        check_dtype("mode", operand.dtype, ARITHMETIC)
    return _values_and_indices(operand, shape, attributes, dim)


def _refuse_other_scalar_type(result: DType, out: DType) -> None:
    if out is not result:
        which = "indices" if result is int64 else "values"
        raise TrilithRuntimeError(
            f"expected scalar type '{result.c_name}' but got '{out.c_name}' for {which} output"
        )


host_body(
    "mode(Tensor input, int dim=-1, bool keepdim=False)",
    "The most frequent element along dim, of several the smallest, and where it is the last time.",
    "tri.mode(tri.tensor([3, 1, 3, 2])).values  # tensor(3)",
    resolver=_resolve_mode,
    body="selection:mode",
    returns="return_types.mode",
    named_results=named_results("mode", "values", "indices"),
    refuse_outs=_refuse_other_scalar_type,
    gradient=OF_MODE,
    mapping=along("dim"),
)


# ---- what medians and quantiles are made of


def _resolve_median(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    operand, dim = _operand_and_dim(operands, attributes)
    shape = (*operand.shape[:dim], 1, *operand.shape[dim + 1 :])
    return _values_and_indices(operand, shape, attributes, dim)


host_body(
    "median_along(Tensor input, int dim, bool ignores_nan)",
    "The lower of the middle elements along a dim that is not empty, which stays, and where it is; "
    "if there is NaN, the first of those, or they do not count.",
    "tri.median(tri.tensor([3., 1., 2., 5.]))  # tensor(2.)",
    resolver=_resolve_median,
    body="selection:median",
    methods=(),
    is_public=False,
    mapping=along("dim"),
)


def _resolve_ranks(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    operand, ranks = operands
    assert isinstance(operand, TensorSpec)
    assert isinstance(ranks, TensorSpec)
    result = TensorSpec.of(ranks.shape, operand.dtype, operand.device)
    return Resolved(dict(attributes), (operand.dtype, int64), result)


host_body(
    "elements_of_ranks(Tensor input, Tensor ranks)",
    "The elements of each row that have ranks, counted from 0, when they are in order.",
    "tri.quantile(tri.tensor([1., 2., 4.]), 0.75)  # tensor(3.)",
    resolver=_resolve_ranks,
    body="selection:of_ranks",
    methods=(),
    is_public=False,
    gradient=OF_RANKS,
)
