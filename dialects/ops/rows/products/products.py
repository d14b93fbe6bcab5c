"""Which products of vectors and matrices are there beside matmul? Those of fixed dims."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import DType
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithRuntimeError
from ...frame.gradients import by_steps
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.row import TensorLanguage
from ...frame.rules import FIELDS, INTEGERS, check_dtype, compute_dtype
from ...frame.view_rows import tensor_of

#: What kernels that multiply and add take.
FACTORS = INTEGERS | FIELDS


def product_unrounded(t: TensorLanguage, left: Any, right: Any) -> Any:
    """Return a matrix product whose sums of narrow floats are float32 still."""
    dtype = tensor_of(t, left).dtype
    is_wide = compute_dtype(dtype) is dtype
    return t.call("matmul" if is_wide else "matmul_unrounded", left, right)


def _mm(t: TensorLanguage, input: Any, mat2: Any) -> Any:
    for name, value in (("self", input), ("mat2", mat2)):
        if tensor_of(t, value).rank != 2:
            raise TrilithRuntimeError(f"{name} must be a matrix")
    return t.call("matmul", input, mat2)


def check_batches(first: TensorSpec, second: TensorSpec) -> None:
    """Refuse what are no two batches of matrices that can be multiplied."""
    if first.rank != 3:
        raise TrilithRuntimeError("batch1 must be a 3D tensor")
    if second.rank != 3:
        raise TrilithRuntimeError("batch2 must be a 3D tensor")
    count, _, inner = first.shape
    if second.shape[:2] != (count, inner):
        raise TrilithRuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{count}, {inner}] but got: [{second.shape[0]}, {second.shape[1]}]."
        )


def _bmm(t: TensorLanguage, input: Any, mat2: Any) -> Any:
    check_batches(tensor_of(t, input), tensor_of(t, mat2))
    return t.call("matmul", input, mat2)


def _mv(t: TensorLanguage, input: Any, vec: Any) -> Any:
    matrix, vector = tensor_of(t, input).rank, tensor_of(t, vec).rank
    if matrix != 2 or vector != 1:
        raise TrilithRuntimeError(
            f"vector + matrix @ vector expected, got 1, {matrix}, {vector}",
        )
    return t.call("matmul", input, vec)


def _dot(t: TensorLanguage, input: Any, tensor: Any) -> Any:
    first, second = tensor_of(t, input).rank, tensor_of(t, tensor).rank
    if first != 1 or second != 1:
        raise TrilithRuntimeError(
            f"1D tensors expected, but got {first}D and {second}D tensors",
        )
    return t.call("matmul", input, tensor)


def _vdot(t: TensorLanguage, input: Any, other: Any) -> Any:
    dtype = tensor_of(t, input).dtype
    if not dtype.is_complex:
        return t.call("dot", input, other)
    conjugate = t.call("conj", input)
    if tensor_of(t, other).dtype is dtype:
        check_dtype("vdot", dtype, FACTORS)
    return t.call("dot", conjugate, other)


def _dot_out(result: DType, out: DType) -> None:
    """Refuse another dtype as dot does."""
    if out is not result:
        raise TrilithRuntimeError(
            f"result dtype {out.c_name} does not match input dtype {result.c_name}"
        )


def _inner(t: TensorLanguage, input: Any, other: Any) -> Any:
    first, second = tensor_of(t, input), tensor_of(t, other)
    if not first.rank or not second.rank:
        return t.call("mul", input, other)
    if first.shape[-1] != second.shape[-1]:
        raise TrilithRuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(first.shape)} and {list(second.shape)}"
        )
    return t.call("tensordot", input, other, ((-1,), (-1,)))


def check_vectors(t: TensorLanguage, name: str, **values: Any) -> None:
    """Refuse what has other than one dim, by the name of the argument."""
    for argument, value in values.items():
        rank = tensor_of(t, value).rank
        if rank != 1:
            raise TrilithRuntimeError(f"{name}: Expected 1-D argument {argument}, but got {rank}-D")


def _outer(t: TensorLanguage, input: Any, vec2: Any) -> Any:
    check_vectors(t, "outer", self=input, vec2=vec2)
    return t.call("mul", t.call("unsqueeze", input, 1), vec2)


def _vecdot(t: TensorLanguage, x: Any, y: Any, dim: int) -> Any:
    first, second = tensor_of(t, x), tensor_of(t, y)
    dtype = first.dtype
    if dtype not in FIELDS:
        raise TrilithRuntimeError(
            "linalg.vecdot: Expected a floating point or complex tensor as input. Got "
            f"{dtype.c_name}"
        )
    if second.dtype is not dtype:
        raise TrilithRuntimeError(
            "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
            f"{dtype.c_name} and y of type {second.dtype.c_name} instead"
        )
    if first.rank == second.rank == 1 and wrap_dim(dim, 1) == 0:
        return t.call("vdot", x, y)
    wide = compute_dtype(dtype)
    factors = [t.call("to", value, wide) for value in (t.call("conj", x), y)]
    return t.call("to", t.call("sum", t.call("mul", *factors), dim), dtype)


def _vecdot_out(result: DType, out: DType) -> None:
    """Refuse another dtype as vecdot does."""
    if out is not result:
        raise TrilithRuntimeError(
            f"linalg.vecdot: Expected out of dtype{result.c_name} but found {out.c_name}"
        )


composite(
    "mm(Tensor input, Tensor mat2)",
    "The product of two matrices.",
    "tri.mm(tri.tensor([[1., 2.]]), tri.tensor([[3.], [4.]]))  # tensor([[11.]])",
    _mm,
    has_out=True,
    refuse_out=out_tensor_dtype,
)
composite(
    "bmm(Tensor input, Tensor mat2)",
    "The products of as many pairs of matrices as two batches hold.",
    "tri.bmm(tri.ones(2, 1, 3), tri.ones(2, 3, 1)).flatten()  # tensor([3., 3.])",
    _bmm,
    has_out=True,
    refuse_out=out_tensor_dtype,
    gradient=by_steps("BmmBackward0", "input", "mat2"),
)
composite(
    "mv(Tensor input, Tensor vec)",
    "The product of a matrix and a vector.",
    "tri.mv(tri.tensor([[1., 2.], [3., 4.]]), tri.tensor([1., 1.]))  # tensor([3., 7.])",
    _mv,
    has_out=True,
    refuse_out=out_tensor_dtype,
)
composite(
    "dot(Tensor input, Tensor tensor)",
    "The sum of the products of the elements of two vectors.",
    "tri.dot(tri.tensor([2, 3]), tri.tensor([2, 1]))  # tensor(7)",
    _dot,
    has_out=True,
    refuse_out=_dot_out,
)
composite(
    "vdot(Tensor input, Tensor other)",
    "The dot product of two vectors, the first of them conjugated.",
    "tri.vdot(tri.tensor([1j, 1.]), tri.tensor([1j, 2.]))  # tensor(3.+0.j)",
    _vdot,
    has_out=True,
    refuse_out=_dot_out,
    gradient=by_steps("VdotBackward0", "input", "other"),
)
composite(
    "inner(Tensor input, Tensor other)",
    "The sums of products along the last dims of two tensors, for all pairs of what is before.",
    "tri.inner(tri.tensor([1, 2, 3]), tri.tensor([0, 2, 1]))  # tensor(7)",
    _inner,
    has_out=True,
)
composite(
    "outer(Tensor input, Tensor vec2)",
    "The products of all pairs of elements of two vectors, as a matrix.",
    "tri.outer(tri.tensor([1, 2]), tri.tensor([3, 4]))  # tensor([[3, 4],\n#         [6, 8]])",
    _outer,
    methods=("outer", "ger"),
    has_out=True,
)
composite(
    "linalg_vecdot(Tensor x, Tensor y, *, int dim=-1)",
    "The dot products of vectors along a dim of two tensors, the first of them conjugated.",
    "tri.linalg.vecdot(tri.ones(2, 3), tri.tensor([1., 2., 3.]))  # tensor([6., 6.])",
    _vecdot,
    methods=(),
    is_public=False,
    places=("linalg.vecdot",),
    has_out=True,
    refuse_out=_vecdot_out,
)
