"""What are the gradients of products of reflections? One reflection is taken off after the other.

H = 1 - tau v v^H. From the left, what stands in front of H is taken off the gradient; what stands
behind it is kept from the way there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..frame.gradients import gradient, jointly, not_implemented
from .arithmetic import adjoint, conj


def _reflected(value: Any, vector: Any, factor: Any) -> Any:
    return value - factor * (vector @ (adjoint(vector) @ value))


def _columns(t: Any, packed: Any, factors: Any) -> tuple[list[Any], list[Any]]:
    """Return the vectors of reflections, 1 on the diagonal and 0 above it, and their factors."""
    rows, count = packed.shape[-2], factors.shape[-1]
    spec = packed.spec
    ones = t.call("eye", rows, count, dtype=spec.dtype, device=spec.device)
    vectors = packed.narrow(-1, 0, count).tril(-1) + ones
    numbers = range(count)
    return (
        [vectors.narrow(-1, number, 1) for number in numbers],
        [factors.narrow(-1, number, 1).unsqueeze(-1) for number in numbers],
    )


def _taken_off(
    vectors: Sequence[Any], factors: Sequence[Any], start: Any, grad: Any
) -> tuple[list[Any], list[Any], Any]:
    """Return the gradients of H1 H2 ... start by vectors, factors and the start."""
    pairs = list(zip(vectors, factors, strict=True))
    behind = [start]
    for vector, factor in reversed(pairs[1:]):
        behind.append(_reflected(behind[-1], vector, factor))
    of_vectors: list[Any] = []
    of_factors: list[Any] = []
    for (vector, factor), after in zip(pairs, reversed(behind), strict=True):
        along = adjoint(adjoint(vector) @ after)
        of_along = adjoint(adjoint(vector) @ grad)
        of_factors.append(-(adjoint(of_along) @ along))
        of_vectors.append(-(conj(factor) * (grad @ along) + factor * (after @ of_along)))
        grad = _reflected(grad, vector, conj(factor))
    return of_vectors, of_factors, grad


def _packed(t: Any, packed: Any, of_vectors: list[Any], of_factors: list[Any]) -> tuple[Any, Any]:
    """Return gradients as vectors and factors are given: below the diagonal, and in a row."""
    found = t.call("cat", of_vectors, -1).tril(-1)
    missing = packed.shape[-1] - len(of_vectors)
    if missing:
        rest = packed.new_zeros((*packed.shape[:-1], missing))
        found = t.call("cat", [found, rest], -1)
    return found, t.call("cat", of_factors, -1).squeeze(-2)


def _product(t: Any, grad: Any, input: Any, tau: Any) -> dict[str, Any]:
    if not tau.shape[-1]:
        return {"input": None, "tau": None}
    rows, columns = input.shape[-2:]
    spec = input.spec
    start = t.call("eye", rows, columns, dtype=spec.dtype, device=spec.device)
    vectors, factors, _ = _taken_off(*_columns(t, input, tau), start, grad)
    return dict(zip(("input", "tau"), _packed(t, input, vectors, factors), strict=True))


def _applied(
    t: Any, grad: Any, input: Any, input2: Any, input3: Any, left: bool, transpose: bool
) -> dict[str, Any]:
    """From the right it is the adjoint of a product from the left."""
    if not input2.shape[-1]:
        return {"input": None, "input2": None, "input3": grad}
    vectors, factors = _columns(t, input, input2)
    is_adjoint = transpose is left
    if is_adjoint:
        vectors, factors = vectors[::-1], [conj(factor) for factor in factors[::-1]]
    start, of_start = (input3, grad) if left else (adjoint(input3), adjoint(grad))
    of_vectors, of_factors, found = _taken_off(vectors, factors, start, of_start)
    if is_adjoint:
        of_vectors, of_factors = of_vectors[::-1], [conj(each) for each in of_factors[::-1]]
    first, second = _packed(t, input, of_vectors, of_factors)
    return {"input": first, "input2": second, "input3": found if left else adjoint(found)}


OF_GEQRF = gradient("GeqrfBackward0", input=not_implemented("geqrf"))
OF_HOUSEHOLDER = jointly("LinalgHouseholderProductBackward0", _product, "input", "tau")
OF_ORMQR = jointly("OrmqrBackward0", _applied, "input", "input2", "input3")
