"""What the expansions are made of: words of the language only, and no more of them than agreed."""

import pytest

from trilith.dialects.attributes.dtype import DType, float32, float64
from trilith.dialects.ops.scalars.expansions.registry import EXPANSIONS
from trilith.dialects.ops.scalars.scalar import COMPOUNDS, OPERATIONS, PRIMITIVES, Language, Scalar

#: Function -> number of words in float32 and in float64: what a fused kernel pays.
COSTS = {
    "exp": (26, 32), "exp2": (24, 30), "expm1": (26, 31),
    "log": (34, 37), "log1p": (39, 42), "log2": (30, 44),
    "sin": (49, 172), "cos": (45, 168), "tanh": (32, 44),
    "erf": (30, 62), "erfc": (64, 86), "pow": (79, 138),
    "sigmoid": (29, 35), "silu": (35, 41), "gelu_erf": (71, 93), "gelu_tanh": (56, 62),
    "tan": (47, 186), "asin": (29, 41), "acos": (37, 49), "atan": (29, 41), "atan2": (46, 57),
    "sinh": (53, 55), "cosh": (44, 42), "asinh": (68, 66), "acosh": (85, 83), "atanh": (65, 63),
    "log10": (35, 46),
}  # fmt: skip


class Counter(Language):
    """Counts words; its values are nothing, so a body that looked at one would fail."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def constant(self, value: float, dtype: DType) -> Scalar:
        return Scalar(self, None, dtype)

    def apply(self, op: str, arguments: tuple[Scalar, ...], dtype: DType) -> Scalar:
        assert len(arguments) == OPERATIONS[op]
        self.words.append(op)
        return Scalar(self, None, dtype)

    def check(self, bad: Scalar, code: str) -> None:
        raise AssertionError("an expansion never fails")


@pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("name", EXPANSIONS)
def test_cost(name: str, dtype: DType) -> None:
    language = Counter()
    arguments = [Scalar(language, None, dtype)] * (PRIMITIVES | COMPOUNDS)[name]
    assert EXPANSIONS[name](*arguments).dtype is dtype
    assert len(language.words) <= COSTS[name][dtype is float64]
