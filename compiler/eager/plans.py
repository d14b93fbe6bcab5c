"""What is a call of one operation made of, and what plan is made for it?

A plan is a one-op function, traced on proxies for the call's operands, lowered and compiled. What
the operands and static values are is the plan's key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, cast

from ...dialects.attributes.device import placement
from ...dialects.attributes.settings import Settings, holding
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.schema import Parameter
from ...runtime.tensors.tensor import Tensor
from ..driver import Compiled, Traced, returned_structure
from ..plan_key import Part, PlanKey
from ..plan_log import OWN_SIZES, logged
from ..plan_records import phase
from ..stored.calls import spelled_call
from ..trace.finishing import finished
from ..trace.identity import identity_of
from ..trace.numbers import is_argument, number_part
from ..trace.proxies import Proxy
from ..trace.pytree import LEAF
from ..trace.row_operands import row_operand
from ..trace.tracer import Trace
from ..trace.writes import record_in_place, record_out, refuse_one_out

#: A plan, or the number of the operand that is itself the result (`x.to(x.dtype)`).
Plan = Compiled | int

#: What becomes of the result of a row: a new tensor, what the first operand holds, what a tensor
#: holds that comes before the operands, or nothing, since it is only described.
Goal: TypeAlias = Literal["value", "in place", "out", "spec"]
IN_PLACE: Goal = "in place"
OUT: Goal = "out"


class Operands:
    """What a call is given: tensors and numbers, and the key of its plan."""

    def __init__(self, row: OpSpec, bound: dict[str, Any], settings: Settings) -> None:
        self.row = row
        #: What the plan is made under; others may set something else meanwhile.
        self.settings = settings
        self.bound = bound
        self.tensors: list[Tensor] = []
        self.scalars: list[Any] = []
        operands: list[Any] = []
        statics: list[Any] = []
        for parameter in row.schema.parameters:
            value = bound[parameter.name]
            if not parameter.is_operand:
                statics.append(identity_of(value))
            elif value is None and parameter.optional:
                operands.append(None)
            elif parameter.is_list and isinstance(value, (list, tuple)):
                items = cast(Sequence[Any], value)
                concrete = [
                    None if item is None else row_operand(row, parameter, item) for item in items
                ]
                bound[parameter.name] = concrete
                operands.append(tuple(self._part(item, False) for item in concrete))
            else:
                concrete = row_operand(row, parameter, value)
                bound[parameter.name] = concrete
                operands.append(self._part(concrete, _is_static(row, parameter, concrete)))
        row.refuse_numbers(bound)
        self._operands, self._statics = tuple(operands), tuple(statics)

    def key(self, goal: Goal, same: tuple[int, ...] = (), out: Tensor | None = None) -> PlanKey:
        """Return what a plan for them is made for; see `make_writing_plan` for `same` and `out`."""
        operands = self._operands if out is None else (out.spec, *self._operands)
        work = (self.row, goal)
        return PlanKey(work, self.settings, placement(), operands, self._statics, same=same)

    def with_copies(self, copies: dict[int, Tensor]) -> Operands:
        """Return the operands with copies, by `id`, instead of some."""
        if not copies:
            return self
        bound = dict(self.bound)
        for parameter in self.row.schema.parameters:
            value = bound[parameter.name]
            if parameter.is_operand and isinstance(value, list):
                items = cast(list[Any], value)
                bound[parameter.name] = [copies.get(id(item), item) for item in items]
            elif parameter.is_operand:
                bound[parameter.name] = copies.get(id(value), value)
        return Operands(self.row, bound, self.settings)

    def _part(self, value: Any, is_static: bool) -> Part:
        """Return an operand's part of the key, and put it among the plan's arguments."""
        if value is None:
            return None
        if isinstance(value, Tensor):
            self.tensors.append(value)
            return value.spec
        is_known = is_static or not is_argument(value)
        if not is_known:
            self.scalars.append(value)
        return number_part(value, is_known=is_known)


def _is_static(row: OpSpec, parameter: Parameter, value: Any) -> bool:
    """Whether a plan is made for the value of a number: one that the row looks at, or a default."""
    is_chosen_by = row.static_operands.get(parameter.name)
    if is_chosen_by is not None:
        return not isinstance(value, Tensor) and is_chosen_by(value)
    return parameter.is_left_out(value)


class Recording:
    """A trace with proxies for a call's operands."""

    def __init__(
        self, row: OpSpec, found: Operands, same: tuple[int, ...] = (), out: Tensor | None = None
    ) -> None:
        self.row = row
        self.trace = Trace(row.name)
        self.same = same
        self.target: Proxy | None = None
        self.count = 0
        if out is not None:
            self._tensor(out.spec)
        self.bound = dict(found.bound)
        for parameter in row.schema.parameters:
            value = self.bound[parameter.name]
            if not parameter.is_operand or value is None:
                continue
            if parameter.is_list:
                self.bound[parameter.name] = [self._replace(item, False) for item in value]
            else:
                is_static = _is_static(row, parameter, value)
                self.bound[parameter.name] = self._replace(value, is_static)

    def _replace(self, value: Any, is_static: bool) -> Any:
        if isinstance(value, Tensor):
            return self._tensor(value.spec)
        if value is None or is_static or not is_argument(value):
            return value
        return self.trace.scalar_argument(ScalarSpec.of(value))

    def _tensor(self, spec: TensorSpec) -> Proxy:
        """Return the proxy of the next tensor; some are the first one once more."""
        index = self.count
        self.count += 1
        if index in self.same:
            assert self.target is not None
            return self.target
        proxy = self.trace.tensor_argument(spec)
        if index == 0:
            self.target = proxy
        return proxy


def make_plan(row: OpSpec, found: Operands) -> Plan:
    """Trace the row on proxies for its operands, and compile it."""
    with holding(found.settings):
        return logged(lambda: _make_plan(row, found), spelled_call(row, "value"), lambda: OWN_SIZES)


def _make_plan(row: OpSpec, found: Operands) -> Plan:
    with phase("trace"):
        recording = Recording(row, found)
        trace = recording.trace
        result = trace.record(trace.apply_bound, row, recording.bound)
    for index, proxy in enumerate(trace.arguments):
        if proxy is result:
            return index
    structure, outputs, same = returned_structure(trace, result, row.name)
    traced = Traced(row.name, finished(trace, outputs), LEAF, structure, (), same, trace.written)
    return traced.lower(in_place=True).compile()


def make_writing_plan(
    row: OpSpec, found: Operands, same: tuple[int, ...], out: Tensor | None
) -> Compiled:
    """Trace a row whose result is written into its first operand, or into `out`, and compile it."""
    name = spelled_call(row, "in place" if out is None else "out")
    with holding(found.settings):
        return logged(lambda: _make_writing_plan(row, found, same, out), name, lambda: OWN_SIZES)


def _make_writing_plan(
    row: OpSpec, found: Operands, same: tuple[int, ...], out: Tensor | None
) -> Compiled:
    with phase("trace"):
        recording = Recording(row, found, same, out)
        trace = recording.trace
        if out is None:
            trace.record(record_in_place, trace, row, recording.bound)
        else:
            trace.record(record_out, trace, row, recording.bound, recording.target)
        module = finished(trace, [])
    traced = Traced(row.name, module, LEAF, ("none",), (), (), trace.written)
    return traced.lower(in_place=True).compile()


def result_spec(row: OpSpec, found: Operands) -> TensorSpec:
    """Return what a row would give."""
    recording = Recording(row, found)
    trace = recording.trace
    with holding(found.settings):
        result = trace.record(trace.apply_bound, row, recording.bound)
    if not isinstance(result, Proxy):
        raise refuse_one_out(row)
    return result.spec
