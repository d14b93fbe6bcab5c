"""Which dtype do operands of different dtypes have together, and which casts are allowed?

PyTorch's promotion: complex > floating > integral > boolean, where tensors with dimensions come
before 0-dim tensors and those before Python scalars.
"""

from typing import Final, NamedTuple

from ..diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from . import settings
from .dtype import (
    BAREBONES_UNSIGNED,
    FLOAT8_DTYPES,
    Category,
    DType,
    bfloat16,
    bool_,
    complex64,
    float4_e2m1fn_x2,
    float16,
    float32,
    int8,
    int16,
    int32,
    int64,
    uint8,
)

DIMENSIONED: Final = 0
"""A tensor of rank 1 or more."""
ZERO_DIM: Final = 1
"""A tensor of rank 0."""
WRAPPED: Final = 2
"""A Python scalar: bool, int64, the default dtype or its complex."""


class Operand(NamedTuple):
    """What promotion looks at: the dtype, and one of DIMENSIONED, ZERO_DIM, WRAPPED.

    >>> result_type(Operand(float16, DIMENSIONED), Operand(float32, WRAPPED))
    trilith.float16
    """

    dtype: DType
    kind: int


#: How uint16, uint32 and uint64 promote and compute: "torch" refuses what PyTorch refuses,
#: "array_api" follows the Python array API standard (v2024.12, "Type promotion rules").
PROMOTION_MODES = ("torch", "array_api")


def get_promotion_mode() -> str:
    """Return how the wide unsigned integers promote: "torch" or "array_api".

    >>> get_promotion_mode()
    'torch'
    """
    return settings.current().mode


class set_promotion_mode:
    """Choose how uint16, uint32 and uint64 promote, for the process or for a `with` block.

    In "torch", the default, they mix with floats alone and most arithmetic on them is refused, as
    in PyTorch. In "array_api" they compute like other integers and promote by the array API's
    table: two unsigned give the wider, an unsigned and a signed one the smallest signed type that
    holds both; uint64 with a signed type has none and is refused.

    Raises TrilithValueError for another word.

    >>> from trilith.dialects.attributes.dtype import int8, uint16
    >>> with set_promotion_mode("array_api"):
    ...     promote_types(uint16, int8)
    trilith.int32
    """

    def __init__(self, mode: str) -> None:
        """Set the mode at once."""
        if mode not in PROMOTION_MODES:
            raise TrilithValueError(
                f"there is no promotion mode '{mode}'; there are {', '.join(PROMOTION_MODES)}"
            )
        self._previous = get_promotion_mode()
        settings.set_mode(mode)

    def __enter__(self) -> None:
        """The mode has been set."""

    def __exit__(self, *exception: object) -> None:
        """Return to the mode before."""
        settings.set_mode(self._previous)


def _check_dtypes(function: str, **given: object) -> None:
    """Refuse what is no dtype."""
    for position, (name, value) in enumerate(given.items(), 1):
        if not isinstance(value, DType):
            raise TrilithTypeError(
                f"{function}(): argument '{name}' (position {position}) must be trilith.dtype, not "
                f"{type(value).__name__}"
            )


def promote_types(type1: DType, type2: DType) -> DType:
    """Return the smallest dtype that both can be promoted to.

    >>> from trilith.dialects.attributes.dtype import int32
    >>> promote_types(int32, float16), promote_types(uint8, int8)
    (trilith.float16, trilith.int16)
    """
    pair = type1, type2
    if pair not in _promoted_pairs:
        _check_dtypes("promote_types", type1=type1, type2=type2)
        _promoted_pairs[pair] = _promote_or_none(type1, type2)
    found = _promoted_pairs[pair]
    if found is not None:
        return found
    wide = _promote_unsigned(type1, type2) if get_promotion_mode() == "array_api" else None
    return wide or _promote(type1, type2)


def _promote_unsigned(a: DType, b: DType) -> DType | None:
    """Return the array API's answer for a wide unsigned integer and another integer, if any."""
    if not (a.category <= Category.INTEGRAL and b.category <= Category.INTEGRAL):
        return None
    if a is bool_ or b is bool_:
        return b if a is bool_ else a
    if a.is_signed is b.is_signed:
        return a if a.itemsize >= b.itemsize else b
    signed, unsigned = (a, b) if a.is_signed else (b, a)
    bits = max(signed.bits, 2 * unsigned.bits)
    return {16: int16, 32: int32, 64: int64}.get(bits)


def _promote(a: DType, b: DType) -> DType:
    """Return the promoted dtype by the rules, or raise if the pair has none."""
    if a is b:
        return a
    if a in FLOAT8_DTYPES or b in FLOAT8_DTYPES:
        raise _unsupported("Float8 Types is", a, b)
    if a in BAREBONES_UNSIGNED or b in BAREBONES_UNSIGNED:
        other = b if a in BAREBONES_UNSIGNED else a
        if other.is_floating_point:
            return other
        raise _unsupported("uint16, uint32, uint64 types is", a, b)
    if a is float4_e2m1fn_x2 or b is float4_e2m1fn_x2:
        raise _unsupported("Float4 Types is", a, b)
    if a is bool_ or b is bool_:
        return b if a is bool_ else a
    if a.is_complex or b.is_complex:
        return _promote_complex(a, b)
    if a.category is not b.category:
        return a if a.is_floating_point else b
    if {a, b} == {float16, bfloat16}:
        return float32
    if {a, b} == {uint8, int8}:
        return int16
    return a if a.itemsize >= b.itemsize else b


def _promote_complex(a: DType, b: DType) -> DType:
    """Return the wider complex type; an integer does not widen, bfloat16 needs complex64."""
    first, second = (
        dtype.to_complex() if dtype.category >= Category.FLOATING else None for dtype in (a, b)
    )
    if first is None or second is None:
        return first or second or complex64
    return first if first.itemsize >= second.itemsize else second


def _unsupported(types: str, a: DType, b: DType) -> TrilithRuntimeError:
    return TrilithRuntimeError(
        f"Promotion for {types} not supported, attempted to promote {a.c_name} and {b.c_name}",
        hint=f"cast one of them first: x.to(trilith.{a.name}) or x.to(trilith.{b.name})",
    )


def _promote_or_none(a: DType, b: DType) -> DType | None:
    try:
        return _promote(a, b)
    except TrilithRuntimeError:
        return None


#: What PyTorch's rules give, None where they refuse; a process meets few of the 484 pairs.
_promoted_pairs: dict[tuple[DType, DType], DType | None] = {}


def can_cast(from_: DType, to: DType) -> bool:
    """Tell whether PyTorch's casting rules allow a cast: no category may be lost.

    Integers, signed or not, may narrow; only bool may become bool.

    >>> from trilith.dialects.attributes.dtype import int32
    >>> can_cast(float32, int32), can_cast(int32, float32)
    (False, True)
    """
    if type(from_) is not DType or type(to) is not DType:
        _check_dtypes("can_cast", from_=from_, to=to)
    if from_.is_complex and not to.is_complex:
        return False
    if from_.is_floating_point and to.category is Category.INTEGRAL:
        return False
    return to is not bool_ or from_ is bool_


_pairs: dict[tuple[Operand, ...], DType] = {}
"""Results for one and two operands; at most 66 + 66 * 66 entries."""


def result_type(*operands: Operand) -> DType:
    """Return the dtype of an operation on these operands.

    >>> from trilith.dialects.attributes.dtype import float64, int32
    >>> result_type(Operand(int32, DIMENSIONED), Operand(float64, ZERO_DIM))
    trilith.float64
    >>> result_type(Operand(float32, DIMENSIONED), Operand(float64, ZERO_DIM))
    trilith.float32
    """
    if get_promotion_mode() != "torch":
        return _promoted(operands)
    found = _pairs.get(operands)
    if found is not None:
        return found
    found = _promoted(operands)
    if len(operands) <= 2:
        _pairs[operands] = found
    return found


def _promoted(operands: tuple[Operand, ...]) -> DType:
    groups: list[DType | None] = [None, None, None]
    for dtype, kind in operands:
        before = groups[kind]
        groups[kind] = dtype if before is None else promote_types(before, dtype)
    dimensioned, zero_dim, wrapped = groups
    result = _combine(dimensioned, _combine(zero_dim, wrapped))
    if result is None:
        raise TrilithRuntimeError("result_type needs at least one operand")
    return result


def _combine(high: DType | None, low: DType | None) -> DType | None:
    """Return the dtype of two groups of which the first has priority within a category."""
    if high is None or low is None:
        return high or low
    if high.is_complex:
        return high
    if high.is_floating_point:
        return high.to_complex() if low.is_complex else high
    if low.is_complex and high in BAREBONES_UNSIGNED:
        return low
    if high is bool_ or low.category >= Category.FLOATING:
        return promote_types(high, low)
    return high
