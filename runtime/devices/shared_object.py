"""How do images of code become a shared object, without a linker? As one ELF file, byte by byte.

What it holds refers to itself alone, relative to where it lies, so nothing is left to relocate: a
header, three segments (names, code, and the table that says where these are), and the sections that
linkers of C programs look for. For x86-64 Linux.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import NamedTuple

_PAGE = 4096
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_ENTRY = struct.Struct("<qQ")

_IDENTITY = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
_SHARED, _X86_64 = 3, 62
_LOAD, _DYNAMIC, _STACK = 1, 2, 0x6474E551
_EXECUTE, _WRITE, _READ = 1, 2, 4
_PROGBITS, _STRTAB, _HASH, _DYNAMIC_SECTION, _DYNSYM = 1, 3, 5, 6, 11
_WRITABLE, _ALLOCATED, _EXECUTABLE = 1, 2, 4
_GLOBAL_FUNCTION = 0x12
#: The words of the dynamic section: hash, names, symbols, sizes of names and of a symbol, own name.
_DT_HASH, _DT_STRTAB, _DT_SYMTAB, _DT_STRSZ, _DT_SYMENT, _DT_SONAME = 4, 5, 6, 10, 11, 14
_DYNAMIC_ENTRIES = 7
_SEGMENTS = 5
#: The number of the section that holds the code.
_TEXT = 4


class _Section(NamedTuple):
    """A part of the file; what is allocated lies in memory where it lies in the file."""

    name: str
    kind: int
    flags: int
    place: int
    data: bytes
    link: int = 0
    info: int = 0
    entry: int = 0


class _Names:
    """Texts that end in zero, one behind the other."""

    def __init__(self) -> None:
        self.data = bytearray(1)

    def add(self, text: str) -> int:
        """Return where a text begins."""
        start = len(self.data)
        self.data += text.encode() + b"\0"
        return start


def shared_object(code: bytes, exports: Mapping[str, int], name: str) -> bytes:
    """Return the bytes of a shared object; `exports` are functions by where they begin in `code`.

    >>> shared_object(bytes.fromhex("b82a000000c3"), {"answer": 0}, "answer.so")[:4]
    b'\\x7fELF'
    """
    names = _Names()
    own_name = names.add(name)
    starts = [names.add(function) for function in exports]
    hashes = _hash_table(len(exports) + 1)
    hash_place = _up(_HEADER.size + _SEGMENTS * _SEGMENT.size, 8)
    symbol_place = _up(hash_place + len(hashes), 8)
    name_place = symbol_place + _SYMBOL.size * (len(exports) + 1)
    code_place = _up(name_place + len(names.data), _PAGE)
    table_place = _up(code_place + len(code), _PAGE)
    symbols = [_SYMBOL.pack(0, 0, 0, 0, 0, 0)] + [
        _SYMBOL.pack(start, _GLOBAL_FUNCTION, 0, _TEXT, code_place + place, 0)
        for start, place in zip(starts, exports.values(), strict=True)
    ]
    table = b"".join(
        _ENTRY.pack(word, value)
        for word, value in (
            (_DT_SONAME, own_name),
            (_DT_HASH, hash_place),
            (_DT_STRTAB, name_place),
            (_DT_SYMTAB, symbol_place),
            (_DT_STRSZ, len(names.data)),
            (_DT_SYMENT, _SYMBOL.size),
            (0, 0),
        )
    )
    sections = [
        _Section("", 0, 0, 0, b""),
        _Section(".hash", _HASH, _ALLOCATED, hash_place, hashes, link=2, entry=4),
        _Section(
            *(".dynsym", _DYNSYM, _ALLOCATED, symbol_place, b"".join(symbols)),
            link=3,
            info=1,
            entry=_SYMBOL.size,
        ),
        _Section(".dynstr", _STRTAB, _ALLOCATED, name_place, bytes(names.data)),
        _Section(".text", _PROGBITS, _ALLOCATED | _EXECUTABLE, code_place, code),
        _Section(
            *(".dynamic", _DYNAMIC_SECTION, _ALLOCATED | _WRITABLE, table_place, table),
            link=3,
            entry=_ENTRY.size,
        ),
    ]
    names_end = name_place + len(names.data)
    segments = [
        (_LOAD, _READ, 0, names_end, _PAGE),
        (_LOAD, _READ | _EXECUTE, code_place, len(code), _PAGE),
        (_LOAD, _READ | _WRITE, table_place, len(table), _PAGE),
        (_DYNAMIC, _READ | _WRITE, table_place, len(table), 8),
        (_STACK, _READ | _WRITE, 0, 0, 16),
    ]
    return _content(sections, segments)


def _content(sections: list[_Section], segments: list[tuple[int, int, int, int, int]]) -> bytes:
    """Return the file: header, segments, the sections where they lie, and their table."""
    names = _Names()
    starts = [names.add(section.name) if section.name else 0 for section in sections]
    starts.append(names.add(".shstrtab"))
    end = max(section.place + len(section.data) for section in sections)
    sections = [*sections, _Section(".shstrtab", _STRTAB, 0, end, bytes(names.data))]
    table_place = _up(end + len(names.data), 8)
    image = bytearray(table_place)
    image[: _HEADER.size] = _HEADER.pack(
        *(_IDENTITY, _SHARED, _X86_64, 1, 0, _HEADER.size, table_place, 0),
        *(_HEADER.size, _SEGMENT.size, len(segments), _SECTION.size),
        *(len(sections), len(sections) - 1),
    )
    for number, (kind, flags, place, nbytes, alignment) in enumerate(segments):
        _SEGMENT.pack_into(
            *(image, _HEADER.size + number * _SEGMENT.size),
            *(kind, flags, place, place, place, nbytes, nbytes, alignment),
        )
    table = bytearray()
    for start, section in zip(starts, sections, strict=True):
        image[section.place : section.place + len(section.data)] = section.data
        address = section.place if section.flags & _ALLOCATED else 0
        table += _SECTION.pack(
            *(start, section.kind, section.flags, address, section.place, len(section.data)),
            *(section.link, section.info, 8 if section.kind else 0, section.entry),
        )
    return bytes(image + table)


def _hash_table(count: int) -> bytes:
    """Return a table of one bucket, a chain of all symbols: there are a few."""
    chain = [0, *range(2, count), 0][:count] if count > 1 else [0]
    return struct.pack(f"<{3 + count}I", 1, count, 1 if count > 1 else 0, *chain)


def _up(place: int, alignment: int) -> int:
    return -(-place // alignment) * alignment
