"""Which factors of products are the same in every call? They are computed once, and kept.

Before::

    func.func @f(%x: ..., %w: !tri.tensor<5x4xf32>) attributes {tri.captured = array<i64: 1>} {
      %0 = tri.t %w : !tri.tensor<5x4xf32> -> !tri.tensor<4x5xf32, layout=strided<[1, 4]>>
      %1 = tri.matmul %x, %0 : ...

After::

    func.func @f(%x: ..., %w: ..., %kept: !tri.tensor<4x5xf32>) {
      %1 = tri.matmul %x, %kept : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32> -> ...
    func.func @f.kept(%w: !tri.tensor<5x4xf32>) -> ... attributes {tri.captured = array<i64: 1>} {
      %0 = tri.t %w : ...
      %1 = tri.clone %0 : !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<4x5xf32>
      func.return %1

`tri.captured` names the arguments that a program holds, such as the weights of a network; of the
second function it says which arguments of the first it is to be given. Kept is
what is computed from them alone and read by a product: casts, scales, and the order in memory that
a product reads fastest. What lies so already stays where it is. A row times a matrix reads each
element once; it takes the matrix as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.spec import TensorSpec
from ....dialects.attributes.symint import is_symbolic
from ....dialects.diagnostics import UnsuitableIr
from ....dialects.making import discard
from ....dialects.ops.frame.opspec import ContractionOp
from ....dialects.ops.rows.products.index_maps import IndexedContractionOp, maps_of
from ....dialects.tri.ops import TensorOperation, ViewOperation, op_class, tensor_spec
from ....dialects.tri.structure import ConstantOp
from ....dialects.tri.types import TensorType
from .pack_factors import packed_along

#: The attribute of a function that names arguments which are the same in every call.
CAPTURED = "tri.captured"
#: Smaller factors cost less to read in any order than a copy does to look after.
LEAST_ELEMENTS = 1 << 14
#: Behind the name of a function: what computes what it keeps.
KEPT = ".kept"


@dataclass(frozen=True)
class KeepFactorsPass(ModulePass):
    """Move what products read of captured tensors into a function of its own."""

    name = "tri-keep-factors"

    #: How many elements a factor has at least that is kept.
    least: int = LEAST_ELEMENTS

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Keep in every function that says what it has captured."""
        for func in list(op.ops):
            if isinstance(func, FuncOp) and CAPTURED in func.attributes and func.body.blocks:
                captured = _checked(func)
                del func.attributes[CAPTURED]
                outlined = _Outlined(func, [func.body.block.args[number] for number in captured])
                outlined.take_factors(self.least)
                if outlined.results:
                    op.body.block.insert_op_after(outlined.function(), func)


def _checked(func: FuncOp) -> list[int]:
    """Return the numbers of captured arguments, which a text may have wrong."""
    count, said = len(func.body.block.args), func.attributes[CAPTURED]
    if isinstance(said, DenseArrayBase) and cast("Any", said).elt_type == i64:
        numbers = captured_arguments(func)
        if {*numbers} <= {*range(count)} and len({*numbers}) == len(numbers):
            return numbers
    raise UnsuitableIr(f"{CAPTURED} has to name some of {count} arguments, each once", func)


def captured_arguments(func: FuncOp) -> list[int]:
    """Return the numbers of the arguments that a function says are captured."""
    numbers = cast("DenseArrayBase[IntegerType]", func.attributes[CAPTURED])
    return list(numbers.get_values())


def set_captured_arguments(func: FuncOp, numbers: Sequence[int]) -> None:
    """Let a function say which arguments are captured."""
    func.attributes[CAPTURED] = DenseArrayBase.from_list(i64, list(numbers))


class _Outlined:
    """What leaves a function for the one that computes what it keeps."""

    def __init__(self, func: FuncOp, captured: Sequence[BlockArgument]) -> None:
        self.func, self.captured = func, captured
        #: By value of the function the same one outside of it.
        self.outside: dict[SSAValue, SSAValue] = {}
        self.block = Block(arg_types=[argument.type for argument in captured])
        for own, argument in zip(self.block.args, captured, strict=True):
            own.name_hint = argument.name_hint
            self.outside[argument] = own
        self.results: list[SSAValue] = []
        #: The arguments that stand for factors: one for all products that read the same.
        self.kept: dict[tuple[SSAValue, TensorSpec], SSAValue] = {}

    def take_factors(self, least: int) -> None:
        """Replace each factor that follows from captured tensors by an argument."""
        block = self.func.body.block
        if not all(isinstance(op, (TensorOperation, ConstantOp, ReturnOp)) for op in block.ops):
            return  # it writes to memory, or calls what may
        following = _following(block, self.captured)
        for op in list(block.ops):
            if not isinstance(op, TensorOperation):
                continue
            for number, dim in _factors(op):
                value = op.operands[number]
                spec = tensor_spec(value)
                if value in following and _is_worth_it(spec, least) and not _lies_so(value, dim):
                    op.operands[number] = self._kept(value, packed_along(spec, dim), op)
        for op in reversed(list(block.ops)):
            is_left = any(result in following for result in op.results)
            if is_left and not any(result.uses for result in op.results):
                discard(op)

    def _kept(self, value: SSAValue, packed: TensorSpec, reader: TensorOperation) -> SSAValue:
        """Return the argument that stands for a value, in another order in memory."""
        found = self.kept.get((value, packed))
        if found is not None:
            return found
        inside = self._outside(value)
        copy = op_class("clone").of_type([inside], {}, packed, reader.location)
        self.block.add_op(copy)
        self.results.append(copy.results[0])
        block = self.func.body.block
        argument = block.insert_arg(TensorType.of(packed), len(block.args))
        argument.name_hint = "kept"
        self.func.update_function_type()
        self.kept[value, packed] = argument
        return argument

    def _outside(self, value: SSAValue) -> SSAValue:
        """Return a value outside of the function, computed there if it is not yet."""
        found = self.outside.get(value)
        if found is None:
            owner = value.owner
            assert isinstance(owner, Operation)
            for operand in owner.operands:
                self._outside(operand)
            copy = owner.clone(self.outside)
            self.block.add_op(copy)
            for result, same in zip(owner.results, copy.results, strict=True):
                self.outside[result] = same
            found = self.outside[value]
        return found

    def function(self) -> FuncOp:
        """Return the function that computes what is kept, from those tensors that it reads."""
        self.block.add_op(ReturnOp(*self.results))
        read = [argument.index for argument in self.captured if self.outside[argument].uses]
        for own in reversed(list(self.block.args)):
            if not own.uses:
                self.block.erase_arg(own)
        types = [argument.type for argument in self.block.args], [v.type for v in self.results]
        made = FuncOp(self.func.sym_name.data + KEPT, types, Region(self.block))
        set_captured_arguments(made, read)
        return made


def _following(block: Block, captured: Sequence[SSAValue]) -> set[SSAValue]:
    """Return what follows from captured tensors alone."""
    found = set(captured)
    for op in block.ops:
        if isinstance(op, ReturnOp) or not all(operand in found for operand in op.operands):
            continue
        found.update(op.results)
    return found


def _factors(op: TensorOperation) -> list[tuple[int, int]]:
    """Return which operands of a product may be kept, and which of their dims lie innermost then.

    It is the dim along which results differ that share the other factor.
    """
    row = op.ROW
    if isinstance(row, ContractionOp):
        left, right = (tensor_spec(operand) for operand in op.operands)
        if left.rank < 2 or right.rank < 2 or left.shape[-2] == 1:
            return []
        return [(1, right.rank - 1)]
    if not isinstance(row, IndexedContractionOp):
        return []
    order, *maps, _ = maps_of(op.values())
    found: list[tuple[int, int]] = []
    for number, (own, other) in enumerate(zip(maps, reversed(maps), strict=True)):
        of_result = [index for index in own if index < len(order)]
        alone = [index for index in of_result if index not in other]
        for index in (alone or of_result)[-1:]:
            found.append((number, own.index(index)))
    return found


def _is_worth_it(spec: TensorSpec, least: int) -> bool:
    """Whether a factor has the same shape in every call, and is large."""
    return not is_symbolic((*spec.shape, *spec.strides)) and spec.numel >= least


def _lies_so(value: SSAValue, dim: int) -> bool:
    """Whether a value is what a program holds, or a view of it, in the order that is wanted."""
    stride = tensor_spec(value).strides[dim]
    while isinstance(value.owner, ViewOperation):
        value = value.owner.operands[0]
    return isinstance(value, BlockArgument) and stride == 1
