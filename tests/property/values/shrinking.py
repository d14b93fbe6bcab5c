"""How does a failing program become small? Greedily: leave out, cut, simplify what fails.

A smaller program is kept if the oracle still takes it and it fails in the same property. Candidates
that remove most come first; after each success the search starts again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import trilith as tri

from .oracle.evaluation import Fault, Value, evaluate
from .oracle.semantics import Invalid, contiguous
from .program import Input, Named, Number, Program, Ref, Step, Values, items_of, references

#: Calls of the check at most, and how long they may take: on a device each builds kernels.
LIMIT, SECONDS = 400, 240.0
#: Sizes that a program grows to, and elements of its largest value then.
_GROWN, _MOST_ELEMENTS = (33, 65, 70, 130, 257, 300, 1025, 4099, 8197, 20_000), 40_000


def shrink(program: Program, failure_of: Callable[[Program], str | None]) -> Program:
    """Return a smaller program for which `failure_of` gives the same kind of failure."""
    kind = failure_of(program)
    calls, end = 0, time.monotonic() + SECONDS
    improved = True
    while improved and calls < LIMIT:
        improved = False
        for candidate in _candidates(program):
            smaller = candidate.without_dead_code()
            if not smaller.steps or not is_valid(smaller) or _size(smaller) >= _size(program):
                continue
            calls += 1
            if failure_of(smaller) == kind:
                program, improved = smaller, True
                break
            if calls >= LIMIT or time.monotonic() > end:
                return program
    return program


def resized(program: Program, number: int) -> Iterator[Program]:
    """Return the program with one of its sizes replaced by a larger one, if that is valid."""
    tensors = [made for made in program.inputs.values() if isinstance(made, Input)]
    sizes = sorted({size for made in tensors for size in made.shape if size > 1})
    if not sizes or any(math.prod(made.shape) > 2000 for made in tensors):
        return
    old = sizes[number % len(sizes)]
    larger = _resized(program, old, old + 1 + number % 7)
    if _is_as_valid(larger, program):
        yield larger


def grown(program: Program, number: int) -> Iterator[Program]:
    """Return the program with one or two of its sizes so large that work is shared, if it can be.

    Most programs are too small for a second work item, a second group or a whole tile.
    """
    random = Random(f"grown {number}")
    tensors = [made for made in program.inputs.values() if isinstance(made, Input)]
    sizes = sorted({size for made in tensors for size in made.shape if size > 1})
    larger = program
    for old in random.sample(sizes, min(len(sizes), random.choice((1, 2, 2)))):
        new = random.choice(_GROWN)
        candidate = _resized(larger, old, new)
        if new not in sizes and _elements(candidate) <= _MOST_ELEMENTS:
            larger = candidate
    if larger is not program and _is_as_valid(larger, program):
        yield larger


def _elements(program: Program) -> int:
    """Return the elements of the largest value of a program, without computing any."""
    specs: list[Any] = [
        tri.spec(made.shape, getattr(tri, made.dtype)) if isinstance(made, Input) else made.value
        for made in program.inputs.values()
    ]
    notes: dict[str, Any] = {}
    try:
        tri.trace(partial(program, notes=notes), *specs)
    except (tri.TrilithError, RuntimeError, TypeError, ValueError, IndexError):
        return _MOST_ELEMENTS + 1
    shapes = [tuple(value.shape) for value in (*specs, *notes.values()) if hasattr(value, "shape")]
    return max(map(math.prod, shapes), default=0)


def is_valid(program: Program) -> bool:
    """Whether the oracle takes a program."""
    try:
        evaluate(program)
    except Fault:
        return True
    except (Invalid, ValueError, IndexError):
        return False
    return True


def _is_as_valid(changed: Program, program: Program) -> bool:
    """Whether the oracle takes a program, and sees a fault in it only if there was one before.

    It stops at a fault: nothing is known of the steps behind, and tracing may refuse those first.
    """
    return is_valid(changed) and _has_fault(changed) <= _has_fault(program)


def _has_fault(program: Program) -> bool:
    try:
        evaluate(program)
    except Fault:
        return True
    return False


def _size(program: Program) -> tuple[int, ...]:
    """Return what shrinking makes smaller, the most important first."""
    tensors = [made for made in program.inputs.values() if isinstance(made, Input)]
    arguments = [a for step in program.steps.values() for a in (*step.arguments, *step.keywords)]
    return (
        len(program.steps),
        len(program.outputs),
        len(program.inputs),
        sum(math.prod(made.shape) for made in tensors),
        sum(sum(made.shape) for made in tensors) + sum(map(_weight, arguments)),
        sum(made.strides != contiguous(made.shape) for made in tensors),
        sum(made.offset for made in tensors),
        sum(_KINDS.index(made.values.kind) for made in tensors),
        sum(made.dtype not in ("float32", "int64") for made in tensors),
    )


_KINDS = ("ones", "zeros", "range", "small", "nonzero", "uniform", "special")


def _weight(value: Any) -> int:
    """Return how complicated an argument is."""
    if type(value) is tuple:
        items = items_of(value)
        return 1 + sum(map(_weight, items))
    if isinstance(value, (bool, Ref, Named)) or value is None:
        return 0
    return int(min(9, 1 + abs(value))) if isinstance(value, (int, float)) else 1


def _candidates(program: Program) -> Iterator[Program]:
    if len(program.outputs) > 1:
        for name in program.outputs:
            yield replace(program, outputs=(name,))
        for name in program.outputs:
            yield replace(program, outputs=tuple(n for n in program.outputs if n != name))
    for name in reversed(program.steps):
        yield from _without_step(program, name)
    for name, source in program.inputs.items():
        if isinstance(source, Number):
            yield _with_constant(program, name, source)
        else:
            for simpler in _simpler_inputs(source):
                yield replace(program, inputs={**program.inputs, name: simpler})
    yield from _other_sizes(program)
    yield from _simpler_steps(program)


def _without_step(program: Program, name: str) -> Iterator[Program]:
    """Replace a step by what it reads, or by an input like its result."""
    step = program.steps[name]
    rest = {other: made for other, made in program.steps.items() if other != name}
    for source in references(step):
        if source in program.outputs and name in program.outputs:
            continue
        steps = {other: _renamed(made, name, source) for other, made in rest.items()}
        outputs = tuple(source if one == name else one for one in program.outputs)
        if not set(outputs) & set(program.inputs):
            yield Program(program.inputs, steps, outputs)
    if name in program.outputs and len(program.outputs) == 1:
        for source in references(step):
            if source in program.steps:
                yield replace(program, outputs=(source,))
    try:
        value = evaluate(program)[name]
    except (Fault, Invalid):
        return
    if isinstance(value, Value) and name not in program.outputs:
        for kind in ("small", "special"):
            made = Input(value.shape, value.dtype, contiguous(value.shape), 0, Values(kind))
            yield Program({**program.inputs, name: made}, rest, program.outputs)


def _renamed(step: Step, old: str, new: str) -> Step:
    def rename(value: Any) -> Any:
        if value == Ref(old):
            return Ref(new)
        if type(value) is tuple:
            items = items_of(value)
            return tuple(rename(item) for item in items)
        return value

    return replace(step, arguments=tuple(rename(argument) for argument in step.arguments))


def _with_constant(program: Program, name: str, source: Number) -> Program:
    def insert(value: Any) -> Any:
        return source.value if value == Ref(name) else value

    steps = {
        other: replace(step, arguments=tuple(insert(argument) for argument in step.arguments))
        for other, step in program.steps.items()
    }
    return replace(program, steps=steps)


def _simpler_inputs(source: Input) -> Iterator[Input]:
    packed = contiguous(source.shape)
    yield replace(source, strides=packed, offset=0)
    yield replace(source, offset=0)
    yield replace(source, strides=packed)
    for kind in _KINDS[: _KINDS.index(source.values.kind)]:
        yield replace(source, values=source.values._replace(kind=kind))
    for dtype in ("float32", "int64"):
        yield replace(source, dtype=dtype)
    for dim, size in enumerate(source.shape):
        for smaller in {1, size // 2, size - 1} - {size}:
            if 0 < smaller < size:
                shape = (*source.shape[:dim], smaller, *source.shape[dim + 1 :])
                yield replace(source, shape=shape)
                yield replace(source, shape=shape, strides=contiguous(shape))
        shape = source.shape[:dim] + source.shape[dim + 1 :]
        yield replace(source, shape=shape, strides=source.strides[:dim] + source.strides[dim + 1 :])


def _other_sizes(program: Program) -> Iterator[Program]:
    """Replace a size by a smaller one everywhere, in shapes and in arguments."""
    tensors = [made for made in program.inputs.values() if isinstance(made, Input)]
    sizes = {size for made in tensors for size in made.shape if size > 1}
    for old in sorted(sizes, reverse=True):
        for new in sorted({1, 2, old // 2, old - 1}):
            if 0 < new < old:
                yield _resized(program, old, new)


def _resized(program: Program, old: int, new: int) -> Program:
    def change(value: Any) -> Any:
        if type(value) is tuple:
            items = items_of(value)
            return tuple(change(item) for item in items)
        return new if type(value) is int and value == old else value

    inputs = dict(program.inputs)
    for name, source in inputs.items():
        if isinstance(source, Input):
            shape: tuple[int, ...] = change(source.shape)
            is_packed = source.strides == contiguous(source.shape)
            strides = contiguous(shape) if is_packed else source.strides
            inputs[name] = replace(source, shape=shape, strides=strides)
    steps = {
        name: replace(step, arguments=change(step.arguments))
        for name, step in program.steps.items()
    }
    return Program(inputs, steps, program.outputs)


def _simpler_steps(program: Program) -> Iterator[Program]:
    """Leave out keywords and optional arguments; make numbers simple."""
    for name, step in program.steps.items():
        for number in range(len(step.keywords)):
            keywords = step.keywords[:number] + step.keywords[number + 1 :]
            changed = replace(step, keywords=keywords)
            yield replace(program, steps={**program.steps, name: changed})
        for place, argument in enumerate(step.arguments):
            for simpler in _simpler_arguments(argument):
                arguments = (*step.arguments[:place], simpler, *step.arguments[place + 1 :])
                changed = replace(step, arguments=arguments)
                yield replace(program, steps={**program.steps, name: changed})


def _simpler_arguments(argument: Any) -> Iterator[Any]:
    if isinstance(argument, (int, float)) and not isinstance(argument, bool):
        yield from (kind(n) for n in (0, 1, 2) if (kind := type(argument))(n) != argument)
    elif type(argument) is tuple:
        items = items_of(argument)
        for place, item in enumerate(items):
            yield items[:place] + items[place + 1 :]
            if isinstance(item, int):
                yield from ((*items[:place], n, *items[place + 1 :]) for n in (0, 1))
