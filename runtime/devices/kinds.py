"""Which kinds of devices are there? A row each, with what is asked before anything is loaded."""

from __future__ import annotations

from ...dialects.attributes.device import HOST, META
from ...dialects.records import record


@record
class DeviceKind:
    """A type of devices: the module of their runtime, and what they are to others."""

    type: str
    #: It has `create(device)`; where there may be none or several, `device_count()` too.
    module: str
    #: Whether a bare index means it, where it has a device. Its module then has `is_available()`
    #: and `is_lost()`, which tells whether a forked child has lost what its parent used.
    is_accelerator: bool = False
    #: Its number in DLPack.
    dlpack: int | None = None


KINDS: dict[str, DeviceKind] = {
    kind.type: kind
    for kind in (
        DeviceKind(HOST, ".cpu", dlpack=1),
        DeviceKind(META, ".meta"),
        DeviceKind("opencl", ".opencl.runtime", is_accelerator=True, dlpack=4),
    )
}
