"""What stands for the tensors and numbers of a traced function? Descriptions without elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

from xdsl.ir import BlockArgument, SSAValue

from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.diagnostics import TrilithTypeError
from ...runtime.construction import new_tensor
from ...runtime.described import Described
from ...runtime.tensor import Tensor
from .buffers import CONJ, Buffer, Path, Window
from .not_traceable import NotTraceable, OffsetNeeded, ValueNeeded

if TYPE_CHECKING:
    from .tracer import Trace

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

#: What a tensor offers that changes or shows its memory, and what it is called in a message.
OF_MEMORY = {
    "resize_": "resize",
    "resize_as_": "resize",
    "set_": "replace the storage of",
    "data_ptr": "take the address of",
    "untyped_storage": "look into the storage of",
    "storage": "look into the storage of",
    "is_set_to": "compare the storage of",
    "item": "read the value of",
    "tolist": "read the values of",
    "numpy": "read the values of",
    "__dlpack__": "hand out the memory of",
}


#: The version of a memory that a view has seen which nobody has read.
UNREAD = -1


class Proxy(Described):
    """A tensor inside a traced function: shape, dtype, device and strides, but no elements.

    The operations of the table are its methods and operators. What it looks at may be written to:
    its `value` is always the one after all writes so far.
    """

    __slots__ = ("_seen", "_value", "buffer", "path", "spec", "trace")
    __hash__ = object.__hash__
    #: NumPy leaves `array += tensor` to the tensor.
    __array_priority__ = 1000

    def __init__(self, trace: Trace, value: SSAValue, spec: TensorSpec) -> None:
        """Stand for the value of an IR operation."""
        self.trace = trace
        self.spec = spec
        self._value = value
        self._seen = 0
        #: The memory that this tensor looks at, once somebody else looks at it or it is written.
        self.buffer: Buffer | None = None
        self.path: Path = ()

    # ---- memory

    @property
    def value(self) -> SSAValue:
        """The value of the elements after all that has been written."""
        buffer = self.buffer
        if buffer is not None and buffer.follows is not None:
            buffer.check_followed()
        if buffer is not None and buffer.version != self._seen:
            self._value = buffer.read(self.path, self.spec, self.trace)
            self._seen = buffer.version
        return self._value

    def shared_buffer(self) -> Buffer:
        """Return the memory that this tensor and its views share."""
        if self.buffer is None:
            spec = self.spec
            self.buffer = Buffer(self._value, spec.conjugated(False))
            if spec.is_conj:
                # An argument: the buffer knows what lies in the memory.
                self.path = CONJ
        return self.buffer

    def look_at(self, buffer: Buffer, path: Path, *, is_read: bool = True) -> None:
        """Become a view of a memory; if it is not read yet, its value is found when it is."""
        buffer.is_viewed = True
        self.buffer, self.path = buffer, path
        self._seen = buffer.version if is_read else UNREAD

    def become(self, other: Proxy) -> None:
        """Take the place of another tensor, as `transpose_` does; an argument cannot."""
        if any(self is argument for argument in self.trace.arguments):
            raise NotTraceable(
                "the sizes and strides of an argument cannot be changed in a traced function"
            )
        self.spec, self._value = other.spec, other.value
        self.look_at(other.shared_buffer(), other.path)

    def storage_offset(self) -> int:
        """Return where the first element lies in the storage, in elements."""
        buffer = self.shared_buffer()
        first = Window.of(buffer.spec, self.path).view.offset
        if not isinstance(buffer.origin, BlockArgument):
            return first
        offset = self.trace.offset_of(buffer.origin)
        if offset is None:
            raise OffsetNeeded("where an argument lies in its storage is not known while tracing")
        return first + offset * buffer.spec.dtype.itemsize // self.spec.dtype.itemsize

    def detach(self) -> Proxy:
        """Return a view of the tensor; there are no gradients to leave behind."""
        return self.trace.call("alias", self)

    @property
    def data(self) -> Proxy:
        """The tensor's elements, as a view."""
        return self.detach()

    new_tensor = new_tensor

    def __copy__(self) -> Proxy:
        """Return another tensor on the same memory."""
        return self.detach()

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        """Refuse: a copy has a copy of the whole storage."""
        raise _needs_memory("copy the storage of", "deepcopy")

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        """Refuse: there are no elements to pickle."""
        raise _needs_memory("read the values of", "pickle")

    def transpose_(self, dim0: int, dim1: int) -> Proxy:
        """Exchange two dims of the tensor itself."""
        return self._become("transpose", dim0, dim1)

    swapaxes_ = swapdims_ = transpose_

    def t_(self) -> Proxy:
        """Transpose the matrix itself."""
        return self._become("t")

    def squeeze_(self, *dim: Any) -> Proxy:
        """Drop dims of size 1 of the tensor itself."""
        return self._become("squeeze", *dim)

    def unsqueeze_(self, dim: int) -> Proxy:
        """Insert a dim of size 1 into the tensor itself."""
        return self._become("unsqueeze", dim)

    def as_strided_(self, size: Any, stride: Any, storage_offset: int | None = None) -> Proxy:
        """Give the tensor itself other sizes, strides and offset."""
        return self._become("as_strided", size, stride, storage_offset)

    def _become(self, name: str, *arguments: Any) -> Proxy:
        self.become(self.trace.call(name, self, *arguments))
        return self

    # ---- what needs values

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

    def __getattr__(self, name: str) -> Any:
        """Refuse what needs the memory; `compile` runs such a function operation by operation."""
        what = OF_MEMORY.get(name)
        if what is None and (name.startswith("__") or not hasattr(Tensor, name)):
            raise AttributeError(f"'Tensor' object has no attribute '{name}'", name=name, obj=self)
        if not callable(getattr(Tensor, name)):
            raise _needs_memory("look into the memory of", name)

        def refuse(*arguments: Any, **keywords: Any) -> NoReturn:
            raise _needs_memory(what or "look into the memory of", name)

        return refuse

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        """Record NumPy's operators (array + tensor); other functions of NumPy need elements."""
        row = NUMPY_OPERATORS.get(ufunc.__name__)
        if row is None or method != "__call__" or keywords:
            _refuse_value("a NumPy array", "use the function of trilith instead of NumPy's")
        return self.trace.call(row, *inputs)

    def __array__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        """Refuse: there are no elements yet."""
        _refuse_value("a NumPy array", "use the function of trilith instead of NumPy's")


def _needs_memory(what: str, name: str) -> NotTraceable:
    return NotTraceable(
        f"a tensor has no memory while its function is traced: cannot {what} it ({name})",
        hint="do it outside of the function",
    )


def _refuse_value(what: str, hint: str) -> NoReturn:
    raise ValueNeeded(
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
        raise ValueNeeded(
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
