"""Does a mapped function give for each example what it gives for that example alone?

The oracle is the function itself, called once for each example without any mapping, or NumPy.
"""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

Function = Callable[..., Any]


def of(*shape: int, seed: int = 0) -> Any:
    """Numbers that differ, of both signs."""
    drawn = np.random.default_rng(seed).standard_normal(shape)
    return tri.tensor(drawn.astype(np.float64))


def indices(*rows: Any) -> Any:
    return tri.tensor(list(rows))


def one_by_one(function: Function, *arguments: Any) -> Any:
    """Call a function for each index of dim 0, and put the results together."""
    count = arguments[0].shape[0]
    results = [
        function(*(argument[number].clone() for argument in arguments)) for number in range(count)
    ]
    if isinstance(results[0], tuple):
        return tuple(tri.stack(list(column)) for column in zip(*results, strict=True))
    return tri.stack(results)


def arrays(value: Any) -> list[Any]:
    items = value if isinstance(value, (tuple, list)) else (value,)
    return [item.resolve_conj().numpy() for item in items]


SAME = of(3, seed=9)
WIDE = of(4, 3, seed=8)

#: By family: functions of one example, and the examples.
CASES: dict[str, tuple[Function, tuple[Any, ...]]] = {
    "elementwise": (lambda x: x.sin() * SAME + 1, (of(2, 3),)),
    "ranks": (lambda x, y: x * y, (of(2), of(2, 4, 3))),
    "scalars yield": (lambda x: x + tri.ones(3), (of(2),)),
    "where": (lambda x: tri.where(x > 0, x, 2.0), (of(2, 3),)),
    "sum": (lambda x: x.sum(), (of(2, 3, 4),)),
    "sum of 0 dims": (lambda x: x.sum(), (of(2),)),
    "sum over 0": (lambda x: x.sum(0), (of(2),)),
    "sum keeps": (lambda x: x.sum((0, -1), keepdim=True), (of(2, 3, 4),)),
    "amax": (lambda x: x.amax(-1), (of(2, 3, 4),)),
    "argmax": (lambda x: x.argmax(), (of(2, 3, 4),)),
    "argmax keeps": (lambda x: x.argmax(keepdim=True), (of(2, 3, 4),)),
    "prod": (lambda x: x.prod(), (of(2, 3, 4),)),
    "max": (lambda x: tuple(x.max(0)), (of(2, 3, 4),)),
    "std": (lambda x: x.std(1), (of(2, 3, 4),)),
    "cumsum": (lambda x: x.cumsum(-1), (of(2, 3, 4),)),
    "cummax": (lambda x: tuple(x.cummax(0)), (of(2, 3),)),
    "sort": (lambda x: tuple(x.sort(0)), (of(2, 3, 4),)),
    "topk": (lambda x: tuple(x.topk(2)), (of(2, 3, 4),)),
    "sort of 0 dims": (lambda x: tuple(x.sort()), (of(2),)),
    "permute": (lambda x: x.permute(2, 0, 1), (of(2, 3, 4, 5),)),
    "movedim": (lambda x: x.movedim(0, -1), (of(2, 3, 4),)),
    "t": (lambda x: x.t(), (of(2, 3, 4),)),
    "squeeze": (lambda x: x.squeeze(), (of(1, 3, 1),)),
    "unsqueeze": (lambda x: x.unsqueeze(-1), (of(2, 3),)),
    "expand": (lambda x: x.expand(5, 3), (of(2, 3),)),
    "diagonal": (lambda x: x.diagonal(1), (of(2, 3, 4),)),
    "unfold": (lambda x: x.unfold(0, 2, 1), (of(2, 5),)),
    "strided": (lambda x: x.as_strided((2, 2), (1, 1), 1), (of(2, 5),)),
    "split": (lambda x: x.split(2, 1), (of(2, 3, 4),)),
    "real view": (lambda x: tri.view_as_complex(x).conj(), (of(2, 3, 2),)),
    "cat": (lambda x: tri.cat([x, SAME, x[:1]]), (of(2, 3),)),
    "stack": (lambda x: tri.stack([x, SAME], 1), (of(2, 3),)),
    "pad": (lambda x: tri.nn.functional.pad(x, (1, 2)), (of(2, 3),)),
    "flip": (lambda x: x.flip(0), (of(2, 3, 4),)),
    "roll": (lambda x: x.roll(1, 0), (of(2, 3),)),
    "window": (lambda x, y: x.select_scatter(y, 1, 0), (of(2, 3, 4), of(2, 3))),
    "window of one": (lambda y: WIDE.slice_scatter(y, 0, 1, 3), (of(2, 2, 3),)),
    "dot": (tri.dot, (of(2, 3), of(2, 3))),
    "matrix by vector": (lambda x: WIDE @ x, (of(2, 3),)),
    "matrices by vector": (lambda a: a @ SAME, (of(2, 4, 3),)),
    "vectors by matrices": (lambda x, a: x @ a, (of(2, 3), of(2, 5, 3, 4))),
    "matrices by one": (lambda a: a @ WIDE.t(), (of(2, 4, 3),)),
    "one by matrices": (lambda a: WIDE @ a, (of(2, 3, 2),)),
    "one vector by matrices": (lambda a: SAME @ a, (of(2, 3, 2),)),
    "einsum": (lambda a: tri.einsum("ij,kj->ik", a, WIDE), (of(2, 4, 3),)),
    "convolution": (
        lambda x: tri.nn.functional.conv1d(x, of(2, 3, 2, seed=7)),
        (of(2, 3, 5),),
    ),
    "gather": (lambda x, i: x.gather(0, i), (of(2, 3), indices([0, 2], [1, 1]))),
    "gather from one": (lambda i: SAME.gather(0, i), (indices([0, 2], [1, 1]),)),
    "index": (lambda x, i: x[i], (of(2, 3), indices(0, 2))),
    "index of one": (lambda i: WIDE[:, i], (indices([0, 2], [1, 1]),)),
    "same index": (lambda x: x[:, indices(0, 2)], (of(2, 4, 3),)),
    "apart": (lambda x, i: x[i, :, i], (of(2, 3, 4, 3), indices([0, 2], [1, 1]))),
    "inside": (lambda x, i: x[:, i, i], (of(2, 5, 3, 3), indices([0, 2], [1, 1]))),
    "same apart": (lambda x: x[indices(0, 1), :, indices(1, 2)], (of(2, 3, 4, 3),)),
    "index_select": (lambda x, i: x.index_select(1, i), (of(2, 4, 3), indices([0], [2]))),
    "scatter": (
        lambda x, i, y: x.scatter(0, i, y),
        (of(2, 3), indices([0, 2], [1, 0]), of(2, 2, seed=1)),
    ),
    "scatter_add": (
        lambda i, y: SAME.scatter_add(0, i, y),
        (indices([0, 2], [1, 1]), of(2, 2, seed=1)),
    ),
    "index_put": (
        lambda x, i, y: x.index_put((i, i), y),
        (of(2, 3, 3), indices([0, 2], [1, 0]), of(2, 2, seed=1)),
    ),
    "index_add": (
        lambda x, i, y: x.index_add(1, i, y),
        (of(2, 4, 3), indices([0, 2], [1, 1]), of(2, 4, 2, seed=1)),
    ),
    "index_fill": (lambda x, i: x.index_fill(1, i, 5.0), (of(2, 4, 3), indices([0, 2], [1, 1]))),
    "masked_fill": (lambda x: x.masked_fill(x > 0, 0.0), (of(2, 3),)),
    "clone": (lambda x: x.t().contiguous(), (of(2, 3, 4),)),
    "new": (lambda x: x.new_full((2,), 3.0) + x[:2], (of(2, 3),)),
    "like": (lambda x: tri.full_like(x, 3.0), (of(2, 3),)),
    "full of each": (lambda x: x.new_full((2, 2), 1.0) * x, (of(2),)),
    "cast": (lambda x: x.to(tri.float32).to(tri.int64), (of(2, 3),)),
    "softmax": (lambda x: x.softmax(0), (of(2, 3),)),
    "norm": (lambda x: tri.nn.functional.layer_norm(x, (3,)), (of(2, 4, 3),)),
    "solve": (tri.linalg.solve, (of(2, 3, 3), of(2, 3))),
    "eigenvalues": (lambda a: tri.linalg.eigvalsh(a @ a.mT), (of(2, 3, 3),)),
    "fft": (lambda x: tri.fft.fft(x, dim=0), (of(2, 3, 4),)),
    "rfft": (lambda x: tri.fft.rfft(x), (of(2, 4),)),
}


@pytest.mark.parametrize("name", CASES)
def test_families_are_mapped(name: str):
    function, arguments = CASES[name]
    expected = arrays(one_by_one(function, *arguments))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = arrays(tri.vmap(function)(*arguments))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("name", ["sum", "index", "matrix by vector", "softmax", "window"])
def test_mapped_functions_are_compiled(name: str):
    function, arguments = CASES[name]
    expected = arrays(one_by_one(function, *arguments))
    found = arrays(tri.compile(tri.vmap(function))(*arguments))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("name", ["ranks", "sum keeps", "scatter", "matrix by vector"])
def test_a_dim_anywhere_is_mapped(name: str):
    function, arguments = CASES[name]
    expected = arrays(one_by_one(function, *arguments))
    moved = tuple(argument.movedim(0, -1) for argument in arguments)
    found = arrays(tri.vmap(function, in_dims=-1)(*moved))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-12)


def test_mappings_nest():
    x, y = of(2), of(3, seed=1)
    inner = tri.vmap(lambda a, b: a * b, in_dims=(None, 0))
    outer = tri.vmap(inner, in_dims=(0, None))
    np.testing.assert_array_equal(outer(x, y).numpy(), np.outer(x.numpy(), y.numpy()))


def test_a_row_without_rule_runs_in_a_loop_and_says_so():
    x = of(2, 3)
    with pytest.warns(UserWarning, match="batching rule for aten::histc"):
        found = tri.vmap(lambda each: each.histc(4))(x)
    np.testing.assert_array_equal(found.numpy(), one_by_one(lambda each: each.histc(4), x).numpy())


def test_writes_in_place():
    x, i = of(2, 3), indices(0, 2)

    def change(each: Any, place: Any) -> Any:
        each = each.clone()
        each += SAME
        each[1:] *= 2
        each[place] = 7.0
        each.clamp_(max=5)
        return each

    expected = one_by_one(change, x, i)
    for function in (tri.vmap(change), tri.compile(tri.vmap(change))):
        np.testing.assert_array_equal(function(x, i).numpy(), expected.numpy())


def test_an_argument_that_is_mapped_is_written():
    x = of(2, 3)
    before = x.numpy().copy()
    tri.vmap(lambda each: each.mul_(2))(x)
    np.testing.assert_array_equal(x.numpy(), 2 * before)


def test_chunks():
    x = of(5, 3)
    seen: list[int] = []

    def count(each: Any) -> Any:
        seen.append(1)
        return each.sum(), each

    found, same = tri.vmap(count, out_dims=(0, 1), chunk_size=2)(x)
    assert len(seen) == 3
    np.testing.assert_allclose(found.numpy(), x.numpy().sum(1))
    np.testing.assert_array_equal(same.numpy(), x.numpy().T)


@pytest.mark.parametrize("draw", ["rand", "randn"])
def test_numbers_that_differ_are_those_of_one_tensor(draw: str):
    def add(each: Any) -> Any:
        return each * 0 + getattr(tri, draw)(3)

    mapped = tri.vmap(add, randomness="different")
    x = tri.zeros(2, 3)
    expected: Any = None
    for function in (mapped, tri.compile(mapped)):
        tri.manual_seed(3)
        found = function(x)
        tri.manual_seed(3)
        expected = getattr(tri, draw)(2, 3)
        np.testing.assert_array_equal(found.numpy(), expected.numpy())


def test_numbers_that_are_the_same():
    tri.manual_seed(0)
    found = tri.vmap(lambda each: tri.nn.functional.dropout(each), randomness="same")(
        tri.ones(4, 50)
    )
    assert (found == found[0]).all().item()
    assert 0 < found.sum().item() < 400


def test_different_numbers_of_nested_mappings():
    inner = tri.vmap(lambda each: each + tri.rand(()), randomness="different")
    found = tri.vmap(inner, randomness="different")(tri.zeros(3, 4))
    assert len(set(found.flatten().tolist())) == 12
    same = tri.vmap(inner, randomness="same")(tri.zeros(3, 4))
    assert len(set(same.flatten().tolist())) == 4


def test_a_gradient_for_each_example():
    x, w = of(4, 3), of(3, seed=5)
    found = tri.vmap(tri.grad(lambda v, each: (v * each).sin().sum()), in_dims=(None, 0))(w, x)
    expected = np.cos(w.numpy() * x.numpy()) * x.numpy()
    np.testing.assert_allclose(found.numpy(), expected)


def test_gradients_around_gradients_of_examples():
    x, w = of(4, 3), of(3, seed=5)

    def loss(v: Any) -> Any:
        each = tri.vmap(tri.grad(lambda one, v: (one**2 * v**2).sum()), in_dims=(0, None))
        return each(x, v).sum()

    found = tri.grad(loss)(w)
    np.testing.assert_allclose(found.numpy(), 4 * w.numpy() * x.numpy().sum(0))


def test_what_leads_outside_is_recorded():
    p = of(2, 3).requires_grad_()
    tri.vmap(lambda each: (each * each).sum())(p).sum().backward()
    np.testing.assert_array_equal(p.grad.numpy(), 2 * p.detach().numpy())


def test_gradients_of_many_cotangents():
    x = of(3).requires_grad_()
    y = x * x
    (found,) = tri.autograd.grad(y, x, tri.eye(3, dtype=tri.float64), is_grads_batched=True)
    np.testing.assert_array_equal(found.numpy(), np.diag(2 * x.detach().numpy()))


def test_out_is_refused():
    with pytest.raises(RuntimeError, match="Batching rule not implemented for aten::sin"):
        tri.vmap(lambda each: tri.sin(each, out=tri.zeros(3)))(of(2, 3))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: x.item(), "calling .item() on a Tensor"),
        (lambda x: x if x.sum() > 0 else -x, "data-dependent control flow"),
        (lambda x: x.nonzero(), "Attempted to vmap over aten::nonzero"),
        (lambda x: x[x > 0], "indexing with a boolean mask"),
        (lambda x: x + tri.rand(()), "randomness error mode"),
        (lambda x: x.requires_grad_(), "inside of a function being transformed"),
        (lambda x: tri.zeros(3).add_(x), "output with shape [3] doesn't match"),
    ],
)
def test_what_has_no_meaning_is_refused(function: Function, words: str):
    with pytest.raises(RuntimeError) as caught:
        tri.vmap(function)(tri.ones(2, 3))
    assert words in str(caught.value)


def test_a_tensor_that_has_escaped():
    kept: list[Any] = []
    tri.vmap(lambda each: (kept.append(each), each)[1])(tri.ones(2, 3))
    with pytest.raises(RuntimeError, match="may have escaped"):
        _ = kept[0] * 2
