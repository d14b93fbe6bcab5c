"""How is an elementwise row written? What fills one in, and takes one or two operands.

The fields are those of `ElementwiseOp`; what most rows promote by, take and resolve with is here.
"""

from __future__ import annotations

from functools import partial

from .opspec import ElementwiseOp
from .row import registering
from .rules import ARITHMETIC, promote, resolve_elementwise

#: An elementwise row as most are.
USUAL = partial(ElementwiseOp, promotion=promote, accepts=ARITHMETIC, resolver=resolve_elementwise)

#: Adds an elementwise row.
elementwise = registering(USUAL)
#: Adds the row of `name(input)`.
unary = registering(USUAL, "%s(Tensor input)")
#: Adds the row of `name(input, other)`, whose operands may be Python numbers.
binary = registering(USUAL, "%s(Operand input, Operand other)")
