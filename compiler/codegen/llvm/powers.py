"""How is a number multiplied with a power of two? By vscalef of AVX-512, which is a vector's own.

LLVM has an intrinsic for each width of registers, and none for other numbers of lanes.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.types import element_of, f32, f64, is_vector, lanes_of
from ....dialects.making import operands_of
from .emitter import Emitter
from .spelling import spell_type

#: The widths of registers, in bits.
_REGISTERS = (512, 256, 128)


def emit_ldexp(emitter: Emitter, op: Operation) -> None:
    """Call the intrinsic for as many lanes as a register has, once for each register."""
    if not emitter.target.has_ldexp:
        raise UnsuitableIr(f"{op.name}: this CPU has no such instruction")
    number, power = operands_of(op)
    element = element_of(number.type)
    if element not in (f32, f64):
        raise UnsuitableIr(f"{op.name}: expected f32 or f64, got {element}", op)
    names = emitter.names[number], emitter.names[power]
    text, bits = spell_type(element), 32 if element == f32 else 64
    if not is_vector(number.type):
        lanes = 128 // bits
        wide = [
            emitter.emit(f"insertelement <{lanes} x {text}> poison, {text} {name}, i64 0")
            for name in names
        ]
        found = _on_register(emitter, bits, lanes, *wide)
        emitter.set(op, f"extractelement <{lanes} x {text}> {found}, i64 0")
        return
    lanes = lanes_of(number.type)
    widest = max(emitter.target.vector_bits, _REGISTERS[-1])
    width = next((each for each in _REGISTERS if each <= min(widest, lanes * bits)), _REGISTERS[-1])
    count = width // bits
    pieces: list[str] = []
    for first in range(0, lanes, count):
        parts = [_part(emitter, text, lanes, name, first, count) for name in names]
        pieces.append(_on_register(emitter, bits, count, *parts))
    emitter.names[op.results[0]] = _joined(emitter, text, pieces, count, lanes)


def _on_register(emitter: Emitter, bits: int, lanes: int, number: str, power: str) -> str:
    """Return the result for one register; all its lanes are computed."""
    width = bits * lanes
    vector = f"<{lanes} x {'float' if bits == 32 else 'double'}>"
    mask = f"i{max(lanes, 8)}"
    rounding, of_rounding = (", i32 4", ", i32") if width == 512 else ("", "")
    symbol = f"@llvm.x86.avx512.mask.scalef.p{'s' if bits == 32 else 'd'}.{width}"
    emitter.declarations.add(
        f"declare {vector} {symbol}({vector}, {vector}, {vector}, {mask}{of_rounding})"
    )
    return emitter.emit(
        f"call {vector} {symbol}({vector} {number}, {vector} {power}, {vector} zeroinitializer, "
        f"{mask} -1{rounding})"
    )


def _picks(lanes: list[int]) -> str:
    numbers = ", ".join(f"i32 {lane}" for lane in lanes)
    return f"<{len(lanes)} x i32> <{numbers}>"


def _part(emitter: Emitter, text: str, lanes: int, name: str, first: int, count: int) -> str:
    """Return so many lanes of a vector; those beyond its end are its last one."""
    if lanes == count:
        return name
    vector = f"<{lanes} x {text}>"
    picks = _picks([min(lane, lanes - 1) for lane in range(first, first + count)])
    return emitter.emit(f"shufflevector {vector} {name}, {vector} poison, {picks}")


def _joined(emitter: Emitter, text: str, pieces: list[str], count: int, lanes: int) -> str:
    """Return the first lanes of vectors that follow one another."""
    while len(pieces) > 1:
        vector = f"<{count} x {text}>"
        picks = _picks([*range(2 * count)])
        pieces = [
            emitter.emit(f"shufflevector {vector} {a}, {vector} {b}, {picks}")
            for a, b in zip(pieces[::2], pieces[1::2], strict=True)
        ]
        count *= 2
    return _part(emitter, text, count, pieces[0], 0, lanes)
