"""How are reductions with rules of their own and scans drawn?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..oracle.semantics import DTYPES, FLOATS, INTEGERS
from ..program import Named, Ref, Step

if TYPE_CHECKING:
    from ..drawing import Drawer

Keywords = list[tuple[str, Any]]


def _mixed(d: Drawer) -> Ref:
    """Return a tensor of any dtype, of floats in half of the cases."""
    return d.tensor(FLOATS if d.random.random() < 0.5 else DTYPES)


def _rank(d: Drawer, x: Ref) -> int:
    return len(d.value(x).shape)


def _kept(d: Drawer) -> Keywords:
    return [("keepdim", True)] if d.random.random() < 0.4 else []


def _converted(d: Drawer) -> Keywords:
    dtypes = (*FLOATS, "int32", "int64")
    return [("dtype", Named(d.random.choice(dtypes)))] if d.random.random() < 0.2 else []


def _dims(d: Drawer, rank: int) -> tuple[int, ...]:
    """Return some dims, at least one, each from either end."""
    chosen = d.random.sample(range(rank), d.random.randrange(1, rank + 1))
    return tuple(dim - rank if d.random.random() < 0.3 else dim for dim in chosen)


def _scanned(d: Drawer, operation: str) -> Step:
    x = _mixed(d)
    return Step(operation, (x, d.dim(_rank(d, x))), tuple(_converted(d)))


def _scanned_alone(d: Drawer, operation: str) -> Step:
    x = _mixed(d)
    return Step(operation, (x, d.dim(_rank(d, x))))


def _scanned_floats(d: Drawer, operation: str) -> Step:
    x = d.tensor(FLOATS)
    return Step(operation, (x, d.dim(_rank(d, x))))


def _spread(d: Drawer, operation: str) -> Step:
    """Draw var and std, in the ways they are called."""
    x = d.tensor(FLOATS)
    keywords = _kept(d)
    rank = _rank(d, x)
    if rank and d.random.random() < 0.8:
        keywords.append(("dim", _dims(d, rank)))
    if d.random.random() < 0.5:
        keywords.append(("correction", d.random.choice((0, 1, 2, 0.5))))
    return Step(operation, (x,), tuple(keywords))


def _extremes(d: Drawer, operation: str) -> Step:
    x = _mixed(d)
    keywords = _kept(d)
    if d.random.random() < 0.7:
        keywords.append(("dim", d.dim(_rank(d, x))))
    return Step(operation, (x,), tuple(keywords))


def _largest(d: Drawer, operation: str) -> Step:
    """Draw max and min: of all elements, along a dim, of two tensors."""
    x = _mixed(d)
    kind = d.random.random()
    if kind < 0.3:
        return Step(operation, (x,))
    if kind < 0.5:
        value = d.value(x)
        return Step(operation, (x, d.tensor((value.dtype,), shape=d.beside(value.shape))))
    return Step(operation, (x, d.dim(_rank(d, x)), *(() if kind < 0.75 else (True,))))


def _along_dims(d: Drawer, operation: str) -> Step:
    x = _mixed(d)
    rank = _rank(d, x)
    dims = _dims(d, rank) if rank else d.random.choice((0, -1))
    return Step(operation, (x, dims), tuple(_kept(d)))


def _counted(d: Drawer, operation: str) -> Step:
    x = _mixed(d)
    rank = _rank(d, x)
    return Step(operation, (x,) if not rank or d.random.random() < 0.3 else (x, _dims(d, rank)))


def _averaged(d: Drawer, operation: str) -> Step:
    x = d.tensor(FLOATS)
    rank = _rank(d, x)
    keywords = _kept(d)
    if rank and d.random.random() < 0.7:
        keywords.append(("dim", _dims(d, rank)))
    return Step(operation, (x,), tuple(keywords))


def _summed(d: Drawer, operation: str) -> Step:
    x = _mixed(d)
    rank = _rank(d, x)
    keywords = _kept(d)
    if rank and d.random.random() < 0.7:
        keywords.append(("dim", _dims(d, rank)))
    return Step(operation, (x,), tuple(keywords + _converted(d)))


def _measured(d: Drawer, operation: str) -> Step:
    """Draw norms of several orders."""
    x = d.tensor(FLOATS, domain=(-9.0, 9.0))
    rank = _rank(d, x)
    order = d.random.choice((0, 1, 2, 2, float("inf"), -float("inf"), 3, 0.5))
    keywords = _kept(d)
    if rank and d.random.random() < 0.7:
        keywords.append(("dim", _dims(d, rank)))
    elif operation == "norm":
        keywords = []
    return Step(operation, (x, order), tuple(keywords))


def _apart(d: Drawer, operation: str) -> Step:
    x = d.tensor(("float32", "float64"), domain=(-9.0, 9.0))
    value = d.value(x)
    y = d.tensor((value.dtype,), shape=d.beside(value.shape), domain=(-9.0, 9.0))
    return Step(operation, (x, y, d.random.choice((0, 1, 2, float("inf"), -float("inf")))))


def _normalized(d: Drawer, operation: str) -> Step:
    x = d.tensor(FLOATS)
    return Step(operation, (x, d.dim(_rank(d, x))))


def _differences(d: Drawer, operation: str) -> Step:
    x = d.tensor(FLOATS if d.random.random() < 0.5 else INTEGERS, rank=1)
    keywords: Keywords = [("dim", d.dim(_rank(d, x)))]
    if d.random.random() < 0.3:
        keywords.append(("n", d.random.choice((0, 1, 2, 3))))
    return Step(operation, (x,), tuple(keywords))


REDUCING: dict[str, Callable[[Drawer, str], Step]] = {
    "cumsum": _scanned,
    "cumprod": _scanned,
    "cummax": _scanned_alone,
    "cummin": _scanned_alone,
    "logcumsumexp": _scanned_floats,
    **dict.fromkeys(("var", "std", "var_mean", "std_mean"), _spread),
    "aminmax": _extremes,
    "max": _largest,
    "min": _largest,
    "logsumexp": _along_dims,
    "count_nonzero": _counted,
    "nanmean": _averaged,
    "nansum": _summed,
    "norm": _measured,
    "linalg_vector_norm": _measured,
    "dist": _apart,
    "softmax": _normalized,
    "log_softmax": _normalized,
    "diff": _differences,
}
