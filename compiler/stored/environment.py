"""What decides a plan beside its call? The CPU, versions of what compiles, and trilith's sources.

All of it is found without loading any of it, in 3 ms. Sources count by their contents; which ones
they are is known by their files' times once a process has read them, and has stored what it found.
"""

from __future__ import annotations

import os
import sys
from functools import cache

from ...dialects.digests import blake2b
from ...runtime.devices.processor import processor_digest
from ...runtime.devices.versions import llvm_mark, version_mark
from ...runtime.execution.cache import DiskCache, default_cache
from ..kernels.sources import (
    OWN_ROOT,
    ROOMS,
    certain_digest,
    file_digest,
    maker_number,
)

#: What a plan means. Another number where what is stored, or how it is run, changes its meaning.
_FORM = "plans 2"
_OTHER_ROOMS = ("runtime",)


class Environment:
    """Where plans are kept, and what their keys begin with."""

    __slots__ = ("digest", "disk", "maker")

    def __init__(self, disk: DiskCache, digest: str, maker: int) -> None:
        self.disk = disk
        self.digest = digest
        #: What the command `trilith cache` tells versions by.
        self.maker = maker


def environment() -> Environment | None:
    """Return where this process finds and keeps plans; None if it does neither.

    >>> environment() is None or isinstance(environment().digest, str)
    True
    """
    disk = default_cache()
    if disk is None or not disk.is_usable:
        return None
    verify, dumps = os.environ.get("TRILITH_VERIFY", "0"), os.environ.get("TRILITH_DUMP_DIR")
    if verify not in ("", "0") or dumps:
        # Who wants to see what the compiler does gets it to do something.
        return None
    return _environment(disk)


@cache
def _environment(disk: DiskCache) -> Environment | None:
    processor, sources = processor_digest(), _sources(disk)
    versions = [llvm_mark(), version_mark("xdsl")]
    if processor is None or sources is None or None in versions:
        return None
    digest = blake2b(digest_size=16)
    for part in (_FORM, sys.platform, sys.byteorder, processor.hex(), sources.hex(), *versions):
        digest.update(f"{part}\n".encode())
    return Environment(disk, digest.hexdigest(), maker_number(sources))


def _sources(disk: DiskCache) -> bytes | None:
    """Return the digest of all of trilith's code, from the disk if the files are as they were."""
    files = file_digest(OWN_ROOT, (*ROOMS, *_OTHER_ROOMS))
    if files is None:
        return None
    key = f"sources {files.hex()}"
    known = disk.get(key)
    if known is not None and len(known) == _LENGTH:
        return known
    (own, is_certain), (rest, is_too) = certain_digest(ROOMS), certain_digest(_OTHER_ROOMS)
    if not (is_certain and is_too):
        return None
    # The first bytes are the compiler's own, by which the command `trilith cache` tells versions.
    found = own[:16] + blake2b(own + rest, digest_size=16).digest()
    disk.put(key, found, maker_number(found))
    return found


_LENGTH = 32
