"""Which sizes, strides and offset does a view of a strided tensor have?

Every function takes a `Strided` and returns one; nothing is copied. `reshape` holds the views that
change the number of elements per dim. Errors are raised in PyTorch's words.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..diagnostics import TrilithIndexError, TrilithRuntimeError
from .dtype import DType
from .extents import MAXIMUM_INT64, are_not_negative, check_bounds, numel
from .strides import Ints


class Strided(NamedTuple):
    """Sizes, strides and storage offset, in elements.

    >>> Strided((4, 3), (3, 1))
    Strided(shape=(4, 3), strides=(3, 1), offset=0)
    """

    shape: Ints
    strides: Ints
    offset: int = 0


def wrap_dim(dim: int, rank: int) -> int:
    """Return the dim counted from the left; a 0-dim tensor has the dims -1 and 0.

    >>> wrap_dim(-1, 3)
    2
    """
    bound = rank or 1
    if -bound <= dim < bound:
        return dim + bound if dim < 0 else dim
    raise TrilithIndexError(
        "Dimension out of range "
        f"(expected to be in range of [{-bound}, {bound - 1}], but got {dim})"
    )


def wrap_dims(dims: Iterable[int], rank: int) -> Ints:
    """Return several dims counted from the left, none of them twice.

    >>> wrap_dims((0, -1), 3)
    (0, 2)
    """
    wrapped = tuple(wrap_dim(dim, rank) for dim in dims)
    for place, dim in enumerate(wrapped):
        if dim in wrapped[:place]:
            raise TrilithRuntimeError(f"dim {dim} appears multiple times in the list of dims")
    return wrapped


def _checked(view: Strided) -> Strided:
    """Return the view if its strides and offset fit into 64 bits."""
    if view.offset > MAXIMUM_INT64 or any(stride > MAXIMUM_INT64 for stride in view.strides):
        raise TrilithRuntimeError(
            f"Stride calculation overflowed with sizes={list(view.shape)} "
            f"and strides={list(view.strides)}"
        )
    return view


def permute(view: Strided, dims: Sequence[int]) -> Strided:
    """Return the view with its dims in another order.

    >>> permute(Strided((2, 3, 4), (12, 4, 1)), (2, 0, 1))
    Strided(shape=(4, 2, 3), strides=(1, 12, 4), offset=0)
    """
    shape, strides, offset = view
    rank = len(shape)
    if len(dims) != rank:
        raise TrilithRuntimeError(
            "permute(): number of dimensions in the tensor input does not match the length "
            f"of the desired ordering of dimensions i.e. input.dim() = {rank} "
            f"is not equal to len(dims) = {len(dims)}"
        )
    order: list[int] = []
    for dim in dims:
        wrapped = wrap_dim(dim, rank)
        if wrapped in order:
            raise TrilithRuntimeError("permute(): duplicate dims are not allowed.")
        order.append(wrapped)
    return Strided(
        tuple([shape[dim] for dim in order]), tuple([strides[dim] for dim in order]), offset
    )


def transpose(view: Strided, first: int, second: int) -> Strided:
    """Return the view with two dims exchanged.

    >>> transpose(Strided((4, 3), (3, 1)), 0, 1)
    Strided(shape=(3, 4), strides=(1, 3), offset=0)
    """
    rank = len(view.shape)
    first, second = wrap_dim(first, rank), wrap_dim(second, rank)
    if first == second:
        return view
    shape, strides = list(view.shape), list(view.strides)
    shape[first], shape[second] = shape[second], shape[first]
    strides[first], strides[second] = strides[second], strides[first]
    return Strided(tuple(shape), tuple(strides), view.offset)


def t(view: Strided) -> Strided:
    """Return the transpose of a matrix; vectors and 0-dim tensors stay.

    >>> t(Strided((2, 5), (5, 1)))
    Strided(shape=(5, 2), strides=(1, 5), offset=0)
    """
    rank = len(view.shape)
    if rank > 2:
        raise TrilithRuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {rank}D")
    return Strided(view.shape[::-1], view.strides[::-1], view.offset)


def movedim(view: Strided, source: int | Ints, destination: int | Ints) -> Strided:
    """Return the view with some dims at other places and the rest in their order.

    >>> movedim(Strided((2, 3, 4), (12, 4, 1)), 0, 2)
    Strided(shape=(3, 4, 2), strides=(4, 1, 12), offset=0)
    """
    sources = (source,) if isinstance(source, int) else tuple(source)
    destinations = (destination,) if isinstance(destination, int) else tuple(destination)
    if len(sources) != len(destinations):
        raise TrilithRuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) "
            "should contain the same number of dims as "
            f"destination ({list(destinations)} dims)"
        )
    rank = len(view.shape)
    wrapped_sources = [wrap_dim(dim, rank) for dim in sources]
    wrapped_destinations = [wrap_dim(dim, rank) for dim in destinations]
    for name, given, wrapped in (
        ("source", sources, wrapped_sources),
        ("destination", destinations, wrapped_destinations),
    ):
        if len(set(wrapped)) != len(wrapped):
            raise TrilithRuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    if rank == 0:
        return view
    places = dict(zip(wrapped_destinations, wrapped_sources, strict=True))
    rest = iter([dim for dim in range(rank) if dim not in wrapped_sources])
    return permute(view, [places[dim] if dim in places else next(rest) for dim in range(rank)])


def expand(view: Strided, sizes: Sequence[int], dtype: DType | None = None) -> Strided:
    """Return the view with dims of size 1 repeated by a stride of 0; -1 keeps a size.

    A new leading dim of size 1 has the stride that would pack it, as after `unsqueeze`; a 0-dim
    tensor has strides of 0 everywhere.

    `dtype` only names the tensor in an error.

    >>> expand(Strided((3, 1), (1, 1)), (2, -1, 4))
    Strided(shape=(2, 3, 4), strides=(0, 1, 0), offset=0)
    """
    shape, strides, offset = view
    missing = len(sizes) - len(shape)
    if missing < 0:
        name = "Tensor" if dtype is None else f"{dtype.c_name}Tensor"
        raise TrilithRuntimeError(
            f"expand(trilith.{name}{{{list(shape)}}}, size={list(sizes)}): the number of sizes "
            f"provided ({len(sizes)}) must be greater or equal to "
            f"the number of dimensions in the tensor ({len(shape)})"
        )
    new_shape: list[int] = []
    new_strides: list[int] = []
    packing = 0
    for dim in range(len(sizes) - 1, -1, -1):
        target = sizes[dim]
        leading = dim < missing
        size, stride = (1, packing) if leading else (shape[dim - missing], strides[dim - missing])
        if target == -1:
            if leading:
                raise TrilithRuntimeError(
                    f"The expanded size of the tensor ({target}) isn't allowed in a leading, "
                    f"non-existing dimension {dim}"
                )
            target = size
        elif size != target:
            if size != 1:
                raise TrilithRuntimeError(
                    f"The expanded size of the tensor ({target}) must match the existing size "
                    f"({size}) at non-singleton dimension {dim}.  "
                    f"Target sizes: {list(sizes)}.  Tensor sizes: {list(shape)}"
                )
            stride = 0
        packing = target * stride
        new_shape.append(target)
        new_strides.append(stride)
    result = Strided(tuple(new_shape[::-1]), tuple(new_strides[::-1]), offset)
    numel(result.shape)
    return _checked(result)


def squeeze(view: Strided, dims: int | Sequence[int] | None = None) -> Strided:
    """Return the view without its dims of size 1: all of them, one, or those given.

    >>> squeeze(Strided((1, 3, 1), (3, 1, 1))), squeeze(Strided((1, 3), (3, 1)), 1)
    (Strided(shape=(3,), strides=(1,), offset=0), Strided(shape=(1, 3), strides=(3, 1), offset=0))
    """
    shape, strides, offset = view
    rank = len(shape)
    if dims is None:
        chosen = range(rank)
    else:
        chosen = wrap_dims((dims,) if isinstance(dims, int) else dims, rank)
    kept = [dim for dim in range(rank) if dim not in chosen or shape[dim] != 1]
    return Strided(
        tuple([shape[dim] for dim in kept]), tuple([strides[dim] for dim in kept]), offset
    )


def unsqueeze(view: Strided, dim: int) -> Strided:
    """Return the view with a dim of size 1 inserted before the given place.

    >>> unsqueeze(Strided((3, 2, 4), (4, 12, 1)), 1)
    Strided(shape=(3, 1, 2, 4), strides=(4, 24, 12, 1), offset=0)
    """
    shape, strides, offset = view
    dim = wrap_dim(dim, len(shape) + 1)
    stride = shape[dim] * strides[dim] if dim < len(shape) else 1
    return _checked(
        Strided((*shape[:dim], 1, *shape[dim:]), (*strides[:dim], stride, *strides[dim:]), offset)
    )


def select(view: Strided, dim: int, index: int) -> Strided:
    """Return the view at one index of a dim, without that dim.

    >>> select(Strided((2, 3, 4), (12, 4, 1)), 1, -1)
    Strided(shape=(2, 4), strides=(12, 1), offset=8)
    """
    shape, strides, offset = view
    if not shape:
        raise TrilithIndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, len(shape))
    size = shape[dim]
    if not -size <= index < size:
        raise TrilithIndexError(
            f"select(): index {index} out of range for tensor of size {list(shape)} "
            f"at dimension {dim}"
        )
    return Strided(
        shape[:dim] + shape[dim + 1 :],
        strides[:dim] + strides[dim + 1 :],
        offset + (index + size if index < 0 else index) * strides[dim],
    )


def narrow(view: Strided, dim: int, start: int, length: int) -> Strided:
    """Return `length` places of a dim from `start` on; out of range is an error.

    >>> narrow(Strided((2, 3, 4), (12, 4, 1)), 1, 1, 2)
    Strided(shape=(2, 2, 4), strides=(12, 4, 1), offset=4)
    """
    if not view.shape:
        raise TrilithRuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise TrilithRuntimeError("narrow(): length must be non-negative.")
    dim = wrap_dim(dim, len(view.shape))
    size = view.shape[dim]
    if not -size <= start <= size:
        raise TrilithIndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    start = start + size if start < 0 else start
    if start + length > size:
        raise TrilithRuntimeError(
            f"start ({start}) + length ({length}) exceeds dimension size ({size})."
        )
    return slice_dim(view, dim, start, start + length)


def slice_dim(
    view: Strided, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Strided:
    """Return every `step`-th place of a dim from `start` to before `end`, clamped to the size.

    >>> slice_dim(Strided((2, 3, 4), (12, 4, 1)), 2, None, None, 3)
    Strided(shape=(2, 3, 2), strides=(12, 4, 3), offset=0)
    """
    shape, strides, offset = view
    if not shape:
        raise TrilithIndexError("slice() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, len(shape))
    if step <= 0:
        raise TrilithRuntimeError("slice step must be positive")
    size, stride = shape[dim], strides[dim]
    start, end = slice_bounds(start, end, size)
    length = -((start - end) // step) if start < end else 0
    return _checked(
        Strided(
            (*shape[:dim], length, *shape[dim + 1 :]),
            (*strides[:dim], stride * step, *strides[dim + 1 :]),
            offset + start * stride,
        )
    )


def slice_bounds(start: int | None, end: int | None, size: int) -> tuple[int, int]:
    """Return where a slice of a dim begins and ends, as `slice.indices` does, by comparisons.

    >>> slice_bounds(None, -1, 5), slice_bounds(-9, 9, 5), slice(-9, 9).indices(5)[:2]
    ((0, 4), (0, 5), (0, 5))
    """
    return _clamped(start, 0, size), _clamped(end, size, size)


def _clamped(bound: int | None, default: int, size: int) -> int:
    if bound is None:
        return default
    if bound < 0:
        bound = bound + size
        return 0 if bound < 0 else bound
    return size if bound > size else bound


def split_lengths(size: int, split_size: int | Sequence[int], dim: int = 0) -> Ints:
    """Return the lengths of the parts that `split` makes of a dim.

    >>> split_lengths(5, 2), split_lengths(0, 0)
    ((2, 2, 1), (0,))
    """
    if not isinstance(split_size, int):
        sizes = list(split_size)
        if min(sizes, default=0) < 0:
            raise TrilithRuntimeError(
                "split_with_sizes expects split_sizes have only non-negative entries, "
                f"but got split_sizes={sizes}"
            )
        if sum(sizes) != size:
            raise TrilithRuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's "
                f"size at dimension {dim}), but got split_sizes={sizes}"
            )
        return tuple(sizes)
    if split_size == 0:
        if size != 0:
            raise TrilithRuntimeError(
                f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}"
            )
        return (0,)
    if size == 0:
        return (0,)
    return tuple(min(split_size, size - start) for start in range(0, size, split_size))


def split(view: Strided, split_size: int | Sequence[int], dim: int = 0) -> tuple[Strided, ...]:
    """Return consecutive parts of a dim: of one length, or of the lengths given.

    >>> [part.offset for part in split(Strided((2, 3, 4), (12, 4, 1)), 2, 1)]
    [0, 8]
    """
    if not view.shape:
        raise TrilithRuntimeError("split expects at least a 1-dimensional tensor")
    if isinstance(split_size, int) and split_size < 0:
        raise TrilithRuntimeError(
            f"split expects split_size be non-negative, but got split_size={split_size}"
        )
    wrapped = wrap_dim(dim, len(view.shape))
    start = 0
    parts: list[Strided] = []
    for length in split_lengths(view.shape[wrapped], split_size, dim):
        parts.append(slice_dim(view, wrapped, start, start + length))
        start += length
    return tuple(parts)


def chunk(view: Strided, chunks: int, dim: int = 0) -> tuple[Strided, ...]:
    """Return at most `chunks` parts of equal length, the last one shorter.

    >>> [part.shape for part in chunk(Strided((5,), (1,)), 2)]
    [(3,), (2,)]
    """
    if not view.shape:
        raise TrilithRuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise TrilithRuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = view.shape[wrap_dim(dim, len(view.shape))]
    return split(view, (0,) * chunks if size == 0 else -(-size // chunks), dim)


def unbind(view: Strided, dim: int = 0) -> tuple[Strided, ...]:
    """Return the view at every index of a dim.

    >>> [part.offset for part in unbind(Strided((2, 3), (3, 1)), 1)]
    [0, 1, 2]
    """
    dim = wrap_dim(dim, len(view.shape))
    if not view.shape:
        raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return tuple(select(view, dim, index) for index in range(view.shape[dim]))


def unfold(view: Strided, dim: int, size: int, step: int) -> Strided:
    """Return windows of `size` places every `step` places of a dim; the window is the last dim.

    >>> unfold(Strided((2, 3, 4), (12, 4, 1)), 2, 2, 1)
    Strided(shape=(2, 3, 3, 2), strides=(12, 4, 1, 1), offset=0)
    """
    shape, strides, offset = view
    dim = wrap_dim(dim, len(shape))
    if size < 0:
        raise TrilithRuntimeError(f"size is {size} but must be >= 0")
    longest = shape[dim] if shape else 1
    if size > longest:
        raise TrilithRuntimeError(
            f"maximum size for tensor at dimension {dim} is {longest} but size is {size}"
        )
    if step <= 0:
        raise TrilithRuntimeError(f"step is {step} but must be > 0")
    if not shape:
        return Strided((size,), (1,), offset)
    windows = (longest - size) // step + 1
    return _checked(
        Strided(
            (*shape[:dim], windows, *shape[dim + 1 :], size),
            (*strides[:dim], strides[dim] * step, *strides[dim + 1 :], strides[dim]),
            offset,
        )
    )


def diagonal(view: Strided, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Strided:
    """Return a diagonal of two dims as the last dim; a positive offset lies above the main one.

    >>> diagonal(Strided((2, 3, 4), (12, 4, 1)), 1)
    Strided(shape=(4, 2), strides=(1, 16), offset=4)
    """
    shape, strides, start = view
    rank = len(shape)
    first, second = wrap_dim(dim1, rank), wrap_dim(dim2, rank)
    if first == second:
        raise TrilithRuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    rows = shape[first] + min(offset, 0)
    columns = shape[second] - max(offset, 0)
    length = max(0, min(rows, columns))
    if length:
        start += offset * strides[second] if offset >= 0 else -offset * strides[first]
    kept = [dim for dim in range(rank) if dim not in {first, second}]
    return _checked(
        Strided(
            (*[shape[dim] for dim in kept], length),
            (*[strides[dim] for dim in kept], strides[first] + strides[second]),
            start,
        )
    )


def restride(view: Strided, sizes: Ints, strides: Ints, offset: int = 0) -> Strided:
    """Return any sizes and strides, `offset` elements after the first one of the view.

    Whether they lie in the storage is proven where the storage is known: by `check_bounds`.

    >>> restride(Strided((4,), (1,), 6), (2, 2), (1, 2), -1)
    Strided(shape=(2, 2), strides=(1, 2), offset=5)
    """
    if len(sizes) != len(strides):
        raise TrilithRuntimeError("mismatch in length of strides and shape")
    if not are_not_negative(strides):
        raise TrilithRuntimeError(
            "as_strided: Negative strides are not supported at the moment, "
            f"got strides: {list(strides)}"
        )
    if not are_not_negative(sizes):
        raise TrilithRuntimeError(
            f"Storage size calculation overflowed with sizes={list(sizes)} "
            f"and strides={list(strides)}"
        )
    return Strided(sizes, strides, view.offset + offset)


def as_strided(
    view: Strided,
    sizes: Ints,
    strides: Ints,
    offset: int | None,
    *,
    itemsize: int,
    storage_nbytes: int,
) -> Strided:
    """Return any sizes and strides on the same storage, proven to lie inside it.

    Without an offset the view's own is kept.

    >>> as_strided(Strided((4,), (1,)), (2, 2), (1, 2), 0, itemsize=4, storage_nbytes=16)
    Strided(shape=(2, 2), strides=(1, 2), offset=0)
    """
    result = restride(view, sizes, strides, 0 if offset is None else offset - view.offset)
    check_bounds(*result, itemsize, storage_nbytes)
    return result
