"""Do compiled functions that native code answers do what they do in Python?"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.native.layout import is_known

from .counting import SOME, begin, hits, learnt, tensor_and_array, to_array, version_of

pytestmark = pytest.mark.skipif(not is_known(), reason="there is no native code here")


@pytest.fixture(autouse=True, scope="module")
def with_native_code() -> None:
    begin()


def test_a_compiled_function():
    @tri.compile
    def f(a: Any, b: Any, scale: Any = 2.0) -> Any:
        return a * scale + b, a.sum()

    x, array = tensor_and_array(6)
    whole = array.astype(float).sum()
    found: Any = None
    for call in (lambda: f(x, x), lambda: f(x, b=x), lambda: f(array, array), lambda: f(x, x, 3)):
        before = f.stats().calls
        for _ in range(8 * SOME):
            found = call()
        assert f.stats().calls == before + 8 * SOME
    assert hits(f) > SOME
    assert type(found) is tuple
    scaled, total = map(to_array, cast("tuple[Any, Any]", found))
    np.testing.assert_allclose(scaled, array * 3 + array, rtol=1e-6)
    np.testing.assert_allclose(total, whole, rtol=1e-6)
    assert f(x, x)[0].tolist() == pytest.approx((array * 2 + array).tolist())


def test_arrays_are_read_as_they_are_now():
    f = tri.compile(lambda a: a + 1)
    array = np.zeros(5, np.float32)
    for number in range(SOME):
        array[:] = number
        assert f(array).tolist() == [number + 1] * 5
    assert hits(f) > 0
    assert f(array[::2]).tolist() == [SOME] * 3
    assert f(array.astype(np.int16)).dtype is tri.int16
    assert f(array.astype(">f4").astype(np.float64)).dtype is tri.float64


def test_a_result_that_is_an_argument():
    f = tri.compile(lambda a, b: (b, a[1:], a))
    x, y = tri.ones(3), tri.zeros(2)
    for _ in range(SOME):
        second, part, first = f(x, y)
        assert second is y
        assert first is x
        assert part.data_ptr() == x.data_ptr() + 4
    assert hits(f) > 0


def test_captured_tensors():
    weight = tri.ones(3)
    f = tri.compile(lambda a: a * weight)
    x = tri.tensor([1.0, 2.0, 3.0])
    learnt(f, x)
    weight.mul_(2)
    assert f(x).tolist() == [2, 4, 6]
    weight.data = tri.ones(3, dtype=tri.float64)
    assert f(x).dtype is tri.float64


def test_writes_of_a_compiled_function():
    def step(a: Any, b: Any) -> None:
        a.add_(b)

    f = tri.compile(step)
    x, y = tri.zeros(3), tri.ones(3)
    for number in range(SOME):
        assert f(x, y) is None
        assert version_of(x) == number + 1
    assert hits(f) > 0
    assert x.tolist() == [SOME] * 3
    f(x, x)
    assert x.tolist() == [2 * SOME] * 3


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0)])
def test_temporaries_without_bytes(shape: tuple[int, ...]):
    """Kernels are given their place all the same."""
    f = tri.compile(lambda a: a.softmax(0).sum() + a.cumsum(0).sum())
    x = tri.ones(shape)
    for _ in range(SOME):
        assert f(x).item() == 0
    assert hits(f) > 0
