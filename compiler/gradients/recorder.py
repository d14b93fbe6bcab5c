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
from ...dialects.ops.frame.derived import derived_gradient
from ...dialects.ops.frame.gradients import UNKNOWN, Gradient
from ...dialects.ops.frame.opspec import CompositeOp, ElementwiseOp, ViewOp
from ...dialects.ops.frame.row import OpSpec
from ...runtime.gradients import anomaly
from ...runtime.gradients.graph import Edge, Node, NotDifferentiable, Result, named, set_history
from ...runtime.gradients.leaves import edge_of
from ...runtime.gradients.modes import is_grad_enabled, is_inference_mode_enabled
from ...runtime.gradients.state import ViewState, requires_gradient, state_of
from ...runtime.gradients.views import (
    IN_INFERENCE,
    IN_NO_GRAD,
    SEVERAL,
    check_recorded_write,
    check_write,
    written,
)
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.recorded import RecordedTensor
from ..trace.layers import LAYERS, Runner
from .row_nodes import Place, RowNode
from .view_gradients import gradient_of_view

assert issubclass(RecordedTensor, TensorFields)


@cache
def rule_of(row: OpSpec) -> Gradient | None:
    """Return the rule of a row; None for a composite, whose steps have rules."""
    if row.gradient is not None:
        return row.gradient
    if isinstance(row, ElementwiseOp):
        return derived_gradient(row)
    if isinstance(row, ViewOp):
        return gradient_of_view(row)
    return None if isinstance(row, CompositeOp) else UNKNOWN


class Recorder:
    """The layer of tensors that have to do with gradients."""

    def call(
        self, runner: Runner, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run a row on plain tensors, and record it."""
        rule = rule_of(row)
        if rule is None:
            return runner.expand(row, arguments, keywords)
        level = _level_below(arguments, keywords)
        plain = Plain(level)
        raw = runner.run(row, plain.all(arguments), plain.named(keywords))
        results = [plain.given(result) for result in _sequence(raw)]
        is_view = rule.is_view
        if is_grad_enabled():
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
        rule = rule_of(row)
        level = _level_below(arguments, keywords)
        plain = Plain(level)
        check_write(target)
        if not is_grad_enabled():
            runner.run_in_place(row, plain.all(arguments), plain.named(keywords))
            return target
        if rule is None:
            return self._write_steps(runner, row, target, bound, arguments, keywords)
        places, edges = _edges(row, rule, bound, level)
        if not any(edges) or not _is_differentiable(target.spec):
            runner.run_in_place(row, plain.all(arguments), plain.named(keywords))
            return target
        check_recorded_write(target)
        node = _node(row, rule, bound, places, edges, [target.spec])
        needed: set[str] = set()
        if isinstance(node, RowNode):
            needed = node.needs()
            node.keep(needed, bound, first)
        runner.run_in_place(row, plain.all(arguments), plain.named(keywords))
        if isinstance(node, RowNode):
            node.keep_results(needed, [target])
        written(target, node)
        return target

    def _write_steps(
        self,
        runner: Runner,
        row: OpSpec,
        target: Any,
        bound: Mapping[str, Any],
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        """Compute the result of a composite step by step, and copy it into the target."""
        result = runner.expand(row, arguments, keywords)
        target.copy_(result)
        return target

    def check_out(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any
    ) -> None:
        """Refuse `out=` where something is to be recorded: it has no gradient in PyTorch."""
        rule = rule_of(row)
        is_constant = rule is not None and rule.is_known and not rule.formulas and not rule.joint
        if not is_grad_enabled() or is_constant:
            return
        outs = out if isinstance(out, (list, tuple)) else (out,)
        if not any(_is_differentiable(each.spec) for each in outs if hasattr(each, "spec")):
            return
        values = [*arguments, *keywords.values(), *outs]
        flat = [item for value in values for item in _sequence(value)]
        if any(isinstance(item, TensorFields) and requires_gradient(item) for item in flat):
            raise TrilithRuntimeError(
                f"{row.schema.name}(): functions with out=... arguments don't support automatic "
                "differentiation, but one of the arguments requires grad.",
                hint="leave out= away, or call within tri.no_grad()",
            )


class Plain:
    """Takes gradients off operands, and knows which operand each plain tensor is."""

    def __init__(self, level: int) -> None:
        """Leave alone what belongs to the level of a mapping, or to those around it."""
        self._level = level
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
            made = value.without_gradient()
            self._given[id(made)] = made, value
            return made
        if type(value) is list or type(value) is tuple:
            return type(value)(map(self._of, cast("Sequence[Any]", value)))
        return value

    def given(self, result: Any) -> Any:
        """Return the operand itself where a row has handed it back."""
        found = self._given.get(id(result))
        return result if found is None else found[1]


def _level_below(arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> int:
    """Return the level of the mapping that an operation on operands belongs to; 0 for none."""
    highest = 0
    for value in (*arguments, *keywords.values()):
        for item in _sequence(value):
            if isinstance(item, TensorFields) and item.batch_level is not None:
                highest = max(highest, item.batch_level[0])
    return highest


def _sequence(value: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else (value,)


def _packed(raw: Any, results: list[Any]) -> Any:
    """Return results as the row has given them: one, a list, a tuple with names."""
    if not isinstance(raw, (list, tuple)):
        return results[0]
    kind: Any = type(raw)
    if kind is list or kind is tuple:
        return kind(results)
    return kind(*results)


def _is_differentiable(spec: Any) -> bool:
    return spec.dtype.is_floating_point or spec.dtype.is_complex


def _edges(
    row: OpSpec, rule: Gradient, bound: Mapping[str, Any], level: int
) -> tuple[list[Place], list[Edge | None]]:
    """Return where the gradients of the operands of a call come from, and where they go."""
    places: list[Place] = []
    edges: list[Edge | None] = []
    for parameter in row.schema.parameters:
        name = parameter.name
        value = bound[name]
        if not parameter.is_operand or (rule.is_known and name not in rule.formulas):
            continue
        is_list = isinstance(value, (list, tuple))
        for index, item in enumerate(_sequence(value)):
            places.append((name, index if is_list else None))
            edges.append(_edge(item, level))
    return places, edges


def _edge(item: Any, level: int) -> Edge | None:
    if not isinstance(item, TensorFields):
        return None
    found = state_of(item)
    return None if found is None or found.level < level else edge_of(item)


def _node(
    row: OpSpec,
    rule: Gradient,
    bound: Mapping[str, Any],
    places: Sequence[Place],
    edges: Sequence[Edge | None],
    specs: Sequence[Any],
) -> Node:
    """Return a new node for a call of a row."""
    results = [Result(spec, spec.dtype if _is_differentiable(spec) else None) for spec in specs]
    node: Node
    if not rule.is_known:
        node = named(NotDifferentiable, "NotImplemented")(row.torch_name, edges, results)
    else:
        node = named(RowNode, _name(row, rule, bound))(row, rule, places, edges, results)
    node.level = max((edge.node.level for edge in edges if edge is not None), default=0)
    anomaly.remember(node)
    return node


def _name(row: OpSpec, rule: Gradient, bound: Mapping[str, Any]) -> str:
    if callable(rule.name):
        return rule.name(bound)
    return rule.name or _default_name(row)


@cache
def _default_name(row: OpSpec) -> str:
    """Return what PyTorch would call the node of a row."""
    word = row.torch_name.rpartition(".")[2]
    return "".join(part[:1].upper() + part[1:] for part in word.split("_")) + "Backward0"


def _record(
    row: OpSpec, rule: Gradient, bound: Mapping[str, Any], results: Sequence[Any], level: int
) -> None:
    """Give the results of a call a node, if an operand wants a gradient and they can have one."""
    own = [
        (number, result)
        for number, result in enumerate(results)
        if isinstance(result, TensorFields)
        and _is_differentiable(result.spec)
        and not any(result is value for value in bound.values())
    ]
    if not own:
        return
    places, edges = _edges(row, rule, bound, level)
    if not any(edges):
        return
    node = _node(row, rule, bound, places, edges, [result.spec for result in results])
    if isinstance(node, RowNode):
        needed = node.needs()
        node.keep(needed, bound)
        node.keep_results(needed, results)
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
    elif not is_grad_enabled():
        refusal = f"{IN_NO_GRAD}{refusal}" if refusal else IN_NO_GRAD
    for number, result in enumerate(results):
        if result is origin or not isinstance(result, TensorFields):
            continue
        step = _seeing(row, bound, number if rule.is_several else None)
        note_view(result, origin, step, refusal)


def note_view(result: Any, origin: Any, step: Callable[[Any], Any], refusal: str = "") -> None:
    """Note that a tensor is what `step` sees in another one, or in what that is a view of."""
    found, before = result.gradient_state(), state_of(origin)
    earlier = None if before is None else before.view
    base = origin if earlier is None else earlier.base
    steps = (step,) if earlier is None else (*earlier.steps, step)
    inherited = "" if earlier is None else earlier.refusal
    found.view = ViewState(base, steps, result.count_of_versions(), refusal or inherited)
    result.become_recorded()


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
