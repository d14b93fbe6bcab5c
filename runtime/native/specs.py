"""How does native code get the spec of a result, if only its pattern and its numbers are known?

From a table of those that were wanted lately, or else from the pattern, which knows all that are
alive. Others are made. The table holds what is in it, and is bounded: a new spec takes the place of
an old one.
"""

from __future__ import annotations

from .form import FIRST_NUMBER, NUMBERS, PATTERN, SPEC_PLACES, here
from .layout import REFERENCES, TUPLE_ITEMS, TUPLE_SIZE
from .objects import drop, hold, integer, mixed_with
from .subset import INT, Word, inlined, native, store, word, words


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


@inlined
def numbers_of(description: Word, registers: Word) -> Word:
    """Return the numbers of a spec as a tuple, 0 with an error."""
    count = word(description, NUMBERS) * 8
    numbers = here.PyTuple_New(word(description, NUMBERS))
    index = 0
    while numbers != 0 and index < count:
        number = here.PyLong_FromLongLong(word(registers, word(description + FIRST_NUMBER, index)))
        if number == 0:
            drop(numbers)
            return 0
        store(numbers + TUPLE_ITEMS, index, number)
        index = index + 8
    return numbers


@inlined
def new_spec(pattern: Word, numbers: Word) -> Word:
    """Return a spec that nobody knows so far; 0 if there is no memory for it.

    Python derives the other fields when it is asked for them.
    """
    spec = here.PyType_GenericAlloc(here.spec_type, 0)
    if spec != 0:
        store(spec, here.pattern, hold(pattern))
        store(spec, here.numbers, hold(numbers))
    return spec


@native
def the_one(pattern: Word, numbers: Word, spec: Word) -> Word:
    """Return the spec that a pattern has for some numbers, this new one if none; 0 with an error.

    It is handed over. Between the look and the entry no Python code runs: `spec.py` does the same.
    """
    reference = here.PyWeakref_NewRef(spec, 0)
    if reference == 0:
        drop(spec)
        return 0
    specs = word(pattern, here.pattern_specs)
    found = here.PyDict_SetDefault(specs, numbers, reference)
    if found != 0 and found != reference:
        known = here.PyWeakref_GetObject(found)
        if known != here.none:
            hold(known)
            drop(spec)
            spec = known
        elif (here.PyDict_SetItem(specs, numbers, reference) & INT) != 0:
            found = 0
    drop(reference)
    if found == 0:
        drop(spec)
        return 0
    return spec


@inlined
def is_roomy(pattern: Word) -> Word:
    """Whether a pattern need not look which of its specs are dead; 0 with an error, too."""
    if here.PyDict_Size(word(pattern, here.pattern_specs)) <= integer(word(pattern, here.room)):
        return 1
    given = words(1)
    store(given, 0, pattern)
    done = here.PyObject_Vectorcall(here.forget_dead_of, given, 1, 0)
    if done == 0:
        return 0
    drop(done)
    return 1


@native
def made_spec(description: Word, registers: Word) -> Word:
    """Return the spec that is described, made if there is none; 0 with an error."""
    pattern = word(description, PATTERN)
    numbers = numbers_of(description, registers)
    if numbers == 0:
        return 0
    spec = new_spec(pattern, numbers)
    if spec != 0:
        spec = the_one(pattern, numbers, spec)
    drop(numbers)
    if spec != 0 and not is_roomy(pattern):
        drop(spec)
        return 0
    return spec


@native
def let_spec_go(spec: Word) -> Word:
    """Drop a spec; if that ends it, its pattern forgets it."""
    if word(spec, REFERENCES) == 1:
        specs = word(word(spec, here.pattern), here.pattern_specs)
        if (here.PyDict_DelItem(specs, word(spec, here.numbers)) & INT) != 0:
            here.PyErr_Clear()
    return drop(spec)


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
    spec = made_spec(description, registers)
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
        let_spec_go(old)
    return spec
