"""How is a concrete tensor cut into thousands of parts? By arithmetic on its strides alone.

Rows that give tuples of views (`split`, `chunk`, `unbind`) are written in `slice` and `select`. Run
here, these tell where a part lies and nothing is traced: 16,000 parts are no program of 16,000
operations. What a kind of call gives is remembered like any other plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided
from ...dialects.ops.frame.argument_values import AttributeValue
from ...dialects.ops.frame.opspec import CompositeOp, ViewOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.table import TABLE
from ...runtime.tensors.tensor import Tensor, adopt
from ..trace.row_operands import row_operand

#: Where a part lies: its spec, and its distance from the first element.
Part = tuple[TensorSpec, int]

#: How many parts are remembered for one kind of call: 0.1 MB.
LARGEST = 1024


class _Cutting:
    """The `TensorLanguage` in which a slice is a `Part`; equal lengths have one spec."""

    __slots__ = ("_known", "_whole")

    def __init__(self, whole: TensorSpec) -> None:
        self._whole = whole
        self._known: dict[tuple[str, int, int], TensorSpec] = {}

    def spec(self, value: Any) -> Any:
        """Return the spec of what is cut."""
        return value.spec

    def call(self, name: str, input: Any, dim: int, *indices: int) -> Part:
        """Return where a slice or an index of a dim lies."""
        whole = self._whole
        size, first, last = whole.shape[dim], indices[0], indices[-1]
        if not 0 <= first <= last <= size or (len(indices) == 1 and first == size):
            return self._apply(name, dim, *indices)
        key = (name, dim, last - first)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._apply(name, dim, *indices)[0]
        return found, first * whole.strides[dim]

    def _apply(self, name: str, *arguments: int) -> Part:
        row = TABLE[name]
        assert isinstance(row, ViewOp)
        attributes = cast("dict[str, AttributeValue]", row.schema.bind((None, *arguments), {}))
        resolved = row.resolve([self._whole], attributes)
        whole = Strided(self._whole.shape, self._whole.strides, 0)
        return resolved.result, row.apply(whole, resolved.attributes).offset


def cut(
    row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[tuple[Tensor, ...], Callable[[Sequence[Tensor]], Any] | None]:
    """Return the parts of a tensor, and what cuts others of its spec alike, if they are few."""
    assert isinstance(row, CompositeOp)
    bound = row.schema.bind(arguments, keywords)
    if row.check_numbers is not None:
        row.check_numbers(bound)
    parameter = row.schema.parameters[0]
    tensor = row_operand(row, parameter, bound[parameter.name])
    assert isinstance(tensor, Tensor)
    language = cast("Any", _Cutting(tensor.spec))
    parts = cast("tuple[Part, ...]", row.expand(language, **{**bound, parameter.name: tensor}))
    if len(parts) > LARGEST:
        return _made(tensor, parts), None
    return _made(tensor, parts), lambda tensors, _scalars=(): (_made(tensors[0], parts),)


def _made(tensor: Tensor, parts: Sequence[Part]) -> tuple[Tensor, ...]:
    """Return views that were proven to lie inside of a tensor."""
    memory, start = tensor.memory, tensor.offset
    if not hasattr(memory, "pointer"):
        tensor.check_extent()  # the storage has become smaller than it once was
    made = tuple([adopt(memory, spec, start + offset) for spec, offset in parts])
    if tensor.state is not None:
        for part in made:
            part.count_with(tensor)
    return made
