"""An accelerator for tests: memory of its own in the host, kernels of the host, two devices.

A launch is refused if one of its pointers is not in this device's memory, so that an operand that
nobody transferred is found.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from trilith.compiler.targets import table as targets
from trilith.compiler.targets.cpu import CPU
from trilith.dialects.attributes.device import Device, cpu, set_accelerator
from trilith.dialects.diagnostics import TrilithRuntimeError
from trilith.runtime.devices.base import ErrorMaker, StatusWord, register, runtime_of, unregister
from trilith.runtime.execution.allocator import CachingAllocator, GiveBack, block_size
from trilith.runtime.execution.artifact import KernelCode
from trilith.runtime.execution.storage import Storage

KIND = "privateuseone"
COUNT = 2


class OwnMemory(CachingAllocator):
    """Blocks whose addresses are known, so that foreign pointers are told apart."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: dict[int, int] = {}

    def allocate(self, size: int) -> tuple[int, GiveBack]:
        address, give_back = super().allocate(size)
        self.blocks[address] = size
        return address, partial(self._free, (address, size), give_back)

    def _free(self, block: tuple[int, int], give_back: GiveBack) -> None:
        self.blocks.pop(block[0], None)
        give_back()

    def holds(self, address: int) -> bool:
        return any(start <= address <= start + size for start, size in self.blocks.items())


class FakeAccelerator:
    """Runs what the host runs, on memory that only `copy_in` and `copy_out` reach."""

    def __init__(self, device: Device) -> None:
        if (device.index or 0) >= COUNT:
            raise TrilithRuntimeError("invalid device ordinal")
        self.device = device
        self.allocator = OwnMemory()
        self.host = runtime_of(cpu)
        self.copied_in: list[int] = []
        self.copied_out: list[int] = []
        self.launches = 0

    def allocate(self, nbytes: int) -> Storage:
        return Storage.allocate(self.allocator, nbytes, self.device, block_size(nbytes))

    def load(self, code: KernelCode) -> Callable[..., None]:
        launcher = self.host.load(code)
        count = code.pointers - code.can_fail

        def launch(*arguments: int) -> None:
            foreign = [address for address in arguments[:count] if not self.owns(address)]
            assert not foreign, f"{code.name} was given memory of another device"
            self.launches += 1
            launcher(*arguments)

        return launch

    def owns(self, address: int) -> bool:
        return not address or self.allocator.holds(address)

    def prepare(self, integers: tuple[int, ...]) -> tuple[int, ...]:
        return self.host.prepare(integers)

    def copy_in(self, source: int, target: Storage, offset: int, nbytes: int) -> None:
        assert target.device is self.device
        assert not self.allocator.holds(source)
        self.copied_in.append(nbytes)
        self.host.copy_in(source, target, offset, nbytes)

    def copy_out(self, source: Storage, offset: int, target: int, nbytes: int) -> None:
        assert source.device is self.device
        assert not self.allocator.holds(target)
        self.copied_out.append(nbytes)
        self.host.copy_out(source, offset, target, nbytes)

    def new_status(self, error: ErrorMaker | None = None) -> StatusWord:
        return self.host.new_status()

    def watch(self, status: StatusWord, error: ErrorMaker) -> None:
        self.host.watch(status, error)

    def synchronize(self) -> None:
        pass


#: Plans of eager operations hold runtimes and outlive a test, so each device has one for good.
_made: dict[Device, FakeAccelerator] = {}


def create(device: Device) -> FakeAccelerator:
    """Return the runtime of a device, with its counts at 0."""
    runtime = _made.get(device)
    if runtime is None:
        runtime = _made[device] = FakeAccelerator(device)
    runtime.copied_in.clear()
    runtime.copied_out.clear()
    runtime.launches = 0
    return runtime


@contextmanager
def registered() -> Generator[FakeAccelerator]:
    """Offer the devices while the block runs; gives the runtime of the first."""
    register(KIND, create, COUNT)
    targets.register(replace(CPU, name=KIND, device_type=KIND))
    set_accelerator(KIND)
    try:
        runtime = runtime_of(Device(0))
        assert isinstance(runtime, FakeAccelerator)
        yield runtime
    finally:
        set_accelerator(None)
        targets.unregister(KIND)
        unregister(KIND)
