"""Which operations give tensors the same shape, or more dims, without a copy?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.extents import are_equal
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of, with_tensors


def _expand_as(t: TensorLanguage, input: Any, other: Any) -> Any:
    return t.call("expand", input, tensor_of(t, other).shape)


def _broadcast_to(t: TensorLanguage, input: Any, size: tuple[int, ...]) -> Any:
    return t.call("expand", input, size)


def _broadcast_tensors(t: TensorLanguage, tensors: Sequence[Any]) -> Any:
    shapes = [tensor_of(t, tensor).shape for tensor in tensors]
    target = broadcast_shapes(*shapes) if shapes else ()
    return tuple(
        [
            tensor if are_equal(shape, target) else t.call("expand", tensor, target)
            for tensor, shape in zip(tensors, shapes, strict=True)
        ]
    )


composite(
    "expand_as(Tensor input, Tensor other)",
    "The tensor repeated without a copy to the shape of another one.",
    "tri.tensor([1, 2]).expand_as(tri.zeros(3, 2)).stride()  # (0, 1)",
    _expand_as,
    is_public=False,
    torch_name="Tensor.expand_as",
)
composite(
    "broadcast_to(Tensor input, int[]* size)",
    "The tensor repeated without a copy to a shape.",
    "tri.broadcast_to(tri.tensor([1, 2]), (2, 2))  # tensor([[1, 2],\n#         [1, 2]])",
    _broadcast_to,
)
composite(
    "broadcast_tensors(Tensor[] tensors)",
    "The tensors repeated without a copy to their common shape.",
    "tri.broadcast_tensors(tri.zeros(2), tri.zeros(3, 1))[0].shape  # trilith.Size([3, 2])",
    _broadcast_tensors,
    methods=(),
    binder=with_tensors,
    returns="tuple[Tensor, ...]",
)


def _one(t: TensorLanguage, tensor: Any, rank: int) -> Any:
    """Return a tensor with dims of size 1 added, as `atleast_<rank>d` adds them."""
    dims = tensor_of(t, tensor).rank
    if dims >= rank:
        return tensor
    if not dims:
        return t.call("view", tensor, (1,) * rank)
    if dims == 1 and rank >= 2:
        tensor = t.call("unsqueeze", tensor, 0)
    return t.call("unsqueeze", tensor, -1) if rank == 3 else tensor


def _at_least(rank: int) -> Callable[..., Any]:
    """Return the expansion of `atleast_<rank>d`."""

    def expand(t: TensorLanguage, tensors: Sequence[Any], is_single: bool) -> Any:
        made = tuple([_one(t, tensor, rank) for tensor in tensors])
        return made[0] if is_single else made

    return expand


def _bind_at_least(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Tell one tensor, which gives one, from several and from a list of them."""
    if len(arguments) == 1 and not isinstance(arguments[0], (list, tuple)):
        return schema.bind((tuple(arguments),), {"is_single": True, **keywords})
    is_list = len(arguments) == 1
    return schema.bind(arguments if is_list else (tuple(arguments),), keywords)


for _rank, _shape in ((1, "1"), (2, "1, 1"), (3, "1, 1, 1")):
    composite(
        f"atleast_{_rank}d(Tensor[] tensors, *, bool is_single=False)",
        f"The tensor with dims of size 1 added until it has {_rank}; several as a tuple.",
        f"tri.atleast_{_rank}d(tri.tensor(1.)).shape  # trilith.Size([{_shape}])",
        _at_least(_rank),
        methods=(),
        binder=_bind_at_least,
        returns="Any",
    )
