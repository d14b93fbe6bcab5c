"""What does a call do when nothing unusual happens? Native code: from the arguments to the result.

An entry has a table of plans, found by a hash of the arguments and proven by comparing each of them
(`form.py` says how both lie in memory, `calls/packing.py` writes plans).

Whatever is unusual (other arguments, a trace in any thread, no free block, memory that may not be
written) is a miss: the slow road, in Python, does everything and says everything. Nothing that a
miss leaves behind differs from what it found.

Python code may run where an object is made (the garbage collector) and where one dies, and nowhere
else. So everything is made before an address is read, and the plan is held until the end.
"""

from __future__ import annotations

from typing import Any

from .form import (
    BINDS,
    HITS,
    KEYWORD_OFFSET_BIT,
    LEARN,
    MASK,
    MISS,
    MISSES,
    MOST_ON_STACK,
    PATIENCE,
    RAISED,
    SLOW,
    TABLE,
    here,
)
from .layout import (
    LIST_ITEMS,
    LONG_DIGITS,
    SLICE_START,
    TUPLE_ITEMS,
    TUPLE_SIZE,
    TYPE,
    VECTORCALL_OFFSET,
)
from .memory import block_dealloc, get_memory, new_block, set_memory, take_block
from .objects import integer
from .runs import run, try_plan
from .subset import Word, half_word, inlined, native, store, word, words


@inlined
def part_of(value: Word) -> Word:
    """Return what the hash of a call takes from an argument."""
    type_ = word(value, TYPE)
    if type_ == here.tensor_type:
        return word(value, here.spec) >> 4
    if type_ == here.array_type and half_word(value, here.array_rank) > 0:
        return word(word(value, here.array_shape)) + (word(value, here.array_dtype) >> 4)
    if type_ == here.list_type and word(value, TUPLE_SIZE) > 0:
        value = word(word(value, LIST_ITEMS))
        type_ = word(value, TYPE)
        if type_ == here.tensor_type:
            return word(value, here.spec) >> 4
    if type_ == here.slice_type:
        value = word(value, SLICE_START)
        type_ = word(value, TYPE)
    if type_ == here.int_type:
        return half_word(value, LONG_DIGITS) + 1
    return type_ >> 4


@inlined
def place_of(values: Word, count: Word, keywords: Word, mask: Word) -> Word:
    """Return where in a table the plan for some arguments is: there, or beside it."""
    mixed = count
    index = 0
    if keywords != 0 and word(keywords, TUPLE_SIZE) > 0:
        mixed = mixed + word(keywords, TUPLE_ITEMS)
    while index < count and index < 4:
        mixed = (mixed ^ part_of(word(values, index * 8))) * 0x1E3779B97F4A7C15
        mixed = mixed ^ (mixed >> 29)
        index = index + 1
    return (mixed >> 20) & mask


@native
def place(_self: Word, arguments: Word, count: Word) -> Word:
    """Return, as Python knows it, the place of a call: (mask, names, arguments...)."""
    mask = integer(word(arguments))
    found = place_of(arguments + 16, count - 2, word(arguments, 8), mask)
    return here.PyLong_FromLongLong(found)


@native
def call_bound(
    function: Word, self: Word, values: Word, count: Word, total: Word, keywords: Word, given: Word
) -> Word:
    """Call what Python does, with the callable itself first; `given` is room for all arguments."""
    store(given, 0, self)
    index = 0
    while index < total:
        store(given, index * 8 + 8, word(values, index * 8))
        index = index + 1
    return here.PyObject_Vectorcall(function, given, count + 1, keywords)


@native
def call_slowly(entry: Word, self: Word, values: Word, flags: Word, keywords: Word) -> Word:
    """Call what Python does; of some misses something is learnt."""
    misses = word(entry, MISSES) + 1
    store(entry, MISSES, misses)
    function = word(entry, SLOW)
    if (misses & (PATIENCE - 1)) == 0:
        function = word(entry, LEARN)
    if word(entry, BINDS) == 0:
        return here.PyObject_Vectorcall(function, values, flags, keywords)
    count = flags & (KEYWORD_OFFSET_BIT - 1)
    total = count
    if keywords != 0:
        total = total + word(keywords, TUPLE_SIZE)
    if total < MOST_ON_STACK:
        given = words(total + 1)
        return call_bound(function, self, values, count, total, keywords, given)
    given = here.PyMem_Malloc(total * 8 + 8)
    if given == 0:
        return here.PyErr_NoMemory()
    found = call_bound(function, self, values, count, total, keywords, given)
    here.PyMem_Free(given)
    return found


@inlined
def call_entry(entry: Word, self: Word, values: Word, flags: Word, keywords: Word) -> Word:
    """Call an entry: its plan for the arguments, or what Python does."""
    if word(here.busy) == 0:
        count = flags & (KEYWORD_OFFSET_BIT - 1)
        if keywords != 0:
            count = count + word(keywords, TUPLE_SIZE)
        table = word(entry, TABLE)
        if table != 0:
            at = place_of(values, count, keywords, word(entry, MASK))
            found = try_plan(word(table, at * 8), values, count, keywords)
            if found == MISS:
                found = try_plan(word(table, (at ^ 1) * 8), values, count, keywords)
            if found == RAISED:
                return 0
            if found != MISS:
                store(entry, HITS, word(entry, HITS) + 1)
                return found
    return call_slowly(entry, self, values, flags, keywords)


@native
def call_object(self: Word, values: Word, flags: Word, keywords: Word) -> Word:
    """Call a function or method of tensors, or a compiled function: an object with an entry."""
    entry = word(self, word(word(self, TYPE), VECTORCALL_OFFSET) + 8)
    return call_entry(entry, self, values, flags, keywords)


EXPORTED: Any = (
    *(block_dealloc, new_block, take_block, get_memory, set_memory),
    *(place, run, call_object),
)
