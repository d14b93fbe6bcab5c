"""How does native code get the spec of a result, if only its pattern and its numbers are known?

From a table of those that were wanted lately; Python makes the others. The table holds what is in
it, and is bounded: a new spec takes the place of an old one.
"""

from __future__ import annotations

from .form import FIRST_NUMBER, NUMBERS, PATTERN, SPEC_PLACES, here
from .layout import TUPLE_ITEMS, TUPLE_SIZE
from .objects import drop, hold, integer, mixed_with
from .subset import Word, inlined, native, store, word, words


@inlined
def is_described(spec: Word, description: Word, registers: Word) -> Word:
    """Whether a spec has a pattern and numbers."""
    if word(spec, here.pattern) != word(description, PATTERN):
        return 0
    numbers = word(spec, here.numbers)
    if numbers == 0:
        return 0
    index = word(description, NUMBERS) * 8
    if word(numbers, TUPLE_SIZE) * 8 != index:
        return 0
    while index > 0:
        index = index - 8
        wanted = word(registers, word(description + FIRST_NUMBER, index))
        if integer(word(numbers + TUPLE_ITEMS, index)) != wanted:
            return 0
    return 1


@inlined
def place_of_spec(description: Word, registers: Word) -> Word:
    """Return where in the table the spec is, or beside it."""
    mixed = word(description, PATTERN) >> 4
    index = word(description, NUMBERS) * 8
    while index > 0:
        index = index - 8
        number = word(registers, word(description + FIRST_NUMBER, index))
        mixed = mixed_with(mixed, number)
    return ((mixed >> 20) & (SPEC_PLACES - 1)) * 8


@native
def made_spec(description: Word, registers: Word, given: Word) -> Word:
    """Return a spec that Python makes, 0 with an error; `given` is room for what it is told."""
    count = word(description, NUMBERS)
    store(given, 0, word(description, PATTERN))
    made = 0
    while made < count:
        number = word(registers, word(description + FIRST_NUMBER, made * 8))
        value = here.PyLong_FromLongLong(number)
        if value == 0:
            count = 0
        else:
            made = made + 1
            store(given, made * 8, value)
    spec = 0
    if made == word(description, NUMBERS):
        spec = here.PyObject_Vectorcall(here.make_spec, given, made + 1, 0)
    while made > 0:
        drop(word(given, made * 8))
        made = made - 1
    return spec


@native
def found_spec(description: Word, registers: Word) -> Word:
    """Return the spec that is described, with a reference for the caller; 0 with an error."""
    place = place_of_spec(description, registers)
    spec = word(here.specs, place)
    if spec != 0 and is_described(spec, description, registers):
        return hold(spec)
    beside = place ^ 8
    spec = word(here.specs, beside)
    if spec != 0 and is_described(spec, description, registers):
        return hold(spec)
    spec = made_spec(description, registers, words(word(description, NUMBERS) + 1))
    if spec == 0:
        return 0
    if word(here.specs, place) != 0:
        # The older of two goes: the newest is where it is looked for first.
        old = word(here.specs, beside)
        store(here.specs, beside, word(here.specs, place))
    else:
        old = 0
    store(here.specs, place, hold(spec))
    if old != 0:
        drop(old)
    return spec
