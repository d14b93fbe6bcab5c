"""Is the small sparse tensor honest: checked, coalesced, dense, and clear about what it is not?"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri


def example() -> Any:
    return tri.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [3.0, 4.0, 5.0], (2, 3))


def test_parts():
    s = example()
    assert (s.layout, s.dtype, tuple(s.shape), s.ndim) == (tri.sparse_coo, tri.float32, (2, 3), 2)
    assert (s.sparse_dim(), s.dense_dim(), s._nnz(), s.numel(), len(s)) == (2, 0, 3, 6, 2)
    assert not s.is_coalesced()
    assert s.coalesce().is_coalesced()
    assert s.coalesce().indices().tolist() == [[0, 1], [2, 0]]
    assert s.coalesce().values().tolist() == [3, 9]
    assert s._indices().tolist() == [[0, 1, 1], [2, 0, 0]]
    assert s._values().tolist() == [3, 4, 5]
    with pytest.raises(RuntimeError, match="Cannot get values on an uncoalesced tensor"):
        s.values()


def test_dense_is_what_adding_up_gives():
    generator = np.random.default_rng(0)
    places = generator.integers(0, 4, (3, 50))
    values = generator.integers(-9, 9, (50, 2)).astype(np.float32)
    expected = np.zeros((4, 4, 4, 2), np.float32)
    np.add.at(expected, tuple(places), values)
    s = tri.sparse_coo_tensor(places, values, (4, 4, 4, 2))
    assert np.array_equal(s.to_dense().numpy(), expected)
    again = tri.tensor(expected).to_sparse()
    assert again.is_coalesced()
    assert np.array_equal(again.to_dense().numpy(), expected)


def test_sums_round_in_the_dtype():
    s = tri.sparse_coo_tensor([[0, 0, 0]], tri.tensor([256.0, 1.0, 1.0], dtype=tri.bfloat16), (1,))
    assert s.to_dense().tolist() == [256]


@pytest.mark.parametrize(
    ("indices", "size", "text"),
    [
        ([[0, 2]], (2,), "size is inconsistent with indices: for dim 0, size is 2 but found"),
        ([[0, -1]], (2,), "found negative index -1 for dim 0"),
        ([[0, -1]], None, "found negative index -1 for dim 0"),
        ([0, 1], None, r"indices must be sparse_dim x nnz, but got: \[2\]"),
        ([[0, 1, 1]], (3,), "must have same nnz, but got nnz from indices: 3, nnz from values: 2"),
        ([[0, 1], [0, 1]], (3,), r"len\(size\) = 1, sparse_dim = 2, dense_dim = 0"),
    ],
)
def test_wrong_places(indices: Any, size: Any, text: str):
    with pytest.raises(RuntimeError, match=text):
        tri.sparse_coo_tensor(indices, [1.0, 2.0], size)


def test_claim_of_being_coalesced_is_checked():
    with pytest.raises(RuntimeError, match="cannot set is_coalesced to true"):
        tri.sparse_coo_tensor([[1, 0]], [1.0, 2.0], (2,), is_coalesced=True)


USES: dict[str, Callable[[Any], Any]] = {
    "add": lambda s: s + 1,
    "add to": lambda s: 1 + s,
    "mul of dense": lambda s: tri.ones(2, 3) * s,
    "function": lambda s: tri.sin(s),
    "list": lambda s: tri.cat([s, s]),
    "method": lambda s: s.sum(),
    "index": lambda s: s[0],
    "equality": lambda s: s == 1,
    "view": lambda s: s.view(6),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_everything_else_says_what_to_do(use: Any):
    with pytest.raises(NotImplementedError, match="to_dense"):
        use(example())


def test_other_names_are_no_attributes():
    assert not hasattr(example(), "spec")
    assert not hasattr(example(), "nonsense")
    assert tri.is_tensor(example())
    assert {example(): 1}


def test_parts_stay_on_their_device(tested_device: str):
    s = example()
    results = s, s.coalesce(), s.to_dense(), tri.eye(2).to_sparse()
    assert {result.device for result in results} == {tri.tensor(0).device}
    assert s.to_dense().tolist() == [[0, 0, 3], [9, 0, 0]]
    assert (f"device='{tested_device}'" in repr(s)) == (tested_device != "cpu")
