"""What does `x[...]` mean? A view for the basic part of an index, then tensors of places.

`split_index` takes an index apart. Integers, slices, None and Ellipsis make a view, whatever else
stands beside them; what is left are index tensors and masks for dims of that view. Reading them is
`take_at`, writing them `put_at`. PyTorch does it in the same two steps, so that the order of the
items, the dims of the result and the errors agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from ....attributes.dtype import Category, bool_, int32, int64, uint8
from ....attributes.spec import TensorSpec
from ....attributes.strides import preserve_strides
from ....diagnostics import TrilithIndexError, TrilithRuntimeError, TrilithTypeError
from ....frames import warn_user
from ...frame.indexed import ValueLanguage, WritingLanguage
from ...frame.opspec import composite
from ...frame.row import TensorLanguage

#: What stands in brackets, with the tensors taken out.
BasicIndex = tuple[Any, ...]
#: For the first dims of a tensor: an index tensor, a mask (of as many dims as it has), or None.
AdvancedIndex = tuple[Any, ...]

_VALID = (
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
    "indices"
)
_DTYPES = "tensors used as indices must be long, int, byte or bool tensors"
_SEQUENCE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in "
    "pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as "
    "tensor index, x[torch.tensor(seq)], which will result either in an error or a different result"
)
_BYTE_MASK = (
    "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."
)


# ---- taking an index apart


def split_index(
    index: Any, spec: TensorSpec, t: ValueLanguage
) -> tuple[BasicIndex, AdvancedIndex | None]:
    """Return (what makes a view of a tensor of this spec, index tensors for the view's dims).

    The first part holds ints, slices, None and Ellipsis: `t.call("getitem", x, basic)`. The second
    is None if there are no index tensors; else `take_at(t, view, advanced)` reads, and
    `put_at(t, view, advanced, values)` gives the view's new contents. Tensors may be those of any
    language: what has a `spec` is one. Lists and arrays become tensors of the language `t`; a 0-dim
    integer tensor is an int where its value is known.

    Raises TrilithIndexError for what is no index, and for too many of them.
    """
    items = [_plain(item, t) for item in _items(index)]
    consumed = sum(_dims_of(item) for item in items)
    _check_count(spec, index, consumed)
    basic: list[Any] = []
    advanced: list[Any] = []
    for item in items:
        if isinstance(item, bool):
            basic.append(None)
            advanced.append(t.tensor(np.zeros(int(item), np.int64)))
        elif is_tensor(item):
            basic += [slice(None)] * _dims_of(item)
            advanced.append(item)
        else:
            basic.append(item)
            if item is Ellipsis:
                advanced += [None] * (spec.rank - consumed)
            elif not isinstance(item, int):
                advanced.append(None)
    is_basic = not any(item is not None for item in advanced)
    return tuple(basic), None if is_basic else tuple(advanced)


def is_plain(index: Any) -> bool:
    """Whether an index is made of integers, slices, None and Ellipsis alone: the usual case."""
    if type(index) is tuple:
        return all(_is_plain_item(item) for item in cast("tuple[Any, ...]", index))
    return _is_plain_item(index)


def is_index_tensor(index: Any) -> bool:
    """Whether an index is one tensor of indices: the usual case with tensors."""
    spec = getattr(index, "spec", None)
    return isinstance(spec, TensorSpec) and spec.dtype is int64 and spec.rank > 0


def _is_plain_item(item: object) -> bool:
    kind = type(item)
    return kind is int or kind is slice or item is None or item is Ellipsis


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor of some language."""
    return isinstance(getattr(value, "spec", None), TensorSpec)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (Sequence, np.ndarray))


def _items(index: Any) -> tuple[Any, ...]:
    """Return the items of an index; some lists count as tuples, as in PyTorch."""
    if isinstance(index, tuple):
        return cast("tuple[Any, ...]", index)
    items = cast("Sequence[Any]", index if isinstance(index, Sequence) else ())
    is_text = isinstance(index, (str, bytes))
    if is_text or len(items) >= 32 or not any(_makes_a_tuple(item) for item in items):
        return cast("tuple[Any, ...]", (index,))
    warn_user(_SEQUENCE)
    return tuple(items)


def _makes_a_tuple(item: Any) -> bool:
    is_special = item is None or item is Ellipsis or isinstance(item, slice)
    return is_special or is_tensor(item) or _is_sequence(item)


def _plain(item: Any, t: ValueLanguage) -> Any:
    """Return an item as int, bool, slice, None, Ellipsis or tensor."""
    if item is None or item is Ellipsis or isinstance(item, (bool, slice)):
        return cast(Any, item)
    if is_tensor(item):
        return _plain_tensor(item, t)
    if isinstance(item, (str, bytes)):
        raise TrilithTypeError(f"new(): invalid data type '{type(item).__name__}'")
    if _is_sequence(item):
        return _plain_tensor(t.tensor(_as_index_array(item)), t)
    if hasattr(item, "__index__") and type(item) is not np.bool_:
        return item.__index__()
    raise TrilithIndexError(f"{_VALID} (got {_type_name(item)})")


def _type_name(item: object) -> str:
    kind = type(item)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _as_index_array(data: Any) -> np.ndarray[Any, Any]:
    """Return the elements of a list or an array: masks stay masks, everything else is int64."""
    array = np.asarray(data)
    if array.dtype.kind not in "biufc":
        raise TrilithIndexError(f"{_VALID} (got {_type_name(data)})")
    is_mask = array.dtype.char in "?B" and array.size > 0
    order = "C" if 0 in array.strides else "K"
    return array.copy(order) if is_mask else array.astype(np.int64, order)


def _plain_tensor(tensor: Any, t: ValueLanguage) -> Any:
    """Return the number in a 0-dim tensor where it is known, else the tensor."""
    spec = cast(TensorSpec, t.spec(tensor))
    if spec.rank or spec.dtype.category > Category.INTEGRAL:
        if spec.dtype not in (int64, int32, uint8, bool_):
            raise TrilithIndexError(_DTYPES)
        return tensor
    number = t.number(tensor)
    if spec.dtype in (uint8, bool_):
        return tensor if number is None else bool(number)
    if number is None:
        return tensor if spec.dtype in (int64, int32) else t.call("to", tensor, int64)
    return number


def _is_mask(tensor: Any) -> bool:
    return tensor.spec.dtype in (uint8, bool_)


def _dims_of(item: Any) -> int:
    """Return how many dims of the indexed tensor an item stands for."""
    if is_tensor(item):
        return item.spec.rank if _is_mask(item) else 1
    return int(item is not None and item is not Ellipsis and not isinstance(item, bool))


def _check_count(spec: TensorSpec, index: Any, consumed: int) -> None:
    if consumed <= spec.rank:
        return
    if not spec.rank and isinstance(index, int) and index:
        raise TrilithIndexError(f"index {index} is out of bounds for dimension 0 with size 0")
    if not spec.rank and isinstance(index, int):
        raise TrilithIndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
            "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
        )
    if not spec.rank and _is_one_slice(index):
        raise TrilithIndexError("slice() cannot be applied to a 0-dim tensor.")
    raise TrilithIndexError(f"too many indices for tensor of dimension {spec.rank}")


def _is_one_slice(index: Any) -> bool:
    """Whether an index is one slice, before or after it was converted to plain values."""
    if isinstance(index, tuple):
        return cast("tuple[Any, ...]", index)[:1] == ("slice",)
    return isinstance(index, slice)


# ---- reading and writing at tensors of places


def take_at(t: ValueLanguage, input: Any, indices: AdvancedIndex) -> Any:
    """Return the elements of a tensor that index tensors and masks name, as a copy."""
    tensors, dims = _without_masks(t, input, indices)
    return t.call("take_at", input, tensors, dims)


def put_at(
    t: ValueLanguage, input: Any, indices: AdvancedIndex, values: Any, accumulate: bool = False
) -> Any:
    """Return a copy of a tensor with values at the elements that index tensors and masks name.

    `values` is a tensor of the same dtype; its shape is broadcast to that of `take_at`. One value
    for all elements of one mask needs no values of the mask, so that it can be traced.
    """
    if _is_one_fill(t, input, indices, values) and not accumulate:
        return _fill(t, input, indices, values)
    tensors, dims = _without_masks(t, input, indices)
    return t.call("put_at", input, values, tensors, dims, reduce="add" if accumulate else "")


def write_at(
    t: WritingLanguage, target: Any, indices: AdvancedIndex, values: Any, accumulate: bool = False
) -> None:
    """Write values into a tensor itself, at the elements that index tensors and masks name."""
    if _is_one_fill(t, target, indices, values) and not accumulate:
        value = t.call("reshape", values, ())
        t.write("masked_fill", target, _wide_mask(t, target, indices), value)
        return
    tensors, dims = _without_masks(t, target, indices)
    t.write("put_at", target, values, tensors, dims, reduce="add" if accumulate else "")


def _is_one_fill(t: ValueLanguage, input: Any, indices: AdvancedIndex, values: Any) -> bool:
    masks = [index for index in indices if index is not None]
    value = cast(TensorSpec, t.spec(values))
    return len(masks) == 1 and masks[0].spec.dtype is bool_ and value.numel == 1


def _wide_mask(t: ValueLanguage, input: Any, indices: AdvancedIndex) -> Any:
    """Return the one mask of an index with as many dims as the tensor has from there on."""
    first = next(number for number, index in enumerate(indices) if index is not None)
    into = cast(TensorSpec, t.spec(input))
    mask = _beside(t, into, indices[first])
    _check_mask(into, mask.spec, first)
    for _ in range(into.rank - first - mask.spec.rank):
        mask = t.call("unsqueeze", mask, -1)
    return mask


def _fill(t: ValueLanguage, input: Any, indices: AdvancedIndex, value: Any) -> Any:
    into = cast(TensorSpec, t.spec(input))
    number = t.call("to", t.call("reshape", value, ()), into.dtype)
    filled = t.call("where", _wide_mask(t, input, indices), number, input)
    strides = preserve_strides(into.shape, into.strides)
    if cast(TensorSpec, t.spec(filled)).strides == strides:
        return filled
    return t.call("with_strides", filled, strides)


def _without_masks(
    t: ValueLanguage, input: Any, indices: AdvancedIndex
) -> tuple[list[Any], tuple[int, ...]]:
    """Return index tensors and the dims that they are for; masks become the places they name."""
    spec = cast(TensorSpec, t.spec(input))
    tensors: list[Any] = []
    dims: list[int] = []
    dim = 0
    for index in indices:
        if index is None:
            dim += 1
            continue
        if index.spec.dtype not in (int64, int32, uint8, bool_):
            raise TrilithIndexError(_DTYPES)
        parts = _places(t, spec, index, dim) if _is_mask(index) else [index]
        tensors += [_beside(t, spec, part) for part in parts]
        dims += range(dim, dim + len(parts))
        dim += len(parts)
    if dim > spec.rank:
        raise TrilithIndexError(f"too many indices for tensor of dimension {spec.rank} (got {dim})")
    if not tensors:
        raise TrilithRuntimeError("index_put() needs at least one index tensor")
    _check_numbers(t, tensors)
    return tensors, tuple(dims)


def _check_numbers(t: ValueLanguage, tensors: Sequence[Any]) -> None:
    """Ask for the value of a 0-dim index that is checked though no element is looked up."""
    if all(tensor.spec.numel for tensor in tensors):
        return
    for tensor in tensors:
        is_one = not tensor.spec.rank and tensor.spec.device.has_values
        if is_one and tensor.batch_level is None:
            what = "whether a 0-dim index is in bounds where others are empty"
            t.positions(tensor, "pass the index as a number", what)


def _beside(t: ValueLanguage, spec: TensorSpec, index: Any) -> Any:
    """Return an index on the device of what it indexes: those of the host move by themselves."""
    if not spec.device.is_host and index.spec.device.is_host:
        return t.call("transfer", index, spec.device)
    return index


def _places(t: ValueLanguage, spec: TensorSpec, mask: Any, dim: int) -> list[Any]:
    """Return an index tensor for each dim of a mask."""
    if mask.spec.dtype is uint8:
        warn_user(_BYTE_MASK)
    _check_mask(spec, mask.spec, dim)
    positions = t.positions(mask)
    return [t.call("select", positions, 1, number) for number in range(mask.spec.rank)]


def _check_mask(spec: TensorSpec, mask: TensorSpec, dim: int) -> None:
    if dim + mask.rank > spec.rank:
        raise TrilithIndexError(f"too many indices for tensor of dimension {spec.rank}")
    for number, size in enumerate(mask.shape):
        if size != spec.shape[dim + number]:
            raise TrilithIndexError(
                f"The shape of the mask {list(mask.shape)} at index {number} does not match the "
                f"shape of the indexed tensor {list(spec.shape)} at index {dim + number}"
            )


# ---- the basic part


def _index(t: TensorLanguage, input: Any, index: tuple[Any, ...]) -> Any:
    """Apply each item of the index to the next dim, left to right."""
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    consumed = sum(item is not None and item != "..." for item in index)
    _check_count(spec, index[0] if len(index) == 1 else index, consumed)
    dim = 0
    result = input
    for position, item in enumerate(index):
        if item is None:
            result = t.call("unsqueeze", result, dim)
            dim += 1
        elif item == "...":
            dim += spec.rank - consumed
        elif isinstance(item, tuple):
            start, stop, step = cast("tuple[Any, ...]", item)[1:]
            if (start, stop, step) != (None, None, None):
                result = t.call("slice", result, dim, start, stop, 1 if step is None else step)
            dim += 1
        else:
            result = _select(t, result, dim, item, position)
    return t.call("alias", result) if result is input else result


def _select(t: TensorLanguage, value: Any, dim: int, index: int, position: int) -> Any:
    """Take one index of a dim; PyTorch's error names the position in the brackets."""
    spec = t.spec(value)
    assert isinstance(spec, TensorSpec)
    size = spec.shape[dim]
    if not -size <= index < size:
        raise TrilithIndexError(
            f"index {index} is out of bounds for dimension {position} with size {size}"
        )
    return t.call("select", value, dim, index)


composite(
    "getitem(Tensor input, Index index)",
    "A part of a tensor, as a view: `x[1]`, `x[..., ::2]`, `x[None]`.",
    "tri.tensor([[1, 2], [3, 4]])[:, 1]  # tensor([2, 4])",
    _index,
    methods=("__getitem__",),
    is_public=False,
)
