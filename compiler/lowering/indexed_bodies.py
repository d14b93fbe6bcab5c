"""What do the kernels of gathers and scatters look like? Loads and stores at computed indices.

Each index that comes from memory is checked against the size of its dim before it is used. A bad
one reports an IndexError, and 0 takes its place: the kernel goes on, and element 0 is there, since
a dim without elements was refused when the operation was resolved.

The points of a gather are independent. Those of a scatter may meet in one element: dims that index
tensors walk are serial loops, outermost, in row-major order; the others are a map inside of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.dtype import int64
from ...dialects.attributes.views import Strided
from ...dialects.kernel.memory import CheckOp, StoreOp
from ...dialects.kernel.scheduled import ForOp
from ...dialects.kernel.structured import MapOp
from ...dialects.kernel.types import type_of_index
from ...dialects.making import make_op
from ...dialects.ops.frame.indexed import GatherOp, Ints, Placement, ScatterOp
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.tri.ops import TensorOperation, tensor_spec
from ..analysis.aliases import read_root_of
from .kernel_bodies import draft_copy
from .kernel_builder import (
    Builder,
    InnerDims,
    KernelDraft,
    as_int64,
    destination_of,
    element_count,
    widen,
)
from .nest import Access


class Indexed:
    """The accesses of a kernel whose points are placed by index tensors."""

    def __init__(self, builder: Builder, operands: Sequence[SSAValue], placement: Placement):
        self.builder = builder
        #: Whether one of the indices at a point is out of range.
        self.bad: Scalar | None = None
        self.placement = placement
        self.operands = operands
        self.lookups = placement.lookups
        self.indices = [
            self.walk(operands[item.operand], placement.index_strides(item, spec))
            for item, spec in (
                (item, tensor_spec(operands[item.operand])) for _, item in self.lookups
            )
        ]

    def walk(self, value: SSAValue, strides: Ints, looked_up: Ints = ()) -> Access:
        """Note that a tensor is read, which has some strides over the points."""
        root, view = read_root_of(value)
        dtype = tensor_spec(value).dtype
        access = Access(root, dtype, view.offset, strides, inner=looked_up)
        return self.builder.nest.add(access)

    def read(self, value: SSAValue) -> Access:
        """Note that the indexed tensor is read."""
        placement, strides = self.placement, tensor_spec(value).strides
        return self.walk(value, placement.walked(strides), self.looked_up(strides))

    def values(self, value: SSAValue) -> Access:
        """Note that the values of a scatter are read."""
        return self.walk(value, self.placement.value)

    def looked_up(self, strides: Ints) -> Ints:
        """Return the strides of the dims that are looked up."""
        return tuple(strides[dim] for dim, _ in self.lookups)

    def sizes(self, shape: Ints) -> None:
        """Make the sizes of the dims that are looked up arguments of the kernel."""
        self.dims: list[InnerDims] = []
        for dim, item in self.lookups:
            dims = InnerDims(("looked up", item.operand, False), (shape[dim],), (0,), ())
            self.builder.nest.inner_sizes[dims.key] = dims.shape
            self.dims.append(dims)

    def positions(self) -> list[SSAValue]:
        """Emit the checked position in each dim that is looked up."""
        found: list[SSAValue] = []
        reported = self.placement.reported or (None,) * len(self.lookups)
        for access, dims, dim in zip(self.indices, self.dims, reported, strict=True):
            (extent,) = self.builder.extents(dims)
            found.append(self._position(access, extent, dim))
        return found

    def _check(self, bad: Scalar, index: Scalar, dim: int | None, size: Scalar) -> None:
        """Report a bad index, and which dim of which size it was for."""
        language = self.builder.language
        if dim is None:
            scalar.check_failure(bad, "IndexError")
            return
        details = [index.value, language.constant(dim, int64).value, size.value]
        check = CheckOp.make(
            bad.value, self.placement.fault, len(language.origins), details=details
        )
        check.location = language.location or check.location
        language.block.add_op(check)
        language.origins.append(language.location)

    def _position(self, access: Access, extent: SSAValue, dim: int | None) -> SSAValue:
        language = self.builder.language
        index = given = scalar.cast(self.builder.load(language, access), int64)
        size = as_int64(language, extent)
        if self.placement.wraps:
            index = scalar.select(index < 0, index + size, index)
        bad = (index < 0) | (index >= size)
        self.bad = bad if self.bad is None else self.bad | bad
        self._check(bad, given, dim, size)
        safe = scalar.select(bad, 0, index)
        place = make_op(arith.IndexCastOp, operands=[safe.value], result_types=[type_of_index])
        language.block.add_op(place)
        return place.results[0]


def draft_gather(op: TensorOperation) -> list[KernelDraft]:
    """Build the kernel of a gather."""
    row = op.ROW
    assert isinstance(row, GatherOp)
    (result,) = op.results
    spec, operands = op.spec, list(op.operands)
    specs = [tensor_spec(operand) for operand in operands]
    placement = row.place(specs, spec, op.values())
    builder = Builder(row.name, placement.points)
    indexed = Indexed(builder, operands, placement)
    source = indexed.read(operands[0])
    written = builder.write(result, Strided(spec.shape, spec.strides))
    indexed.sizes(specs[0].shape)
    builder.open(has_nests=False)
    builder.language.location = op.location
    value = builder.load(builder.language, source, indexed.positions())
    builder.store(value, written)
    return [builder.close()]


def draft_scatter(op: TensorOperation) -> list[KernelDraft]:
    """Build a copy of the input, and a kernel that writes values over it.

    There is no copy if the result is computed in the memory of an argument: that is the input.
    """
    row = op.ROW
    assert isinstance(row, ScatterOp)
    (result,) = op.results
    spec = op.spec
    copies: list[KernelDraft] = []
    if destination_of(result)[0] is result:
        whole = Strided(spec.shape, spec.strides)
        copies.append(draft_copy(row.name, op.operands[0], result, whole))
    specs = [tensor_spec(operand) for operand in op.operands]
    placement = row.place(specs, spec, op.values())
    if not element_count(placement.points):
        return copies
    return [*copies, _draft_writes(op, row, placement)]


def _draft_writes(op: TensorOperation, row: ScatterOp, placement: Placement) -> KernelDraft:
    (result,) = op.results
    spec, operands = op.spec, list(op.operands)
    builder = Builder(row.name, placement.points)
    builder.nest.is_ordered = True
    indexed = Indexed(builder, operands, placement)
    values = indexed.values(operands[1])
    target = builder.write(result, Strided(placement.points, placement.walked(spec.strides)))
    target.inner = indexed.looked_up(spec.strides)
    indexed.sizes(spec.shape)
    builder.open(has_nests=False)
    language = builder.language
    language.location = op.location
    places = [*builder.indices, *indexed.positions()]
    value = builder.load(language, values)
    combine = row.combine(op.values())
    bad = indexed.bad
    if combine is not None or bad is not None:
        target.is_read = True
        old = builder.load(language, target, places[len(builder.indices) :])
        if combine is not None:
            value = scalar.cast(combine(widen(old), widen(value)), target.dtype)
        if bad is not None:
            # What a bad index is replaced by is not to be written to: the caller keeps this memory,
            # or is given a copy of it before a device has told of the fault.
            value = scalar.select(bad, old, value)
    stored: Scalar = scalar.cast(value, target.dtype)
    builder.loop.add_op(StoreOp.make(language.whole(stored), builder.buffers[id(target)], places))
    serial = [
        number
        for number in range(builder.axes.rank)
        if any(access.outer[number] for access in indexed.indices) or not target.outer[number]
    ]
    return builder.close(lambda extents, body: loops(builder, serial, extents, body))


def loops(
    builder: Builder, serial: Sequence[int], extents: Sequence[SSAValue], body: Block
) -> Operation:
    """Put a body into a map over its independent dims, and that into loops over the serial ones."""
    if not serial:
        return MapOp.make(extents, body)
    zero, one = (_index_constant(builder, number) for number in (0, 1))
    independent = [number for number in range(len(extents)) if number not in serial]
    outer = serial if independent else serial[:-1]
    indices = list(body.args)
    blocks = [Block(arg_types=[type_of_index]) for _ in outer]
    for number, block in zip(outer, blocks, strict=True):
        indices[number].replace_all_uses_with(block.args[0])
        body.erase_arg(indices[number])
    if independent:
        inner: Operation = MapOp.make([extents[number] for number in independent], body)
    else:
        inner = ForOp.make(zero, extents[serial[-1]], one, body)
    for number, block in reversed(list(zip(outer, blocks, strict=True))):
        block.add_op(inner)
        inner = ForOp.make(zero, extents[number], one, block)
    return inner


def _index_constant(builder: Builder, number: int) -> SSAValue:
    value = IntegerAttr(number, type_of_index)
    op = make_op(arith.ConstantOp, result_types=[type_of_index], properties={"value": value})
    builder.function_block.add_op(op)
    return op.results[0]
