"""How does the scalar language become IR? Bodies of rows, as arith and math ops on scalars.

The payload is signless: signedness chooses the op (divsi or divui), as in MLIR.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import (
    Float8E4M3FNType,
    Float8E4M3FNUZType,
    Float8E5M2FNUZType,
    Float8E5M2Type,
    Float8E8M0FNUType,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..attributes import dtype as dtypes
from ..attributes.dtype import Category, DType
from ..diagnostics import InternalError
from ..making import append, make_op
from ..ops.scalars.complexes import ComplexLanguage
from ..ops.scalars.expansions.registry import EXPANSIONS
from ..ops.scalars.pairs import Pair, Parts
from ..ops.scalars.reference import NumpyLanguage
from ..ops.scalars.scalar import COMPOUNDS, SPECIALS, Language, Scalar
from .arithmetic import FmodOp, LdexpOp, PairOp, PartOp
from .memory import CheckOp
from .types import bf16, f16, f32, f64, i1, i8, i16, i32
from .types import i64 as long

#: The payload type of each dtype that scalars or memory may have.
PAYLOAD_TYPES: dict[DType, Attribute] = {
    dtypes.bool_: i1,
    dtypes.uint8: i8,
    dtypes.int8: i8,
    dtypes.int16: i16,
    dtypes.uint16: i16,
    dtypes.int32: i32,
    dtypes.uint32: i32,
    dtypes.int64: long,
    dtypes.uint64: long,
    dtypes.float16: f16,
    dtypes.bfloat16: bf16,
    dtypes.float32: f32,
    dtypes.float64: f64,
    dtypes.float8_e5m2: Float8E5M2Type(),
    dtypes.float8_e4m3fn: Float8E4M3FNType(),
    dtypes.float8_e5m2fnuz: Float8E5M2FNUZType(),
    dtypes.float8_e4m3fnuz: Float8E4M3FNUZType(),
    dtypes.float8_e8m0fnu: Float8E8M0FNUType(),
    # Two parts in one integer (see PartOp), and bits that are moved and never computed with.
    dtypes.complex32: i32,
    dtypes.complex64: long,
    dtypes.complex128: IntegerType(128),
    dtypes.float4_e2m1fn_x2: i8,
}

Properties = Mapping[str, Attribute]
_FLOAT: Properties = {"fastmath": FastMathFlagsAttr("none")}
_WRAP: Properties = {"overflowFlags": IntegerOverflowAttr("none")}
#: Words that are expanded at once: no operation of the IR says them.
_WRITTEN_OUT = frozenset((*COMPOUNDS, *SPECIALS))
_NONE: Properties = {}

Entry = tuple[type[Operation], Properties]

_FLOAT_OPS: dict[str, Entry] = {
    "add": (arith.AddfOp, _FLOAT),
    "sub": (arith.SubfOp, _FLOAT),
    "mul": (arith.MulfOp, _FLOAT),
    "div": (arith.DivfOp, _FLOAT),
    "neg": (arith.NegfOp, _FLOAT),
    "fmod": (FmodOp, _NONE),
    "ldexp": (LdexpOp, _NONE),
    "minimum": (arith.MinimumfOp, _FLOAT),
    "maximum": (arith.MaximumfOp, _FLOAT),
    "abs": (math.AbsFOp, _FLOAT),
    "copysign": (math.CopySignOp, _FLOAT),
    "fma": (math.FmaOp, _FLOAT),
    "sqrt": (math.SqrtOp, _FLOAT),
    "floor": (math.FloorOp, _FLOAT),
    "ceil": (math.CeilOp, _FLOAT),
    "trunc": (math.TruncOp, _FLOAT),
    "round_even": (math.RoundEvenOp, _FLOAT),
    "exp": (math.ExpOp, _FLOAT),
    "exp2": (math.Exp2Op, _FLOAT),
    "expm1": (math.ExpM1Op, _FLOAT),
    "log": (math.LogOp, _FLOAT),
    "log1p": (math.Log1pOp, _FLOAT),
    "log2": (math.Log2Op, _FLOAT),
    "sin": (math.SinOp, _FLOAT),
    "cos": (math.CosOp, _FLOAT),
    "tan": (math.TanOp, _FLOAT),
    "tanh": (math.TanhOp, _FLOAT),
    "erf": (math.ErfOp, _FLOAT),
    "pow": (math.PowFOp, _FLOAT),
}
_BITS: dict[str, Entry] = {
    "and": (arith.AndIOp, _NONE),
    "or": (arith.OrIOp, _NONE),
    "xor": (arith.XOrIOp, _NONE),
    "add": (arith.AddiOp, _WRAP),
    "sub": (arith.SubiOp, _WRAP),
    "mul": (arith.MuliOp, _WRAP),
    "shl": (arith.ShLIOp, _WRAP),
}
_SIGNED_OPS: dict[str, Entry] = {
    **_BITS,
    "shr": (arith.ShRSIOp, _NONE),
    "quotient": (arith.DivSIOp, _NONE),
    "remainder": (arith.RemSIOp, _NONE),
    "minimum": (arith.MinSIOp, _NONE),
    "maximum": (arith.MaxSIOp, _NONE),
    "abs": (math.AbsIOp, _NONE),
}
_UNSIGNED_OPS: dict[str, Entry] = {
    **_BITS,
    "shr": (arith.ShRUIOp, _NONE),
    "quotient": (arith.DivUIOp, _NONE),
    "remainder": (arith.RemUIOp, _NONE),
    "minimum": (arith.MinUIOp, _NONE),
    "maximum": (arith.MaxUIOp, _NONE),
}


def _predicate(number: int) -> Properties:
    return {"predicate": IntegerAttr(number, i64)}


#: Numbers of arith.cmpi's predicates (eq ne slt sle sgt sge ult ule ugt uge).
_SIGNED_COMPARE = {
    "eq": _predicate(0),
    "ne": _predicate(1),
    "lt": _predicate(2),
    "le": _predicate(3),
    "gt": _predicate(4),
    "ge": _predicate(5),
}
_UNSIGNED_COMPARE = {
    **_SIGNED_COMPARE,
    "lt": _predicate(6),
    "le": _predicate(7),
    "gt": _predicate(8),
    "ge": _predicate(9),
}
#: Numbers of arith.cmpf's predicates: ordered, but `ne` holds for NaN (une).
_FLOAT_COMPARE = {
    "eq": {**_predicate(1), **_FLOAT},
    "gt": {**_predicate(2), **_FLOAT},
    "ge": {**_predicate(3), **_FLOAT},
    "lt": {**_predicate(4), **_FLOAT},
    "le": {**_predicate(5), **_FLOAT},
    "ne": {**_predicate(13), **_FLOAT},
}
_COMPARISONS = frozenset(_FLOAT_COMPARE)


class Packed:
    """A complex that is one value of the IR; each part is taken out when it is first asked for."""

    __slots__ = ("bits", "dtype", "language", "parts")

    def __init__(self, language: PayloadLanguage, bits: SSAValue, dtype: DType) -> None:
        self.language = language
        self.bits = bits
        self.dtype = dtype
        self.parts: dict[int, Scalar] = {}

    def _part(self, position: int) -> Scalar:
        found = self.parts.get(position)
        if found is None:
            found = self.language.part(self.bits, position, self.dtype.to_real())
            self.parts[position] = found
        return found

    @property
    def real(self) -> Scalar:
        """The real part."""
        return self._part(0)

    @property
    def imag(self) -> Scalar:
        """The imaginary part."""
        return self._part(1)


class PayloadLanguage(Language):
    """Appends the ops of a body to a block; the value of a `Scalar` is an SSA value.

    `location` is given to every op; `origins` collects the location of each check, by the number
    that the check reports.
    """

    __slots__ = ("block", "constants", "location", "origins")

    def __init__(self, block: Block) -> None:
        self.block = block
        self.location: LocationAttr | None = None
        self.origins: list[LocationAttr | None] = []
        self.constants: dict[tuple[Attribute, str], SSAValue] = {}

    def scalar(self, value: SSAValue, dtype: DType) -> Scalar:
        """Return a value of the IR as a scalar of the language."""
        if dtype.is_complex:
            return Scalar(ComplexLanguage(self), Packed(self, value, dtype), dtype)
        return Scalar(self, value, dtype)

    def adopt(self, scalar: Scalar) -> Scalar:
        """Return a scalar of a block around this one as a scalar of the language."""
        if not scalar.dtype.is_complex:
            return Scalar(self, scalar.value, scalar.dtype)
        parts: Parts = scalar.value
        if isinstance(parts, Packed):
            return self.scalar(parts.bits, scalar.dtype)
        pair = Pair(self.adopt(parts.real), self.adopt(parts.imag))
        return Scalar(ComplexLanguage(self), pair, scalar.dtype)

    def whole(self, scalar: Scalar) -> SSAValue:
        """Return the one value of the IR that a scalar is; parts of a complex are put together."""
        if not scalar.dtype.is_complex:
            return scalar.value
        parts: Parts = scalar.value
        if isinstance(parts, Packed):
            return parts.bits
        kind = PAYLOAD_TYPES[scalar.dtype]
        return self._append((PairOp, _NONE), (parts.real.value, parts.imag.value), kind)

    def part(self, bits: SSAValue, position: int, dtype: DType) -> Scalar:
        """Return a part, of dtype `dtype`, of the integer that holds a complex."""
        entry: Entry = (PartOp, {"position": IntegerAttr(position, i64)})
        return Scalar(self, self._append(entry, (bits,), PAYLOAD_TYPES[dtype]), dtype)

    def _append(self, entry: Entry, operands: tuple[SSAValue, ...], result: Attribute) -> SSAValue:
        kind, properties = entry
        op = make_op(
            kind,
            operands=operands,
            result_types=(result,),
            properties=properties,
            location=self.location,
        )
        append(self.block, op)
        (found,) = op.results
        return found

    def constant(self, value: float, dtype: DType) -> Scalar:
        """Return a constant; equal constants of a block are one op."""
        kind = PAYLOAD_TYPES[dtype]
        key = (kind, repr(value))
        found = self.constants.get(key)
        if found is None:
            found = self._append(
                (arith.ConstantOp, {"value": constant_attribute(value, dtype)}), (), kind
            )
            self.constants[key] = found
        return Scalar(self, found, dtype)

    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        """Append one operation of the language."""
        first = arguments[0]
        if type(first.value.owner) is arith.ConstantOp or len(arguments) > 1:
            folded = self._fold(op, arguments, dtype)
            if folded is not None:
                return folded
        if op == "cast":
            return self._cast(first, dtype)
        if op in _WRITTEN_OUT:
            return EXPANSIONS[op](*arguments)
        values = tuple(argument.value for argument in arguments)
        if op == "select":
            entry: Entry = (arith.SelectOp, _NONE)
        elif op == "bitcast":
            if PAYLOAD_TYPES[first.dtype] == PAYLOAD_TYPES[dtype]:
                return Scalar(self, values[0], dtype)
            entry = (arith.BitcastOp, _NONE)
        elif op in _COMPARISONS:
            entry = _comparison(op, first.dtype)
        elif op == "not":
            ones = self.constant(True if dtype is dtypes.bool_ else -1, dtype)
            entry, values = _BITS["xor"], (values[0], ones.value)
        elif op == "neg" and not dtype.is_floating_point:
            entry, values = _BITS["sub"], (self.constant(0, dtype).value, values[0])
        else:
            entry = _operations(dtype)[op]
        return Scalar(self, self._append(entry, values, PAYLOAD_TYPES[dtype]), dtype)

    def _fold(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar | None:
        """Return what constants come to, by the reference's arithmetic; None if it is not known."""
        numbers = [constant_number(argument) for argument in arguments]
        if all(number is not None for number in numbers):
            reference = NumpyLanguage()
            operands = tuple(
                reference.constant(number, argument.dtype)
                for number, argument in zip(numbers, arguments, strict=True)
                if number is not None
            )
            return self.constant(reference.apply(op, operands, dtype).value.item(), dtype)
        if op == "select" and numbers[0] is not None:
            return arguments[1] if numbers[0] else arguments[2]
        if dtype is dtypes.bool_ and op in ("and", "or"):
            for number, other in zip(numbers, reversed(arguments), strict=True):
                if number is not None:
                    decides = bool(number) == (op == "or")
                    return self.constant(bool(number), dtype) if decides else other
        return None

    def check(self, bad: Scalar, code: str) -> None:
        """Append a check that reports the next number."""
        op = CheckOp.make(bad.value, code, len(self.origins))
        op.location = self.location or op.location
        self.block.add_op(op)
        self.origins.append(self.location)

    def _cast(self, x: Scalar, dtype: DType) -> Scalar:
        source = x.dtype
        if source is dtype:
            return x
        if dtype is dtypes.bool_:
            zero = self.constant(0, source)
            return self.apply("ne", (x, zero), dtype)
        target = PAYLOAD_TYPES[dtype]
        if source.is_floating_point and not dtype.is_floating_point:
            return self._float_to_integer(x, dtype)
        if source.is_floating_point:
            kind = arith.ExtFOp if dtype.bits > source.bits else arith.TruncFOp
            entry: Entry = (kind, _NONE)
        elif dtype.is_floating_point:
            signed = source.is_signed and source is not dtypes.bool_
            entry = (arith.SIToFPOp if signed else arith.UIToFPOp, _NONE)
        elif dtype.bits == source.bits and source is not dtypes.bool_:
            return Scalar(self, x.value, dtype)
        elif source is dtypes.bool_ or dtype.bits > source.bits:
            signed = source.is_signed and source is not dtypes.bool_
            entry = (arith.ExtSIOp if signed else arith.ExtUIOp, _NONE)
        else:
            entry = (arith.TruncIOp, _NONE)
        return Scalar(self, self._append(entry, (x.value,), target), dtype)

    def _float_to_integer(self, x: Scalar, dtype: DType) -> Scalar:
        """Truncate; out of range and NaN give the minimum (arith.fptosi alone would be poison)."""
        if dtype is not dtypes.int32 and dtype is not dtypes.int64:
            raise InternalError(f"a body casts {x.dtype} to {dtype}; go through int32 or int64")
        limit = 2.0 ** (dtype.bits - 1)
        inside = (x >= -limit) & (x < limit)
        zero = self.constant(0.0, x.dtype)
        safe = self.apply("select", (inside, x, zero), x.dtype)
        truncated = self._append((arith.FPToSIOp, _NONE), (safe.value,), PAYLOAD_TYPES[dtype])
        minimum = self.constant(-(1 << (dtype.bits - 1)), dtype)
        return self.apply("select", (inside, Scalar(self, truncated, dtype), minimum), dtype)


def _operations(dtype: DType) -> dict[str, Entry]:
    if dtype.is_floating_point:
        return _FLOAT_OPS
    return _SIGNED_OPS if dtype.is_signed else _UNSIGNED_OPS


def _comparison(op: str, dtype: DType) -> Entry:
    if dtype.is_floating_point:
        return arith.CmpfOp, _FLOAT_COMPARE[op]
    signed = dtype.is_signed and dtype.category is Category.INTEGRAL
    return arith.CmpiOp, (_SIGNED_COMPARE if signed else _UNSIGNED_COMPARE)[op]


def constant_number(scalar: Scalar) -> bool | int | float | None:
    """Return the value of a scalar that is a constant, None for any other."""
    owner = scalar.value.owner
    if type(owner) is not arith.ConstantOp:
        return None
    attribute = owner.value
    if isinstance(attribute, FloatAttr):
        return attribute.value.data
    if not isinstance(attribute, IntegerAttr):
        return None
    number = attribute.value.data
    if scalar.dtype is dtypes.bool_:
        return bool(number)
    return number if scalar.dtype.is_signed else number % (1 << scalar.dtype.bits)


@lru_cache(maxsize=4096)
def _attribute(kind: type, value: float, spelled: str, dtype: DType) -> Attribute:
    """Build a constant's attribute; kind and spelling keep True, 1 and 1.0, 0.0 and -0.0 apart."""
    return _make_attribute(value, dtype)


def constant_attribute(value: float, dtype: DType) -> Attribute:
    """Return the attribute of a constant: floats rounded to the dtype, integers wrapped to it."""
    return _attribute(type(value), value, repr(value), dtype)


def _make_attribute(value: float, dtype: DType) -> Attribute:
    kind = PAYLOAD_TYPES[dtype]
    if dtype.is_floating_point:
        with np.errstate(all="ignore"):
            value = float(dtype.numpy.type(value))
        return FloatAttr(value, kind)  # pyright: ignore[reportCallIssue, reportArgumentType]
    assert isinstance(kind, IntegerType)
    number = int(value)
    if dtype is not dtypes.bool_:
        half = 1 << (dtype.bits - 1)
        number = (number + half) % (2 * half) - half
    return IntegerAttr(number, cast("IntegerType", kind))
