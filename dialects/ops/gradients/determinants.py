"""What are the gradients of determinants? Cofactors: det(A) A^-H, as C. Jacobi found.

Cofactors are polynomials, so singular matrices have them, too. They come from factors in which a
pivot that is 0 is replaced by a small one. Where the gradient is differentiated again that would
not do, and they are written in singular vectors: det(U) det(V^H) U P V^H, P the products of all
singular values but one.
"""

from __future__ import annotations

from typing import Any

from ...attributes.limits import finfo
from ..frame.gradients import gradient
from .arithmetic import adjoint, conj, zeros_like
from .reductions import product_of_others


def _times_identity(t: Any, numbers: Any, like: Any) -> Any:
    """Return a number for each matrix, times the identity."""
    spec = like.spec
    ones = t.call("eye", spec.shape[-1], dtype=spec.dtype, device=spec.device)
    return _for_matrices(numbers) * ones


def _for_matrices(value: Any) -> Any:
    return value.unsqueeze(-1).unsqueeze(-1)


def _solved_by_factors(t: Any, factors: Any, pivots: Any, upper: Any, sides: Any) -> Any:
    """Return A^-H times right sides, for A = P L U."""
    half = t.call("linalg_solve_triangular", adjoint(upper), sides, upper=False)
    found = t.call(
        "linalg_solve_triangular", adjoint(factors), half, upper=True, unitriangular=True
    )
    # Column by column in memory, as PyTorch's solutions.
    return (found.mT @ t.call("linalg_permutation", pivots, factors).mT).mT


# ---- determinants


def _determinant(t: Any, grad: Any, A: Any, result: Any) -> Any:
    if not A.shape[-1]:
        return zeros_like(A)
    return _again(t, grad, A, result) if t.is_recording else _once(t, grad, A)


def _pivot_bound(t: Any, sizes: Any, share: float) -> Any:
    """Return a share of the largest pivot, or of 1 where all are 0."""
    largest = sizes.amax(-1, True)
    return share * t.call("where", t.call("eq", largest, 0), 1, largest)


def _once(t: Any, grad: Any, A: Any) -> Any:
    """Return a gradient that is not differentiated again."""
    factors, pivots, _ = t.call("linalg_eliminate", A, True, "")
    diagonal = factors.diagonal(0, -2, -1)
    small = _pivot_bound(t, diagonal.abs(), finfo(A.spec.dtype).eps)
    filled = t.call("where", t.call("eq", diagonal, 0), small.to(A.spec.dtype), diagonal)
    upper = factors.triu() + (filled - diagonal).diag_embed()
    places = t.call("arange", 1, A.shape[-1] + 1, device=A.spec.device)
    exchanges = t.call("sum", t.call("ne", pivots, places), -1)
    sign = 1 - 2 * (exchanges % 2)
    weight = grad * conj(filled.prod(-1) * sign)
    # Where two pivots are missing so is one in each minor: cofactors are exactly 0.
    missing = t.call("sum", t.call("eq", diagonal, 0), -1)
    weight = t.call("where", t.call("lt", missing, 2), weight, 0)
    return _solved_by_factors(t, factors, pivots, upper, _times_identity(t, weight, A))


def _again(t: Any, grad: Any, A: Any, result: Any) -> Any:
    """Return a gradient that may be differentiated again; of each matrix as it has to be."""
    factors, _, _ = t.call("linalg_eliminate", A.detach(), True, "")
    sizes = factors.diagonal(0, -2, -1).abs()
    least = _pivot_bound(t, sizes, 100 * finfo(A.spec.dtype).eps)
    is_singular = t.call("le", sizes.amin(-1, True), least).squeeze(-1)
    if t.number(t.call("any", is_singular)) == 0:
        return _of_regular(t, grad, A, result)
    hole = _for_matrices(is_singular)
    # Each formula gets matrices that it can be differentiated at, and is asked for its own alone.
    ones = _times_identity(t, A.new_ones(()), A)
    numbers = t.call("arange", 1, A.shape[-1] + 1, device=A.spec.device).to(A.spec.dtype)
    regular = _of_regular(t, grad, t.call("where", hole, ones, A), result)
    singular = _of_singular(t, grad, t.call("where", hole, A, numbers.diag_embed()))
    return t.call("where", hole, singular, regular)


def _of_regular(t: Any, grad: Any, A: Any, result: Any) -> Any:
    sides = _times_identity(t, grad * conj(result), A)
    return t.call("linalg_solution", adjoint(A), sides, True, False, "")[0]


def _of_singular(t: Any, grad: Any, A: Any) -> Any:
    left, values, right = t.call("linalg_singular", A, False)
    others = product_of_others(t, values, values.ndim - 1)
    turns = t.call("linalg_det", left) * t.call("linalg_det", right)
    return _for_matrices(grad * conj(turns)) * (left * others.unsqueeze(-2) @ right)


OF_DETERMINANT = gradient("LinalgDetBackward0", A=_determinant)

# ---- and their logarithms


def _logarithm(t: Any, grads: Any, results: Any, A: Any) -> Any:
    of_sign, weight = grads
    if of_sign is not None and of_sign.is_complex():
        turn = t.call("imag", of_sign * conj(results[0]))
        weight = t.call("complex", turn * 0 if weight is None else weight, turn)
    if weight is None:
        return None
    sides = _times_identity(t, weight, A)
    if t.is_recording:
        return t.call("linalg_solution", adjoint(A), sides, True, False, "torch.linalg.solve")[0]
    factors, pivots, _ = t.call("linalg_eliminate", A, True, "")
    return _solved_by_factors(t, factors, pivots, factors.triu(), sides)


OF_LOG_DETERMINANT = gradient("LinalgSlogdetBackward0", A=_logarithm)
