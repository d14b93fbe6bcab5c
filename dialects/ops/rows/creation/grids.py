"""Which tensors hold all combinations? Grids of vectors' elements, and places in triangles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, combinations, combinations_with_replacement
from typing import Any

import numpy as np

from ....attributes.dtype import Category, int32, int64
from ....diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ....frames import warn_once
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.opspec import composite
from ...frame.row import TABLE, TensorLanguage
from ...frame.rules import check_dtype
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of, with_tensors
from .filled import OPTIONS, check_layout, device_of

# ---- grids


def _meshgrid(t: TensorLanguage, tensors: Sequence[Any], indexing: str | None) -> Any:
    if indexing is None:
        warn_once(
            "trilith.meshgrid: in an upcoming release, it will be required to pass the indexing "
            "argument."
        )
    if not tensors:
        raise TrilithRuntimeError("meshgrid expects a non-empty TensorList")
    specs = [tensor_of(t, tensor) for tensor in tensors]
    if any(spec.dtype is not specs[0].dtype for spec in specs):
        raise TrilithRuntimeError("meshgrid expects all tensors to have the same dtype")
    if any(spec.device != specs[0].device for spec in specs):
        raise TrilithRuntimeError("meshgrid expects all tensors to have the same device")
    if indexing not in (None, "ij", "xy"):
        raise TrilithRuntimeError(
            'trilith.meshgrid: indexing must be one of "xy" or "ij", but received: ' + indexing
        )
    for spec in specs:
        if spec.rank > 1:
            raise TrilithRuntimeError(
                "trilith.meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                f"{spec.rank}D"
            )
    is_swapped = indexing == "xy" and len(tensors) > 1
    order = list(range(len(tensors)))
    if is_swapped:
        order[:2] = 1, 0
    shape = tuple([specs[place].numel for place in order])
    made: list[Any] = []
    for place, tensor in enumerate(tensors):
        sizes = [1] * len(shape)
        sizes[order.index(place)] = -1
        made.append(t.call("expand", t.call("view", tensor, tuple(sizes)), shape))
    return tuple(made)


def _bind_tensors(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Take the vectors as separate arguments, or as one list."""
    if len(arguments) == 1 and isinstance(arguments[0], (tuple, list)):
        return schema.bind(arguments, keywords)
    return with_tensors(schema, arguments, keywords)


def _bind_vectors(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Take the vectors as separate arguments."""
    return with_tensors(schema, arguments, keywords)


def check_vector(t: TensorLanguage, value: Any) -> None:
    """Refuse what is no vector, as functions that combine elements do."""
    shape = tensor_of(t, value).shape
    if len(shape) != 1:
        raise TrilithRuntimeError(f"Expect a 1D vector, but got shape {list(shape)}")


def _cartesian_prod(t: TensorLanguage, tensors: Sequence[Any]) -> Any:
    for tensor in tensors:
        check_vector(t, tensor)
    if len(tensors) == 1:
        return tensors[0]
    grids = t.call("meshgrid", list(tensors), indexing="ij")
    return t.call("stack", [t.call("flatten", grid) for grid in grids], 1)


composite(
    "meshgrid(Tensor[] tensors, *, str? indexing=None)",
    "For each vector a view that repeats it along the dims of the others; with indexing 'xy' the "
    "first two dims change places.",
    "tri.meshgrid(tri.tensor([1, 2]), tri.tensor([3]), indexing='ij')"
    "  # (tensor([[1],\n#         [2]]), tensor([[3],\n#         [3]]))",
    _meshgrid,
    methods=(),
    binder=_bind_tensors,
    forms=("meshgrid(Tensor[]* tensors, *, str? indexing=None)",),
    returns="tuple[Tensor, ...]",
)
composite(
    "cartesian_prod(Tensor[] tensors)",
    "All combinations of one element of each vector, as rows.",
    "tri.cartesian_prod(tri.tensor([1, 2]), tri.tensor([3]))"
    "  # tensor([[1, 3],\n#         [2, 3]])",
    _cartesian_prod,
    methods=(),
    binder=_bind_vectors,
    forms=("cartesian_prod(Tensor[]* tensors)",),
)


# ---- combinations and triangles: places that are known before any element is


def _combinations(t: ValueLanguage, input: Any, r: int, with_replacement: bool) -> Any:
    check_vector(t, input)
    if r < 0:
        raise TrilithRuntimeError(f"Expect a non-negative number, but got {r}")
    spec = tensor_of(t, input)
    if not r:
        return t.call("empty", (0,), dtype=spec.dtype, device=spec.device)
    choose = combinations_with_replacement if with_replacement else combinations
    chosen = np.fromiter(chain.from_iterable(choose(range(spec.numel), r)), np.int64)
    places = t.call("to", t.tensor(chosen.reshape(-1, r)), spec.device)
    return t.call("take", input, places)


def _triangle(name: str, find: Callable[..., tuple[Any, Any]]) -> Callable[..., Any]:
    """Return the expansion that lists the places of a triangle, in two rows."""

    def expand(t: ValueLanguage, row: int, col: int, offset: int, **options: Any) -> Any:
        for word, size in (("row", row), ("col", col)):
            if size < 0:
                raise TrilithRuntimeError(f"{word} must be non-negative, got{size}")
        check_layout(name, options["layout"])
        dtype = options["dtype"] or int64
        check_dtype(name, dtype, _PLACES)
        found = np.stack(find(row, offset, col)).astype(dtype.numpy)
        device = device_of(options)
        if not found.size:
            return t.call("empty", found.shape, dtype=dtype, device=device)
        return t.call("to", t.tensor(found), device)

    return expand


_PLACES = frozenset({int32, int64})

TABLE.add(
    HostOp(
        "combinations(Tensor input, int r=2, bool with_replacement=False)",
        "All choices of r elements of a vector, as rows.",
        "tri.combinations(tri.tensor([1, 2, 3]))  # tensor([[1, 2],\n#         [1, 3],\n"
        "#         [2, 3]])",
        _combinations,
        methods=(),
    )
)
for _name, _find, _where, _example in (
    ("tril_indices", np.tril_indices, "on and below", "[[0, 1, 1],\n#         [0, 0, 1]]"),
    ("triu_indices", np.triu_indices, "on and above", "[[0, 0, 1],\n#         [0, 1, 1]]"),
):
    TABLE.add(
        HostOp(
            f"{_name}(SymInt row, SymInt col, SymInt offset=0, {OPTIONS})",
            f"The places of a matrix {_where} a diagonal: their rows, and below these their "
            "columns.",
            f"tri.{_name}(2, 2)  # tensor({_example})",
            _triangle(_name, _find),
            methods=(),
            is_factory=True,
        )
    )


def _unravel_index(t: TensorLanguage, indices: Any, shape: tuple[int, ...]) -> Any:
    spec = tensor_of(t, indices)
    if spec.dtype.category is not Category.INTEGRAL:
        raise TrilithTypeError(f"expected 'indices' to be integer dtype, but got {spec.dtype}")
    if any(size < 0 for size in shape):
        raise TrilithValueError(f"'shape' cannot have negative values, but got {tuple(shape)}")
    if not shape:
        return ()
    whole, step = t.call("to", indices, int64), 1
    made: list[Any] = []
    for size in reversed(shape):
        quotient = whole if step == 1 else t.call("floor_divide", whole, step)
        made.insert(0, t.call("remainder", quotient, size))
        step *= size
    return t.call("unbind", t.call("stack", made, -1), -1)


composite(
    "unravel_index(Tensor indices, int[] shape)",
    "Where flat indices lie in a shape: for each dim a tensor of indices.",
    "tri.unravel_index(tri.tensor([4, 5]), (2, 3))  # (tensor([1, 1]), tensor([1, 2]))",
    _unravel_index,
    methods=(),
    returns="tuple[Tensor, ...]",
)
