"""Do the interpreter, before and after scheduling, and machine code give the same bits?"""

from typing import Any

import numpy as np
import pytest

RANDOM = np.random.default_rng(17)


def normal(*shape: int) -> Any:
    return RANDOM.standard_normal(shape, dtype=np.float32)


def factors(rows: int, columns: int, depth: int) -> list[Any]:
    """Return matrices that are multiplied, in memory row by row."""
    left, right = normal(rows, depth), normal(depth, columns)
    return [(left, (depth, 0, 1)), (right, (0, 1, columns))]


def minus_one(count: int) -> Any:
    return np.full(count, -1)


def several_equal(rows: int, columns: int) -> Any:
    """Return a matrix of few values, infinities among them; in the last row they are in order."""
    numbers = RANDOM.integers(-2, 3, (rows, columns)).astype(np.float32) * 0.5
    numbers[RANDOM.random((rows, columns)) < 0.1] = -np.inf
    numbers[-1] = -np.arange(columns)[::-1]
    return numbers


#: File, kernel, arguments; the last array is the result.
CASES: list[tuple[str, str, list[Any]]] = [
    ("softmax.mlir", "softmax", [3, 45, normal(3, 45), normal(3, 45)]),
    ("transpose.mlir", "transpose", [9, 13, normal(13, 9), normal(9, 13)]),
    # A few rows of several pieces, and as many columns.
    ("transpose.mlir", "transpose", [2, 522, normal(522, 2), normal(2, 522)]),
    ("transpose.mlir", "transpose", [263, 1, normal(1, 263), normal(263, 1)]),
    ("transpose.mlir", "transpose_tiles", [9, 13, normal(13, 9), normal(9, 13)]),
    ("matmul.mlir", "matmul", [4, 16, 9, normal(4, 9), normal(9, 16), normal(4, 16)]),
    ("argmax.mlir", "argmax", [3, 29, normal(3, 29), np.zeros(3, np.int64)]),
    # Rows that are a group and not, with equal elements.
    *(
        (
            "schedule_first.mlir",
            "largest",
            [rows, count, several_equal(rows, count), normal(rows), np.zeros(rows, np.int64)],
        )
        for rows, count in [(1, 3), (4, 16), (7, 45), (9, 64)]
    ),
    ("scan.mlir", "cumsum_rows", [3, 21, normal(3, 21), normal(3, 21)]),
    ("scan.mlir", "cumsum_columns", [3, 21, normal(3, 21), normal(3, 21)]),
    # Rows of one vector, of two, and longer ones; the window may reach over the edges.
    *(
        ("window.mlir", "pad", [6, m, 1, 3, left, w, np.float32(7), normal(3, w), normal(6, m)])
        for m, left, w in [(5, 1, 3), (9, -2, 7), (14, 9, 9), (41, 2, 38), (70, -3, 20)]
    ),
    ("schedule.mlir", "sum_columns", [70, 37, normal(70, 37), normal(37)]),
    ("schedule.mlir", "to_bytes", [11, RANDOM.standard_normal(11), np.zeros(11, np.int8)]),
    ("schedule.mlir", "indices", [13, normal(27), normal(13)]),
    ("schedule_blocked.mlir", "product", [19, 37, 400, *factors(19, 37, 400), normal(19, 37)]),
    (
        "schedule_packed_rows.mlir",
        "product",
        [21, 35, 9, (normal(9, 21), (1, 0, 21)), (normal(9, 35), (0, 1, 35)), normal(21, 35)],
    ),
    *(
        (
            "schedule_widened.mlir",
            name,
            [m, n, 400, left, right, normal(m, n)],
        )
        for m, n in [(19, 37), (40, 64), (3, 21)]
        for left in [(normal(m, 400), (400, 0, 1))]
        for name, right in [
            ("product", (normal(400, n).astype(np.float16), (0, 1, n))),
            ("across", ((normal(n, 400).view(np.int32) >> 16).astype(np.int16), (0, 400, 1))),
            ("squared", (normal(400, n), (0, 1, n))),
        ]
    ),
    *(  # one piece of k, and more than one
        (
            "schedule_rounded.mlir",
            "product",
            [19, n, k, *factors(19, n, k), np.zeros((19, n), np.float16)],
        )
        for n, k in [(37, 384), (38, 385)]
    ),
    *(
        (
            "schedule_rounded.mlir",
            "convolution",
            [
                *(35, h, 12, c, 3, 3),
                (normal(c, h + 2, 14), (0, 14, 1, (h + 2) * 14, 14, 1)),
                (normal(35, c, 3, 3), (c * 9, 0, 0, 9, 3, 1)),
                np.zeros((35, h, 12), np.float16),
            ],
        )
        for h, c in [(5, 13), (6, 43)]
    ),
    (
        "schedule_epilogue.mlir",
        "product",
        [19, 37, 400, *factors(19, 37, 400), normal(37), normal(19, 37)],
    ),
    (
        "schedule_epilogue.mlir",
        "convolution",
        [
            *(35, 5, 12, 13, 3, 3),
            (normal(13, 7, 14), (0, 14, 1, 7 * 14, 14, 1)),
            (normal(35, 13, 3, 3), (13 * 9, 0, 0, 9, 3, 1)),
            *(normal(35), normal(35, 5, 12), normal(35, 5, 12)),
        ],
    ),
    (
        "schedule_epilogue.mlir",
        "row",
        [37, 19, normal(19), (normal(19, 37), (1, 37)), normal(37), normal(37)],
    ),
]


IDS = [f"{file.removesuffix('.mlir')}-{name}-{given[1]}" for file, name, given in CASES]


@pytest.mark.parametrize(("file", "name", "arguments"), CASES, ids=IDS)
def test_levels_agree(
    compile_kernel: Any, interpret_kernel_text: Any, file: str, name: str, arguments: list[Any]
):
    kernels = [
        interpret_kernel_text("", name, file=file),
        interpret_kernel_text("", name, file=file, vector_bits=256),
        interpret_kernel_text("", name, file=file, vector_bits=128),
        interpret_kernel_text("", name, file=file, vector_bits=512),
        compile_kernel("", name, file=file),
    ]
    results: list[bytes] = []
    for kernel in kernels:
        result = arguments[-1].copy()
        kernel(*arguments[:-1], result)
        results.append(result.tobytes())
    assert results[0] != arguments[-1].tobytes()
    assert results.count(results[0]) == len(results)


def test_faults_agree(compile_kernel: Any, interpret_kernel_text: Any):
    x = np.ones(13, np.int32)
    x[11] = 0
    compiled = compile_kernel("", "check", file="schedule.mlir")(13, x)
    assert compiled == (1, 2)
    assert interpret_kernel_text("", "check", file="schedule.mlir")(13, x) == compiled
    scheduled = interpret_kernel_text("", "check", file="schedule.mlir", vector_bits=256)
    assert scheduled(13, x) == compiled
