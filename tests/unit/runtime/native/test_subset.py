"""Does the subset of Python mean what Python means? Each function runs as machine code, too."""

from __future__ import annotations

import ctypes
import random
import struct
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

from trilith.dialects.diagnostics import InternalError
from trilith.runtime.devices.cpu import compiled_by_llvm
from trilith.runtime.devices.native_code import PASSES
from trilith.runtime.devices.objects import LinkedCode, link_object
from trilith.runtime.native.form import Context
from trilith.runtime.native.intrinsics import (
    Word,
    add_seen,
    as_float32,
    as_float64,
    call,
    change_seen,
    half_word,
    pause,
    seen,
    show,
    spread,
    store,
    word,
    words,
)
from trilith.runtime.native.subset import LOCATE, inlined, native, translate

here = Context()
STEP = 3
LINKED: list[LinkedCode] = []


def machine_code(function: Any, arguments: int) -> Callable[..., int]:
    """Return a native function as one that Python can call."""
    text = translate([function]).text
    linked = link_object(compiled_by_llvm(text, PASSES), LOCATE)
    LINKED.append(linked)
    address = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(linked.address)(0)
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)(address)


def wrapped(value: int) -> int:
    """Return a 64-bit integer as it is signed."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


@native
def mixed(a: Word, b: Word) -> Word:
    total = (a + b) * STEP - (a ^ b)
    total += a & b | 5
    if (a < b and not b == 7) or a > 100:
        total = total - 1
    elif a >= b:
        total = total + (a <= b) + (a != b)
    else:
        total = -2
    return total


@native
def counted(n: Word, stop: Word) -> Word:
    index = 0
    total = 0
    while index < n:
        index = index + 1
        if index == stop:
            break
        if index & 1:
            continue
        total = total + index
    return total


@inlined
def doubled(a: Word) -> Word:
    return a + a


@native
def divided(a: Word, b: Word) -> Word:
    return (a - 90) // ((b & 31) - 40) + (b - a) // 7


@native
def several(a: Word, b: Word) -> Word:
    return doubled(a) * doubled(b) + counted(a & 15, 9)


@pytest.mark.parametrize("function", [mixed, counted, divided, several])
def test_machine_code_does_what_python_does(function: Any):
    compiled = machine_code(function, 2)
    chooser = random.Random(0)
    python: Any = function.python
    for _ in range(300):
        a, b = (chooser.choice([chooser.randrange(-9, 200), chooser.getrandbits(62)]) for _ in "ab")
        if function is counted:
            a, b = a % 50, b % 50
        assert compiled(a, b) == wrapped(_meaning(python)(a, b)), (a, b)


def _meaning(python: Callable[..., int]) -> Callable[..., int]:
    """Return the function in Python, in which its callees are functions of Python, too."""
    names = dict(python.__globals__)
    for name, value in list(names.items()):
        if hasattr(value, "python"):
            names[name] = value.python
    names.update(doubled=lambda a: wrapped(a + a), counted=counted.python)  # pyright: ignore
    return FunctionType(python.__code__, names)


@native
def swapped(place: Word, offset: Word) -> Word:
    first = word(place)
    store(place, 0, word(place, offset))
    store(place, offset, first)
    return half_word(place, 4)


def test_memory():
    values = (ctypes.c_int64 * 3)(11, 22, -1)
    assert machine_code(swapped, 2)(ctypes.addressof(values), 16) == 0xFFFFFFFF
    assert list(values) == [-1, 22, 11]


@native
def applied(function: Word, a: Word) -> Word:
    block = words(2)
    store(block, 0, a)
    store(block, 8, 5)
    spread(function, block, 2)
    return call(function, a, 1) + call(function, a, 2)


def test_calls_by_address():
    seen: list[tuple[int, int]] = []

    def record(a: int, b: int) -> int:
        seen.append((a, b))
        return a * b

    callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(record)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert machine_code(applied, 2)(address, 7) == 21
    assert seen == [(7, 5), (7, 1), (7, 2)]


@native
def narrowed(bits: Word, is_integer: Word) -> Word:
    if is_integer:
        return as_float64(bits)
    return as_float32(bits)


def test_numbers_are_rounded_as_c_rounds_them():
    compiled = machine_code(narrowed, 2)
    chooser = random.Random(1)
    for value in (0.1, -0.0, 1e300, -1e-50, float("inf"), 3.4028235e38, chooser.random()):
        (bits,) = struct.unpack("<q", struct.pack("<d", value))
        found = struct.unpack("<f", compiled(bits, 0).to_bytes(4, "little"))[0]
        assert found == ctypes.c_float(value).value
    for number in (0, 1, -7, (1 << 62) + 1, (1 << 53) + 1, -(1 << 63), chooser.getrandbits(60)):
        bits = compiled(number, 1)
        assert struct.unpack("<d", struct.pack("<q", bits))[0] == float(number)


@native
def told() -> Word:
    return here.answer + here.other


def test_what_is_filled_in_is_named_in_order():
    module = translate([told])
    assert module.context == ["answer", "other"]
    with pytest.raises(AttributeError, match="native code only"):
        _ = here.answer


@native
def unknown_value(a: Word) -> Word:
    return a / 2  # pyright: ignore[reportReturnType]


@native
def unknown_statement(a: Word) -> Word:
    for _ in range(a):
        pass
    return a


@native
def unknown_name(a: Word) -> Word:
    return a + undefined  # noqa: F821  # pyright: ignore


@pytest.mark.parametrize(
    ("function", "said"),
    [(unknown_value, "a / 2"), (unknown_statement, "for _ in range"), (unknown_name, "undefined")],
)
def test_what_the_subset_lacks_is_refused_with_its_line(function: Any, said: str):
    with pytest.raises(InternalError) as caught:
        translate([function])
    line = function.python.__code__.co_firstlineno
    assert said in str(caught.value)
    assert any(f"test_subset.py:{line + n}:" in str(caught.value) for n in range(4))


@native
def count_up(place: Word, turns: Word) -> Word:
    """Add to one word in one step, and to another one by trying."""
    lost = 0
    while turns > 0:
        add_seen(place, 0, 2)
        old = seen(place, 8)
        while not change_seen(place, 8, old, old + 1):
            lost = lost + 1
            pause()
            old = seen(place, 8)
        turns = turns - 1
    show(place, 16, lost)
    return seen(place, 16)


def test_threads_lose_nothing_of_what_they_count():
    compiled = machine_code(count_up, 2)
    block = (ctypes.c_int64 * 3)()
    turns = 200_000
    counting = [
        threading.Thread(target=compiled, args=(ctypes.addressof(block), turns)) for _ in range(4)
    ]
    for thread in counting:
        thread.start()
    for thread in counting:
        thread.join()
    assert list(block)[:2] == [8 * turns, 4 * turns]


@native
def twice_called(value: Word) -> Word:
    return value * 2


TWICE: Any = twice_called


@native
def its_place(_: Word) -> Word:
    return call(TWICE, 21)


def test_a_native_function_is_a_value():
    assert machine_code(its_place, 1)(0) == 42
