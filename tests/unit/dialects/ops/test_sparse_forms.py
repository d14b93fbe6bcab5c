"""Do operations on sparse tensors give what NumPy gives for the same elements, however they lie?"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.eager.operations import install
from trilith.dialects.ops.frame.sparse_forms import FORMS
from trilith.dialects.ops.sparse_table import form_of
from trilith.dialects.ops.table import TABLE

SHAPE = (4, 3, 5)
Array = np.ndarray[Any, Any]


def made(seed: int, *, sparse: int = 3, is_coalesced: bool = False, shape: Any = SHAPE) -> Any:
    """Return a sparse tensor with entries that meet, and its elements."""
    rng = np.random.default_rng(seed)
    entries = 40
    places = np.stack([rng.integers(0, size, entries) for size in shape[:sparse]])
    values = rng.integers(-4, 5, (entries, *shape[sparse:])).astype(np.float32)
    dense = np.zeros(shape, np.float32)
    np.add.at(dense, tuple(places), values)
    s = tri.sparse_coo_tensor(places, values, shape)
    return (s.coalesce() if is_coalesced else s), dense


def check(found: Any, expected: Array) -> None:
    """Compare elements, and what a coalesced tensor promises."""
    if found.layout is tri.sparse_coo:
        assert tuple(found.shape) == expected.shape
        assert found._values().shape[0] == found._nnz()
        if found.is_coalesced():
            places = found.indices().numpy()
            keys = np.ravel_multi_index(tuple(places), found.shape[: len(places)])
            assert (np.diff(keys) > 0).all()
        found = found.to_dense()
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


KINDS = [(sparse, flag) for sparse in (1, 2, 3) for flag in (False, True)]
kinds = pytest.mark.parametrize(("sparse", "is_coalesced"), KINDS)

UNARY: dict[str, tuple[Callable[[Any], Any], Callable[[Array], Array]]] = {
    "neg": (lambda s: -s, lambda d: -d),
    "abs": (abs, np.abs),
    "sign": (lambda s: s.sign(), np.sign),
    "square": (tri.square, np.square),
    "relu": (lambda s: s.relu(), lambda d: np.maximum(d, 0)),
    "sin": (tri.sin, np.sin),
    "times": (lambda s: s * 3, lambda d: d * 3),
    "of a number": (lambda s: 0.5 * s, lambda d: 0.5 * d),
    "divided": (lambda s: s / 4, lambda d: d / 4),
    "floored": (lambda s: s // 2, lambda d: d // 2),
    "power": (lambda s: s**2, lambda d: d**2),
    "clone": (lambda s: s.clone(), np.copy),
    "sum": (lambda s: s.sum(), lambda d: d.sum()),
    "norm": (lambda s: s.norm(), lambda d: np.sqrt((d**2).sum())),
    "kept sums": (lambda s: s.sum((0, 2), keepdim=True), lambda d: d.sum((0, 2), keepdims=True)),
    "select": (lambda s: s.select(1, 2), lambda d: d[:, 2]),
    "brackets": (lambda s: s[2], lambda d: d[2]),
    "more brackets": (lambda s: s[..., -1], lambda d: d[..., -1]),
    "new dim": (lambda s: s[:, None], lambda d: d[:, None]),
    "unsqueeze": (lambda s: s.unsqueeze(-1), lambda d: d[..., None]),
    "index_select": (
        lambda s: s.index_select(0, tri.tensor([3, 0, 3, -1])),
        lambda d: d[[3, 0, 3, -1]],
    ),
    "index_select of the last": (
        lambda s: s.index_select(2, tri.tensor([1, 1])),
        lambda d: d[:, :, [1, 1]],
    ),
    "narrow_copy": (lambda s: s.narrow_copy(0, 1, 2), lambda d: d[1:3]),
    "narrow_copy of the last": (lambda s: s.narrow_copy(2, 0, 3), lambda d: d[..., :3]),
    "permute": (lambda s: s.permute(0, 1, 2), np.copy),
}


@kinds
@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name: str, sparse: int, is_coalesced: bool):
    run, expected = UNARY[name]
    s, dense = made(7, sparse=sparse, is_coalesced=is_coalesced)
    check(run(s), expected(dense))


@kinds
@pytest.mark.parametrize("dim", [0, 1, 2, (0, 1), (1, 2), (0, 2), (0, 1, 2)])
def test_sums_over_dims(dim: Any, sparse: int, is_coalesced: bool):
    s, dense = made(8, sparse=sparse, is_coalesced=is_coalesced)
    check(s.sum(dim), dense.sum(dim))
    check(tri.sparse.sum(s, dim), dense.sum(dim))


BINARY: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Array, Array], Array]]] = {
    "add": (lambda a, b: a + b, np.add),
    "sub": (lambda a, b: a - b, np.subtract),
    "scaled": (lambda a, b: tri.add(a, b, alpha=3), lambda a, b: a + 3 * b),
    "mul": (lambda a, b: a * b, np.multiply),
    "cat": (lambda a, b: tri.cat([a, b], 0), lambda a, b: np.concatenate([a, b])),
    "cat of the last": (lambda a, b: tri.cat([a, b], 2), lambda a, b: np.concatenate([a, b], 2)),
    "stack": (lambda a, b: tri.stack([a, b], 1), lambda a, b: np.stack([a, b], 1)),
    "hstack": (lambda a, b: tri.hstack([a, b]), lambda a, b: np.hstack([a, b])),
}


@kinds
@pytest.mark.parametrize("name", BINARY)
def test_two_operands(name: str, sparse: int, is_coalesced: bool):
    run, expected = BINARY[name]
    first, one = made(1, sparse=sparse, is_coalesced=is_coalesced)
    for flag in (False, True):
        second, other = made(2, sparse=sparse, is_coalesced=flag)
        check(run(first, second), expected(one, other))
    check(run(first, first), expected(one, one))


@kinds
def test_a_mask_names_places(sparse: int, is_coalesced: bool):
    s, dense = made(1, sparse=sparse, is_coalesced=is_coalesced)
    mask, _ = made(2, sparse=sparse, is_coalesced=True)
    places = np.zeros(SHAPE, bool)
    places[tuple(mask.indices().numpy())] = True
    for given in (s, tri.tensor(dense)):
        check(given.sparse_mask(mask), np.where(places, dense, 0))


@kinds
def test_beside_dense_tensors(sparse: int, is_coalesced: bool):
    s, dense = made(3, sparse=sparse, is_coalesced=is_coalesced)
    other = np.random.default_rng(4).integers(-4, 5, SHAPE).astype(np.float32)
    d = tri.tensor(other)
    check(d + s, other + dense)
    check(d - s, other - dense)
    check(s * d, dense * other)
    check(d * s, dense * other)
    check(s * d[0], dense * other[0])
    check(s * d[None], (dense * other)[None])
    check(d.clone().mul_(s), other * dense)
    check(d.clone().sub_(s), other - dense)


def test_a_dim_of_size_1_is_broadcast():
    places = [[0, 0, 0], [2, 0, 2]]
    s = tri.sparse_coo_tensor(places, [1.0, 2.0, 3.0], (1, 3))
    d = np.arange(6, dtype=np.float32).reshape(2, 3)
    check(s * tri.tensor(d), np.array([[2.0, 0.0, 4.0]]) * d)


def test_matrices():
    a, one = made(1, sparse=2, shape=(4, 5))
    b, other = made(2, sparse=2, shape=(5, 3))
    rng = np.random.default_rng(5)
    x, y = (rng.integers(-4, 5, size).astype(np.float32) for size in ((5, 2), 5))
    check(a @ b, one @ other)
    check(a @ tri.tensor(x), one @ x)
    check(a @ tri.tensor(x.T.copy()).t(), one @ x)
    check(tri.tensor(x.T.copy()) @ b, x.T @ other)
    check(a @ tri.tensor(y), one @ y)
    check(tri.tensor(y) @ b, y @ other)
    base = np.ones((4, 2), np.float32)
    found = tri.addmm(tri.tensor(base), a, tri.tensor(x), beta=2, alpha=0.5)
    np.testing.assert_allclose(found.numpy(), 2 * base + 0.5 * (one @ x), rtol=1e-5)
    check(tri.smm(a, tri.tensor(x)), one @ x)
    check(tri.hspmm(a, tri.tensor(x)), one @ x)


@pytest.mark.parametrize("dtype", ["int8", "int64", "float16", "bfloat16", "float64", "complex64"])
def test_products_of_dtypes(dtype: str):
    a, one = made(1, sparse=2, shape=(4, 5))
    x = np.random.default_rng(5).integers(-3, 4, (5, 2))
    kind = getattr(tri, dtype)
    found = a.to(kind) @ tri.tensor(x, dtype=kind)
    assert found.dtype is kind
    assert found.to(tri.complex128).tolist() == (one @ x).astype(complex).tolist()


def test_batches():
    s, dense = made(1)
    x = np.random.default_rng(5).standard_normal((4, 5, 2)).astype(np.float32)
    np.testing.assert_allclose(tri.bmm(s, tri.tensor(x)).numpy(), dense @ x, rtol=1e-5)


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("sparse", [1, 2, 3])
def test_softmax_is_over_what_is_specified(dim: int, sparse: int):
    s, dense = made(6, sparse=sparse, is_coalesced=True)
    held = np.full(SHAPE, -np.inf, np.float32)
    places = tuple(s.indices().numpy())
    held[places] = dense[places]
    with np.errstate(invalid="ignore"):
        powers = np.exp(held - held.max(dim, keepdims=True))
        expected = np.nan_to_num(powers / powers.sum(dim, keepdims=True))
    check(tri.sparse.softmax(s, dim), expected)
    found = tri.sparse.log_softmax(s, dim).values().numpy()
    np.testing.assert_allclose(np.exp(found), expected[places], rtol=1e-5)


@pytest.mark.parametrize("sparse", [1, 2, 3])
def test_there_and_back(sparse: int):
    _, dense = made(9, shape=SHAPE)
    found = tri.tensor(dense).to_sparse(sparse)
    assert (found.is_coalesced(), found.sparse_dim()) == (True, sparse)
    check(found, dense)
    turned = np.ascontiguousarray(dense.transpose(2, 0, 1))
    check(tri.tensor(turned).permute(1, 2, 0).to_sparse(sparse), dense)


@pytest.mark.parametrize(
    ("shape", "sparse", "entries", "strides"),
    [
        ((5, 5), 1, 5, (1, 1)),
        ((5, 5), 1, 0, (1, 1)),
        ((3, 4, 2), 2, 1, (1, 2)),
        ((3, 4, 2), 2, 3, (3, 1)),
        ((3, 4), 2, 1, (1, 1)),
        ((3, 4), 2, 0, (1, 1)),
        ((3, 4), 2, 3, (3, 1)),
        ((5,), 1, 3, (3, 1)),
        ((0, 3), 2, 0, (1, 1)),
    ],
)
def test_coordinates_lie_as_in_pytorch(shape: Any, sparse: int, entries: int, strides: Any):
    dense = np.zeros(shape, np.float32)
    dense.reshape(-1)[:: max(1, dense.size // max(1, entries))][:entries] = 1
    indices = tri.tensor(dense).to_sparse(sparse).indices()
    assert (indices.shape, indices.stride()) == ((sparse, entries), strides)


IN_PLACE: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Array, Array], Array]]] = {
    "add": (lambda s, other: s.add_(other), np.add),
    "sub": (lambda s, other: s.sub_(other, alpha=2), lambda one, two: one - 2 * two),
    "mul": (lambda s, other: s.mul_(other), np.multiply),
    "times": (lambda s, other: s.mul_(2), lambda one, two: one * 2),
    "div": (lambda s, other: s.div_(4), lambda one, two: one / 4),
    "neg": (lambda s, other: s.neg_(), lambda one, two: -one),
    "copy": (lambda s, other: s.copy_(other), lambda one, two: two),
    "zero": (lambda s, other: s.zero_(), lambda one, two: np.zeros_like(one)),
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place(name: str):
    run, expected = IN_PLACE[name]
    for flag in (False, True):
        (s, dense), (other, more) = made(1, is_coalesced=flag), made(2, is_coalesced=flag)
        assert run(s, other) is s
        check(s, expected(dense, more))


def test_an_empty_tensor_is_computed_with():
    e = tri.sparse_coo_tensor((3, 4))
    for found in (e + e, e * 2, e * e, e.abs(), e.t().t(), e.to_dense(), tri.cat([e])):
        check(found, np.zeros((3, 4)))
    check(e @ tri.ones(4, 2), np.zeros((3, 2)))
    check(e @ e.t(), np.zeros((3, 3)))
    check(e.sum(0), np.zeros(4))
    assert e.sum().item() == 0


def test_every_form_is_beside_a_row():
    install()
    assert form_of("add") is not None
    assert not [name for name in FORMS if name not in TABLE]


def test_bad_coordinates_are_a_fault_not_a_crash():
    s: Any = tri.sparse_coo_tensor([[0, 1], [0, 1]], [1.0, 2.0], (2, 2))
    s._indices().fill_(7)
    for use in (lambda: s @ tri.ones(2, 2), s.to_dense, lambda: tri.ones(2, 2) * s):
        with pytest.raises(IndexError):
            use()


REFUSED: dict[str, Callable[[Any], Any]] = {
    "exp": tri.exp,
    "exp_": lambda s: s.exp_(),
    "gt.Scalar": lambda s: s > 0,
    "eq.Tensor": lambda s: s == s,
    "clamp_min": lambda s: s.clamp_min(0),
    "where.self": lambda s: tri.where(tri.ones(4, 3, 5) > 0, s, s),
    "mean.dim": lambda s: s.mean(),
    "as_strided": lambda s: s.squeeze(),
    "view": lambda s: s.view(-1),
    "fill_.Scalar": tri.ones_like,
    "resize_": lambda s: s.resize_(4, 3, 5),
    "set_.source_Tensor": lambda s: s.set_(s),
    "round.decimals": lambda s: s.round(decimals=1),
}


@pytest.mark.parametrize("operation", REFUSED)
def test_what_has_no_form_is_refused_in_pytorchs_words(operation: str) -> None:
    text = f"Could not run 'aten::{operation}' with arguments from the 'SparseCPU' backend."
    with pytest.raises(NotImplementedError, match=re.escape(text)) as refused:
        REFUSED[operation](made(0)[0])
    assert "to_dense" in str(refused.value) or "layout=strided" in str(refused.value)


def test_what_has_no_form_is_refused_while_tracing() -> None:
    with pytest.raises(NotImplementedError, match=r"'aten::exp' with arguments"):
        tri.compile(tri.exp)(made(0)[0])
