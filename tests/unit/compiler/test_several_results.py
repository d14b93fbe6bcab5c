"""May a row have several results? max, min, aminmax, frexp and var_mean at every stage."""

import json
import operator
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function

DATA = pathlib.Path(__file__).parents[2] / "data" / "torch" / "several_results.json"
RECORDED: list[list[str]] = json.loads(DATA.read_text(encoding="utf-8"))

#: What trilith answers otherwise, by the beginning of the expression, and why.
DIFFERENT = {
    "torch.aminmax(torch.tensor([0.,-0.])": "-0 is less than 0, as for amin and amax",
    "torch.aminmax(torch.tensor([-0.,0.])": "-0 is less than 0, as for amin and amax",
    "torch.max(x, out=torch.empty((),dtype=torch.int32))": "refused as by any other row",
    "torch.max(torch.ones(3,dtype=torch.complex64,device='meta')": "refused as on other devices",
    "(lambda o: torch.max(o[:2], out=o[0]))": "overlapping memory is refused as for max(dim)",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("case", "expected"), RECORDED, ids=[case for case, _ in RECORDED])
def test_the_answers_are_those_of_pytorch(case: str, expected: str):
    names = {"torch": tri, "x": tri.tensor([[1.0, 5.0], [3.0, 2.0]])}
    try:
        found = " ".join(repr(eval(case, names)).split())
    except tri.TrilithError as error:
        name = type(error).__name__.removeprefix("Trilith")
        found = f"{name}: {error.message.splitlines()[0]}"
    is_different = found.replace("trilith", "torch") != expected
    assert is_different == case.startswith(tuple(DIFFERENT)), (found, expected)


# ---- values

DTYPES = ["bool", "uint8", "int8", "int64", "float16", "bfloat16", "float32", "float64"]


def drawn(dtype: str, shape: tuple[int, ...] = (4, 70, 3)) -> Any:
    values = np.random.default_rng(7).integers(0, 90, shape)
    return tri.tensor(values).to(getattr(tri, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("layout", ["contiguous", "permuted", "sliced"])
def test_extremes(dtype: str, dim: int, layout: str):
    x = drawn(dtype)
    x = x.permute(1, 2, 0) if layout == "permuted" else x[:, ::3] if layout == "sliced" else x
    values = x.double().numpy()
    for name, found in (("max", x.max(dim)), ("min", x.min(dim))):
        at = getattr(np, f"arg{name}")(values, dim)
        np.testing.assert_array_equal(found.indices.numpy(), at)
        np.testing.assert_array_equal(
            found.values.double().numpy(), getattr(np, name)(values, axis=dim)
        )
        assert found.values.dtype is x.dtype
    low, high = x.aminmax(dim=dim, keepdim=True)
    np.testing.assert_array_equal(low.double().numpy(), values.min(dim, keepdims=True))
    np.testing.assert_array_equal(high.double().numpy(), values.max(dim, keepdims=True))
    assert x.max().item() == values.max()
    assert x.min().item() == values.min()


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_the_first_nan_is_largest_and_smallest(dtype: str):
    x = tri.tensor([1.0, np.nan, 7.0, np.nan, -np.inf]).to(getattr(tri, dtype))
    for found in (x.max(0), x.min(0)):
        assert np.isnan(found.values.item())
        assert found.indices.item() == 1
    assert all(np.isnan(part.item()) for part in x.aminmax())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_frexp_is_exact(dtype: str):
    form = np.finfo(dtype)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, form.tiny, form.smallest_subnormal, form.max]
    steps = np.random.default_rng(3).standard_normal(1000) * 2.0 ** np.arange(-120, 80, 0.2)
    values = np.array([*special, *steps], dtype)
    mantissa, exponent = tri.frexp(tri.from_numpy(values))
    expected, powers = np.frexp(values)
    assert mantissa.numpy().tobytes() == expected.tobytes()
    np.testing.assert_array_equal(exponent.numpy(), np.where(np.isfinite(values), powers, 0))
    assert exponent.dtype is tri.int32


@pytest.mark.parametrize("shape", [(1000,), (3, 40000), (40000, 3), (3, 3, 50)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("correction", [0, 1, 2.5])
def test_variance_and_mean(shape: tuple[int, ...], dtype: str, correction: float):
    drawn = np.random.default_rng(5)
    values = (drawn.standard_normal(shape) + 1e3).astype(dtype)
    if values.dtype.kind == "c":
        values = values + (1j * drawn.standard_normal(shape)).astype(dtype)
    for dims in [None, (0,), (-1,)]:
        variance, mean = tri.var_mean(tri.from_numpy(values), dims, correction=correction)
        wide = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)
        expected = wide.mean(dims)
        distances = (np.abs(wide - wide.mean(dims, keepdims=True)) ** 2).sum(dims)
        count = wide.size / np.size(expected)
        rounding = max(2 * float(np.finfo(dtype).eps), 1e-10)
        np.testing.assert_allclose(mean.numpy(), expected, rtol=rounding)
        np.testing.assert_allclose(
            variance.numpy(), distances / (count - correction), rtol=rounding
        )


@pytest.mark.filterwarnings("ignore")
def test_variance_of_few_elements():
    cases: list[tuple[Any, Any, tuple[float, complex]]] = [
        (tri.zeros(0), 0, (np.nan, np.nan)),
        (tri.tensor(3.0), None, (np.nan, 3.0)),
        (tri.tensor([1.0, 3.0]), 0, (2.0, 2.0)),
        (tri.tensor([np.inf]), 0, (np.nan, np.inf)),
        (tri.tensor([4j]), 0, (np.nan, 4j)),
    ]
    for x, dim, expected in cases:
        parts: Any = tri.var_mean(x, dim)
        found = [part.item() for part in parts]
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_combiner_is_given_other_constants_each_time(count: int, dtype: str):
    # What is merged with the empty accumulator, and with the first element, are both constants.
    large = 1e200 if dtype == "float64" else 1e30
    for first in (large, -large, np.inf, 1.0):
        for rest in (large, np.inf):
            values = np.array([first] + [rest] * (count - 1), dtype)
            x = tri.from_numpy(values)
            module = tri.trace(lambda x: tuple(tri.var_mean(x)), x).lower().module
            expected = interpret_function(module, [values])
            for device in ("cpu", "opencl:0"):
                found = [part.cpu().numpy() for part in tri.var_mean(x.to(device))]
                np.testing.assert_array_equal(found, expected, f"{values} on {device}")


@pytest.mark.filterwarnings("ignore:var_mean")
@pytest.mark.parametrize("correction", [2, 3])
@pytest.mark.parametrize(
    ("values", "expected"),
    [([1 + 2j, 3 - 1j], np.inf), ([1 + 2j, 1 - 1j], np.nan), ([1 + 2j, 4 + 2j], np.nan)],
)
def test_a_complex_variance_without_freedom(
    values: list[complex], expected: float, correction: int
):
    module = tri.trace(
        lambda x: tri.var_mean(x, correction=correction)[0], tri.tensor(values)
    ).module
    found = [interpret_function(module, [np.array(values, np.complex64)])[0].item()]
    for device in ("cpu", "opencl:0"):
        x = tri.tensor(values, device=device)
        found.append(tri.var_mean(x, correction=correction)[0].item())
    np.testing.assert_array_equal(found, expected)


def test_a_variance_without_freedom_is_warned_of(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("trilith.dialects.frames.WARNED", set[str]())
    with pytest.warns(UserWarning, match=r"var_mean\(\): degrees of freedom is <= 0"):
        tri.var_mean(tri.ones(2, 17), 1, correction=17)


# ---- stages


def spread(x: Any) -> Any:
    low, high = (x + 1).aminmax(dim=1, keepdim=True)
    return (x - low) / (high - low), high.exp()


X = np.random.default_rng(1).standard_normal((5, 40)).astype(np.float32)


def test_both_interpreters_agree_with_the_kernels():
    def program(x: Any) -> Any:
        values, indices = (x * 2).max(1)
        mantissa, exponent = tri.frexp(x)
        return (*spread(x), values, indices, mantissa, exponent, *tri.var_mean(x, 0))

    traced = tri.trace(program, tri.spec((5, 40), tri.float32))
    found = [part.numpy() for part in tri.compile(program)(tri.from_numpy(X))]
    for module in (traced.module, traced.lower().module):
        for part, expected in zip(interpret_function(module, [X]), found, strict=True):
            np.testing.assert_allclose(part, expected, rtol=2e-6)


def test_values_and_indices_come_from_one_kernel():
    lowered = tri.trace(lambda x: (x * 2).max(1), tri.spec((5, 40), tri.float32)).lower()
    assert len(lowered.kernels) == 1
    assert str(lowered).count("tri.launch") == 1
    assert str(lowered).count("kernel.reduce") == 1


def test_a_result_that_nobody_reads_has_no_memory():
    lowered = tri.trace(lambda x: x.max(1).values, tri.spec((5, 40), tri.float32)).lower()
    assert str(lowered).count("tri.empty") == 1


def test_equal_operations_are_one_but_results_stay_apart():
    def twice(x: Any) -> Any:
        return x.aminmax().max + 1, x.aminmax().min, x.aminmax().min

    assert str(tri.trace(twice, tri.spec((9,), tri.float32)).after("tri-cse")).count("aminmax") == 2
    _, first, second = tri.compile(twice)(tri.arange(9.0))
    first += 5
    assert (first.item(), second.item()) == (5.0, 0.0)


def test_a_view_of_one_result():
    def program(x: Any) -> Any:
        mantissa, exponent = tri.frexp(x)
        return mantissa[1:] * 2, exponent.t()

    x = tri.arange(12.0).view(3, 4)
    for found, expected in zip(tri.compile(program)(x), program(x), strict=True):
        assert found.tolist() == expected.tolist()


def test_many_results_cut_into_kernels():
    def program(x: Any) -> Any:
        parts = [tri.frexp(x * number) for number in range(40)]
        return [part.mantissa + part.exponent for part in parts]

    x = tri.arange(1.0, 7.0)
    for found, expected in zip(tri.compile(program)(x), program(x), strict=True):
        assert found.tolist() == expected.tolist()


def test_results_are_trees():
    found = tri.compile(lambda x: {"of": x.max(0)})(tri.from_numpy(X))["of"]
    assert type(found) is tri.return_types.max
    assert found.values.tolist() == X.max(0).tolist()

    def added(pair: Any) -> Any:
        return pair.values + pair.indices

    again = tri.compile(added)(found)
    assert again.tolist() == (found.values + found.indices).tolist()


def test_named_results_are_tuples_with_names():
    found = tri.tensor([3, 1]).aminmax()
    low, high = found
    assert (found[0] is low, found.min is low, found.max is high) == (True, True, True)
    assert isinstance(found, tuple)
    copy = pickle.loads(pickle.dumps(found))
    assert type(copy) is type(found)
    assert repr(found) == "trilith.return_types.aminmax(\nmin=tensor(1),\nmax=tensor(3))"


def test_warm_calls_keep_their_plan():
    x = tri.tensor([[1.0, 5.0], [3.0, 2.0]])
    for _ in range(3):
        assert x.max(1).indices.tolist() == [1, 0]
        assert tri.max(x, dim=0).indices.tolist() == [1, 0]
        assert tri.max(x, x.t()).tolist() == [[1.0, 5.0], [5.0, 2.0]]
        assert x.max().item() == 5.0


def test_meta_tells_shapes():
    values, indices = tri.zeros(3, 4, device="meta").max(1)
    assert (values.shape, indices.dtype) == ((3,), tri.int64)


# ---- out=


def test_results_are_written_where_they_shall_be():
    low, high = tri.zeros(2), tri.zeros(2)
    x = tri.tensor([[1.0, 5.0], [3.0, 2.0]])
    found: Any = tri.aminmax(x, dim=0, out=(low, high))
    assert found.min is low
    assert found.max is high
    assert (low.tolist(), high.tolist()) == ([1.0, 2.0], [3.0, 5.0])

    def into(x: Any, low: Any, high: Any) -> None:
        tri.aminmax(x, dim=0, out=(low, high))

    tri.compile(into)(x * 2, low, high)
    assert (low.tolist(), high.tolist()) == ([2.0, 4.0], [6.0, 10.0])
    text = str(tri.trace(into, x, low, high).lower())
    assert text.count("tri.launch") == 1
    assert "tri.empty" not in text


def test_results_that_do_not_fit_are_resized_with_a_warning():
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        values, indices = tri.max(
            tri.from_numpy(X), 0, out=(tri.zeros(3), tri.zeros(0, dtype=tri.int64))
        )
    assert values.tolist() == X.max(0).tolist()
    assert indices.tolist() == X.argmax(0).tolist()


def test_the_method_of_a_missing_dim():
    with pytest.raises(TypeError, match="invalid combination of arguments"):
        operator.methodcaller("max", None)(tri.ones(2))
