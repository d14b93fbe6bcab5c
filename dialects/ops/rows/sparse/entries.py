"""What is said of the entries of a sparse tensor, whatever is computed with them?

An entry is a coordinate and its value. Coordinates are compared by their keys, the numbers that
they have in row-major order; entries of one key are added in the order in which they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....attributes.device import Device
from ....attributes.dtype import DType, bool_, int64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ....records import replace
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import ARITHMETIC, COMPLEX
from ...frame.sparse_forms import Ints, Parts, SparseLanguage
from ...frame.view_rows import tensor_of

# ---- what there is


def sparse_dim(t: TensorLanguage, parts: Parts) -> int:
    """Return how many dims have coordinates."""
    return tensor_of(t, parts.indices).shape[0]


def count(t: TensorLanguage, parts: Parts) -> int:
    """Return the number of entries."""
    return tensor_of(t, parts.indices).shape[1]


def values_of(t: TensorLanguage, parts: Parts) -> TensorSpec:
    """Return dtype, device and sizes of the values."""
    return tensor_of(t, parts.values)


def taken_apart(t: SparseLanguage, value: Any) -> Parts:
    """Return the parts of what is known to be sparse."""
    parts = t.parts(value)
    assert parts is not None
    return parts


def entries(t: TensorLanguage, indices: Any, values: Any, shape: Ints) -> Parts:
    """Return entries in any order; fewer than two are always in order."""
    return Parts(indices, values, shape, tensor_of(t, indices).shape[1] < 2)


def no_entries(t: TensorLanguage, shape: Ints, sparse: int, dtype: DType, device: Device) -> Parts:
    """Return a tensor in which nothing is specified."""
    return Parts(
        t.call("empty", (sparse, 0), dtype=int64, device=device),
        t.call("empty", (0, *shape[sparse:]), dtype=dtype, device=device),
        shape,
        True,
    )


def rows_of(t: TensorLanguage, parts: Parts) -> list[Any]:
    """Return the coordinates dim by dim."""
    return [t.call("select", parts.indices, 0, dim) for dim in range(sparse_dim(t, parts))]


def with_values(t: SparseLanguage, parts: Parts, values: Any) -> Any:
    """Return the sparse tensor of other values at the same places."""
    shape = (*parts.shape[: sparse_dim(t, parts)], *tensor_of(t, values).shape[1:])
    return t.sparse(replace(parts, values=values, shape=shape))


def picked(t: TensorLanguage, parts: Parts, which: Any) -> Parts:
    """Return some of the entries, named by their numbers."""
    return replace(
        parts,
        indices=t.call("index_select", parts.indices, 1, which),
        values=t.call("index_select", parts.values, 0, which),
    )


def where(t: SparseLanguage, mask: Any) -> Any:
    """Return the numbers of those for which a mask holds: the host counts them."""
    return t.call("select", t.positions(mask), 1, 0)


def integers(t: SparseLanguage, numbers: Sequence[int] | np.ndarray, device: Device) -> Any:
    """Return known numbers as a tensor."""
    made = t.tensor(np.asarray(numbers, np.int64))
    return made if tensor_of(t, made).device == device else t.call("to", made, device)


def other_values(found: DType, own: DType) -> TrilithRuntimeError:
    """Return the error of values that a sparse tensor of some dtype cannot have."""
    return TrilithRuntimeError(
        f"dtype of values ({found.c_name}) must match dtype of sparse tensor ({own.c_name})"
    )


# ---- in which order they are


def _coo_keys(t: TensorLanguage, indices: Any, steps: Any) -> Any:
    return t.call("sum", t.call("mul", indices, t.call("unsqueeze", steps, 1)), 0)


composite(
    "coo_keys(Tensor indices, Tensor steps)",
    "The number of each coordinate of a sparse tensor, which its dims count in steps.",
    "tri.tensor([[1., 0.]]).to_sparse().coalesce().indices()  # tensor([[0],\n#         [0]])",
    _coo_keys,
    methods=(),
    is_public=False,
    torch_name="Tensor.coalesce",
)


def keys(t: SparseLanguage, indices: Any, sizes: Ints) -> Any:
    """Return the number of each coordinate in row-major order, where dims have some sizes."""
    return t.call("coo_keys", indices, _steps(t, sizes, tensor_of(t, indices).device))


def keys_of(t: SparseLanguage, parts: Parts) -> Any:
    """Return the number of each entry's coordinate in row-major order."""
    return keys(t, parts.indices, parts.shape[: sparse_dim(t, parts)])


def _coo_order(t: TensorLanguage, indices: Any, steps: Any) -> Any:
    """Return the order of entries, and of each whether its key differs from the one before."""
    ordered, order = t.call("sort", t.call("coo_keys", indices, steps))
    spec = tensor_of(t, ordered)
    size = spec.shape[0]
    later, earlier = (t.call("narrow", ordered, 0, start, size - 1) for start in (1, 0))
    first = t.call("full", (1,), True, dtype=bool_, device=spec.device)
    return order, t.call("cat", (first, t.call("ne", later, earlier)))


def _coo_picked(t: TensorLanguage, indices: Any, values: Any, order: Any, which: Any) -> Any:
    """Return some of the entries, named by their numbers in an order."""
    numbers = t.call("index_select", order, 0, which)
    return t.call("index_select", indices, 1, numbers), t.call("index_select", values, 0, numbers)


def _coo_added(
    t: TensorLanguage, sums: Any, values: Any, order: Any, is_first: Any, rest: Any
) -> Any:
    """Return sums to which the values of entries that are not the first of their key are added."""
    runs = t.call("sub", t.call("cumsum", is_first, 0), 1)
    more = t.call("index_select", values, 0, t.call("index_select", order, 0, rest))
    return t.call("index_add", sums, 0, t.call("index_select", runs, 0, rest), more)


_EXAMPLE = "tri.sparse_coo_tensor([[1, 1]], [2., 3.]).coalesce().values()  # tensor([5.])"
for _signature, _doc, _expand in (
    (
        "coo_order(Tensor indices, Tensor steps)",
        "The order of the entries of a sparse tensor, and which are the first of their coordinate.",
        _coo_order,
    ),
    (
        "coo_picked(Tensor indices, Tensor values, Tensor order, Tensor which)",
        "Some entries of a sparse tensor, by their numbers in an order.",
        _coo_picked,
    ),
    (
        "coo_added(Tensor sums, Tensor values, Tensor order, Tensor is_first, Tensor rest)",
        "Sums of the values of equal coordinates: the first ones, and the rest added.",
        _coo_added,
    ),
):
    composite(
        _signature,
        _doc,
        _EXAMPLE,
        _expand,
        methods=(),
        is_public=False,
        torch_name="Tensor.coalesce",
    )


def _steps(t: SparseLanguage, sizes: Ints, device: Device) -> Any:
    """Return how far keys lie apart for each dim."""
    steps = [1] * len(sizes)
    for dim in range(len(sizes) - 1, 0, -1):
        steps[dim - 1] = steps[dim] * sizes[dim]
    return integers(t, steps, device)


def coalesced(t: SparseLanguage, parts: Parts) -> Parts:
    """Return the entries in order, those of one coordinate added."""
    if parts.is_coalesced:
        return parts
    spec = values_of(t, parts)
    if spec.dtype not in ARITHMETIC | COMPLEX:
        raise TrilithNotImplementedError(f"\"coalesce\" not implemented for '{spec.dtype.c_name}'")
    total = count(t, parts)
    if total < 2:
        return replace(parts, is_coalesced=True)
    steps = _steps(t, parts.shape[: sparse_dim(t, parts)], spec.device)
    order, is_first = t.call("coo_order", parts.indices, steps)
    starts = where(t, is_first)
    indices, values = t.call("coo_picked", parts.indices, parts.values, order, starts)
    if tensor_of(t, starts).shape[0] < total:
        rest = where(t, t.call("logical_not", is_first))
        values = t.call("coo_added", values, parts.values, order, is_first, rest)
    return Parts(indices, values, parts.shape, True)


def lookup(t: SparseLanguage, known: Any, wanted: Any) -> tuple[Any, Any]:
    """Return for each wanted key where it is among known ones in order, and whether it is."""
    last = tensor_of(t, known).shape[0] - 1
    if last < 0:
        nowhere = t.call("zeros_like", wanted)
        return nowhere, t.call("ne", nowhere, 0)
    places = t.call("clamp", t.call("searchsorted", known, wanted), None, last)
    return places, t.call("eq", t.call("index_select", known, 0, places), wanted)


def are_places_shared(first: Parts, second: Parts) -> bool:
    """Whether two tensors are known to have the same places in the same order."""
    both = first.is_coalesced and second.is_coalesced
    return both and first.indices is second.indices


def check_same_sparse_dim(t: TensorLanguage, name: str, first: Parts, second: Parts) -> None:
    """Refuse two tensors of which other dims are sparse."""
    one, other = sparse_dim(t, first), sparse_dim(t, second)
    if one != other:
        raise TrilithRuntimeError(
            f"{name}: expected 'self' and 'other' to have same density, but 'self' has {one} "
            f"sparse dimensions while 'other' has {other} sparse dimensions"
        )
