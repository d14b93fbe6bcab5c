"""`kernel-split-reductions`: long reductions to few results run on several cores.

Before, for 100000 elements:

    tri.launch @sum_0(%x, %1) [100000, 0, 0] : ...

    kernel.func @sum_0(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, []>) {
      %s = kernel.reduce add (%i) to (%n) {lanes = 32, block = 16384} : f32 { ... }
      kernel.store %s, %y[]
    }

After:

    %2 = tri.empty : !tri.tensor<224xf32>
    tri.launch @sum_0_parts(%x, %2) [100000, 0, 7, 0] : ...
    tri.launch @sum_0_total(%1, %2) [0, 224, 0] : ...

    kernel.func @sum_0_parts(...) {
      kernel.parallel (%b) to (%blocks) { the 32 lane values of block %b, into the scratch }
    }
    kernel.func @sum_0_total(...) {
      %s = kernel.reduce add (%i) to (%m) {lanes = 32, block = 0} : f32 { ... of the scratch }
      kernel.store %s, %y[]
    }

The order of the reduction stays what it is: lane totals combine the lane values of the blocks in
their order, which is what the second kernel does. What the reduction reads at its level is computed
in both kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.function import FuncOp as KernelOp
from ....dialects.kernel.memory import CheckOp, StoreOp
from ....dialects.kernel.structured import ReduceOp
from ....dialects.making import all_operations
from ....dialects.tri.structure import LaunchOp
from .splits import SCRATCH, Split, block_length, is_size, level_of, ops_before
from .stages import Staged, reader_of


@dataclass(frozen=True)
class SplitReductionsPass(ModulePass):
    """Split launches of long reductions in two."""

    name = "kernel-split-reductions"
    blocks: int = 1
    """What is split has more than so many blocks."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Split every launch that has a long reduction, and drop kernels that nothing launches."""
        kernels = {kernel.symbol: kernel for kernel in op.ops if isinstance(kernel, KernelOp)}
        splits: dict[str, Split | None] = {}
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                for launch in [item for item in func.body.block.ops if isinstance(item, LaunchOp)]:
                    _split_launch(op, launch, kernels, splits, self.blocks)
        used = {item.symbol for item in all_operations(op) if type(item) is LaunchOp}
        for kernel in [item for item in op.ops if isinstance(item, KernelOp)]:
            if kernel.symbol not in used:
                kernel.detach()
                kernel.erase()


def _split_launch(
    module: ModuleOp,
    launch: LaunchOp,
    kernels: dict[str, KernelOp],
    splits: dict[str, Split | None],
    blocks: int,
) -> None:
    """Split a launch as long as there is something to split."""
    pending = [launch]
    while pending:
        launch = pending.pop()
        symbol = launch.symbol
        if symbol not in splits:
            if symbol not in kernels:
                message = f"kernel-split-reductions: the module has no kernel @{symbol}"
                raise UnsuitableIr(message, launch)
            splits[symbol] = split_of(kernels[symbol])
        split = splits[symbol]
        if split is None or not split.is_worth_it(launch, blocks):
            continue
        if not split.made:
            for kernel in split.make():
                kernels[kernel.symbol] = kernel
                module.body.block.add_op(kernel)
        pending += split.launch(launch)


def split_of(kernel: KernelOp) -> Split | None:
    """Return how a kernel is split, None if it cannot be.

    What another reduction is computed from, as a variance is from a mean, is a kernel first.
    """
    level, nest = level_of(kernel)
    extents = [] if nest is None else list(nest.operands)
    for op in level.ops:
        if not isinstance(op, ReduceOp):
            continue
        if block_length(op) and not isinstance(op.extents[0].owner, Operation):
            extents.append(op.extents[0])
            is_pure = not any(
                isinstance(inner, StoreOp | CheckOp)
                for before in ops_before(level, op)
                for inner in before.walk()
            )
            sized = all(is_size(extent, kernel) for extent in extents)
            if not (is_pure and sized):
                return None
            second = reader_of(level, op)
            split = Split(kernel, op) if second is None else Staged(kernel, op, second)
            return split if all(type_ in SCRATCH for type_ in split.between) else None
    return None
