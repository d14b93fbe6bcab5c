"""Where do compiled artifacts stay between processes, and why can their bytes be trusted?

A folder of the user's own (mode 0700, refused if somebody else owns it) holds one file per key,
which is authenticated with a secret that lies beside it. (`cache_shipped.py` says which folders
that others have made are read.) Any damage is a miss: nothing here raises
because of what lies on the disk, or waits for it. What cannot be stored is said once, as a warning;
a folder that can only be read still gives what it holds.

Files are written under another name and renamed, so that readers and other writers see whole files
only, wherever a writer is killed. Reading a file marks it as used; when all outgrow their limit the
longest unused go. Nobody counts what is there: a write looks through the folder by chance, once in
so many bytes that all processes write together.
"""

from __future__ import annotations

import itertools
import os
from functools import cache
from pathlib import Path
from typing import Any

from ...dialects.digests import digest_of
from ...dialects.frames import warn_user
from ...dialects.locks import imported
from .cache_envelope import ANYBODY, HEADER_BYTES, PARTIAL, SUFFIX, VERSION, open_envelope, seal
from .cache_secret import open_secret
from .cache_settings import DEFAULT_LIMIT, chosen_folder, chosen_size, is_on, limit_of
from .cache_shipped import is_shipped, open_shipped
from .own_files import delete, mark_used, open_own_file, write_new_file

#: How often, on average, the folder is looked through while as many bytes as the limit are written.
SWEEPS_PER_LIMIT = 32

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
        self._secret: bytes | None = None
        #: Whether somebody else may have made what is there, and nothing is ever written.
        self.is_shipped = False
        try:
            self.folder = self.folder.absolute()  # the program may go to another folder
            self.is_shipped = is_shipped(self.folder)
            self._secret = (open_shipped if self.is_shipped else open_secret)(self.folder)
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
        digest = digest_of(key.encode())
        path = self._path(digest)
        try:
            with open_own_file(path, or_superusers=self.is_shipped) as file:
                data = open_envelope(file, digest, self._secret, self.limit)
                if data is not None and not self.is_shipped:
                    mark_used(file, path)
                return data
        except OSError:
            return None

    def put(self, key: str, data: bytes, maker: int = ANYBODY) -> None:
        """Store bytes under a key, in place of what was there. Does nothing if it cannot.

        A shipped folder is never written to.

        `maker` is a number for the version of trilith that they depend on, for those who count.
        """
        if len(data) > self.limit:
            return
        if self._secret is None:
            self.warn_if_unusable()
            return
        if self.is_shipped:
            return  # it holds what it was made with
        digest = digest_of(key.encode())
        unique = f"{os.getpid()}-{next(_numbers)}-{os.urandom(4).hex()}"
        partial = self.folder / f"{unique}{PARTIAL}"
        try:
            write_new_file(partial, seal(data, digest, self._secret, maker))
            partial.replace(self._path(digest))
        except OSError as error:
            self._warn(error)
            return
        finally:
            delete(partial)
        chance = int.from_bytes(os.urandom(8), "big") % (self.limit // SWEEPS_PER_LIMIT + 1)
        if chance <= HEADER_BYTES + len(data):
            _files().sweep(self.folder.parent, self.limit)

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

    def warn_if_unusable(self) -> None:
        """Give the warning of a `put` now, if it is known that there can be none."""
        if self._secret is None:
            self._warn(self._problem)

    def clear(self) -> None:
        """Delete all entries; the secret stays."""
        for file in _files().stored_files(self.folder.parent):
            delete(file.path)

    def size(self) -> int:
        """Return the bytes of all entries."""
        return sum(
            file.nbytes for file in _files().stored_files(self.folder.parent) if file.is_entry
        )

    def _path(self, digest: bytes) -> Path:
        return self.folder / (digest.hex() + SUFFIX)


@cache
def _files() -> Any:
    """Import what looks through the folder, which few processes do."""
    return imported(".cache_files", __package__)


def default_cache() -> DiskCache | None:
    """Return the cache the environment asks for now, or None; one object per folder and limit."""
    folder = chosen_folder() if is_on() else None
    return None if folder is None else _cache_in(folder, chosen_size())


@cache
def _cache_in(folder: Path, size: str) -> DiskCache:
    return DiskCache(folder, limit_of(size))
