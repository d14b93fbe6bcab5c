"""Which orthogonal polynomials have no closed form? Those of Hermite, Laguerre and Legendre.

Their values follow one from the other, in as many steps as the degree says, which is an element of
a tensor. No kernel has such a loop: they are computed on the host. Chebyshev's have a closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ....attributes.dtype import DType, float32, float64
from ....attributes.spec import ScalarSpec, TensorSpec
from ...frame.gradients import CONSTANT
from ...frame.host_bodies import HostBodyOp
from ...frame.mapped import elementwise
from ...frame.opspec import composite
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import (
    broadcast,
    check_dtype,
    common_device,
    elementwise_strides,
    int_to_float,
    of_tensors,
)


def _resolve(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    dtypes, dtype = int_to_float(operands, {})
    shape = broadcast(operands)
    strides = elementwise_strides(shape, operands, dtypes)
    result = TensorSpec.of(shape, dtype, common_device(operands), strides)
    return Resolved(dict(attributes), dtypes, result)


TABLE.add(
    HostBodyOp(
        "polynomial_of_degree(Tensor x, Tensor n, str kind)",
        "Orthogonal polynomials of a kind and of degrees, elementwise, in as many steps.",
        "tri.special.legendre_polynomial_p(tri.tensor([0.5]), 2)  # tensor([-0.1250])",
        resolver=_resolve,
        body="recurrences:polynomial",
        methods=(),
        is_public=False,
        has_out=False,
        mapping=elementwise,
        gradient=CONSTANT,
    )
)


def _polynomial(t: TensorLanguage, x: Any, n: Any, *, name: str, kind: str) -> Any:
    promotion = of_tensors(f"special_{name}", int_to_float)
    _, dtype = promotion([t.spec(x), t.spec(n)], {})
    check_dtype(f"special_{name}", dtype, frozenset({float32, float64}))
    x, n = (_as_tensor(t, value, dtype) for value in (x, n))
    return t.call("polynomial_of_degree", x, n, kind)


def _as_tensor(t: TensorLanguage, value: Any, dtype: DType) -> Any:
    """Return a number as a tensor without dims."""
    if isinstance(t.spec(value), ScalarSpec):
        return t.call("full", (), value, dtype=dtype)
    return value


def _of_kind(name: str, kind: str) -> Callable[..., Any]:
    return partial(_polynomial, name=name, kind=kind)


for _kind, _whose, _value in (
    ("hermite_h", "Hermite's polynomial of physics", "40."),
    ("hermite_he", "Hermite's polynomial of probability", "2."),
    ("laguerre_l", "Laguerre's polynomial", "-0.3333"),
    ("legendre_p", "Legendre's polynomial", "17."),
):
    _first, _, _last = _kind.partition("_")
    _name = f"{_first}_polynomial_{_last}"
    composite(
        f"special_{_name}(Operand x, Operand n)",
        f"{_whose} of degree n, elementwise.",
        f"tri.special.{_name}(tri.tensor([2.]), 3)  # tensor([{_value}])",
        _of_kind(_name, _kind),
        methods=(),
        is_public=False,
        has_out=True,
        places=(f"special.{_name}",),
    )
