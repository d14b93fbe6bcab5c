"""What does a recorded operation keep for its gradient? Tensors as they were, which it checks."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import local
from typing import Any
from weakref import ReferenceType, WeakSet, ref

from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from .anomaly import is_anomaly_enabled
from .graph import FREED, Edge, Node, set_history
from .leaves import AccumulateGrad, edge_of
from .levels import is_transforming
from .modes import is_grad_enabled, no_grad
from .state import is_tensor, state_of

_MODIFIED = (
    "one of the variables needed for gradient computation has been modified by an inplace "
    "operation: [{kind} {shape}]{origin} is at version {found}; expected version {expected} "
    "instead. Hint: {hint}"
)
_HINTS = {
    False: "enable anomaly detection to find the operation that failed to compute its gradient, "
    "with torch.autograd.set_detect_anomaly(True, check_nan=False).",
    True: "the backtrace further above shows the operation that failed to compute its gradient. "
    "The variable in question was changed in there or anywhere later. Good luck!",
}
#: What PyTorch says of a tensor that was made in inference mode.
_INFERENCE = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)


_PACKING_WRITES = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)
_PACKED = (
    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one "
    "pair of hooks is allowed at a time."
)


class _Packing(local):
    """What packs and unpacks saved tensors in a thread, innermost last."""

    def __init__(self) -> None:
        self.hooks: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = []
        self.refusal: str | None = None


_PACKING = _Packing()


@contextmanager
def saved_tensors_hooks(
    pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]
) -> Generator[None]:
    """Let `pack_hook` choose what is kept of each tensor that is saved in a block.

    `unpack_hook` gets what it returned, and gives the tensor back when a gradient needs it.
    """
    if _PACKING.refusal is not None:
        raise TrilithRuntimeError(_PACKING.refusal)
    _PACKING.hooks.append((pack_hook, unpack_hook))
    try:
        yield
    finally:
        _PACKING.hooks.pop()


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Generator[None]:
    """Refuse `saved_tensors_hooks` in a block, with a message."""
    if _PACKING.hooks:
        raise TrilithRuntimeError(error_message)
    before, _PACKING.refusal = _PACKING.refusal, error_message
    try:
        yield
    finally:
        _PACKING.refusal = before


@contextmanager
def without_hooks() -> Generator[None]:
    """Keep tensors as they are in a block, whatever hooks there are around it."""
    before, _PACKING.hooks = _PACKING.hooks, []
    try:
        yield
    finally:
        _PACKING.hooks = before


class _Keeping(local):
    """What a thread has saved that is to stay as it is when its memory is written."""

    def __init__(self) -> None:
        self.blocks = 0
        #: By the identity of what counts their versions, which lives as long as one of them.
        self.saved: dict[int, WeakSet[SavedTensor]] = {}


_KEEPING = _Keeping()


def begin_keeping() -> None:
    """From now on let what is saved be copied before it is written, instead of refused later.

    Where values move forwards, a write does not matter to what was computed before it.
    """
    _KEEPING.blocks += 1


def end_keeping() -> None:
    """End what `begin_keeping` began."""
    _KEEPING.blocks -= 1
    if not _KEEPING.blocks:
        _KEEPING.saved.clear()


@contextmanager
def keeping() -> Generator[None]:
    """Let what is saved in a block be copied before it is written in the block."""
    begin_keeping()
    try:
        yield
    finally:
        end_keeping()


def is_keeping() -> bool:
    """Whether the thread is in a block where values move forwards."""
    return _KEEPING.blocks > 0


def keep_before_write(tensor: Any) -> None:
    """Copy what was saved of a memory that is about to be written, where it is to be kept."""
    if not _KEEPING.blocks:
        return
    for saved in tuple(_KEEPING.saved.pop(id(tensor.version_counter()), ())):
        if not saved.is_written and saved.plain is not None:
            saved.replace(saved.plain.clone())


class SavedTensor:
    """A tensor as it was when it was saved, with its place in the graph.

    A result of the node that saves it is kept without that place, or both would keep each other
    alive; it gets it back when it is asked for.
    """

    __slots__ = (
        *("__weakref__", "_edge", "_number", "_original", "_packed", "_plain", "_tensor"),
        "_version",
    )

    def __init__(self, tensor: Any, number: int | None = None) -> None:
        """Save a tensor: a result of the node by its number, or an operand."""
        found = state_of(tensor)
        if tensor.is_concrete and not is_transforming() and tensor.is_inference():
            raise TrilithRuntimeError(_INFERENCE)
        self._number = number
        self._edge: Edge | None = None if number is not None else edge_of(tensor)
        is_leaf = self._edge is not None and found is not None and found.node is None
        #: A leaf is given back itself.
        self._original: Any = tensor if is_leaf else None
        self._plain: Any = tensor.without_gradient()
        #: Who was saved, for messages alone: it may have been written and lead elsewhere now.
        self._tensor: ReferenceType[Any] | None = None if self._edge is None else ref(tensor)
        self._version: int = tensor.count_of_versions()
        self._packed: tuple[Callable[[Any], Any], Any] | None = None
        if _PACKING.hooks:
            # An operand itself: a hook may want to know whether it is a parameter.
            self._pack(*_PACKING.hooks[-1], self._plain if number is not None else tensor)
        elif _KEEPING.blocks:
            key = id(self._plain.version_counter())
            _KEEPING.saved.setdefault(key, WeakSet()).add(self)

    def _pack(self, pack: Callable[[Any], Any], unpack: Callable[[Any], Any], given: Any) -> None:
        """Keep what `pack` makes of the tensor that it is given."""
        plain = self._plain
        with no_grad():
            packed = pack(given)
        if plain.count_of_versions() != self._version:
            raise TrilithRuntimeError(_PACKING_WRITES)
        self._packed = unpack, packed
        self._plain = self._original = None

    def register_hooks(
        self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]
    ) -> None:
        """Let hooks choose what is kept of this tensor, as `saved_tensors_hooks` does of all."""
        if self._packed is not None:
            raise TrilithRuntimeError(_PACKED)
        given = self._plain if self._original is None else self._original
        self._pack(pack_hook, unpack_hook, given)

    @property
    def plain(self) -> Any:
        """The tensor without its place in the graph."""
        return self._plain

    @property
    def is_written(self) -> bool:
        """Whether the tensor was written since it was saved."""
        return self._plain is not None and self._plain.count_of_versions() != self._version

    def replace(self, plain: Any) -> None:
        """Let another tensor with the same elements be what was saved."""
        self._plain, self._version = plain, plain.count_of_versions()
        self._original = None

    def unpack(self, node: Node) -> Any:
        """Return the tensor for the node that saved it, part of the graph if that is recorded.

        Raises TrilithRuntimeError if it was written since.
        """
        plain = self._plain
        if self._packed is not None:
            unpack, kept = self._packed
            found = unpack(kept)
            if not is_tensor(found):
                raise TrilithTypeError(
                    "Output of saved tensor unpack_hook expected to be a Tensor but got result of "
                    f"type {type(found).__name__}"
                )
            plain = found.without_gradient()
        else:
            self._check_version(node)
        if self._original is not None:
            return self._original
        edge = Edge(node, self._number) if self._number is not None else self._edge
        if edge is None or not is_grad_enabled() or not _has_gradients(plain.spec.dtype):
            return plain
        tensor = plain.without_gradient()
        if isinstance(edge.node, AccumulateGrad):
            # A leaf whose hooks gave another tensor: gradients still come to the leaf.
            found = tensor.gradient_state()
            found.requires_grad, found.accumulator = True, edge.node.reference()
            tensor.become_recorded()
        else:
            set_history(tensor, edge.node, edge.number)
        return tensor

    def _edge_now(self) -> Edge:
        """Return where the gradient of the tensor would go that was saved, if it still exists."""
        assert self._edge is not None
        alive = None if self._tensor is None else self._tensor()
        return (None if alive is None else edge_of(alive)) or self._edge

    def _check_version(self, node: Node) -> None:
        """Refuse a tensor that was written after it was saved."""
        plain = self._plain
        found = plain.count_of_versions()
        if found == self._version:
            return
        origin = ""
        if self._number is not None:
            origin = f", which is output {self._number} of {node.message_name},"
        elif self._edge is not None and self._original is None:
            edge = self._edge_now()
            origin = f", which is output {edge.number} of {edge.node.message_name},"
        raise TrilithRuntimeError(
            _MODIFIED.format(
                kind=plain.type(),
                shape=list(plain.spec.shape),
                origin=origin,
                found=found,
                expected=self._version,
                hint=_HINTS[is_anomaly_enabled()],
            )
        )


def _has_gradients(dtype: Any) -> bool:
    """Whether there are derivatives of numbers of a dtype; indices among results have none."""
    return dtype.is_floating_point or dtype.is_complex


def freed() -> TrilithRuntimeError:
    """Return the error for who asks for what was saved once it is gone."""
    return TrilithRuntimeError(FREED, hint="pass retain_graph=True to the first backward()")
