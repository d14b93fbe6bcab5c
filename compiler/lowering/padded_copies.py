"""What does the kernel of a copy inside of margins look like? One map over the whole result.

Each index that has margins is asked for its place in the operand (`kernel.within`); where there is
none, the element is the number that fills the margins. So each element is written once, and a
launch can be cut along any index.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided
from ...dialects.kernel.memory import LoadOp, StoreOp
from ...dialects.kernel.types import i1
from ...dialects.kernel.within import WithinOp
from ...dialects.making import append, make_op
from ...dialects.ops.frame.opspec import JoinOp
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.records import field, record
from ...dialects.tri.ops import TensorOperation, tensor_spec
from ..analysis.aliases import read_root_of
from .kernel_builder import Builder, InnerDims, KernelDraft, element_count
from .nest import Access, Axes, Ints, Nest, outermost_first

#: At which index of a dim an operand begins, and how much of it there is.
Window = tuple[int, int]


@record(frozen=False)
class WindowedNest(Nest):
    """A nest over a result of which an operand is a window, along some dims."""

    windows: dict[int, Window] = field(default_factory=dict[int, Window])

    def simplify(self) -> tuple[Axes, dict[Hashable, Axes]]:
        """Order and merge dims as for any nest; what lies inside of a window is merged into it."""
        walks = [access.outer for access in self.accesses]
        sizes = self.outer_sizes
        dims = [dim for dim, size in enumerate(sizes) if dim in self.windows or size != 1]
        #: Size, innermost dim and window of what is merged.
        groups: list[tuple[int, int, Window | None]] = []
        for dim in outermost_first(dims, walks):
            size = sizes[dim]
            if (
                groups
                and dim not in self.windows
                and all(walk[groups[-1][1]] == walk[dim] * size for walk in walks)
            ):
                whole, _, window = groups[-1]
                wide = None if window is None else (window[0] * size, window[1] * size)
                groups[-1] = (whole * size, dim, wide)
            else:
                groups.append((size, dim, self.windows.get(dim)))
        for access in self.accesses:
            access.outer = tuple(access.outer[dim] for _, dim, _ in groups)
        found = {number: window for number, (_, _, window) in enumerate(groups) if window}
        self.windows = found
        inner: dict[Hashable, Axes] = {_key(number): Axes(found[number]) for number in found}
        return Axes(tuple(size for size, _, _ in groups)), inner


def _key(number: int) -> tuple[str, int]:
    return ("window", number)


def draft_padded_copy(op: TensorOperation, fill: Callable[[Builder], Scalar]) -> KernelDraft | None:
    """Build a copy inside of margins; None if the operand is no window of the result.

    It is none either if it has no elements, or if it lies across: squares are transposed by a
    kernel of their own.
    """
    row = op.ROW
    assert isinstance(row, JoinOp)
    operand, result = op.operands[0], op.results[0]
    windows = _windows(row, op)
    if windows is None or not element_count(tensor_spec(operand).shape):
        return None
    builder = Builder(row.name, op.spec.shape)
    builder.nest = WindowedNest(op.spec.shape, windows=windows)
    written = builder.write(result, Strided(op.spec.shape, op.spec.strides))
    root, view = read_root_of(operand)
    read = builder.nest.add(Access(root, op.spec.dtype, view.offset, view.strides))
    builder.open(has_nests=False)
    if _lies_across(read.outer):
        return None
    builder.language.location = op.location
    element = _inside_or(builder, builder.nest, read, fill(builder))
    buffer = builder.buffers[id(written)]
    append(builder.loop, StoreOp.make(element, buffer, builder.indices))
    return builder.close()


def _windows(row: JoinOp, op: TensorOperation) -> dict[int, Window] | None:
    """Return the dims in which an operand is not the whole of the result, and where it begins.

    The row says how the operand is written to a result of any strides: with 1 along a dim and 0
    along all others, the offset is the index at which it begins.
    """
    (operand,) = [tensor_spec(value) for value in op.operands[:1]]
    shape = op.spec.shape
    windows: dict[int, Window] = {}
    for dim, whole in enumerate(shape):
        along = tuple(int(other == dim) for other in range(len(shape)))
        result = TensorSpec.of(shape, op.spec.dtype, op.spec.device, along)
        ((source, target),) = row.place([operand], result, op.values())
        if target.strides != along or source.strides != operand.strides:
            return None
        first, size = target.offset, target.shape[dim]
        if type(first) is not int or first or size != whole:
            windows[dim] = (first, size)
    return windows


def _lies_across(strides: Ints) -> bool:
    """Whether neighbours in memory are no neighbours in the innermost dim."""
    if not strides or any(strides[-1] == known for known in (-1, 0, 1)):
        return False
    return any(stride == 1 for stride in strides[:-1])


def _inside_or(builder: Builder, nest: Nest, read: Access, fill: Scalar) -> SSAValue:
    """Emit the element of the operand, or what stands where it has none."""
    assert isinstance(nest, WindowedNest)
    places = list(builder.indices)
    flags: list[SSAValue] = []
    for number in nest.windows:
        first, size = builder.extents(InnerDims(_key(number), (), (), ()))
        within = WithinOp.make(places[number], first, size)
        append(builder.loop, within)
        places[number], flag = within.results
        flags.append(flag)
    language = builder.language
    number = language.whole(scalar.cast(fill, read.dtype))
    load = LoadOp.make(builder.buffers[id(read)], places)
    append(builder.loop, load)
    if not flags:
        return load.results[0]
    condition = _all(builder, flags)
    operands = [condition, load.results[0], number]
    chosen = make_op(arith.SelectOp, operands=operands, result_types=[number.type])
    append(builder.loop, chosen)
    return chosen.results[0]


def _all(builder: Builder, flags: Sequence[SSAValue]) -> SSAValue:
    """Emit whether all conditions hold."""
    condition = flags[0]
    for flag in flags[1:]:
        both = make_op(arith.AndIOp, operands=[condition, flag], result_types=[i1])
        append(builder.loop, both)
        condition = both.results[0]
    return condition
