"""Which operations resample a grid of elements? `interpolate`, dim by dim, by taps and weights.

Each element of a result is a sum over some elements along a dim, its taps, whose indices and
weights are computed as tensors: in float32 or, of float64, in float64, as in PyTorch's kernels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, isfinite
from typing import Any, cast

from ....attributes.dtype import DType, bfloat16, float16, float32, float64, int32, int64, uint8
from ....attributes.memory_format import channels_last_3d, contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.strides import suggest_memory_format
from ....diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithValueError,
)
from ....frames import warn_user
from ....records import record
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of
from ...gradients.resampling import OF_INTERPOLATE
from ..creation.quotients import quotient
from .cubics import cubic_weights, filtered
from .pooling import in_format_of

Ints = tuple[int, ...]

#: Mode -> (ranks it is for, name of PyTorch's kernel).
_MODES: dict[str, tuple[Ints, str]] = {
    "nearest": ((3, 4, 5), "compute_indices_weights_nearest"),
    "nearest-exact": ((3, 4, 5), "compute_indices_weights_nearest"),
    "linear": ((3,), "compute_indices_weights_linear"),
    "bilinear": ((4,), "upsample_bilinear2d_channels_last"),
    "trilinear": ((5,), "compute_indices_weights_linear"),
    "bicubic": ((4,), "compute_indices_weights_cubic"),
    "lanczos": ((4,), "compute_index_ranges_weights"),
    "area": ((3, 4, 5), ""),
}
_NO_MODE: tuple[Ints, str] = ((), "")
#: How many elements of a filter reach around its centre, by mode.
_REACH = {"bilinear": 2, "bicubic": 4, "lanczos": 6}
#: Sizes times integers below it are floats without rounding.
_SHORT = 1 << 16
_BYTES = {"nearest", "nearest-exact", "bilinear", "bicubic", "lanczos"}


@record
class Resampling:
    """How one dim is resampled: its sizes, the step from one result to the next, and the mode."""

    mode: str
    size: int
    count: int
    step: Any
    aligns: bool
    dtype: DType


def _step(
    size: int, count: int, factor: float | None, *, aligns: bool
) -> tuple[int | float, int | float]:
    """Return how far apart two neighbouring results are in the input, as a quotient."""
    if aligns:
        return (size - 1, count - 1) if count > 1 else (0, 1)
    if factor is not None and factor > 0:
        return 1.0, factor
    return size, count


def _numbers(t: TensorLanguage, like: TensorSpec, count: int, dtype: DType) -> Any:
    return t.call("arange", 0, count, 1, dtype=dtype, device=like.device)


def _sources(t: TensorLanguage, like: TensorSpec, how: Resampling) -> Any:
    """Return where each result lies in the input."""
    numbers = _numbers(t, like, how.count, how.dtype)
    if how.aligns or how.mode == "nearest":
        return t.call("mul", numbers, how.step)
    middle = t.call("mul", t.call("add", numbers, 0.5), how.step)
    return middle if how.mode == "nearest-exact" else t.call("sub", middle, 0.5)


def _nearest(t: TensorLanguage, like: TensorSpec, how: Resampling) -> Any:
    """Return the index of the element that each result is."""
    index = t.call("to", t.call("floor", _sources(t, like, how)), int64)
    return t.call("clamp_max", index, how.size - 1)


def _taps(t: TensorLanguage, like: TensorSpec, how: Resampling) -> tuple[Any, Any]:
    """Return index and weight of each tap, both of shape (results, taps).

    In memory all first taps lie side by side: so they are read, and a fused copy moves none.
    """
    source = _sources(t, like, how)
    is_cubic = how.mode == "bicubic"
    if not is_cubic and not how.aligns:
        source = t.call("clamp_min", source, 0.0)
    first = t.call("clamp_max", t.call("to", t.call("floor", source), int64), how.size - 1)
    share = t.call("clamp", t.call("sub", source, t.call("to", first, how.dtype)), 0.0, 1.0)
    if is_cubic:
        weights = cubic_weights(t, share, -0.75)
    else:
        # PyTorch's kernels round the one weight, and take the other from what came of it.
        share = _rounded(t, like, how.mode, share)
        weights = [t.call("rsub", share, 1.0), share]
    numbers = _numbers(t, like, len(weights), int64)
    before = t.call("sub", numbers, 1) if is_cubic else numbers
    index = t.call("add", first, t.call("unsqueeze", before, 1))
    index = t.call("clamp", index, 0, how.size - 1)
    return t.call("t", index), t.call("t", t.call("stack", weights, 0))


def _wide_taps(t: TensorLanguage, like: TensorSpec, how: Resampling) -> tuple[Any, Any]:
    """Return the taps of a filter that is as wide as the step: none of the input is left out."""
    wide = max(how.step, 1.0)
    reach = _REACH[how.mode] * 0.5 * wide
    count = ceil(reach) * 2 + 1
    middle = t.call("mul", t.call("add", _numbers(t, like, how.count, how.dtype), 0.5), how.step)
    starts = t.call("to", t.call("trunc", t.call("add", middle, 0.5 - reach)), int64)
    starts = t.call("unsqueeze", t.call("clamp_min", starts, 0), 1)
    ends = t.call("to", t.call("trunc", t.call("add", middle, 0.5 + reach)), int64)
    ends = t.call("unsqueeze", t.call("clamp_max", ends, how.size), 1)
    index = t.call("add", starts, _numbers(t, like, count, int64))
    apart = t.call("sub", t.call("to", index, how.dtype), t.call("unsqueeze", middle, 1))
    apart = t.call("mul", t.call("add", apart, 0.5), 1.0 / wide)
    weights = t.call("where", t.call("lt", index, ends), filtered(t, apart, how.mode), 0.0)
    total = t.call("sum", weights, (1,), True)
    return t.call("clamp_max", index, how.size - 1), t.call("div", weights, total)


def _resampled(t: TensorLanguage, value: Any, dim: int, index: Any, weights: Any) -> Any:
    """Return the weighted sums of the taps along a dim.

    All first taps lie side by side, then all second ones: so results are computed side by side.
    """
    rank = tensor_of(t, value).rank
    taken = t.call("take_at", value, [t.call("t", index)], (dim,), wrap=False, packed=True)
    placed = t.call("clone", t.call("t", weights), memory_format=contiguous_format)
    placed = t.call("view", placed, (*tensor_of(t, placed).shape, *(1,) * (rank - 1 - dim)))
    if tensor_of(t, value).dtype is uint8:
        return _resampled_bytes(t, taken, weights, placed, dim)
    # A tap beside the filter has no weight, whatever it is.
    return t.call("sum", t.call("mul", taken, placed), (dim,))


def _adjusted(
    t: TensorLanguage, spec: TensorSpec, mode: str, antialias: bool, index: Any, weights: Any
) -> tuple[Any, Any]:
    """Round weights where PyTorch's kernels do: to 16 bits; of bytes, once taps have met."""
    if spec.dtype is uint8 and not antialias:
        return index, _met(t, spec, index, weights)
    return index, weights if antialias else _rounded(t, spec, mode, weights)


def _rounded(t: TensorLanguage, spec: TensorSpec, mode: str, weights: Any) -> Any:
    """Round weights of elements of 16 bits, where a kernel holds them in 16 bits."""
    is_last = suggest_memory_format(spec.shape, spec.strides) is channels_last_3d
    if spec.dtype not in (float16, bfloat16) or mode == "bilinear" or is_last:
        return weights
    return t.call("to", t.call("to", weights, spec.dtype), float32)


def _met(t: TensorLanguage, spec: TensorSpec, index: Any, weights: Any) -> Any:
    """Give all of the weight of taps that are one element, at a border, to the first of them."""
    count = tensor_of(t, index).shape[1]
    numbers = _numbers(t, spec, count, int64)
    same = t.call("eq", t.call("unsqueeze", index, 2), t.call("unsqueeze", index, 1))
    earlier = t.call("lt", numbers, t.call("unsqueeze", numbers, 1))
    is_first = t.call("logical_not", t.call("any", t.call("logical_and", same, earlier), 2))
    shared = t.call("where", same, t.call("unsqueeze", weights, 1), 0.0)
    return t.call("where", is_first, t.call("sum", shared, (2,)), 0.0)


def _resampled_bytes(t: TensorLanguage, taken: Any, weights: Any, placed: Any, dim: int) -> Any:
    """Return weighted sums of bytes as PyTorch's kernel has them: in integers, rounded once.

    Weights are integers of 16 bits, with as many places behind the point as the largest one leaves.
    """
    largest = t.call("amax", weights, ())
    room = t.call("ceil", t.call("log2", t.call("mul", t.call("reciprocal", largest), 32767.5)))
    places = t.call("to", t.call("clamp", t.call("sub", room, 1.0), 0.0, 22.0), int32)
    one = t.call("bitwise_left_shift", t.call("ones_like", places), places)
    scaled = t.call("mul", placed, t.call("to", one, tensor_of(t, placed).dtype))
    half = t.call("sub", t.call("to", t.call("ge", scaled, 0.0), tensor_of(t, scaled).dtype), 0.5)
    whole = t.call("to", t.call("trunc", t.call("add", scaled, half)), int32)
    products = t.call("mul", t.call("to", taken, int32), whole)
    total = t.call("sum", products, (dim,), dtype=int32)
    rounded = t.call("add", total, t.call("bitwise_right_shift", one, 1))
    shifted = t.call("bitwise_right_shift", rounded, places)
    return t.call("to", t.call("clamp", shifted, 0, 255), uint8)


def resample(
    t: TensorLanguage,
    input: Any,
    mode: str,
    counts: Ints,
    factors: Sequence[float | None],
    *,
    aligns: bool,
    antialias: bool,
) -> Any:
    """Resample the dims behind the first two."""
    spec = tensor_of(t, input)
    dtype = float64 if spec.dtype in (float64, uint8) and mode != "nearest" else float32
    dtype = float64 if spec.dtype is float64 else dtype
    hows: list[Resampling] = []
    for size, count, factor in zip(spec.shape[2:], counts, factors, strict=True):
        apart, by = _step(size, count, factor, aligns=aligns)
        # How many taps a wide filter has is asked of the step, as a number.
        step = apart / by if antialias else quotient(t, apart, by, dtype, spec.device)
        hows.append(Resampling(mode, size, count, step, aligns, dtype))
    if mode.startswith("nearest"):
        made = _taken(t, input, hows)
    else:
        value = t.call("to", input, float32) if spec.dtype in (float16, bfloat16) else input
        for dim in reversed(range(2, spec.rank)):
            how = hows[dim - 2]
            if how.size == how.count and mode != "bicubic" and not antialias:
                continue
            taps = _wide_taps(t, spec, how) if antialias else _taps(t, spec, how)
            value = _resampled(t, value, dim, *_adjusted(t, spec, mode, antialias, *taps))
        made = t.call("clone", value) if value is input else value
        if tensor_of(t, made).dtype is not spec.dtype:
            made = t.call("to", made, spec.dtype)
    return in_format_of(t, spec, made, spec.rank - 2, is_kept=spec.rank > 3)


def _taken(t: TensorLanguage, input: Any, hows: Sequence[Resampling]) -> Any:
    spec = tensor_of(t, input)
    dims = len(hows)
    places = [
        t.call("view", _nearest(t, spec, how), (-1, *(1,) * (dims - 1 - number)))
        for number, how in enumerate(hows)
    ]
    return t.call("take_at", input, places, tuple(range(2, 2 + dims)), wrap=False, packed=True)


# ---- interpolate


def _sized(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Bind a call: a number stands for each dim, a list has one for each.

    PyTorch's errors show a list as it was given, so it is looked at here.
    """
    bound: dict[str, Any] = schema.bind(arguments, keywords)
    given = {**dict(zip(schema.by_name, arguments, strict=False)), **keywords}
    rank: int | None = getattr(bound["input"], "ndim", None)
    if rank is None:
        return bound  # no tensor: refused as such
    _check_given(bound, given, list(bound["input"].shape[2:]))
    for name in ("size", "scale_factor"):
        if bound[name] is not None and not isinstance(given[name], (tuple, list)):
            bound[name] *= max(rank - 2, 0)
    return bound


def _check_given(bound: Mapping[str, Any], given: Mapping[str, Any], sizes: list[int]) -> None:
    """Refuse options that do not go together, and lists of other lengths than that of `sizes`."""
    _check_aligning(bound.get("mode", "nearest"), bound.get("align_corners"))
    size, factor = given.get("size"), given.get("scale_factor")
    if size is not None and factor is not None:
        raise TrilithValueError("only one of size or scale_factor should be defined")
    if isinstance(size, (tuple, list)) and len(cast("Sequence[Any]", size)) != len(sizes):
        raise TrilithValueError(
            "Input and output must have the same number of spatial dimensions, but got input "
            f"with spatial dimensions of {sizes} and output size of {size}. Please "
            "provide input tensor in (N, C, d1, d2, ...,dK) format and output size in "
            "(o1, o2, ...,oK) format."
        )
    if isinstance(factor, (tuple, list)) and len(cast("Sequence[Any]", factor)) != len(sizes):
        raise TrilithValueError(
            "Input and scale_factor must have the same number of spatial dimensions, but got input "
            f"with spatial dimensions of {sizes} and scale_factor of shape {factor}. "
            "Please provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in "
            "(s1, s2, ...,sK) format."
        )
    if size is None and factor is None:
        raise TrilithValueError("either size or scale_factor should be defined")


def _counts(
    spec: TensorSpec, size: Any, factors: Any, *, recomputes: bool
) -> tuple[Ints, tuple[float | None, ...]]:
    """Return how many results each dim has, and the factors that they are computed with."""
    dims = max(spec.rank - 2, 0)
    if size is not None and recomputes:
        raise TrilithValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if size is not None:
        return size, (None,) * dims
    counts = tuple(_scaled(length, by) for length, by in zip(spec.shape[2:], factors, strict=True))
    return counts, (None,) * dims if recomputes else factors


def _scaled(length: int, factor: float) -> int:
    """Return how many results there are: of a factor that is a short fraction by integers alone."""
    if isfinite(factor):
        dividend, divisor = factor.as_integer_ratio()
        if factor > 0 and max(dividend, divisor) < _SHORT:
            return length * dividend // divisor
    return int(length * factor)


def _check_aligning(mode: str, aligns: bool | None) -> None:
    if mode in ("nearest", "area", "nearest-exact") and aligns is not None:
        raise TrilithValueError(
            "align_corners option can only be set with the interpolating modes: "
            "linear | bilinear | bicubic | trilinear"
        )


def _check_mode(spec: TensorSpec, mode: str, aligns: bool | None, antialias: bool) -> None:
    """Refuse what PyTorch's function refuses."""
    if antialias and not (mode in _REACH and spec.rank == 4):
        raise TrilithValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires "
            "a 4-D tensor as input"
        )
    ranks, _ = _MODES.get(mode, _NO_MODE)
    if spec.rank in ranks:
        if mode == "lanczos" and aligns:
            raise TrilithValueError("Lanczos mode does not support align_corners=True")
        if mode == "lanczos" and not antialias:
            raise TrilithValueError("Lanczos mode requires antialias=True")
        return
    if mode in ("linear", "bilinear", "trilinear") and spec.rank in (3, 4, 5):
        raise TrilithNotImplementedError(
            f"Got {spec.rank}D input, but {mode} mode needs {ranks[0]}D input"
        )
    raise TrilithNotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {spec.rank}D) for the "
        "modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact "
        f"(got {mode})"
    )


def _check_sizes(spec: TensorSpec, counts: Ints) -> None:
    sizes = spec.shape[2:]
    names = ("D", "H", "W")[5 - spec.rank :]
    if min(*sizes, *counts) <= 0:
        given, made = (
            ", ".join(f"{name}: {size}" for name, size in zip(names, numbers, strict=True))
            for numbers in (sizes, counts)
        )
        word = " and output" if len(sizes) == 1 else " output"
        raise TrilithRuntimeError(
            "Input and output sizes should be greater than 0, but got input "
            f"({given}){word} ({made})"
        )
    if 0 in spec.shape[1:]:
        raise TrilithRuntimeError(
            f"Non-empty {spec.rank}D data tensor expected but got a tensor with sizes "
            f"{list(spec.shape)}"
        )


def _check_kernel(spec: TensorSpec, mode: str, antialias: bool) -> None:
    _, name = _MODES[mode]
    accepts = FLOATS | {uint8} if mode in _BYTES else FLOATS
    if antialias:
        name, accepts = "compute_index_ranges_weights", frozenset({float32, float64, uint8})
    elif mode.startswith("nearest") and spec.rank == 4:
        name = "upsample_nearest2d_channels_last"
    check_dtype(name, spec.dtype, accepts)


def _interpolate(
    t: TensorLanguage,
    input: Any,
    size: Any,
    scale_factor: Any,
    mode: str,
    align_corners: bool | None,
    recompute_scale_factor: bool | None,
    antialias: bool,
) -> Any:
    spec = tensor_of(t, input)
    recomputes = bool(recompute_scale_factor) or (mode == "area" and size is None)
    counts, factors = _counts(spec, size, scale_factor, recomputes=recomputes)
    _check_mode(spec, mode, align_corners, antialias)
    if mode == "area":
        return t.call(f"adaptive_avg_pool{spec.rank - 2}d", input, counts)
    _check_sizes(spec, counts)
    _check_kernel(spec, mode, antialias)
    aligns = bool(align_corners)
    return resample(t, input, mode, counts, factors, aligns=aligns, antialias=antialias)


composite(
    "interpolate(Tensor input, int[2]? size=None, float[2]? scale_factor=None, str mode='nearest', "
    "bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False)",
    "The tensor resampled to another size of the dims behind the first two, by mode: nearest, "
    "nearest-exact, linear, bilinear, trilinear, bicubic, lanczos or area.",
    "tri.nn.functional.interpolate(tri.tensor([[[1., 2.]]]), 4, mode='linear')"
    "  # tensor([[[1.0000, 1.2500, 1.7500, 2.0000]]])",
    _interpolate,
    methods=(),
    is_public=False,
    binder=_sized,
    opens_integers=True,
    places=("nn.functional.interpolate",),
    gradient=OF_INTERPOLATE,
)


def _warn_of_old(name: str) -> None:
    warn_user(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.",
    )


def _upsample(
    t: TensorLanguage, input: Any, size: Any, scale_factor: Any, mode: str, align_corners: Any
) -> Any:
    _warn_of_old("upsample")
    return _interpolate(t, input, size, scale_factor, mode, align_corners, None, False)


def _upsample_nearest(t: TensorLanguage, input: Any, size: Any, scale_factor: Any) -> Any:
    _warn_of_old("upsample_nearest")
    return _interpolate(t, input, size, scale_factor, "nearest", None, None, False)


def _upsample_bilinear(t: TensorLanguage, input: Any, size: Any, scale_factor: Any) -> Any:
    _warn_of_old("upsample_bilinear")
    return _interpolate(t, input, size, scale_factor, "bilinear", True, None, False)


composite(
    "upsample(Tensor input, int[2]? size=None, float[2]? scale_factor=None, str mode='nearest', "
    "bool? align_corners=None)",
    "The same as interpolate, which has taken its place.",
    "tri.nn.functional.interpolate(tri.tensor([[[1., 2.]]]), 4).tolist()"
    "  # [[[1.0, 1.0, 2.0, 2.0]]]",
    _upsample,
    methods=(),
    is_public=False,
    binder=_sized,
    opens_integers=True,
    places=("nn.functional.upsample",),
    gradient=OF_INTERPOLATE,
)
composite(
    "upsample_nearest(Tensor input, int[2]? size=None, float[2]? scale_factor=None)",
    "The same as interpolate in its mode nearest, which has taken its place.",
    "tri.nn.functional.interpolate(tri.tensor([[[1., 2.]]]), 4).tolist()"
    "  # [[[1.0, 1.0, 2.0, 2.0]]]",
    _upsample_nearest,
    methods=(),
    is_public=False,
    binder=_sized,
    opens_integers=True,
    places=("nn.functional.upsample_nearest",),
)
composite(
    "upsample_bilinear(Tensor input, int[2]? size=None, float[2]? scale_factor=None)",
    "The same as interpolate in its mode bilinear with align_corners set.",
    "tri.nn.functional.interpolate(tri.tensor([[[[1., 2.]]]]), (1, 3), None, 'bilinear', True)"
    ".tolist()"
    "  # [[[[1.0, 1.5, 2.0]]]]",
    _upsample_bilinear,
    methods=(),
    is_public=False,
    binder=_sized,
    opens_integers=True,
    places=("nn.functional.upsample_bilinear",),
)
