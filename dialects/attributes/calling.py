"""When does a kernel take its arguments in a block of memory, instead of one by one?

Both sides of a call ask here: who emits a kernel, and who launches it.
"""

from __future__ import annotations

#: A function of the host takes so many words; ctypes passes 1,024 at most.
HOST_WORDS = 512

#: A kernel of an OpenCL device takes so many bytes: what every device takes.
OPENCL_BYTES = 1024

#: Each buffer of an OpenCL kernel is a handle and an offset.
_POINTER_BYTES, _INTEGER_BYTES = 16, 8


def is_packed_on_host(pointers: int, integers: int) -> bool:
    """Whether a kernel of the host takes one pointer: to its pointers and then its integers.

    >>> is_packed_on_host(3, 10), is_packed_on_host(300, 300)
    (False, True)
    """
    return pointers + integers > HOST_WORDS


def is_packed_on_opencl(pointers: int, integers: int) -> bool:
    """Whether a kernel of an OpenCL device takes, after its buffers, one that holds its integers.

    >>> is_packed_on_opencl(3, 10), is_packed_on_opencl(30, 100)
    (False, True)
    """
    return _POINTER_BYTES * pointers + _INTEGER_BYTES * integers > OPENCL_BYTES
