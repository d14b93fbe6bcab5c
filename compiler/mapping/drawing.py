"""How does a mapped function draw random numbers? None, the same for all, or each its own.

Numbers that differ are drawn as those of one tensor that holds all examples: by as many blocks of
the generator, so that a compiled function draws them in one kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.ops.frame.indexed import DrawingOp
from ...dialects.ops.frame.mapped import MappedCall, MappedOperand, highest_rank
from ...dialects.ops.frame.mapped_dims import shifted
from ...dialects.ops.frame.row import OperandSpec, OpSpec
from ...dialects.ops.table import TABLE
from ...runtime.tensors.fields import TensorFields
from ..trace.layers import LAYERS, Runner
from ..trace.row_operands import row_operand
from .batched import BatchedTensor, Mapping

_REFUSED = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
)


def draw(runner: Runner, row: DrawingOp, bound: dict[str, Any]) -> Any:
    """Run a row that draws within mappings."""
    mappings: Sequence[Mapping] = LAYERS.mappings
    drawing = [mapping for mapping in mappings if mapping.randomness != "same"]
    before, LAYERS.mappings = mappings, ()
    try:
        return row.expanded(_Drawing(runner, drawing), _taken(row, bound))
    finally:
        LAYERS.mappings = before


def _taken(row: OpSpec, bound: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call with its operands as tensors and numbers."""
    row.refuse_numbers(bound)
    for parameter in row.schema.parameters:
        value = bound[parameter.name]
        if parameter.is_operand and value is not None and not hasattr(value, "spec"):
            bound[parameter.name] = row_operand(row, parameter, value)
    return bound


class _Drawing:
    """The `DrawingLanguage` of mapped functions."""

    def __init__(self, runner: Runner, mappings: Sequence[Mapping]) -> None:
        """Draw for each example of some mappings its own numbers."""
        self._runner, self._mappings = runner, mappings
        self._language: Any = runner.language

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Run the row called `name`."""
        row = TABLE[name]
        if not row.is_drawn:
            if isinstance(row, DrawingOp):
                return row.expanded(self, _taken(row, row.schema.bind(arguments, keywords)))
            return self._runner.run(row, arguments, keywords)
        return self._drawn(row, row.schema.bind(arguments, keywords), list(self._mappings))

    def _drawn(self, row: OpSpec, bound: dict[str, Any], mappings: list[Mapping]) -> Any:
        """Make the numbers of all examples of mappings, the last of which is taken off first."""
        if not mappings:
            return self._runner.run(row, (), bound)
        mapping = mappings.pop()
        operands = {
            name: _operand(mapping, value)
            if row.schema.by_name[name].is_operand and isinstance(value, TensorFields)
            else value
            for name, value in bound.items()
        }
        call = MappedCall(self, row, mapping.size, operands)
        rank = highest_rank(list(operands.values()))
        changes: dict[str, Any] = {
            name: call.aligned(MappedOperand(call.in_front(value), value.spec, True), rank)
            for name, value in operands.items()
            if isinstance(value, MappedOperand) and _is_wide(name)
        }
        if "dim" in bound:
            changes["dim"] = shifted(bound["dim"], rank)
        found = self._drawn(row, {**bound, **changes}, mappings)
        if isinstance(found, tuple):
            items = cast("tuple[Any, ...]", found)
            return row.packed([BatchedTensor.of(mapping, item) for item in items])
        return BatchedTensor.of(mapping, found)

    def draw(self, generator: Any, count: Any, device: Any) -> tuple[Any, Any]:
        """Take blocks of a generator, for all examples."""
        if any(mapping.randomness == "error" for mapping in self._mappings):
            raise TrilithRuntimeError(_REFUSED)
        for mapping in self._mappings:
            count = count * mapping.size
        return self._language.draw(generator, count, device)

    def spec(self, value: Any) -> OperandSpec:
        """Return the spec of an operand."""
        return self._language.spec(value)

    def positions(self, value: Any, *why: Any) -> Any:
        """Return where elements are not zero."""
        return self._language.positions(value, *why)

    def number(self, value: Any) -> Any:
        """Return the integer in a 0-dim tensor, None if it is not known."""
        return self._language.number(value)

    def tensor(self, data: Any) -> Any:
        """Return a tensor with the elements of an array."""
        return self._language.tensor(data)


def _is_wide(name: str) -> bool:
    """Whether an operand has elements for each number: key and counter are those of the call."""
    return name not in ("key", "counter")


def _operand(mapping: Mapping, value: Any) -> MappedOperand:
    if isinstance(value, BatchedTensor) and value.mapping is mapping:
        return MappedOperand(value.value, value.spec, True)
    return MappedOperand(value, value.spec, False)
