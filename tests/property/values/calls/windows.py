"""How are convolutions and pools drawn?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..oracle.semantics import FLOATS
from ..program import Step

if TYPE_CHECKING:
    from ..drawing import Drawer

Call = Callable[["Drawer", str], Step]
Keywords = list[tuple[str, Any]]
_FINITE = ("small", "uniform")
_SPATIAL = {1: (1, 2, 3, 5, 8, 17), 2: (1, 2, 3, 4, 5, 7), 3: (1, 2, 3, 4)}


def _numbers(d: Drawer, dims: int, choices: tuple[int, ...]) -> int | tuple[int, ...]:
    """Return one number for all dims, or one for each."""
    if d.random.random() < 0.5:
        return d.random.choice(choices)
    return tuple(d.random.choice(choices) for _ in range(dims))


def _shape(d: Drawer, dims: int, channels: int, batched: float) -> tuple[int, ...]:
    batch = (d.random.choice((1, 2, 3)),) if d.random.random() < batched else ()
    return (*batch, channels, *(d.random.choice(_SPATIAL[dims]) for _ in range(dims)))


def _convolved(d: Drawer, operation: str) -> Step:
    dims = int(operation[-2])
    is_transposed = "transpose" in operation
    groups = d.random.choice((1, 1, 1, 2, 3))
    inner, features = (d.random.choice((1, 2, 3)) for _ in "ab")
    dtypes = ("float32", "float64") if is_transposed else FLOATS
    shape = _shape(d, dims, groups * inner, 0.8)
    x = d.tensor(dtypes, shape=shape, domain=(-9.0, 9.0), kinds=_FINITE)
    kernel = tuple(d.random.choice((1, 2, 3)) for _ in range(dims))
    channels = (groups * inner, features) if is_transposed else (groups * features, inner)
    dtype = (d.value(x).dtype,)
    weight = d.tensor(dtype, shape=(*channels, *kernel), domain=(-9.0, 9.0), kinds=_FINITE)
    arguments = [x, weight]
    if d.random.random() < 0.5:
        count = groups * features
        arguments.append(d.tensor(dtype, shape=(count,), domain=(-9.0, 9.0), kinds=_FINITE))
    keywords: Keywords = [("groups", groups)] if groups > 1 else []
    if d.random.random() < 0.5:
        keywords.append(("padding", _numbers(d, dims, (0, 1, 2))))
    if d.random.random() < 0.4:
        keywords.append(("stride", _numbers(d, dims, (1, 2, 3))))
    elif not is_transposed and "padding" not in dict(keywords) and d.random.random() < 0.3:
        keywords.append(("padding", d.random.choice(("same", "valid"))))
    if d.random.random() < 0.3:
        keywords.append(("dilation", _numbers(d, dims, (1, 2))))
    if is_transposed and d.random.random() < 0.3:
        keywords.append(("output_padding", _numbers(d, dims, (0, 1))))
    return Step(operation, tuple(arguments), tuple(keywords))


def _pooled(d: Drawer, operation: str) -> Step:
    dims = int(operation[-2])
    is_average = operation.startswith("avg")
    dtypes = ("float32", "float64") if is_average else FLOATS
    shape = _shape(d, dims, d.random.choice((1, 2, 3)), 0.7)
    x = d.tensor(dtypes, shape=shape, kinds=_FINITE)
    keywords: Keywords = []
    if d.random.random() < 0.5:
        keywords.append(("stride", _numbers(d, dims, (1, 2, 3))))
    if d.random.random() < 0.4:
        keywords.append(("padding", _numbers(d, dims, (0, 1))))
    if d.random.random() < 0.4:
        keywords.append(("ceil_mode", True))
    if is_average and d.random.random() < 0.4:
        keywords.append(("count_include_pad", False))
    if is_average and dims > 1 and d.random.random() < 0.2:
        keywords.append(("divisor_override", d.random.choice((1, 2, 3))))
    if not is_average and d.random.random() < 0.3:
        keywords.append(("dilation", _numbers(d, dims, (1, 2))))
    if operation.startswith("nn_"):
        keywords.append(("return_indices", True))
    return Step(operation, (x, _numbers(d, dims, (1, 2, 2, 3))), tuple(keywords))


def _adapted(d: Drawer, operation: str) -> Step:
    dims = int(operation[-2])
    is_average = operation.startswith("adaptive_avg")
    dtypes = ("float32", "float64") if is_average else FLOATS
    shape = _shape(d, dims, d.random.choice((1, 2)), 0.7)
    x = d.tensor(dtypes, shape=shape, kinds=_FINITE)
    keywords = () if is_average else (("return_indices", True),)
    return Step(operation, (x, _numbers(d, dims, (1, 2, 3, 5)[: 5 - dims])), keywords)


_DIMS = (1, 2, 3)
WINDOWS: dict[str, Call] = {
    **{f"conv{dims}d": _convolved for dims in _DIMS},
    **{f"conv_transpose{dims}d": _convolved for dims in _DIMS},
    **{f"avg_pool{dims}d": _pooled for dims in _DIMS},
    **{f"max_pool{dims}d": _pooled for dims in _DIMS},
    **{f"nn_functional_max_pool{dims}d": _pooled for dims in _DIMS},
    **{f"adaptive_avg_pool{dims}d": _adapted for dims in _DIMS},
    **{f"nn_functional_adaptive_max_pool{dims}d": _adapted for dims in _DIMS},
}
