"""Which rule of gradients does a call have? That of its row, with sparse operands of its form."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...dialects.attributes.layout import sparse_coo
from ...dialects.diagnostics import TrilithNotImplementedError
from ...dialects.ops.frame.derived import derived_gradient
from ...dialects.ops.frame.gradients import CONSTANT, UNKNOWN, Gradient
from ...dialects.ops.frame.opspec import CompositeOp, ElementwiseOp, ViewOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.sparse_forms import SparseForm
from ...dialects.ops.gradients.sparse_functions import of_values
from ...dialects.ops.sparse_table import form_of
from ...dialects.records import replace
from ...runtime.tensors.recorded import RecordedTensor
from ...runtime.tensors.tensor import Tensor
from ..trace.sparse_operands import is_sparse_call
from .view_gradients import gradient_of_view


@cache
def rule_of(row: OpSpec) -> Gradient | None:
    """Return the rule of a row; None for a composite, whose steps have rules."""
    rule = row.gradient
    if rule is not None and not rule.is_derived:
        return rule
    if isinstance(row, ElementwiseOp):
        found = derived_gradient(row)
        return found if rule is None else replace(found, name=rule.name)
    if isinstance(row, ViewOp):
        return gradient_of_view(row)
    return None if isinstance(row, CompositeOp) else UNKNOWN


#: Classes of what is nothing sparse, nor holds it: most calls have no other arguments.
_DENSE = frozenset({Tensor, RecordedTensor, int, float, bool, type(None)})


def rule_for(row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Gradient | None:
    """Return the rule of a call of a row; with sparse operands that of its form."""
    if has_sparse(arguments, keywords):
        form = form_of(row.name)
        if form is not None:
            return _chosen(_rule_of_form(row, form), row, arguments, keywords)
    return _chosen(rule_of(row), row, arguments, keywords)


def _chosen(
    rule: Gradient | None, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> Gradient | None:
    """Return a rule, or the one that it chooses by the arguments of a call."""
    if rule is None or rule.choose is None:
        return rule
    return rule.choose(row.schema.bind(arguments, keywords))


def _rule_of_form(row: OpSpec, form: SparseForm) -> Gradient | None:
    """Return the rule of a form; None for one whose steps have rules."""
    if form.is_stepwise:
        return None
    if form.gradient is not None:
        return form.gradient
    rule = rule_of(row)
    if rule is not None and (form.is_of_values or rule is CONSTANT):
        return of_values(rule)
    return _refusing(row)


def has_sparse(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Whether a sparse tensor is among the operands of a call; a usual call costs one look."""
    if not keywords and _DENSE.issuperset(map(type, arguments)):
        return False
    return is_sparse_call(arguments, keywords)


@cache
def _refusing(row: OpSpec) -> Gradient:
    """Return the rule of a row that has no gradient where operands are sparse."""

    def refuse(t: Any, grad: Any) -> Any:
        raise TrilithNotImplementedError(
            f"the gradient of {row.name} is not available for tensors of layout {sparse_coo}",
            hint="convert with .to_dense() first",
        )

    operands = [each.name for each in row.schema.parameters if each.is_operand]
    return Gradient(dict.fromkeys(operands, refuse))
