"""What does `x[...]` mean? Integers, slices, None and Ellipsis, written as views."""

from __future__ import annotations

from typing import Any, cast

from ..attributes.spec import TensorSpec
from ..diagnostics import TrilithIndexError
from .opspec import TABLE, CompositeOp, TensorLanguage, describe


def _index(t: TensorLanguage, input: Any, index: tuple[Any, ...]) -> Any:
    """Apply each item of the index to the next dim, left to right."""
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    consumed = sum(item is not None and item != "..." for item in index)
    _check(spec, index, consumed)
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


def _check(spec: TensorSpec, index: tuple[Any, ...], consumed: int) -> None:
    if consumed > spec.rank:
        if not spec.rank:
            raise TrilithIndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            )
        raise TrilithIndexError(f"too many indices for tensor of dimension {spec.rank}")


TABLE.add(
    CompositeOp(
        **describe(
            "getitem(Tensor input, Index index)",
            "A part of a tensor, as a view: `x[1]`, `x[..., ::2]`, `x[None]`.",
            "tri.tensor([[1, 2], [3, 4]])[:, 1]  # tensor([2, 4])",
            ("__getitem__",),
        ),
        expand=_index,
        is_public=False,
    )
)
