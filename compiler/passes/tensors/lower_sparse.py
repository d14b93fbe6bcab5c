"""What is left of sparse tensors where kernels are made? Operations on their indices and values.

Before::

    %s = tri.assemble %i, %v {coalesced} : ... -> !tri.tensor<4x5xf32, layout=sparse_coo>
    %0 = tri.sparse "neg"(%s) : ... -> !tri.tensor<4x5xf32, layout=sparse_coo>
    %1 = tri.sparse "mv"(%0, %x) : ... -> !tri.tensor<4xf32>

After::

    %2 = tri.neg %v : !tri.tensor<3xf32> -> !tri.tensor<3xf32>
    %3 = tri.select %i {dim = 0 : i64, index = 0 : i64} : ... -> !tri.tensor<3xsi64>
    ...
    %1 = tri.coo_mm %z, %2, %x, %3, %4 : ... -> !tri.tensor<4xf32>

The form of a row says what comes in the place of an operation. What happens to values alone fuses
then as any chain does, and nothing below this pass knows of sparse tensors.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ....dialects.locks import imported
from ....dialects.tri.types import is_sparse

#: The operations whose operands or results are sparse. Few functions have one: what lowers them,
#: and their classes, are loaded for those.
_NAMES = frozenset({"tri.assemble", "tri.disassemble", "tri.sparse"})


@dataclass(frozen=True)
class LowerSparsePass(ModulePass):
    """Say operations on sparse tensors with those on indices and values."""

    name = "tri-lower-sparse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks and _has_sparse(func.body.block):
                imported("...lowering.sparse_forms", __package__).lower_sparse(func)


def _has_sparse(block: Block) -> bool:
    return any(each.name in _NAMES for each in block.ops) or any(map(is_sparse, block.args))
