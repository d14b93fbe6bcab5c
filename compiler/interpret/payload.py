"""What does each scalar op of a kernel compute, on NumPy arrays of any shape?

A value is an array of the NumPy type of its IR type: 0-dim for a scalar, one axis of lanes for a
vector, more axes where many points of a loop nest are computed at once. Results follow the op,
never NumPy's promotion: nearly every op is a word of `NumpyLanguage`, which is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
)
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    PythonValues,
    impl,
    register_impls,
)
from xdsl.ir import Attribute, Operation

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import DType
from ...dialects.diagnostics import InternalError
from ...dialects.kernel.arithmetic import FmodOp, LdexpOp, PairOp, PartOp
from ...dialects.kernel.lanes import (
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
from ...dialects.kernel.payload import PAYLOAD_TYPES
from ...dialects.kernel.preceding import PrecedingOp
from ...dialects.kernel.rare import RarelyOp
from ...dialects.kernel.transpose import TransposeOp
from ...dialects.kernel.types import element_of, i1, i8, i16, i32, i64, lanes_of, type_of_index
from ...dialects.kernel.within import WithinOp
from ...dialects.ops.scalars.narrow_floats import STORAGE, decode, encode
from ...dialects.ops.scalars.reference import NumpyLanguage
from ...dialects.ops.scalars.scalar import Scalar

Array: TypeAlias = NDArray[Any]

#: The dtype that stands for each type of the payload; integers are signless and read as signed.
DTYPES: dict[Attribute, DType] = {
    **{kind: dtype for dtype, kind in PAYLOAD_TYPES.items() if dtype.is_floating_point},
    i1: dtypes.bool_,
    i8: dtypes.int8,
    i16: dtypes.int16,
    i32: dtypes.int32,
    i64: dtypes.int64,
    type_of_index: dtypes.int64,
    # NumPy has no integer of 128 bits; nothing but its parts is computed with.
    PAYLOAD_TYPES[dtypes.complex128]: dtypes.complex128,
}
_UNSIGNED: dict[DType, DType] = {
    dtypes.int8: dtypes.uint8,
    dtypes.int16: dtypes.uint16,
    dtypes.int32: dtypes.uint32,
    dtypes.int64: dtypes.uint64,
}
_BY_NUMPY: dict[np.dtype[Any], DType] = {
    dtype.numpy: dtype for dtype in (*DTYPES.values(), *_UNSIGNED.values())
}

#: Op -> word of the scalar language. Integers are read with their sign ...
_WORDS: dict[type[Operation], str] = {
    arith.AddfOp: "add", arith.SubfOp: "sub", arith.MulfOp: "mul", arith.DivfOp: "div",
    arith.NegfOp: "neg", FmodOp: "fmod", LdexpOp: "ldexp",
    arith.MaximumfOp: "maximum", arith.MinimumfOp: "minimum",
    math.AbsFOp: "abs", math.CopySignOp: "copysign", math.FmaOp: "fma", math.SqrtOp: "sqrt",
    math.FloorOp: "floor", math.CeilOp: "ceil", math.TruncOp: "trunc",
    math.RoundEvenOp: "round_even",
    math.ExpOp: "exp", math.Exp2Op: "exp2", math.ExpM1Op: "expm1", math.LogOp: "log",
    math.Log1pOp: "log1p", math.Log2Op: "log2", math.SinOp: "sin", math.CosOp: "cos",
    math.TanOp: "tan",
    math.TanhOp: "tanh", math.ErfOp: "erf", math.PowFOp: "pow",
    arith.AddiOp: "add", arith.SubiOp: "sub", arith.MuliOp: "mul", math.AbsIOp: "abs",
    arith.AndIOp: "and", arith.OrIOp: "or", arith.XOrIOp: "xor", arith.ShLIOp: "shl",
    arith.ShRSIOp: "shr", arith.DivSIOp: "quotient", arith.RemSIOp: "remainder",
    arith.MaxSIOp: "maximum", arith.MinSIOp: "minimum",
}  # fmt: skip
#: ... and by these without.
_UNSIGNED_WORDS: dict[type[Operation], str] = {
    arith.ShRUIOp: "shr", arith.DivUIOp: "quotient", arith.RemUIOp: "remainder",
    arith.MaxUIOp: "maximum", arith.MinUIOp: "minimum",
}  # fmt: skip
_BITWISE = frozenset({"and", "or", "xor"})


def numpy_type(type_: Attribute) -> np.dtype[Any]:
    """Return the NumPy type of a value, or of the lanes of a vector.

    >>> numpy_type(type_of_index)
    dtype('int64')
    """
    return DTYPES[element_of(type_)].numpy


def compute(op: type[Operation], *values: Array) -> Array:
    """Return what an arithmetic op computes.

    >>> compute(arith.DivUIOp, np.array(-1, np.int8), np.array(2, np.int8))
    array(127, dtype=int8)
    """
    word = _WORDS.get(op)
    if word is not None:
        return _word(word, values)
    word = _UNSIGNED_WORDS[op]
    if values[0].dtype == np.bool_:
        return _word(word, [value.view(np.uint8) for value in values]).view(np.bool_)
    unsigned = _UNSIGNED[_BY_NUMPY[values[0].dtype]].numpy
    return _word(word, [value.view(unsigned) for value in values]).view(values[0].dtype)


def _word(word: str, values: tuple[Array, ...] | list[Array]) -> Array:
    if values[0].dtype == np.bool_ and word not in _BITWISE:
        # One bit with a sign: 0 or -1.
        wide = [-value.astype(np.int8) for value in values]
        return (_word(word, wide) & 1).astype(np.bool_)
    dtype = _BY_NUMPY[values[0].dtype]
    language = NumpyLanguage()
    scalars = tuple(Scalar(language, value, dtype) for value in values)
    return language.apply(word, scalars, dtype).value


def convert(word: str, value: Array, type_: Attribute) -> Array:
    """Return a value cast to a type; the words are those of arith's casts.

    What does not fit into an integer becomes the smallest one, as on x86. Floats narrower than f32
    are rounded from f32, also where the operand is an f64.

    >>> convert("extsi", np.array([True, False]), i8)
    array([-1,  0], dtype=int8)
    """
    target = DTYPES[element_of(type_)]
    if word in ("extui", "uitofp"):
        value = _unsigned(value)
    elif value.dtype == np.bool_ and word in ("extsi", "sitofp"):
        value = -value.astype(np.int8)
    if word in ("fptosi", "fptoui"):
        return _to_integer(_to_float(value, dtypes.float64), target, word == "fptosi")
    if target.is_floating_point:
        return _to_float(value, target)
    with np.errstate(all="ignore"):
        if target is dtypes.bool_:
            return (value & 1).astype(np.bool_)
        return value.astype(target.numpy)


def _unsigned(value: Array) -> Array:
    if value.dtype == np.bool_:
        return value.view(np.uint8)
    dtype = _UNSIGNED.get(_BY_NUMPY[value.dtype])
    return value if dtype is None else value.view(dtype.numpy)


def _to_float(value: Array, target: DType) -> Array:
    """Convert any number to a float, by way of f32 where either side is narrow."""
    source = _BY_NUMPY.get(value.dtype)
    language = NumpyLanguage()
    if source in STORAGE and source is not target:
        bits = language.array(value.view(STORAGE[source].numpy), STORAGE[source])
        value = decode(bits, source).value
    with np.errstate(all="ignore"):
        if target not in STORAGE:
            return value.astype(target.numpy)
        if source is target:
            return value
        wide = language.array(value.astype(np.float32), dtypes.float32)
    return np.asarray(encode(wide, target).value).view(target.numpy)


def _to_integer(value: Array, target: DType, signed: bool) -> Array:
    lowest = -(2.0 ** (target.bits - 1)) if signed else 0.0
    limit = 2.0 ** (target.bits - 1 if signed else target.bits)
    whole = np.trunc(value)
    inside = (whole >= lowest) & (whole < limit)
    kind = target if signed else _UNSIGNED[target]
    with np.errstate(all="ignore"):
        fitting = np.where(inside, whole, lowest).astype(kind.numpy)
    return fitting.view(target.numpy)


_ORDERS: dict[str, Callable[[Array, Array], Any]] = {
    "eq": np.equal, "ne": np.not_equal,
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
}  # fmt: skip


def compare_integers(predicate: str, lhs: Array, rhs: Array) -> Array:
    """Return the truth of a predicate of arith.cmpi."""
    if predicate[0] == "u":
        lhs, rhs = _unsigned(lhs), _unsigned(rhs)
    elif lhs.dtype == np.bool_:
        lhs, rhs = -lhs.astype(np.int8), -rhs.astype(np.int8)
    return np.asarray(_ORDERS[predicate[-2:]](lhs, rhs))


def compare_floats(predicate: str, lhs: Array, rhs: Array) -> Array:
    """Return the truth of a predicate of arith.cmpf."""
    unordered = np.isnan(lhs) | np.isnan(rhs)
    if predicate in ("true", "false"):
        return np.full(unordered.shape, predicate == "true")
    if predicate == "ord":
        return np.asarray(~unordered)
    if predicate == "uno":
        return np.asarray(unordered)
    ordered = _ORDERS[predicate[1:]](lhs, rhs) & ~unordered
    return np.asarray(ordered | unordered if predicate[0] == "u" else ordered)


def _choose(condition: Array, lhs: Array, rhs: Array) -> Array:
    return np.asarray(np.where(condition, lhs, rhs))


class PayloadFunctions(InterpreterFunctions):
    """The ops of arith and math, and those of the kernel dialect that work on lanes."""

    @impl(arith.ConstantOp)
    def constant(
        self, interpreter: Interpreter, op: arith.ConstantOp, args: PythonValues
    ) -> PythonValues:
        """A number, or a dense vector of numbers."""
        value, type_ = op.value, op.results[0].type
        target = DTYPES[element_of(type_)]
        if isinstance(value, IntegerAttr):
            number = np.array(value.value.data & ((1 << target.bits) - 1), np.uint64)
            if target is dtypes.bool_:
                return (number.astype(np.bool_),)
            return (number.astype(_UNSIGNED[target].numpy).view(target.numpy),)
        if isinstance(value, FloatAttr):
            return (_to_float(np.array(value.value.data, np.float64), target),)
        if isinstance(value, DenseIntOrFPElementsAttr):
            lanes = np.array(value.get_values()).astype(target.numpy)
            return (np.broadcast_to(lanes, (lanes_of(type_),)).copy(),)
        raise InternalError(f"no value for {value}")

    @impl(arith.CmpiOp)
    def compare_integers(
        self, interpreter: Interpreter, op: arith.CmpiOp, args: PythonValues
    ) -> PythonValues:
        """Compare integers."""
        return (compare_integers(INTEGER_PREDICATES[op.predicate.value.data], *args),)

    @impl(arith.CmpfOp)
    def compare_floats(
        self, interpreter: Interpreter, op: arith.CmpfOp, args: PythonValues
    ) -> PythonValues:
        """Compare floats."""
        return (compare_floats(FLOAT_PREDICATES[op.predicate.value.data], *args),)

    @impl(arith.SelectOp)
    def select(
        self, interpreter: Interpreter, op: arith.SelectOp, args: PythonValues
    ) -> PythonValues:
        """Choose by a condition."""
        return (_choose(*args),)

    @impl(arith.BitcastOp)
    def bitcast(
        self, interpreter: Interpreter, op: arith.BitcastOp, args: PythonValues
    ) -> PythonValues:
        """Read bits as another type."""
        return (args[0].view(numpy_type(op.results[0].type)),)

    @impl(PartOp)
    def part(self, interpreter: Interpreter, op: PartOp, args: PythonValues) -> PythonValues:
        """A part of a complex."""
        whole = np.array(args[0], order="C")
        parts = whole.reshape(*whole.shape, 1).view(numpy_type(op.result.type))
        return (parts[..., op.at].copy(),)

    @impl(PairOp)
    def pair(self, interpreter: Interpreter, op: PairOp, args: PythonValues) -> PythonValues:
        """A complex from its parts."""
        parts = np.stack(np.broadcast_arrays(*args), -1)
        return (parts.view(numpy_type(op.result.type))[..., 0].copy(),)

    @impl(SplatOp)
    def splat(self, interpreter: Interpreter, op: SplatOp, args: PythonValues) -> PythonValues:
        """Put a scalar into all lanes."""
        return (np.full(lanes_of(op.result.type), args[0]),)

    @impl(LaneIdsOp)
    def lane_ids(self, interpreter: Interpreter, op: LaneIdsOp, args: PythonValues) -> PythonValues:
        """Number the lanes."""
        dtype = numpy_type(element_of(op.result.type))
        return (np.arange(lanes_of(op.result.type), dtype=dtype),)

    @impl(MaskOp)
    def mask(self, interpreter: Interpreter, op: MaskOp, args: PythonValues) -> PythonValues:
        """The first lanes."""
        return (np.arange(lanes_of(op.result.type)) < args[0],)

    @impl(AnyOp)
    def any(self, interpreter: Interpreter, op: AnyOp, args: PythonValues) -> PythonValues:
        """Whether a lane is set."""
        return (np.any(args[0]),)

    @impl(FirstSetOp)
    def first_set(
        self, interpreter: Interpreter, op: FirstSetOp, args: PythonValues
    ) -> PythonValues:
        """The first lane that is set."""
        places = np.flatnonzero(args[0])
        return (np.int64(places[0] if places.size else lanes_of(op.mask.type)),)

    @impl(RarelyOp)
    def rarely(self, interpreter: Interpreter, op: RarelyOp, args: PythonValues) -> PythonValues:
        """Compute both sides, and choose."""
        condition, *usual = args
        values = interpreter.run_ssacfg_region(op.body, (), op.name)
        return tuple(_choose(condition, a, b) for a, b in zip(values, usual, strict=True))

    @impl(WithinOp)
    def within(self, interpreter: Interpreter, op: WithinOp, args: PythonValues) -> PythonValues:
        """The place in a window, and whether it is one."""
        index, first, size = args
        place = index - first
        is_inside = (place >= 0) & (place < size)
        return (np.where(is_inside, place, 0), is_inside)

    @impl(SliceOp)
    def slice(self, interpreter: Interpreter, op: SliceOp, args: PythonValues) -> PythonValues:
        """Neighbouring lanes."""
        return (args[0][op.first : op.first + lanes_of(op.result.type)],)

    @impl(PrecedingOp)
    def preceding(
        self, interpreter: Interpreter, op: PrecedingOp, args: PythonValues
    ) -> PythonValues:
        """What precedes lanes."""
        return (args[0][op.sources],)

    @impl(TransposeOp)
    def transpose(
        self, interpreter: Interpreter, op: TransposeOp, args: PythonValues
    ) -> PythonValues:
        """Columns of rows."""
        columns: Array = np.stack(args, axis=1)
        return tuple(columns)

    @impl(ExtractOp)
    def extract(self, interpreter: Interpreter, op: ExtractOp, args: PythonValues) -> PythonValues:
        """One lane."""
        return (np.asarray(args[0][op.first]),)

    @impl(CompareOp)
    def compare(self, interpreter: Interpreter, op: CompareOp, args: PythonValues) -> PythonValues:
        """Compare lane by lane."""
        is_float = DTYPES[element_of(op.lhs.type)].is_floating_point
        relation = compare_floats if is_float else compare_integers
        return (relation(op.predicate.data, *args),)

    @impl(SelectOp)
    def select_lanes(
        self, interpreter: Interpreter, op: SelectOp, args: PythonValues
    ) -> PythonValues:
        """Choose lane by lane."""
        return (_choose(*args),)

    @impl(ConvertOp)
    def convert(self, interpreter: Interpreter, op: ConvertOp, args: PythonValues) -> PythonValues:
        """Cast lane by lane."""
        return (convert(op.conversion.data, args[0], op.result.type),)


def _computing(kind: type[Operation]) -> Any:
    def run(
        self: PayloadFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        return (compute(kind, *args),)

    return impl(kind)(run)


def _converting(kind: type[Operation], word: str) -> Any:
    def run(
        self: PayloadFunctions, interpreter: Interpreter, op: Operation, args: PythonValues
    ) -> PythonValues:
        return (convert(word, args[0], op.results[0].type),)

    return impl(kind)(run)


for _kind in (*_WORDS, *_UNSIGNED_WORDS):
    setattr(PayloadFunctions, f"run_{_kind.name}", _computing(_kind))
for _kind, _text in CONVERSION_OF.items():
    setattr(PayloadFunctions, f"run_{_kind.name}", _converting(_kind, _text))
register_impls(PayloadFunctions)
