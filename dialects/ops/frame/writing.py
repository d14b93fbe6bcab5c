"""What does a row ask of the memory that its result is written into, in place or as `out=`?"""

from __future__ import annotations

from collections.abc import Callable

from ...attributes.dtype import DType
from ...attributes.spec import TensorSpec
from ...records import record

#: (dtype of the result, dtype of `out`) -> None, or a refusal.
OutRule = Callable[[DType, DType], None]
#: (spec of `out=`, spec of the result, of another shape) -> a warning, "" for none
ResizeWarning = Callable[[TensorSpec, TensorSpec], str]


def resized_warning(out: TensorSpec, result: TensorSpec) -> str:
    """Return PyTorch's warning of an `out=` that has elements and gets another shape."""
    return (
        f"An output with one or more elements was resized since it had shape {list(out.shape)}, "
        f"which does not match the required output shape {list(result.shape)}. This behavior is "
        "deprecated, and in a future PyTorch release outputs will not be resized unless they have "
        "zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero "
        "elements with t.resize_(0)."
    )


def expanded_warning(name: str, example: str) -> str:
    """Return PyTorch's warning of a method that writes where several elements are one."""
    return (
        f"Use of {name} on expanded tensors is deprecated. Please clone() the tensor before "
        f"performing this operation. This also applies to advanced indexing e.g. {example}"
    )


@record
class Writing:
    """What a row asks of the memory that its result is written into.

    Operands may be that very memory, but not overlap it in part. Those that are named `apart` may
    not even be it; those `read_first` may lie anywhere, as they are read before anything is
    written. `expanded` is the warning of a row that writes in place where several elements are one.
    `is_uniform` says that all elements get one number, so that several may be one; `is_zeroing`
    that some become zero and the others stay, so that those that are one become zero with any.
    `refuse(dtype)` refuses the dtype of what an in-place method writes into. `is_copy` says that
    the elements of one operand are written as they are: onto themselves they need not be, and
    their conjugates are not resolved first. `resized(out, result)` is the warning of an `out=` that
    has elements and gets another shape, "" for none. An `out=` that `chooses_dtype` says in which
    dtype is computed, if the caller does not.
    """

    apart: frozenset[str] = frozenset()
    read_first: frozenset[str] = frozenset()
    expanded: str = ""
    is_uniform: bool = False
    is_zeroing: bool = False
    refuse: Callable[[DType], None] | None = None
    refuse_result: OutRule | None = None
    is_copy: bool = False
    resized: ResizeWarning = resized_warning
    chooses_dtype: bool = False


#: What most rows ask, and what those ask that fill with one number.
PLAIN_WRITING = Writing()
UNIFORM_WRITING = Writing(is_uniform=True)
