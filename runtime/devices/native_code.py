"""How does native code of the runtime come into the process? Compiled once, kept on the disk.

LLVM compiles it in a tenth of a second, which is why that is done once per machine: the object is
kept where kernels are kept, and is linked without LLVM in a millisecond. It holds no address of any
process; those are written into its bytes before they are linked.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from ...dialects.diagnostics import InternalError
from ...dialects.digests import blake2b
from ..execution.cache import default_cache
from ..native.calls import EXPORTED
from ..native.forever import keep_forever
from ..native.subset import LOCATE, MARK, translate
from .cpu import compiled_by_llvm
from .llvm import in_llvm
from .objects import UnknownObject, link_object

#: What runs on the text, in the words of llvmlite; LLVM's own pipelines take four times as long.
PASSES = ("always_inliner", "sroa", "instruction_combine", "simplify_cfg")


def stored_code() -> bytes | None:
    """Return the object code, with the words that it wants, if it is on the disk."""
    disk = default_cache()
    return None if disk is None else disk.get(_key())


def new_code() -> bytes:
    """Compile the object code, and store it."""
    module = translate(EXPORTED)
    code = in_llvm(lambda: compiled_by_llvm(module.text, PASSES))
    data = json.dumps(module.context).encode() + b"\n" + code
    disk = default_cache()
    if disk is not None:
        disk.put(_key(), data)
    return data


def load(data: bytes, context: Mapping[str, int]) -> dict[str, int]:
    """Fill in what the code wants and link it; return the addresses of its functions.

    Functions of Python's C interface need not be in `context`. Raises InternalError for code that
    is not what `new_code` makes.
    """
    names, _, code = data.partition(b"\n")
    mark = b"".join(word.to_bytes(8, "little") for word in MARK)
    begin = code.find(mark) + len(mark)
    if begin < len(mark) or code.count(mark) != 1:
        raise InternalError("native code does not say where its words are")
    wanted: list[str] = json.loads(names)
    filled = b"".join(_address(name, context).to_bytes(8, "little") for name in wanted)
    try:
        linked = link_object(code[:begin] + filled + code[begin + len(filled) :], LOCATE)
    except UnknownObject as error:
        raise InternalError(f"native code does not link: {error}") from error
    keep_forever(linked)
    locate = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(linked.address)
    return {function.name: locate(number) for number, function in enumerate(EXPORTED)}


def _address(name: str, context: Mapping[str, int]) -> int:
    if name in context:
        return context[name]
    address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert address is not None
    return address


def _key() -> str:
    """Return what the code is stored under: a digest of what it is made from."""
    digest = blake2b(sys.version.encode())
    folder = Path(__file__).parents[1] / "native"
    for file in sorted(folder.glob("*.py")):
        digest.update(file.read_bytes())
    return f"native code {digest.hexdigest()} {PASSES}"
