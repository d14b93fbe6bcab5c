"""Which operations put elements in order? sort, and what is said with it.

Their elements are computed on the host (`runtime/host/sorting.py`). The order is always stable. NaN
is larger than every number; 0.0 and -0.0 are equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.dtype import int64
from ....attributes.spec import TensorSpec
from ....attributes.strides import preserve_strides
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError
from ...frame.host_bodies import HostBodyOp
from ...frame.mapped_dims import along
from ...frame.named_results import named_results
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.overloads import is_array, no_such_form
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage, registering
from ...frame.rules import ARITHMETIC, WIDE_UNSIGNED, check_dtype
from ...frame.schema import KEYWORD_ALIASES, Schema
from ...gradients.sorting import OF_SORT

#: Adds an operation that is computed on the host; the fields are those of `HostBodyOp`.
host_body = registering(HostBodyOp)

#: What has an order.
ORDERED = ARITHMETIC | WIDE_UNSIGNED

# ---- all elements along a dim


def _resolve_sort(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    """Keep shape and strides; what is not dense is packed in the same order of dims."""
    (operand,), dim = operands, attributes["dim"]
    assert isinstance(operand, TensorSpec)
    assert isinstance(dim, int)
    wrapped = wrap_dim(dim, operand.rank)
    if operand.dtype.is_complex:
        raise TrilithRuntimeError(" Sort does not support complex dtypes on CPU")
    if operand.rank and operand.numel:
        check_dtype("sort", operand.dtype, ORDERED)
    strides = preserve_strides(operand.shape, operand.strides)
    values = TensorSpec.of(operand.shape, operand.dtype, operand.device, strides)
    indices = TensorSpec.of(operand.shape, int64, operand.device, strides)
    return Resolved({**attributes, "dim": wrapped}, (operand.dtype,), values, indices)


def _forms(out: str, plain: str) -> str:
    """Return the forms of a call as PyTorch's errors list them."""
    return (
        f"\n * (Tensor input, *, bool stable, int dim = -1, bool descending = False, {out} = None)"
        f"\n * (Tensor input, int dim = -1, bool descending = False{plain})\n"
    )


_FORMS = {
    "sort": _forms("tuple of Tensors out", ", *, tuple of Tensors out = None"),
    "argsort": _forms("Tensor out", ""),
}


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Take `stable`, but not beside arguments without names: every sort is stable."""
    named = {KEYWORD_ALIASES.get(key, key): value for key, value in keywords.items()}
    given = dict(zip(("input", "dim", "descending"), arguments, strict=False))
    is_clash = len(arguments) > 3 or bool(given.keys() & named.keys())
    is_mixed = "stable" in named and len(arguments) > 1
    given |= named
    known = given.keys() <= {"input", "dim", "descending", "stable"}
    if is_clash or is_mixed or not known or not _are_kinds(given):
        raise no_such_form(schema.name, arguments, keywords, _FORMS[schema.name])
    given.pop("stable", None)
    return schema.bind((), given)


def _are_kinds(given: Mapping[str, Any]) -> bool:
    dim = given.get("dim", 0)
    is_dim = hasattr(dim, "spec") or (hasattr(dim, "__index__") and not isinstance(dim, bool))
    are_bools = type(given.get("descending", True)) is bool
    return is_array(given.get("input")) and is_dim and are_bools and _is_stable(given)


def _is_stable(given: Mapping[str, Any]) -> bool:
    return given.get("stable") is None or type(given["stable"]) is bool


host_body(
    "sort(Tensor input, int dim=-1, bool descending=False)",
    "The elements in order along dim, and where each of them was; equal ones stay in order.",
    "tri.sort(tri.tensor([3, 1, 2])).indices  # tensor([1, 2, 0])",
    resolver=_resolve_sort,
    body="sorting:sort",
    binder=_bind,
    returns="return_types.sort",
    named_results=named_results("sort", "values", "indices"),
    forms=(
        "sort(Tensor input, int dim=-1, bool descending=False) -> return_types.sort",
        "sort(Tensor input, *, bool? stable, int dim=-1, bool descending=False)"
        " -> return_types.sort",
    ),
    refuse_outs=out_tensor_dtype,
    gradient=OF_SORT,
    mapping=along("dim"),
)


def _argsort(t: TensorLanguage, input: Any, dim: int, descending: bool) -> Any:
    return t.call("sort", input, dim=dim, descending=descending)[1]


composite(
    "argsort(Tensor input, int dim=-1, bool descending=False)",
    "Where each element is in order along dim; equal ones stay in order.",
    "tri.argsort(tri.tensor([3, 1, 2]))  # tensor([1, 2, 0])",
    _argsort,
    binder=_bind,
    forms=(
        "argsort(Tensor input, int dim=-1, bool descending=False)",
        "argsort(Tensor input, *, bool stable, int dim=-1, bool descending=False)",
    ),
)


def _msort(t: TensorLanguage, input: Any) -> Any:
    return t.call("sort", input, dim=0)[0]


composite(
    "msort(Tensor input)",
    "The elements in order along the first dim.",
    "tri.msort(tri.tensor([3, 1, 2]))  # tensor([1, 2, 3])",
    _msort,
    has_out=True,
)
