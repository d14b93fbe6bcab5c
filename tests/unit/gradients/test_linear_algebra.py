"""Gradients of solutions and of matrices' parts: differences, at once, compiled and twice."""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
import trilith.autograd
import trilith.func

from .slopes import check, drawn

LA = tri.linalg


def parts(value: Any) -> Any:
    """Return real and imaginary parts, side by side in a new dim."""
    return tri.view_as_real(value.resolve_conj())


def complex_of(x: Any) -> Any:
    """Return complex numbers made of real ones."""
    return tri.complex(x, x * x)


def positive(x: Any) -> Any:
    """Return a positive-definite matrix that depends on all of another one."""
    return x @ x.mH + tri.eye(x.shape[-1], dtype=x.dtype)


def numbers(count: int, like: Any) -> Any:
    return tri.arange(1, count + 1).to(like.dtype)


def both_sides(x: Any, full: bool) -> Any:
    """Return what depends on singular vectors, but not on their signs and phases."""
    left, values, right = LA.svd(x, full_matrices=full)
    count = values.shape[-1]
    return (left[..., :count] * numbers(count, left)) @ right[..., :count, :]


def projected(x: Any) -> Any:
    values, vectors = LA.eigh(x + x.mH)
    return (vectors * numbers(values.shape[-1], vectors)) @ vectors.mH


def flat(results: Any) -> Any:
    """Return the elements of all results in a row."""
    return tri.cat([each.reshape(-1) for each in results])


def reflections(x: Any) -> tuple[Any, Any]:
    """Return vectors and factors of two reflections, as functions of a tensor of three columns."""
    return x[..., :2], x[..., 0, 1:] * 0.5


ONE: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    "inv": (lambda x: LA.inv(x), (2, 3, 3)),
    "inv of complex": (lambda x: parts(LA.inv(complex_of(x))), (3, 3)),
    "inv of nothing": (lambda x: LA.inv(x), (0, 0)),
    "pinv of tall": (lambda x: LA.pinv(x), (3, 2)),
    "pinv of complex": (lambda x: parts(LA.pinv(complex_of(x))), (2, 3)),
    "pinv of hermitian": (lambda x: LA.pinv(x + x.mH, hermitian=True), (3, 3)),
    "cholesky": (lambda x: LA.cholesky(positive(x)), (2, 3, 3)),
    "upper cholesky": (lambda x: LA.cholesky(positive(x), upper=True), (3, 3)),
    "cholesky of complex": (lambda x: parts(LA.cholesky(positive(complex_of(x)))), (3, 3)),
    "cholesky_inverse": (lambda x: tri.cholesky_inverse(LA.cholesky(positive(x))), (3, 3)),
    "det": (lambda x: LA.det(x), (2, 3, 3)),
    "det of complex": (lambda x: parts(LA.det(complex_of(x))), (3, 3)),
    "slogdet": (lambda x: LA.slogdet(x)[1], (3, 3)),
    "slogdet of complex": (
        lambda x: parts(LA.slogdet(complex_of(x))[0]) * LA.slogdet(complex_of(x))[1],
        (3, 3),
    ),
    "logdet": (lambda x: tri.logdet(positive(x)), (3, 3)),
    "lu_factor": (lambda x: LA.lu_factor(x)[0], (2, 3, 3)),
    "lu_factor of tall": (lambda x: LA.lu_factor(x)[0], (4, 2)),
    "lu_factor of wide": (lambda x: LA.lu_factor(x)[0], (2, 4)),
    "lu": (lambda x: LA.lu(x)[1] @ LA.lu(x)[2] @ x, (3, 3)),
    "lu of complex": (lambda x: parts(LA.lu(complex_of(x))[2]), (3, 3)),
    "qr": (lambda x: flat(LA.qr(x)), (3, 3)),
    "qr of tall": (lambda x: LA.qr(x)[0], (4, 2)),
    "qr of wide": (lambda x: LA.qr(x)[1], (2, 4)),
    "qr of complex": (lambda x: parts(LA.qr(complex_of(x))[0]), (4, 2)),
    "svdvals": (lambda x: LA.svdvals(x), (2, 3, 4)),
    "svd": (lambda x: both_sides(x, full=False), (3, 3)),
    "svd of tall": (lambda x: both_sides(x, full=False), (4, 2)),
    "svd of wide": (lambda x: both_sides(x, full=True), (2, 4)),
    "svd of complex": (lambda x: parts(both_sides(complex_of(x), full=False)), (3, 2)),
    "eigvalsh": (lambda x: LA.eigvalsh(x + x.mH), (2, 3, 3)),
    "eigh": (lambda x: projected(x), (3, 3)),
    "eigh of complex": (lambda x: parts(projected(complex_of(x))), (3, 3)),
    "eigvals": (lambda x: parts((LA.eigvals(x) ** 3).sum(-1)), (2, 3, 3)),
    "eig": (
        lambda x: (LA.eig(positive(x))[1].abs() ** 2 * LA.eig(positive(x))[0].real).sum(-1),
        (3, 3),
    ),
    "matrix_exp": (lambda x: LA.matrix_exp(x), (2, 2, 2)),
    "matrix_exp of complex": (lambda x: parts(LA.matrix_exp(complex_of(x))), (2, 2)),
    "householder_product": (lambda x: LA.householder_product(*reflections(x)), (4, 3)),
    "ormqr": (lambda x: tri.ormqr(*reflections(x), x), (4, 3)),
    "ormqr from the right": (lambda x: tri.ormqr(*reflections(x), x.mT, False, True), (4, 3)),
    "ormqr of complex": (
        lambda x: parts(tri.ormqr(*reflections(complex_of(x)), complex_of(x), transpose=True)),
        (3, 3),
    ),
}
TWO: dict[str, tuple[Callable[[Any, Any], Any], tuple[int, ...], tuple[int, ...]]] = {
    "solve": (lambda a, b: LA.solve(a, b), (3, 3), (2, 3, 2)),
    "solve from the right": (lambda a, b: LA.solve(a, b, left=False), (3, 3), (2, 3)),
    "solve for a vector": (lambda a, b: LA.solve(a, b), (2, 3, 3), (2, 3)),
    "solve of complex": (
        lambda a, b: parts(LA.solve(complex_of(a), complex_of(b))),
        (3, 3),
        (3, 1),
    ),
    "solve_triangular": (lambda a, b: LA.solve_triangular(a, b, upper=True), (2, 2, 2), (2, 3)),
    "solve_triangular from the right": (
        lambda a, b: LA.solve_triangular(a, b, upper=False, left=False, unitriangular=True),
        (3, 3),
        (2, 3),
    ),
    "lstsq": (lambda a, b: LA.lstsq(a, b).solution, (4, 2), (4, 1)),
    "residuals of lstsq": (lambda a, b: LA.lstsq(a, b, driver="gelsd").residuals, (4, 2), (4, 3)),
    "lstsq for a vector": (lambda a, b: LA.lstsq(a, b).solution, (2, 2, 3), (2, 2)),
    "lu_solve": (lambda a, b: LA.lu_solve(*LA.lu_factor(a), b), (3, 3), (3, 2)),
    "cholesky_solve": (
        lambda a, b: tri.cholesky_solve(b, LA.cholesky(positive(a))),
        (3, 3),
        (3, 2),
    ),
}
COMPILED = ("inv", "cholesky", "det", "slogdet", "qr of tall", "svd of tall", "eigh", "lu_factor")


@pytest.mark.parametrize("name", ONE)
def test_as_differences_say(name: str) -> None:
    function, shape = ONE[name]
    check(function, drawn(1, *shape), is_compiled=name in COMPILED)


@pytest.mark.parametrize("name", TWO)
def test_of_two_matrices_as_differences_say(name: str) -> None:
    function, first, second = TWO[name]
    check(function, drawn(1, *first), drawn(2, *second), is_compiled=name == "solve")


def cofactors(matrix: Any) -> Any:
    """Return the determinants of what is left without a row and a column, with their signs."""
    found = np.zeros_like(matrix)
    for row, column in np.ndindex(matrix.shape):
        rest = np.delete(np.delete(matrix, row, 0), column, 1)
        found[row, column] = (-1) ** (row + column) * np.linalg.det(rest)
    return found


SINGULAR: dict[str, Any] = {
    "of rank 1": [[1.0, 2.0], [2.0, 4.0]],
    "of rank 2": [[1.0, 2.0, 3.0], [2.0, 5.0, 6.0], [3.0, 7.0, 9.0]],
    "with a column of zeros": [[1.0, 0.0, 3.0], [2.0, 0.0, -1.0], [4.0, 0.0, 1.0]],
    "of zeros": [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
}


@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("again", [False, True])
def test_gradients_of_determinants_of_singular_matrices_are_cofactors(
    name: str, again: bool
) -> None:
    matrix = np.array(SINGULAR[name])
    x = tri.tensor(matrix).requires_grad_()
    (found,) = trilith.autograd.grad(LA.det(x), x, create_graph=again)
    np.testing.assert_allclose(found.detach().numpy(), cofactors(matrix), atol=1e-9)


def test_the_cofactors_of_a_singular_matrix_have_gradients() -> None:
    check(lambda x: LA.det(x), np.array(SINGULAR["of rank 2"]))


def test_a_regular_matrix_beside_a_singular_one_keeps_its_gradient() -> None:
    def curvature(matrices: Any) -> Any:
        x = tri.tensor(matrices).requires_grad_()
        (first,) = trilith.autograd.grad(LA.det(x).sum(), x, create_graph=True)
        return trilith.autograd.grad((first * first).sum(), x)[0].numpy()

    both = np.stack([np.array(SINGULAR["of rank 2"]), np.eye(3)])
    np.testing.assert_allclose(curvature(both)[1], curvature(both[1:])[0], atol=1e-12)


DEPENDENT: dict[str, tuple[Callable[[Any], Any], str]] = {
    "svd": (
        lambda x: LA.svd(x)[0].real,
        "svd_backward: The singular vectors in the complex case are specified up to multiplication "
        "by e^{i phi}. The specified loss function depends on this phase term, making it "
        "ill-defined.",
    ),
    "eigh": (
        lambda x: LA.eigh(x + x.mH)[1].real,
        "linalg_eigh_backward: The eigenvectors in the complex case are specified up to "
        "multiplication by e^{i phi}. The specified loss function depends on this quantity, so it "
        "is ill-defined.",
    ),
    "eig": (
        lambda x: LA.eig(x)[1].real,
        "linalg_eig_backward: The eigenvectors in the complex case are specified up to "
        "multiplication by e^{i phi}. The specified loss function depends on this quantity, so it "
        "is ill-defined.",
    ),
    "qr": (
        lambda x: LA.qr(x[:, :2], "complete")[0].real,
        "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.",
    ),
    "r": (
        lambda x: LA.qr(x, "r")[1].real,
        "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
        "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.",
    ),
    "geqrf": (lambda x: tri.geqrf(x.real)[0], "the derivative for 'geqrf' is not implemented."),
}


@pytest.mark.parametrize("name", DEPENDENT)
def test_what_has_no_gradient_says_so_in_the_words_of_pytorch(name: str) -> None:
    function, text = DEPENDENT[name]
    x = tri.tensor(drawn(1, 3, 3) + 1j * drawn(2, 3, 3)).requires_grad_()
    with pytest.raises(RuntimeError) as raised:
        function(x).sum().backward()
    assert raised.value.message == text  # pyright: ignore[reportAttributeAccessIssue]


def test_many_systems_are_solved_as_each_alone() -> None:
    # One matrix for each example, right sides that all share and that have a batch of their own.
    matrices, sides = tri.tensor(drawn(1, 4, 3, 3)), tri.tensor(drawn(2, 2, 3, 1))

    def loss(a: Any, b: Any) -> Any:
        return (LA.solve(a, b) ** 3).sum()

    gradient = trilith.func.grad(loss, argnums=(0, 1))
    together = trilith.func.vmap(gradient, in_dims=(0, None))(matrices, sides)
    for number in range(4):
        for whole, one in zip(together, gradient(matrices[number], sides), strict=True):
            np.testing.assert_allclose(whole[number].numpy(), one.numpy(), rtol=1e-9)


def test_a_direction_of_a_solution_is_that_of_differences() -> None:
    a, b, moved_a, moved_b = drawn(1, 3, 3), drawn(2, 3, 2), drawn(3, 3, 3), drawn(4, 3, 2)
    _, found = trilith.func.jvp(
        LA.solve, (tri.tensor(a), tri.tensor(b)), (tri.tensor(moved_a), tri.tensor(moved_b))
    )
    step = 1e-6
    ends = [np.linalg.solve(a + h * moved_a, b + h * moved_b) for h in (step, -step)]
    np.testing.assert_allclose(found.numpy(), (ends[0] - ends[1]) / (2 * step), rtol=1e-6)


def test_a_matrix_may_be_written_once_its_singular_values_are_known() -> None:
    # Their gradient needs the vectors, and not the matrix itself.
    for values_of in (LA.svdvals, LA.eigvalsh, lambda x: LA.eigvals(x).real):
        x = tri.tensor(drawn(1, 3, 3)).requires_grad_()
        matrix = x * 1
        values = values_of(matrix)
        matrix.zero_()
        values.sum().backward()
        assert x.grad is not None
