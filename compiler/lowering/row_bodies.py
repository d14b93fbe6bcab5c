"""How does a fusion stand in a kernel that walks along its rows several times?

    kernel.parallel (%i) to (%rows) {
      %m = kernel.reduce maximum (%j) to (%columns) ... { ... }
      %s = kernel.reduce add (%j) to (%columns) ... { what reads %m, computed again }
      kernel.map (%j) to (%columns) { what reads %m and %s, stored }
    }

Values are on one of two levels: rows, which have the shape of the reductions' results, and
elements. One of elements is computed wherever it is needed.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.extents import are_equal
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided
from ...dialects.kernel.payload import PayloadLanguage
from ...dialects.kernel.structured import MapOp
from ...dialects.kernel.types import type_of_index
from ...dialects.making import operands_of
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.tri.ops import ReductionOperation, tensor_spec
from ...dialects.tri.structure import ConstantOp, FusionOp
from .kernel_bodies import FusionDraft, is_counting
from .kernel_builder import InnerDims, KernelDraft
from .nest import Access
from .reduction_bodies import dims_by_memory, reduced_dims


def draft_fusion(op: FusionOp) -> KernelDraft:
    """Build the kernel of a fusion: of one result shape, or of elements and their rows."""
    draft = FusionDraft(op)
    reduction = next((item for item in op.block.ops if isinstance(item, ReductionOperation)), None)
    if reduction is None or not _reads_rows_back(reduction, op):
        return draft.build()
    return RowDraft(op, reduction).build()


def _reads_rows_back(reduction: ReductionOperation, op: FusionOp) -> bool:
    """Whether a fusion has elements that are computed from what is reduced."""
    kept = reduction.spec.shape
    behind: set[SSAValue] = set()
    for item in op.block.ops:
        is_behind = any(operand in behind for operand in operands_of(item))
        if isinstance(item, ReductionOperation):
            if is_behind and not are_equal(tensor_spec(item.operands[0]).shape, kept):
                return True
            behind.update(item.results)
        elif is_behind and item.results:
            if not are_equal(tensor_spec(item.results[0]).shape, kept):
                return True
            behind.update(item.results)
    return False


class RowDraft(FusionDraft):
    """Evaluates a fusion's body row by row."""

    def __init__(self, op: FusionOp, reduction: ReductionOperation) -> None:
        """Take the rows from a reduction of the fusion, any of them."""
        super().__init__(op, reduction.spec.shape)
        self.kept = reduction.spec.shape
        self.full = tensor_spec(reduction.operands[0]).shape
        self.rows: set[Operation] = set()
        self.inside: dict[Operation, list[Operation]] = {}

    def build(self) -> KernelDraft:
        """Find what each walk needs, then build the walks in the order of the operations."""
        builder = self.builder
        results = list(zip(self.yielded, self.op.results, strict=True))
        elements = [pair for pair in results if not self._is_row_shape(pair[0])]
        rows = [pair for pair in results if self._is_row_shape(pair[0])]
        self._need_rows([value for value, _ in rows])
        walk = self._walk_of(elements[0][1]) if elements else None
        written: list[Operation] = []
        if walk is not None:
            builder.reduce_over(walk)
            written = self._needed_elements([value for value, _ in elements], walk)
        accesses = [builder.write(result, _window(result)) for _, result in rows]
        inner = [] if walk is None else [self._write(result, walk) for _, result in elements]
        builder.open(has_nests=True)
        for op in [op for op in self.operations if op in self.rows]:
            if isinstance(op, ReductionOperation):
                self.outer.update(zip(op.results, self._reduce(op, self.inside[op]), strict=True))
            else:
                self._evaluate(op, builder.language, self.outer, None, ())
        totals = [self._operand(value, builder.language, self.outer, None, ()) for value, _ in rows]
        if walk is not None:
            self._map(walk, written, [value for value, _ in elements], inner)
        for total, access in zip(totals, accesses, strict=True):
            builder.store(total, access)
        return builder.close(has_short_rows=self.has_short_rows())

    # ---- what is needed

    def _is_row_shape(self, value: SSAValue) -> bool:
        return are_equal(tensor_spec(value).shape, self.kept)

    def _is_row(self, op: Operation) -> bool:
        """Whether an operation is computed once for each row."""
        if isinstance(op, ConstantOp):
            return False
        return isinstance(op, ReductionOperation) or self._is_row_shape(op.results[0])

    def _need_rows(self, values: Sequence[SSAValue]) -> None:
        """Note what values of rows are computed from, the elements of reductions among it."""
        pending = list(reversed(values))
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Block):
                self._note(value, None)
            elif op not in self.rows:
                self.rows.add(op)
                if is_counting(op):
                    self._note(value, None)
                if isinstance(op, ReductionOperation):
                    walk = self.reductions[op] = reduced_dims(op)
                    self.builder.reduce_over(walk)
                    self.inside[op] = self._needed_inside(op, self._needed_elements)
                else:
                    pending += reversed(operands_of(op))

    def _needed_elements(self, values: Sequence[SSAValue], walk: InnerDims) -> list[Operation]:
        """Return, in order, what is computed at each element; note what it reads."""
        needed: set[Operation] = set()
        rows: list[SSAValue] = []
        pending = list(reversed(values))
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Block):
                self._note(value, walk)
            elif self._is_row(op):
                rows.append(value)
            elif op not in needed:
                needed.add(op)
                if is_counting(op):
                    self._note(value, walk)
                pending += reversed(operands_of(op))
        self._need_rows(rows)
        return [op for op in self.operations if op in needed]

    # ---- what is written

    def _walk_of(self, result: SSAValue) -> InnerDims:
        """Return the dims of a row in the order in which a result of elements lies in memory."""
        dims = [
            dim for dim, size in enumerate(self.full) if not are_equal((size,), (self.kept[dim],))
        ]
        order = dims_by_memory(dims, self.full, tensor_spec(result).strides)
        outer = tuple(None if dim in dims else dim for dim in range(len(self.full)))
        return InnerDims((self.full, order), self.full, order, outer)

    def _write(self, result: SSAValue, walk: InnerDims) -> Access:
        """Note that the elements of a result are written."""
        return self.builder.write(result, _window(result), walk)

    def _map(
        self,
        walk: InnerDims,
        needed: Sequence[Operation],
        values: Sequence[SSAValue],
        accesses: Sequence[Access],
    ) -> None:
        """Append the loop that writes elements: all are computed before any is stored."""
        builder = self.builder
        extents = builder.extents(walk)
        block = Block(arg_types=[type_of_index] * len(extents))
        language = PayloadLanguage(block)
        language.origins = builder.origins
        known = dict(self.outer)
        for op in needed:
            self._evaluate(op, language, known, walk, block.args)
        made: list[Scalar] = [
            self._operand(value, language, known, walk, block.args) for value in values
        ]
        for value, access in zip(made, accesses, strict=True):
            builder.store(value, access, language, block.args)
        builder.loop.add_op(MapOp.make(extents, block))


def _window(result: SSAValue) -> Strided:
    spec: TensorSpec = tensor_spec(result)
    return Strided(spec.shape, spec.strides)
