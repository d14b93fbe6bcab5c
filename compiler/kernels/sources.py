"""Which compiler is this? A digest of the sources that decide what a kernel or a plan becomes.

Contents count, not sizes and times: an edit may keep both. It is made when the first kernel is
needed, and 213 files of 1.4 MB take 3 ms. Two things make a process run other code than its sources
say, and both change the digest:

- Bytecode from before an edit that kept size and time: Python takes it for that of the source.
- An edit after the process began: nobody can tell which of its modules were loaded before. Such a
  process, and one whose sources cannot be read at all (a frozen program), has a digest of its own.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import cache_from_source
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...dialects.digests import digest_of
from ...dialects.frames import STARTED
from ...dialects.locks import imported

#: The rooms whose code makes kernels, in the folder of the package.
ROOMS = ("compiler", "dialects")
#: The folder of the package.
OWN_ROOT = Path(__file__).resolve().parents[2]
#: Sources, and bytecode in their place; what lies in `__pycache__` belongs to a source.
SUFFIXES = (".py", ".pyc")
BYTECODE_FOLDER = "__pycache__"
_UNCHECKED = 1  # the flags of bytecode that is taken whatever the source says


def own_digest() -> bytes:
    """Return the digest of the sources that decide what this process makes of a kernel."""
    return certain_digest(ROOMS)[0]


@cache
def certain_digest(rooms: Sequence[str]) -> tuple[bytes, bool]:
    """Return the digest of our own code in some rooms, and whether other processes may share it.

    They may not if bytecode runs in the place of a source, or if nobody knows what runs.
    """
    return _digest_of(OWN_ROOT, STARTED, rooms)


def file_digest(root: Path, rooms: Sequence[str], started: int = STARTED) -> bytes | None:
    """Return a digest of the files of some rooms without reading them, in a quarter of the time.

    Whoever writes to a file changes its `ctime`, which nobody can set. None for a process that has
    a digest of its own, or where files cannot be looked at.

    >>> file_digest(OWN_ROOT, ("compiler",)) == file_digest(OWN_ROOT, ("compiler",))
    True
    """
    found: list[str] = []
    try:
        for room in rooms:
            for path, status in _looked_at(f"{root}/{room}"):
                changed = status.st_ctime_ns
                if changed > started:
                    return None
                size, time, number = status.st_size, status.st_mtime_ns, status.st_ino
                found.append(f"{path} {size} {time} {changed} {number}")
    except OSError:
        return None
    return digest_of("\n".join(found).encode())


def _looked_at(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield path and status of all code in a folder."""
    with os.scandir(folder) as found:
        entries = sorted([(entry.name, entry) for entry in found], key=itemgetter(0))
    for name, entry in entries:
        if name.endswith(SUFFIXES):
            if entry.is_file():
                yield entry.path, entry.stat()
        elif name != BYTECODE_FOLDER and entry.is_dir():
            yield from _looked_at(entry.path)


def source_digest(root: Path, started: int = STARTED) -> bytes:
    """Return the digest of a package in the folder `root`, for a process that began at `started`.

    >>> root = Path(__file__).parents[2]
    >>> source_digest(root) == source_digest(root)
    True
    """
    return _digest_of(root, started, ROOMS)[0]


def _digest_of(root: Path, started: int, rooms: Sequence[str]) -> tuple[bytes, bool]:
    # CPUs have instructions for it: a third of the time of blake2b.
    digest = imported("hashlib").sha256()
    is_certain = True
    try:
        for room in rooms:
            found = _in_folder(str(root), room) if (root / room).is_dir() else _in_archive(room)
            for name, content, stale, changed in found:
                digest.update(f"{name} {len(content) + len(stale)} ".encode())
                digest.update(content)
                if stale:
                    digest.update(stale)
                    is_certain = False
                if changed > started:
                    return os.urandom(16), False
    except (OSError, ImportError):
        return os.urandom(16), False
    return digest.digest(), is_certain


def maker_number(digest: bytes) -> int:
    """Return the number by which entries of the disk cache tell which compiler made them.

    >>> maker_number(bytes(16)), maker_number(b"abcd")
    (1, 1633837924)
    """
    return int.from_bytes(digest[:4], "big") or 1  # 0 is said of what no compiler made


def _in_folder(root: str, folder: str) -> Iterator[tuple[str, bytes, bytes, int]]:
    """Yield name, contents, stale bytecode and time of the last change of all code in a folder.

    What is no file is no code: editors leave links to nowhere beside a source.
    """
    with os.scandir(f"{root}/{folder}") as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        name = f"{folder}/{entry.name}"
        if entry.name.endswith(SUFFIXES) and entry.is_file():
            content, status = _read(entry.path)
            yield name, content, _stale_bytecode(entry.path, status), status.st_ctime_ns
        elif entry.name != BYTECODE_FOLDER and entry.is_dir():
            yield from _in_folder(root, name)


def _read(path: str) -> tuple[bytes, os.stat_result]:
    """Return the contents of a file and what the system says of it; half the time of `open`."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(descriptor)
        content = os.read(descriptor, status.st_size + 1)
    finally:
        os.close(descriptor)
    return content, status


def _stale_bytecode(source: str, status: os.stat_result) -> bytes:
    """Return the bytecode that Python takes for a source although the source changed after it."""
    try:
        path = cache_from_source(source)
        if os.stat(path).st_mtime_ns >= status.st_ctime_ns:
            return b""
        content = Path(path).read_bytes()
        _, flags, time, size = struct.unpack_from("<4sIII", content)
    except (OSError, NotImplementedError, struct.error):
        return b""
    mask = 0xFFFFFFFF
    is_fitting = (time, size) == (int(status.st_mtime) & mask, status.st_size & mask)
    return content if flags == _UNCHECKED or (flags == 0 and is_fitting) else b""


def _in_archive(room: str) -> Iterator[tuple[str, bytes, bytes, int]]:
    """Yield what the package's loader can read, if it is not in a folder."""
    from importlib.resources import files

    def walk(folder: Any, path: str) -> Iterator[tuple[str, bytes, bytes, int]]:
        for item in sorted(folder.iterdir(), key=lambda item: item.name):
            name = f"{path}/{item.name}"
            if item.name.endswith(SUFFIXES):
                yield name, item.read_bytes(), b"", 0
            elif item.name != BYTECODE_FOLDER and item.is_dir():
                yield from walk(item, name)

    yield from walk(files(f"{(__package__ or '').partition('.')[0]}.{room}"), room)
