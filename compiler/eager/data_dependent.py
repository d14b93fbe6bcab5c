"""What runs when the shape of a result depends on elements? Rows that look at values, on the host.

A `HostOp` row is written in other rows and in three questions about elements, which concrete
tensors can answer: they are read here and nowhere else. Everything else a row says runs as any
operation does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from ...dialects.attributes.dtype import int64
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.ops.frame.indexed import RESULT_SHAPE, HostOp
from ...dialects.ops.frame.row import OperandSpec, OpSpec
from ...dialects.ops.table import TABLE
from ...runtime.gradients.modes import set_grad
from ...runtime.tensors.generators import source_of
from ...runtime.tensors.host_view import host_elements, printable, view_as_array
from ...runtime.tensors.interchange import over_array
from ...runtime.tensors.tensor import Tensor, empty_tensor
from ..trace.layers import refuse_positions
from ..trace.row_operands import row_operand

#: Runs a row on concrete operands: (row, arguments, keywords) -> result.
EagerCall = Callable[[OpSpec, tuple[Any, ...], dict[str, Any]], Any]


class ConcreteLanguage:
    """The `ValueLanguage` of tensors with elements: each call runs at once."""

    __slots__ = ("_eager", "_in_place")
    #: New tensors have memory that can be written to.
    has_memory = True

    def __init__(self, eager: EagerCall, in_place: EagerCall) -> None:
        """Run rows by `eager`, and by `in_place` those that write into their first operand."""
        self._eager = eager
        self._in_place = in_place

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Run the row called `name`."""
        return self._eager(TABLE[name], arguments, keywords)

    def write(self, name: str, target: Tensor, *arguments: Any, **keywords: Any) -> None:
        """Run the row called `name` and write its result into its first operand."""
        self._in_place(TABLE[name], (target, *arguments), keywords)

    def store(self, target: Tensor, value: Tensor) -> None:
        """Copy a value into a tensor, which is not recorded."""
        with set_grad(False):
            self.write("copy", target, value)

    def spec(self, value: Any) -> OperandSpec:
        """Return the spec of an operand."""
        return value.spec if isinstance(value, Tensor) else ScalarSpec.of(value)

    def positions(self, value: Tensor, hint: str | None = None, what: str = RESULT_SHAPE) -> Tensor:
        """Return where elements are not zero, one row for each; columns lie one after the other."""
        refuse_positions(value)
        spec = value.spec
        array = printable(host_elements(value.memory, spec, value.offset), spec.dtype)
        found = np.argwhere(array)
        count, rank = len(found), spec.rank
        made = empty_tensor(TensorSpec.of((count, rank), int64, strides=(1, count)))
        if count and rank:
            columns = view_as_array(made.memory, made.spec, 0)
            columns[...] = 0
            columns[:, [dim for dim, size in enumerate(spec.shape) if size != 1]] = found
        return made if spec.device == made.device else self.call("to", made, spec.device)

    def number(self, value: Tensor) -> int | None:
        """Return the integer in a 0-dim tensor, None if it stands for many."""
        if value.batch_level is not None:
            return None
        number = value.item()
        return number if isinstance(number, int) else None

    def draw(self, generator: Any, count: int, device: Any) -> tuple[int, int]:
        """Take blocks of a generator, None for the default one: its key and the first's number."""
        return source_of(generator, device).take(count)

    def tensor(self, data: np.ndarray[Any, Any]) -> Tensor:
        """Return a tensor on an array's memory."""
        return over_array(data)


def run_host_row(
    row: HostOp, arguments: tuple[Any, ...], keywords: dict[str, Any], t: ConcreteLanguage
) -> Any:
    """Run a row that may look at elements."""
    return row.expanded(t, _bound(row, arguments, keywords))


def write_host_row(
    row: HostOp, arguments: tuple[Any, ...], keywords: dict[str, Any], t: ConcreteLanguage
) -> bool:
    """Run a row that writes into its first operand; return whether it can do so."""
    if row.write is None:
        return False
    row.write(t, **_bound(row, arguments, keywords))
    return True


def _bound(row: HostOp, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by name: tensors, numbers and static values."""
    bound = row.schema.bind(arguments, keywords)
    row.refuse_numbers(bound)
    for parameter in row.schema.parameters:
        value: Any = bound[parameter.name]
        if not parameter.is_operand or value is None:
            continue
        if parameter.is_list and isinstance(value, (list, tuple)):
            items = cast("Sequence[Any]", value)
            bound[parameter.name] = [row_operand(row, parameter, item) for item in items]
        else:
            bound[parameter.name] = row_operand(row, parameter, value)
    return bound
