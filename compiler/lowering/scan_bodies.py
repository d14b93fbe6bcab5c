"""How does a scan stand in a kernel? One `kernel.scan` along a dim, at all other indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects.attributes.dtype import DType
from ...dialects.kernel.memory import StoreOp
from ...dialects.kernel.payload import PAYLOAD_TYPES, PayloadLanguage
from ...dialects.kernel.structured import LATEST_EXTREME, ScanOp, YieldOp
from ...dialects.kernel.types import type_of_index
from ...dialects.ops.frame.reduction_fields import Scalars
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.scalar import Language, Scalar
from ...dialects.records import record
from ...dialects.tri.ops import TensorOperation, tensor_spec
from .kernel_builder import Builder, InnerDims, KernelDraft, as_int64, destination_of, widen
from .nest import Access


@record
class ScanSteps:
    """What a scan does with an element of the accumulator's dtype.

    It enters as several values, which are combined by a kind of `kernel.scan`, or by `merge` from
    what `first` gives; then `shown` are the elements of the results.
    """

    dtype: DType
    kind: str
    enter: Callable[[Scalar, Callable[[], Scalar]], Scalars]
    shown: Callable[[Scalars], Scalars]
    first: Callable[[Language, Sequence[DType]], Scalars] | None = None
    merge: Callable[[Scalars, Scalars], Scalars] | None = None
    #: Whether it is the last of the largest or smallest elements, and its index.
    latest: str = ""


def draft_along(op: TensorOperation, steps: ScanSteps) -> list[KernelDraft]:
    """Build the kernel that scans the operand along a dim; there are elements."""
    spec = op.spec
    dim = op.values()["dim"]
    assert isinstance(dim, int)
    outer = tuple(other for other in range(spec.rank) if other != dim)
    dims = InnerDims((spec.shape, dim), spec.shape, (dim,), outer)
    builder = Builder(op.ROW.name, tuple(spec.shape[other] for other in outer))
    builder.reduce_over(dims)
    source = builder.read(op.operands[0], dims)
    targets = [_write(builder, result, dims) for result in op.results]
    builder.open(has_nests=True)
    builder.language.location = op.location
    _Scan(builder, steps, source, targets).emit(builder.extents(dims))
    return [builder.close()]


def _write(builder: Builder, result: SSAValue, dims: InnerDims) -> Access:
    """Note that a result is written along the dim."""
    spec = tensor_spec(result)
    root, offset = destination_of(result)
    outer, inner = dims.split(spec.strides)
    return builder.nest.add(
        Access(root, spec.dtype, offset, outer, dims.key, inner, is_written=True)
    )


class _Scan:
    """The `kernel.scan` in a builder's loop."""

    def __init__(
        self, builder: Builder, steps: ScanSteps, source: Access, targets: Sequence[Access]
    ) -> None:
        self.builder, self.steps = builder, steps
        self.source, self.targets = source, targets
        #: The dtypes of what the scan carries, known when its first body is there.
        self.dtypes: list[DType] = []

    def emit(self, extents: list[SSAValue]) -> None:
        """Append the scan."""
        builder, steps = self.builder, self.steps
        element = self._element(len(extents))
        first = steps.first(builder.language, self.dtypes) if steps.first else ()
        scan = ScanOp.make(
            steps.kind,
            extents,
            element,
            self._store(len(extents)),
            unsigned=not steps.dtype.is_signed,
            inits=[part.value for part in first],
            combiner=self._combiner(steps.merge) if steps.merge else None,
        )
        if steps.latest:
            sign = "" if steps.dtype.is_signed else " unsigned"
            scan.attributes[LATEST_EXTREME] = StringAttr(steps.latest + sign)
        scan.location = builder.language.location or scan.location
        builder.loop.add_op(scan)

    def _element(self, rank: int) -> Block:
        """Return the body that loads an element, and note what it enters as."""
        block = Block(arg_types=[type_of_index] * rank)
        language = self._language(block)
        loaded = widen(self.builder.load(language, self.source, block.args))
        # There is one index: a scan goes along one dim.
        index = partial(as_int64, language, block.args[0])
        entered = self.steps.enter(scalar.cast(loaded, self.steps.dtype), index)
        self.dtypes = [part.dtype for part in entered]
        block.add_op(YieldOp.make([part.value for part in entered]))
        return block

    def _store(self, rank: int) -> Block:
        """Return the body that stores what is shown of a partial result."""
        block = Block(arg_types=[*[type_of_index] * rank, *self._types()])
        language = self._language(block)
        shown = self.steps.shown(self._scalars(language, block.args[rank:]))
        indices = [*self.builder.indices, *block.args[:rank]]
        for part, target in zip(shown, self.targets, strict=True):
            stored = language.whole(scalar.cast(part, target.dtype))
            block.add_op(StoreOp.make(stored, self.builder.buffers[id(target)], indices))
        return block

    def _combiner(self, merge: Callable[[Scalars, Scalars], Scalars]) -> Block:
        """Return the body that combines two accumulators."""
        block = Block(arg_types=self._types() * 2)
        scalars = partial(self._scalars, self._language(block))
        count = len(self.dtypes)
        merged = merge(scalars(block.args[:count]), scalars(block.args[count:]))
        block.add_op(YieldOp.make([part.value for part in merged]))
        return block

    def _types(self) -> list[Attribute]:
        return [PAYLOAD_TYPES[dtype] for dtype in self.dtypes]

    def _language(self, block: Block) -> PayloadLanguage:
        language = PayloadLanguage(block)
        language.location = self.builder.language.location
        return language

    def _scalars(self, language: PayloadLanguage, values: Sequence[SSAValue]) -> Scalars:
        """Return what the scan carries as scalars of the language."""
        return tuple(
            language.scalar(value, dtype) for value, dtype in zip(values, self.dtypes, strict=True)
        )
