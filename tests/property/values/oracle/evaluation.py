"""What must a program compute? An independent evaluation: dtype, shape, strides, memory, bounds.

The rules of dtype and strides come from `semantics`, bounds of elements from `intervals`; what each
operation does is in `elementwise`, `structure` and `reductions`. Of the library's rows only the
error bound of a mathematical function is read. A row that none of these know is opaque: what the
row says of its dtype and shape is believed, and its elements are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import trilith as tri
from trilith.dialects.ops.frame.opspec import ElementwiseOp, ReductionOp
from trilith.dialects.ops.table import TABLE

from ..program import ITEM, Input, Named, Number, Program, Ref, Step, elements, items_of
from .intervals import Bounds, exactly, storage_type, unknown
from .semantics import DEFAULT, DIMENSIONED, WRAPPED, ZERO_DIM, Invalid, Shape, contiguous


class Fault(Exception):
    """Running the operation must raise, with this message."""


@dataclass(frozen=True, slots=True)
class Value:
    """What is known of a tensor. `base` names the input or step whose memory it looks at."""

    dtype: str
    shape: Shape
    strides: Shape
    bounds: Bounds
    base: str = ""
    offset: int = 0

    @property
    def kind(self) -> str:
        """How much it counts in type promotion."""
        return DIMENSIONED if self.shape else ZERO_DIM


@dataclass(frozen=True, slots=True)
class Weak:
    """A Python number."""

    value: bool | int | float
    shape: Shape = ()
    strides: Shape = ()
    kind: str = WRAPPED

    @property
    def dtype(self) -> str:
        """The dtype that the number counts as."""
        if isinstance(self.value, bool):
            return "bool"
        return "int64" if isinstance(self.value, int) else DEFAULT


@dataclass(frozen=True, slots=True)
class Several:
    """What an operation with several results gives; a step called `ITEM` takes one of them."""

    parts: tuple[Value, ...]


Operand = Value | Weak
Known = Operand | Several
#: Operations by name: called with operands and plain values as PyTorch's are. The filling is in
#: the modules that know operations.
OPERATIONS: dict[str, Callable[..., Value | Several]] = {}


def fresh(dtype: str, shape: Shape, bounds: Bounds, strides: Shape | None = None) -> Value:
    """Return a value in memory of its own."""
    return Value(dtype, shape, contiguous(shape) if strides is None else strides, bounds)


def evaluate(program: Program) -> dict[str, Known]:
    """Return the values of all inputs and steps; raises Fault or Invalid."""
    values: dict[str, Known] = {
        name: input_value(name, source) for name, source in program.inputs.items()
    }
    for name, step in program.steps.items():
        values[name] = apply(name, step, values)
    if any(isinstance(values[name], Several) for name in program.outputs):
        raise Invalid("several results as one output")
    return values


def input_value(name: str, source: Input | Number) -> Operand:
    """Return the value of an argument."""
    if isinstance(source, Number):
        return Weak(source.value)
    flat = elements(source).astype(storage_type(source.dtype))
    step = flat.itemsize
    strides = tuple(stride * step for stride in source.strides)
    view = np.lib.stride_tricks.as_strided(flat[source.offset :], source.shape, strides).copy()
    bounds = exactly(view)
    return Value(source.dtype, source.shape, source.strides, bounds, name, source.offset)


def apply(name: str, step: Step, values: Mapping[str, Known]) -> Value | Several:
    """Return the value of a step."""
    if step.operation == ITEM:
        source, number = step.arguments
        return _item(values[source.name], number)
    arguments = [_concrete(argument, values) for argument in step.arguments]
    keywords = {key: _concrete(value, values) for key, value in step.keywords}
    operation = OPERATIONS.get(step.operation)
    with np.errstate(all="ignore"):
        if operation is None:
            result = _opaque(step.operation, arguments, keywords)
        else:
            result = operation(*arguments, **keywords)
    if isinstance(result, Several):
        parts = enumerate(result.parts)
        return Several(tuple(_settled(f"{name}.{number}", part) for number, part in parts))
    return _settled(name, result)


def _item(several: Known, number: int) -> Value:
    if not isinstance(several, Several) or not 0 <= number < len(several.parts):
        raise Invalid("no such result")
    return several.parts[number]


def _settled(name: str, result: Value) -> Value:
    """Return a result with elements of its full shape, in the memory of that name if it is new."""
    if result.base:
        return result
    bounds = result.bounds.map(lambda part: np.broadcast_to(part, result.shape))
    return Value(result.dtype, result.shape, result.strides, bounds, name)


def _concrete(value: Any, values: Mapping[str, Known]) -> Any:
    if isinstance(value, Ref):
        known = values[value.name]
        if isinstance(known, Several):
            raise Invalid("several results as an operand")
        return known
    if isinstance(value, Named):
        return value.name
    if type(value) is tuple:
        return tuple(_concrete(item, values) for item in items_of(value))
    return value


def as_operand(value: Any) -> Operand:
    """Return an operand that may be a plain Python number."""
    return value if isinstance(value, (Value, Weak)) else Weak(value)


def _opaque(operation: str, arguments: list[Any], keywords: dict[str, Any]) -> Value:
    """Believe a row that the oracle does not know."""
    row = TABLE[operation]
    assert isinstance(row, (ElementwiseOp, ReductionOp)), f"no oracle for {operation}"
    bound = row.schema.bind(arguments, keywords)
    specs = [
        _spec(as_operand(bound[parameter.name]))
        for parameter in row.schema.parameters
        if parameter.is_operand
    ]
    attributes: dict[str, Any] = {
        parameter.name: bound[parameter.name]
        for parameter in row.schema.parameters
        if not parameter.is_operand
    }
    try:
        result = row.resolve(specs, attributes).result
    except tri.TrilithError as error:
        raise Invalid(str(error)) from error
    dtype = repr(result.dtype).rpartition(".")[2]
    return fresh(dtype, result.shape, unknown(result.shape, dtype), result.strides)


def _spec(operand: Operand) -> Any:
    if isinstance(operand, Weak):
        return tri.ScalarSpec.of(operand.value)
    return tri.TensorSpec.of(operand.shape, getattr(tri, operand.dtype), strides=operand.strides)
