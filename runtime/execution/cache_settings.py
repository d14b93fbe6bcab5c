"""Where does the environment want the disk cache to be, and how large may it grow?

`TRILITH_CACHE=0` turns the cache off, `TRILITH_CACHE_DIR` moves it, `TRILITH_CACHE_SIZE` limits it.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from ...dialects.frames import warn_user

#: Bytes of files kept, unless told otherwise.
DEFAULT_LIMIT = 1 << 30
_SIZE = r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(?:i?b)?\s*"
_UNITS = ("", "k", "m", "g", "t")


def is_on() -> bool:
    """Whether the environment wants a cache.

    >>> isinstance(is_on(), bool)
    True
    """
    return os.environ.get("TRILITH_CACHE", "") != "0"


def chosen_folder() -> Path | None:
    """Return the user's cache folder, whether or not the cache is on; None if there is no home.

    >>> isinstance(chosen_folder(), Path)
    True
    """
    chosen = os.environ.get("TRILITH_CACHE_DIR")
    if chosen:
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "trilith"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "trilith"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "trilith"


def chosen_size() -> str:
    """Return how large the cache may grow, as the environment says it; nothing if it does not.

    >>> isinstance(chosen_size(), str)
    True
    """
    return os.environ.get("TRILITH_CACHE_SIZE", "")


def read_size(text: str) -> int | None:
    """Return the bytes that a text means, the default for none; None if it means nothing.

    >>> read_size("200M"), read_size("1.5 GiB"), read_size("4096"), read_size("much")
    (209715200, 1610612736, 4096, None)
    """
    if not text.strip():
        return DEFAULT_LIMIT
    found = re.fullmatch(_SIZE, text, re.IGNORECASE)
    if found is None:
        return None
    number, unit = found.groups()
    return int(float(number) * 1024 ** _UNITS.index(unit.lower()))


def limit_of(size: str) -> int:
    """Return the bytes that a text means; what means nothing is the default, with a warning.

    >>> limit_of("64K"), limit_of("") == DEFAULT_LIMIT
    (65536, True)
    """
    limit = read_size(size)
    if limit is None:
        warn_user(
            f"TRILITH_CACHE_SIZE={size!r} is no size. Sizes are written as 500M, 2G or a number of "
            "bytes; 1G is used."
        )
        return DEFAULT_LIMIT
    return limit
