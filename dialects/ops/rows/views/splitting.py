"""Which operations cut a tensor into several? split, chunk, unbind: tuples of views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from ....attributes.dtype import int64
from ....attributes.spec import TensorSpec
from ....attributes.views import split_lengths, wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.opspec import CompositeOp
from ...frame.row import TensorLanguage, registering
from ...frame.schema import Schema, parse_schema
from ...frame.view_rows import tensor_of
from ...gradients.views import OF_CHUNK, OF_SPLIT, OF_SPLIT_WITH_SIZES, OF_UNBIND

#: Adds an operation that gives slices and indices of one dim of its first operand.
_cutting = registering(partial(CompositeOp, is_cutting=True, returns="tuple[Tensor, ...]"))


def _parts(t: TensorLanguage, input: Any, dim: int, lengths: Sequence[int]) -> tuple[Any, ...]:
    """Return consecutive parts of a dim."""
    starts = [0]
    for length in lengths:
        starts.append(starts[-1] + length)
    return tuple([t.call("slice", input, dim, first, last) for first, last in pairwise(starts)])


def _renamed(keywords: Mapping[str, Any], **names: str) -> dict[str, Any]:
    """Return keywords under the one name that the signature knows them by."""
    return {names.get(name, name): value for name, value in keywords.items()}


# ---- split and chunk

_BY_SIZE = parse_schema("split(Tensor tensor, int split_size_or_sections, int dim=0)")
_BY_SIZES = parse_schema("split_with_sizes(Tensor tensor, int[] split_sizes, int dim=0)")


def _bind_split(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Tell the length of the parts from a list of lengths; the method has another name for it."""
    keywords = _renamed(keywords, split_size="split_size_or_sections", self="tensor")
    value = arguments[1] if len(arguments) > 1 else keywords.get("split_size_or_sections", 0)
    if type(value) is int:
        return _BY_SIZE.bind(arguments, keywords)
    bound = _BY_SIZES.bind(arguments, _renamed(keywords, split_size_or_sections="split_sizes"))
    return {
        "tensor": bound["tensor"],
        "split_size_or_sections": bound["split_sizes"],
        "dim": bound["dim"],
    }


def _split(t: TensorLanguage, tensor: Any, split_size_or_sections: Any, dim: int) -> Any:
    spec = tensor_of(t, tensor)
    if not spec.shape:
        raise TrilithRuntimeError("split expects at least a 1-dimensional tensor")
    if isinstance(split_size_or_sections, int) and split_size_or_sections < 0:
        raise TrilithRuntimeError(
            f"split expects split_size be non-negative, but got split_size={split_size_or_sections}"
        )
    wrapped = wrap_dim(dim, spec.rank)
    lengths = split_lengths(spec.shape[wrapped], split_size_or_sections, dim)
    return _parts(t, tensor, wrapped, lengths)


def _split_with_sizes(t: TensorLanguage, input: Any, split_sizes: Any, dim: int) -> Any:
    return _split(t, input, split_sizes, dim)


def _chunk(t: TensorLanguage, input: Any, chunks: int, dim: int) -> Any:
    spec = tensor_of(t, input)
    if not spec.shape:
        raise TrilithRuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise TrilithRuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = spec.shape[wrap_dim(dim, spec.rank)]
    return _split(t, input, (0,) * chunks if size == 0 else -(-size // chunks), dim)


_cutting(
    "split(Tensor tensor, int[] split_size_or_sections, int dim=0)",
    "Parts of a dim as views, of one length or of the lengths given.",
    "[part.tolist() for part in tri.arange(5).split(2)]  # [[0, 1], [2, 3], [4]]",
    _split,
    methods=("split", "unsafe_split"),
    binder=_bind_split,
    gradient=OF_SPLIT,
    forms=(
        "split(Tensor tensor, int[] split_size, int dim=0)",
        "split(Tensor tensor, int[] split_size_or_sections, int dim=0)",
    ),
)
_cutting(
    "split_with_sizes(Tensor input, int[] split_sizes, int dim=0)",
    "Parts of a dim as views, of the lengths given.",
    "[part.tolist() for part in tri.arange(3).split_with_sizes((1, 2))]  # [[0], [1, 2]]",
    _split_with_sizes,
    methods=("split_with_sizes", "unsafe_split_with_sizes"),
    parts="split_sizes",
    gradient=OF_SPLIT_WITH_SIZES,
)
_cutting(
    "chunk(Tensor input, int chunks, int dim=0)",
    "At most `chunks` parts of a dim as views, of equal length but for the last.",
    "[part.tolist() for part in tri.arange(5).chunk(2)]  # [[0, 1, 2], [3, 4]]",
    _chunk,
    methods=("chunk", "unsafe_chunk"),
    parts="chunks",
    gradient=OF_CHUNK,
)

# ---- tensor_split and its kin

_ENTRY = "indices_or_sections"


def _bind_sections(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Tell a number of parts from the places to cut at, which may be a tensor."""
    aliases = dict.fromkeys(("indices", "sections", "tensor_indices_or_sections"), _ENTRY)
    keywords = _renamed(keywords, **aliases)
    value: Any = arguments[1] if len(arguments) > 1 else keywords.get(_ENTRY)
    is_number = type(value) is int
    if isinstance(getattr(value, "spec", None), TensorSpec):
        _check_sections(value)
        value = value.tolist()
        is_number = type(value) is int
        if len(arguments) > 1:
            arguments = (arguments[0], value, *arguments[2:])
        else:
            keywords[_ENTRY] = value
    bound = schema.bind(arguments, keywords)
    if is_number:
        bound[_ENTRY] = value
    return bound


def _check_sections(value: Any) -> None:
    spec: TensorSpec = value.spec
    what = "tensor_split expected tensor_indices_or_sections to"
    if spec.dtype is not int64:
        raise TrilithRuntimeError(f"{what} have dtype of long, but got {spec.dtype.c_name}")
    if spec.rank > 1:
        raise TrilithRuntimeError(
            f"{what} be a zero-dimensional or one-dimensional tensor, "
            f"but got a tensor with {spec.rank} dims"
        )


def _tensor_split(t: TensorLanguage, input: Any, indices_or_sections: Any, dim: int) -> Any:
    spec = tensor_of(t, input)
    if not spec.shape:
        raise TrilithRuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    dim = wrap_dim(dim, spec.rank)
    if isinstance(indices_or_sections, int):
        return _parts(t, input, dim, _even_lengths(spec.shape[dim], indices_or_sections))
    bounds = (0, *indices_or_sections, spec.shape[dim])
    return tuple([t.call("slice", input, dim, first, last) for first, last in pairwise(bounds)])


def _even_lengths(size: int, sections: int) -> list[int]:
    if sections <= 0:
        raise TrilithRuntimeError(f"number of sections must be larger than 0, got {sections}")
    short, longer = divmod(size, sections)
    return [short + (place < longer) for place in range(sections)]


_cutting(
    "tensor_split(Tensor input, int[] indices_or_sections, int dim=0)",
    "Parts of a dim as views: so many, or cut at the places given.",
    "[part.tolist() for part in tri.arange(5).tensor_split((1, 3))]  # [[0], [1, 2], [3, 4]]",
    _tensor_split,
    binder=_bind_sections,
)


def _along(name: str, minimum: int, dim: int) -> Any:
    """Return how `name` cuts dim `dim` of a tensor of at least `minimum` dims."""

    def expand(t: TensorLanguage, input: Any, indices_or_sections: Any) -> Any:
        spec = tensor_of(t, input)
        if spec.rank < minimum:
            raise TrilithRuntimeError(
                f"trilith.{name} requires a tensor with at least {minimum} dimension, "
                f"but got a tensor with {spec.rank} dimensions!"
            )
        place = min(dim, spec.rank - 1)
        sections, size = indices_or_sections, spec.shape[place]
        if isinstance(sections, int) and (sections == 0 or size % sections):
            raise TrilithRuntimeError(
                f"trilith.{name} attempted to split along dimension {place}, but the size of the "
                f"dimension {size} is not divisible by the split_size {sections}!"
            )
        return _tensor_split(t, input, sections, place)

    return expand


for _name, _minimum, _dim, _word, _shape in (
    ("hsplit", 1, 1, "second dim, of vectors of the first,", "4"),
    ("vsplit", 2, 0, "first dim", "4, 1"),
    ("dsplit", 3, 2, "third dim", "1, 1, 4"),
):
    _cutting(
        f"{_name}(Tensor input, int[] indices_or_sections)",
        f"Parts of the {_word} as views: so many of equal length, or cut at the places given.",
        f"len(tri.zeros({_shape}).{_name}(2))  # 2",
        _along(_name, _minimum, _dim),
        binder=_bind_sections,
    )


def _unbind(t: TensorLanguage, input: Any, dim: int) -> Any:
    spec = tensor_of(t, input)
    dim = wrap_dim(dim, spec.rank)
    if not spec.shape:
        raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return tuple([t.call("select", input, dim, index) for index in range(spec.shape[dim])])


_cutting(
    "unbind(Tensor input, int dim=0)",
    "The views at every index of a dim.",
    "[part.tolist() for part in tri.tensor([[1, 2], [3, 4]]).unbind(1)]  # [[1, 3], [2, 4]]",
    _unbind,
    gradient=OF_UNBIND,
)
