"""What does a function do, found out without the rows and without IR? It runs on a tape.

Stand-ins without shapes record which rows the function calls, with which operands and static
values. The text of that (`tape_text`), with what the arguments are, is the key of a whole plan on
the disk. A function that asks for more than the tape knows (the shape of a result, an element, a
write) leaves it: then it is traced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, NoReturn, Self, cast

from ...dialects.attributes.opened_specs import opened
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ...runtime.tensors import dispatch
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.missing import missing_member
from ...runtime.tensors.tensor import Tensor
from . import constants
from .active import is_recording, recording
from .functions import code_of, symbol_of
from .not_traceable import left_over
from .tape_text import TapeText

#: Tensors that are made while a tape records are told to it.
assert constants

#: Of how many parts there are stand-ins.
MOST_PARTS = 4096

#: What a row returns if it returns one tensor.
ONE_TENSOR = "Tensor"


class TapeLeft(BaseException):
    """The function does what a tape cannot record. No `except Exception` of its own catches it."""


class Tape:
    """A function that is being recorded: what the thread's operations see in place of a trace."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Record nothing yet."""
        self.name = symbol_of(function)
        self.code: CodeType | None = code_of(function)
        self.collection: object = None
        self.is_disturbed = False
        self.refusal: TrilithTypeError | None = None
        self.words = TapeText()
        #: The sizes of its arguments, and what it has asked of them.
        self.env = ShapeEnv()
        #: Whether it did what cannot be recorded, though it may have caught that.
        self.is_left = False

    def tensor_argument(self, spec: TensorSpec) -> Ghost:
        """Return what stands for an argument that is a tensor."""
        ghost = Ghost.of(self, opened(spec, self.env))
        self.words.add_stand_in(ghost)
        return ghost

    def scalar_argument(self, spec: ScalarSpec) -> GhostNumber:
        """Return what stands for an argument that is a number."""
        ghost = GhostNumber(self, spec)
        self.words.add_stand_in(ghost)
        return ghost

    def apply(self, row: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Record a call of a row.

        One that cuts may give fewer parts than it was asked for. The text says how many there are
        here, and a trace that has found others has left its plan under another text.
        """
        result: Ghost | tuple[Ghost, ...]
        if row.returns == ONE_TENSOR:
            result = Ghost.of(self, None)
        else:
            count = _count_of_parts(row, arguments, keywords)
            if count is None:
                self.leave()
            result = tuple([Ghost.of(self, None) for _ in range(count)])
        if not self.words.tells(row.name, arguments, keywords, result):
            self.leave()
        return result

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Record a call of the row called `name`, if it is one that returns a tensor."""
        if name != "getitem":
            self.leave()
        return self.apply(_GETITEM, arguments, keywords)

    def as_proxy(self, value: Any) -> Any:
        """Return what stands for a tensor: itself."""
        return value

    def leave(self) -> NoReturn:
        """Stop: this cannot be recorded."""
        self.is_left = True
        raise TapeLeft

    def __getattr__(self, name: str) -> NoReturn:
        """Leave: a trace could do that."""
        if name.startswith("__"):
            raise AttributeError(name)
        self.leave()

    def record(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Run `function` with this tape active in the calling thread."""
        with recording(self):
            return function(*arguments, **keywords)

    #: Below this frame nothing belongs to the tape.
    END = record.__code__


def _count_of_parts(row: Any, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> int | None:
    """Return how many parts a row is asked for; None if the call does not say so."""
    value = keywords.get(row.parts)
    for parameter, argument in zip(row.schema.positional, arguments, strict=False):
        if row.parts and parameter.name == row.parts:
            value = argument
    if isinstance(value, (list, tuple)):
        return len(cast("Sequence[Any]", value))
    return value if type(value) is int and 0 < value <= MOST_PARTS else None


class _GetItem:
    """What a tape must know of the row that brackets call."""

    name = "getitem"
    returns = ONE_TENSOR
    parts = ""


_GETITEM = _GetItem()


class _Fields(TensorFields):
    """A ghost that is being made: anybody may set its fields."""

    __slots__ = ("argument", "traced_by")
    traced_by: Tape
    #: What an argument is; None for results, of which nobody knows.
    argument: TensorSpec | None


class Ghost(_Fields, Tensor):
    """A tensor on a tape. It has no fields: whoever asks for one leaves the tape."""

    __slots__ = ()

    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        """Do what `tri.Tensor` does: this is the class that a recorded program is told."""
        made: Any = Tensor(*arguments, **keywords)
        return made

    @classmethod
    def of(cls, tape: Tape, spec: TensorSpec | None) -> Ghost:
        """Stand for an argument, or for a result."""
        made: Any = object.__new__(_Fields)
        made.traced_by = tape
        made.argument = spec
        made.__class__ = cls
        return made

    def __getattr__(self, name: str) -> Any:
        """Say what an argument is; return the methods that the rows give tensors."""
        tape = self.traced_by
        if not is_recording(cast("Any", tape)):
            raise self.left_over()
        if name == "spec" and self.argument is not None:
            return self.argument
        if name.startswith("_"):
            raise missing_member(name, "'Tensor' object")
        if name in TensorFields.__slots__:
            tape.leave()
        found = dispatch.early_attribute(self, name)
        if found is dispatch.LATER:
            tape.leave()
        return found

    def check_concrete(self) -> NoReturn:
        """Leave: there are no elements."""
        self._leave()

    def __array_ufunc__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        """Leave: which row a function of NumPy means is not known here."""
        self._leave()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        """Leave: there are no elements."""
        self._leave()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        """Leave: there is nothing to pickle."""
        self._leave()

    def __bool__(self) -> NoReturn:
        """Leave: there are no elements."""
        self._leave()

    def __repr__(self) -> str:
        """Say what it is when its function is no longer recorded; before that, leave."""
        if is_recording(cast("Any", self.traced_by)):
            self.traced_by.leave()
        return f"<tensor, left over from the tracing of {self.traced_by.name}(): no elements>"

    __str__ = _repr_html_ = __repr__

    def _leave(self) -> NoReturn:
        if not is_recording(cast("Any", self.traced_by)):
            raise self.left_over()
        self.traced_by.leave()

    def left_over(self) -> TrilithRuntimeError:
        """Return the error for a tensor that was stored while its function was recorded."""
        name = self.traced_by.name
        return left_over("tensor", f"a tensor of {name}() and has no elements", name)


#: Python names the class of an operand in some of its own errors.
Ghost.__name__ = Ghost.__qualname__ = "Tensor"

#: The types of Python's numbers by the kinds of a `ScalarSpec`.
_KINDS: dict[str, type] = {kind.__name__: kind for kind in (bool, int, float, complex)}


class GhostNumber:
    """A number that was passed to a function on a tape: an operand, and nothing else."""

    __slots__ = ("__weakref__", "spec", "traced_by")

    def __init__(self, tape: Tape, spec: ScalarSpec) -> None:
        """Stand for an argument."""
        self.traced_by = tape
        self.spec = spec

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride] - as proxies
        """What it stands for."""
        return _KINDS[self.spec.kind]

    def left_over(self) -> TrilithRuntimeError:
        """Return the error for a number that was stored while its function was recorded."""
        name = self.traced_by.name
        return left_over("number", f"an argument of {name}() and has no value", name)

    def leave(self, *arguments: Any) -> NoReturn:
        """Leave: the value is not known."""
        if not is_recording(cast("Any", self.traced_by)):
            raise self.left_over()
        self.traced_by.leave()

    def __getattr__(self, name: str) -> NoReturn:
        """Leave: the value is not known."""
        if name.startswith("__"):
            raise AttributeError(name)
        self.leave()

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __hash__ = leave
    __neg__ = __pos__ = __abs__ = __invert__ = __divmod__ = __rdivmod__ = leave
    __round__ = __trunc__ = __floor__ = __ceil__ = leave

    def __repr__(self) -> str:
        """Say what it is when its function is no longer recorded; before that, leave."""
        if is_recording(cast("Any", self.traced_by)):
            self.leave()
        return f"<{self.spec.kind} argument of {self.traced_by.name}(): its value is not known>"

    def __format__(self, specification: str) -> str:
        """Leave where a value is asked for."""
        return self.leave() if specification else repr(self)


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    """Return an operator of a number that asks the tensor on its other side."""

    def operator(self: GhostNumber, other: Any) -> Any:
        return getattr(other, name)(self) if isinstance(other, Tensor) else self.leave()

    return operator


_WORDS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift")
for _word in (*_WORDS, "and", "or", "xor"):
    setattr(GhostNumber, f"__{_word}__", _reflected(f"__r{_word}__"))
    setattr(GhostNumber, f"__r{_word}__", _reflected(f"__{_word}__"))
for _word, _other in (("lt", "gt"), ("le", "ge"), ("eq", "eq"), ("ne", "ne")):
    setattr(GhostNumber, f"__{_word}__", _reflected(f"__{_other}__"))
    setattr(GhostNumber, f"__{_other}__", _reflected(f"__{_word}__"))
