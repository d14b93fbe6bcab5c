"""Which types and operations does xDSL find under the name `tri`?"""

from __future__ import annotations

from xdsl.ir import Dialect

from ..ops.frame.row import PrimitiveOp
from ..ops.table import TABLE
from . import canonicalization
from .host_calls import HostCallOp
from .ops import op_class
from .sizes import GuardsAttr, SizeAttr, SizesAttr, SymbolsAttr
from .sparse import AssembleOp, DisassembleOp, SparseOp
from .structure import ConstantOp, EmptyOp, FusionOp, LaunchOp, StridedOp, YieldOp
from .transfers import CopyBytesOp
from .types import (
    DeviceAttr,
    FormatAttr,
    NumberAttr,
    PackedFloat4Type,
    ScalarType,
    TensorType,
)
from .writing import WriteOp


def make_dialect() -> Dialect:
    """Return the dialect with a class for every row (15 ms): what tools that parse text need."""
    assert canonicalization.ELEMENTWISE_PATTERNS, "the operations bring their patterns along"
    rows = [row.name for row in TABLE.values() if isinstance(row, PrimitiveOp)]
    return Dialect(
        "tri",
        [
            *(op_class(name) for name in rows),
            ConstantOp,
            FusionOp,
            YieldOp,
            EmptyOp,
            StridedOp,
            LaunchOp,
            CopyBytesOp,
            HostCallOp,
            WriteOp,
            AssembleOp,
            DisassembleOp,
            SparseOp,
        ],
        [
            *(TensorType, ScalarType, PackedFloat4Type),
            *(FormatAttr, DeviceAttr, NumberAttr),
            *(SizeAttr, SizesAttr, SymbolsAttr, GuardsAttr),
        ],
    )
