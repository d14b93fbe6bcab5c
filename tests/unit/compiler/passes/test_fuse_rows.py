"""Are reductions and what reads their results one kernel, with the bits of several?"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

functional = tri.nn.functional


def softmax_by_hand(x: Any) -> Any:
    exponentials = tri.exp(x - tri.amax(x, 1, keepdim=True))
    return exponentials / exponentials.sum(1, keepdim=True)


def norm_by_hand(x: Any) -> Any:
    centred = x - x.mean(1, keepdim=True)
    return centred / tri.sqrt((centred * centred).mean(1, keepdim=True) + 1e-5)


def rows_and_elements(x: Any) -> Any:
    """Results of both shapes, from two reductions that do not need one another."""
    low, high = tri.amin(x, 1, keepdim=True), tri.amax(x, 1, keepdim=True)
    return (x - low) / (high - low), high - low


def reduced_in_the_end(x: Any) -> Any:
    return (x - x.mean(1, keepdim=True)).abs().sum(1, keepdim=True)


def with_a_place(x: Any) -> Any:
    value, place = tri.max(x, 1, keepdim=True)
    return x - value, place


def spread(x: Any) -> Any:
    variance, mean = tri.var_mean(x, 1, keepdim=True)
    return (x - mean) * tri.rsqrt(variance)


def narrow(x: Any) -> Any:
    return functional.layer_norm(x.half(), x.shape[1:])


def weighed(x: Any) -> Any:
    scale = tri.arange(x.shape[-1]).to(tri.float32)
    return functional.rms_norm(x, (x.shape[-1],), scale).relu()


def in_front_of_a_product(x: Any) -> Any:
    """What a layer of a network takes: normalised rows, as a matrix of another shape."""
    rows = x.reshape(2, -1, x.shape[-1])
    normalised = functional.layer_norm(rows, rows.shape[2:])
    return normalised.view(-1, x.shape[-1]) @ x[:3].t()


#: What takes rows, and how many kernels it is.
PROGRAMS: dict[str, tuple[Callable[[Any], Any], int]] = {
    "softmax by hand": (softmax_by_hand, 1),
    "norm by hand": (norm_by_hand, 1),
    "rows and elements": (rows_and_elements, 1),
    "reduced in the end": (reduced_in_the_end, 1),
    "with a place": (with_a_place, 1),
    "spread": (spread, 1),
    "narrow": (narrow, 1),
    "weighed": (weighed, 2),  # the range has a kernel of its own
    "softmax": (lambda x: tri.softmax(x, 1), 1),
    "softmax of columns": (lambda x: tri.softmax(x, 0), 1),
    "log_softmax": (lambda x: tri.log_softmax(x.bfloat16(), 1), 1),
    "batch_norm": (lambda x: functional.batch_norm(x, None, None, training=True), 1),
    "in front of a product": (in_front_of_a_product, 2),
    "group_norm": (lambda x: functional.group_norm(x, 3), 1),
}
LAYOUTS = ["contiguous", "transposed", "sliced", "short"]


def drawn(layout: str) -> Any:
    values = np.random.default_rng(5).standard_normal((70, 66)).astype(np.float32)
    x = tri.tensor(values)
    if layout == "transposed":
        return x[:66].t().contiguous().t()
    if layout == "short":
        return x[:, :11].contiguous()
    return x if layout == "contiguous" else x[:, ::2]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_walk_along_rows_is_one_kernel(name: str):
    program, kernels = PROGRAMS[name]
    lowered = tri.trace(program, drawn("contiguous")).lower()
    assert len(list(lowered.kernels)) == kernels


#: Written with operations that each are a kernel of their own when they are called one by one.
BY_HAND = tuple(PROGRAMS)[:6]


def all_of(results: Any) -> list[Any]:
    """Return one result or several as a list."""
    return [*results] if isinstance(results, tuple) else [results]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", BY_HAND)
def test_bits_are_those_of_single_operations(name: str, layout: str):
    program, x = PROGRAMS[name][0], drawn(layout)
    expected = all_of(program(x))
    compiled = tri.compile(program)
    for device in ("cpu", "opencl:0"):
        found = compiled(x.to(device))
        for item, value in zip(all_of(found), expected, strict=True):
            assert item.stride() == value.stride()
            np.testing.assert_array_equal(item.cpu().numpy(), value.numpy())


def test_rows_are_those_by_hand():
    x = drawn("contiguous")
    np.testing.assert_array_equal(tri.softmax(x, 1).numpy(), softmax_by_hand(x).numpy())
    np.testing.assert_allclose(tri.softmax(x, 1).sum(1).numpy(), np.ones(70), rtol=1e-6)
