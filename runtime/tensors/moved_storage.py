"""What is a storage of the host while a function runs on a device? One there, and the way back.

Storages whose bytes meet (arrays that are views of one another) share a block there. Only the
stretch that the arguments reach is moved: a few rows of a large table cost a few rows.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ...dialects.attributes.device import Device, cpu
from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.fixed import write
from ...dialects.attributes.strides import is_non_overlapping_and_dense
from ...dialects.diagnostics import TrilithRuntimeError
from ..devices.base import allocate, copy_between, runtime_of
from ..execution.allocator import block_size
from ..execution.storage import NOTHING, UntypedStorage
from ..execution.storage_fields import Holder
from .tensor import Tensor

#: Bytes on a device keep the alignment of those on the host in blocks of so many.
ALIGNMENT = 64

#: First byte, the byte after the last.
Span: TypeAlias = tuple[int, int]


class MovedStorage(UntypedStorage):
    """A storage on a device that stands for one of the host, and knows whether it was written to.

    Whoever writes asks `is_writable` before; the attribute is not there until the first who asks.
    A storage of which a part was moved is as long as the whole and begins where the whole would,
    but has no `pointer`, so that every access is proven to stay in the part.
    """

    __slots__ = ("_may_write", "_part", "is_touched")
    _may_write: bool
    _part: Span
    is_touched: bool

    @staticmethod
    def whole(host: UntypedStorage, device: Device) -> MovedStorage:
        """Return uninitialised memory for all bytes of a host's storage, resizable as that is."""
        made = MovedStorage._standing_for(host, device)
        allocator, block = runtime_of(device).allocator, block_size(host.length)
        made._part = 0, host.length
        address, give_back = allocator.allocate(block)
        write(made, "pointer", address)
        write(made, "_block", Holder(give_back))
        write(made, "_allocator", allocator)
        if not host.resizable():
            made.export()
        return made

    @staticmethod
    def part(host: UntypedStorage, base: UntypedStorage, begin: int, span: Span) -> MovedStorage:
        """Return a storage of which a stretch lies at byte `begin` of `base`."""
        made = MovedStorage._standing_for(host, base.device)
        write(made, "_allocator", None)
        write(made, "_block", NOTHING)
        write(made, "owner", base)
        made._part = span
        write(made, "_address", base.data_ptr() + begin - span[0])
        write(made, "_proven", host.length)
        return made

    @staticmethod
    def _standing_for(host: UntypedStorage, device: Device) -> MovedStorage:
        """Return a storage that has everything but memory."""
        made = object.__new__(MovedStorage)
        write(made, "device", device)
        write(made, "length", host.length)
        made._may_write = host.is_writable
        made.is_touched = False
        if host.is_inference:
            write(made, "_is_inference", True)
        return made

    def __getattr__(self, name: str) -> Any:
        """Note who asks whether the bytes may be written for the first time."""
        if name != "is_writable":
            raise AttributeError(f"'UntypedStorage' object has no attribute '{name}'")
        self.is_touched = True
        write(self, "is_writable", self._may_write)
        return self._may_write

    def address(self, first: int, nbytes: int) -> int:
        """Return the address of a byte that was moved."""
        start, end = self._part
        is_outside = first < start or first + nbytes > end
        if nbytes and is_outside and not hasattr(self, "pointer") and self._allocator is None:
            raise TrilithRuntimeError(
                f"{nbytes} bytes at byte {first} of a storage are not on {self.device}: the "
                f"arguments reach from byte {start} to byte {end}",
                hint="pass the whole tensor, or call .to() and pass the result",
            )
        return super().address(first, nbytes)


class Moved:
    """A storage of the host, the tensors that reach into it, and what stands for it."""

    def __init__(self, host: UntypedStorage, tensors: Sequence[Tensor]) -> None:
        """Find out how far the tensors reach."""
        self.host = host
        self.span, self.is_dense = reach_of(tensors)
        self.start = host.address(self.span[0], self.nbytes)
        self.there: Any = None

    @property
    def nbytes(self) -> int:
        """How many bytes are moved."""
        return self.span[1] - self.span[0]

    @property
    def is_whole(self) -> bool:
        """Whether all bytes are moved."""
        return self.nbytes == self.host.length

    @property
    def is_written(self) -> bool:
        """Whether there may be something to bring back."""
        return self.there.is_touched and self.host.is_writable


class Region:
    """Storages of the host whose bytes meet, and what stands for them on a device."""

    def __init__(self, group: Sequence[Moved], device: Device) -> None:
        """Copy what the tensors reach to the device."""
        self.group = group
        start = min(moved.start for moved in group)
        nbytes = max(moved.start + moved.nbytes for moved in group) - start
        only = group[0]
        first = 0
        if len(group) == 1 and only.is_whole:
            self._base: UntypedStorage = MovedStorage.whole(only.host, device)
            only.there = self._base
        else:
            first = start % ALIGNMENT
            self._base = allocate(first + nbytes, device)
            for moved in group:
                begin = first + moved.start - start
                moved.there = MovedStorage.part(moved.host, self._base, begin, moved.span)
        self._start, self._begin, self._nbytes = start, first, nbytes
        #: The bytes as they were, where some of them are of no argument.
        self._before: UntypedStorage | None = None
        if len(group) > 1 or not only.is_dense:
            self._before = allocate(nbytes, cpu)
            runtime_of(cpu).copy_in(start, self._before, 0, nbytes)
        source = start if self._before is None else self._before.address(0, nbytes)
        runtime_of(device).copy_in(source, self._base, first, nbytes)

    def bring_back(self) -> None:
        """Copy to the host what was written to, and nothing else."""
        if not any(moved.is_written for moved in self.group):
            return
        only = self.group[0]
        length = self._base.length
        if self._base is only.there and length != only.host.length:
            only.host.resize_(length)
            copy_between(self._base, 0, only.host, 0, length)
        elif self._before is None:
            copy_between(self._base, self._begin, only.host, only.span[0], self._nbytes)
        else:
            after = allocate(self._nbytes, cpu)
            copy_between(self._base, self._begin, after, 0, self._nbytes)
            for moved in self.group:
                self._bring_back_changes(moved, self._before, after)

    def _bring_back_changes(
        self, moved: Moved, before: UntypedStorage, after: UntypedStorage
    ) -> None:
        """Copy the bytes of one storage that are not what they were."""
        if not moved.is_written:
            return
        start, nbytes = moved.start - self._start, moved.nbytes
        old, new = (_as_bytes(memory, start, nbytes) for memory in (before, after))
        goal = _as_bytes(moved.host, moved.span[0], nbytes)
        np.copyto(goal, new, where=old != new)


def regions_of(tensors: Iterable[Tensor], device: Device) -> list[Region]:
    """Move the storages of tensors of the host to a device, each once."""
    by_storage: dict[int, list[Tensor]] = {}
    for tensor in tensors:
        by_storage.setdefault(id(tensor.memory), []).append(tensor)
    every = [Moved(group[0].memory, group) for group in by_storage.values()]
    groups: list[list[Moved]] = []
    end = 0
    for moved in sorted(every, key=lambda moved: (moved.start, moved.nbytes)):
        if moved.start < end and moved.nbytes:
            groups[-1].append(moved)
        else:
            groups.append([moved])
        if moved.nbytes:
            end = max(end, moved.start + moved.nbytes)
    return [Region(group, device) for group in groups]


def reach_of(tensors: Sequence[Tensor]) -> tuple[Span, bool]:
    """Return which bytes of their storage tensors reach, and whether each of them is an element's.

    >>> import trilith as tri
    >>> x = tri.zeros(4, 4)
    >>> reach_of([x[1], x[2]]), reach_of([x[:, 1]]), reach_of([x[0], x[2]])
    (((16, 48), True), ((4, 56), False), ((0, 48), False))
    """
    spans: list[Span] = []
    is_dense = True
    for tensor in tensors:
        tensor.check_extent()
        spec, first = tensor.spec, tensor.byte_offset
        if spec.numel:
            reach = storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
            spans.append((first, first + reach))
            is_dense = is_dense and is_non_overlapping_and_dense(spec.shape, spec.strides)
    spans.sort()
    end = spans[0][1] if spans else 0
    for first, last in spans:
        is_dense = is_dense and first <= end
        end = max(end, last)
    return (spans[0][0] if spans else 0, end), is_dense


def _as_bytes(memory: UntypedStorage, first: int, nbytes: int) -> np.ndarray[Any, Any]:
    """Return bytes of a storage of the host as an array, to be used while the storage is."""
    if not nbytes:
        return np.empty(0, np.uint8)
    where = memory.address(first, nbytes)
    return np.frombuffer(memoryview((ctypes.c_uint8 * nbytes).from_address(where)), np.uint8)
