"""How do gradients pass an operation? By a formula for each operand, over tensors.

A formula is a function whose parameters say what it needs, and so what is saved for it: `grad`, the
gradient of the result (`grads` of several results), `result` (`results`, or `result1` alone, the
second one), operands and attributes by the names of the row's parameters, and `NAME_spec`, the spec
of an operand, which is not saved.
The first one, `t`, is the language in which rows are called. What it returns has the dtype and the
shape of the operand, or one that was promoted or expanded from it: whoever calls it makes it fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from inspect import signature
from typing import Any, TypeAlias

from ...diagnostics import TrilithNotImplementedError
from ...records import record
from .argument_values import is_number

#: (t, what it needs by name) -> the gradient of an operand, None for zero; of a list as many. A
#: checker takes the types of a lambda's parameters from the one that has as many.
Formula: TypeAlias = (
    Callable[[Any], Any]
    | Callable[[Any, Any], Any]
    | Callable[[Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any, Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any, Any, Any, Any, Any], Any]
    | Callable[..., Any]
)
#: What the node is called in a graph: a name, or what says it of the arguments of a call.
NodeName: TypeAlias = str | Callable[[Mapping[str, Any]], str]


@record(eq=False)
class Gradient:
    """The rule of a row.

    `formulas` are those of the operands that can have a gradient, in the order of the signature.
    `name` is what PyTorch calls the node. What the results of a row that `is_view` see is the
    memory of its first operand; `is_several` says that it makes several views at once.
    `joint(t, needs, ...)` computes the gradients of several operands together: a mapping by name.
    A row that means several things has one that can `choose` by the arguments of a call: a rule,
    or None for a composite that is run step by step. One that `is_stepwise` names the node of a
    composite whose gradient is that of its steps; where a gradient is wanted these are written by
    `expand`, if there is one. Of several results `constant_results` are those, by their numbers,
    that have no gradient in PyTorch. `numbers` are operands of which PyTorch keeps a number as one,
    which is there after the graph was freed, and not as a tensor. A rule that `is_derived` has but
    a name: formulas follow from the body.
    """

    formulas: Mapping[str, Formula]
    name: NodeName = ""
    is_view: bool = False
    is_several: bool = False
    joint: Formula | None = None
    is_known: bool = True
    choose: Callable[[Mapping[str, Any]], Gradient | None] | None = None
    is_stepwise: bool = False
    expand: Callable[..., Any] | None = None
    constant_results: tuple[int, ...] = ()
    numbers: tuple[str, ...] = ()
    is_derived: bool = False


def gradient(name: NodeName = "", **formulas: Formula) -> Gradient:
    """Return a rule of formulas by the names of operands.

    >>> gradient("NegBackward0", input=lambda t, grad: -grad).name
    'NegBackward0'
    """
    return Gradient(formulas, name)


def jointly(name: NodeName, joint: Formula, *operands: str) -> Gradient:
    """Return the rule of operands whose gradients are computed together."""
    return Gradient(dict.fromkeys(operands, joint), name, joint=joint)


def view_gradient(name: NodeName, formula: Formula, *, is_several: bool = False) -> Gradient:
    """Return the rule of a view of `input`."""
    return Gradient({"input": formula}, name, is_view=True, is_several=is_several)


def by_steps(
    name: NodeName,
    *operands: str,
    expand: Callable[..., Any] | None = None,
    constant_results: tuple[int, ...] = (),
) -> Gradient:
    """Return the rule of a composite whose steps have gradients, and which is one node itself.

    `expand` are other steps, which the gradient needs more of. An operand that no step computes
    with gets zeros. `constant_results` are those that have no gradient in PyTorch.

    >>> by_steps("MseLossBackward0", "input", "target").is_stepwise
    True
    """
    formulas = dict.fromkeys(operands, _of_steps)
    return Gradient(
        formulas, name, is_stepwise=True, expand=expand, constant_results=constant_results
    )


def _of_steps(t: Any, grad: Any) -> Any:
    raise AssertionError("the gradient of a composite is that of its steps")


def chosen(choose: Callable[[Mapping[str, Any]], Gradient | None]) -> Gradient:
    """Return the rule of a row whose arguments say which one it is."""
    return Gradient({}, choose=choose)


def named_by_numbers(name: str) -> Gradient:
    """Return the rule of an elementwise row of two operands whose name says which is a number.

    >>> named_by_numbers("Xlogy").name({"input": 2, "other": None})
    'XlogyBackward1'
    """
    return Gradient({}, partial(_name_by_numbers, name), is_derived=True)


def _name_by_numbers(name: str, bound: Mapping[str, Any]) -> str:
    form = 2 if is_number(bound["other"]) else int(is_number(bound["input"]))
    return f"{name}Backward{form}"


def not_implemented(name: str) -> Formula:
    """Return the formula of an operand of which PyTorch does not know how a gradient passes."""

    def refuse(t: Any, grad: Any) -> Any:
        raise TrilithNotImplementedError(f"the derivative for '{name}' is not implemented.")

    return refuse


#: The rule of rows whose results require no gradient: they do not depend on the elements of their
#: operands, or PyTorch does not differentiate them.
CONSTANT = Gradient({})
#: The rule of rows whose gradient PyTorch does not know either.
UNKNOWN = Gradient({}, is_known=False)


@cache
def needs_of(formula: Formula) -> tuple[str, ...]:
    """Return the names of what a formula needs besides the language.

    >>> needs_of(lambda t, grad, other: grad * other)
    ('grad', 'other')
    """
    told = getattr(formula, "needs", None)
    return tuple(signature(formula).parameters)[1:] if told is None else told
