"""Which operations look elements up in others? searchsorted, bucketize, isin, nonzero_static,
histc.

They are computed on the host (`runtime/host/searching.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import Category, DType, bool_, int32, int64
from ....attributes.promotion import result_type
from ....attributes.spec import ScalarSpec, TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ....frames import warn_once
from ...frame.gradients import CONSTANT
from ...frame.opspec import composite
from ...frame.out_rules import histogram_dtype, out_tensor_dtype
from ...frame.overloads import no_such_form
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import (
    ALL_COMPLEX,
    ARITHMETIC,
    FLOATS,
    REALS,
    check_dtype,
    common_device,
    promote,
)
from ...frame.view_rows import tensor_of
from .sorting import host_body


def _as_tensor(t: TensorLanguage, value: Any, beside: Any) -> Any:
    """Return a number as a 0-dim tensor, in the dtype that it has with a tensor."""
    number, tensor = t.spec(value), t.spec(beside)
    if not isinstance(number, ScalarSpec) or not isinstance(tensor, TensorSpec):
        return value
    dtype = result_type(number.operand, tensor.operand)
    return t.call("full", (), value, dtype=dtype, device=tensor.device)


# ---- where elements would stand among sorted ones


def _resolve_search(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    boundaries, values = operands[:2]
    assert isinstance(boundaries, TensorSpec)
    assert isinstance(values, TensorSpec)
    (dtype, _), _ = promote((boundaries, values), attributes)
    if values.numel:
        check_dtype("searchsorted", dtype, REALS)
    found = int32 if attributes["out_int32"] else int64
    result = TensorSpec.of(values.shape, found, common_device((boundaries, values)))
    others = tuple(operand.dtype for operand in operands[2:])
    return Resolved(dict(attributes), (dtype, dtype, *others), result)


host_body(
    "search_rows(Tensor[] tensors, *, bool out_int32=False, bool right=False)",
    "Where values would be put into sorted rows: boundaries, values, and an order of the first.",
    "tri.searchsorted(tri.tensor([1, 3, 5]), tri.tensor([3]))  # tensor([1])",
    resolver=_resolve_search,
    body="searching:search_rows",
    can_fail=True,
    is_public=False,
    methods=(),
    torch_name="searchsorted",
    gradient=CONSTANT,
)

_SEARCH = "torch.searchsorted(): "


def _check_sides(right: bool, side: str | None) -> bool:
    """Return on which side equal elements are; `side` and `right` must not contradict."""
    if side is None:
        return right
    if side not in ("left", "right"):
        raise TrilithRuntimeError(f"{_SEARCH}side can only be 'left' or 'right' but got {side}")
    if right and side != "right":
        raise TrilithRuntimeError(
            f"{_SEARCH}side and right can't be set to opposites, got side of {side} while right "
            "was True"
        )
    return side == "right"


def _check_search(boundaries: TensorSpec, values: TensorSpec, sorter: TensorSpec | None) -> None:
    """Refuse shapes that do not go together, in PyTorch's order."""
    if sorter is not None:
        if sorter.shape != boundaries.shape:
            raise TrilithRuntimeError(
                f"{_SEARCH}boundary and sorter must have the same size, but got boundary tensor "
                f"{list(boundaries.shape)}and got sorter tensor {list(sorter.shape)}"
            )
        if sorter.dtype is not int64:
            raise TrilithRuntimeError(
                f"{_SEARCH}sorter must be a tensor of long dtype but got dtype "
                f"{sorter.dtype.c_name}"
            )
    if not values.rank and boundaries.rank != 1:
        raise TrilithRuntimeError(
            f"{_SEARCH}input value can be a scalar only when boundaries tensor dimension is 1, but "
            f"we got boundaries tensor dim({boundaries.rank}) and input value's dim(0) numel(1)"
        )
    if not boundaries.rank:
        raise TrilithRuntimeError(
            f"{_SEARCH}boundaries tensor should have positive dimension, but got 0 dimension"
        )
    if boundaries.rank != 1 and boundaries.shape[:-1] != values.shape[:-1]:
        raise TrilithRuntimeError(
            f"{_SEARCH}boundaries tensor should be 1 dimension or the first N-1 dimensions of "
            "boundaries tensor and input value tensor must match, but we got boundaries tensor "
            f"{list(boundaries.shape)} and input value tensor {list(values.shape)}"
        )


def _warn_of_strides(**tensors: TensorSpec | None) -> None:
    for name, spec in tensors.items():
        if spec is not None and not spec.is_contiguous:
            what = {"values": "input value"}.get(name, name)
            warn_once(
                f"{_SEARCH}{what} tensor is non-contiguous, this will lower the performance due to "
                "extra data copy when converting non-contiguous tensor to contiguous, please use "
                f"contiguous {what} tensor if possible. This message will only appear once per "
                "program."
            )


def _search(
    t: TensorLanguage,
    boundaries: Any,
    values: Any,
    out_int32: bool,
    right: bool,
    side: str | None = None,
    sorter: Any = None,
) -> Any:
    right = _check_sides(right, side)
    values = _as_tensor(t, values, boundaries)
    specs = [None if each is None else t.spec(each) for each in (boundaries, values, sorter)]
    first, second, third = specs
    assert isinstance(first, TensorSpec)
    assert isinstance(second, TensorSpec)
    assert third is None or isinstance(third, TensorSpec)
    _check_search(first, second, third)
    _warn_of_strides(values=second, boundary=first, sorter=third)
    tensors = [each for each in (boundaries, values, sorter) if each is not None]
    return t.call("search_rows", tensors, out_int32=out_int32, right=right)


def _searchsorted(
    t: TensorLanguage,
    sorted_sequence: Any,
    input: Any,
    out_int32: bool,
    right: bool,
    side: str | None,
    sorter: Any,
) -> Any:
    return _search(t, sorted_sequence, input, out_int32, right, side, sorter)


def _refuse_other_index(result: DType, out: DType) -> None:
    if out is not result:
        raise TrilithRuntimeError(
            f"{_SEARCH}output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) "
            "depending on whether out_int32 flag is True, but we got output tensor's dtype "
            f"{out.c_name} and out_int32 flag is {result is int32}"
        )


composite(
    "searchsorted(Tensor sorted_sequence, Operand input, *, bool out_int32=False, "
    "bool right=False, str? side=None, Tensor? sorter=None)",
    "Where each element would be put into the sorted sequence of its row.",
    "tri.searchsorted(tri.tensor([1, 3, 5]), tri.tensor([3, 4]))  # tensor([1, 2])",
    _searchsorted,
    methods=(),
    has_out=True,
    refuse_out=_refuse_other_index,
    gradient=CONSTANT,
)


def _bucketize(t: TensorLanguage, input: Any, boundaries: Any, out_int32: bool, right: bool) -> Any:
    spec = tensor_of(t, boundaries)
    if spec.rank != 1:
        raise TrilithRuntimeError(
            f"boundaries tensor must be 1 dimension, but got dim({spec.rank})"
        )
    return _search(t, boundaries, input, out_int32, right)


composite(
    "bucketize(Operand input, Tensor boundaries, *, bool out_int32=False, bool right=False)",
    "Between which of the sorted boundaries each element lies.",
    "tri.bucketize(tri.tensor([3, 6]), tri.tensor([1, 3, 5]))  # tensor([1, 3])",
    _bucketize,
    methods=(),
    has_out=True,
    refuse_out=_refuse_other_index,
    gradient=CONSTANT,
)

# ---- which are among others


def _resolve_isin(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    elements, others = operands
    assert isinstance(elements, TensorSpec)
    assert isinstance(others, TensorSpec)
    (dtype, _), _ = promote(operands, attributes)
    if elements.numel and others.numel:
        check_dtype("isin", dtype, REALS)
    result = TensorSpec.of(elements.shape, bool_, common_device(operands))
    return Resolved(dict(attributes), (dtype, dtype), result)


host_body(
    "is_among(Tensor elements, Tensor test_elements, *, bool invert=False)",
    "Whether each element is among others: what `isin` is for two tensors.",
    "tri.isin(tri.tensor([1, 2]), tri.tensor([2]))  # tensor([False,  True])",
    resolver=_resolve_isin,
    body="searching:is_among",
    is_public=False,
    methods=(),
    torch_name="isin",
    gradient=CONSTANT,
)

_FORMS = """
 * (Tensor elements, Tensor test_elements, *, bool assume_unique = False, bool invert = False, \
Tensor out = None)
 * (Number element, Tensor test_elements, *, bool assume_unique = False, bool invert = False, \
Tensor out = None)
 * (Tensor elements, Number test_element, *, bool assume_unique = False, bool invert = False, \
Tensor out = None)
"""


def _isin(
    t: TensorLanguage, elements: Any, test_elements: Any, assume_unique: bool, invert: bool
) -> Any:
    specs = t.spec(elements), t.spec(test_elements)
    if all(isinstance(spec, ScalarSpec) for spec in specs):
        raise no_such_form("isin", (elements, test_elements), {}, _FORMS)
    for spec in specs:
        if isinstance(spec, TensorSpec) and (
            spec.dtype.is_complex or spec.dtype.category is Category.BOOLEAN
        ):
            raise TrilithRuntimeError(
                f"Unsupported input type encountered for isin(): {spec.dtype.c_name}"
            )
    elements = _as_tensor(t, elements, test_elements)
    return t.call("is_among", elements, _as_tensor(t, test_elements, elements), invert=invert)


composite(
    "isin(Operand elements, Operand test_elements, *, bool assume_unique=False, bool invert=False)",
    "Whether each element is among the others; either may be a number.",
    "tri.isin(tri.tensor([1, 2, 3]), tri.tensor([2, 5]))  # tensor([False,  True, False])",
    _isin,
    methods=(),
    has_out=True,
    refuse_out=out_tensor_dtype,
    gradient=CONSTANT,
)

# ---- where elements are not zero, so many of them


def _resolve_nonzero(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,), size = operands, attributes["size"]
    assert isinstance(operand, TensorSpec)
    assert isinstance(size, int)
    if size < 0:
        raise TrilithRuntimeError("nonzero_static: 'size' must be an non-negative integer")
    check_dtype("nonzero", operand.dtype, ARITHMETIC | ALL_COMPLEX)
    result = TensorSpec.of((size, operand.rank), int64, operand.device)
    return Resolved(dict(attributes), (operand.dtype,), result)


def _refuse_other_positions(result: DType, out: DType) -> None:
    if out is not result:
        raise TrilithRuntimeError(
            f"nonzero_static: Expected out tensor to have scalar type {result.c_name} but got "
            f"scalar type{out.c_name}"
        )


host_body(
    "nonzero_static(Tensor input, *, int size, int fill_value=-1)",
    "The positions of the first elements that are not zero, so many rows; others hold a number.",
    "tri.nonzero_static(tri.tensor([5, 0, 7]), size=2)  # tensor([[0],\n#         [2]])",
    resolver=_resolve_nonzero,
    body="searching:nonzero_static",
    refuse_out=_refuse_other_positions,
    gradient=CONSTANT,
)

# ---- how many elements lie between edges


def _resolve_histc(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,), bins = operands, attributes["bins"]
    assert isinstance(operand, TensorSpec)
    assert isinstance(bins, int)
    if operand.dtype.is_complex:
        raise TrilithNotImplementedError(
            f"\"aminmax_cpu\" not implemented for '{operand.dtype.c_name}'"
        )
    if bins <= 0:
        raise TrilithRuntimeError(
            f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0"
        )
    # The edges come first, and there are none of bools.
    check_dtype("linspace" if operand.dtype is bool_ else "histc", operand.dtype, FLOATS)
    edges = {name: float(_real(attributes[name])) for name in ("min", "max")}
    result = TensorSpec.of((bins,), operand.dtype, operand.device)
    return Resolved({"bins": bins, **edges}, (operand.dtype,), result)


def _real(number: object) -> float:
    assert isinstance(number, (int, float))
    return number


host_body(
    "histc(Tensor input, SymInt bins=100, Number min=0, Number max=0)",
    "How many elements lie in each of so many equal parts between min and max, or of all.",
    "tri.histc(tri.tensor([1., 2., 1.]), 4, 0, 3)  # tensor([0., 2., 1., 0.])",
    resolver=_resolve_histc,
    body="searching:histc",
    can_fail=True,
    refuse_out=histogram_dtype("hist"),
    gradient=CONSTANT,
)
