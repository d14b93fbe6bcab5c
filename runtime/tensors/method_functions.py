"""Which methods of tensors are functions, too, though no row is behind them?

They make another tensor of the same memory, or change what a tensor sees of its memory.
"""

from __future__ import annotations

from typing import Any

from ...dialects.diagnostics import TrilithTypeError
from .fields import TensorFields


def _checked(name: str, value: Any, parameter: str = "input", position: int = 1) -> Any:
    if not isinstance(value, TensorFields):
        raise TrilithTypeError(
            f"{name}(): argument '{parameter}' (position {position}) must be Tensor, not "
            f"{type(value).__name__}"
        )
    return value


def detach(input: Any) -> Any:
    """Return another tensor on the same memory; there are no gradients to leave behind.

    >>> import trilith as tri
    >>> tri.detach(tri.tensor([1.0]))
    tensor([1.])
    """
    return _checked("detach", input).detach()


def detach_(input: Any) -> Any:
    """Return the tensor itself: nothing is recorded for it.

    >>> import trilith as tri
    >>> tri.detach_(tri.tensor([1.0]))
    tensor([1.])
    """
    return _checked("detach_", input).detach_()


def is_inference(input: Any) -> bool:
    """Tell whether a tensor was made in inference mode.

    >>> import trilith as tri
    >>> tri.is_inference(tri.ones(1))
    False
    """
    return _checked("is_inference", input).is_inference()


def resize_as_(input: Any, the_template: Any, *, memory_format: Any = None) -> Any:
    """Change the shape of a tensor to that of another one, and return it.

    >>> import trilith as tri
    >>> tri.resize_as_(tri.zeros(4), tri.ones(2, 2))
    tensor([[0., 0.],
            [0., 0.]])
    """
    _checked("resize_as_", the_template, "the_template", 2)
    return _checked("resize_as_", input).resize_as_(the_template, memory_format=memory_format)


def as_strided_(input: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    """Let a tensor see its storage in other sizes and strides, and return it.

    >>> import trilith as tri
    >>> tri.as_strided_(tri.arange(4), (2,), (3,))
    tensor([0, 3])
    """
    return _checked("as_strided_", input).as_strided_(size, stride, storage_offset)


def to_dlpack(tensor: Any) -> Any:
    """Return a capsule of DLPack over a tensor's memory, for `from_dlpack`.

    >>> import trilith as tri
    >>> tri.from_dlpack(tri.to_dlpack(tri.tensor([1.0])))
    tensor([1.])
    """
    # As in PyTorch, which refuses a tensor that requires a gradient in the method alone.
    return _checked("_to_dlpack", tensor, "data").detach().__dlpack__()
