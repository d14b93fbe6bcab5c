"""Where is the secret of the disk cache, with which its entries are authenticated?

In a file of mode 0600 in the folder of the entries, which has mode 0700 and belongs to this user.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

from .own_files import NotOwn, delete, is_own, is_secret, open_own_file, write_new_file

NAME = "secret"
LENGTH = 32


def open_secret(folder: Path) -> bytes:
    """Make the folder if need be, check that it is ours alone, and return the secret in it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open_secret(Path(folder)) == open_secret(Path(folder))
    True
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = check_own_folder(folder)
    if sys.platform != "win32" and status.st_mode & 0o077:
        _close_to_others(folder, status.st_mode)
    path = folder / NAME
    try:
        return read_secret(folder)
    except FileNotFoundError:
        _create_secret(path)
    except PermissionError:
        # Damaged, or perhaps known to others. Two processes that find it so at the same time may
        # end up with two secrets until one of them ends: each other's entries are misses then.
        path.unlink(missing_ok=True)
        _create_secret(path)
    return read_secret(folder)


def check_own_folder(folder: Path) -> os.stat_result:
    """Return what the system says of a folder; `NotOwn` if it is none, or somebody else's.

    >>> check_own_folder(Path("nothing"))
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
    """
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or not is_own(status):
        raise NotOwn(errno.EACCES, "the folder belongs to somebody else", str(folder))
    return status


def read_secret(folder: Path) -> bytes:
    """Return the secret in a folder; PermissionError if it is damaged or others can read it.

    >>> read_secret(Path("nothing"))
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'nothing/secret'
    """
    path = folder / NAME
    with open_own_file(path) as file:
        secret = file.read(LENGTH + 1)
        if not is_secret(file) or len(secret) != LENGTH:
            raise NotOwn(errno.EACCES, "the secret is damaged or known to others", str(path))
    return secret


def _close_to_others(folder: Path, mode: int) -> None:
    try:
        folder.chmod(0o700)
    except OSError:
        # Read-only. That others can read what lies there gives nothing away but the keys' hashes.
        if mode & 0o022:
            raise


def _create_secret(path: Path) -> None:
    """Make the secret appear whole; if another process is faster, its secret stays."""
    partial = path.with_name(f"{NAME}-{os.getpid()}-{os.urandom(4).hex()}.partial")
    write_new_file(partial, os.urandom(LENGTH))
    try:
        os.link(partial, path)
    except FileExistsError:
        pass
    except OSError:
        partial.replace(path)  # a file system without links
    finally:
        delete(partial)
