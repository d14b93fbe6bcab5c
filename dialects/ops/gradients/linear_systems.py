"""What are the gradients of inverses and solutions? Solutions of the adjoint systems.

From d(A^-1) = -A^-1 dA A^-1, and dX = A^-1 (dB - dA X) where A X = B: M. Giles, "Collected matrix
derivative results for forward and reverse mode algorithmic differentiation" (2008).
"""

from __future__ import annotations

from typing import Any

from ...attributes.spec import TensorSpec
from ...records import replace
from ..frame.gradients import gradient, jointly
from .arithmetic import adjoint, conj

# ---- inverses


def _inverse(t: Any, grad: Any, result: Any) -> Any:
    turned = adjoint(result)
    return -(turned @ (grad @ turned))


OF_INVERSE = gradient("LinalgInvExBackward0", A=_inverse)


def _pseudoinverse(t: Any, grad: Any, result: Any, input: Any) -> Any:
    """Differentiate the four equations of Penrose: G. Golub and V. Pereyra (1973).

    What of rows and columns the matrix does not reach comes by the two last terms.
    """
    turned, grad_turned = adjoint(result), adjoint(grad)
    first = -(turned @ grad @ turned)
    rows = grad_turned @ result @ turned
    columns = turned @ result @ grad_turned
    return first + (rows - input @ (result @ rows)) + (columns - (columns @ result) @ input)


OF_PSEUDOINVERSE = gradient("LinalgPinvBackward0", input=_pseudoinverse)

# ---- solutions


def _outer(of_sides: Any, solution: Any, *, left: bool, is_vector: bool) -> Any:
    """Return the gradient of the matrices of systems from that of their right sides."""
    if is_vector:
        return -(of_sides.unsqueeze(-1) * conj(solution).unsqueeze(-2))
    return -(of_sides @ adjoint(solution) if left else adjoint(solution) @ of_sides)


def _solution(
    t: Any, needs: Any, grad: Any, A: Any, result: Any, left: bool, is_vector: bool
) -> dict[str, Any]:
    of_sides = t.call("linalg_solution", adjoint(A), grad, left, is_vector, "")[0]
    found = {"B": of_sides}
    if "A" in needs:
        found["A"] = _outer(of_sides, result, left=left, is_vector=is_vector)
    return found


def _triangular(
    t: Any,
    needs: Any,
    grad: Any,
    input: Any,
    result: Any,
    upper: bool,
    left: bool,
    unitriangular: bool,
) -> dict[str, Any]:
    of_sides = t.call(
        *("linalg_solve_triangular", adjoint(input), grad),
        upper=not upper,
        left=left,
        unitriangular=unitriangular,
    )
    found = {"B": of_sides}
    if "input" in needs:
        whole = _outer(of_sides, result, left=left, is_vector=False)
        apart = int(unitriangular)
        found["input"] = whole.triu(apart) if upper else whole.tril(-apart)
    return found


OF_SOLUTION = jointly("LinalgSolveExBackward0", _solution, "A", "B")
OF_TRIANGULAR = jointly("LinalgSolveTriangularBackward0", _triangular, "input", "B")


def _least_squares(
    t: Any, needs: Any, grads: Any, input: Any, b: Any, result: Any
) -> dict[str, Any]:
    """Take the solution for the product of a pseudoinverse with the right sides.

    The squares of what is left do not depend on the solution, since they are the least.
    """
    of_solution, of_squares = grads[:2]
    is_vector = input.ndim == b.ndim + 1
    if is_vector:
        b, result = b.unsqueeze(-1), result.unsqueeze(-1)
        of_solution = None if of_solution is None else of_solution.unsqueeze(-1)
    of_input = of_sides = None
    if of_solution is not None:
        inverse = t.call("linalg_pinv", input)
        of_sides = adjoint(inverse) @ of_solution
        if "input" in needs:
            of_input = _pseudoinverse(t, of_solution @ adjoint(b), inverse, input)
    if of_squares is not None and of_squares.spec.numel:
        share = 2 * of_squares.unsqueeze(-2) * (input @ result - b)
        of_sides = -share if of_sides is None else of_sides - share
        turned = share @ adjoint(result)
        of_input = turned if of_input is None else of_input + turned
    if is_vector and of_sides is not None:
        of_sides = of_sides.squeeze(-1)
    return {"input": of_input, "b": of_sides}


OF_LEAST_SQUARES = replace(
    jointly("LinalgLstsqBackward0", _least_squares, "input", "b"), constant_results=(3,)
)

# ---- positive matrices


def _factor(t: Any, grad: Any, result: Any, upper: bool) -> Any:
    """Return what is Hermitian, though only a triangle is read, as I. Murray (2016) does.

    PyTorch's tangents take a direction as it is, all of it, whether it is Hermitian or not.
    """
    lower, of_lower = (adjoint(result), adjoint(grad)) if upper else (result, grad)
    inner = (adjoint(lower) @ of_lower).tril()
    if t.is_pushing:
        inner = inner - 0.5 * inner.diagonal(0, -2, -1).diag_embed()
    else:
        inner = 0.5 * (inner + adjoint(inner.tril(-1)))
    inner = t.call("linalg_solve_triangular", adjoint(lower), inner, upper=True)
    return t.call("linalg_solve_triangular", lower, inner, upper=False, left=False)


OF_CHOLESKY = gradient("LinalgCholeskyExBackward0", input=_factor)


def _by_factor(
    t: Any, needs: Any, grad: Any, input2: Any, result: Any, upper: bool
) -> dict[str, Any]:
    of_sides = t.call("cholesky_solve", grad, input2, upper)
    found = {"input": of_sides}
    if "input2" in needs:
        half = of_sides @ adjoint(result)
        found["input2"] = _of_factor(input2, half, upper)
    return found


def _of_factor(factor: Any, half: Any, upper: bool) -> Any:
    """Return the gradient of L, of minus that of L L^H, of which half is given."""
    whole = half + adjoint(half)
    return -(factor @ whole if upper else whole @ factor)


def _inverse_by_factor(t: Any, grad: Any, input: Any, result: Any, upper: bool) -> Any:
    return _of_factor(input, result @ grad @ result, upper)


OF_CHOLESKY_SOLVE = jointly("CholeskySolveBackward0", _by_factor, "input", "input2")
OF_CHOLESKY_INVERSE = gradient("CholeskyInverseBackward0", input=_inverse_by_factor)

# ---- factors with pivots


def _eliminated(t: Any, grad: Any, results: Any, A_spec: TensorSpec) -> Any:
    """Return the gradient of A = P L U: first of what is square of it, then of the rest.

    What is below a square is that times U^-1, what is at its right L^-1 times that.
    """
    factors, pivots, _ = results
    places = t.call("linalg_permutation", pivots, factors)
    rows, columns = A_spec.shape[-2:]
    size = min(rows, columns)
    square, of_square = (each.narrow(-2, 0, size).narrow(-1, 0, size) for each in (factors, grad))
    of_lower, of_upper = of_square.tril(-1), of_square.triu()
    below = beside = None
    if rows > size:
        below = _by_upper(t, square, grad.narrow(-2, size, rows - size))
        of_upper = of_upper - adjoint(factors.narrow(-2, size, rows - size)) @ below
    if columns > size:
        beside = _by_lower(t, square, grad.narrow(-1, size, columns - size))
        of_lower = of_lower - beside @ adjoint(factors.narrow(-1, size, columns - size))
    unit = square.tril(-1)
    inner = (adjoint(unit) @ of_lower + of_lower).tril(-1) + (
        of_upper @ adjoint(square.triu())
    ).triu()
    found = _by_lower(t, square, _by_upper(t, square, inner))
    if below is not None:
        found = t.call("cat", [found, below], -2)
    if beside is not None:
        found = t.call("cat", [found, beside], -1)
    return places @ found


def _by_upper(t: Any, factors: Any, value: Any) -> Any:
    """Return a value times U^-H."""
    return t.call(
        "linalg_solve_triangular", adjoint(factors.triu()), value, upper=False, left=False
    )


def _by_lower(t: Any, factors: Any, value: Any) -> Any:
    """Return L^-H times a value."""
    return t.call(
        "linalg_solve_triangular", adjoint(factors), value, upper=True, unitriangular=True
    )


OF_ELIMINATION = gradient("LinalgLuFactorExBackward0", A=_eliminated)
