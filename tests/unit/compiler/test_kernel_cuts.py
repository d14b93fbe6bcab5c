"""Along what may launches be cut? Where an index is a place in memory, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.runtime.devices.threads import cut_words
from trilith.runtime.execution.artifact import KernelCode
from trilith.runtime.execution.kernel_cuts import Cut, Shift, point_sizes, shifts_of
from trilith.runtime.native.form import EVEN_PARTS_FOR_EACH, PARTS_FOR_EACH

X, COLUMN, IMAGES = tri.ones(40, 30), tri.ones(40, 1), tri.ones(2, 3, 8, 8)
#: Of one tensor, of two, or of none.
Program = Callable[[Any], Any] | Callable[[Any, Any], Any] | Callable[[], Any]
#: Elements that are neighbours in what is written, rows of products, filters, and anything else.
LINE, TILE, FILTERS, ANY = 64, 96, 32, 1


def kernels_of(function: Program, *arguments: tri.Tensor) -> tuple[KernelCode, ...]:
    trace: Any = tri.trace
    return trace(function, *arguments).lower().artifact().kernels


CUT: dict[str, tuple[Program, tuple[tri.Tensor, ...], list[int]]] = {
    "packed elements": (lambda x: x * 2, (X,), [LINE]),
    "rows and columns": (lambda x, y: x + y, (X, COLUMN), [ANY, LINE]),
    "across": (lambda x: x.T.contiguous(), (X,), [LINE, LINE]),
    "sums of rows": (lambda x: x.sum(1), (X,), [ANY]),
    "sums of columns": (lambda x: x.sum(0), (X,), [LINE]),
    "rows with what is between": (lambda x: x.softmax(1), (X,), [ANY]),
    "rows of a product": (lambda x: x @ tri.ones(30, 20), (X,), [LINE, TILE]),
    "products of several matrices": (
        lambda x: x @ tri.ones(3, 8, 20),
        (tri.ones(3, 40, 8),),
        [ANY, LINE, TILE],
    ),
    "filters, lines and places": (
        lambda x: tri.nn.functional.conv2d(x, tri.ones(5, 3, 2, 2)),
        (tri.ones(1, 3, 9, 9),),
        [FILTERS, ANY, LINE],
    ),
    "filters, side by side": (
        lambda x: tri.nn.functional.conv2d(x, tri.ones(5, 3, 2, 2)),
        (tri.ones(2, 3, 9, 9).contiguous(memory_format=tri.channels_last),),
        [FILTERS, ANY, ANY, ANY],
    ),
    "a sum of all": (lambda x: x.sum(), (X,), []),
    "an index that is a value": (lambda: tri.arange(9), (), []),
    "random numbers": (lambda: tri.rand(9), (), []),
    "what is looked up": (lambda x: x[tri.tensor([3, 1])], (X,), [ANY, LINE]),
    "one of each block": (lambda x: x[::2, 1:] * 3, (X,), [ANY, LINE]),
    "windows": (lambda x: tri.nn.functional.max_pool2d(x, 2), (IMAGES,), [ANY, ANY]),
}


@pytest.mark.parametrize("name", CUT)
def test_what_may_be_cut(name: str):
    function, arguments, grains = CUT[name]
    *_, kernel = kernels_of(function, *arguments)
    assert [cut.grain for cut in kernel.cuts] == grains


def test_where_parts_begin():
    """A part of x[::2] + y.T begins two rows of x and one column of y later."""
    x, y = tri.ones(8, 5), tri.ones(5, 4)
    (kernel,) = kernels_of(lambda x, y: x[::2] + y.T, x, y)
    rows = kernel.cuts[0]
    shifts = shifts_of(kernel.buffers, rows)
    assert len(shifts) == 3
    assert {shift.integer for shift in shifts} == {buffer.offset for buffer in kernel.buffers}
    columns = kernel.cuts[1]
    assert {shift.factor for shift in shifts_of(kernel.buffers, columns)} == {1}


def test_blocks_of_a_search_count_from_an_argument():
    long = tri.ones(600_000)
    (sums, _), (search, _) = kernels_of(lambda x: x.sum(), long), kernels_of(tri.argmax, long)
    (cut,), (plain,) = search.cuts, sums.cuts
    assert plain.first == -1
    assert cut.first not in {-1, cut.extent, cut.elements}
    shifts = shifts_of(search.buffers, cut)
    assert shifts[-2:] == [
        Shift(cut.elements, None, -cut.length),
        Shift(cut.first, None, cut.length),
    ]
    again = tri.trace(tri.argmax, long).lower().artifact()
    assert type(again).from_bytes(again.to_bytes()).kernels[0].cuts == (cut,)


def test_what_native_code_is_told():
    (kernel,) = kernels_of(lambda x: x * 2, X)
    assert kernel.cuts == (Cut(0, LINE),)
    assert [type(shift) for shift in shifts_of(kernel.buffers, kernel.cuts[0])] == [Shift] * 2
    before = kernel.pointers
    cost, sizes, count, size, extent, grain, parts, shifts, *_ = cut_words(kernel)
    assert (cost, sizes, count, size) == (kernel.cost, 1, 1, before)
    assert (extent, grain, parts, shifts) == (before, LINE, PARTS_FOR_EACH, 2)


def test_products_of_matrices_have_fewer_parts():
    """Each of them packs what it reads of both factors."""
    weight = tri.ones(5, 3, 2, 2)
    (product,) = kernels_of(lambda x, y: x @ y, X, X.T)
    (image,) = kernels_of(tri.nn.functional.conv2d, tri.ones(1, 3, 9, 9), weight)
    assert {cut.parts for cut in product.cuts} == {EVEN_PARTS_FOR_EACH}
    assert {cut.parts for cut in image.cuts} == {PARTS_FOR_EACH}
    assert EVEN_PARTS_FOR_EACH < PARTS_FOR_EACH


def test_points_and_what_they_cost():
    (cheap,), (dear,) = kernels_of(lambda x: x + 1, X), kernels_of(lambda x: x.exp().sin(), X)
    assert dear.cost > 5 * cheap.cost
    (product,) = kernels_of(lambda x: x @ tri.ones(30, 20), X)[-1:]
    assert len(point_sizes(product.buffers, product.cuts)) == 3


def test_cuts_are_kept_with_the_kernel():
    artifact = tri.trace(lambda x: (x + 1).softmax(1), X).lower().artifact()
    again = type(artifact).from_bytes(artifact.to_bytes())
    assert [kernel.cuts for kernel in again.kernels] == [k.cuts for k in artifact.kernels]
    assert [kernel.cost for kernel in again.kernels] == [k.cost for k in artifact.kernels]
    assert any(kernel.cuts for kernel in again.kernels)
