"""How does native code run a plan, once its arguments are known?"""

from __future__ import annotations

from .arguments import all_matched, held_matched, may_write, names_matched
from .form import (
    ARENA,
    ARENA_BYTES,
    ARGUMENTS,
    AS_FLOAT64,
    BLOCK_ADDRESS,
    BLOCK_IS_INFERENCE,
    BLOCK_LENGTH,
    BODY,
    FIRST_ARGUMENT,
    FRAME,
    FRAME_HEAD,
    HURRIED,
    IN_REGISTER,
    IS_FRESH,
    IS_OPEN_FRESH,
    IS_OPEN_VIEW,
    IS_PLACED,
    IS_VIEW,
    KEEPER,
    LAUNCHES,
    MISS,
    MOST_WORDS,
    NAMES,
    NEXT_NUMBER,
    NEXT_SCALAR,
    NEXT_TENSOR,
    NO_BLOCK,
    NO_REGISTER,
    NOTHING,
    OF_ARENA,
    OF_ARENA_PART,
    OF_INPUT,
    OF_OUTPUT,
    OF_PART,
    OF_REGISTER,
    OF_STATUS,
    ONE,
    OUTPUTS,
    RAISED,
    REGISTERS,
    RELEASES,
    RELEASING_BYTES,
    RESULT_KIND,
    RESULT_TYPE,
    RESULTS,
    SAME_PLACE,
    SCALARS,
    SETTINGS,
    SHARES_ALL,
    SPANS,
    STATUS_WORDS,
    STEPS,
    TENSORS,
    TOUCHED,
    WRITTEN,
    here,
)
from .intrinsics import Word, store, word, words
from .launches import launch
from .layout import TUPLE_ITEMS, TUPLE_SIZE, TYPE
from .memory import (
    address_of,
    is_in_inference,
    is_memory,
    new_tensor,
    new_tensor_at,
    new_view,
    obtain,
    pool_of,
)
from .objects import drop, encoded, encoded_number, hold, integer, replace
from .specs import found_spec
from .steps import run_steps
from .subset import inlined, native
from .threads import share


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
def launch_all(
    plan: Word, at: Word, frame: Word, blocks: Word, arena: Word, addresses: Word, is_long: Word
) -> Word:
    """Make the launches of a plan, together with other threads if they may take long.

    Returns whether none has reported a fault.
    """
    count = word(plan, LAUNCHES)
    scalars = frame + FRAME_HEAD + word(plan, TENSORS) * 8
    registers = frame + word(plan, REGISTERS)
    filled = words(MOST_WORDS)
    status = words(STATUS_WORDS)
    store(status, 0, 0)
    while count > 0:
        function = word(at)
        total = word(at, 8)
        patches = word(at, 16)
        length = word(at, 24)
        at = at + 32
        index = 0
        while index < total:
            store(filled, index * 8, word(at))
            at = at + 8
            index = index + 1
        while patches > 0:
            what = word(at, 8)
            which = word(at, 16)
            if what == OF_INPUT:
                found = word(addresses, which * 8) + word(at, 24)
            elif what == OF_OUTPUT:
                found = word(word(blocks, which * 8), BLOCK_ADDRESS)
            elif what == OF_ARENA:
                found = word(arena, BLOCK_ADDRESS) + which
            elif what == OF_STATUS:
                found = status
            elif what == OF_REGISTER:
                found = word(registers, which)
            elif what == OF_PART:
                found = word(addresses, which * 8) + word(registers, word(at, 24))
            elif what == OF_ARENA_PART:
                found = word(arena, BLOCK_ADDRESS) + word(registers, which)
            elif what >= AS_FLOAT64 + IN_REGISTER:
                found = encoded_number(word(registers, which), what - IN_REGISTER, word(at, 24))
            else:
                found = encoded(word(scalars, which * 8), what, word(at, 24))
            store(filled, word(at) * 8, found)
            at = at + 32
            patches = patches - 1
        is_made = 0
        if length > 0:
            if is_long or word(here.shared, SHARES_ALL):
                is_made = share(function, filled, total, at)
            at = at + length * 8
        if not is_made:
            launch(function, filled, total)
        if word(status) != 0:
            return 0
        count = count - 1
    return 1


@native
def launch_released(
    plan: Word, at: Word, frame: Word, blocks: Word, arena: Word, addresses: Word
) -> Word:
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
    is_done = launch_all(plan, at, frame, blocks, arena, addresses, 1)
    here.PyEval_RestoreThread(state)
    let_go(held, count)
    return is_done


@inlined
def hold_operands(tensors: Word, specs: Word, count: Word) -> Word:
    """Hold operands, and the specs that they have now: what runs from here on may drop them."""
    while count > 0:
        count = count - 1
        operand = hold(word(tensors, count * 8))
        spec = 0
        if word(operand, TYPE) == here.tensor_type:
            spec = hold(word(operand, here.spec))
        store(specs, count * 8, spec)
    return 0


@inlined
def settle(tensors: Word, addresses: Word, count: Word) -> Word:
    """Find where the operands begin; 0 if one is not what it was.

    Python code may have run since they were compared, and changed them. Their specs lie behind the
    addresses.
    """
    specs = addresses + count * 8
    while count > 0:
        count = count - 1
        operand = word(tensors, count * 8)
        if word(operand, TYPE) == here.tensor_type:
            memory = word(operand, here.memory)
            if word(operand, here.spec) != word(specs, count * 8) or not is_memory(memory):
                return 0
            if word(memory, TYPE) == here.storage_type and word(memory, here.pointer) == 0:
                return 0
            store(addresses, count * 8, address_of(operand))
        else:
            store(addresses, count * 8, word(operand, here.array_data))
    return 1


@inlined
def take_blocks(plan: Word, at: Word, registers: Word, blocks: Word) -> Word:
    """Take the blocks of the outputs, each for the storage of one result: MISS if none fits."""
    count = word(plan, OUTPUTS)
    while count > 0:
        pool = word(at)
        if pool == 0:
            pool = pool_of(word(registers, word(at, 8)))
        if pool == 0:
            return MISS
        block = obtain(pool)
        if block == 0:
            return RAISED
        if word(at) != 0:
            length = hold(word(at, 8))
        else:
            length = here.PyLong_FromLongLong(word(registers, word(at, 8)))
            if length == 0:
                drop(block)
                return RAISED
        store(block, BLOCK_LENGTH, length)
        store(block, BLOCK_IS_INFERENCE, is_in_inference())
        store(blocks, 0, block)
        blocks = blocks + 8
        at = at + 16
        count = count - 1
    return at


@inlined
def open_result(plan: Word, at: Word, registers: Word, memory: Word) -> Word:
    """Make a tensor of a spec that its numbers describe: on a block, or a view of a tensor."""
    spec = found_spec(plan + word(at, 16), registers)
    if spec == 0:
        return 0
    start = word(registers, word(at, 24))
    if word(at) == IS_OPEN_VIEW:
        made = new_view(memory, spec, start, word(at, 32))
    else:
        made = new_tensor_at(memory, spec, start, start * word(at, 32))
    drop(spec)
    return made


@inlined
def make_results(plan: Word, at: Word, frame: Word, blocks: Word, results: Word) -> Word:
    """Make the tensors that a plan gives."""
    count = word(plan, RESULTS)
    tensors = frame + FRAME_HEAD
    registers = frame + word(plan, REGISTERS)
    while count > 0:
        kind = word(at)
        which = word(at, 8) * 8
        if kind == IS_FRESH:
            block = word(blocks, which)
            made = new_tensor(block, word(at, 16), hold(word(at, 24)), hold(word(at, 32)))
        elif kind == IS_OPEN_FRESH:
            made = open_result(plan, at, registers, word(blocks, which))
        elif kind == IS_VIEW or kind == IS_OPEN_VIEW:
            if word(word(tensors, which), here.state) != here.none:
                return MISS
            if kind == IS_VIEW:
                made = new_view(word(tensors, which), word(at, 16), word(at, 24), word(at, 32))
            else:
                made = open_result(plan, at, registers, word(tensors, which))
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
def count_write(tensor: Word) -> Word:
    """Count a write to the storage of a tensor."""
    memory = word(tensor, here.memory)
    before = word(memory, here.writes)
    number = 0
    if before != 0:
        number = integer(before)
    after = here.PyLong_FromLongLong(number + 1)
    if after == 0:
        here.PyErr_Clear()  # there is no memory for an integer: the write is done all the same
    else:
        replace(memory, here.writes, after)
    if word(memory, here.seal) != 0:
        replace(memory, here.seal, 0)
    return 0


@inlined
def count_writes(plan: Word, at: Word, frame: Word) -> Word:
    """Count a write of each tensor that was written to."""
    count = word(plan, WRITTEN)
    while count > 0:
        count_write(word(frame + FRAME_HEAD, word(at) * 8))
        at = at + 24
        count = count - 1
    return 0


@inlined
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


@inlined
def is_in_place(plan: Word, tensors: Word, addresses: Word, registers: Word) -> Word:
    """Whether the second operand is the part of the first that a plan wants, if it does.

    They share a storage, as parts do: neither has a block that stands for one.
    """
    place = word(plan, SAME_PLACE)
    if place == NO_REGISTER:
        return 1
    first = word(tensors)
    second = word(tensors, 8)
    if word(first, here.state) != here.none or word(second, here.state) != here.none:
        return 0
    memory = word(first, here.memory)
    if memory != word(second, here.memory) or word(memory, TYPE) != here.storage_type:
        return 0
    return word(addresses) + word(registers, place) == word(addresses, 8)


@inlined
def pool_of_arena(plan: Word, registers: Word) -> Word:
    """Return the pool that the memory of a plan's temporaries is taken from, NO_BLOCK if none."""
    if word(plan, ARENA_BYTES) == NO_REGISTER:
        return word(plan, ARENA)
    pool = pool_of(word(registers, word(plan, ARENA_BYTES)))
    if pool == 0:
        return NO_BLOCK
    return pool


@inlined
def is_releasing(plan: Word, registers: Word) -> Word:
    """Whether the kernels of a plan take long enough to let other threads run."""
    if word(plan, TOUCHED) == NO_REGISTER:
        return word(plan, RELEASES)
    return word(registers, word(plan, TOUCHED)) > RELEASING_BYTES


@inlined
def run_matched(plan: Word, at: Word, frame: Word, first: Word) -> Word:
    """Run a plan on what is in the frame: the result, MISS or RAISED."""
    tensors = frame + FRAME_HEAD
    blocks = tensors + (word(plan, TENSORS) + word(plan, SCALARS)) * 8
    results = blocks + word(plan, OUTPUTS) * 8
    addresses = results + word(plan, RESULTS) * 8
    registers = frame + word(plan, REGISTERS)
    written = at
    if word(plan, HURRIED) > 0 and is_releasing(plan, registers):
        return MISS
    if word(plan, WRITTEN) > 0 and not may_write(plan, at, frame):
        return MISS
    at = at + word(plan, WRITTEN) * 24 + word(plan, SPANS) * 8
    arena = pool_of_arena(plan, registers)
    if arena == NO_BLOCK:
        return MISS
    if arena != 0:
        arena = obtain(arena)
        if arena == 0:
            return RAISED
    found = take_blocks(plan, at, registers, blocks)
    if found > RAISED:
        found = make_results(plan, found, frame, blocks, results)
    after = found
    if found > RAISED:
        found = MISS
        is_settled = settle(tensors, addresses, word(plan, TENSORS))
        if is_settled and is_in_place(plan, tensors, addresses, registers):
            is_done = 1
            if word(plan, LAUNCHES) > 0:
                if is_releasing(plan, registers):
                    is_done = launch_released(plan, after, frame, blocks, arena, addresses)
                else:
                    is_done = launch_all(plan, after, frame, blocks, arena, addresses, 0)
            if is_done:
                count_writes(plan, written, frame)
                if word(plan, SAME_PLACE) != NO_REGISTER:
                    count_write(word(tensors))
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
    frame = words(word(plan, FRAME))
    store(frame, NEXT_TENSOR, frame + FRAME_HEAD)
    store(frame, NEXT_SCALAR, frame + FRAME_HEAD + word(plan, TENSORS) * 8)
    store(frame, NEXT_NUMBER, frame + word(plan, REGISTERS))
    at = all_matched(values, count, plan + BODY + names * 8, frame)
    if at == 0:
        return MISS
    at = held_matched(at, plan, frame)
    if at == 0:
        return MISS
    if word(plan, STEPS) > 0:
        at = run_steps(plan, at, frame)
        if at == 0:
            return MISS
    tensors = frame + FRAME_HEAD
    count = word(plan, TENSORS)
    place = tensors + (count + word(plan, SCALARS)) * 8
    specs = place + (word(plan, OUTPUTS) + word(plan, RESULTS) + count) * 8
    while place < specs - count * 8:
        store(place, 0, 0)
        place = place + 8
    hold_operands(tensors, specs, count)
    keeper = hold(word(plan, KEEPER))
    found = run_matched(plan, at, frame, word(values))
    let_go(tensors, count)
    let_go(specs, count)
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
    keywords = word(arguments, 8)
    if word(keywords, TUPLE_SIZE) == 0:
        keywords = 0
    plan = integer(word(arguments))
    found = run_plan(plan, arguments + 16, count - 2, keywords)
    if found == RAISED:
        return 0
    made = here.PyList_New(0)
    if found != MISS:
        here.PyList_Append(made, found)
        drop(found)
    return made
