"""How does an object file become code of this process without LLVM? A small linker for our kernels.

A kernel is one section of code and a few of constants; it calls nothing, and its constants are
found relative to where the code lies. So its object needs three kinds of relocations, and is linked
in a fifth of the time that LLVM's linker takes, in a process that has not loaded LLVM. Memory is
written first and made executable afterwards, never both.

What is read is checked against the bounds of the file and of the memory: whatever the bytes are,
there is a function or an `UnknownObject`. What another object may need (another relocation, a
function of another library, data that is written) is left to LLVM's linker.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from ..execution.artifact import KernelCode

#: Relocations of x86-64: relative to itself, to the table of offsets, and where that table lies.
_PC64, _GOTOFF64, _GOT64, _GOTPC64 = 24, 25, 27, 29
#: What kernels call: remainders of floats are C's.
_IMPORTED = (b"fmod", b"fmodf")
#: The table of offsets: our memory begins where it would be.
_TABLE_NAME = b"_GLOBAL_OFFSET_TABLE_"

_RELOCATABLE, _X86_64 = 1, 62
_PROGBITS, _SYMTAB, _STRTAB, _RELA, _REL = 1, 2, 3, 4, 9
_WRITE, _ALLOC, _EXECUTABLE, _THREAD_LOCAL = 1, 2, 4, 0x400
_UNDEFINED = 0

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_IDENTITY = b"\x7fELF\x02\x01\x01"  # 64 bits, little-endian, version 1
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_ADDRESS = struct.Struct("<q")
#: Jump to the address in the word that is so many bytes behind this instruction.
_JUMP, _JUMP_TO_WORD = struct.Struct("<Hi"), 0x25FF

#: More than any kernel has.
MOST_BYTES = 1 << 26
_PAGE = 4096


class UnknownObject(Exception):
    """An object that this linker does not know, or that is damaged."""


class LinkedCode:
    """Code in memory that can be run, as long as this object lives, and where a function begins.

    What is replaceable begins with a jump to where a word says that it goes on.
    """

    __slots__ = ("__weakref__", "_goes_on", "address", "anchor", "later", "memory")

    def __init__(
        self, address: int, memory: mmap.mmap, anchor: Any, goes_on: ctypes.c_int64 | None = None
    ) -> None:
        """Own the memory; the anchor keeps it from being closed."""
        self.address = address
        self.memory = memory
        self.anchor = anchor
        self._goes_on = goes_on
        #: The code that calls run from now on. Others may still be in this one.
        self.later: LinkedCode | None = None

    def take_better(self, kernel: KernelCode) -> None:
        """Let calls of code that was made in a hurry run better code of the same kernel."""
        with suppress(UnknownObject):  # what LLVM has to link is for calls that load it anew
            self.replace(link_object(kernel.code, kernel.name))

    def replace(self, other: LinkedCode) -> None:
        """Let calls that begin from now on run other code, which takes the same arguments."""
        assert self._goes_on is not None
        self.later = other
        self._goes_on.value = other.address  # one aligned word: there is no time in between


def is_known_host() -> bool:
    """Whether objects of this host are those that the linker knows: x86-64 Linux, CPython.

    >>> isinstance(is_known_host(), bool)
    True
    """
    return _is_known_host()


@cache
def _is_known_host() -> bool:
    return (
        sys.platform == "linux"
        and os.uname().machine == "x86_64"
        and sys.maxsize > 1 << 32
        and sys.implementation.name == "cpython"
    )


def link_object(data: bytes, symbol: str, *, is_replaceable: bool = False) -> LinkedCode:
    """Load an object file into memory of its own and find a function in it.

    One that is replaceable takes a nanosecond more. Raises UnknownObject for what is no such
    object, or needs what this linker does not do.

    >>> link_object(b"no object", "f")
    Traceback (most recent call last):
    trilith.runtime.devices.objects.UnknownObject: the file ends too early
    """
    try:
        linker = _Linker(data)
        image, start = linker.image(symbol)
    except (struct.error, IndexError, OverflowError) as error:
        raise UnknownObject("the file ends too early") from error
    return executable(bytes(image), start, is_replaceable=is_replaceable)


#: What images are aligned to that are put behind one another: the widest vector.
IMAGE_ALIGNMENT = 64


def linked_image(data: bytes, symbols: Sequence[str]) -> tuple[bytes, list[int]]:
    """Return an object's code and constants as they lie in memory, and where functions begin.

    It refers to itself alone, relative to where it lies, so it may be put anywhere that is aligned
    to `IMAGE_ALIGNMENT`. Raises UnknownObject as `link_object` does.
    """
    try:
        linker = _Linker(data)
        linker.image(symbols[0])
        if linker.slots:
            names = ", ".join(name.decode() for name in linker.slots)
            raise UnknownObject(f"it calls {names} of the C library")
        if any(s.alignment > IMAGE_ALIGNMENT for s in linker.sections if s.flags & _ALLOC):
            raise UnknownObject("a section is aligned to more than a vector")
        images = [_Linker(data).image(symbol) for symbol in symbols]
    except (struct.error, IndexError, OverflowError) as error:
        raise UnknownObject("the file ends too early") from error
    return bytes(images[0][0]), [start for _, start in images]


class _Section:
    """What the table of sections says of one."""

    __slots__ = ("alignment", "flags", "info", "kind", "link", "nbytes", "offset")

    def __init__(self, fields: tuple[int, ...]) -> None:
        _, self.kind, self.flags, _, self.offset, self.nbytes, self.link, self.info = fields[:8]
        self.alignment = fields[8] or 1


class _Linker:
    """Puts the sections of one object one behind the other, and resolves what they refer to."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.sections = self._read_sections()
        #: Where in our memory the addresses of imported functions lie, behind the sections.
        self.slots: dict[bytes, int] = {}
        #: Where in our memory each section lies that is loaded.
        self.places: dict[int, int] = {}
        self.nbytes = 0

    def image(self, symbol: str) -> tuple[bytearray, int]:
        """Return the bytes of the memory, and where in it a function begins."""
        self._place()
        image = bytearray(self.nbytes)
        for number, place in self.places.items():
            section = self.sections[number]
            image[place : place + section.nbytes] = self._bytes_of(section)
        symbols, names = self._symbols()
        for section in self.sections:
            if section.kind == _REL and section.info in self.places:
                raise UnknownObject("a relocation without an addend")
            if section.kind == _RELA and section.info in self.places:
                self._relocate(image, section, symbols, names)
        for name, place in self.slots.items():
            image += bytes(place + _ADDRESS.size - len(image))
            _ADDRESS.pack_into(image, place, _imported()[name])
        return image, self._start(symbol.encode(), symbols, names)

    # The file

    def _read_sections(self) -> list[_Section]:
        identity, kind, machine, _, _, _, start, _, _, _, _, size, count, _ = _HEADER.unpack_from(
            self.data
        )
        if not identity.startswith(_IDENTITY) or (kind, machine) != (_RELOCATABLE, _X86_64):
            raise UnknownObject("it is no relocatable object for x86-64")
        if size != _SECTION.size or start + count * size > len(self.data):
            raise UnknownObject("its table of sections is beyond the end")
        found: list[_Section] = []
        for number in range(count):
            found.append(_Section(_SECTION.unpack_from(self.data, start + number * size)))
        return found

    def _bytes_of(self, section: _Section) -> bytes:
        end = section.offset + section.nbytes
        if end > len(self.data):
            raise UnknownObject("a section is beyond the end of the file")
        return self.data[section.offset : end]

    def _entries(self, section: _Section, form: struct.Struct) -> list[tuple[int, ...]]:
        content = self._bytes_of(section)
        if len(content) % form.size:
            raise UnknownObject("a table does not end with an entry")
        return list(form.iter_unpack(content))

    def _symbols(self) -> tuple[list[tuple[int, ...]], bytes]:
        """Return the symbols and the bytes of their names."""
        tables = [section for section in self.sections if section.kind == _SYMTAB]
        if len(tables) != 1:
            raise UnknownObject("it has not one table of symbols")
        (table,) = tables
        names = self.sections[table.link]
        if names.kind != _STRTAB:
            raise UnknownObject("its symbols have no names")
        return self._entries(table, _SYMBOL), self._bytes_of(names)

    # Memory

    def _place(self) -> None:
        """Decide where the sections lie that code and constants are in."""
        for number, section in enumerate(self.sections):
            if not section.flags & _ALLOC or not section.nbytes:
                continue
            alignment = section.alignment
            if section.kind != _PROGBITS or section.flags & (_WRITE | _THREAD_LOCAL):
                raise UnknownObject("a section is neither code nor constants")
            if alignment > _PAGE or alignment & (alignment - 1):
                raise UnknownObject(f"a section is aligned to {alignment}")
            place = -(-self.nbytes // alignment) * alignment
            self.places[number] = place
            self.nbytes = place + section.nbytes
            if self.nbytes > MOST_BYTES:
                raise UnknownObject("it is larger than any kernel")
        if not self.nbytes:
            raise UnknownObject("there is no code in it")

    def _relocate(
        self, image: bytearray, table: _Section, symbols: list[tuple[int, ...]], names: bytes
    ) -> None:
        """Write what a section refers to; addresses are counted from the start of our memory."""
        target = self.sections[table.info]
        for offset, info, addend in self._entries(table, _RELOCATION):
            if offset + _ADDRESS.size > target.nbytes:
                raise UnknownObject("a relocation is beyond the end of its section")
            place = self.places[table.info] + offset
            kind, symbol = info & 0xFFFFFFFF, symbols[info >> 32]
            if kind == _GOTPC64 and _is_named(symbol, names, _TABLE_NAME):
                number = addend - place
            elif kind == _GOT64:
                number = self._slot(symbol, names) + addend
            elif kind in (_GOTOFF64, _PC64):
                number = self._defined(symbol) + addend
                if not 0 <= number <= self.nbytes:
                    raise UnknownObject("a reference leads out of the object")
                number -= place if kind == _PC64 else 0
            else:
                raise UnknownObject(f"a relocation of kind {kind}")
            _ADDRESS.pack_into(image, place, number)

    def _slot(self, symbol: tuple[int, ...], names: bytes) -> int:
        """Return where the address of an imported function lies."""
        for name in _IMPORTED:
            if symbol[3] == _UNDEFINED and _is_named(symbol, names, name):
                end = -(-self.nbytes // _ADDRESS.size) * _ADDRESS.size
                return self.slots.setdefault(name, end + _ADDRESS.size * len(self.slots))
        raise UnknownObject("it refers to something of another library")

    def _defined(self, symbol: tuple[int, ...]) -> int:
        """Return where a symbol of this object lies."""
        owner, value = symbol[3], symbol[4]
        if owner not in self.places:
            raise UnknownObject("a symbol is not in what is loaded")
        return self.places[owner] + value

    def _start(self, name: bytes, symbols: list[tuple[int, ...]], names: bytes) -> int:
        found = [s for s in symbols if s[3] != _UNDEFINED and _is_named(s, names, name)]
        if len(found) != 1:
            raise UnknownObject("the function is not in it, or twice")
        start = self._defined(found[0])
        section = self.sections[found[0][3]]
        if not section.flags & _EXECUTABLE or found[0][4] >= section.nbytes:
            raise UnknownObject("the function is not where code is")
        return start


def _is_named(symbol: tuple[int, ...], names: bytes, name: bytes) -> bool:
    return names.startswith(name + b"\0", symbol[0])


@cache
def _imported() -> dict[bytes, int]:
    """Return the addresses of the C library's functions that kernels call."""
    try:
        library = ctypes.CDLL("libm.so.6")
        found = {name: getattr(library, name.decode()) for name in _IMPORTED}
    except (OSError, AttributeError) as error:
        raise UnknownObject(f"the C library is another one: {error}") from error
    return {name: ctypes.cast(f, ctypes.c_void_p).value or 0 for name, f in found.items()}


def executable(image: bytes, start: int, *, is_replaceable: bool = False) -> LinkedCode:
    """Copy code into memory of its own, which then can be read and run, and no longer written.

    Of what is replaceable a page behind the code holds the address where calls go on.
    """
    jump = -(-len(image) // IMAGE_ALIGNMENT) * IMAGE_ALIGNMENT
    length = jump + _JUMP.size if is_replaceable else len(image)
    word = -(-length // _PAGE) * _PAGE
    try:
        pages = word + _ADDRESS.size if is_replaceable else length
        memory = mmap.mmap(-1, pages, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory[: len(image)] = image
        if is_replaceable:
            _JUMP.pack_into(memory, jump, _JUMP_TO_WORD, word - jump - _JUMP.size)
        anchor = ctypes.c_char.from_buffer(memory)
        base = ctypes.addressof(anchor)
        if _mprotect()(base, length, mmap.PROT_READ | mmap.PROT_EXEC):
            raise UnknownObject("the system makes no memory executable")
    except (OSError, AttributeError) as error:
        raise UnknownObject(f"the system gives no memory: {error}") from error
    if not is_replaceable:
        return LinkedCode(base + start, memory, anchor)
    goes_on = ctypes.c_int64.from_address(base + word)
    goes_on.value = base + start
    return LinkedCode(base + jump, memory, anchor, goes_on)


@cache
def _mprotect() -> Any:
    function = ctypes.CDLL(None).mprotect
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return function
