"""What does a program set of cuDNN, which is not there? By the names of `torch.backends.cudnn`."""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..runtime.tensors.flags import flag

if TYPE_CHECKING:
    enabled: bool
    benchmark: bool
    deterministic: bool
    allow_tf32: bool

#: How many algorithms a search for the quickest one would try.
benchmark_limit: int | None = None


class _Flags(ModuleType):
    """A module whose flags are properties of its class."""

    enabled = flag("enabled", "set_enabled_cudnn", True)
    benchmark = flag("benchmark", "set_benchmark_cudnn", False)
    deterministic = flag("deterministic", "set_deterministic_cudnn", False)
    allow_tf32 = flag("allow_tf32", "set_allow_tf32_cublas", True)


def is_available() -> bool:
    """Tell that cuDNN is not there.

    >>> is_available()
    False
    """
    return False


def version() -> int | None:
    """Return the version of cuDNN: there is none."""
    return None


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
) -> Generator[None]:
    """Set the flags for a while.

    >>> import trilith as tri
    >>> with flags(deterministic=True):
    ...     tri.backends.cudnn.deterministic
    True
    """
    given = {
        "enabled": enabled,
        "benchmark": benchmark,
        "benchmark_limit": benchmark_limit,
        "deterministic": deterministic,
        "allow_tf32": allow_tf32,
    }
    before = {name: getattr(_module, name) for name in given}
    _set(given)
    try:
        yield
    finally:
        _set(before)


def _set(values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(_module, name, value)


_module = sys.modules[__name__]
_module.__class__ = _Flags
