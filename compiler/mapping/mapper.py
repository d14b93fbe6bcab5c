"""How does an operation run for many examples at once? By the rule of its row.

Composites without a rule of their own run step by step, each step by its rule. What has no rule
runs example by example, and says so once.
"""

from __future__ import annotations

from collections.abc import Mapping as Arguments
from collections.abc import Sequence
from typing import Any, cast

from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.frames import warn_once
from ...dialects.ops.frame.indexed import DrawingOp
from ...dialects.ops.frame.mapped import (
    MappedCall,
    MappedOperand,
    elementwise,
    highest_rank,
    operands_of,
)
from ...dialects.ops.frame.opspec import CompositeOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.table import TABLE
from ...runtime.gradients.functions import Function
from ...runtime.tensors.fields import TensorFields
from ..trace.layers import LAYERS, DynamicShape, Runner
from ..trace.row_operands import row_operand
from .batched import BatchedTensor, Mapping
from .drawing import draw
from .functions import call_mapped

_IN_A_LOOP = (
    "There is a performance drop because we have not yet implemented the batching rule for "
    "aten::{}. Please file us an issue on GitHub so that we can prioritize its implementation."
)


class Mapper:
    """The layer of tensors that stand for one example of many."""

    def call(
        self, runner: Runner, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run a row on the tensors of all examples."""
        mapping = _mapping_of((*arguments, *keywords.values()))
        if row.mapping is None and isinstance(row, CompositeOp):
            return _in_steps(runner, row, arguments, keywords)
        bound = row.schema.bind(arguments, keywords)
        if row.mapping is None:
            return _in_a_loop(runner, row, mapping, bound)
        call = MappedCall(_Language(runner), row, mapping.size, _operands(row, mapping, bound))
        return _batched(mapping, row.mapping(call), bound)

    def call_in_place(
        self, runner: Runner, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run a row, and write its results into the examples of its first operand."""
        mapping = _mapping_of((*arguments, *keywords.values()))
        bound = row.schema.bind(arguments, keywords)
        first = row.schema.parameters[0].name
        target = bound[first]
        if not (isinstance(target, BatchedTensor) and target.mapping is mapping):
            shape = list(getattr(target, "shape", ()))
            raise TrilithRuntimeError(
                f"output with shape {shape} doesn't match the broadcast shape "
                f"{[mapping.size, *shape]}",
                hint="what differs from example to example is written into a tensor that is the "
                "same for all; clone it into one that is mapped, too",
            )
        operands = _operands(row, mapping, bound)
        if _is_written_at_once(row, target, operands):
            language = _WritingLanguage(runner, row)
            elementwise(MappedCall(language, row, mapping.size, operands))
            return target
        if row.writing.is_copy:
            result = bound["src"]
        else:
            row.refuse_numbers(bound)
            result = self.call(runner, row, arguments, keywords)
        _write(runner, mapping, target, result)
        return target

    def call_function(
        self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Call a compiled function: its operations run for all examples one by one."""
        return function.function(*arguments, **keywords)

    def call_custom(
        self, mapping: Mapping, function: type[Function], arguments: tuple[Any, ...]
    ) -> Any:
        """Call an `autograd.Function` whose arguments are examples of a mapping."""
        return call_mapped(mapping, function, arguments)

    def check_out(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any
    ) -> None:
        """Refuse `out=`: which tensors take the results of many examples is not known."""
        raise TrilithRuntimeError(
            f"Batching rule not implemented for aten::{row.schema.name}.out. We could not generate "
            "a fallback.",
            hint="leave out= away",
        )


def _in_steps(
    runner: Runner, row: CompositeOp, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """Run the steps of a composite."""
    if isinstance(row, DrawingOp):
        return draw(runner, row, row.schema.bind(arguments, keywords))
    try:
        return runner.expand(row, arguments, keywords)
    except DynamicShape:
        raise TrilithRuntimeError(
            "vmap: We do not support batching operators that can output dynamic shape. Attempted "
            f"to vmap over aten::{row.schema.name}. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues if you need this feature."
        ) from None


class _Language:
    """In which the rules of rows call rows: on what is below the mapping."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Run the row called `name`."""
        return self._runner.run(TABLE[name], arguments, keywords)


class _WritingLanguage(_Language):
    """The same, but the row itself writes into its first operand."""

    def __init__(self, runner: Runner, row: OpSpec) -> None:
        super().__init__(runner)
        self._row = row

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Run the row called `name`."""
        if TABLE[name] is self._row:
            target = keywords.pop(self._row.schema.parameters[0].name)
            return self._runner.run_in_place(self._row, (target,), keywords)
        return super().call(name, *arguments, **keywords)


def _is_written_at_once(row: OpSpec, target: BatchedTensor, operands: dict[str, Any]) -> bool:
    """Whether a row computes at each index of a target that no rule reshapes or casts."""
    tensors = operands_of(list(operands.values()))
    return (
        row.mapping is elementwise
        and target.spec.rank == highest_rank(list(operands.values()))
        and all(each.spec.dtype is target.spec.dtype for each in tensors)
    )


def _mapping_of(values: Sequence[Any]) -> Mapping:
    """Return the innermost mapping that values belong to."""
    found: Mapping | None = None
    for value in _flat(values):
        if isinstance(value, BatchedTensor) and (
            found is None or value.mapping.level > found.level
        ):
            value.check_alive()
            found = value.mapping
    assert found is not None
    return found


def _flat(values: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:
        if isinstance(value, (list, tuple)):
            found += _flat(cast("Sequence[Any]", value))
        else:
            found.append(value)
    return found


def _operands(row: OpSpec, mapping: Mapping, bound: Arguments[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with its tensors taken apart."""
    found: dict[str, Any] = {}
    for parameter in row.schema.parameters:
        value = bound[parameter.name]
        if parameter.is_operand and value is not None:
            if isinstance(value, (list, tuple)):
                items = cast("Sequence[Any]", value)
                value = [_operand(row, parameter, mapping, item) for item in items]
            else:
                value = _operand(row, parameter, mapping, value)
        found[parameter.name] = value
    return found


def _operand(row: OpSpec, parameter: Any, mapping: Mapping, value: Any) -> Any:
    if isinstance(value, BatchedTensor) and value.mapping is mapping:
        return MappedOperand(value.value, value.spec, True)
    if not isinstance(value, TensorFields):
        if value is None or hasattr(value, "spec"):
            return value
        value = row_operand(row, parameter, value)
        if not isinstance(value, TensorFields):
            return value
    return MappedOperand(value, value.spec, False)


def _batched(mapping: Mapping, found: Any, bound: Arguments[str, Any]) -> Any:
    """Return results as one example sees them; what is an operand itself stays it."""
    if isinstance(found, (tuple, list)):
        items = [_batched(mapping, each, bound) for each in cast("Sequence[Any]", found)]
        return _like(cast("Any", found), items)
    for value in bound.values():
        if isinstance(value, BatchedTensor) and value.value is found:
            return value
    return BatchedTensor.of(mapping, found)


def _like(results: Any, items: list[Any]) -> Any:
    """Return items as results come: in a list, a tuple, or one with names."""
    kind = cast("Any", type(results))
    if kind is list:
        return items
    return tuple(items) if kind is tuple else kind(*items)


def _write(runner: Runner, mapping: Mapping, target: BatchedTensor, result: Any) -> None:
    """Write results of all examples into a tensor of them."""
    copy = TABLE["copy"]
    if isinstance(result, BatchedTensor) and result.mapping is mapping:
        value = result.value
        for _ in range(target.spec.rank - result.spec.rank):
            value = runner.run(TABLE["unsqueeze"], (value, 1), {})
    else:
        value = result
    runner.run_in_place(copy, (target.value, value), {})


def _in_a_loop(runner: Runner, row: OpSpec, mapping: Mapping, bound: Arguments[str, Any]) -> Any:
    """Run a row example by example, and put the results together."""
    warn_once(_IN_A_LOOP.format(row.torch_name.removeprefix("Tensor.")))
    if not mapping.size:
        raise TrilithRuntimeError(
            f"Batching rule not implemented for aten::{row.torch_name}. The fallback path doesn't "
            "work on vmap dims of size 0."
        )
    results: list[Any] = []
    for number in range(mapping.size):
        chosen = {name: _example(runner, mapping, item, number) for name, item in bound.items()}
        results.append(runner.run(row, (), chosen))
    stack = TABLE["stack"]
    if not isinstance(results[0], (tuple, list)):
        return BatchedTensor.of(mapping, runner.run(stack, (results,), {}))
    columns = [runner.run(stack, (list(column),), {}) for column in zip(*results, strict=True)]
    return row.packed([BatchedTensor.of(mapping, column) for column in columns])


def _example(runner: Runner, mapping: Mapping, value: Any, number: int) -> Any:
    """Return an argument as it is for one example."""
    if isinstance(value, BatchedTensor) and value.mapping is mapping:
        return runner.run(TABLE["select"], (value.value, 0, number), {})
    if isinstance(value, (list, tuple)):
        items = cast("Sequence[Any]", value)
        if any(map(_is_tensor, items)):
            return [_example(runner, mapping, item, number) for item in items]
    return cast("Any", value)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, TensorFields)


MAPPER = Mapper()
type(LAYERS).draw = staticmethod(draw)
