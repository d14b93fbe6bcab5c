"""What stands for the tensors of a traced function? Tensors without elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Any, NoReturn, Self

from xdsl.ir import BlockArgument, SSAValue

from ...dialects.attributes.device import HOST
from ...dialects.attributes.fixed import write
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithError, TrilithRuntimeError, TrilithTypeError
from ...dialects.ops.table import rows_of_ufuncs
from ...runtime.gradients.views import become_view
from ...runtime.tensors.construction import new_tensor
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.missing import missing_member
from ...runtime.tensors.tensor import Tensor
from .active import is_recording
from .buffers import CONJ, Buffer, Path, Recorder, Window
from .not_traceable import IndexNeeded, NotTraceable, OffsetNeeded, ValueNeeded, left_over

#: The rows of the operators that NumPy calls when its array stands on the left of a tensor.

#: What a tensor offers that changes or shows its memory, and what it is called in a message.
OF_MEMORY = {
    "resize_": "resize",
    "resize_as_": "resize",
    "set_": "replace the storage of",
    "data_ptr": "take the address of",
    "address": "take the address of",
    "untyped_storage": "look into the storage of",
    "storage": "look into the storage of",
    "unsafeGetTensorImpl": "look into the storage of",
    "own_state": "look into the storage of",
    "is_set_to": "compare the storage of",
    "is_inference": "ask about the storage of",
    "is_shared": "ask about the storage of",
    "is_pinned": "ask about the storage of",
    "check_writable": "ask about the storage of",
    "share_memory_": "move the storage of",
    "item": "read the value of",
    "is_nonzero": "read the value of",
    "tolist": "read the values of",
    "apply_": "read the values of",
    "numpy": "read the values of",
    "to_sparse": "read the values of",
    "to_sparse_coo": "read the values of",
    "__dlpack__": "hand out the memory of",
    "__reduce_ex__": "pickle",
    "__deepcopy__": "copy the storage of",
}
#: The fields of a tensor that a proxy leaves empty: whatever reads them needs memory.
_FIELDS = frozenset({"memory", "offset", "byte_offset"})

#: The version of a memory that a view has seen which nobody has read.
UNREAD = -1


class _Fields(TensorFields):
    """A proxy that is being made: anybody may set its fields."""

    __slots__ = ("_seen", "_value", "buffer", "path", "traced_by")
    traced_by: Recorder
    #: The memory that this tensor looks at, once somebody else looks at it or it is written.
    buffer: Buffer | None
    path: Path
    _value: SSAValue
    _seen: int


class Proxy(_Fields, Tensor):
    """A tensor inside a traced function: shape, dtype, device and strides, but no elements.

    It is a `Tensor`, so that programs which ask for the type of their arguments go the same way
    while they are traced; the operations of the table are recorded. What it looks at may be written
    to: its `value` is always the one after all writes so far.
    """

    __slots__ = ()
    is_concrete = False

    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        """Do what `tri.Tensor` does: this is the class that a traced program is told."""
        made: Any = Tensor(*arguments, **keywords)
        return made

    @classmethod
    def of(cls, trace: Recorder, value: SSAValue, spec: TensorSpec) -> Self:
        """Stand for the value of an IR operation."""
        made: Any = object.__new__(_Fields)
        made.traced_by = trace
        made.spec = spec
        made.state = None
        made._value = value
        made._seen = 0
        made.buffer = None
        made.path = ()
        made.__class__ = cls
        return made

    # ---- memory

    @property
    def value(self) -> SSAValue:
        """The value of the elements after all that has been written."""
        buffer = self.buffer
        if buffer is not None and buffer.follows is not None:
            buffer.check_followed()
        if buffer is not None and buffer.version != self._seen:
            self._value = buffer.read(self.path, self.spec, self.traced_by)
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
        self.traced_by.forget_words()
        if any(self is argument for argument in self.traced_by.arguments):
            raise NotTraceable(
                "the sizes and strides of an argument cannot be changed in a traced function"
            )
        write(self, "spec", other.spec)
        self._value = other.value
        self.look_at(other.shared_buffer(), other.path)

    def storage_offset(self) -> int:
        """Return where the first element lies in the storage, in elements."""
        buffer = self.shared_buffer()
        first = Window.of(buffer.spec, self.path).view.offset
        if not isinstance(buffer.origin, BlockArgument):
            return first
        offset = self.traced_by.offset_of(buffer.origin)
        if offset is None:
            raise OffsetNeeded("where an argument lies in its storage is not known while tracing")
        return first + offset * buffer.spec.dtype.itemsize // self.spec.dtype.itemsize

    def detach(self) -> Self:
        """Return a view of the tensor, of which nothing is recorded for gradients."""
        return self.without_gradient()._recorded("alias")

    def without_gradient(self) -> Self:
        """Return what stands for the same elements, of which gradients know nothing."""
        buffer = self.shared_buffer()
        made = self.of(self.traced_by, self._value, self.spec)
        made.look_at(buffer, self.path)
        write(made, "_seen", self._seen)
        return made

    @property
    def _is_uncounted(self) -> bool:
        return False

    def count_of_versions(self) -> int:
        """Return how often the memory was written while it was traced."""
        return 0 if self.buffer is None else self.buffer.version

    def version_counter(self) -> object:
        """Return what counts versions: the memory."""
        return self.shared_buffer()

    def alias(self) -> Self:
        """Return another tensor of the same elements."""
        return self.detach()

    @property
    def data(self) -> Self:
        """The tensor's elements, as a view."""
        return self.detach()

    @data.setter
    def data(self, value: Any) -> NoReturn:
        raise self._without_memory("replace the storage of", "data")

    new_tensor = new_tensor

    def __copy__(self) -> Self:
        """Return another tensor on the same memory."""
        return self.detach()

    def _become(self, name: str, see: Callable[[], Any]) -> Self:
        if not self._is_inside:
            raise self.left_over()
        if self.state is None:
            self.become(see())
        else:
            become_view(self, name, see, self.become)
        return self

    def _recorded(self, name: str, *arguments: Any) -> Any:
        """Record a row on the tensor, if its function is being traced."""
        if not self._is_inside:
            raise self.left_over()
        return self.traced_by.call(name, self, *arguments)

    def __setattr__(self, name: str, value: object) -> None:
        """Assign to a property; what else a program keeps on a tensor is kept at each call."""
        try:
            super().__setattr__(name, value)
        except AttributeError:
            if hasattr(type(self), name) or not self._is_inside:
                raise
            raise NotTraceable(
                f"a traced function keeps '{name}' on a tensor",
                hint="do it outside of the function",
            ) from None

    # ---- what needs values

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the first dim; the number of steps is known while tracing."""
        if not self.spec.shape:
            raise TrilithTypeError("iteration over a 0-d tensor")
        return iter([self._recorded("select", 0, index) for index in range(self.spec.shape[0])])

    def __bool__(self) -> NoReturn:
        """Refuse: control flow needs values."""
        self._refuse_value("a condition (if, while, and, or, not)", _CONDITION)

    def __int__(self) -> NoReturn:
        """Refuse: there is no value yet."""
        self._refuse_value("an int", _INTEGER)

    def __index__(self) -> NoReturn:
        """Refuse: there is no value yet, and of some tensors there is never an integer."""
        dtype = self.spec.dtype
        if self.spec.numel != 1 or dtype.is_floating_point or dtype.is_complex:
            raise TrilithTypeError(
                "only integer tensors of a single element can be converted to an index",
                hint=_INTEGER,
            )
        self._refuse_value("an int", _INTEGER, IndexNeeded)

    def __float__(self) -> NoReturn:
        """Refuse: there is no value yet."""
        self._refuse_value("a float", _NUMBER.format("float64"))

    def __complex__(self) -> NoReturn:
        """Refuse: there is no value yet."""
        self._refuse_value("a complex number", _NUMBER.format("complex128"))

    def __round__(self, digits: int | None = None) -> NoReturn:
        """Refuse: there is no value yet."""
        self._refuse_value("a rounded number", _ROUNDED.format("round(decimals=...)"))

    def __floor__(self) -> NoReturn:
        """Refuse: there is no value yet."""
        self._refuse_value("an int", _ROUNDED.format("floor()"))

    def __ceil__(self) -> NoReturn:
        """Refuse: there is no value yet."""
        self._refuse_value("an int", _ROUNDED.format("ceil()"))

    def __trunc__(self) -> NoReturn:
        """Refuse: there is no value yet."""
        self._refuse_value("an int", _ROUNDED.format("trunc()"))

    def __format__(self, specification: str) -> str:
        """Refuse a format for numbers; without one, say what it is."""
        if specification:
            self._refuse_value(
                f"text in the format '{specification}'",
                "return the tensor and print it outside; f'{x}' shows its shape and dtype here",
            )
        return repr(self)

    def __repr__(self) -> str:
        """Say what it is, wherever it is printed."""
        spec = self.spec
        what = f"tensor of shape {list(spec.shape)}, {spec.dtype}"
        where = "" if spec.device.type == HOST else f", device='{spec.device}'"
        if self._is_inside:
            return f"<{what}{where}, while {self.traced_by.name}() is traced: it has no elements>"
        return (
            f"<{what}{where}, left over from the tracing of {self.traced_by.name}(): no elements>"
        )

    def _repr_html_(self) -> str:
        """Say the same in a notebook."""
        return f"<code>{escape(repr(self))}</code>"

    def __getattr__(self, name: str) -> Any:
        """Refuse what needs the memory; `compile` runs such a function operation by operation."""
        if name in _FIELDS:
            raise self._without_memory("look into the memory of")
        raise missing_member(name, "'Tensor' object")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        """Record NumPy's operators (array + tensor); other functions of NumPy need elements."""
        row = rows_of_ufuncs().get(ufunc.__name__)
        if row is None or method != "__call__" or keywords:
            return self.__array__()
        if not self._is_inside:
            raise self.left_over()
        return self.traced_by.call(row.name, *inputs)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        """Refuse: there are no elements yet."""
        self._refuse_value("a NumPy array", "use the function of trilith instead of NumPy's")

    # ---- used where it has no meaning

    @property
    def _is_inside(self) -> bool:
        """Whether the function that the tensor belongs to is being traced in this thread."""
        return is_recording(self.traced_by)

    def check_concrete(self) -> NoReturn:
        """Refuse: there are no elements, now or later."""
        raise self._without_memory("read the elements of")

    def left_over(self) -> TrilithRuntimeError:
        """Return the error for a tensor that was stored while its function was traced."""
        name = self.traced_by.name
        return left_over("tensor", f"a tensor of {name}() and has no elements", name)

    def _without_memory(self, what: str, name: str = "") -> TrilithError:
        if not self._is_inside:
            return self.left_over()
        called = f" ({name})" if name else ""
        return NotTraceable(
            f"a tensor has no memory while its function is traced: cannot {what} it{called}",
            hint="do it outside of the function",
        )

    def _refuse_value(
        self, what: str, hint: str, kind: type[ValueNeeded] = ValueNeeded
    ) -> NoReturn:
        if not self._is_inside:
            raise self.left_over()
        raise kind(
            f"a tensor has no value while its function is traced: it cannot be used as {what}",
            hint=hint,
        )


#: What helps in the place of a value.
_CONDITION = (
    "tri.where(condition, a, b) chooses by element; how often a loop runs is computed outside and\n"
    "        passed as a number; or leave this function uncompiled"
)
_INTEGER = (
    "keep it a tensor (.to(tri.int64)); a number for range() or a shape is computed outside and\n"
    "        passed as a number; or leave this function uncompiled"
)
_ROUNDED = "keep it a tensor, with its method {}; or leave this function uncompiled"
_NUMBER = "keep it a tensor, or convert with .to(tri.{}); or leave this function uncompiled"


def _refusing(name: str, what: str) -> Callable[..., NoReturn]:
    """Return a method that needs the memory."""

    def refuse(self: Proxy, *arguments: Any, **keywords: Any) -> NoReturn:
        raise self._without_memory(what, name)  # pyright: ignore[reportPrivateUsage] - a method

    refuse.__name__ = name
    return refuse


#: Python names the class of an operand in some of its own errors, as those of "%d" and sorted().
Proxy.__name__ = Proxy.__qualname__ = "Tensor"

for _name, _what in OF_MEMORY.items():
    setattr(Proxy, _name, _refusing(_name, _what))
