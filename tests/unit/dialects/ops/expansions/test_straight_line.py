"""What the expansions are made of: words of the language only, and no more of them than agreed."""

import pytest

from trilith.dialects.attributes.dtype import DType, float32, float64
from trilith.dialects.ops.scalars.expansions.registry import EXPANSIONS
from trilith.dialects.ops.scalars.scalar import (
    COMPOUNDS,
    OPERATIONS,
    PRIMITIVES,
    SPECIALS,
    Language,
    Scalar,
)

#: Function -> number of words in float32 and in float64: what a fused kernel pays, with what is
#: computed rarely.
COSTS = {
    "exp": (26, 32), "exp2": (24, 30), "expm1": (26, 31),
    "log": (34, 37), "log1p": (39, 42), "log2": (30, 44),
    "sin": (68, 184), "cos": (64, 180), "tanh": (32, 44),
    "erf": (30, 62), "erfc": (64, 86), "pow": (80, 138),
    "sigmoid": (29, 35), "silu": (35, 41), "gelu_erf": (71, 93), "gelu_tanh": (56, 62),
    "tan": (50, 198), "asin": (29, 41), "acos": (37, 49), "atan": (29, 41), "atan2": (46, 57),
    "sinh": (53, 55), "cosh": (44, 42), "asinh": (68, 66), "acosh": (85, 83), "atanh": (65, 63),
    "log10": (35, 46),
    "lgamma": (157, 272), "digamma": (73, 91), "trigamma": (82, 87), "sinc": (28, 26),
    "erfcx": (84, 121), "erfinv": (52, 78), "ndtr": (70, 107), "ndtri": (50, 76),
    "log_ndtr": (78, 115), "logit": (7, 23), "entr": (9, 7),
    "i0": (71, 93), "i0e": (70, 92), "i1": (75, 97), "i1e": (74, 96),
    "k0": (78, 99), "k0e": (77, 98), "k1": (79, 100), "k1e": (78, 99),
    "j0": (124, 290), "j1": (135, 301), "y0": (130, 296), "y1": (135, 301),
    "spherical_j0": (76, 196), "airy_ai": (317, 370),
    "xlogy": (9, 6), "xlog1py": (9, 6), "logaddexp": (15, 12), "logaddexp2": (16, 13),
}  # fmt: skip


class Counter(Language):
    """Counts words; its values are nothing, so a body that looked at one would fail."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def constant(self, value: float, dtype: DType) -> Scalar:
        return Scalar(self, None, dtype)

    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        assert len(arguments) == (OPERATIONS | PRIMITIVES)[op]
        self.words.append(op)
        return Scalar(self, None, dtype)

    def check(self, bad: Scalar, code: str) -> None:
        raise AssertionError("an expansion never fails")


@pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("name", EXPANSIONS)
def test_cost(name: str, dtype: DType) -> None:
    language = Counter()
    arguments = [Scalar(language, None, dtype)] * (PRIMITIVES | COMPOUNDS | SPECIALS)[name]
    assert EXPANSIONS[name](*arguments).dtype is dtype
    assert len(language.words) <= COSTS[name][dtype is float64]
