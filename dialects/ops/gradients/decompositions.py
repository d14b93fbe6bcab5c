"""What are the gradients of matrices' parts? What the equations say that hold between them.

For A = U diag(S) V^H, U^H dA V = (U^H dU) S + dS + S (dV^H V), where the first and the last term
are skew: J. Townsend, "Differentiating the singular value decomposition" (2016). Eigenvectors: M.
Giles (2008). Values must be distinct; vectors have signs or phases, and no loss may depend on them.
"""

from __future__ import annotations

from typing import Any

from ...diagnostics import TrilithRuntimeError
from ..frame.gradients import gradient
from .arithmetic import adjoint, conj

# ---- what does not depend on phases


def _refuse_phases(t: Any, turns: Any, text: str) -> None:
    """Refuse a gradient by phases of vectors, if its elements are known."""
    if t.number(t.call("any", t.call("gt", turns.abs(), 1e-2))):
        raise TrilithRuntimeError(text)


def _turns(t: Any, vectors: Any, of_vectors: Any) -> Any:
    """Return how much a loss depends on the phase of each vector."""
    return t.call("imag", (conj(vectors) * of_vectors).sum(-2))


def _skew(value: Any) -> Any:
    return value - adjoint(value)


def _differences(t: Any, values: Any) -> Any:
    """Return by how much the values of columns are more than those of rows, 1 on the diagonal."""
    spec = values.spec
    ones = t.call("eye", spec.shape[-1], dtype=spec.dtype, device=spec.device)
    return values.unsqueeze(-2) - values.unsqueeze(-1) + ones


# ---- singular values

_SINGULAR_PHASES = (
    "svd_backward: The singular vectors in the complex case are specified up to multiplication by "
    "e^{i phi}. The specified loss function depends on this phase term, making it ill-defined."
)


def _singular(t: Any, grads: Any, results: Any) -> Any:
    left, values, right = results
    of_left, of_values, of_right = grads
    size = values.shape[-1]
    # Vectors that belong to no singular value are not determined by the matrix.
    left, right = left.narrow(-1, 0, size), right.narrow(-2, 0, size)
    of_left = None if of_left is None else of_left.narrow(-1, 0, size)
    of_right = None if of_right is None else of_right.narrow(-2, 0, size)
    if of_left is None and of_right is None:
        return None if of_values is None else (left * of_values.unsqueeze(-2)) @ right
    if left.is_complex():
        _check_phases(t, (left, of_left), (right, of_right))
    inner = _between_vectors(t, results[1], left, right, of_left, of_right)
    if of_values is not None:
        inner = inner + of_values.diag_embed()
    return _outside(left, values, right, of_left, of_right, inner)


def _check_phases(t: Any, first: tuple[Any, Any], second: tuple[Any, Any]) -> None:
    """Refuse what depends on phases, which vectors of both sides have together."""
    turns = [] if first[1] is None else [_turns(t, *first)]
    if second[1] is not None:
        turns.append(_turns(t, *map(adjoint, second)))
    _refuse_phases(t, turns[0] if len(turns) == 1 else turns[0] + turns[1], _SINGULAR_PHASES)


def _between_vectors(
    t: Any, values: Any, left: Any, right: Any, of_left: Any, of_right: Any
) -> Any:
    """Return what of U^H grad V comes from gradients of vectors."""
    columns, rows = values.unsqueeze(-2), values.unsqueeze(-1)
    turning = None if of_left is None else _skew(adjoint(left) @ of_left)
    inner = None if turning is None else turning * columns
    if of_right is not None:
        part = rows * _skew(right @ adjoint(of_right))
        inner = part if inner is None else inner + part
    inner = inner / _differences(t, values * values)
    if not left.is_complex():
        return inner
    inner = inner - inner.diagonal(0, -2, -1).diag_embed()
    if turning is None or of_right is None:
        return inner
    # A common phase of both sides is free, their difference is not.
    return inner + (turning.diagonal(0, -2, -1) / (2 * values)).diag_embed()


def _outside(left: Any, values: Any, right: Any, of_left: Any, of_right: Any, inner: Any) -> Any:
    """Return a gradient from what it is between vectors, with what lies outside of these."""
    rows, size, columns = left.shape[-2], values.shape[-1], right.shape[-1]
    if rows > size and of_left is not None:
        scaled = of_left / values.unsqueeze(-2)
        rest = scaled - left @ (adjoint(left) @ scaled)
        return (left @ inner + rest) @ right
    if columns > size and of_right is not None:
        scaled = of_right / values.unsqueeze(-1)
        rest = scaled - (scaled @ adjoint(right)) @ right
        return left @ (inner @ right + rest)
    return left @ inner @ right


OF_SINGULAR = gradient("LinalgSvdBackward0", A=_singular)

# ---- eigenvalues

_HERMITIAN_PHASES = (
    "linalg_eigh_backward: The eigenvectors in the complex case are specified up to multiplication "
    "by e^{i phi}. The specified loss function depends on this quantity, so it is ill-defined."
)
_PHASES = _HERMITIAN_PHASES.replace("eigh", "eig")


def _hermitian(t: Any, grads: Any, results: Any) -> Any:
    values, vectors = results
    of_values, of_vectors = grads
    if of_vectors is None:
        return (vectors * of_values.unsqueeze(-2)) @ adjoint(vectors)
    if vectors.is_complex() and not t.is_transforming:
        _refuse_phases(t, _turns(t, vectors, of_vectors), _HERMITIAN_PHASES)
    inner = adjoint(vectors) @ of_vectors
    # PyTorch's tangents take a direction as it is, Hermitian or not.
    inner = (inner if t.is_pushing else 0.5 * _skew(inner)) / _differences(t, values)
    inner = inner - inner.diagonal(0, -2, -1).diag_embed()
    if of_values is not None:
        inner = inner + of_values.diag_embed()
    return vectors @ inner @ adjoint(vectors)


def _general(t: Any, grads: Any, results: Any) -> Any:
    """Go by V^-1 dA V = dL + (L dX - dX L), dX = V^-1 dV, for vectors whose length is 1."""
    values, vectors = results
    of_values, of_vectors = grads
    turned = adjoint(vectors)
    if of_vectors is None:
        inner = of_values.unsqueeze(-1) * turned
        return t.call("linalg_solution", turned, inner, True, False, "")[0]
    if not t.is_transforming:
        _refuse_phases(t, _turns(t, vectors, of_vectors), _PHASES)
    moved = turned @ of_vectors
    along = t.call("real", moved.diagonal(0, -2, -1)).unsqueeze(-2)
    inner = (moved - (turned @ vectors) * along) / conj(_differences(t, values))
    inner = inner - inner.diagonal(0, -2, -1).diag_embed()
    if of_values is not None:
        inner = inner + of_values.diag_embed()
    return t.call("linalg_solution", turned, inner @ turned, True, False, "")[0]


OF_HERMITIAN = gradient("LinalgEighBackward0", input=_hermitian)
OF_EIGENVECTORS = gradient("LinalgEigBackward0", input=_general)

# ---- orthonormal bases


def _orthonormal(t: Any, grads: Any, results: Any, mode: str) -> Any:
    basis, rest = results
    of_basis, of_rest = grads
    if mode == "r":
        raise TrilithRuntimeError(
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please "
            "use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
        )
    rows, columns = basis.shape[-2], rest.shape[-1]
    if mode == "complete" and rows > columns:
        raise TrilithRuntimeError(
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
        )
    if columns <= rows:
        return _of_square(t, basis, rest, of_basis, of_rest)
    return _of_wide(t, basis, rest, of_basis, of_rest)


def _of_wide(t: Any, basis: Any, rest: Any, of_basis: Any, of_rest: Any) -> Any:
    """Take the first columns apart; the others, Q R, are products with the basis that gives."""
    size = rest.shape[-2]
    count = rest.shape[-1] - size
    first = rest.narrow(-1, 0, size)
    if of_rest is None:
        found = _of_square(t, basis, first, of_basis, None)
        return t.call("cat", [found, found.new_zeros((*rest.shape[:-1], count))], -1)
    of_others = of_rest.narrow(-1, size, count)
    moved = (basis @ rest.narrow(-1, size, count)) @ adjoint(of_others)
    moved = moved if of_basis is None else of_basis + moved
    found = _of_square(t, basis, first, moved, of_rest.narrow(-1, 0, size))
    return t.call("cat", [found, basis @ of_others], -1)


def _of_square(t: Any, basis: Any, rest: Any, of_basis: Any, of_rest: Any) -> Any:
    """Return the gradient of a matrix with as many rows as columns, or more.

    Q^H dA R^-1 is skew by dQ and upper triangular by dR, both with a real diagonal: S. Walter and
    L. Lehmann, "Algorithmic differentiation of linear algebra functions" (2010).
    """
    inner: Any = None
    if of_rest is not None:
        inner = of_rest @ adjoint(rest)
    if of_basis is not None:
        part = adjoint(basis) @ of_basis
        inner = -part if inner is None else inner - part
    above = inner.triu(1)
    diagonal = inner.diagonal(0, -2, -1)
    real = t.call("real", diagonal) if diagonal.is_complex() else diagonal
    found = basis @ (above + adjoint(above) + real.diag_embed())
    if of_basis is not None:
        found = found + of_basis
    return t.call("linalg_solve_triangular", adjoint(rest), found, upper=False, left=False)


OF_QR = gradient("LinalgQrBackward0", A=_orthonormal)

# ---- exponentials


def _exponential(t: Any, grad: Any, input: Any) -> Any:
    """Return the derivative of exp in a direction: a block of exp of both in one matrix.

    N. Higham, "Functions of Matrices" (2008), theorem 3.6.
    """
    size = input.shape[-1]
    turned = adjoint(input)
    first = t.call("cat", [turned, grad], -1)
    second = t.call("cat", [turned * 0, turned], -1)
    whole = t.call("linalg_matrix_exp", t.call("cat", [first, second], -2))
    return whole.narrow(-2, 0, size).narrow(-1, size, size)


OF_EXPONENTIAL = gradient("LinalgMatrixExpBackward0", input=_exponential)
