"""Where do gradients end? In the `grad` of leaves, to which each is added."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import ReferenceType, ref

from ...dialects.attributes.layout import sparse_coo
from ...dialects.attributes.strides import contiguous_strides, is_non_overlapping_and_dense
from ...dialects.diagnostics import TrilithRuntimeError
from .graph import Edge, Node, Result
from .hooks import run_after_accumulation
from .levels import TransformingError
from .modes import is_grad_enabled, no_grad
from .state import GradientState, Hooks, state_of
from .sums import add_to, added, is_sparse


class AccumulateGrad(Node):
    """The end of a graph: it adds what comes to the gradient of a leaf."""

    __slots__ = ("variable",)

    def __init__(self, variable: Any) -> None:
        """Add to the gradient of a leaf, before everything else that is ready."""
        super().__init__((), ())
        self.order = float("inf")
        self.variable = variable
        self.results = (self._result(),)

    def _result(self) -> Result:
        """Return what the gradient of the leaf must be like."""
        found = state_of(self.variable)
        spec = self.variable.spec
        is_own = found is not None and found.has_grad_dtype
        return Result(spec, found.grad_dtype if found is not None and is_own else spec.dtype)

    def hooks_of_results(self) -> Mapping[int, Hooks]:
        """Return the hooks of the leaf, which are its own."""
        found = state_of(self.variable)
        return {} if found is None or not found.hooks else {0: found.hooks}

    def reference(self) -> ReferenceType[Node]:
        """Return a weak reference, by which the leaf knows it."""
        return ref(self)

    def name(self) -> str:
        """Return PyTorch's name."""
        return "torch::autograd::AccumulateGrad"

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Add a gradient to that of the leaf."""
        (gradient,) = gradients
        # Nobody but this frame may hold what is kept without a copy.
        gradients.clear()
        # A leaf that does not require a gradient any more gets none.
        if gradient is not None and self.variable.requires_grad:
            # Asked first: among arguments the gradient would be held once more.
            is_alone = _is_alone(gradient)
            accumulate(self.variable, gradient, is_alone)
        return ()


def accumulate(variable: Any, gradient: Any, is_alone: bool) -> None:
    """Add a gradient to that of a tensor, which has its layout; call its hooks."""
    found = state_of(variable)
    if found is None:
        raise TrilithRuntimeError("a leaf that does not require a gradient any more got one")
    if variable.is_concrete and not gradient.is_concrete:
        raise TransformingError(
            "backward() of a function that is traced came to a tensor of the enclosing program",
            hint="give the tensor to the function, or compile it and call it with gradients on",
        )
    before = found.grad
    if before is None:
        found.grad = _first(variable, gradient, is_alone)
    elif is_grad_enabled() or not before.is_concrete:
        found.grad = added(before, gradient)
    else:
        found.grad = add_to(before, gradient)
    run_after_accumulation(found.post_hooks, variable)


def _first(variable: Any, gradient: Any, is_alone: bool) -> Any:
    """Return what a leaf keeps of its first gradient: the tensor itself if it can be."""
    if is_sparse(gradient):
        return _first_sparse(gradient, is_alone)
    strides = strides_of_gradient(variable.spec)
    fits = _lies_alike(gradient.spec, strides)
    if is_grad_enabled():
        return _laid_out(gradient, strides, fits)
    with no_grad():
        if fits and (not gradient.is_concrete or (is_alone and _has_own_memory(gradient))):
            return gradient.without_gradient()
        if fits and is_alone:
            # PyTorch keeps the tensor, whose dims of one element have strides that nobody needs.
            strides = gradient.spec.strides
        return _laid_out(gradient.without_gradient(), strides, fits)


def _first_sparse(gradient: Any, is_alone: bool) -> Any:
    """Return what a leaf keeps of a sparse gradient: a copy, or its parts as if in any order."""
    if is_grad_enabled():
        return gradient.clone()
    with no_grad():
        if not is_alone or not gradient._values().is_contiguous():
            return gradient.without_gradient().clone()
    return gradient.without_gradient()._coalesced_(gradient._nnz() < 2)


def _laid_out(gradient: Any, strides: Sequence[int], fits: bool) -> Any:
    """Return a copy of a gradient with strides; in a traced function those that fit are fine."""
    if fits and not gradient.is_concrete:
        return gradient.clone()
    made = gradient.new_empty_strided(gradient.shape, tuple(strides))
    made.copy_(gradient)
    return made


def strides_of_gradient(spec: Any) -> Sequence[int]:
    """Return the strides of a leaf's gradient: its own if it is dense, else contiguous ones."""
    if spec.layout is not sparse_coo and is_non_overlapping_and_dense(spec.shape, spec.strides):
        return spec.strides
    return contiguous_strides(spec.shape)


def _lies_alike(spec: Any, strides: Sequence[int]) -> bool:
    """Whether a tensor has strides, where its dims have more than one element."""
    pairs = zip(spec.shape, spec.strides, strides, strict=True)
    return all(size == 1 or own == other for size, own, other in pairs)


def _is_alone(gradient: Any) -> bool:
    """Whether nothing but the caller, and the caller's caller, holds a tensor."""
    # The caller's name, the argument, the count's own argument.
    return not gradient.is_concrete or sys.getrefcount(gradient) <= 3


def _has_own_memory(gradient: Any) -> bool:
    """Whether the memory of a tensor is held by nothing else."""
    return sys.getrefcount(gradient.memory) <= 2


def edge_of(tensor: Any) -> Edge | None:
    """Return where the gradient of a tensor goes, None if it wants none."""
    found = state_of(tensor)
    if found is None:
        return None
    node = tensor.grad_fn
    if node is not None:
        return Edge(node, found.output_nr)
    if not found.requires_grad:
        return None
    return Edge(accumulator_of(tensor, found), 0)


def accumulator_of(tensor: Any, found: GradientState) -> Node:
    """Return the node that adds to the gradient of a leaf, the same as long as it is held."""
    node = None if found.accumulator is None else found.accumulator()
    if node is None:
        node = AccumulateGrad(tensor)
        found.accumulator = node.reference()
    return node


def nodes_behind(tensor: Any) -> set[Node]:
    """Return all nodes that gradients of a tensor go through."""
    edge = edge_of(tensor)
    left = [] if edge is None else [edge.node]
    nodes: set[Node] = set()
    while left:
        node = left.pop()
        if node not in nodes:
            nodes.add(node)
            left += [each.node for each in node.edges if each is not None]
    return nodes
