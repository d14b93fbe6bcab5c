"""Is a sparse tensor honest: checked, coalesced, a tensor, and clear about what it is not?"""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.spec import TensorSpec


def example() -> Any:
    return tri.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [3.0, 4.0, 5.0], (2, 3))


def test_what_it_is():
    s = example()
    assert (s.layout, s.dtype, tuple(s.shape), s.ndim) == (tri.sparse_coo, tri.float32, (2, 3), 2)
    assert (s.sparse_dim(), s.dense_dim(), s._nnz(), s.numel(), len(s)) == (2, 0, 3, 6, 2)
    assert (s.stride(), s.storage_offset(), s.is_contiguous()) == ((0, 0), 0, False)
    assert s.is_sparse
    assert not s.requires_grad
    assert (s.size(), s.size(1)) == ((2, 3), 3)


def test_it_is_a_tensor():
    s = example()
    assert isinstance(s, tri.Tensor)
    assert tri.is_tensor(s)
    assert s.spec is TensorSpec.of((2, 3), tri.float32, layout=tri.sparse_coo)
    assert {s: 1}


def test_parts_of_equal_places_are_added_in_the_order_of_places():
    s = example().coalesce()
    assert s.is_coalesced()
    assert s.indices().tolist() == [[0, 1], [2, 0]]
    assert s.values().tolist() == [3.0, 9.0]
    assert s.coalesce() is s


def test_many_places_are_added_as_numpy_adds_them():
    rng = np.random.default_rng(3)
    places = rng.integers(0, 4, (3, 200))
    values = rng.integers(-9, 9, (200, 2))
    expected = np.zeros((4, 4, 4, 2), np.int64)
    np.add.at(expected, tuple(places), values)
    s = tri.sparse_coo_tensor(places, values, (4, 4, 4, 2))
    assert s.to_dense().tolist() == expected.tolist()
    again = tri.tensor(expected).to_sparse()
    assert again.to_dense().tolist() == expected.tolist()


def test_narrow_floats_round_at_each_addition():
    # 256 + 1 is 256 in bfloat16, so that 256 + 1 + 1 is too.
    s = tri.sparse_coo_tensor([[0, 0, 0]], tri.tensor([256.0, 1.0, 1.0], dtype=tri.bfloat16), (1,))
    assert s.coalesce().values().tolist() == [256.0]


@pytest.mark.parametrize(
    ("indices", "size", "text"),
    [
        ([[0, 3]], (3,), "for dim 0, size is 3 but found index 3"),
        ([[-1, 0]], (3,), "found negative index -1 for dim 0"),
        ([0, 1], None, r"indices must be sparse_dim x nnz, but got: \[2\]"),
        ([[0, 1, 2]], None, "nnz from indices: 3, nnz from values: 2"),
        ([[0, 1], [0, 1]], (3,), r"len\(size\) = 1, sparse_dim = 2, dense_dim = 0"),
        ([[0, 1]], (-3,), "negative dimension -3"),
    ],
)
def test_what_does_not_fit_is_refused(indices: Any, size: Any, text: str):
    with pytest.raises(RuntimeError, match=text):
        tri.sparse_coo_tensor(indices, [1.0, 2.0], size)


def test_a_size_alone_has_no_entries():
    sizes: list[Any] = [tri.sparse_coo_tensor((2, 3)), tri.sparse_coo_tensor(size=(2, 3))]
    for made in sizes:
        assert (made._nnz(), tuple(made.shape), made.is_coalesced()) == (0, (2, 3), True)
    with pytest.raises(TypeError, match="indices and values, or a size"):
        tri.sparse_coo_tensor()


def test_claim_of_being_coalesced_is_checked():
    with pytest.raises(RuntimeError, match="cannot set is_coalesced to true"):
        tri.sparse_coo_tensor([[1, 0]], [1.0, 2.0], (2,), is_coalesced=True)


OF_MEMORY: dict[str, Callable[[Any], Any]] = {
    "storage": lambda s: s.untyped_storage(),
    "address": lambda s: s.data_ptr(),
    "list": lambda s: s.tolist(),
    "array": lambda s: s.numpy(),
    "asarray": lambda s: np.asarray(s),
    "capsule": lambda s: s.__dlpack__(),
    "bytes": lambda s: s.nbytes,
    "resize": lambda s: s.resize_(2),
    "set": lambda s: s.set_(s),
    "shared": lambda s: s.share_memory_(),
    "field": lambda s: s.memory,
    "impl": lambda s: s.unsafeGetTensorImpl(),
}


@pytest.mark.parametrize("use", OF_MEMORY.values(), ids=OF_MEMORY)
def test_what_needs_a_storage_is_refused(use: Callable[[Any], Any]):
    with pytest.raises((RuntimeError, TypeError, BufferError), match="to_dense"):
        use(example())


USES: dict[str, Callable[[Any], Any]] = {
    "function": lambda s: tri.exp(s),
    "method": lambda s: s.cumsum(0),
    "equality": lambda s: s == 1,
    "view": lambda s: s.view(6),
    "in place": lambda s: s.exp_(),
    "second": lambda s: tri.maximum(tri.ones(2, 3), s),
    "keyword": lambda s: tri.where(tri.ones(2, 3) > 0, other=s, input=tri.ones(2, 3)),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_what_no_form_is_for_says_what_to_do(use: Callable[[Any], Any]):
    with pytest.raises(NotImplementedError, match="SparseCPU"):
        use(example())


def test_other_names_are_no_attributes():
    assert not hasattr(example(), "nonsense")


def pickled(s: Any) -> Any:
    return pickle.loads(pickle.dumps(s))


COPIES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, pickled]


@pytest.mark.parametrize("again", COPIES)
def test_copies_keep_the_flag(again: Callable[[Any], Any]):
    for s in (example(), example().coalesce()):
        made = again(s)
        assert type(made) is type(s)
        assert made.is_coalesced() == s.is_coalesced()
        assert made.to_dense().tolist() == s.to_dense().tolist()
    assert copy.deepcopy(s)._values().data_ptr() != s._values().data_ptr()


def test_versions_count_writes():
    s = example()
    before = s._version
    s.mul_(2)
    assert (before, s._version) == (0, 1)


def test_sizes_grow_around_the_entries():
    s = example().sparse_resize_((3, 4), 2, 0)
    assert s.to_dense().tolist() == [[0, 0, 3, 0], [9, 0, 0, 0], [0, 0, 0, 0]]
    hybrid = tri.eye(2).to_sparse(1).sparse_resize_((2, 3), 1, 1)
    assert hybrid.to_dense().tolist() == [[1, 0, 0], [0, 1, 0]]
    with pytest.raises(RuntimeError, match=r"shrinking the size of sparse dimensions \(from \[3"):
        s.sparse_resize_((1, 4), 2, 0)
    assert s.sparse_resize_and_clear_((2,), 1, 0)._nnz() == 0


def test_parts_stay_on_their_device(tested_device: str):
    s = example()
    results = (
        s,
        s.coalesce(),
        s.to_dense(),
        tri.eye(2).to_sparse(),
        s * 2,
        s + s,
        s @ tri.ones(3, 1),
    )
    assert {result.device for result in results} == {tri.tensor(0).device}
    assert s.to_dense().tolist() == [[0, 0, 3], [9, 0, 0]]
    assert (f"device='{tested_device}'" in repr(s)) == (tested_device != "cpu")
