"""Which of a call's flattened arguments are tensors, and which are numbers?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast, overload

from ...dialects.attributes.default_dtype import get_default_dtype
from ...dialects.attributes.device import HOST, Device
from ...dialects.attributes.dims import DimExpression, Extent, SymbolicSpec, extents
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.attributes.strides import strides_for
from ...dialects.diagnostics import TrilithError, TrilithOverflowError, TrilithTypeError
from ...runtime.tensors.tensor import Tensor
from .numbers import is_argument
from .operands import as_operand

#: What arguments are in the order in which they were given, and the tensors and numbers among them.
SplitLeaves = tuple[list[TensorSpec | ScalarSpec], list[Tensor], list[Any]]


def split_leaves(leaves: Iterable[Any]) -> SplitLeaves:
    """Sort flattened arguments into tensors (arrays become tensors) and numbers.

    >>> split_leaves([1.5, True])
    ([ScalarSpec('float'), ScalarSpec('bool')], [], [1.5, True])
    """
    kinds: list[TensorSpec | ScalarSpec] = []
    tensors: list[Tensor] = []
    scalars: list[Any] = []
    for leaf in leaves:
        if type(leaf) is Tensor:
            kinds.append(leaf.spec)
            tensors.append(leaf)
            continue
        found = as_operand(leaf)
        if found is None:
            raise refuse_argument(leaf)
        if isinstance(found, Tensor):
            kinds.append(found.spec)
            tensors.append(found)
            continue
        if not is_argument(found):
            raise TrilithOverflowError(
                "int too big to convert",
                hint="numbers are passed as int64; name a larger one in static_argnames",
            )
        kinds.append(ScalarSpec.of(found))
        scalars.append(found)
    return kinds, tensors, scalars


def refuse_argument(leaf: Any) -> TrilithError:
    """Return the error for an argument that is neither an array nor a number."""
    if hasattr(leaf, "left_over"):
        return leaf.left_over()
    return TrilithTypeError(
        "a compiled function takes tensors, arrays, numbers, strings, dtypes and devices, not "
        f"{type(leaf).__name__}",
        hint="name the argument in static_argnames if the traced code depends on it",
    )


def _sizes(name: str, given: Any) -> tuple[Any, ...]:
    """Return the sizes or strides of a spec; refuse what is none of these."""
    if not isinstance(given, (tuple, list)):
        raise TrilithTypeError(
            f"spec(): {name} must be a tuple of integers and dims, not {type(given).__name__}",
            hint="of one dim: (3,)",
        )
    return tuple(cast("Sequence[Any]", given))


@overload
def spec(  # pyright: ignore[reportOverlappingOverload] - what has no dims is of the first kind
    shape: Sequence[int],
    dtype: DType | None = ...,
    *,
    device: str = ...,
    strides: Sequence[int] | None = ...,
    memory_format: MemoryFormat | None = ...,
) -> TensorSpec: ...


@overload
def spec(
    shape: Sequence[Extent],
    dtype: DType | None = ...,
    *,
    device: str = ...,
    strides: Sequence[Extent] | None = ...,
    memory_format: MemoryFormat | None = ...,
) -> SymbolicSpec: ...


def spec(
    shape: Sequence[Extent],
    dtype: DType | None = None,
    *,
    device: str = HOST,
    strides: Sequence[Extent] | None = None,
    memory_format: MemoryFormat | None = None,
) -> TensorSpec | SymbolicSpec:
    """Return the description of a tensor for `trace`: shape, dtype, device, strides.

    Sizes are integers, or dims: `tri.dim("batch")` stands for any size.

    >>> import trilith as tri
    >>> tri.spec((1, 3, 8, 8), tri.uint8, memory_format=tri.channels_last).strides
    (192, 1, 24, 3)
    >>> tri.spec((tri.dim("batch"), 3))
    spec((batch, 3), trilith.float32)
    """
    found: Any = get_default_dtype() if dtype is None else dtype
    if not isinstance(found, DType):
        raise TrilithTypeError(
            f"spec(): dtype must be a dtype, not {type(found).__name__}",
            hint="dtypes are objects: trilith.float32",
        )
    given = (*_sizes("shape", shape), *_sizes("strides", strides or ()))
    if any(isinstance(size, DimExpression) for size in given):
        kept = None if strides is None else extents(strides)
        return SymbolicSpec(extents(shape), found, Device(device), kept, memory_format)
    sizes: Any = tuple(shape)
    steps: Any = None if strides is None else tuple(strides)
    if memory_format is not None:
        steps = strides_for(sizes, memory_format)
    return TensorSpec.of(sizes, found, Device(device), steps)
