"""`f.explain()` says which operations became one kernel, why, and what each kernel should take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.tools import machine_rates
from trilith.compiler.tools.explanation import Explanation

X, SQUARE = tri.ones(40, 30), tri.ones(30, 30)


def explained(function: Callable[..., Any], *arguments: Any) -> Explanation:
    found = tri.compile(function).explain(*arguments)
    assert len(found.costs) == found.launches
    return found


def links(function: Callable[..., Any], *arguments: Any) -> dict[tuple[str, str], tuple[bool, str]]:
    found = explained(function, *arguments).links
    return {(link.producer, link.consumer): (link.is_fused, link.why) for link in found}


def softmax_product(x: Any, w: Any) -> Any:
    return tri.softmax(x * 2, 1) @ w


def test_elements_rows_and_factors():
    found = links(softmax_product, X, SQUARE)
    assert found["mul", "amax"] == (True, "elements are computed where they are reduced")
    assert found["amax", "sub"] == (True, "along the same rows")
    assert found["sub", "exp"] == (True, "elements of one shape")
    in_memory = "factors lie in memory: many sums read each element"
    assert found["true_divide", "matmul"] == (False, in_memory)
    assert len(explained(softmax_product, X, SQUARE).costs) == 2


def layer(x: Any, w: Any) -> Any:
    return (x @ w + 1).relu()


def of_two(x: Any, w: Any) -> Any:
    return x @ w + w @ x


def signs(x: Any, w: Any) -> Any:
    return x @ w > 0


def with_sums(x: Any, w: Any) -> Any:
    y = x @ w
    return y, y.relu()


def activated(x: Any, w: Any) -> Any:
    return (x @ w).tanh()


def biased_and_activated(x: Any, w: Any) -> Any:
    return (x @ w + 1).tanh()


def narrowed(x: Any, w: Any) -> Any:
    return (x @ w + 1).half()


def widened(x: Any, w: Any) -> Any:
    return (x @ w + 1).double()


def totals(x: Any, w: Any) -> Any:
    return (x @ w).sum(1)


def test_what_is_computed_with_sums_of_products():
    fused = (True, "computed with each sum of products, before it is stored")
    assert links(layer, SQUARE, SQUARE)["matmul", "add"] == fused
    assert links(of_two, SQUARE, SQUARE)["matmul", "add"] == fused
    result = "unfinished sums lie in the result, "
    assert links(signs, SQUARE, SQUARE)["matmul", "gt"] == (
        False,
        result + "which has another dtype",
    )
    assert links(with_sums, SQUARE, SQUARE)["matmul", "relu"] == (
        False,
        result + "and others read the sums",
    )
    assert links(activated, SQUARE, SQUARE)["matmul", "tanh"] == (
        False,
        "a function that costs more than memory",
    )
    together = "with sums of products goes what is cheap, lies as they do and has their dtype"
    assert links(biased_and_activated, SQUARE, SQUARE)["add", "tanh"] == (False, together)
    assert links(narrowed, SQUARE, SQUARE)["matmul", "add"] == fused
    long = tri.ones(20, 385)
    assert links(narrowed, long, long.T)["matmul", "add"] == (False, together)
    assert links(widened, SQUARE, SQUARE)["matmul", "add"] == (False, together)
    assert links(totals, SQUARE, SQUARE)["matmul", "sum"] == (
        False,
        "matmul has to be ready before sum begins",
    )


def of_columns(x: Any) -> Any:
    return x / x.sum(0)


def cheap(x: Any) -> Any:
    y = x + 1
    return y.sum(0), y.sum(1)


def costly(x: Any) -> Any:
    y = x.exp()
    return y.sum(0), y.sum(1)


def long(x: Any) -> Any:
    y = x
    for number in range(8):
        y = y * (number + 2) + x
    return y.sum(0), y.sum(1)


def often(x: Any) -> Any:
    y = x * x + x * 3 - 1
    return y.sum(0), y.sum(1), y.amax(0), y.amax(1), y.amin(0), y.amin(1)


def test_what_is_computed_again_and_what_is_stored():
    ready = "sum has to be ready before true_divide begins"
    assert links(of_columns, X)["sum", "true_divide"] == (False, ready)
    assert links(cheap, X)["add", "sum"] == (
        True,
        "each of 2 kernels computes it: 1 operation, no memory",
    )
    assert links(costly, X)["exp", "sum"] == (
        False,
        "a function that costs more than memory to compute again",
    )
    is_fused, why = links(long, X)["add", "sum"]
    assert (is_fused, why) == (False, "16 operations to compute it again are more than 6")
    is_fused, why = links(often, X)["sub", "sum"]
    assert (is_fused, why) == (
        False,
        "6 kernels read it: 20 operations more, memory costs 12",
    )


def of_a_view(x: Any) -> Any:
    return (x.exp().sum(0).reshape(5, 6) + 1).sum(0)


def waits(x: Any) -> Any:
    return x.exp() / x.sum(0)


def large(x: Any) -> Any:
    y = x
    for number in range(800):
        y = y * x + number
    return y


def test_what_else_keeps_operations_apart():
    assert links(of_a_view, X)["sum", "add"] == (
        False,
        "what is read is a view, which is of memory",
    )
    assert links(waits, X)["exp", "true_divide"] == (False, "true_divide waits for sum as well")
    found = [link for link in explained(large, X).links if not link.is_fused]
    assert found
    assert all(link.why.startswith("one kernel would be too large: at most 512") for link in found)


def sum_of_two(x: Any, y: Any) -> Any:
    return x * 2 + y


def product(x: Any, y: Any) -> Any:
    return x @ y


def convolution(x: Any, w: Any) -> Any:
    return tri.nn.functional.conv2d(x, w)


def of_rows(x: Any) -> Any:
    return x.sum(1)


def test_what_kernels_move_and_compute():
    wide = tri.ones(40, 30, dtype=tri.float64)
    (added,) = explained(sum_of_two, wide, wide).costs
    assert (added.nbytes, added.operations) == (3 * 40 * 30 * 8, 2 * 40 * 30)
    (found,) = explained(product, X, SQUARE).costs
    assert (found.nbytes, found.operations) == (4 * (2 * 40 * 30 + 900), 2 * 40 * 30 * 30)
    image, filters = tri.ones(2, 3, 12, 10), tri.ones(5, 3, 3, 3)
    costs = explained(convolution, image, filters).costs
    assert sum(cost.operations or 0 for cost in costs) == 2 * (2 * 5 * 10 * 8) * 27
    (row,) = explained(of_rows, X).costs
    assert (row.nbytes, row.operations) == (4 * (40 * 30 + 40), 40 * 30)


def scaled_product(x: Any, w: Any) -> Any:
    return (x * 2) @ (w.to(tri.float32) * 0.5)


def test_what_is_computed_from_one_factor_counts_once_for_each_of_its_elements():
    weights = tri.ones(30, 50, dtype=tri.int8)
    found = explained(scaled_product, X, weights)
    counted = sum(cost.operations or 0 for cost in found.costs)
    assert counted == 2 * 40 * 30 * 50 + 40 * 30 + 2 * 30 * 50


def test_the_loop_that_times_multiply_adds_makes_as_many_as_it_says():
    _, count = machine_rates.multiply_add_loop(np.float64, 100)
    (cost,) = explained(machine_rates.multiply_adds, tri.ones(100, dtype=tri.float64)).costs
    assert cost.operations == 2 * count


def exponential(x: Any) -> Any:
    return x.exp()


def plus_one(x: Any) -> Any:
    return x + 1


def square(x: Any) -> Any:
    return x @ x


def test_functions_count_as_what_they_are_written_out_as():
    (plain,) = explained(sum_of_two, X, X).costs
    (function,) = explained(exponential, X).costs
    assert plain.operations == 2400
    assert function.operations is not None
    assert 10 * 1200 <= function.operations <= 60 * 1200


def test_what_bounds_a_kernel():
    (moved,) = explained(plus_one, tri.ones(1 << 22)).costs
    (computed,) = explained(square, tri.ones(256, 256)).costs
    assert (moved.bound, computed.bound) == ("memory", "arithmetic")
    assert moved.microseconds > 0
    assert computed.microseconds > 0


def two_results(x: Any) -> Any:
    y = x.exp()
    return y.sum(0), y.sum(1)


def test_the_memory_of_a_plan():
    found = explained(two_results, X)
    assert found.result_nbytes == 4 * (30 + 40)
    assert 4 * 1200 <= found.arena_nbytes < 4 * 1200 + 4096


def test_the_report():
    found = explained(softmax_product, X, SQUARE)
    text = str(found)
    assert "What kernels should take, on one thread" in text
    assert "Results take 4.7 KiB, values between kernels at most" in text
    assert "Which operations became one kernel" in text
    assert all(cost.name in text for cost in found.costs)
    assert {cost.name for cost in found.costs} == {
        use.name for call in found.calls for use in call.kernels
    }
    assert "<th" in found._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert found.result.tolist() == softmax_product(X, SQUARE).tolist()


def looks(x: Any) -> Any:
    return x + 1 if float(x.sum()) > 0 else x


@pytest.mark.filterwarnings("ignore:.*step by step")
def test_what_runs_step_by_step_has_no_kernels_of_its_own():
    found = tri.compile(looks).explain(X)
    assert found.result.tolist() == (X + 1).tolist()
    assert (found.links, found.costs) == ((), ())


def test_methods_and_sizes_of_any_value():
    class Scaled:
        @tri.compile
        def run(self, x: Any) -> Any:
            return x * 2 + 1

    scaled = Scaled()
    (link,) = scaled.run.explain(X).links
    assert link.is_fused
    function = tri.compile(of_rows)
    for rows in (3, 4, 5, 6):
        (cost,) = tri.explain(function, tri.ones(rows, 7)).costs
        assert (cost.nbytes, cost.operations) == (4 * rows * 8, 7 * rows)
