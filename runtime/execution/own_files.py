"""How are files read and written that nobody but this user may have touched?

Nothing here waits: what lies in the place of a file may be a pipe that nobody writes to, a device,
a socket, a link or a folder. Each of them raises `NotOwn`, before a byte of it is read.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from pathlib import Path
from typing import BinaryIO

#: What `open` says of links and loops of links, and of sockets and devices without a driver.
_NO_FILES = (errno.ELOOP, errno.ENXIO, errno.ENODEV)
_BINARY = getattr(os, "O_BINARY", 0)
_POSIX = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY")  # a pipe is opened though nobody writes to it
_READ = os.O_RDONLY | _BINARY | sum(getattr(os, name, 0) for name in _POSIX)
#: Seconds that the time of a file may lag behind its last use.
LONGEST_UNMARKED = 600
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


class NotOwn(PermissionError):
    """What lies there is no file, or one that others could have written or read."""


def open_own_file(path: Path, *, or_superusers: bool = False) -> BinaryIO:
    """Open a regular file of this user; `NotOwn` for anything else, OSError if there is nothing.

    One of the superuser's is taken, too, if it may be.
    """
    try:
        descriptor = os.open(path, _READ)
    except OSError as error:
        if error.errno in _NO_FILES:
            raise NotOwn(errno.EACCES, "this is no file", str(path)) from error
        raise
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotOwn(errno.EACCES, "this is no file", str(path))
        if not (is_trusted(status) if or_superusers else is_own(status)):
            raise NotOwn(errno.EACCES, "this belongs to somebody else", str(path))
        if sys.platform != "win32" and status.st_mode & 0o022:
            raise NotOwn(errno.EACCES, "others can write this", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def is_own(status: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user."""
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def is_trusted(status: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user or to the superuser, who can do anything."""
    return is_own(status) or status.st_uid == 0


def is_secret(file: BinaryIO) -> bool:
    """Whether nobody else can read or write an open file."""
    return sys.platform == "win32" or not os.fstat(file.fileno()).st_mode & 0o077


def write_new_file(path: Path, content: bytes) -> None:
    """Make a file of mode 0600 that was not there; if it cannot be written whole, there is none."""
    descriptor = os.open(path, _WRITE, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except BaseException:
        delete(path)
        raise


def mark_used(file: BinaryIO, path: Path) -> None:
    """Set the time of a file to about now, if the file system lets it."""
    try:
        if abs(time.time() - os.fstat(file.fileno()).st_mtime) < LONGEST_UNMARKED:
            return  # near enough to tell what is in use; a write for every read would be dear
        os.utime(file.fileno() if os.utime in os.supports_fd else path)
    except OSError:
        pass  # read-only: then nothing is deleted there either


def delete(path: Path) -> None:
    """Delete a file if it can be deleted."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        pass
