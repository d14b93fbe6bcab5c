"""How is an operation recorded? It runs on plain tensors, and its results get a node.

Composites without a rule of their own run step by step, so that each step is recorded. Where
nothing is to be recorded, as within `no_grad`, views are still noted, since what is written through
them belongs to their base.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, cast

from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.ops.frame.gradients import Gradient
from ...dialects.ops.frame.opspec import CompositeOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.table import TABLE
from ...dialects.records import replace
from ...runtime.gradients import anomaly
from ...runtime.gradients.graph import Edge, Node, Result, set_history
from ...runtime.gradients.leaves import edge_of
from ...runtime.gradients.levels import is_moving
from ...runtime.gradients.modes import is_inference_mode_enabled, is_recording
from ...runtime.gradients.saved import keep_before_write
from ...runtime.gradients.state import requires_gradient, state_of
from ...runtime.gradients.views import (
    IN_INFERENCE,
    IN_NO_GRAD,
    SEVERAL,
    check_recorded_write,
    check_write,
    note_view,
    written,
)
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.plain_views import note_plain
from ...runtime.tensors.recorded import RecordedTensor
from ...runtime.tensors.sparse import SparseTensor
from ..trace.layers import LAYERS, Runner
from ..trace.sparse_operands import run_sparse
from ..trace.writes import check_cast, refuse_shape
from .compiled import call_compiled
from .recipes import Place, node_class, places_of, recipe_of, sequence
from .row_nodes import RowNode
from .rules import has_sparse, rule_for
from .steps import Operands, StepsNode

assert issubclass(RecordedTensor, TensorFields)


class Recorder:
    """The layer of tensors that have to do with gradients."""

    def call(
        self, runner: Runner, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run a row on plain tensors, and record it."""
        rule = rule_for(row, arguments, keywords)
        if rule is None and has_sparse(arguments, keywords):
            return run_sparse(row, arguments, keywords, runner.language)
        if rule is None:
            return runner.expand(row, arguments, keywords)
        if rule.is_stepwise:
            return _run_steps(runner, row, rule, arguments, keywords)
        level = _level_below(arguments, keywords)
        plain = Plain(level, runner)
        raw = runner.run(row, plain.all(arguments), plain.named(keywords))
        results = [plain.given(result) for result in sequence(raw)]
        is_view = rule.is_view
        if is_recording() or is_moving():
            bound = row.schema.bind(arguments, keywords)
            _record(row, rule, bound, results, level)
        elif not is_view:
            return _packed(raw, results)
        if is_view:
            _note_views(row, rule, row.schema.bind(arguments, keywords), results)
        return _packed(raw, results)

    def call_in_place(
        self, runner: Runner, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run a row that writes into its first operand, which gets a new node."""
        bound = row.schema.bind(arguments, keywords)
        first = row.schema.parameters[0].name
        target: Any = bound[first]
        rule = rule_for(row, arguments, keywords)
        level = _level_below(arguments, keywords)
        plain = Plain(level, runner)
        check_write(target)
        if not (is_recording() or is_moving()):
            return _run_in_place(runner, row, plain, arguments, keywords, target)
        if rule is None or rule.is_stepwise:
            return self._write_steps(runner, row, rule, bound, arguments, keywords)
        places, edges = _edges(row, rule, bound, level)
        if not any(edges) or not _is_differentiable(target.spec):
            return _run_in_place(runner, row, plain, arguments, keywords, target)
        note_plain(target)
        if is_recording():
            check_recorded_write(target)
        node = _node(row, rule, bound, places, edges, [target.spec])
        if isinstance(node, RowNode):
            node.keep(bound, first)
        _run_in_place(runner, row, plain, arguments, keywords, target)
        if isinstance(node, RowNode):
            node.keep_results([target])
        written(target, node)
        return target

    def _write_steps(
        self,
        runner: Runner,
        row: OpSpec,
        rule: Gradient | None,
        bound: Mapping[str, Any],
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        """Compute the result of a composite step by step, and copy it into the target."""
        target: Any = bound[row.schema.parameters[0].name]
        if not any(
            isinstance(item, TensorFields) and requires_gradient(item)
            for value in bound.values()
            for item in sequence(value)
        ):
            plain = Plain(_level_below(arguments, keywords), runner)
            return _run_in_place(runner, row, plain, arguments, keywords, target)
        note_plain(target)
        check_recorded_write(target)
        before = _before_write(target)
        swapped = tuple(before if value is target else value for value in arguments)
        named_values = {
            name: before if value is target else value for name, value in keywords.items()
        }
        result = _with_steps(runner, row, rule, swapped, named_values)
        check_cast(result.spec, target.spec)
        if result.spec.shape != target.spec.shape:
            raise refuse_shape(target.spec, result.spec)
        edge = edge_of(result)
        found = state_of(target)
        if (
            edge is None
            or result.spec.dtype is not target.spec.dtype
            or (found is not None and found.view is not None)
        ):
            target.copy_(result)
            return target
        keep_before_write(target)
        copy = TABLE["copy"]
        runner.run_in_place(copy, (target.without_gradient(), result.without_gradient()), {})
        written(target, edge.node, edge.number)
        return target

    def call_function(
        self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Call a compiled function, as one operation of the graph."""
        return call_compiled(function, arguments, keywords)

    def check_out(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any
    ) -> None:
        """Refuse `out=` where something is to be recorded: it has no gradient in PyTorch."""
        rule = rule_for(row, arguments, keywords)
        is_constant = rule is not None and rule.is_known and not rule.formulas and not rule.joint
        if not is_recording() or is_constant:
            return
        outs = sequence(out)
        if not any(_is_differentiable(each.spec) for each in outs if hasattr(each, "spec")):
            return
        values: list[Any] = [*arguments, *keywords.values(), *outs]
        flat = [item for value in values for item in sequence(value)]
        if any(isinstance(item, TensorFields) and requires_gradient(item) for item in flat):
            raise TrilithRuntimeError(
                f"{row.schema.name}(): functions with out=... arguments don't support automatic "
                "differentiation, but one of the arguments requires grad.",
                hint="leave out= away, or call within tri.no_grad()",
            )


def _run_in_place(
    runner: Runner,
    row: OpSpec,
    plain: Plain,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    target: Any,
) -> Any:
    """Run a row that writes into a target without its gradient, and return the target."""
    keep_before_write(target)
    given = plain.all(arguments)
    named = plain.named(keywords)
    runner.run_in_place(row, given, named)
    if isinstance(target, SparseTensor):
        # There is no memory that both share: the target gets the parts that were written.
        target.take_parts((*given, *named.values())[0])
    return target


def _before_write(target: Any) -> Any:
    """Return a tensor with the elements of another one that stays as it is, in its place."""
    before = target.without_gradient().clone()
    edge = edge_of(target)
    if edge is not None:
        set_history(before, edge.node, edge.number)
    return before


class Plain:
    """Takes gradients off operands, and knows which operand each plain tensor is."""

    def __init__(self, level: int, runner: Runner) -> None:
        """Leave alone what belongs to the level of a mapping, or to those around it."""
        self._level, self._runner = level, runner
        self._given: dict[int, tuple[Any, Any]] = {}

    def all(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return values without gradients."""
        return tuple(map(self._of, values))

    def named(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values by name without gradients."""
        return {name: self._of(value) for name, value in values.items()}

    def _of(self, value: Any) -> Any:
        if isinstance(value, TensorFields):
            found = state_of(value)
            if found is None or found.level < self._level:
                return value
            known = next((made for made, one in self._given.values() if one is value), None)
            if known is not None:
                return known
            made = self._runner.plain(value)
            self._given[id(made)] = made, value
            return made
        if type(value) is list or type(value) is tuple:
            kind = cast("Any", type(cast("Any", value)))
            return kind(map(self._of, cast("Sequence[Any]", value)))
        return value

    def given(self, result: Any) -> Any:
        """Return the operand itself where a row has handed it back."""
        found = self._given.get(id(result))
        return result if found is None else found[1]


def _level_below(arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> int:
    """Return the level of the mapping that an operation on operands belongs to; 0 for none."""
    highest = 0
    for value in (*arguments, *keywords.values()):
        for item in sequence(value):
            if isinstance(item, TensorFields) and item.batch_level is not None:
                highest = max(highest, item.batch_level[0])
    return highest


def _packed(raw: Any, results: list[Any]) -> Any:
    """Return results as the row has given them: one, a list, a tuple with names."""
    kind = cast("Any", type(raw))
    if kind is tuple:
        return tuple(results)
    if kind is list:
        return results
    return kind(*results) if isinstance(raw, tuple) else results[0]


def _is_differentiable(spec: Any) -> bool:
    return spec.dtype.is_floating_point or spec.dtype.is_complex


def _edges(
    row: OpSpec, rule: Gradient, bound: Mapping[str, Any], level: int
) -> tuple[tuple[Place, ...], list[Edge | None]]:
    """Return where the gradients of the operands of a call come from, and where they go."""
    places: list[Place] = []
    edges: list[Edge | None] = []
    for name in places_of(row, rule):
        value = bound[name]
        if isinstance(value, (list, tuple)):
            for index, item in enumerate(cast("Sequence[Any]", value)):
                places.append((name, index))
                edges.append(_edge(item, level))
        else:
            places.append((name, None))
            edges.append(_edge(value, level))
    return tuple(places), edges


def _edge(item: Any, level: int) -> Edge | None:
    if not isinstance(item, TensorFields):
        return None
    found = state_of(item)
    edge = None if found is None or found.level < level else edge_of(item)
    # Where gradients are not recorded, directions are followed all the same.
    return edge if edge is None or is_recording() or is_moving(edge.node.level) else None


def _node(
    row: OpSpec,
    rule: Gradient,
    bound: Mapping[str, Any],
    places: tuple[Place, ...],
    edges: Sequence[Edge | None],
    specs: Sequence[Any],
) -> Node:
    """Return a new node for a call of a row."""
    results = [Result(spec, spec.dtype if _is_differentiable(spec) else None) for spec in specs]
    kind = node_class(row, rule, bound, RowNode)
    if rule.is_known:
        wanted = tuple([edge is not None for edge in edges])
        node: Node = kind(recipe_of(row, rule, places, wanted), edges, results)
    else:
        node = kind(row.torch_name, edges, results)
    level = 0
    for edge in edges:
        if edge is not None and edge.node.level > level:
            level = edge.node.level
    node.level = level
    anomaly.remember(node)
    return node


def _with_steps(
    runner: Runner,
    row: OpSpec,
    rule: Gradient | None,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
) -> Any:
    """Run a composite step by step; its result has one node if there is a rule."""
    if rule is None:
        return runner.expand(row, arguments, keywords)
    return _run_steps(runner, row, rule, arguments, keywords)


@cache
def _written_for_gradients(row: OpSpec, rule: Gradient) -> OpSpec:
    """Return a composite in the steps that its gradient needs."""
    return replace(cast("CompositeOp", row), expand=rule.expand)


def _run_steps(
    runner: Runner,
    row: OpSpec,
    rule: Gradient,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
) -> Any:
    """Run a composite step by step, and give its results one node."""
    if not (is_recording() or is_moving()):
        return runner.expand(row, arguments, keywords)
    bound = row.schema.bind(arguments, keywords)
    places, edges = _edges(row, rule, bound, _level_below(arguments, keywords))
    found: dict[int, tuple[int, Any, Edge]] = {}
    for index, ((name, item), edge) in enumerate(zip(places, edges, strict=True)):
        if edge is not None:
            given: Any = bound[name] if item is None else cast("Any", bound[name])[item]
            found.setdefault(id(given), (index, given, edge))
    if not found:
        return runner.expand(row, arguments, keywords)
    indices, tensors, origins = zip(*found.values(), strict=True)
    if rule.expand is not None:
        row = _written_for_gradients(row, rule)
    operands = Operands(runner, tensors, origins)
    inside = {name: operands.inside(value) for name, value in keywords.items()}
    raw = runner.expand(row, tuple(map(operands.inside, arguments)), inside)
    results = sequence(raw)
    roots = [
        None
        if number in rule.constant_results or not isinstance(each, TensorFields)
        else edge_of(each)
        for number, each in enumerate(results)
    ]
    is_zero = len(roots) == 1 and roots[0] is None and 0 not in rule.constant_results
    if is_zero:
        # No step needed an operand, such as those of a product times 0: PyTorch has a node.
        is_zero = isinstance(results[0], TensorFields) and _is_differentiable(results[0].spec)
    if roots.count(None) == len(roots) and not is_zero:
        return raw
    kind = node_class(row, rule, bound, StepsNode)
    specs = [Result(each.spec, each.spec.dtype) for each in results]
    node: Node = kind(roots, operands.targets(), indices, edges, specs)
    node.level = max(edge.node.level for edge in origins)
    anomaly.remember(node)
    made: list[Any] = []
    for number, (result, root) in enumerate(zip(results, roots, strict=True)):
        given = operands.outside(result)
        is_constant = number in rule.constant_results
        if given is None and (root is not None or is_zero or is_constant):
            given = runner.plain(result)
            if not is_constant:
                set_history(given, node, number)
        made.append(result if given is None else given)
    return _packed(raw, made)


def _record(
    row: OpSpec, rule: Gradient, bound: Mapping[str, Any], results: Sequence[Any], level: int
) -> None:
    """Give the results of a call a node, if an operand wants a gradient and they can have one."""
    places, edges = _edges(row, rule, bound, level)
    if edges.count(None) == len(edges):
        return
    given = bound.values()
    own = [
        (number, result)
        for number, result in enumerate(results)
        if isinstance(result, TensorFields)
        and number not in rule.constant_results
        and _is_differentiable(result.spec)
        and not any(result is value for value in given)
    ]
    if not own:
        return
    node = _node(row, rule, bound, places, edges, [result.spec for result in results])
    if isinstance(node, RowNode):
        node.keep(bound)
        node.keep_results(results)
    for number, result in own:
        set_history(result, node, number)


def _note_views(
    row: OpSpec, rule: Gradient, bound: Mapping[str, Any], results: Sequence[Any]
) -> None:
    """Note what the results of a view are views of, and whether they may be written."""
    origin = next(iter(bound.values()))
    if state_of(origin) is None:
        return
    refusal = f":{SEVERAL}" if rule.is_several else ""
    if is_inference_mode_enabled():
        refusal = f"{IN_INFERENCE}{refusal}" if refusal else IN_INFERENCE
    elif not is_recording():
        refusal = f"{IN_NO_GRAD}{refusal}" if refusal else IN_NO_GRAD
    for number, result in enumerate(results):
        if result is origin or not isinstance(result, TensorFields):
            continue
        step = _seeing(row, bound, number if rule.is_several else None)
        note_view(result, origin, step, refusal)


def _seeing(row: OpSpec, bound: Mapping[str, Any], number: int | None) -> Callable[[Any], Any]:
    """Return what sees the view that a call of a row gives in another tensor."""
    first, *_ = bound
    others = {name: value for name, value in bound.items() if name != first}
    return partial(_see, row.name, first, others, number)


def _see(name: str, first: str, others: Mapping[str, Any], number: int | None, whole: Any) -> Any:
    from .language import LANGUAGE

    found = LANGUAGE.call(name, **{first: whole}, **others)
    return found if number is None else found[number]


RECORDER = Recorder()


def install() -> None:
    """Let operations be recorded from now on."""
    type(LAYERS).gradients = RECORDER
