"""How many windows does a pool have, and which are none? PyTorch's checks, in its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ....records import record
from ...frame.windows import Ints, as_tuple, span

_COUNTS = {2: "two", 3: "three"}


@record
class Pool:
    """The numbers of a pool, one for each dim; how many elements lie before and after, and how many
    windows there are."""  # noqa: D209

    kernel: Ints
    stride: Ints
    padding: Ints
    dilation: Ints
    sizes: Ints
    counts: Ints

    @property
    def margins(self) -> list[tuple[int, int]]:
        """How much stands around the input so that it has all windows and nothing more."""
        return [
            (before, (count - 1) * step + span(size, apart) - length - before)
            for size, step, before, apart, length, count in zip(
                self.kernel,
                self.stride,
                self.padding,
                self.dilation,
                self.sizes,
                self.counts,
                strict=True,
            )
        ]


def _named(letter: str, numbers: Sequence[int]) -> str:
    """Return numbers with the names of dims: kT: 1 kH: 2 kW: 3."""
    names = ("T", "H", "W")[3 - max(len(numbers), 2) :]
    numbers = (1, *numbers) if len(numbers) == 1 else numbers
    return " ".join(
        f"{letter}{name}: {number}" for name, number in zip(names, numbers, strict=True)
    )


def _listed(what: str, word: str, numbers: Any, dims: int, *, is_average: bool) -> Ints:
    """Return a number for each dim, or refuse how many there are."""
    given = as_tuple(numbers)
    if len(given) in (1, dims):
        return given * dims if len(given) == 1 else given
    either = "either be" if not (is_average and dims == 3) else "be"
    either = "be either" if word == "dilation" else either
    omitted = " omitted," if word == "stride" else ""
    if dims == 1:
        if is_average:
            raise TrilithRuntimeError(
                f"{what}() argument '{word}' should contain one int (got {len(given)})"
            )
        kinds = " None, an int" if omitted else " an int"
        comma = "" if word in ("kernel_size", "dilation") else ","
        raise TrilithRuntimeError(
            f"{what}() {word} must be{kinds}, list of ints{comma} or tuple of ints of size 1 but "
            f"got size {len(given)}"
        )
    raise TrilithRuntimeError(
        f"{what}: {word} must {either}{omitted} a single int, or a tuple of {_COUNTS[dims]} ints"
    )


def pool_of(
    what: str,
    spec: TensorSpec,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    dims: int,
) -> Pool:
    """Return the numbers of a pool over the last dims of a tensor, or refuse them."""
    is_average = what.startswith("avg")
    kernel = _listed(what, "kernel_size", kernel_size, dims, is_average=is_average)
    steps = stride if stride not in (None, ()) else kernel
    steps = _listed(what, "stride", steps, dims, is_average=is_average)
    before = _listed(what, "padding", padding, dims, is_average=is_average)
    apart = _listed(what, "dilation", dilation, dims, is_average=is_average)
    _check_rank(what, spec, dims)
    if what == "max_pool1d":
        _check_one_dim(spec, kernel[0], steps[0], before[0], apart[0])
    else:
        _check_numbers(kernel, steps, before, apart)
        _check_sizes(what, spec, dims)
    sizes = spec.shape[-dims:]
    counts = tuple(
        _count(*numbers, ceil_mode)
        for numbers in zip(sizes, kernel, steps, before, apart, strict=True)
    )
    if any(count < 1 for count in counts):
        _refuse_counts(what, spec, kernel, counts)
    return Pool(kernel, steps, before, apart, sizes, counts)


def _count(length: int, kernel: int, step: int, before: int, apart: int, ceil_mode: bool) -> int:
    """Return how many windows there are; none may begin after all elements."""
    room = length + 2 * before - span(kernel, apart) + (step - 1 if ceil_mode else 0)
    count = room // step + 1
    if ceil_mode and (count - 1) * step >= length + before:
        count -= 1
    return count


def _check_rank(what: str, spec: TensorSpec, dims: int) -> None:
    if spec.rank in (dims + 1, dims + 2):
        return
    if what == "avg_pool1d":
        raise TrilithRuntimeError(
            f"Expected 2 to 3 dimensions, but got {spec.rank}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {what})"
        )
    if what == "max_pool1d":
        _refuse_shape("max_pool1d: ", spec, dims)
    if what == "avg_pool2d":
        _refuse_shape("", spec, dims)
    raise TrilithRuntimeError(
        f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for input"
    )


def _refuse_shape(start: str, spec: TensorSpec, dims: int, shape: Sequence[int] = ()) -> None:
    raise TrilithRuntimeError(
        f"{start}Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with optional 0 dim batch "
        f"size for input, but got:{list(shape or spec.shape)}"
    )


def _check_sizes(what: str, spec: TensorSpec, dims: int) -> None:
    """Refuse dims without elements other than the batch."""
    shape = spec.shape[-dims - 1 :]
    if 0 not in shape:
        return
    if dims == 3:
        start = "max_pool3d_with_indices_out_cpu_template" if what == "max_pool3d" else what
        raise TrilithRuntimeError(
            f"{start}(): Expected input's non-batch dimensions to have positive length, but input "
            f"has a shape of {list(spec.shape)} and non-batch dimension 0 has length zero!"
        )
    if dims == 1:
        _refuse_shape("", spec, 2, (*spec.shape[:-1], 1, spec.shape[-1]))
    _refuse_shape("", spec, dims)


def _check_numbers(kernel: Ints, stride: Ints, padding: Ints, dilation: Ints) -> None:
    """Refuse numbers that make no windows."""
    if 0 in stride:
        raise TrilithRuntimeError("stride should not be zero")
    for size, before, apart in zip(kernel, padding, dilation, strict=True):
        if before < 0:
            raise TrilithRuntimeError(f"pad must be non-negative, but got pad: {before}")
        if size > 0 and apart > 0 and before > span(size, apart) // 2:
            raise TrilithRuntimeError(
                "pad should be at most half of effective kernel size, but got "
                f"pad={before}, kernel_size={size} and dilation={apart}"
            )
    if min(kernel) <= 0:
        raise TrilithRuntimeError(
            f"kernel size should be greater than zero, but got {_named('k', kernel)}"
        )
    if min(stride) <= 0:
        raise TrilithRuntimeError(
            f"stride should be greater than zero, but got {_named('d', stride)}"
        )
    if min(dilation) <= 0:
        raise TrilithRuntimeError(
            f"dilation should be greater than zero, but got {_named('dilation', dilation)}"
        )


def _check_one_dim(spec: TensorSpec, kernel: int, step: int, before: int, apart: int) -> None:
    """As PyTorch's own function for windows of one dim does."""
    if 0 in spec.shape[-2:]:
        _refuse_shape("max_pool1d: ", spec, 1)
    for word, number in (("kernel_size", kernel), ("stride", step)):
        if number <= 0:
            raise TrilithRuntimeError(
                f"max_pool1d() {word} must be greater than zero, but got {number}"
            )
    if before < 0:
        raise TrilithRuntimeError(f"max_pool1d() padding must be non-negative, but got {before}")
    if before > kernel // 2:
        raise TrilithRuntimeError(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={before} and kernel_size={kernel}"
        )
    if apart <= 0:
        raise TrilithRuntimeError(
            f"max_pool1d() dilation must be greater than zero, but got {apart}"
        )


def _refuse_counts(what: str, spec: TensorSpec, kernel: Ints, counts: Ints) -> None:
    """Refuse a pool without windows."""
    dims = len(counts)
    if what == "max_pool1d":
        raise TrilithRuntimeError(f"max_pool1d() Invalid computed output size: {counts[0]}")
    shape = spec.shape[-dims - 1 :]
    if what == "avg_pool3d":
        (t, h, w), (kt, kh, kw) = shape[1:], kernel
        raise TrilithRuntimeError(
            f"input image (T: {t} H: {h} W: {w}) smaller than kernel size "
            f"(kT: {kt} kH: {kh} kW: {kw})"
        )
    if dims == 1:
        shape, counts = (shape[0], 1, shape[1]), (1, *counts)
    given = "x".join(map(str, shape))
    made = "x".join(map(str, (shape[0], *counts)))
    raise TrilithRuntimeError(
        f"Given input size: ({given}). Calculated output size: ({made}). Output size is too small"
    )
