"""Is a copy inside of margins one kernel, right in every form, and can launches of it be cut?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.dialects.kernel.abi import INDEX, KernelSignature
from trilith.dialects.records import replace
from trilith.dialects.tri.structure import LaunchOp
from trilith.runtime.devices.threads import THREADS
from trilith.runtime.execution.artifact_proof import problem_of
from trilith.runtime.execution.kernel_cuts import Cut, Shift, shifts_of

pad = tri.nn.functional.pad
LAST = tri.channels_last
#: Rows of one vector, of several, and of several that are merged; margins on either side alone.
CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "a vector": ((7,), (1, 2)),
    "a long vector": ((300,), (0, 70)),
    "behind alone": ((3, 5), (0, 2)),
    "rows alone": ((6, 5), (0, 0, 2, 1)),
    "images": ((2, 3, 4, 9), (1, 1, 1, 1)),
    "long rows": ((1, 2, 3, 90), (40, 3, 0, 2)),
    "all dims": ((2, 3, 4, 5), (1, 2, 3, 0, 0, 1, 2, 0)),
    "cut off and added": ((4, 6), (-2, 3, 1, -1)),
    "volumes": ((2, 2, 3, 4, 5), (1, 1, 2, 0, 0, 1)),
}
DTYPES = ["bool", "int8", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]


def padded(array: Any, margins: tuple[int, ...], number: float) -> Any:
    """Return what NumPy makes of an array: first what is cut off, then what is added."""
    pairs = [(0, 0)] * array.ndim
    for dim in range(len(margins) // 2):
        pairs[array.ndim - 1 - dim] = margins[2 * dim], margins[2 * dim + 1]
    kept = tuple(
        slice(max(-before, 0), size - max(-after, 0))
        for size, (before, after) in zip(array.shape, pairs, strict=True)
    )
    added = [(max(before, 0), max(after, 0)) for before, after in pairs]
    return np.pad(array[kept], added, constant_values=number)


def tensor_of(shape: tuple[int, ...], dtype: str = "float32") -> Any:
    return (tri.arange(int(np.prod(shape))) % 97).reshape(shape).to(getattr(tri, dtype))


def as_numpy(tensor: Any) -> Any:
    return tensor.to(tri.complex128 if tensor.is_complex() else tri.float64).numpy()


def kernels_of(margins: tuple[int, ...], x: tri.Tensor) -> Any:
    return tri.trace(lambda x: pad(x, margins), x).lower().kernels


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_values(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRILITH_QUICK", "0")
    shape, margins = CASES[name]
    x = tensor_of(shape, dtype)
    forms = [x, tensor_of(shape[::-1], dtype).permute(*reversed(range(len(shape))))]
    if len(shape) == 4:
        forms.append(x.contiguous(memory_format=LAST))
    for form in forms:
        expected = padded(as_numpy(form), margins, 1)
        if dtype == "bool":
            expected = expected != 0
        for result in (pad(form, margins, value=1), tri.compile(pad)(form, margins, value=1)):
            assert result.dtype is x.dtype
            assert np.array_equal(as_numpy(result), expected)


def test_one_kernel_that_stores_once():
    for x in (tensor_of((2, 3, 4, 5)), tensor_of((2, 3, 4, 5)).contiguous(memory_format=LAST)):
        (kernel,) = kernels_of((1, 1, 2, 0), x)
        assert sum(op.name == "kernel.store" for op in kernel.walk()) == 1


def test_channels_are_part_of_rows():
    """Channels that lie innermost are merged with the columns, and the window with them."""
    x = tensor_of((1, 8, 5, 6)).contiguous(memory_format=LAST)
    traced = tri.trace(lambda x: pad(x, (1, 2, 3, 0)), x).lower()
    (launch,) = [op for op in traced.module.walk() if isinstance(op, LaunchOp)]
    assert list(launch.flat_integers)[:6] == [8, 9 * 8, 3, 5, 8, 6 * 8]


def test_what_lies_across_is_transposed_by_a_kernel_of_its_own():
    kernels = kernels_of((1, 1), tensor_of((5, 6)).T)
    assert len(kernels) == 2


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_without_elements(shape: tuple[int, ...]):
    assert pad(tri.ones(*shape), (1, 1, 1, 1), value=2).tolist() == [
        [2.0] * (shape[1] + 2) for _ in range(shape[0] + 2)
    ]


def test_one_kernel_for_all_sizes():
    seen: list[object] = []

    @tri.compile(dynamic=True)
    def program(x: tri.Tensor) -> tri.Tensor:
        seen.append(x.shape)
        return pad(x, (1, 2, 3, 0), value=7)

    traces: list[int] = []
    for shape in [(4, 5), (6, 7), (2, 90), (33, 14), (70, 3)]:
        x = tensor_of(shape)
        assert np.array_equal(program(x).numpy(), padded(x.numpy(), (1, 2, 3, 0), 7))
        traces.append(len(seen))
    assert traces[1] == traces[-1]


def test_into_the_memory_of_an_argument():
    @tri.compile
    def program(y: tri.Tensor, x: tri.Tensor) -> None:
        y[1] = pad(x, (1, 1), value=3)

    y, x = tri.zeros(3, 4, 7), tensor_of((4, 5))
    for _ in range(2):
        program(y, x)
        assert np.array_equal(y[1].numpy(), padded(x.numpy(), (1, 1), 3))
        assert not y[0].any()
        assert not y[2].any()


def parts_of(integers: list[int], cut: Cut, shifts: list[Shift], at: int) -> list[list[int]]:
    """Return the integers of the launches in front of a value of an index, and from it on."""
    before, after = [*integers], [*integers]
    before[cut.extent], after[cut.extent] = at, integers[cut.extent] - at
    for shift in shifts:
        step = 1 if shift.stride is None else integers[shift.stride]
        after[shift.integer] += at * shift.factor * step
    return [before, after]


@pytest.mark.parametrize("name", ["a long vector", "images", "all dims", "rows alone"])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_parts_of_a_launch(name: str, at: int):
    """Cut along any index, in front of the window, in it or behind: parts write what all does."""
    shape, margins = CASES[name]
    x = tensor_of(shape).numpy()
    expected = padded(x, margins, 7)
    traced = tri.trace(lambda x: pad(x, margins, value=7.0), tri.from_numpy(x)).lower()
    (kernel,), (code,) = traced.kernels, traced.artifact().kernels
    (launch,) = [op for op in traced.module.walk() if isinstance(op, LaunchOp)]
    integers = [int(number) for number in launch.flat_integers]
    integers[-1] = int.from_bytes(np.float32(7).tobytes(), "little")
    sizes = sum(slot.kind == INDEX for slot in KernelSignature.of(kernel).integers)
    windows = sum(op.name == "kernel.within" for op in kernel.walk())
    assert len(code.cuts) == sizes - 2 * windows
    for cut in code.cuts:
        result = np.zeros(expected.shape, np.float32)
        for part in parts_of(integers, cut, shifts_of(code.buffers, cut), at):
            assert not interpret_kernel(kernel, [x.reshape(-1), result.reshape(-1)], part)
        assert np.array_equal(result, expected)


def test_no_part_moves_memory_by_a_window():
    """Parts move where a window begins; an artifact that says it is an offset is refused."""
    artifact = tri.trace(lambda x: pad(x, (1, 1)), tensor_of((4, 5))).lower().artifact()
    (kernel,) = artifact.kernels
    (rows, columns) = kernel.cuts
    assert (rows.first, problem_of(artifact)) == (-1, None)
    offset = kernel.buffers[0].offset
    cuts = (rows, columns._replace(first=offset))
    altered = replace(kernel, cuts=cuts)
    altered = replace(altered, digest=altered.computed_digest())
    text = problem_of(replace(artifact, kernels=(altered,)))
    assert text is not None
    assert "cannot be cut as it says" in text


def test_threads_write_the_same():
    x = tensor_of((2, 8, 9, 10))
    program = tri.compile(lambda x: pad(x, (1, 1, 1, 1), value=2))
    before = tri.get_num_threads()
    tri.set_num_threads(3)
    THREADS.share_all()
    try:
        # Of one image with channels last rows are outermost: parts begin inside of their window.
        for form in (x, x.contiguous(memory_format=LAST), x[:1].contiguous(memory_format=LAST)):
            expected = padded(form.numpy(), (1, 1, 1, 1), 2)
            assert all(np.array_equal(program(form).numpy(), expected) for _ in range(20))
    finally:
        THREADS.share_all(is_on=False)
        tri.set_num_threads(before)
