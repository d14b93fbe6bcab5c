"""Which sparse matrix has given diagonals? That of `tri.sparse.spdiags`."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import int64
from ....attributes.layout import Layout, sparse_coo
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.gradients import UNKNOWN
from ...frame.indexed import HostOp
from ...frame.row import TABLE
from ...frame.sparse_forms import Ints
from ...frame.view_rows import tensor_of
from .entries import entries, where


def _check(diagonals: TensorSpec, offsets: TensorSpec, shape: Ints, layout: Layout | None) -> None:
    if diagonals.rank not in (1, 2):
        raise TrilithRuntimeError("Diagonals must be vector or matrix")
    if len(shape) != 2:
        raise TrilithRuntimeError("Output shape must be 2d")
    if offsets.rank > 1:
        raise TrilithRuntimeError("Offsets must be scalar or vector")
    count = diagonals.shape[0] if diagonals.rank == 2 else 1
    if count != offsets.numel:
        raise TrilithRuntimeError(
            f"Number of diagonals ({count}) does not match the number of offsets ({offsets.numel})"
        )
    if layout not in (None, sparse_coo):
        raise TrilithRuntimeError(
            "Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got Strided"
        )
    if offsets.dtype is not int64:
        raise TrilithRuntimeError(
            f"Offset Tensor must have dtype Long but got {offsets.dtype.c_name}"
        )


def _of_diagonals(t: Any, diagonals: Any, offsets: Any, shape: Ints, layout: Layout | None) -> Any:
    """Return the elements that lie in the matrix: each in the column in which it was given."""
    _check(tensor_of(t, diagonals), tensor_of(t, offsets), shape, layout)
    if tensor_of(t, diagonals).rank == 1:
        diagonals = t.call("unsqueeze", diagonals, 0)
    offsets = t.call("reshape", offsets, (-1, 1))
    if tensor_of(t, t.call("unique", offsets)).numel != tensor_of(t, offsets).numel:
        raise TrilithRuntimeError("Offset tensor contains duplicate values")
    if min(shape) < 0:
        raise TrilithRuntimeError(
            f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}"
        )
    spec = tensor_of(t, diagonals)
    ordinals = t.call("arange", spec.shape[1], dtype=int64, device=spec.device)
    columns = t.call("expand", ordinals, spec.shape)
    rows = t.call("sub", columns, offsets)
    is_row = t.call("logical_and", t.call("ge", rows, 0), t.call("lt", rows, shape[0]))
    is_within = t.call("logical_and", is_row, t.call("lt", columns, shape[1]))
    which = where(t, t.call("reshape", is_within, (-1,)))
    found = [
        t.call("index_select", t.call("reshape", part, (-1,)), 0, which)
        for part in (rows, columns, diagonals)
    ]
    return t.sparse(entries(t, t.call("stack", found[:2]), found[2], tuple(shape)))


TABLE.add(
    HostOp(
        "sparse_spdiags(Tensor diagonals, Tensor offsets, int[] shape, layout? layout=None)",
        "The sparse matrix whose diagonals are the rows of another one, some columns from the main"
        " one.",
        "tri.sparse.spdiags(tri.ones(2), tri.tensor(1), (2, 2)).to_dense()"
        "  # tensor([[0., 1.],\n#         [0., 0.]])",
        _of_diagonals,
        methods=(),
        is_public=False,
        places=("sparse.spdiags",),
        gradient=UNKNOWN,
    )
)
