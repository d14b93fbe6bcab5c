"""How many plans do the integers of a call make? The record of what is open, and of what is not.

Counts, never times: a call of a new value finds a plan, or makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import trilith as tri
from tests.plans import no_plans

_F: Any = tri.nn.functional
#: Whatever the stubs say of it.
_ANY: Any = tri
VALUES = (5, 6, 7, 9, 10, 11, 12, 13, 14, 17, 19, 23)

_IMAGE, _SQUARE, _VECTOR = tri.ones(2, 3, 31, 29), tri.ones(40, 40), tri.ones(40)
_WIDE, _WEIGHT, _THETA = tri.ones(1, 2, 20), tri.ones(3, 2, 3), tri.ones(1, 2, 3)
_INTEGERS = tri.ones(3, dtype=tri.int64)


def _picture(n: int) -> Any:
    return tri.ones(1, 3, n, n + 2)


def _pad(*margins: int, mode: str = "constant") -> Any:
    return _F.pad(_IMAGE, margins, mode=mode)


def _bilinear(x: Any, size: Any) -> Any:
    return _F.interpolate(x, size=size, mode="bilinear")


def _sampled(n: int) -> Any:
    grid = tri.zeros(1, n + 2, n + 3, 2)
    return _F.grid_sample(_picture(n), grid, align_corners=False)


#: Of an integer; and the plans that the values make at most, of the operands as well.
OPEN: dict[str, tuple[Callable[[int], Any], int]] = {
    "pad": (lambda n: _F.pad(tri.ones(n), (n, 0)), 2),
    "pad an end": (lambda n: _F.pad(_VECTOR, (0, n)), 1),
    "pad around": (lambda n: _pad(n, 1, n, 2), 1),
    "pad by a reflection": (lambda n: _pad(n, n - 1, n, n, mode="reflect"), 1),
    "pad by an edge": (lambda n: _pad(n, n - 1, n, n, mode="replicate"), 1),
    "pad in a circle": (lambda n: _pad(n, n - 1, n, n, mode="circular"), 1),
    "cut": (lambda n: _pad(-n, -1, 1 - n, 2), 1),
    "interpolate to a size": (lambda n: _F.interpolate(_IMAGE, size=(n, n + 1)), 1),
    "interpolate from a size": (lambda n: _F.interpolate(_picture(n), size=(16, 16)), 3),
    "interpolate by a factor": (lambda n: _F.interpolate(_picture(n), scale_factor=2.0), 2),
    "bilinear to a size": (lambda n: _bilinear(_IMAGE, (n, n + 1)), 1),
    "bilinear from a size": (lambda n: _bilinear(_picture(n), (16, 16)), 4),
    "bicubic": (lambda n: _F.interpolate(_IMAGE, size=n, mode="bicubic"), 1),
    "area": (lambda n: _F.interpolate(_IMAGE, size=n, mode="area"), 2),
    "grid_sample": (_sampled, 3),
    "affine_grid": (lambda n: _F.affine_grid(_THETA, (1, 1, n, n + 1), align_corners=False), 1),
    "adaptive average": (lambda n: _F.adaptive_avg_pool2d(_IMAGE, n), 1),
    "adaptive average of a dim": (lambda n: _F.adaptive_avg_pool1d(_SQUARE, n), 2),
    "adaptive largest": (lambda n: _F.adaptive_max_pool2d(_IMAGE, n), 1),
    "layer_norm": (lambda n: _F.layer_norm(tri.ones(3, n), (n,)), 3),
    "layer_norm with weights": (
        lambda n: _F.layer_norm(tri.ones(3, n), (n,), tri.ones(n), tri.ones(n)),
        4,
    ),
    "rms_norm": (lambda n: _F.rms_norm(tri.ones(3, n), (n,)), 3),
    "roll": (lambda n: _VECTOR.roll(n), 1),
    "roll two dims": (lambda n: _SQUARE.roll((n, -n), (0, 1)), 1),
    "repeat": (lambda n: _VECTOR.repeat(n, 2), 1),
    "tile": (lambda n: _VECTOR.tile((n,)), 1),
    "eye": (lambda n: tri.eye(n, n + 3), 1),
    "linspace": (lambda n: tri.linspace(0, 1, n), 1),
    "logspace": (lambda n: tri.logspace(0, 1, n), 1),
    "hann_window": (lambda n: tri.hann_window(n), 1),
    "kaiser_window": (lambda n: tri.kaiser_window(n), 1),
    "bartlett_window": (lambda n: tri.bartlett_window(n), 1),
    "narrow": (lambda n: _VECTOR.narrow(0, n, 3), 1),
    "diagonal": (lambda n: _SQUARE.diagonal(n), 1),
    "diag": (lambda n: _VECTOR.diag(n), 1),
    "topk": (lambda n: _VECTOR.topk(n), 1),
    "kthvalue": (lambda n: _VECTOR.kthvalue(n), 1),
    "histc": (lambda n: _VECTOR.histc(n, 0, 2), 1),
    "vander": (lambda n: tri.vander(_VECTOR, n), 1),
    "rot90": (lambda n: _SQUARE.rot90(n), 4),
    "windows as columns": (lambda n: _F.unfold(_IMAGE, (n, 2)), 1),
    "pixel_shuffle": (lambda n: _F.pixel_shuffle(tri.ones(1, n * n, 2, 2), n), 2),
    "fft": (lambda n: tri.fft.rfft(_VECTOR, n), 1),
}

#: What makes a plan for each value, and why.
CLOSED: dict[str, tuple[Callable[[int], Any], str]] = {
    "max_pool2d": (lambda n: _F.max_pool2d(_IMAGE, n), "kernels are few and small"),
    "avg_pool2d": (lambda n: _F.avg_pool2d(_IMAGE, n), "kernels are few and small"),
    "conv1d": (lambda n: _F.conv1d(_WIDE, _WEIGHT, padding=n), "margins are few and small"),
    "power": (lambda n: _VECTOR**n, "an exponent that is an int may be a product"),
    "power of integers": (lambda n: _INTEGERS**n, "it is the products that it is made of"),
    "matrix_power": (lambda n: _SQUARE.matrix_power(n), "it is the products that it is made of"),
    "round": (lambda n: _VECTOR.round(decimals=n), "the power of ten is in the code"),
    "vector_norm": (lambda n: _ANY.linalg.vector_norm(_VECTOR, n), "the order is in the code"),
    "softshrink": (lambda n: _F.softshrink(_VECTOR, n / 4), "the bound is in the code"),
    "antialias": (
        lambda n: _F.interpolate(_IMAGE, size=(n, 29), mode="bilinear", antialias=True),
        "how many taps there are follows from the size",
    ),
}


@pytest.fixture
def fresh() -> Iterator[None]:
    """Begin without plans."""
    with no_plans():
        yield


def plans_made(call: Callable[[int], Any], values: tuple[int, ...]) -> int:
    """Return how many plans some values of a call make."""
    before = tri.stats()
    for value in values:
        call(value)
    after = tri.stats()
    of_one_size = after.plans_for_one_size - before.plans_for_one_size
    return after.plans_for_all_sizes - before.plans_for_all_sizes + of_one_size


@pytest.mark.parametrize("name", OPEN)
def test_all_values_share_a_plan(name: str, fresh: None) -> None:
    call, most = OPEN[name]
    assert plans_made(call, VALUES) <= most


@pytest.mark.parametrize("name", CLOSED)
def test_each_value_has_a_plan(name: str, fresh: None) -> None:
    """What fails here has become open: it moves to the other table, and out of docs/numbers.md."""
    values = VALUES[:3]
    assert plans_made(CLOSED[name][0], values) >= len(values)
