"""How do arithmetic, comparisons, casts and lanes look in LLVM's text?

One entry per op, for scalars and vectors alike. Nothing is contracted or reordered: an op becomes
one instruction or intrinsic whose result does not depend on the vector width. What LLVM leaves
undefined is the payload's to guard: integer division by zero and of MIN by -1, shift counts outside
[0, bits). A float-to-integer cast out of range gives an arbitrary value, but never poison.
"""

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.arithmetic import FmodOp, LdexpOp, PairOp, PartOp
from ....dialects.kernel.lanes import (
    CONVERSION_OF,
    FLOAT_PREDICATES,
    INTEGER_PREDICATES,
    AnyOp,
    CompareOp,
    ConvertOp,
    ExtractOp,
    FirstSetOp,
    LaneIdsOp,
    MaskOp,
    SelectOp,
    SliceOp,
    SplatOp,
)
from ....dialects.kernel.preceding import PrecedingOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import bf16, element_of, f16, f32, lanes_of, vector_of
from ....dialects.making import operands_of
from .emitter import Emit, Emitter
from .powers import emit_ldexp
from .spelling import spell_constant, spell_type

_BINARY: dict[type[Operation], str] = {
    arith.AddfOp: "fadd",
    arith.SubfOp: "fsub",
    arith.MulfOp: "fmul",
    arith.DivfOp: "fdiv",
    arith.AddiOp: "add",
    arith.SubiOp: "sub",
    arith.MuliOp: "mul",
    arith.DivSIOp: "sdiv",
    arith.DivUIOp: "udiv",
    arith.RemSIOp: "srem",
    arith.RemUIOp: "urem",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    arith.XOrIOp: "xor",
    arith.ShLIOp: "shl",
    arith.ShRSIOp: "ashr",
    arith.ShRUIOp: "lshr",
}

#: Pure integer arithmetic moves out of loops when it computes an index.
_INDEX_ARITHMETIC = ("add", "sub", "mul", "and", "shl", "ashr", "lshr")

_INTRINSICS: dict[type[Operation], str] = {
    arith.MaximumfOp: "maximum",
    arith.MinimumfOp: "minimum",
    arith.MaxnumfOp: "maxnum",
    arith.MinnumfOp: "minnum",
    arith.MaxSIOp: "smax",
    arith.MinSIOp: "smin",
    arith.MaxUIOp: "umax",
    arith.MinUIOp: "umin",
    math.SqrtOp: "sqrt",
    math.FloorOp: "floor",
    math.CeilOp: "ceil",
    math.TruncOp: "trunc",
    math.RoundEvenOp: "roundeven",
    math.AbsFOp: "fabs",
    math.FmaOp: "fma",
}

_CAST_WORDS = {
    "extf": "fpext",
    "truncf": "fptrunc",
    "extsi": "sext",
    "extui": "zext",
    "trunci": "trunc",
}


def _binary(word: str) -> Emit:
    is_index_arithmetic = word in _INDEX_ARITHMETIC

    def emit(emitter: Emitter, op: Operation) -> None:
        lhs, rhs = operands_of(op)
        names = emitter.names
        a, b = names[lhs], names[rhs]
        text = spell_type(lhs.type)
        if is_index_arithmetic and text == "i64":
            names[op.results[0]] = emitter.pure(f"{word} {text} {a}, {b}", a, b)
        else:
            emitter.set(op, f"{word} {text} {a}, {b}")

    return emit


def _intrinsic(word: str) -> Emit:
    def emit(emitter: Emitter, op: Operation) -> None:
        operands = operands_of(op)
        names = [emitter.names[operand] for operand in operands]
        text = emitter.intrinsic(word, operands[0].type, *names)
        if spell_type(operands[0].type) == "i64":
            emitter.names[op.results[0]] = emitter.pure(text, *names)
        else:
            emitter.set(op, text)

    return emit


def _remainder(emitter: Emitter, op: Operation) -> None:
    """C's fmod, exact: LLVM calls the library for each lane."""
    lhs, rhs = operands_of(op)
    names = emitter.names
    emitter.set(op, f"frem {spell_type(lhs.type)} {names[lhs]}, {names[rhs]}")


def _negate(emitter: Emitter, op: Operation) -> None:
    (operand,) = operands_of(op)
    emitter.set(op, f"fneg {spell_type(operand.type)} {emitter.names[operand]}")


def _copysign(emitter: Emitter, op: Operation) -> None:
    """Take the bits: LLVM moves a rounding to f16 above its intrinsic, and calls a library then."""
    magnitude, sign = op.operands
    floats = spell_type(magnitude.type)
    is_single = element_of(magnitude.type) == f32
    integers = floats.replace("float", "i32").replace("double", "i64")
    top = 31 if is_single else 63

    def masked(value: SSAValue, mask: int) -> str:
        bits = emitter.emit(f"bitcast {floats} {emitter.names[value]} to {integers}")
        constant = f"splat (i{top + 1} {mask})" if " x " in floats else str(mask)
        return emitter.emit(f"and {integers} {bits}, {constant}")

    size, top_bit = masked(magnitude, 2**top - 1), masked(sign, -(2**top))
    bits = emitter.emit(f"or {integers} {size}, {top_bit}")
    emitter.set(op, f"bitcast {integers} {bits} to {floats}")


def _absolute(emitter: Emitter, op: Operation) -> None:
    """The absolute value of an integer; that of MIN is MIN."""
    (operand,) = operands_of(op)
    text = spell_type(operand.type)
    name = emitter.intrinsic("abs", operand.type, emitter.names[operand])
    symbol = name[name.index("@") : name.index("(")]
    emitter.declarations.discard(f"declare {text} {symbol}({text})")
    emitter.declarations.add(f"declare {text} {symbol}({text}, i1)")
    emitter.set(op, f"call {text} {symbol}({text} {emitter.names[operand]}, i1 false)")


def _constant(emitter: Emitter, op: Operation) -> None:
    emitter.names[op.results[0]] = spell_constant(op.properties["value"])


def _predicate(op: Operation, words: tuple[str, ...]) -> str:
    value = op.properties["predicate"]
    assert isinstance(value, IntegerAttr)
    return words[value.value.data]


def _compare_integers(emitter: Emitter, op: Operation) -> None:
    lhs, rhs = operands_of(op)
    a, b = emitter.names[lhs], emitter.names[rhs]
    text = spell_type(lhs.type)
    emitter.set(op, f"icmp {_predicate(op, INTEGER_PREDICATES)} {text} {a}, {b}")


def _compare_floats(emitter: Emitter, op: Operation) -> None:
    lhs, rhs = operands_of(op)
    a, b = emitter.names[lhs], emitter.names[rhs]
    text = spell_type(lhs.type)
    emitter.set(op, f"fcmp {_predicate(op, FLOAT_PREDICATES)} {text} {a}, {b}")


def _compare_lanes(emitter: Emitter, op: Operation) -> None:
    lhs, rhs = operands_of(op)
    a, b = emitter.names[lhs], emitter.names[rhs]
    text = spell_type(lhs.type)
    word = "icmp" if " x i" in text else "fcmp"
    predicate = op.properties["predicate"]
    assert isinstance(predicate, StringAttr)
    emitter.set(op, f"{word} {predicate.data} {text} {a}, {b}")


def _select(emitter: Emitter, op: Operation) -> None:
    condition, lhs, rhs = operands_of(op)
    names = emitter.names
    how, text = spell_type(condition.type), spell_type(lhs.type)
    emitter.set(op, f"select {how} {names[condition]}, {text} {names[lhs]}, {text} {names[rhs]}")


def _bitcast(emitter: Emitter, op: Operation) -> None:
    operand, result = operands_of(op)[0], op.results[0]
    source, target = spell_type(operand.type), spell_type(result.type)
    if source == target:
        emitter.names[result] = emitter.names[operand]
    else:
        emitter.set(op, f"bitcast {source} {emitter.names[operand]} to {target}")


def _cast(word: str) -> Emit:
    return lambda emitter, op: _emit_cast(emitter, word, operands_of(op)[0], op)


def _convert(emitter: Emitter, op: Operation) -> None:
    word = op.properties["conversion"]
    assert isinstance(word, StringAttr)
    _emit_cast(emitter, word.data, operands_of(op)[0], op)


def _emit_cast(emitter: Emitter, word: str, operand: SSAValue, op: Operation) -> None:
    result = op.results[0]
    name = emitter.names[operand]
    source, target = spell_type(operand.type), spell_type(result.type)
    if word == "index_cast":
        word = "extsi" if "i64" in target else "trunci"
        if source == target:
            emitter.names[result] = name
            return
    if word in ("extf", "truncf"):
        narrow = element_of((operand if word == "extf" else result).type)
        if narrow in (f16, bf16):
            _emit_half(emitter, word, operand, op)
            return
    text = f"{_CAST_WORDS.get(word, word)} {source} {name} to {target}"
    if word in ("fptosi", "fptoui"):
        value = emitter.emit(text)
        emitter.set(op, f"freeze {target} {value}")
    else:
        emitter.set(op, text)


def _emit_half(emitter: Emitter, word: str, operand: SSAValue, op: Operation) -> None:
    """Convert between float32 and a 16-bit float, rounding to nearest even."""
    result = op.results[0]
    wide, narrow = (result, operand) if word == "extf" else (operand, result)
    if element_of(wide.type) != f32:
        raise UnsuitableIr(f"{op.name}: 16-bit floats convert through f32, got {wide.type}")
    name = emitter.names[operand]
    if element_of(narrow.type) == f16:
        if not emitter.target.has_f16c:
            raise UnsuitableIr(f"{op.name}: this CPU does not convert float16")
        source, target = spell_type(operand.type), spell_type(result.type)
        emitter.set(op, f"{_CAST_WORDS[word]} {source} {name} to {target}")
        return
    lanes = lanes_of(wide.type)
    is_scalar = narrow.type == bf16

    def shape(text: str) -> str:
        return text if is_scalar else f"<{lanes} x {text}>"

    def splat(value: str) -> str:
        return value if is_scalar else f"splat (i32 {value})"

    i16, i32, floats = shape("i16"), shape("i32"), shape("float")
    if word == "extf":
        bits = emitter.emit(f"zext {i16} {name} to {i32}")
        bits = emitter.emit(f"shl {i32} {bits}, {splat('16')}")
        emitter.set(op, f"bitcast {i32} {bits} to {floats}")
        return
    bits = emitter.emit(f"bitcast {floats} {name} to {i32}")
    high = emitter.emit(f"lshr {i32} {bits}, {splat('16')}")
    odd = emitter.emit(f"and {i32} {high}, {splat('1')}")
    half = emitter.emit(f"add {i32} {odd}, {splat('32767')}")
    rounded = emitter.emit(f"add {i32} {bits}, {half}")
    rounded = emitter.emit(f"lshr {i32} {rounded}, {splat('16')}")
    nan = emitter.emit(f"fcmp uno {floats} {name}, {name}")
    quiet = f"{i32} {splat('32704')}"
    rounded = emitter.emit(f"select {shape('i1')} {nan}, {quiet}, {i32} {rounded}")
    emitter.set(op, f"trunc {i32} {rounded} to {i16}")


def _parts_type(part: Attribute, lanes: int) -> str:
    """Return the vector of all parts of a number of complex values."""
    return f"<{2 * lanes} x {spell_type(element_of(part))}>"


def _picks(lanes: Iterable[int]) -> str:
    numbers = [f"i32 {lane}" for lane in lanes]
    return f"<{len(numbers)} x i32> <{', '.join(numbers)}>"


def _part(emitter: Emitter, op: Operation) -> None:
    """Take the even or the odd ones of all parts."""
    assert isinstance(op, PartOp)
    whole, part = operands_of(op)[0].type, op.results[0].type
    lanes = lanes_of(part)
    parts = _parts_type(part, lanes)
    name = emitter.emit(
        f"bitcast {spell_type(whole)} {emitter.names[operands_of(op)[0]]} to {parts}"
    )
    if part == element_of(part):
        emitter.set(op, f"extractelement {parts} {name}, i64 {op.at}")
        return
    picks = _picks(range(op.at, 2 * lanes, 2))
    emitter.set(op, f"shufflevector {parts} {name}, {parts} poison, {picks}")


def _pair(emitter: Emitter, op: Operation) -> None:
    """Put parts side by side."""
    real, imag = (emitter.names[operand] for operand in operands_of(op))
    part, whole = operands_of(op)[0].type, spell_type(op.results[0].type)
    lanes, text = lanes_of(part), spell_type(part)
    parts = _parts_type(part, lanes)
    if part == element_of(part):
        name = emitter.emit(f"insertelement {parts} poison, {text} {real}, i64 0")
        name = emitter.emit(f"insertelement {parts} {name}, {text} {imag}, i64 1")
    else:
        picks = _picks(lane // 2 + lane % 2 * lanes for lane in range(2 * lanes))
        name = emitter.emit(f"shufflevector {text} {real}, {text} {imag}, {picks}")
    emitter.set(op, f"bitcast {parts} {name} to {whole}")


def _splat(emitter: Emitter, op: Operation) -> None:
    (operand,) = operands_of(op)
    name = emitter.names[operand]
    (result,) = op.results
    emitter.names[result] = emitter.splat(spell_type(operand.type), name, lanes_of(result.type))


def _lane_ids(emitter: Emitter, op: Operation) -> None:
    type_ = op.results[0].type
    text = spell_type(element_of(type_))
    numbers = [f"{text} {lane}" for lane in range(lanes_of(type_))]
    emitter.names[op.results[0]] = f"<{', '.join(numbers)}>"


def _mask(emitter: Emitter, op: Operation) -> None:
    """Compare lane numbers with the count in i32, which costs half of i64."""
    lanes = lanes_of(op.results[0].type)
    count = emitter.names[operands_of(op)[0]]
    for word, bound in (("smin", lanes), ("smax", 0)):
        emitter.declarations.add(f"declare i64 @llvm.{word}.i64(i64, i64)")
        count = emitter.pure(f"call i64 @llvm.{word}.i64(i64 {count}, i64 {bound})", count)
    small = emitter.pure(f"trunc i64 {count} to i32", count)
    bound = emitter.splat("i32", small, lanes)
    numbers = f"<{', '.join([f'i32 {lane}' for lane in range(lanes)])}>"
    mask = emitter.pure(f"icmp slt <{lanes} x i32> {numbers}, {bound}", bound)
    emitter.names[op.results[0]] = mask


def _any(emitter: Emitter, op: Operation) -> None:
    """Read a mask as one integer."""
    (mask,) = operands_of(op)
    lanes = lanes_of(mask.type)
    bits = emitter.emit(f"bitcast {spell_type(mask.type)} {emitter.names[mask]} to i{lanes}")
    emitter.set(op, f"icmp ne i{lanes} {bits}, 0")


def _first_set(emitter: Emitter, op: Operation) -> None:
    """Count the zeros at the end of a mask as an integer; there is a one behind its lanes."""
    (mask,) = operands_of(op)
    lanes = lanes_of(mask.type)
    bits = emitter.emit(f"bitcast {spell_type(mask.type)} {emitter.names[mask]} to i{lanes}")
    if lanes < 64:
        bits = emitter.emit(f"zext i{lanes} {bits} to i64")
        bits = emitter.emit(f"or i64 {bits}, {1 << lanes}")
    emitter.declarations.add("declare i64 @llvm.cttz.i64(i64, i1)")
    emitter.set(op, f"call i64 @llvm.cttz.i64(i64 {bits}, i1 {'true' if lanes < 64 else 'false'})")


def _slice(emitter: Emitter, op: Operation) -> None:
    assert isinstance(op, SliceOp)
    (operand,) = operands_of(op)
    text, first = spell_type(operand.type), op.first
    count = lanes_of(op.results[0].type)
    picks = ", ".join([f"i32 {lane}" for lane in range(first, first + count)])
    vector = f"{text} {emitter.names[operand]}, {text} poison"
    emitter.set(op, f"shufflevector {vector}, <{count} x i32> <{picks}>")


def _extract(emitter: Emitter, op: Operation) -> None:
    assert isinstance(op, ExtractOp)
    (operand,) = operands_of(op)
    vector = f"{spell_type(operand.type)} {emitter.names[operand]}"
    emitter.set(op, f"extractelement {vector}, i64 {op.first}")


def _preceding(emitter: Emitter, op: Operation) -> None:
    assert isinstance(op, PrecedingOp)
    (operand,) = operands_of(op)
    vector = f"{spell_type(operand.type)} {emitter.names[operand]}"
    order = ", ".join([f"i32 {lane}" for lane in op.sources])
    emitter.set(op, f"shufflevector {vector}, {vector}, <{len(op.sources)} x i32> <{order}>")


def _transpose(emitter: Emitter, op: Operation) -> None:
    """Exchange halves of rows, of pairs of rows half as far apart, and so on.

    At each level the rows r and r + level exchange the blocks of `level` lanes off the diagonal. In
    a wide rectangle that is done in all its squares at once, whose columns are taken apart then;
    those of a high one are put side by side before.
    """
    assert isinstance(op, TransposeOp)
    rows = [emitter.names[row] for row in operands_of(op)]
    type_ = operands_of(op)[0].type
    lanes, high, element = lanes_of(type_), len(rows), element_of(type_)
    side, width = min(lanes, high), lanes

    def shuffled(a: str, b: str, picks: Sequence[int]) -> str:
        text = spell_type(vector_of(element, width))
        order = ", ".join([f"i32 {pick}" for pick in picks])
        return emitter.emit(f"shufflevector {text} {a}, {text} {b}, <{len(picks)} x i32> <{order}>")

    while len(rows) > side:
        starts, both = range(0, len(rows), 2 * side), range(2 * width)
        pairs = [(rows[at + n], rows[at + side + n]) for at in starts for n in range(side)]
        rows = [shuffled(*pair, both) for pair in pairs]
        width *= 2
    level = side // 2
    while level:
        first = [lane if not lane & level else width + lane - level for lane in range(width)]
        second = [lane + level if not lane & level else width + lane for lane in range(width)]
        for number in range(side):
            if not number & level:
                pair = rows[number], rows[number + level]
                rows[number], rows[number + level] = shuffled(*pair, first), shuffled(*pair, second)
        level //= 2
    if lanes > side:
        starts = range(0, lanes, side)
        rows = [shuffled(row, row, range(at, at + side)) for at in starts for row in rows]
    emitter.names.update(zip(op.results, rows, strict=True))


PAYLOAD: dict[type[Operation], Emit] = {
    **{op: _binary(word) for op, word in _BINARY.items()},
    **{op: _intrinsic(word) for op, word in _INTRINSICS.items()},
    **{op: _cast(word) for op, word in CONVERSION_OF.items()},
    FmodOp: _remainder,
    LdexpOp: emit_ldexp,
    PartOp: _part,
    PairOp: _pair,
    arith.NegfOp: _negate,
    math.AbsIOp: _absolute,
    math.CopySignOp: _copysign,
    arith.ConstantOp: _constant,
    arith.CmpiOp: _compare_integers,
    arith.CmpfOp: _compare_floats,
    arith.SelectOp: _select,
    arith.BitcastOp: _bitcast,
    CompareOp: _compare_lanes,
    SelectOp: _select,
    ConvertOp: _convert,
    SplatOp: _splat,
    LaneIdsOp: _lane_ids,
    MaskOp: _mask,
    AnyOp: _any,
    FirstSetOp: _first_set,
    SliceOp: _slice,
    ExtractOp: _extract,
    PrecedingOp: _preceding,
    TransposeOp: _transpose,
}
