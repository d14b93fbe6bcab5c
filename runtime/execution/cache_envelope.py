"""What is in the file of an entry of the disk cache, and how is it known that nobody changed it?

A header, the hash of the key, a message authentication code and the bytes. The code is made with
the secret of the cache and covers all the rest, so a truncated, altered, renamed or foreign file is
found out before a byte of it is used.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from ...dialects.digests import authentication_code, is_same_code
from .own_files import open_own_file

VERSION = 2
MAGIC = b"trilithC"
#: How the name of an entry's file ends; it begins with the hash of the key.
SUFFIX = ".entry"
#: How the name of a file ends that is being written.
PARTIAL = ".partial"
#: Who made an entry that does not depend on the version of trilith.
ANYBODY = 0

_HEADER = struct.Struct("<8sIIQ32s32s")  # magic, version, maker, bytes of data, key's hash, code
_CODE_AT = _HEADER.size - 32
#: Bytes of a file beside the data.
HEADER_BYTES = _HEADER.size


def seal(data: bytes, digest: bytes, secret: bytes, maker: int = ANYBODY) -> bytes:
    """Return the content of the file that holds some bytes under the hash of a key.

    >>> len(seal(b"value", bytes(32), b"secret")) - HEADER_BYTES
    5
    """
    header = _HEADER.pack(MAGIC, VERSION, maker, len(data), digest, b"")[:_CODE_AT]
    return b"".join([header, authentication_code(secret, header, data), data])


def open_envelope(file: BinaryIO, digest: bytes, secret: bytes, limit: int) -> bytes | None:
    """Return the bytes in a file; None if it is not what it should be, and little is read then.

    >>> from io import BytesIO
    >>> file = seal(b"value", bytes(32), b"secret")
    >>> open_envelope(BytesIO(file), bytes(32), b"secret", 100)
    b'value'
    >>> open_envelope(BytesIO(file[:-1] + b"x"), bytes(32), b"secret", 100)
    """
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    magic, version, _, length, stored_digest, code = _HEADER.unpack(header)
    if magic != MAGIC or version != VERSION or stored_digest != digest or length > limit:
        return None
    data = file.read(length + 1)
    if len(data) != length:
        return None
    expected = authentication_code(secret, header[:_CODE_AT], data)
    return data if is_same_code(code, expected) else None


def maker_of(path: Path) -> int | None:
    """Return who made the entry in a file, as far as its header says so; None if it says nothing.

    >>> maker_of(Path("nothing.entry"))
    """
    try:
        with open_own_file(path, or_superusers=True) as file:
            header = file.read(_HEADER.size)
    except OSError:
        return None
    if len(header) < _HEADER.size:
        return None
    magic, version, maker, *_ = _HEADER.unpack(header)
    return maker if (magic, version) == (MAGIC, VERSION) else None


def damage_of(path: Path, secret: bytes, limit: int, *, is_shipped: bool = False) -> str:
    """Return in words why the entry in a file cannot be used; nothing if it can.

    One of a shipped folder may be the superuser's.

    An entry that is not there is none: another process may have deleted it.

    >>> damage_of(Path("ab.entry"), b"secret", 100)
    ''
    """
    try:
        digest = bytes.fromhex(path.name.removesuffix(SUFFIX))
        with open_own_file(path, or_superusers=is_shipped) as file:
            is_right = open_envelope(file, digest, secret, limit) is not None
    except FileNotFoundError:
        return ""
    except OSError as error:
        return error.strerror or str(error)
    except ValueError:
        return "its name is not that of an entry"
    return "" if is_right else "it is damaged, or made with another secret"
