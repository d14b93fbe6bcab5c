"""What does a tensor say about gradients, when there are none? PyTorch's words for no gradient."""

from __future__ import annotations

from typing import Any, Self

from ...dialects.attributes.options import check_unoffered
from ...dialects.diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from ...dialects.frames import warn_user
from .fields import TensorFields


class WithoutGradients(TensorFields):
    """The gradient interface of a tensor that requires none, as every tensor of trilith."""

    __slots__ = ()

    @property
    def requires_grad(self) -> bool:
        """Whether operations on the tensor are recorded for gradients: never."""
        return False

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrilithRuntimeError("requires_grad must be a bool")
        self._require(value, "floating point and complex dtype")

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Accept False; True raises, because trilith has no gradients."""
        if not isinstance(requires_grad, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrilithTypeError(
                "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                f"{type(requires_grad).__name__}"
            )
        self._require(requires_grad, "floating point dtype")
        return self

    def _require(self, requires_grad: bool, kinds: str) -> None:
        dtype = self.spec.dtype
        if not requires_grad:
            return
        if not (dtype.is_floating_point or dtype.is_complex):
            raise TrilithRuntimeError(f"only Tensors of {kinds} can require gradients")
        check_unoffered(dtype, requires_grad=True, pin_memory=False)

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made the tensor: always."""
        return True

    @property
    def grad(self) -> None:
        """The gradient: None."""
        return None

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is None:
            return
        if not isinstance(value, TensorFields):
            raise TrilithTypeError(
                "assigned grad expected to be a Tensor or None but got grad of type "
                f"{type(value).__name__}"
            )
        if value.spec.shape != self.spec.shape:
            raise TrilithRuntimeError(
                f"attempting to assign a gradient of size '{list(value.spec.shape)}' to a tensor "
                f"of size '{list(self.spec.shape)}'. Please ensure that the gradient and the "
                "tensor are the same size"
            )
        raise TrilithNotImplementedError(
            "a gradient cannot be kept: trilith has no automatic differentiation"
        )

    @property
    def grad_fn(self) -> None:
        """The recorded operation that made the tensor: None."""
        return None

    @property
    def output_nr(self) -> int:
        """Which output of its recorded operation the tensor is: 0."""
        return 0

    @property
    def name(self) -> None:
        """The name of the tensor in graphs of gradients: None."""
        return None

    @property
    def volatile(self) -> bool:
        """What told gradients to record nothing, long ago: False."""
        warn_user("volatile was removed (Variable.volatile is always False)")
        return False

    @property
    def retains_grad(self) -> bool:
        """Whether a gradient is kept for a tensor that is no leaf: never."""
        return False

    def retain_grad(self) -> None:
        """Raise, because no tensor requires a gradient."""
        raise TrilithRuntimeError("can't retain_grad on Tensor that has requires_grad=False")

    def backward(self, *_arguments: Any, **_keywords: Any) -> None:
        """Raise, because no tensor requires a gradient."""
        raise TrilithRuntimeError(
            "element 0 of tensors does not require grad and does not have a grad_fn"
        )

    def detach(self) -> Self:
        """Return another tensor on the same memory, which counts versions with this one."""
        return self.alias()

    def detach_(self) -> Self:
        """Return the tensor itself: nothing is recorded for it."""
        return self

    def is_inference(self) -> bool:
        """Tell whether the tensor was made in inference mode: never."""
        return False
