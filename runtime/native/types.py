"""Which classes do not come from Python's `class`? Those whose objects native code calls or ends.

They are made by `PyType_FromSpecWithBases`, which asks for no code of ours: a callable's own class
is there from the start, and its objects run Python until native code is attached to them.
"""

from __future__ import annotations

import ctypes
from types import FunctionType
from typing import Any, cast

from .forever import keep_forever
from .form import BLOCK_ADDRESS, BLOCK_BYTES, BLOCK_SIZE
from .layout import slot_offset

_TEXT, _INT, _SIZE, _ADDRESS = ctypes.c_char_p, ctypes.c_int, ctypes.c_ssize_t, ctypes.c_void_p
#: Numbers of CPython's: flags of types, kinds of members, slots of a type.
_DEFAULT, _IS_BASE, _HAS_VECTORCALL, _IS_METHOD = 1 << 18, 1 << 10, 1 << 11, 1 << 17
_MEMBER_OF_SIZE, _MEMBER_OF_WORD, _READ_ONLY = 19, 17, 1
_SLOT_DEALLOC, _SLOT_BIND, _SLOT_MEMBERS = 52, 54, 72


class _Member(ctypes.Structure):
    _fields_ = (
        *(("name", _TEXT), ("kind", _INT), ("offset", _SIZE)),
        *(("flags", _INT), ("doc", _TEXT)),
    )


class _Slot(ctypes.Structure):
    _fields_ = (("slot", _INT), ("value", _ADDRESS))


class _Spec(ctypes.Structure):
    _fields_ = (
        *(("name", _TEXT), ("size", _INT), ("item", _INT), ("flags", ctypes.c_uint)),
        ("slots", _ADDRESS),
    )


def _make(name: str, base: type, size: int, flags: int, slots: list[tuple[int, int]]) -> type[Any]:
    table = (_Slot * (len(slots) + 1))(*(_Slot(*slot) for slot in slots))
    spec = _Spec(name.encode(), size, 0, _DEFAULT | flags, ctypes.addressof(table))
    keep_forever(table, spec)  # CPython keeps pointers into what it makes classes of
    create = ctypes.pythonapi.PyType_FromSpecWithBases
    create.restype, create.argtypes = ctypes.py_object, [_ADDRESS, ctypes.py_object]
    made: type[Any] = create(ctypes.addressof(spec), (base,))
    return made


def callable_type(base: type, name: str, *, is_method: bool) -> type[Any]:
    """Return a subclass whose objects are called by an address, and hold their entry behind it.

    While the address is 0 the base's `__call__` is called. `is_method` says that they are bound as
    functions are, or called with the instance first.

    >>> class Base:
    ...     def __call__(self, value):
    ...         return value + 1
    >>> made = callable_type(Base, "Made", is_method=False)
    >>> made()(1), issubclass(made, Base)
    (2, True)
    """
    address, entry = base.__basicsize__, base.__basicsize__ + 8
    members = (_Member * 4)(
        _Member(b"__vectorcalloffset__", _MEMBER_OF_SIZE, address, _READ_ONLY, None),
        _Member(b"_vectorcall", _MEMBER_OF_WORD, address, _READ_ONLY, None),
        _Member(b"_entry", _MEMBER_OF_WORD, entry, _READ_ONLY, None),
        _Member(None, 0, 0, 0, None),
    )
    keep_forever(members)
    flags = _HAS_VECTORCALL | _IS_BASE
    slots = [(_SLOT_MEMBERS, ctypes.addressof(members))]
    if is_method:
        flags |= _IS_METHOD
        slots.append((_SLOT_BIND, _slot_of(FunctionType, _SLOT_BIND)))
    made = _make(f"{base.__module__}.{name}", base, entry + 8, flags, slots)
    assert slot_offset(made, "_vectorcall") == address
    return made


def write_word(made: Any, name: str, value: int) -> None:
    """Set a word of an object of such a class, which nobody else may write."""
    kind = cast("type[Any]", type(made))
    offset = slot_offset(kind, name)
    ctypes.c_int64.from_address(id(made) + offset).value = value


def _slot_of(owner: type, slot: int) -> int:
    """Return what a class does for a slot: functions are bound by code that suits any callable."""
    get = ctypes.pythonapi.PyType_GetSlot
    get.restype, get.argtypes = _ADDRESS, [ctypes.py_object, _INT]
    return get(owner, slot)


def block_type(dealloc: int) -> type[Any]:
    """Return the class of blocks of memory, given the address of what ends one."""
    members = (_Member * 3)(
        _Member(b"address", _MEMBER_OF_WORD, BLOCK_ADDRESS, _READ_ONLY, b"Where the memory is."),
        _Member(b"size", _MEMBER_OF_WORD, BLOCK_SIZE, _READ_ONLY, b"How many bytes there are."),
        _Member(None, 0, 0, 0, None),
    )
    keep_forever(members)
    slots = [(_SLOT_DEALLOC, dealloc), (_SLOT_MEMBERS, ctypes.addressof(members))]
    return _make("trilith.Block", object, BLOCK_BYTES, 0, slots)


def builtin(name: str, address: int) -> Any:
    """Return native code that takes (nothing, arguments, how many) as a function of Python's."""
    return _function(name, address, 0x80)


def builtin_of_one(name: str, address: int) -> Any:
    """Return native code that takes (nothing, argument) as a function of Python's."""
    return _function(name, address, 0x8)


class _Property(ctypes.Structure):
    _fields_ = (
        *(("name", _TEXT), ("get", _ADDRESS), ("set", _ADDRESS)),
        *(("doc", _TEXT), ("closure", _ADDRESS)),
    )


def native_property(owner: type, name: str, get: int, set_: int) -> Any:
    """Return an attribute of a class that native code reads and writes."""
    definition = _Property(name.encode(), get, set_, None, None)
    keep_forever(definition)
    create = ctypes.pythonapi.PyDescr_NewGetSet
    create.restype, create.argtypes = ctypes.py_object, [ctypes.py_object, _ADDRESS]
    return create(owner, ctypes.addressof(definition))


class _Definition(ctypes.Structure):
    _fields_ = (("name", _TEXT), ("function", _ADDRESS), ("flags", _INT), ("doc", _TEXT))


def _function(name: str, address: int, flags: int) -> Any:
    definition = _Definition(name.encode(), address, flags, None)
    keep_forever(definition)
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype, create.argtypes = ctypes.py_object, [_ADDRESS, ctypes.py_object, _ADDRESS]
    return create(ctypes.addressof(definition), None, None)
