"""What becomes of a graph when a tensor is written in place? It and its views get other nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError
from .captured import has_changed
from .graph import Edge, Node, Result, named
from .leaves import edge_of
from .modes import is_grad_enabled
from .state import GradientState, ViewState, requires_gradient, seen_in, state_of

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

    __slots__ = ("_inner", "_steps", "_whole")

    def __init__(self, base: Any, view: ViewState, inner: Node) -> None:
        """Stand for a base whose view is a result of the node `inner`."""
        edge = edge_of(base)
        super().__init__((edge, *inner.edges[1:]), (Result(base.spec, base.spec.dtype),))
        # The base keeps this node alive: the node knows how the view looks, not of what.
        self._inner, self._steps = inner, view.steps
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
        part = seen_in(whole, self._steps)
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
    made = gradient.new_empty_strided(spec.shape, spec.strides, dtype=spec.dtype)
    made.gradient_state()
    made.become_recorded()
    return made


def note_view(result: Any, origin: Any, step: Callable[[Any], Any], refusal: str = "") -> None:
    """Note that a tensor is what `step` sees in another one, or in what that is a view of."""
    found, before = result.gradient_state(), state_of(origin)
    earlier = None if before is None else before.view
    base = origin if earlier is None else earlier.base
    steps = (step,) if earlier is None else (*earlier.steps, step)
    inherited = "" if earlier is None else earlier.refusal
    found.view = ViewState(base, steps, result.count_of_versions(), refusal or inherited)
    result.become_recorded()


def check_write(tensor: Any) -> None:
    """Refuse to write a tensor in place where gradients would be lost."""
    found = state_of(tensor)
    if found is None:
        return
    if not is_grad_enabled():
        return
    if found.view is not None and found.view.refusal and requires_gradient(tensor):
        raise _refused(found, found.view, "is being modified inplace")
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


def written(tensor: Any, node: Node, number: int = 0) -> None:
    """Let a tensor that was written be a result of a node; its base and views follow."""
    found = tensor.gradient_state()
    view = found.view
    if view is None:
        _move(tensor, found, node, number)
        return
    base = view.base
    slices = named(CopySlices, "torch::autograd::CopySlices")(base, view, node)
    slices.level = node.level
    _move(base, base.gradient_state(), slices, 0)
    found.level = max(found.level, node.level)
    tensor.become_recorded()
    has_changed(tensor)
    view.version = -1


def _move(tensor: Any, found: GradientState, node: Node, number: int) -> None:
    """Let a tensor be a result of another node; the hook that keeps its gradient goes with it."""
    found.node, found.output_nr = node, number
    found.level = max(found.level, node.level)
    tensor.become_recorded()
    has_changed(tensor)
    if found.retained is not None:
        found.retained.move(node.retaining.setdefault(number, {}))


def refresh(tensor: Any, found: GradientState, view: ViewState) -> None:
    """Find the node of a view again, if its memory was written since it was found."""
    version = tensor.count_of_versions()
    if view.version == version or not requires_gradient(view.base):
        return
    if view.refusal.partition(":")[2]:
        raise _refused(
            found, view, "its base or another view of its base has been modified inplace"
        )
    edge = edge_of(view.base)
    if edge is None:
        return
    found.node = named(AsStrided, "AsStridedBackward0")(view, edge, tensor.spec)
    found.output_nr = 0
    view.version = version


def become_view(
    tensor: Any, name: str, see: Callable[[], Any], take: Callable[[Any], None]
) -> None:
    """Let a tensor be a view of itself, as `t_` does: it leads to the view's node from then on.

    `name` is that of the method, and `take` makes the tensor look as the view does.
    """
    check_write(tensor)
    check_recorded_write(tensor)
    view = see()
    take(view)
    found, seen = tensor.gradient_state(), view.gradient_state()
    if seen.node is None or not is_grad_enabled():
        return
    node = seen.node
    stem = node.name().rstrip("0123456789")
    number = int(node.name().removeprefix(stem) or 0)
    # PyTorch counts the derivatives of `squeeze_` after the three of `squeeze`.
    node.__class__ = named(
        type(node).__mro__[1], f"{stem}{number + (3 if 'squeeze_' == name else 1)}"
    )
    if found.view is not None and seen.view is not None:
        found.view.steps = seen.view.steps
        found.view.version = tensor.count_of_versions()
    _move(tensor, found, node, seen.output_nr)
