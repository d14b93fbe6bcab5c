"""What stands around a tensor? Margins that continue it: pad's modes other than constant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....attributes.memory_format import contiguous_format
from ....attributes.spec import TensorSpec
from ....attributes.strides import strides_for, suggest_memory_format
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.row import TensorLanguage
from ...frame.rules import COMPLEX, REALS, check_dtype

#: (language, tensor, dim, before, after) -> the parts of the padded tensor, in their order.
Parts = Callable[[TensorLanguage, Any, int, int, int], list[Any]]


def pad_with_elements(
    t: TensorLanguage, input: Any, pad: tuple[int, ...], mode: str, value: float | None
) -> Any:
    """Pad the last dims with elements of the tensor; negative margins cut off what is there."""
    spec = _spec(t, input)
    parts, kernel = _MODES[mode]
    if value is not None:
        raise TrilithRuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    dims = len(pad) // 2
    if not 1 <= dims <= 3 or spec.rank not in (dims + 1, dims + 2):
        raise TrilithNotImplementedError(
            f"Padding size {len(pad)} is not supported for {spec.rank}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    if kernel and 0 in spec.shape[-dims - 1 :]:
        raise TrilithRuntimeError(
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with possibly 0 batch size "
            f"and other non-zero dimensions for input, but got: {list(spec.shape)}"
        )
    if parts is _reflected:
        _check_reflected(spec, pad)
    if kernel:
        check_dtype(f"{kernel}_pad{dims}d", spec.dtype, REALS | COMPLEX)
    result = input
    for number in range(dims):
        result = _pad_dim(
            t, result, spec.rank - 1 - number, pad[2 * number : 2 * number + 2], parts
        )
    memory_format = suggest_memory_format(spec.shape, spec.strides) if kernel else contiguous_format
    padded = _spec(t, result)
    if padded.strides != strides_for(padded.shape, memory_format):
        return t.call("clone", result, memory_format=memory_format)
    return t.call("clone", result) if result is input or 0 >= max(pad) else result


def _spec(t: TensorLanguage, value: Any) -> TensorSpec:
    spec = t.spec(value)
    assert isinstance(spec, TensorSpec)
    return spec


def _pad_dim(
    t: TensorLanguage, value: Any, dim: int, margins: tuple[int, ...], parts: Parts
) -> Any:
    """Pad one dim, then cut: what a margin mirrors may be cut off on the other side.

    A circular margin goes on with what is left after the cut.
    """
    before, after = margins
    whole = _spec(t, value).shape[dim]
    size = whole + before + after
    if size <= 0:
        raise TrilithRuntimeError(
            f"Trying to create tensor with negative dimension {size}: padding {margins} of dim "
            f"{dim}"
        )
    is_cut = min(before, after) < 0
    if is_cut and parts is _wrapped:
        kept = whole + min(before, 0) + min(after, 0)
        value = t.call("narrow", value, dim, max(-before, 0), kept)
    pieces = parts(t, value, dim, max(before, 0), max(after, 0))
    if len(pieces) > 1:
        value = t.call("cat", pieces, dim)
    if is_cut and parts is not _wrapped:
        value = t.call("narrow", value, dim, max(-before, 0), size)
    return value


def _check_reflected(spec: TensorSpec, pad: tuple[int, ...]) -> None:
    """Refuse margins as long as what they mirror; PyTorch counts three arguments before these."""
    for number in range(len(pad) // 2):
        dim = spec.rank - 1 - number
        before, after = pad[2 * number : 2 * number + 2]
        if max(before, after) >= spec.shape[dim]:
            raise TrilithRuntimeError(
                f"Argument #{4 + 2 * number}: Padding size should be less than the corresponding "
                f"input dimension, but got: padding ({before}, {after}) at dimension {dim} of "
                f"input {list(spec.shape)}"
            )


def _reflected(t: TensorLanguage, value: Any, dim: int, before: int, after: int) -> list[Any]:
    size = _spec(t, value).shape[dim]
    pieces = [value]
    if before:
        pieces.insert(0, t.call("flip", t.call("narrow", value, dim, 1, before), (dim,)))
    if after:
        mirrored = t.call("narrow", value, dim, size - 1 - after, after)
        pieces.append(t.call("flip", mirrored, (dim,)))
    return pieces


def _replicated(t: TensorLanguage, value: Any, dim: int, before: int, after: int) -> list[Any]:
    shape = list(_spec(t, value).shape)
    pieces = [value]
    for place, start, count in ((0, 0, before), (len(pieces) + 1, shape[dim] - 1, after)):
        if count:
            wide = [*shape]
            wide[dim] = count
            edge = t.call("expand", t.call("narrow", value, dim, start, 1), tuple(wide))
            pieces.insert(place, edge)
    return pieces


def _wrapped(t: TensorLanguage, value: Any, dim: int, before: int, after: int) -> list[Any]:
    size = _spec(t, value).shape[dim]
    if max(before, after) > size:
        raise TrilithRuntimeError("Padding value causes wrapping around more than once.")
    pieces = [value]
    if before:
        pieces.insert(0, t.call("narrow", value, dim, size - before, before))
    if after:
        pieces.append(t.call("narrow", value, dim, 0, after))
    return pieces


#: Mode -> (parts, name of PyTorch's kernel, which keeps the memory format, if it has one).
_MODES: dict[str, tuple[Parts, str]] = {
    "reflect": (_reflected, "reflection"),
    "replicate": (_replicated, "replication"),
    "circular": (_wrapped, ""),
}
MODES = frozenset(_MODES)
