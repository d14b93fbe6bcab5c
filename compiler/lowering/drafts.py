"""Which kernels does an operation outside of fusions become? A function for each family of rows.

A family of its own brings a module with such a function, and its entry here; at run time:

    DRAFTS[PoolingOp] = draft_pooling
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...dialects.diagnostics import TrilithValueError
from ...dialects.ops.frame.families import FamilyTable
from ...dialects.ops.frame.indexed import GatherOp, ScatterOp
from ...dialects.ops.frame.opspec import ContractionOp, CreationOp, JoinOp
from ...dialects.ops.frame.row import PrimitiveOp
from ...dialects.ops.rows.products.index_maps import IndexedContractionOp
from ...dialects.ops.rows.reductions.joint_scans import JointScanOp
from ...dialects.ops.rows.reductions.scans import CumulativeOp
from ...dialects.ops.rows.sparse.entry_products import EntryProductOp
from ...dialects.tri.ops import TensorOperation
from .entry_products import draft_entry_product
from .indexed_bodies import draft_gather, draft_scatter
from .joint_scans import draft_joint_scan
from .kernel_bodies import draft_creation, draft_joins
from .kernel_builder import KernelDraft
from .products import draft_contraction, draft_indexed_contraction
from .scans import draft_scan

#: Kernels that fill the memory of a result, launched one after the other.
Draft = Callable[[TensorOperation], Sequence[KernelDraft]]


def no_lowering(what: str) -> TrilithValueError:
    """Return the error for an operation that has no kernels of its own."""
    return TrilithValueError(
        f"there is no lowering for '{what}' outside of a fusion", hint="run tri-fuse first"
    )


def _refuse(op: TensorOperation) -> Sequence[KernelDraft]:
    raise no_lowering(op.ROW.name)


#: What fusions compute, and views, have no kernel of their own.
DRAFTS: FamilyTable[Draft] = FamilyTable(
    {
        PrimitiveOp: _refuse,
        ContractionOp: draft_contraction,
        JoinOp: draft_joins,
        CreationOp: draft_creation,
        JointScanOp: draft_joint_scan,
        GatherOp: draft_gather,
        ScatterOp: draft_scatter,
        CumulativeOp: draft_scan,
        IndexedContractionOp: draft_indexed_contraction,
        EntryProductOp: draft_entry_product,
    }
)
