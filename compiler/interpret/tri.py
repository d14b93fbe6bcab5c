"""What does a function of tensor operations give? `interpret_function` computes it on NumPy.

It takes a function as traced, after promotion, fused, or lowered to launches; a result has the
dtype, shape and strides of its type. Elementwise bodies are those of the table, on operands
converted as PyTorch does: 16-bit floats are widened to float32 and rounded once, at the end of each
operation. Sums, products and contractions of floats are accumulated in float64: they are bounds to
compare a kernel with, not its bits (`kernel.py` has those).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided
from ...dialects.diagnostics import InternalError, TrilithNotImplementedError, TrilithRuntimeError
from ...dialects.kernel.abi import SCALAR, KernelSignature
from ...dialects.kernel.function import FuncOp as KernelOp
from ...dialects.ops.frame.families import FamilyTable
from ...dialects.ops.frame.host_bodies import HostBodyOp
from ...dialects.ops.frame.indexed import GatherOp, Place, Placement, ScatterOp
from ...dialects.ops.frame.opspec import (
    ContractionOp,
    CopyOp,
    CreationOp,
    JoinOp,
    ReductionOp,
    TransferOp,
    ViewOp,
)
from ...dialects.ops.frame.row import PrimitiveOp
from ...dialects.ops.scalars.reference import NumpyLanguage
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.records import record
from ...dialects.tri.host_calls import HostCallOp
from ...dialects.tri.ops import (
    ReductionOperation,
    TensorOperation,
    ViewOperation,
    spec_of,
    tensor_spec,
)
from ...dialects.tri.structure import (
    ConstantOp,
    EmptyOp,
    FusionOp,
    LaunchOp,
    StridedOp,
    YieldOp,
)
from ...dialects.tri.transfers import CopyBytesOp
from ...dialects.tri.types import is_sparse
from ...runtime.host.bodies import body_of
from ...runtime.tensors.host_view import conjugate
from .elements import Number, convert_array, narrow, number_array, number_scalar, widen
from .indexed import places, spread, write_places
from .kernel import Fault, interpret_kernel
from .payload import Array, numpy_type
from .reductions import contract, reduce


@record(eq=False)
class Tensor:
    """Elements in flat memory, seen through sizes, strides and an offset.

    The memory of one that `is_conj` holds the conjugates.
    """

    memory: Array
    view: Strided
    dtype: DType
    is_conj: bool = False

    @staticmethod
    def empty(spec: TensorSpec) -> Tensor:
        """Return a tensor in memory of its own, filled with bytes that make wrong reads visible."""
        count = storage_extent(spec.shape, spec.strides)
        memory = np.full(count * spec.dtype.itemsize, 0xFF, np.uint8).view(spec.dtype.numpy)
        return Tensor(memory, Strided(spec.shape, spec.strides), spec.dtype, spec.is_conj)

    @staticmethod
    def of(values: Array, spec: TensorSpec) -> Tensor:
        """Return values, broadcast to a spec, in memory of their own."""
        made = Tensor.empty(spec)
        made.held()[...] = conjugate(values, spec.dtype) if spec.is_conj else values
        return made

    def array(self, view: Strided | None = None) -> Array:
        """Return the elements as an array; `view` counts from the same start."""
        held = self.held(view)
        return conjugate(held, self.dtype) if self.is_conj else held

    def held(self, view: Strided | None = None) -> Array:
        """Return what the memory holds as an array on it; `view` counts from the same start."""
        shape, strides, offset = self.view if view is None else view
        if view is not None:
            offset += self.view.offset
        reach = storage_extent(shape, strides, offset)
        if reach > len(self.memory) or offset < 0:
            raise InternalError(f"a view of {offset} to {reach} of {len(self.memory)} elements")
        itemsize = self.memory.itemsize
        return np.lib.stride_tricks.as_strided(
            self.memory[min(offset, len(self.memory)) :],
            shape,
            tuple(stride * itemsize for stride in strides),
        )

    def seen_as(self, view: Strided, spec: TensorSpec) -> Tensor:
        """Return another look at the same memory; `view` counts elements of the spec's dtype."""
        dtype = spec.dtype
        if dtype is self.dtype:
            return Tensor(self.memory, view, dtype, spec.is_conj)
        count = self.memory.nbytes // dtype.itemsize * dtype.itemsize
        memory = self.memory.view(np.uint8)[:count].view(dtype.numpy)
        return Tensor(memory, view, dtype)


Value = Tensor | Number


def interpret_function(
    program: ModuleOp | func.FuncOp,
    arrays: Sequence[Array],
    scalars: Sequence[Number] = (),
    *,
    faults: list[Fault] | None = None,
) -> list[Array]:
    """Run a function, of a module the first one, and return its results.

    `arrays` are the tensor arguments in order (any strides: the types say which ones count),
    `scalars` the Python numbers. A fault raises TrilithRuntimeError, unless `faults` collects them.

    >>> traced = tri.trace(lambda x: x + x, tri.spec((2,), tri.float32))
    >>> interpret_function(traced.module, [np.array([1, 2], np.float32)])
    [array([2., 4.], dtype=float32)]
    """
    found: list[Fault] = []
    machine = _Machine(_function_of(program), found)
    results = machine.run(arrays, scalars)
    if faults is not None:
        faults += found
    elif found:
        raise TrilithRuntimeError(found[0].code)
    return [result.array() for result in results]


def _function_of(program: ModuleOp | func.FuncOp) -> func.FuncOp:
    if isinstance(program, func.FuncOp):
        return program
    for op in program.ops:
        if isinstance(op, func.FuncOp) and op.body.blocks:
            return op
    raise InternalError("the module has no function to interpret")


class _Machine:
    """Runs the blocks of one function."""

    def __init__(self, function: func.FuncOp, faults: list[Fault]) -> None:
        """Find the kernels beside the function, and the size of its arena."""
        self.function = function
        self.faults = faults
        self.values: dict[SSAValue, Value] = {}
        module = function.parent_op()
        beside = module.ops if isinstance(module, ModuleOp) else ()
        self.kernels = {op.symbol: op for op in beside if isinstance(op, KernelOp)}
        placed = [op for op in function.walk() if isinstance(op, EmptyOp) and op.placed is not None]
        sizes = [(op.placed or 0) + _nbytes(tensor_spec(op.results[0])) for op in placed]
        self.arena = np.full(max(sizes, default=0), 0xFF, np.uint8)

    def run(self, arrays: Sequence[Array], scalars: Sequence[Number]) -> list[Tensor]:
        """Run the function on its arguments."""
        block = self.function.body.block
        given, numbers = iter(arrays), iter(scalars)
        arguments: list[Value] = []
        for argument in block.args:
            spec = spec_of(argument)
            if isinstance(spec, TensorSpec):
                array = next(given)
                if array.shape != spec.shape or array.dtype != spec.dtype.numpy:
                    raise InternalError(f"expected {spec}, got {array.dtype}{array.shape}")
                arguments.append(Tensor.of(array, spec))
            else:
                arguments.append(next(numbers))
        results = self.block(block, arguments)
        return [result for result in results if isinstance(result, Tensor)]

    def block(self, block: Block, arguments: Sequence[Value]) -> list[Value]:
        """Run a block; return what its terminator hands out."""
        self.values.update(zip(block.args, arguments, strict=True))
        for op in block.ops:
            operands = [self.values[operand] for operand in op.operands]
            if isinstance(op, (func.ReturnOp, YieldOp)):
                return operands
            self.values.update(zip(op.results, self.operation(op, operands), strict=True))
        return []

    def operation(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """Run one operation; return its results."""
        if isinstance(op, TensorOperation):
            found = _FAMILIES.of(op.ROW)(self, op, operands)
            return [found] if isinstance(found, Tensor) else found
        run = _STRUCTURE.get(type(op))
        if run is None and any(map(is_sparse, (*op.operands, *op.results))):
            raise TrilithNotImplementedError(
                f"{op.name} is not interpreted: a sparse tensor has no elements of its own",
                hint="run the pass tri-lower-sparse first",
            )
        if run is None:
            raise InternalError(f"{op.name} cannot be interpreted")
        return run(self, op, operands)

    # Families of the table

    def computed(self, op: TensorOperation, operands: Sequence[Value]) -> Sequence[Tensor]:
        """Ask the row for all elements at once."""
        language = NumpyLanguage()
        resolved = op.ROW.resolve([spec_of(operand) for operand in op.operands], op.values())
        scalars: list[Scalar] = []
        for operand, dtype in zip(operands, resolved.operand_dtypes, strict=True):
            if not isinstance(operand, Tensor) and op.ROW.traits.converts_numbers:
                scalars.append(number_scalar(language, operand))
            else:
                scalars.append(widen(language, _elements(operand, dtype), dtype))
        made = op.ROW.evaluate(scalars, resolved)
        if op.spec.numel:
            # A number that is a bad operand harms nobody where there are no elements.
            self.faults += [Fault(code, 0) for code, _ in language.faults]
        specs = [tensor_spec(result) for result in op.results]
        parts = made if isinstance(made, tuple) else (made,)
        return [
            Tensor.of(narrow(part, spec.dtype), spec)
            for part, spec in zip(parts, specs, strict=True)
        ]

    def view(self, op: TensorOperation, operands: Sequence[Value]) -> Tensor:
        """Look at the operand's memory in another way."""
        assert isinstance(op, ViewOperation)
        operand = _tensor(operands[0])
        attributes = op.ROW.canonical(tensor_spec(op.operands[0]), op.values())
        return operand.seen_as(op.ROW.apply(operand.view, attributes), op.spec)

    def reduction(self, op: TensorOperation, operands: Sequence[Value]) -> Sequence[Tensor]:
        """Reduce over dims."""
        assert isinstance(op, ReductionOperation)
        resolved = op.ROW.resolve([spec_of(op.operands[0])], op.values())
        (dtype,) = resolved.operand_dtypes
        elements = _elements(operands[0], dtype)
        specs = [tensor_spec(result) for result in op.results]
        totals = reduce(
            op.ROW, elements, dtype, [spec.dtype for spec in specs], resolved.attributes
        )
        return [
            Tensor.of(total.reshape(spec.shape), spec)
            for total, spec in zip(totals, specs, strict=True)
        ]

    def contraction(self, op: TensorOperation, operands: Sequence[Value]) -> Tensor:
        """Multiply matrices."""
        dtype = op.spec.dtype
        left, right = (_elements(operand, dtype) for operand in operands)
        return Tensor.of(contract(left, right, dtype), op.spec)

    def join(self, op: TensorOperation, operands: Sequence[Value]) -> Tensor:
        """Write the operands into parts of the result."""
        row, dtype = op.ROW, op.spec.dtype
        assert isinstance(row, JoinOp)
        made = Tensor.empty(op.spec)
        if row.fill is not None:
            numbers = [operand for operand in operands if not isinstance(operand, Tensor)]
            made.held()[...] = number_array(numbers[0] if numbers else 0, dtype)
        tensors = [operand for operand in operands if isinstance(operand, Tensor)]
        specs = [tensor_spec(value) for value in op.operands[: len(tensors)]]
        places = row.place(specs, op.spec, op.values())
        for operand, (source, target) in zip(tensors, places, strict=True):
            tensor = _tensor(operand)
            part = convert_array(tensor.array(source), tensor.dtype, dtype)
            made.held(target)[...] = part
        return made

    def creation(self, op: TensorOperation, operands: Sequence[Value]) -> Tensor:
        """Fill with a number, or compute each element from its index."""
        row, dtype = op.ROW, op.spec.dtype
        assert isinstance(row, CreationOp)
        if operands:
            return Tensor.of(_elements(operands[0], dtype), op.spec)
        if row.body is None:
            return Tensor.empty(op.spec)
        language = NumpyLanguage()
        numbers = np.arange(op.spec.numel, dtype=np.int64).reshape(op.spec.shape)
        given = {} if row.numbers is None else row.numbers(op.values())
        scalars = {name: language.constant(*number) for name, number in given.items()}
        made = row.body(language.array(numbers, dtypes.int64), dtype, **scalars)
        return Tensor.of(narrow(made, dtype), op.spec)

    def copy(self, op: TensorOperation, operands: Sequence[Value]) -> Tensor:
        """Put the same elements into other memory."""
        return Tensor.of(_tensor(operands[0]).array(), op.spec)

    def gather(self, op: TensorOperation, operands: Sequence[Value]) -> Tensor:
        """Read at places that tensors hold."""
        row = op.ROW
        assert isinstance(row, GatherOp)
        arrays, placement = self._placed(op, row.place, operands)
        where = self._places(placement, arrays)
        return Tensor.of(arrays[0][where].reshape(placement.points), op.spec)

    def scatter(self, op: TensorOperation, operands: Sequence[Value]) -> Tensor:
        """Write at places that tensors hold."""
        row = op.ROW
        assert isinstance(row, ScatterOp)
        arrays, placement = self._placed(op, row.place, operands)
        made = Tensor.of(arrays[0], op.spec)
        if prod(placement.points):
            where = self._places(placement, arrays)
            combine = row.combine(op.values())
            values = spread(arrays[1], placement)
            write_places(made.held(), where, values, op.spec.dtype, combine)
        return made

    def _placed(
        self, op: TensorOperation, place: Place, operands: Sequence[Value]
    ) -> tuple[list[Array], Placement]:
        specs = [tensor_spec(operand) for operand in op.operands]
        placement = place(specs, op.spec, op.values())
        return [_tensor(operand).array() for operand in operands], placement

    def _places(self, placement: Placement, arrays: Sequence[Array]) -> tuple[Array, ...]:
        indices = [arrays[item.operand] for _, item in placement.lookups]
        where, is_bad = places(placement, arrays[0].shape, indices)
        if is_bad:
            self.faults.append(Fault(placement.fault, 0))
        return where

    def host_body(self, op: TensorOperation, operands: Sequence[Value]) -> Sequence[Tensor]:
        """Call a function of NumPy."""
        row = op.ROW
        assert isinstance(row, HostBodyOp)
        specs = [spec_of(operand) for operand in op.operands]
        resolved = row.resolve(specs, op.values())
        pairs = zip(operands, resolved.operand_dtypes, strict=True)
        arrays = [_elements(operand, dtype) for operand, dtype in pairs]
        made = [Tensor.empty(tensor_spec(result)) for result in op.results]
        body_of(row.body)(arrays, [tensor.held() for tensor in made], **resolved.attributes)
        return made

    # Structure

    def constant(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """A number, weak or with a dtype."""
        assert isinstance(op, ConstantOp)
        spec = spec_of(op.results[0])
        if isinstance(spec, TensorSpec):
            return [Tensor.of(number_array(op.number, spec.dtype), spec)]
        return [op.number]

    def fusion(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """Run the operations inside."""
        assert isinstance(op, FusionOp)
        results = self.block(op.block, operands)
        # A result is memory of its own even where the fusion hands on an argument.
        return [
            Tensor.of(_tensor(value).array(), tensor_spec(result))
            for value, result in zip(results, op.results, strict=True)
        ]

    def empty(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """Memory, of its own or in the arena."""
        assert isinstance(op, EmptyOp)
        spec = tensor_spec(op.results[0])
        if op.placed is None:
            return [Tensor.empty(spec)]
        memory = self.arena[op.placed : op.placed + _nbytes(spec)].view(spec.dtype.numpy)
        return [Tensor(memory, Strided(spec.shape, spec.strides), spec.dtype)]

    def strided(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """A view at an offset from where the source begins."""
        assert isinstance(op, StridedOp)
        source, (shape, strides, offset) = _tensor(operands[0]), op.view
        spec = tensor_spec(op.results[0])
        start = source.view.offset * source.dtype.itemsize // spec.dtype.itemsize
        return [source.seen_as(Strided(shape, strides, start + offset), spec)]

    def copy_bytes(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """Fill memory of another device with the bytes of a source."""
        assert isinstance(op, CopyBytesOp)
        source, target = (_tensor(operand) for operand in operands)
        first = source.view.offset * source.dtype.itemsize + op.first * target.dtype.itemsize
        start = target.view.offset * target.dtype.itemsize
        data = source.memory.view(np.uint8)[first : first + op.nbytes]
        target.memory.view(np.uint8)[start : start + op.nbytes] = data
        return []

    def host_call(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """Fill memory by a function of NumPy."""
        assert isinstance(op, HostCallOp)
        arrays = [_tensor(operand).held() for operand in operands]
        count = len(op.read)
        body_of(op.called.body)(arrays[:count], arrays[count:], **op.values())
        return []

    def launch(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """Run a kernel."""
        assert isinstance(op, LaunchOp)
        kernel = self.kernels.get(op.symbol)
        if kernel is None:
            raise InternalError(f"there is no kernel @{op.symbol} beside the function")
        signature = KernelSignature.of(kernel)
        integers = list(op.flat_integers)
        slots = [place for place, slot in enumerate(signature.integers) if slot.kind == SCALAR]
        numbers = [operand for operand in operands if not isinstance(operand, Tensor)]
        for place, number in zip(slots, _parts(numbers), strict=True):
            argument = kernel.block.args[signature.integers[place].argument]
            bits = np.array([number]).astype(numpy_type(argument.type)).tobytes()
            integers[place] = int.from_bytes(bits, "little")
        pointers = [
            operand.memory[operand.view.offset :]
            for operand in operands
            if isinstance(operand, Tensor)
        ]
        self.faults += interpret_kernel(kernel, pointers, integers)
        return []


def _parts(numbers: Sequence[Number]) -> Iterator[Number]:
    """Yield the numbers of a launch; a complex one stands there twice, for its two parts."""
    waiting: list[complex] = []
    for number in numbers:
        if not isinstance(number, complex):
            yield number
        elif number in waiting:
            waiting.remove(number)
            yield number.imag
        else:
            waiting.append(number)
            yield number.real


def _nbytes(spec: TensorSpec) -> int:
    return storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize


def _tensor(value: Value) -> Tensor:
    assert isinstance(value, Tensor)
    return value


def _elements(value: Value, dtype: DType) -> Array:
    """Return an operand's elements converted to a dtype."""
    if isinstance(value, Tensor):
        return convert_array(value.array(), value.dtype, dtype)
    return number_array(value, dtype)


#: A family whose rows compute elements from elements (`evaluate`) needs no entry.
_FAMILIES: FamilyTable[
    Callable[[_Machine, TensorOperation, Sequence[Value]], Tensor | Sequence[Tensor]]
] = FamilyTable(
    {
        PrimitiveOp: _Machine.computed,
        ViewOp: _Machine.view,
        ReductionOp: _Machine.reduction,
        ContractionOp: _Machine.contraction,
        JoinOp: _Machine.join,
        CreationOp: _Machine.creation,
        CopyOp: _Machine.copy,
        TransferOp: _Machine.copy,
        GatherOp: _Machine.gather,
        ScatterOp: _Machine.scatter,
        HostBodyOp: _Machine.host_body,
    }
)
_STRUCTURE: dict[
    type[Operation], Callable[[_Machine, Operation, Sequence[Value]], Sequence[Value]]
] = {
    ConstantOp: _Machine.constant,
    FusionOp: _Machine.fusion,
    EmptyOp: _Machine.empty,
    StridedOp: _Machine.strided,
    LaunchOp: _Machine.launch,
    CopyBytesOp: _Machine.copy_bytes,
    HostCallOp: _Machine.host_call,
}
