"""What is to be kept for the gradient of a row, when certain operands want one? Found out once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from ...dialects.ops.frame.gradients import Formula, Gradient, needs_of
from ...dialects.ops.frame.opspec import ElementwiseOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.records import record
from ...runtime.gradients.graph import Node, NotDifferentiable, named

#: Where an edge of a node comes from: an operand, and which item of it if that is a list.
Place = tuple[str, int | None]

_RESULTS = frozenset(("result", "result1", "results", "result_spec", "result_specs"))
_GIVEN = frozenset(("grad", "grads", "needs"))


@record(eq=False)
class Recipe:
    """How gradients pass a row to those of its operands that want one.

    `formulas` are called with what they need by name: `kept` are operands and attributes, `specs`
    pairs of a name and the operand whose spec it means, `results` what is kept of results.
    """

    row: OpSpec
    places: tuple[Place, ...]
    wanted: tuple[bool, ...]
    needs: frozenset[str]
    formulas: tuple[tuple[str, Callable[..., Any], tuple[str, ...]], ...]
    kept: tuple[str, ...]
    specs: tuple[tuple[str, str], ...]
    results: frozenset[str]
    is_joint: bool
    numbers: tuple[str, ...]

    @property
    def is_of_one_number(self) -> bool:
        """Whether the row is a function of one number whose derivative depends on it."""
        is_linear = not (self.kept or self.results)
        return len(self.places) == 1 and isinstance(self.row, ElementwiseOp) and not is_linear


@cache
def recipe_of(
    row: OpSpec, rule: Gradient, places: tuple[Place, ...], wanted: tuple[bool, ...]
) -> Recipe:
    """Return the recipe of a row for some operands that want a gradient."""
    pairs = zip(places, wanted, strict=True)
    names = tuple(dict.fromkeys(name for (name, _), is_wanted in pairs if is_wanted))
    chosen: dict[str, Formula]
    if rule.joint is not None:
        chosen = {"joint": rule.joint}
    else:
        chosen = {name: rule.formulas[name] for name in names}
    formulas = tuple(
        (name, cast("Callable[..., Any]", formula), needs_of(formula))
        for name, formula in chosen.items()
    )
    needed = dict.fromkeys(need for _, _, needs in formulas for need in needs)
    parameters = row.schema.by_name
    kept: list[str] = []
    specs: list[tuple[str, str]] = []
    for need in needed:
        origin = need.removesuffix("_spec")
        if need in parameters:
            kept.append(need)
        elif need not in _RESULTS | _GIVEN and origin in parameters:
            specs.append((need, origin))
    results = frozenset(need for need in needed if need in _RESULTS)
    is_joint = rule.joint is not None
    return Recipe(
        *(row, places, wanted, frozenset(names), formulas),
        *(tuple(sorted(kept)), tuple(specs), results, is_joint, rule.numbers),
    )


@cache
def places_of(row: OpSpec, rule: Gradient) -> tuple[str, ...]:
    """Return the operands of a row that may have a gradient, in the order of the signature."""
    return tuple(
        parameter.name
        for parameter in row.schema.parameters
        if parameter.is_operand and (not rule.is_known or parameter.name in rule.formulas)
    )


def node_class(row: OpSpec, rule: Gradient, bound: Mapping[str, Any], kind: type[Node]) -> Any:
    """Return the class of nodes of a call, with PyTorch's name."""
    if not rule.is_known:
        return named(NotDifferentiable, "NotImplemented")
    name = rule.name(bound) if callable(rule.name) else rule.name or _default_name(row)
    return named(kind, name)


@cache
def _default_name(row: OpSpec) -> str:
    """Return what PyTorch would call the node of a row: a letter behind a digit is a capital."""
    space, _, word = row.torch_name.rpartition(".")
    if space in ("special", "linalg", "fft"):
        word = f"{space}_{word}"
    return "".join(part.title() for part in word.split("_")) + "Backward0"


def sequence(value: Any) -> Sequence[Any]:
    """Return a list or tuple itself, anything else as the only item of one.

    >>> sequence([1, 2]), sequence(1)
    ([1, 2], (1,))
    """
    return cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else (value,)
