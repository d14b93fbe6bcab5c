"""Which OpenCL devices are there, and which one is `opencl:N`? One flat list over all platforms.

GPUs come first, then accelerators, then CPUs, each in the order of the platforms. A device that
two platforms offer (the same driver installed twice) is listed once. TRILITH_OPENCL_DEVICES chooses
and orders: selectors separated by commas, each of which adds the devices it names that are not yet
in the list:

    selector := NUMBER | "gpu" | "accelerator" | "cpu" | "none" | TEXT

NUMBER is a position in the order without the variable, a type stands for all devices of that type,
TEXT for all whose platform or name contains it (in any case of letters); "none" adds nothing.
`TRILITH_OPENCL_DEVICES=1,gpu` makes device 1 the first, the GPUs follow.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ....dialects.diagnostics import TrilithRuntimeError
from ....dialects.records import field, record
from .errors import translating
from .library import INSTALL, library
from .pinning import devices_of
from .processor import give_known_name

VARIABLE = "TRILITH_OPENCL_DEVICES"
KINDS = ("gpu", "accelerator", "cpu", "other")
#: CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
_CORRECTLY_ROUNDED = 1 << 7


@record
class DeviceEntry:
    """A device as its driver describes it; `ordinal` tells equal ones of one platform apart."""

    kind: str
    name: str
    platform: str
    platform_version: str
    driver: str
    ordinal: int
    memory: int
    largest: int
    units: int
    local_memory: int
    group: int
    has_unified_memory: bool
    extensions: frozenset[str]
    #: Whether the driver says that it can round division and roots of float32 correctly.
    can_round: bool = False
    handle: Any = field(compare=False, repr=False, default=None)

    @property
    def identity(self) -> tuple[str, str, str, str, int]:
        """What names the device in every process."""
        return self.platform, self.platform_version, self.name, self.driver, self.ordinal

    @property
    def build_options(self) -> str:
        """What programs are built with; without -w drivers write warnings to the terminal."""
        rounding = " -cl-fp32-correctly-rounded-divide-sqrt" if self.can_round else ""
        return f"-w -cl-std=CL1.2{rounding}"

    @property
    def has_double(self) -> bool:
        """Whether kernels may compute with float64."""
        return "cl_khr_fp64" in self.extensions


def entries() -> list[DeviceEntry]:
    """Return the devices in the order of their indices; raises if there is no platform."""
    found, _ = _discovered()
    chosen = _chosen()
    return select(found, chosen) if chosen else found


def _chosen() -> str:
    return os.environ.get("TRILITH_OPENCL_DEVICES", "").strip()


def entry_of(index: int) -> DeviceEntry:
    """Return the device of an index; raises TrilithRuntimeError if there are not so many."""
    found = entries()
    if not found:
        raise _nothing()
    if index >= len(found):
        raise TrilithRuntimeError(
            f"invalid device ordinal: 'opencl:{index}' with {len(found)} OpenCL device"
            f"{'s' * (len(found) > 1)}",
            hint="trilith.opencl.devices() shows them",
        )
    return found[index]


def _nothing() -> TrilithRuntimeError:
    """Return the error that says why there is no device: hidden, or no platform has one."""
    found, refusals = _discovered()
    if found:
        return TrilithRuntimeError(
            f"there is no OpenCL device that {VARIABLE}='{_chosen()}' selects", hint=_listing(found)
        )
    if refusals:
        return TrilithRuntimeError(
            f"there is no OpenCL device: {'; '.join(refusals)}",
            hint="a driver is there; see what it needs: settings, permissions, a folder to write",
        )
    return TrilithRuntimeError("there is no OpenCL platform", hint=INSTALL)


def _listing(found: Sequence[DeviceEntry]) -> str:
    """Say which devices selectors can name."""
    shown = [
        f"{number}, the {entry.kind} '{entry.name}' of '{entry.platform}'"
        for number, entry in enumerate(found)
    ]
    return f"there {'is' if len(found) == 1 else 'are'} {'; '.join(shown)}"


def _discovered() -> tuple[list[DeviceEntry], list[str]]:
    """Return all devices, each once, and what the platforms without one say."""
    cl = library()
    refuse_broken_files()
    with translating("looking for platforms"):
        platforms = cl.get_platforms()
    unique: dict[tuple[str, str, str, str, int], DeviceEntry] = {}
    refusals: list[str] = []
    for platform in platforms:
        counts: dict[tuple[str, ...], int] = {}
        name, why = str(platform.name).strip(" \0"), ""
        try:
            handles = devices_of(platform)
        except cl.Error as error:
            handles, why = (), f": {error}"  # some say so by an error that there is none
        if not handles:
            refusals.append(f"the platform '{name}' offers none{why}")
        for handle in handles:
            give_known_name(handle)
            entry = describe(handle, counts)
            unique.setdefault(entry.identity, entry)
    return sorted(unique.values(), key=lambda entry: KINDS.index(entry.kind)), refusals


#: Where loaders look for the files that name drivers, unless a variable says otherwise.
_FOLDER = "/etc/OpenCL/vendors"
_VARIABLES = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")


def refuse_broken_files() -> None:
    """Raise TrilithRuntimeError for a driver's file that kills the process: zeros, after a crash.

    The usual loader (ocl-icd) reads the byte before such a name; other nonsense it passes over.
    """
    given = [os.environ[name] for name in _VARIABLES if os.environ.get(name)]
    path = Path(given[0] if given else _FOLDER)
    try:
        files = [path] if path.is_file() else sorted(path.glob("*.icd"))
        broken = [file for file in files if file.read_bytes()[:1] == b"\0"]
    except OSError:
        return  # what cannot be read here is not read by the loader either
    if broken:
        raise TrilithRuntimeError(
            f"the file '{broken[0]}', which should name an OpenCL driver, is damaged",
            hint="delete it, or install the driver again",
        )


def describe(handle: Any, counts: dict[tuple[str, ...], int] | None = None) -> DeviceEntry:
    """Return what a device's driver says; `counts` numbers equal devices of one platform."""
    platform = handle.platform
    names = (platform.name, platform.version, handle.name, handle.driver_version)
    names = tuple(str(name).strip(" \0") for name in names)
    counts = {} if counts is None else counts
    ordinal = counts.get(names, 0)
    counts[names] = ordinal + 1
    return DeviceEntry(
        kind=_kind_of(int(handle.type)),
        name=names[2],
        platform=names[0],
        platform_version=names[1],
        driver=names[3],
        ordinal=ordinal,
        memory=int(handle.global_mem_size),
        largest=int(handle.max_mem_alloc_size),
        units=int(handle.max_compute_units),
        local_memory=int(handle.local_mem_size),
        group=int(handle.max_work_group_size),
        has_unified_memory=bool(handle.host_unified_memory),
        extensions=frozenset(str(handle.extensions).split()),
        can_round=bool(int(handle.single_fp_config) & _CORRECTLY_ROUNDED),
        handle=handle,
    )


def _kind_of(bits: int) -> str:
    kinds = library().device_type
    for name in KINDS[:3]:
        if bits & int(getattr(kinds, name.upper())):
            return name
    return KINDS[3]


def select(found: Sequence[DeviceEntry], selectors: str) -> list[DeviceEntry]:
    """Return the devices that selectors name, in their order.

    >>> select([], "gpu, none")
    []
    """
    chosen: list[DeviceEntry] = []
    for selector in (part.strip() for part in selectors.split(",")):
        for entry in _selected(found, selector):
            if entry not in chosen:
                chosen.append(entry)
    return chosen


def _selected(found: Sequence[DeviceEntry], selector: str) -> list[DeviceEntry]:
    if not selector or selector == "none":
        return []
    if selector.isdecimal():
        if int(selector) >= len(found):
            raise TrilithRuntimeError(
                f"{VARIABLE} names device {selector}, but there "
                f"{'is' if len(found) == 1 else 'are'} {len(found) or 'no'} OpenCL device"
                f"{'s' * (len(found) != 1)}",
                hint=_listing(found) if found else None,
            )
        return [found[int(selector)]]
    if selector.lower() in KINDS:
        return [entry for entry in found if entry.kind == selector.lower()]
    text = selector.lower()
    return [entry for entry in found if text in f"{entry.platform}\n{entry.name}".lower()]
