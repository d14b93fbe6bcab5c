"""Are random numbers distributed as they should be, and the same wherever they are drawn?"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

#: How far an empirical distribution of n numbers is from the true one, times sqrt(n): more than
#: this in one of 3000 samples (Kolmogorov and Smirnov). The seeds are fixed.
FAR = 2.1
COUNT = 20000


def distance(x: tri.Tensor, cumulative: Callable[[Any], Any]) -> float:
    """Return how far numbers are from a continuous distribution."""
    found = np.sort(x.double().numpy().ravel())
    steps = np.arange(1, len(found) + 1) / len(found)
    expected = cumulative(found)
    above = np.max(steps - expected)
    below = np.max(expected - steps + 1 / len(found))
    return max(above, below) * math.sqrt(len(found))


def normal_below(x: Any) -> Any:
    return np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in x])


@pytest.fixture(autouse=True)
def seeded() -> None:
    tri.manual_seed(20)


@pytest.mark.parametrize("dtype", [tri.float16, tri.bfloat16, tri.float32, tri.float64])
def test_uniform(dtype: tri.dtype):
    x = tri.rand(COUNT, dtype=dtype)
    assert x.dtype is dtype
    numbers = x.double().numpy()
    assert (numbers >= 0).all()
    assert (numbers < 1).all()
    coarse = {tri.float16: 2.0**-11, tri.bfloat16: 2.0**-8}.get(dtype, 0.0)
    assert distance(x, lambda v: v + coarse / 2) < FAR + coarse * math.sqrt(COUNT)


def test_uniform_bits_are_those_of_the_significand():
    for dtype, bits in ((tri.float32, 24), (tri.float64, 53)):
        whole = tri.rand(1000, dtype=dtype).double().numpy() * 2.0**bits
        assert (whole == np.floor(whole)).all()
        assert (whole % 2 == 1).mean() > 0.4


def test_uniform_between():
    x = tri.empty(COUNT).uniform_(-3, 5)
    assert distance(x, lambda v: (v + 3) / 8) < FAR
    z = tri.rand(COUNT, dtype=tri.complex64)
    for part in (z.real, z.imag):
        assert distance(part, lambda v: v) < FAR
    assert abs(np.corrcoef(z.real.numpy(), z.imag.numpy())[0, 1]) < 0.03


@pytest.mark.parametrize("dtype", [tri.float32, tri.float64])
def test_normal(dtype: tri.dtype):
    x = tri.randn(COUNT, dtype=dtype)
    assert distance(x, normal_below) < FAR
    moved = tri.empty(COUNT, dtype=dtype).normal_(3, 0.5)
    assert distance(moved, lambda v: normal_below((v - 3) / 0.5)) < FAR
    logarithmic = tri.empty(COUNT, dtype=dtype).log_normal_(1, 2)
    assert distance(logarithmic, lambda v: normal_below((np.log(v) - 1) / 2)) < FAR


def test_complex_normal_has_variance_1():
    z = tri.randn(COUNT, dtype=tri.complex128)
    assert abs((z.abs() ** 2).numpy().mean() - 1) < 0.03
    assert abs(np.corrcoef(z.real.numpy(), z.imag.numpy())[0, 1]) < 0.03
    assert distance(z.imag, lambda v: normal_below(v * math.sqrt(2))) < FAR


def test_normal_of_tensors():
    mean = tri.arange(3.0).reshape(3, 1)
    std = tri.tensor([0.0, 1.0, 2.0, 3.0])
    x = tri.normal(mean, std)
    assert (x.shape, x.stride()) == ((3, 4), (4, 1))
    assert x[:, 0].tolist() == [0, 1, 2]
    tri.manual_seed(20)
    z = tri.randn(3, 4)
    np.testing.assert_array_equal(x.numpy(), (z * std + mean).numpy())
    assert tri.normal(2.0, 0.0, (3,)).tolist() == [2, 2, 2]
    with pytest.raises(RuntimeError, match=r"normal expects all elements of std >= 0\.0"):
        tri.normal(0.0, -std)


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
    x = tri.randint(low, high, (COUNT,), dtype=dtype)
    assert x.dtype is dtype
    values, counts = np.unique(x.numpy().astype(np.int64), return_counts=True)
    assert values.tolist() == list(range(low, high))
    # Chi squared with k - 1 degrees of freedom: mean k - 1, variance 2 (k - 1).
    expected, free = COUNT / (high - low), high - low - 1
    assert ((counts - expected) ** 2 / expected).sum() <= free + 4 * math.sqrt(2 * free)


def test_wide_ranges_are_exact():
    """Against Python's integers: floor(w * width / 2^64) of the same words."""
    count, widths = 50, (3, 2**32 + 1, 2**63 - 25, 2**64 - 1)

    def drawn(low: int, high: int | None) -> list[int]:
        source = tri.Generator().manual_seed(5)
        x = tri.empty(count, dtype=tri.int64).random_(low, high, generator=source)
        return x.tolist()

    words = [word % 2**64 + 2**63 for word in drawn(-(2**63), None)]
    words = [word % 2**64 for word in words]
    for width in widths:
        low = -(2**63) if width >= 2**63 else 7
        assert drawn(low, low + width) == [low + (word * width >> 64) for word in words]


def test_permutations():
    assert sorted(tri.randperm(100).tolist()) == list(range(100))
    assert tri.randperm(5, dtype=tri.float32).dtype is tri.float32
    rows = np.array([tri.randperm(4).tolist() for _ in range(600)])
    assert len({tuple(row) for row in rows}) == 24
    assert tri.randperm(0).tolist() == []


# ---- the same numbers everywhere


def test_layout_does_not_matter():
    expected = tri.rand(3, 4, 5)
    for make in (
        lambda: tri.rand_like(tri.zeros(5, 4, 3).permute(2, 1, 0)),
        lambda: tri.zeros(6, 8, 10)[::2, ::2, ::2].uniform_(),
        lambda: tri.zeros(5, 4, 3).permute(2, 1, 0).uniform_(),
        lambda: tri.rand(3, 4, 5, out=tri.empty(0)),
        lambda: tri.rand((3, 4, 5), out=tri.empty(4, 3, 5).transpose(0, 1)),
    ):
        tri.manual_seed(20)
        assert make().tolist() == expected.tolist()
    assert tri.rand_like(tri.zeros(2, 3).t()).stride() == (1, 3)


def draw_of_all(x: tri.Tensor) -> list[tri.Tensor]:
    """Draw in the middle of other work."""
    noise = tri.randn_like(x)
    mixed = (x + tri.rand(x.shape[-1]) * 2).sum(0)
    whole = tri.randint(-5, 9, (4,)) * 2
    x = x.clone()
    x[1].uniform_(2, 3)
    return [noise * 3, mixed, whole, x]


def test_compiled_functions_draw_what_eager_ones_do():
    compiled = tri.compile(draw_of_all)
    for shape in ((3, 4), (5, 7), (5, 7), (6, 2)):
        x = tri.ones(shape)
        tri.manual_seed(8)
        expected = [part.tolist() for _ in range(2) for part in draw_of_all(x)]
        state = tri.get_rng_state().tolist()
        tri.manual_seed(8)
        found = [part.tolist() for _ in range(2) for part in compiled(x)]
        assert found == expected
        assert tri.get_rng_state().tolist() == state
        half = len(found) // 2
        assert found[:half] != found[half:]
    assert compiled.stats().eager_calls == 0
    assert compiled.stats().traces == 2


def test_compiled_sizes_that_come_often_draw_what_they_should():
    compiled = tri.compile(lambda x: x + tri.rand_like(x))
    compiled(tri.zeros(2))
    for _ in range(40):
        compiled(tri.zeros(5))
    tri.manual_seed(1)
    found = compiled(tri.zeros(5))
    tri.manual_seed(1)
    assert found.tolist() == tri.rand(5).tolist()
    assert compiled.stats().traces == 2


def test_own_generators_are_part_of_a_compiled_function():
    source = tri.Generator().manual_seed(4)
    compiled = tri.compile(lambda x: x * tri.rand(3, generator=source))
    found = [compiled(tri.ones(3)).tolist() for _ in "12"]
    source.manual_seed(4)
    assert found == [tri.rand(3, generator=source).tolist() for _ in "12"]


def test_draws_are_inside_of_kernels():
    def noisy(x: tri.Tensor) -> tri.Tensor:
        return ((x + tri.randn_like(x)) * tri.rand_like(x)).sum(1)

    lowered = tri.trace(noisy, tri.spec((30, 40), tri.float32)).lower()
    assert len(lowered.kernels) == 1
    names = [f"%{name}" for name in ("key", "counter")]
    assert all(name in str(lowered) for name in names)


def test_seeds_make_no_plans():
    def draw(seed: int) -> None:
        source = tri.Generator().manual_seed(seed * 2**57)
        tri.rand(5, generator=source)
        tri.empty(5).normal_(seed + 1, 2, generator=source)

    for seed in range(20):
        draw(seed)
    before = tri.stats()
    for seed in range(20, 60):
        draw(seed)
    after = tri.stats()
    assert after.plans_for_all_sizes == before.plans_for_all_sizes
    assert after.plans_for_one_size == before.plans_for_one_size
    assert after.kernels_compiled == before.kernels_compiled


def test_setting_the_seed_is_not_traced():
    @tri.compile
    def f(x: tri.Tensor) -> tri.Tensor:
        tri.manual_seed(3)
        return x + tri.rand(2)

    with pytest.warns(tri.TrilithWarning, match="the seed of random numbers is set"):
        assert f(tri.zeros(2)).tolist() == f(tri.zeros(2)).tolist()


def test_wrong_arguments():
    with pytest.raises(TypeError, match="'size'"):
        tri.rand("a")  # pyright: ignore[reportArgumentType, reportCallIssue] - refused
    with pytest.raises(TypeError, match="unexpected keyword argument 'foo'"):
        tri.randn(2, foo=1)  # pyright: ignore[reportCallIssue] - refused
    with pytest.raises(TypeError, match="'size'"):
        tri.randint(3, 2)  # pyright: ignore[reportCallIssue, reportArgumentType] - refused
    with pytest.raises(RuntimeError, match="from=5 >= to=5"):
        tri.zeros(3).random_(5, 5)
    with pytest.raises(RuntimeError, match="to - 1 is out of bounds for unsigned char"):
        tri.randint(300, (2,), dtype=tri.uint8)
    with pytest.warns(UserWarning, match=r"to - 1 is out of bounds \[-\(2\^11\), 2\^11\]"):
        tri.randint(5000, (2,), dtype=tri.float16)
    with pytest.raises(NotImplementedError, match='"normal_kernel_cpu" not implemented for'):
        tri.randn(2, dtype=tri.int64)
    with pytest.raises(RuntimeError, match="negative dimension -1"):
        tri.randperm(-1)
    with pytest.raises(TypeError, match="argument 'generator' must be"):
        tri.rand(2, generator=3)  # pyright: ignore[reportArgumentType, reportCallIssue] - refused
    with pytest.raises(RuntimeError, match="more than one element"):
        tri.zeros(1).expand(3).uniform_()
