"""What does the kernel of each family of operations look like, in its structured form?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import LocationAttr, StringAttr
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided, expand
from ...dialects.kernel.abi import INDEX, OFFSET, STRIDE, KernelSignature
from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.memory import LoadOp, StoreOp
from ...dialects.kernel.payload import PAYLOAD_TYPES, PayloadLanguage
from ...dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, YieldOp
from ...dialects.kernel.types import BufferType, type_of_index
from ...dialects.ops import scalar
from ...dialects.ops.opspec import ElementwiseOp, ReductionOp
from ...dialects.ops.reduction import replaces_maximum
from ...dialects.ops.rules import compute_dtype
from ...dialects.ops.scalar import Scalar
from ...dialects.tri.ops import (
    ContractionOperation,
    CreationOperation,
    ElementwiseOperation,
    JoinOperation,
    ReductionOperation,
    TensorOperation,
    tensor_spec,
)
from ...dialects.tri.structure import ConstantOp, FusionOp
from ...dialects.tri.structure import YieldOp as FusionYield
from ...dialects.tri.types import ScalarType
from .canonicalize_formats import root_of
from .nest import Access, Nest, buffer_strides
from .promote_types import convert_number

#: The payload of a Python number that is passed to a kernel.
SCALAR_DTYPES: dict[str, DType] = {
    "bool": dtypes.int64,
    "int": dtypes.int64,
    "float": dtypes.float64,
}
_FOLDS_OF_BOOL = {"maximum": "or", "minimum": "and", "add": "or", "mul": "and"}


@dataclass(slots=True)
class KernelDraft:
    """A kernel and what one launch of it is given.

    `operands` are the values behind the kernel's buffers and scalars, in the order of its
    arguments; `sizes` are the values of its index arguments.
    """

    title: str
    func: FuncOp
    operands: list[SSAValue]
    sizes: list[int]
    accesses: dict[int, Access]
    origins: list[LocationAttr | None]
    is_empty: bool = False

    def integers(self, signature: KernelSignature) -> list[int]:
        """Return the launch's flat integers; 0 stands where a scalar's bits go."""
        values: list[int] = []
        for slot in signature.integers:
            if slot.kind == INDEX:
                values.append(self.sizes[slot.argument])
            elif slot.kind == OFFSET:
                values.append(self.accesses[slot.argument].offset)
            elif slot.kind == STRIDE:
                access = self.accesses[slot.argument]
                values.append((access.outer + access.folded)[slot.dimension])
            else:
                values.append(0)
        return values

    def named(self, name: str) -> FuncOp:
        """Give the kernel its name."""
        self.func.properties["sym_name"] = StringAttr(name)
        return self.func


@dataclass(slots=True)
class _Fold:
    """A reduction of a nest: what is folded over which dims, and what becomes of the total."""

    key: Hashable
    shape: tuple[int, ...]
    dims: tuple[int, ...]
    outer_dims: tuple[int | None, ...]

    def split(self, strides: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return strides over `shape` as (strides of the outer dims, of the folded dims)."""
        outer = tuple(0 if dim is None else strides[dim] for dim in self.outer_dims)
        return outer, tuple(strides[dim] for dim in self.dims)


def _fold_of(op: ReductionOperation) -> _Fold:
    shape = tensor_spec(op.operands[0]).shape
    values = op.values()
    dims: Any = values["dim"]
    if values["keepdim"]:
        outer = tuple(None if dim in dims else dim for dim in range(len(shape)))
    else:
        outer = tuple(dim for dim in range(len(shape)) if dim not in dims)
    is_ordered = op.ROW.name == "argmax"
    return _Fold((shape, dims, is_ordered), shape, dims, outer)


class _Builder:
    """Collects accesses first, then emits the kernel around them."""

    def __init__(self, title: str, outer: tuple[int, ...]) -> None:
        self.title = title
        self.nest = Nest(outer)
        self.scalars: list[SSAValue] = []
        self.origins: list[LocationAttr | None] = []

    # ---- first phase: what is accessed

    def read(self, value: SSAValue, fold: _Fold | None = None) -> Access:
        """Note that a value is read, broadcast to the nest, at outer or at folded indices."""
        root, view = root_of(value)
        shape = self.nest.outer_sizes if fold is None else fold.shape
        view = expand(view, shape)
        dtype = tensor_spec(root).dtype
        if fold is None:
            return self.nest.add(Access(root, dtype, view.offset, view.strides))
        outer, folded = fold.split(view.strides)
        return self.nest.add(Access(root, dtype, view.offset, outer, fold.key, folded))

    def write(self, result: SSAValue, view: Strided) -> Access:
        """Note that a part of a result is written."""
        dtype = tensor_spec(result).dtype
        return self.nest.add(Access(result, dtype, view.offset, view.strides, is_written=True))

    def fold(self, fold: _Fold) -> None:
        """Note the dims of a reduction."""
        self.nest.fold_sizes[fold.key] = tuple(fold.shape[dim] for dim in fold.dims)
        if fold.key[2]:  # pyright: ignore[reportIndexIssue] - the key made by _fold_of
            self.nest.ordered_folds.add(fold.key)

    # ---- second phase: the kernel

    def open(self, *, has_folds: bool) -> None:
        """Simplify the nest, make the arguments and the block of the outer loop."""
        self.axes, self.folds = self.nest.simplify()
        self.nest.accesses.sort(key=lambda access: access.is_written)
        block = Block()
        self.function_block = block
        count = self.axes.rank + sum(axes.rank for axes in self.folds.values())
        for _ in range(count):
            block.insert_arg(type_of_index, len(block.args))
        self.sizes = [*self.axes.sizes]
        for axes in self.folds.values():
            self.sizes += axes.sizes
        self.buffers: dict[int, SSAValue] = {}
        self.by_argument: dict[int, Access] = {}
        for access in self.nest.accesses:
            kind = BufferType.get(PAYLOAD_TYPES[access.dtype], buffer_strides(access))
            argument = block.insert_arg(kind, len(block.args))
            self.buffers[id(access)] = argument
            self.by_argument[argument.index] = access
        self.scalar_arguments: dict[SSAValue, Scalar] = {}
        if self.axes.rank:
            self.loop = Block(arg_types=[type_of_index] * self.axes.rank)
        else:
            self.loop = block
        self.has_folds = has_folds
        self.prologue = PayloadLanguage(block)
        self.language = PayloadLanguage(self.loop) if self.axes.rank else self.prologue
        self.language.origins = self.origins

    @property
    def indices(self) -> Sequence[SSAValue]:
        """The indices of the outer loop."""
        return self.loop.args if self.axes.rank else ()

    def extents(self, fold: _Fold) -> list[SSAValue]:
        """The kernel's arguments that are the sizes of a reduction's dims."""
        start = self.axes.rank
        for key, axes in self.folds.items():
            if key == fold.key:
                return list(self.function_block.args[start : start + axes.rank])
            start += axes.rank
        raise KeyError(fold.key)

    def scalar(self, value: SSAValue) -> Scalar:
        """Return a Python number's argument, in int64 or float64."""
        found = self.scalar_arguments.get(value)
        if found is None:
            kind = value.type
            assert isinstance(kind, ScalarType)
            dtype = SCALAR_DTYPES[kind.data.kind]
            block = self.function_block
            argument = block.insert_arg(PAYLOAD_TYPES[dtype], len(block.args))
            self.scalars.append(value)
            found = self.scalar_arguments[value] = Scalar(self.language, argument, dtype)
        return found

    def load(
        self, language: PayloadLanguage, access: Access, folded: Sequence[SSAValue] = ()
    ) -> Scalar:
        """Load an element in the dtype it is stored in."""
        op = LoadOp.make(self.buffers[id(access)], [*self.indices, *folded])
        language.block.add_op(op)
        return language.scalar(op.results[0], access.dtype)

    def store(self, value: Scalar, access: Access) -> None:
        """Store an element in the dtype of the result."""
        narrowed = scalar.cast(value, access.dtype)
        self.loop.add_op(StoreOp.make(narrowed.value, self.buffers[id(access)], self.indices))

    def close(self) -> KernelDraft:
        """End the kernel."""
        block = self.function_block
        if self.axes.rank:
            extents = list(block.args[: self.axes.rank])
            kind = ParallelOp if self.has_folds else MapOp
            block.add_op(kind.make(extents, self.loop))
        arguments = block.args
        access = [
            None
            if argument.index not in self.by_argument
            else ("write" if self.by_argument[argument.index].is_written else "read")
            for argument in arguments
        ]
        # Results are fresh memory, which nothing else that the kernel is given overlaps.
        noalias = [how == "write" for how in access]
        func = FuncOp.make(self.title, block, access=access, noalias=noalias)
        operands = [found.root for found in self.by_argument.values()] + self.scalars
        is_empty = not _count(self.nest.outer_sizes)
        return KernelDraft(
            self.title, func, operands, self.sizes, self.by_argument, self.origins, is_empty
        )


def _count(sizes: Sequence[int]) -> int:
    count = 1
    for size in sizes:
        count *= size
    return count


def widen(value: Scalar) -> Scalar:
    """Return a scalar in the dtype that bodies compute in."""
    return scalar.cast(value, compute_dtype(value.dtype))


def _title(operations: Sequence[Operation]) -> str:
    """Name a kernel by its last operations."""
    names = [op.ROW.name for op in operations if isinstance(op, TensorOperation)]
    return "_".join(names[-3:]) or "kernel"


# ---- fusions


def draft_fusion(op: FusionOp) -> KernelDraft:
    """Build the kernel of a fusion: elementwise operations and reductions of one result shape."""
    return _FusionDraft(op).build()


class _FusionDraft:
    """Evaluates a fusion's body at the indices of a nest."""

    def __init__(self, op: FusionOp) -> None:
        self.op = op
        end = op.block.last_op
        assert isinstance(end, FusionYield)
        self.yielded = list(end.operands)
        self.operations = [item for item in op.block.ops if item is not end]
        self.shape = tensor_spec(self.yielded[0]).shape
        self.builder = _Builder(_title(self.operations), self.shape)
        self.accesses: dict[tuple[SSAValue, Hashable], Access] = {}
        #: Values that are the same at every index: constants, numbers, and what comes of them.
        self.uniform: dict[SSAValue, Scalar] = {}
        self.folds: dict[Operation, _Fold] = {}

    def build(self) -> KernelDraft:
        builder = self.builder
        outer = self._needed(self.yielded, None)
        inside: dict[Operation, list[Operation]] = {}
        for op in outer:
            if isinstance(op, ReductionOperation):
                fold = self.folds[op] = _fold_of(op)
                builder.fold(fold)
                inside[op] = self._needed([op.operands[0]], fold)
        writes = [
            builder.write(result, Strided(tensor_spec(result).shape, tensor_spec(result).strides))
            for result in self.op.results
        ]
        builder.open(has_folds=bool(self.folds))
        values: dict[SSAValue, Scalar] = {}
        for op in outer:
            if isinstance(op, ReductionOperation):
                values[op.results[0]] = self._reduce(op, inside[op])
            else:
                self._evaluate(op, builder.language, values, None, ())
        for value, access in zip(self.yielded, writes, strict=True):
            result = self._operand(value, builder.language, values, None, ())
            builder.store(result, access)
        return builder.close()

    def _needed(self, values: Sequence[SSAValue], fold: _Fold | None) -> list[Operation]:
        """Return, in order, the operations that values are computed by; note what they read.

        A reduction ends the search: what it folds is needed at other indices.
        """
        needed: set[Operation] = set()
        pending = list(reversed(values))
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Block):
                self._note(value, fold)
            elif op not in needed:
                needed.add(op)
                if not isinstance(op, ReductionOperation):
                    pending += reversed(op.operands)
        return [op for op in self.operations if op in needed]

    def _note(self, argument: SSAValue, fold: _Fold | None) -> None:
        key = (argument, None if fold is None else fold.key)
        if key not in self.accesses and not isinstance(argument.type, ScalarType):
            actual = self.op.operands[self.op.block.args.index(argument)]
            self.accesses[key] = self.builder.read(actual, fold)

    def _operand(
        self,
        value: SSAValue,
        language: PayloadLanguage,
        values: dict[SSAValue, Scalar],
        fold: _Fold | None,
        folded: Sequence[SSAValue],
    ) -> Scalar:
        """Return the scalar of a value at the current index, loading it the first time."""
        found = values.get(value)
        if found is None:
            found = self.uniform.get(value)
        if found is not None:
            return language.scalar(found.value, found.dtype)
        assert isinstance(value.owner, Block)
        if isinstance(value.type, ScalarType):
            actual = self.op.operands[self.op.block.args.index(value)]
            made = self.uniform[value] = self.builder.scalar(actual)
            return language.scalar(made.value, made.dtype)
        else:
            access = self.accesses[value, None if fold is None else fold.key]
            made = self.builder.load(language, access, folded)
        values[value] = made
        return made

    def _evaluate(
        self,
        op: Operation,
        language: PayloadLanguage,
        values: dict[SSAValue, Scalar],
        fold: _Fold | None,
        folded: Sequence[SSAValue],
    ) -> None:
        """Add the scalar of a pointwise operation's result to `values`."""
        result = op.results[0]
        if result in self.uniform:
            return
        if self._is_uniform(op):
            # Computed once, in front of the loops.
            language, values = self.builder.prologue, self.uniform
        language.location = op.location
        if isinstance(op, ConstantOp):
            values[result] = constant(language, op.number, tensor_spec(result).dtype)
            return
        operands = [
            self._operand(operand, language, values, fold, folded) for operand in op.operands
        ]
        assert isinstance(op, TensorOperation)
        if isinstance(op, ElementwiseOperation):
            row = op.ROW
            assert isinstance(row, ElementwiseOp)
            made = row.body(*map(widen, operands), **op.values())
            values[result] = scalar.cast(made, op.spec.dtype)
        else:
            values[result] = scalar.cast(operands[0], op.spec.dtype)

    def _is_uniform(self, op: Operation) -> bool:
        """Whether an operation has the same operands at every index; none fails, or is a check."""
        return all(
            operand in self.uniform or isinstance(operand.type, ScalarType)
            for operand in op.operands
        )

    def _reduce(self, op: ReductionOperation, inside: list[Operation]) -> Scalar:
        """Emit the reduction of what `inside` computes, and finish its total."""
        fold = self.folds[op]
        row = op.ROW
        assert isinstance(row, ReductionOp)
        builder = self.builder
        extents = builder.extents(fold)
        block = Block(arg_types=[type_of_index] * len(extents))
        language = PayloadLanguage(block)
        language.origins = builder.origins
        values: dict[SSAValue, Scalar] = {}
        for item in inside:
            self._evaluate(item, language, values, fold, block.args)
        element = widen(self._operand(op.operands[0], language, values, fold, block.args))
        language.location = builder.language.location = op.location
        if row.combine == "argmax":
            return _emit_argmax(builder, extents, block, element)
        if row.prepare is not None:
            element = row.prepare(element)
        total = _emit_fold(builder, row, extents, block, element)
        if row.finish is not None:
            total = row.finish(total, _element_count(builder.language, extents, total.dtype))
        return scalar.cast(total, op.spec.dtype)


def constant(language: PayloadLanguage, number: complex, dtype: DType) -> Scalar:
    """Return a constant of a tensor's dtype, rounded to it, in the dtype that bodies compute in."""
    assert not isinstance(number, complex)
    if dtype is not compute_dtype(dtype):
        number = float(dtype.numpy.type(number))
    return language.constant(number, compute_dtype(dtype))


def _emit_fold(
    builder: _Builder,
    row: ReductionOp,
    extents: Sequence[SSAValue],
    block: Block,
    element: Scalar,
) -> Scalar:
    kind = row.combine
    if element.dtype is dtypes.bool_:
        kind = _FOLDS_OF_BOOL.get(kind, kind)
    block.add_op(YieldOp.make([element.value]))
    reduce = ReduceOp.make(
        kind,
        extents,
        [PAYLOAD_TYPES[element.dtype]],
        block,
        lanes=row.lanes,
        block=row.block,
        unsigned=not element.dtype.is_signed and element.dtype is not dtypes.bool_,
    )
    reduce.location = builder.language.location or reduce.location
    builder.loop.add_op(reduce)
    return builder.language.scalar(reduce.results[0], element.dtype)


def _element_count(language: PayloadLanguage, extents: Sequence[SSAValue], dtype: DType) -> Scalar:
    """Return the number of folded elements as a float."""
    total: Scalar = language.constant(1, dtypes.int64)
    for extent in extents:
        total = total * _as_int64(language, extent)
    return scalar.cast(total, dtype)


def _as_int64(language: PayloadLanguage, index: SSAValue) -> Scalar:
    op = arith.IndexCastOp.create(operands=(index,), result_types=(PAYLOAD_TYPES[dtypes.int64],))
    language.block.add_op(op)
    return language.scalar(op.results[0], dtypes.int64)


def _emit_argmax(
    builder: _Builder, extents: Sequence[SSAValue], block: Block, element: Scalar
) -> Scalar:
    """Fold (value, index) pairs in order; the first of equals and the first NaN win."""
    inner = element.language
    assert isinstance(inner, PayloadLanguage)
    position: Scalar = inner.constant(0, dtypes.int64)
    for index, extent in zip(block.args, extents, strict=True):
        position = position * _as_int64(inner, extent) + _as_int64(inner, index)
    block.add_op(YieldOp.make([element.value, position.value]))
    types = [PAYLOAD_TYPES[element.dtype], PAYLOAD_TYPES[dtypes.int64]]
    combiner = Block(arg_types=[*types, *types])
    language = PayloadLanguage(combiner)
    best, best_at, candidate, candidate_at = (
        language.scalar(argument, dtype)
        for argument, dtype in zip(combiner.args, (element.dtype, dtypes.int64) * 2, strict=True)
    )
    wins = replaces_maximum(best, candidate)
    combiner.add_op(
        YieldOp.make(
            [
                scalar.select(wins, candidate, best).value,
                scalar.select(wins, candidate_at, best_at).value,
            ]
        )
    )
    outer = builder.language
    inits = [
        outer.constant(_lowest(element.dtype), element.dtype).value,
        outer.constant(0, dtypes.int64).value,
    ]
    reduce = ReduceOp.make("custom", extents, types, block, inits=inits, combiner=combiner)
    builder.loop.add_op(reduce)
    return outer.scalar(reduce.results[1], dtypes.int64)


def _lowest(dtype: DType) -> float:
    if dtype.is_floating_point:
        return float("-inf")
    return -(1 << (dtype.bits - 1)) if dtype.is_signed else 0


# ---- the other families


def draft_contraction(op: ContractionOperation) -> KernelDraft:
    """Build a matmul in its plain form: for each (..., m, n) a serial sum over k."""
    left, right = op.operands
    shape = op.spec.shape
    builder = _Builder("matmul", shape)
    (rank_left, inner), rank_right = (
        (len(tensor_spec(left).shape), tensor_spec(left).shape[-1]),
        len(tensor_spec(right).shape),
    )
    batch = len(shape) - (rank_left > 1) - (rank_right > 1)
    rows = shape[batch : batch + 1] if rank_left > 1 else ()
    columns = shape[len(shape) - 1 :] if rank_right > 1 else ()
    key: Hashable = ("k", inner, False)
    builder.nest.fold_sizes[key] = (inner,)

    def access(value: SSAValue, own: tuple[int, ...], *, is_left: bool) -> Access:
        root, view = root_of(value)
        dims = len(own) + 1
        lead = view.strides[: len(view.shape) - dims]
        wide = expand(Strided(view.shape[: len(view.shape) - dims], lead), shape[:batch]).strides
        tail = view.strides[len(view.shape) - dims :]
        if is_left:
            folded = tail[-1:]
            outer = wide + tail[:-1] + (0,) * len(columns)
        else:
            folded = tail[:1]
            outer = wide + (0,) * len(rows) + tail[1:]
        dtype = tensor_spec(root).dtype
        return builder.nest.add(Access(root, dtype, view.offset, outer, key, folded))

    first = access(left, rows, is_left=True)
    second = access(right, columns, is_left=False)
    (result,) = op.results
    written = builder.write(result, Strided(shape, op.spec.strides))
    builder.open(has_folds=True)
    fold = _Fold(key, (inner,), (0,), ())
    extents = builder.extents(fold)
    block = Block(arg_types=[type_of_index] * len(extents))
    language = PayloadLanguage(block)
    product = widen(builder.load(language, first, block.args)) * widen(
        builder.load(language, second, block.args)
    )
    block.add_op(YieldOp.make([product.value]))
    reduce = ReduceOp.make("add", extents, [PAYLOAD_TYPES[product.dtype]], block)
    reduce.location = op.location
    builder.loop.add_op(reduce)
    builder.store(builder.language.scalar(reduce.results[0], product.dtype), written)
    return builder.close()


def draft_joins(op: JoinOperation) -> list[KernelDraft]:
    """Build a copy for each operand into its part of the result, after a fill if there is one."""
    row = op.ROW
    (result,) = op.results
    values = op.values()
    drafts: list[KernelDraft] = []
    whole = Strided(op.spec.shape, op.spec.strides)
    if row.fill is not None:
        number: Any = values[row.fill]
        dtype = op.spec.dtype
        value = convert_number(number, dtype)
        drafts.append(
            _draft_pointwise(
                "fill", result, whole, lambda builder, _: constant(builder.language, value, dtype)
            )
        )
    specs = [tensor_spec(operand) for operand in op.operands]
    places = row.place(specs, op.spec, values)
    for operand, (source, target) in zip(op.operands, places, strict=True):
        if _count(source.shape) and _count(target.shape):
            drafts.append(_draft_copy(row.name, operand, result, target))
    return drafts


def _draft_copy(title: str, operand: SSAValue, result: SSAValue, target: Strided) -> KernelDraft:
    builder = _Builder(title, target.shape)
    source = builder.read(operand)
    written = builder.write(result, target)
    builder.open(has_folds=False)
    builder.store(builder.load(builder.language, source), written)
    return builder.close()


def _draft_pointwise(
    title: str,
    result: SSAValue,
    target: Strided,
    element: Callable[[_Builder, Sequence[SSAValue]], Scalar],
) -> KernelDraft:
    builder = _Builder(title, target.shape)
    written = builder.write(result, target)
    builder.open(has_folds=False)
    builder.store(element(builder, builder.indices), written)
    return builder.close()


def draft_creation(op: CreationOperation) -> KernelDraft:
    """Build the kernel of a range: each element from its index."""
    (result,) = op.results
    values = op.values()
    row = op.ROW
    assert row.body is not None
    body = row.body

    def element(builder: _Builder, indices: Sequence[SSAValue]) -> Scalar:
        language = builder.language
        # A range of one element has no loop: its index is 0.
        index = _as_int64(language, indices[0]) if indices else language.constant(0, dtypes.int64)
        return body(index, **values)

    spec: TensorSpec = op.spec
    return _draft_pointwise(row.name, result, Strided(spec.shape, spec.strides), element)
