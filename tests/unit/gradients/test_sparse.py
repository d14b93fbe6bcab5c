"""Are gradients through sparse tensors those of the same computation on dense ones?"""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

RANDOM = np.random.default_rng(0)
#: Places of a 3 x 4 matrix, not in order; the third is the first once more.
PLACES = [[2, 0, 2, 1], [1, 3, 1, 0]]
DENSE, WEIGHT = RANDOM.standard_normal((3, 4)), RANDOM.standard_normal((4, 2))
VECTOR, OFFSET = RANDOM.standard_normal(4), RANDOM.standard_normal((3, 2))

#: How often each place is named.
COUNTS: Any = tri.tensor([[0.0, 0, 0, 1], [1, 0, 0, 0], [0, 2, 0, 0]], dtype=tri.float64)

Run = Callable[[Any], Any]


def array(*shape: int) -> Any:
    return np.asarray(RANDOM.standard_normal(shape))


def sparse(values: Any) -> Any:
    return tri.sparse_coo_tensor(PLACES, values, (3, 4))


def dense(values: Any) -> Any:
    return tri.zeros(3, 4, dtype=tri.float64).index_put(
        tuple(map(tri.tensor, PLACES)), values, accumulate=True
    )


def there(values: Any) -> Any:
    """Return ones where a value stands."""
    return dense(tri.ones_like(values)) > 0


#: name -> (on a sparse matrix, the same on a dense one).
CALLS: dict[str, tuple[Run, Run]] = {
    "to_dense": (lambda s: s.to_dense() * tri.tensor(DENSE), lambda d: d * tri.tensor(DENSE)),
    "sum": (lambda s: s.sum() ** 2, lambda d: d.sum() ** 2),
    "sum over a dim": (lambda s: s.sum(0).to_dense() ** 2, lambda d: d.sum(0) ** 2),
    "sparse.sum": (lambda s: tri.sparse.sum(s, 1).to_dense() ** 2, lambda d: d.sum(1) ** 2),
    "number": (lambda s: (s * 3.0).to_dense(), lambda d: d * 3.0),
    "by a dense one": (
        lambda s: (s * tri.tensor(DENSE)).to_dense(),
        lambda d: d * tri.tensor(DENSE),
    ),
    "by itself": (lambda s: (s * s).to_dense(), lambda d: d * d),
    "power": (lambda s: (s**3).to_dense(), lambda d: d**3),
    "quotient": (lambda s: (s / 4.0).to_dense(), lambda d: d / 4.0),
    "negative": (lambda s: (-s).to_dense() ** 2, lambda d: (-d) ** 2),
    "sum of two": (lambda s: (s + s).to_dense() ** 2, lambda d: (d + d) ** 2),
    "difference": (lambda s: (s - s * 3.0).to_dense() ** 2, lambda d: (d - d * 3.0) ** 2),
    "added to a dense one": (lambda s: (tri.tensor(DENSE) + s) ** 2, lambda d: (DENSE + d) ** 2),
    "transposed": (lambda s: s.t().to_dense() ** 2, lambda d: d.t() ** 2),
    "permuted": (lambda s: s.permute(1, 0).to_dense() ** 2, lambda d: d.permute(1, 0) ** 2),
    "a matrix times it": (
        lambda s: (tri.tensor(OFFSET).t() @ s) ** 2,
        lambda d: (tri.tensor(OFFSET).t() @ d) ** 2,
    ),
    "by a row": (
        lambda s: (s * tri.tensor(VECTOR)).to_dense() ** 2,
        lambda d: (d * tri.tensor(VECTOR)) ** 2,
    ),
    "matrix": (lambda s: (s @ tri.tensor(WEIGHT)) ** 2, lambda d: (d @ tri.tensor(WEIGHT)) ** 2),
    "vector": (lambda s: (s @ tri.tensor(VECTOR)) ** 2, lambda d: (d @ tri.tensor(VECTOR)) ** 2),
    "sparse.mm": (
        lambda s: tri.sparse.mm(s, tri.tensor(WEIGHT)) ** 2,
        lambda d: (d @ tri.tensor(WEIGHT)) ** 2,
    ),
    "sparse.addmm": (
        lambda s: tri.sparse.addmm(tri.tensor(OFFSET), s, tri.tensor(WEIGHT), alpha=2.0) ** 2,
        lambda d: (tri.tensor(OFFSET) + 2.0 * (d @ tri.tensor(WEIGHT))) ** 2,
    ),
    "coalesced values": (lambda s: s.coalesce().values() ** 2, lambda d: d**2),
    "masked": (
        lambda s: tri.tensor(DENSE).sparse_mask(s.coalesce()).to_dense() * s.to_dense(),
        lambda d: tri.tensor(DENSE) * d,
    ),
    "copied": (lambda s: s.clone().to_dense() ** 2, lambda d: d.clone() ** 2),
    "cut": (lambda s: s.narrow_copy(0, 1, 2).to_dense() ** 2, lambda d: d.narrow(0, 1, 2) ** 2),
    "slice": (lambda s: s[2].to_dense() ** 2, lambda d: d[2] ** 2),
    "slices": (
        lambda s: s.index_select(0, tri.tensor([2, 2, -3])).to_dense() ** 2,
        lambda d: d.index_select(0, tri.tensor([2, 2, 0])) ** 2,
    ),
    "a dim more": (lambda s: s.unsqueeze(1).to_dense() ** 2, lambda d: d.unsqueeze(1) ** 2),
    "joined": (lambda s: tri.cat([s, s * 2]).to_dense() ** 2, lambda d: tri.cat([d, d * 2]) ** 2),
    "stacked": (
        lambda s: tri.stack([s, s * 2], 1).to_dense() ** 2,
        lambda d: tri.stack([d, d * 2], 1) ** 2,
    ),
    "unbound": (lambda s: s.unbind(0)[2].to_dense() ** 2, lambda d: d.unbind(0)[2] ** 2),
    "functions": (
        lambda s: (s.sin() + s.tanh().abs() - s.erf() * s.relu()).to_dense(),
        lambda d: d.sin() + d.tanh().abs() - d.erf() * d.relu(),
    ),
    "norm": (lambda s: s.norm(3), lambda d: d.norm(3)),
    "masked by any order": (
        lambda s: (
            (s.to_dense() * tri.tensor(DENSE)).sparse_mask(sparse(tri.tensor(VECTOR))).to_dense()
            ** 2
        ),
        lambda d: (d * tri.tensor(DENSE) * COUNTS) ** 2,
    ),
    "layer": (
        lambda s: tri.nn.functional.linear(tri.tensor(VECTOR), s) ** 2,
        lambda d: tri.nn.functional.linear(tri.tensor(VECTOR), d) ** 2,
    ),
    "batch": (
        lambda s: tri.bmm(tri.stack([s, s]), tri.tensor(WEIGHT).expand(2, 4, 2)) ** 2,
        lambda d: tri.bmm(tri.stack([d, d]), tri.tensor(WEIGHT).expand(2, 4, 2)) ** 2,
    ),
    "cast": (lambda s: s.float().to_dense().double(), lambda d: d.float().double()),
}


@pytest.mark.parametrize("name", CALLS)
def test_values_get_the_gradients_of_dense_elements(name: str) -> None:
    of_sparse, of_dense = CALLS[name]
    values = tri.tensor(RANDOM.standard_normal(4))
    found = tri.func.grad(lambda v: of_sparse(sparse(v)).sum())(values)
    expected = tri.func.grad(lambda v: of_dense(dense(v)).sum())(values)
    assert tri.allclose(found, expected)
    leaf = values.clone().requires_grad_()
    of_sparse(sparse(leaf)).sum().backward()
    assert tri.allclose(leaf.grad, expected)


@pytest.mark.parametrize("name", CALLS)
def test_a_sparse_leaf_gets_them_at_its_places(name: str) -> None:
    of_sparse, of_dense = CALLS[name]
    values = tri.tensor(RANDOM.standard_normal(4))
    leaf = sparse(values).coalesce().requires_grad_()
    of_sparse(leaf).sum().backward()
    twin = dense(values).requires_grad_()
    of_dense(twin).sum().backward()
    found = leaf.grad.to_dense() if leaf.grad.is_sparse else leaf.grad
    assert tri.allclose(tri.where(there(values), found - twin.grad, 0.0), tri.zeros(3, 4).double())


@pytest.mark.parametrize("is_log", [False, True])
def test_softmax_of_what_is_specified(is_log: bool) -> None:
    values = tri.tensor(RANDOM.standard_normal(4))
    softmax = tri.sparse.log_softmax if is_log else tri.sparse.softmax
    weights = tri.tensor(DENSE)

    def of_dense(v: Any) -> Any:
        scores = tri.where(there(v), dense(v), -tri.inf)
        powers = scores.exp()
        shares = powers / powers.sum(1, keepdim=True)
        return (tri.where(there(v), shares.log() if is_log else shares, 0.0) * weights).sum()

    def of_sparse(v: Any) -> Any:
        return (softmax(sparse(v), 1).to_dense() * weights).sum()

    step = 1e-6
    found = tri.func.grad(of_sparse)(values)
    for number in range(4):
        moved = tri.zeros(4, dtype=tri.float64).index_fill(0, tri.tensor([number]), step)
        slope = (of_dense(values + moved) - of_dense(values - moved)) / (2 * step)
        assert tri.isclose(found[number], slope, rtol=1e-5, atol=1e-8)


def test_dense_operands_have_their_gradients() -> None:
    values = tri.tensor(VECTOR)
    for shape in ((3, 4), (4,), (1, 4), ()):
        x = tri.tensor(array(*shape))
        for run in (lambda s, x: s * x, lambda s, x: x * s):
            found = tri.func.grad(lambda x, f=run: (f(sparse(values), x) ** 2).to_dense().sum())(x)
            expected = tri.func.grad(lambda x, f=run: (f(dense(values), x) ** 2).sum())(x)
            assert tri.allclose(found.to_dense(), expected)
    x = tri.tensor(2.0, dtype=tri.float64)
    found = tri.func.grad(lambda x: ((sparse(values) / x) ** 2).to_dense().sum())(x)
    assert tri.allclose(found, tri.func.grad(lambda x: ((dense(values) / x) ** 2).sum())(x))
    x = tri.tensor(array(2, 3))
    found = tri.func.grad(lambda x: ((x @ sparse(values)) ** 2).sum())(x)
    assert tri.allclose(found, tri.func.grad(lambda x: ((x @ dense(values)) ** 2).sum())(x))


def test_the_other_factor_has_its_gradient() -> None:
    s, values = sparse(tri.tensor(VECTOR)), tri.tensor(VECTOR)
    for product in (lambda x: s @ x, lambda x: tri.sparse.mm(s, x)):
        found = tri.func.grad(lambda x, f=product: (f(x) ** 2).sum())(tri.tensor(WEIGHT))
        expected = tri.func.grad(lambda x: ((dense(values) @ x) ** 2).sum())(tri.tensor(WEIGHT))
        assert tri.allclose(found, expected)


@pytest.mark.parametrize("name", ["functions", "slice", "joined", "norm", "masked by any order"])
def test_they_are_differentiated_again(name: str) -> None:
    of_sparse, of_dense = CALLS[name]
    values = tri.tensor(RANDOM.standard_normal(4))

    def second(run: Run, make: Run) -> Any:
        first = tri.func.grad(lambda v: (run(make(v)) ** 2).sum())
        return tri.func.grad(lambda v: (first(v) ** 2).sum())(values)

    assert tri.allclose(second(of_sparse, sparse), second(of_dense, dense))


def test_log_softmax_takes_no_gradient_of_what_is_not_specified() -> None:
    leaf = sparse(tri.tensor(VECTOR)).coalesce().detach().requires_grad_()
    result = tri.sparse.log_softmax(leaf, 1)
    (found,) = tri.autograd.grad(result, leaf, tri.tensor(DENSE).to_sparse())
    assert found.to_dense().count_nonzero() == 0  # each row has one entry, whose share is all


def test_slices_of_dense_dims() -> None:
    s = tri.sparse_coo_tensor([[1]], tri.tensor([[3.0, 4.0]]), (2, 2), requires_grad=True)
    (s.select(1, 1).to_dense() ** 2).sum().backward()
    assert s.grad.sparse_dim() == 1
    assert s.grad.to_dense().tolist() == [[0, 0], [0, 8]]


# ---- which gradients are sparse, and what becomes of them


def leaf_of(values: Any) -> Any:
    return tri.sparse_coo_tensor(
        [[0, 1, 1], [2, 0, 2]], tri.tensor(values), (2, 3), requires_grad=True
    )


def test_sparse_and_dense_gradients_are_added() -> None:
    a = leaf_of([3.0, 4.0, 5.0])
    a.to_dense().sum().backward()
    kept = a.grad
    assert kept.is_sparse
    a.to_dense().sum().backward()
    assert a.grad is kept
    assert kept.to_dense().tolist() == [[0, 0, 2], [2, 0, 2]]
    a.sum().backward()
    assert a.grad.tolist() == [[1, 1, 3], [3, 1, 3]]
    a.to_dense().sum().backward()
    assert a.grad.tolist() == [[1, 1, 4], [4, 1, 4]]


def test_rows_of_a_table_and_elements_that_were_gathered() -> None:
    table: Any = tri.arange(12.0).reshape(3, 4).requires_grad_()
    tri.nn.functional.embedding(
        tri.tensor([0, 2, 0, 1]), table, padding_idx=1, sparse=True
    ).sum().backward()
    assert table.grad.is_sparse
    assert (table.grad.sparse_dim(), table.grad._nnz()) == (1, 3)
    assert table.grad.to_dense().tolist() == [[2.0] * 4, [0.0] * 4, [1.0] * 4]
    table = table.detach().requires_grad_()
    table.gather(1, tri.tensor([[3, 0], [1, 1]]), sparse_grad=True).sum().backward()
    assert table.grad.is_sparse
    assert table.grad.to_dense().tolist() == [[1, 0, 0, 1], [0, 2, 0, 0], [0, 0, 0, 0]]


def test_a_gradient_can_be_differentiated_again() -> None:
    a = leaf_of([3.0, 4.0, 5.0])
    whole = a.to_dense()
    (found,) = tri.autograd.grad((whole**3).sum(), a, create_graph=True)
    found.to_dense().sum().backward()
    assert a.grad.to_dense().tolist() == [[0, 0, 18], [24, 0, 30]]


def test_what_a_leaf_says() -> None:
    a = leaf_of([3.0, 4.0, 5.0])
    assert isinstance(a, tri.SparseTensor)
    assert (a.is_leaf, a.requires_grad, a.grad_fn) == (True, True, None)
    assert repr(a).endswith("layout=trilith.sparse_coo, requires_grad=True)")
    assert repr(a * 2).endswith("layout=trilith.sparse_coo, grad_fn=<MulBackward0>)")
    assert copy.copy(a).requires_grad
    assert copy.deepcopy(a).requires_grad
    assert not pickle.loads(pickle.dumps(a)).requires_grad
    assert not a.detach().requires_grad
    assert not a.requires_grad_(False).requires_grad
    assert type(a) is tri.SparseTensor


def test_writes_in_place() -> None:
    a = leaf_of([3.0, 4.0, 5.0])
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        a.mul_(2)
    with tri.no_grad():
        a.mul_(2)
    assert a.to_dense().tolist() == [[0, 0, 6], [8, 0, 10]]
    assert a._version == 1
    b = a * 1
    b.mul_(3)
    b.to_dense().sum().backward()
    assert a.grad.to_dense().tolist() == [[0, 0, 3], [3, 0, 3]]


def test_refusals() -> None:
    a = leaf_of([3.0, 4.0, 5.0])
    with pytest.raises(RuntimeError, match="has data of a different type"):
        a.grad = tri.zeros(2, 3)
    with pytest.raises(RuntimeError, match="derivative for aten::floor_divide is not implemented"):
        (a // 2).to_dense().sum().backward()
    with pytest.raises(RuntimeError, match="only Tensors of floating point dtype"):
        tri.sparse_coo_tensor([[0]], tri.tensor([1]), (2,)).requires_grad_()
    with tri.no_grad():
        assert tri.compile(lambda s: s.to_dense())(a).tolist() == a.to_dense().tolist()


@pytest.mark.filterwarnings("ignore:.*runs step by step")
def test_compiled_functions_make_sparse_tensors_of_values_and_gradients() -> None:
    weight = tri.tensor(WEIGHT)
    loss = tri.func.grad(lambda v: (tri.sparse.mm(sparse(v), weight) ** 2).sum())
    values = tri.tensor(VECTOR)
    assert tri.allclose(tri.compile(loss)(values), loss(values))
    table = tri.arange(6.0).reshape(3, 2)
    of_rows = tri.func.grad(
        lambda w: tri.nn.functional.embedding(tri.tensor([2, 2]), w, sparse=True).sum()
    )
    assert tri.compile(of_rows)(table).to_dense().tolist() == [[0, 0], [0, 0], [2, 2]]


def test_gradcheck_moves_what_is_specified() -> None:
    s = leaf_of([3.0, 4.0, 5.0]).detach().double().requires_grad_()
    weight = tri.ones(3, 2, dtype=tri.float64)
    assert tri.autograd.gradcheck(lambda t: tri.sparse.mm(t, weight) ** 2, s, masked=True)
    leaf = s.coalesce().detach().requires_grad_()
    assert tri.autograd.gradcheck(lambda t: t * 2, leaf, masked=True)
    with pytest.raises(NotImplementedError, match="sparse inputs"):
        tri.autograd.gradcheck(lambda t: t.to_dense(), s)


def test_a_function_of_a_sparse_argument() -> None:
    s = leaf_of([3.0, 4.0, 5.0]).detach()
    found = tri.func.grad(lambda t: (t.to_dense() ** 2).sum())(s)
    assert found.to_dense().tolist() == [[0, 0, 6], [8, 0, 10]]


def test_compiled_functions_are_given_sparse_tensors_that_require_gradients() -> None:
    def loss(t: Any, w: Any) -> Any:
        return ((t.to_dense() * w) ** 2).sum() + (t * t).coalesce().values().sum()

    compiled = tri.compile(loss)
    grads: list[Any] = []
    for run in (loss, compiled, compiled):
        leaf = leaf_of([3.0, 4.0, 5.0])
        weight: Any = tri.ones(2, 3, requires_grad=True)
        run(leaf, weight).backward()
        assert leaf.grad.is_sparse
        grads.append((leaf.grad.to_dense().tolist(), weight.grad.tolist()))
    assert grads[0] == grads[1] == grads[2]
    assert grads[0][0] == [[0, 0, 12], [16, 0, 20]]


def test_sparse_arguments_in_lists_and_dicts() -> None:
    s = leaf_of([3.0, 4.0, 5.0]).detach()

    def loss(nested: Any) -> Any:
        (x, inside), *_ = nested["a"]
        return (inside.to_dense() ** 2).sum() + x.sum()

    found = tri.func.grad(loss)({"a": [(tri.ones(2), s)]})
    x, inside = found["a"][0]
    assert x.tolist() == [1, 1]
    assert inside.is_sparse
    assert inside.to_dense().tolist() == [[0, 0, 6], [8, 0, 10]]


def test_a_deep_copy_has_its_gradient() -> None:
    leaf = leaf_of([3.0, 4.0, 5.0])
    leaf.to_dense().sum().backward()
    copied = copy.deepcopy(leaf)
    assert copied.grad is not leaf.grad
    assert copied.grad.to_dense().tolist() == leaf.grad.to_dense().tolist()


def test_what_a_leaf_keeps_of_a_gradient_is_its_own() -> None:
    leaf = leaf_of([3.0, 4.0, 5.0])
    seen: list[Any] = []
    leaf.register_hook(seen.append)
    leaf.to_dense().sum().backward()
    assert seen[0]._values() is not leaf.grad._values()
    leaf.to_dense().sum().backward()
    assert seen[0].to_dense().tolist() == [[0, 0, 1], [1, 0, 1]]
