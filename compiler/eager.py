"""How does an operation on concrete tensors run? As a one-op function through the same road.

Each row, kind of operands and set of static values has one plan; there is no second implementation
of any operation. Views are plans without a launch.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, cast

from ..dialects.attributes.device import get_default_device
from ..dialects.attributes.dtype import DType, get_default_dtype
from ..dialects.attributes.promotion import result_type as promoted
from ..dialects.attributes.spec import ScalarSpec, TensorSpec
from ..dialects.diagnostics import TrilithTypeError
from ..dialects.ops.opspec import OpSpec
from ..dialects.ops.table import TABLE
from ..runtime import dispatch
from ..runtime.tensor import Tensor
from .driver import Compiled, Traced
from .trace.identity import identity_of
from .trace.operands import as_number, as_tensor
from .trace.operators import install_on_proxies, make_function, methods
from .trace.pytree import LEAF
from .trace.tracer import Proxy, Trace, refuse_operand

#: How many one-op plans are remembered.
LIMIT = 8192

#: A plan, or the number of the operand that is itself the result (`x.to(x.dtype)`).
Plan = Compiled | int


_plans: OrderedDict[Any, Plan] = OrderedDict()
_quick: dict[Any, Compiled] = {}
_lock = threading.Lock()


def call(row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Run a row on concrete operands."""
    key: Any = None
    if not keywords:
        # The usual call, tensors and nothing else: one look-up on their interned specs.
        specs = [argument.spec for argument in arguments if type(argument) is Tensor]
        if len(specs) == len(arguments):
            key = (row.name, get_default_dtype(), get_default_device(), *specs)
            quick = _quick.get(key)
            if quick is not None:
                return quick.run(arguments, ())
    plan, tensors, scalars = _find(row, row.schema.bind(arguments, keywords))
    if isinstance(plan, int):
        return tensors[plan]
    if key is not None and len(tensors) == len(arguments):
        if len(_quick) >= LIMIT:
            _quick.clear()
        _quick[key] = plan
    return plan.run(tensors, scalars)


def _find(row: OpSpec, bound: dict[str, Any]) -> tuple[Plan, list[Tensor], list[Any]]:
    """Return the plan of a call, made if need be, and what it takes: tensors and numbers."""
    tensors: list[Tensor] = []
    scalars: list[Any] = []
    key: list[Any] = [row.name, get_default_dtype(), get_default_device()]
    for parameter in row.schema.parameters:
        value = bound[parameter.name]
        if not parameter.is_operand:
            key.append(identity_of(value))
        elif value is None and parameter.optional:
            key.append(None)
        elif parameter.is_list and isinstance(value, (list, tuple)):
            items = cast(Sequence[Any], value)
            concrete = [_operand(row, parameter, item) for item in items]
            bound[parameter.name] = concrete
            key.append(tuple(_kind(item, False, tensors, scalars) for item in concrete))
        else:
            concrete = _operand(row, parameter, value)
            bound[parameter.name] = concrete
            is_static = parameter.name in row.static_operands
            key.append(_kind(concrete, is_static, tensors, scalars))
    if row.check_numbers is not None:
        row.check_numbers(bound)
    whole = tuple(key)
    plan = _plans.get(whole)
    if plan is None:
        plan = _make_plan(row, bound)
        with _lock:
            _plans[whole] = plan
            while len(_plans) > LIMIT:
                _plans.popitem(last=False)
    return plan, tensors, scalars


def _operand(row: OpSpec, parameter: Any, value: Any) -> Any:
    """Return a tensor or a Python number, or refuse."""
    if isinstance(value, Tensor):
        return value
    if parameter.type == "Operand":
        number = as_number(value)
        if number is not None:
            return number
    tensor = as_tensor(value)
    if tensor is None:
        raise refuse_operand(row, parameter, value)
    return tensor


def _kind(value: Any, is_static: bool, tensors: list[Tensor], scalars: list[Any]) -> Any:
    """Return an operand's part of the key, and put it among the plan's arguments."""
    if isinstance(value, Tensor):
        tensors.append(value)
        return value.spec
    if is_static or _is_baked(value):
        return (type(value), repr(value))
    scalars.append(value)
    return ScalarSpec.of(value)


def _is_baked(value: Any) -> bool:
    """Whether a number becomes a constant of the plan: no kernel argument holds it."""
    return isinstance(value, complex) or (isinstance(value, int) and not -(2**63) <= value < 2**63)


def _make_plan(row: OpSpec, bound: dict[str, Any]) -> Plan:
    """Trace the row on proxies for its operands, and compile it."""
    recording = Trace(row.name)
    proxies: list[Any] = []

    def replace(value: Any, is_static: bool) -> Any:
        if isinstance(value, Tensor):
            made: Any = recording.tensor_argument(value.spec)
        elif is_static or _is_baked(value):
            return value
        else:
            made = recording.scalar_argument(ScalarSpec.of(value))
        proxies.append(made)
        return made

    replaced = dict(bound)
    for parameter in row.schema.parameters:
        value = bound[parameter.name]
        if not parameter.is_operand or value is None:
            continue
        if parameter.is_list:
            replaced[parameter.name] = [replace(item, False) for item in value]
        else:
            is_static = parameter.name in row.static_operands
            replaced[parameter.name] = replace(value, is_static)
    result = recording.record(recording.apply_bound, row, replaced)
    assert isinstance(result, Proxy)
    tensors = [proxy for proxy in proxies if isinstance(proxy.spec, TensorSpec)]
    for index, proxy in enumerate(tensors):
        if proxy is result:
            return index
    traced = Traced(row.name, recording.finish([result]), LEAF, LEAF, ())
    return traced.lower(in_place=True).compile()


def function_of(name: str) -> Any:
    """Return the public function called `name`: that of a row, or an alias of it."""
    row = next(row for row in TABLE.values() if name in row.function_names)
    return make_function(row, call)


def install() -> None:
    """Put the rows' methods and operators on tensors and on their proxies."""
    for name, function in methods(call).items():
        dispatch.install(name, function)
    install_on_proxies(call)


def result_type(tensor1: Any, tensor2: Any) -> DType:
    """Return the dtype that an operation on two operands computes in.

    Operands are tensors (0-dim ones count less) and Python numbers (which count least).

    >>> import trilith as tri
    >>> tri.result_type(tri.tensor([1, 2], dtype=tri.int32), 1.0)
    trilith.float32
    """
    operands = [_result_operand(value) for value in (tensor1, tensor2)]
    return promoted(*operands)


def _result_operand(value: Any) -> Any:
    number = as_number(value)
    if number is not None:
        return ScalarSpec.of(number).operand
    tensor = value if isinstance(value, (Tensor, Proxy)) else as_tensor(value)
    if tensor is None:
        raise TrilithTypeError(
            f"result_type(): argument 'tensor1' must be Tensor, not {type(value).__name__}"
        )
    return tensor.spec.operand
