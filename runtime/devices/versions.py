"""Which version of a package is there, found out without importing it?"""

from __future__ import annotations

import os
from importlib.util import find_spec


def version_mark(package: str) -> str | None:
    """Return what changes with the version of an installed package; None if it is not there.

    >>> version_mark("nothing_of_that_name")
    """
    found = find_spec(package)
    if found is None or found.origin is None:
        return None
    folder = os.path.dirname(os.path.dirname(found.origin))
    try:
        status = os.stat(found.origin)
        names = sorted(name for name in os.listdir(folder) if _is_about(package, name))
    except OSError:
        return None
    return f"{package} {names} {status.st_size} {status.st_mtime_ns}"


def _is_about(package: str, name: str) -> bool:
    return name.startswith(f"{package}-") and name.endswith(".dist-info")


def llvm_mark() -> str | None:
    """Return what changes with the version of what links us to LLVM, and so of LLVM.

    >>> llvm_mark() == llvm_mark()
    True
    """
    return version_mark("llvmlite")
