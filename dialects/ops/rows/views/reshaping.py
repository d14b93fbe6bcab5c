"""Which operations give the same elements other dims? view, reshape, flatten and their kin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes import reshape as reshapes
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ...frame.argument_values import AttributeValue
from ...frame.mapped_dims import viewing
from ...frame.opspec import composite
from ...frame.row import Attributes, TensorLanguage
from ...frame.schema import Schema
from ...frame.view_rows import refuse_integers, strided_of, tensor_of, view_row
from ...gradients.views import OF_VIEW


def _view_shape(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    sizes: Any = attributes["size"]
    return {"size": reshapes.infer_shape(sizes, spec.numel)}


view_row(
    "view(Tensor input, int[]* size)",
    "The same elements in another shape, without a copy; -1 is inferred.",
    "tri.tensor([1, 2, 3, 4]).view(2, 2)  # tensor([[1, 2],\n#         [3, 4]])",
    canonical=_view_shape,
    apply=lambda view, a: reshapes.view(view, a["size"]),
    methods=(),
    is_public=False,
    torch_name="Tensor.view",
    depends_on_strides=True,
    gradient=OF_VIEW,
    mapping=viewing,
)


def _reshape(t: TensorLanguage, input: Any, shape: tuple[int, ...]) -> Any:
    spec = tensor_of(t, input)
    sizes = reshapes.infer_shape(shape, spec.numel)
    if reshapes.view_strides(spec.shape, spec.strides, sizes) is None:
        input = t.call("clone", input, memory_format=contiguous_format)
    return t.call("view", input, sizes)


def _flatten(t: TensorLanguage, input: Any, start_dim: int, end_dim: int) -> Any:
    spec = tensor_of(t, input)
    shape = reshapes.flatten_shape(spec.shape, start_dim, end_dim)
    is_one_dim = spec.rank and wrap_dim(start_dim, spec.rank) == wrap_dim(end_dim, spec.rank)
    return input if is_one_dim else t.call("reshape", input, shape)


composite(
    "reshape(Tensor input, int[]* shape)",
    "The same elements in another shape: a view if there is one, else a copy.",
    "tri.tensor([[1, 2], [3, 4]]).t().reshape(4)  # tensor([1, 3, 2, 4])",
    _reshape,
)
composite(
    "flatten(Tensor input, int start_dim=0, int end_dim=-1)",
    "The dims from start_dim to end_dim as one.",
    "tri.zeros(2, 3, 5).flatten(1).shape  # trilith.Size([2, 15])",
    _flatten,
)


def _bind_unflatten(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Refuse one integer as the sizes."""
    bound = schema.bind(arguments, keywords)
    refuse_integers("unflatten", {"sizes": 2}, arguments, keywords)
    return bound


def _unflatten(t: TensorLanguage, input: Any, dim: int, sizes: tuple[int, ...]) -> Any:
    spec = tensor_of(t, input)
    return t.call("view", input, reshapes.unflatten(strided_of(spec), dim, sizes).shape)


def _ravel(t: TensorLanguage, input: Any) -> Any:
    return t.call("view", t.call("contiguous", input), (-1,))


def _view_as(t: TensorLanguage, input: Any, other: Any) -> Any:
    return t.call("view", input, tensor_of(t, other).shape)


def _reshape_as(t: TensorLanguage, input: Any, other: Any) -> Any:
    return t.call("reshape", input, tensor_of(t, other).shape)


composite(
    "unflatten(Tensor input, int dim, int[] sizes)",
    "One dim as several; -1 is inferred.",
    "tri.zeros(2, 6).unflatten(1, (2, -1)).shape  # trilith.Size([2, 2, 3])",
    _unflatten,
    binder=_bind_unflatten,
    opens_integers=True,
)
composite(
    "ravel(Tensor input)",
    "All elements in one dim: a view of a contiguous tensor, else a copy.",
    "tri.tensor([[1, 2], [3, 4]]).ravel()  # tensor([1, 2, 3, 4])",
    _ravel,
)
composite(
    "view_as(Tensor input, Tensor other)",
    "The same elements in the shape of another tensor, without a copy.",
    "tri.zeros(6).view_as(tri.ones(2, 3)).shape  # trilith.Size([2, 3])",
    _view_as,
    is_public=False,
    torch_name="Tensor.view_as",
)
composite(
    "reshape_as(Tensor input, Tensor other)",
    "The same elements in the shape of another tensor: a view if there is one, else a copy.",
    "tri.zeros(6).reshape_as(tri.ones(2, 3)).shape  # trilith.Size([2, 3])",
    _reshape_as,
    is_public=False,
    torch_name="Tensor.reshape_as",
)
