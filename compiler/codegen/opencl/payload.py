"""How do arithmetic, comparisons and casts look in OpenCL C?

One entry per op of the scalar payload. Nothing is contracted or reordered, and nothing is left to
what C does not define, beyond what the payload guards itself: integer division by zero and of the
least integer by -1, shift counts outside [0, bits). A float-to-integer cast out of range gives 0.
"""

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import Float32Type, IntegerAttr
from xdsl.ir import Attribute, Operation

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.arithmetic import FmodOp, PairOp, PartOp
from ....dialects.kernel.lanes import FLOAT_PREDICATES, INTEGER_PREDICATES, MaskOp, SplatOp
from ....dialects.kernel.preceding import PrecedingOp
from ....dialects.kernel.registers import HasRegistersOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import (
    element_of,
    i1,
    is_vector,
    lanes_of,
    type_of_index,
    vector_of,
)
from .emitter import Emit, Emitter
from .preamble import HAS_WIDEST, WIDEST
from .spelling import bits_of, spell_constant, spell_signed, spell_type, spell_unsigned

_FLOAT_SIGNS: dict[type[Operation], str] = {
    arith.AddfOp: "+",
    arith.SubfOp: "-",
    arith.MulfOp: "*",
    arith.DivfOp: "/",
}
#: The same for integers with and without sign.
_SIGNS: dict[type[Operation], str] = {
    arith.AddiOp: "+",
    arith.SubiOp: "-",
    arith.MuliOp: "*",
    arith.AndIOp: "&",
    arith.OrIOp: "|",
    arith.XOrIOp: "^",
    arith.ShLIOp: "<<",
}
_SIGNED: dict[type[Operation], str] = {arith.DivSIOp: "/", arith.RemSIOp: "%", arith.ShRSIOp: ">>"}
_UNSIGNED: dict[type[Operation], str] = {
    arith.DivUIOp: "/",
    arith.RemUIOp: "%",
    arith.ShRUIOp: ">>",
}
_EXTREMES: dict[type[Operation], tuple[str, bool]] = {
    arith.MaxSIOp: (">", True),
    arith.MinSIOp: ("<", True),
    arith.MaxUIOp: (">", False),
    arith.MinUIOp: ("<", False),
}
_FUNCTIONS: dict[type[Operation], str] = {
    arith.MaximumfOp: "tri_maximum",
    arith.MinimumfOp: "tri_minimum",
    arith.MaxnumfOp: "tri_maxnum",
    arith.MinnumfOp: "tri_minnum",
    math.CopySignOp: "tri_copysign",
    math.SqrtOp: "TRI_SQRT",
    math.FloorOp: "TRI_FLOOR",
    math.CeilOp: "TRI_CEIL",
    math.TruncOp: "TRI_TRUNC",
    math.RoundEvenOp: "TRI_RINT",
    math.AbsFOp: "TRI_FABS",
    FmodOp: "TRI_FMOD",
}
_FLOAT_TESTS = {
    "false": "false",
    "oeq": "{a} == {b}",
    "ogt": "{a} > {b}",
    "oge": "{a} >= {b}",
    "olt": "{a} < {b}",
    "ole": "{a} <= {b}",
    "one": "({a} < {b}) | ({a} > {b})",
    "ord": "({a} == {a}) & ({b} == {b})",
    "ueq": "!(({a} < {b}) | ({a} > {b}))",
    "ugt": "!({a} <= {b})",
    "uge": "!({a} < {b})",
    "ult": "!({a} >= {b})",
    "ule": "!({a} > {b})",
    "une": "{a} != {b}",
    "uno": "({a} != {a}) | ({b} != {b})",
    "true": "true",
}
_INTEGER_TESTS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _names(emitter: Emitter, op: Operation) -> list[str]:
    return [emitter.names[operand] for operand in op.operands]


def _wrapped(text: str, type_: Attribute) -> str:
    """Return an expression reduced to the width of a type narrower than C's int."""
    bits = bits_of(type_)
    if bits == 1:
        return f"(({text}) & 1) != 0"
    return f"({spell_type(type_)})({text})" if bits < 32 else text


def _float_sign(sign: str) -> Emit:
    def emit(emitter: Emitter, op: Operation) -> None:
        a, b = _names(emitter, op)
        emitter.set(op, f"{a} {sign} {b}")

    return emit


def _integer_sign(sign: str) -> Emit:
    def emit(emitter: Emitter, op: Operation) -> None:
        a, b = _names(emitter, op)
        type_ = op.operands[0].type
        if bits_of(type_) == 128:
            raise UnsuitableIr(f"{op.name} on {type_}, which is only moved")
        if type_ != type_of_index:
            a, b = spell_unsigned(a, type_), spell_unsigned(b, type_)
        emitter.set(op, _wrapped(f"{a} {sign} {b}", type_))

    return emit


def _signed_sign(sign: str) -> Emit:
    def emit(emitter: Emitter, op: Operation) -> None:
        a, b = _names(emitter, op)
        type_ = op.operands[0].type
        a = spell_signed(a, type_)
        b = b if sign == ">>" else spell_signed(b, type_)
        text = f"{a} {sign} {b}"
        if type_ != type_of_index and bits_of(type_) >= 32:
            text = f"({spell_type(type_)})({text})"
        emitter.set(op, _wrapped(text, type_))

    return emit


def _unsigned_sign(sign: str) -> Emit:
    def emit(emitter: Emitter, op: Operation) -> None:
        a, b = _names(emitter, op)
        type_ = op.operands[0].type
        text = f"{spell_unsigned(a, type_)} {sign} {spell_unsigned(b, type_)}"
        emitter.set(op, f"(long)({text})" if type_ == type_of_index else _wrapped(text, type_))

    return emit


def _divide_unsigned(emitter: Emitter, op: Operation) -> None:
    a, b = _names(emitter, op)
    if op.operands[0].type == type_of_index and not isinstance(
        op.operands[1].owner, arith.ConstantOp
    ):
        emitter.set(op, emitter.quotient(a, b))
    else:
        _unsigned_sign("/")(emitter, op)


def _extreme(sign: str, is_signed: bool) -> Emit:
    spell = spell_signed if is_signed else spell_unsigned

    def emit(emitter: Emitter, op: Operation) -> None:
        a, b = _names(emitter, op)
        type_ = op.operands[0].type
        emitter.set(op, f"{spell(a, type_)} {sign} {spell(b, type_)} ? {a} : {b}")

    return emit


def _fma(emitter: Emitter, op: Operation) -> None:
    """For vectors the compiler's own word is known to new compilers only; OpenCL's is exact."""
    if is_vector(op.operands[0].type):
        emitter.set(op, f"fma({', '.join(_names(emitter, op))})")
    else:
        _function("TRI_FMA")(emitter, op)


def _splat(emitter: Emitter, op: Operation) -> None:
    (a,) = _names(emitter, op)
    emitter.set(op, f"({emitter.type(op.results[0].type)})({a})")


def _mask(emitter: Emitter, op: Operation) -> None:
    """A mask is its number of lanes, which is all that loads and stores ask for."""
    (count,) = _names(emitter, op)
    emitter.names[op.results[0]] = count


def _function(name: str) -> Emit:
    def emit(emitter: Emitter, op: Operation) -> None:
        width = 32 if isinstance(op.operands[0].type, Float32Type) else 64
        emitter.set(op, emitter.call(f"{name}{width}", *_names(emitter, op)))

    return emit


def _negate(emitter: Emitter, op: Operation) -> None:
    (a,) = _names(emitter, op)
    emitter.set(op, f"-{a}")


def _absolute(emitter: Emitter, op: Operation) -> None:
    (a,) = _names(emitter, op)
    type_ = op.operands[0].type
    negative = _wrapped(f"0 - {spell_unsigned(a, type_)}", type_)
    emitter.set(op, f"{spell_signed(a, type_)} < 0 ? {negative} : {a}")


def _constant(emitter: Emitter, op: Operation) -> None:
    emitter.type(op.results[0].type)
    emitter.names[op.results[0]] = spell_constant(op.properties["value"])


def _predicate(op: Operation, words: tuple[str, ...]) -> str:
    value = op.properties["predicate"]
    assert isinstance(value, IntegerAttr)
    return words[value.value.data]


def _compare_integers(emitter: Emitter, op: Operation) -> None:
    a, b = _names(emitter, op)
    word, type_ = _predicate(op, INTEGER_PREDICATES), op.operands[0].type
    if word in ("eq", "ne"):
        emitter.set(op, f"{a} {'==' if word == 'eq' else '!='} {b}")
        return
    spell = spell_signed if word[0] == "s" else spell_unsigned
    emitter.set(op, f"{spell(a, type_)} {_INTEGER_TESTS[word[1:]]} {spell(b, type_)}")


def _compare_floats(emitter: Emitter, op: Operation) -> None:
    a, b = _names(emitter, op)
    emitter.set(op, _FLOAT_TESTS[_predicate(op, FLOAT_PREDICATES)].format(a=a, b=b))


def _select(emitter: Emitter, op: Operation) -> None:
    condition, a, b = _names(emitter, op)
    emitter.set(op, f"{condition} ? {a} : {b}")


def _bitcast(emitter: Emitter, op: Operation) -> None:
    (a,) = _names(emitter, op)
    source, target = emitter.type(op.operands[0].type), emitter.type(op.results[0].type)
    if source == target:
        emitter.names[op.results[0]] = a
    else:
        emitter.set(op, f"as_{target}({a})")


def _convert(emitter: Emitter, op: Operation) -> None:
    """Convert what C converts as the dialect does: to a float, or without a sign."""
    (a,) = _names(emitter, op)
    emitter.set(op, f"({emitter.type(op.results[0].type)}){a}")


def _convert_signed(emitter: Emitter, op: Operation) -> None:
    (a,) = _names(emitter, op)
    a = spell_signed(a, op.operands[0].type)
    emitter.set(op, f"({emitter.type(op.results[0].type)}){a}")


def _truncate(emitter: Emitter, op: Operation) -> None:
    (a,) = _names(emitter, op)
    type_ = op.results[0].type
    emitter.set(op, f"({a} & 1) != 0" if type_ == i1 else f"({emitter.type(type_)}){a}")


def _to_integer(is_signed: bool) -> Emit:
    def emit(emitter: Emitter, op: Operation) -> None:
        (a,) = _names(emitter, op)
        is_single = isinstance(op.operands[0].type, Float32Type)
        type_ = op.results[0].type
        bits, suffix = bits_of(type_), "f" if is_single else ""
        least = 1 << bits - 1 if is_signed else 0
        above = float(1 << bits - 1 if is_signed else 1 << bits).hex() + suffix
        # One below the least integer is no float if it has too many bits; then the least is meant.
        exact = least + 1 < 1 << (24 if is_single else 53)
        below = f"> {float(-least - 1).hex()}" if exact else f">= {float(-least).hex()}"
        text = spell_type(type_)
        whole = f"({text})({'' if not is_signed else _signed_type(text)}{a})"
        emitter.set(op, f"({a} {below}{suffix} && {a} < {above}) ? {whole} : ({text})0")

    return emit


def _signed_type(text: str) -> str:
    return f"({text.removeprefix('u')})"


def _part(emitter: Emitter, op: Operation) -> None:
    assert isinstance(op, PartOp)
    (a,) = _names(emitter, op)
    whole, part = op.operands[0].type, op.results[0].type
    emitter.type(whole)
    bits = bits_of(part)
    if bits == 64:
        half = f"{a}.{'high' if op.at else 'low'}"
    else:
        half = f"({'uint' if bits == 32 else 'ushort'})({a} >> {bits * op.at})"
    text = emitter.type(part)
    emitter.set(op, f"as_{text}({half})")


def _pair(emitter: Emitter, op: Operation) -> None:
    real, imag = _names(emitter, op)
    part, whole = op.operands[0].type, op.results[0].type
    bits, text = bits_of(part), emitter.type(whole)
    word = {16: "ushort", 32: "uint", 64: "ulong"}[bits]
    real, imag = f"as_{word}({real})", f"as_{word}({imag})"
    if bits == 64:
        emitter.set(op, f"tri_wide_of({real}, {imag})")
    else:
        emitter.set(op, f"({text}){real} | (({text}){imag} << {bits})")


def _has_registers(emitter: Emitter, op: Operation) -> None:
    assert isinstance(op, HasRegistersOp)
    if op.bits != WIDEST:
        raise UnsuitableIr(f"{op.name}: no OpenCL compiler says so of {op.bits} bits", op)
    emitter.used.add(HAS_WIDEST)
    emitter.names[op.result] = HAS_WIDEST


def _transpose(emitter: Emitter, op: Operation) -> None:
    """Put rows side by side, or columns, until there are squares, and transpose these at once.

    In squares halves of rows are exchanged, of pairs of rows half as far apart, and so on: at each
    level the rows r and r + level exchange the blocks of `level` lanes off the diagonal.
    """
    assert isinstance(op, TransposeOp)
    rows, first = _names(emitter, op), op.operands[0].type
    lanes, high, element = lanes_of(first), len(rows), element_of(first)
    side, width = min(lanes, high), lanes

    def value(width: int, picked: str) -> str:
        text, name = emitter.type(vector_of(element, width)), emitter.fresh()
        emitter.do(f"const {text} {name} = ({text})({picked});")
        return name

    while len(rows) > side:
        starts = range(0, len(rows), 2 * side)
        pairs = [(rows[at + n], rows[at + side + n]) for at in starts for n in range(side)]
        width *= 2
        rows = [value(width, ", ".join(pair)) for pair in pairs]
    level = side // 2
    while level:
        for number in range(side):
            if not number & level:
                pair = rows[number], rows[number + level]
                for at, half in enumerate((number, number + level)):
                    rows[half] = value(width, _blocks_of_lanes(pair, width, level, at))
        level //= 2
    if lanes > side:
        starts = range(0, lanes, side)
        rows = [value(side, f"{row}.s{_spelled(at, side)}") for at in starts for row in rows]
    emitter.names.update(zip(op.results, rows, strict=True))


def _blocks_of_lanes(pair: tuple[str, str], count: int, level: int, at: int) -> str:
    """Return every other block of `level` lanes, by turns of one row and of the other."""
    blocks = [_spelled(start, level) for start in range(at * level, count, 2 * level)]
    return ", ".join(f"{row}.s{block}" for block in blocks for row in pair)


def _spelled(start: int, count: int) -> str:
    """Return so many lanes from one on, as OpenCL C counts them."""
    return "".join(f"{lane:x}" for lane in range(start, start + count))


def _preceding(emitter: Emitter, op: Operation) -> None:
    assert isinstance(op, PrecedingOp)
    lanes = "".join(f"{lane:x}" for lane in op.sources)
    emitter.set(op, f"{_names(emitter, op)[0]}.s{lanes}")


PAYLOAD: dict[type[Operation], Emit] = {
    **{op: _float_sign(sign) for op, sign in _FLOAT_SIGNS.items()},
    **{op: _integer_sign(sign) for op, sign in _SIGNS.items()},
    **{op: _signed_sign(sign) for op, sign in _SIGNED.items()},
    **{op: _unsigned_sign(sign) for op, sign in _UNSIGNED.items()},
    **{op: _extreme(*how) for op, how in _EXTREMES.items()},
    **{op: _function(name) for op, name in _FUNCTIONS.items()},
    arith.DivUIOp: _divide_unsigned,
    arith.NegfOp: _negate,
    math.AbsIOp: _absolute,
    arith.ConstantOp: _constant,
    arith.CmpiOp: _compare_integers,
    arith.CmpfOp: _compare_floats,
    arith.SelectOp: _select,
    arith.BitcastOp: _bitcast,
    arith.ExtFOp: _convert,
    arith.TruncFOp: _convert,
    arith.UIToFPOp: _convert,
    arith.ExtUIOp: _convert,
    arith.SIToFPOp: _convert_signed,
    arith.ExtSIOp: _convert_signed,
    arith.IndexCastOp: _convert_signed,
    arith.TruncIOp: _truncate,
    arith.FPToSIOp: _to_integer(is_signed=True),
    arith.FPToUIOp: _to_integer(is_signed=False),
    math.FmaOp: _fma,
    SplatOp: _splat,
    PrecedingOp: _preceding,
    TransposeOp: _transpose,
    HasRegistersOp: _has_registers,
    MaskOp: _mask,
    PartOp: _part,
    PairOp: _pair,
}
