"""Which operations move elements between channels and space? pixel_shuffle and its like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.memory_format import contiguous_format
from ....attributes.strides import strides_for, suggest_memory_format
from ....diagnostics import TrilithRuntimeError
from ...frame.gradients import by_steps
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import ARITHMETIC, COMPLEX, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.joining import OF_PIXEL_SHUFFLE, OF_PIXEL_UNSHUFFLE


def _rearranged(
    t: TensorLanguage,
    name: str,
    input: Any,
    split: Sequence[Any],
    order: Sequence[int],
    shape: Sequence[Any],
) -> Any:
    """Split dims, exchange them and join them again, in the input's memory format."""
    spec = tensor_of(t, input)
    if spec.numel:
        # PyTorch's kernels, which nothing moves through where there are no elements, copy these.
        check_dtype(name, spec.dtype, ARITHMETIC | COMPLEX)
    parted = t.call("permute", t.call("reshape", input, tuple(split)), tuple(order))
    # Where nothing moves the parts are a view; the result never is one.
    copied = t.call("clone", parted, memory_format=contiguous_format)
    made = t.call("reshape", copied, tuple(shape))
    memory_format = contiguous_format
    if 0 not in spec.shape:
        memory_format = suggest_memory_format(spec.shape, spec.strides)
    found = tensor_of(t, made)
    if found.strides == strides_for(found.shape, memory_format):
        return made
    return t.call("clone", made, memory_format=memory_format)


def _pixel_shuffle(t: TensorLanguage, input: Any, upscale_factor: int) -> Any:
    spec, factor = tensor_of(t, input), upscale_factor
    if spec.rank < 3:
        raise TrilithRuntimeError(
            "pixel_shuffle expects input to have at least 3 dimensions, but got input with "
            f"{spec.rank} dimension(s)"
        )
    if factor <= 0:
        raise TrilithRuntimeError(
            f"pixel_shuffle expects a positive upscale_factor, but got {factor}"
        )
    *batch, channels, height, width = spec.shape
    if channels % factor**2:
        raise TrilithRuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square "
            f"of upscale_factor, but input.size(-3)={channels} is not divisible by {factor**2}"
        )
    count, lead = channels // factor**2, range(len(batch))
    after = len(batch)
    return _rearranged(
        t,
        "pixel_shuffle",
        input,
        (*batch, count, factor, factor, height, width),
        (*lead, after, after + 3, after + 1, after + 4, after + 2),
        (*batch, count, height * factor, width * factor),
    )


def _pixel_unshuffle(t: TensorLanguage, input: Any, downscale_factor: int) -> Any:
    spec, factor = tensor_of(t, input), downscale_factor
    if spec.rank < 3:
        raise TrilithRuntimeError(
            "pixel_unshuffle expects input to have at least 3 dimensions, but got input with "
            f"{spec.rank} dimension(s)"
        )
    if factor <= 0:
        raise TrilithRuntimeError(
            f"pixel_unshuffle expects a positive downscale_factor, but got {factor}"
        )
    *batch, channels, height, width = spec.shape
    for word, size, dim in (("height", height, -2), ("width", width, -1)):
        if size % factor:
            raise TrilithRuntimeError(
                f"pixel_unshuffle expects {word} to be divisible by downscale_factor, but "
                f"input.size({dim})={size} is not divisible by {factor}"
            )
    if not spec.numel:
        # As in PyTorch, which keeps the shape.
        return t.call("clone", input, memory_format=contiguous_format)
    lead, after = range(len(batch)), len(batch)
    return _rearranged(
        t,
        "pixel_unshuffle",
        input,
        (*batch, channels, height // factor, factor, width // factor, factor),
        (*lead, after, after + 2, after + 4, after + 1, after + 3),
        (*batch, channels * factor**2, height // factor, width // factor),
    )


def _channel_shuffle(t: TensorLanguage, input: Any, groups: int) -> Any:
    spec = tensor_of(t, input)
    if spec.rank <= 2:
        raise TrilithRuntimeError(
            f"channel_shuffle expects input with > 2 dims, but got input with sizes "
            f"{list(spec.shape)}"
        )
    if groups <= 0:
        raise TrilithRuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
        )
    batch, channels, *sizes = spec.shape
    if channels % groups:
        raise TrilithRuntimeError(
            "Number of channels must be divisible by groups. "
            f"Got {channels} channels and {groups} groups."
        )
    if not spec.numel:
        return t.call("alias", input)
    split = (batch, groups, channels // groups, *sizes)
    order = (0, 2, 1, *range(3, len(split)))
    return _rearranged(t, "channel_shuffle", input, split, order, spec.shape)


composite(
    "pixel_shuffle(Tensor input, SymInt upscale_factor)",
    "Squares of channels as squares of pixels: dims (C r^2, H, W) become (C, H r, W r).",
    "tri.pixel_shuffle(tri.arange(4).reshape(4, 1, 1), 2).tolist()  # [[[0, 1], [2, 3]]]",
    _pixel_shuffle,
    methods=(),
    places=("nn.functional.pixel_shuffle",),
    gradient=OF_PIXEL_SHUFFLE,
)
composite(
    "pixel_unshuffle(Tensor input, SymInt downscale_factor)",
    "Squares of pixels as channels: dims (C, H r, W r) become (C r^2, H, W).",
    "tri.pixel_unshuffle(tri.arange(4).reshape(1, 2, 2), 2).flatten()  # tensor([0, 1, 2, 3])",
    _pixel_unshuffle,
    methods=(),
    places=("nn.functional.pixel_unshuffle",),
    gradient=OF_PIXEL_UNSHUFFLE,
)
composite(
    "channel_shuffle(Tensor input, int groups)",
    "The channels of all groups in turn.",
    "tri.channel_shuffle(tri.arange(4).reshape(1, 4, 1), 2).flatten()  # tensor([0, 2, 1, 3])",
    _channel_shuffle,
    methods=(),
    places=("nn.functional.channel_shuffle",),
    gradient=by_steps("ChannelShuffleBackward0", "input"),
)
composite(
    "native_channel_shuffle(Tensor input, int groups)",
    "The same as channel_shuffle.",
    "tri.native_channel_shuffle(tri.arange(4).reshape(1, 4, 1), 2).flatten()"
    "  # tensor([0, 2, 1, 3])",
    _channel_shuffle,
    methods=(),
    places=("nn.functional.native_channel_shuffle",),
)
