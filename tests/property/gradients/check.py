"""Are the gradients of a program its slopes? Along a few directions, in each way to take them.

The loss is the sum of the float64 outputs times random weights. The sum of gradients times a
direction must be the slope that finite differences give (`differences.py`), within their bound. A
direction along which the bound is too wide says nothing and is counted: there is a kink or a jump
nearby, or what is computed is mostly rounding.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import trilith as tri

from ..equality import Equal
from ..values.program import Input, Number, Program, elements
from ..values.properties import Failure, attempt, tensors_of
from .differences import Point, slope_of
from .drawing import differentiated

Array = NDArray[np.float64]

#: Directions of a program.
DIRECTIONS = 3
#: What the rounding of gradients may be: a part of what is added up along a direction, and of the
#: largest value of the program, since terms of that size may cancel.
ROUNDING, ROUNDING_OF_VALUES = 1e-10, 1e-12


@dataclass(slots=True)
class Tally:
    """What was checked: programs, slopes that were compared, and those that say nothing."""

    programs: int = 0
    compared: int = 0
    flat: int = 0
    silent: int = 0
    infinite: int = 0
    operations: Counter[str] = field(default_factory=Counter[str])
    #: What another device would be compared with: nothing.
    equal: Equal = field(default_factory=Equal)

    def add(self, other: Tally) -> None:
        """Count another tally's checks too."""
        self.programs += other.programs
        self.compared += other.compared
        self.flat += other.flat
        self.silent += other.silent
        self.infinite += other.infinite
        self.operations.update(other.operations)


class Loss:
    """A program as a function of its arguments and weights that gives one number."""

    def __init__(self, program: Program, library: Any = tri) -> None:
        self.program = program
        self.library = library
        self.names = differentiated(program)
        self.argnums = tuple(
            number for number, name in enumerate(program.inputs) if name in self.names
        )
        self.base = {
            name: array_of(source)
            for name, source in program.inputs.items()
            if isinstance(source, Input)
        }
        outputs = self.outputs(self.plain({}))
        self.weighed = [
            number for number, each in enumerate(outputs) if each.dtype == library.float64
        ]
        random = np.random.default_rng(len(outputs))
        self.weights = [
            np.asarray(random.uniform(0.5, 1.5, tuple(outputs[number].shape)))
            for number in self.weighed
        ]

    def plain(self, moved: Mapping[str, Array]) -> list[Any]:
        """Return the arguments, some of them moved, without strides of their own."""
        return [
            source.value
            if isinstance(source, Number)
            else self.library.from_numpy(np.array(moved.get(name, self.base[name])))
            for name, source in self.program.inputs.items()
        ]

    def arguments(self) -> list[Any]:
        """Return the arguments as the program has them."""
        if self.library is tri:
            return self.program.arguments()
        return [
            source.value
            if isinstance(source, Number)
            else self.library.from_numpy(np.array(elements(source))).as_strided(
                source.shape, source.strides, source.offset
            )
            for source in self.program.inputs.values()
        ]

    def given_weights(self) -> list[Any]:
        """Return the weights as tensors."""
        return [self.library.from_numpy(weight) for weight in self.weights]

    def outputs(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Return what the program gives."""
        return self.program(*arguments, library=self.library)

    def largest(self) -> float:
        """Return the largest finite magnitude of any float64 value of the program."""
        notes: dict[str, Any] = {}
        self.program(*self.plain({}), notes=notes, library=self.library)
        arrays = [
            np.abs(each.numpy(force=True)).ravel()
            for each in tensors_of(notes).values()
            if each.dtype == self.library.float64
        ]
        joined = np.concatenate([*arrays, np.zeros(1)])
        return float(joined[np.isfinite(joined)].max())

    def __call__(self, *given: Any) -> Any:
        """Return the loss of arguments, followed by weights."""
        count = len(self.program.inputs)
        outputs = self.outputs(given[:count])
        total: Any = self.library.zeros((), dtype=self.library.float64)
        for number, weight in zip(self.weighed, given[count:], strict=True):
            total = total + (outputs[number] * weight).sum()
        return total

    def along(self, direction: Mapping[str, Array]) -> Callable[[float], Point]:
        """Return the loss along a direction, added up exactly."""

        def function(distance: float) -> Point:
            moved = {name: self.base[name] + distance * each for name, each in direction.items()}
            outputs = self.outputs(self.plain(moved))
            pairs = zip(self.weighed, self.weights, strict=True)
            with np.errstate(all="ignore"):
                terms = [(outputs[number].numpy() * weight).ravel() for number, weight in pairs]
            joined = np.concatenate([*terms, np.zeros(1)])
            if not np.isfinite(joined).all():
                return math.nan, math.inf
            return math.fsum(joined), math.fsum(np.abs(joined))

        return function


def array_of(source: Input) -> NDArray[Any]:
    """Return the elements of an input, in its shape."""
    flat = elements(source)[source.offset :]
    strides = tuple(stride * flat.itemsize for stride in source.strides)
    return np.array(np.lib.stride_tricks.as_strided(flat, source.shape, strides))


def by_backward(loss: Loss) -> list[Any]:
    """Return the gradients that are recorded step by step; None where there is none."""
    arguments = loss.arguments()
    leaves = [arguments[number].requires_grad_() for number in loss.argnums]
    value = loss(*arguments, *loss.given_weights())
    if not value.requires_grad:
        return [None] * len(leaves)
    return list(loss.library.autograd.grad(value, leaves, allow_unused=True))


def by_compiled_grad(loss: Loss) -> list[Any]:
    """Return the gradients that a compiled function gives."""
    gradient = loss.library.compile(loss.library.func.grad(loss, argnums=loss.argnums))
    return list(gradient(*loss.arguments(), *loss.given_weights()))


#: How gradients are taken.
WAYS: dict[str, Callable[[Loss], list[Any]]] = {
    "eager": by_backward,
    "compiled": by_compiled_grad,
}


def directions(loss: Loss, seed: int) -> list[dict[str, Array]]:
    """Return directions: one in which all elements move, others in which half of one input does."""
    random = np.random.default_rng(seed)

    def moves(name: str) -> Array:
        shape = loss.base[name].shape
        return random.uniform(0.5, 1.0, shape) * random.choice((-1.0, 1.0), shape)

    found = [{name: moves(name) for name in loss.names}]
    for number in range(1, DIRECTIONS):
        name = loss.names[number % len(loss.names)]
        found.append({name: moves(name) * random.integers(0, 2, loss.base[name].shape)})
    return found


def arrays_of(way: str, loss: Loss, gradients: Sequence[Any]) -> dict[str, Array]:
    """Return gradients as arrays, zeros for None; their shapes and dtype must be the inputs'."""
    found: dict[str, Array] = {}
    for name, gradient in zip(loss.names, gradients, strict=True):
        base = loss.base[name]
        array = np.zeros(base.shape) if gradient is None else np.array(gradient.numpy(force=True))
        if (array.shape, array.dtype) != (base.shape, base.dtype):
            text = f"the gradient of {name} is {array.dtype}{list(array.shape)}"
            raise Failure(f"{way} spec", f"{text}, not {base.dtype}{list(base.shape)}")
        found[name] = array
    return found


def taken(way: str, loss: Loss, take: Callable[[Loss], list[Any]]) -> list[Any]:
    """Return gradients; what has no derivative is a failure of a kind of its own."""
    try:
        return attempt(way, lambda: take(loss))
    except Failure as failure:
        missing = re.search(r"derivative for (\S+) is not implemented", str(failure))
        if missing is None:
            raise
        raise Failure(f"no derivative of {missing[1]}", way) from failure


def check(
    program: Program,
    tally: Tally | None = None,
    library: Any = tri,
    ways: Mapping[str, Callable[[Loss], list[Any]]] = WAYS,
) -> None:
    """Compare gradients with slopes; raises Failure."""
    tally = Tally() if tally is None else tally
    tally.programs += 1
    tally.operations.update(step.operation for step in program.steps.values())
    loss = attempt("run", lambda: Loss(program, library))
    found = {way: arrays_of(way, loss, taken(way, loss, take)) for way, take in ways.items()}
    floor = ROUNDING_OF_VALUES * loss.largest()
    for direction in directions(loss, len(program.steps)):
        slope = slope_of(loss.along(direction))
        if not slope.is_telling:
            tally.silent += 1
            continue
        for way, gradients in found.items():
            terms = np.concatenate([(gradients[name] * d).ravel() for name, d in direction.items()])
            if not np.isfinite(terms).all():
                tally.infinite += 1
                continue
            given, size = math.fsum(terms), math.fsum(np.abs(terms))
            tally.compared += 1
            tally.flat += size == 0 and abs(slope.value) <= slope.bound
            if abs(given - slope.value) > slope.bound + ROUNDING * size + floor:
                raise Failure(
                    f"{way} gradient",
                    f"along {', '.join(direction)} it gives {given!r}, but the slope is "
                    f"{slope.value!r}, give or take {slope.bound:.3g}",
                )
