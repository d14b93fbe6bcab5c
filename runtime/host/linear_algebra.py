"""How are linear systems solved, and matrices taken apart? By NumPy's LAPACK, batch by batch.

What NumPy has not, triangular systems and factors with pivots, is computed by `blocked`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...dialects.diagnostics import TrilithLinAlgError, TrilithRuntimeError
from .blocked import eliminate, substitute, with_reflections
from .bodies import Array, Arrays


def inverse(operands: Arrays, results: Arrays, *, name: str) -> None:
    """Fill the inverses, and where each matrix is found to be singular; 0 where it is not."""
    (matrices,), (inverses, infos) = operands, results
    infos[...] = 0
    try:
        inverses[...] = np.linalg.inv(matrices)
    except np.linalg.LinAlgError:
        ones = np.eye(matrices.shape[-1], dtype=matrices.dtype)
        _solve_some(matrices, ones, inverses)
        _find_singular(matrices, infos)
    _check(name, infos, _SINGULAR_INVERSE)


def solve(operands: Arrays, results: Arrays, *, left: bool, is_vector: bool, name: str) -> None:
    """Fill X of A X = B, or of X A = B, and where each matrix is found to be singular."""
    (matrices, sides), (solutions, infos) = operands, results
    if is_vector:
        sides, solutions = sides[..., None], solutions[..., None]
    elif not left:
        matrices, sides, solutions = (
            np.swapaxes(item, -1, -2) for item in (matrices, sides, solutions)
        )
    infos[...] = 0
    try:
        solutions[...] = np.linalg.solve(matrices, sides)
    except np.linalg.LinAlgError:
        _solve_some(matrices, sides, solutions)
        _find_singular(matrices, infos)
    _check(name, infos, _SINGULAR_SYSTEM)


def _solve_some(matrices: Array, sides: Array, solutions: Array) -> None:
    """Fill the solutions of one system after the other; those of singular ones are infinite."""
    batch = solutions.shape[:-2]
    matrices = np.broadcast_to(matrices, (*batch, *matrices.shape[-2:]))
    sides = np.broadcast_to(sides, solutions.shape)
    for index in np.ndindex(batch):
        try:
            solutions[index] = np.linalg.solve(matrices[index], sides[index])
        except np.linalg.LinAlgError:
            solutions[index] = np.inf


def _find_singular(matrices: Array, infos: Array) -> None:
    """Fill which pivot is 0, for the matrices that LAPACK calls singular."""
    for index in np.ndindex(infos.shape):
        try:
            np.linalg.inv(matrices[index])
        except np.linalg.LinAlgError:
            infos[index] = _zero_pivot(matrices[index])


_SINGULAR_INVERSE = (
    "The diagonal element {} is zero, the inversion could not be completed because the input "
    "matrix is singular."
)
_SINGULAR_SYSTEM = "The solver failed because the input matrix is singular."
_NOT_POSITIVE = (
    "The factorization could not be completed because the input is not positive-definite (the "
    "leading minor of order {} is not positive-definite)."
)
_NOT_CONVERGING = (
    "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
    "repeated eigenvalues (error code: {})."
)
_NOT_FINITE = (
    "The algorithm failed to converge because the input matrix contained non-finite values."
)


def _zero_pivot(matrix: Array) -> int:
    """Return which pivot of a singular matrix is 0, counted from 1."""
    factors = np.array(matrix)
    eliminate(factors, np.empty(factors.shape[:-1], np.int32))
    found = np.flatnonzero(np.diagonal(factors) == 0)
    return int(found[0]) + 1 if len(found) else len(matrix)


def _check(name: str, infos: Array, text: str) -> None:
    """Raise for the first matrix of a batch that has failed, if somebody asks for that."""
    if name and infos.any():
        index = int(np.flatnonzero(infos)[0])
        batch = f"(Batch element {index}): " if infos.ndim else ""
        raise TrilithLinAlgError(f"{name}: {batch}{text.format(int(infos.flat[index]))}")


def cholesky(operands: Arrays, results: Arrays, *, upper: bool, name: str) -> None:
    """Fill the triangular factors, and the order of the minor that is not positive."""
    (matrices,), (factors, infos) = operands, results
    if upper:
        # U of U^H U is the adjoint of a lower triangular factor, and so is what is read.
        matrices, factors = np.swapaxes(matrices, -1, -2).conj(), np.swapaxes(factors, -1, -2)
    infos[...] = 0
    found = _factor(matrices)
    if found is None:
        found = _factor_some(matrices, infos)
    factors[...] = found.conj() if upper else found
    _check(name, infos, _NOT_POSITIVE)


def _factor(matrices: Array) -> Array | None:
    """Return the lower triangular factors, or None if a matrix is not positive-definite."""
    try:
        found: Array = np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:
        return None
    # OpenBLAS takes NaN for positive.
    return None if np.isnan(np.diagonal(found, axis1=-2, axis2=-1)).any() else found


def _factor_some(matrices: Array, infos: Array) -> Array:
    """Return the factors of one matrix after the other, and fill where some have none."""
    factors = np.empty_like(matrices)
    for index in np.ndindex(infos.shape):
        found = _factor(matrices[index])
        if found is None:
            infos[index] = _minor(matrices[index])
            found = _begun_factor(matrices[index], int(infos[index]) - 1)
        factors[index] = found
    return factors


def _minor(matrix: Array) -> int:
    """Return the order of the first leading minor that is not positive-definite."""
    low, high = 0, len(matrix)
    while low + 1 < high:
        middle = (low + high) // 2
        if _factor(matrix[:middle, :middle]) is None:
            high = middle
        else:
            low = middle
    return high


def _begun_factor(matrix: Array, count: int) -> Array:
    """Return so many columns of a factor and the next element of its diagonal, as LAPACK does.

    That one is the square of what it should be, and not positive.
    """
    factor = np.tril(matrix)
    if count:
        corner: Array = np.linalg.cholesky(matrix[:count, :count])
        beside = matrix[count:, :count].T.conj()
        substitute(corner, beside, upper=False, unitriangular=False)
        factor[:count, :count] = corner
        factor[count:, :count] = beside.T.conj()
        factor[count, count] -= (np.abs(beside[:, 0]) ** 2).sum()
    return factor


def determinant(operands: Arrays, results: Arrays) -> None:
    """Fill the determinants."""
    results[0][...] = np.linalg.det(operands[0])


def log_determinant(operands: Arrays, results: Arrays) -> None:
    """Fill the signs of determinants, and the logarithms of their absolute values."""
    signs, logarithms = results
    signs[...], logarithms[...] = np.linalg.slogdet(operands[0])
    if signs.dtype == logarithms.dtype:
        # PyTorch's sign of NaN, of which only complex numbers have another.
        signs[np.isnan(logarithms)] = 0


def qr(operands: Arrays, results: Arrays, *, mode: str) -> None:
    """Fill an orthonormal basis of the columns, but for the mode "r", and what is left of them."""
    (matrices,), (basis, rest) = operands, results
    if mode == "r":
        rest[...] = np.linalg.qr(matrices, "r")
    elif 0 in matrices.shape:
        basis[...] = np.eye(basis.shape[-2], basis.shape[-1])
        rest[...] = 0
    else:
        basis[...], rest[...] = np.linalg.qr(
            matrices, "reduced" if mode == "reduced" else "complete"
        )


def svd(operands: Arrays, results: Arrays, *, full_matrices: bool) -> None:
    """Fill the left singular vectors, the singular values and the right singular vectors."""
    left, values, right = results
    if 0 in operands[0].shape[-2:]:
        for vectors in (left, right):
            vectors[...] = np.eye(vectors.shape[-2], vectors.shape[-1])
        return
    _check_finite("linalg.svd", operands[0])
    left[...], values[...], right[...] = np.linalg.svd(operands[0], full_matrices)


def singular_values(operands: Arrays, results: Arrays) -> None:
    """Fill the singular values, the largest first."""
    _check_finite("linalg.svd", operands[0])
    results[0][...] = np.linalg.svd(operands[0], compute_uv=False)


def _check_finite(name: str, matrices: Array) -> None:
    is_finite = np.isfinite(matrices).all((-2, -1))
    if not is_finite.all():
        index = int(np.flatnonzero(~is_finite)[0])
        batch = f"(Batch element {index}): " if is_finite.ndim else ""
        raise TrilithLinAlgError(f"{name}: {batch}{_NOT_FINITE}")


def eigh(operands: Arrays, results: Arrays, *, lower: bool) -> None:
    """Fill the eigenvalues of Hermitian matrices, the smallest first, and their vectors."""
    values, vectors = results
    compute = partial(np.linalg.eigh, UPLO="L" if lower else "U")
    try:
        values[...], vectors[...] = compute(operands[0])
    except np.linalg.LinAlgError:
        _refuse_not_converging(compute, operands[0], operands[0].shape[-1] - 1)


def eigvalsh(operands: Arrays, results: Arrays, *, lower: bool) -> None:
    """Fill the eigenvalues of Hermitian matrices, the smallest first."""
    compute = partial(np.linalg.eigvalsh, UPLO="L" if lower else "U")
    try:
        results[0][...] = compute(operands[0])
    except np.linalg.LinAlgError:
        _refuse_not_converging(compute, operands[0], operands[0].shape[-1] - 2)


def _refuse_not_converging(compute: Callable[[Array], Any], matrices: Array, code: int) -> None:
    """Raise for the first matrix without eigenvalues, with the code that LAPACK has for NaN.

    NumPy keeps its code to itself, and there is hardly another reason.
    """
    infos = np.zeros(matrices.shape[:-2], np.int32)
    for index in np.ndindex(infos.shape):
        try:
            compute(matrices[index])
        except np.linalg.LinAlgError:
            infos[index] = max(code, 1)
            break
    _check("linalg.eigh", infos, _NOT_CONVERGING)


def eig(operands: Arrays, results: Arrays) -> None:
    """Fill eigenvalues and eigenvectors, which are complex numbers."""
    _refuse_infinite(operands[0])
    values, vectors = results
    values[...], vectors[...] = np.linalg.eig(operands[0])


def eigvals(operands: Arrays, results: Arrays) -> None:
    """Fill the eigenvalues, which are complex numbers."""
    _refuse_infinite(operands[0])
    results[0][...] = np.linalg.eigvals(operands[0])


def _refuse_infinite(matrices: Array) -> None:
    if not np.isfinite(matrices).all():
        raise TrilithLinAlgError("torch.linalg.eig: input tensor should not contain infs or NaNs.")


# ---- what NumPy has not


def solve_triangular(
    operands: Arrays, results: Arrays, *, upper: bool, left: bool, unitriangular: bool
) -> None:
    """Fill X of A X = B, or of X A = B, by substitution."""
    (matrices, sides), (solutions,) = operands, results
    if not left:
        matrices, sides, solutions = (
            np.swapaxes(item, -1, -2) for item in (matrices, sides, solutions)
        )
        upper = not upper
    found = np.array(np.broadcast_to(sides, solutions.shape))
    substitute(matrices, found, upper=upper, unitriangular=unitriangular)
    solutions[...] = found


def lu_factor(operands: Arrays, results: Arrays, *, pivot: bool, name: str) -> None:
    """Fill both triangular factors in one matrix, the rows that changed places, and infos."""
    (matrices,), (factors, pivots, infos) = operands, results
    held = np.array(matrices)
    eliminate(held, pivots)
    factors[...] = held
    is_zero = np.diagonal(held, axis1=-2, axis2=-1) == 0
    infos[...] = np.where(is_zero.any(-1), is_zero.argmax(-1) + 1, 0) if is_zero.shape[-1] else 0
    if name and infos.any():
        index = int(np.flatnonzero(infos)[0])
        batch = f"(Batch element {index}): " if infos.ndim else ""
        number = int(infos.flat[index])
        raise TrilithRuntimeError(
            f"{name}: {batch}U[{number},{number}] is zero and using it on lu_solve would result in "
            "a division by zero. If you still want to perform the factorization, consider calling "
            "linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
        )


def lstsq(operands: Arrays, results: Arrays, *, rcond: float | None) -> None:
    """Fill the solutions of least squares, the ranks, and the singular values of the matrices."""
    (matrices, sides), (solutions, ranks, values) = operands, results
    if not (np.isfinite(matrices).all() and np.isfinite(sides).all()):
        # LAPACK may never return, or write where it must not.
        raise TrilithLinAlgError(f"torch.linalg.lstsq: {_NOT_FINITE}")
    for index in np.ndindex(ranks.shape):
        found, _, rank, singular = np.linalg.lstsq(matrices[index], sides[index], rcond)
        solutions[index], ranks[index], values[index] = found, rank, singular


#: Of the approximation of exp by a quotient of polynomials, and up to which norm it is exact.
_PADE = (
    *(17643225600.0, 8821612800.0, 2075673600.0, 302702400.0, 30270240.0, 2162160.0),
    *(110880.0, 3960.0, 90.0, 1.0),
)
_PADE_NORM = 2.0


def exponential(operands: Arrays, results: Arrays) -> None:
    """Fill the exponentials of matrices: they are scaled down, approximated and squared again."""
    matrices = operands[0]
    wide = matrices.astype(np.complex128 if matrices.dtype.kind == "c" else np.float64)
    if not wide.size:
        return
    wide = wide.reshape(-1, *wide.shape[-2:])
    norm = np.abs(wide).sum(-2).max(-1)
    is_finite = np.isfinite(norm)
    wide[~is_finite] = 0
    with np.errstate(divide="ignore"):
        needed = np.ceil(np.log2(np.where(is_finite, norm, 0) / _PADE_NORM))
    squarings = np.maximum(needed, 0).astype(np.int64)
    found = _by_quotient(wide / 2.0 ** squarings[:, None, None])
    for step in range(int(squarings.max())):
        left = squarings > step
        found[left] = found[left] @ found[left]
    found[~is_finite] = np.nan
    results[0][...] = found.reshape(matrices.shape)


def _by_quotient(matrices: Array) -> Array:
    """Return the exponentials of small matrices, by a quotient of polynomials."""
    power = np.broadcast_to(np.eye(matrices.shape[-1], dtype=matrices.dtype), matrices.shape)
    even, odd = np.zeros_like(matrices), np.zeros_like(matrices)
    for order, factor in enumerate(_PADE):
        part = odd if order % 2 else even
        part += factor * power
        if order + 1 < len(_PADE):
            power = power @ matrices
    return np.linalg.solve(even - odd, even + odd)


def permutation(operands: Arrays, results: Arrays, *, name: str) -> None:
    """Fill the matrices P of P L U, from the rows that changed places."""
    (pivots, _), (matrices,) = operands, results
    matrices[...] = 0
    count = matrices.shape[-1]
    _check_pivots(name, pivots, count)
    for index in np.ndindex(pivots.shape[:-1]):
        matrices[index][_order_of_rows(pivots[index], count), np.arange(count)] = 1


def _check_pivots(name: str, pivots: Array, count: int) -> None:
    """Refuse what names no row, in the words of a function."""
    is_low, is_high = (pivots < 1).any(), (pivots > count).any()
    if not (is_low or is_high):
        return
    if name == "lu_solve":
        bound = "greater or equal to 1" if is_low else "smaller or equal to LU.size(-2)"
        raise TrilithRuntimeError(
            f"Pivots given to lu_solve must all be {bound}. Did you properly pass the result of "
            "lu_factor?"
        )
    raise TrilithRuntimeError(
        "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
        "Did you properly pass the result of lu_factor?"
    )


def _order_of_rows(pivots: Array, count: int) -> Array:
    """Return which row each row was before they changed places."""
    order = np.arange(count)
    for row, other in enumerate(pivots):
        order[[row, other - 1]] = order[[other - 1, row]]
    return order


def householder(operands: Arrays, results: Arrays) -> None:
    """Fill the first columns of products of reflections, each by a vector and its factor."""
    (vectors, factors), (products,) = operands, results
    *_, rows, columns = vectors.shape
    found = np.zeros((*vectors.shape[:-2], rows, columns), vectors.dtype)
    found[..., range(columns), range(columns)] = 1
    with_reflections(vectors, factors, found)
    products[...] = found


def reflections(operands: Arrays, results: Arrays) -> None:
    """Fill R with the vectors of reflections below it, and the factors of these."""
    (matrices,), (packed, factors) = operands, results
    if 0 in matrices.shape:
        return
    # NumPy gives LAPACK's columns as rows.
    turned, factors[...] = np.linalg.qr(matrices, "raw")
    packed[...] = np.swapaxes(turned, -1, -2)


def reflect(operands: Arrays, results: Arrays, *, left: bool, transpose: bool) -> None:
    """Fill the products of other matrices with the basis of reflections, or with its adjoint.

    From the right it is the adjoint of a product from the left.
    """
    (vectors, factors, others), (products,) = operands, results
    found = np.array(others if left else np.swapaxes(others, -1, -2).conj())
    # Q is the product of reflections from the first to the last; its adjoint has them reversed.
    is_adjoint = transpose is left
    steps = range(factors.shape[-1])
    for step in steps if is_adjoint else reversed(steps):
        vector = np.array(vectors[..., step:, step])
        vector[..., 0] = 1
        factor = factors[..., step, None, None]
        part = found[..., step:, :]
        along = vector[..., None, :].conj() @ part
        part -= (factor.conj() if is_adjoint else factor) * vector[..., :, None] * along
    products[...] = found if left else np.swapaxes(found, -1, -2).conj()
