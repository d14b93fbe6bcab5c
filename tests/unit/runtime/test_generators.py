"""Do generators hand out what PyTorch's do: seeds, states, forks, and no block twice?"""

import pickle
import threading

import pytest

import trilith as tri


def test_stream_does_not_depend_on_how_it_is_read():
    whole = tri.rand(16, generator=tri.Generator().manual_seed(7))
    parts = tri.Generator().manual_seed(7)
    first, second = tri.rand(8, generator=parts), tri.rand(2, 4, generator=parts)
    assert tri.cat([first, second.flatten()]).tolist() == whole.tolist()
    assert parts.take(0) == (7, 16)


def test_seed_repeats_the_numbers():
    def draw() -> list[list[float]]:
        return [
            x.tolist() for x in (tri.rand(5), tri.randn(6), tri.randint(10, (4,)), tri.randperm(6))
        ]

    tri.manual_seed(3)
    first = draw()
    tri.manual_seed(3)
    assert draw() == first
    assert tri.initial_seed() == 3
    assert tri.rand(5).tolist() != first[0]


def test_own_generator_leaves_the_common_one_alone():
    state = tri.get_rng_state()
    first = tri.rand(3, generator=tri.Generator().manual_seed(5))
    second = tri.rand(3, generator=tri.Generator().manual_seed(5))
    assert first.tolist() == second.tolist()
    assert tri.get_rng_state().tolist() == state.tolist()


def test_state_is_bytes():
    source = tri.Generator().manual_seed(-2)
    assert source.initial_seed() == 2**64 - 2
    tri.rand(5, generator=source)
    state = source.get_state()
    assert (state.dtype, state.shape, state.device.type) == (tri.uint8, (16,), "cpu")
    first = tri.rand(3, generator=source).tolist()
    other = tri.Generator().set_state(state)
    assert tri.rand(3, generator=other).tolist() == first
    again = source.set_state(state).clone_state()
    assert tri.rand(3, generator=again).tolist() == first
    assert tri.rand(3, generator=source).tolist() == first


def test_fork_comes_back():
    tri.manual_seed(4)
    with tri.random.fork_rng():
        tri.manual_seed(9)
        inside = tri.rand(3).tolist()
    after = tri.rand(3).tolist()
    tri.manual_seed(4)
    assert tri.rand(3).tolist() == after != inside
    with tri.random.fork_rng(enabled=False):
        tri.manual_seed(9)
    assert tri.rand(3).tolist() == inside


def test_seed_of_nobody():
    before = tri.initial_seed()
    numbers = {tri.seed(), tri.random.seed(), tri.Generator().seed()}
    assert len(numbers) == 3
    tri.manual_seed(before)


def test_threads_share_the_stream_without_overlap():
    tri.manual_seed(0)
    drawn: list[list[float]] = []

    def draw() -> None:
        drawn.extend(tri.rand(16, dtype=tri.float64).tolist() for _ in range(4))

    threads = [threading.Thread(target=draw) for _ in "1234"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = sorted(value for values in drawn for value in values)
    tri.manual_seed(0)
    assert found == sorted(tri.rand(256, dtype=tri.float64).tolist())


def test_pickle_holds_the_state_but_not_that_of_the_default_one():
    source = tri.Generator().manual_seed(11)
    tri.rand(3, generator=source)
    copy = pickle.loads(pickle.dumps(source))
    assert copy.take(1) == source.take(1) == (11, 3)
    assert pickle.loads(pickle.dumps(tri.default_generator)) is tri.default_generator


def test_meta_takes_nothing():
    state = tri.get_rng_state().tolist()
    assert tri.rand(2, 3, device="meta").is_meta
    assert tri.get_rng_state().tolist() == state


def test_refusals():
    with pytest.raises(RuntimeError, match="manual_seed expected a long, but got str"):
        tri.Generator().manual_seed("a")  # pyright: ignore[reportArgumentType] - refused
    with pytest.raises(ValueError, match="Overflow when unpacking long long"):
        tri.manual_seed(2**70)
    with pytest.raises(TypeError, match=r"expected a torch\.ByteTensor, but got int"):
        tri.Generator().set_state(3)  # pyright: ignore[reportArgumentType] - refused
    with pytest.raises(TypeError, match=r"RNG state must be a torch\.ByteTensor"):
        tri.set_rng_state(tri.zeros(3))
    with pytest.raises(RuntimeError, match="RNG state is wrong size"):
        tri.set_rng_state(tri.zeros(3, dtype=tri.uint8))
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator"):
        tri.rand(2, generator=tri.Generator("meta"))
