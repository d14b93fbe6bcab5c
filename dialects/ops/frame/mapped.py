"""What is a call of a row for many examples at once? Operands of which some have one dim more.

A mapping runs a function once for all examples. A tensor that differs from example to example is
held with their dim in front; any other is the same for all. A rule of a row says by which calls of
rows the results of all examples are found together, again with their dim in front. Families say the
rule of their rows; a composite without one runs step by step, and what has none at all in a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, cast

from ...attributes.spec import ScalarSpec, TensorSpec
from ...records import record


class _Language(Protocol):
    """What rules call rows in."""

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Apply the row called `name`."""
        ...


@record
class MappedOperand:
    """A tensor operand: `spec` is that of one example, `value` has their dim in front if mapped."""

    value: Any
    spec: TensorSpec
    is_mapped: bool


@record
class MappedCall:
    """A call of a row for `size` examples.

    `bound` are the arguments by name: tensors are `MappedOperand`s, all else is as it was given.
    `t` calls rows on what the operands hold.
    """

    t: _Language
    row: Any
    size: int
    bound: Mapping[str, Any]

    @property
    def first(self) -> MappedOperand:
        """The first operand, which is a tensor."""
        found = next(iter(self.bound.values()))
        assert isinstance(found, MappedOperand)
        return found

    @property
    def attributes(self) -> dict[str, Any]:
        """The arguments that are no operands."""
        parameters = self.row.schema.parameters
        return {item.name: self.bound[item.name] for item in parameters if not item.is_operand}

    def run(self, **changes: Any) -> Any:
        """Apply the row to what its operands hold, and to changes by name."""
        bound = {name: held(value) for name, value in self.bound.items()}
        return self.t.call(self.row.name, **{**bound, **changes})

    def in_front(self, operand: MappedOperand) -> Any:
        """Return a tensor with the dim of the examples in front, expanded if it is the same."""
        if operand.is_mapped:
            return operand.value
        return self.t.call("expand", operand.value, (self.size, *operand.spec.shape))

    def aligned(self, operand: Any, rank: int) -> Any:
        """Return an operand that broadcasts with others of a rank, whose examples are in front."""
        if not isinstance(operand, MappedOperand):
            return operand
        value = operand.value
        if operand.is_mapped:
            for _ in range(rank - operand.spec.rank):
                value = self.t.call("unsqueeze", value, 1)
        return value

    def each(self, results: Any, change: Callable[[Any], Any]) -> Any:
        """Change every result, of which a row may have several."""
        if isinstance(results, (tuple, list)):
            several = cast("Sequence[Any]", results)
            return self.row.packed([change(result) for result in several])
        return change(results)


#: What gives the results of all examples, with their dim in front.
MappingRule = Callable[[MappedCall], Any]


def held(value: Any) -> Any:
    """Return what an argument holds."""
    if isinstance(value, MappedOperand):
        return value.value
    if isinstance(value, list):
        return [held(item) for item in cast("list[Any]", value)]
    return value


def operands_of(values: Sequence[Any]) -> list[MappedOperand]:
    """Return the tensors among arguments, those in lists too."""
    found: list[MappedOperand] = []
    for value in values:
        if isinstance(value, MappedOperand):
            found.append(value)
        elif isinstance(value, list):
            found += operands_of(cast("list[Any]", value))
    return found


def highest_rank(values: Sequence[Any]) -> int:
    """Return how many dims an example has at most."""
    return max((operand.spec.rank for operand in operands_of(values)), default=0)


def as_it_is(call: MappedCall) -> Any:
    """Say what does not look at the front dims of its one operand: the same call."""
    return call.run()


def all_in_front(call: MappedCall) -> Any:
    """Say what takes dims in front of those that it is about: as many examples, in all operands."""
    bound = call.bound
    changes = {
        name: call.in_front(value)
        for name, value in bound.items()
        if isinstance(value, MappedOperand)
    }
    return call.run(**changes)


def elementwise(call: MappedCall) -> Any:
    """Say what is computed at each index of operands that broadcast.

    A 0-dim tensor yields to the dtype of others, and does so with a dim for the examples in front.
    """
    bound = call.bound
    rank = highest_rank(list(bound.values()))
    changes = {
        name: call.aligned(value, rank)
        for name, value in bound.items()
        if isinstance(value, MappedOperand)
    }
    changes.update(_in_dtypes_of_examples(call, changes))
    return call.run(**changes)


def _in_dtypes_of_examples(call: MappedCall, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return operands in the dtypes of one example, where those of all are promoted otherwise."""
    operands = operands_of(list(call.bound.values()))
    if all(operand.spec.rank for operand in operands) or len(operands) < 2:
        return {}
    dtypes = getattr(call.row, "operand_dtypes", None)
    if dtypes is None:
        return {}
    names: list[str] = []
    examples: list[Any] = []
    together: list[Any] = []
    for parameter in call.row.schema.parameters:
        value = call.bound[parameter.name]
        if not parameter.is_operand or parameter.is_left_out(value):
            continue
        names.append(parameter.name)
        is_tensor = isinstance(value, MappedOperand)
        examples.append(value.spec if is_tensor else spec_of_number(value))
        together.append(values[parameter.name].spec if is_tensor else spec_of_number(value))
    wanted = dtypes(examples, call.attributes)
    if wanted == dtypes(together, call.attributes):
        return {}
    return {
        name: call.t.call("cast", values[name], dtype)
        for name, dtype in zip(names, wanted, strict=True)
        if name in values and values[name].spec.dtype is not dtype
    }


def spec_of_number(value: Any) -> Any:
    """Return the spec of an operand that is a number."""
    return value.spec if hasattr(value, "spec") else ScalarSpec.of(value)
