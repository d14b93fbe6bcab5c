"""Which operations add a product to a tensor? addmm and its like: beta * input + alpha * product.

Where beta is 0 the input is not looked at, so that its NaNs are not in the result. Products of
narrow floats are scaled and added before anything is rounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.dtype import (
    Category,
    DType,
    bfloat16,
    bool_,
    complex64,
    complex128,
    float16,
    float32,
    float64,
)
from ....attributes.memory_format import contiguous_format
from ....attributes.promotion import result_type
from ....attributes.spec import ScalarSpec, TensorSpec
from ....attributes.strides import contiguous_strides
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.argument_values import Number, is_number
from ...frame.elementwise import elementwise
from ...frame.gradients import by_steps
from ...frame.literals import check_fits, spec_of_operand
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.outdated import Outdated
from ...frame.row import Attributes, NumbersCheck, OperandSpec, TensorLanguage
from ...frame.rules import ARITHMETIC, COMPLEX, check_dtype, compute_dtype, promote
from ...frame.view_rows import tensor_of
from ...gradients.products import OF_ADD_OUTER
from ...scalars.scalar import Scalar
from .contraction import multiplies
from .products import FACTORS, check_batches, check_vectors, product_unrounded


def _is_looked_at(number: Any) -> bool:
    """Whether a factor is part of the program: what leaves out a term, and what is converted."""
    return type(number) is not float or number in (0.0, 1.0)


def _checking_factors(*, narrow_floats: bool) -> NumbersCheck:
    """Return the check that the dtype of the products holds the factors."""

    def check(bound: Mapping[str, Any]) -> None:
        dtype = getattr(bound["input"], "dtype", None)
        if isinstance(dtype, DType):
            for name in ("beta", "alpha"):
                check_fits(bound[name], dtype, narrow_floats=narrow_floats)

    return check


_LOOKED_AT = {"beta": _is_looked_at, "alpha": _is_looked_at}


#: Whose matrices BLAS multiplies, and whose vectors.
_BLAS = frozenset({float32, float64, complex64, complex128})
_WIDE = frozenset({float32, float64})


def _is_known(factor: Any, number: int) -> bool:
    """Whether a factor is a number of the program, and this one."""
    return is_number(factor) and factor == number


def number_of(factor: Number, dtype: DType) -> Number:
    """Return a factor as a dtype has it: without imaginary part, without fraction."""
    if dtype.is_complex:
        return factor
    return int(factor.real) if dtype.category <= Category.INTEGRAL else factor.real


def scaled(t: TensorLanguage, value: Any, factor: Any, dtype: DType) -> Any:
    """Return a tensor times a number, which takes the dtype of the products first."""
    if is_number(factor):
        factor = number_of(factor, dtype)
        return value if factor == 1 else t.call("mul", value, factor)
    if dtype.category <= Category.INTEGRAL:
        factor = t.call("full", (), factor, dtype=dtype, device=tensor_of(t, value).device)
    return t.call("mul", value, factor)


def _added(
    t: TensorLanguage, input: Any, product: Any, dtype: DType, factors: tuple[Any, Any]
) -> Any:
    """Return beta times the input and alpha times the product, dense and rounded once."""
    beta, alpha = factors
    if product is not None:
        product = scaled(t, product, alpha, dtype)
    if not _is_known(beta, 0):
        wide = t.call("to", input, compute_dtype(dtype))
        term = scaled(t, wide, beta, dtype)
        product = term if product is None else t.call("add", product, term)
    result = t.call("to", product, dtype)
    spec = tensor_of(t, result)
    is_packed = spec.strides == contiguous_strides(spec.shape)
    if is_packed and result is not input:
        return result
    return t.call("clone", result, memory_format=contiguous_format)


def _sum_of(
    t: TensorLanguage,
    input: Any,
    left: Any,
    right: Any,
    shape: tuple[int, ...],
    factors: tuple[Any, Any],
    *,
    skipping: frozenset[DType] = frozenset(),
) -> Any:
    """Return the sum of an input, which broadcasts, and a product; or the input alone.

    If alpha is 0, BLAS leaves out the product and its NaNs: for the dtypes that are `skipping`.
    There is none, too, of matrices that have no elements.
    """
    factor = tensor_of(t, left)
    dtype = factor.dtype
    input = t.call("expand", input, shape)
    is_skipped = _is_known(factors[1], 0) and dtype in skipping
    if multiplies(shape, factor.shape[-1]) and not is_skipped:
        return _added(t, input, product_unrounded(t, left, right), dtype, factors)
    if _is_known(factors[0], 0):
        return t.call("zeros", shape, dtype=dtype, device=tensor_of(t, left).device)
    return _added(t, input, None, dtype, factors)


def _types(*specs: TensorSpec) -> str:
    first, *others = (spec.dtype.c_name for spec in specs)
    if len(others) == 1:
        return f"{first} and {others[0]}"
    return f"{first}, {others[0]}, and {others[1]}"


def _check_kept(shape: tuple[int, ...], factor: TensorSpec, beta: Any) -> None:
    """Refuse a number times bools: the result, where there are no products to be added."""
    is_kept = factor.dtype is bool_ and 0 not in shape and not factor.shape[-1]
    if not is_kept or not is_number(beta) or not beta:
        return
    common = result_type(factor.operand, ScalarSpec.of(beta).operand)
    if common is not bool_:
        raise TrilithRuntimeError(
            f"result type {common.c_name} can't be cast to the desired output type Bool"
        )


def _addmm(t: TensorLanguage, input: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
    added, left, right = (tensor_of(t, value) for value in (input, mat1, mat2))
    _check_addmm(added, left, right)
    shape = (left.shape[0], right.shape[1])
    _check_kept(shape, left, beta)
    return _sum_of(t, input, mat1, mat2, shape, (beta, alpha), skipping=_BLAS)


def _check_addmm(added: TensorSpec, left: TensorSpec, right: TensorSpec) -> None:
    for name, spec in (("self", added), ("mat1", left)):
        if spec.dtype is not right.dtype:
            raise TrilithRuntimeError(
                f"{name} and mat2 must have the same dtype, but got {_types(spec, right)}"
            )
    for name, spec in (("mat1", left), ("mat2", right)):
        if spec.rank != 2:
            raise TrilithRuntimeError(f"{name} must be a matrix, got {spec.rank}-D tensor")
    if left.shape[1] != right.shape[0]:
        raise TrilithRuntimeError(
            "mat1 and mat2 shapes cannot be multiplied "
            f"({left.shape[0]}x{left.shape[1]} and {right.shape[0]}x{right.shape[1]})"
        )


def _addmv(t: TensorLanguage, input: Any, mat: Any, vec: Any, beta: Any, alpha: Any) -> Any:
    added, matrix, vector = (tensor_of(t, value) for value in (input, mat, vec))
    if added.rank > 1 or matrix.rank != 2 or vector.rank != 1:
        raise TrilithRuntimeError(
            f"vector + matrix @ vector expected, got {added.rank}, {matrix.rank}, {vector.rank}"
        )
    rows, columns = matrix.shape
    if columns != vector.shape[0] or added.numel not in (1, rows):
        raise TrilithRuntimeError(
            f"size mismatch, got input ({added.shape[0] if added.rank else 1}), "
            f"mat ({rows}x{columns}), vec ({vector.shape[0]})"
        )
    if not added.dtype is matrix.dtype is vector.dtype:
        raise TrilithRuntimeError(
            f"addmv input tensors must have the same dtype, but got {_types(added, matrix, vector)}"
        )
    return _sum_of(t, input, mat, vec, (rows,), (beta, alpha), skipping=_WIDE)


def _size(spec: TensorSpec, dim: int) -> int:
    """Return the size of a dim, of which PyTorch asks before it looks at the number of dims."""
    if not spec.rank:
        raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return spec.shape[wrap_dim(dim, spec.rank)]


def _baddbmm(t: TensorLanguage, input: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    added, first, second = (tensor_of(t, value) for value in (input, batch1, batch2))
    shape = (_size(first, 0), _size(first, 1), _size(second, 2))
    input = t.call("expand", input, shape)
    if added.dtype is not first.dtype:
        raise TrilithRuntimeError(
            f"Input dtypes must be the same, got: input {c_type(added.dtype)}, "
            f"batch1: {c_type(first.dtype)}, batch2: {c_type(second.dtype)}"
        )
    check_batches(first, second)
    if multiplies(shape, first.shape[2]):
        check_dtype("baddbmm", first.dtype, FACTORS)
    _check_kept(shape, first, beta)
    return _sum_of(t, input, batch1, batch2, shape, (beta, alpha))


def _addbmm(t: TensorLanguage, input: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    """Multiply two matrices: the batches laid side by side, and laid one below the other."""
    first, second = tensor_of(t, batch1), tensor_of(t, batch2)
    input = t.call("expand", input, (_size(first, 1), _size(second, 2)))
    for name, spec in (("batch1", first), ("batch2", second)):
        if spec.rank != 3:
            raise TrilithRuntimeError(f"{name} must be a 3D tensor")
    count, rows, inner = first.shape
    if count != second.shape[0]:
        raise TrilithRuntimeError(
            f"batch1 and batch2 must have same number of batches, got {count} and {second.shape[0]}"
        )
    columns = second.shape[2]
    if inner != second.shape[1]:
        raise TrilithRuntimeError(
            f"Incompatible matrix sizes for bmm ({rows}x{inner} and {second.shape[1]}x{columns})"
        )
    if first.dtype in (float16, bfloat16):
        # PyTorch adds one product after the other, and rounds each time.
        for number in range(count):
            pair = (t.call("select", batch, 0, number) for batch in (batch1, batch2))
            input = t.call("addmm", input, *pair, beta=1 if number else beta, alpha=alpha)
        if count:
            return input
    left = t.call("reshape", t.call("transpose", batch1, 0, 1), (rows, count * inner))
    right = t.call("reshape", batch2, (count * inner, columns))
    return t.call("addmm", input, left, right, beta=beta, alpha=alpha)


def _addr(t: TensorLanguage, input: Any, vec1: Any, vec2: Any, beta: Any, alpha: Any) -> Any:
    check_vectors(t, "addr", vec1=vec1, vec2=vec2)
    shape = tensor_of(t, vec1).shape + tensor_of(t, vec2).shape
    input, column = t.call("expand", input, shape), t.call("unsqueeze", vec1, 1)
    is_added = not _is_known(beta, 0)
    return t.call("add_outer", input, column, vec2, beta, alpha, is_added)


def _add_outer(
    added: Scalar, first: Scalar, second: Scalar, beta: Scalar, alpha: Scalar, *, is_added: bool
) -> Scalar:
    if added.dtype.category is Category.BOOLEAN:
        product = first & second & alpha
        return (added & beta) | product if is_added else product
    product = alpha * first * second
    return added * beta + product if is_added else product


def _beside_factors(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """The tensors take their common dtype, and the factors take it, too."""
    dtypes, common = promote(operands[:3], attributes)
    return (*dtypes, common, common), common


def _check_addr(bound: Mapping[str, Any]) -> None:
    """Refuse factors that the common dtype of the tensors does not hold."""
    tensors = [bound[name] for name in ("input", "vec1", "vec2")]
    if not all(hasattr(value, "spec") for value in tensors):
        return
    dtype = result_type(*(spec_of_operand(value).operand for value in tensors))
    for name in ("beta", "alpha"):
        factor = bound[name]
        if not is_number(factor):
            continue
        if type(factor) is bool and dtype is not bool_:
            raise TrilithRuntimeError(f"Boolean {name} only supported for Boolean results.")
        if isinstance(factor, (float, complex)) and dtype.category <= Category.INTEGRAL:
            raise TrilithRuntimeError(
                f"For integral input tensors, argument {name} must not be a floating point number."
            )
        check_fits(factor, dtype, narrow_floats=True)


def _outdated(first: str, second: str, *, of_dtypes: str = "") -> Outdated:
    """Return how factors stood before what they are of; PyTorch gives some results a dtype."""
    more = (
        f"{of_dtypes}(Tensor input, Tensor {first}, Tensor {second}, trilith.dtype out_dtype, *, "
        "Number beta = 1, Number alpha = 1, Tensor out = None)"
    )
    orders = (f"beta input alpha {first} {second}", f"beta input {first} {second}")
    return Outdated(orders, (more,) if of_dtypes else ())


elementwise(
    "add_outer(Tensor input, Tensor column, Tensor row, Scalar beta, Scalar alpha, bool is_added)",
    "beta * input + alpha * column * row, elementwise; where nothing is added, without input.",
    "tri.addr(tri.ones(2, 1), tri.tensor([1., 2.]), tri.tensor([3.])).tolist()  # [[4.0], [7.0]]",
    body=_add_outer,
    promotion=_beside_factors,
    accepts=ARITHMETIC | COMPLEX,
    methods=(),
    is_public=False,
    ulp=4.0,
    gradient=OF_ADD_OUTER,
)
composite(
    "addr(Tensor input, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)",
    "beta * input + alpha * the outer product of two vectors.",
    "tri.addr(tri.ones(1, 2), tri.tensor([2.]), tri.tensor([3., 4.]))  # tensor([[7., 9.]])",
    _addr,
    in_place=("addr_",),
    has_out=True,
    static_operands=_LOOKED_AT,
    check_keywords=_check_addr,
    outdated=_outdated("vec1", "vec2"),
    gradient=by_steps("AddrBackward0", "input", "vec1", "vec2"),
)
for _signature, _doc, _example, _expand, _narrow in (
    (
        "addmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
        "beta * input + alpha * the product of two matrices; input broadcasts.",
        "tri.addmm(tri.ones(1, 1), tri.ones(1, 3), tri.ones(3, 1), alpha=2)  # tensor([[7.]])",
        _addmm,
        False,
    ),
    (
        "addmv(Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)",
        "beta * input + alpha * the product of a matrix and a vector; input broadcasts.",
        "tri.addmv(tri.ones(1), tri.ones(1, 3), tri.ones(3), beta=2)  # tensor([5.])",
        _addmv,
        True,
    ),
    (
        "baddbmm(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
        "beta * input + alpha * the products of two batches of matrices; input broadcasts.",
        "tri.baddbmm(tri.ones(1), tri.ones(2, 1, 3), tri.ones(2, 3, 1)).flatten()"
        "  # tensor([4., 4.])",
        _baddbmm,
        False,
    ),
    (
        "addbmm(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
        "beta * input + alpha * the sum of the products of two batches of matrices.",
        "tri.addbmm(tri.ones(1, 1), tri.ones(2, 1, 3), tri.ones(2, 3, 1))  # tensor([[7.]])",
        _addbmm,
        False,
    ),
):
    _name, _, _rest = _signature.partition("(")
    _factors = [each.split()[1] for each in _rest.split(", ")[1:3]]
    composite(
        _signature,
        _doc,
        _example,
        _expand,
        gradient=by_steps(f"{_name.capitalize()}Backward0", "input", *_factors),
        in_place=(f"{_name}_",),
        in_place_functions=("addmv_",) if _name == "addmv" else (),
        has_out=True,
        refuse_out=out_tensor_dtype,
        static_operands=_LOOKED_AT,
        check_keywords=_checking_factors(narrow_floats=_narrow),
        outdated=_outdated(*_factors, of_dtypes=_name if _name in ("addmm", "baddbmm") else ""),
    )
