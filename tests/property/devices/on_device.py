"""How do random programs run on an OpenCL device, of which each new kernel costs 0.1 to 0.7 s?

Most of that is the start of a build, and kernels that were loaded are built together at the first
launch. So some programs are rehearsed: they run with every launch left out, which makes their
plans and loads their kernels. Then they run, and the builds are few.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

import trilith as tri
from trilith.runtime.devices.base import runtime_of

#: The schedules of kernels: that of the device, if none is named.
TARGETS = ("opencl-cpu", "opencl-gpu")


class TestedDevice:
    """A device whose kernels follow a schedule, and whose launches can be left out."""

    def __init__(self, name: str, target: str = "") -> None:
        """Open nothing yet: a process that is forked later could not use the device."""
        self.name = name
        self.target = target
        self._is_rehearsing = False
        self._runtime: Any = None

    def __str__(self) -> str:
        """Return the device and the schedule."""
        return f"{self.name} ({self.target})" if self.target else self.name

    @property
    def runtime(self) -> Any:
        """The runtime of the device, open from now on in this process."""
        if self._runtime is None:
            self._runtime = self._open()
        return self._runtime

    def _open(self) -> Any:
        # A device that hangs is found by whoever waits for this process.
        os.environ.setdefault("TRILITH_OPENCL_PROBE", "0")
        runtime: Any = runtime_of(tri.device(self.name))
        if self.target:
            type(runtime).kernel_target = self.target
        load: Callable[[Any], Callable[..., None]] = runtime.load

        def load_for_rehearsals(code: Any) -> Callable[..., None]:
            launch = load(code)

            def launch_in_earnest(*arguments: int) -> None:
                if not self._is_rehearsing:
                    launch(*arguments)

            return launch_in_earnest

        runtime.load = load_for_rehearsals
        return runtime

    @contextmanager
    def as_default(self) -> Generator[None]:
        """Make tensors on the device unless told otherwise, until the block ends."""
        _ = self.runtime
        with tri.device(self.name):
            yield

    def rehearse(self, action: Callable[[], Any]) -> None:
        """Run something without a launch; what it raises is raised again when it really runs."""
        self._is_rehearsing = True
        try:
            with self.as_default(), suppress(Exception):
                action()
        finally:
            self._is_rehearsing = False

    def synchronize(self) -> None:
        """Wait, and raise what kernels have reported."""
        self.runtime.synchronize()

    def setup_lines(self) -> list[str]:
        """Return the Python that makes what follows run as it does here."""
        lines = ["import trilith as tri"]
        if self.target:
            lines += [
                "from trilith.runtime.devices.opencl.runtime import OpenClRuntime",
                f'OpenClRuntime.kernel_target = "{self.target}"',
            ]
        return [
            *lines,
            f'device = "{self.name}"  # "cpu" shows what is expected',
            "tri.set_default_device(device)",
        ]


def storage_bytes(storage: Any) -> bytes:
    """Return the bytes of a storage on any device; no operation takes part."""
    count = int(storage.nbytes())
    if not count:
        return b""
    host: Any = storage
    if storage.device.type != "cpu":
        host = tri.UntypedStorage(count).copy_(storage)
    return ctypes.string_at(int(host.data_ptr()), count)


def array_on_host(tensor: Any) -> NDArray[Any]:
    """Return the elements of a tensor on any device; no operation takes part."""
    dtype: np.dtype[Any] = np.dtype(tensor.dtype.numpy)
    shape = tuple(tensor.shape)
    if 0 in shape:
        return np.empty(shape, dtype)
    data = storage_bytes(tensor.untyped_storage())
    strides = tuple(stride * dtype.itemsize for stride in tensor.stride())
    return np.ndarray(shape, dtype, data, tensor.storage_offset() * dtype.itemsize, strides)
