"""Where are the elements of a conjugate view conjugated? Where they are read, and where written.

Before::

    %0 = tri.conj_view %x : !tri.tensor<2xcomplex<f32>> -> !tri.tensor<2xcomplex<f32>, conj>
    %1 = tri.mul %0, %0 : ... -> !tri.tensor<2xcomplex<f32>>
    tri.write %1 into %0 : !tri.tensor<2xcomplex<f32>> into !tri.tensor<2xcomplex<f32>, conj>

After::

    %2 = tri.conj_elements %x : !tri.tensor<2xcomplex<f32>> -> !tri.tensor<2xcomplex<f32>>
    %1 = tri.mul %2, %2 : ... -> !tri.tensor<2xcomplex<f32>>
    %3 = tri.conj_elements %1 : !tri.tensor<2xcomplex<f32>> -> !tri.tensor<2xcomplex<f32>>
    tri.write %3 into %x : !tri.tensor<2xcomplex<f32>> into !tri.tensor<2xcomplex<f32>>

Views of views are taken of what the memory holds. What is returned keeps its type, as a view. Below
this pass no operation computes on a tensor that is `conj`, and kernels know nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.tri.ops import TensorOperation, ViewOperation, op_class, tensor_spec
from ....dialects.tri.types import TensorType
from ....dialects.tri.writing import WriteOp


@dataclass(frozen=True)
class ResolveConjPass(ModulePass):
    """Conjugate elements where operations read or write them; keep views as views."""

    name = "tri-resolve-conj"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Resolve in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks and _has_conj(func.body.block):
                _Resolution(func.body.block).run()


def _has_conj(block: Block) -> bool:
    return any(_is_conj(value) for value in block.args) or any(
        _is_conj(result) for op in block.ops for result in op.results
    )


def _is_conj(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and value.type.data.is_conj


class _Resolution:
    """One function's resolution; what was conjugated once is used again."""

    def __init__(self, block: Block) -> None:
        self.block = block
        #: What lies in the memory behind a value that is `conj`: a value that is not.
        self.held: dict[SSAValue, SSAValue] = {}
        self.elements: dict[SSAValue, SSAValue] = {}

    def run(self) -> None:
        """Walk the function once, then drop the views nobody looks through any more."""
        operations = list(self.block.ops)
        for op in operations:
            if isinstance(op, ViewOperation):
                self._view(op)
            elif isinstance(op, WriteOp):
                self._write(op)
            elif isinstance(op, ReturnOp):
                self._return(op)
            else:
                for index, operand in enumerate(op.operands):
                    if _is_conj(operand):
                        op.operands[index] = self._elements(operand, op)
        for op in reversed(operations):
            if isinstance(op, ViewOperation) and not op.results[0].uses:
                op.detach()
                op.erase()

    def _view(self, op: ViewOperation) -> None:
        """Take a view of what its operand's memory holds."""
        (operand,), (result,) = op.operands, op.results
        if op.ROW.is_conj:
            if _is_conj(operand):
                result.replace_all_uses_with(self._held(operand, op))
            else:
                self.held[result] = operand
        elif _is_conj(operand):
            kind = op_class(op.ROW.name)
            held = self._held(operand, op)
            resolved = kind.ROW.resolve([tensor_spec(held)], op.values())
            self.held[result] = self._insert(kind.make([held], resolved, op.location), op)

    def _write(self, op: WriteOp) -> None:
        """Write the conjugates into what the target's memory holds."""
        value, target = op.operands
        if _is_conj(value):
            value = op.operands[0] = self._elements(value, op)
        if _is_conj(target):
            op.operands[1] = self._held(target, op)
            op.operands[0] = self._conjugates(value, op)

    def _return(self, op: ReturnOp) -> None:
        """Return views that are `conj` as views of what the memory holds."""
        for index, value in enumerate(op.operands):
            if _is_conj(value) and not isinstance(value, BlockArgument):
                op.operands[index] = self._insert(_flipped(self._held(value, op), op), op)

    def _held(self, value: SSAValue, user: Operation) -> SSAValue:
        """Return what the memory holds behind a value that is `conj`."""
        found = self.held.get(value)
        if found is None:
            # An argument of the function: seen as it lies.
            found = self.held[value] = self._insert(_flipped(value, user), user)
        return found

    def _elements(self, value: SSAValue, user: Operation) -> SSAValue:
        """Return the elements of a value that is `conj`, as a value that is not."""
        found = self.elements.get(value)
        if found is None:
            found = self.elements[value] = self._conjugates(self._held(value, user), user)
        return found

    def _conjugates(self, value: SSAValue, user: Operation) -> SSAValue:
        kind = op_class("conj_elements")
        resolved = kind.ROW.resolve([tensor_spec(value)], {})
        return self._insert(kind.make([value], resolved, user.location), user)

    def _insert(self, made: TensorOperation, user: Operation) -> SSAValue:
        self.block.insert_op_before(made, user)
        return made.results[0]


def _flipped(value: SSAValue, user: Operation) -> TensorOperation:
    kind = op_class("conj_view")
    return kind.make([value], kind.ROW.resolve([tensor_spec(value)], {}), user.location)
