"""Do reflections make the basis that they were taken from? Identities, and NumPy's conditions."""

from typing import Any

import numpy as np
import pytest

import trilith as tri

face: Any = tri
linalg: Any = tri.linalg
RANDOM = np.random.default_rng(3)


def matrices(*shape: int, is_complex: bool) -> Any:
    return RANDOM.random(shape) + (1j * RANDOM.random(shape) if is_complex else 0)


@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("shape", [(4, 3), (2, 5, 2), (3, 3)])
def test_reflections_and_what_is_left_are_the_matrix(shape: tuple[int, ...], is_complex: bool):
    x = matrices(*shape, is_complex=is_complex)
    packed, factors = face.geqrf(tri.tensor(x))
    basis = linalg.householder_product(packed, factors)
    rest = np.triu(packed.numpy()[..., : shape[-1], :])
    np.testing.assert_allclose(basis.numpy() @ rest, x, atol=1e-12)
    np.testing.assert_allclose(face.orgqr(packed, factors).numpy(), basis.numpy())


@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("left", [False, True])
def test_products_with_the_whole_basis(left: bool, transpose: bool, is_complex: bool):
    x = matrices(4, 2, is_complex=is_complex)
    other = matrices(*((4, 3) if left else (3, 4)), is_complex=is_complex)
    packed, factors = face.geqrf(tri.tensor(x))
    wide = face.cat([packed, tri.zeros(4, 2, dtype=packed.dtype)], 1)
    more = face.cat([factors, tri.zeros(2, dtype=packed.dtype)])
    basis = linalg.householder_product(wide, more).numpy()
    basis = basis.conj().T if transpose else basis
    expected = basis @ other if left else other @ basis
    found = face.ormqr(packed, factors, tri.tensor(other), left, transpose)
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


@pytest.mark.filterwarnings("ignore:trilith")
def test_older_names_of_systems():
    lower = np.tril(matrices(3, 3, is_complex=False)) + np.eye(3)
    sides = matrices(3, 2, is_complex=False)
    solution, copy = face.triangular_solve(tri.tensor(sides), tri.tensor(lower), upper=False)
    np.testing.assert_allclose(lower @ solution.numpy(), sides, atol=1e-12)
    assert copy.tolist() == lower.tolist()
    factors, pivots = face.lu(tri.tensor(lower))
    named = face.lu(tri.tensor(lower), get_infos=True)
    assert named.LU.tolist() == factors.tolist()
    assert named.pivots.tolist() == pivots.tolist()
    assert named.info.tolist() == 0


@pytest.mark.parametrize("order", [None, 2, -2, 1, -1, np.inf, -np.inf, "fro", "nuc"])
def test_conditions_are_those_of_numpy(order: Any):
    x = matrices(2, 3, 3, is_complex=False)
    expected = np.linalg.cond(x, order)
    np.testing.assert_allclose(linalg.cond(tri.tensor(x), order).numpy(), expected, rtol=1e-9)


def test_conditions_of_what_has_no_inverse():
    singular: Any = tri.ones(2, 2)
    for order in (1, -1, "fro", "nuc", np.inf):
        assert linalg.cond(singular, order).item() == np.inf
    assert linalg.cond(tri.zeros(3, 0, 0)).tolist() == [0, 0, 0]
    with pytest.raises(RuntimeError, match="got an invalid norm type: 3"):
        linalg.cond(singular, 3)
    with pytest.raises(RuntimeError, match="A must be batches of square matrices"):
        linalg.cond(tri.ones(2, 3), 1)


@pytest.mark.filterwarnings("ignore:at..nuclear_norm")
def test_nuclear_norms_are_sums_of_singular_values():
    x = matrices(2, 3, 4, is_complex=False)
    expected = np.linalg.svd(x, compute_uv=False).sum(-1)
    np.testing.assert_allclose(face.nuclear_norm(tri.tensor(x)).numpy(), expected)
    kept = face.nuclear_norm(tri.tensor(x), (1, 2), True)
    np.testing.assert_allclose(kept.numpy(), expected[:, None, None])


def test_windows_of_storage_are_copied():
    x: Any = tri.arange(6.0)
    copy = face.as_strided_copy(x, (2, 2), (1, 2), 1)
    assert copy.tolist() == [[1, 3], [2, 4]]
    assert copy.data_ptr() != x.data_ptr()
    pairs = face.view_as_complex_copy(x.reshape(3, 2))
    assert pairs.tolist() == [1j, 2 + 3j, 4 + 5j]
    assert face.spmm(tri.ones(1, 2), tri.ones(2, 1)).tolist() == [[2]]
