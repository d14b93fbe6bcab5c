"""Which views group the same elements into other dims, or the same bytes into other elements?"""

from collections.abc import Sequence
from math import prod

from ..diagnostics import TrilithRuntimeError
from .dtype import DType, float16, float32, float64
from .extents import are_equal, are_not_negative, numel
from .strides import Ints, contiguous_strides
from .symint import expression_of, is_symbolic
from .views import Strided, wrap_dim

NOT_VIEWABLE = (
    "view size is not compatible with input tensor's size and stride (at least one dimension spans "
    "across two contiguous subspaces). Use .reshape(...) instead."
)


def infer_shape(sizes: Sequence[int], elements: int) -> Ints:
    """Return the target sizes with a -1 replaced by what is left of the elements.

    >>> infer_shape((6, -1), 24)
    (6, 4)
    """
    target = tuple(sizes)
    known = prod(target)
    if are_not_negative(target) and known == elements:
        if known == 0:
            numel(target)
        return target
    inferred = None
    known = 1
    for dim, size in enumerate(target):
        if size == -1:
            if inferred is not None:
                raise TrilithRuntimeError("only one dimension can be inferred")
            inferred = dim
        elif size < 0:
            raise TrilithRuntimeError(
                f"invalid shape dimension {size} at index {dim} of shape {list(target)}"
            )
        else:
            known *= size
    if inferred is None or (elements % known if known else elements):
        raise TrilithRuntimeError(f"shape '{list(target)}' is invalid for input of size {elements}")
    if known == 0:
        raise TrilithRuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(target)} because the "
            "unspecified dimension size -1 can be any value and is ambiguous"
        )
    return (*target[:inferred], elements // known, *target[inferred + 1 :])


def view_strides(shape: Ints, strides: Ints, target: Ints) -> Ints | None:
    """Return the strides under which the target shape views the same elements, None if none do.

    Both shapes have the same number of elements.

    >>> view_strides((2, 3, 4), (12, 4, 1), (6, 4))
    (4, 1)
    >>> view_strides((3, 4), (1, 3), (12,)) is None
    True
    """
    if not shape:
        return (1,) * len(target)
    if are_equal(shape, target):
        # For no elements this is PyTorch's rule; for others the walk gives the same strides,
        # but for dims of size 1, which it may give another one.
        if 0 in shape:
            return strides
    elif 0 in shape:
        return contiguous_strides(target)
    if strides == (packed := contiguous_strides(shape)):
        return packed if are_equal(shape, target) else contiguous_strides(target)
    return _walk(shape, strides, target)


def _walk(shape: Ints, strides: Ints, target: Ints) -> Ints | None:
    """Close chunks of dims that lie as one from the right and deal them out to the target."""
    result = [0] * len(target)
    view_dim = len(target) - 1
    base = strides[-1]
    chunk = 1
    for dim in range(len(shape) - 1, -1, -1):
        chunk *= shape[dim]
        if dim > 0 and shape[dim - 1] == 1:
            continue
        # Where the target has this very chunk, too, it is the same whether the next dim lies in
        # one with it: a size that is a symbol is not asked.
        is_alone = view_dim >= 0 and _is_known_as(target[view_dim], chunk)
        if dim > 0 and not is_alone and strides[dim - 1] == chunk * base:
            continue
        filled = 1
        while view_dim >= 0 and (filled < chunk or target[view_dim] == 1):
            result[view_dim] = filled * base
            filled *= target[view_dim]
            view_dim -= 1
        if filled != chunk:
            return None
        if dim > 0:
            base = strides[dim - 1]
            chunk = 1
    return tuple(result) if view_dim < 0 else None


def _is_known_as(size: int, other: int) -> bool:
    """Whether two sizes are one that is not 1, or expressions that are written alike."""
    if is_symbolic((size,)) and is_symbolic((other,)):
        return expression_of(size) == expression_of(other) and other > 1
    return type(size) is int and type(other) is int and size == other != 1


def reshape(view: Strided, sizes: Sequence[int]) -> Strided | None:
    """Return the view of other sizes, or None if the elements have to be copied first.

    >>> reshape(Strided((2, 3), (1, 2)), (-1,)) is None
    True
    >>> reshape(Strided((2, 3), (3, 1), 5), (-1,))
    Strided(shape=(6,), strides=(1,), offset=5)
    """
    target = infer_shape(sizes, prod(view.shape))
    strides = view_strides(view.shape, view.strides, target)
    return None if strides is None else Strided(target, strides, view.offset)


def view(source: Strided, sizes: Sequence[int]) -> Strided:
    """Return the view of other sizes, or raise if the elements would have to be copied.

    >>> view(Strided((2, 3, 4), (12, 4, 1)), (6, -1))
    Strided(shape=(6, 4), strides=(4, 1), offset=0)
    """
    found = reshape(source, sizes)
    if found is None:
        raise TrilithRuntimeError(NOT_VIEWABLE)
    return found


def flatten_shape(shape: Ints, start: int = 0, end: int = -1) -> Ints:
    """Return the sizes with the dims from start to end made into one; 0-dim becomes one dim.

    >>> flatten_shape((2, 3, 4), 1), flatten_shape(())
    ((2, 12), (1,))
    """
    rank = len(shape)
    start, end = wrap_dim(start, rank), wrap_dim(end, rank)
    if start > end:
        raise TrilithRuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    return (*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :])


def flatten(view: Strided, start: int = 0, end: int = -1) -> Strided | None:
    """Return the view with the dims from start to end made into one, None if a copy is needed.

    >>> flatten(Strided((2, 3, 4), (12, 4, 1)), 1)
    Strided(shape=(2, 12), strides=(12, 1), offset=0)
    """
    return reshape(view, flatten_shape(view.shape, start, end))


def unflatten(source: Strided, dim: int, sizes: Sequence[int]) -> Strided:
    """Return the view with one dim made into several.

    >>> unflatten(Strided((2, 4), (4, 1)), 1, (2, -1))
    Strided(shape=(2, 2, 2), strides=(4, 2, 1), offset=0)
    """
    if not sizes:
        raise TrilithRuntimeError("unflatten: sizes must be non-empty")
    rank = len(source.shape)
    wrapped = wrap_dim(dim, rank)
    if rank == 0:
        reason = "Dimension specified as 0 but tensor has no dimensions"
        raise TrilithRuntimeError(f"unflatten got an unexpected error:\n{reason}")
    size = source.shape[wrapped]
    try:
        parts = infer_shape(sizes, size)
    except TrilithRuntimeError as error:
        if not error.message.startswith("shape '"):
            raise TrilithRuntimeError(
                f"unflatten got an unexpected error:\n{error.message}"
            ) from None
        raise TrilithRuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size "
            f"of dim {wrapped} ({size}) in the input tensor"
        ) from None
    return view(source, (*source.shape[:wrapped], *parts, *source.shape[wrapped + 1 :]))


def view_dtype(source: Strided, dtype: DType, target: DType) -> Strided:
    """Return the view of the same bytes as elements of another dtype.

    >>> from trilith.dialects.attributes.dtype import int16
    >>> view_dtype(Strided((2, 3), (3, 1), 6), float32, int16)
    Strided(shape=(2, 6), strides=(6, 1), offset=12)
    """
    shape, strides, offset = source
    if dtype.itemsize == target.itemsize:
        return source
    names = f"to view {dtype.c_name} as {target.c_name} (different element sizes)"
    if not shape:
        raise TrilithRuntimeError(f"self.dim() cannot be 0 {names}")
    factor = dtype.itemsize // target.itemsize
    if factor == 0:
        return _widened(source, target.itemsize // dtype.itemsize, names)
    _check_last_stride(strides, names)
    return Strided(
        (*shape[:-1], shape[-1] * factor),
        (*[stride * factor for stride in strides[:-1]], 1),
        offset * factor,
    )


def _widened(source: Strided, factor: int, names: str) -> Strided:
    """Return the view that takes `factor` elements as one, with PyTorch's order of checks."""
    shape, strides, offset = source
    _check_divisible("self.size(-1)", shape[-1], factor, names)
    _check_divisible("self.storage_offset()", offset, factor, names)
    _check_last_stride(strides, names)
    for dim, stride in enumerate(strides[:-1]):
        _check_divisible(f"self.stride({dim})", stride, factor, names)
    return Strided(
        (*shape[:-1], shape[-1] // factor),
        (*[stride // factor for stride in strides[:-1]], 1),
        offset // factor,
    )


def _check_last_stride(strides: Ints, names: str) -> None:
    if strides[-1] != 1:
        raise TrilithRuntimeError(f"self.stride(-1) must be 1 {names}, but got {strides[-1]}")


def _check_divisible(what: str, value: int, factor: int, names: str) -> None:
    if value % factor:
        raise TrilithRuntimeError(f"{what} must be divisible by {factor} {names}, but got {value}")


def view_as_real(source: Strided, dtype: DType) -> Strided:
    """Return the view of complex numbers as pairs of real ones in a new last dim.

    >>> from trilith.dialects.attributes.dtype import complex64
    >>> view_as_real(Strided((3,), (1,), 2), complex64)
    Strided(shape=(3, 2), strides=(2, 1), offset=4)
    """
    if not dtype.is_complex:
        raise TrilithRuntimeError("view_as_real is only supported for complex tensors")
    strides = tuple(2 * stride for stride in source.strides)
    return Strided((*source.shape, 2), (*strides, 1), 2 * source.offset)


def view_as_complex(source: Strided, dtype: DType) -> Strided:
    """Return the view of pairs of real numbers in the last dim as complex ones.

    >>> view_as_complex(Strided((3, 2), (2, 1), 4), float32)
    Strided(shape=(3,), strides=(1,), offset=2)
    """
    shape, strides, offset = source
    if dtype not in {float16, float32, float64}:
        raise TrilithRuntimeError(
            "view_as_complex is only supported for half, float and double tensors, "
            f"but got a tensor of scalar type: {dtype.c_name}"
        )
    if not shape:
        raise TrilithRuntimeError("Input tensor must have one or more dimensions")
    if shape[-1] != 2:
        raise TrilithRuntimeError("Tensor must have a last dimension of size 2")
    if strides[-1] != 1:
        raise TrilithRuntimeError("Tensor must have a last dimension with stride 1")
    outer = zip(shape[:-1], strides[:-1], strict=True)
    if any(stride % 2 and size != 1 for size, stride in outer):
        raise TrilithRuntimeError(
            "Tensor must have a stride divisible by 2 for all but last dimension"
        )
    if offset % 2:
        raise TrilithRuntimeError("Tensor must have a storage_offset divisible by 2")
    return Strided(shape[:-1], tuple(stride // 2 for stride in strides[:-1]), offset // 2)
