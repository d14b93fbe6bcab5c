"""How is a program drawn that has gradients? As those of values are, but of smooth float64 values.

Inputs lie between -2 and 2, or where the rows that read them are defined, and have few elements.
Masks and indices may be drawn beside them; floats of fewer bits may not, nor what PyTorch has no
derivative of.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..values.drawing import DTYPES, Drawer
from ..values.oracle.evaluation import Several, Value
from ..values.oracle.semantics import FLOATS, Invalid, Shape
from ..values.program import Input, Program, Ref, Step

#: Elements of an input at most, and the sizes of its dims.
LIMIT, SIZES = 48, (1, 2, 2, 3, 3, 4, 5, 7)
#: Where inputs lie.
LOW, HIGH = -2.0, 2.0
KINDS = ("uniform",)
#: Rows of which PyTorch has no derivative: it raises, or says that their results have none.
WITHOUT_DERIVATIVE = frozenset(
    "detach_copy floor_divide heaviside nextafter special_zeta special_airy_ai special_bessel_j0 "
    "special_bessel_j1 special_bessel_y0 special_bessel_y1 special_chebyshev_polynomial_t "
    "special_chebyshev_polynomial_u special_chebyshev_polynomial_v special_chebyshev_polynomial_w "
    "special_hermite_polynomial_h special_hermite_polynomial_he special_laguerre_polynomial_l "
    "special_legendre_polynomial_p special_modified_bessel_i0 special_modified_bessel_i1 "
    "special_modified_bessel_k0 special_modified_bessel_k1 special_scaled_modified_bessel_k0 "
    "special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t "
    "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
    "special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0".split()
)


class SmoothDrawer(Drawer):
    """Draws one program with gradients."""

    def __init__(self, random: Random, operation: str | None = None) -> None:
        super().__init__(random, operation)
        self.limit, self.sizes = LIMIT, SIZES
        self.rank = min(self.rank, 4)

    def call(self, operation: str) -> Step:
        """Return a call of an operation that has a derivative, where it is the slope.

        With one tensor for both bounds, clamp gives that tensor, and PyTorch no gradient for it.
        """
        if operation in WITHOUT_DERIVATIVE:
            raise Invalid("no derivative")
        step = super().call(operation)
        if operation == "clamp" and len(set(step.arguments[1:])) < len(step.arguments[1:]):
            raise Invalid("one tensor as both bounds")
        if "keepdim" in dict(step.keywords) and "dim" not in dict(step.keywords):
            raise Invalid("PyTorch has no keepdim without a dim, and is to take programs, too")
        return step

    def tensor(
        self,
        dtypes: Sequence[str] = DTYPES,
        shape: Shape | None = None,
        rank: int | None = None,
        domain: tuple[float, float] | None = None,
        kinds: Sequence[str] = KINDS,
    ) -> Ref:
        """Return a value of the program or a new input: float64 where that is taken."""
        dtypes = ("float64",) if "float64" in dtypes else dtypes
        return super().tensor(dtypes, shape, rank, domain, kinds)

    def new_input(
        self,
        dtypes: Sequence[str],
        shape: Shape | None,
        rank: int | None = None,
        domain: tuple[float, float] | None = None,
        kinds: Sequence[str] = KINDS,
    ) -> Ref:
        """Add an input: float64 where that is taken."""
        if "float64" in dtypes:
            low, high = domain or (LOW, HIGH)
            dtypes, kinds, domain = ("float64",), KINDS, (max(low, LOW), min(high, HIGH))
        return super().new_input(dtypes, shape, rank, domain, kinds)

    def _evaluate(self, name: str, step: Step) -> Value | Several | None:
        value = super()._evaluate(name, step)
        if value is None:
            raise Invalid("a program that must raise has no gradients")
        parts = value.parts if isinstance(value, Several) else (value,)
        if any(part.dtype in FLOATS and part.dtype != "float64" for part in parts):
            raise Invalid("rounded to fewer bits")
        if "dtype" in dict(step.keywords) and parts[0].dtype not in FLOATS:
            raise Invalid("PyTorch records what it cannot differentiate")
        return value


def differentiated(program: Program) -> list[str]:
    """Return the names of the inputs that gradients are taken of."""
    return [
        name
        for name, made in program.inputs.items()
        if isinstance(made, Input) and made.dtype == "float64" and 0 not in made.shape
    ]


def draw_program(seed: object, number: int, operation: str | None = None) -> Program:
    """Return program `number` of a seed that has an input to differentiate by."""
    random = Random(f"gradients {seed}:{number}:{operation or ''}")
    while True:
        program = SmoothDrawer(random, operation).draw()
        if program.steps and differentiated(program):
            return program
