"""Do programs written for PyTorch give its results, eager and compiled, and in few kernels?"""

from __future__ import annotations

import json
import re
import zlib
from functools import cache
from typing import Any

import numpy as np
import pytest

import trilith as tri
from tests.programs.calls import CALLS, FOLDER, Call, leaves, load, sampled

RECORDED = FOLDER.parent / "data" / "torch" / "programs.json"

#: How far results may be from those of the same program in float64, which are recorded: as far as
#: 4 times PyTorch's own float32, since a sum may be rounded in any order (20 layers of sums, in
#: ResNet-18), or 8 roundings of the largest value, where PyTorch happens to be nearer.
FACTOR, ROUNDINGS = 4, 8 * 2.0**-24

#: How many kernels a call launches, how many different ones these are, and why. What a library
#: computes (Fourier transforms, singular values, orders) is no kernel.
KERNELS: dict[str, tuple[int, int, str]] = {
    "gpt2.forward_written_out": (
        *(35, 17),
        "3 for the embeddings, 2 sums that are kept, the last norm, the head; in each of 2 "
        "layers 14: norm, product, 3 biases (q, k, v), scores, softmax with scale and mask, mean, "
        "its copy, product, norm with bias and sum, product, gelu with bias, product",
    ),
    "gpt2.forward_flash": (35, 17, "as many as written out: scale, mask and softmax are one"),
    "gpt2.loss": (
        *(42, 23),
        "7 more: 2 copies of parts of the text, 2 that count what is ignored, log_softmax, "
        "its gather, the mean",
    ),
    "gpt2.greedy": (148, 19, "4 times the forward pass, with 2 that append a token"),
    "resnet18.forward": (
        *(42, 10),
        "20 convolutions with batch norm, relu and what is added, 18 padded inputs, the pool, and "
        "3 behind: sum, mean, product with bias",
    ),
    "resnet18.forward, channels_last": (
        *(43, 12),
        "one more: what the pool gives lies otherwise than the sums that it is added to",
    ),
    "resnet18.classify": (
        *(44, 13),
        "the last sum of a block is two, as one relu is one with the mean's sum; softmax",
    ),
    "lstm.step": (3, 2, "2 products; gates, cell and state are one"),
    "lstm.walk": (25, 5, "zeros, 6 times the step's 3, 6 that stack"),
    "kmeans.update": (
        *(9, 9),
        "the centroids' coordinates, squared distances; root and argmin; zeros, sums of points (2: "
        "a copy, what is added); numbers of classes, counts, means",
    ),
    "kmeans.inertia": (
        *(4, 4),
        "the centroids' coordinates, squared distances; root and min; the sum of squares",
    ),
    "kmeans.kmeans": (45, 9, "3 in front, and 7 for each of 6 iterations"),
    "pagerank.step": (
        *(10, 7),
        "2 of constants, 2 sums along links of 2 each (a copy, what is added), shares, their "
        "gather, the dangling ranks, the end",
    ),
    "pagerank.pagerank": (106, 10, "degrees once, then 5 for each of 20 steps"),
    "pagerank.dense": (26, 6, "6 make the matrix, then 1 for each of 20 steps"),
    "pagerank.best": (0, 0, "a sort and views of it"),
    "black_scholes.price": (1, 1, "all is elementwise"),
    "black_scholes.greeks": (1, 1, "all is elementwise, three results"),
    "black_scholes.surface": (1, 1, "the grid is a view"),
    "nbody.step": (
        *(7, 6),
        "3 for an acceleration: squared distances, weights, the sum with the kick; places and "
        "differences of the second one are a seventh",
    ),
    "nbody.run": (
        *(34, 9),
        "a step's last acceleration is the next one's first: 11 in 10 steps, 3 each, and one more "
        "for the first differences",
    ),
    "nbody.energy": (
        *(9, 8),
        "squares of speeds, their sum, its half; squared distances; a range, the sum of the upper "
        "triangle, its negative; 2 that stack",
    ),
    "nbody.momentum": (1, 1, "one product"),
    "game_of_life.step": (20, 4, "19 parts of shifted boards; what becomes of a cell is one"),
    "fft_filter.with_stripes": (3, 2, "2 ranges; the rest is one"),
    "fft_filter.low_pass": (
        6,
        4,
        "5 for frequencies in their order; the rest is one",
    ),
    "fft_filter.without_stripes": (
        *(26, 15),
        "6 for frequencies, 10 that reflect the border, 3 for neighbours of bright points, and 7: "
        "a logarithm, its inverse, the mean around, three comparisons, the limits",
    ),
    "fft_filter.spectrum_picture": (
        *(8, 6),
        "complex numbers, 4 that swap halves, logarithm, largest, quotient",
    ),
    "svd_compression.compress": (2, 2, "columns by weights, the product with its limits"),
    "svd_compression.noise_ratio": (1, 1, "a mean with what follows"),
}


@cache
def recorded() -> dict[str, dict[str, list[list[Any]]]]:
    return json.loads(RECORDED.read_text(encoding="utf-8"))["calls"]


def function_of(call: Call) -> tuple[Any, Any]:
    """Return the program of a call, and its function."""
    program = load(call.program)
    return program, getattr(program, call.function)


def check(found: Any, expected: list[Any]) -> None:
    """Compare one result with what PyTorch gave."""
    if not isinstance(found, tri.Tensor):
        assert ["value", found] == expected
        return
    *head, samples, last = expected
    assert [str(found.dtype).partition(".")[2], [*found.shape], [*found.stride()]] == head
    values = found.numpy()
    if not found.dtype.is_floating_point:
        np.testing.assert_array_equal(sampled(values.astype(np.int64)), samples)
        assert zlib.crc32(np.ascontiguousarray(values, np.int64).tobytes()) == last
        return
    limit = max(FACTOR * last, ROUNDINGS * np.abs(samples).max())
    np.testing.assert_allclose(sampled(values.astype(np.float64)), samples, rtol=0, atol=limit)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_results_are_pytorchs(call: Call) -> None:
    program, function = function_of(call)
    for size in call.sizes:
        found = leaves(function(*call.arguments(program, tri, size)))
        for result, expected in zip(found, recorded()[call.name][str(size)], strict=True):
            check(result, expected)


COMPILED = [call for call in CALLS if not call.is_eager]


@pytest.mark.parametrize("call", COMPILED, ids=lambda call: call.name)
def test_compiled_functions_give_the_same_bits_without_new_plans(call: Call) -> None:
    program, function = function_of(call)
    compiled: Any = tri.compile(function, static_argnames=call.static)
    kernels: list[int] = []
    for size in call.sizes:
        arguments = call.arguments(program, tri, size)
        results = leaves(compiled(*arguments)), leaves(function(*arguments))
        kernels.append(compiled.stats().kernels_compiled)
        for found, expected in zip(*results, strict=True):
            assert found.dtype is expected.dtype
            assert found.stride() == expected.stride()
            np.testing.assert_array_equal(found.numpy(), expected.numpy())
    stats = compiled.stats()
    assert stats.eager_calls == 0
    assert kernels[1:] == kernels[1:2] * (len(kernels) - 1)
    plans = len(kernels) if call.counts_with_sizes else call.plans
    assert stats.traces == min(len(kernels), plans)


@pytest.mark.parametrize("call", COMPILED, ids=lambda call: call.name)
def test_kernels(call: Call) -> None:
    program, function = function_of(call)
    compiled: Any = tri.compile(function, static_argnames=call.static)
    lowered = compiled.trace(*call.arguments(program, tri, call.sizes[0])).lower()
    launches = lowered.as_text("kernel").count("tri.launch")
    assert (launches, len(lowered.kernels)) == KERNELS[call.name][:2]


def groups_of(name: str) -> list[list[str]]:
    """Return the operations of each kernel that several are fused to, in a program's order."""
    (call,) = [call for call in CALLS if call.name == name]
    program, function = function_of(call)
    compiled: Any = tri.compile(function, static_argnames=call.static)
    text = compiled.trace(*call.arguments(program, tri, call.sizes[0])).after("tri-fuse")
    alone = re.findall(r"^    %.*? = tri\.(\w+) ", text, re.MULTILINE)
    assert not {"amax", "sum", "mean", "exp", "rsqrt"} & set(alone)
    bodies = re.findall(r" = tri\.fusion .*?\{\n(.*?)\n    \}", text, re.DOTALL)
    return [re.findall(r" = tri\.(?!constant)(\w+)", body) for body in bodies]


SOFTMAX = ["amax", "sub", "exp", "sum", "true_divide"]
LAYER_NORM = ["mean", "sub", "mul", "mean", "add", "rsqrt", "mul", "mul", "add"]


@pytest.mark.parametrize("name", ["gpt2.forward_written_out", "gpt2.forward_flash"])
def test_norms_and_attention_are_one_kernel_each(name: str) -> None:
    groups = groups_of(name)
    attentions = [group for group in groups if "exp" in group]
    assert len(attentions) == 2
    for group in attentions:
        # The scale and the mask are in front of the softmax, in the same kernel.
        assert "mul" in group[: group.index("amax")]
        assert "where" in group[: group.index("amax")]
        assert [part for part in group[group.index("amax") :] if part in SOFTMAX] == SOFTMAX
    norms = [group for group in groups if "rsqrt" in group]
    assert len(norms) == 5
    assert all(group[-len(LAYER_NORM) :] == LAYER_NORM for group in norms)


def test_softmax_is_one_kernel_with_the_bias_in_front() -> None:
    groups = groups_of("resnet18.classify")
    assert [group for group in groups if "exp" in group] == [["add", *SOFTMAX]]


def test_batch_norms_are_one_kernel_with_relu_and_sum() -> None:
    groups = groups_of("resnet18.forward")
    assert sum("relu" in group for group in groups) == 17
    assert sum("relu" in group and group[-2] == "add" for group in groups) == 17
