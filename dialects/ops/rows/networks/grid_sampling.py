"""Which operations look up images at places that a grid says? grid_sample, affine_grid.

A place is between elements, its taps; each tap has a weight. -1 and 1 are the middles of the outer
elements if corners are aligned, else the edges of the image.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from ....attributes.spec import TensorSpec
from ....diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithValueError,
)
from ....frames import warn_once
from ....records import record
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.resampling import OF_AFFINE_GRID, OF_GRID_SAMPLE
from ..creation.quotients import quotient
from .cubics import cubic_weights

_MODES = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")


@record
class _Tap:
    """One element that is read along a dim: its index, its weight, and where it is outside."""

    index: Any
    weight: Any
    inside: Any


def _unnormalized(t: TensorLanguage, place: Any, size: int, *, aligns: bool) -> Any:
    """Return a place counted in elements."""
    spec = tensor_of(t, place)
    half = quotient(t, size - 1 if aligns else size, 2, spec.dtype, spec.device)
    moved = t.call("mul", t.call("add", place, 1), half)
    return moved if aligns else t.call("sub", moved, 0.5)


def _clipped(t: TensorLanguage, place: Any, size: int) -> Any:
    """Return a place inside the image; of NaN the first element."""
    low = t.call("where", t.call("gt", place, 0), place, t.call("zeros_like", place))
    return t.call("clamp_max", low, size - 1)


def _padded(t: TensorLanguage, place: Any, size: int, padding: str, *, aligns: bool) -> Any:
    """Bring a place into the image, if that is what is around it."""
    if padding == "zeros":
        return place
    if padding == "border":
        return _clipped(t, place, size)
    low, span = (0.0, size - 1) if aligns else (-0.5, size)
    if span == 0:
        return t.call("zeros_like", place)
    apart = t.call("abs", t.call("sub", place, low))
    extra = t.call("remainder", apart, span)
    flips = t.call("floor", t.call("div", apart, span))
    is_odd = t.call("ne", t.call("remainder", flips, 2), 0)
    back = t.call("where", is_odd, t.call("rsub", extra, span), extra)
    return _clipped(t, t.call("add", back, low), size)


def _tap(t: TensorLanguage, place: Any, weight: Any, size: int) -> _Tap:
    """Return the tap at a whole place."""
    inside = t.call("logical_and", t.call("ge", place, 0), t.call("le", place, size - 1))
    safe = t.call("where", inside, place, t.call("zeros_like", place))
    return _Tap(t.call("long", safe), weight, inside)


def _taps(
    t: TensorLanguage, place: Any, size: int, mode: str, padding: str, *, aligns: bool
) -> list[_Tap]:
    """Return what is read along one dim."""
    there = _unnormalized(t, place, size, aligns=aligns)
    if mode == "bicubic":
        first = t.call("floor", there)
        weights = cubic_weights(t, t.call("sub", there, first), -0.75)
        places = [t.call("add", first, number - 1) for number in range(4)]
        places = [_padded(t, each, size, padding, aligns=aligns) for each in places]
        return [_tap(t, *pair, size) for pair in zip(places, weights, strict=True)]
    there = _padded(t, there, size, padding, aligns=aligns)
    if mode == "nearest":
        return [_tap(t, t.call("round", there), None, size)]
    first = t.call("floor", there)
    share = t.call("sub", there, first)
    return [
        _tap(t, first, t.call("rsub", share, 1), size),
        _tap(t, t.call("add", first, 1), share, size),
    ]


def _sampled(
    t: TensorLanguage, input: Any, grid: Any, mode: str, padding: str, *, aligns: bool
) -> Any:
    """Return the image at the places of a grid."""
    spec, places = tensor_of(t, input), tensor_of(t, grid)
    batch, channels, *sizes = spec.shape
    dims, shape = len(sizes), places.shape[1:-1]
    taps = [
        _taps(t, t.call("select", grid, -1, dims - 1 - dim), size, mode, padding, aligns=aligns)
        for dim, size in enumerate(sizes)
    ]
    whole = 1
    for size in sizes:
        whole = whole * size
    count = 1
    for size in shape:
        count = count * size
    flat = t.call("reshape", input, (batch, channels, whole))
    total = None
    for chosen in product(*taps):
        index, weight, inside = chosen[0].index, chosen[0].weight, chosen[0].inside
        for size, tap in zip(sizes[1:], chosen[1:], strict=True):
            index = t.call("add", t.call("mul", index, size), tap.index)
            inside = t.call("logical_and", inside, tap.inside)
            weight = None if weight is None else t.call("mul", weight, tap.weight)
        wide = t.call(
            "expand", t.call("reshape", index, (batch, 1, count)), (batch, channels, count)
        )
        found = t.call("view", t.call("gather", flat, 2, wide), (batch, channels, *shape))
        found = t.call("where", t.call("unsqueeze", inside, 1), found, 0.0)
        if weight is not None:
            found = t.call("mul", found, t.call("unsqueeze", weight, 1))
        total = found if total is None else t.call("add", total, found)
    return total


def _check(spec: TensorSpec, grid: TensorSpec, mode: str) -> None:
    """Refuse operands that are no image and grid, in PyTorch's words."""
    if spec.dtype is not grid.dtype:
        raise TrilithRuntimeError(
            f"expected scalar type {spec.dtype.c_name} but found {grid.dtype.c_name}"
        )
    if spec.rank not in (4, 5) or spec.rank != grid.rank:
        raise TrilithRuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but "
            f"got input with sizes {list(spec.shape)} and grid with sizes {list(grid.shape)}"
        )
    if spec.shape[0] != grid.shape[0]:
        raise TrilithRuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with "
            f"sizes {list(spec.shape)} and grid with sizes {list(grid.shape)}"
        )
    if grid.shape[-1] != spec.rank - 2:
        raise TrilithRuntimeError(
            f"grid_sampler(): expected grid to have size {spec.rank - 2} in last dimension, but "
            f"got grid with sizes {list(grid.shape)}"
        )
    for dim in range(2, spec.rank):
        if not spec.shape[dim]:
            raise TrilithRuntimeError(
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input "
                f"has sizes {list(spec.shape)} with dimension {dim} being empty"
            )
    if spec.rank == 5 and mode == "bicubic":
        raise TrilithRuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")


def _sampler(
    t: TensorLanguage,
    input: Any,
    grid: Any,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
) -> Any:
    spec = tensor_of(t, input)
    mode = _MODES[interpolation_mode]
    _check(spec, tensor_of(t, grid), mode)
    check_dtype("grid_sampler_2d_cpu" if spec.rank == 4 else "grid_sampler3d", spec.dtype, FLOATS)
    return _sampled(t, input, grid, mode, _PADDINGS[padding_mode], aligns=align_corners)


def _aligns(align_corners: bool | None) -> bool:
    if align_corners is None:
        warn_once(
            "Default grid_sample and affine_grid behavior has changed to align_corners=False since "
            "1.3.0. Please specify align_corners=True if the old behavior is desired. See the "
            "documentation of grid_sample for details."
        )
    return bool(align_corners)


def _grid_sample(
    t: TensorLanguage,
    input: Any,
    grid: Any,
    mode: str,
    padding_mode: str,
    align_corners: bool | None,
) -> Any:
    if mode not in _MODES:
        raise TrilithValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
            f"but got: '{mode}'"
        )
    if padding_mode not in _PADDINGS:
        raise TrilithValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            f"'reflection', but got: '{padding_mode}'"
        )
    numbers = _MODES.index(mode), _PADDINGS.index(padding_mode)
    return _sampler(t, input, grid, *numbers, _aligns(align_corners))


for _name in ("grid_sampler", "grid_sampler_2d", "grid_sampler_3d"):
    _ones = "1, 1, 1" if _name != "grid_sampler_3d" else "1, 1, 1, 1"
    _last = 3 if _name == "grid_sampler_3d" else 2
    composite(
        f"{_name}(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, "
        "bool align_corners)",
        "An image looked up at the places of a grid; modes are numbers, in the order of those of "
        "grid_sample.",
        f"tri.{_name}(tri.ones(1, {_ones}), tri.zeros({_ones}, {_last}), 0, 0, True).sum()"
        "  # tensor(1.)",
        _sampler,
        methods=(),
    )
composite(
    "grid_sample(Tensor input, Tensor grid, str mode='bilinear', str padding_mode='zeros', "
    "bool? align_corners=None)",
    "An image looked up at the places of a grid, between -1 and 1 along each dim.",
    "tri.nn.functional.grid_sample(tri.tensor([[[[1., 3.]]]]), tri.zeros(1, 1, 1, 2), "
    "align_corners=False).sum()  # tensor(2.)",
    _grid_sample,
    methods=(),
    is_public=False,
    places=("nn.functional.grid_sample",),
    gradient=OF_GRID_SAMPLE,
)


# ---- affine_grid


def _generator(t: TensorLanguage, theta: Any, size: tuple[int, ...], align_corners: bool) -> Any:
    spec, shape = tensor_of(t, theta), size[2:]
    dims = len(shape)
    columns: list[Any] = []
    for dim in reversed(range(dims)):
        length = shape[dim]
        steps = t.call("linspace", -1, 1, length, dtype=spec.dtype, device=spec.device)
        if length <= 1:
            steps = t.call("zeros_like", steps)
        elif not align_corners:
            steps = t.call("div", t.call("mul", steps, length - 1), length)
        placed = t.call("view", steps, (-1, *(1,) * (dims - 1 - dim)))
        columns.append(t.call("expand", placed, tuple(shape)))
    columns.append(t.call("ones_like", columns[0]))
    base = t.call("stack", columns, dims)
    base = t.call("expand", t.call("reshape", base, (1, -1, dims + 1)), (size[0], -1, -1))
    made = t.call("matmul", base, t.call("transpose", theta, 1, 2))
    return t.call("view", made, (size[0], *shape, dims))


def _affine_grid(
    t: TensorLanguage, theta: Any, size: tuple[int, ...], align_corners: bool | None
) -> Any:
    aligns, spec = _aligns(align_corners), tensor_of(t, theta)
    if not spec.dtype.is_floating_point:
        raise TrilithValueError(f"Expected theta to have floating point type, but got {spec.dtype}")
    if len(size) not in (4, 5):
        raise TrilithNotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            f"respectively. Got size {size}."
        )
    dims = len(size) - 2
    if spec.rank != 3 or spec.shape[-2:] != (dims, dims + 1):
        raise TrilithValueError(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size "
            f"{size}. Got trilith.Size({list(spec.shape)})."
        )
    if aligns and min(size[2:]) == 1:
        warn_once(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when "
            "align_corners=True. This is not an intended use case of affine_grid. See the "
            "documentation of affine_grid for details."
        )
    elif min(size) <= 0:
        raise TrilithValueError(f"Expected non-zero, positive output size. Got {size}")
    return _generator(t, theta, size, aligns)


composite(
    "affine_grid_generator(Tensor theta, int[] size, bool align_corners)",
    "The grid that affine maps make of the places of an image of that size.",
    "tri.affine_grid_generator(tri.eye(2, 3)[None], (1, 1, 1, 2), True).tolist()"
    "  # [[[[-1.0, 0.0], [1.0, 0.0]]]]",
    _generator,
    methods=(),
)
composite(
    "affine_grid(Tensor theta, int[] size, bool? align_corners=None)",
    "The grid that affine maps make of the places of an image of that size, for grid_sample.",
    "tri.nn.functional.affine_grid(tri.eye(2, 3)[None], (1, 1, 2, 2), True)[0, 1].tolist()"
    "  # [[-1.0, 1.0], [1.0, 1.0]]",
    _affine_grid,
    methods=(),
    is_public=False,
    places=("nn.functional.affine_grid",),
    gradient=OF_AFFINE_GRID,
)
