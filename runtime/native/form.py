"""How do plans, blocks and entries lie in memory? In bytes, for who writes and who reads them.

A plan is a block of words::

    header, then the names of keywords, then what each argument must be, then the captured
    tensors, then which operands are written to, then the outputs, then the results, then the
    launches
"""

from __future__ import annotations

from .subset import Context

#: What each process tells its native code: where things are.
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
OF_INPUT, OF_OUTPUT, OF_ARENA, OF_STATUS = 0, 1, 2, 3
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
#: A call of more arguments keeps them on the heap, and a plan with a larger frame is none.
MOST_ON_STACK = 1 << 10
#: How many misses are answered before one is learnt from.
PATIENCE = 4

# An entry: its table and how large that is, misses, what runs in Python and what learns from it,
# whether these are given the callable itself, and hits.
TABLE, MASK, MISSES, SLOW, LEARN, BINDS, HITS = 0, 8, 16, 24, 32, 40, 48
KEYWORD_OFFSET_BIT = 1 << 63
