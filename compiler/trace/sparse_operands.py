"""Which calls have sparse operands, and what runs them? The forms of their rows, in some language.

Nothing else looks for sparse operands: where an operation runs at once, such calls have no short
key, so that a usual one never comes here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from ...dialects.attributes.device import get_default_device
from ...dialects.attributes.layout import TO_DENSE, no_kernel, sparse_coo
from ...dialects.diagnostics import TrilithNotImplementedError
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.schema import Parameter
from ...dialects.ops.frame.sparse_forms import Parts, SparseForm, SparseLanguage
from ...dialects.ops.frame.torch_operations import operation_of
from ...dialects.ops.sparse_table import form_of
from ...runtime.tensors.sparse import SparseTensor
from .row_operands import row_operand

#: What is said of a call that no form is for.
ORDINARY: Any = object()


class PartsOfTensors:
    """What a language says of sparse tensors: their parts are tensors of that language."""

    __slots__ = ()

    def parts(self, value: Any) -> Parts | None:
        """Take a sparse tensor apart; None for anything else."""
        if not isinstance(value, SparseTensor):
            return None
        parts = value._indices(), value._values()  # pyright: ignore[reportPrivateUsage] - its parts
        return Parts(*parts, value.spec.shape, value.is_coalesced())

    def sparse(self, parts: Parts) -> SparseTensor:
        """Make a sparse tensor of its parts."""
        return SparseTensor(parts.indices, parts.values, parts.shape, coalesced=parts.is_coalesced)


def is_sparse(value: Any) -> bool:
    """Whether an argument is a sparse tensor, or holds one."""
    if isinstance(value, (list, tuple)):
        return any(isinstance(item, SparseTensor) for item in cast("Sequence[Any]", value))
    return isinstance(value, SparseTensor)


def is_sparse_call(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a sparse tensor is among the operands of a call, or asked for."""
    if any(map(is_sparse, arguments)):
        return True
    return any(value is sparse_coo or is_sparse(value) for value in keywords.values())


def form_called(
    row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> SparseForm | None:
    """Return the form of a row; None where a layout is asked for that the row itself makes."""
    if not (row.is_factory or any(map(is_sparse, (*arguments, *keywords.values())))):
        return None
    found = form_of(row.name)
    if found is None:
        raise _unavailable(row, arguments, keywords)
    return found


def _unavailable(
    row: OpSpec,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    *,
    is_writing: bool = False,
) -> TrilithNotImplementedError:
    """Return the error for a call that no form is for, once its arguments are those of the row."""
    bound = row.schema.bind(tuple(arguments), keywords)
    operation = operation_of(row, bound, is_writing=is_writing)
    device = next(_devices_of(bound.values()), get_default_device().type)
    return no_kernel(operation, sparse_coo, device, TO_DENSE)


def _devices_of(values: Iterable[Any]) -> Iterator[str]:
    """Return the device types of the sparse tensors among arguments."""
    for value in values:
        if isinstance(value, SparseTensor):
            yield value.device.type
        elif isinstance(value, (list, tuple)):
            yield from _devices_of(cast("Sequence[Any]", value))


def bound_operands(
    row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments by name; arrays are tensors."""
    bound: dict[str, Any] = dict(row.schema.bind(tuple(arguments), keywords))
    for parameter in row.schema.parameters:
        if parameter.is_operand and not parameter.is_list:
            bound[parameter.name] = _operand(row, parameter, bound[parameter.name])
    return bound


def _operand(row: OpSpec, parameter: Parameter, value: Any) -> Any:
    if value is None or is_sparse(value) or hasattr(cast("Any", type(value)), "traced_by"):
        return value
    return row_operand(row, parameter, value)


def run_sparse(
    row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any], t: SparseLanguage
) -> Any:
    """Return what a row gives for sparse operands; `ORDINARY` where it needs no form."""
    form = form_called(row, arguments, keywords)
    if form is None:
        return ORDINARY
    return form.run(t, **bound_operands(row, arguments, keywords))


def write_sparse(
    row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any], t: SparseLanguage
) -> Any:
    """Write what a row gives for sparse operands into the first one, which is returned."""
    form = form_of(row.name) if any(map(is_sparse, (*arguments, *keywords.values()))) else None
    if form is None or form.write is None:
        raise _unavailable(row, arguments, keywords, is_writing=True)
    form.write(t, **bound_operands(row, arguments, keywords))
    target = arguments[0]
    if isinstance(target, SparseTensor):
        target.bump()
    return target
