"""Which operations join tensors as rows, columns or layers? NumPy's stacks, written as `cat`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.view_rows import tensor_of


def _check_list(name: str, tensors: Sequence[Any]) -> None:
    if not tensors:
        raise TrilithRuntimeError(f"{name} expects a non-empty TensorList")


def _hstack(t: TensorLanguage, tensors: Sequence[Any]) -> Any:
    _check_list("hstack", tensors)
    parts = t.call("atleast_1d", list(tensors))
    return t.call("cat", parts, 0 if tensor_of(t, parts[0]).rank == 1 else 1)


def _stacked(name: str, dim: int) -> Callable[..., Any]:
    """Return the expansion of a stack along `dim` of tensors that have it."""

    def expand(t: TensorLanguage, tensors: Sequence[Any]) -> Any:
        _check_list(name, tensors)
        return t.call("cat", t.call(f"atleast_{max(dim + 1, 2)}d", list(tensors)), dim)

    return expand


def _column_stack(t: TensorLanguage, tensors: Sequence[Any]) -> Any:
    _check_list("column_stack", tensors)
    columns: list[Any] = []
    for tensor in tensors:
        spec = tensor_of(t, tensor)
        columns.append(tensor if spec.rank > 1 else t.call("reshape", tensor, (spec.numel, 1)))
    return t.call("cat", columns, 1)


for _name, _expand, _doc, _example in (
    (
        "hstack",
        _hstack,
        "The tensors side by side: vectors one after the other, others along dim 1.",
        "tri.hstack((tri.tensor([1]), tri.tensor([2])))  # tensor([1, 2])",
    ),
    (
        "vstack",
        _stacked("vstack", 0),
        "The tensors one below the other, vectors as rows.",
        "tri.vstack((tri.tensor([1]), tri.tensor([2])))  # tensor([[1],\n#         [2]])",
    ),
    (
        "row_stack",
        _stacked("vstack", 0),
        "The tensors one below the other: vstack by another name.",
        "tri.row_stack((tri.tensor([1]), tri.tensor([2])))  # tensor([[1],\n#         [2]])",
    ),
    (
        "dstack",
        _stacked("dstack", 2),
        "The tensors one behind the other, along dim 2.",
        "tri.dstack((tri.tensor([1]), tri.tensor([2])))  # tensor([[[1, 2]]])",
    ),
    (
        "column_stack",
        _column_stack,
        "The tensors side by side, vectors as columns.",
        "tri.column_stack((tri.tensor([1]), tri.tensor([2])))  # tensor([[1, 2]])",
    ),
):
    composite(
        f"{_name}(Tensor[] tensors)",
        _doc,
        _example,
        _expand,
        methods=(),
        has_out=True,
    )
