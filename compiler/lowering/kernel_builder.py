"""How is a kernel put together? Its accesses first, then arguments, loops, loads and stores."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import LocationAttr, StringAttr, UnitAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.strides import contiguous_strides
from ...dialects.attributes.views import Strided, expand
from ...dialects.kernel.abi import INDEX, OFFSET, STRIDE, KernelSignature
from ...dialects.kernel.function import READ, READWRITE, WRITE, FuncOp
from ...dialects.kernel.memory import LoadOp, StoreOp
from ...dialects.kernel.payload import PAYLOAD_TYPES, PayloadLanguage
from ...dialects.kernel.structured import SHORT_ROWS, MapOp, ParallelOp
from ...dialects.kernel.types import BufferType, type_of_index
from ...dialects.making import append, make_op
from ...dialects.ops.frame.rules import compute_dtype
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.complexes import complex_of
from ...dialects.ops.scalars.narrow_floats import decode, encode
from ...dialects.ops.scalars.reference import NumpyLanguage
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.records import record
from ...dialects.tri.ops import (
    tensor_spec,
)
from ...dialects.tri.types import ScalarType
from ...dialects.tri.writing import WriteOp
from ..analysis.aliases import read_root_of, root_of
from .nest import Access, Nest, buffer_strides

#: The payload of a Python number that is passed to a kernel.
SCALAR_DTYPES: dict[str, DType] = {
    "bool": dtypes.int64,
    "int": dtypes.int64,
    "float": dtypes.float64,
    "complex": dtypes.complex128,
}


#: A number whose value is known when a kernel is made.
Number = bool | int | float

#: How many numbers of a kernel are arguments (each costs a launch 0.06 us); more are constants.
MAXIMUM_NUMBERS = 32

#: Builds loops around a body: (extent of each loop, the block with an index for each) -> the loops.
Iterate = Callable[[Sequence[SSAValue], Block], Operation]


@record(frozen=False)
class KernelDraft:
    """A kernel and what one launch of it is given.

    `operands` are the values behind the kernel's buffers and scalars, in the order of its
    arguments, with a plain number for a scalar that is known; `sizes` are the values of its index
    arguments.
    """

    title: str
    func: FuncOp
    operands: list[SSAValue | Number]
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
                values.append((access.outer + access.inner)[slot.dimension])
            else:
                values.append(0)
        return values

    def named(self, name: str) -> FuncOp:
        """Give the kernel its name."""
        self.func.properties["sym_name"] = StringAttr(name)
        return self.func


@record(frozen=False)
class InnerDims:
    """Dims that a reduction of a nest walks: which of a shape, and where the outer ones are."""

    key: Hashable
    shape: tuple[int, ...]
    dims: tuple[int, ...]
    outer_dims: tuple[int | None, ...]

    def split(self, strides: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return strides over `shape` as (strides of the outer dims, of the inner dims)."""
        outer = tuple(0 if dim is None else strides[dim] for dim in self.outer_dims)
        return outer, tuple(strides[dim] for dim in self.dims)


class Builder:
    """Collects accesses first, then emits the kernel around them."""

    def __init__(self, title: str, outer: tuple[int, ...]) -> None:
        self.title = title
        self.nest = Nest(outer)
        self.scalars: list[SSAValue | Number] = []
        self.origins: list[LocationAttr | None] = []

    # ---- first phase: what is accessed

    def read(self, value: SSAValue, reduction: InnerDims | None = None) -> Access:
        """Note that a value is read, broadcast to the nest, at outer or at inner indices."""
        root, view = read_root_of(value)
        shape = self.nest.outer_sizes if reduction is None else reduction.shape
        view = expand(view, shape)
        dtype = tensor_spec(value).dtype
        if reduction is None:
            return self.nest.add(Access(root, dtype, view.offset, view.strides))
        outer, inner = reduction.split(view.strides)
        return self.nest.add(Access(root, dtype, view.offset, outer, reduction.key, inner))

    def write(self, result: SSAValue, view: Strided, walk: InnerDims | None = None) -> Access:
        """Note that a part of a result is written: of its own memory, or of an argument's."""
        dtype = tensor_spec(result).dtype
        root, offset = destination_of(result)
        place = view.offset + offset
        if walk is None:
            return self.nest.add(Access(root, dtype, place, view.strides, is_written=True))
        outer, inner = walk.split(view.strides)
        access = Access(root, dtype, place, outer, walk.key, inner, is_written=True)
        return self.nest.add(access)

    def count(self, result: SSAValue, reduction: InnerDims | None = None) -> Access:
        """Note that the elements of a value are numbered, in the order of their indices."""
        spec = tensor_spec(result)
        shape = self.nest.outer_sizes if reduction is None else reduction.shape
        view = expand(Strided(spec.shape, contiguous_strides(spec.shape)), shape)
        if reduction is None:
            return self.nest.add(Access(result, spec.dtype, 0, view.strides, is_counted=True))
        outer, inner = reduction.split(view.strides)
        counted = Access(result, spec.dtype, 0, outer, reduction.key, inner, is_counted=True)
        return self.nest.add(counted)

    def reduce_over(self, dims: InnerDims) -> None:
        """Note the dims of a reduction."""
        self.nest.inner_sizes[dims.key] = tuple(dims.shape[dim] for dim in dims.dims)

    # ---- second phase: the kernel

    def open(self, *, has_nests: bool) -> None:
        """Simplify the nest, make the arguments and the block of the outer loop."""
        self.axes, self.inner_axes = self.nest.simplify()
        self.nest.accesses.sort(key=lambda access: access.is_written)
        block = Block()
        self.function_block = block
        count = self.axes.rank + sum(axes.rank for axes in self.inner_axes.values())
        for _ in range(count):
            block.insert_arg(type_of_index, len(block.args))
        self.sizes = [*self.axes.sizes]
        for axes in self.inner_axes.values():
            self.sizes += axes.sizes
        #: By access and dim the arguments that are strides of what is counted.
        self.steps: dict[tuple[int, int], SSAValue] = {}
        self.buffers: dict[int, SSAValue] = {}
        self.by_argument: dict[int, Access] = {}
        for access in self.nest.accesses:
            if access.is_counted:
                self._open_count(access, block)
        for access in self.nest.accesses:
            if access.is_counted:
                continue
            kind = BufferType.get(PAYLOAD_TYPES[access.dtype], buffer_strides(access))
            argument = block.insert_arg(kind, len(block.args))
            self.buffers[id(access)] = argument
            self.by_argument[argument.index] = access
        self.scalar_arguments: dict[SSAValue, Scalar] = {}
        if self.axes.rank:
            self.loop = Block(arg_types=[type_of_index] * self.axes.rank)
        else:
            self.loop = block
        self.has_nests = has_nests
        self.prologue = PayloadLanguage(block)
        self.language = PayloadLanguage(self.loop) if self.axes.rank else self.prologue
        self.language.origins = self.origins

    def _open_count(self, access: Access, block: Block) -> None:
        """Make the strides of what is counted arguments, but for those that a kernel may know."""
        for dim, stride in enumerate(buffer_strides(access)):
            if stride is None:
                self.steps[id(access), dim] = block.insert_arg(type_of_index, len(block.args))
                self.sizes.append((access.outer + access.inner)[dim])

    @property
    def indices(self) -> Sequence[SSAValue]:
        """The indices of the outer loop."""
        return self.loop.args if self.axes.rank else ()

    def extents(self, reduction: InnerDims) -> list[SSAValue]:
        """The kernel's arguments that are the sizes of a reduction's dims."""
        start = self.axes.rank
        for key, axes in self.inner_axes.items():
            if key == reduction.key:
                return list(self.function_block.args[start : start + axes.rank])
            start += axes.rank
        raise KeyError(reduction.key)

    def scalar(self, value: SSAValue) -> Scalar:
        """Return a Python number's argument, in int64 or float64; a complex one is two of these."""
        found = self.scalar_arguments.get(value)
        if found is None:
            kind = value.type
            assert isinstance(kind, ScalarType)
            dtype = SCALAR_DTYPES[kind.data.kind]
            if dtype.is_complex:
                part = dtype.to_real()
                real, imag = self._argument(value, part), self._argument(value, part)
                found = complex_of(real, imag)
            else:
                found = self._argument(value, dtype)
            self.scalar_arguments[value] = found
        return found

    def number(self, number: complex, dtype: DType) -> Scalar:
        """Return an argument for a number of the program, in the dtype that bodies compute in.

        So its value is no part of the kernel's code. It is rounded to the dtype as `constant` does.
        """
        if dtype.is_complex:
            whole, part = complex(number), dtype.to_real()
            return complex_of(self.number(whole.real, part), self.number(whole.imag, part))
        assert not isinstance(number, complex)
        if len(self.scalars) >= MAXIMUM_NUMBERS:
            return constant(self.language, number, dtype)
        return self._argument(rounded(number, dtype), compute_dtype(dtype))

    def _argument(self, value: SSAValue | Number, dtype: DType) -> Scalar:
        """Add an argument for a Python number, or for the next part of it."""
        block = self.function_block
        argument = block.insert_arg(PAYLOAD_TYPES[dtype], len(block.args))
        self.scalars.append(value)
        return Scalar(self.language, argument, dtype)

    def load(
        self, language: PayloadLanguage, access: Access, inner: Sequence[SSAValue] = ()
    ) -> Scalar:
        """Load an element in the dtype it is stored in."""
        op = LoadOp.make(self.buffers[id(access)], [*self.indices, *inner])
        append(language.block, op)
        return language.scalar(op.results[0], access.dtype)

    def element_number(
        self, language: PayloadLanguage, access: Access, inner: Sequence[SSAValue] = ()
    ) -> Scalar:
        """Return the number of the element at the current index, an int64."""
        number: Scalar | None = None
        indices = [*self.indices, *inner]
        for dim, (index, stride) in enumerate(zip(indices, buffer_strides(access), strict=True)):
            if stride == 0:
                continue
            part = as_int64(language, index)
            if stride is None:
                part = part * as_int64(language, self.steps[id(access), dim])
            number = part if number is None else number + part
        return language.constant(0, dtypes.int64) if number is None else number

    def store(
        self,
        value: Scalar,
        access: Access,
        language: PayloadLanguage | None = None,
        inner: Sequence[SSAValue] = (),
    ) -> None:
        """Store an element in the dtype of the result, in a loop over rows or inside of it."""
        language = language or self.language
        narrowed = language.whole(scalar.cast(value, access.dtype))
        places = [*self.indices, *inner]
        append(language.block, StoreOp.make(narrowed, self.buffers[id(access)], places))

    def close(self, iterate: Iterate | None = None, *, has_short_rows: bool = False) -> KernelDraft:
        """End the kernel; `iterate` builds the loops around the body if they are not any nest's."""
        block = self.function_block
        if self.axes.rank:
            extents = list(block.args[: self.axes.rank])
            make = iterate or (ParallelOp if self.has_nests else MapOp).make
            nest = make(extents, self.loop)
            if has_short_rows:
                nest.attributes[SHORT_ROWS] = UnitAttr()
            block.add_op(nest)
        arguments = block.args
        access = [
            None
            if argument.index not in self.by_argument
            else _how(self.by_argument[argument.index])
            for argument in arguments
        ]
        # Fresh memory is overlapped by nothing else that the kernel is given.
        noalias = [
            how == "write" and not isinstance(self.by_argument[argument.index].root, BlockArgument)
            for argument, how in zip(arguments, access, strict=True)
        ]
        func = FuncOp.make(self.title, block, access=access, noalias=noalias)
        operands = [*(found.root for found in self.by_argument.values()), *self.scalars]
        is_empty = not element_count(self.nest.outer_sizes)
        return KernelDraft(
            self.title, func, operands, self.sizes, self.by_argument, self.origins, is_empty
        )


def _how(access: Access) -> str:
    """Return what a kernel does to a buffer."""
    if not access.is_written:
        return READ
    return READWRITE if access.is_read else WRITE


def destination_of(result: SSAValue) -> tuple[SSAValue, int]:
    """Return whose memory a result is computed in, and where: its own, or an argument's."""
    for use in result.uses:
        write = use.operation
        if isinstance(write, WriteOp) and write.is_direct:
            root, view = root_of(write.operands[1])
            return root, view.offset
    return result, 0


def element_count(sizes: Sequence[int]) -> int:
    """Return the number of elements of a shape that is known to be possible."""
    count = 1
    for size in sizes:
        count *= size
    return count


def widen(value: Scalar) -> Scalar:
    """Return a scalar in the dtype that bodies compute in."""
    return scalar.cast(value, compute_dtype(value.dtype))


def rounded(number: float, dtype: DType) -> Number:
    """Return a number as a dtype holds it, by the rules of conversions."""
    if not dtype.is_floating_point:
        return number if type(number) is bool else int(number)
    with np.errstate(all="ignore"):
        if dtype in dtypes.FLOAT8_DTYPES:
            wide = NumpyLanguage().array(np.array(number, np.float32), dtypes.float32)
            return float(decode(encode(wide, dtype), dtype).value)
        return float(dtype.numpy.type(number))


def constant(language: PayloadLanguage, number: complex, dtype: DType) -> Scalar:
    """Return a constant of a tensor's dtype, rounded to it, in the dtype that bodies compute in."""
    if dtype.is_complex:
        whole, part = complex(number), dtype.to_real()
        return complex_of(
            constant(language, whole.real, part), constant(language, whole.imag, part)
        )
    assert not isinstance(number, complex)
    return language.constant(rounded(number, dtype), compute_dtype(dtype))


def as_int64(language: PayloadLanguage, index: SSAValue) -> Scalar:
    """Return a loop index, or a size, as an int64."""
    op = make_op(arith.IndexCastOp, operands=(index,), result_types=(PAYLOAD_TYPES[dtypes.int64],))
    append(language.block, op)
    return language.scalar(op.results[0], dtypes.int64)
