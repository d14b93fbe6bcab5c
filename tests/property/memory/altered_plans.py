"""Is an altered plan refused, or does it stay in its memory? Run in a process of its own.

    python -m tests.property.memory.altered_plans 5000 7

takes that many artifacts, drawn from that seed, changes numbers in each, and stores and reads it.
What is accepted is run in guarded memory, on tensors of the specs that it says it takes, with any
numbers in them: an access that leaves a buffer of a call ends the process, after the line of the
plan that did it.
"""

from __future__ import annotations

import faulthandler
import pickle
import sys
import warnings
from dataclasses import replace
from math import prod
from random import Random
from typing import Any, cast

import numpy as np

import trilith as tri
from trilith.dialects.attributes.spec import TensorSpec
from trilith.runtime.execution.artifact import Artifact, Launch
from trilith.runtime.executor import Executable

from .guarded_memory import install

#: Larger plans than this many bytes, or points of a kernel, are read but not run.
MOST_BYTES, MOST_POINTS = 1 << 22, 1 << 20

F32, F64, I64 = tri.float32, tri.float64, tri.int64


def _of(*shapes: Any) -> list[TensorSpec]:
    return [
        TensorSpec.of(item[0], item[1]) if isinstance(item[0], tuple) else TensorSpec.of(item, F32)
        for item in shapes
    ]


#: Functions and what they take: kernels of every kind.
FUNCTIONS: list[tuple[str, list[TensorSpec]]] = [
    ("lambda x, y: x + y", _of((33,), (33,))),
    ("lambda x, y: x.t() * y + 1", _of((5, 7), (7, 5))),
    ("lambda x: x.sum(0)", _of((19, 9))),
    ("lambda x: x.sum(1)", _of((3, 70))),
    ("lambda x: x.sum()", _of((40, 50))),
    ("lambda x: (x * 2).amax((0, 2))", _of((3, 4, 5))),
    ("lambda x: x.argmax(1)", _of((4, 20))),
    ("lambda x, y: x @ y", _of((9, 17), (17, 6))),
    ("lambda x, i: x[i]", _of((12, 5), ((4,), I64))),
    ("lambda x, i: x[:, i] + 1", _of((3, 8), ((2, 2), I64))),
    ("lambda x, i, y: x.scatter_add(0, i, y)", _of((9,), ((4,), I64), (4,))),
    ("lambda x, i, y: x.index_put_((i,), y)", _of((9,), ((4,), I64), (4,))),
    ("lambda x: x.add_(1)", _of((6, 6))),
    ("lambda x, y: tri.cat([x, y.t()])", _of((2, 5), (5, 3))),
    ("lambda x: tri.pad(x, (1, 2))", _of((4, 4))),
    ("lambda x: x.to(tri.complex128) * 2j", _of((21,))),
    ("lambda x: x.sum(0).tanh() - x.mean()", _of(((8, 12), F64))),
    ("lambda x: x.flip(0)[::2]", _of((11, 3))),
    ("lambda x: x[1:, ::2]", _of((4, 6))),
    ("lambda x: x.expand(4, 5).clone()", _of((1, 5))),
]


def plans() -> list[Artifact]:
    """Return the plans of all functions."""
    space = {"tri": tri}
    return [
        tri.trace(eval(text, space), *specs).lower().compile().artifact for text, specs in FUNCTIONS
    ]


def altered(artifact: Artifact, random: Random) -> Artifact:
    """Return the plan with one, two or three numbers changed."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        field = random.choice(("launches",) * 8 + ("buffers",) * 4 + ("outputs", "inputs", "other"))
        items = list(getattr(artifact, field, ()))
        if not items:
            size = _other(random, artifact.arena_nbytes)
            artifact = replace(artifact, arena_nbytes=size)
            continue
        place = random.randrange(len(items))
        items[place] = _changed(items[place], random)
        artifact = replace(artifact, **{field: tuple(items)})
    return artifact


def _changed(item: Any, random: Random) -> Any:
    """Return a part of a plan with one field changed."""
    if isinstance(item, TensorSpec):
        shape = tuple(abs(number) % 100 for number in _one_changed(item.shape, random))
        strides = tuple(abs(number) % 100 for number in _one_changed(item.strides, random))
        return TensorSpec.of(shape, item.dtype, item.device, strides)
    fields = [name for name in item.__slots__ if _is_numbers(getattr(item, name))]
    if not fields:
        return item
    name = random.choice(fields)
    value = getattr(item, name)
    if isinstance(value, tuple):
        numbers = cast("tuple[int, ...]", value)
        return replace(item, **{name: _one_changed(numbers, random)})
    if isinstance(value, bool):
        return replace(item, **{name: not value})
    if isinstance(value, TensorSpec):
        return replace(item, **{name: _changed(value, random)})
    return replace(item, **{name: _other(random, value)})


def _is_numbers(value: Any) -> bool:
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        return bool(items) and all(type(item) is int for item in items)
    return isinstance(value, (int, TensorSpec))


def _one_changed(values: tuple[int, ...], random: Random) -> tuple[int, ...]:
    changed = list(values)
    if changed:
        place = random.randrange(len(changed))
        changed[place] = _other(random, changed[place])
    return tuple(changed)


def _other(random: Random, number: int) -> int:
    """Return another number: near, far, or of another sign."""
    near = number + random.choice((-2, -1, 1, 1, 2, 3, 16))
    return random.choice(
        (near, near, near, number * 2, -number, 0, 1, random.randint(-99, 99), 1 << 40, 2**63 - 1)
    )


def read(artifact: Artifact, random: Random) -> Artifact | None:
    """Store and read a plan; None if it is refused."""
    try:
        if random.random() < 0.5:
            return pickle.loads(pickle.dumps(artifact))
        return Artifact.from_bytes(artifact.to_bytes())
    except (tri.TrilithError, OverflowError):
        return None


def is_small(artifact: Artifact) -> bool:
    """Whether a plan can be run at all."""
    sizes = [artifact.nbytes_of(buffer) for buffer in artifact.buffers]
    points = [
        prod(max(launch.integers[dim.extent], 1) for dim in walk)
        for launch in artifact.launches
        if isinstance(launch, Launch)
        for buffer in artifact.kernels[launch.kernel].buffers
        for walk in buffer.walks
    ]
    return sum(sizes) + artifact.arena_nbytes < MOST_BYTES and max(points, default=0) < MOST_POINTS


def run(artifact: Artifact, random: Random) -> bool:
    """Run a plan; False if the call is refused, as a fault or a view that does not fit."""
    tensors: list[Any] = []
    for spec in artifact.inputs:
        made: Any = tri.empty_strided(spec.shape, spec.strides, dtype=spec.dtype)
        space = made.untyped_storage()
        for place in range(0, space.nbytes(), 8):
            space[place] = random.choice((0, 1, 2, 3, 11, 255))
            space[place + 1 : place + 8] = random.choice((0, 0, 0, 255))
        tensors.append(made)
    try:
        results = Executable(artifact).run(tensors, [1] * len(artifact.scalars))
    except (tri.TrilithError, IndexError):
        return False
    for result in results:
        np.array(result.resolve_conj().numpy())  # pyright: ignore
    return True


def main() -> int:
    """Alter plans; a process that ends well has found nothing."""
    warnings.simplefilter("ignore")
    faulthandler.enable()
    count, seed = int(sys.argv[1]), sys.argv[2]
    memory = install()
    originals = plans()
    refused = ran = 0
    for number in range(count):
        random = Random(f"{seed} {number}")
        memory.at_end = random.random() < 0.5
        plan = read(altered(random.choice(originals), random), random)
        if plan is None:
            refused += 1
        elif is_small(plan):
            changed = (plan.launches, plan.buffers, plan.outputs, plan.inputs, plan.arena_nbytes)
            print(f"\r{number} {plan.name} {changed}", end="", file=sys.stderr, flush=True)
            ran += run(plan, random)
    print(f"\n{count} altered plans, {refused} refused, {ran} ran")
    return 0 if refused and ran else 1


if __name__ == "__main__":
    sys.exit(main())
