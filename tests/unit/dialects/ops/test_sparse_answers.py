"""Do sparse tensors answer as PyTorch 2.13 does? Expressions and what it gave, in one table.

Parts are compared as they lie, with the flag that says whether they are in order.
"""

import re
from typing import Any

import pytest

import trilith as tri


def text_of(found: Any) -> str:
    """Return dtype, flag and parts, or elements, or the text of what is neither."""
    if not isinstance(found, tri.Tensor):
        return str(found)
    dtype = str(found.dtype).rpartition(".")[2]
    found = found.detach()
    if found.layout is tri.strided:
        return f"{dtype} {tuple(found.stride())} {found.tolist()}"
    order = "in order" if found.is_coalesced() else "in no order"
    dims = f"{found.sparse_dim()}+{found.dense_dim()}"
    return f"{dtype} {order} {dims} {found._indices().tolist()} {found._values().tolist()}"


def twice(dtype: Any = None) -> Any:
    """Return a vector with two entries of one coordinate."""
    return tri.sparse_coo_tensor([[0, 0]], tri.tensor([1, 1], dtype=dtype or tri.float32), (2,))


def matrix(dtype: Any = None, *, is_coalesced: bool = False) -> Any:
    values = tri.tensor([1, 2, 3], dtype=dtype or tri.float32)
    made = tri.sparse_coo_tensor([[0, 0, 1], [0, 0, 2]], values, (2, 3))
    return made.coalesce() if is_coalesced else made


def hybrid(dtype: Any = None) -> Any:
    values = tri.arange(8, dtype=dtype or tri.float32).reshape(2, 2, 2)
    return tri.sparse_coo_tensor([[0, 1], [2, 0]], values, (2, 3, 2, 2))


def empty(dtype: Any = None) -> Any:
    return tri.sparse_coo_tensor(size=(2, 3), dtype=dtype)


def number(value: float = 3.0) -> Any:
    return tri.tensor(value).to_sparse()


def square(dtype: Any = None) -> Any:
    return tri.tensor([[3, 5], [7, 1]], dtype=dtype)


NAMES = {
    "tri": tri,
    "F": tri.nn.functional,
    "twice": twice,
    "matrix": matrix,
    "hybrid": hybrid,
    "empty": empty,
    "number": number,
    "square": square,
}

#: Expressions with what PyTorch gave.
ANSWERS = [
    # rounded quotients, in place
    ('twice().div_(2, rounding_mode="floor")', "float32 in order 1+0 [[0]] [1.0]"),
    ('twice().div_(2, rounding_mode="trunc")', "float32 in order 1+0 [[0]] [1.0]"),
    ("twice().div_(2)", "float32 in no order 1+0 [[0, 0]] [0.5, 0.5]"),
    ("twice().floor_divide_(2)", "float32 in order 1+0 [[0]] [1.0]"),
    ("twice(tri.int64).floor_divide_(2)", "int64 in order 1+0 [[0]] [1]"),
    ('twice(tri.int64).div_(2, rounding_mode="floor")', "int64 in order 1+0 [[0]] [1]"),
    ("twice().coalesce().floor_divide_(2)", "float32 in order 1+0 [[0]] [1.0]"),
    # sums over dims keep the dtype
    ("tri.sparse.sum(matrix(tri.int32), 0)", "int32 in order 1+0 [[0, 2]] [3, 3]"),
    ("tri.sparse.sum(matrix(tri.uint8), -1)", "uint8 in order 1+0 [[0, 1]] [3, 3]"),
    ("tri.sparse.sum(matrix(tri.bool), 0)", "bool in order 1+0 [[0, 2]] [True, True]"),
    (
        "tri.sparse.sum(matrix(tri.int32), 0, dtype=tri.float64)",
        "float64 in order 1+0 [[0, 2]] [3.0, 3.0]",
    ),
    ("tri.sparse.sum(matrix(tri.int32), [])", "int32 in order 2+0 [[0, 1], [0, 2]] [3, 3]"),
    ("tri.sparse.sum(matrix(tri.int32), (0, 1))", "int64 () 6"),
    ("tri.sparse.sum(hybrid(tri.int32), (0, 1))", "int64 (2, 1) [[4, 6], [8, 10]]"),
    ("matrix(tri.int32).sum(0)", "int64 in order 1+0 [[0, 2]] [3, 3]"),
    ("matrix(tri.bool).sum(0)", "int64 in order 1+0 [[0, 2]] [2, 1]"),
    (
        "hybrid().sum(2, keepdim=True)",
        "float32 in no order 3+1 [[0, 1], [2, 0], [0, 0]] [[2.0, 4.0], [10.0, 12.0]]",
    ),
    (
        "hybrid().sum(3, keepdim=True)",
        "float32 in no order 2+2 [[0, 1], [2, 0]] [[[1.0], [5.0]], [[9.0], [13.0]]]",
    ),
    (
        "hybrid().sum((1, 2, 3), keepdim=True)",
        "float32 in no order 4+0 [[0, 1], [0, 0], [0, 0], [0, 0]] [6.0, 22.0]",
    ),
    ("hybrid().sum((0, 1), keepdim=True)", "float32 (4, 4, 2, 1) [[[[4.0, 6.0], [8.0, 10.0]]]]"),
    (
        "tri.sparse_coo_tensor([[0, 1]], tri.ones(2, 2), (2, 2)).sum(1, keepdim=True)",
        "float32 in no order 2+0 [[0, 1], [0, 0]] [2.0, 2.0]",
    ),
    # bfloat16
    (
        "matrix(tri.bfloat16, is_coalesced=True) + matrix(tri.bfloat16, is_coalesced=True)",
        "bfloat16 in order 2+0 [[0, 1], [0, 2]] [6.0, 6.0]",
    ),
    (
        "matrix(tri.bfloat16, is_coalesced=True) - matrix(tri.bfloat16, is_coalesced=True)",
        "bfloat16 in order 2+0 [[0, 1], [0, 2]] [0.0, 0.0]",
    ),
    (
        (
            "tri.add(matrix(tri.bfloat16, is_coalesced=True), "
            "matrix(tri.bfloat16, is_coalesced=True), alpha=2)"
        ),
        "bfloat16 in order 2+0 [[0, 1], [0, 2]] [9.0, 9.0]",
    ),
    (
        "matrix(tri.bfloat16).to_dense() + matrix(tri.bfloat16)",
        "bfloat16 (3, 1) [[6.0, 0.0, 0.0], [0.0, 0.0, 6.0]]",
    ),
    (
        "(matrix(tri.bfloat16) + matrix(tri.bfloat16)).to_dense()",
        "bfloat16 (3, 1) [[6.0, 0.0, 0.0], [0.0, 0.0, 6.0]]",
    ),
    (
        "(matrix(tri.bfloat16) + matrix(tri.int32)).to_dense()",
        "bfloat16 (3, 1) [[6.0, 0.0, 0.0], [0.0, 0.0, 6.0]]",
    ),
    ("empty(tri.bool) + empty(tri.bool)", "bool in order 2+0 [[], []] []"),
    # factors take the dtype of the product
    (
        "tri.addmm(square(), square(), square(), beta=0.5, alpha=1.5)",
        "int64 (2, 1) [[44, 20], [28, 36]]",
    ),
    (
        "tri.addmm(square(), square(), square(), alpha=2.9 + 0j)",
        "int64 (2, 1) [[91, 45], [63, 73]]",
    ),
    (
        "tri.addmm(square(), square().to_sparse(), square(), beta=0.5, alpha=1.5)",
        "int64 (2, 1) [[44, 20], [28, 36]]",
    ),
    (
        "tri.addmm(square(), square().to_sparse(), square(), beta=1.9, alpha=-2.9)",
        "int64 (2, 1) [[-85, -35], [-49, -71]]",
    ),
    (
        "tri.sparse.addmm(square(), square().to_sparse(), square(), beta=0.5)",
        "int64 (2, 1) [[44, 20], [28, 36]]",
    ),
    (
        "square().addmm_(square().to_sparse(), square(), beta=0.5, alpha=1.5)",
        "int64 (2, 1) [[44, 20], [28, 36]]",
    ),
    (
        (
            "tri.addmm(square(), empty(tri.int64), tri.ones(3, "
            "2, dtype=tri.int64), beta=2.5, alpha=1.5)"
        ),
        "int64 (2, 1) [[6, 10], [14, 2]]",
    ),
    (
        (
            "tri.addmm(square(tri.float32), square(tri.float32).to_sparse(), "
            "square(tri.float32), beta=0.5)"
        ),
        "float32 (2, 1) [[45.5, 22.5], [31.5, 36.5]]",
    ),
    (
        (
            "tri.sspaddmm(square().to_sparse(), "
            "square().to_sparse(), square(), alpha=1.5).to_dense()"
        ),
        "int64 (2, 1) [[47, 25], [35, 37]]",
    ),
]
#: Expressions with the error that PyTorch raised.
REFUSALS: list[tuple[str, type[Exception], str]] = [
    # sums over dims keep the dtype
    (
        "tri.sparse.sum(hybrid(tri.int32), (0, 2))",
        RuntimeError,
        "dtype of values (Long) must match dtype of sparse tensor (Int)",
    ),
    (
        "hybrid(tri.int32).sum(2, dtype=tri.int32)",
        RuntimeError,
        "dtype of values (Long) must match dtype of sparse tensor (Int)",
    ),
    # bfloat16
    (
        "matrix(tri.float16) + matrix(tri.float16)",
        NotImplementedError,
        "\"cadd_sparse\" not implemented for 'Half'",
    ),
    (
        "matrix(tri.bool) + matrix(tri.bool)",
        NotImplementedError,
        "\"cadd_sparse\" not implemented for 'Bool'",
    ),
    # factors take the dtype of the product
    (
        "tri.addmm(square(), square().to_sparse(), square(), beta=2.5)",
        RuntimeError,
        "result type Double can't be cast to the desired output type Long",
    ),
    (
        (
            "tri.addmm(square(tri.int32), square(tri.int32).to_sparse(), "
            "square(tri.int32), beta=2.0)"
        ),
        RuntimeError,
        "result type Double can't be cast to the desired output type Int",
    ),
    (
        "tri.addmm(square(), square().to_sparse(), square(), alpha=1e30)",
        RuntimeError,
        "value cannot be converted to type int64_t without overflow",
    ),
    (
        ("tri.addmm(square(tri.int8), square(tri.int8).to_sparse(), square(tri.int8), beta=300)"),
        RuntimeError,
        "value cannot be converted to type int8_t without overflow",
    ),
    (
        (
            "tri.addmm(square(tri.float32), square(tri.float32).to_sparse(), "
            "square(tri.float32), alpha=1j)"
        ),
        RuntimeError,
        "value cannot be converted to type float without overflow",
    ),
    (
        (
            "tri.addmm(square(tri.float32), square(tri.float32).to_sparse(), "
            "square(tri.float32), beta=2 + 0j)"
        ),
        RuntimeError,
        "result type ComplexFloat can't be cast to the desired output type Float",
    ),
    (
        ("tri.addmm(square(tri.float64), square(tri.float32).to_sparse(), square(tri.float32))"),
        RuntimeError,
        "expected scalar type Float but found Double",
    ),
    (
        "tri.sspaddmm(square().to_sparse(), square().to_sparse(), square(), beta=2.5)",
        RuntimeError,
        "result type Float can't be cast to the desired output type Long",
    ),
]


@pytest.mark.parametrize(("expression", "expected"), ANSWERS)
def test_answer(expression: str, expected: str):
    assert text_of(eval(expression, dict(NAMES))) == expected


@pytest.mark.parametrize(("expression", "error", "text"), REFUSALS)
def test_refusal(expression: str, error: type[Exception], text: str):
    with pytest.raises(error, match=re.escape(text)):
        eval(expression, dict(NAMES))
