"""Is a number an argument of a kernel? LLVM runs for none but what docs/numbers.md lists."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import enum
import pathlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.analysis.kernel_keys import structural_key
from trilith.compiler.eager import operations as eager
from trilith.compiler.kernels.table import KERNELS
from trilith.dialects.ops.frame.indexed import DrawingOp
from trilith.dialects.ops.frame.row import OpSpec
from trilith.dialects.ops.table import TABLE

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "numbers.md"

#: A call with a number, and two of them: none special, of one kind.
Case = tuple[Callable[[Any, Any], Any], Any, Any]


def on(dtype: Any, call: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a call on the tensor in another dtype."""
    return lambda x, n: call(x.to(dtype), n)


def first_row(x: Any) -> Any:
    """Return the indices of the first row."""
    return x[:1].to(tri.int64) * 0


#: By what is called; the first word is the row.
CALLS: dict[str, Case] = {
    "add": (lambda x, n: x + n, 2.5, 3.5),
    "add of integers": (on(tri.int32, lambda x, n: x + n), 5, 7),
    "add of halves": (on(tri.float16, lambda x, n: x + n), 5.5, 7.25),
    "add of complex": (on(tri.complex64, lambda x, n: x + n), 1.5j, 2 + 3j),
    "add of a complex number": (lambda x, n: x + n, 1.5j, 2 + 3j),
    "add of NumPy's numbers": (lambda x, n: x + n, np.float32(2.5), np.float64(3.5)),
    "add with alpha": (lambda x, n: tri.add(x, x, alpha=n), 0.5, 0.25),
    "add of integers with alpha": (on(tri.int32, lambda x, n: tri.add(x, x, alpha=n)), 5, 7),
    "add in place with alpha": (lambda x, n: x.clone().add_(x, alpha=n), 0.5, 0.25),
    "sub": (lambda x, n: x - n, 2.5, 3.5),
    "sub with alpha": (lambda x, n: tri.sub(x, x, alpha=n), 0.5, 0.25),
    "rsub": (lambda x, n: tri.rsub(x, n), 2.5, 3.5),
    "rsub with alpha": (lambda x, n: tri.rsub(x, x, alpha=n), 0.5, 0.25),
    "mul": (lambda x, n: x * n, 2.5, 3.5),
    "mul by integers": (lambda x, n: x * n, 5, 7),
    "true_divide": (lambda x, n: tri.true_divide(x, n), 5, 7),
    "div": (lambda x, n: x / n, 2.5, 3.5),
    "rdiv": (lambda x, n: n / x, 2.5, 3.5),
    "floor_divide": (lambda x, n: x // n, 2.5, 3.5),
    "remainder": (lambda x, n: x % n, 2.5, 3.5),
    "div that truncates": (lambda x, n: tri.div(x, n, rounding_mode="trunc"), 2.5, 3.5),
    "clamp": (lambda x, n: tri.clamp(x, n, n + 1), 1.5, 2.25),
    "clamp_min": (lambda x, n: tri.clamp_min(x, n), 1.5, 2.25),
    "clamp_max": (lambda x, n: tri.clamp_max(x, n), 1.5, 2.25),
    **{
        f"{name}": (lambda x, n, name=name: getattr(tri, name)(x, n), 2.5, 3.5)
        for name in ("eq", "ne", "lt", "le", "gt", "ge")
    },
    **{
        f"{name}": (on(tri.int64, lambda x, n, name=name: getattr(tri, name)(x, n)), 3, 5)
        for name in (
            *("bitwise_and", "bitwise_or", "bitwise_xor"),
            *("bitwise_left_shift", "bitwise_right_shift"),
        )
    },
    **{
        f"{name}": (lambda x, n, name=name: getattr(tri, name)(x, n), 2.5, 3.5)
        for name in ("fmod", "copysign", "hardshrink")
    },
    **{
        name: (
            lambda x, n, name=name: getattr(tri.special, name.removeprefix("special_"))(x, n),
            2.5,
            3.5,
        )
        for name in (
            *("xlogy", "special_xlog1py", "special_zeta"),
            *(f"special_chebyshev_polynomial_{kind}" for kind in "tuvw"),
            *(f"special_shifted_chebyshev_polynomial_{kind}" for kind in "tuvw"),
        )
    },
    "addmm": (lambda x, n: tri.addmm(x, x[:, :4], x, alpha=n), 2.5, 3.5),
    "addr": (lambda x, n: tri.addr(x, x[:, 0], x[0], alpha=n), 2.5, 3.5),
    "addmv": (lambda x, n: tri.addmv(x[:, 0], x, x[0], alpha=n), 2.5, 3.5),
    "addbmm": (lambda x, n: tri.addbmm(x, x[None, :, :4], x[None], alpha=n), 2.5, 3.5),
    "baddbmm": (lambda x, n: tri.baddbmm(x[None], x[None, :, :4], x[None], alpha=n), 2.5, 3.5),
    "fill_diagonal": (lambda x, n: x.clone().fill_diagonal_(n), 2.5, 3.5),
    "lerp": (lambda x, n: tri.lerp(x, x + 1, n), 0.25, 0.75),
    "addcmul": (lambda x, n: tri.addcmul(x, x, x, value=n), 2.5, 3.5),
    "addcdiv": (lambda x, n: tri.addcdiv(x, x, x + 1, value=n), 2.5, 3.5),
    "threshold": (lambda x, n: tri.threshold(x, n, 7.5), 2.5, 3.5),
    "elu": (lambda x, n: tri.nn.functional.elu(x, n), 2.5, 3.5),
    "leaky_relu": (lambda x, n: tri.nn.functional.leaky_relu(x, n), 0.25, 0.5),
    "softplus": (lambda x, n: tri.nn.functional.softplus(x, n), 2.5, 3.5),
    "where": (lambda x, n: tri.where(x > x, x, n), 2.5, 3.5),
    "where_method": (lambda x, n: x.where(x > x, n), 2.5, 3.5),
    "full": (lambda x, n: tri.full((3,), n, device=x.device), 2.5, 3.5),
    "full_like": (lambda x, n: tri.full_like(x, n), 2.5, 3.5),
    "new_full": (lambda x, n: x.new_full((3,), n), 2.5, 3.5),
    "scalar_tensor": (lambda x, n: tri.scalar_tensor(n, device=x.device), 2.5, 3.5),
    "fill": (lambda x, n: x.clone().fill_(n), 2.5, 3.5),
    "fill of a part": (lambda x, n: x.clone()[0].fill_(n), 2.5, 3.5),
    "copy": (lambda x, n: x.clone().copy_(x * n), 2.5, 3.5),
    "pad": (lambda x, n: tri.pad(x, (1, 1), value=n), 2.5, 3.5),
    "masked_fill": (lambda x, n: x.masked_fill(x > x, n), 2.5, 3.5),
    "scatter": (lambda x, n: tri.scatter(x, 0, first_row(x), n), 2.5, 3.5),
    "index_fill": (lambda x, n: tri.index_fill(x, 0, first_row(x)[0, :1], n), 2.5, 3.5),
    "index_add": (
        lambda x, n: tri.index_add(x, 0, first_row(x)[0, :1], x[:1], alpha=n),
        *(2.5, 3.5),
    ),
    "pow": (lambda x, n: x**n, 2.5, 3.5),
    "pow of a number": (lambda x, n: n**x, 2.5, 3.5),
    "pow of complex": (on(tri.complex64, lambda x, n: x**n), 2.5, 3.5),
    "arange": (lambda x, n: tri.arange(n, 4 * n, n, device=x.device), 2, 3),
    "arange of floats": (lambda x, n: tri.arange(n, 4.5 * n, n, device=x.device), 0.5, 0.75),
    "linspace": (lambda x, n: tri.linspace(1, n, 4, device=x.device), 2.5, 3.5),
    "linspace in steps": (lambda x, n: tri.linspace(1.5, 2.75, n, device=x.device), 6, 7),
    "logspace": (lambda x, n: tri.logspace(1, 2, 4, n, device=x.device), 2.5, 3.5),
    "eye": (lambda x, n: tri.eye(n, device=x.device), 3, 4),
    "round": (lambda x, n: tri.round(x, decimals=n), 1, 2),
    "tril": (lambda x, n: tri.tril(x, n), 1, -1),
    "triu": (lambda x, n: tri.triu(x, n), 1, -1),
    "roll": (lambda x, n: tri.roll(x, n, 1), 2, 3),
    "a sum": (lambda x, n: (x * n).sum(), 2.5, 3.5),
    "a polynomial": (lambda x, n: (x * n + n / 3) * x + n / 7, 2.5, 3.5),
}

#: Rows that take numbers and are called under another name, or with dims, sizes and places alone.
OTHERS = {
    "clamp_both": "clamp",
    "clamp_min_unseen": "cosine_similarity, gaussian_nll_loss",
    "trunc_divide": "div that truncates",
    "full_strided": "full",
    "power": "pow",
    "range_of": "arange",
    "constant_pad": "pad",
    "constant_pad_nd": "pad",
    **dict.fromkeys(("hamming_window", "kaiser_window"), "a height, which is in the code"),
    "round_decimals": "round",
    "above_threshold": "the gradient of a threshold",
    **dict.fromkeys(("sparse_addmm", "sparse_sampled_addmm", "sspaddmm"), "sparse tensors"),
    **dict.fromkeys(("var", "std", "var_mean", "std_mean"), "a correction, which is in the code"),
    **dict.fromkeys(("linalg_vector_norm", "dist"), "an order, which is in the code"),
    **dict.fromkeys(
        ("trapezoid", "trapz", "cumulative_trapezoid"), "a width, which is in the code"
    ),
    **dict.fromkeys(("quantile", "nanquantile"), "a part, which becomes a tensor"),
    **dict.fromkeys(("histc", "histogram"), "bins and bounds, which are in the code"),
    "repeat_interleave": "counts, which are sizes",
    "exponential_unit": "elu",
    "leaky_unit": "leaky_relu",
    "soft_plus": "softplus",
    "nn_functional_threshold": "threshold",
    "float_power": "pow",
    **dict.fromkeys(
        (
            *("hardtanh", "celu", "nn_functional_celu", "rrelu", "nn_functional_rrelu"),
            *("softshrink", "soft_shrink", "nan_to_num", "replace_non_finite", "isclose"),
        ),
        "bounds, which are in the code",
    ),
    "add_outer": "addr",
    **dict.fromkeys(
        (
            *("layer_norm", "native_layer_norm", "rms_norm", "native_group_norm", "group_norm"),
            *("nn_functional_group_norm", "batch_statistics", "batch_inference"),
            *("instance_statistics", "native_batch_norm", "batch_norm", "instance_norm"),
            *("nn_functional_batch_norm", "nn_functional_instance_norm", "cross_entropy"),
            *("local_response_norm", "lp_pool1d", "lp_pool2d", "lp_pool3d", "cdist", "pdist"),
            *("renorm", "scaled_dot_product_attention", "nn_functional_embedding"),
        ),
        "what an epsilon, an order or a scale is, which is in the code",
    ),
    **dict.fromkeys(
        (
            *("allclose", "linalg_matrix_rank", "linalg_pinv", "pinverse", "logit"),
            *("linalg_least_squares", "linalg_lstsq", "logit_of_wide"),
        ),
        "a tolerance, which is in the code",
    ),
    **dict.fromkeys(("fft_fftfreq", "fft_rfftfreq"), "a distance, which is in the code"),
    **dict.fromkeys(
        ("interpolate", "upsample", "upsample_nearest", "upsample_bilinear"),
        "a scale that decides sizes",
    ),
    **dict.fromkeys(
        (
            *("searchsorted", "bucketize", "isin"),
            *("special_hermite_polynomial_h", "special_hermite_polynomial_he"),
            *("special_laguerre_polynomial_l", "special_legendre_polynomial_p"),
        ),
        "a number that becomes a tensor",
    ),
    "range": "a bound, which decides the size",
    "gradient": "a distance, which is in the code",
    "nn_functional_embedding_bag": "a norm, which is in the code",
    "next_after": "a distance, which is in the code",
    **dict.fromkeys(
        (
            *("smooth_error", "huber_error", "smooth_l1_loss", "huber_loss", "normalize"),
            *("gaussian_nll_loss", "poisson_nll_loss", "nn_functional_poisson_nll_loss"),
            *("cosine_similarity", "pairwise_distance", "multi_margin_loss"),
            *("triplet_margin_loss", "nn_functional_triplet_margin_loss"),
            *("cosine_embedding_loss", "nn_functional_cosine_embedding_loss"),
            *("margin_ranking_loss", "nn_functional_margin_ranking_loss"),
            *("hinge_embedding_loss", "nn_functional_hinge_embedding_loss"),
            "triplet_margin_with_distance_loss",
        ),
        "margins and the like, which are in the code",
    ),
}

#: Rows of which an eager call is traced for each number: it decides sizes, or a formula.
TRACED = ("arange", "logspace", "eye", "round", "roll", "linspace in steps")


def takes_a_number(row: OpSpec) -> bool:
    """Whether there is a number besides the key and the counter of a draw, which every call has.

    What is drawn by them is the subject of tests of their own, which count plans.
    """
    if isinstance(row, DrawingOp) or row.name.endswith("_drawn") or row.name.startswith("random_"):
        return False
    kinds = ("Operand", "Scalar", "ScalarInt", "Number", "float")
    return any(parameter.type in kinds for parameter in row.schema.parameters)


def test_every_row_that_takes_a_number_is_called():
    rows = {row.name for row in TABLE.values() if takes_a_number(row)}
    called = {name.split()[0] for name in CALLS} | set(OTHERS)
    assert rows - called == set()


def kernels_made() -> int:
    counters = KERNELS.counters
    return counters.compiled + counters.loaded_from_disk


@pytest.mark.parametrize("name", CALLS)
def test_a_new_number_compiles_nothing(name: str, tested_device: str):
    call, first, second = CALLS[name]
    x = tri.arange(1.0, 25.0, device=tested_device).reshape(4, 6)
    call(x, first)
    before = kernels_made(), tri.stats().table.misses
    call(x, second)
    assert kernels_made() == before[0]
    if not name.startswith(TRACED):
        assert tri.stats().table.misses == before[1]


def keys(call: Callable[[Any, Any], Any], number: Any) -> list[str]:
    """Return the keys of the kernels of a compiled function that holds a number."""
    x = tri.spec((4, 6), tri.float32)
    traced = tri.trace(lambda x: call(x, number), x)
    return [structural_key(kernel) for kernel in traced.lower().kernels]


@pytest.mark.parametrize("name", CALLS)
def test_a_number_is_no_part_of_a_compiled_kernel(name: str):
    call, first, second = CALLS[name]
    assert keys(call, first) == keys(call, second)


@pytest.mark.parametrize("name", CALLS)
def test_numbers_give_the_same_eagerly_and_compiled(name: str):
    call, first, second = CALLS[name]
    x = tri.arange(1.0, 25.0).reshape(4, 6)
    for number in (first, second):
        compiled = tri.compile(lambda x, number=number: call(x, number))(x)
        assert compiled.dtype is (once := call(x, number)).dtype
        assert np.array_equal(compiled.numpy(), once.numpy(), equal_nan=True)


#: What the page lists: a call, and two numbers that have not the same code.
STATIC: dict[str, Case] = {
    "integer divisor": (on(tri.int32, lambda x, n: x // n), 3, 5),
    "power of two as divisor": (lambda x, n: x / n, 3.0, 4.0),
    "exponent of integers": (on(tri.int32, lambda x, n: x**n), 5, 6),
    "special exponent": (lambda x, n: x**n, 3, 4),
    "number that changes nothing": (lambda x, n: x * n, 1, 2),
    "plain range": (lambda x, n: tri.arange(0, 10, n), 1, 2),
    "correction of a variance": (lambda x, n: tri.var_mean(x, correction=n)[0], 0, 1),
    "equal numbers": (lambda x, n: x * 2 + n, 2, 3),
    "numbers after the 32nd": (lambda x, n: many(x) + n, 90.5, 91.5),
}


def many(x: Any) -> Any:
    for number in range(32):
        x = x * 0.75 + (number + 0.5) if number else x + 0.125
    return x


@pytest.mark.parametrize("name", STATIC)
def test_what_is_static(name: str):
    call, first, second = STATIC[name]
    assert keys(call, first) != keys(call, second)


def test_the_page_lists_what_is_static():
    table = PAGE.read_text(encoding="utf-8").partition("## What stays static")[2]
    listed = re.findall(r"^\| ([^|]+?) \|", table, re.MULTILINE)[1:]
    assert [name for name in listed if not name.startswith("-")] == list(STATIC)


def test_a_schedule_of_learning_rates_is_traced_once():
    parameter, gradient = tri.ones(8), tri.ones(8)
    before, plans = None, 0
    for step in range(1, 6):
        parameter.add_(gradient, alpha=-0.1 / step)
        if before is None:
            before, plans = kernels_made(), len(eager._plans)
    assert (kernels_made(), len(eager._plans)) == (before, plans)


def test_an_integer_is_rounded_once():
    """2**60 + 2**36 + 1 lies above the middle of two float32; float64 drops the 1."""
    number, x = 2**60 + 2**36 + 1, tri.ones(1)
    once = 1.1529216420458004e18
    assert (x * number).item() == once
    assert tri.compile(lambda x: x * number)(x).item() == once
    assert tri.compile(lambda x: x.to(tri.complex64) + number)(x).item() == once


class Unreadable(int):
    """A number of a class that shows all its numbers alike."""

    def __repr__(self) -> str:
        return "a number"

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


class Level(enum.IntEnum):
    LOW, HIGH = 2, 3


class Loud(float):
    def __repr__(self) -> str:
        return "loud"


DERIVED = (Unreadable, Level, np.int32, np.float64, Loud, int, float)


@pytest.mark.parametrize("kind", DERIVED, ids=str)
def test_numbers_of_derived_classes_are_told_apart_by_value(kind: Any):
    """An exponent, a number that is left out and one in a program: plans are made for these."""
    x = tri.tensor([2.0, 5.0])
    powered, scaled = tri.compile(lambda x, n: x**n), tri.compile(lambda x, n: x * n)
    for _ in range(2):
        for number in (2, 3):
            given = kind(number)
            expected = [2.0**number, 5.0**number]
            assert (x**given).tolist() == powered(x, given).tolist() == expected
            assert x.clone().pow_(given).tolist() == expected
            assert tri.add(x, x, alpha=given).tolist() == [2 + 2 * number, 5 + 5 * number]
            assert scaled(x, given).tolist() == [2 * number, 5 * number]
    program = tri.compile(lambda x: x * kind(2) + kind(3))
    assert program(x).tolist() == [7.0, 13.0]


#: What takes a tensor is not given a number of the call instead.
OF_TENSORS: dict[str, Callable[[Any, Any], Any]] = {
    "exp": lambda x, n: tri.exp(n),
    "sum": lambda x, n: tri.sum(n),
    "reshape": lambda x, n: tri.reshape(n, (1,)),
    "t": lambda x, n: tri.t(n),
    "stack": lambda x, n: tri.stack([n, n]),
    "cat": lambda x, n: tri.cat([x, n]),
    "clamp": lambda x, n: tri.clamp(n, 0),
    "split": lambda x, n: tri.split(n, 1),
    "index_select": lambda x, n: tri.index_select(x, 0, n),
    "nonzero": lambda x, n: tri.nonzero(n),
    "matmul": lambda x, n: tri.matmul(x, n),
    "flatten": lambda x, n: tri.flatten(n),
}


@pytest.mark.parametrize("name", OF_TENSORS)
def test_a_number_of_the_call_is_no_tensor(name: str):
    """The words are those of eager."""
    x, call = tri.ones(2), OF_TENSORS[name]
    with pytest.raises(TypeError) as eagerly:
        call(x, 2)
    with pytest.raises(TypeError) as traced:
        tri.compile(call)(x, 2)
    words = [str(error.value).partition("\n")[0] for error in (eagerly, traced)]
    assert words[0].endswith("must be Tensor, not int")
    assert words[1] == words[0]
