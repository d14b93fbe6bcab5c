"""What happens when a compiled function is called with tensors that require a gradient?

It runs as one program, which also gives what its gradient needs, and leaves one node in the graph,
whose gradient is one program, too. The second program is the function once more: what the first
has kept takes the place of what would be computed again, and nothing is left of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, cast
from weakref import WeakKeyDictionary

from xdsl.ir import BlockArgument

from ...runtime.gradients.engine import run_backward
from ...runtime.gradients.graph import Edge, Node, Result, named, newest, set_history
from ...runtime.gradients.leaves import edge_of
from ...runtime.gradients.levels import TransformingError, depth, level
from ...runtime.gradients.modes import is_grad_enabled, set_grad
from ...runtime.gradients.saved import SavedTensor, freed, without_hooks
from ...runtime.gradients.state import requires_gradient
from ...runtime.tensors.fields import TensorFields
from ..functions.captured_gradients import taking_gradients
from ..functions.function import CompiledFunction
from ..functions.making import compile
from ..trace.buffers import memory_of
from ..trace.layers import LAYERS
from ..trace.not_traceable import NotTraceable
from ..trace.proxies import Proxy
from ..trace.pytree import flatten, unflatten
from ..trace.tracer import TRACING
from .arguments import argument_of
from .row_nodes import RowNode
from .steps import StepsNode

#: By compiled function what is known of its calls with gradients.
_KNOWN: WeakKeyDictionary[CompiledFunction[..., Any], dict[Any, Any]] = WeakKeyDictionary()


def call_compiled(
    function: CompiledFunction[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """Call a compiled function, and record the call as one operation if anything is recorded."""
    leaves: list[Any] = []
    structure = flatten((arguments, keywords), leaves)
    if not is_grad_enabled():
        given, named_ones = unflatten(structure, iter(map(_ended, leaves)))
        return _unrecorded(function)(*given, **named_ones)
    if depth() > 1:
        # A transformation of a transformation: each takes the steps as part of its own.
        given, named_ones = unflatten(structure, iter(leaves))
        return function.function(*given, **named_ones)
    wanted = tuple(index for index, leaf in enumerate(leaves) if _is_wanted(leaf))
    known = _KNOWN.setdefault(function, {})
    found = known.get((structure, wanted))
    if found is None:
        found = known.setdefault((structure, wanted), Recorded(function, structure, wanted))
    return found.call(leaves)


def _unrecorded(function: CompiledFunction[..., Any]) -> Any:
    """Return a compiled function of the same code, whose calls are not recorded."""
    known = _KNOWN.setdefault(function, {})
    found = known.get(None)
    if found is None:

        @wraps(function.function)
        def run(*arguments: Any, **keywords: Any) -> Any:
            return function.function(*arguments, **keywords)

        static = function.static_argnames
        compiled = compile(taking_gradients(run), device=function.device, static_argnames=static)
        found = known.setdefault(None, compiled)
    return found


def _is_wanted(leaf: Any) -> bool:
    return isinstance(leaf, TensorFields) and requires_gradient(leaf)


class _StepByStep(Exception):
    """The function cannot be traced: nothing has run yet, and its steps are to be recorded."""


class _Run:
    """One run of the function: what it returns, and what its gradient keeps and leads to."""

    def __init__(
        self, outputs: Sequence[Any], structure: Any, arguments: Sequence[Any], since: float
    ) -> None:
        self.outputs, self.structure = outputs, structure
        self.saved: list[SavedTensor] = []
        self.outside: list[Edge] = []
        self._ends = {edge.node for each in arguments if (edge := _edge(each)) is not None}
        self._since = since
        self._look(outputs)

    def _look(self, outputs: Sequence[Any]) -> None:
        """Walk over the graph that the run has made: it ends where another one begins."""
        edges = [edge for each in outputs if (edge := _edge(each)) is not None]
        nodes: dict[Node, None] = {}
        while edges:
            edge = edges.pop()
            if not self._since <= edge.node.order < float("inf"):
                if edge not in self.outside:
                    self.outside.append(edge)
            elif edge.node not in nodes and edge.node not in self._ends:
                nodes[edge.node] = None
                edges += [each for each in edge.node.edges if each is not None]
        for node in sorted(nodes, key=lambda node: node.order):
            if isinstance(node, (RowNode, StepsNode)):
                self.saved += node.saved_tensors()

    def kept(self) -> list[SavedTensor]:
        """Return what is saved besides arguments and views of them, each value once."""
        found: dict[Any, SavedTensor] = {}
        for saved in self.saved:
            key = _identity(saved.plain)
            if key is not None:
                found.setdefault(key, saved)
        return list(found.values())

    def needed(self, leaves: Sequence[Any]) -> list[int]:
        """Return which leaves are saved, whole or in part."""
        values = [saved.plain.value for saved in self.saved if isinstance(saved.plain, Proxy)]
        memories = {memory_of(value) for value in values}
        return [
            index
            for index, leaf in enumerate(leaves)
            if isinstance(leaf, Proxy) and memory_of(leaf.value) in memories
        ]

    def replace(self, values: Sequence[Any]) -> None:
        """Let other tensors be what was kept."""
        pairs = zip(self.kept(), values, strict=True)
        by_key = {_identity(saved.plain): value for saved, value in pairs}
        for saved in self.saved:
            value = by_key.get(_identity(saved.plain))
            if value is not None:
                saved.replace(value)


def _edge(value: Any) -> Edge | None:
    return edge_of(value) if isinstance(value, TensorFields) else None


def _identity(tensor: Any) -> Any:
    """Return what two tensors of a trace have in common that are one; None for an argument."""
    if not isinstance(tensor, Proxy):
        return id(tensor.memory), tensor.spec, tensor.offset
    value = tensor.value
    return None if isinstance(memory_of(value), BlockArgument) else value


class Recorded:
    """A compiled function for one kind of arguments, of which some want a gradient."""

    def __init__(
        self, function: CompiledFunction[..., Any], structure: Any, wanted: tuple[int, ...]
    ) -> None:
        """Compile the function and its gradient when they are called."""
        self._function: Callable[..., Any] = function.function
        self._structure, self._wanted = structure, wanted
        self._outside: list[Edge] = []
        self._shape: Any = None
        #: How many things the function returns, and which of them have a gradient.
        self._count = 0
        self._differentiable: list[int] = []
        #: Which leaves the gradient needs as they were.
        self._needed: list[int] = []

        @wraps(self._function)
        def forward(*leaves: Any) -> Any:
            if TRACING.trace is None:
                raise _StepByStep
            run = self._run(leaves)
            self._outside, self._shape = run.outside, run.structure
            self._count = len(run.outputs)
            outputs = [_ended(each) for each in run.outputs]
            self._differentiable = [
                index for index, each in enumerate(run.outputs) if _edge(each) is not None
            ]
            self._needed = run.needed(leaves)
            return outputs, [saved.plain for saved in run.kept()]

        @wraps(self._function)
        def backward(leaves: Any, kept: Any, cotangents: Any) -> Any:
            run = self._run(leaves)
            run.replace(kept)
            return self._pulled(run, leaves, cotangents)

        device = function.device
        self._forward: Any = compile(taking_gradients(forward), device=device)
        self._backward: Any = compile(taking_gradients(backward), device=device)
        self._arguments: list[Any] = []

    def _run(self, leaves: Sequence[Any]) -> _Run:
        """Run the function on leaves, of which some are differentiated."""
        since = newest()
        with level() as own, set_grad(True), without_hooks():
            made = [
                argument_of(leaf, own) if index in self._wanted else leaf
                for index, leaf in enumerate(leaves)
            ]
            self._arguments = [made[index] for index in self._wanted]
            arguments, keywords = unflatten(self._structure, iter(made))
            try:
                output = self._function(*arguments, **keywords)
            except TransformingError as error:
                raise _not_traceable(error) from None
        trace = TRACING.trace
        if trace is not None and trace.has_written:
            raise NotTraceable(
                "a function whose gradient is wanted writes to its arguments",
                hint="return what is written, or write within tri.no_grad() outside of it",
            )
        outputs: list[Any] = []
        structure = flatten(output, outputs)
        run = _Run(outputs, structure, self._arguments, since)
        if trace is not None and any(saved.is_written for saved in run.saved):
            raise NotTraceable(
                "a function whose gradient is wanted writes over what the gradient needs",
                hint="write x = x + y in place of x += y",
            )
        return run

    def _pulled(self, run: _Run, leaves: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        """Return the gradients of the arguments, and of what the function has captured."""
        roots = [
            (edge, cotangent)
            for output, cotangent in zip(run.outputs, cotangents, strict=True)
            if (edge := _edge(output)) is not None and cotangent is not None
        ]
        targets = [edge for each in self._arguments if (edge := _edge(each)) is not None]
        return run_backward(roots, [*targets, *run.outside], keeps_graph=False, is_recorded=False)

    def call(self, leaves: list[Any]) -> Any:
        """Run the function on leaves, and record the call."""
        plain = [_ended(leaf) for leaf in leaves]
        try:
            outputs, kept = self._forward(*plain)
        except _StepByStep:
            arguments, keywords = unflatten(self._structure, iter(leaves))
            return self._function(*arguments, **keywords)
        edges = [_edge(leaves[index]) for index in self._wanted]
        results = [Result(each.spec, each.spec.dtype) for each in self._of(outputs)]
        node = named(CompiledNode, "CompiledFunctionBackward")(
            self, leaves, self._needed, kept, [*edges, *self._outside], results
        )
        for number, index in enumerate(self._differentiable):
            set_history(outputs[index], node, number)
        return unflatten(self._shape, iter(outputs))

    def _of(self, outputs: Sequence[Any]) -> list[Any]:
        return [outputs[index] for index in self._differentiable]

    def pull(self, plain: Sequence[Any], kept: Sequence[Any], gradients: Sequence[Any]) -> Any:
        """Return the gradients of arguments and captured tensors for those of the outputs."""
        cotangents: list[Any] = [None] * self._count
        for index, gradient in zip(self._differentiable, gradients, strict=True):
            cotangents[index] = gradient
        return self._backward(list(plain), list(kept), cotangents)

    def pull_again(self, leaves: Sequence[Any], gradients: Sequence[Any]) -> Any:
        """Return the same step by step, recorded, so that gradients can be taken of it."""
        run = self._run(leaves)
        roots = [
            (edge, gradient)
            for index, gradient in zip(self._differentiable, gradients, strict=True)
            if (edge := _edge(run.outputs[index])) is not None and gradient is not None
        ]
        targets = [edge for each in self._arguments if (edge := _edge(each)) is not None]
        return run_backward(roots, [*targets, *run.outside], keeps_graph=True, is_recorded=True)


def _not_traceable(error: TransformingError) -> Exception:
    """Return what to raise for what can be done step by step alone."""
    if TRACING.trace is None:
        return error
    return NotTraceable(
        "a function whose gradient is wanted calls backward(), requires_grad_(), or a Function "
        "without setup_context",
        hint="use tri.func.grad in the function, or compile what it calls",
    )


def _ended(value: Any) -> Any:
    return cast("Any", value).without_gradient() if isinstance(value, TensorFields) else value


class CompiledNode(Node):
    """The node of a call of a compiled function, whose gradient is compiled, too."""

    __slots__ = ("_kept", "_leaves", "_needed", "_recorded")

    def __init__(
        self,
        recorded: Recorded,
        leaves: Sequence[Any],
        needed: Sequence[int],
        kept: Sequence[Any],
        edges: Sequence[Edge | None],
        results: Sequence[Result],
    ) -> None:
        """Keep what the gradient needs: the leaves with these indices, and what was computed."""
        super().__init__(edges, results)
        self._recorded, self._leaves = recorded, leaves
        self._needed = {index: SavedTensor(leaves[index]) for index in needed}
        self._kept: Sequence[SavedTensor] | None = [SavedTensor(each) for each in kept]

    def release(self) -> None:
        """Forget what was kept."""
        self._kept = None
        self._leaves, self._needed = (), {}

    def saved_tensors(self) -> list[SavedTensor]:
        """Return what is kept."""
        return [*self._needed.values(), *(self._kept or ())]

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Run the compiled gradient; step by step where it is to be recorded itself."""
        if self._kept is None:
            raise freed()
        kept = [saved.unpack(self) for saved in self._kept]
        leaves = list(self._leaves)
        for index, saved in self._needed.items():
            leaves[index] = saved.unpack(self)
        if is_grad_enabled() or LAYERS.mappings:
            return self._recorded.pull_again(leaves, gradients)
        return self._recorded.pull([_ended(leaf) for leaf in leaves], kept, gradients)
