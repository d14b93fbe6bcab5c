"""How does native code get memory, and make tensors on it?"""

from __future__ import annotations

from .form import (
    BLOCK_ADDRESS,
    BLOCK_IS_INFERENCE,
    BLOCK_LENGTH,
    BLOCK_NEXT,
    BLOCK_OWNER,
    BLOCK_POINTER,
    BLOCK_POOL,
    BLOCK_SIZE,
    COUNT,
    FIRST,
    LARGER,
    LARGEST,
    LIMIT,
    SIZE,
    SMALLEST_STEP,
    STEPS_PER_POWER,
    here,
)
from .intrinsics import Word, store, word, words
from .layout import REFERENCES, TYPE
from .objects import drop, hold, integer, replace
from .subset import inlined, native


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
def obtain(pool: Word) -> Word:
    """Take a block out of a pool, a larger one or a new one if none is free; 0 with an error."""
    block = take(pool)
    if block == 0 and word(pool, LARGER) != 0:
        block = take(word(pool, LARGER))
    if block != 0:
        return block
    given = words(1)
    size = here.PyLong_FromLongLong(word(pool, SIZE))
    if size == 0:
        return 0
    store(given, 0, size)
    block = here.PyObject_Vectorcall(here.obtain_block, given, 1, 0)
    drop(size)
    return block


@inlined
def is_in_inference() -> Word:
    """Whether this thread is in inference mode."""
    count = word(here.inference)
    if count == 0:
        return 0
    return is_listed(count)


@native
def is_listed(count: Word) -> Word:
    """Whether this thread is among the first ones of the table of those in inference mode."""
    threads = word(here.inference, 8)
    thread = here.PyThread_get_thread_ident()
    while count > 0:
        count = count - 1
        if word(threads, count * 8) == thread:
            return 1
    return 0


@native
def pool_of(size: Word) -> Word:
    """Return the pool that serves a request for so many bytes, 0 if there is none.

    Size classes are those of the allocator: `pools.py` says where the pool of each is.
    """
    if size <= 0 or size > LARGEST:
        return 0
    step = SMALLEST_STEP
    while (size - 1) >> (step + 4) != 0:
        step = step + 1
    class_ = ((size - 1) >> step) + 1 + (step - SMALLEST_STEP) * STEPS_PER_POWER
    return word(here.pools, class_ * 8)


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
    if count != 4:
        return hold(here.none)
    block = here.PyType_GenericAlloc(here.block_type, 0)
    if block == 0:
        return 0
    pointer = word(arguments, 8)
    store(block, BLOCK_POOL, integer(word(arguments)))
    store(block, BLOCK_ADDRESS, integer(pointer))
    store(block, BLOCK_SIZE, integer(word(arguments, 16)))
    store(block, BLOCK_OWNER, hold(word(arguments, 24)))
    store(block, BLOCK_POINTER, hold(pointer))
    return block


@native
def take_block(_self: Word, pool: Word) -> Word:
    """Return a free block of the pool at an address, None if there is none."""
    block = take(integer(pool))
    if block == 0:
        return hold(here.none)
    return block


@inlined
def is_memory(value: Word) -> Word:
    """Whether a field holds a storage, or a block that stands for one."""
    if value == 0:
        return 0
    type_ = word(value, TYPE)
    return type_ == here.storage_type or type_ == here.block_type


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
    if word(block, BLOCK_IS_INFERENCE):
        store(storage, here.is_inference, hold(here.true))
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


@inlined
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
def new_tensor_at(memory: Word, spec: Word, start: Word, byte_start: Word) -> Word:
    """Return a tensor that begins so many elements and bytes behind its memory; 0 if that fails."""
    offset = here.PyLong_FromLongLong(start)
    if offset == 0:
        return 0
    byte_offset = here.PyLong_FromLongLong(byte_start)
    if byte_offset == 0:
        drop(offset)
        return 0
    return new_tensor(memory, spec, offset, byte_offset)


@native
def new_view(base: Word, spec: Word, start: Word, itemsize: Word) -> Word:
    """Return a view that lies inside of what its base spans; 0 if that fails.

    It begins `start` elements behind its base.
    """
    memory = storage_of(base)
    if memory == 0:
        return 0
    hold(memory)  # what runs where a tensor is made may give its base another one
    offset = word(base, here.offset)
    if start == 0:
        made = new_tensor(memory, spec, hold(offset), hold(word(base, here.byte_offset)))
    else:
        start = integer(offset) + start
        made = new_tensor_at(memory, spec, start, start * itemsize)
    drop(memory)
    return made


@inlined
def address_of(tensor: Word) -> Word:
    """Return where a tensor begins; its storage has not become smaller at any time."""
    memory = word(tensor, here.memory)
    if word(memory, TYPE) == here.block_type:
        start = word(memory, BLOCK_ADDRESS)
    else:
        start = integer(word(memory, here.pointer))
    return start + integer(word(tensor, here.byte_offset))
