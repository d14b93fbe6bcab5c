"""What becomes of a graph when a tensor is written in place? It and its views get other nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError
from .graph import Edge, Node, Result, named
from .leaves import edge_of
from .modes import is_grad_enabled, is_inference_mode_enabled
from .state import GradientState, ViewState, requires_gradient, state_of

#: Why a view may not be written in place: what is said in front, and behind.
SEVERAL = (
    " This view is the output of a function that returns multiple views. Such functions do not "
    "allow the output views to be modified inplace. You should replace the inplace operation by an "
    "out-of-place one."
)
CUSTOM = (
    " This view was created inside a custom Function (or because an input was returned as-is) and "
    "the autograd logic to handle view+inplace would override the custom backward associated with "
    "the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix "
    "this by cloning the output of the custom Function."
)
NO_GRAD = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
    "code by moving both the view and the inplace either both inside the {0} block (if you don't "
    "want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
)
IN_NO_GRAD, IN_INFERENCE = "no_grad", "inference_mode"


class AsStrided(Node):
    """The node of a view whose base was written: the gradient of the view's part of the base."""

    __slots__ = ("_state", "_whole")

    def __init__(self, view: ViewState, edge: Edge, spec: Any) -> None:
        """Lead to the base."""
        super().__init__((edge,), (Result(spec, spec.dtype),))
        self._state = view
        self._whole: Any = view.base.spec

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Return zeros with the gradient where the view looks."""
        (gradient,) = gradients
        if gradient is None:
            return (None,)
        whole = _like(gradient, self._whole).zero_()
        self._state.seen_in(whole).copy_(gradient)
        return (whole,)


class CopySlices(Node):
    """The node of a base of which a view was written: outside of the view nothing changes."""

    __slots__ = ("_inner", "_view", "_whole")

    def __init__(self, base: Any, view: ViewState, inner: Node) -> None:
        """Stand for a base whose view is a result of the node `inner`."""
        edge = edge_of(base)
        super().__init__((edge, *inner.edges[1:]), (Result(base.spec, base.spec.dtype),))
        self._inner, self._view = inner, view
        self._whole: Any = base.spec

    def release(self) -> None:
        """Forget what the operation on the view has saved."""
        self._inner.release()

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Put the gradient of what was there before where the view looks."""
        (gradient,) = gradients
        if gradient is None:
            return [None] * len(self.edges)
        whole = _like(gradient, self._whole).copy_(gradient)
        part = self._view.seen_in(whole)
        first, *others = self._inner.backward([part.clone()])
        if self.edges[0] is None:
            whole = None
        elif first is None:
            part.zero_()
        else:
            part.copy_(first)
        return [whole, *others]


def _like(gradient: Any, spec: Any) -> Any:
    """Return a tensor that lies as a base does, whose views are known to gradients."""
    made = gradient.new_empty_strided(spec.shape, spec.strides)
    made.gradient_state()
    made.become_recorded()
    return made


def check_write(tensor: Any) -> None:
    """Refuse to write a tensor in place where gradients would be lost."""
    found = state_of(tensor)
    if found is None:
        return
    if found.is_inference and not is_inference_mode_enabled():
        raise TrilithRuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make "
            "a clone to get a normal tensor before doing inplace update.See "
            "https://github.com/pytorch/rfcs/pull/17 for more details."
        )
    if not is_grad_enabled():
        return
    refuse_leaf(tensor, found)


def _is_leaf(found: GradientState) -> bool:
    """Whether a gradient is wanted of what no operation has made, or of a transformed argument."""
    return found.requires_grad if found.node is None else found.node.is_argument


def refuse_leaf(tensor: Any, found: GradientState) -> None:
    """Refuse to write a leaf that requires a gradient, or a view of one."""
    view = found.view
    if view is not None:
        base = state_of(view.base)
        if base is not None and _is_leaf(base):
            raise TrilithRuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place "
                "operation.",
                hint="write within tri.no_grad(), or into a clone()",
            )
    elif _is_leaf(found):
        raise TrilithRuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation.",
            hint="write within tri.no_grad(), or into a clone()",
        )


def check_recorded_write(tensor: Any) -> None:
    """Refuse to record what is written into a view that may not be written."""
    found = state_of(tensor)
    view = None if found is None else found.view
    if found is None or view is None or not view.refusal:
        return
    raise _refused(found, view, "is being modified inplace")


def _refused(found: GradientState, view: ViewState, what: str) -> TrilithRuntimeError:
    """Return the error for a view that may not be written, or whose base may not."""
    where, _, reason = view.refusal.partition(":")
    if where in (IN_NO_GRAD, IN_INFERENCE):
        mode = ("no_grad", "with grad mode enabled") if where == IN_NO_GRAD else None
        mode = mode or ("inference", "in normal mode")
        rest = reason or NO_GRAD.format(where)
        return TrilithRuntimeError(
            f"A view was created in {mode[0]} mode and {what} {mode[1]}.{rest}"
        )
    name = "" if found.node is None else found.node.message_name
    return TrilithRuntimeError(f"Output {found.output_nr} of {name} is a view and {what}.{reason}")


def written(tensor: Any, node: Node) -> None:
    """Let a tensor that was written be the first result of a node; its base and views follow."""
    found = tensor.gradient_state()
    view = found.view
    if view is None:
        found.node, found.output_nr = node, 0
        found.level = max(found.level, node.level)
        tensor.become_recorded()
        return
    base = view.base
    state = base.gradient_state()
    slices = named(CopySlices, "CopySlices")(base, view, node)
    slices.level = node.level
    state.node, state.output_nr = slices, 0
    state.level = found.level = max(state.level, found.level, node.level)
    base.become_recorded()
    tensor.become_recorded()
    view.version = -1


def refresh(tensor: Any, found: GradientState, view: ViewState) -> None:
    """Find the node of a view again, if its memory was written since it was found."""
    version = tensor.count_of_versions()
    if view.version == version or not requires_gradient(view.base):
        return
    if view.refusal and view.refusal.partition(":")[2] == SEVERAL:
        raise _refused(
            found,
            view,
            "and its base or another view of its base has been modified inplace".removeprefix(
                "and "
            ),
        )
    edge = edge_of(view.base)
    if edge is None:
        return
    found.node = named(AsStrided, "AsStridedBackward0")(view, edge, tensor.spec)
    found.output_nr = 0
    view.version = version
