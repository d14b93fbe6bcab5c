"""Are random numbers those of the documented stream, and distributed as they should be?"""

import math
import threading

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.tensors.randomness import Generator


def test_words_are_those_of_philox():
    """The known answer of Random123 for philox4x64-10 with counter and key of zeros."""
    words = Generator().manual_seed(0).words(4)
    assert [f"{word:016x}" for word in words.tolist()] == [
        "16554d9eca36314c",
        "db20fe9d672d0fdc",
        "d7e772cee186176b",
        "7e68b68aec7ba23b",
    ]


def test_stream_does_not_depend_on_how_it_is_read():
    whole = Generator().manual_seed(7).words(16)
    parts = Generator().manual_seed(7)
    assert np.concatenate([parts.words(8), parts.words(5)]).tolist() == whole[:13].tolist()
    assert parts.get_state() == (7, 4)
    assert parts.words(0).tolist() == []


def test_seed_repeats_the_numbers():
    tri.manual_seed(3)
    first = [tri.rand(5), tri.randn(2, 3), tri.randint(10, (4,)), tri.randperm(6)]
    tri.manual_seed(3)
    second = [tri.rand(5), tri.randn(2, 3), tri.randint(10, (4,)), tri.randperm(6)]
    assert [x.tolist() for x in first] == [x.tolist() for x in second]
    assert tri.initial_seed() == 3
    assert tri.rand(5).tolist() != first[0].tolist()


def test_own_generator_leaves_the_common_one_alone():
    tri.manual_seed(3)
    state = tri.default_generator.get_state()
    first = tri.rand(3, generator=tri.Generator().manual_seed(5))
    second = tri.rand(3, generator=tri.Generator().manual_seed(5))
    assert first.tolist() == second.tolist()
    assert tri.default_generator.get_state() == state


@pytest.mark.parametrize("dtype", [tri.float16, tri.bfloat16, tri.float32, tri.float64])
def test_uniform(dtype: tri.dtype):
    tri.manual_seed(1)
    x = tri.rand(200, 100, dtype=dtype).double().numpy()
    assert x.min() >= 0
    assert x.max() < 1
    assert abs(x.mean() - 0.5) < 0.01
    assert abs(x.var() - 1 / 12) < 0.005


@pytest.mark.parametrize("dtype", [tri.float32, tri.float64, tri.complex64, tri.complex128])
def test_normal(dtype: tri.dtype):
    tri.manual_seed(1)
    x = tri.randn(20001, dtype=dtype).numpy()
    assert x.shape == (20001,)
    assert abs(x.mean()) < 0.03
    assert abs(x.var() - 1) < 0.04
    if not dtype.is_complex:
        within = (np.abs(x) < 1).mean()
        assert abs(within - math.erf(1 / math.sqrt(2))) < 0.02


@pytest.mark.parametrize(
    ("low", "high", "dtype"),
    [
        (0, 2, tri.bool),
        (-128, 128, tri.int8),
        (0, 256, tri.uint8),
        (-3, 4, tri.int64),
        (-3, 4, tri.float32),
        (10, 11, tri.int32),
    ],
)
def test_integers_fill_their_range(low: int, high: int, dtype: tri.dtype):
    tri.manual_seed(1)
    x = tri.randint(low, high, (20000,), dtype=dtype)
    assert x.dtype is dtype
    assert sorted(set(map(int, x.tolist()))) == list(range(low, high))


def test_wide_range():
    x = tri.randint(-(2**63), 2**63 - 1, (1000,)).numpy()
    assert (x < 0).any()
    assert (x > 2**61).any()
    # The high word of a product of 64 bits, against Python's integers.
    words = Generator().manual_seed(5).words(50)
    x = tri.randint(0, 2**63 - 25, (50,), generator=tri.Generator().manual_seed(5))
    assert x.tolist() == [word * (2**63 - 25) >> 64 for word in words.tolist()]


def test_like_and_meta():
    x = tri.rand_like(tri.zeros(2, 3).t())
    assert x.stride() == (1, 3)
    assert tri.randn_like(tri.zeros(2, dtype=tri.float64)).dtype is tri.float64
    state = tri.default_generator.get_state()
    assert tri.rand(2, 3, device="meta").is_meta
    assert tri.default_generator.get_state() == state


def test_threads_share_the_stream_without_overlap():
    tri.manual_seed(0)
    drawn: list[list[float]] = []
    threads = [threading.Thread(target=lambda: drawn.append(tri.rand(64).tolist())) for _ in "1234"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({value for values in drawn for value in values}) == 256


def test_compiled_function_draws_anew_in_every_call():
    @tri.compile
    def noisy(x: tri.Tensor) -> tri.Tensor:
        return x + tri.rand(4)

    zeros = tri.zeros(4)
    with pytest.warns(tri.TrilithWarning, match="random numbers cannot be drawn") as caught:
        assert noisy(zeros).tolist() != noisy(zeros).tolist()
    assert len(caught) == 1


def test_wrong_arguments():
    with pytest.raises(TypeError, match="'size'"):
        tri.rand("a")
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        tri.randn(2, foo=1)
    with pytest.raises(TypeError, match="randint"):
        tri.randint(3)
    with pytest.raises(RuntimeError, match="more than 64 bits"):
        tri.manual_seed(2**70)
    with pytest.raises(RuntimeError, match="must be non-negative"):
        tri.randperm(-1)
