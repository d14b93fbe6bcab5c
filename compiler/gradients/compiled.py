"""What happens when a compiled function is called with tensors that require a gradient?

It runs as one program, which also gives what its gradient needs, and leaves one node in the graph,
whose gradient is one program, too. The second program is the function once more: what the first
has kept takes the place of what would be computed again, and nothing is left of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary

from xdsl.ir import BlockArgument

from ...runtime.gradients.engine import is_pushing, run_backward
from ...runtime.gradients.graph import Edge, Node, Result, named, newest, set_history
from ...runtime.gradients.leaves import edge_of
from ...runtime.gradients.levels import TransformingError, depth, level
from ...runtime.gradients.modes import is_grad_enabled, transforming
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
from ..trace.pytree import RecordedSparseError, flatten, unflatten
from ..trace.tracer import TRACING
from .arguments import argument_of
from .row_nodes import RowNode
from .steps import StepsNode

#: By compiled function what is known of its calls with gradients.
_KNOWN: WeakKeyDictionary[CompiledFunction[..., Any], tuple[int, dict[Any, Any]]] = (
    WeakKeyDictionary()
)


def call_compiled(
    function: CompiledFunction[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """Call a compiled function, and record the call as one operation if anything is recorded."""
    leaves: list[Any] = []
    try:
        structure = flatten((arguments, keywords), leaves)
    except RecordedSparseError:
        # Whether its gradient is sparse is known of each step alone.
        return function.function(*arguments, **keywords)
    if not is_grad_enabled():
        given, named_ones = unflatten(structure, iter(map(_ended, leaves)))
        return _unrecorded(function)(*given, **named_ones)
    if depth() > 1:
        # A transformation of a transformation: each takes the steps as part of its own.
        given, named_ones = unflatten(structure, iter(leaves))
        return function.function(*given, **named_ones)
    wanted = tuple(index for index, leaf in enumerate(leaves) if _is_wanted(leaf))
    known = _known_of(function)
    found = known.get((structure, wanted))
    if found is None:
        found = known.setdefault((structure, wanted), Recorded(function, structure, wanted))
    return found.call(leaves)


def _known_of(function: CompiledFunction[..., Any]) -> dict[Any, Any]:
    """Return what is known of a function, for what it has captured as that is now."""
    changes = function.gradient_changes
    known = _KNOWN.get(function)
    if known is None or known[0] != changes:
        known = _KNOWN[function] = changes, {}
    return known[1]


def _unrecorded(function: CompiledFunction[..., Any]) -> Any:
    """Return a compiled function of the same code, whose calls are not recorded."""
    known = _known_of(function)
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
        self.outputs, self.structure, self.arguments = outputs, structure, arguments
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

    def differentiable(self) -> tuple[int, ...]:
        """Return which outputs have a gradient, and are no argument or output once more."""
        known = dict(self.again())
        found = [index for index, each in enumerate(self.outputs) if _edge(each) is not None]
        return tuple(index for index in found if index not in known)

    def again(self) -> tuple[tuple[int, int], ...]:
        """Return the outputs that are an argument or an earlier output: their numbers, and its.

        Arguments are counted from -1 downwards.
        """
        known = {id(each): ~number for number, each in enumerate(self.arguments)}
        found: list[tuple[int, int]] = []
        for index, each in enumerate(self.outputs):
            first = known.setdefault(id(each), index)
            if first != index and _edge(each) is not None:
                found.append((index, first))
        return tuple(found)

    def pulled(self, pairs: Sequence[tuple[int, Any]], *, is_recorded: bool) -> list[Any]:
        """Return the gradients of the arguments, and of what the function has captured.

        The pairs are those of outputs, by their numbers.
        """
        roots = [
            (edge, gradient)
            for index, gradient in pairs
            if gradient is not None and (edge := _edge(self.outputs[index])) is not None
        ]
        targets = [edge for each in self.arguments if (edge := _edge(each)) is not None]
        ends = [*targets, *self.outside]
        return run_backward(
            *(roots, ends),
            keeps_graph=is_recorded,
            is_recorded=is_recorded,
            is_pushing=is_pushing(),
        )

    def kept(self) -> list[SavedTensor]:
        """Return what is saved besides arguments and views of them, each value once."""
        found: dict[Any, SavedTensor] = {}
        for saved in self.saved:
            key = _identity(saved.plain)
            if key is not None:
                found.setdefault(key, saved)
        return list(found.values())

    def needed(self, leaves: Sequence[Any]) -> tuple[int, ...]:
        """Return which leaves are saved, whole or in part."""
        values = [saved.plain.value for saved in self.saved if isinstance(saved.plain, Proxy)]
        memories = {memory_of(value) for value in values}
        return tuple(
            index
            for index, leaf in enumerate(leaves)
            if isinstance(leaf, Proxy) and memory_of(leaf.value) in memories
        )

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


class Traced(NamedTuple):
    """What one trace of a function has found out, which its plan does not say."""

    #: What it returns: how it is nested, and how many leaves that has.
    structure: Any
    outputs: int
    #: Which of those are new and have a gradient, and which are something once more: see `again`.
    differentiable: tuple[int, ...]
    again: tuple[tuple[int, int], ...]
    #: Which arguments the gradient needs as they were.
    needed: tuple[int, ...]
    #: Where gradients of captured tensors go.
    outside: tuple[Edge, ...]


class Recorded:
    """A compiled function for one kind of arguments, of which some want a gradient."""

    def __init__(
        self, function: CompiledFunction[..., Any], structure: Any, wanted: tuple[int, ...]
    ) -> None:
        """Compile the function and its gradient when they are called."""
        self._function: Callable[..., Any] = function.function
        self._structure, self._wanted = structure, wanted
        #: Each plan says by a number which of these is its own.
        self._traces: list[Traced] = []

        @wraps(self._function)
        def forward(*leaves: Any) -> Any:
            if TRACING.trace is None:
                raise _StepByStep
            run = self._run(leaves)
            outputs = [_ended(each) for each in run.outputs]
            return outputs, [saved.plain for saved in run.kept()], self._noted(run, leaves)

        @wraps(self._function)
        def backward(leaves: Sequence[Any], kept: Sequence[Any], cotangents: Sequence[Any]) -> Any:
            run = self._run(leaves)
            run.replace(kept)
            return run.pulled(list(enumerate(cotangents)), is_recorded=False)

        device = function.device
        self._forward: Any = compile(taking_gradients(forward), device=device)
        self._backward: Any = compile(taking_gradients(backward), device=device)
        # Between two calls weights are most likely to change.
        self._forward.keeps = self._backward.keeps = False

    def _noted(self, run: _Run, leaves: Sequence[Any]) -> str:
        """Note what a trace has found out; return its number, as a text is part of a plan."""
        differentiable, needed = run.differentiable(), run.needed(leaves)
        made = run.structure, len(run.outputs)
        traced = Traced(*made, differentiable, run.again(), needed, tuple(run.outside))
        if traced not in self._traces:
            self._traces.append(traced)
        return str(self._traces.index(traced))

    def _run(self, leaves: Sequence[Any]) -> _Run:
        """Run the function on leaves, of which some are differentiated."""
        since = newest()
        with level() as own, transforming(), without_hooks():
            made = [
                argument_of(leaf, own) if index in self._wanted else leaf
                for index, leaf in enumerate(leaves)
            ]
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
        try:
            structure = flatten(output, outputs)
        except RecordedSparseError:
            if trace is None:
                raise
            raise NotTraceable(
                "a function whose gradient is wanted returns a sparse tensor",
                hint="return its values, or .to_dense()",
            ) from None
        run = _Run(outputs, structure, [made[index] for index in self._wanted], since)
        if trace is not None and any(saved.is_written for saved in run.saved):
            raise NotTraceable(
                "a function whose gradient is wanted writes over what the gradient needs",
                hint="write x = x + y in place of x += y",
            )
        return run

    def call(self, leaves: list[Any]) -> Any:
        """Run the function on leaves, and record the call."""
        plain = [_ended(leaf) for leaf in leaves]
        try:
            outputs, kept, number = self._forward(*plain)
        except _StepByStep:
            arguments, keywords = unflatten(self._structure, iter(leaves))
            return self._function(*arguments, **keywords)
        traced = self._traces[int(number)]
        edges = [*(_edge(leaves[index]) for index in self._wanted), *traced.outside]
        own = [outputs[index] for index in traced.differentiable]
        results = [Result(each.spec, each.spec.dtype) for each in own]
        node = named(CompiledNode, "CompiledFunctionBackward")(
            *(self, traced, leaves, kept, edges, results)
        )
        wanted = [leaves[index] for index in self._wanted]
        bases = {id(leaf.memory): leaf for leaf in wanted}
        for position, index in enumerate(traced.differentiable):
            result = outputs[index]
            base = bases.setdefault(id(result.memory), result)
            if base is not result and _is_view(base.spec, result.spec):
                offset = result.storage_offset()
                outputs[index] = base.as_strided(result.spec.shape, result.spec.strides, offset)
            else:
                set_history(result, node, position)
        for index, first in traced.again:
            outputs[index] = wanted[~first] if first < 0 else outputs[first]
        return unflatten(traced.structure, iter(outputs))

    def pull(
        self,
        traced: Traced,
        plain: Sequence[Any],
        kept: Sequence[Any],
        gradients: Sequence[Any],
    ) -> Any:
        """Return the gradients of arguments and captured tensors for those of the outputs."""
        cotangents: list[Any] = [None] * traced.outputs
        for index, gradient in zip(traced.differentiable, gradients, strict=True):
            cotangents[index] = gradient
        return self._backward(list(plain), list(kept), cotangents)

    def pull_again(self, traced: Traced, leaves: Sequence[Any], gradients: Sequence[Any]) -> Any:
        """Return the same step by step, recorded if anything is: gradients can be taken of it."""
        pairs = list(zip(traced.differentiable, gradients, strict=True))
        return self._run(leaves).pulled(pairs, is_recorded=is_grad_enabled())


def _not_traceable(error: TransformingError) -> Exception:
    """Return what to raise for what can be done step by step alone."""
    if TRACING.trace is None:
        return error
    return NotTraceable(
        "a function whose gradient is wanted calls backward(), requires_grad_(), or a Function "
        "without setup_context",
        hint="use tri.func.grad in the function, or compile what it calls",
    )


def _is_view(base: Any, spec: Any) -> bool:
    """Whether what lies in the memory of another tensor can be seen as a part of it."""
    return base.dtype is spec.dtype and base.is_conj == spec.is_conj


def _ended(value: Any) -> Any:
    return cast("Any", value).without_gradient() if isinstance(value, TensorFields) else value


class CompiledNode(Node):
    """The node of a call of a compiled function, whose gradient is compiled, too."""

    __slots__ = ("_kept", "_leaves", "_needed", "_recorded", "_traced")

    def __init__(
        self,
        recorded: Recorded,
        traced: Traced,
        leaves: Sequence[Any],
        kept: Sequence[Any],
        edges: Sequence[Edge | None],
        results: Sequence[Result],
    ) -> None:
        """Keep what the gradient needs: some leaves as they were, and what was computed."""
        super().__init__(edges, results)
        self._recorded, self._traced, self._leaves = recorded, traced, leaves
        self._needed = {index: SavedTensor(leaves[index]) for index in traced.needed}
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
            return self._recorded.pull_again(self._traced, leaves, gradients)
        plain = [_ended(leaf) for leaf in leaves]
        return self._recorded.pull(self._traced, plain, kept, gradients)
