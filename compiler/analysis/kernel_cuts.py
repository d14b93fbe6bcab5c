"""Along which indices may a launch of a kernel be cut into several, and how much is a point of it?

An index of the outermost nest can be cut if its values are nothing but places in memory, and its
size is nothing but how many there are: then a part of a launch is the kernel with another size and
other offsets (`runtime/execution/kernel_cuts.py`), and a window that is asked for the index begins
further in front. What computes with an index (`arange`) stays whole along it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, Operation, SSAValue, Use

from ...dialects.kernel.abi import INDEX, KernelSignature
from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.memory import CheckOp, LoadOp, StoreOp
from ...dialects.kernel.reductions import FMA
from ...dialects.kernel.scheduled import AS_LANES
from ...dialects.kernel.structured import IterationOp, MapOp, ParallelOp, ReduceOp
from ...dialects.kernel.types import buffer_type_of
from ...dialects.kernel.within import WithinOp
from ...dialects.making import all_operations
from ...runtime.execution.kernel_cuts import Cut
from ...runtime.execution.kernel_memory import KernelBuffer
from ...runtime.native.form import EVEN_PARTS_FOR_EACH, PARTS_FOR_EACH
from .access_patterns import best_parallel_index, is_gather, reads_along
from .kernel_accesses import constant_of, sides_of
from .transposed_loads import transposed_dimension

#: Elements that lie beside one another are cut at whole lines of the cache, for any dtype.
LINE = 64
#: Rows of products are computed in tiles of 6 or 8. More of them make a part, as each part packs
#: all columns.
ROWS_OF_PRODUCTS = 96
#: Filters of a convolution are packed in panels of so many at most.
FILTERS = 32
#: What a function of mathematics costs beside an addition, unless it is an instruction.
FUNCTION = 12
#: What an access costs whose neighbours in the innermost loop are no neighbours in memory.
SCATTERED = 8
#: Along which grains to cut before others, and after them.
_ORDER = {FILTERS: 0, ROWS_OF_PRODUCTS: 2}
_INSTRUCTIONS = frozenset(
    {"absf", "absi", "ceil", "copysign", "floor", "fma", "roundeven", "trunc"}
)


def kernel_cuts(
    function: FuncOp, signature: KernelSignature, buffers: Sequence[KernelBuffer]
) -> tuple[Cut, ...]:
    """Return the cuts of a structured kernel, outermost index first."""
    nest = _only_nest(function)
    if nest is None:
        return ()
    places = {
        slot.argument: number
        for number, slot in enumerate(signature.integers)
        if slot.kind == INDEX
    }
    if isinstance(nest, ParallelOp) and AS_LANES in nest.attributes:
        return _blocks(nest, places)
    found: list[Cut] = []
    for index, extent in zip(nest.indices, nest.extents, strict=True):
        window = _window(index)
        if not _has_one_use(extent) or not _is_place(index, window):
            continue
        number = places[cast("BlockArgument", extent).index]
        if _moves_alike(buffers, number) and _is_stored_along(nest, index):
            cut = Cut(number, _grain(nest, index), parts=_parts(nest))
            if window is not None:
                cut = cut._replace(first=places[cast("BlockArgument", window.first).index])
            found.append(cut)
    # Each part packs the columns that it reads: cut along these, no two parts pack the same.
    return tuple(sorted(found, key=lambda cut: _ORDER.get(cut.grain, 1)))


def _blocks(nest: ParallelOp, places: Mapping[int, int]) -> tuple[Cut, ...]:
    """Return the cut between blocks of a reduction that was split (`reductions/lane_nests.py`).

    A block ends at its length or at the last element, of which a part has fewer.
    """
    count = nest.extents[0]
    reductions = [op for op in nest.block.ops if isinstance(op, ReduceOp)]
    numbers = _numbers(list(reductions[0].block.ops)[1].results[0])
    if numbers is None or not all(map(_has_one_use, (count, *numbers))):
        return ()
    for stop in nest.block.ops:
        if not isinstance(stop, arith.MinSIOp):
            continue
        end, elements = (operand for operand in stop.operands)
        sides = sides_of(end, arith.AddiOp)
        length = constant_of(sides[1]) if sides else None
        if length and _has_one_use(elements):
            sizes = [
                places[cast("BlockArgument", size).index] for size in (count, elements, *numbers)
            ]
            return (Cut(sizes[0], 1, sizes[1], length, *sizes[2:]),)
    return ()


def _numbers(place: SSAValue) -> list[SSAValue] | None:
    """Return the argument from which on elements are counted, if they are; None: from nowhere else.

    All else that is done with the place of an element must be to find it.
    """
    found: list[SSAValue] = []
    for use in place.uses:
        if _finds_elements(use):
            continue
        op = use.operation
        argument = op.operands[1] if isinstance(op, arith.AddiOp) else None
        if not isinstance(argument, BlockArgument):
            return None
        if not isinstance(argument.owner.parent_op(), FuncOp):
            return None
        found.append(argument)
    return found if len(found) < 2 else None


def _has_one_use(value: SSAValue) -> bool:
    """Whether an argument is used in one place."""
    return isinstance(value, BlockArgument) and sum(1 for _ in value.uses) == 1


def _only_nest(function: FuncOp) -> MapOp | ParallelOp | None:
    """Return the one nest that a kernel is, None if there is more that takes time or writes."""
    ops = [op for op in function.block.ops if op.regions or type(op) is StoreOp]
    nest = ops[0] if len(ops) == 1 else None
    return nest if isinstance(nest, MapOp | ParallelOp) else None


def _window(index: SSAValue) -> WithinOp | None:
    """Return the window that an index is asked for, if a launch says where it begins."""
    windows = [use.operation for use in index.uses if isinstance(use.operation, WithinOp)]
    window = windows[0] if len(windows) == 1 else None
    return window if window is not None and _has_one_use(window.first) else None


def _is_place(value: SSAValue, window: WithinOp | None = None) -> bool:
    """Whether a value is used to find elements in memory, or its place in a window, and no more."""
    return all(_finds_elements(use, window) for use in value.uses)


def _finds_elements(use: Use, window: WithinOp | None = None) -> bool:
    """Whether what uses a value finds elements in memory, and does nothing else."""
    op = use.operation
    if op is window:
        return use.index == 0 and _is_place(op.results[0])
    if isinstance(op, arith.AddiOp):
        return _is_place(op.results[0])
    if isinstance(op, arith.MuliOp):
        factor = op.operands[1 - use.index]
        return isinstance(factor.owner, arith.ConstantOp) and _is_place(op.results[0])
    return isinstance(op, LoadOp | StoreOp) and op.operands[use.index] in op.indices


def _moves_alike(buffers: Sequence[KernelBuffer], number: int) -> bool:
    """Whether all accesses to a buffer move alike along a size."""
    for buffer in buffers:
        steps = [
            [(dim.stride, dim.factor) for dim in walk if dim.extent == number and dim.factor]
            for walk in buffer.walks
        ]
        if any(step != steps[0] for step in steps):
            return False
    return True


def _is_stored_along(nest: MapOp | ParallelOp, index: SSAValue) -> bool:
    """Whether no two values of an index write to the same element."""
    for op in all_operations(nest):
        if type(op) is StoreOp:
            pairs = zip(op.indices, buffer_type_of(op.buffer).strides, strict=True)
            if not any(place is index and stride != 0 for place, stride in pairs):
                return False
    return True


def _grain(nest: MapOp | ParallelOp, index: SSAValue) -> int:
    """Return what parts along an index are multiples of.

    Where neighbours are computed side by side, their vectors are to be whole, and the squares of
    what is transposed.
    """
    if isinstance(nest, MapOp):
        across = transposed_dimension(nest)
        sides = [-1] if across is None else [-1, across]
        return LINE if any(nest.indices[side] is index for side in sides) else 1
    products = _products(nest)
    if products is not None and _is_filter(nest, products, index):
        return FILTERS
    lanes = best_parallel_index(nest)
    if lanes is not None and nest.indices[lanes] is index:
        return LINE
    return 1 if products is None else _grain_of_products(products, index)


def _products(nest: MapOp | ParallelOp) -> ReduceOp | None:
    """Return the sum of products of a nest, if it has one."""
    sums = (op for op in nest.block.ops if isinstance(op, ReduceOp) and op.kind.data == FMA)
    return next(sums, None)


def _parts(nest: MapOp | ParallelOp) -> int:
    """Return how many parts there are for each thread at most.

    Of a product of matrices fewer: each part packs all that it reads of the other factor.
    """
    products = _products(nest)
    is_of_matrices = products is not None and len(products.indices) == 1
    return EVEN_PARTS_FOR_EACH if is_of_matrices else PARTS_FOR_EACH


def _is_filter(nest: ParallelOp, products: ReduceOp, index: SSAValue) -> bool:
    """Whether an index is that of the filters of a convolution.

    Its sums are over windows (over several indices), and a factor is read along no other index of
    the results. A filter is a column of a panel: fewer than a panel has would not be worth it.
    """
    loads = [op for op in products.block.ops if isinstance(op, LoadOp)]
    readers = [load for load in loads if reads_along(load, index)]
    if len(products.indices) == 1 or len(readers) == len(loads):
        return False
    others = [other for other in nest.indices if other is not index]
    return not any(reads_along(load, other) for load in readers for other in others)


def _grain_of_products(products: ReduceOp, index: SSAValue) -> int:
    """Return the same for sums of products, along another index than that of lanes or filters.

    What both factors differ by is products of their own. The places of an image are so many that
    tiles at the end of a part do not count.
    """
    loads = [op for op in products.block.ops if isinstance(op, LoadOp)]
    is_own = all(reads_along(load, index) for load in loads)
    return 1 if is_own or len(products.indices) > 1 else ROWS_OF_PRODUCTS


def kernel_cost(function: FuncOp) -> int:
    """Return what a point of a kernel's innermost loops costs, in additions of one element."""
    # The lanes of a block are neighbours.
    are_lanes = any(AS_LANES in op.attributes for op in function.block.ops)
    return max(1, _deepest(function.block, 1 if are_lanes else SCATTERED)[1])


def _deepest(block: Block, scattered: int) -> tuple[int, int]:
    """Return how many loops lie inside of one another in a block, and what a point of them costs.

    Loops that lie beside one another add up.
    """
    depth, cost = 0, 0
    own = 0
    for op in block.ops:
        own += _weight(op, scattered)
        if not op.regions or not isinstance(op, IterationOp):
            continue
        inner, price = _deepest(op.block, scattered)
        if inner + 1 > depth:
            depth, cost = inner + 1, price
        elif inner + 1 == depth:
            cost += price
    return (depth, cost) if depth else (0, own)


def _weight(op: Operation, scattered: int) -> int:
    if type(op) in (arith.ConstantOp, CheckOp, WithinOp):
        return 0
    if type(op) is LoadOp or type(op) is StoreOp:
        loop = op.parent_op()
        is_scattered = isinstance(loop, IterationOp) and is_gather(op, loop.indices[-1])
        return scattered if is_scattered else 1
    dialect, _, name = op.name.partition(".")
    return FUNCTION if dialect == "math" and name not in _INSTRUCTIONS else 1
