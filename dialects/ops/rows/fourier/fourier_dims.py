"""Which Fourier transforms go over several dims? fft2, fftn and their like; shifts and frequencies.

They are said with the three transforms of `fourier.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf
from typing import Any

from ....attributes.default_dtype import get_default_dtype
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import composite
from ...frame.out_rules import transformed
from ...frame.row import TensorLanguage
from ..creation.filled import OPTIONS, factory
from .fourier import check_points, fitted, promoted, scale_of, wrapped_dim

Ints = tuple[int, ...]


def _spec(t: TensorLanguage, value: Any) -> TensorSpec:
    spec = t.spec(value)
    assert isinstance(spec, TensorSpec)
    return spec


def _dims_and_sizes(
    spec: TensorSpec, s: Sequence[int] | None, dim: Sequence[int] | None
) -> tuple[Ints, list[int]]:
    """Return which dims are transformed, and how many points there are along each."""
    if s is not None and len(s) > spec.rank and dim is None:
        raise TrilithRuntimeError(
            f"Got shape with {len(s)} values but input tensor only has {spec.rank} dimensions."
        )
    if dim is None:
        count = spec.rank if s is None else len(s)
        dims = tuple(range(spec.rank - count, spec.rank))
    else:
        dims = tuple(wrapped_dim(item, spec.rank) for item in dim)
    if len(set(dims)) < len(dims):
        raise TrilithRuntimeError("FFT dims must be unique")
    if s is not None and len(dims) != len(s):
        raise TrilithRuntimeError("When given, dim and shape arguments must have the same length")
    asked = (-1,) * len(dims) if s is None else s
    sizes = [
        spec.shape[item] if size == -1 else size for item, size in zip(dims, asked, strict=True)
    ]
    for size in sizes:
        check_points(size)
    return dims, sizes


def _complex(
    t: TensorLanguage, input: Any, s: Any, dim: Any, norm: str | None, *, forward: bool
) -> Any:
    dims, sizes = _dims_and_sizes(_spec(t, input), s, dim)
    input = fitted(t, promoted(t, input, is_complex=True), dims, sizes)
    scale = scale_of(norm, forward=forward)
    return t.call("fft_complex", input, dims, scale, forward) if dims else t.call("clone", input)


def _real(t: TensorLanguage, input: Any, s: Any, dim: Any, norm: str | None) -> Any:
    dtype = _spec(t, input).dtype
    if dtype.is_complex:
        raise TrilithRuntimeError(
            f"rfftn expects a real-valued input tensor, but got {dtype.c_name}"
        )
    input = promoted(t, input, is_complex=False)
    dims, sizes = _dims_and_sizes(_spec(t, input), s, dim)
    if not dims:
        raise TrilithRuntimeError("rfftn must transform at least one axis")
    input = fitted(t, input, dims, sizes)
    return t.call("fft_real", input, dims, scale_of(norm, forward=True), True)


def _halved(
    name: str, spec: TensorSpec, s: Sequence[int] | None, dim: Sequence[int] | None
) -> tuple[Ints, list[int], int]:
    """Return dims and sizes of a one-sided transform, and the size that its last dim gets back."""
    dims, sizes = _dims_and_sizes(spec, s, dim)
    if not dims:
        raise TrilithRuntimeError(f"{name} must transform at least one axis")
    is_open = s is None or s[-1] == -1
    last = 2 * (spec.shape[dims[-1]] - 1) if is_open else sizes[-1]
    check_points(last)
    sizes[-1] = last // 2 + 1
    return dims, sizes, last


def _back(t: TensorLanguage, input: Any, s: Any, dim: Any, norm: str | None) -> Any:
    dims, sizes, last = _halved("irfftn", _spec(t, input), s, dim)
    input = fitted(t, promoted(t, input, is_complex=True), dims, sizes)
    return t.call("fft_back", input, dims, scale_of(norm, forward=False), last)


def _hermitian(t: TensorLanguage, input: Any, s: Any, dim: Any, norm: str | None) -> Any:
    dims, sizes, last = _halved("hfftn", _spec(t, input), s, dim)
    input = fitted(t, promoted(t, input, is_complex=True), dims, sizes)
    scale = scale_of(norm, forward=True)
    if len(dims) > 1:
        input = t.call("fft_complex", input, dims[:-1], scale, True)
    return t.call("fft_back", t.call("conj", input), dims[-1:], scale, last)


def _inverse_hermitian(t: TensorLanguage, input: Any, s: Any, dim: Any, norm: str | None) -> Any:
    dtype = _spec(t, input).dtype
    if dtype.is_complex:
        raise TrilithRuntimeError(
            f"ihfftn expects a real-valued input tensor, but got {dtype.c_name}"
        )
    input = promoted(t, input, is_complex=False)
    dims, sizes = _dims_and_sizes(_spec(t, input), s, dim)
    if not dims:
        raise TrilithRuntimeError("ihfftn must transform at least one axis")
    input = fitted(t, input, dims, sizes)
    scale = scale_of(norm, forward=False)
    found = t.call("fft_real", input, dims[-1:], scale, True)
    if len(dims) == 1:
        return t.call("conj", found)
    found = t.call("conj_physical", found)
    return t.call("fft_complex", found, dims[:-1], scale, False)


def _add(name: str, doc: str, example: str, expand: Any) -> None:
    """Add the row over all dims, or those that are given, and that over the last two."""
    for ending, dims in (("n", "int[]? dim=None"), ("2", "int[]? dim=(-2,-1)")):
        of = "dims" if ending == "n" else "two dims"
        composite(
            f"fft_{name}{ending}(Tensor input, SymInt[]? s=None, {dims}, str? norm=None)",
            doc.format(of),
            example.format(f"tri.fft.{name}{ending}"),
            expand,
            is_public=False,
            places=(f"fft.{name}{ending}",),
            methods=(),
            has_out=True,
            refuse_out=transformed("fftn" if name == "ifft" else f"{name}n"),
        )


_add(
    "fft",
    "The discrete Fourier transform over {}.",
    "{}(tri.tensor([[1., 0.]]))  # tensor([[1.+0.j, 1.+0.j]])",
    partial(_complex, forward=True),
)
_add(
    "ifft",
    "The inverse of the discrete Fourier transform over {}.",
    "{}(tri.tensor([[2., 0.]]))  # tensor([[1.+0.j, 1.+0.j]])",
    partial(_complex, forward=False),
)
_add(
    "rfft",
    "The discrete Fourier transform of real numbers over {}: half of it along the last.",
    "{}(tri.tensor([[1., 0., 0.]]))  # tensor([[1.+0.j, 1.+0.j]])",
    _real,
)
_add(
    "irfft",
    "The inverse of the transform of real numbers over {}.",
    "{}(tri.tensor([[3., 0.]]), (1, 3))  # tensor([[1., 1., 1.]])",
    _back,
)
_add(
    "hfft",
    "The transform over {} of a signal whose spectrum is real, given by its half.",
    "{}(tri.tensor([[1., 0.]]), (1, 3))  # tensor([[1., 1., 1.]])",
    _hermitian,
)
_add(
    "ihfft",
    "The inverse of the transform over {} to a spectrum that is real.",
    "{}(tri.tensor([[3., 3., 3.]])).shape  # trilith.Size([1, 2])",
    _inverse_hermitian,
)

# ---- order and frequencies


def _shift(t: TensorLanguage, input: Any, dim: Any, *, is_back: bool) -> Any:
    spec = _spec(t, input)
    given = range(spec.rank) if dim is None else dim
    dims = tuple(wrapped_dim(item, spec.rank) for item in given)
    shifts = tuple((spec.shape[item] + is_back) // 2 for item in dims)
    return t.call("roll", input, shifts, dims)


for _name, _doc, _expected, _is_back in (
    ("fftshift", "The frequencies in order, 0 in the middle.", "[2, 0, 1]", False),
    ("ifftshift", "What `fftshift` put in order, back in the order of transforms.", "[1, 2, 0]", 1),
):
    composite(
        f"fft_{_name}(Tensor input, int[]? dim=None)",
        _doc,
        f"tri.fft.{_name}(tri.tensor([0, 1, 2]))  # tensor({_expected})",
        partial(_shift, is_back=bool(_is_back)),
        is_public=False,
        places=(f"fft.{_name}",),
        methods=(),
        has_out=False,
    )


def _frequencies(t: TensorLanguage, n: int, d: float, *, is_real: bool, **options: Any) -> Any:
    """Return the multiples of 1 / (n d) that transforms of n points are of."""
    kinds = {name: options[name] for name in ("dtype", "device", "layout")}
    kinds["dtype"] = kinds["dtype"] or get_default_dtype()
    if is_real:
        count = t.call("arange", 0, n // 2 + 1, **kinds)
    else:
        half = (n + 1) // 2
        low = t.call("arange", 0, half, **kinds)
        count = t.call("cat", [low, t.call("arange", half - n, 0, **kinds)], 0)
    length = n * d
    return t.call("mul", count, 1.0 / length if length else inf)


for _name, _expected, _is_real in (
    ("fftfreq", "[ 0.0000,  0.3333, -0.3333]", False),
    ("rfftfreq", "[0.0000, 0.3333]", True),
):
    factory(
        f"fft_{_name}(SymInt n, float d=1.0, {OPTIONS})",
        f"The frequencies of `{_name.removesuffix('freq')}` of n points that are d apart.",
        f"tri.fft.{_name}(3)  # tensor({_expected})",
        partial(_frequencies, is_real=_is_real),
        is_public=False,
        places=(f"fft.{_name}",),
        has_out=True,
    )
