"""Which operations are discrete Fourier transforms? Three, in whose words torch.fft is said.

Transforms of complex numbers, of real ones, and back to real ones, over any dims. Their elements
are computed on the host (`runtime/host/fourier.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ....attributes.default_dtype import get_default_dtype
from ....attributes.dtype import Category, DType, float32, float64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.host_bodies import HostBodyOp
from ...frame.mapped_dims import along
from ...frame.opspec import composite
from ...frame.out_rules import transformed
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage, registering
from ...gradients.fourier import OF_COMPLEX_TRANSFORM, OF_REAL_TRANSFORM, OF_TRANSFORM_BACK

Ints = tuple[int, ...]

#: Scales: none, one over the root of the number of points, one over that number.
NO_SCALE, BY_ROOT, BY_NUMBER = 0, 1, 2

_transform = registering(
    partial(HostBodyOp, is_public=False, methods=(), has_out=False, mapping=along("dim"))
)

# ---- the three transforms


def _by_stride(spec: TensorSpec, dims: Sequence[int]) -> list[int]:
    return sorted(dims, key=lambda dim: -spec.strides[dim])


def _parted(rank: int, dims: Sequence[int]) -> list[int]:
    """Return the dims that are not transformed in the order that PyTorch's partition leaves them.

    From both ends, the first that is transformed changes places with the last that is not.
    """
    order = list(range(rank))
    first, last = 0, rank
    while True:
        while first < last and order[first] not in dims:
            first += 1
        last -= 1
        while first < last and order[last] in dims:
            last -= 1
        if first >= last:
            return order[:first]
        order[first], order[last] = order[last], order[first]
        first += 1


def _strides(spec: TensorSpec, shape: Ints, dims: Sequence[int]) -> Ints:
    """Return the strides of a result: transformed dims are innermost, the others as they lay."""
    order = [*_by_stride(spec, _parted(spec.rank, dims)), *dims]
    strides = [0] * spec.rank
    step = 1
    for dim in reversed(order):
        strides[dim] = step
        step *= shape[dim]
    return tuple(strides)


def _result(spec: TensorSpec, shape: Ints, dims: Sequence[int], dtype: DType) -> TensorSpec:
    return TensorSpec.of(shape, dtype, spec.device, _strides(spec, shape, dims))


def _resized(shape: Ints, dim: int, size: int) -> Ints:
    return (*shape[:dim], size, *shape[dim + 1 :])


def _resolve_complex(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec, dims = _known(operands, attributes)
    if not dims:
        raise TrilithRuntimeError("a transform over no dim")
    result = _result(spec, spec.shape, _by_stride(spec, dims), spec.dtype)
    return Resolved(dict(attributes), (spec.dtype,), result)


def _resolve_real(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec, dims = _known(operands, attributes)
    *others, last = dims
    shape = spec.shape
    if attributes["onesided"]:
        shape = _resized(shape, last, shape[last] // 2 + 1)
    result = _result(spec, shape, [*_by_stride(spec, others), last], spec.dtype.to_complex())
    return Resolved(dict(attributes), (spec.dtype,), result)


def _resolve_back(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    spec, dims = _known(operands, attributes)
    *others, last = dims
    size: Any = attributes["last_dim_size"]
    shape = _resized(spec.shape, last, size)
    if others:  # the others are transformed first, and the last one what that gives
        spec = _result(spec, spec.shape, _by_stride(spec, others), spec.dtype)
    result = _result(spec, shape, [last], spec.dtype.to_real())
    return Resolved(dict(attributes), (spec.dtype,), result)


def _known(operands: Sequence[OperandSpec], attributes: Attributes) -> tuple[TensorSpec, Ints]:
    (spec,), dims = operands, attributes["dim"]
    assert isinstance(spec, TensorSpec)
    assert isinstance(dims, tuple)
    return spec, dims  # pyright: ignore[reportReturnType] - integers, as the schema says


_transform(
    "fft_complex(Tensor input, int[] dim, int normalization, bool forward)",
    "The discrete Fourier transform of complex numbers over dims, or back: what `fft` becomes.",
    "tri.fft.fft(tri.tensor([1 + 0j, 0j]))  # tensor([1.+0.j, 1.+0.j])",
    resolver=_resolve_complex,
    body="fourier:complex_to_complex",
    gradient=OF_COMPLEX_TRANSFORM,
)
_transform(
    "fft_real(Tensor input, int[] dim, int normalization, bool onesided)",
    "The discrete Fourier transform of real numbers over dims: what `rfft` becomes.",
    "tri.fft.rfft(tri.tensor([1., 0., 0.]))  # tensor([1.+0.j, 1.+0.j])",
    resolver=_resolve_real,
    body="fourier:real_to_complex",
    gradient=OF_REAL_TRANSFORM,
)
_transform(
    "fft_back(Tensor input, int[] dim, int normalization, SymInt last_dim_size)",
    "The inverse of a one-sided transform over dims: what `irfft` becomes.",
    "tri.fft.irfft(tri.tensor([1 + 0j, 1 + 0j]), 3)  # tensor([1., 0., 0.])",
    resolver=_resolve_back,
    body="fourier:complex_to_real",
    gradient=OF_TRANSFORM_BACK,
)

# ---- what they are given


def _spec(t: TensorLanguage, value: Any) -> TensorSpec:
    spec = t.spec(value)
    assert isinstance(spec, TensorSpec)
    return spec


def promoted(t: TensorLanguage, input: Any, *, is_complex: bool) -> Any:
    """Cast to what there are transforms of: integers and bool to the default dtype."""
    dtype = _spec(t, input).dtype
    wanted = dtype if dtype.category >= Category.FLOATING else get_default_dtype()
    if wanted.to_real() not in (float32, float64):
        raise TrilithRuntimeError(f"Unsupported dtype {wanted.c_name}")
    if is_complex:
        wanted = wanted.to_complex()
    return input if wanted is dtype else t.call("cast", input, wanted)


def scale_of(norm: str | None, *, forward: bool) -> int:
    """Return the scale that `norm` means for a transform, or its inverse."""
    if norm in (None, "backward"):
        return NO_SCALE if forward else BY_NUMBER
    if norm == "forward":
        return BY_NUMBER if forward else NO_SCALE
    if norm == "ortho":
        return BY_ROOT
    raise TrilithRuntimeError(f'Invalid normalization mode: "{norm}"')


def wrapped_dim(dim: int, rank: int) -> int:
    """Return the dim counted from the left; a 0-dim tensor has none."""
    if not rank:
        raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if not -rank <= dim < rank:
        raise TrilithIndexError(
            "Dimension out of range "
            f"(expected to be in range of [{-rank}, {rank - 1}], but got {dim})"
        )
    return dim % rank


def check_points(count: int) -> None:
    """Refuse to transform nothing."""
    if count < 1:
        raise TrilithRuntimeError(f"Invalid number of data points ({count}) specified")


def fitted(t: TensorLanguage, input: Any, dims: Ints, sizes: Sequence[int]) -> Any:
    """Cut dims, or fill them up with zeros, to the sizes that are transformed."""
    shape = _spec(t, input).shape
    margins = [0] * (2 * len(shape))
    for dim, size in zip(dims, sizes, strict=True):
        if size < shape[dim]:
            input = t.call("narrow", input, dim, 0, size)
        elif size > shape[dim]:
            margins[2 * (len(shape) - 1 - dim) + 1] = size - shape[dim]
    return t.call("pad", input, tuple(margins)) if any(margins) else input


# ---- over one dim


def _one(
    t: TensorLanguage, input: Any, n: int | None, dim: int, *, size: int | None = None
) -> tuple[Any, int]:
    """Return the input fitted to `n` points, or to the size of so many, and its dim."""
    spec = _spec(t, input)
    wrapped = wrapped_dim(dim, spec.rank)
    check_points(spec.shape[wrapped] if n is None else n)
    if n is not None:
        input = fitted(t, input, (wrapped,), (n if size is None else size,))
    return input, wrapped


def _complex(
    t: TensorLanguage, input: Any, n: int | None, dim: int, norm: str | None, *, forward: bool
) -> Any:
    if not _spec(t, input).dtype.is_complex:
        return _real(t, input, n, dim, norm, name="", forward=forward, onesided=False)
    input = promoted(t, input, is_complex=True)
    input, wrapped = _one(t, input, n, dim)
    return t.call("fft_complex", input, (wrapped,), scale_of(norm, forward=forward), forward)


def _real(
    t: TensorLanguage,
    input: Any,
    n: int | None,
    dim: int,
    norm: str | None,
    *,
    name: str,
    forward: bool,
    onesided: bool = True,
) -> Any:
    dtype = _spec(t, input).dtype
    if dtype.is_complex:
        raise TrilithRuntimeError(
            f"{name} expects a real input tensor, but got {dtype.c_name.removeprefix('c10::')}"
        )
    input = promoted(t, input, is_complex=False)
    input, wrapped = _one(t, input, n, dim)
    found = t.call("fft_real", input, (wrapped,), scale_of(norm, forward=forward), onesided)
    return found if forward else t.call("conj", found)


def _back(
    t: TensorLanguage, input: Any, n: int | None, dim: int, norm: str | None, *, forward: bool
) -> Any:
    input = promoted(t, input, is_complex=True)
    spec = _spec(t, input)
    wrapped = wrapped_dim(dim, spec.rank)
    count = 2 * (spec.shape[wrapped] - 1) if n is None else n
    check_points(count)
    if n is not None:
        input = fitted(t, input, (wrapped,), (n // 2 + 1,))
    if forward:
        input = t.call("conj", input)
    return t.call("fft_back", input, (wrapped,), scale_of(norm, forward=forward), count)


def _add_one(name: str, doc: str, example: str, expand: Any) -> None:
    composite(
        f"fft_{name}(Tensor input, SymInt? n=None, int dim=-1, str? norm=None)",
        doc,
        example,
        expand,
        is_public=False,
        places=(f"fft.{name}",),
        methods=(),
        has_out=True,
        refuse_out=transformed(name),
    )


_add_one(
    "fft",
    "The discrete Fourier transform along a dim.",
    "tri.fft.fft(tri.tensor([1., 1.]))  # tensor([2.+0.j, 0.+0.j])",
    partial(_complex, forward=True),
)
_add_one(
    "ifft",
    "The inverse of the discrete Fourier transform along a dim.",
    "tri.fft.ifft(tri.tensor([2 + 0j, 0j]))  # tensor([1.+0.j, 1.+0.j])",
    partial(_complex, forward=False),
)
_add_one(
    "rfft",
    "The discrete Fourier transform of real numbers along a dim: the half that tells all.",
    "tri.fft.rfft(tri.tensor([1., 1., 1.]))  # tensor([3.+0.j, 0.+0.j])",
    partial(_real, name="rfft", forward=True),
)
_add_one(
    "irfft",
    "The inverse of `rfft` along a dim, with n points, an even number unless it is said.",
    "tri.fft.irfft(tri.tensor([3., 0.]), n=3)  # tensor([1., 1., 1.])",
    partial(_back, forward=False),
)
_add_one(
    "hfft",
    "The transform of a signal whose spectrum is real, given by its half, along a dim.",
    "tri.fft.hfft(tri.tensor([1., 0.]), n=3)  # tensor([1., 1., 1.])",
    partial(_back, forward=True),
)
_add_one(
    "ihfft",
    "The inverse of `hfft` along a dim.",
    "tri.fft.ihfft(tri.tensor([3., 3., 3.]))  # tensor([3.-0.j, 0.-0.j])",
    partial(_real, name="ihfft", forward=False),
)
