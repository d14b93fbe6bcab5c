"""Which operations put the same elements into other places? repeat, flip, roll: always copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import int32, int64
from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.strides import preserve_strides
from ....attributes.views import Strided, wrap_dim, wrap_dims
from ....diagnostics import (
    TrilithIndexError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from ...frame.gradients import CONSTANT
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.mapped_dims import along
from ...frame.opspec import JoinOp, composite
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import ARITHMETIC, COMPLEX, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.joining import OF_FLIP, OF_REPEAT, OF_ROLL, OF_ROT90
from ...gradients.views import OF_COPIES
from ..views.storage_views import bind_view, view_of

# ---- repetition


def _repeat(t: TensorLanguage, input: Any, repeats: tuple[int, ...]) -> Any:
    """Give each dim one of stride 0 before it, copy, and merge the pairs."""
    shape = tensor_of(t, input).shape
    missing = len(repeats) - len(shape)
    if missing < 0:
        raise TrilithRuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    padded = (1,) * missing + shape
    target = tuple([size * count for size, count in zip(padded, repeats, strict=True)])
    if min(target, default=0) < 0:
        size = next(size for size in target if size < 0)
        raise TrilithRuntimeError(
            f"Trying to create tensor with negative dimension {size}: {list(target)}"
        )
    value, wide = input, list[int]()
    for dim, (size, count) in enumerate(zip(padded, repeats, strict=True)):
        if dim < missing:
            value = t.call("unsqueeze", value, 2 * dim)
        value = t.call("unsqueeze", value, 2 * dim)
        wide += [count, size]
    value = t.call("expand", value, tuple(wide))
    return t.call("view", t.call("clone", value, memory_format=contiguous_format), target)


def _tile(t: TensorLanguage, input: Any, dims: tuple[int, ...]) -> Any:
    missing = tensor_of(t, input).rank - len(dims)
    return t.call("repeat", input, (1,) * missing + dims)


def _repeat_interleave(
    t: ValueLanguage, input: Any, repeats: Any, dim: int | None, output_size: int | None
) -> Any:
    value = t.call("flatten", input) if dim is None else input
    shape = tensor_of(t, value).shape
    given = t.spec(repeats)
    if isinstance(given, TensorSpec) and given.rank > 1:
        raise TrilithRuntimeError("repeats must be 0-dim or 1-dim tensor")
    dim = wrap_dim(dim or 0, len(shape))
    if not isinstance(repeats, int):
        places = _repeated_places(t, repeats, shape[dim] if shape else 1, dim, output_size)
        return t.call("index_select", value, dim, places)
    if repeats < 0:
        raise TrilithRuntimeError("Repeats must be non-negative")
    value = t.call("unsqueeze", value, dim + 1)
    expanded = (*shape[: dim + 1], repeats, *shape[dim + 1 :])
    value = t.call("expand", value, expanded)
    size = shape[dim] * repeats if shape else repeats
    if output_size is not None and output_size != size:
        raise TrilithRuntimeError(
            f"repeat_interleave: Invalid output_size, expected {size} but got {output_size}"
        )
    copied = t.call("clone", value, memory_format=contiguous_format)
    return t.call("flatten", copied, dim, dim + 1)


def _repeated_indices(t: ValueLanguage, repeats: Any, output_size: int | None) -> Any:
    spec = tensor_of(t, repeats)
    if spec.rank != 1:
        raise TrilithRuntimeError("repeat_interleave only accept 1D vector as repeat")
    places = _repeated_places(t, repeats, spec.numel, 0, output_size)
    return t.call("to", places, spec.dtype)


_COUNTS = frozenset({int32, int64})


def _repeated_places(
    t: ValueLanguage, repeats: Any, size: int, dim: int, output_size: int | None
) -> Any:
    """Return each index of a dim as often as `repeats` says, in a row."""
    spec = t.spec(repeats)
    if not isinstance(spec, TensorSpec):
        raise TrilithTypeError(
            "repeat_interleave(): argument 'repeats' must be Tensor or int, not "
            f"{type(repeats).__name__}"
        )
    check_dtype("repeat_interleave", spec.dtype, _COUNTS)
    if spec.numel not in (1, size):
        raise TrilithRuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{spec.numel} and input.size({dim}) = {size}"
        )
    if not spec.device.has_values:
        if output_size is None:
            device = spec.device.type
            raise TrilithRuntimeError(
                f"cannot repeat_interleave a {device} tensor without output_size"
            )
        return t.call("empty", (output_size,), dtype=int64, device=spec.device)
    counts = t.call("expand", t.call("reshape", repeats, (spec.numel,)), (size,))
    most = t.number(t.call("amax", counts)) if size else 0
    least = t.number(t.call("amin", counts)) if size else 0
    if most is None or least is None:
        if output_size is None:
            # Values are not known: this refuses.
            return t.positions(counts, "say how many elements there will be: output_size=...")
        steps = t.call("arange", output_size, device=spec.device)
        return t.call("searchsorted", t.call("cumsum", counts, 0), steps, right=True)
    if least < 0:
        raise TrilithRuntimeError("repeats can not be negative")
    total = (t.number(t.call("sum", counts)) if most else 0) or 0
    if output_size is not None and output_size != total:
        raise TrilithRuntimeError(
            "allocated size does not match required size",
            hint=f"output_size must be {total}, but is {output_size}",
        )
    # A one where each index begins: how many have begun says which one it is.
    ends = t.call("cumsum", counts, 0)
    begun = t.call("zeros", (total + 1,), dtype=int64, device=spec.device)
    ones = t.call("ones", (size,), dtype=int64, device=spec.device)
    begun = t.call("index_add", begun, 0, t.call("sub", ends, counts), ones)
    return t.call("sub", t.call("cumsum", t.call("narrow", begun, 0, 0, total), 0), 1)


composite(
    "repeat(Tensor input, SymInt[]* repeats)",
    "The tensor repeated along its dims, and new ones on the left, as a copy.",
    "tri.tensor([1, 2]).repeat(2, 2)  # tensor([[1, 2, 1, 2],\n#         [1, 2, 1, 2]])",
    _repeat,
    is_public=False,
    torch_name="Tensor.repeat",
    gradient=OF_REPEAT,
)
composite(
    "tile(Tensor input, SymInt[]* dims)",
    "The tensor repeated along its last dims, as a copy.",
    "tri.tensor([1, 2]).tile(2)  # tensor([1, 2, 1, 2])",
    _tile,
)
TABLE.add(
    HostOp(
        "repeat_interleave(Tensor input, Operand repeats, int? dim=None, *, int? output_size=None)",
        "Each index of a dim so many times in a row, or as a tensor says for each; without a "
        "dim each element.",
        "tri.tensor([1, 2]).repeat_interleave(2)  # tensor([1, 1, 2, 2])",
        _repeat_interleave,
        has_out=False,
        alone="repeated_indices",
    )
)
TABLE.add(
    HostOp(
        "repeated_indices(Tensor repeats, *, int? output_size=None)",
        "Each index as many times in a row as a tensor says for it.",
        "tri.repeat_interleave(tri.tensor([2, 0, 1]))  # tensor([0, 0, 2])",
        _repeated_indices,
        methods=(),
        is_public=False,
        has_out=False,
        torch_name="repeat_interleave",
        gradient=CONSTANT,
    )
)

# ---- reversal

#: What PyTorch's kernel that reverses elements is made for.
FLIPPABLE = ARITHMETIC | COMPLEX


def _resolve_flip(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    given: Any = attributes["dims"]
    dims = wrap_dims(given, operand.rank)
    strides = preserve_strides(operand.shape, operand.strides)
    result = TensorSpec.of(operand.shape, operand.dtype, operand.device, strides)
    if not _moves_rows(operand, result, dims):
        check_dtype("flip", operand.dtype, FLIPPABLE)
    return Resolved({"dims": dims}, (operand.dtype,), result)


def _moves_rows(operand: TensorSpec, result: TensorSpec, dims: Sequence[int]) -> bool:
    """Whether a flip moves whole rows of bytes, which PyTorch does for all dtypes."""
    sizes, strides = operand.shape, operand.strides
    if operand.numel < 2 or not any(sizes[dim] > 1 and strides[dim] for dim in dims):
        return True
    inner = min(
        (dim for dim in range(operand.rank) if sizes[dim] > 1), key=lambda dim: result.strides[dim]
    )
    return inner not in dims and strides[inner] == result.strides[inner] == 1


def _place_flip(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> list[tuple[Strided, Strided]]:
    """Write the operand from the end of the dims: with their strides the other way around."""
    (operand,) = operands
    dims: Any = attributes["dims"]
    strides = list(result.strides)
    offset: int = 0
    for dim in range(result.rank):
        if dim not in dims or not result.numel:
            continue
        offset += (result.shape[dim] - 1) * strides[dim]
        strides[dim] = -strides[dim]
    target = Strided(result.shape, tuple(strides), offset)
    return [(Strided(operand.shape, operand.strides), target)]


TABLE.add(
    JoinOp(
        "flip(Tensor input, int[]* dims)",
        "The order of the indices of some dims reversed, as a copy.",
        "tri.tensor([1, 2, 3]).flip(0)  # tensor([3, 2, 1])",
        has_out=False,
        resolver=_resolve_flip,
        place=_place_flip,
        gradient=OF_FLIP,
        mapping=along("dims"),
    )
)


def _flip_rows(t: TensorLanguage, input: Any) -> Any:
    if not tensor_of(t, input).rank:
        raise TrilithRuntimeError("Input must be >= 1-d.")
    return t.call("flip", input, (0,))


def _flip_columns(t: TensorLanguage, input: Any) -> Any:
    if tensor_of(t, input).rank < 2:
        raise TrilithRuntimeError("Input must be >= 2-d.")
    return t.call("flip", input, (1,))


composite(
    "flipud(Tensor input)",
    "The rows in reverse order, as a copy.",
    "tri.tensor([[1], [2]]).flipud()  # tensor([[2],\n#         [1]])",
    _flip_rows,
)
composite(
    "fliplr(Tensor input)",
    "The columns in reverse order, as a copy.",
    "tri.tensor([[1, 2]]).fliplr()  # tensor([[2, 1]])",
    _flip_columns,
)


def _rotate(t: TensorLanguage, input: Any, k: int, dims: tuple[int, ...]) -> Any:
    rank = tensor_of(t, input).rank
    if len(dims) != 2:
        raise TrilithRuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if rank < 2:
        raise TrilithRuntimeError(f"expected total dims >= 2, but got total dims = {rank}")
    first, second = dims
    if wrap_dim(first, rank) == wrap_dim(second, rank):
        raise TrilithRuntimeError(
            f"expected rotation dims to be different, but got dim0 = {first} and dim1 = {second}"
        )
    turns = k % 4
    if turns == 0:
        return t.call("clone", input, memory_format=contiguous_format)
    if turns == 2:
        return t.call("flip", input, dims)
    flipped = t.call("flip", input, (second if turns == 1 else first,))
    return t.call("transpose", flipped, first, second)


composite(
    "rot90(Tensor input, SymInt k=1, int[] dims=(0,1))",
    "Rotated by 90 degrees in the plane of two dims, k times, as a copy.",
    "tri.tensor([[1, 2]]).rot90()  # tensor([[2],\n#         [1]])",
    _rotate,
    gradient=OF_ROT90,
)

# ---- rolling


def _roll(
    t: TensorLanguage, input: Any, shifts: tuple[int, ...], dims: tuple[int, ...] | None
) -> Any:
    spec = tensor_of(t, input)
    dims = dims or ()
    if len(dims) == 1 and len(shifts) == 1:
        return _roll_one(t, input, shifts[0], dims[0])
    if not shifts:
        raise TrilithRuntimeError("`shifts` required")
    if not dims and len(shifts) == 1:
        flat = t.call("view", t.call("contiguous", input), (spec.numel,))
        return t.call("view", _roll_one(t, flat, shifts[0], 0), spec.shape)
    if len(shifts) != len(dims):
        raise TrilithRuntimeError(
            f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}"
        )
    for shift, dim in zip(shifts, dims, strict=True):
        input = _roll_one(t, input, shift, dim)
    return input


def _roll_one(t: TensorLanguage, input: Any, shift: int, dim: int) -> Any:
    spec = tensor_of(t, input)
    if not spec.numel:
        return t.call("clone", input)
    if not spec.shape:
        raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = wrap_dim(dim, spec.rank)
    size = spec.shape[dim]
    start = -shift % size
    # An empty second part counts too: cat asks it for its memory format.
    parts = [
        t.call("narrow", input, dim, start, size - start),
        t.call("narrow", input, dim, 0, start),
    ]
    return t.call("cat", parts, dim)


composite(
    "roll(Tensor input, SymInt[] shifts, int[]? dims=())",
    "The elements moved along dims, those that fall off come in at the other end, as a copy.",
    "tri.arange(4).roll(1)  # tensor([3, 0, 1, 2])",
    _roll,
    gradient=OF_ROLL,
)


def _view_copy(t: TensorLanguage, input: Any, size: Any, dtype: Any) -> Any:
    return t.call("clone", view_of(t, input, size, dtype), memory_format=contiguous_format)


composite(
    "view_copy(Tensor input, int[]? size, dtype? dtype=None)",
    "What `view` shows, as a copy.",
    "tri.view_copy(tri.arange(4), (2, 2))  # tensor([[0, 1],\n#         [2, 3]])",
    _view_copy,
    gradient=OF_COPIES["view"],
    methods=(),
    binder=bind_view,
    opens_integers=True,
    looks_at_offset=True,
)
