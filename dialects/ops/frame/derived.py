"""Which row computes the gradient of an elementwise row? One that is derived from its body.

`tanh_backward(grad_output, input, *, wrt)` is such a row: its body is the derivative of that of
`tanh`, times the gradient of the result. It is an elementwise row as any other, so it is fused,
read in the IR, and derived from in its turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from ...attributes.dtype import DType
from ..scalars.complexes import conjugate
from ..scalars.duals import derivative
from ..scalars.scalar import Scalar
from .gradients import Formula, Gradient
from .opspec import ElementwiseOp
from .row import TABLE, Attributes, OperandSpec, OpSpec, Resolved
from .rules import resolve_elementwise

#: What the names of such rows end with.
END = "_backward"


def derived_row(name: str) -> OpSpec | None:
    """Return the row that a name means, None if it means none that is derived.

    >>> from ..table import TABLE
    >>> TABLE["tanh_backward"].schema.text
    'tanh_backward(Tensor grad_output, Tensor input, *, int wrt=0)'
    """
    if not name.endswith(END):
        return None
    word = name.removesuffix(END)
    origin = TABLE.get(word) or derived_row(word)
    return _derive(origin) if isinstance(origin, ElementwiseOp) else None


@cache
def _derive(row: ElementwiseOp) -> ElementwiseOp:
    """Return the row of a row's gradient."""
    word = _new_names(row)[1]

    def promotion(
        operands: Sequence[OperandSpec], attributes: Attributes
    ) -> tuple[tuple[DType, ...], DType]:
        index, others = _apart(attributes, word)
        dtypes, result = row.promotion(operands[1:], others)
        return (result, *dtypes), dtypes[index]

    def body(grad: Scalar, *operands: Scalar, **attributes: Any) -> Scalar:
        index, others = _apart(attributes, word)
        found = derivative(partial(_only_result, row.body, others), list(operands), index)
        return grad * (conjugate(found) if found.dtype.is_complex else found)

    def resolver(
        made: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
    ) -> Resolved:
        return resolve_elementwise(made, operands, attributes)

    return ElementwiseOp(
        _signature(row),
        f"The gradient of operand number `wrt` of {row.name}, given that of the result.",
        "",
        promotion=promotion,
        body=body,
        accepts=row.accepts,
        ulp=4 * row.ulp,
        domain=row.domain,
        is_costly=row.is_costly,
        resolver=resolver,
        methods=(),
        is_public=False,
    )


def _new_names(row: OpSpec) -> tuple[str, str]:
    """Return what the operand and the attribute are called that the row of a gradient has more."""
    depth = 1 + row.signature.count("Tensor grad_output")
    return ("grad_output", "wrt") if depth == 1 else (f"grad_output_{depth}", f"wrt_{depth}")


def _apart(attributes: Mapping[str, Any], word: str) -> tuple[int, dict[str, Any]]:
    """Return the number of the operand, and the attributes of the row itself."""
    others = {name: value for name, value in attributes.items() if name != word}
    index = attributes[word]
    assert isinstance(index, int)
    return index, others


def _only_result(body: Callable[..., Any], attributes: Mapping[str, Any], *scalars: Scalar) -> Any:
    return body(*scalars, **attributes)


def _signature(row: ElementwiseOp) -> str:
    """Return the signature of the row of a gradient."""
    inside = row.signature.partition("(")[2].rpartition(")")[0]
    star = "" if "*, " in inside else "*, "
    operand, attribute = _new_names(row)
    return f"{row.name}{END}(Tensor {operand}, {inside}, {star}int {attribute}=0)"


@cache
def derived_gradient(row: ElementwiseOp) -> Gradient:
    """Return the rule of an elementwise row: the derivative of its body."""
    operands = [parameter.name for parameter in row.schema.parameters if parameter.is_operand]
    attributes = [item.name for item in row.schema.parameters if not item.is_operand]
    formulas = {
        name: _formula(row, index, (*operands, *attributes)) for index, name in enumerate(operands)
    }
    return Gradient(formulas)


class _Derived:
    """A formula that needs all operands and attributes of a row."""

    def __init__(self, row: ElementwiseOp, index: int, names: Sequence[str]) -> None:
        self._name = f"{row.name}{END}"
        self._index = {_new_names(row)[1]: index}
        self.needs = ("grad", *names)

    def __call__(self, t: Any, grad: Any, *values: Any) -> Any:
        names = self.needs[1:]
        given = dict(zip(names, values, strict=True))
        return t.call(self._name, grad, **given, **self._index)


def _formula(row: ElementwiseOp, index: int, names: Sequence[str]) -> Formula:
    return _Derived(row, index, names)
