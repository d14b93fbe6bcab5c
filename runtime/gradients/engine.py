"""How does a gradient run backwards through a graph? Every node once, when all of it has arrived.

Newer nodes come before older ones among those that are ready, and what ends in a leaf before all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from threading import local
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError
from . import anomaly
from .graph import Edge, Node
from .hooks import after_posthooks, after_prehooks, run_hooks
from .modes import set_grad
from .seams import converted, with_seam
from .sums import added, has_common_places

#: The gradients of a node's results that have arrived.
Arrived = list[Any]


class _Run:
    """One run from some results of a graph back to where it ends."""

    def __init__(
        self,
        captures: Sequence[Edge] | None,
        *,
        keeps_graph: bool,
        ends_there: bool = False,
        is_pushing: bool = False,
        visits_captures: bool = False,
        is_moving: bool = False,
    ) -> None:
        """Run to the leaves, or only to what is to be captured; no further if it `ends_there`."""
        self._keeps_graph = keeps_graph
        self._fitted = moved if is_moving else seamed if is_pushing else fitted
        self._visits_captures = visits_captures
        self.is_pushing = is_pushing
        self._captures = captures
        self.captured: list[Any] = [] if captures is None else [None] * len(captures)
        self._wanted: dict[Node, list[int]] = {}
        for index, edge in enumerate(captures or ()):
            self._wanted.setdefault(edge.node, []).append(index)
        self._ends = frozenset(self._wanted) if ends_there else frozenset[Node]()
        self._missing: dict[Node, int] = {}
        self._arrived: dict[Node, Arrived] = {}
        self._ready: list[tuple[float, int, Node]] = []
        self._pushed = 0
        self._leads_there: Mapping[Node, bool] | None = None
        #: Held, so that a leaf keeps a copy, which stays in order: so it is in PyTorch, whose sums
        #: of sparse tensors lie in more memory than they need.
        self._copied: list[Any] = []

    def run(self, roots: Sequence[tuple[Edge, Any]]) -> None:
        """Let the gradients of roots run back."""
        self._count([edge.node for edge, _ in roots])
        for edge, gradient in roots:
            self._arrive(edge, gradient)
        for node in dict.fromkeys(edge.node for edge, _ in roots):
            if not self._missing[node]:
                self._push(node)
        while self._ready:
            _, _, node = heappop(self._ready)
            self._visit(node)

    def _count(self, roots: Sequence[Node]) -> None:
        """Count how many gradients each node waits for."""
        missing = self._missing
        left = list(dict.fromkeys(roots))
        order: list[Node] = []
        for node in left:
            missing[node] = 0
        while left:
            node = left.pop()
            order.append(node)
            if node in self._ends:
                continue
            for edge in node.edges:
                if edge is None:
                    continue
                if edge.node not in missing:
                    missing[edge.node] = 0
                    left.append(edge.node)
                missing[edge.node] += 1
        if self._captures is not None:
            self._leads_there = self._find_wanted(order)

    def _find_wanted(self, nodes: Sequence[Node]) -> dict[Node, bool]:
        """Return of each node whether something that is captured lies behind it."""
        found = {node: False for node in nodes}
        behind: dict[Node, list[Node]] = {}
        for node in nodes:
            for edge in node.edges:
                if edge is not None:
                    behind.setdefault(edge.node, []).append(node)
        left = [node for node in self._wanted if node in found]
        while left:
            for node in behind.get(left.pop(), ()):
                if not found[node]:
                    found[node] = True
                    left.append(node)
        return found

    def reaches(self, node: Node) -> bool:
        """Whether gradients come to a node in this run."""
        leads = self._leads_there
        return node in self._missing and (leads is None or leads[node] or node in self._wanted)

    def _push(self, node: Node) -> None:
        # Of leaves, which are of one order, the first that is ready comes first.
        self._pushed += 1
        heappush(self._ready, (-node.order, self._pushed, node))

    def _arrive(self, edge: Edge, gradient: Any) -> None:
        """Add a gradient to those that have arrived at a node."""
        node, number = edge
        arrived = self._arrived.get(node)
        if arrived is None:
            arrived = self._arrived[node] = [None] * len(node.results)
        if gradient is None:
            return
        before = arrived[number]
        if before is None:
            arrived[number] = gradient
            return
        arrived[number] = total = added(before, gradient)
        if has_common_places(before, gradient, total):
            self._copied.append(total)

    def _visit(self, node: Node) -> None:
        arrived = self._arrived.pop(node)
        wanted = self._wanted.get(node, ())
        leads = self._leads_there
        is_run = leads is None or leads[node]
        run_hooks(node.hooks_of_results(), arrived)
        is_visited = is_run or (self._visits_captures and bool(wanted))
        if is_visited and node.pre_hooks:
            arrived = after_prehooks(node.pre_hooks, arrived)
        run_hooks(node.retaining, arrived)
        captures = self._captures
        for index in wanted:
            assert captures is not None
            self.captured[index] = arrived[captures[index].number]
        if not is_run:
            if is_visited:
                self._end_at(node, arrived)
            if node not in self._ends:
                self._pass_nothing(node)
            return
        given: Sequence[Any] = [None] * len(node.edges)
        if any(gradient is not None for gradient in arrived) or not node.results:
            try:
                given = self._gradients(node, arrived)
            except Exception:
                anomaly.tell(node)
                raise
        if not self._keeps_graph:
            node.release()
        for index, edge in enumerate(node.edges):
            if edge is not None:
                gradient = given[index]
                if gradient is not None:
                    gradient = self._fitted(gradient, edge, node, index)
                self._pass(edge, gradient)

    def _end_at(self, node: Node, arrived: Arrived) -> None:
        """Do all that a node does but compute: nobody asks for the gradients of its operands."""
        after_posthooks(node.post_hooks, [None] * len(node.edges), arrived)
        if not self._keeps_graph:
            node.release()

    def _gradients(self, node: Node, arrived: Arrived) -> Sequence[Any]:
        outputs = tuple(arrived) if node.post_hooks else ()
        given = node.backward(arrived)
        if node.edges and len(given) != len(node.edges):
            raise TrilithRuntimeError(
                f"Function {node.name()} returned an invalid number of gradients - expected "
                f"{len(node.edges)}, but got {len(given)}"
            )
        if node.post_hooks:
            given = after_posthooks(node.post_hooks, given, outputs)
        anomaly.check(node, given)
        return given

    def _pass_nothing(self, node: Node) -> None:
        for edge in node.edges:
            if edge is not None:
                self._pass(edge, None)

    def _pass(self, edge: Edge, gradient: Any) -> None:
        """Hand a gradient on; the node is ready when nothing is missing."""
        self._arrive(edge, gradient)
        missing = self._missing
        missing[edge.node] -= 1
        if not missing[edge.node]:
            self._push(edge.node)


def fitted(gradient: Any, edge: Edge, node: Node, index: int) -> Any:
    """Return a gradient as the result it belongs to: its shape, its dtype, real if it is."""
    gradient = in_its_place(gradient, edge, node, index)
    dtype = edge.node.results[edge.number].dtype
    return gradient if dtype is None else converted(gradient, dtype)


def seamed(gradient: Any, edge: Edge, node: Node, index: int) -> Any:
    """Return a gradient as `fitted` does, whose conversions directions do not see."""
    gradient = in_its_place(gradient, edge, node, index)
    dtype = edge.node.results[edge.number].dtype
    if dtype is None:
        return gradient
    has_real_result = node.is_of_one_number and not node.results[0].spec.dtype.is_complex
    return with_seam(gradient, dtype, has_real_result)


def moved(gradient: Any, edge: Edge, node: Node, index: int) -> Any:
    """Return a direction as what it moves; real where real numbers became complex ones."""
    gradient = in_its_place(gradient, edge, node, index)
    dtype = edge.node.results[edge.number].dtype
    if dtype is None or dtype.is_complex or not gradient.spec.dtype.is_complex:
        return gradient
    is_of_complex = any(each.dtype is not None and each.dtype.is_complex for each in node.results)
    return gradient.real if is_of_complex else gradient


def in_its_place(gradient: Any, edge: Edge, node: Node, index: int) -> Any:
    """Return a gradient of the shape, and on the device, of the result it belongs to."""
    spec, found = edge.node.results[edge.number].spec, gradient.spec
    if found.shape != spec.shape:
        if not _is_expanded(found.shape, spec.shape):
            raise TrilithRuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {index} - got "
                f"{list(found.shape)} but expected shape compatible with {list(spec.shape)}"
            )
        gradient = gradient.sum_to_size(spec.shape)
    if gradient.spec.device != spec.device:
        if gradient.spec.rank:
            raise TrilithRuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {index} - expected "
                f"device {spec.device} but got {gradient.spec.device}"
            )
        gradient = gradient.to(spec.device)
    return gradient


def _is_expanded(shape: Sequence[int], origin: Sequence[int]) -> bool:
    """Whether a shape is another one that was expanded."""
    if len(shape) < len(origin):
        return False
    ends = zip(reversed(shape), reversed(origin), strict=False)
    return all(size == other or other == 1 for size, other in ends)


class _Running(local):
    """The runs of a thread, the innermost last: hooks may start others."""

    def __init__(self) -> None:
        self.runs: list[_Run] = []


_RUNNING = _Running()


def current_run() -> Any:
    """Return the run in which a hook is called."""
    return _RUNNING.runs[-1]


def is_pushing() -> bool:
    """Whether gradients run back only to be differentiated, which moves values in a direction."""
    runs = _RUNNING.runs
    return bool(runs) and runs[-1].is_pushing


def run_backward(
    roots: Sequence[tuple[Edge, Any]],
    captures: Sequence[Edge] | None = None,
    *,
    keeps_graph: bool,
    is_recorded: bool,
    ends_there: bool = False,
    is_pushing: bool = False,
    visits_captures: bool = False,
    is_moving: bool = False,
) -> list[Any]:
    """Let gradients run back from roots; return those that are captured, if any are.

    Without captures they end in the leaves. The graph stays usable if it `keeps_graph`; what is
    computed is itself recorded if it `is_recorded`. A run that `ends_there` does not look at what
    lies behind captures; of one that `is_pushing` only the gradient of what it gives is wanted. One
    that `visits_captures` frees what their nodes have saved, and calls their hooks. What one that
    `is_moving` carries are directions, whose dtypes may be others than those of what they move.
    """
    run = _Run(
        captures,
        keeps_graph=keeps_graph,
        ends_there=ends_there,
        is_pushing=is_pushing,
        visits_captures=visits_captures,
        is_moving=is_moving,
    )
    _RUNNING.runs.append(run)
    try:
        with set_grad(is_recorded):
            run.run(roots)
    finally:
        _RUNNING.runs.pop()
    return run.captured
