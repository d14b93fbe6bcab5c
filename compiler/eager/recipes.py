"""What did a row that draws do? Its steps, so that a later process takes them without the row.

A `DrawingOp` runs step by step: it makes memory, takes a key and a counter from a generator, and
lets another row write numbers into that memory. For given operands, sizes and options the steps
are the same each time; who has loaded the row notes them (`Noting`), and who has not replays them.
A row that looks at elements, or does anything else than call rows, has no recipe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType, by_name
from ...dialects.attributes.settings import PROCESS
from ...dialects.frames import warnings_given
from ...runtime.tensors.dispatch import LATER
from ...runtime.tensors.generators import default_generator
from ...runtime.tensors.tensor import Tensor
from ..stored.calls import Call, divided
from ..stored.environment import environment
from ..stored.key_texts import text_of_call
from ..stored.known_rows import KnownRow, NotKnown
from ..stored.noted_calls import UNKNOWN, NotedCalls
from ..stored.plans import stored_plans

if TYPE_CHECKING:
    from ...dialects.ops.frame.row import OpSpec

#: Runs a row, or says LATER: (name, arguments, keywords).
Run = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]

#: Texts and numbers that stand for themselves.
_PLAIN = (bool, int, float, str, type(None))
#: What a step does; what an argument is where it does not stand for itself.
_CALL, _WRITE, _DRAW = "call", "write", "draw"
_TENSOR, _KEY, _COUNTER, _TUPLE, _LIST = "tensor", "key", "counter", "tuple", "list"
_DTYPE, _DEVICE = "dtype", "device"


#: Calls of one row that are looked at.
MOST_CALLS = 32

_counts: Counter[str] = Counter()


def run_and_note(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    goal: str,
    t: Any,
    run: Callable[[Any, tuple[Any, ...], dict[str, Any], Any], Any],
) -> Any:
    """Run a row that draws in a language of concrete tensors; note what it did if that is new."""
    call = _call_to_note(row, arguments, keywords, goal)
    notes = None if call is None else _notes_of(call)
    if call is None or notes is None or notes.find(call[2], call[3]) is not UNKNOWN:
        return run(row, arguments, keywords, t)
    noting, warnings = Noting(t, call[1]), warnings_given()
    result = run(row, arguments, keywords, noting)
    recipe = noting.recipe(result)
    if recipe is not None and result is not False and warnings_given() == warnings:
        notes.add(call[2], call[3], recipe)
    return result


def recipe_for(
    known: dict[Any, NotedCalls | None],
    row: KnownRow,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    goal: str,
) -> tuple[Any, Sequence[Tensor]]:
    """Return what an earlier process has noted of a call, and its tensors; NotKnown if nothing.

    What was read of other calls is `known`, by their keys.
    """
    call = divided(row, arguments, keywords, [row, goal, PROCESS.settings])
    if call is None:
        raise NotKnown
    if call[0] not in known:
        known[call[0]] = _notes_of(call)
    notes = known[call[0]]
    found = UNKNOWN if notes is None else notes.find(call[2], call[3])
    if found is UNKNOWN:
        raise NotKnown
    return found, call[1]


def _call_to_note(
    row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], goal: str
) -> Call | None:
    """Return a call in its parts, if it is one of the first ones and there is a place for notes."""
    if _counts[row.name] >= MOST_CALLS or environment() is None:
        return None
    _counts[row.name] += 1
    return divided(row, arguments, keywords, [row, goal, PROCESS.settings])


def _notes_of(call: Call) -> NotedCalls | None:
    stored = stored_plans(text_of_call(call[0], call[1]))
    return None if stored is None else NotedCalls(stored)


class Noting:
    """The language in which a row runs while its steps are noted; None if they cannot be."""

    has_memory = True

    def __init__(self, t: Any, tensors: Sequence[Tensor]) -> None:
        """Run in a language of concrete tensors; `tensors` are the operands."""
        self._t = t
        self._values: list[Any] = [*tensors]
        self._drawn: tuple[int, int] | None = None
        self.steps: list[Any] | None = []

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Run a row."""
        result = self._t.call(name, *arguments, **keywords)
        self._note(_CALL, name, arguments, keywords)
        self._values += _parts(result)
        return result

    def write(self, name: str, target: Tensor, *arguments: Any, **keywords: Any) -> None:
        """Run a row and write its result into its first operand."""
        self._t.write(name, target, *arguments, **keywords)
        self._note(_WRITE, name, (target, *arguments), keywords)

    def draw(self, generator: Any, count: int, device: Any) -> tuple[int, int]:
        """Take blocks of a generator; those of the next step are for what it takes."""
        self._drawn = drawn = self._t.draw(generator, count, device)
        if generator is not None or self.steps is None:
            self.steps = None
        else:
            self.steps.append([_DRAW, count])
        return drawn

    def __getattr__(self, name: str) -> Any:
        """Ask the language; what looks at elements has no recipe."""
        if name != "spec":
            self.steps = None
        return getattr(self._t, name)

    def _note(
        self, what: str, name: str, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> None:
        if self.steps is None:
            return
        drawn, self._drawn = self._drawn, None
        place = _place_of(drawn, arguments)
        if drawn is not None and place < 0:
            self.steps = None
            return
        try:
            given = [self._word(argument) for argument in arguments]
            named = {word: self._word(value) for word, value in keywords.items()}
        except TypeError:
            self.steps = None
            return
        if drawn is not None:
            given[place : place + 2] = [[_KEY], [_COUNTER]]
        self.steps.append([what, name, given, named])

    def recipe(self, result: Any) -> list[Any] | None:
        """Return the steps and what stands for the result; None if there are no words for them."""
        try:
            return None if self.steps is None else [self.steps, self._word(result)]
        except TypeError:
            return None

    def _word(self, value: Any) -> Any:
        """Return what stands for an argument; TypeError if nothing does."""
        kind = cast("Any", type(value))
        if kind in _PLAIN:
            return value
        if kind is DType or kind is Device:
            return [_DTYPE, value.name] if kind is DType else [_DEVICE, str(value)]
        if kind is list or isinstance(value, tuple):
            items = cast("Iterable[Any]", value)
            return [_LIST if kind is list else _TUPLE, *map(self._word, items)]
        for index, known in enumerate(self._values):
            if known is value and kind is Tensor:
                return [_TENSOR, index]
        raise TypeError(value)


def _parts(result: Any) -> tuple[Any, ...]:
    """Return what later steps may be given of a result."""
    return cast("tuple[Any, ...]", result) if isinstance(result, tuple) else (result,)


def _place_of(drawn: tuple[int, int] | None, arguments: Sequence[Any]) -> int:
    """Return where key and counter stand among arguments: beside one another, behind a tensor."""
    for place in range(1, len(arguments) - 1):
        if drawn is not None and arguments[place] is drawn[0] and arguments[place + 1] is drawn[1]:
            return place
    return -1


def replay(recipe: Any, tensors: Sequence[Tensor], call: Run, write: Run) -> Any:
    """Take the steps of a recipe; LATER, with nothing taken from a generator, if one has no plan.

    Raises NotKnown for what is no recipe.
    """
    drawn: list[tuple[tuple[int, int], int]] = []
    values: list[Any] = [*tensors]
    try:
        steps, result = recipe
        for step in steps:
            if step[0] == _DRAW:
                count = step[1]
                drawn.append((default_generator.take(count), count))
                continue
            what, name, given, named = step
            taken = drawn[-1][0] if drawn else (0, 0)
            arguments = tuple(_value(word, values, taken) for word in given)
            keywords = {key: _value(word, values, taken) for key, word in named.items()}
            found = (write if what == _WRITE else call)(name, arguments, keywords)
            if found is LATER:
                _give_back(drawn)
                return LATER
            if what == _CALL:
                values += _parts(found)
        return _value(result, values, (0, 0))
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        _give_back(drawn)
        raise NotKnown from error


def _give_back(drawn: Sequence[tuple[tuple[int, int], int]]) -> None:
    for first, count in reversed(drawn):
        default_generator.give_back(first, count)


def _value(word: Any, values: Sequence[Any], drawn: tuple[int, int]) -> Any:
    """Return what a word stands for."""
    if type(word) is not list:
        return word
    kind, *rest = cast("list[Any]", word)
    match kind:
        case "tensor":
            return values[rest[0]]
        case "key":
            return drawn[0]
        case "counter":
            return drawn[1]
        case "tuple":
            return tuple(_value(item, values, drawn) for item in rest)
        case "list":
            return [_value(item, values, drawn) for item in rest]
        case "dtype":
            return by_name(rest[0])
        case "device":
            return Device(rest[0])
        case _:
            raise ValueError(f"there is no {kind}")
