"""What does a call do when nothing unusual happens? Native code: from the arguments to the result.

An entry (`Entry` says how it lies in memory) has a table of plans, found by a hash of the arguments
and proven by comparing each of them. A plan is a block of words (`packing.py` writes it)::

    header, then the names of keywords, then what each argument must be, then the captured
    tensors, then which operands are written to, then the outputs, then the results, then the
    launches

Whatever is unusual (other arguments, a trace in any thread, no free block, memory that may not be
written) is a miss: the slow road, in Python, does everything and says everything. Nothing that a
miss leaves behind differs from what it found.

Python code may run where an object is made (the garbage collector) and where one dies, and nowhere
else. So everything is made before an address is read, and the plan is held until the end.
"""

from __future__ import annotations

from typing import Any

from .layout import (
    FLOAT_BITS,
    LIST_ITEMS,
    LONG_DIGITS,
    LONG_SIZE,
    REFERENCES,
    SLICE_START,
    SLICE_STEP,
    SLICE_STOP,
    TUPLE_ITEMS,
    TUPLE_SIZE,
    TYPE,
)
from .subset import (
    Context,
    Word,
    as_float32,
    as_float64,
    half_word,
    inlined,
    native,
    spread,
    store,
    word,
    words,
)

here = Context()

# A pool of free blocks
FIRST, COUNT, LIMIT = 0, 8, 16
# A block, behind what every object has: where its memory is, how many bytes, its pool, the next
# free one; what owns the memory; its address as an object, and the length of the storage that it
# stands for, or 0.
BLOCK_ADDRESS, BLOCK_SIZE, BLOCK_POOL, BLOCK_NEXT, BLOCK_OWNER, BLOCK_POINTER, BLOCK_LENGTH = (
    *(16, 24, 32, 40, 48, 56, 64),
)
BLOCK_BYTES = 72

# The header of a plan
KEEPER, ARGUMENTS, NAMES, SETTINGS, IS_PLACED, CAPTURED, OUTPUTS, WRITTEN, LAUNCHES, RESULTS = (
    *(0, 8, 16, 24, 32, 40, 48, 56, 64, 72),
)
RESULT_KIND, RESULT_TYPE, RELEASES, TENSORS, SCALARS, FRAME, ARENA, BODY = (
    *(80, 88, 96, 104, 112, 120, 128, 136),
)
# What a plan gives
ONE, SEVERAL, FIRST_ARGUMENT, NOTHING = 0, 1, 2, 3
# What an argument must be; two words each, of an array its dtype, its rank, sizes and strides.
IS_TENSOR, IS_KIND, IS_INT64, IS_OBJECT, IS_INTEGER, IS_FLOAT, IS_SLICE, IS_TUPLE, IS_LIST = (
    *(1, 2, 3, 4, 5, 6, 7, 8, 9),
)
IS_MODERATE, IS_ARRAY = 10, 11
#: A kernel that takes more words takes them in one block.
MOST_WORDS = 64
# What a word of a launch is; four words each: where, what, which, and how many bits.
OF_INPUT, OF_OUTPUT, OF_ARENA, OF_STATUS, OF_ARRAY = 0, 1, 2, 3, 4
#: The words of a status that a kernel writes to.
STATUS_WORDS = 4
AS_FLOAT64, AS_FLOAT32, AS_BOOL, AS_SIGNED, AS_UNSIGNED = 16, 17, 18, 19, 20
# What a result is; five words each: what, which, its spec, and its offsets.
IS_FRESH, IS_VIEW, IS_GIVEN = 0, 1, 2

#: All bits of a float64 but the first.
WITHOUT_SIGN = (1 << 63) - 1

# How a frame begins: where the next tensor and the next number go.
NEXT_TENSOR, NEXT_SCALAR, FRAME_HEAD = 0, 8, 16

#: No plan, and an error that Python knows of.
MISS, RAISED = 0, 1
#: How many misses are answered before one is learnt from.
PATIENCE = 4


@inlined
def hold(value: Word) -> Word:
    """Count one more reference."""
    store(value, REFERENCES, word(value, REFERENCES) + 1)
    return value


@native
def drop(value: Word) -> Word:
    """Count one reference less; the last one ends the object."""
    left = word(value, REFERENCES) - 1
    store(value, REFERENCES, left)
    if left == 0:
        here._Py_Dealloc(value)
    return 0


@native
def replace(value: Word, offset: Word, new: Word) -> Word:
    """Set a field of an object to a reference that is handed over."""
    old = word(value, offset)
    store(value, offset, new)
    if old != 0:
        drop(old)
    return 0


# Numbers


@inlined
def integer(value: Word, overflow: Word) -> Word:
    """Return a Python integer; the word at `overflow` becomes non-zero if it needs more bits."""
    size = word(value, LONG_SIZE)
    if size == 0:
        return 0
    if size == 1:
        return half_word(value, LONG_DIGITS)
    if size == 2:
        return half_word(value, LONG_DIGITS) | (half_word(value, LONG_DIGITS + 4) << 30)
    if size == -1:
        return 0 - half_word(value, LONG_DIGITS)
    return here.PyLong_AsLongLongAndOverflow(value, overflow)


@native
def encoded(value: Word, how: Word, bits: Word) -> Word:
    """Return the bits in which a kernel takes a number."""
    overflow = words(1)
    store(overflow, 0, 0)
    if how == AS_FLOAT64 or how == AS_FLOAT32:
        if word(value, TYPE) == here.float_type:
            found = word(value, FLOAT_BITS)
        else:
            found = as_float64(integer(value, overflow))
        if how == AS_FLOAT64:
            return found
        return as_float32(found)
    number = integer(value, overflow)
    if how == AS_BOOL:
        return number != 0
    if bits == 64:
        return number
    number = number & ((1 << bits) - 1)
    if how == AS_UNSIGNED:
        return number
    sign = 1 << (bits - 1)
    return (number ^ sign) - sign


# Blocks of memory


@inlined
def take(pool: Word) -> Word:
    """Take a free block out of a pool; 0 if there is none."""
    block = word(pool, FIRST)
    if block != 0:
        store(pool, FIRST, word(block, BLOCK_NEXT))
        store(pool, COUNT, word(pool, COUNT) - 1)
        store(block, REFERENCES, 1)
    return block


@native
def block_dealloc(block: Word) -> Word:
    """Put a block that nobody holds into its pool, or let go of its memory."""
    length = word(block, BLOCK_LENGTH)
    if length != 0:
        store(block, BLOCK_LENGTH, 0)
        drop(length)
    pool = word(block, BLOCK_POOL)
    if pool != 0 and word(pool, COUNT) < word(pool, LIMIT):
        store(block, BLOCK_NEXT, word(pool, FIRST))
        store(pool, FIRST, block)
        store(pool, COUNT, word(pool, COUNT) + 1)
        return 0
    type_ = word(block, TYPE)
    drop(word(block, BLOCK_OWNER))
    drop(word(block, BLOCK_POINTER))
    here.PyObject_Free(block)
    drop(type_)
    return 0


@native
def new_block(_self: Word, arguments: Word, count: Word) -> Word:
    """Make a block: (address of its pool or 0, address of the memory, its size, its owner)."""
    overflow = words(1)
    store(overflow, 0, 0)
    if count != 4:
        return hold(here.none)
    block = here.PyType_GenericAlloc(here.block_type, 0)
    if block == 0:
        return 0
    pointer = word(arguments, 8)
    store(block, BLOCK_POOL, integer(word(arguments), overflow))
    store(block, BLOCK_ADDRESS, integer(pointer, overflow))
    store(block, BLOCK_SIZE, integer(word(arguments, 16), overflow))
    store(block, BLOCK_OWNER, hold(word(arguments, 24)))
    store(block, BLOCK_POINTER, hold(pointer))
    return block


@native
def take_block(_self: Word, pool: Word) -> Word:
    """Return a free block of the pool at an address, None if there is none."""
    overflow = words(1)
    store(overflow, 0, 0)
    block = take(integer(pool, overflow))
    if block == 0:
        return hold(here.none)
    return block


@inlined
def is_memory(value: Word) -> Word:
    """Whether a value is a storage, or a block that stands for one."""
    type_ = word(value, TYPE)
    return type_ == here.storage_type or type_ == here.block_type


# What arguments must be


@native
def is_integer(value: Word, wanted: Word) -> Word:
    """Whether an argument is the int of a value."""
    overflow = words(1)
    store(overflow, 0, 0)
    if word(value, TYPE) != here.int_type:
        return 0
    return integer(value, overflow) == wanted and word(overflow) == 0


@inlined
def is_plain_match(value: Word, at: Word) -> Word:
    """Whether a part of an argument is what a plan was made for: an object, or a number."""
    if word(at) == IS_OBJECT:
        return value == word(at, 8)
    if word(at) == IS_FLOAT:
        return word(value, TYPE) == here.float_type and word(value, FLOAT_BITS) == word(at, 8)
    return is_integer(value, word(at, 8))


@native
def array_matched(value: Word, at: Word) -> Word:
    """Return where the next demand stands if an argument is an array like this one, else 0."""
    if word(value, TYPE) != here.array_type or word(value, here.array_dtype) != word(at, 8):
        return 0
    rank = word(at, 16)
    if half_word(value, here.array_rank) != rank:
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
def matched(value: Word, at: Word, frame: Word) -> Word:
    """Return where the next demand stands if an argument is what this one says, else 0."""
    kind = word(at)
    wanted = word(at, 8)
    type_ = word(value, TYPE)
    if kind == IS_TENSOR:
        if type_ != here.tensor_type or word(value, here.spec) != wanted:
            return 0
        memory = word(value, here.memory)
        if memory == 0 or not is_memory(memory):
            return 0
        place = word(frame, NEXT_TENSOR)
        store(place, 0, value)
        store(frame, NEXT_TENSOR, place + 8)
        return at + 16
    if kind == IS_ARRAY:
        at = array_matched(value, at)
        if at != 0:
            place = word(frame, NEXT_TENSOR)
            store(place, 0, value)
            store(frame, NEXT_TENSOR, place + 8)
        return at
    if kind == IS_KIND or kind == IS_INT64 or kind == IS_MODERATE:
        if kind == IS_MODERATE:
            if type_ != here.float_type or (word(value, FLOAT_BITS) & WITHOUT_SIGN) >= wanted:
                return 0
        elif type_ != wanted:
            return 0
        if kind == IS_INT64:
            overflow = words(1)
            store(overflow, 0, 0)
            integer(value, overflow)
            if word(overflow) != 0:
                return 0
        place = word(frame, NEXT_SCALAR)
        store(place, 0, value)
        store(frame, NEXT_SCALAR, place + 8)
        return at + 16
    if kind == IS_SLICE:
        if type_ != here.slice_type:
            return 0
        if not is_plain_match(word(value, SLICE_START), at + 16):
            return 0
        if not is_plain_match(word(value, SLICE_STOP), at + 32):
            return 0
        if not is_plain_match(word(value, SLICE_STEP), at + 48):
            return 0
        return at + 64
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


@native
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


@native
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


@native
def captured_matched(at: Word, count: Word, frame: Word) -> Word:
    """Take the tensors that a plan holds, if they are what they were; else return 0."""
    while count > 0:
        tensor = word(at)
        memory = word(tensor, here.memory)
        if word(tensor, here.spec) != word(at, 8) or not is_memory(memory):
            return 0
        place = word(frame, NEXT_TENSOR)
        store(place, 0, tensor)
        store(frame, NEXT_TENSOR, place + 8)
        at = at + 16
        count = count - 1
    return at


@native
def may_write(plan: Word, at: Word, frame: Word) -> Word:
    """Whether the tensors that are written may be, and share no storage with any other one."""
    tensors = frame + FRAME_HEAD
    end = tensors + word(plan, TENSORS) * 8
    count = word(plan, WRITTEN)
    while count > 0:
        target = word(tensors, word(at) * 8)
        memory = storage_of(target)
        if memory == 0 or word(memory, here.is_writable) != here.true:
            return 0
        if word(target, here.state) != here.none:
            return 0
        place = tensors
        while place < end:
            other = word(place)
            if place != tensors + word(at) * 8 and word(other, here.memory) == memory:
                return 0
            place = place + 8
        at = at + 8
        count = count - 1
    return 1


# Tensors


@native
def new_storage(block: Word) -> Word:
    """Return a storage of a block, which is handed over; 0 if there is no memory for it."""
    storage = here.PyType_GenericAlloc(here.storage_type, 0)
    if storage == 0:
        drop(block)
        return 0
    store(storage, here.pointer, hold(word(block, BLOCK_POINTER)))
    store(storage, here.block, block)
    store(storage, here.length, hold(word(block, BLOCK_LENGTH)))
    store(storage, here.device, hold(here.cpu))
    store(storage, here.is_writable, hold(here.true))
    store(storage, here.allocator, hold(here.host_allocator))
    return storage


@native
def storage_of(tensor: Word) -> Word:
    """Return the storage of a tensor, made now if a block stands for it; 0 if that fails.

    Only one tensor knows a block that stands for a storage: who shares it asks here first.
    """
    memory = word(tensor, here.memory)
    if memory == 0 or word(memory, TYPE) != here.block_type:
        return memory
    made = new_storage(hold(memory))
    if made == 0:
        return 0
    if word(tensor, here.memory) != memory:
        drop(made)  # the collector, which may run where an object is made, has been here
        return word(tensor, here.memory)
    replace(tensor, here.memory, made)
    return made


@native
def get_memory(tensor: Word, _closure: Word) -> Word:
    """Return `tensor.memory` to Python, which knows of no blocks."""
    memory = storage_of(tensor)
    if memory != 0:
        return hold(memory)
    if word(tensor, here.memory) == 0:
        here.PyErr_SetString(word(here.PyExc_AttributeError), here.memory_name)
    return 0


@native
def set_memory(tensor: Word, value: Word, _closure: Word) -> Word:
    """Set `tensor.memory`, or delete it."""
    if value != 0:
        hold(value)
    replace(tensor, here.memory, value)
    return 0


@native
def new_tensor(memory: Word, spec: Word, offset: Word, byte_offset: Word) -> Word:
    """Return a tensor; the offsets are handed over. 0 if there is no memory for it."""
    tensor = here.PyType_GenericAlloc(here.tensor_type, 0)
    if tensor == 0:
        drop(offset)
        drop(byte_offset)
        return 0
    store(tensor, here.memory, hold(memory))
    store(tensor, here.spec, hold(spec))
    store(tensor, here.offset, offset)
    store(tensor, here.byte_offset, byte_offset)
    store(tensor, here.state, hold(here.none))
    return tensor


@native
def new_view(base: Word, at: Word) -> Word:
    """Return a view that lies inside of what its base spans; 0 if it is not that simple."""
    overflow = words(1)
    store(overflow, 0, 0)
    memory = storage_of(base)
    if memory == 0:
        return 0
    start = word(at, 24)
    offset = word(base, here.offset)
    byte_offset = word(base, here.byte_offset)
    if start == 0:
        return new_tensor(memory, word(at, 16), hold(offset), hold(byte_offset))
    start = integer(offset, overflow) + start
    return new_tensor(
        memory,
        word(at, 16),
        here.PyLong_FromLongLong(start),
        here.PyLong_FromLongLong(start * word(at, 32)),
    )


# A run


@inlined
def address_of(tensor: Word) -> Word:
    """Return where a tensor begins; its storage has not become smaller at any time."""
    overflow = words(1)
    store(overflow, 0, 0)
    memory = word(tensor, here.memory)
    if word(memory, TYPE) == here.block_type:
        start = word(memory, BLOCK_ADDRESS)
    else:
        start = integer(word(memory, here.pointer), overflow)
    return start + integer(word(tensor, here.byte_offset), overflow)


@native
def let_go(objects: Word, count: Word) -> Word:
    """Drop the references that lie at an address."""
    while count > 0:
        count = count - 1
        value = word(objects, count * 8)
        if value != 0:
            drop(value)
    return 0


@native
def launch(function: Word, block: Word, count: Word) -> Word:
    """Call a kernel: a function ignores the words that it does not take."""
    if count <= 6:
        spread(function, block, 6)
    elif count <= 12:
        spread(function, block, 12)
    elif count <= 24:
        spread(function, block, 24)
    else:
        spread(function, block, MOST_WORDS)
    return 0


@native
def launch_all(plan: Word, at: Word, frame: Word, blocks: Word, arena: Word) -> Word:
    """Make the launches of a plan; return whether none has reported a fault."""
    count = word(plan, LAUNCHES)
    tensors = frame + FRAME_HEAD
    scalars = tensors + word(plan, TENSORS) * 8
    filled = words(MOST_WORDS)
    status = words(STATUS_WORDS)
    store(status, 0, 0)
    while count > 0:
        function = word(at)
        total = word(at, 8)
        patches = word(at, 16)
        at = at + 24
        index = 0
        while index < total:
            store(filled, index * 8, word(at))
            at = at + 8
            index = index + 1
        while patches > 0:
            what = word(at, 8)
            which = word(at, 16)
            if what == OF_INPUT:
                found = address_of(word(tensors, which * 8)) + word(at, 24)
            elif what == OF_OUTPUT:
                found = word(word(blocks, which * 8), BLOCK_ADDRESS)
            elif what == OF_ARENA:
                found = word(arena, BLOCK_ADDRESS) + which
            elif what == OF_STATUS:
                found = status
            elif what == OF_ARRAY:
                found = word(word(tensors, which * 8), here.array_data)
            else:
                found = encoded(word(scalars, which * 8), what, word(at, 24))
            store(filled, word(at) * 8, found)
            at = at + 32
            patches = patches - 1
        launch(function, filled, total)
        if word(status) != 0:
            return 0
        count = count - 1
    return 1


@native
def launch_released(plan: Word, at: Word, frame: Word, blocks: Word, arena: Word) -> Word:
    """Make the launches while other threads run; the memory that they read is held."""
    tensors = frame + FRAME_HEAD
    count = word(plan, TENSORS)
    held = words(count + 1)
    index = 0
    while index < count:
        operand = word(tensors, index * 8)
        if word(operand, TYPE) == here.tensor_type:
            operand = word(operand, here.memory)
        store(held, index * 8, hold(operand))
        index = index + 1
    state = here.PyEval_SaveThread()
    is_done = launch_all(plan, at, frame, blocks, arena)
    here.PyEval_RestoreThread(state)
    let_go(held, count)
    return is_done


@native
def are_all_there(tensors: Word, count: Word) -> Word:
    """Whether no storage of the operands has become smaller at some time."""
    while count > 0:
        count = count - 1
        operand = word(tensors, count * 8)
        if word(operand, TYPE) == here.tensor_type:
            memory = word(operand, here.memory)
            if word(memory, TYPE) == here.storage_type and word(memory, here.pointer) == 0:
                return 0
    return 1


@native
def take_blocks(plan: Word, at: Word, blocks: Word) -> Word:
    """Take the blocks of the outputs: each stands for the storage of one result."""
    count = word(plan, OUTPUTS)
    while count > 0:
        block = take(word(at))
        if block == 0:
            return MISS
        store(block, BLOCK_LENGTH, hold(word(at, 8)))
        store(blocks, 0, block)
        blocks = blocks + 8
        at = at + 16
        count = count - 1
    return at


@native
def make_results(plan: Word, at: Word, frame: Word, blocks: Word, results: Word) -> Word:
    """Make the tensors that a plan gives."""
    count = word(plan, RESULTS)
    tensors = frame + FRAME_HEAD
    while count > 0:
        kind = word(at)
        which = word(at, 8) * 8
        if kind == IS_FRESH:
            block = word(blocks, which)
            made = new_tensor(block, word(at, 16), hold(word(at, 24)), hold(word(at, 32)))
        elif kind == IS_VIEW:
            if word(word(tensors, which), here.state) != here.none:
                return MISS
            made = new_view(word(tensors, which), at)
        else:
            made = hold(word(tensors, which))
        if made == 0:
            return RAISED
        store(results, 0, made)
        results = results + 8
        at = at + 40
        count = count - 1
    return at


@native
def count_writes(plan: Word, at: Word, frame: Word) -> Word:
    """Count a write of each tensor that was written to."""
    overflow = words(1)
    store(overflow, 0, 0)
    count = word(plan, WRITTEN)
    while count > 0:
        memory = word(word(frame + FRAME_HEAD, word(at) * 8), here.memory)
        before = word(memory, here.writes)
        number = 0
        if before != 0:
            number = integer(before, overflow)
        replace(memory, here.writes, here.PyLong_FromLongLong(number + 1))
        at = at + 8
        count = count - 1
    return 0


@native
def packed_result(plan: Word, results: Word, first: Word) -> Word:
    """Return what the call gives, made of the results, which are handed over."""
    kind = word(plan, RESULT_KIND)
    count = word(plan, RESULTS)
    if kind == ONE:
        return word(results)
    if kind == FIRST_ARGUMENT:
        let_go(results, count)
        return hold(first)
    if kind == NOTHING:
        let_go(results, count)
        return hold(here.none)
    made = here.PyType_GenericAlloc(word(plan, RESULT_TYPE), count)
    if made == 0:
        let_go(results, count)
        return RAISED
    index = 0
    while index < count:
        store(made, TUPLE_ITEMS + index * 8, word(results, index * 8))
        index = index + 1
    return made


@native
def run_matched(plan: Word, at: Word, frame: Word, first: Word) -> Word:
    """Run a plan on what is in the frame: the result, MISS or RAISED."""
    tensors = frame + FRAME_HEAD
    blocks = tensors + (word(plan, TENSORS) + word(plan, SCALARS)) * 8
    results = blocks + word(plan, OUTPUTS) * 8
    written = at
    arena = 0
    if word(plan, WRITTEN) > 0 and not may_write(plan, at, frame):
        return MISS
    at = at + word(plan, WRITTEN) * 8
    if word(plan, ARENA) != 0:
        arena = take(word(plan, ARENA))
        if arena == 0:
            return MISS
    found = MISS
    after = take_blocks(plan, at, blocks)
    if after == RAISED:
        found = RAISED
    elif after != MISS:
        after = make_results(plan, after, frame, blocks, results)
        if after == RAISED:
            found = RAISED
        elif after != MISS and are_all_there(tensors, word(plan, TENSORS)):
            is_done = 1
            if word(plan, RELEASES):
                is_done = launch_released(plan, after, frame, blocks, arena)
            elif word(plan, LAUNCHES) > 0:
                is_done = launch_all(plan, after, frame, blocks, arena)
            if is_done:
                count_writes(plan, written, frame)
                found = packed_result(plan, results, first)
                let_go(blocks, word(plan, OUTPUTS))
                if arena != 0:
                    drop(arena)
                return found
    let_go(blocks, word(plan, OUTPUTS) + word(plan, RESULTS))
    if arena != 0:
        drop(arena)
    return found


@native
def run_plan(plan: Word, values: Word, count: Word, keywords: Word) -> Word:
    """Run a plan if the arguments are those that it was made for: the result, MISS or RAISED."""
    names = word(plan, NAMES)
    if not names_matched(keywords, names, plan + BODY):
        return MISS
    if word(plan, ARGUMENTS) != count or word(plan, SETTINGS) != word(here.process, here.settings):
        return MISS
    if word(plan, IS_PLACED) and word(here.placed) != 0:
        return MISS
    size = word(plan, FRAME)
    frame = words(size)
    store(frame, NEXT_TENSOR, frame + FRAME_HEAD)
    store(frame, NEXT_SCALAR, frame + FRAME_HEAD + word(plan, TENSORS) * 8)
    at = all_matched(values, count, plan + BODY + names * 8, frame)
    if at == 0:
        return MISS
    at = captured_matched(at, word(plan, CAPTURED), frame)
    if at == 0:
        return MISS
    index = 2 + word(plan, TENSORS) + word(plan, SCALARS)
    while index < size:
        store(frame, index * 8, 0)
        index = index + 1
    keeper = hold(word(plan, KEEPER))
    found = run_matched(plan, at, frame, word(values))
    drop(keeper)
    return found


@inlined
def try_plan(plan: Word, values: Word, count: Word, keywords: Word) -> Word:
    """Run a plan if there is one and the arguments are its: the result, MISS or RAISED."""
    if plan == 0:
        return MISS
    return run_plan(plan, values, count, keywords)


@native
def run(_self: Word, arguments: Word, count: Word) -> Word:
    """Run a plan for those who try it: (its address, names of keywords, arguments...).

    Gives a list of the result, an empty one if it is a miss.
    """
    overflow = words(1)
    store(overflow, 0, 0)
    keywords = word(arguments, 8)
    if word(keywords, TUPLE_SIZE) == 0:
        keywords = 0
    plan = integer(word(arguments), overflow)
    found = run_plan(plan, arguments + 16, count - 2, keywords)
    if found == RAISED:
        return 0
    made = here.PyList_New(0)
    if found != MISS:
        here.PyList_Append(made, found)
        drop(found)
    return made


# Entries

TABLE, MASK, MISSES, SLOW, LEARN, BINDS, HITS = 0, 8, 16, 24, 32, 40, 48
KEYWORD_OFFSET_BIT = 1 << 63


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
    overflow = words(1)
    store(overflow, 0, 0)
    mask = integer(word(arguments), overflow)
    found = place_of(arguments + 16, count - 2, word(arguments, 8), mask)
    return here.PyLong_FromLongLong(found)


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
    given = words(total + 1)
    store(given, 0, self)
    index = 0
    while index < total:
        store(given, index * 8 + 8, word(values, index * 8))
        index = index + 1
    return here.PyObject_Vectorcall(function, given, count + 1, keywords)


@native
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
def call_function(self: Word, values: Word, flags: Word, keywords: Word) -> Word:
    """Call a function or method of tensors."""
    return call_entry(word(self, here.function_entry), self, values, flags, keywords)


@native
def call_compiled(self: Word, values: Word, flags: Word, keywords: Word) -> Word:
    """Call a compiled function."""
    return call_entry(word(self, here.compiled_entry), self, values, flags, keywords)


EXPORTED: Any = (
    *(block_dealloc, new_block, take_block, get_memory, set_memory),
    *(place, run, call_function, call_compiled),
)
