"""How is an operation on sparse tensors recorded? As one operation on values of layout sparse_coo.

What it does to indices and values is said by the form of its row. That is run beside the function
to learn what comes out, and once more by `tri-lower-sparse`, which puts it in the operation's
place: so a program shows what it does, and what that is lowered to stands in one place. Where one
operation could not say it all (a view of the memory of an operand, an argument that is no
attribute), the steps of the form are recorded themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from xdsl.ir import SSAValue

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.attributes.symint import SymInt
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.schema import Parameter
from ...dialects.ops.frame.sparse_forms import SparseForm
from ...dialects.tri.sparse import AssembleOp, DisassembleOp, SparseOp, operands_of
from ...dialects.tri.types import spell_number
from ...runtime.tensors.sparse import SparseTensor, parts_of
from ...runtime.tensors.tensor import Tensor
from .argument_names import OF_VALUES
from .form_traces import FormTrace, Result, Unsayable, is_view_of, items_of, results_of
from .locations import user_attribute
from .proxies import Proxy
from .scalar_proxies import ScalarProxy
from .sparse_operands import ORDINARY, bound_operands, form_called
from .tracer import Trace

#: What may be an attribute of an operation, or an item of one.
_STATIC = (type(None), bool, int, float, complex, str, DType, Device, MemoryFormat, SymInt)
_NUMBERS = (bool, int, float, complex)


def record_sparse(
    trace: Trace, row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """Record a call of a row with sparse operands; `ORDINARY` where it needs no form."""
    form = form_called(row, arguments, keywords)
    if form is None:
        return ORDINARY
    bound = bound_operands(row, arguments, keywords)
    for parameter in operands_of(row):
        bound[parameter.name] = _mapped(bound[parameter.name], partial(_own, trace))
    if _is_sayable(row, bound):
        try:
            return _Step(trace, row, bound).recorded(form)
        except Unsayable:
            pass
    return form.run(trace.SPARSE(trace), **bound)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return an operand changed, or all of a list."""
    if isinstance(value, (list, tuple)):
        return list(map(change, cast("Sequence[Any]", value)))
    return change(value)


def _own(trace: Trace, value: Any) -> Any:
    """Return what stands for a tensor in the trace; anything else as it is."""
    if isinstance(value, SparseTensor):
        return _changed(value, trace.as_proxy)
    return trace.as_proxy(value) if isinstance(value, Tensor) else value


def _changed(value: SparseTensor, change: Callable[[Any], Any]) -> SparseTensor:
    """Return a sparse tensor of other parts."""
    indices, values = map(change, parts_of(value))
    return SparseTensor(indices, values, value.spec.shape, coalesced=value.is_coalesced())


def _is_sayable(row: OpSpec, bound: Mapping[str, Any]) -> bool:
    """Whether operands and static values can be those of an operation."""
    for parameter in row.schema.parameters:
        value = bound[parameter.name]
        if not parameter.is_operand:
            if not _is_static(value):
                return False
        elif not all(map(_is_operand, _items(value) if parameter.is_list else (value,))):
            return False
    return True


def _items(value: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else (value,)


def _is_static(value: Any) -> bool:
    if isinstance(value, tuple):
        sizes = cast("tuple[Any, ...]", value)
        return all(type(size) in (int, SymInt) for size in sizes)
    return isinstance(value, _STATIC)


def _is_operand(value: Any) -> bool:
    if isinstance(value, SparseTensor):
        return all(isinstance(part, Proxy) for part in parts_of(value))
    if isinstance(value, Proxy) or type(value) is ScalarProxy:
        return True
    return value is None or type(value) in _NUMBERS


def _is_default(parameter: Parameter, value: Any) -> bool:
    """Whether a number is that of the signature, which need not be said."""
    default: Any = parameter.default
    is_alike = type(value) is type(default) and type(value) in _NUMBERS
    return is_alike and spell_number(value) == spell_number(default)


class _Step:
    """The record of one operation."""

    def __init__(self, trace: Trace, row: OpSpec, bound: Mapping[str, Any]) -> None:
        self.trace, self.row, self.bound = trace, row, bound
        self.location = user_attribute()
        #: What stands for the parts of operands in the function, by their values.
        self.outer: dict[SSAValue, Proxy] = {}

    def recorded(self, form: SparseForm) -> Any:
        """Run the form beside the function, and record the operation that stands for it."""
        beside = self._beside()
        try:
            result = beside.record(form.run, beside.SPARSE(beside), **self._operands_in(beside))
            found = results_of(result)
            if found is None or not self._is_closed(found):
                raise Unsayable
            made = self._made(found, result, beside.needed)
        finally:
            beside.drop()
            self.trace.refusal = self.trace.refusal or beside.refusal
        self.trace.checks += beside.checks
        return made

    def _beside(self) -> FormTrace:
        """Return a trace in which numbers of the call are what they are in this one."""
        trace = self.trace
        beside = FormTrace(trace.name)
        beside.is_program, beside.depth = trace.is_program, trace.depth
        beside.code, beside.env, beside.numbers = trace.code, trace.env, trace.numbers
        beside.scalars = [ScalarProxy(beside, each.value, each.spec) for each in trace.scalars]
        return beside

    def _operands_in(self, beside: FormTrace) -> dict[str, Any]:
        bound = dict(self.bound)
        for parameter in operands_of(self.row):
            bound[parameter.name] = _mapped(
                bound[parameter.name], partial(self._operand_in, beside)
            )
        return bound

    def _operand_in(self, beside: FormTrace, value: Any) -> Any:
        if isinstance(value, SparseTensor):
            return _changed(value, partial(self._operand_in, beside))
        if isinstance(value, Proxy):
            return beside.stand_in(self._value(value), value.spec)
        if type(value) is ScalarProxy:
            pairs = zip(self.trace.scalars, beside.scalars, strict=True)
            return next(other for own, other in pairs if own is value)
        return value

    def _value(self, proxy: Proxy) -> SSAValue:
        value = proxy.value
        self.outer.setdefault(value, proxy)
        return value

    def _is_closed(self, found: Sequence[Result]) -> bool:
        """Whether results are values of their own, or parts of operands as they are."""
        values = frozenset(self.outer)
        return not any(
            is_view_of(part, values) or (len(parts) == 1 and part.value in values)
            for _, parts in found
            for part in parts
        )

    # ---- what is recorded

    def _made(self, found: Sequence[Result], result: Any, needed: Sequence[Tensor]) -> Any:
        trace = self.trace
        values = {
            parameter.name: self.bound[parameter.name]
            for parameter in self.row.schema.parameters
            if not parameter.is_operand
        }
        operands = [self._given(each) for each in operands_of(self.row)]
        known = [trace.capture(tensor).value for tensor in needed]
        specs = [spec for spec, _ in found]
        op = SparseOp.make(self.row, operands, known, values, specs, self.location)
        trace.block.add_op(op)
        parts = [each for _, each in found]
        made = list(map(self._result, op.results, items_of(result), parts))
        return tuple(made) if isinstance(result, tuple) else made[0]

    def _given(self, parameter: Parameter) -> Any:
        value = self.bound[parameter.name]
        return None if _is_default(parameter, value) else self._operand(value)

    def _operand(self, value: Any) -> Any:
        """Return the value of an operand, a list of values, or None."""
        if isinstance(value, list):
            return list(map(self._operand, cast("list[Any]", value)))
        if isinstance(value, SparseTensor):
            return self._assembled(value)
        if isinstance(value, Proxy) or type(value) is ScalarProxy:
            return value.value
        return None if value is None else self.trace.number_value(value, self.location)

    def _assembled(self, tensor: SparseTensor) -> SSAValue:
        key = _key_of(tensor)
        found = self.trace.sparse.get(key)
        if found is None:
            is_coalesced = tensor.is_coalesced()
            op = AssembleOp.make(
                key[0], key[1], tensor.spec, is_coalesced=is_coalesced, location=self.location
            )
            self.trace.block.add_op(op)
            found = self.trace.sparse[key] = op.results[0]
            found.name_hint = _name_of(key[1])
        return found

    def _result(self, value: SSAValue, item: Any, parts: Sequence[Proxy]) -> Any:
        """Return what stands for a result: a part that is an operand's is that itself."""
        if not isinstance(item, SparseTensor):
            return Proxy.of(self.trace, value, item.spec)
        op = DisassembleOp.make(value, parts[0].spec, parts[1].spec, self.location)
        self.trace.block.add_op(op)
        own = [
            self.outer.get(part.value, Proxy.of(self.trace, found, part.spec))
            for part, found in zip(parts, op.results, strict=True)
        ]
        made = SparseTensor(own[0], own[1], item.spec.shape, coalesced=item.is_coalesced())
        self.trace.sparse[_key_of(made)] = value
        return made


def _name_of(values: SSAValue) -> str | None:
    """Return the name of the tensor whose values have a name."""
    name = values.name_hint
    return name.removesuffix(OF_VALUES) if name else None


def _key_of(tensor: SparseTensor) -> tuple[Any, ...]:
    """Return what a sparse value is known by: the values of its parts, its shape and flag."""
    indices, values = (cast("Proxy", part).value for part in parts_of(tensor))
    return indices, values, tensor.spec, tensor.is_coalesced()
