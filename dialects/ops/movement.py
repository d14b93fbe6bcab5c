"""Which operations look at the same storage in another way? Permutations, slices, shapes.

A view row is arithmetic on (shape, strides, offset); no view reads an element. Those that may have
to copy (reshape, flatten) and spellings (`T`, indexing) are written in the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..attributes import reshape as reshapes
from ..attributes import views
from ..attributes.memory_format import contiguous_format
from ..attributes.spec import TensorSpec
from ..attributes.views import Strided, wrap_dim
from ..diagnostics import TrilithRuntimeError, TrilithValueError
from .opspec import TABLE, Attributes, CompositeOp, TensorLanguage, ViewOp, describe
from .schema import AttributeValue


def _view(
    signature: str,
    doc: str,
    example: str,
    *,
    canonical: Callable[[TensorSpec, Attributes], dict[str, AttributeValue]],
    apply: Callable[[Strided, Any], Strided],
    methods: tuple[str, ...] | None = None,
    torch_name: str = "",
    is_public: bool = True,
) -> None:
    """Register a view row; see `ViewOp` for the fields."""
    TABLE.add(
        ViewOp(
            **describe(signature, doc, example, methods, torch_name),
            canonical=canonical,
            apply=apply,
            is_public=is_public,
        )
    )


def _sugar(
    signature: str,
    doc: str,
    example: str,
    expand: Callable[..., Any],
    methods: tuple[str, ...] | None = None,
    *,
    is_public: bool = True,
) -> None:
    TABLE.add(
        CompositeOp(
            **describe(signature, doc, example, methods), expand=expand, is_public=is_public
        )
    )


def _wrapped(*names: str) -> Callable[[TensorSpec, Attributes], dict[str, AttributeValue]]:
    """Return a rule that counts the dims called `names` from the left."""

    def canonical(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
        values = dict(attributes)
        for name in names:
            dim: Any = attributes[name]
            if isinstance(dim, tuple):
                items = cast("tuple[int, ...]", dim)
                values[name] = tuple(wrap_dim(item, spec.rank) for item in items)
            else:
                values[name] = wrap_dim(dim, spec.rank)
        return values

    return canonical


def _unchanged(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    return dict(attributes)


def _check_permutation(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dims: Any = attributes["dims"]
    views.permute(Strided(spec.shape, spec.strides), dims)
    return {"dims": tuple(wrap_dim(dim, spec.rank) for dim in dims)}


_view(
    "permute(Tensor input, int[]* dims)",
    "The dims in another order.",
    "tri.zeros(2, 3, 5).permute(2, 0, 1).shape  # trilith.Size([5, 2, 3])",
    canonical=_check_permutation,
    apply=lambda view, a: views.permute(view, a["dims"]),
)
_view(
    "transpose(Tensor input, int dim0, int dim1)",
    "Two dims exchanged.",
    "tri.zeros(2, 3).transpose(0, 1).shape  # trilith.Size([3, 2])",
    canonical=_wrapped("dim0", "dim1"),
    apply=lambda view, a: views.transpose(view, a["dim0"], a["dim1"]),
    methods=("transpose", "swapaxes", "swapdims"),
)
_view(
    "t(Tensor input)",
    "The transpose of a matrix; vectors and 0-dim tensors as they are.",
    "tri.zeros(2, 3).t().stride()  # (1, 3)",
    canonical=_unchanged,
    apply=lambda view, a: views.t(view),
)


def _expanded(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    sizes: Any = attributes["size"]
    result = views.expand(Strided(spec.shape, spec.strides), sizes, spec.dtype)
    return {"size": result.shape}


_view(
    "expand(Tensor input, int[]* size)",
    "Dims of size 1 (and new ones on the left) repeated without a copy; -1 keeps a size.",
    "tri.tensor([[1], [2]]).expand(2, 3).stride()  # (1, 0)",
    canonical=_expanded,
    apply=lambda view, a: views.expand(view, a["size"]),
    is_public=False,
    torch_name="Tensor.expand",
)


def _squeezed(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dims: Any = attributes["dim"]
    if dims is None:
        candidates = range(spec.rank)
    else:
        candidates = views.wrap_dims(dims, spec.rank)
    return {"dim": tuple(dim for dim in candidates if spec.shape[dim : dim + 1] == (1,))}


_view(
    "squeeze(Tensor input, int[]? dim=None)",
    "Without the dims of size 1, or without those named.",
    "tri.zeros(2, 1, 3).squeeze().shape  # trilith.Size([2, 3])",
    canonical=_squeezed,
    apply=lambda view, a: views.squeeze(view, a["dim"]),
)
_view(
    "unsqueeze(Tensor input, int dim)",
    "With a dim of size 1 inserted.",
    "tri.zeros(2, 3).unsqueeze(1).shape  # trilith.Size([2, 1, 3])",
    canonical=lambda spec, a: {"dim": _new_dim(a["dim"], spec.rank)},
    apply=lambda view, a: views.unsqueeze(view, a["dim"]),
)


def _new_dim(dim: Any, rank: int) -> int:
    return wrap_dim(dim, rank + 1)


def _selected(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dim: Any = attributes["dim"]
    index: Any = attributes["index"]
    views.select(Strided(spec.shape, spec.strides), dim, index)
    dim = wrap_dim(dim, spec.rank)
    return {"dim": dim, "index": index + spec.shape[dim] if index < 0 else index}


_view(
    "select(Tensor input, int dim, int index)",
    "One index of a dim, which goes away.",
    "tri.tensor([[1, 2], [3, 4]]).select(0, 1)  # tensor([3, 4])",
    canonical=_selected,
    apply=lambda view, a: views.select(view, a["dim"], a["index"]),
)


def _narrowed(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dim: Any = attributes["dim"]
    start: Any = attributes["start"]
    length: Any = attributes["length"]
    views.narrow(Strided(spec.shape, spec.strides), dim, start, length)
    dim = wrap_dim(dim, spec.rank)
    return {
        "dim": dim,
        "start": start + spec.shape[dim] if start < 0 else start,
        "length": length,
    }


_view(
    "narrow(Tensor input, int dim, int start, int length)",
    "`length` indices of a dim from `start` on.",
    "tri.tensor([1, 2, 3, 4]).narrow(0, 1, 2)  # tensor([2, 3])",
    canonical=_narrowed,
    apply=lambda view, a: views.narrow(view, a["dim"], a["start"], a["length"]),
)


def _sliced(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    dim = wrap_dim(_integer(attributes["dim"]), spec.rank)
    step = _integer(attributes["step"])
    if step <= 0:
        raise TrilithValueError("step must be greater than zero")
    start: Any = attributes["start"]
    end: Any = attributes["end"]
    first, last, _ = slice(start, end).indices(spec.shape[dim])
    return {"dim": dim, "start": first, "end": max(first, last), "step": step}


def _integer(value: AttributeValue) -> int:
    assert isinstance(value, int)
    return value


_view(
    "slice(Tensor input, int dim=0, int? start=None, int? end=None, int step=1)",
    "Every `step`-th index of a dim from `start` up to `end`; out of range is clamped.",
    "tri.tensor([1, 2, 3, 4])[::2]  # tensor([1, 3])",
    canonical=_sliced,
    apply=lambda view, a: views.slice_dim(view, a["dim"], a["start"], a["end"], a["step"]),
    methods=(),
    is_public=False,
)


def _view_shape(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    sizes: Any = attributes["size"]
    return {"size": reshapes.infer_shape(sizes, spec.numel)}


_view(
    "view(Tensor input, int[]* size)",
    "The same elements in another shape, without a copy; -1 is inferred.",
    "tri.tensor([1, 2, 3, 4]).view(2, 2)  # tensor([[1, 2],\n#         [3, 4]])",
    canonical=_view_shape,
    apply=lambda view, a: reshapes.view(view, a["size"]),
    is_public=False,
    torch_name="Tensor.view",
)
_view(
    "movedim(Tensor input, int[] source, int[] destination)",
    "Dims moved to other places, the rest in their order.",
    "tri.zeros(2, 3, 5).movedim(0, 2).shape  # trilith.Size([3, 5, 2])",
    canonical=_wrapped("source", "destination"),
    apply=lambda view, a: views.movedim(view, a["source"], a["destination"]),
    methods=("movedim", "moveaxis"),
)
_view(
    "unfold(Tensor input, int dimension, int size, int step)",
    "Windows of `size` indices of a dim, every `step`; the window becomes the last dim.",
    "tri.arange(5).unfold(0, 3, 1).shape  # trilith.Size([3, 3])",
    canonical=_wrapped("dimension"),
    apply=lambda view, a: views.unfold(view, a["dimension"], a["size"], a["step"]),
    is_public=False,
    torch_name="Tensor.unfold",
)


def _diagonal_dims(spec: TensorSpec, attributes: Attributes) -> dict[str, AttributeValue]:
    values = _wrapped("dim1", "dim2")(spec, attributes)
    if values["dim1"] == values["dim2"]:
        raise TrilithRuntimeError(
            f"diagonal dimensions cannot be identical {attributes['dim1']}, {attributes['dim2']}"
        )
    return values


_view(
    "diagonal(Tensor input, int offset=0, int dim1=0, int dim2=1)",
    "The diagonal of two dims, which becomes the last dim.",
    "tri.tensor([[1, 2], [3, 4]]).diagonal()  # tensor([1, 4])",
    canonical=_diagonal_dims,
    apply=lambda view, a: views.diagonal(view, a["offset"], a["dim1"], a["dim2"]),
)


def _reshape(t: TensorLanguage, input: Any, shape: tuple[int, ...]) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    sizes = reshapes.infer_shape(shape, spec.numel)
    if reshapes.view_strides(spec.shape, spec.strides, sizes) is None:
        input = t.call("clone", input, memory_format=contiguous_format)
    return t.call("view", input, sizes)


def _flatten(t: TensorLanguage, input: Any, start_dim: int, end_dim: int) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    shape = reshapes.flatten_shape(spec.shape, start_dim, end_dim)
    is_one_dim = spec.rank and wrap_dim(start_dim, spec.rank) == wrap_dim(end_dim, spec.rank)
    return input if is_one_dim else t.call("reshape", input, shape)


def _transposed_matrix(t: TensorLanguage, input: Any) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    if not spec.rank:
        return input
    if spec.rank < 2:
        raise TrilithRuntimeError(
            "tensor.mT is only supported on matrices or batches of matrices. "
            f"Got {spec.rank}-D tensor."
        )
    return t.call("transpose", input, -2, -1)


def _reversed_dims(t: TensorLanguage, input: Any) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    return t.call("permute", input, tuple(reversed(range(spec.rank))))


_sugar(
    "reshape(Tensor input, int[]* shape)",
    "The same elements in another shape: a view if there is one, else a copy.",
    "tri.tensor([[1, 2], [3, 4]]).t().reshape(4)  # tensor([1, 3, 2, 4])",
    _reshape,
)
_sugar(
    "flatten(Tensor input, int start_dim=0, int end_dim=-1)",
    "The dims from start_dim to end_dim as one.",
    "tri.zeros(2, 3, 5).flatten(1).shape  # trilith.Size([2, 15])",
    _flatten,
)
_sugar(
    "numpy_T(Tensor input)",
    "The dims in reverse order: the attribute `T`.",
    "tri.zeros(2, 3).T.shape  # trilith.Size([3, 2])",
    _reversed_dims,
    ("T",),
    is_public=False,
)
_sugar(
    "matrix_T(Tensor input)",
    "The last two dims exchanged: the attribute `mT`.",
    "tri.zeros(2, 3, 5).mT.shape  # trilith.Size([2, 5, 3])",
    _transposed_matrix,
    ("mT",),
    is_public=False,
)
_view(
    "alias(Tensor input)",
    "The tensor itself as a new view of its storage.",
    "tri.tensor([1, 2])[...]  # tensor([1, 2])",
    canonical=_unchanged,
    apply=lambda view, a: view,
    methods=(),
    is_public=False,
)
