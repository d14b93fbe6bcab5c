"""Which arguments does a view get in a drawn strided program? Now and then some that it refuses."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from .model import Model
from .program import Named
from .values import COMPLEXES, DTYPES

Arguments = tuple[Any, ...] | None


def _dim(random: Random, rank: int) -> int:
    bound = max(rank, 1)
    if random.random() < 0.01:
        return bound
    return random.randrange(-bound, bound)


def _regrouped(random: Random, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return another shape with as many elements."""
    left = list(sizes)
    for _ in range(random.randint(0, 3)):
        place = random.randint(0, len(left))
        kind = random.random()
        if kind < 0.2:
            left.insert(place, 1)
        elif kind < 0.6 and place + 1 < len(left):
            left[place : place + 2] = [left[place] * left[place + 1]]
        elif place < len(left) and left[place] > 1:
            factors = [n for n in range(1, left[place] + 1) if not left[place] % n]
            first = random.choice(factors)
            left[place : place + 1] = [first, left[place] // first]
    if left and random.random() < 0.2 and 0 not in left:
        left[random.randrange(len(left))] = -1
    if random.random() < 0.01:
        left.append(7)
    return tuple(left)


def _permute(random: Random, x: Model) -> Arguments:
    return (tuple(random.sample(range(-x.rank, 0), x.rank)),)


def _two_dims(random: Random, x: Model) -> Arguments:
    return (_dim(random, x.rank), _dim(random, x.rank))


def _shape(random: Random, x: Model) -> Arguments:
    return (_regrouped(random, x.sizes),)


def _flatten(random: Random, x: Model) -> Arguments:
    first, second = sorted(random.choices(range(max(x.rank, 1)), k=2))
    return (first, second - (max(x.rank, 1) if random.random() < 0.3 else 0))


def _unflatten(random: Random, x: Model) -> Arguments:
    if not x.rank:
        return None
    dim = random.randrange(x.rank)
    return (dim, _regrouped(random, (x.sizes[dim],)))


def _expand(random: Random, x: Model) -> Arguments:
    sizes = [
        random.choice((1, 2, 3))
        if size == 1 and random.random() < 0.7
        else random.choice((size, -1))
        for size in x.sizes
    ]
    lead = [random.choice((1, 2, 3)) for _ in range(random.choice((0, 0, 1, 2)))]
    return (tuple(lead + sizes),)


def _select(random: Random, x: Model) -> Arguments:
    dim = _dim(random, x.rank)
    if not -x.rank <= dim < x.rank:
        return (dim, 0)
    size = x.sizes[dim]
    return (dim, random.randrange(-size, size)) if size else (dim, 0)


def _narrow(random: Random, x: Model) -> Arguments:
    if not x.rank:
        return None
    dim = random.randrange(x.rank)
    start = random.randint(0, x.sizes[dim])
    return (dim, start, random.randint(0, x.sizes[dim] - start))


def _getitem(random: Random, x: Model) -> Arguments:
    items: list[Any] = []
    for size in x.sizes[: random.randint(0, x.rank)]:
        kind = random.random()
        if kind < 0.3 and size:
            items.append(random.randrange(-size, size))
        elif kind < 0.9:
            bounds = (random.choice((None, random.randint(-size - 1, size + 1))) for _ in "ab")
            items.append(("slice", *bounds, random.choice((None, None, 1, 2, 3))))
        else:
            items.append(("slice", None, None, None))
    if random.random() < 0.15:
        items.insert(random.randint(0, len(items)), None)
    if random.random() < 0.15 or not items:
        items.append(Ellipsis)
    return (tuple(items),)


def _diagonal(random: Random, x: Model) -> Arguments:
    if x.rank < 2:
        return None
    first, second = random.sample(range(x.rank), 2)
    return (random.choice((0, 0, 1, -1, 2)), first, second)


def _unfold(random: Random, x: Model) -> Arguments:
    dim = _dim(random, x.rank)
    size = x.sizes[dim] if x.rank and -x.rank <= dim < x.rank else 1
    return (dim, random.randint(0, size), random.choice((1, 1, 2, 3)))


def _squeeze(random: Random, x: Model) -> Arguments:
    return () if random.random() < 0.3 else (_dim(random, x.rank),)


def _unsqueeze(random: Random, x: Model) -> Arguments:
    return (random.randint(-x.rank - 1, x.rank),)


def _as_strided(random: Random, x: Model) -> Arguments:
    from_numbers = (0, 1, 1, 2, 3)
    sizes = tuple(random.choice(from_numbers) for _ in range(random.randint(0, 3)))
    strides = tuple(random.choice((1, 1, 2, 3, 4, 6)) for _ in sizes)
    return (sizes, strides) if random.random() < 0.5 else (sizes, strides, random.randint(0, 3))


def _view_dtype(random: Random, x: Model) -> Arguments:
    if x.dtype == "bool":
        return None
    return (Named(random.choice([dtype for dtype in DTYPES if dtype != "bool"])),)


def _split(random: Random, x: Model) -> Arguments:
    return (random.randint(1, 3), _dim(random, x.rank))


def _nothing(random: Random, x: Model) -> Arguments:
    return ()


def _one_dim(random: Random, x: Model) -> Arguments:
    return (_dim(random, x.rank),)


VIEW_ARGUMENTS: dict[str, Callable[[Random, Model], Arguments]] = {
    "permute": _permute,
    "transpose": _two_dims,
    "t": lambda random, x: () if x.rank <= 2 else None,
    "mT": lambda random, x: () if x.rank >= 2 else None,
    "movedim": _two_dims,
    "view": _shape,
    "reshape": _shape,
    "flatten": _flatten,
    "unflatten": _unflatten,
    "expand": _expand,
    "select": _select,
    "narrow": _narrow,
    "getitem": _getitem,
    "diagonal": _diagonal,
    "unfold": _unfold,
    "squeeze": _squeeze,
    "unsqueeze": _unsqueeze,
    "as_strided": _as_strided,
    "view_dtype": _view_dtype,
    "real": _nothing,
    "imag": lambda random, x: () if x.dtype in COMPLEXES or random.random() < 0.05 else None,
    "split": _split,
    "chunk": _split,
    "unbind": _one_dim,
}
