"""Which files does the disk cache consist of, and which of them go when there are too many?

The folders of all versions of the cache's format lie side by side and share one limit. A file that
a writer was killed over keeps the ending `.partial`; after an hour nobody writes it any more.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

from ...dialects.records import record
from .cache_envelope import PARTIAL, SUFFIX
from .own_files import delete

#: Seconds after which nobody writes such a file any more.
LONGEST_WRITE = 3600
_VERSIONS = re.compile(r"v[0-9]+")


@record
class StoredFile:
    """An entry of the cache, or what a killed writer left."""

    path: Path
    nbytes: int
    used: float  # when it was last used, in seconds since 1970

    @property
    def is_entry(self) -> bool:
        """Whether this is an entry."""
        return self.path.name.endswith(SUFFIX)


def stored_files(base: Path) -> list[StoredFile]:
    """Return the entries below a folder, and what killed writers left there; none if it is gone.

    >>> stored_files(Path("nothing"))
    []
    """
    return [
        file
        for folder in _entries_of(base)
        if _VERSIONS.fullmatch(folder.name) and folder.is_dir(follow_symlinks=False)
        for file in _files_in(folder.path)
    ]


def _files_in(folder: str) -> Iterator[StoredFile]:
    now = time.time()
    for found in _entries_of(folder):
        if not found.name.endswith((SUFFIX, PARTIAL)):
            continue
        try:
            status = found.stat(follow_symlinks=False)
        except OSError:
            continue  # another process was faster
        file = StoredFile(Path(found.path), status.st_size, status.st_mtime)
        # A time in the future comes of a clock that was wrong.
        if file.is_entry or abs(now - file.used) > LONGEST_WRITE:
            yield file


def _entries_of(folder: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []  # it is gone, or cannot be read


def sweep(base: Path, limit: int) -> None:
    """Delete what killed writers left, and the longest unused entries if all exceed the limit.

    Many processes may do so at once: what one of them finds gone was to go.

    >>> sweep(Path("nothing"), 1000)
    """
    entries: list[StoredFile] = []
    for file in stored_files(base):
        if file.is_entry:
            entries.append(file)
        else:
            delete(file.path)
    total = sum(entry.nbytes for entry in entries)
    if total <= limit:
        return
    for entry in sorted(entries, key=lambda entry: entry.used):
        if total <= limit * 3 // 4:
            break
        delete(entry.path)
        total -= entry.nbytes
