"""Does as_strided_scatter stay in the storage, and count its offset from there?

The answers are PyTorch 2.13's: (storage offset, elements of the result or the error's first line).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithError
from trilith.dialects.ops.frame.row import PrimitiveOp
from trilith.dialects.ops.table import TABLE

BEYOND = (
    "setStorage: sizes [2], strides [1], storage offset {offset}, and itemsize 4 requiring a "
    "storage size of {needed} are out of bounds for storage of size 32"
)
OVERFLOW = "Storage size calculation overflowed with sizes=[2] and strides=[1]"
#: On the part [2:6] of a vector of eight, with a window of two elements.
ANSWERS = {
    None: [100.0, 200.0, 4.0, 5.0],
    0: [2.0, 3.0, 4.0, 5.0],
    1: [200.0, 3.0, 4.0, 5.0],
    2: [100.0, 200.0, 4.0, 5.0],
    3: [2.0, 100.0, 200.0, 5.0],
    5: [2.0, 3.0, 4.0, 100.0],
    6: [2.0, 3.0, 4.0, 5.0],
    7: BEYOND.format(offset=7, needed=36),
    100: BEYOND.format(offset=100, needed=408),
    2**40: BEYOND.format(offset=2**40, needed=2**42 + 8),
    2**62: OVERFLOW,
    2**63 - 1: OVERFLOW,
    2**63: "Overflow when unpacking long long",
    2**64: "Overflow when unpacking long long",
    -1: "Tensor: invalid storage offset -1",
    -(2**63): f"Tensor: invalid storage offset {-(2**63)}",
}


def scatter(part: tri.Tensor, values: tri.Tensor, offset: int | None) -> tri.Tensor:
    return tri.as_strided_scatter(part, values, (2,), (1,), offset)


def answer(function: Callable[..., tri.Tensor], *arguments: Any) -> Any:
    try:
        return function(*arguments).tolist()
    except TrilithError as error:
        return error.message


@pytest.mark.filterwarnings("ignore:.*runs step by step")
@pytest.mark.parametrize("offset", ANSWERS)
def test_offset_counts_from_the_storage(offset: int | None):
    part, values = tri.arange(8.0)[2:6], tri.tensor([100.0, 200.0])
    assert answer(scatter, part, values, offset) == ANSWERS[offset]
    compiled = tri.compile(scatter, static_argnames="offset")
    assert answer(compiled, part, values, offset) == ANSWERS[offset]


#: On every second element of a vector of 20.
GAPS = {
    None: [100.0, 2.0, 4.0, 6.0],
    1: [0.0, 200.0, 4.0, 6.0],
    2: [0.0, 100.0, 4.0, 6.0],
    5: [0.0, 2.0, 4.0, 200.0],
}


@pytest.mark.parametrize("offset", GAPS)
def test_window_between_the_elements(offset: int | None):
    found = scatter(tri.arange(20.0)[::2], tri.tensor([100.0, 200.0]), offset)
    assert found.stride() == (2,)
    assert found[:4].tolist() == GAPS[offset]


#: On one element expanded to four: a copy of four elements comes first.
EXPANDED = {
    None: [100.0, 200.0, 3.0, 3.0],
    1: [3.0, 100.0, 200.0, 3.0],
    2: [3.0, 3.0, 100.0, 200.0],
    3: BEYOND.format(offset=3, needed=20).replace("32", "16"),
}


@pytest.mark.parametrize("offset", EXPANDED)
def test_expanded_operand_is_copied_first(offset: int | None):
    part = tri.arange(8.0)[3:4].expand(4)
    assert answer(scatter, part, tri.tensor([100.0, 200.0]), offset) == EXPANDED[offset]


REFUSED = [
    (
        (2,),
        (-1,),
        "as_strided: Negative strides are not supported at the moment, got strides: [-1]",
    ),
    ((-2,), (1,), "Storage size calculation overflowed with sizes=[-2] and strides=[1]"),
    ((2,), (1, 1), "mismatch in length of strides and shape"),
    ((2,), (2**62,), f"Storage size calculation overflowed with sizes=[2] and strides=[{2**62}]"),
    (
        (2**40,),
        (0,),
        "unsupported operation: more than one element of the written-to tensor refers to a single "
        "memory location. Please clone() the tensor before performing the operation.",
    ),
]


@pytest.mark.parametrize(("size", "stride", "text"), REFUSED, ids=str)
def test_refused_windows(size: tuple[int, ...], stride: tuple[int, ...], text: str):
    with pytest.raises(TrilithError) as caught:
        tri.as_strided_scatter(tri.arange(8.0), tri.zeros(2), size, stride, 0)
    assert caught.value.message == text


def test_no_window_leaves_a_traced_value():
    def program(x: tri.Tensor) -> tri.Tensor:
        return tri.as_strided_scatter(x * 2, tri.zeros(2), (2,), (1,), 7)

    assert answer(program, tri.arange(8.0)) == BEYOND.format(offset=7, needed=36)
    # While tracing the window and the tensor are one view of the value.
    with pytest.raises(RuntimeError, match="storage size of 36 are out of bounds for storage of"):
        tri.compile(program)(tri.arange(8.0))


def test_the_operation_itself_proves_its_window():
    row = TABLE["put_window"]
    assert isinstance(row, PrimitiveOp)
    spec, part = tri.zeros(4).spec, tri.zeros(2).spec
    for offset in (-1, 3, 2**40):
        with pytest.raises(TrilithError):
            row.resolve((spec, part), {"size": (2,), "stride": (1,), "offset": offset})


ATTACK = """
import trilith as tri
from trilith.dialects.diagnostics import TrilithError
for device in DEVICES:
    x, v = tri.arange(8.0, device=device), tri.tensor([100.0, 200.0], device=device)
    for offset in (7, 100, 2**20, 2**40, 2**62, -1, -100, -2**40):
        for run in (tri.as_strided_scatter, tri.compile(tri.as_strided_scatter)):
            try:
                run(x, v, (2,), (1,), offset)
            except TrilithError:
                continue
            raise SystemExit(f"{offset} was taken on {device}")
"""


def test_offsets_far_away_do_not_end_the_process():
    devices = ["cpu", *(["opencl"] if tri.opencl.is_available() else [])]
    script = ATTACK.replace("DEVICES", repr(devices))
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
