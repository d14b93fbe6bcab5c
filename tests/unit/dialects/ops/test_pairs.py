"""Are grids, distances of pairs, layers and attention what NumPy computes for them?"""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import trilith as tri

F: Any = tri.nn.functional


def made(*shape: int, seed: int = 1) -> Any:
    return np.random.default_rng([seed, *shape]).standard_normal(shape)


# ---- grids


def test_grids():
    x, y, z = tri.arange(2), tri.arange(3), tri.arange(4)
    for indexing in ("ij", "xy"):
        found = tri.meshgrid(x, y, z, indexing=indexing)
        expected = np.meshgrid(range(2), range(3), range(4), indexing=indexing)
        assert [grid.tolist() for grid in found] == [grid.tolist() for grid in expected]
        assert found[0].data_ptr() == x.data_ptr()
    found = tri.cartesian_prod(x, y, z)
    assert found.tolist() == [list(row) for row in itertools.product(range(2), range(3), range(4))]
    for many in (False, True):
        choose = itertools.combinations_with_replacement if many else itertools.combinations
        for count in (1, 2, 3):
            chosen = [list(row) for row in choose(range(4), count)]
            assert tri.combinations(z, count, many).tolist() == chosen


@pytest.mark.parametrize("offset", [-2, 0, 1, 9])
def test_places_of_triangles(offset: int):
    for name in ("tril_indices", "triu_indices"):
        found = getattr(tri, name)(3, 4, offset, dtype=tri.int32)
        assert found.dtype is tri.int32
        assert found.stride() == (max(found.shape[1], 1), 1)
        np.testing.assert_array_equal(found.numpy(), getattr(np, name)(3, offset, 4))


def test_unravelled_indices():
    flat = np.arange(24).reshape(4, 6)
    found = tri.unravel_index(tri.from_numpy(flat), (2, 3, 4))
    expected = np.unravel_index(flat, (2, 3, 4))
    assert [item.tolist() for item in found] == [item.tolist() for item in expected]
    with pytest.raises(TypeError, match="expected 'indices' to be integer dtype, but got trilith"):
        tri.unravel_index(tri.ones(1), (2, 3))


def test_agreement_is_a_bool():
    x = tri.tensor([1.0, math.nan])
    assert tri.equal(tri.ones(2), tri.ones(2, dtype=tri.int32)) is True
    assert x.equal(x) is False
    assert tri.equal(tri.ones(0), tri.ones(0, 1)) is False
    assert tri.allclose(x, x) is False
    assert tri.allclose(x, x, equal_nan=True) is True
    assert tri.allclose(tri.ones(2), tri.ones(2) + 1e-4) is False
    assert tri.allclose(tri.ones(2), tri.ones(()) + 1e-4, rtol=1e-3) is True
    with pytest.raises(RuntimeError, match="Float did not match Double"):
        tri.allclose(x, x.double())


# ---- distances


@pytest.mark.parametrize("p", [0.0, 0.5, 1.0, 2.0, 3.0, math.inf])
def test_distances_of_pairs(p: float):
    a, b = made(2, 4, 3), made(5, 3)
    b[2] = a[0, 1]
    difference = a[:, :, None] - b
    expected = np.linalg.norm(difference, p, -1) if p >= 1 else None
    if p == 0:
        expected = (difference != 0).sum(-1)
    elif p < 1:
        expected = (np.abs(difference) ** p).sum(-1) ** (1 / p)
    found = tri.cdist(tri.from_numpy(a), tri.from_numpy(b), p)
    np.testing.assert_allclose(found.numpy(), np.asarray(expected), rtol=1e-13)
    assert found[0, 1, 2].item() == 0
    within = tri.pdist(tri.from_numpy(b), p)
    whole = tri.cdist(tri.from_numpy(b), tri.from_numpy(b), p).numpy()
    assert within.tolist() == whole[np.triu_indices(5, 1)].tolist()


def test_renorm():
    x = made(3, 4, 2)
    norms = np.sqrt((x * x).sum((0, 2), keepdims=True))
    expected = x * np.where(norms > 2, 2 / (norms + 1e-7), 1)
    np.testing.assert_allclose(tri.renorm(tri.from_numpy(x), 2, 1, 2).numpy(), expected, rtol=1e-14)
    assert tri.ones(2, 3).int().sum_to_size(3).tolist() == [2, 2, 2]
    assert tri.ones(2, 3).sum_to_size(2, 1).tolist() == [[3], [3]]


# ---- layers


def test_layers_with_weights():
    x, weight, bias = made(5, 2, 3), made(4, 3), made(4)
    found = F.linear(*map(tri.from_numpy, (x, weight, bias)))
    np.testing.assert_allclose(found.numpy(), x @ weight.T + bias, rtol=1e-13, atol=1e-15)
    left, right, cube = made(5, 2, 3), made(5, 2, 6), made(4, 3, 6)
    found = F.bilinear(*map(tri.from_numpy, (left, right, cube, bias)))
    expected = np.einsum("abi,oij,abj->abo", left, cube, right) + bias
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-13, atol=1e-14)


def attended(query: Any, key: Any, value: Any, mask: Any, scale: float) -> Any:
    """Return attention; a query that sees nothing gets zeros."""
    scores = query @ np.swapaxes(key, -1, -2) * scale
    weights = np.where(mask, np.exp(scores), 0)
    total = weights.sum(-1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ value


@pytest.mark.parametrize("case", ["all", "causal", "mask", "scale", "shared"])
def test_attention(case: str):
    query, key, value = made(2, 4, 5, 8), made(2, 4, 6, 8, seed=2), made(2, 4, 6, 3)
    mask = np.ones((5, 6), np.bool_)
    words: dict[str, Any] = {}
    if case == "causal":
        words, mask = {"is_causal": True}, np.tri(5, 6, dtype=np.bool_)
    elif case == "mask":
        mask = made(5, 6) > 0
        mask[3] = False
        words = {"attn_mask": tri.from_numpy(mask)}
    elif case == "scale":
        words = {"scale": 0.25}
    elif case == "shared":
        key, value, words = key[:, :2], value[:, :2], {"enable_gqa": True}
    operands = [tri.from_numpy(np.ascontiguousarray(item)) for item in (query, key, value)]
    found = F.scaled_dot_product_attention(*operands, **words)
    if case == "shared":
        key, value = key.repeat(2, 1), value.repeat(2, 1)
    expected = attended(query, key, value, mask, words.get("scale", 8**-0.5))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12, atol=1e-14)


def test_attention_has_the_layout_of_the_query():
    """PyTorch's fused kernel gives it that."""
    heads = [tri.ones(2, size, 3, 8).transpose(1, 2) for size in (4, 5, 5)]
    assert F.scaled_dot_product_attention(*heads).stride() == (96, 8, 24, 1)
    assert F.scaled_dot_product_attention(*heads, tri.zeros(3, 4, 5)).stride() == (96, 32, 8, 1)


def test_attention_of_expanded_queries_is_packed():
    """A new tensor like the query is; where no kernel is fused, the result is contiguous."""
    attend, rows = F.scaled_dot_product_attention, tri.ones(2, 3, 4, 8)
    for query in (rows[:1], rows[:, :1], rows[:, :, :1]):
        assert attend(query.expand(2, 3, 4, 8), rows, rows).stride() == (96, 32, 8, 1)
    turned = tri.ones(2, 4, 3, 8).transpose(1, 2)
    other = rows[..., :1].expand(2, 3, 4, 8)
    shared = tri.ones(2, 1, 4, 8)
    cases: list[tuple[Any, Any, tuple[int, ...]]] = [
        (turned, rows, (96, 8, 24, 1)),
        (turned, tri.ones(2, 3, 5, 8), (96, 8, 24, 1)),
        (turned, other, (96, 32, 8, 1)),
        (turned, shared, (96, 32, 8, 1)),
        (turned, rows[:1], (96, 32, 8, 1)),
        (shared.as_strided((2, 1, 4, 8), (32, 7, 8, 1)), shared, (32, 7, 8, 1)),
    ]
    for query, key, strides in cases:
        assert attend(query, key, key).stride() == strides
        compiled: Any = tri.compile(attend)
        assert compiled(query, key, key).stride() == strides


def test_which_masks_attention_takes():
    """One dim is an error where PyTorch asks whether its kernel takes the mask."""
    attend, rows = F.scaled_dot_product_attention, tri.ones(2, 3, 4, 8)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-1, 0\], but got -2"):
        attend(rows, rows, rows, tri.ones(4))
    with pytest.raises(IndexError, match="Dimension specified as -2 but tensor has no dimensions"):
        attend(rows, rows, rows, tri.tensor(1.0))
    assert attend(rows[0], rows[0], rows[0], tri.ones(4)).shape == (3, 4, 8)
    with pytest.raises(RuntimeError, match=r"shape \[2, 3, 4, 4\] doesn't match the broadcast"):
        attend(rows, rows, rows, tri.ones(1, 2, 3, 4, 4))
    half = rows.half()
    assert attend(half, half, half, tri.ones(4, 4)).dtype is tri.float16


def test_attention_to_nothing():
    query = tri.ones(2, 3, 4, 8, requires_grad=True)
    key = tri.ones(2, 3, 0, 8)
    found = F.scaled_dot_product_attention(query, key, key, tri.ones(7), is_causal=True)
    assert found.tolist() == tri.zeros(2, 3, 4, 8).tolist()
    assert type(found.grad_fn).__name__ == "AddBackward0"
    found.sum().backward()
    assert query.grad is not None
    assert not query.grad.any()


def test_attention_takes_a_mask_and_causal_only_as_pytorch_does():
    query, mask = tri.ones(1, 1, 4, 8), tri.zeros(4, 4)
    attend = tri.nn.functional.scaled_dot_product_attention
    assert attend(query, query, query, mask, is_causal=True).shape == query.shape
    cases: list[tuple[Any, Any, float]] = [
        *((query[0], mask, 0.0), (query[0, 0], mask, 0.0)),
        *((query, mask[None], 0.0), (query, mask, 0.5)),
    ]
    for given, with_mask, dropped in cases:
        with pytest.raises(RuntimeError, match="attn_mask should not be set when is_causal=True"):
            attend(given, given, given, with_mask, dropped, is_causal=True)
    with pytest.raises(RuntimeError, match="attn_mask should not be set when is_causal=True"):
        attend(query, query, query[..., :6], mask, is_causal=True)
