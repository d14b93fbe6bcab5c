"""Are the arguments of a call those that a plan was made for? Each demand is compared."""

from __future__ import annotations

from .form import (
    CAPTURED,
    FRAME_HEAD,
    IS_ARRAY,
    IS_FLOAT,
    IS_INT64,
    IS_KIND,
    IS_LIST,
    IS_MODERATE,
    IS_NUMBER,
    IS_OBJECT,
    IS_OPEN_ARRAY,
    IS_PATTERN,
    IS_SLICE,
    IS_TENSOR,
    IS_TUPLE,
    NEXT_NUMBER,
    NEXT_SCALAR,
    NEXT_TENSOR,
    OPEN,
    REGISTERS,
    SEALED,
    TENSORS,
    WITHOUT_SIGN,
    WRITTEN,
    here,
)
from .intrinsics import Word, half_word, store, word, words
from .layout import (
    FLOAT_BITS,
    LIST_ITEMS,
    SLICE_START,
    SLICE_STEP,
    SLICE_STOP,
    TUPLE_ITEMS,
    TUPLE_SIZE,
    TYPE,
)
from .memory import is_in_inference, is_memory, storage_of
from .objects import integer, wide_integer
from .subset import inlined, native


@native
def is_integer(value: Word, wanted: Word) -> Word:
    """Whether an argument is the int of a value."""
    overflow = words(1)
    if word(value, TYPE) != here.int_type:
        return 0
    return wide_integer(value, overflow) == wanted and word(overflow) == 0


@inlined
def is_plain_match(value: Word, at: Word) -> Word:
    """Whether a part of an argument is what a plan was made for: an object, or a number."""
    if word(at) == IS_OBJECT:
        return value == word(at, 8)
    if word(at) == IS_FLOAT:
        return word(value, TYPE) == here.float_type and word(value, FLOAT_BITS) == word(at, 8)
    return is_integer(value, word(at, 8))


@native
def open_array_matched(value: Word, at: Word, frame: Word) -> Word:
    """Take the sizes of a packed array; return where the next demand stands, 0 if it is another."""
    rank = half_word(value, here.array_rank)
    if word(value, here.array_dtype) != word(at, 8) or rank != word(at, 16):
        return 0
    kinds = at + 32
    sizes = word(value, here.array_shape)
    strides = word(value, here.array_strides)
    stride = word(at, 24)
    index = rank
    while index > 0:
        index = index - 1
        if word(strides, index * 8) != stride:
            return 0
        if word(sizes, index * 8) > 1:
            stride = stride * word(sizes, index * 8)
    while index < rank:
        size = word(sizes, index * 8)
        kind = word(kinds, index * 8)
        if kind == OPEN:
            if size < OPEN:
                return 0
            push(frame, NEXT_NUMBER, size)
        elif size != kind:
            return 0
        index = index + 1
    return kinds + rank * 8


@inlined
def push(frame: Word, cursor: int, value: Word) -> Word:
    """Put an operand where the next of its kind goes."""
    place = word(frame, cursor)
    store(place, 0, value)
    store(frame, cursor, place + 8)
    return 0


@native
def array_matched(value: Word, at: Word) -> Word:
    """Return where the next demand stands if an argument is an array like this one, else 0."""
    rank = half_word(value, here.array_rank)
    if word(value, here.array_dtype) != word(at, 8) or rank != word(at, 16):
        return 0
    sizes = word(value, here.array_shape)
    strides = word(value, here.array_strides)
    at = at + 24
    index = 0
    while index < rank:
        if word(sizes, index * 8) != word(at) or word(strides, index * 8) != word(at, 8):
            return 0
        at = at + 16
        index = index + 1
    return at


@inlined
def pattern_of(spec: Word) -> Word:
    """Return the pattern of a spec, 0 of anything else or if nobody has asked for it so far."""
    if spec == 0 or word(spec, TYPE) != here.spec_type:
        return 0
    return word(spec, here.pattern)


@native
def pattern_matched(spec: Word, pattern: Word, at: Word, frame: Word) -> Word:
    """Take the numbers of a spec; return where the next demand stands, 0 if it is another one."""
    if pattern_of(spec) != pattern:
        return 0
    numbers = word(spec, here.numbers)
    if numbers == 0:
        return 0
    count = word(numbers, TUPLE_SIZE)
    item = numbers + TUPLE_ITEMS
    while count > 0:
        push(frame, NEXT_NUMBER, integer(word(item)))
        item = item + 8
        count = count - 1
    return at + 16


@inlined
def number_matched(value: Word, at: Word, frame: Word) -> Word:
    """Take an integer whose value is left open; if not any one, -1, 0 and 1 are structure."""
    if word(value, TYPE) != here.int_type:
        return 0
    overflow = words(1)
    number = wide_integer(value, overflow)
    if word(overflow) != 0 or (word(at, 8) == 0 and number >= -1 and number <= 1):
        return 0
    push(frame, NEXT_NUMBER, number)
    return at + 16


@inlined
def bound_matched(value: Word, at: Word, frame: Word) -> Word:
    """Return where the next demand stands if a part of a slice is what it must be, else 0."""
    if word(at) == IS_NUMBER:
        return number_matched(value, at, frame)
    if is_plain_match(value, at):
        return at + 16
    return 0


@inlined
def matched(value: Word, at: Word, frame: Word) -> Word:
    """Return where the next demand stands if an argument is what this one says, else 0."""
    kind = word(at)
    wanted = word(at, 8)
    type_ = word(value, TYPE)
    if kind == IS_TENSOR:
        if type_ != here.tensor_type or word(value, here.spec) != wanted:
            return 0
        if not is_memory(word(value, here.memory)):
            return 0
        push(frame, NEXT_TENSOR, value)
        return at + 16
    if kind == IS_PATTERN:
        if type_ != here.tensor_type or not is_memory(word(value, here.memory)):
            return 0
        push(frame, NEXT_TENSOR, value)
        return pattern_matched(word(value, here.spec), wanted, at, frame)
    if kind == IS_NUMBER:
        return number_matched(value, at, frame)
    if kind == IS_ARRAY or kind == IS_OPEN_ARRAY:
        if type_ != here.array_type:
            return 0
        if kind == IS_ARRAY:
            at = array_matched(value, at)
        else:
            at = open_array_matched(value, at, frame)
        if at != 0:
            push(frame, NEXT_TENSOR, value)
        return at
    if kind == IS_KIND or kind == IS_INT64 or kind == IS_MODERATE:
        if kind == IS_MODERATE:
            if type_ != here.float_type or (word(value, FLOAT_BITS) & WITHOUT_SIGN) >= wanted:
                return 0
        elif type_ != wanted:
            return 0
        if kind == IS_INT64:
            overflow = words(1)
            wide_integer(value, overflow)
            if word(overflow) != 0:
                return 0
        push(frame, NEXT_SCALAR, value)
        return at + 16
    if kind == IS_SLICE:
        if type_ != here.slice_type:
            return 0
        at = bound_matched(word(value, SLICE_START), at + 16, frame)
        if at == 0:
            return 0
        at = bound_matched(word(value, SLICE_STOP), at, frame)
        if at == 0:
            return 0
        return bound_matched(word(value, SLICE_STEP), at, frame)
    if is_plain_match(value, at):
        return at + 16
    return 0


@native
def items_matched(item: Word, count: Word, at: Word, frame: Word) -> Word:
    """Return where the demands of the items of a tuple or list end if they are met, else 0."""
    while count > 0:
        at = matched(word(item), at, frame)
        if at == 0:
            return 0
        item = item + 8
        count = count - 1
    return at


@inlined
def all_matched(values: Word, count: Word, at: Word, frame: Word) -> Word:
    """Return where the demands end if all arguments are what they say, else 0."""
    end = values + count * 8
    while values < end:
        value = word(values)
        if word(at) == IS_TUPLE:
            size = word(at, 8)
            if word(value, TYPE) != here.tuple_type or word(value, TUPLE_SIZE) != size:
                return 0
            at = items_matched(value + TUPLE_ITEMS, size, at + 16, frame)
        elif word(at) == IS_LIST:
            size = word(at, 8)
            if word(value, TYPE) != here.list_type or word(value, TUPLE_SIZE) != size:
                return 0
            at = items_matched(word(value, LIST_ITEMS), size, at + 16, frame)
        else:
            at = matched(value, at, frame)
        if at == 0:
            return 0
        values = values + 8
    return at


@inlined
def names_matched(keywords: Word, count: Word, at: Word) -> Word:
    """Whether the names of the keywords are those of the plan, in its order."""
    if keywords == 0:
        return count == 0
    if word(keywords, TUPLE_SIZE) != count:
        return 0
    while count > 0:
        count = count - 1
        if word(keywords, TUPLE_ITEMS + count * 8) != word(at, count * 8):
            return 0
    return 1


@inlined
def captured_matched(at: Word, count: Word, frame: Word) -> Word:
    """Take the tensors that a plan holds, if they are what they were; else return 0."""
    while count > 0:
        tensor = word(at)
        if word(tensor, here.spec) != word(at, 8) or not is_memory(word(tensor, here.memory)):
            return 0
        push(frame, NEXT_TENSOR, tensor)
        at = at + 16
        count = count - 1
    return at


@inlined
def seals_matched(at: Word, count: Word) -> Word:
    """Go over the tensors that something was derived from, if they are as then; else return 0."""
    while count > 0:
        tensor = word(at)
        storage = word(at, 8)
        if word(tensor, here.memory) != storage or word(tensor, here.byte_offset) != word(at, 16):
            return 0
        if word(storage, here.seal) != word(at, 24):
            return 0
        at = at + 32
        count = count - 1
    return at


@inlined
def held_matched(at: Word, plan: Word, frame: Word) -> Word:
    """Take what a plan holds besides its arguments, if nothing of it has changed; else return 0."""
    at = captured_matched(at, word(plan, CAPTURED), frame)
    if at == 0:
        return 0
    return seals_matched(at, word(plan, SEALED))


@inlined
def are_apart(first: Word, span: Word, second: Word, other_span: Word) -> Word:
    """Whether two ranges of bytes of one storage have none in common."""
    return first + span <= second or second + other_span <= first


@inlined
def own_storage(tensor: Word) -> Word:
    """Return the storage of a tensor; 0 if there is none, or no memory for it, and no error."""
    memory = storage_of(tensor)
    if memory == 0:
        here.PyErr_Clear()
    return memory


@native
def may_write(plan: Word, at: Word, frame: Word) -> Word:
    """Whether the tensors that are written may be, and share no memory with any other one.

    Memory that is borrowed may be that of another storage.
    """
    tensors = frame + FRAME_HEAD
    registers = frame + word(plan, REGISTERS)
    end = tensors + word(plan, TENSORS) * 8
    count = word(plan, WRITTEN)
    spans = at + count * 24
    while count > 0:
        own = tensors + word(at) * 8
        memory = own_storage(word(own))
        if memory == 0 or word(memory, here.is_writable) != here.true:
            return 0
        if word(memory, here.is_inference) != 0 and not is_in_inference():
            return 0
        if word(word(own), here.state) != here.none:
            return 0
        if word(memory, here.owner) != 0 and end - tensors > 8:
            return 0
        place = tensors
        while place < end:
            if place != own:
                beside = own_storage(word(place))
                if beside == 0 or word(beside, here.owner) != 0:
                    return 0
                if beside == memory:
                    start = integer(word(word(own), here.byte_offset))
                    start = start + word(registers, word(at, 8))
                    other = integer(word(word(place), here.byte_offset))
                    other_span = word(registers, word(spans + (place - tensors)))
                    if not are_apart(start, word(registers, word(at, 16)), other, other_span):
                        return 0
            place = place + 8
        at = at + 24
        count = count - 1
    return 1
