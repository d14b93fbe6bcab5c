"""What does a tensor say about gradients? Whether it requires one, its own, and its node.

Most tensors have nothing to do with gradients: their `state` is None. `RecordedTensor` is the class
of those that have, so that whoever asks for the class of plain tensors does not meet them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from ...dialects.attributes.c_types import c_type
from ...dialects.attributes.fixed import write
from ...dialects.attributes.layout import sparse_coo
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ...dialects.frames import warn_user
from ...dialects.locks import imported
from ..gradients.captured import has_changed
from ..gradients.levels import TransformingError, is_transforming
from ..gradients.modes import is_grad_enabled, is_inference_mode_enabled
from ..gradients.state import (
    GradientState,
    Hooks,
    RemovableHandle,
    hook_reference,
    requires_gradient,
    state_of,
)
from .fields import TensorFields, TensorState

if TYPE_CHECKING:
    from ..gradients.graph import Node

_NOT_A_LEAF = "you can only change requires_grad flags of leaf variables."
_USE_DETACH = (
    " If you want to use a computed variable in a subgraph that doesn't require differentiation "
    "use var_no_grad = var.detach()."
)
_NO_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
_TRANSFORMED = (
    "You are attempting to call Tensor.requires_grad_() (or perhaps using "
    "torch.autograd.functional.* APIs) inside of a function being transformed by a functorch "
    "transform. This is unsupported, please attempt to use the functorch transforms (e.g. grad, "
    "vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being "
    "transformed instead."
)
_DETACHED_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
    "(DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP "
    "buckets, and hence detach_() cannot be called on these gradients. To fix this error, please "
    "refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
)


def _engine(name: str) -> Any:
    """Return a module of the engine, which is loaded when a gradient is first asked for."""
    return imported(f"..gradients.{name}", __package__)


#: The class of tensors of a class that have to do with gradients; those of others keep theirs.
RECORDED: dict[type, type] = {}


class Gradients(TensorFields):
    """The gradient interface of a tensor."""

    __slots__ = ()

    def gradient_state(self) -> GradientState:
        """Return what the tensor knows of gradients, made if there is nothing."""
        # What stands for a tensor while tracing has this part of a state, and no other.
        state = self.state
        if state is None:
            state = TensorState()
            write(self, "state", state)
        if state.gradient is None:
            state.gradient = GradientState()
        return state.gradient

    # Whether it requires one

    @property
    def requires_grad(self) -> bool:
        """Whether operations on the tensor are recorded, so that a gradient can be found."""
        return self.state is not None and requires_gradient(self)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrilithRuntimeError("requires_grad must be a bool")
        self._require(value, "floating point and complex dtype", is_attribute=True)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say whether operations on the tensor are to be recorded, and return it.

        >>> import trilith as tri
        >>> x = tri.tensor([1.0, 2.0]).requires_grad_()
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        """
        if not isinstance(requires_grad, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrilithTypeError(
                "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                f"{type(requires_grad).__name__}"
            )
        if is_transforming():
            raise TransformingError(_TRANSFORMED)
        self._require(requires_grad, "floating point dtype")
        return self

    def _require(self, value: bool, kinds: str, *, is_attribute: bool = False) -> None:
        found = state_of(self)
        if not self.is_leaf:
            if value and not is_attribute:
                return
            raise TrilithRuntimeError(_NOT_A_LEAF + ("" if value else _USE_DETACH))
        dtype = self.spec.dtype
        if value and not (dtype.is_floating_point or dtype.is_complex):
            raise TrilithRuntimeError(f"only Tensors of {kinds} can require gradients")
        is_of_mode = self.is_concrete and self.is_inference()
        if value and is_of_mode and not is_inference_mode_enabled():
            raise TrilithRuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not "
                "allowed."
            )
        if value is self.requires_grad:
            return
        if not value:
            assert found is not None
            found.requires_grad = False
            self.become_plain()
        else:
            _engine("recording").load()
            self.gradient_state().requires_grad = True
            self.become_recorded()
        has_changed(self)

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made the tensor."""
        return not self.requires_grad or self.grad_fn is None

    # Its gradient

    @property
    def grad(self) -> Any:
        """The gradient that `backward` has found, None if there is none."""
        found = state_of(self)
        if found is None:
            return None
        if found.grad is None and not self.is_leaf and not self.retains_grad:
            warn_user(_NO_LEAF_GRAD)
        return found.grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is not None:
            self._check_grad(value)
        elif state_of(self) is None:
            return
        self.gradient_state().grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def _check_grad(self, value: Any) -> None:
        """Refuse what cannot be the gradient of the tensor."""
        spec, found = self.spec, state_of(self)
        if value is self:
            raise TrilithRuntimeError("can't assign Variable as its own grad")
        given = getattr(value, "spec", None)
        if given is None:
            raise TrilithTypeError(
                "assigned grad expected to be a Tensor or None but got grad of type "
                f"{type(value).__name__}"
            )
        dtype = found.grad_dtype if found is not None and found.has_grad_dtype else spec.dtype
        if given.dtype is not dtype and dtype is not None:
            raise TrilithRuntimeError(
                f"attempting to assign a gradient with dtype '{c_type(given.dtype)}' to a "
                f"tensor with grad_dtype '{dtype.c_name}'. The gradient must match the tensor's "
                "grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype "
                "attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with "
                "caution. Diverging the dtypes of a tensor and its gradient may break downstream "
                "systems that assume they match."
            )
        if given.device != spec.device:
            raise TrilithRuntimeError(
                f"attempting to assign a gradient with device type '{given.device.type}' to a "
                f"tensor with device type '{spec.device.type}'. Please ensure that the gradient "
                "and the tensor are on the same device"
            )
        if spec.layout is sparse_coo and given.layout is not sparse_coo:
            raise TrilithRuntimeError(
                "attempting to assign a gradient to a tensor that has data of a different type"
            )
        if given.shape != spec.shape:
            raise TrilithRuntimeError(
                f"attempting to assign a gradient of size '{list(given.shape)}' to a tensor "
                f"of size '{list(spec.shape)}'. Please ensure that the gradient and the "
                "tensor are the same size"
            )

    @property
    def grad_dtype(self) -> Any:
        """The dtype that gradients of the leaf are cast to; None takes any."""
        if not self.is_leaf:
            raise TrilithRuntimeError("grad_dtype can only be accessed on leaf tensors.")
        found = state_of(self)
        return found.grad_dtype if found is not None and found.has_grad_dtype else self.spec.dtype

    @grad_dtype.setter
    def grad_dtype(self, value: Any) -> None:
        if not self.is_leaf:
            self.grad  # noqa: B018 - PyTorch reads it first, which warns
            raise TrilithRuntimeError("grad_dtype can only be set on leaf tensors.")
        found = self.gradient_state()
        if found.grad is not None and value is not None and found.grad.dtype is not value:
            raise TrilithRuntimeError(
                f"Cannot set grad_dtype to '{value.c_name}' because there is already a gradient "
                f"with dtype '{c_type(found.grad.dtype)}'. Please clear the gradient (.grad = "
                "None) before changing grad_dtype, or ensure the new grad_dtype matches the "
                "existing gradient's dtype."
            )
        found.grad_dtype, found.has_grad_dtype = value, True

    # Its place in the graph

    @property
    def grad_fn(self) -> Node | None:
        """The recorded operation that made the tensor, None for a leaf."""
        found = state_of(self)
        if found is None:
            return None
        if found.view is not None:
            _engine("views").refresh(self, found, found.view)
        return found.node

    @property
    def output_nr(self) -> int:
        """Which result of its recorded operation the tensor is."""
        found = state_of(self)
        return 0 if found is None else found.output_nr

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
    def _base(self) -> Any:
        """The tensor that this one is a view of, if gradients know it."""
        found = state_of(self)
        return None if found is None or found.view is None else found.view.base

    def _is_view(self) -> bool:
        """Tell whether gradients know the tensor as a view of another one."""
        return self._base is not None

    # Keeping gradients

    @property
    def retains_grad(self) -> bool:
        """Whether the gradient of a tensor that is no leaf is kept."""
        found = state_of(self)
        return found is not None and found.retained is not None

    def retain_grad(self) -> None:
        """Keep the gradient of a tensor that is no leaf in its `grad`; of leaves it is kept."""
        if not self.requires_grad:
            raise TrilithRuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        found, node = self.gradient_state(), self.grad_fn
        if node is None or found.retained is not None:
            return
        hooks = node.retaining.setdefault(found.output_nr, {})
        found.retained = RemovableHandle(hooks, hook_reference(self, _keep))

    def register_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call `hook(gradient)` when the tensor's gradient is found; what it returns replaces it.

        >>> import trilith as tri
        >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_hook(lambda gradient: 10 * gradient)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
        """
        return RemovableHandle(self._hooks("register a hook"), hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call `hook(tensor)` after a gradient was added to that of the tensor, a leaf."""
        if not self.requires_grad:
            raise TrilithRuntimeError(
                "cannot register a hook on a tensor that doesn't require gradient"
            )
        if self.grad_fn is not None:
            raise TrilithRuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        return RemovableHandle(self.gradient_state().post_hooks, hook)

    def _hooks(self, what: str) -> Hooks:
        """Return where hooks on the gradient of the tensor are kept."""
        if not self.requires_grad:
            raise TrilithRuntimeError(f"cannot {what} on a tensor that doesn't require gradient")
        found, node = self.gradient_state(), self.grad_fn
        if node is None:
            return found.hooks
        return node.hooks.setdefault(found.output_nr, {})

    # Going back

    def backward(
        self,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Find the gradients of the leaves that the tensor was computed from.

        `gradient` is that of the tensor itself: 1 if it has one element. Gradients are added to the
        `grad` of the leaves, or of `inputs` alone. Raises TrilithRuntimeError where there is no
        graph, or it was used up.

        >>> import trilith as tri
        >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
        >>> x.exp().sum().backward()
        >>> x.grad
        tensor([2.7183, 7.3891])
        """
        _engine("calls").backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def detach(self) -> Self:
        """Return another tensor on the same memory, of which nothing is recorded."""
        made: Any = self.alias()
        return made

    def detach_(self) -> Self:
        """Forget what was recorded for the tensor, and return it."""
        found = state_of(self)
        if found is None:
            return self
        if found.view is not None:
            raise TrilithRuntimeError(_DETACHED_VIEW)
        found.node, found.output_nr, found.requires_grad = None, 0, False
        self.become_plain()
        has_changed(self)
        return self

    def become_recorded(self) -> None:
        """Take part in gradients from now on: plain tensors change their class."""
        kind: Any = RECORDED.get(type(self))
        if kind is not None:
            self.__class__ = kind

    def become_plain(self) -> None:
        """Take no part in gradients any more."""

    def without_gradient(self) -> Any:
        """Return another tensor of the same elements, of which gradients know nothing."""
        return self.alias()


# Python names a method by this where it is called in a wrong way.
Gradients.backward.__qualname__ = "Tensor.backward"


def _keep(tensor: Any, gradient: Any) -> None:
    """Keep the gradient of a tensor that is no leaf; a second one is added."""
    found = tensor.gradient_state()
    if found.grad is None:
        found.grad = (gradient if is_grad_enabled() else gradient.without_gradient()).clone()
    else:
        found.grad = found.grad + gradient
