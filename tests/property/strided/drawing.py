"""How is a strided program drawn? Step by step, with the oracle at hand.

A step that the oracle says is not defined is not taken. One that must raise ends a program.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from .arguments import VIEW_ARGUMENTS
from .inputs import draw_inputs
from .layout import broadcast_sizes, has_zero_stride
from .model import Model
from .program import OPERATORS, Named, Program, Ref, Step, evaluate, models_of
from .values import (
    COMPARISONS,
    DTYPES,
    INTEGERS,
    REAL,
    Number,
    RefusedError,
    UndefinedError,
    category,
)
from .writes import UNARY

MOST_ELEMENTS, MOST_RANK, MOST_TENSORS = 300, 6, 24
#: Of so many programs one ends with a step that must raise.
REFUSED_SHARE = 0.08
BINARY = ("add", "sub", "mul", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor")
MOVE_NAMES = ("cat", "cat", "stack", "flip", "conj", "conj_physical")
PAIR_NAMES = ("view_as_real", "view_as_complex")
#: Methods that write; comparisons and `where` have none here.
IN_PLACE = ("add", "add", "sub", "mul", "mul", "bitwise_and", "bitwise_xor")


def draw_program(seed: object, number: int) -> Program:
    """Return a program; equal seeds and numbers give equal programs."""
    return Drawing(Random(f"strided {seed} {number}"), f"seed {seed}, program {number}").run()


def _has_nan(array: Any) -> bool:
    """Whether an element, or a part of a complex one, is not a number."""
    with np.errstate(invalid="ignore"):  # a signalling NaN becomes a quiet one
        return bool(np.isnan(array.astype(np.complex128)).any())


class Drawing:
    """A program in the making."""

    def __init__(self, random: Random, label: str) -> None:
        self.random = random
        self.palette = self._draw_palette()
        memories, inputs = draw_inputs(random, self.palette)
        self.program = Program(memories, inputs, (), (), label)
        self.values = models_of(self.program)
        self.steps: list[Step] = []
        #: Steps that were begun together; each is made when its turn comes.
        self.waiting: list[Callable[[], Step]] = []
        self.names = (f"v{number}" for number in itertools.count())

    def _draw_palette(self) -> list[str]:
        if self.random.random() < 0.3:
            return [self.random.choice(DTYPES)]
        return self.random.choices(DTYPES, k=3)

    def run(self) -> Program:
        """Draw the steps, and what is returned."""
        wanted = self.random.randint(3, 12)
        may_refuse = self.random.random() < REFUSED_SHARE
        for _ in range(12 * wanted):
            if len(self.steps) >= wanted or self._take_step(may_refuse and len(self.steps) > 1):
                break
        share = self.random.choice((0.15, 0.5, 1.0))
        returns = tuple(name for name in self.values if self.random.random() < share)
        program = self.program
        return Program(program.memories, program.inputs, tuple(self.steps), returns, program.label)

    def _take_step(self, may_refuse: bool) -> bool:
        """Try one step; return whether it ends the program."""
        step = self.waiting.pop(0)() if self.waiting else self._draw_step()
        if step is None:
            return False
        saved = self._save()
        try:
            count = self._result_count(step)
            results = tuple(next(self.names) for _ in range(count))
            step = Step(step.name, step.arguments, results)
            evaluate(step, self.values)
        except UndefinedError:
            self._restore(saved)
            self.waiting.clear()
            return False
        except RefusedError:
            self._restore(saved)
            self.waiting.clear()
            if may_refuse:
                self.steps.append(step)
            return may_refuse
        if not self._is_fine():
            self._restore(saved)
            self.waiting.clear()
            return False
        self.steps.append(step)
        return False

    def _result_count(self, step: Step) -> int:
        """Return how many names a step assigns; a view of several parts is tried out for it."""
        if step.name in ("split", "chunk", "unbind"):
            scratch: dict[str, Model] = dict(self.values)
            for count in range(40):
                try:
                    evaluate(Step(step.name, step.arguments, ("_",) * count), scratch)
                except ValueError:
                    continue
                return count
            raise UndefinedError("too many parts")
        if step.name == "setitem" or step.name.endswith("="):
            return 0
        if step.name[-1] in "_)":
            return int(self.random.random() < 0.3)
        return 1

    def _save(self) -> Any:
        models = {id(model): model for model in self.values.values()}.values()
        memories = {id(model.memory): model.memory for model in models}.values()
        return (
            dict(self.values),
            [(model, model.sizes, model.strides) for model in models],
            [(memory, bytes(memory.data)) for memory in memories],
        )

    def _restore(self, saved: Any) -> None:
        self.values, models, memories = saved
        for model, sizes, strides in models:
            model.sizes, model.strides = sizes, strides
        for memory, data in memories:
            memory.data = bytearray(data)

    def _is_fine(self) -> bool:
        """Whether all is small, and no NaN can be told from another."""
        models = list(self.values.values())
        if len(models) > MOST_TENSORS or any(
            model.numel > MOST_ELEMENTS or model.rank > MOST_RANK for model in models
        ):
            return False
        kinds: dict[int, set[str]] = {}
        for model in models:
            kind = REAL.get(model.dtype, model.dtype)
            kinds.setdefault(model.memory.number, set()).add(kind)
        punned = {number for number, found in kinds.items() if len(found) > 1}
        return not any(
            model.memory.number in punned and category(model.dtype) >= 2 and _has_nan(model.array())
            for model in models
        )

    # ---- steps

    def _draw_step(self) -> Step | None:
        if self.random.random() < 0.03:
            return self._overlapping_writes()
        drawers = (self._view, self._copy, self._move, self._pointwise, self._write)
        (draw,) = self.random.choices(drawers, (38, 8, 8, 19, 27))
        return draw()

    def _any(self) -> tuple[Ref, Model]:
        # The last ones are taken more often: programs become deeper that way.
        names = list(self.values)
        place = max(self.random.randrange(len(names)), self.random.randrange(len(names)))
        return Ref(names[place]), self.values[names[place]]

    def _view(self) -> Step | None:
        ref, x = self._any()
        name = self.random.choice(tuple(VIEW_ARGUMENTS))
        arguments = VIEW_ARGUMENTS[name](self.random, x)
        return None if arguments is None else Step(name, (ref, *arguments))

    def _dtype(self) -> Named:
        wide = self.random.random() < 0.3
        return Named(self.random.choice(DTYPES if wide else self.palette))

    def _copy(self) -> Step:
        ref, x = self._any()
        forms = ["contiguous_format", "preserve_format"]
        forms += {4: ["channels_last"] * 2, 5: ["channels_last_3d"] * 2}.get(x.rank, [])
        form = Named(self.random.choice(forms))
        name = self.random.choice(("to", "to", "to_format", "clone", "contiguous"))
        if name == "to":
            return Step("to", (ref, self._dtype()))
        if name == "to_format":
            return Step("to", (ref, self._dtype(), form))
        if self.random.random() < 0.5:
            return Step(name, (ref,))
        if name == "contiguous" and form.name == "preserve_format":
            form = Named("contiguous_format")
        return Step(name, (ref, form))

    def _move(self) -> Step:
        """Return a join, a copy in another order, or a look at pairs."""
        ref, x = self._any()
        name = self.random.choice((*MOVE_NAMES, *PAIR_NAMES, *PAIR_NAMES))
        if name == "flip":
            count = self.random.randint(0, x.rank)
            return Step(name, (ref, tuple(self.random.sample(range(-x.rank, 0), count))))
        if name in ("cat", "stack"):
            alike = [n for n, y in self.values.items() if y.sizes == x.sizes]
            near = [n for n, y in self.values.items() if y.rank == x.rank]
            other = self.random.choice(near if name == "cat" and len(near) > 1 else alike)
            rank = x.rank + (name == "stack")
            return Step(name, (ref, Ref(other), self.random.randrange(-max(rank, 1), max(rank, 1))))
        is_paired = name == "view_as_complex"
        fitting = [
            other
            for other, y in self.values.items()
            if (y.sizes[-1:] == (2,) and y.dtype in REAL.values() if is_paired else y.dtype in REAL)
        ]
        return Step(name, (Ref(self.random.choice(fitting)) if fitting else ref,))

    def _partner(self, x: Model) -> Ref | None:
        """Return a tensor that goes with another."""
        found = [
            name
            for name, y in self.values.items()
            if broadcast_sizes([x.sizes, y.sizes]) is not None
        ]
        return Ref(self.random.choice(found)) if found else None

    def _number(self, dtype: str) -> Number:
        random = self.random
        if random.random() < 0.03 and dtype not in ("float16",):
            return random.choice((1j, 2 - 1j))
        if dtype == "bool":
            return random.choice((True, False, 1, 0.5))
        if dtype in INTEGERS:
            return random.choice((0, 1, -1, 2, 3, 7, 100, -100, 300, True, 1.5))
        return random.choice((0, 1, -1, 2, 3, 0.5, -1.5, 2.25, 10, True))

    def _other(self, x: Model) -> Ref | Number:
        partner = self._partner(x)
        if partner is None or self.random.random() < 0.3:
            return self._number(x.dtype)
        return partner

    def _pointwise(self) -> Step:
        ref, x = self._any()
        kind = self.random.random()
        if kind < 0.15:
            return Step(self.random.choice(UNARY), (ref,))
        other = self._other(x)
        if kind < 0.3:
            conditions = [
                Ref(name)
                for name, y in self.values.items()
                if y.dtype == "bool" and broadcast_sizes([x.sizes, y.sizes]) is not None
            ]
            if conditions:
                return Step("where", (self.random.choice(conditions), ref, other))
        if kind < 0.5:
            return Step(self.random.choice(tuple(COMPARISONS)), (ref, other))
        name = self.random.choice(BINARY)
        if not isinstance(other, Ref):
            if name in ("maximum", "minimum"):
                name = "mul"
            if name == "sub" and self.random.random() < 0.5:
                return Step("rsub", (ref, other))
            name = name + "?"
        elif name in OPERATORS and self.random.random() < 0.3:
            name = name + "?"
        return Step(name, (ref, other))

    # ---- writes

    def _overlapping_writes(self) -> Step | None:
        """Begin to write to windows of one input that overlap, or overlap with what is read."""
        fitting = [
            name
            for name in self.program.inputs
            if self.values[name].rank and self.values[name].sizes[0] > 2
        ]
        if not fitting:
            return None
        target = self.random.choice(fitting)
        sizes = self.values[target].sizes
        alike = [name for name, y in self.values.items() if y.sizes == sizes]
        source = self.random.choice(alike)
        windows = [(("slice", None, -1, None),), (("slice", 1, None, None),)]
        self.random.shuffle(windows)
        order = self.random.sample((-1, -2), 2)
        base = self.random.choice((-1, -2))
        start = len(self.values)

        def made(place: int) -> Ref:
            return Ref(list(self.values)[max(start, len(self.values) + place)])

        def write(window: tuple[Any, ...], place: int) -> Callable[[], Step]:
            return lambda: Step("setitem", (Ref(target), window, made(place)))

        self.waiting = [lambda: Step("mul?", (made(-1), 2))]
        if self.random.random() < 0.4:
            # One value, read at one index and written at the next.
            self.waiting.append(write(windows[1], -1))
            return Step("getitem", (Ref(target), windows[0]))
        self.waiting.append(lambda: Step("add?", (made(base), 3)))
        self.waiting += [write(*pair) for pair in zip(windows, order, strict=True)]
        return Step("getitem", (Ref(source), windows[0]))

    def _target(self) -> tuple[Ref, Model]:
        for _ in range(4):
            ref, x = self._any()
            if not has_zero_stride(*x.layout) or self.random.random() < 0.03:
                return ref, x
        return self._any()

    def _write(self) -> Step | None:
        draw = self.random.choices(
            (self._in_place, self._setitem, self._copy_into, self._fill, self._out),
            (9, 6, 4, 2, 4),
        )
        return draw[0]()

    def _fitting(self, x: Model) -> Ref | None:
        """Return a tensor that can be broadcast to another's shape; seldom one that cannot."""
        found = [
            name
            for name, y in self.values.items()
            if broadcast_sizes([x.sizes, y.sizes]) == x.sizes
        ]
        if self.random.random() < 0.02:
            found = list(self.values)
        return Ref(self.random.choice(found)) if found else None

    def _operand_for(self, x: Model) -> Ref | Number:
        found = self._fitting(x)
        if found is None or self.random.random() < 0.35:
            return self._number(x.dtype)
        return found

    def _in_place(self) -> Step:
        ref, x = self._target()
        if self.random.random() < 0.1:
            return Step(self.random.choice(("neg_", "abs_")), (ref,))
        ending = "=" if self.random.random() < 0.4 else "_"
        return Step(self.random.choice(IN_PLACE) + ending, (ref, self._operand_for(x)))

    def _setitem(self) -> Step | None:
        ref, x = self._target()
        arguments = VIEW_ARGUMENTS["getitem"](self.random, x)
        assert arguments is not None
        scratch = dict(self.values)
        try:
            evaluate(Step("getitem", (ref, *arguments), ("_",)), scratch)
        except RefusedError:
            return None
        return Step("setitem", (ref, *arguments, self._operand_for(scratch["_"])))

    def _copy_into(self) -> Step | None:
        ref, x = self._target()
        other = self._fitting(x)
        return None if other is None else Step("copy_", (ref, other))

    def _fill(self) -> Step:
        ref, x = self._target()
        if self.random.random() < 0.3:
            return Step("zero_", (ref,))
        return Step("fill_", (ref, self._number(x.dtype)))

    def _out(self) -> Step | None:
        target, _ = self._target()
        ref, x = self._any()
        if self.random.random() < 0.1:
            return Step(f"{self.random.choice(UNARY)}(out)", (target, ref))
        other = self._partner(x)
        if other is None:
            return None
        name = self.random.choice((*BINARY, *BINARY, *COMPARISONS))
        return Step(f"{name}(out)", (target, ref, other))
