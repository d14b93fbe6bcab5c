"""What does each kind of reduction start from, and which op combines two values?"""

from math import inf

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Attribute, Operation

#: Schedules spell each lane out.
MAXIMUM_LANES = 1024
CUSTOM = "custom"
#: The body yields two factors; their product is added with one rounding.
FMA = "fma"
KINDS = ("add", "mul", "maximum", "minimum", "and", "or", "xor", FMA, CUSTOM)

_FLOAT: dict[str, type[Operation]] = {
    "add": arith.AddfOp,
    FMA: arith.AddfOp,
    "mul": arith.MulfOp,
    "maximum": arith.MaximumfOp,
    "minimum": arith.MinimumfOp,
}
_SIGNED: dict[str, type[Operation]] = {
    "add": arith.AddiOp,
    "mul": arith.MuliOp,
    "maximum": arith.MaxSIOp,
    "minimum": arith.MinSIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
    "xor": arith.XOrIOp,
}
_UNSIGNED = _SIGNED | {"maximum": arith.MaxUIOp, "minimum": arith.MinUIOp}

_FLOAT_NEUTRAL = {"add": 0.0, FMA: 0.0, "mul": 1.0, "maximum": -inf, "minimum": inf}


def combining_op(kind: str, element: Attribute, unsigned: bool = False) -> type[Operation]:
    """Return the op that combines two values of a kind; KeyError if the element type has none.

    >>> from xdsl.dialects.builtin import f32
    >>> combining_op("maximum", f32).name
    'arith.maximumf'
    """
    if isinstance(element, AnyFloat):
        return _FLOAT[kind]
    return _UNSIGNED[kind] if unsigned else _SIGNED[kind]


def neutral_element(kind: str, element: Attribute, unsigned: bool = False) -> int | float:
    """Return the value that changes nothing; sums start at +0, so that no sum is -0.

    >>> from xdsl.dialects.builtin import i8
    >>> neutral_element("maximum", i8), neutral_element("maximum", i8, unsigned=True)
    (-128, 0)
    """
    if isinstance(element, AnyFloat):
        return _FLOAT_NEUTRAL[kind]
    assert isinstance(element, IntegerType)
    bits: int = element.bitwidth
    lowest, highest = (0, (1 << bits) - 1) if unsigned else (-1 << bits - 1, (1 << bits - 1) - 1)
    values = {"add": 0, "or": 0, "xor": 0, "mul": 1, "maximum": lowest, "minimum": highest}
    return -1 if kind == "and" else values[kind]
