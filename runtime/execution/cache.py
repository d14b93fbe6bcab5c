"""Where do compiled artifacts stay between processes, and why can their bytes be trusted?

A folder of the user's own (mode 0700, refused if somebody else owns it) holds one file per key: a
header, the key's hash, a message authentication code and the bytes. The code is made with a secret
of this user (a file of mode 0600 in the same folder) and covers header, key and bytes, so a
truncated, altered, renamed or foreign file is found out before a byte of it is used. Any damage is
a miss: nothing here raises because of what lies on the disk, or waits for it. What cannot be stored
is said once, as a warning; a folder that can only be read still gives what it holds.

Files are written under another name and renamed, so that readers and other writers see whole files
only. Reading a file marks it as used; when the folder outgrows its limit the longest unused go.

`TRILITH_CACHE=0` turns the cache off, `TRILITH_CACHE_DIR` moves it.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import itertools
import os
import secrets
import stat
import struct
import sys
from functools import cache
from pathlib import Path
from typing import BinaryIO

from ...dialects.frames import warn_user
from ...dialects.locks import new_lock
from .own_files import (
    NotOwn,
    delete,
    is_own,
    is_secret,
    mark_used,
    open_own_file,
    write_new_file,
)

VERSION = 1
MAGIC = b"trilithC"
#: Bytes of files kept, unless told otherwise.
DEFAULT_LIMIT = 1 << 30
KEY_NAME = "secret"
KEY_LENGTH = 32
SUFFIX = ".entry"

_HEADER = struct.Struct("<8sIIQ32s32s")  # magic, version, 0, bytes of data, hash of the key, code
_CODE_AT = _HEADER.size - 32
_numbers = itertools.count()


class DiskCache:
    """Bytes by key, on disk; safe for many threads and processes at once.

    `limit` bounds the bytes of all files. A cache whose folder cannot be used is empty and stays
    so: `is_usable` says which. The first `put` that fails gives a warning with the reason.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     entries = DiskCache(folder)
    ...     entries.put("key", b"value")
    ...     entries.get("key"), entries.get("other")
    (b'value', None)
    """

    def __init__(self, folder: str | os.PathLike[str], limit: int = DEFAULT_LIMIT) -> None:
        """Use (and make) the sub-folder of this version in `folder`."""
        self.folder = Path(folder) / f"v{VERSION}"
        self.limit = limit
        self._has_warned = False
        self._problem: OSError | None = None
        self._lock = new_lock()
        self._secret: bytes | None = None
        self._bytes_until_sweep = -1
        try:
            self.folder = self.folder.absolute()  # the program may go to another folder
            self._secret = _open_secret(self.folder)
        except OSError as error:
            self._problem = error  # a full or read-only disk, somebody else's folder: no cache

    @property
    def is_usable(self) -> bool:
        """Whether the folder exists, is the user's own and holds a secret."""
        return self._secret is not None

    def get(self, key: str) -> bytes | None:
        """Return the bytes stored under a key, or None: not there, damaged, or not ours."""
        if self._secret is None:
            return None
        digest = hashlib.sha256(key.encode()).digest()
        path = self._path(digest)
        try:
            with open_own_file(path) as file:
                data = _open_envelope(file, digest, self._secret, self.limit)
                if data is not None:
                    mark_used(file, path)
                return data
        except OSError:
            return None

    def put(self, key: str, data: bytes) -> None:
        """Store bytes under a key, in place of what was there. Does nothing if it cannot."""
        if len(data) > self.limit:
            return
        if self._secret is None:
            self._warn(self._problem)
            return
        digest = hashlib.sha256(key.encode()).digest()
        unique = f"{os.getpid()}-{next(_numbers)}-{secrets.token_hex(4)}"
        partial = self.folder / f"{unique}.partial"
        try:
            write_new_file(partial, _seal(data, digest, self._secret))
            partial.replace(self._path(digest))
        except OSError as error:
            self._warn(error)
            return
        finally:
            delete(partial)
        self._account(_HEADER.size + len(data))

    def _warn(self, error: OSError | None) -> None:
        """Say once why nothing can be stored, and what to do."""
        if error is None or self._has_warned:
            return
        self._has_warned = True
        warn_user(
            f"what was compiled cannot be kept for later processes in {self.folder}: "
            f"{error.strerror or error}. Set TRILITH_CACHE_DIR to a folder of yours that can be "
            "written, or TRILITH_CACHE=0 to do without."
        )

    def clear(self) -> None:
        """Delete all entries; the secret stays."""
        for _, _, path in self._entries():
            delete(path)

    def size(self) -> int:
        """Return the bytes of all entries."""
        return sum(size for _, size, _ in self._entries())

    def _path(self, digest: bytes) -> Path:
        return self.folder / (digest.hex() + SUFFIX)

    def _entries(self) -> list[tuple[float, int, Path]]:
        """Return (time of last use, bytes, path) of all files, left-over partial ones included."""
        found: list[tuple[float, int, Path]] = []
        try:
            with os.scandir(self.folder) as files:
                names = [file for file in files if file.name.endswith((SUFFIX, ".partial"))]
        except OSError:
            return found  # the folder went away meanwhile
        for file in names:
            try:
                status = file.stat(follow_symlinks=False)
            except OSError:
                continue  # another process was faster
            found.append((status.st_mtime, status.st_size, Path(file.path)))
        return found

    def _account(self, written: int) -> None:
        """Sweep when this process has written what was free at its last look."""
        with self._lock:
            self._bytes_until_sweep -= written
            if self._bytes_until_sweep >= 0:
                return
            self._bytes_until_sweep = self._sweep()

    def _sweep(self) -> int:
        """Delete the longest unused entries beyond the limit; return how much is free then."""
        entries = sorted(self._entries())
        total = sum(size for _, size, _ in entries)
        if total > self.limit:
            for _, size, path in entries:
                if total <= self.limit * 3 // 4:
                    break
                delete(path)
                total -= size
        # Other processes write too: look again long before the limit could be reached twice over.
        return max(self.limit - total, 0) // 4


def default_folder() -> Path | None:
    """Return the user's cache folder, or None if the cache is turned off or there is no home."""
    if os.environ.get("TRILITH_CACHE", "") == "0":
        return None
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


def default_cache() -> DiskCache | None:
    """Return the cache the environment asks for now, or None; one object per folder."""
    folder = default_folder()
    return None if folder is None else _cache_in(folder)


@cache
def _cache_in(folder: Path) -> DiskCache:
    return DiskCache(folder)


# The envelope around an entry


def _seal(data: bytes, digest: bytes, secret: bytes) -> bytes:
    header = _HEADER.pack(MAGIC, VERSION, 0, len(data), digest, b"")[:_CODE_AT]
    return b"".join([header, hmac.digest(secret, header + data, "sha256"), data])


def _open_envelope(file: BinaryIO, digest: bytes, secret: bytes, limit: int) -> bytes | None:
    """Return the bytes in a file; None if it is not what it should be, and little is read then."""
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    magic, version, _, length, stored_digest, code = _HEADER.unpack(header)
    if magic != MAGIC or version != VERSION or stored_digest != digest or length > limit:
        return None
    data = file.read(length + 1)
    if len(data) != length:
        return None
    expected = hmac.digest(secret, header[:_CODE_AT] + data, "sha256")
    return data if hmac.compare_digest(code, expected) else None


# The secret


def _open_secret(folder: Path) -> bytes:
    """Make the folder if need be, check that it is ours alone, and return the secret in it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or not is_own(status):
        raise NotOwn(errno.EACCES, "the folder belongs to somebody else", str(folder))
    if sys.platform != "win32" and status.st_mode & 0o077:
        _close_to_others(folder, status.st_mode)
    path = folder / KEY_NAME
    try:
        return _read_secret(path)
    except FileNotFoundError:
        _create_secret(path)
    except PermissionError:
        # Damaged, or perhaps known to others. Two processes that find it so at the same time may
        # end up with two secrets until one of them ends: each other's entries are misses then.
        path.unlink(missing_ok=True)
        _create_secret(path)
    return _read_secret(path)


def _close_to_others(folder: Path, mode: int) -> None:
    try:
        folder.chmod(0o700)
    except OSError:
        # Read-only. That others can read what lies there gives nothing away but the keys' hashes.
        if mode & 0o022:
            raise


def _read_secret(path: Path) -> bytes:
    """Return the secret; PermissionError if it is damaged or others can read it."""
    with open_own_file(path) as file:
        secret = file.read(KEY_LENGTH + 1)
        if not is_secret(file) or len(secret) != KEY_LENGTH:
            raise NotOwn(errno.EACCES, "the secret is damaged or known to others", str(path))
    return secret


def _create_secret(path: Path) -> None:
    """Make the secret appear whole; if another process is faster, its secret stays."""
    partial = path.with_name(f"{KEY_NAME}-{os.getpid()}-{secrets.token_hex(4)}.partial")
    write_new_file(partial, secrets.token_bytes(KEY_LENGTH))
    try:
        os.link(partial, path)
    except FileExistsError:
        pass
    except OSError:
        partial.replace(path)  # a file system without links
    finally:
        delete(partial)
