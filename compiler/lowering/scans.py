"""What does the kernel of a scan look like? One `kernel.scan` along a dim, at all other indices."""

from __future__ import annotations

from xdsl.ir import Block, SSAValue

from ...dialects.attributes.views import Strided
from ...dialects.kernel.memory import StoreOp
from ...dialects.kernel.payload import PAYLOAD_TYPES, PayloadLanguage
from ...dialects.kernel.structured import CUSTOM, ScanOp, YieldOp
from ...dialects.kernel.types import type_of_index
from ...dialects.ops.rows.scans import CumulativeOp
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.complexes import complex_of
from ...dialects.ops.scalars.pairs import split
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.tri.ops import TensorOperation, tensor_spec
from .kernel_bodies import draft_copy
from .kernel_builder import Builder, InnerDims, KernelDraft, destination_of, widen
from .nest import Access


def draft_scan(op: TensorOperation) -> list[KernelDraft]:
    """Build the kernel of a cumulative operation; one element alone is copied, none are nothing."""
    row, spec = op.ROW, op.spec
    assert isinstance(row, CumulativeOp)
    (operand,), (result,) = op.operands, op.results
    if not spec.numel:
        return []
    if not spec.rank:
        return [draft_copy(row.name, operand, result, Strided(spec.shape, spec.strides))]
    dim = op.values()["dim"]
    assert isinstance(dim, int)
    outer = tuple(other for other in range(spec.rank) if other != dim)
    dims = InnerDims((spec.shape, dim), spec.shape, (dim,), outer)
    builder = Builder(row.name, tuple(spec.shape[other] for other in outer))
    builder.reduce_over(dims)
    source, target = builder.read(operand, dims), _write(builder, result, dims)
    builder.open(has_nests=True)
    builder.language.location = op.location
    _Scan(builder, row, source, target).emit(builder.extents(dims))
    return [builder.close()]


def _write(builder: Builder, result: SSAValue, dims: InnerDims) -> Access:
    """Note that the result is written along the dim."""
    spec = tensor_spec(result)
    root, offset = destination_of(result)
    outer, inner = dims.split(spec.strides)
    return builder.nest.add(
        Access(root, spec.dtype, offset, outer, dims.key, inner, is_written=True)
    )


class _Scan:
    """The `kernel.scan` in a builder's loop."""

    def __init__(self, builder: Builder, row: CumulativeOp, source: Access, target: Access) -> None:
        self.builder, self.row = builder, row
        self.source, self.target = source, target
        self.dtype = row.accumulator(source.dtype)
        self.part = self.dtype.to_real() if self.dtype.is_complex else self.dtype
        self.types = [PAYLOAD_TYPES[self.part]] * (2 if self.dtype.is_complex else 1)

    def emit(self, extents: list[SSAValue]) -> None:
        """Append the scan; complex numbers are combined as pairs."""
        builder, row = self.builder, self.row
        is_complex = self.dtype.is_complex
        first = self._values(row.first(builder.language, self.dtype)) if is_complex else ()
        scan = ScanOp.make(
            CUSTOM if is_complex else row.combine,
            extents,
            self._element(len(extents)),
            self._store(len(extents)),
            unsigned=not self.dtype.is_signed,
            inits=first,
            combiner=self._combiner() if is_complex else None,
        )
        scan.location = builder.language.location or scan.location
        builder.loop.add_op(scan)

    def _element(self, rank: int) -> Block:
        """Return the body that loads an element."""
        block = Block(arg_types=[type_of_index] * rank)
        language = self._language(block)
        loaded = widen(self.builder.load(language, self.source, block.args))
        block.add_op(YieldOp.make(self._values(scalar.cast(loaded, self.dtype))))
        return block

    def _store(self, rank: int) -> Block:
        """Return the body that stores a partial result."""
        block = Block(arg_types=[*[type_of_index] * rank, *self.types])
        language = self._language(block)
        total = self._scalar(language, block.args[rank:])
        stored = language.whole(scalar.cast(total, self.target.dtype))
        indices = [*self.builder.indices, *block.args[:rank]]
        block.add_op(StoreOp.make(stored, self.builder.buffers[id(self.target)], indices))
        return block

    def _combiner(self) -> Block:
        """Return the body that combines two pairs."""
        block = Block(arg_types=self.types * 2)
        language = self._language(block)
        left, right = block.args[:2], block.args[2:]
        combined = self.row.merge(self._scalar(language, left), self._scalar(language, right))
        block.add_op(YieldOp.make(self._values(combined)))
        return block

    def _language(self, block: Block) -> PayloadLanguage:
        language = PayloadLanguage(block)
        language.location = self.builder.language.location
        return language

    def _scalar(self, language: PayloadLanguage, values: tuple[SSAValue, ...]) -> Scalar:
        """Return an accumulator of the scan as a scalar of the language."""
        parts = [language.scalar(value, self.part) for value in values]
        return complex_of(*parts) if self.dtype.is_complex else parts[0]

    def _values(self, value: Scalar) -> list[SSAValue]:
        """Return what the scan carries for a scalar."""
        return [part.value for part in (split(value) if self.dtype.is_complex else (value,))]
