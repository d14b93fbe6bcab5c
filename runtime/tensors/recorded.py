"""What is a tensor that has to do with gradients? One of a class of its own.

Native code and the keys of plans ask for the class `Tensor` itself: what they do not take comes to
the operations, which record it. The class changes with the tensor, which stays the same object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, SupportsIndex

from ...dialects.attributes.fixed import write
from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.frames import warn_once
from ..gradients.state import requires_gradient
from ..gradients.views import become_view, check_write
from . import origins
from .fields import TensorFields
from .gradients import RECORDED
from .host_view import Array
from .own_attributes import copied as copy_attributes
from .own_attributes import pickled
from .own_attributes import shared as share_attributes
from .printing import format_tensor
from .tensor import Tensor

_new = object.__new__
_DATA: Any = Tensor.data

_TO_SCALAR = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)
_COPIED = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)


class RecordedTensor(Tensor):
    """A tensor that requires a gradient, or a view of one of which gradients know."""

    __slots__ = ()

    def alias(self) -> Any:
        """Return a plain tensor of the same fields, which counts versions with this one."""
        made = _new(Tensor)
        write(made, "state", None)
        made.take_over(self.memory, self.spec, self.offset)
        made.count_with(self)
        return made

    def become_plain(self) -> None:
        """Be a plain tensor again, unless gradients still know it as a view."""
        found = self.gradient_state()
        if not found.is_required and found.view is None:
            self.__class__ = Tensor  # pyright: ignore[reportAttributeAccessIssue]

    # What changes it

    def resize_(self, *size: Any, memory_format: Any = None) -> Self:
        """Refuse another size while a gradient is required."""
        if self.requires_grad:
            raise TrilithRuntimeError("cannot resize variables that require grad")
        return super().resize_(*size, memory_format=memory_format)

    def set_(self, *source: Any, **keywords: Any) -> Self:
        """Refuse other memory for a leaf that requires a gradient."""
        check_write(self)
        return super().set_(*source, **keywords)

    def _set_data(self, value: Any) -> None:
        spec = getattr(value, "spec", self.spec)
        is_differentiable = spec.dtype.is_floating_point or spec.dtype.is_complex
        if self.requires_grad and not is_differentiable:
            raise TrilithRuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        _DATA.__set__(self, value)

    data = _DATA.setter(_set_data)  # pyright: ignore[reportIncompatibleMethodOverride] - a property

    def _become(self, name: str, see: Callable[[], TensorFields]) -> Self:
        self.check_metadata_change(name)
        self.check_mode()
        become_view(self, name, see, self._look_as)
        return self

    # What leaves it

    def numpy(self, *, force: bool = False) -> Array:
        """Return an array over the same memory; with `force` alone if a gradient is required."""
        if not force and self.requires_grad:
            raise TrilithRuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                "instead."
            )
        return self.without_gradient().numpy(force=force)

    def _only(self, target: str) -> bool | int | float | complex:
        if self.requires_grad and self.spec.numel == 1:
            warn_once(_TO_SCALAR)
        return super()._only(target)

    def __dlpack__(self, **keywords: Any) -> Any:
        """Refuse to hand out memory of which operations are recorded."""
        if self.requires_grad:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        return super().__dlpack__(**keywords)

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Pickle by value: what comes back is a leaf."""
        made = _rebuild_tensor_v2, (self.memory, self.spec, self.offset, self.requires_grad)
        return pickled(self, made)

    def __copy__(self) -> Tensor:
        """Return another tensor on the same storage, which requires a gradient if this one does."""
        made = self.without_gradient()
        if self.requires_grad:
            made.requires_grad_()
        return share_attributes(self, made)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        """Return a copy of a leaf, with a copy of its gradient and without hooks."""
        if id(self) not in memo:
            if not self.is_leaf:
                raise TrilithRuntimeError(_COPIED)
            copied = self.without_gradient().__deepcopy__(memo)
            grad = self.gradient_state().grad
            if self.requires_grad:
                copied.requires_grad_()
            if grad is not None:
                copied.grad = grad.__deepcopy__(memo)
            memo[id(self)] = copy_attributes(self, copied, memo)
        return memo[id(self)]

    def __repr__(self) -> str:
        """Return the values, and whether they lead anywhere."""
        values = self._printed()
        end = ""
        if self.grad_fn is not None:
            end = f"grad_fn=<{type(self.grad_fn).__name__}>"
        elif requires_gradient(self):
            end = "requires_grad=True"
        return format_tensor(values, self.spec, note=end)


#: Programs that print the class of a tensor see what they expect.
RecordedTensor.__name__ = RecordedTensor.__qualname__ = "Tensor"
RECORDED[Tensor] = RecordedTensor


def _rebuild_tensor_v2(memory: Any, spec: Any, offset: int, requires_grad: bool) -> Any:
    # By PyTorch's name of what pickled tensors are made by.
    made = origins.borrowed(Tensor(memory, spec, offset))
    return made.requires_grad_(requires_grad)
