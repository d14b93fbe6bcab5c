"""What does a call do when nothing unusual happens? Native code: from the arguments to the result.

An entry has a table of plans, found by a hash of the arguments and proven by comparing each of them
(`form.py` says how both lie in memory, `calls/packing.py` writes plans).

Whatever is unusual (other arguments, a trace in any thread, memory that may not be written) is a
miss: the slow road, in Python, does everything and says everything. Nothing that a miss leaves
behind differs from what it found.

Python code may run where an object is made (the garbage collector; what makes blocks and specs)
and where one dies, and nowhere else. So everything is made before an address is read, and plan,
operands and their specs are held until the end.
"""

from __future__ import annotations

from typing import Any

from .arguments import pattern_of
from .form import (
    BINDS,
    GOLDEN,
    HELD,
    HELD_COUNT,
    HITS,
    IN_DICT,
    IN_LIST,
    IS_SAMPLE,
    KEYWORD_OFFSET_BIT,
    LEARN,
    LEFT_OUT,
    MASK,
    MISS,
    MISSES,
    MOST_ON_STACK,
    OFTEN,
    OPEN_HITS,
    OPEN_MASK,
    OPEN_TABLE,
    RAISED,
    SLOW,
    TABLE,
    here,
)
from .intrinsics import Word, half_word, store, word, words
from .layout import (
    LIST_ITEMS,
    LONG_DIGITS,
    LONG_SIZE,
    SLICE_START,
    SLICE_STOP,
    TUPLE_ITEMS,
    TUPLE_SIZE,
    TYPE,
    VECTORCALL_OFFSET,
)
from .memory import block_dealloc, get_memory, new_block, set_memory, take_block
from .objects import integer, mixed_with
from .runs import run, try_plan
from .subset import inlined, native
from .threads import share


@inlined
def number_part(value: Word, is_open: Word) -> Word:
    """Return what the hash of a call takes from an integer: of an open one, which kind it is."""
    digit = half_word(value, LONG_DIGITS)
    if is_open == 0:
        return digit + 1
    size = word(value, LONG_SIZE)
    if size == 0:
        return 1
    if digit == 1 and (size == 1 or size == -1):
        return 3 + size
    return 3


@inlined
def bound_part(value: Word, is_open: Word) -> Word:
    """Return what the hash of a call takes from an integer in a slice: an open one is any."""
    if is_open:
        return 1
    return number_part(value, 0)


@inlined
def item_part(value: Word, is_open: Word) -> Word:
    """Return what the hash of a call takes from a number, a slice, or anything plain."""
    type_ = word(value, TYPE)
    if type_ == here.int_type:
        return number_part(value, is_open)
    if type_ != here.slice_type:
        return type_ >> 4
    start = word(value, SLICE_START)
    stop = word(value, SLICE_STOP)
    mixed = 5
    if word(start, TYPE) == here.int_type:
        mixed = mixed + bound_part(start, is_open) * 64
    if word(stop, TYPE) == here.int_type:
        mixed = mixed + bound_part(stop, is_open) * 8
    return mixed


@native
def items_part(value: Word, is_open: Word) -> Word:
    """Return what the hash of a call takes from a tuple."""
    count = word(value, TUPLE_SIZE)
    mixed = count
    while count > 0:
        count = count - 1
        mixed = mixed_with(mixed, item_part(word(value, TUPLE_ITEMS + count * 8), is_open))
    return mixed


@inlined
def tensor_part(value: Word, is_open: Word) -> Word:
    """Return what the hash of a call takes from a tensor: its spec, or the pattern of that."""
    spec = word(value, here.spec)
    if is_open:
        spec = pattern_of(spec)
    return spec >> 4


@inlined
def part_of(value: Word, is_open: Word) -> Word:
    """Return what the hash of a call takes from an argument."""
    type_ = word(value, TYPE)
    if type_ == here.tensor_type:
        return tensor_part(value, is_open)
    if type_ == here.tuple_type:
        return items_part(value, is_open)
    if type_ == here.array_type:
        kind = half_word(value, here.array_rank) + (word(value, here.array_dtype) >> 4)
        if is_open or half_word(value, here.array_rank) == 0:
            return kind
        return kind + word(word(value, here.array_shape))
    if type_ == here.list_type and word(value, TUPLE_SIZE) > 0:
        value = word(word(value, LIST_ITEMS))
        type_ = word(value, TYPE)
        if type_ == here.tensor_type:
            return tensor_part(value, is_open)
    return item_part(value, is_open)


@native
def place_of(values: Word, count: Word, keywords: Word, mask: Word, is_open: Word) -> Word:
    """Return where in a table the plan for some arguments is: there, or beside it."""
    mixed = count
    index = 0
    if keywords != 0 and word(keywords, TUPLE_SIZE) > 0:
        mixed = mixed + word(keywords, TUPLE_ITEMS)
    while index < count and index < 4:
        mixed = mixed_with(mixed, part_of(word(values, index * 8), is_open))
        index = index + 1
    return (mixed >> 20) & mask


@native
def place(_self: Word, arguments: Word, count: Word) -> Word:
    """Return, as Python knows it, the place of a call: (mask, is it open, names, arguments...)."""
    mask = integer(word(arguments))
    is_open = integer(word(arguments, 8))
    found = place_of(arguments + 24, count - 3, word(arguments, 16), mask, is_open)
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
def call_slowly(
    entry: Word, self: Word, values: Word, flags: Word, keywords: Word, is_learning: Word
) -> Word:
    """Call what Python does; of some misses something is learnt."""
    misses = word(entry, MISSES) + 1
    store(entry, MISSES, misses)
    function = word(entry, SLOW)
    if is_learning:
        function = word(entry, LEARN)
    elif (misses * GOLDEN) >> 62 == 0:
        # One in four, in no rhythm that kinds of calls may have, too.
        if word(entry, LEFT_OUT) > 0:
            store(entry, LEFT_OUT, word(entry, LEFT_OUT) - 1)
        else:
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
def try_table(
    entry: Word, table: Word, mask: Word, values: Word, count: Word, keywords: Word, is_open: Word
) -> Word:
    """Run the plan that a table has for some arguments: the result, MISS or RAISED."""
    plans = word(entry, table)
    if plans == 0:
        return MISS
    at = place_of(values, count, keywords, word(entry, mask), is_open)
    found = try_plan(word(plans, at * 8), values, count, keywords)
    if found == MISS:
        # Trying a plan may run Python code, which may have made another table.
        plans = word(entry, table)
        if plans != 0 and at <= word(entry, mask):
            found = try_plan(word(plans, (at ^ 1) * 8), values, count, keywords)
    return found


@native
def is_held(entry: Word) -> Word:
    """Whether the attributes that a function reads are what they were when it was compiled."""
    at = word(entry, HELD)
    count = word(entry, HELD_COUNT)
    while count > 0:
        container = word(at, 8)
        kind = word(at)
        found = 0
        if kind == IN_DICT:
            found = here.PyDict_GetItemWithError(container, word(at, 16))
            if found == 0:
                here.PyErr_Clear()  # a key of the user's that is no text may refuse to be compared
        elif kind == IN_LIST:
            if word(at, 16) < word(container, TUPLE_SIZE):
                found = word(word(container, LIST_ITEMS), word(at, 16) * 8)
        else:
            found = word(container, TUPLE_SIZE)
        if found != word(at, 24):
            return 0
        at = at + 32
        count = count - 1
    return 1


@inlined
def call_entry(entry: Word, self: Word, values: Word, flags: Word, keywords: Word) -> Word:
    """Call an entry: its plan for the arguments, or what Python does."""
    is_learning = 0
    if word(here.busy) == 0 and (word(entry, HELD_COUNT) == 0 or is_held(entry)):
        count = flags & (KEYWORD_OFFSET_BIT - 1)
        if keywords != 0:
            count = count + word(keywords, TUPLE_SIZE)
        found = try_table(entry, TABLE, MASK, values, count, keywords, 0)
        if found == MISS and word(entry, OPEN_TABLE) != 0:
            often = word(entry, OPEN_HITS) + 1
            is_learning = (often & (OFTEN - 1)) == 0
            store(entry, OPEN_HITS, often)
            if is_learning:
                store(entry, IS_SAMPLE, 1)
            else:
                found = try_table(entry, OPEN_TABLE, OPEN_MASK, values, count, keywords, 1)
        if found == RAISED:
            return 0
        if found != MISS:
            store(entry, HITS, word(entry, HITS) + 1)
            return found
    return call_slowly(entry, self, values, flags, keywords, is_learning)


@native
def call_object(self: Word, values: Word, flags: Word, keywords: Word) -> Word:
    """Call a function or method of tensors, or a compiled function: an object with an entry."""
    entry = word(self, word(word(self, TYPE), VECTORCALL_OFFSET) + 8)
    return call_entry(entry, self, values, flags, keywords)


EXPORTED: Any = (
    *(block_dealloc, new_block, take_block, get_memory, set_memory),
    *(place, run, call_object, share),
)
