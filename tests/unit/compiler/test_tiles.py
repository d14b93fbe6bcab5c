"""Do products and convolutions in tiles add what the order of their sums says, bit for bit?

The oracle takes in one product after the other with a fused multiply-add of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.afterwards import AFTERWARDS
from trilith.compiler.lowering.product_orders import SHORTEST

from ..product_sums import convolution, in_lanes, product

RANDOM = np.random.default_rng(17)
FORMATS = {"contiguous": tri.contiguous_format, "channels last": tri.channels_last}


def normal(*shape: int) -> Any:
    return RANDOM.standard_normal(shape, dtype=np.float32)


def laid(x: Any, order: str, device: str) -> tri.Tensor:
    """Return a matrix whose rows are neighbours, or whose columns are, or with gaps."""
    if order == "rows":
        return tri.from_numpy(x).to(device)
    if order == "columns":
        return tri.from_numpy(np.ascontiguousarray(x.T)).to(device).T
    gaps = np.full((x.shape[0] * 2, x.shape[1] * 3), np.nan, np.float32)
    gaps[::2, ::3] = x
    return tri.from_numpy(gaps).to(device)[::2, ::3]


SIZES = [
    *((1, 1, 1), (1, 40, 50), (1, 17, 400), (2, 33, 16), (3, 5, 7), (8, 32, 384), (9, 31, 385)),
    *((16, 16, 0), (17, 100, 1), (20, 37, 45), (33, 70, 800), (200, 34, 17), (40, 1, 9)),
    (210, 40, 390),
    # Sums of so few products that several panels are there at once, the last one not whole.
    *((20, 1100, 5), (19, 300, 24), (17, 3100, 1), (16, 70, 48), (18, 97, 49)),
    # Few rows of a large matrix, which they read by rows; columns that fill no vector.
    *((2, 1100, 300), (5, 2500, 131), (7, 1024, 259), (3, 4097, 65)),
]


@pytest.mark.parametrize(("m", "n", "k"), SIZES)
@pytest.mark.parametrize(
    "orders", ["rows rows", "rows columns", "columns rows", "columns columns", "gaps gaps"]
)
def test_products(tested_device: str, m: int, n: int, k: int, orders: str):
    x, y = normal(m, k), normal(k, n)
    first, second = orders.split()
    given = laid(x, first, tested_device), laid(y, second, tested_device)
    found = tri.compile(lambda x, y: x @ y)(*given).cpu()
    is_wide = m == 1 and k >= SHORTEST
    wanted = in_lanes(y.T, x[0])[None] if is_wide else product(x, y)
    np.testing.assert_array_equal(found.numpy(), wanted)


@pytest.mark.parametrize("orders", ["rows rows", "rows columns"])
def test_one_kernel_serves_all_sizes(tested_device: str, orders: str):
    first, second = orders.split()
    function = tri.compile(lambda x, y: x @ y)
    for m, n, k in ((20, 30, 40), (21, 33, 401), (64, 32, 16), (300, 47, 5), (131, 275, 9)):
        x, y = normal(m, k), normal(k, n)
        given = laid(x, first, tested_device), laid(y, second, tested_device)
        found = function(*given).cpu()
        np.testing.assert_array_equal(found.numpy(), product(x, y))
    assert function.stats().kernels_compiled <= 1


@pytest.mark.parametrize("orders", ["rows rows", "rows columns", "columns columns"])
@pytest.mark.parametrize(("m", "n", "k"), [(20, 37, 45), (33, 70, 400), (1, 40, 50)])
def test_doubles(tested_device: str, m: int, n: int, k: int, orders: str):
    """Products of whole numbers are exact in any order: what is tested is where they go."""
    x, y = (RANDOM.integers(-9, 9, size).astype(np.float64) for size in ((m, k), (k, n)))
    first, second = orders.split()
    given = (tri.from_numpy(x), tri.from_numpy(y))
    if first == "columns":
        given = (given[0].T.contiguous().T, given[1])
    if second == "columns":
        given = (given[0], given[1].T.contiguous().T)
    found = tri.compile(lambda x, y: x @ y)(*(part.to(tested_device) for part in given))
    np.testing.assert_array_equal(found.cpu().numpy(), x @ y)


@pytest.mark.parametrize("orders", ["rows rows", "rows columns", "columns rows", "gaps gaps"])
@pytest.mark.parametrize(("m", "n", "k"), [(257, 515, 129), (50, 450, 270)])
def test_large_products(
    tested_device: str, monkeypatch: pytest.MonkeyPatch, m: int, n: int, k: int, orders: str
):
    """They may run in tiles of their own, which what is made in a hurry leaves out."""
    monkeypatch.setenv("TRILITH_QUICK", "0")
    AFTERWARDS.finish()
    x, y = normal(m, k), normal(k, n)
    first, second = orders.split()
    given = laid(x, first, tested_device), laid(y, second, tested_device)
    found = tri.compile(lambda x, y: x @ y)(*given).cpu()
    np.testing.assert_array_equal(found.numpy(), product(x, y))


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.int64])
@pytest.mark.parametrize("orders", ["rows rows", "columns columns"])
def test_large_products_of_whole_numbers(monkeypatch: pytest.MonkeyPatch, dtype: Any, orders: str):
    monkeypatch.setenv("TRILITH_QUICK", "0")
    AFTERWARDS.finish()
    x, y = (RANDOM.integers(-9, 9, size).astype(dtype) for size in ((261, 200), (200, 523)))
    first, second = (
        tri.from_numpy(part) if order == "rows" else tri.from_numpy(part.T.copy()).T
        for part, order in zip((x, y), orders.split(), strict=True)
    )
    bias = RANDOM.integers(-9, 9, 523).astype(dtype)
    found = tri.compile(lambda x, y, b: tri.relu(x @ y + b))(first, second, tri.from_numpy(bias))
    np.testing.assert_array_equal(found.numpy(), np.maximum(x @ y + bias, 0))


#: Large products, of which parts are packed on the stack, in a thread that has 256 KB of it.
IN_A_SMALL_THREAD = """
import threading

import trilith as tri

product = tri.compile(lambda x, y: x @ y)
x, found = tri.ones(512, 512), []
numbers = x.to(tri.int64)
threading.stack_size(256 * 1024)
for given in ((x, x), (x.T, x), (x, x.T), (x.T, x.T), (numbers.T, numbers)):
    thread = threading.Thread(target=lambda: found.append(product(*given).sum().item()))
    thread.start()
    thread.join()
windows = tri.compile(lambda x, w: tri.nn.functional.conv2d(x, w))
image, filters = tri.ones(1, 64, 12, 12), tri.ones(128, 64, 3, 3)
thread = threading.Thread(target=lambda: found.append(windows(image, filters).sum().item()))
thread.start()
thread.join()
print(found == [512.0**3] * 5 + [128 * 10 * 10 * 64 * 9.0])
"""


def test_large_products_in_a_thread_with_a_small_stack():
    done = subprocess.run(
        [sys.executable, "-c", IN_A_SMALL_THREAD],
        env={**os.environ, "TRILITH_QUICK": "0"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


CONVOLUTIONS = {
    "3 x 3": ((2, 5, 9, 11), (7, 5, 3, 3), 1, 1, 1),
    "many channels, in pieces of k": ((1, 90, 8, 6), (40, 90, 3, 3), 1, 1, 1),
    "1 x 1": ((2, 20, 6, 7), (33, 20, 1, 1), 0, 1, 1),
    "every second place": ((2, 6, 12, 13), (18, 6, 3, 3), 1, 2, 1),
    "1 x 1, every second place": ((1, 6, 12, 13), (18, 6, 1, 1), 0, 2, 1),
    "groups": ((2, 12, 8, 8), (24, 4, 3, 3), 1, 1, 3),
    "each channel by itself": ((2, 19, 9, 10), (19, 1, 3, 3), 1, 1, 19),
    "two of each channel": ((2, 9, 9, 10), (18, 1, 3, 3), 1, 1, 9),
    "windows too large for a panel": ((1, 2, 22, 23), (17, 2, 20, 20), 0, 1, 1),
    "filters that fill no panel": ((2, 3, 12, 13), (35, 3, 7, 7), 3, 2, 1),
    "lines of a tile": ((1, 6, 4, 16), (64, 6, 3, 3), 1, 1, 1),
    "lines across tiles, several images": ((3, 70, 7, 7), (64, 70, 3, 3), 1, 1, 1),
    "few places": ((1, 8, 3, 3), (20, 8, 3, 3), 0, 1, 1),
    "few results": ((1, 8, 20, 20), (2, 8, 3, 3), 0, 1, 1),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
@pytest.mark.parametrize("of_input", FORMATS)
@pytest.mark.parametrize("of_weight", FORMATS)
def test_convolutions(tested_device: str, name: str, of_input: str, of_weight: str):
    """No bit depends on the memory format."""
    image, filters, padding, stride, groups = CONVOLUTIONS[name]
    x, w = normal(*image), normal(*filters)
    given = (
        tri.from_numpy(x).contiguous(memory_format=FORMATS[of_input]),
        tri.from_numpy(w).contiguous(memory_format=FORMATS[of_weight]),
    )
    conv2d = tri.nn.functional.conv2d
    found = tri.compile(lambda x, w: conv2d(x, w, padding=padding, stride=stride, groups=groups))(
        *(part.to(tested_device) for part in given)
    )
    expected = convolution(x, w, padding, stride, groups)
    np.testing.assert_array_equal(found.cpu().numpy(), expected)


def test_squares_are_as_wide_as_vectors():
    from trilith.compiler.codegen.llvm.kernel import emit_kernel
    from trilith.compiler.codegen.llvm.target import host_target
    from trilith.compiler.schedules.cpu.schedule import schedule_for_cpu

    lowered = tri.trace(lambda x, y: x @ y.T, tri.spec((20, 30)), tri.spec((40, 30))).lower()
    (kernel,) = lowered.kernels
    texts = [emit_kernel(schedule_for_cpu(kernel, bits), host_target()) for bits in (128, 256, 512)]
    sizes = [text.count("shufflevector <4 x float>") for text in texts]
    assert sizes[0] > 0 == sizes[2]
    assert texts[2].count("shufflevector <16 x float>") >= 64
