"""Which views look at the storage itself? Its bytes as another dtype, its places by any strides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....attributes import reshape
from ....attributes.dtype import DType, complex64, float32
from ....attributes.spec import TensorSpec
from ....attributes.views import Strided, restride
from ....diagnostics import TrilithRuntimeError
from ...frame.argument_values import AttributeValue
from ...frame.gradients import CONSTANT
from ...frame.mapped import as_it_is
from ...frame.opspec import composite
from ...frame.row import Attributes, TensorLanguage
from ...frame.schema import Schema, parse_schema
from ...frame.view_rows import refuse_integers, strided_of, tensor_of, unchanged, view_row
from ...gradients.views import OF_CONJ_VIEW, OF_STRIDED_VIEW, OF_VIEW_AS_COMPLEX, OF_VIEW_AS_REAL


def _seen_from(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    if spec.is_conj:
        raise TrilithRuntimeError(
            "torch.Tensor.view is not supported for conjugate view tensors when converting to a "
            "different dtype."
        )
    source = attributes["source"]
    if source is not spec.dtype:
        raise TrilithRuntimeError(f"the source is {source}, but the operand is {spec.dtype}")
    return dict(attributes)


view_row(
    "view_dtype(Tensor input, dtype dtype, dtype source)",
    "The same bytes as elements of another dtype: what x.view(dtype) becomes.",
    "tri.tensor([1., 2.]).view(tri.int32)  # tensor([1065353216, 1073741824], dtype=trilith.int32)",
    canonical=_seen_from,
    apply=lambda view, a: reshape.view_dtype(view, a["source"], a["dtype"]),
    dtype=lambda spec, a: _dtype(a["dtype"]),
    is_of_storage=True,
    methods=(),
    is_public=False,
    gradient=CONSTANT,
    mapping=as_it_is,
)


def _dtype(value: AttributeValue) -> DType:
    assert isinstance(value, DType)
    return value


_SIZES = parse_schema("view(Tensor input, int[]* size)")
_DTYPE = parse_schema("view(Tensor input, dtype dtype)")


def bind_view(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Tell `view(2, 3)` from `view(dtype)`."""
    is_dtype = "dtype" in keywords or (len(arguments) > 1 and isinstance(arguments[1], DType))
    if not is_dtype:
        return {**_SIZES.bind(arguments, keywords), "dtype": None}
    bound = _DTYPE.bind(arguments, keywords)
    target: Any = bound["dtype"]
    source: object = getattr(getattr(bound["input"], "spec", None), "dtype", None)
    if isinstance(source, DType) and source.itemsize < target.itemsize:
        _check_place(bound, lambda view, dtype: reshape.view_dtype(view, dtype, target))
    return {"input": bound["input"], "size": None, "dtype": target}


def _check_place(bound: Mapping[str, Any], view: Callable[[Strided, DType], Strided]) -> None:
    """Try a view of larger elements where the operand lies: they must not begin in between."""
    operand = bound["input"]
    spec: object = getattr(operand, "spec", None)
    if isinstance(spec, TensorSpec):
        view(Strided(spec.shape, spec.strides, operand.storage_offset()), spec.dtype)


def view_of(t: TensorLanguage, input: Any, size: Any, dtype: DType | None) -> Any:
    """Return what `view` gives for sizes or for a dtype."""
    if dtype is not None:
        return t.call("view_dtype", input, dtype, tensor_of(t, input).dtype)
    return t.call("view", input, size)


composite(
    "view_as_sizes_or_dtype(Tensor input, int[]? size, dtype? dtype=None)",
    "The same elements in another shape, or the same bytes as another dtype, without a copy.",
    "tri.tensor([1, 2, 3, 4]).view(2, 2)  # tensor([[1, 2],\n#         [3, 4]])",
    view_of,
    methods=("view",),
    is_public=False,
    torch_name="Tensor.view",
    binder=bind_view,
    opens_integers=True,
    looks_at_offset=True,
    forms=("view(Tensor input, int[]* size)", "view(Tensor input, dtype dtype)"),
)


STRIDED_VIEW = view_row(
    "strided_view(Tensor input, int[] size, int[] stride, int offset=0)",
    "Any sizes and strides on the operand's storage; the offset counts from its first element.",
    "tri.arange(5).as_strided((3, 2), (1, 1)).shape  # trilith.Size([3, 2])",
    canonical=unchanged,
    apply=lambda view, a: restride(view, a["size"], a["stride"], a["offset"]),
    is_of_storage=True,
    methods=(),
    is_public=False,
    gradient=OF_STRIDED_VIEW,
)


def bind_as_strided(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Count the offset, which is absolute, from the operand's first element."""
    bound = schema.bind(arguments, keywords)
    refuse_integers("as_strided", {"size": 1, "stride": 2}, arguments, keywords)
    operand: Any = bound["input"]
    offset: Any = bound["storage_offset"]
    if offset is not None and hasattr(operand, "storage_offset"):
        bound["storage_offset"] = offset - operand.storage_offset()
    return bound


def _as_strided(
    t: TensorLanguage, input: Any, size: Any, stride: Any, storage_offset: int | None
) -> Any:
    return t.call("strided_view", input, size, stride, storage_offset or 0)


composite(
    "as_strided(Tensor input, int[] size, int[] stride, int? storage_offset=None)",
    "Any sizes, strides and storage offset on the same storage, if all of it lies inside.",
    "tri.arange(4).as_strided((2, 2), (0, 1))  # tensor([[0, 1],\n#         [0, 1]])",
    _as_strided,
    binder=bind_as_strided,
    opens_integers=True,
    looks_at_offset=True,
    in_place_views=("as_strided_",),
)


def _of_complex(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    if spec.is_conj:
        raise TrilithRuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate "
            "tensor so you can view it as real, use self.resolve_conj(); however, be warned that "
            "the resulting tensor will NOT alias the original."
        )
    reshape.view_as_real(strided_of(spec), spec.dtype)
    return {}


def bind_pairs(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Refuse pairs that lie at odd places of the storage."""
    bound = schema.bind(arguments, keywords)
    _check_place(bound, reshape.view_as_complex)
    return bound


def _of_pairs(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    reshape.view_as_complex(strided_of(spec), spec.dtype)
    return {}


view_row(
    "view_as_real(Tensor input)",
    "Complex numbers as pairs of real ones in a new last dim.",
    "tri.view_as_real(tri.tensor([1 + 2j]))  # tensor([[1., 2.]])",
    canonical=_of_complex,
    apply=lambda view, a: reshape.view_as_real(view, complex64),
    dtype=lambda spec, a: spec.dtype.to_real(),
    is_of_storage=True,
    methods=(),
    gradient=OF_VIEW_AS_REAL,
    mapping=as_it_is,
)
view_row(
    "view_as_complex(Tensor input)",
    "Pairs of real numbers in the last dim as complex ones.",
    "tri.view_as_complex(tri.tensor([[1., 2.]]))  # tensor([1.+2.j])",
    canonical=_of_pairs,
    apply=lambda view, a: reshape.view_as_complex(view, float32),
    dtype=lambda spec, a: spec.dtype.to_complex(),
    is_of_storage=True,
    methods=(),
    binder=bind_pairs,
    looks_at_offset=True,
    gradient=OF_VIEW_AS_COMPLEX,
    mapping=as_it_is,
)


def _real(t: TensorLanguage, input: Any) -> Any:
    if not tensor_of(t, input).dtype.is_complex:
        return input
    return _part(t, input, 0)


def _imag(t: TensorLanguage, input: Any) -> Any:
    if not tensor_of(t, input).dtype.is_complex:
        raise TrilithRuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    part = _part(t, input, 1)
    return t.call("neg", part) if tensor_of(t, input).is_conj else part


def _part(t: TensorLanguage, input: Any, number: int) -> Any:
    """Return the real or imaginary parts that the memory holds, as a view."""
    held = t.call("conj_view", input) if tensor_of(t, input).is_conj else input
    return t.call("select", t.call("view_as_real", held), -1, number)


composite(
    "real(Tensor input)",
    "The real parts, as a view; a tensor of real numbers itself.",
    "tri.tensor([1 + 2j]).real  # tensor([1.])",
    _real,
    is_property=True,
    is_assignable=True,
)
composite(
    "imag(Tensor input)",
    "The imaginary parts, as a view; of a tensor that is conj in memory of their own.",
    "tri.tensor([1 + 2j]).imag  # tensor([2.])",
    _imag,
    is_property=True,
    is_assignable=True,
)


# ---- conjugates


def _of_complex_dtype(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    if not spec.dtype.is_complex:
        raise TrilithRuntimeError(f"conj_view of {spec.dtype}: it has no conjugates")
    return {}


CONJ_VIEW = view_row(
    "conj_view(Tensor input)",
    "The same memory, seen as the conjugates of complex numbers: what `conj` becomes.",
    "tri.tensor([1 + 2j]).conj()  # tensor([1.-2.j])",
    canonical=_of_complex_dtype,
    apply=lambda view, a: view,
    is_conj=True,
    methods=(),
    is_public=False,
    gradient=OF_CONJ_VIEW,
    mapping=as_it_is,
)


def _conj(t: TensorLanguage, input: Any) -> Any:
    return t.call("conj_view", input) if tensor_of(t, input).dtype.is_complex else input


def _resolve_conj(t: TensorLanguage, input: Any) -> Any:
    return t.call("clone", input) if tensor_of(t, input).is_conj else input


def _resolve_neg(t: TensorLanguage, input: Any) -> Any:
    return input


composite(
    "conj(Tensor input)",
    "The conjugates of a complex tensor, as a view; any other tensor itself.",
    "tri.conj(tri.tensor([1 + 2j]))  # tensor([1.-2.j])",
    _conj,
)
composite(
    "resolve_conj(Tensor input)",
    "A copy of a tensor whose memory holds the conjugates of its elements; any other itself.",
    "tri.tensor([1 + 2j]).conj().resolve_conj().is_conj()  # False",
    _resolve_conj,
)
composite(
    "resolve_neg(Tensor input)",
    "The tensor itself: negations are carried out at once.",
    "tri.resolve_neg(tri.tensor([1.]))  # tensor([1.])",
    _resolve_neg,
)
