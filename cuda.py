"""What does a program learn that asks for CUDA devices? There are none, as in PyTorch without CUDA.

What asks whether there is a device is told no; what needs one is refused. Nothing is there to seed
or to empty, which is no error.
"""

from __future__ import annotations

from typing import Any

from .runtime.accelerator import refuse_cuda
from .runtime.execution.allocator import OutOfMemoryError
from .runtime.tensors.legacy import CUDA_TYPES
from .runtime.tensors.missing import missing_function

__all__ = [
    "OutOfMemoryError",
    "current_device",
    "current_stream",
    "default_stream",
    "device_count",
    "empty_cache",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "get_rng_state",
    "get_rng_state_all",
    "init",
    "initial_seed",
    "ipc_collect",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "max_memory_reserved",
    "mem_get_info",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "seed",
    "seed_all",
    "synchronize",
]


# ---- what is there


def is_available() -> bool:
    """Tell that there is no CUDA device.

    >>> is_available()
    False
    """
    return False


def is_initialized() -> bool:
    """Tell that CUDA was not started."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Tell that no CUDA device computes with bfloat16."""
    return False


def device_count() -> int:
    """Return how many CUDA devices there are: none.

    >>> device_count()
    0
    """
    return 0


def get_arch_list() -> list[str]:
    """Return which kinds of CUDA devices code is made for: none."""
    return []


def memory_allocated(device: Any = None) -> int:
    """Return how many bytes of CUDA devices are used: none."""
    return 0


memory_reserved = max_memory_allocated = max_memory_reserved = memory_allocated


def memory_stats(device: Any = None) -> dict[str, Any]:
    """Return what is counted of the memory of CUDA devices: nothing."""
    return {}


# ---- what does nothing


def manual_seed(seed: int) -> None:
    """Seed the current CUDA device, if there is one; `trilith.manual_seed` seeds all others."""


def manual_seed_all(seed: int) -> None:
    """Seed the CUDA devices that there are; `trilith.manual_seed` seeds all others."""


def seed() -> None:
    """Seed the current CUDA device, if there is one, with a number that nobody can guess."""


def seed_all() -> None:
    """Seed the CUDA devices that there are with a number that nobody can guess."""


def empty_cache() -> None:
    """Give back the memory of CUDA devices that is kept: none is."""


def get_rng_state_all() -> list[Any]:
    """Return the states of the generators of CUDA devices: there are none."""
    return []


# ---- what needs a device


def _refused(*arguments: Any, **keywords: Any) -> Any:
    """Refuse: there is no CUDA device."""
    refuse_cuda()


current_device = current_stream = default_stream = init = ipc_collect = synchronize = _refused
get_device_capability = get_device_name = get_device_properties = mem_get_info = _refused
get_rng_state = initial_seed = _refused


def __getattr__(name: str) -> Any:
    """Return a legacy type of CUDA tensors: none is of it."""
    if name in CUDA_TYPES:
        return CUDA_TYPES[name]
    raise missing_function(name, __name__)
