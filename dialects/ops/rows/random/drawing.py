"""How does a row draw? It takes key and counter from a generator, and another row makes numbers.

What makes numbers, `uniform_drawn` and its like, is a composite over the rows of `random_words.py`.
Its first operand is a tensor whose shape, dtype and layout the numbers take; it reads no element of
that. Key, counter and the parameters of a distribution are numbers of the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ....attributes.dtype import DType, float32, float64
from ....attributes.spec import TensorSpec
from ....attributes.strides import preserve_strides
from ...frame.indexed import DrawingLanguage, DrawingOp
from ...frame.opspec import CompositeOp
from ...frame.row import TensorLanguage, registering
from ...frame.view_rows import tensor_of
from ..creation.filled import FACTORY_WRITING

#: Adds a row that draws.
drawing = registering(DrawingOp)
#: Adds a function that draws a tensor from its options.
drawing_factory = registering(
    partial(DrawingOp, methods=(), is_factory=True, writing=FACTORY_WRITING)
)
#: Adds what makes numbers of a key and a counter.
drawn = registering(partial(CompositeOp, methods=(), is_public=False, is_drawn=True))


def element_numbers(t: TensorLanguage, spec: TensorSpec) -> Any:
    """Return the numbers of a tensor's elements, laid out as a tensor like it is."""
    strides = preserve_strides(spec.shape, spec.strides)
    return t.call("element_numbers", spec.shape, device=spec.device, strides=strides)


def working_dtype(dtype: DType) -> DType:
    """Return the dtype in which numbers are computed: float64 for itself, else float32."""
    return float64 if dtype.to_real() is float64 else float32


def draw_into(t: DrawingLanguage, name: str, made: Any, generator: Any, *numbers: Any) -> Any:
    """Let the elements of a new tensor be drawn by the row called `name`; on meta there are none.

    Where nothing is recorded they are written into its memory.
    """
    spec = tensor_of(t, made)
    if not spec.device.has_values:
        return made
    key, counter = t.draw(generator, spec.numel, spec.device)
    if not getattr(t, "has_memory", False):
        return t.call(name, made, key, counter, *numbers)
    writing: Any = t
    writing.write(name, made, key, counter, *numbers)
    return made


def draw_over(t: Any, name: str, target: Any, generator: Any, *numbers: Any) -> None:
    """Write what the row called `name` draws over all elements of a tensor."""
    spec = tensor_of(t, target)
    key, counter = t.draw(generator, spec.numel if spec.device.has_values else 0, spec.device)
    t.write(name, target, key, counter, *numbers)


def new_tensor(
    t: TensorLanguage,
    size: Sequence[int],
    dtype: DType,
    device: Any,
    strides: tuple[int, ...] | None = None,
) -> Any:
    """Return memory for numbers that will be drawn."""
    return t.call("uninitialised", size, dtype=dtype, device=device, strides=strides)


def checked(t: TensorLanguage, value: Any, bad: Any, fault: str) -> Any:
    """Return a value; where `bad` holds, the call that computes it raises the error of a fault."""
    return t.call("checked", value, bad, fault=fault)


def open_numbers(t: TensorLanguage, input: Any, key: Any, counter: Any, dtype: DType) -> Any:
    """Return uniform numbers in (0, 1) like a tensor, of float32 or float64."""
    numbers = element_numbers(t, tensor_of(t, input))
    return t.call("random_open", numbers, key, counter, dtype=dtype)
