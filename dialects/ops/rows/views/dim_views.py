"""Which views pick, order and repeat dims? Permutations, slices, windows.

A view row is arithmetic on (shape, strides, offset); no view reads an element. Views that group
elements into other dims are in `reshaping`, those of bytes in `storage_views`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes import views
from ....attributes.dtype import Category
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError, TrilithValueError
from ....frames import warn_once
from ...frame.argument_values import AttributeValue
from ...frame.mapped import as_it_is
from ...frame.mapped_dims import expanding, inserting, moving, permuting, transposing
from ...frame.opspec import composite
from ...frame.row import Attributes, TensorLanguage
from ...frame.schema import Schema
from ...frame.view_rows import strided_of, tensor_of, unchanged, view_row, wrapped
from ...gradients.views import (
    OF_ALIAS,
    OF_DIAGONAL,
    OF_EXPAND,
    OF_MOVEDIM,
    OF_NARROW,
    OF_PERMUTE,
    OF_SELECT,
    OF_SLICE,
    OF_SQUEEZE,
    OF_T,
    OF_TRANSPOSE,
    OF_UNFOLD,
    OF_UNSQUEEZE,
)


def _check_permutation(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dims: Any = attributes["dims"]
    views.permute(strided_of(spec), dims)
    return {"dims": tuple(wrap_dim(dim, spec.rank) for dim in dims)}


view_row(
    "permute(Tensor input, int[]* dims)",
    "The dims in another order.",
    "tri.zeros(2, 3, 5).permute(2, 0, 1).shape  # trilith.Size([5, 2, 3])",
    canonical=_check_permutation,
    apply=lambda view, a: views.permute(view, a["dims"]),
    gradient=OF_PERMUTE,
    mapping=permuting,
)
view_row(
    "transpose(Tensor input, int dim0, int dim1)",
    "Two dims exchanged.",
    "tri.zeros(2, 3).transpose(0, 1).shape  # trilith.Size([3, 2])",
    canonical=wrapped("dim0", "dim1"),
    apply=lambda view, a: views.transpose(view, a["dim0"], a["dim1"]),
    methods=("transpose", "swapdims"),
    in_place_views=("transpose_", "swapdims_"),
    gradient=OF_TRANSPOSE,
    mapping=moving("dim0", "dim1"),
)


def _swapped(t: TensorLanguage, input: Any, axis0: int, axis1: int) -> Any:
    return t.call("transpose", input, axis0, axis1)


composite(
    "swapaxes(Tensor input, int axis0, int axis1)",
    "Two dims exchanged: transpose by NumPy's name.",
    "tri.zeros(2, 3).swapaxes(0, 1).shape  # trilith.Size([3, 2])",
    _swapped,
    in_place_views=("swapaxes_",),
)
view_row(
    "t(Tensor input)",
    "The transpose of a matrix; vectors and 0-dim tensors as they are.",
    "tri.zeros(2, 3).t().stride()  # (1, 3)",
    canonical=unchanged,
    apply=lambda view, a: views.t(view),
    in_place_views=("t_",),
    gradient=OF_T,
    mapping=transposing,
)


def _expanded(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    sizes: Any = attributes["size"]
    result = views.expand(strided_of(spec), sizes, spec.dtype)
    return {"size": result.shape}


view_row(
    "expand(Tensor input, int[]* size)",
    "Dims of size 1 (and new ones on the left) repeated without a copy; -1 keeps a size.",
    "tri.tensor([[1], [2]]).expand(2, 3).stride()  # (1, 0)",
    canonical=_expanded,
    apply=lambda view, a: views.expand(view, a["size"]),
    is_public=False,
    torch_name="Tensor.expand",
    gradient=OF_EXPAND,
    mapping=expanding,
)


def _squeezed(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dims: Any = attributes["dim"]
    if dims is None:
        candidates = range(spec.rank)
    else:
        candidates = views.wrap_dims(dims, spec.rank)
    return {"dim": tuple(dim for dim in candidates if spec.shape[dim : dim + 1] == (1,))}


view_row(
    "squeeze(Tensor input, int[] dim=None)",
    "Without the dims of size 1, or without those named.",
    "tri.zeros(2, 1, 3).squeeze().shape  # trilith.Size([2, 3])",
    canonical=_squeezed,
    apply=lambda view, a: views.squeeze(view, a["dim"]),
    in_place_views=("squeeze_",),
    gradient=OF_SQUEEZE,
    mapping=moving("dim"),
)
view_row(
    "unsqueeze(Tensor input, int dim)",
    "With a dim of size 1 inserted.",
    "tri.zeros(2, 3).unsqueeze(1).shape  # trilith.Size([2, 1, 3])",
    canonical=lambda spec, a: {"dim": _new_dim(a["dim"], spec.rank)},
    apply=lambda view, a: views.unsqueeze(view, a["dim"]),
    in_place_views=("unsqueeze_",),
    gradient=OF_UNSQUEEZE,
    mapping=inserting,
)


def _new_dim(dim: Any, rank: int) -> int:
    return wrap_dim(dim, rank + 1)


def _selected(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dim: Any = attributes["dim"]
    index: Any = attributes["index"]
    views.select(strided_of(spec), dim, index)
    dim = wrap_dim(dim, spec.rank)
    return {"dim": dim, "index": index + spec.shape[dim] if index < 0 else index}


view_row(
    "select(Tensor input, int dim, int index)",
    "One index of a dim, which goes away.",
    "tri.tensor([[1, 2], [3, 4]]).select(0, 1)  # tensor([3, 4])",
    canonical=_selected,
    apply=lambda view, a: views.select(view, a["dim"], a["index"]),
    gradient=OF_SELECT,
    mapping=moving("dim"),
)


def _narrowed(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dim: Any = attributes["dim"]
    start: Any = attributes["start"]
    length: Any = attributes["length"]
    views.narrow(strided_of(spec), dim, start, length)
    dim = wrap_dim(dim, spec.rank)
    return {
        "dim": dim,
        "start": start + spec.shape[dim] if start < 0 else start,
        "length": length,
    }


def _bind_narrow(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Take a start that is a 0-dim tensor."""
    start = arguments[2] if len(arguments) > 2 else keywords.get("start")
    spec: object = getattr(start, "spec", None)
    if isinstance(spec, TensorSpec):
        is_integral = spec.dtype.category is Category.INTEGRAL
        if spec.shape or not is_integral:
            raise TrilithRuntimeError("start must be an 0-dim integral Tensor.")
        number: Any = start
        if len(arguments) > 2:
            arguments = (*arguments[:2], number.item(), *arguments[3:])
        else:
            keywords = {**keywords, "start": number.item()}
    return schema.bind(arguments, keywords)


view_row(
    "narrow(Tensor input, int dim, int start, int length)",
    "`length` indices of a dim from `start` on.",
    "tri.tensor([1, 2, 3, 4]).narrow(0, 1, 2)  # tensor([2, 3])",
    canonical=_narrowed,
    apply=lambda view, a: views.narrow(view, a["dim"], a["start"], a["length"]),
    binder=_bind_narrow,
    opens_integers=True,
    gradient=OF_NARROW,
    mapping=moving("dim"),
)


def _sliced(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    if not spec.rank:
        raise TrilithIndexError("slice() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(_integer(attributes["dim"]), spec.rank)
    step = _integer(attributes["step"])
    if step <= 0:
        raise TrilithValueError("step must be greater than zero")
    start: Any = attributes["start"]
    end: Any = attributes["end"]
    first, last = views.slice_bounds(start, end, spec.shape[dim])
    return {"dim": dim, "start": first, "end": max(first, last), "step": step}


def _integer(value: AttributeValue) -> int:
    assert isinstance(value, int)
    return value


view_row(
    "slice(Tensor input, int dim=0, int? start=None, int? end=None, int step=1)",
    "Every `step`-th index of a dim from `start` up to `end`; out of range is clamped.",
    "tri.tensor([1, 2, 3, 4])[::2]  # tensor([1, 3])",
    canonical=_sliced,
    apply=lambda view, a: views.slice_dim(view, a["dim"], a["start"], a["end"], a["step"]),
    methods=(),
    is_public=False,
    gradient=OF_SLICE,
    mapping=moving("dim"),
)


view_row(
    "movedim(Tensor input, int[] source, int[] destination)",
    "Dims moved to other places, the rest in their order.",
    "tri.zeros(2, 3, 5).movedim(0, 2).shape  # trilith.Size([3, 5, 2])",
    canonical=wrapped("source", "destination"),
    apply=lambda view, a: views.movedim(view, a["source"], a["destination"]),
    methods=("movedim", "moveaxis"),
    gradient=OF_MOVEDIM,
    mapping=moving("source", "destination"),
)
view_row(
    "unfold(Tensor input, int dimension, int size, int step)",
    "Windows of `size` indices of a dim, every `step`; the window becomes the last dim.",
    "tri.arange(5).unfold(0, 3, 1).shape  # trilith.Size([3, 3])",
    canonical=wrapped("dimension"),
    apply=lambda view, a: views.unfold(view, a["dimension"], a["size"], a["step"]),
    is_public=False,
    torch_name="Tensor.unfold",
    gradient=OF_UNFOLD,
    mapping=moving("dimension"),
)


def _diagonal_dims(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    values = wrapped("dim1", "dim2")(spec, attributes)
    if values["dim1"] == values["dim2"]:
        raise TrilithRuntimeError(
            f"diagonal dimensions cannot be identical {attributes['dim1']}, {attributes['dim2']}"
        )
    return values


view_row(
    "diagonal(Tensor input, SymInt offset=0, int dim1=0, int dim2=1)",
    "The diagonal of two dims, which becomes the last dim.",
    "tri.tensor([[1, 2], [3, 4]]).diagonal()  # tensor([1, 4])",
    canonical=_diagonal_dims,
    apply=lambda view, a: views.diagonal(view, a["offset"], a["dim1"], a["dim2"]),
    gradient=OF_DIAGONAL,
    mapping=moving("dim1", "dim2"),
)


def _transposed(t: TensorLanguage, input: Any, what: str) -> Any:
    """Return the last two dims exchanged; a 0-dim tensor itself."""
    rank = tensor_of(t, input).rank
    if not rank:
        warn_of_identity(what)
        return input
    if rank < 2:
        raise TrilithRuntimeError(
            f"tensor.{what} is only supported on matrices or batches of matrices. "
            f"Got {rank}-D tensor."
        )
    return t.call("transpose", input, -2, -1)


def _transposed_matrix(t: TensorLanguage, input: Any) -> Any:
    return _transposed(t, input, "mT")


def _conjugated(t: TensorLanguage, value: Any) -> Any:
    return t.call("conj", value) if tensor_of(t, value).dtype.is_complex else value


def _adjoint(t: TensorLanguage, input: Any) -> Any:
    return _conjugated(t, _transposed(t, input, "adjoint()"))


def _matrix_adjoint(t: TensorLanguage, input: Any) -> Any:
    return _conjugated(t, _transposed(t, input, "mH"))


def _hermitian(t: TensorLanguage, input: Any) -> Any:
    rank = tensor_of(t, input).rank
    if rank not in (0, 2):
        batches = " For batches of matrices, consider using tensor.mH" if rank > 2 else ""
        raise TrilithRuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {rank}-D tensor.{batches}"
        )
    return _conjugated(t, _transposed(t, input, "H"))


def _reversed_dims(t: TensorLanguage, input: Any) -> Any:
    spec = tensor_of(t, input)
    if not spec.rank:
        warn_of_identity("T")
    elif spec.rank != 2:
        warn_once(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
            "deprecated and it will throw an error in a future release. Consider `x.mT` to "
            "transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to "
            "reverse the dimensions of a tensor.".replace("torch.", "trilith.")
        )
    return t.call("permute", input, tuple(reversed(range(spec.rank))))


def warn_of_identity(name: str) -> None:
    """Warn of an attribute that means nothing on a 0-dim tensor."""
    warn_once(
        f"Tensor.{name} is deprecated on 0-D tensors. This function is the identity in these cases."
    )


composite(
    "numpy_T(Tensor input)",
    "The dims in reverse order: the attribute `T`.",
    "tri.zeros(2, 3).T.shape  # trilith.Size([3, 2])",
    _reversed_dims,
    methods=("T",),
    is_property=True,
    is_public=False,
)
composite(
    "matrix_T(Tensor input)",
    "The last two dims exchanged: the attribute `mT`.",
    "tri.zeros(2, 3, 5).mT.shape  # trilith.Size([2, 5, 3])",
    _transposed_matrix,
    methods=("mT",),
    is_property=True,
    is_public=False,
)
composite(
    "adjoint(Tensor input)",
    "The last two dims exchanged, of conjugates if the numbers are complex.",
    "tri.zeros(2, 3, 5).adjoint().shape  # trilith.Size([2, 5, 3])",
    _adjoint,
)
composite(
    "matrix_H(Tensor input)",
    "The conjugate transpose of a matrix: the attribute `H`.",
    "tri.zeros(2, 3).H.shape  # trilith.Size([3, 2])",
    _hermitian,
    methods=("H",),
    is_property=True,
    is_public=False,
)
composite(
    "batched_matrix_H(Tensor input)",
    "The conjugate transposes of a batch of matrices: the attribute `mH`.",
    "tri.zeros(2, 3, 5).mH.shape  # trilith.Size([2, 5, 3])",
    _matrix_adjoint,
    methods=("mH",),
    is_property=True,
    is_public=False,
    torch_name="Tensor.mH",
)
view_row(
    "alias(Tensor input)",
    "The tensor itself as a new view of its storage.",
    "tri.tensor([1, 2])[...]  # tensor([1, 2])",
    canonical=unchanged,
    apply=lambda view, a: view,
    methods=(),
    is_public=False,
    gradient=OF_ALIAS,
    mapping=as_it_is,
)
