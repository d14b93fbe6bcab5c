"""Which operations go by a mask, or find out where elements are not zero? masked_fill, nonzero.

The shape of a result of nonzero, masked_select and argwhere depends on the elements: they are
`HostOp` rows, which know them outside of traces only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.dtype import bool_
from ....attributes.spec import ScalarSpec, TensorSpec
from ....attributes.strides import contiguous_strides
from ....diagnostics import TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.gradients import CONSTANT
from ...frame.indexed import HostOp, ValueLanguage, WritingLanguage
from ...frame.literals import check_fits, refuse_complex
from ...frame.opspec import composite
from ...frame.out_rules import positions
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import ALL_COMPLEX, ARITHMETIC, WIDE_UNSIGNED, check_dtype
from ...frame.writing import Writing, expanded_warning
from ...gradients.indexing import OF_INDEX_PUT, OF_MASKED_FILL, OF_MASKED_SELECT
from .gathering import MOVABLE
from .scattering import PUTTABLE, number_as
from .subscripts import put_at, write_at

#: What PyTorch's kernels of masked_fill and nonzero are made for.
FILLABLE = ARITHMETIC | ALL_COMPLEX

_C_TYPES = {
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def _check_value(bound: Mapping[str, Any]) -> None:
    """Refuse a number that the dtype cannot hold."""
    value, dtype = bound["value"], getattr(bound["input"], "dtype", None)
    if dtype is not None and is_number(value):
        check_fits(value, dtype, narrow_floats=True)


def _masked_fill(t: TensorLanguage, input: Any, mask: Any, value: Any) -> Any:
    into, where, what = t.spec(input), t.spec(mask), t.spec(value)
    assert isinstance(into, TensorSpec)
    assert isinstance(where, TensorSpec)
    if where.dtype is not bool_:
        name = _C_TYPES.get(where.dtype.name, where.dtype.c_name)
        raise TrilithRuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {name}"
        )
    check_dtype("masked_fill", into.dtype, FILLABLE)
    if isinstance(what, ScalarSpec):
        value = number_as(t, value, into)
    elif what.rank:
        raise TrilithRuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{what.rank} dimension(s)."
        )
    elif what.dtype.is_complex and not into.dtype.is_complex and into.dtype is not bool_:
        refuse_complex(into.dtype)
    else:
        value = t.call("to", value, into.dtype)
    # The mask comes first in PyTorch's error about shapes.
    broadcast_shapes(where.shape, into.shape)
    filled = t.call("where", mask, value, input)
    found = t.spec(filled)
    assert isinstance(found, TensorSpec)
    strides = contiguous_strides(found.shape)
    return filled if found.strides == strides else t.call("with_strides", filled, strides)


composite(
    "masked_fill(Tensor input, Tensor mask, Operand value)",
    "The input with one number where mask holds; the result is contiguous.",
    "tri.masked_fill(tri.tensor([1, 2, 3]), tri.tensor([True, False, True]), 0)"
    "  # tensor([0, 2, 0])",
    _masked_fill,
    in_place=("masked_fill_",),
    writing=Writing(
        read_first=frozenset({"value"}),
        expanded=expanded_warning("masked_fill_", "tensor[mask] = scalar"),
    ),
    check_numbers=_check_value,
    gradient=OF_MASKED_FILL,
)


def _index_put(
    t: ValueLanguage, input: Any, indices: Sequence[Any], values: Any, accumulate: bool
) -> Any:
    check_dtype("index_put", t.spec(input).dtype, PUTTABLE)
    return put_at(t, input, tuple(indices), values, accumulate)


def _write_index_put(
    t: WritingLanguage, input: Any, indices: Sequence[Any], values: Any, accumulate: bool
) -> None:
    check_dtype("index_put", t.spec(input).dtype, PUTTABLE)
    write_at(t, input, tuple(indices), values, accumulate)


TABLE.add(
    HostOp(
        "index_put(Tensor input, Tensor[] indices, Tensor values, bool accumulate=False)",
        "The input with values at the elements that index tensors and masks name.",
        "tri.index_put(tri.tensor([1, 2, 3]), (tri.tensor([0]),), tri.tensor(7))"
        "  # tensor([7, 2, 3])",
        _index_put,
        write=_write_index_put,
        in_place=("index_put_",),
        in_place_functions=("index_put_",),
        gradient=OF_INDEX_PUT,
    )
)


def _nonzero(t: ValueLanguage, input: Any, as_tuple: bool) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    check_dtype("nonzero", spec.dtype, FILLABLE)
    if not as_tuple:
        return t.positions(input)
    source = input if spec.rank else t.call("unsqueeze", input, 0)
    places = t.positions(source)
    return tuple(t.call("select", places, 1, number) for number in range(max(spec.rank, 1)))


TABLE.add(
    HostOp(
        "nonzero(Tensor input, *, bool as_tuple=False)",
        "The positions of the elements that are not zero, one row for each.",
        "tri.nonzero(tri.tensor([5, 0, 7]))  # tensor([[0],\n#         [2]])",
        _nonzero,
        has_out=True,
        refuse_out=positions,
        writing=Writing(apart=frozenset({"input"})),
        gradient=CONSTANT,
    )
)


def _places(t: ValueLanguage, condition: Any) -> Any:
    return _nonzero(t, condition, as_tuple=True)


TABLE.add(
    HostOp(
        "places(Tensor condition)",
        "The positions where a condition holds, one tensor for each dim: `where` alone.",
        "tri.where(tri.tensor([True, False, True]))  # (tensor([0, 2]),)",
        _places,
        methods=(),
        is_public=False,
        returns="tuple[Tensor, ...]",
        gradient=CONSTANT,
    )
)


def _argwhere(t: ValueLanguage, input: Any) -> Any:
    return _nonzero(t, input, as_tuple=False)


TABLE.add(
    HostOp(
        "argwhere(Tensor input)",
        "The positions of the elements that are not zero, one row for each.",
        "tri.argwhere(tri.tensor([5, 0, 7]))  # tensor([[0],\n#         [2]])",
        _argwhere,
        gradient=CONSTANT,
    )
)


def _masked_select(t: ValueLanguage, input: Any, mask: Any) -> Any:
    source, where = t.spec(input), t.spec(mask)
    assert isinstance(source, TensorSpec)
    assert isinstance(where, TensorSpec)
    if where.dtype is not bool_:
        raise TrilithRuntimeError("masked_select: expected BoolTensor for mask")
    check_dtype("masked_select", source.dtype, MOVABLE - WIDE_UNSIGNED)
    shape = broadcast_shapes(where.shape, source.shape)
    count = -1 if 0 not in shape else 0
    flat, kept = (
        t.call("reshape", t.call("expand", value, shape), (count,)) for value in (input, mask)
    )
    places = t.call("select", t.positions(kept), 1, 0)
    return t.call("take_at", flat, [places], (0,))


TABLE.add(
    HostOp(
        "masked_select(Tensor input, Tensor mask)",
        "The elements where mask holds, in one row.",
        "tri.masked_select(tri.tensor([1, 2, 3]), tri.tensor([True, False, True]))"
        "  # tensor([1, 3])",
        _masked_select,
        has_out=True,
        writing=Writing(apart=frozenset({"input", "mask"})),
        gradient=OF_MASKED_SELECT,
    )
)
