"""What stands for a number that a traced function is given? Its kind, without its value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, cast

from xdsl.ir import SSAValue

from ...dialects.attributes.spec import ScalarSpec
from ...dialects.diagnostics import TrilithRuntimeError
from .active import ActiveTrace, is_recording
from .not_traceable import ValueNeeded, left_over
from .proxies import Proxy

#: What to do where there are no calls, whose values a plan could be made for.
GIVE_A_NUMBER = (
    "give a number instead: write it into the function, or bind it with functools.partial"
)
#: The types of Python's numbers by the kinds of a `ScalarSpec`.
_KINDS: dict[str, type] = {kind.__name__: kind for kind in (bool, int, float, complex)}


def _reflected(name: str) -> Callable[[ScalarProxy, Any], Any]:
    """Return an operator of a number that asks the tensor on its other side."""

    def operator(self: ScalarProxy, other: Any) -> Any:
        return getattr(other, name)(self) if isinstance(other, Proxy) else self.refuse()

    return operator


class ScalarProxy:
    """A Python number that was passed to a compiled function: its kind is known, not its value."""

    __slots__ = ("spec", "traced_by", "value")

    def __init__(self, trace: ActiveTrace, value: SSAValue, spec: ScalarSpec) -> None:
        """Stand for an argument of the IR function."""
        self.traced_by = trace
        self.value = value
        self.spec = spec

    @property
    def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride] - see below
        """What it stands for: `isinstance(n, int)` is then true, as outside of the trace.

        It cannot be an int: Python would read the value that an int holds, without asking.
        """
        return _KINDS[self.spec.kind]

    def __repr__(self) -> str:
        """Ask for a plan of the value, which is what the program writes; else say what it is."""
        if is_recording(self.traced_by):
            self.traced_by.need_number(self)
        return f"<{self.spec.kind} argument of {self.traced_by.name}(): its value is not known>"

    def __format__(self, specification: str) -> str:
        """Ask for the value, too; a format for numbers is refused without it."""
        return self.refuse() if specification else repr(self)

    def __array__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        """Ask for the value: NumPy computes with it."""
        self.refuse()

    def left_over(self) -> TrilithRuntimeError:
        """Return the error for a number that was stored while its function was traced."""
        name = self.traced_by.name
        return left_over("number", f"an argument of {name}() and has no value", name)

    def refuse(self, *arguments: Any) -> NoReturn:
        """Ask for a plan of the value alone; where there are no calls, say what to do instead."""
        if not is_recording(self.traced_by):
            raise self.left_over()
        self.traced_by.need_number(self)
        raise ValueNeeded(
            f"the value of this {self.spec.kind} argument is not known while the function is "
            "traced: it can be an operand of a tensor operation, nothing else",
            hint=GIVE_A_NUMBER,
        )

    def __getattr__(self, name: str) -> Any:
        """Refuse what a number has, such as `real` and `bit_length`: it needs the value."""
        if name.startswith("__") or not hasattr(_KINDS[self.spec.kind], name):
            message = f"'{self.spec.kind}' object has no attribute '{name}'"
            raise AttributeError(message, name=name, obj=self)
        self.refuse()

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __hash__ = refuse
    __neg__ = __pos__ = __abs__ = __invert__ = __divmod__ = __rdivmod__ = refuse
    __round__ = __trunc__ = __floor__ = __ceil__ = refuse

    __add__, __radd__ = _reflected("__radd__"), _reflected("__add__")
    __sub__, __rsub__ = _reflected("__rsub__"), _reflected("__sub__")
    __mul__, __rmul__ = _reflected("__rmul__"), _reflected("__mul__")
    __truediv__, __rtruediv__ = _reflected("__rtruediv__"), _reflected("__truediv__")
    __floordiv__, __rfloordiv__ = _reflected("__rfloordiv__"), _reflected("__floordiv__")
    __mod__, __rmod__ = _reflected("__rmod__"), _reflected("__mod__")
    __pow__, __rpow__ = _reflected("__rpow__"), _reflected("__pow__")
    __lshift__, __rlshift__ = _reflected("__rlshift__"), _reflected("__lshift__")
    __rshift__, __rrshift__ = _reflected("__rrshift__"), _reflected("__rshift__")
    __and__, __rand__ = _reflected("__rand__"), _reflected("__and__")
    __or__, __ror__ = _reflected("__ror__"), _reflected("__or__")
    __xor__, __rxor__ = _reflected("__rxor__"), _reflected("__xor__")
    __lt__, __gt__ = _reflected("__gt__"), _reflected("__lt__")
    __le__, __ge__ = _reflected("__ge__"), _reflected("__le__")
    __eq__, __ne__ = _reflected("__eq__"), _reflected("__ne__")


def place_of(number: ScalarProxy, scalars: Sequence[ScalarProxy]) -> int | None:
    """Return which one of a call's numbers it is; by identity, for it cannot be compared."""
    return next((place for place, item in enumerate(scalars) if item is number), None)


def numbers_in(value: Any) -> Iterator[ScalarProxy]:
    """Yield what stands for numbers in the arguments of a call."""
    if type(value) is ScalarProxy:
        yield value
    elif isinstance(value, (tuple, list)):
        for item in cast("Sequence[Any]", value):
            yield from numbers_in(item)
    elif isinstance(value, dict):
        yield from numbers_in(list(cast("dict[Any, Any]", value).values()))
    elif isinstance(value, slice):
        bounds = cast("slice[Any, Any, Any]", value)
        yield from numbers_in((bounds.start, bounds.stop, bounds.step))


def ask_for_numbers(*given: Any) -> None:
    """Ask for a plan of the value of the first number among what an operation has refused."""
    for number in numbers_in(given):
        if is_recording(number.traced_by):
            number.traced_by.need_number(number)


#: Python names the class of an operand in some of its own errors, as those of "%d" and range().
ScalarProxy.__name__ = ScalarProxy.__qualname__ = "Number"
