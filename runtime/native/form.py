"""How do plans, blocks and entries lie in memory? In bytes, for who writes and who reads them.

A plan is a block of words::

    header, then the names of keywords, then what each argument must be, then the captured
    tensors, then what must have its seal, then the steps, then what is written to, then the
    spans of the operands, then the outputs, then the results, then the launches

A plan for all sizes takes the numbers that the patterns of its operands leave open, and integers
among its arguments, into registers; its steps compute the others of them and test its guards, and
what stands for a size in the rest of it is a register, by its offset in bytes.
"""

from __future__ import annotations

from typing import Any


class Context:
    """Words that are filled in where the code is loaded; a name is known from its first use on."""

    def __getattr__(self, name: str) -> Any:
        """Say that this is no Python function: it is read in native code alone."""
        raise AttributeError(f"'{name}' has a value in native code only", name=name, obj=self)


#: What each process tells its native code: where things are.
here = Context()

# A pool of free blocks: the first one, how many, how many at most, their size, and the pool of
# larger blocks that serve as well (0 if none do).
FIRST, COUNT, LIMIT, SIZE, LARGER = 0, 8, 16, 24, 32
POOL_WORDS = 5
# A block, behind what every object has: where its memory is, how many bytes, its pool, the next
# free one; what owns the memory; its address as an object, the length of the storage that it
# stands for, or 0, and whether that is of inference mode.
BLOCK_ADDRESS, BLOCK_SIZE, BLOCK_POOL, BLOCK_NEXT, BLOCK_OWNER, BLOCK_POINTER, BLOCK_LENGTH = (
    *(16, 24, 32, 40, 48, 56, 64),
)
BLOCK_IS_INFERENCE, BLOCK_BYTES = 72, 80

# The header of a plan
KEEPER, ARGUMENTS, NAMES, SETTINGS, IS_PLACED, CAPTURED, OUTPUTS, WRITTEN, LAUNCHES, RESULTS = (
    *(0, 8, 16, 24, 32, 40, 48, 56, 64, 72),
)
RESULT_KIND, RESULT_TYPE, RELEASES, TENSORS, SCALARS, FRAME, ARENA, STEPS, REGISTERS, SPANS = (
    *(80, 88, 96, 104, 112, 120, 128, 136, 144, 152),
)
# Registers or `NO_REGISTER`: bytes that are touched, bytes of the arena, and where the second
# operand must begin, behind the first one. How many kernels have code that is not for long calls.
# How many tensors the plan holds something of that was derived from them; four words each: the
# tensor, its storage and the object of its offset in bytes then, and the storage's seal of then.
TOUCHED, ARENA_BYTES, SAME_PLACE, HURRIED, SEALED, BODY = 160, 168, 176, 184, 192, 200
NO_REGISTER = -1
# What a plan gives
ONE, SEVERAL, FIRST_ARGUMENT, NOTHING = 0, 1, 2, 3
# What an argument must be; two words each, of an array its dtype, its rank, sizes and strides.
IS_TENSOR, IS_KIND, IS_INT64, IS_OBJECT, IS_INTEGER, IS_FLOAT, IS_SLICE, IS_TUPLE, IS_LIST = (
    *(1, 2, 3, 4, 5, 6, 7, 8, 9),
)
IS_MODERATE, IS_ARRAY = 10, 11
# The same for all sizes: a tensor of a pattern; an integer that is none of these, or any one; a
# packed array, of which there are its dtype, rank, bytes of an element, and sizes: 0, 1 or OPEN.
IS_PATTERN, IS_NUMBER, IS_OPEN_ARRAY = 12, 13, 14
OPEN = 2
#: A kernel that takes more words takes them in one block.
MOST_WORDS = 64
# What a word of a launch is; four words each: where, what, which, and how many bits.
OF_INPUT, OF_OUTPUT, OF_ARENA, OF_STATUS = 0, 1, 2, 3
# The same, by a register: a number, and a place in an operand or in the arena.
OF_REGISTER, OF_PART, OF_ARENA_PART = 4, 5, 6
#: The words of a status that a kernel writes to.
STATUS_WORDS = 4
AS_FLOAT64, AS_FLOAT32, AS_BOOL, AS_SIGNED, AS_UNSIGNED = 16, 17, 18, 19, 20
#: Added to one of these where the number is in a register.
IN_REGISTER = 32
# What a result is; five words each: what, which, its spec, and its offsets. For all sizes there
# are where in the plan a spec is described, the register of the offset, and the size of an element.
IS_FRESH, IS_VIEW, IS_GIVEN, IS_OPEN_FRESH, IS_OPEN_VIEW = 0, 1, 2, 3, 4
# What describes a spec, at the end of the plan: its pattern, how many numbers, and their registers.
PATTERN, NUMBERS, FIRST_NUMBER = 0, 8, 16

# Steps, of three words: what, a register, and another one or a number. Some give the next register
# a value, others are guards.
CONSTANT, ADD, ADD_NUMBER, MULTIPLY, MULTIPLY_NUMBER, DIVIDE = 0, 1, 2, 3, 4, 5
AT_LEAST, EQUALS, DIFFERS, IS_WITHIN = 6, 7, 8, 9

#: All bits of a float64 but the first.
WITHOUT_SIGN = (1 << 63) - 1

# How a frame begins: where the next tensor, the next number and the next size go.
NEXT_TENSOR, NEXT_SCALAR, NEXT_NUMBER, FRAME_HEAD = 0, 8, 16, 24

# Tables of specs that come often and of others, two beside one another, and one of hashes: how
# often what each stands for was made, up to what is often.
SPEC_PLACES, NEW_SPECS, HASHES = 1 << 11, 1 << 5, 1 << 11
OFTEN_MADE = 2
#: Larger blocks are not pooled. Sizes of blocks are classes: so many per power of two.
LARGEST = 1 << 26
SMALLEST_STEP, STEPS_PER_POWER = 6, 8

#: No plan, and an error that Python knows of; where there is no free block.
MISS, RAISED = 0, 1
NO_BLOCK = -1
#: Kernels that touch more bytes run while other threads may.
RELEASING_BYTES = 1 << 16
#: A call of more arguments keeps them on the heap, and a plan with a larger frame is none.
MOST_ON_STACK = 1 << 10
#: 64 bits of the golden ratio: its multiples are spread evenly.
GOLDEN = -0x61C8864680B583EB

#: One call in so many that plans for all sizes answer is a sample, which Python answers: sizes that
#: are in two samples in a row get a plan of their own.
OFTEN = 1 << 10

# An entry: its table and how large that is, misses, what runs in Python and what learns from it,
# whether these are given the callable itself, hits.
TABLE, MASK, MISSES, SLOW, LEARN, BINDS, HITS = 0, 8, 16, 24, 32, 40, 48
# The same of plans for all sizes, and how often that table was asked; whether the call that Python
# learns from is one that is answered there; how many calls are not learnt from.
OPEN_TABLE, OPEN_MASK, OPEN_HITS, IS_SAMPLE, LEFT_OUT = 56, 64, 72, 80, 88
# What must hold for any plan, and how many of these there are. Four words each: what kind of, a
# dict or list, a key or index, what is there (0: nothing). A length has no key.
HELD, HELD_COUNT = 96, 104
ENTRY_WORDS = 14
IN_DICT, IN_LIST, IS_LENGTH = 0, 1, 2
KEYWORD_OFFSET_BIT = 1 << 63

# What threads that share launches look at, in lines of the cache of their own. The number of the
# launch, which grows, of 32 bits; how many parts are done, and how many threads sleep.
LAUNCH, DONE, SLEEPERS = 64, 128, 192
# Whether a launch is being shared; how many threads there may be, the caller among them, and how
# many were started; the least work that is shared, that is worth waking who sleeps, and of a part;
# the work that was not shared since somebody was woken; whether all is shared that can be, in parts
# of any length, which is for tests.
BUSY, THREADS, STARTED, LEAST_WORK, WORK_TO_WAKE, WORK_OF_PART, UNSHARED, SHARES_ALL = (
    *(256, 264, 272, 280, 288, 296, 304, 312),
)
# The launch that is shared: its function, its words and their number, along what it is cut, how
# many values that has in all and in a grain, how many grains and parts, how the caller's thread
# computes, and how many rows of parts there are.
FUNCTION, GIVEN, GIVEN_COUNT, ALONG, VALUES, OF_A_GRAIN, GRAINS, PARTS, MODES, ROWS = (
    *(320, 328, 336, 344, 352, 360, 368, 376, 384, 392),
)
# Parts that follow one another are a row, of which there is one for each thread, up to a limit. For
# each, in a line of its own, a ticket: how many of its parts nobody has taken, and above these 32
# bits the number of the launch.
TICKETS, TICKET_BYTES, MOST_ROWS = 448, 64, 16
SHARED_WORDS = (TICKETS + MOST_ROWS * TICKET_BYTES) // 8
# What says how a launch may be cut: what a point costs, how many sizes give its points, how many
# cuts there are, and the words of those sizes; then for each cut which word is the size, its grain,
# how many parts there are for each thread at most, and how many shifts; then for each shift the
# word of an offset, that of a stride or `NO_WORD`, and a factor.
COST, POINT_SIZES, CUTS, FIRST_SIZE = 0, 8, 16, 24
CUT_EXTENT, CUT_GRAIN, CUT_PARTS, CUT_SHIFTS, FIRST_SHIFT, SHIFT_BYTES = 0, 8, 16, 24, 32, 24
NO_WORD = -1
#: A launch becomes at most so many parts for each thread: who is late finds the others' work done.
PARTS_FOR_EACH = 4
#: So many for each thread are enough where all threads get as many.
EVEN_PARTS_FOR_EACH = 2
#: How often a thread looks for work before it sleeps: for some 100 microseconds.
LOOKS = 1 << 12
# System calls of Linux on x86-64, and their words.
FUTEX, FUTEX_WAIT_PRIVATE, FUTEX_WAKE_PRIVATE = 202, 128, 129
SIG_BLOCK, SIG_SETMASK, SIGNAL_SET_WORDS = 0, 2, 16
