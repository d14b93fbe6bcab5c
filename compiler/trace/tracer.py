"""How does a Python function become `tri` IR? Proxies stand for tensors and record operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.memory_format import MemoryFormat, contiguous_format
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.attributes.strides import is_contiguous
from ...dialects.attributes.views import wrap_dim
from ...dialects.diagnostics import (
    TrilithOverflowError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from ...dialects.ops.opspec import (
    CompositeOp,
    OperandSpec,
    OpSpec,
    PrimitiveOp,
)
from ...dialects.ops.schema import AttributeValue, Parameter
from ...dialects.ops.table import TABLE
from ...dialects.tri.ops import op_class
from ...dialects.tri.structure import ConstantOp
from ...dialects.tri.types import ScalarType, TensorType
from ...runtime.tensor import Size, Tensor
from .active import ACTIVE
from .locations import user_attribute
from .operands import as_number, as_tensor

#: The rows of the operators that NumPy calls when its array stands on the left of a tensor.
NUMPY_OPERATORS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "true_divide": "div",
    "floor_divide": "floor_divide",
    "remainder": "remainder",
    "power": "pow",
    "matmul": "matmul",
    "equal": "eq",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "bitwise_and": "bitwise_and",
    "bitwise_or": "bitwise_or",
    "bitwise_xor": "bitwise_xor",
}


class Proxy:
    """A tensor inside a traced function: shape, dtype, device and strides, but no elements.

    The operations of the table are its methods and operators.
    """

    __slots__ = ("spec", "trace", "value")
    __hash__ = object.__hash__

    def __init__(self, trace: Trace, value: SSAValue, spec: TensorSpec) -> None:
        """Stand for the value of an IR operation."""
        self.trace = trace
        self.value = value
        self.spec = spec

    @property
    def shape(self) -> Size:
        """The sizes."""
        return Size(self.spec.shape)

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self.spec.dtype

    @property
    def device(self) -> Device:
        """The device."""
        return self.spec.device

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return self.spec.rank

    def dim(self) -> int:
        """Return the number of dims."""
        return self.spec.rank

    def numel(self) -> int:
        """Return the number of elements."""
        return self.spec.numel

    def size(self, dim: int | None = None) -> Size | int:
        """Return the sizes, or that of one dim."""
        shape = self.spec.shape
        return Size(shape) if dim is None else shape[wrap_dim(dim, len(shape))]

    def stride(self, dim: int | None = None) -> tuple[int, ...] | int:
        """Return the strides in elements, or that of one dim."""
        strides = self.spec.strides
        return strides if dim is None else strides[wrap_dim(dim, len(strides))]

    def is_contiguous(self, memory_format: MemoryFormat = contiguous_format) -> bool:
        """Whether the strides are those of a memory format."""
        return is_contiguous(self.spec.shape, self.spec.strides, memory_format)

    def is_floating_point(self) -> bool:
        """Whether the dtype is floating."""
        return self.spec.dtype.is_floating_point

    def __len__(self) -> int:
        """Return the first size."""
        if not self.spec.shape:
            raise TrilithTypeError("len() of a 0-d tensor")
        return self.spec.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the first dim; the number of steps is known while tracing."""
        if not self.spec.shape:
            raise TrilithTypeError("iteration over a 0-d tensor")
        return (self.trace.call("select", self, 0, index) for index in range(self.spec.shape[0]))

    def __repr__(self) -> str:
        """Return the spec."""
        return f"Proxy({self.spec!r})"

    def __bool__(self) -> NoReturn:
        """Refuse: control flow needs values."""
        _refuse_value("a condition (if, while, and, or, not)", "use tri.where(condition, a, b)")

    def __int__(self) -> NoReturn:
        """Refuse: there is no value yet."""
        _refuse_value("an int", "keep it a tensor, or convert with .to(tri.int64)")

    __index__ = __int__

    def __float__(self) -> NoReturn:
        """Refuse: there is no value yet."""
        _refuse_value("a float", "keep it a tensor, or convert with .to(tri.float64)")

    def item(self) -> NoReturn:
        """Refuse: there is no value yet."""
        _refuse_value("a Python number (.item())", "keep it a 0-dim tensor, or read it outside")

    def tolist(self) -> NoReturn:
        """Refuse: there is no value yet."""
        _refuse_value("a list (.tolist())", "read it outside the compiled function")

    def numpy(self) -> NoReturn:
        """Refuse: there are no elements yet."""
        _refuse_value("a NumPy array", "call NumPy outside the compiled function")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        """Record NumPy's operators (array + tensor); other functions of NumPy need elements."""
        row = NUMPY_OPERATORS.get(ufunc.__name__)
        if row is None or method != "__call__" or keywords:
            _refuse_value("a NumPy array", "use the function of trilith instead of NumPy's")
        return self.trace.call(row, *inputs)

    def __array__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        """Refuse: there are no elements yet."""
        _refuse_value("a NumPy array", "use the function of trilith instead of NumPy's")


def _refuse_value(what: str, hint: str) -> NoReturn:
    raise TrilithTypeError(
        f"a tensor has no value while its function is traced: it cannot be used as {what}",
        hint=hint,
    )


def _reflected(name: str) -> Callable[[ScalarProxy, Any], Any]:
    """Return an operator of a number that asks the tensor on its other side."""

    def operator(self: ScalarProxy, other: Any) -> Any:
        return getattr(other, name)(self) if isinstance(other, Proxy) else self.refuse()

    return operator


class ScalarProxy:
    """A Python number that was passed to a compiled function: its kind is known, not its value."""

    __slots__ = ("spec", "trace", "value")

    def __init__(self, trace: Trace, value: SSAValue, spec: ScalarSpec) -> None:
        """Stand for an argument of the IR function."""
        self.trace = trace
        self.value = value
        self.spec = spec

    def __repr__(self) -> str:
        """Return the kind."""
        return f"ScalarProxy({self.spec.kind})"

    def refuse(self, *arguments: Any) -> NoReturn:
        """Raise the error that says what to do instead."""
        raise TrilithTypeError(
            f"the value of this {self.spec.kind} argument is not known while the function is "
            "traced: it can be an operand of a tensor operation, nothing else",
            hint="name the argument in static_argnames to trace once per value",
        )

    __bool__ = __int__ = __float__ = __index__ = __neg__ = __abs__ = refuse

    __add__, __radd__ = _reflected("__radd__"), _reflected("__add__")
    __sub__, __rsub__ = _reflected("__rsub__"), _reflected("__sub__")
    __mul__, __rmul__ = _reflected("__rmul__"), _reflected("__mul__")
    __truediv__, __rtruediv__ = _reflected("__rtruediv__"), _reflected("__truediv__")
    __floordiv__, __rfloordiv__ = _reflected("__rfloordiv__"), _reflected("__floordiv__")
    __mod__, __rmod__ = _reflected("__rmod__"), _reflected("__mod__")
    __pow__, __rpow__ = _reflected("__rpow__"), _reflected("__pow__")
    __lt__, __gt__ = _reflected("__gt__"), _reflected("__lt__")
    __le__, __ge__ = _reflected("__ge__"), _reflected("__le__")


class Trace:
    """A function of the IR in the making. It is the `TensorLanguage` of composite rows."""

    __slots__ = ("block", "captured", "constants", "name", "scalars")

    def __init__(self, name: str) -> None:
        """Start an empty function."""
        self.name = name
        self.block = Block()
        #: Tensors of the enclosing program that the function uses, with their arguments.
        self.captured: dict[int, tuple[Tensor, Proxy]] = {}
        self.constants: dict[tuple[type, str], SSAValue] = {}
        self.scalars: list[ScalarProxy] = []

    # ---- arguments and results

    def tensor_argument(self, spec: TensorSpec, name: str | None = None) -> Proxy:
        """Add an argument that is a tensor; the name is for readers of the IR."""
        value = self.block.insert_arg(TensorType.of(spec), len(self.block.args))
        value.name_hint = name
        return Proxy(self, value, spec)

    def scalar_argument(self, spec: ScalarSpec, name: str | None = None) -> ScalarProxy:
        """Add an argument that is a Python number; the name is for readers of the IR."""
        value = self.block.insert_arg(ScalarType.of(spec), len(self.block.args))
        value.name_hint = name
        proxy = ScalarProxy(self, value, spec)
        self.scalars.append(proxy)
        return proxy

    def capture(self, tensor: Tensor) -> Proxy:
        """Return the argument for a tensor of the enclosing program."""
        found = self.captured.get(id(tensor))
        if found is None:
            found = (tensor, self.tensor_argument(tensor.spec, "captured"))
            self.captured[id(tensor)] = found
        return found[1]

    def finish(self, results: Sequence[Proxy]) -> ModuleOp:
        """End the function and return the module that holds it."""
        values = [result.value for result in results]
        self.block.add_op(ReturnOp.create(operands=values))
        inputs = [argument.type for argument in self.block.args]
        outputs = [value.type for value in values]
        func = FuncOp(self.name, (inputs, outputs), Region(self.block))
        return ModuleOp([func])

    # ---- operations

    def spec(self, value: Any) -> OperandSpec:
        """Return the spec of what may be an operand."""
        if isinstance(value, (Proxy, ScalarProxy, Tensor)):
            return value.spec
        converted = as_tensor(value)
        return ScalarSpec.of(value) if converted is None else converted.spec

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Apply the row called `name`."""
        return self.apply(TABLE[name], arguments, keywords)

    def apply(self, row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Record a call of a row, or of the rows it is written in."""
        bound = row.schema.bind(arguments, keywords)
        if row.check_numbers is not None:
            row.check_numbers(bound)
        return self.apply_bound(row, bound)

    def apply_bound(self, row: OpSpec, bound: dict[str, Any]) -> Any:
        """Record a row whose arguments are bound to its parameters."""
        if isinstance(row, CompositeOp):
            return row.expand(self, **self._as_proxies(row, bound))
        assert isinstance(row, PrimitiveOp)
        return self._record(row, bound)

    def _as_proxies(self, row: OpSpec, bound: dict[str, Any]) -> dict[str, Any]:
        """Replace tensors and arrays by proxies, so that a composite sees one kind of value."""
        for parameter in row.schema.parameters:
            value = bound[parameter.name]
            if parameter.is_operand and value is not None:
                if parameter.is_list:
                    bound[parameter.name] = [
                        self._tensor_or_number(row, parameter, item) for item in _items(row, value)
                    ]
                else:
                    bound[parameter.name] = self._tensor_or_number(row, parameter, value)
        return bound

    def _tensor_or_number(self, row: OpSpec, parameter: Parameter, value: Any) -> Any:
        if isinstance(value, (Proxy, ScalarProxy)):
            return value
        tensor = value if isinstance(value, Tensor) else as_tensor(value)
        if tensor is not None:
            return self.capture(tensor)
        number = as_number(value) if parameter.type == "Operand" else None
        if number is not None:
            return number
        raise refuse_operand(row, parameter, value)

    def _record(self, row: PrimitiveOp, bound: dict[str, Any]) -> Proxy:
        location = user_attribute()
        operands: list[SSAValue] = []
        specs: list[OperandSpec] = []
        attributes: dict[str, AttributeValue] = {}
        for parameter in row.schema.parameters:
            value = bound[parameter.name]
            if not parameter.is_operand:
                attributes[parameter.name] = value
                continue
            for item in _items(row, value) if parameter.is_list else (value,):
                operand, spec = self._operand(row, parameter, item, location)
                operands.append(operand)
                specs.append(spec)
        resolved = row.resolve(specs, attributes)
        op = op_class(row.name).make(operands, resolved, location)
        self.block.add_op(op)
        return Proxy(self, op.results[0], resolved.result)

    def _operand(
        self, row: OpSpec, parameter: Parameter, value: Any, location: LocationAttr | None
    ) -> tuple[SSAValue, OperandSpec]:
        if isinstance(value, Proxy):
            if value.trace is not self:
                raise TrilithRuntimeError(
                    "this tensor belongs to a function whose tracing has ended",
                    hint="return it from that function instead of storing it elsewhere",
                )
            return value.value, value.spec
        if isinstance(value, Tensor):
            proxy = self.capture(value)
            return proxy.value, proxy.spec
        if parameter.type == "Operand":
            if isinstance(value, ScalarProxy):
                return value.value, value.spec
            number = as_number(value)
            if number is not None:
                return self._constant(number, location), ScalarSpec.of(number)
        tensor = as_tensor(value)
        if tensor is None:
            raise refuse_operand(row, parameter, value)
        proxy = self.capture(tensor)
        return proxy.value, proxy.spec

    def _constant(self, number: complex, location: LocationAttr | None) -> SSAValue:
        if type(number) is int and number >= 2**64:
            raise TrilithOverflowError("int too big to convert")
        if type(number) is int and number < -(2**63):
            raise TrilithOverflowError("can't convert negative int to unsigned")
        key = (type(number), repr(number))
        found = self.constants.get(key)
        if found is None:
            op = ConstantOp.make(number, ScalarSpec.of(number), location)
            self.block.add_op(op)
            found = self.constants[key] = op.results[0]
        return found

    # ---- recording

    def record(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Run `function` with this trace active in the calling thread."""
        previous = ACTIVE.trace
        ACTIVE.trace = self
        try:
            return function(*arguments, **keywords)
        finally:
            ACTIVE.trace = previous


def _items(row: OpSpec, value: Any) -> Sequence[Any]:
    if isinstance(value, (list, tuple)):
        return value  # pyright: ignore[reportUnknownVariableType] - any sequence of operands
    raise TrilithTypeError(
        f"{row.name}(): argument 'tensors' (position 1) must be tuple of Tensors, "
        f"not {type(value).__name__}"
    )


def refuse_operand(row: OpSpec, parameter: Parameter, value: Any) -> TrilithTypeError:
    """Return PyTorch's error for an operand that is no tensor."""
    name = "NoneType" if value is None else type(value).__name__
    return TrilithTypeError(
        f"{row.name}(): argument '{parameter.name}' (position {parameter.position}) must be "
        f"Tensor, not {name}"
    )
