"""What is a sparse tensor that has to do with gradients? One of a class of its own, as dense ones.

Its values are read, and put into it, as operations that are recorded: so gradients pass between a
sparse tensor and the dense tensor of its values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

from ...dialects.attributes.layout import sparse_coo
from ..gradients.graph import Edge, Node, Result, named, set_history
from ..gradients.leaves import edge_of
from ..gradients.modes import is_recording
from ..gradients.state import requires_gradient
from .gradients import RECORDED
from .printing import append
from .recorded import RecordedTensor
from .sparse import SparseTensor
from .tensor import Tensor


class RecordedSparseTensor(SparseTensor):
    """A sparse tensor that requires a gradient."""

    __slots__ = ()

    def alias(self) -> Any:
        """Return a plain sparse tensor of the same parts, which counts versions with this one."""
        state = self.own_state()
        if state.versions is None:
            self.count_alone(0)
        made = SparseTensor(
            self._coordinates, self._held, self.spec.shape, coalesced=self._coalesced
        )
        made.count_with(self)
        return made

    def become_plain(self) -> None:
        """Be a plain sparse tensor again."""
        if not self.gradient_state().is_required:
            self.__class__ = SparseTensor  # pyright: ignore[reportAttributeAccessIssue]

    def values(self) -> Tensor:
        """Return the values of a coalesced tensor, nnz x dense dims."""
        self._check_coalesced("values")
        edge = edge_of(self)
        if edge is None or not is_recording():
            return self._held
        node = named(_Values, "ValuesBackward0")(self, edge)
        return _with_node(self._held.without_gradient(), node)

    # What leaves it

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Pickle the parts and the flag: what comes back requires nothing, as in PyTorch."""
        return self.without_gradient().__reduce_ex__(protocol)

    __copy__: Any = RecordedTensor.__copy__
    __deepcopy__: Any = RecordedTensor.__deepcopy__

    def __repr__(self) -> str:
        """Return the parts, and where they lead."""
        text = repr(self.without_gradient())
        if self.grad_fn is not None:
            return append(text[:-1], [f"grad_fn=<{type(self.grad_fn).__name__}>"], len("tensor("))
        is_leaf = requires_gradient(self)
        return append(text[:-1], ["requires_grad=True"], len("tensor(")) if is_leaf else text


RecordedSparseTensor.__name__ = RecordedSparseTensor.__qualname__ = "SparseTensor"
RECORDED[SparseTensor] = RecordedSparseTensor


def of_values(
    indices: Tensor, values: Tensor, shape: Sequence[int], *, coalesced: bool
) -> SparseTensor:
    """Return the sparse tensor of some values, through which gradients come to them."""
    edge = edge_of(values) if is_recording() else None
    if edge is None:
        return SparseTensor(indices, values, shape, coalesced=coalesced)
    made = SparseTensor(indices, values.without_gradient(), shape, coalesced=coalesced)
    node = named(_OfValues, "SparseCooTensorWithDimsAndTensorsBackward0")(made, edge)
    return _with_node(made, node)


def _with_node(made: Any, node: Node) -> Any:
    node.results = (Result(made.spec, made.spec.dtype),)
    set_history(made, node, 0)
    return made


class _OfParts(Node):
    """What keeps the places of a sparse tensor."""

    __slots__ = ("_indices", "_shape")

    def __init__(self, tensor: SparseTensor, edge: Edge) -> None:
        super().__init__((edge,), ())
        self._indices, self._shape = tensor._indices(), tensor.spec.shape  # pyright: ignore[reportPrivateUsage] - its parts
        self.level = edge.node.level


class _Values(_OfParts):
    """The node of values that were read: their gradients stand at their places."""

    __slots__ = ()

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Make a sparse gradient of a dense one."""
        (gradient,) = gradients
        return [of_values(self._indices, gradient, self._shape, coalesced=True)]


class _OfValues(_OfParts):
    """The node of a sparse tensor that was made of values: gradients at their places are theirs."""

    __slots__ = ()

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Take what a gradient has at the places."""
        (gradient,) = gradients
        if not self._indices.shape[0]:
            whole = gradient.to_dense().unsqueeze(0)
            return [whole.expand((self._indices.shape[1], *self._shape))]
        if gradient.spec.layout is sparse_coo:
            return [_looked_up(gradient, self._indices)]
        return [gradient[tuple(self._indices.unbind(0))]]


def _looked_up(gradient: Any, indices: Any) -> Any:
    """Return what a sparse gradient has at places, zeros where nothing: entry by entry.

    Entries of one place have its gradient each, so this is no sparse tensor, whose entries add up.
    """
    whole = gradient.coalesce()
    held = whole.values()
    sizes = whole.spec.shape[: indices.shape[0]]
    numbers = whole._indices()[0].new_ones((whole._nnz(),)).cumsum(0)
    numbered = SparseTensor(whole._indices(), numbers, sizes, coalesced=True)
    wanted = SparseTensor(indices, indices[0], sizes, coalesced=False)
    rows = held.new_zeros((whole._nnz() + 1, *held.shape[1:])).index_add(0, numbers, held)
    found: Any = numbered.sparse_mask(wanted)
    return rows.index_select(0, found._values())
