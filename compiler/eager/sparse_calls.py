"""How does an operation run whose operands are sparse? By the form of its row, on their parts.

Nothing else looks for sparse operands: such calls have no short key, so that a usual one never
comes here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...dialects.attributes.layout import sparse_coo
from ...dialects.diagnostics import TrilithNotImplementedError
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.sparse_forms import Parts, SparseForm, SparseLanguage
from ...dialects.ops.sparse_table import form_of
from ...runtime.tensors import recording
from ...runtime.tensors.sparse import SparseTensor
from ..trace.operands import as_operand
from .data_dependent import ConcreteLanguage

#: What is said of a call that is none of these.
ORDINARY: Any = object()


class ConcreteSparseLanguage(ConcreteLanguage):
    """The `SparseLanguage` of tensors with elements."""

    __slots__ = ()

    def parts(self, value: Any) -> Parts | None:
        """Take a sparse tensor apart; None for anything else."""
        if type(value) is not SparseTensor:
            return None
        parts = value._indices(), value._values()  # pyright: ignore[reportPrivateUsage] - its parts
        return Parts(*parts, value.spec.shape, value.is_coalesced())

    def sparse(self, parts: Parts) -> SparseTensor:
        """Make a sparse tensor of its parts."""
        return SparseTensor(
            parts.indices, parts.values, parts.shape, coalesced=parts.is_coalesced
        )

    def hold(self, target: Any, parts: Parts) -> None:
        """Give a sparse tensor other parts, in place."""
        target.hold(parts.indices, parts.values, parts.shape, coalesced=parts.is_coalesced)


def _is_sparse(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(type(item) is SparseTensor for item in cast("Sequence[Any]", value))
    return type(value) is SparseTensor


def is_sparse_call(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a sparse tensor is among the operands of a call, or asked for."""
    if any(map(_is_sparse, arguments)):
        return True
    return any(value is sparse_coo or _is_sparse(value) for value in keywords.values())


def _form(row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> SparseForm | None:
    """Return the form of a row; None where a layout is asked for that the row itself makes."""
    if not (row.is_factory or any(map(_is_sparse, (*arguments, *keywords.values())))):
        return None
    found = form_of(row.name)
    if found is None:
        raise _unavailable(row.name)
    return found


def _unavailable(name: str) -> TrilithNotImplementedError:
    return TrilithNotImplementedError(
        f"{name} is not available for tensors of layout {sparse_coo}",
        hint="convert with .to_dense() first",
    )


def _bound(
    row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments by name; arrays are tensors."""
    recording.unrecorded("a sparse tensor is computed with")
    bound = row.schema.bind(tuple(arguments), keywords)
    for parameter in row.schema.parameters:
        value = bound[parameter.name]
        if parameter.is_operand and value is not None and not parameter.is_list:
            bound[parameter.name] = value if _is_sparse(value) else _operand(value)
    return bound


def _operand(value: Any) -> Any:
    found = as_operand(value)
    return value if found is None else found


def run_sparse(
    row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any], t: SparseLanguage
) -> Any:
    """Return what a row gives for sparse operands; `ORDINARY` where it needs no form."""
    form = _form(row, arguments, keywords)
    if form is None:
        return ORDINARY
    return form.run(t, **_bound(row, arguments, keywords))


def write_sparse(
    row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any], t: SparseLanguage
) -> Any:
    """Write what a row gives for sparse operands into the first one, which is returned."""
    form = _form(row, arguments, keywords)
    if form is None or form.write is None:
        raise _unavailable(f"{row.name}_")
    bound = _bound(row, arguments, keywords)
    form.write(t, **bound)
    target = arguments[0]
    if type(target) is SparseTensor:
        target.bump()
    return target


def run_sparse_out(
    row: OpSpec,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    out: Any,
    t: ConcreteSparseLanguage,
) -> Any:
    """Run a row with sparse operands, and give its result to `out`; None if that is not sparse.

    A dense result is returned: the caller writes it into a dense `out`.
    """
    result = run_sparse(row, arguments, keywords, t)
    if result is ORDINARY or (type(out) is SparseTensor) is not (type(result) is SparseTensor):
        raise TrilithNotImplementedError(
            "Expected self.is_sparse() && result.is_sparse() to be true, but got false.  (Could this "
            "error message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    if type(out) is not SparseTensor:
        return result
    parts = t.parts(t.call("to", result, out.dtype))
    assert parts is not None
    t.hold(out, parts)
    out.bump()
    return out

