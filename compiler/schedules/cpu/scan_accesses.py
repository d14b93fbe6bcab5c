"""What do scans read and write along memory?"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.structured import ParallelOp, ScanOp
from ....dialects.kernel.types import buffer_type_of


def has_only_a_scan(op: ParallelOp) -> bool:
    """Whether a nest does nothing at each of its points but scan, along one index."""
    inner = [item for item in op.block.ops if item.regions]
    return len(inner) == 1 and isinstance(inner[0], ScanOp) and len(inner[0].indices) == 1


def scan_of(op: ParallelOp) -> ScanOp:
    """Return the scan of a nest that has one."""
    (scan,) = [item for item in op.block.ops if isinstance(item, ScanOp)]
    return scan


def is_along(access: LoadOp | StoreOp, scan: ScanOp) -> bool:
    """Whether neighbours in memory are those of a scan, and places are plain indices."""
    along = (scan.indices[0], scan.into.blocks[0].args[0])
    strides = buffer_type_of(access.buffer).strides
    found = [
        stride for place, stride in zip(access.indices, strides, strict=True) if place in along
    ]
    return found == [1] and all(map(_is_plain, access.indices))


def _is_plain(place: SSAValue) -> bool:
    return isinstance(place, BlockArgument) or isinstance(place.owner, arith.ConstantOp)
