"""When may a folder of compiled code be used that somebody else has made? If it is a shipped one.

A shipped folder is for images: it is made once (`trilith cache build`), copied anywhere, read by
any user and never written to. A private folder keeps its key secret, so that its entries are known
to be of this user. A shipped one cannot: whoever may read it may read its key, which lies beside
the entries and finds damage only. What is trusted is who could have written it. The folder, the key
and each entry must belong to the superuser or to this user, and nobody else may be able to write
them: who could change them could as well change the program that reads them.
"""

from __future__ import annotations

import errno
import stat
import sys
from pathlib import Path

from .own_files import NotOwn, is_trusted, open_own_file

#: The file that makes a folder a shipped one.
NAME = "shipped-key"
LENGTH = 32


def is_shipped(folder: Path) -> bool:
    """Whether a folder of entries says that it is a shipped one.

    >>> is_shipped(Path("nothing"))
    False
    """
    try:
        return stat.S_ISREG((folder / NAME).lstat().st_mode)
    except OSError:
        return False


def open_shipped(folder: Path) -> bytes:
    """Return the key of a shipped folder; `NotOwn` if others could have changed what is in it.

    >>> open_shipped(Path("nothing"))
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'nothing'
    """
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or not is_trusted(status):
        reason = "the shipped folder belongs to somebody else"
        raise NotOwn(errno.EACCES, f"{reason} than you and the superuser", str(folder))
    if sys.platform != "win32" and status.st_mode & 0o022:
        raise NotOwn(errno.EACCES, "others can write to the shipped folder", str(folder))
    path = folder / NAME
    with open_own_file(path, or_superusers=True) as file:
        key = file.read(LENGTH + 1)
    if len(key) != LENGTH:
        raise NotOwn(errno.EACCES, "the key is damaged", str(path))
    return key
