"""How does a tensor look at the bytes of a file? By mapping them into memory: `from_file`."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ...dialects.attributes.default_dtype import get_default_dtype
from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from .construction import frombuffer
from .tensor import Tensor


def from_file(
    filename: Any,
    shared: bool | None = None,
    size: int = 0,
    *,
    dtype: DType | None = None,
    device: Device | str | None = None,
) -> Tensor:
    """Return a tensor over the elements of a file.

    If it is `shared`, what is written to the tensor is written to the file, which is made as long
    as it must be; otherwise the file stays as it is.

    >>> import pathlib, tempfile
    >>> import trilith as tri
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "elements"
    >>> count = path.write_bytes(bytes([1, 0, 2, 0]))
    >>> from_file(str(path), size=2, dtype=tri.int16)
    tensor([1, 2], dtype=trilith.int16)
    """
    if not isinstance(filename, str):
        kind = type(filename).__name__
        raise TrilithTypeError(
            f"from_file(): argument 'filename' (position 1) must be str, not {kind}"
        )
    if device is not None and not Device(device).is_host:
        raise TrilithNotImplementedError(
            f"from_file() maps files for the CPU alone, not for {Device(device)}",
            hint="move the tensor with .to(device)",
        )
    element = get_default_dtype() if dtype is None else dtype
    nbytes = size * element.itemsize
    if nbytes < 0:
        raise TrilithRuntimeError(
            f"unable to mmap {nbytes} bytes from file <{filename}>: Cannot allocate memory (12)"
        )
    _prepare(filename, nbytes, is_shared=bool(shared))
    if not nbytes:
        return frombuffer(bytearray(element.itemsize), dtype=element)[:0]
    mode: Any = "r+" if shared else "c"
    return frombuffer(np.memmap(filename, np.uint8, mode, shape=(nbytes,)), dtype=element)


def _prepare(filename: str, nbytes: int, *, is_shared: bool) -> None:
    """Make a shared file long enough; refuse one that is not, or that cannot be opened."""
    try:
        flags = os.O_RDWR | os.O_CREAT if is_shared else os.O_RDONLY
        number = os.open(filename, flags, 0o600)
    except OSError as error:
        mode = "read-write" if is_shared else "read-only"
        raise TrilithRuntimeError(
            f"unable to open file <{filename}> in {mode} mode: {error.strerror} ({error.errno})"
        ) from None
    try:
        found = os.fstat(number).st_size
        if found >= nbytes:
            return
        if not is_shared:
            raise TrilithRuntimeError(
                f"file <{filename}> size <{found}> is smaller than the required mapping size "
                f"<{nbytes}>"
            )
        os.truncate(number, nbytes)
    finally:
        os.close(number)
