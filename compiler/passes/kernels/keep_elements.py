"""`kernel-keep-elements`: what a reduction computes of an element is not computed once more.

Before, in a softmax:

    kernel.parallel (%i) to (%n) {
      ...
      %s = kernel.reduce add (%j) to (%m) {lanes = 32, block = 16384} : f32 {
        %0 = kernel.load %x[%i, %j] : f32
        %1 = arith.subf %0, %largest : f32
        %2 = math.exp %1 : f32
        kernel.yield %2 : f32
      }
      kernel.map (%j) to (%m) {
        %3 = kernel.load %x[%i, %j] : f32
        %4 = arith.subf %3, %largest : f32
        %5 = math.exp %4 : f32
        %6 = arith.divf %5, %s : f32
        kernel.store %6, %y[%i, %j]
      }
    }

After, where the result is a place that each element has for itself, and of its type:

      %s = kernel.reduce add (%j) to (%m) {lanes = 32, block = 16384} : f32 {
        ...
        kernel.store %2, %y[%i, %j]
        kernel.yield %2 : f32
      }
      kernel.map (%j) to (%m) {
        %5 = kernel.load %y[%i, %j] : f32
        %6 = arith.divf %5, %s : f32
        kernel.store %6, %y[%i, %j]
      }

A row is in a cache then, and reading it costs less than a function such as `exp`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.kernel.function import WRITE, FuncOp
from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.structured import SHORT_ROWS, MapOp, ParallelOp, ReduceOp
from ....dialects.kernel.types import buffer_type_of
from ....dialects.making import all_operations, operands_of
from ...analysis.access_patterns import best_parallel_index
from .expand_math import FUNCTIONS


@dataclass(frozen=True)
class KeepElementsPass(ModulePass):
    """Keep elements of reductions in what is written of them, in all kernels of a module."""

    name = "kernel-keep-elements"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the kernels in place."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp):
                keep_elements(function)


def keep_elements(function: FuncOp) -> None:
    """Keep elements of reductions in what is written of them, in one kernel.

    >>> (kernel,) = tri.trace(lambda x: tri.softmax(x, 1), tri.spec((40, 50))).lower().kernels
    >>> keep_elements(kernel)
    >>> sum(type(op) in FUNCTIONS for op in kernel.walk())
    1
    """
    kept = [
        store.buffer
        for level in _levels(function)
        for reduction, map_ in _pairs(level)
        for store in _kept(function, reduction, map_)
    ]
    if kept:
        function.properties["known"] = function.known_if_read(kept)


def _levels(function: FuncOp) -> Iterator[Block]:
    """Return the blocks whose reductions run along memory: the kernel's own, and those of rows."""
    yield function.block
    for op in function.block.ops:
        if (
            isinstance(op, ParallelOp)
            and SHORT_ROWS not in op.attributes
            and best_parallel_index(op) is None
        ):
            yield op.block


def _pairs(level: Block) -> Iterator[tuple[ReduceOp, MapOp]]:
    """Return the last reduction of a level, and what follows it, if both run over one index.

    A reduction before it would be one whose level may be computed again.
    """
    nests = [op for op in level.ops if op.regions]
    for before, after in pairwise(nests):
        if (
            isinstance(before, ReduceOp)
            and isinstance(after, MapOp)
            and before.lane_count > 1
            and len(before.indices) == 1
            and [*before.extents] == [*after.extents]
        ):
            yield before, after


def _kept(function: FuncOp, reduction: ReduceOp, map_: MapOp) -> Iterator[StoreOp]:
    """Keep the element of a reduction where the map behind it writes; return what keeps it."""
    element = _yielded(reduction)
    if element is None:
        return
    same = _Same(reduction.indices, map_.indices)
    again = [op for op in map_.block.ops if op.results and same.are(element, op.results[0])]
    stores = [op for op in map_.block.ops if isinstance(op, StoreOp)]
    places = [store for store in stores if _is_place_for(store, element, function, map_)]
    if not again or not places:
        return
    place = places[0]
    _store_as(place, element, reduction, map_)
    load = LoadOp.make(place.buffer, place.indices)
    map_.block.insert_op_before(load, again[0])
    again[0].results[0].replace_all_uses_with(load.results[0])
    for op in reversed([*map_.block.ops]):
        if op.results and not op.regions and not any(result.uses for result in op.results):
            op.detach()
            op.erase()
    yield place


def _yielded(reduction: ReduceOp) -> SSAValue | None:
    """Return the element of a reduction if it takes long to compute, and one value."""
    last = reduction.block.last_op
    assert last is not None
    values = operands_of(last)
    if len(values) != 1 or not any(type(op) in FUNCTIONS for op in reduction.block.ops):
        return None
    return values[0]


def _is_place_for(store: StoreOp, element: SSAValue, function: FuncOp, map_: MapOp) -> bool:
    """Whether a store writes an element of the type to a place that is this element's alone."""
    buffer = store.buffer
    if not isinstance(buffer, BlockArgument) or buffer.owner is not function.block:
        return False
    others = [
        op
        for op in all_operations(function)
        if isinstance(op, LoadOp | StoreOp) and op.buffer is buffer and op is not store
    ]
    return (
        function.access_of(buffer) == WRITE
        and function.is_noalias(buffer)
        and not others
        and buffer_type_of(buffer).element == element.type
        and map_.indices[0] in store.indices
        and all(isinstance(index, BlockArgument) for index in store.indices)
    )


def _store_as(place: StoreOp, element: SSAValue, reduction: ReduceOp, map_: MapOp) -> None:
    """Let a reduction store its element where a map writes."""
    (ours,), (theirs,) = reduction.indices, map_.indices
    indices = [ours if index is theirs else index for index in place.indices]
    last = reduction.block.last_op
    assert last is not None
    reduction.block.insert_op_before(StoreOp.make(element, place.buffer, indices), last)


class _Same:
    """Which values of two bodies are computed in the same way?"""

    def __init__(self, ours: Sequence[SSAValue], theirs: Sequence[SSAValue]) -> None:
        self._known = dict(zip(ours, theirs, strict=True))

    def are(self, ours: SSAValue, theirs: SSAValue) -> bool:
        """Whether two values are the same for the same indices; what is read must not change."""
        if ours is theirs or self._known.get(ours) is theirs:
            return True
        first, second = ours.owner, theirs.owner
        if not isinstance(first, Operation) or not isinstance(second, Operation):
            return False
        if first.regions or not _are_alike(first, second):
            return False
        found = all(map(self.are, operands_of(first), operands_of(second)))
        if found:
            self._known[ours] = theirs
        return found


def _are_alike(first: Operation, second: Operation) -> bool:
    return (
        type(first) is type(second)
        and first.properties == second.properties
        and first.attributes == second.attributes
        and len(first.operands) == len(second.operands)
        and len(first.results) == len(second.results) == 1
        and first.results[0].type == second.results[0].type
    )
