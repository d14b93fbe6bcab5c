"""How does an operation run before the operations are loaded? By a plan that lies on the disk.

A process before this one has written down what the rows are called and what their parameters are.
With that a call has the key that it would have, and the plan for it is read and run: no row is
loaded, nor xDSL, nor llvmlite. Whatever has no plan there is left to the operations, which are
loaded then, and nothing comes here any more.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, Literal, TypeAlias, cast

from ...dialects.attributes.dtype import int64
from ...dialects.attributes.settings import PROCESS
from ...dialects.attributes.symint import SymInt
from ...dialects.diagnostics import TrilithError, without_own_frames
from ...runtime.tensors import dispatch
from ...runtime.tensors.dispatch import LATER
from ...runtime.tensors.overlap import has_internal_overlap
from ...runtime.tensors.tensor import Tensor
from ..plan_table import PlanTable
from ..short_keys import ShortKey
from ..stored.environment import environment
from ..stored.known_rows import KnownRow, KnownRows, NotKnown, known_rows
from ..stored.noted_calls import NotedCalls
from ..trace.active import ACTIVE, is_interrupting, run_apart
from ..trace.tape import Ghost, GhostNumber
from .open_plans import OpenPlans
from .recipes import recipe_for, replay

#: How many kinds of calls are remembered before the operations are loaded.
LIMIT = 1024

#: No shortcut leads to what is found here.
_NO_KEY: ShortKey = (None, [], [])

#: How many calls run so, about 10 us each above what they take once the operations are loaded. A
#: program that makes so many waits for that.
MOST_CALLS = 20_000

#: What runs a row, or says LATER.
_Run: TypeAlias = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]
#: What becomes of the result.
_Goal: TypeAlias = Literal["value", "in place"]

#: What an element is assigned by here, and what: numbers that every dtype with a plan can hold are
#: told from others by who has made the plan.
_INDICES = frozenset((int, slice, type(None), type(Ellipsis)))
_NUMBERS = frozenset((bool, int, float))
_LARGE = 1 << 63

#: What an operator may be given besides its tensor.
_OPERANDS = frozenset((Tensor, Ghost, GhostNumber, SymInt, int, float))


class Early:
    """Runs rows that are known from the disk: what `dispatch` asks before it loads."""

    def __init__(self, rows: KnownRows) -> None:
        """Know some rows, and no plan yet."""
        self._rows = rows
        self._plans = OpenPlans(LIMIT, PlanTable(LIMIT))
        self._functions: dict[str, EarlyFunction] = {}
        #: What is noted of rows that draw, by the keys of calls.
        self._noted: dict[Any, NotedCalls | None] = {}
        self._calls = 0

    def operator(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """Apply an operator; LATER if only the operations can."""
        if name == "__setitem__":
            return self._assign(*arguments)
        if name == "__getitem__" and type(arguments[1]) is Tensor:
            return self._taken(*arguments)
        written = self._rows.in_place.get(name)
        if written is not None:
            kind = cast("Any", type(arguments[1]))
            return self.write(written, arguments, {}) if kind in _OPERANDS else LATER
        found = self._rows.operators.get(name)
        if found is None:
            return LATER
        row, is_swapped = found
        if len(arguments) == 2 and name != "__getitem__":
            # Anything else may be declined.
            kind = cast("Any", type(arguments[1]))
            if kind not in _OPERANDS:
                return LATER
            if is_swapped:
                arguments = (arguments[1], arguments[0])
        return self.run(row, arguments, {})

    def attribute(self, tensor: Any, name: str) -> Any:
        """Return a method or a property of a tensor; LATER if only the operations have it."""
        row = self._rows.methods.get(name)
        run = self.run
        if row is None:
            row = self._rows.in_place.get(name)
            run = self.write
        if row is not None:
            return MethodType(EarlyFunction(run, row, name, is_method=True), tensor)
        row = self._rows.properties.get(name)
        return LATER if row is None else self.run(row, (tensor,), {})

    def function(self, name: str) -> Any:
        """Return a function of trilith; LATER if only the operations have it."""
        row = self._rows.functions.get(name)
        if row is None:
            return LATER
        found = self._functions.get(name)
        if found is None:
            run = self._run_several if row in self._rows.several else self.run
            found = self._functions[name] = EarlyFunction(run, row, name)
        return found

    def _run_several(self, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a row whose function means another one if it is given one operand; or LATER."""
        return self.run(name, arguments, keywords) if len(arguments) > 1 else LATER

    def write(self, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a row and write its result into its first operand, which is returned; or LATER."""
        target = arguments[0]
        is_plain = type(target) is Tensor and target.state is None
        if ACTIVE.trace is not None or not is_plain or has_internal_overlap(target.spec):
            return LATER
        if self._run(name, arguments, keywords, "in place") is LATER:
            return LATER
        if not self._rows.row(name).is_drawing:  # of that each step counts
            target.bump()
        return target

    def _assign(self, target: Any, index: Any, value: Any) -> Any:
        """Write a number into a part of a tensor, and return None; or LATER."""
        items = cast("tuple[Any, ...]", index if type(index) is tuple else (index,))
        is_usual = type(target) is Tensor and all(type(item) in _INDICES for item in items)
        if not is_usual or type(value) not in _NUMBERS or not abs(value) < _LARGE:
            return LATER
        if ACTIVE.trace is not None:
            return LATER
        part = self._run("getitem", (target, cast("Any", index)), {}, "value")
        return LATER if part is LATER or self.write("fill", (part, value), {}) is LATER else None

    def _taken(self, whole: Any, index: Tensor) -> Any:
        """Return the rows of a tensor that a tensor of integers names, or LATER."""
        spec = index.spec
        is_usual = type(whole) is Tensor and whole.spec.rank and spec.rank
        if ACTIVE.trace is not None or not is_usual or spec.dtype is not int64:
            return LATER
        if spec.device is not whole.spec.device:
            return LATER
        return self._run("take_at", (whole, [index], (0,)), {}, "value")

    def run(self, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a row; LATER if there is no plan for it on the disk."""
        trace: Any = ACTIVE.trace
        if trace is not None:
            if is_interrupting(trace, arguments, keywords):
                return run_apart(self.run, name, arguments, keywords)
            row = self._rows.row(name)
            return LATER if row.is_drawing else trace.apply(row, arguments, keywords)
        return self._run(name, arguments, keywords, "value")

    def _run(
        self, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any], goal: _Goal
    ) -> Any:
        self._calls += 1
        if self._calls > MOST_CALLS:
            return LATER
        try:
            row = self._rows.row(name)
            if row.is_drawing:
                return self._replay(row, arguments, keywords, goal)
            settings = PROCESS.settings
            results = self._plans.run(row, arguments, keywords, settings, _NO_KEY, goal)
        except NotKnown:
            return LATER
        except TrilithError as error:
            raise without_own_frames(error) from None
        if results is None:
            return LATER
        return results[0] if goal == "value" else None

    def _replay(
        self, row: KnownRow, arguments: tuple[Any, ...], keywords: dict[str, Any], goal: _Goal
    ) -> Any:
        """Do what a row that draws has done in an earlier process, or LATER."""
        recipe, tensors = recipe_for(self._noted, row, arguments, keywords, goal)

        def call(name: str, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
            return self._run(name, given, named, "value")

        return replay(recipe, tensors, call, self.write)


class EarlyFunction:
    """A function of trilith, or a method, that was asked for before the operations were loaded.

    It is found here as long as they are not; who keeps it gets one frame more than who asks again.
    """

    def __init__(self, run: _Run, row: str, name: str, *, is_method: bool = False) -> None:
        """Stand for the function of a row, which `run` runs."""
        self._run = run
        self._row = row
        self._name = name
        self._is_method = is_method
        module, _, self.__name__ = name.rpartition(".")
        self.__qualname__ = self.__name__
        self.__module__ = f"trilith.{module}" if module else "trilith"

    def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
        """Run the row, by a plan from the disk or as it is run once the operations are loaded."""
        if dispatch.is_early() and not keywords.get("requires_grad"):
            result = self._run(self._row, arguments, keywords)
            if result is not LATER:
                return result
        return self._loaded(*arguments, **keywords)

    def __getattr__(self, name: str) -> Any:
        """Ask the function itself."""
        return getattr(self._loaded, name)

    @property
    def __doc__(self) -> str | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What the function itself says."""
        return self._loaded.__doc__

    @property
    def __signature__(self) -> Any:
        """What the function itself takes."""
        return self._loaded.__signature__

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Bind like a function."""
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        """Return what the function itself does."""
        return repr(self._loaded)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name, as a function does."""
        return _named, (self._name, self._is_method)

    @property
    def _loaded(self) -> Any:
        return _named(self._name, self._is_method)


def _named(name: str, is_method: bool) -> Any:
    """Load the operations and return a function, or a method, of them."""
    dispatch.load()
    return dispatch.installed(name) if is_method else dispatch.face_function(name)


def early() -> Early | None:
    """Return what runs rows before they are loaded; None if no process has written them down."""
    around = environment()
    rows = None if around is None else known_rows(around)
    return None if rows is None else Early(rows)
