"""What does a user's function hand from `forward` to its gradient? A context: tensors, flags."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import ref

from .graph import Node
from .saved import SavedTensor, freed
from .state import state_of


class FunctionCtx:
    """What `forward` hands to `backward`: tensors that are saved, flags, attributes of any name."""

    #: Whether an input wants a gradient, in the order of the arguments.
    needs_input_grad: tuple[bool, ...] = ()
    #: What is to be saved.
    to_save: tuple[Any, ...] = ()
    saved_for_forward: tuple[Any, ...] = ()
    dirty_tensors: tuple[Any, ...] = ()
    non_differentiable: tuple[Any, ...] = ()
    #: Whether `backward` is given zeros for results that no gradient comes from, or None.
    materialize_grads = True
    _saved: list[SavedTensor | None] | None = None
    #: What `jvp` finds in the place of what is saved for `backward`.
    _saved_forward: list[SavedTensor | None] | None = None
    _is_pushing = False
    _is_freed = False
    _node: Callable[[], Node | None] | None = None

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for `backward`, which finds them in `saved_tensors`."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for `jvp`."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs `forward` has written in place; it must return them."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which results have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether `backward` is given zeros for gradients that do not exist, or None."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What was given to `save_for_backward`, unless it was written since."""
        if self._is_freed:
            raise freed()
        node = None if self._node is None else self._node()
        if self._saved is None or node is None:
            return self.to_save
        saved = self._saved
        if self._is_pushing and self._saved_forward is not None:
            saved = self._saved_forward
        return tuple(None if one is None else one.unpack(node) for one in saved)

    @property
    def _raw_saved_tensors(self) -> tuple[SavedTensor | None, ...]:
        """What keeps the tensors, whose hooks may be set."""
        if self._is_freed:
            raise freed()
        return tuple(self._saved or ())

    def save_now(self, node: Node, outputs: Sequence[Any], *, is_pushed: bool = False) -> None:
        """Keep what was given as it is now, for the node whose results the outputs are.

        What is for `jvp` is kept if the function `is_pushed` by one.
        """
        self._node = ref(node)
        self._saved = _saved_for(node, self.to_save, outputs)
        if is_pushed and self.saved_for_forward:
            self._saved_forward = _saved_for(node, self.saved_for_forward, outputs)
        self.to_save = self.saved_for_forward = ()

    def release_saved(self) -> None:
        """Forget what was saved; who asks for it is told."""
        if self._saved:
            self._saved, self._is_freed = None, True
        self._saved_forward = None

    @contextmanager
    def saved_for_directions(self) -> Generator[None]:
        """Let `saved_tensors` be what was saved for `jvp` in a block, if anything was."""
        self._is_pushing = True
        try:
            yield
        finally:
            self._is_pushing = False


def _saved_for(
    node: Node, tensors: Sequence[Any], outputs: Sequence[Any]
) -> list[SavedTensor | None]:
    return [
        None if tensor is None else SavedTensor(tensor, _number_among(tensor, outputs, node))
        for tensor in tensors
    ]


def _number_among(tensor: Any, outputs: Sequence[Any], node: Node) -> int | None:
    """Return which result of a node a tensor is, None if it is another tensor."""
    for number, output in enumerate(outputs):
        if output is tensor:
            found = state_of(tensor)
            return number if found is not None and found.node is node else None
    return None
