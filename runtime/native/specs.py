"""How does native code get the spec of a result, if only its pattern and its numbers are known?

From a table, or else from its pattern, which knows all that are alive; others are made. There are
two tables, which hold what is in them. Most sizes that a loop runs over are never wanted again, so
new specs come to a small one, where a spec that nobody knows any more becomes the next: that takes
half the time, and no more memory. Those that are made again and again have a large one.
"""

from __future__ import annotations

from .form import (
    FIRST_NUMBER,
    HASHES,
    NEW_SPECS,
    NUMBERS,
    OFTEN_MADE,
    PATTERN,
    SPEC_PLACES,
    here,
)
from .intrinsics import Word, store, word, words
from .layout import REFERENCES, TUPLE_ITEMS, TUPLE_SIZE
from .objects import drop, hold, integer, mixed_with
from .subset import INT, inlined, native


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
def hash_of_spec(description: Word, registers: Word) -> Word:
    """Return a hash of a pattern and numbers."""
    mixed = word(description, PATTERN) >> 4
    index = word(description, NUMBERS) * 8
    while index > 0:
        index = index - 8
        number = word(registers, word(description + FIRST_NUMBER, index))
        mixed = mixed_with(mixed, number)
    return mixed


@inlined
def place_in(hash_: Word, places: Word) -> Word:
    """Return where in a table of so many places something is."""
    return ((hash_ >> 20) & (places - 1)) * 8


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


@native
def entered(pattern: Word, numbers: Word, reference: Word) -> Word:
    """Enter a reference to a spec for what it will be known by.

    Returns it, or the spec that is known by that already; 0 with an error. Between the look and the
    entry no Python code runs: `spec.py` does the same.
    """
    specs = word(pattern, here.pattern_specs)
    found = here.PyDict_SetDefault(specs, numbers, reference)
    if found == 0 or found == reference:
        return found
    known = here.PyWeakref_GetObject(found)
    if known != here.none:
        return known
    if (here.PyDict_SetItem(specs, numbers, reference) & INT) != 0:
        return 0
    return reference


@native
def new_spec(pattern: Word, numbers: Word) -> Word:
    """Return the spec with a pattern and numbers, made if there is none; 0 with an error.

    Python derives the other fields when it is asked for them.
    """
    spec = here.PyType_GenericAlloc(here.spec_type, 0)
    if spec == 0:
        return 0
    store(spec, here.pattern, hold(pattern))
    store(spec, here.numbers, hold(numbers))
    reference = here.PyWeakref_NewRef(spec, 0)
    if reference == 0:
        drop(spec)
        return 0
    found = entered(pattern, numbers, reference)
    if found != reference:
        if found != 0:
            hold(found)
        drop(spec)
        spec = found
    drop(reference)
    return spec


@inlined
def is_unknown(spec: Word) -> Word:
    """Whether nobody but the table knows a spec, and its pattern by a reference that none uses."""
    if spec == 0 or word(spec, REFERENCES) != 1:
        return 0
    reference = word(spec, here.weak_references)
    if reference == 0 or word(reference, REFERENCES) != 1:
        return 0
    return here._PyWeakref_GetWeakrefCount(reference) == 1


@native
def forget(spec: Word) -> Word:
    """Let the pattern of a spec forget it, which nobody else knows."""
    specs = word(word(spec, here.pattern), here.pattern_specs)
    if (here.PyDict_DelItem(specs, word(spec, here.numbers)) & INT) != 0:
        here.PyErr_Clear()
    return 0


@native
def renewed(spec: Word, pattern: Word, numbers: Word) -> Word:
    """Return the spec with a pattern and numbers: an unknown one becomes it if there is none.

    What would end and be made again is the same memory, in half the time. No Python code runs, so
    nobody can come to know it meanwhile. 0 with an error.
    """
    reference = word(spec, here.weak_references)
    found = entered(pattern, numbers, reference)
    if found == 0:
        return 0
    if found != reference:
        return hold(found)
    forget(spec)
    at = here.first_field
    while at <= here.last_field:
        value = word(spec, at)
        store(spec, at, 0)
        if value != 0:
            drop(value)
        at = at + 8
    store(spec, here.pattern, hold(pattern))
    store(spec, here.numbers, hold(numbers))
    return hold(spec)


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


@inlined
def comes_often(hash_: Word) -> Word:
    """Count how often a spec is made; return whether that is often."""
    place = here.hashes + place_in(hash_, HASHES)
    times = word(place) ^ hash_
    if times < 0 or times >= OFTEN_MADE:
        times = 0
    store(place, 0, hash_ ^ (times + 1))
    return times + 1 == OFTEN_MADE


@native
def keep_spec(table: Word, place: Word, spec: Word) -> Word:
    """Put a spec into a table, whose older one of two goes."""
    old = 0
    if word(table, place) != 0:
        old = word(table, place ^ 8)
        store(table, place ^ 8, word(table, place))
    store(table, place, hold(spec))
    if old != 0:
        if word(old, REFERENCES) == 1:
            forget(old)
        drop(old)
    return 0


@native
def made_spec(description: Word, registers: Word, hash_: Word) -> Word:
    """Return the spec that is described, which no table has; 0 with an error."""
    pattern = word(description, PATTERN)
    numbers = numbers_of(description, registers)
    if numbers == 0:
        return 0
    table = here.new_specs
    place = place_in(hash_, NEW_SPECS)
    if comes_often(hash_):
        table = here.specs
        place = place_in(hash_, SPEC_PLACES)
    old = word(table, place ^ 8)
    if is_unknown(old):
        spec = renewed(old, pattern, numbers)
        if spec == old:
            store(table, place ^ 8, word(table, place))
            store(table, place, old)
        elif spec != 0:
            keep_spec(table, place, spec)
    else:
        spec = new_spec(pattern, numbers)
        if spec != 0:
            keep_spec(table, place, spec)
            if not is_roomy(pattern):
                drop(spec)
                spec = 0
    drop(numbers)
    return spec


@inlined
def spec_in(table: Word, place: Word, description: Word, registers: Word) -> Word:
    """Return the spec that is described if a table has it, with a reference for the caller."""
    spec = word(table, place)
    if spec != 0 and is_described(spec, description, registers):
        return hold(spec)
    spec = word(table, place ^ 8)
    if spec != 0 and is_described(spec, description, registers):
        return hold(spec)
    return 0


@native
def found_spec(description: Word, registers: Word) -> Word:
    """Return the spec that is described, with a reference for the caller; 0 with an error."""
    hash_ = hash_of_spec(description, registers)
    spec = spec_in(here.specs, place_in(hash_, SPEC_PLACES), description, registers)
    if spec == 0:
        spec = spec_in(here.new_specs, place_in(hash_, NEW_SPECS), description, registers)
    if spec == 0:
        spec = made_spec(description, registers, hash_)
    return spec
