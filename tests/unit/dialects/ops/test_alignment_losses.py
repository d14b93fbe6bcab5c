"""Is ctc_loss what the sum over all ways to spell labels says, and its gradient its slope?"""

import itertools
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

ctc_loss = tri.nn.functional.ctc_loss
MOMENTS, EXAMPLES, LABELS = 5, 3, 4
Array = np.ndarray[Any, Any]


def spelled(path: tuple[int, ...], blank: int) -> list[int]:
    """Return the labels that moments spell: repeated ones once, without blanks."""
    return [label for label, _ in itertools.groupby(path) if label != blank]


def expected(logs: Array, labels: list[int], blank: int) -> float:
    """Return the loss of one example: all ways to spell its labels are tried."""
    ways = itertools.product(range(logs.shape[1]), repeat=len(logs))
    total = sum(
        float(np.exp(sum(logs[moment, label] for moment, label in enumerate(path))))
        for path in ways
        if spelled(path, blank) == labels
    )
    with np.errstate(divide="ignore"):
        return float(-np.log(total))


def scores(seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal((MOMENTS, EXAMPLES, LABELS))


def logs_of(values: Array) -> Array:
    return values - np.log(np.exp(values).sum(-1, keepdims=True))


TARGETS = [[1, 1], [2, 3, 1], []]
LENGTHS = (5, 4, 3)


def padded() -> Any:
    rows = [[*row, *[-1] * (3 - len(row))] for row in TARGETS]
    return tri.tensor(rows)


def joined() -> Any:
    return tri.tensor([label for row in TARGETS for label in row])


def losses() -> list[float]:
    logs = logs_of(scores())
    return [
        expected(logs[:length, index], row, 0)
        for index, (row, length) in enumerate(zip(TARGETS, LENGTHS, strict=True))
    ]


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize("are_tensors", [False, True])
@pytest.mark.parametrize("targets", [padded, joined])
def test_losses_are_those_of_all_ways_to_spell(
    targets: Callable[[], Any], *, are_tensors: bool, is_compiled: bool
):
    counts = tuple(map(len, TARGETS))
    lengths = (tri.tensor(LENGTHS), tri.tensor(counts)) if are_tensors else (LENGTHS, counts)

    def call(logs: Any, targets: Any, *lengths: Any) -> Any:
        return ctc_loss(logs, targets, *lengths, reduction="none")

    call = tri.compile(call) if is_compiled else call
    found = call(tri.tensor(logs_of(scores())), targets(), *lengths)
    np.testing.assert_allclose(found.numpy(), losses(), rtol=1e-12)


def test_reductions():
    arguments = tri.tensor(logs_of(scores())), padded(), LENGTHS, tuple(map(len, TARGETS))
    found = losses()
    mean = np.mean([loss / max(len(row), 1) for loss, row in zip(found, TARGETS, strict=True)])
    np.testing.assert_allclose(ctc_loss(*arguments).item(), mean, rtol=1e-12)
    np.testing.assert_allclose(ctc_loss(*arguments, reduction="sum").item(), sum(found), rtol=1e-12)
    np.testing.assert_allclose(tri.ctc_loss(*arguments, 0, 1).item(), mean, rtol=1e-12)


@pytest.mark.parametrize("blank", range(LABELS))
def test_any_label_may_be_the_blank_of_one_example(blank: int):
    logs = logs_of(scores(blank))[:, 0]
    labels = [label for label in range(LABELS) if label != blank][:2]
    found = ctc_loss(
        tri.tensor(logs), tri.tensor(labels), (MOMENTS,), (2,), blank=blank, reduction="none"
    )
    assert found.shape == ()
    np.testing.assert_allclose(found.item(), expected(logs, labels, blank), rtol=1e-12)


def test_the_gradient_is_the_slope_of_scores():
    """Whose logarithms of a softmax are what is given: the formula is theirs, as PyTorch's is."""
    x = tri.tensor(scores(), requires_grad=True)
    counts = tuple(map(len, TARGETS))

    def loss(x: Any) -> Any:
        return ctc_loss(x.log_softmax(2), padded(), LENGTHS, counts, reduction="sum")

    (found,) = tri.autograd.grad(loss(x), x)
    step = 1e-6
    for place in np.ndindex(x.shape):
        moved = [scores(), scores()]
        moved[0][place] += step
        moved[1][place] -= step
        above, below = (loss(tri.tensor(values)).item() for values in moved)
        assert abs(found.numpy()[place] - (above - below) / (2 * step)) < 1e-7
    compiled = tri.compile(tri.grad(loss))(tri.tensor(scores()))
    np.testing.assert_allclose(compiled.numpy(), found.numpy(), rtol=1e-12)


def test_what_cannot_be_spelled_is_infinite_or_zero():
    x = tri.tensor(logs_of(scores()), requires_grad=True)
    arguments = tri.tensor([[1, 1], [2, 3], [2, 3]]), (2, 2, 0), (2, 2, 1)
    found = ctc_loss(x, *arguments, reduction="none")
    assert np.isinf(found.detach().numpy()).tolist() == [True, False, True]
    (gradient,) = tri.autograd.grad(found.sum(), x)
    assert gradient[:2, 0].isnan().all()
    assert gradient[2:].eq(0).all()
    found = ctc_loss(x, *arguments, reduction="none", zero_infinity=True)
    assert found[0].item() == 0
    (gradient,) = tri.autograd.grad(found.sum(), x)
    assert gradient[:, 0].eq(0).all()
    assert not gradient[:2, 1].eq(0).any()


def test_float32_is_close():
    arguments = padded(), LENGTHS, tuple(map(len, TARGETS))
    found = ctc_loss(tri.tensor(logs_of(scores()), dtype=tri.float32), *arguments, reduction="none")
    assert found.dtype is tri.float32
    np.testing.assert_allclose(found.numpy(), losses(), rtol=1e-6)


_CHECKING = " (while checking arguments for ctc_loss_allocate_outputs)"
REFUSED: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"blank": 4}, RuntimeError, "blank must be in label range"),
    (
        {"input_lengths": tri.ones(3), "target_lengths": tri.tensor([2, 3, 0])},
        RuntimeError,
        "input_lengths must be integral",
    ),
    ({"target_lengths": (2, 3)}, RuntimeError, "target_lengths must be of size batch_size"),
    (
        {"input_lengths": (5, 6, 3)},
        RuntimeError,
        f"to have value at most 5, but got value 6{_CHECKING}",
    ),
    (
        {"target_lengths": (2, -1, 0)},
        RuntimeError,
        f"value at least 0, but got value -1{_CHECKING}",
    ),
    (
        {"target_lengths": (2, 4, 0)},
        RuntimeError,
        "Expected tensor to have size at least 4 at dimension 1, but got size 3 for argument #2 "
        f"'targets'{_CHECKING}",
    ),
    (
        {"targets": joined(), "target_lengths": (2, 2, 0)},
        RuntimeError,
        f"to have size 4 at dimension 0, but got size 5 for argument #2 'targets'{_CHECKING}",
    ),
    ({"targets": padded()[:2]}, RuntimeError, "to have size 3 at dimension 0, but got size 2"),
    ({"targets": padded() + 4}, RuntimeError, "targets must be in label range"),
    (
        {"log_probs": tri.ones(5, 3, 4, dtype=tri.float16)},
        NotImplementedError,
        "\"ctc_loss_cpu\" not implemented for 'Half'",
    ),
    (
        {"input_lengths": tri.tensor(LENGTHS)},
        TypeError,
        "ctc_loss() received an invalid combination",
    ),
    ({"reduction": "all"}, ValueError, "all is not a valid value for reduction"),
]


@pytest.mark.parametrize(("changes", "error", "text"), REFUSED)
def test_refusals(changes: dict[str, Any], error: type[Exception], text: str):
    arguments: dict[str, Any] = {
        "log_probs": tri.tensor(logs_of(scores())),
        "targets": padded(),
        "input_lengths": LENGTHS,
        "target_lengths": (2, 3, 0),
    }
    with pytest.raises(error, match=re.escape(text)):
        ctc_loss(**(arguments | changes))


def test_there_is_no_second_gradient():
    x = tri.tensor(logs_of(scores()), requires_grad=True)
    loss = ctc_loss(x, padded(), LENGTHS, (2, 3, 0))
    (gradient,) = tri.autograd.grad(loss, x, create_graph=True)
    with pytest.raises(RuntimeError, match="derivative for aten::_ctc_loss_backward is not"):
        gradient.sum().backward()
