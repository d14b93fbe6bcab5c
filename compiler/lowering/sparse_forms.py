"""What comes in the place of an operation on sparse tensors? What the form of its row records."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.attributes.opened_specs import env_of
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.diagnostics import InternalError, TrilithNotImplementedError, TrilithTypeError
from ...dialects.ops.sparse_table import form_of
from ...dialects.tri.ops import spec_of, tensor_spec
from ...dialects.tri.sparse import (
    AssembleOp,
    DisassembleOp,
    Group,
    SparseOp,
    operands_of,
)
from ...dialects.tri.structure import ConstantOp
from ...dialects.tri.types import TensorType, is_sparse
from ...runtime.tensors.sparse import SparseTensor, parts_of
from ..trace.form_traces import FormTrace, Unsayable, items_of, results_of
from ..trace.proxies import Proxy
from ..trace.scalar_proxies import ScalarProxy
from ..trace.sparse_writes import TracedSparse


def lower_sparse(func: FuncOp) -> None:
    """Leave no value of layout sparse_coo in a function."""
    for value in func.body.block.args:
        if is_sparse(value):
            raise TrilithNotImplementedError(
                f"{func.sym_name.data}() takes a sparse tensor as one argument",
                hint="let it take indices and values, and tri.assemble them",
            )
    _Lowering(func).run()


class _Lowering:
    """One function's lowering: which parts stand for which sparse value."""

    def __init__(self, func: FuncOp) -> None:
        self.block = func.body.block
        self.tensors: dict[SSAValue, SparseTensor] = {}
        self.numbers: dict[SSAValue, ScalarProxy] = {}
        #: What has been lowered, in order: each may still be an operand of the next.
        self.done: list[Operation] = []
        self.trace = FormTrace(func.sym_name.data, ())
        self.trace.env = env_of(map(spec_of, self.block.args))

    def run(self) -> None:
        """Walk the function once, then drop what is lowered."""
        for op in list(self.block.ops):
            lower = _LOWERED.get(type(op))
            if lower is not None:
                lower(self, op)
                self.done.append(op)
            elif any(map(is_sparse, op.operands)):
                raise TrilithNotImplementedError(
                    f"{op.name} takes no sparse tensor", hint="take it apart: tri.disassemble"
                )
        for op in reversed(self.done):
            numbers = [each.owner for each in op.operands if isinstance(each.owner, ConstantOp)]
            self.block.erase_op(op)
            for number in numbers:
                if number.parent is not None and not number.results[0].uses:
                    self.block.erase_op(number)

    def assemble(self, op: AssembleOp) -> None:
        """Note the parts of a sparse value."""
        (result,) = op.results
        indices, values = (self.trace.stand_in(part, tensor_spec(part)) for part in op.operands)
        shape = tensor_spec(result).shape
        self.tensors[result] = SparseTensor(indices, values, shape, coalesced=op.is_coalesced)

    def disassemble(self, op: DisassembleOp) -> None:
        """Use the parts themselves."""
        for result, part in zip(op.results, parts_of(self._tensor(op.operands[0])), strict=True):
            self._replace(result, cast("Proxy", part))

    def form(self, op: SparseOp) -> None:
        """Put what the form of a row records in the place of its operation."""
        result = self._recorded(op)
        found = results_of(result)
        if found is None or len(found) != len(op.results):
            raise InternalError(f"tri.sparse: {op.row.data} has other results than its type says")
        for old, item in zip(op.results, items_of(result), strict=True):
            if isinstance(item, SparseTensor):
                _check_spec(old, item.spec)
                self.tensors[old] = item
            else:
                self._replace(old, item)

    def _recorded(self, op: SparseOp) -> Any:
        """Run the form of a row; what it records stands before its operation."""
        groups, known = op.grouped()
        bound: dict[str, Any] = dict(op.values())
        for parameter, group in zip(operands_of(op.called), groups, strict=True):
            bound[parameter.name] = parameter.default if group is None else self._operand(group)
        form, trace = form_of(op.row.data), self.trace
        assert form is not None
        trace.give(known)
        try:
            return trace.record(form.run, TracedSparse(trace), **bound)
        except Unsayable:
            raise TrilithNotImplementedError(
                f"tri.sparse: {op.row.data} needs more than its operands say",
                hint="known(...) has the numbers that its form knows",
            ) from None
        finally:
            steps = trace.taken_out()
            for step in steps:
                step.location = op.location
            self.block.insert_ops_before(steps, op)

    def _operand(self, group: Group) -> Any:
        """Return what stands for an operand, or for a list of them."""
        assert group is not None
        if not isinstance(group, SSAValue):
            return [self._operand(value) for value in group]
        if is_sparse(group):
            return self._tensor(group)
        spec = spec_of(group)
        if not isinstance(spec, ScalarSpec):
            return self.trace.stand_in(group, spec)
        if isinstance(group.owner, ConstantOp):
            return group.owner.number
        return self.numbers.setdefault(group, ScalarProxy(self.trace, group, spec))

    def _tensor(self, value: SSAValue) -> SparseTensor:
        found = self.tensors.get(value)
        if found is None:
            raise TrilithNotImplementedError(
                f"tri-lower-sparse knows no parts of a value of {value.type}",
                hint="make it with tri.assemble or tri.sparse",
            )
        return found

    def _replace(self, old: SSAValue, part: Proxy) -> None:
        _check_spec(old, part.spec)
        new = part.value
        new.name_hint = new.name_hint or old.name_hint
        old.replace_all_uses_with(new)


def _check_spec(value: SSAValue, spec: TensorSpec) -> None:
    """Refuse a type that is not that of what the form gives."""
    if spec is not tensor_spec(value):
        raise TrilithTypeError(
            f"a sparse operation gives {TensorType.of(spec)}, but its type says {value.type}"
        )


_LOWERED: dict[type[Operation], Any] = {
    AssembleOp: _Lowering.assemble,
    DisassembleOp: _Lowering.disassemble,
    SparseOp: _Lowering.form,
}
