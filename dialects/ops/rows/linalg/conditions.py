"""How far do errors grow in a matrix? The condition number, and the sum of singular values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.dtype import float64
from ....diagnostics import TrilithRuntimeError
from ....frames import warn_once
from ...frame.literals import check_fits
from ...frame.matrix_rules import PRECISE, square
from ...frame.opspec import composite
from ...frame.out_rules import expected_dtype, safely_castable
from ...frame.overloads import no_such_form
from ...frame.row import TensorLanguage
from ...frame.rules import check_dtype
from ...frame.schema import Schema
from .matrices import in_others, spec_of

#: The orders that are numbers.
_ORDERS = (1.0, -1.0, 2.0, -2.0, math.inf, -math.inf)


def _condition(t: TensorLanguage, input: Any, p: complex | str | None) -> Any:
    spec = spec_of(t, input)
    if isinstance(p, str):
        square(spec, f"linalg.cond(ord={p})")
    elif spec.rank < 2:
        raise TrilithRuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    order = _checked_order(p)
    if not spec.numel:
        dtype = spec.dtype.to_real()
        return t.call("zeros", spec.shape[:-2], dtype=dtype, device=spec.device)
    if order in (2.0, -2.0):
        return _of_singular_values(t, input, order)
    if isinstance(order, str):
        if order == "nuc":
            check_dtype("linalg_svd", spec.dtype, PRECISE)
    else:
        square(spec, f"linalg.cond(ord={_shown(p)})")
    inverse, info = t.call("linalg_inv_ex", input)
    is_singular = t.call("ne", info, 0)
    hole = t.call("unsqueeze", t.call("unsqueeze", is_singular, -1), -1)
    inverse = t.call("masked_fill", inverse, hole, 0.0)
    norms = [t.call("linalg_matrix_norm", each, order) for each in (input, inverse)]
    product = t.call("masked_fill", t.call("mul", *norms), is_singular, math.inf)
    # NaN is no condition either.
    return t.call("nan_to_num", product, math.inf, math.inf, -math.inf)


def _checked_order(p: complex | str | None) -> float | str:
    """Return the order of the norm, or refuse it."""
    if isinstance(p, complex):
        check_fits(p, float64)
    order = 2.0 if p is None else p if isinstance(p, str) else float(p.real)
    known: tuple[object, ...] = ("fro", "nuc") if isinstance(order, str) else _ORDERS
    if order not in known:
        shown = order if isinstance(order, str) else f"{order:g}"
        raise TrilithRuntimeError(f"linalg.cond got an invalid norm type: {shown}")
    return order


def _shown(order: Any) -> str:
    return f"{order:f}" if isinstance(order, float) else str(int(order))


def _of_singular_values(t: TensorLanguage, input: Any, order: float) -> Any:
    """Return the largest singular value over the smallest, or the reverse for order -2."""
    values = t.call("linalg_svdvals", input)
    last = spec_of(t, values).shape[-1] - 1
    largest, smallest = (t.call("narrow", values, -1, index, 1) for index in (0, last))
    pair = (largest, smallest) if order > 0 else (smallest, largest)
    return t.call("squeeze", t.call("true_divide", *pair), -1)


in_others(
    "linalg_cond(Tensor input, Order? p=None)",
    "The condition numbers of matrices by a norm: that of the matrix times that of its inverse.",
    "tri.linalg.cond(tri.tensor([[4., 0.], [0., 2.]]))  # tensor(2.)",
    _condition,
    places=("linalg.cond",),
    refuse_out=safely_castable("linalg.cond"),
)


def _nuclear_norm(t: TensorLanguage, input: Any, dim: tuple[int, ...] | None, keepdim: bool) -> Any:
    warn_once(
        "at::nuclear_norm is deprecated and it is just left for JIT compatibility. It will be "
        "removed in a future PyTorch release. Please use `linalg.matrix_norm(A, 'nuc', dim, "
        "keepdim)` instead"
    )
    dims = (-2, -1) if dim is None else dim
    return t.call("linalg_matrix_norm", input, "nuc", dims, keepdim)


_FORMS = """
 * (Tensor input, tuple of ints dim, bool keepdim = False, *, Tensor out = None)
 * (Tensor input, bool keepdim = False, *, Tensor out = None)
"""


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Tell `keepdim` alone from dims, of which one number stands for both."""
    if len(arguments) == 2 and type(arguments[1]) is bool:
        return schema.bind(arguments[:1], {"keepdim": arguments[1], **keywords})
    dim = arguments[1] if len(arguments) > 1 else keywords.get("dim", ())
    is_integer = hasattr(dim, "__index__") and not isinstance(dim, bool)
    if not is_integer and not isinstance(dim, (tuple, list)):
        raise no_such_form(schema.name, arguments, keywords, _FORMS)
    bound = schema.bind(arguments, keywords)
    if is_integer:
        bound["dim"] = (dim, dim)
    return bound


composite(
    "nuclear_norm(Tensor input, int[2]? dim=None, bool keepdim=False)",
    "The sums of the singular values of matrices.",
    "tri.linalg.matrix_norm(tri.tensor([[3., 0.], [0., 4.]]), 'nuc')  # tensor(7.)",
    _nuclear_norm,
    methods=(),
    has_out=True,
    binder=_bind,
    forms=(
        "nuclear_norm(Tensor input, int[] dim, bool keepdim=False)",
        "nuclear_norm(Tensor input, bool keepdim=False)",
    ),
    refuse_out=expected_dtype("linalg.matrix_norm"),
)
