"""How are functions of networks drawn, and other elementwise operations that are no row?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..oracle.activations import FORMULAS, LOSSES, STEPWISE
from ..oracle.semantics import DTYPES, FLOATS
from ..program import Step

if TYPE_CHECKING:
    from ..drawing import Drawer

Call = Callable[["Drawer", str], Step]

#: Keywords of formulas, with what they are drawn from.
_ATTRIBUTES: dict[str, dict[str, tuple[float, ...]]] = {
    "elu": {"alpha": (1.0, 0.5, 2.0)},
    "celu": {"alpha": (1.0, 0.5, 2.0)},
    "leaky_relu": {"negative_slope": (0.01, 0.25)},
    "softplus": {"beta": (1.0, 2.0), "threshold": (20.0, 4.0)},
    "softshrink": {"lambd": (0.5, 2.0)},
    "huber_loss": {"delta": (1.0, 3.0)},
    "smooth_l1_loss": {"beta": (1.0, 3.0)},
}
_DOMAINS = {"nn_functional_kl_div": (0.0, 20.0), "logit": (0.0, 1.0)}


def _of_formula(d: Drawer, operation: str) -> Step:
    domain = _DOMAINS.get(operation, (-20.0, 20.0))
    x = d.tensor(("float32", "float64") if operation in STEPWISE else FLOATS, domain=domain)
    value = d.value(x)
    if operation == "threshold":
        numbers = ("threshold", (0, 1.5, -3)), ("value", (0, 7, -1.5))
        given = ((name, d.random.choice(choices)) for name, choices in numbers)
        return Step(operation, (x,), tuple(given))
    keywords: list[tuple[str, Any]] = [
        (name, d.random.choice(choices))
        for name, choices in _ATTRIBUTES.get(operation, {}).items()
        if d.random.random() < 0.5
    ]
    if operation not in LOSSES:
        return Step(operation, (x,), tuple(keywords))
    keywords.append(("reduction", "none"))
    y = d.tensor((value.dtype,), shape=value.shape, domain=domain)
    return Step(operation, (x, y), tuple(keywords))


def _halved(d: Drawer, operation: str) -> Step:
    x = d.tensor(FLOATS, rank=1, domain=(-20.0, 20.0))
    return Step(operation, (x, d.dim(len(d.value(x).shape))))


def _two(d: Drawer, operation: str) -> Step:
    x = d.tensor(("float32", "float64"))
    value = d.value(x)
    return Step(operation, (x, d.tensor((value.dtype,), shape=d.beside(value.shape))))


def _sloped(d: Drawer, operation: str) -> Step:
    x = d.tensor(("float32", "float64"), rank=1)
    return Step(operation, (x, d.tensor((d.value(x).dtype,), shape=(1,))))


def _taken_apart(d: Drawer, operation: str) -> Step:
    return Step(operation, (d.tensor(("float16", "float32", "float64")),))


def _floats(d: Drawer, operation: str) -> Step:
    return Step(operation, (d.tensor(FLOATS),))


def _reversed(d: Drawer, operation: str) -> Step:
    x = d.tensor(DTYPES[1:])
    value = d.value(x)
    if d.random.random() < 0.5:
        return Step(operation, (x, d.number(value.dtype)))
    return Step(operation, (x, d.tensor((value.dtype,), shape=d.beside(value.shape))))


def _like(d: Drawer, operation: str) -> Step:
    return Step(operation, (d.tensor(), d.tensor()))


ACTIVATING: dict[str, Call] = {
    **dict.fromkeys((*FORMULAS, "deg2rad", "rad2deg"), _of_formula),
    "glu": _halved,
    "nan_to_num": _floats,
    "prelu": _sloped,
    "nextafter": _two,
    "frexp": _taken_apart,
    "hardtanh": _floats,
    "relu6": _floats,
    "rsub": _reversed,
    "type_as": _like,
}
