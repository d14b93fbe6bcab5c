"""Is there a device beside the host? What `trilith.accelerator` answers, as `torch.accelerator`.

It is the kind of devices whose row says so (`devices/kinds.py`), where it has a device. Nobody
looks before it matters: `import trilith` and a program on the host load nothing.
"""

from __future__ import annotations

from functools import partial
from types import TracebackType
from typing import NoReturn, Protocol, TypeAlias, cast

from ..dialects.attributes.device import (
    Device,
    get_accelerator,
    home_of,
    no_accelerator,
    offer_accelerator,
    set_current_index,
)
from ..dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from .devices.base import device_count as count_of
from .devices.base import is_available as is_there
from .devices.base import is_lost, missing_runtime, runtime_of
from .devices.kinds import KINDS

DeviceLike: TypeAlias = Device | str | int | None


class _Counting(Protocol):
    """An allocator that counts its bytes."""

    def stats(self) -> dict[str, int]: ...

    def reset_peaks(self) -> None: ...

    def trim(self) -> None: ...


for _kind in KINDS.values():
    if _kind.is_accelerator:
        offer_accelerator(_kind.type, partial(is_there, _kind.type))


def is_available() -> bool:
    """Tell whether there is an accelerator, which a bare device index then means.

    A forked child cannot use the one that its parent used.

    >>> is_available()
    False
    """
    kind = get_accelerator()
    return kind is not None and not is_lost(kind)


def current_accelerator(check_available: bool = False) -> Device | None:
    """Return the accelerator as a device without an index; None if there is none.

    What there is is available: `check_available` changes nothing.

    >>> current_accelerator()
    """
    kind = get_accelerator()
    return None if kind is None else Device(kind)


def device_count() -> int:
    """Return how many devices the accelerator has, 0 if there is none.

    >>> device_count()
    0
    """
    kind = get_accelerator()
    return 0 if kind is None else count_of(kind)


def current_device_index() -> int:
    """Return the index of the device that the accelerator's type alone means in this thread.

    Raises TrilithRuntimeError if there is no accelerator, as all that follow.
    """
    index = home_of(_accelerator()).index
    assert index is not None
    return index


def set_device_index(device: DeviceLike, /) -> None:
    """Choose the device that the accelerator's type alone means in this thread.

    Raises for a device that does not exist or is none of the accelerator's; a negative number does
    nothing.
    """
    index = _index_of(device, is_optional=False)
    if index >= 0:
        chosen = Device(_accelerator().type, index)
        runtime_of(chosen)
        set_current_index(chosen.type, index)


class device_index:
    """A block in which the accelerator's type alone means another device; None changes nothing."""

    __slots__ = ("_before", "index")

    def __init__(self, device: int | None, /) -> None:
        """Change nothing yet."""
        self.index = device
        self._before: int | None = None

    def __enter__(self) -> None:
        """Choose the device."""
        if self.index is not None:
            kind = _accelerator().type
            self._before = set_current_index(kind, None)
            set_current_index(kind, self._before)
            set_device_index(self.index)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Return to what was chosen before the block."""
        if self.index is not None:
            set_current_index(_accelerator().type, self._before)


def synchronize(device: DeviceLike = None, /) -> None:
    """Wait until a device has finished what it was given; by default the current one.

    >>> synchronize()
    Traceback (most recent call last):
    trilith.dialects.diagnostics.TrilithRuntimeError: Cannot access accelerator device ...
    """
    runtime_of(_device_of(device)).synchronize()


# Memory


def memory_stats(device: DeviceLike = None, /) -> dict[str, int]:
    """Return the bytes that tensors occupy and that are held for reuse with them, now and at most.

    The names are PyTorch's: `allocated_bytes.all.current`, `reserved_bytes.all.peak` and so on.
    """
    stats = _allocator_of(device).stats()
    return {
        "allocated_bytes.all.current": stats["in_use"],
        "allocated_bytes.all.peak": stats["peak_in_use"],
        "reserved_bytes.all.current": stats["in_use"] + stats["cached"],
        "reserved_bytes.all.peak": stats["peak"],
    }


def memory_allocated(device: DeviceLike = None, /) -> int:
    """Return the bytes that tensors occupy on a device."""
    return memory_stats(device)["allocated_bytes.all.current"]


def max_memory_allocated(device: DeviceLike = None, /) -> int:
    """Return the most bytes that tensors have occupied on a device."""
    return memory_stats(device)["allocated_bytes.all.peak"]


def memory_reserved(device: DeviceLike = None, /) -> int:
    """Return the bytes that tensors occupy and that are held for reuse."""
    return memory_stats(device)["reserved_bytes.all.current"]


def max_memory_reserved(device: DeviceLike = None, /) -> int:
    """Return the most bytes that were held on a device."""
    return memory_stats(device)["reserved_bytes.all.peak"]


def reset_peak_memory_stats(device: DeviceLike = None, /) -> None:
    """Let the two peaks begin anew."""
    _allocator_of(device).reset_peaks()


def get_memory_info(device: DeviceLike = None, /) -> tuple[int, int]:
    """Return the bytes a device has left for this process, and all it has."""
    stats = _allocator_of(device).stats()
    return stats["limit"] - stats["in_use"] - stats["cached"], stats["limit"]


def empty_cache() -> None:
    """Give memory that is held for reuse on the current device back to its driver."""
    _allocator_of(None).trim()


# Inside


def _accelerator() -> Device:
    """Return the accelerator as a device without an index; raises if there is none."""
    kind = get_accelerator()
    if kind is None:
        raise no_accelerator()
    return Device(kind)


def _index_of(device: DeviceLike, *, is_optional: bool) -> int:
    """Return the index that an argument means, as PyTorch's `_get_device_index` does."""
    if isinstance(device, int):
        return device
    index: int | None = None
    if device is not None:
        wanted, kind = Device(device), get_accelerator()
        if kind is None:
            raise TrilithRuntimeError("Accelerator expected")
        if wanted.type != kind:
            raise TrilithValueError(f"{wanted.type} doesn't match the current accelerator {kind}.")
        index = wanted.index
    if index is None:
        if not is_optional:
            raise TrilithValueError(
                f"Expected a trilith.device with a specified index or an integer, but got:{device}"
            )
        return current_device_index()
    return index


def _device_of(device: DeviceLike) -> Device:
    index = _index_of(device, is_optional=True)
    return Device(_accelerator().type, index)


def _allocator_of(device: DeviceLike) -> _Counting:
    return cast("_Counting", runtime_of(_device_of(device)).allocator)


def refuse_cuda() -> NoReturn:
    """Raise the error of what needs a CUDA device."""
    raise missing_runtime(Device("cuda"))
