"""Record PyTorch's gradients of Fourier transforms and linear algebra, as `matrix_gradients.json`.

python record_matrix_gradients.py    # with PyTorch installed, trilith is not imported

A case is an expression over tensors by name, of real and of complex numbers. Its row holds, for
each kind of numbers, the nodes of its results, None where one has no gradient, the gradients of a
weighted sum of the results by the tensors that it names, and those of the sum of their squares.
The test that reads the record runs what is here with trilith in the place of PyTorch.
"""

import json
import pathlib
import re
import warnings

import numpy as np

#: Expressions, one a line: `s` is square, `t` has more rows, `w` more columns, `b` is a batch of
#: square ones, `v` a batch of vectors, `p` becomes positive-definite, `l` is a factor of one.
CASES = r"""
fft.fft(w)
fft.fft(w, 6, 0, 'ortho')
fft.ifft(t, norm='forward')
fft.fft2(b)
fft.ifftn(b, (2, 2, 2))
fft.fftn(w, dim=())
fft.rfft(w.real)
fft.rfft(t.real, 5)
fft.rfft2(b.real, norm='ortho')
fft.ihfft(w.real)
fft.ihfftn(b.real)
fft.irfft(w)
fft.irfft(w, 5)
fft.irfft(w, 1)
fft.irfft2(b, norm='ortho')
fft.hfft(w)
fft.hfftn(b, (2, 5))
fft.fftshift(w)
stft(v.real.reshape(-1), 4, 2, window=torch.ones(4, dtype=v.real.dtype), return_complex=True)
istft(w + 0j * w, 4, 2, window=torch.ones(4, dtype=w.real.dtype), center=False, onesided=True)
linalg.inv(b)
inverse(s)
linalg.inv_ex(s)
linalg.solve(b, s)
linalg.solve(s, b, left=False)
linalg.solve(b, v)
linalg.solve_ex(b, s)
linalg.solve_triangular(s, b, upper=True)
linalg.solve_triangular(s, b, upper=False, left=False, unitriangular=True)
triangular_solve(s, b, upper=False, transpose=True)
linalg.tensorinv(s.reshape(3, 1, 3), 1)
linalg.cholesky(p(s))
linalg.cholesky(p(b), upper=True)
linalg.cholesky_ex(p(s))
cholesky(p(s))
cholesky_solve(s, l, False)
cholesky_solve(s, l.mH, True)
cholesky_inverse(l)
cholesky_inverse(l.mH, True)
linalg.det(b)
det(s)
linalg.slogdet(b)
slogdet(s)
logdet(p(s))
linalg.det(b[:, :0, :0])
linalg.lu_factor(b)
linalg.lu_factor(t)
linalg.lu_factor_ex(w)
linalg.lu(w)
linalg.lu(t)
lu_unpack(*linalg.lu_factor(t))
linalg.lu_solve(*linalg.lu_factor(s), b)
linalg.lu_solve(*linalg.lu_factor(s), s, left=False, adjoint=True)
linalg.qr(s)
linalg.qr(t)
linalg.qr(w)
linalg.qr(w, 'complete')
linalg.qr(t, 'complete')
linalg.qr(s, 'r')
qr(t)
linalg.svdvals(t)
linalg.svdvals(b)
both(*linalg.svd(s))
both(*linalg.svd(t, False))
both(*linalg.svd(w))
linalg.svd(w)[1]
svd(t)[1]
svd(t, compute_uv=False)[1]
linalg.svd(s + 0j)[0]
linalg.eigvalsh(s)
linalg.eigvalsh(b, 'U')
linalg.eigh(s)[0]
both(*linalg.eigh(s))
linalg.eigh(s + 0j)[1]
linalg.eigvals(s).sum()
(linalg.eigvals(b) ** 3).sum(-1)
linalg.eig(s)[1].abs().sum()
linalg.eig(s)[1]
linalg.matrix_exp(b)
matrix_exp(s)
linalg.pinv(t)
linalg.pinv(w)
linalg.pinv(s + s.mH, hermitian=True)
pinverse(w)
linalg.lstsq(t, t[:, :2])
linalg.lstsq(t, t[:, :2], driver='gelsd')
linalg.lstsq(w, w[:, :2], driver='gels')
linalg.lstsq(b, v)
linalg.matrix_rank(s)
linalg.cond(s)
linalg.matrix_norm(t, 'nuc')
linalg.matrix_norm(s, 2)
linalg.householder_product(t, t[0])
orgqr(t, t[0, :2])
ormqr(t, t[0], t)
ormqr(t, t[0], w, False, True)
geqrf(t.real)
"""


def numbers(seed: int, *shape: int) -> np.ndarray:
    """Return complex numbers that are the same everywhere, each a short decimal fraction."""
    count = int(np.prod(shape))
    places = np.arange(count) + seed
    steps = (places * places * 37 + places * 11) % 83
    turned = (places * places * 53 + places * 29) % 79
    return ((steps - 41 + 1j * (turned - 39)) / 32).reshape(shape)


def inputs(module, is_complex: bool, dtype=None) -> dict:
    """Return tensors by name."""
    square = numbers(1, 3, 3)
    factor = np.tril(square) + 2 * np.eye(3) - 1j * np.diag(np.diag(square).imag)
    arrays = {
        "s": square,
        "t": numbers(2, 4, 3),
        "w": numbers(3, 3, 4),
        "b": numbers(4, 2, 3, 3),
        "v": numbers(5, 2, 3),
        "l": factor,
    }
    made = {}
    for name, array in arrays.items():
        tensor = module.tensor(array if is_complex else array.real.copy())
        made[name] = (tensor if dtype is None else tensor.to(dtype)).requires_grad_()
    return made


def used(expression: str) -> list[str]:
    """Return the names of the tensors in an expression."""
    return [name for name in "stwbvl" if re.search(rf"\b{name}\b(?!\s*=)", expression)]


def results_of(module, expression: str, tensors: dict) -> list:
    """Return the results of an expression."""

    def positive(x):
        return x @ x.mH + module.eye(x.shape[-1], dtype=x.dtype)

    def both(*factors):
        """Return what depends on vectors, but not on their phases."""
        if len(factors) == 2:
            values, vectors = factors
            weights = module.arange(1, values.shape[-1] + 1).to(vectors.dtype)
            return (vectors * weights) @ vectors.mH
        left, values, right = factors
        count = values.shape[-1]
        weights = module.arange(1, count + 1).to(left.dtype)
        return (left[..., :count] * weights) @ right[..., :count, :]

    names = {name: getattr(module, name) for name in dir(module) if not name.startswith("__")}
    names |= {"fft": module.fft, "linalg": module.linalg, "torch": module}
    found = eval(expression, {**names, **tensors, "p": positive, "both": both})
    return list(found) if isinstance(found, (tuple, list)) else [found]


def weighed(module, values: list):
    """Return the real part of a weighted sum of the elements of tensors."""
    total = None
    for number, value in enumerate(values):
        weights = np.cos(np.arange(value.numel()) + number).reshape(tuple(value.shape))
        if value.is_complex():
            weights = weights + 1j * np.sin(2 * np.arange(value.numel())).reshape(weights.shape)
        product = (value * module.tensor(weights).to(value.dtype)).sum()
        part = product.real if value.is_complex() else product
        total = part if total is None else total + part
    return total


def answer(module, expression: str, is_complex: bool, dtype=None, again: bool = True) -> dict:
    """Return what a library says of the gradients of an expression: tensors, or an error.

    They are differentiated `again`.
    """
    tensors = inputs(module, is_complex, dtype)
    wanted = [tensors[name] for name in used(expression)]
    try:
        results = results_of(module, expression, tensors)
        nodes = [each.grad_fn.name() if each.requires_grad else None for each in results]
        found = {"nodes": nodes}
        values = [each for each in results if each.requires_grad]
        if not values:
            return found
        grad = module.autograd.grad
        loss = weighed(module, values)
        found["first"] = grad(loss, wanted, create_graph=again, allow_unused=True)
        if not again:
            return found
        squares = [each * each.conj() for each in found["first"] if each is not None]
        total = weighed(module, squares)
        found["second"] = [None] * len(wanted)
        if total.requires_grad:
            found["second"] = grad(total, wanted, allow_unused=True)
    except RuntimeError as error:  # NotImplementedError is one
        return {"error": getattr(error, "message", str(error))}
    return found


def listed(torch, tensor) -> object:
    """Return the elements of a tensor, rounded; parts of complex numbers side by side."""
    if tensor is None:
        return None
    tensor = tensor.detach().resolve_conj()
    array = (torch.view_as_real(tensor) if tensor.is_complex() else tensor).numpy()
    return (
        np.vectorize(lambda number: float(f"{number:.11g}"))(array).tolist() if array.size else []
    )


def main() -> None:
    """Write the record."""
    import torch

    warnings.simplefilter("ignore")
    rows = []
    for expression in CASES.strip().splitlines():
        row = {"expr": expression}
        for kind, is_complex in (("real", False), ("complex", True)):
            found = answer(torch, expression, is_complex)
            for name in ("first", "second"):
                if name in found:
                    found[name] = [listed(torch, each) for each in found[name]]
            row[kind] = found
        rows.append(row)
    path = pathlib.Path(__file__).with_name("matrix_gradients.json")
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
