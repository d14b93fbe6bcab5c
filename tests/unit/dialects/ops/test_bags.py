"""Are bags of embeddings what loops over their rows give?"""

from typing import Any

import numpy as np
import pytest

import trilith as tri

bags: Any = tri.nn.functional.embedding_bag
RANDOM = np.random.default_rng(5)
TABLE = RANDOM.random((6, 3))
INDICES = np.array([1, 5, 0, 1, 2, 5, 3])
OFFSETS = np.array([0, 3, 3, 5])
REDUCTIONS: dict[str, Any] = {"sum": np.sum, "mean": np.mean, "max": np.max}


def by_loop(indices: Any, offsets: Any, mode: str, padding: int | None, weights: Any) -> Any:
    ends = [*offsets[1:], len(indices)]
    rows: list[Any] = []
    for start, end in zip(offsets, ends, strict=True):
        chosen = [k for k in range(start, end) if indices[k] != padding]
        found = [TABLE[indices[k]] * (1 if weights is None else weights[k]) for k in chosen]
        rows.append(REDUCTIONS[mode](found, axis=0) if found else np.zeros(3))
    return np.stack(rows)


@pytest.mark.parametrize("padding", [None, 5])
@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_by_offsets(mode: str, padding: int | None):
    def bag(indices: Any, table: Any, offsets: Any) -> Any:
        return bags(indices, table, offsets, mode=mode, padding_idx=padding)

    expected = by_loop(INDICES, OFFSETS, mode, padding, None)
    for of in (bag, tri.compile(bag)):
        found = of(tri.tensor(INDICES), tri.tensor(TABLE), tri.tensor(OFFSETS))
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


def test_bags_in_rows_are_those_by_offsets():
    square = tri.tensor(INDICES[:6].reshape(3, 2))
    found = bags(square, tri.tensor(TABLE), mode="mean")
    expected = by_loop(INDICES[:6], np.array([0, 2, 4]), "mean", None, None)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


def test_rows_have_weights():
    weights = RANDOM.random(7)
    found = bags(
        *(tri.tensor(INDICES), tri.tensor(TABLE), tri.tensor(OFFSETS)),
        mode="sum",
        per_sample_weights=tri.tensor(weights),
    )
    expected = by_loop(INDICES, OFFSETS, "sum", None, weights)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


def test_the_last_offset_may_be_the_end():
    ended = tri.tensor(np.append(OFFSETS, 7))
    found = bags(tri.tensor(INDICES), tri.tensor(TABLE), ended, include_last_offset=True)
    expected = by_loop(INDICES, OFFSETS, "mean", None, None)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


def test_largest_elements_say_which_rows_they_are_of():
    flat: Any = tri.embedding_bag
    largest, bag_of, sizes, chosen = flat(
        tri.tensor(TABLE), tri.tensor(INDICES), tri.tensor(OFFSETS), mode=2
    )
    assert bag_of.tolist() == [0, 0, 0, 2, 2, 3, 3]
    assert sizes.tolist() == [3, 0, 2, 2]
    for bag in (0, 2, 3):
        assert [TABLE[row][k] for k, row in enumerate(chosen[bag].tolist())] == largest[
            bag
        ].tolist()


def test_refusals_are_those_of_torch():
    table, indices = tri.tensor(TABLE), tri.tensor(INDICES)
    for arguments, options, words in (
        ((indices, table), {}, "offsets has to be a 1D Tensor but got None"),
        ((indices, table, tri.tensor([1])), {}, r"offsets\[0\] has to be 0"),
        ((indices, table, tri.tensor([0, 9])), {}, r"offsets\[-1\] can not be greater than"),
        ((indices, table, tri.tensor([0])), {"mode": "min"}, "mode has to be one of"),
        ((indices, table, tri.tensor([0])), {"padding_idx": 9}, "padding_idx must be within"),
    ):
        with pytest.raises((RuntimeError, ValueError), match=words):
            bags(*arguments, **options)


def test_ranks_are_checked_in_words_of_torch():
    flat, rows, indices = tri.ones(4), tri.ones(2, 2), tri.tensor([[0, 1], [1, 1]])
    words = "weight has to be a 2D Tensor, but got Tensor of dimension 1"
    with pytest.raises(ValueError, match=f"^{words}(\n|$)"):
        bags(indices, flat)
    with pytest.raises(ValueError, match=f"^{words}(\n|$)"):
        bags(tri.tensor(0), flat, mode="none of those")
    with pytest.raises(RuntimeError, match=f"^{words}(\n|$)"):
        tri.embedding_bag(flat, indices[0], tri.tensor([0]))
    words = "offsets has to be a 1D Tensor, but got Tensor of dimension 2"
    with pytest.raises(RuntimeError, match=f"^{words}(\n|$)"):
        tri.embedding_bag(flat, indices[0], tri.tensor([[0]]))
    # Rows are bags, whatever is said of a last offset; indices of two dims are read in order.
    assert bags(indices, rows, include_last_offset=True).shape == (2, 2)
    assert tri.embedding_bag(rows, indices, tri.tensor([0, 1]))[0].tolist() == [[1, 1], [3, 3]]


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_a_compiled_function_says_that_bags_begin_too_late(mode: str):
    def bags(indices: tri.Tensor, rows: tri.Tensor, offsets: tri.Tensor) -> tri.Tensor:
        return tri.nn.functional.embedding_bag(indices, rows, offsets, mode=mode)

    indices, rows, compiled = tri.tensor([0, 1]), tri.eye(3, 2), tri.compile(bags)
    for first in (1, 2):
        for function in (bags, compiled):
            with pytest.raises(RuntimeError, match=rf"offsets\[0\] has to be 0, .* got {first}"):
                function(indices, rows, tri.tensor([first, 2]))
    assert compiled(indices, rows, tri.tensor([0, 1])).tolist() == [[1.0, 0.0], [0.0, 1.0]]
