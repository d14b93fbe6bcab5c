"""Do kernels whose items work together run through the launcher, in groups of the right number?"""

from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.kernels.counters import KernelCounters
from trilith.compiler.kernels.table import KERNELS
from trilith.runtime.devices.opencl.runtime import GROUP_BYTES, GROUP_ITEMS, OpenClRuntime

from .opencl_support import device_array, runtime


def test_a_sum_of_rows():
    device: Any = runtime()
    (kernel,) = tri.trace(lambda x: x.sum(1), tri.spec((2, 3), tri.float32)).lower().kernels
    launch = device.load(KERNELS.get(kernel, KernelCounters(), "opencl-gpu"))
    host = np.random.default_rng(3).standard_normal((9, 100)).astype(np.float32)
    x, out = device_array(host.reshape(-1)), tri.zeros(12, device="opencl:0")
    for rows in (9, 0, 3):
        # Sizes of the nest, then the offset and the stride of each buffer that has one.
        launch(x.memory.pointer, out.memory.pointer, rows, 100, 0, 100, 0)
    found = out.cpu().numpy()
    assert found[:9].tobytes() == tri.from_numpy(host).sum(1).numpy().tobytes()
    assert not found[9:].any()


class Entry:
    """What is known of a device."""

    def __init__(self, kind: str, group: int, local_memory: int) -> None:
        self.kind, self.group, self.local_memory = kind, group, local_memory


@pytest.mark.parametrize(
    ("kind", "group", "memory", "target"),
    [
        ("gpu", GROUP_ITEMS, GROUP_BYTES, "opencl-gpu"),
        ("gpu", GROUP_ITEMS - 1, GROUP_BYTES, "opencl-cpu"),
        ("gpu", GROUP_ITEMS, GROUP_BYTES - 1, "opencl-cpu"),
        ("cpu", 4096, 1 << 20, "opencl-cpu"),
    ],
)
def test_groups_are_for_gpus_that_can_hold_them(kind: str, group: int, memory: int, target: str):
    device: Any = OpenClRuntime.__new__(OpenClRuntime)
    device.entry = Entry(kind, group, memory)
    assert device.kernel_target == target
