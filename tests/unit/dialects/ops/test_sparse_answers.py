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
    # numbers in the place of matrices
    ("matrix() @ tri.ones(3, 1)", "float32 (1, 1) [[3.0], [3.0]]"),
    # what is there for sparse tensors
    (
        "F.relu(matrix() - 2 * matrix(is_coalesced=True))",
        "float32 in order 2+0 [[0, 1], [0, 2]] [0.0, 0.0]",
    ),
    (
        "F.relu((matrix() - 2 * matrix()).coalesce(), inplace=True)",
        "float32 in order 2+0 [[0, 1], [0, 2]] [0.0, 0.0]",
    ),
    ("matrix().dist(matrix() * 2, 1)", "float32 () 6.0"),
    ("matrix().dist(matrix(tri.float64) * 3)", "float64 () 8.48528137423857"),
    (
        "tri.broadcast_tensors(matrix(), tri.ones(3))[0]",
        "float32 in no order 2+0 [[0, 0, 1], [0, 0, 2]] [1.0, 2.0, 3.0]",
    ),
    (
        "tri.broadcast_tensors(matrix(), tri.ones(3))[1]",
        "float32 (0, 1) [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]",
    ),
    (
        "tri.sparse.spdiags(tri.arange(9).reshape(3, 3), tri.tensor([0, -1, 2]), (3, 3))",
        "int64 in no order 2+0 [[0, 1, 2, 1, 2, 0], [0, 1, 2, 0, 1, 2]] [0, 1, 2, 3, 4, 8]",
    ),
    (
        "tri.sparse.spdiags(tri.arange(12).reshape(3, 4), tri.tensor([4, -1, 2]), (4, 4))",
        "int64 in no order 2+0 [[1, 2, 3, 0, 1], [0, 1, 2, 2, 3]] [4, 5, 6, 10, 11]",
    ),
    (
        "tri.sparse.spdiags(tri.arange(4), tri.tensor(1), (4, 4), layout=tri.sparse_coo)",
        "int64 in no order 2+0 [[0, 1, 2], [1, 2, 3]] [1, 2, 3]",
    ),
    (
        "tri.sparse.spdiags(tri.zeros(0, 4), tri.zeros(0, dtype=tri.int64), (4, 4))",
        "float32 in order 2+0 [[], []] []",
    ),
    # text
    (
        'str(hybrid()).replace("torch.", "").replace("trilith.", "")',
        (
            "tensor(indices=tensor([[0, 1],\n                       [2, "
            "0]]),\n       values=tensor([[[0., 1.],\n                       [2., "
            "3.]],\n\n                      [[4., 5.],\n                       "
            "[6., 7.]]]),\n       size=(2, 3, 2, 2), nnz=2, layout=sparse_coo)"
        ),
    ),
    (
        "str(tri.sparse_coo_tensor([list(range(19))], tri.arange(19.0), (40,)))[:200]",
        (
            "tensor(indices=tensor([[ 0,  1,  2,  3,  4,  5,  6,  "
            "7,  8,  9, 10, 11, 12, 13,\n                        "
            "14, 15, 16, 17, 18]]),\n       values=tensor([ 0.,  "
            "1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 1"
        ),
    ),
    (
        (
            "str(tri.sparse_coo_tensor([[0, 1]], "
            "tri.arange(24).half().reshape(2, 12) / 7, (2, 12)))[:210]"
        ),
        (
            "tensor(indices=tensor([[0, 1]]),\n       values=tensor([[0.0000, "
            "0.1428, 0.2856, 0.4285, 0.5713, 0.7144, "
            "0.8569,\n                       1.0000, 1.1426, 1.2861, "
            "1.4287, 1.5713],\n                      [1.7139, 1.8"
        ),
    ),
    # order of entries, and dims
    ("tri.smm(matrix(), tri.ones(3, 1))", "float32 in no order 2+0 [[0, 1], [0, 0]] [3.0, 3.0]"),
    ("empty().t()", "float32 in order 2+0 [[], []] []"),
    (
        "hybrid().coalesce().permute(0, 1, 3, 2)",
        (
            "float32 in order 2+2 [[0, 1], [2, 0]] [[[0.0, "
            "2.0], [1.0, 3.0]], [[4.0, 6.0], [5.0, 7.0]]]"
        ),
    ),
    (
        "hybrid().coalesce().permute(1, 0, 3, 2)",
        (
            "float32 in no order 2+2 [[2, 0], [0, 1]] [[[0.0, "
            "2.0], [1.0, 3.0]], [[4.0, 6.0], [5.0, 7.0]]]"
        ),
    ),
    ("number().t()", "float32 in order 0+0 [] [3.0]"),
    ("number().adjoint()", "float32 in order 0+0 [] [3.0]"),
    ("number().transpose_(0, 0)", "float32 in order 0+0 [] [3.0]"),
    ("number().swapaxes(0, -1)", "float32 in order 0+0 [] [3.0]"),
    ("matrix().narrow_copy(0, 1, 1)", "float32 in no order 2+0 [[0], [2]] [3.0]"),
    ("tri.ones(3, 2).t() + matrix()", "float32 (3, 1) [[4.0, 1.0, 1.0], [1.0, 1.0, 4.0]]"),
    (
        "tri.ones(3, 2).t().double() - matrix()",
        "float64 (3, 1) [[-2.0, 1.0, 1.0], [1.0, 1.0, -2.0]]",
    ),
    # norms, differences, softmax
    (
        "tri.sparse.softmax(matrix(tri.float64), 1)",
        "float64 in order 2+0 [[0, 1], [0, 2]] [1.0, 1.0]",
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
    # numbers in the place of matrices
    (
        "tri.mm(matrix(), 2)",
        TypeError,
        "mm(): argument 'mat2' (position 2) must be Tensor, not int",
    ),
    ("tri.mv(matrix(), 2)", TypeError, "mv(): argument 'vec' (position 2) must be Tensor, not int"),
    (
        "tri.bmm(matrix(), 2)",
        TypeError,
        "bmm(): argument 'mat2' (position 2) must be Tensor, not int",
    ),
    (
        "tri.smm(matrix(), 2)",
        TypeError,
        "smm(): argument 'mat2' (position 2) must be Tensor, not int",
    ),
    (
        "tri.addmm(2, matrix(), tri.ones(3, 2))",
        TypeError,
        "addmm(): argument 'input' (position 1) must be Tensor, not int",
    ),
    (
        "matrix() @ tri.tensor(2.0)",
        RuntimeError,
        "both arguments to matmul need to be at least 1D, but they are 2D and 0D",
    ),
    (
        "tri.tensor(2.0) @ matrix()",
        RuntimeError,
        "both arguments to matmul need to be at least 1D, but they are 0D and 2D",
    ),
    (
        "tri.mv(matrix(), tri.tensor(2.0))",
        RuntimeError,
        "mv: two tensor dim should be 2 and 1, but got SparseTensor Dim: 2Tensor Dim: 0",
    ),
    # what is there for sparse tensors
    ("F.relu(matrix(), inplace=True)", RuntimeError, "relu_ requires coalesced input"),
    (
        "tri.dist(matrix(), tri.ones(2, 3))",
        RuntimeError,
        "add(sparse, dense) is not supported. Use add(dense, sparse) instead.",
    ),
    (
        "tri.dist(matrix(tri.int32), matrix(tri.int32))",
        RuntimeError,
        "norm(): input dtype should be either floating point or complex. Got Int instead.",
    ),
    (
        "tri.broadcast_tensors(matrix(), tri.ones(2, 2, 3))",
        RuntimeError,
        "expand is unsupported for Sparse tensors",
    ),
    (
        "tri.sparse.spdiags(tri.ones(1, 4), tri.tensor([0]), (4, 4), layout=tri.strided)",
        RuntimeError,
        "Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got Strided",
    ),
    (
        "tri.sparse.spdiags(tri.ones(2, 4), tri.tensor([1, 1]), (4, 4))",
        RuntimeError,
        "Offset tensor contains duplicate values",
    ),
    (
        "tri.sparse.spdiags(tri.ones(2, 4), tri.tensor([1]), (4, 4))",
        RuntimeError,
        "Number of diagonals (2) does not match the number of offsets (1)",
    ),
    (
        "tri.sparse.spdiags(tri.ones(1, 4), tri.tensor([1.0]), (4, 4))",
        RuntimeError,
        "Offset Tensor must have dtype Long but got Float",
    ),
    (
        "tri.sparse.spdiags(tri.ones(1, 4), tri.tensor([1]), (4,))",
        RuntimeError,
        "Output shape must be 2d",
    ),
    # order of entries, and dims
    (
        "twice().adjoint()",
        RuntimeError,
        ("tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor."),
    ),
    (
        "matrix().narrow_copy(0, -1, 1)",
        RuntimeError,
        ("Invalid range to narrow. range(start, start+length) must be a subset of range(0, 2)."),
    ),
    (
        "matrix().narrow_copy(-1, 0, 1)",
        RuntimeError,
        "Dimension -1 out of range. Expecting 0 <= dim < 2.",
    ),
    ("matrix().narrow_copy(0, 0, -1)", RuntimeError, "narrow(): length must be non-negative."),
    (
        "matrix().type_as(tri.ones(2))",
        RuntimeError,
        (
            "to(options) doesn't support converting to a different layout, but "
            "got self.layout being Sparse and options.layout set as Strided"
        ),
    ),
    (
        "tri.ones(2).type_as(matrix())",
        RuntimeError,
        (
            "to(options) doesn't support converting to a different layout, but "
            "got self.layout being Strided and options.layout set as Sparse"
        ),
    ),
    # norms, differences, softmax
    (
        "matrix(tri.int32).norm()",
        RuntimeError,
        "norm(): input dtype should be either floating point or complex. Got Int instead.",
    ),
    (
        "matrix(tri.bool).norm(0)",
        RuntimeError,
        "norm(): input dtype should be either floating point or complex. Got Bool instead.",
    ),
    (
        "matrix().norm(dtype=tri.float64)",
        ValueError,
        "dtype argument is not supported in frobenius norm",
    ),
    (
        "matrix() - True",
        RuntimeError,
        (
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you "
            "are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        ),
    ),
    (
        "matrix(tri.bool) - True",
        RuntimeError,
        (
            "Subtraction, the `-` operator, with two bool tensors is not "
            "supported. Use the `^` or `logical_xor()` operator instead."
        ),
    ),
    (
        "matrix() - 1",
        RuntimeError,
        "add(sparse, dense) is not supported. Use add(dense, sparse) instead.",
    ),
    (
        "tri.sparse.softmax(matrix(tri.float16), 0)",
        NotImplementedError,
        "\"softmax\" not implemented for 'Half'",
    ),
    (
        "tri.sparse.log_softmax(hybrid(tri.bfloat16), 2)",
        NotImplementedError,
        "\"log_softmax\" not implemented for 'BFloat16'",
    ),
]


@pytest.mark.parametrize(("expression", "expected"), ANSWERS)
def test_answer(expression: str, expected: str):
    assert text_of(eval(expression, dict(NAMES))) == expected


@pytest.mark.parametrize(("expression", "error", "text"), REFUSALS)
def test_refusal(expression: str, error: type[Exception], text: str):
    with pytest.raises(error, match=re.escape(text)):
        eval(expression, dict(NAMES))
