"""Which operations are measured at about 1e6 elements? One expression, or two, for each family.

An expression is written over `t`, which is trilith or torch, or over `np`; what it names beside
that are inputs.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_programs import Array, channels_last

Generator = np.random.Generator


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation as PyTorch calls it, and as NumPy does where that is natural."""

    name: str
    torch: str
    numpy: str | None = None
    #: Whether each library draws numbers of its own: then only the number of elements is compared.
    is_random: bool = False

    @property
    def inputs(self) -> list[str]:
        """The inputs that the expressions name."""
        names = compile(f"{self.torch}, {self.numpy}", self.name, "eval").co_names
        return [name for name in INPUTS if name in names]

    def function(self, library: Any, is_numpy: bool = False) -> Callable[..., Any] | None:
        """Return the function of the inputs that calls a library."""
        text = self.numpy if is_numpy else self.torch
        if text is None:
            return None
        scope = {"np" if is_numpy else "t": library, "None": None}
        return eval(f"lambda {', '.join(self.inputs)}: {text}", scope)  # the texts stand below

    def make(self, side: int) -> list[Array]:
        """Return the inputs for matrices with so many rows: the same numbers in every process."""
        return [
            INPUTS[name](np.random.default_rng(zlib.crc32(name.encode())), side)
            for name in self.inputs
        ]


def _normal(generator: Generator, *shape: int) -> Array:
    return generator.standard_normal(shape, np.float32)


def _image(generator: Generator, side: int) -> Array:
    return _normal(generator, max(side // 128, 1), 32, side // 16, side // 16)


def _positive(generator: Generator, side: int) -> Array:
    """Return matrices (8, 8) that are positive-definite."""
    parts = _normal(generator, side * side // 64, 8, 8)
    return parts @ parts.transpose(0, 2, 1) + 8 * np.eye(8, dtype=np.float32)


#: (generator, side) -> an input. A matrix is (side, side), a vector has as many elements.
INPUTS: dict[str, Callable[[Generator, int], Array]] = {
    "x": lambda g, n: _normal(g, n, n),
    "y": lambda g, n: _normal(g, n, n),
    "p": lambda g, n: g.uniform(0.01, 0.99, (n, n)).astype(np.float32),
    "v": lambda g, n: _normal(g, n * n),
    "short": lambda g, n: _normal(g, n * n // 32, 32),
    "long": lambda g, n: _normal(g, 4, n * n // 4),
    "half": lambda g, n: _normal(g, n, n).astype(np.float16),
    "channel": lambda g, n: _normal(g, n),
    "bins": lambda g, n: np.sort(_normal(g, n)),
    "counts": lambda g, n: g.integers(0, n, n * n),
    "runs": lambda g, n: np.sort(g.integers(0, n * n // 4, n * n)),
    "mask": lambda g, n: g.integers(0, 2, (n, n)) > 0,
    "classes": lambda g, n: g.integers(0, n, n),
    "columns": lambda g, n: g.integers(0, n, (n, n)),
    "places": lambda g, n: g.integers(0, n * n, n * n),
    "chosen": lambda g, n: g.permutation(n),
    "stack": lambda g, n: _normal(g, n * n // 4096, 64, 64),
    "systems": _positive,
    "sides": lambda g, n: _normal(g, n * n // 64, 8, 1),
    "points": lambda g, n: _normal(g, n, 16),
    "sound": lambda g, n: _normal(g, 8, 16, n * n // 128),
    "filters1": lambda g, n: _normal(g, 16, 16, 5),
    "image": _image,
    "image_last": lambda g, n: channels_last(_image(g, n)),
    "filters": lambda g, n: _normal(g, 32, 32, 3, 3),
    "filters_last": lambda g, n: channels_last(_normal(g, 32, 32, 3, 3)),
    "wide": lambda g, n: _normal(g, 32),
    "grid": lambda g, n: g.uniform(-1, 1, (max(n // 128, 1), n // 16, n // 16, 2)).astype(
        np.float32
    ),
    "heads": lambda g, n: _normal(g, max(n // 128, 1), 4, n // 2, 64),
}

F = "t.nn.functional"
AXIS = "np.max(x, 1, keepdims=True)"
OPERATIONS = {
    operation.name: operation
    for operation in (
        # ---- elementwise
        Operation("x*y + x", "x * y + x", "x * y + x"),
        Operation("exp", "t.exp(x)", "np.exp(x)"),
        Operation("log", "t.log(p)", "np.log(p)"),
        Operation("sin", "t.sin(x)", "np.sin(x)"),
        Operation("tan", "t.tan(x)", "np.tan(x)"),
        Operation("atan2", "t.atan2(x, y)", "np.arctan2(x, y)"),
        Operation("pow", "t.pow(p, y)", "np.power(p, y)"),
        Operation("remainder", "t.remainder(x, y)", "np.remainder(x, y)"),
        Operation("erfinv", "t.erfinv(p)"),
        Operation("lgamma", "t.lgamma(y)"),
        Operation("digamma", "t.digamma(p)"),
        Operation("i0", "t.special.i0(x)"),
        Operation("i1", "t.special.i1(x)"),
        Operation("ndtri", "t.special.ndtri(p)"),
        Operation("zeta", "t.special.zeta(p + 1, p)"),
        Operation("gelu", f"{F}.gelu(x)"),
        Operation("silu", f"{F}.silu(x)"),
        Operation("softplus", f"{F}.softplus(x)"),
        Operation("elu", f"{F}.elu(x)"),
        Operation("where", "t.where(mask, x, y)", "np.where(mask, x, y)"),
        Operation("clamp", "t.clamp(x, -1, 1)", "np.clip(x, -1, 1)"),
        Operation("isclose", "t.isclose(x, y)", "np.isclose(x, y)"),
        Operation("mse_loss", f"{F}.mse_loss(x, y)", "np.square(x - y).mean()"),
        Operation("smooth_l1_loss", f"{F}.smooth_l1_loss(x, y)"),
        Operation("binary_cross_entropy", f"{F}.binary_cross_entropy(p, p)"),
        Operation("cosine_similarity", f"{F}.cosine_similarity(x, y)"),
        # ---- reductions and scans
        Operation("sum", "t.sum(x)", "np.sum(x)"),
        Operation("sum, first dim", "t.sum(x, 0)", "np.sum(x, 0)"),
        Operation("mean, float16", "t.mean(half, 1)", "np.mean(half, 1)"),
        Operation("prod", "t.prod(x, 1)", "np.prod(x, 1)"),
        Operation("var", "t.var(x)", "np.var(x, ddof=1)"),
        Operation("std, rows", "t.std(x, 1)", "np.std(x, 1, ddof=1)"),
        Operation("norm", "t.linalg.vector_norm(x)", "np.linalg.norm(x)"),
        Operation("logsumexp", "t.logsumexp(x, 1)"),
        Operation("aminmax", "t.aminmax(x)", "(np.min(x), np.max(x))"),
        Operation("count_nonzero", "t.count_nonzero(x)", "np.count_nonzero(x)"),
        Operation("nansum", "t.nansum(x)", "np.nansum(x)"),
        Operation("any, all", "(t.any(mask, 1), t.all(mask, 1))", "(mask.any(1), mask.all(1))"),
        Operation("argmax", "t.argmax(x)", "np.argmax(x)"),
        Operation("max, rows", "t.max(x, 1)", "(np.max(x, 1), np.argmax(x, 1))"),
        Operation("max, first dim", "t.max(x, 0)", "(np.max(x, 0), np.argmax(x, 0))"),
        Operation("median", "t.median(x)"),
        Operation("median, rows", "t.median(x, 1)"),
        Operation("quantile", "t.quantile(x, 0.3)", "np.quantile(x, 0.3)"),
        Operation("kthvalue", "t.kthvalue(x, 20)"),
        Operation("mode", "t.mode(counts).values"),
        Operation("cumsum", "t.cumsum(v, 0)", "np.cumsum(v)"),
        Operation("cumsum, rows", "t.cumsum(x, 1)", "np.cumsum(x, 1)"),
        Operation("cummax", "t.cummax(v, 0)"),
        Operation("cummin, rows", "t.cummin(x, 1)"),
        Operation("logcumsumexp", "t.logcumsumexp(x, 1)", "np.logaddexp.accumulate(x, 1)"),
        Operation("diff", "t.diff(x)", "np.diff(x)"),
        Operation("trapezoid", "t.trapezoid(x)", "np.trapezoid(x)"),
        Operation("cov", "t.cov(x)", "np.cov(x)"),
        Operation("histc", "t.histc(x, 100, -3, 3)", "np.histogram(x, 100, (-3, 3))[0]"),
        Operation("bincount", "t.bincount(counts)", "np.bincount(counts)"),
        # ---- row kernels
        Operation("softmax", "t.softmax(x, 1)", f"(e := np.exp(x - {AXIS})) / e.sum(1)[:, None]"),
        Operation("log_softmax", "t.log_softmax(x, 1)"),
        Operation("layer_norm", f"{F}.layer_norm(x, x.shape[1:], channel, channel)"),
        Operation("rms_norm", f"{F}.rms_norm(x, x.shape[1:], channel)"),
        Operation("group_norm", f"{F}.group_norm(image, 4, wide, wide)"),
        Operation("batch_norm", f"{F}.batch_norm(image, None, None, wide, wide, True)"),
        Operation("cross_entropy", f"{F}.cross_entropy(x, classes)"),
        Operation("normalize", f"{F}.normalize(x)"),
        # ---- contractions and windows
        Operation("mm", "x @ y", "x @ y"),
        Operation("mv", "x @ channel", "x @ channel"),
        Operation("bmm", "t.bmm(stack, stack)", "stack @ stack"),
        Operation("einsum", "t.einsum('bij,bkj->bik', stack, stack)", "stack @ stack.mT"),
        Operation("linear", f"{F}.linear(x, y, channel)", "x @ y.T + channel"),
        Operation("attention", f"{F}.scaled_dot_product_attention(heads, heads, heads)"),
        Operation("cdist", "t.cdist(points, points)"),
        Operation("outer", "t.outer(channel, channel)", "np.outer(channel, channel)"),
        Operation("conv1d", f"{F}.conv1d(sound, filters1)"),
        Operation("conv2d", f"{F}.conv2d(image, filters, padding=1)"),
        Operation("conv2d, channels last", f"{F}.conv2d(image_last, filters_last, padding=1)"),
        Operation("conv_transpose2d", f"{F}.conv_transpose2d(image, filters, stride=2)"),
        Operation("max_pool2d", f"{F}.max_pool2d(image, 2)"),
        Operation("max_pool2d, channels last", f"{F}.max_pool2d(image_last, 2)"),
        Operation("avg_pool2d", f"{F}.avg_pool2d(image, 3, 1, 1)"),
        Operation("adaptive_avg_pool2d", f"{F}.adaptive_avg_pool2d(image, 1)"),
        Operation("unfold", f"{F}.unfold(image, 3)"),
        Operation("interpolate", f"{F}.interpolate(image, scale_factor=2, mode='bilinear')"),
        Operation("interpolate, nearest", f"{F}.interpolate(image, scale_factor=2)"),
        Operation("grid_sample", f"{F}.grid_sample(image, grid, align_corners=False)"),
        Operation("pixel_shuffle", f"{F}.pixel_shuffle(image, 2)"),
        # ---- places
        Operation("embedding", f"{F}.embedding(classes, x)", "x[classes]"),
        Operation("gather", "t.gather(x, 1, columns)", "np.take_along_axis(x, columns, 1)"),
        Operation("index_select", "t.index_select(x, 0, chosen)", "np.take(x, chosen, 0)"),
        Operation("take", "t.take(x, places)", "np.take(x, places)"),
        Operation("x[mask]", "x[mask]", "x[mask]"),
        Operation("nonzero", "t.nonzero(mask)", "np.argwhere(mask)"),
        Operation("scatter_add", "t.zeros_like(x).scatter_add_(1, columns, x)"),
        Operation("index_put", "t.index_put(v, (places,), v)"),
        Operation("index_add", "t.index_add(x, 0, classes, x)"),
        Operation("one_hot", f"{F}.one_hot(classes, x.shape[0])"),
        Operation("pad", f"{F}.pad(x, (1, 1, 1, 1))", "np.pad(x, 1)"),
        Operation("pad, reflect", f"{F}.pad(image, (1, 1, 1, 1), mode='reflect')"),
        Operation("cat", "t.cat((x, y), 1)", "np.concatenate((x, y), 1)"),
        Operation("stack", "t.stack((x, y), 2)", "np.stack((x, y), 2)"),
        Operation("flip", "t.flip(x, (0, 1))", "np.ascontiguousarray(np.flip(x))"),
        Operation("roll", "t.roll(x, 3, 1)", "np.roll(x, 3, 1)"),
        Operation("tril", "t.tril(x)", "np.tril(x)"),
        Operation("transpose", "x.t().contiguous()", "np.ascontiguousarray(x.T)"),
        Operation("repeat_interleave", "t.repeat_interleave(v, 2)", "np.repeat(v, 2)"),
        Operation("arange", "t.arange(v.shape[0])", "np.arange(v.shape[0])"),
        # ---- order
        Operation("sort", "t.sort(v)"),
        Operation("sort, rows", "t.sort(x, 1)"),
        Operation("sort, short rows", "t.sort(short, 1)"),
        Operation("argsort", "t.argsort(v, stable=True)", "np.argsort(v, kind='stable')"),
        Operation("topk, a long row", "t.topk(v, 10)"),
        Operation("topk, rows", "t.topk(x, 10)"),
        Operation("topk, short rows", "t.topk(short, 5)"),
        Operation("topk, float16", "t.topk(half, 10).values"),
        Operation("unique", "t.unique(counts)", "np.unique(counts)"),
        Operation("unique, inverse", "t.unique(counts, return_inverse=True)"),
        Operation("unique_consecutive", "t.unique_consecutive(runs)"),
        Operation("searchsorted", "t.searchsorted(bins, v)", "np.searchsorted(bins, v)"),
        Operation("isin", "t.isin(counts, classes)", "np.isin(counts, classes)"),
        # ---- random numbers
        Operation("rand", "t.rand(x.shape)", "np.random.rand(*x.shape)", is_random=True),
        Operation("randn", "t.randn(x.shape)", "np.random.randn(*x.shape)", is_random=True),
        Operation("randint", "t.randint(100, x.shape)", is_random=True),
        Operation("normal_", "x.normal_()", is_random=True),
        Operation("exponential_", "x.exponential_()", is_random=True),
        Operation("bernoulli", "t.bernoulli(p)", is_random=True),
        Operation("dropout", f"{F}.dropout(x, 0.5, True)", is_random=True),
        Operation("multinomial", "t.multinomial(p, 4, True)", is_random=True),
        Operation("randperm", "t.randperm(v.shape[0])", is_random=True),
        # ---- libraries
        Operation("fft", "t.fft.fft(x)", "np.fft.fft(x)"),
        Operation("rfft2", "t.fft.rfft2(x)", "np.fft.rfft2(x)"),
        Operation("inv", "t.linalg.inv(systems)", "np.linalg.inv(systems)"),
        Operation("det", "t.linalg.det(systems)", "np.linalg.det(systems)"),
        Operation("solve", "t.linalg.solve(systems, sides)", "np.linalg.solve(systems, sides)"),
        Operation("cholesky", "t.linalg.cholesky(systems)", "np.linalg.cholesky(systems)"),
        Operation("eigvalsh", "t.linalg.eigvalsh(systems)", "np.linalg.eigvalsh(systems)"),
        Operation("svdvals", "t.linalg.svdvals(systems)"),
        Operation("qr", "t.linalg.qr(systems)[1].abs()", "abs(np.linalg.qr(systems)[1])"),
        Operation("lu_factor", "t.linalg.lu_factor(systems)[0]"),
        Operation("solve_triangular", "t.linalg.solve_triangular(systems, sides, upper=True)"),
        Operation("matrix_exp", "t.linalg.matrix_exp(systems * 0.01)"),
    )
}


def numbers_of(result: Any) -> Array:
    """Return all numbers of a result, which may be several arrays, or complex, in one array."""
    parts: list[Any] = [*result] if isinstance(result, (tuple, list)) else [result]
    return np.concatenate([_real_numbers(np.asarray(part)) for part in parts])


def _real_numbers(array: Any) -> Array:
    flat = array.ravel()
    pairs = [flat.real, flat.imag] if np.iscomplexobj(flat) else [flat]
    return np.concatenate(pairs).astype(np.float64)
