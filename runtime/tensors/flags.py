"""What becomes of flags that a program sets and nothing here reads? They are kept and checked."""

from __future__ import annotations

from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError


def flag(name: str, setter: str, default: bool) -> Any:
    """Return a property that keeps a bool and refuses all else in the words of PyTorch's setter.

    >>> class Options:
    ...     benchmark = flag("benchmark", "set_benchmark_cudnn", False)
    >>> options = Options()
    >>> options.benchmark = True
    >>> options.benchmark
    True
    """
    kept = f"_kept_{name}"

    def read(self: Any) -> bool:
        return getattr(self, kept, default)

    def write(self: Any, value: Any) -> None:
        if type(value) is not bool:
            raise TrilithRuntimeError(f"{setter} expects a bool, but got {type(value).__name__}")
        self.__dict__[kept] = value

    return property(read, write)


def narrow_sums(name: str) -> Any:
    """Return the property of a flag by which sums may be rounded on the way: for all, or by kind.

    >>> class Options:
    ...     sums = narrow_sums("sums")
    >>> Options().sums
    True
    """
    kept = f"_kept_{name}"

    def read(self: Any) -> bool:
        return getattr(self, kept, True)

    def write(self: Any, value: Any) -> None:
        if not isinstance(value, (bool, tuple, list)):
            raise TrilithTypeError(
                f"{name} expects a bool or a tuple/list of bools, but got {type(value)}"
            )
        self.__dict__[kept] = value

    return property(read, write)
