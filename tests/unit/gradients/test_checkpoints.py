"""What is kept of a checkpoint? Nothing: it runs again, and must do what it did before.

What is expected is what torch 2.13 answers to the same programs.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.utils.checkpoint import CheckpointError, checkpoint, set_checkpoint_early_stop


def leaf() -> Any:
    return tri.tensor([1.0, 2.0, 3.0], requires_grad=True)


def sine(x: Any) -> Any:
    return x * x.sin()


def test_a_checkpoint_runs_again_and_keeps_nothing():
    x, weight = leaf(), tri.tensor([2.0], requires_grad=True)
    runs: list[int] = []

    def run(x: Any) -> Any:
        runs.append(1)
        return (x * weight).exp()

    tri.utils.checkpoint.checkpoint(run, x, use_reentrant=False).sum().backward()
    expected = [2 * tri.tensor(2.0 * value).exp().item() for value in (1, 2, 3)]
    assert len(runs) == 2
    assert x.grad.tolist() == pytest.approx(expected, rel=1e-6)
    assert weight.grad is not None


def test_a_checkpoint_draws_the_same_random_numbers_again():
    x = tri.ones(100, requires_grad=True)

    def run(x: Any) -> Any:
        return (tri.rand(100) * x).exp()

    y = tri.utils.checkpoint.checkpoint(run, x, use_reentrant=False)
    after = tri.get_rng_state()
    y.sum().backward()
    # The drawn numbers again, from what was rounded near 1: so its logarithm is known to 1e-7.
    assert x.grad.tolist() == pytest.approx((y * y.log()).tolist(), rel=1e-5, abs=1e-6)
    assert tri.equal(tri.get_rng_state(), after)


def test_a_checkpoint_in_a_compiled_gradient():
    def loss(x: Any) -> Any:
        return tri.utils.checkpoint.checkpoint(sine, x, use_reentrant=False).sum()

    x = tri.tensor([0.5, 1.0])
    expected = (x.sin() + x * x.cos()).tolist()
    assert tri.compile(tri.func.grad(loss))(x).tolist() == pytest.approx(expected)


# ---- another run that saves something else


def two(x: Any) -> Any:
    return x.exp().sin()


def another_run(again: Callable[[Any], Any], **options: Any) -> Any:
    """Return the gradient of `two`, which is another function when it runs again."""
    runs: list[int] = []

    def run(x: Any) -> Any:
        runs.append(1)
        return two(x) if len(runs) == 1 else again(x)

    x = leaf()
    checkpoint(run, x, use_reentrant=False, **options).sum().backward()
    return x.grad


FEWER = (
    "torch.utils.checkpoint: A different number of tensors was saved during the original forward "
    "and recomputation.\nNumber of tensors saved during forward: 2\n"
    "Number of tensors saved during recomputation: {}."
)


@pytest.mark.parametrize("early_stop", [True, False])
@pytest.mark.parametrize("check", ["default", "none"])
def test_fewer_tensors_are_refused(early_stop: bool, check: str):
    others: list[tuple[Callable[[Any], Any], int]] = [(lambda x: x.sin(), 1), (lambda x: x + 1, 0)]
    for again, count in others:
        with pytest.raises(CheckpointError) as found:
            another_run(again, early_stop=early_stop, determinism_check=check)
        assert str(found.value).startswith(FEWER.format(count))
        assert isinstance(found.value, RuntimeError)


def test_more_tensors_are_refused_unless_it_stops_early():
    def more(x: Any) -> Any:
        return x.exp().sin().cos()

    expected = another_run(two).tolist()
    assert expected == pytest.approx([-2.4783494, 3.3129289, 6.6000013])
    assert another_run(more).tolist() == expected
    for check in ("default", "none"):
        with pytest.raises(CheckpointError, match="trying to save more tensors during recomputa"):
            another_run(more, early_stop=False, determinism_check=check)
    with set_checkpoint_early_stop(False), pytest.raises(CheckpointError, match="to save more"):
        another_run(more)


def test_tensors_of_another_kind_are_refused():
    with pytest.raises(CheckpointError) as found:
        another_run(lambda x: x.double().exp().sin())
    seen = "{'shape': trilith.Size([3]), 'dtype': trilith.float32, 'device': device(type='cpu')}"
    lines = [
        line
        for number in (0, 1)
        for line in (
            f"tensor at position {number}:",
            f"saved metadata: {seen}",
            f"recomputed metadata: {seen.replace('32', '64')}",
        )
    ]
    assert str(found.value).splitlines()[1:8] == [*lines, "."]
    with pytest.raises(RuntimeError, match="must match the size of tensor b"):
        another_run(lambda x: x[:2].exp().sin(), determinism_check="none")


def test_a_run_stops_when_nothing_more_is_needed():
    log: list[str] = []

    def run(x: Any) -> Any:
        log.append("a")
        y = x.exp()
        log.append("b")
        return y + 1

    checkpoint(run, leaf(), use_reentrant=False).sum().backward()
    assert log == ["a", "b", "a"]
    log.clear()
    with set_checkpoint_early_stop(False):
        y = checkpoint(run, leaf(), use_reentrant=False)
    y.sum().backward()
    assert log == ["a", "b", "a", "b"]


def test_checkpoints_nest():
    x = tri.tensor([1.0, 2.0], requires_grad=True)

    def inner(x: Any) -> Any:
        return checkpoint(two, x, use_reentrant=False).cos()

    checkpoint(inner, x, use_reentrant=False).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == pytest.approx([0.98966897, -2.5824025])


def test_arguments_are_refused_in_pytorch_s_words():
    x = leaf()
    with pytest.raises(ValueError, match="Passing `context_fn` or `debug` is only supported when"):
        checkpoint(two, x, use_reentrant=True, debug=True)
    with pytest.raises(ValueError, match=r"one of \['default', 'none'\], but got x"):
        checkpoint(two, x, use_reentrant=False, determinism_check="x")
