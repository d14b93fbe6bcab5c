"""What does the kernel of each family of operations look like, in its structured form?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import Category
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided
from ...dialects.kernel.payload import PayloadLanguage
from ...dialects.kernel.types import type_of_index
from ...dialects.making import operands_of
from ...dialects.ops.frame.opspec import CreationOp, ElementwiseOp, JoinOp, ReductionOp
from ...dialects.ops.rows.creation.counters import NumberingOp
from ...dialects.ops.rows.elementwise.conversion import convert
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.numbers import convert_number
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.tri.ops import (
    ElementwiseOperation,
    ReductionOperation,
    TensorOperation,
    is_product,
    tensor_spec,
)
from ...dialects.tri.structure import ConstantOp, FusionOp
from ...dialects.tri.structure import YieldOp as FusionYield
from ...dialects.tri.types import ScalarType
from ...dialects.tri.writing import WriteOp
from ..analysis.aliases import root_of
from .kernel_builder import (
    Builder,
    InnerDims,
    KernelDraft,
    as_int64,
    constant,
    element_count,
    widen,
)
from .nest import Access
from .padded_copies import draft_padded_copy
from .products import Product, emit_product, note_product
from .reduction_bodies import (
    emit_count,
    emit_joint_reduction,
    emit_mean,
    emit_reduction,
    reduced_dims,
)


def _title(operations: Sequence[Operation]) -> str:
    """Name a kernel by its last operations, and by what it sums products for."""
    named = [op for op in operations if isinstance(op, TensorOperation)]
    shown = named[-3:]
    products = [op for op in named if is_product(op)]
    if products and products[-1] not in shown:
        shown = [*products, *named[-2:]]
    return "_".join([op.ROW.name for op in shown]) or "kernel"


# ---- fusions


def is_part_of_code(constant: ConstantOp) -> bool:
    """Whether a number stays a constant of a kernel: if integers are divided by it."""
    (result,) = constant.results
    if tensor_spec(result).dtype.category > Category.INTEGRAL:
        return False
    return any(
        isinstance(use.operation, ElementwiseOperation)
        and use.operation.ROW.has_constant_divisor
        and use.index == 1
        for use in result.uses
    )


#: How many elements a row has at most for which a vector of rows is faster than rows on vectors:
#: softmax of 8192 rows of 3 floats takes 100 us instead of 1000, of 8 190 instead of 700, of 15 340
#: instead of 760, of 16 as long (AVX2).
SHORT_ROW = 15


def is_counting(op: Operation) -> bool:
    """Whether an operation gives elements their numbers."""
    return isinstance(op, TensorOperation) and isinstance(op.ROW, NumberingOp)


class FusionDraft:
    """Evaluates a fusion's body at the indices of a nest: operations of one result shape."""

    def __init__(self, op: FusionOp, shape: tuple[int, ...] | None = None) -> None:
        """Take the shape of the nest from what is yielded, if it is not another one."""
        self.op = op
        end = op.block.last_op
        assert isinstance(end, FusionYield)
        self.yielded = list(end.operands)
        self.operations = [item for item in op.block.ops if item is not end]
        self.shape = tensor_spec(self.yielded[0]).shape if shape is None else shape
        self.builder = Builder(_title(self.operations), self.shape)
        self.accesses: dict[Hashable, Access] = {}
        #: Values that are the same at every index: constants, numbers, and what comes of them.
        self.uniform: dict[SSAValue, Scalar] = {}
        self.reductions: dict[Operation, InnerDims] = {}
        #: Where the first elements are of reductions that have a pivot, unless there are none.
        self.firsts: dict[Operation, InnerDims] = {}
        self.products: dict[Operation, Product] = {}
        #: What computes a factor of a product where it is read.
        self.insides: dict[SSAValue, list[Operation]] = {}
        #: Values of the outer nest that elements of reductions are computed from.
        self.outer: dict[SSAValue, Scalar] = {}

    def build(self) -> KernelDraft:
        """Find what is needed, then build the loops."""
        builder = self.builder
        outer = self._needed(self.yielded, None)
        inside: dict[Operation, list[Operation]] = {}
        for op in outer:
            if isinstance(op, ReductionOperation):
                reduction = self.reductions[op] = reduced_dims(op)
                builder.reduce_over(reduction)
                inside[op] = self._needed_inside(op, self._needed)
            elif is_product(op):
                self._note_product(op)
        writes = [
            builder.write(result, Strided(tensor_spec(result).shape, tensor_spec(result).strides))
            for result in self.op.results
        ]
        builder.open(has_nests=bool(self.reductions or self.products))
        values: dict[SSAValue, Scalar] = {}
        for op in outer:
            if isinstance(op, ReductionOperation):
                values.update(zip(op.results, self._reduce(op, inside[op]), strict=True))
            elif is_product(op):
                values[op.results[0]] = self._sum_products(op)
            else:
                self._evaluate(op, builder.language, values, None, ())
        for value, access in zip(self.yielded, writes, strict=True):
            result = self._operand(value, builder.language, values, None, ())
            builder.store(result, access)
        is_short = self._reduces_rows_of_memory() and self.has_short_rows()
        return builder.close(has_short_rows=is_short)

    def _reduces_rows_of_memory(self) -> bool:
        """Whether each reduction walks along neighbours in memory, in several rows."""
        if not self.reductions or all(extent == 1 for extent in self.shape):
            return False
        return all(
            len(walk.dims) == 1 and tensor_spec(op.operands[0]).strides[walk.dims[0]] == 1
            for op, walk in self.reductions.items()
        )

    def has_short_rows(self) -> bool:
        """Whether each reduction walks along few elements; of a size that is a symbol, a guard.

        No row is short where there are no elements: all rows of a result may be at one place then.
        """
        return all(
            len(walk.dims) == 1 and 0 not in walk.shape and walk.shape[walk.dims[0]] <= SHORT_ROW
            for walk in self.reductions.values()
        )

    def _needed(self, values: Sequence[SSAValue], reduction: InnerDims | None) -> list[Operation]:
        """Return, in order, the operations that values are computed by; note what they read.

        A reduction ends the search, as does a product: what they sum is needed at other indices.
        """
        needed: set[Operation] = set()
        pending = list(reversed(values))
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Block):
                self._note(value, reduction)
            elif op not in needed:
                needed.add(op)
                if is_counting(op):
                    self._note(value, reduction)
                if not isinstance(op, ReductionOperation) and not is_product(op):
                    pending += reversed(operands_of(op))
        return [op for op in self.operations if op in needed]

    def _needed_inside(
        self,
        op: ReductionOperation,
        needed: Callable[[Sequence[SSAValue], InnerDims], list[Operation]],
    ) -> list[Operation]:
        """Return what elements of a reduction are computed by; `needed` notes what they read.

        The first element is read by itself: what moves a buffer from block to block leaves it.
        """
        walk, joint = self.reductions[op], op.ROW.joint
        has_pivot = joint is not None and joint.pivot is not None
        if has_pivot and 0 not in [walk.shape[dim] for dim in walk.dims]:
            first = InnerDims(("first", walk.key), walk.shape, (), walk.outer_dims)
            self.firsts[op] = first
            needed([op.operands[0]], first)
        return needed([op.operands[0]], walk)

    def _note(self, argument: SSAValue, reduction: InnerDims | None) -> None:
        key = _access_key(argument, reduction)
        if key not in self.accesses and not isinstance(argument.type, ScalarType):
            if not isinstance(argument.owner, Block):
                self.accesses[key] = self.builder.count(argument, reduction)
                return
            self.accesses[key] = self.builder.read(self._actual(argument), reduction)

    def _actual(self, argument: SSAValue) -> SSAValue:
        """Return what the fusion is given for an argument of its body."""
        assert isinstance(argument.owner, Block)
        return self.op.operands[self.op.block.args.index(argument)]

    def _operand(
        self,
        value: SSAValue,
        language: PayloadLanguage,
        values: dict[SSAValue, Scalar],
        reduction: InnerDims | None,
        inner: Sequence[SSAValue],
    ) -> Scalar:
        """Return the scalar of a value at the current index, loading it the first time."""
        found = values.get(value)
        if found is None:
            found = self.uniform.get(value)
        if found is not None:
            return language.adopt(found)
        assert isinstance(value.owner, Block)
        if isinstance(value.type, ScalarType):
            made = self.uniform[value] = self.builder.scalar(self._actual(value))
            return language.adopt(made)
        else:
            access = self.accesses[_access_key(value, reduction)]
            made = self.builder.load(language, access, inner)
        values[value] = made
        return made

    def _evaluate(
        self,
        op: Operation,
        language: PayloadLanguage,
        values: dict[SSAValue, Scalar],
        reduction: InnerDims | None,
        inner: Sequence[SSAValue],
    ) -> None:
        """Add the scalars of a pointwise operation's results to `values`."""
        result = op.results[0]
        if result in self.uniform:
            return
        if self._is_uniform(op):
            # Computed once, in front of the loops.
            language, values = self.builder.prologue, self.uniform
        language.location = op.location
        if is_counting(op):
            access = self.accesses[_access_key(result, reduction)]
            values[result] = self.builder.element_number(language, access, inner)
            return
        if isinstance(op, ConstantOp):
            dtype = tensor_spec(result).dtype
            if is_part_of_code(op):
                values[result] = constant(language, op.number, dtype)
            else:
                values[result] = self.builder.number(op.number, dtype)
            return
        operands = [
            self._operand(operand, language, values, reduction, inner)
            for operand in operands_of(op)
        ]
        assert isinstance(op, TensorOperation)
        if isinstance(op, ElementwiseOperation):
            row = op.ROW
            assert isinstance(row, ElementwiseOp)
            made = row.body(*map(widen, operands), **op.values())
            parts = made if isinstance(made, tuple) else (made,)
            for item, part in zip(op.results, parts, strict=True):
                values[item] = scalar.cast(part, tensor_spec(item).dtype)
        else:
            values[result] = scalar.cast(operands[0], op.spec.dtype)

    def _note_product(self, op: TensorOperation) -> None:
        """Note what a sum of products reads, and what factors are computed from."""
        is_given = [isinstance(operand.owner, Block) for operand in op.operands]
        factors = [
            self._actual(operand) if given else None
            for operand, given in zip(op.operands, is_given, strict=True)
        ]
        product = self.products[op] = note_product(self.builder, op, factors)
        for number, given in enumerate(is_given):
            if not given:
                factor = op.operands[number]
                self.insides[factor] = self._needed([factor], product.walks[number])

    def _sum_products(self, op: TensorOperation) -> Scalar:
        """Emit a sum of products; return it in the dtype of the operation's result."""
        product = self.products[op]

        def computed(number: int, language: PayloadLanguage, indices: Sequence[SSAValue]) -> Scalar:
            factor, walk, values = op.operands[number], product.walks[number], dict(self.outer)
            for item in self.insides[factor]:
                self._evaluate(item, language, values, walk, indices)
            return self._operand(factor, language, values, walk, indices)

        total = emit_product(self.builder, op, product, computed)
        return scalar.cast(total, op.spec.dtype)

    def _is_uniform(self, op: Operation) -> bool:
        """Whether an operation has the same operands at every index; none fails, or is a check."""
        if is_counting(op):
            return False
        for operand in operands_of(op):
            if operand not in self.uniform and type(operand.type) is not ScalarType:
                return False
        return True

    def _reduce(self, op: ReductionOperation, inside: list[Operation]) -> list[Scalar]:
        """Emit the reduction of what `inside` computes; return its finished totals."""
        reduction = self.reductions[op]
        row = op.ROW
        assert isinstance(row, ReductionOp)
        builder = self.builder
        extents = builder.extents(reduction)

        def element_inside() -> tuple[Block, Scalar]:
            block = Block(arg_types=[type_of_index] * len(extents))
            language = PayloadLanguage(block)
            language.origins = builder.origins
            element = self._element(op, inside, language, reduction, block.args)
            language.location = builder.language.location = op.location
            return block, element

        if row.joint is not None:
            pivot: Scalar | None = None
            if row.joint.pivot is not None:
                first = self._first(op, inside)
                pivot = row.joint.pivot(
                    first, lambda: emit_mean(builder, op, extents, *element_inside())
                )
            block, element = element_inside()
            parts = emit_joint_reduction(builder, op, row.joint, extents, block, element, pivot)
            dtypes_of = [tensor_spec(result).dtype for result in op.results]
            return [scalar.cast(*pair) for pair in zip(parts, dtypes_of, strict=True)]
        block, element = element_inside()
        if row.prepare is not None:
            element = row.prepare(element)
        total = emit_reduction(
            builder, row.combine, extents, block, element, lanes=row.lanes, length=row.block
        )
        if row.finish is not None:
            total = row.finish(total, emit_count(builder.language, extents, total.dtype))
        return [scalar.cast(total, op.spec.dtype)]

    def _element(
        self,
        op: ReductionOperation,
        inside: Sequence[Operation],
        language: PayloadLanguage,
        walk: InnerDims,
        indices: Sequence[SSAValue],
    ) -> Scalar:
        """Return an element of what is reduced, which `inside` computes."""
        values = dict(self.outer)
        for item in inside:
            self._evaluate(item, language, values, walk, indices)
        return widen(self._operand(op.operands[0], language, values, walk, indices))

    def _first(self, op: ReductionOperation, inside: Sequence[Operation]) -> Scalar:
        """Return the first element that a reduction walks over, 0 where there is none."""
        language, walk = self.builder.language, self.firsts.get(op)
        if walk is None:
            return constant(language, 0, tensor_spec(op.operands[0]).dtype)
        return self._element(op, inside, language, walk, ())


def _access_key(value: SSAValue, reduction: InnerDims | None) -> Hashable:
    """Return what tells apart how a value is read: at indices of the nest, or along a walk."""
    return value, None if reduction is None else (reduction.key, reduction.outer_dims)


# ---- the other families


def draft_joins(op: TensorOperation) -> list[KernelDraft]:
    """Build a copy for each operand into its part of the result, after a fill if there is one.

    A single operand inside of what is filled is one kernel with it.
    """
    row = op.ROW
    assert isinstance(row, JoinOp)
    (result,) = op.results
    drafts: list[KernelDraft] = []
    whole = Strided(op.spec.shape, op.spec.strides)
    tensors = [operand for operand in op.operands if not isinstance(operand.type, ScalarType)]
    if row.fill is not None:
        if len(tensors) == 1 and (padded := draft_padded_copy(op, partial(_fill, op))):
            return [padded]
        drafts.append(
            _draft_pointwise("fill", result, whole, lambda builder, _: _fill(op, builder))
        )
    places = row.place([tensor_spec(operand) for operand in tensors], op.spec, op.values())
    for operand, (source, target) in zip(tensors, places, strict=True):
        if element_count(source.shape) and element_count(target.shape):
            drafts.append(draft_copy(row.name, operand, result, target))
    return drafts


def _fill(op: TensorOperation, builder: Builder) -> Scalar:
    """Return the number that what no operand is written to takes."""
    dtype = op.spec.dtype
    given = op.operands[-1]
    if not isinstance(given.type, ScalarType):
        return builder.number(convert_number(0, dtype), dtype)
    if isinstance(given.owner, ConstantOp):
        return builder.number(convert_number(given.owner.number, dtype), dtype)
    return convert(builder.scalar(given), dtype)


def draft_copy(title: str, operand: SSAValue, result: SSAValue, target: Strided) -> KernelDraft:
    """Build a copy into a part of a result."""
    builder = Builder(title, target.shape)
    source = builder.read(operand)
    written = builder.write(result, target)
    builder.open(has_nests=False)
    builder.store(builder.load(builder.language, source), written)
    return builder.close()


def draft_write(op: WriteOp) -> KernelDraft:
    """Build the copy of a value into the memory of an argument."""
    value, destination = op.operands
    root, target = root_of(destination)
    builder = Builder("write", target.shape)
    source = builder.read(value)
    access = Access(
        root, tensor_spec(destination).dtype, target.offset, target.strides, is_written=True
    )
    written = builder.nest.add(access)
    builder.open(has_nests=False)
    builder.store(builder.load(builder.language, source), written)
    return builder.close()


def _draft_pointwise(
    title: str,
    result: SSAValue,
    target: Strided,
    element: Callable[[Builder, Sequence[SSAValue]], Scalar],
) -> KernelDraft:
    builder = Builder(title, target.shape)
    written = builder.write(result, target)
    builder.open(has_nests=False)
    builder.store(element(builder, builder.indices), written)
    return builder.close()


def draft_creation(op: TensorOperation) -> list[KernelDraft]:
    """Build the kernel of a range, each element from its index; what has no body is memory."""
    (result,) = op.results
    row = op.ROW
    assert isinstance(row, CreationOp)
    body = row.body
    if body is None:
        return []
    numbers = {} if row.numbers is None else row.numbers(op.values())

    def element(builder: Builder, indices: Sequence[SSAValue]) -> Scalar:
        language = builder.language
        # A range of one element has no loop: its index is 0.
        index = as_int64(language, indices[0]) if indices else language.constant(0, dtypes.int64)
        scalars = {name: builder.number(*number) for name, number in numbers.items()}
        return body(index, op.spec.dtype, **scalars)

    spec: TensorSpec = op.spec
    return [_draft_pointwise(row.name, result, Strided(spec.shape, spec.strides), element)]
