"""What is a weight of a network? A tensor that requires a gradient: `nn.Parameter`."""

from __future__ import annotations

from typing import Any, Self, SupportsIndex

from ...dialects.attributes.default_dtype import get_default_dtype
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ..gradients import recording as gradients
from . import origins
from .fields import TensorFields
from .own_attributes import pickled
from .own_attributes import shared as share_attributes
from .recorded import RecordedTensor
from .recording import unrecorded
from .tensor import Tensor, empty_tensor


class Parameter(RecordedTensor):
    """A tensor on the memory of another one, which requires a gradient unless told not to.

    What is computed from it are tensors, no parameters.

    >>> import trilith as tri
    >>> tri.nn.Parameter(tri.tensor([1.0, 2.0]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    """

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Self:
        """Look at the memory of `data`; without, at none."""
        unrecorded("a Parameter is made")
        if data is None:
            data = empty_tensor(TensorSpec.of((0,), get_default_dtype()))
        if not isinstance(data, TensorFields):
            raise TrilithTypeError(
                f"cannot make a Parameter of type {type(data).__name__}: it takes a Tensor"
            )
        if requires_grad and not (data.spec.dtype.is_floating_point or data.spec.dtype.is_complex):
            raise TrilithRuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        given: Any = data
        return _as_parameter(given.detach(), cls, requires_grad)

    def become_plain(self) -> None:
        """Stay a parameter, whether it requires a gradient or not."""

    def __copy__(self) -> Any:
        """Return another parameter on the same memory."""
        made = _as_parameter(self.without_gradient(), type(self), self.requires_grad)
        return share_attributes(self, made)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Return a parameter with copies of the elements alone: no gradient, no attributes."""
        if id(self) not in memo:
            unrecorded("a parameter is copied (deepcopy)")
            copied: Any = self.without_gradient().clone()
            memo[id(self)] = _as_parameter(copied, type(self), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Pickle by value."""
        made = _rebuild_parameter, (self.memory, self.spec, self.offset, self.requires_grad)
        return pickled(self, made)

    def __repr__(self) -> str:
        """Return the values under a headline, as PyTorch does."""
        return f"Parameter containing:\n{super().__repr__()}"


def _as_parameter(tensor: Any, kind: type[Any], requires_grad: bool) -> Any:
    """Make a tensor that nobody else knows a parameter."""
    gradients.load()
    tensor.gradient_state()
    tensor.__class__ = kind
    return tensor.requires_grad_(requires_grad)


def _rebuild_parameter(memory: Any, spec: Any, offset: int, requires_grad: bool) -> Any:
    made = origins.borrowed(Tensor(memory, spec, offset))
    return _as_parameter(made, Parameter, requires_grad)
