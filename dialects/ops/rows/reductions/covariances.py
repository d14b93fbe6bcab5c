"""Which operations say how variables go together? Covariances and correlations of rows."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import Category, bool_, int64
from ....diagnostics import TrilithRuntimeError
from ....frames import warn_once
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.opspec import composite
from ...frame.row import TABLE, TensorLanguage
from ...frame.view_rows import tensor_of


def _cov(
    t: ValueLanguage, input: Any, correction: int, fweights: Any | None, aweights: Any | None
) -> Any:
    spec = tensor_of(t, input)
    _check_input("cov", spec.rank)
    if spec.dtype is bool_:
        raise TrilithRuntimeError("cov(): bool dtype is not supported for input")
    rows = input if spec.rank == 2 else t.call("view", input, (1, -1 if spec.numel else 0))
    count = tensor_of(t, rows).shape[1]
    weights = _weights(t, count, fweights, aweights)
    if weights is None:
        total: Any = count
        weighted = rows
        freedom: Any = max(count - correction, 0)
        has_none = count <= correction
    else:
        total = t.call("sum", weights)
        if _holds(t, t.call("eq", total, 0)):
            raise TrilithRuntimeError("cov(): weights sum to zero, can't be normalized")
        weighted = t.call("mul", rows, weights)
        freedom = _freedom(t, total, weights, aweights, correction)
        has_none = _holds(t, t.call("le", freedom, 0))
        freedom = t.call("clamp_min", freedom, 0)
    if has_none:
        warn_once(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number "
            "of observations."
        )
    mean = t.call("true_divide", t.call("sum", weighted, 1), total)
    rows = t.call("sub", rows, t.call("unsqueeze", mean, 1))
    weighted = rows if weights is None else t.call("mul", rows, weights)
    product = t.call("matmul", rows, t.call("conj", t.call("t", weighted)))
    return t.call("squeeze", t.call("true_divide", product, freedom))


def _check_input(name: str, rank: int) -> None:
    if rank > 2:
        raise TrilithRuntimeError(
            f"{name}(): expected input to have two or fewer dimensions but got an input with "
            f"{rank} dimensions"
        )


def _holds(t: ValueLanguage, condition: Any) -> bool:
    """Whether a 0-dim condition holds; in a compiled function nothing is asked."""
    return bool(t.number(t.call("to", condition, int64)))


def _weights(t: ValueLanguage, count: int, fweights: Any, aweights: Any) -> Any:
    """Return the weight of each observation, None if there are none."""
    for name, given, kind in (
        ("fweights", fweights, Category.INTEGRAL),
        ("aweights", aweights, Category.FLOATING),
    ):
        if given is None:
            continue
        spec = tensor_of(t, given)
        if spec.rank > 1:
            raise TrilithRuntimeError(
                f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
                f"{spec.rank} dimensions"
            )
        if spec.dtype.category is not kind:
            word = "integral" if kind is Category.INTEGRAL else "floating point"
            raise TrilithRuntimeError(
                f"cov(): expected {name} to have {word} dtype but got {name} with "
                f"{spec.dtype.c_name} dtype"
            )
        if spec.numel != count:
            raise TrilithRuntimeError(
                f"cov(): expected {name} to have the same numel as there are observations in the "
                f"input but got {spec.numel} != {count}"
            )
        if count and not _are_positive(t, given):
            raise TrilithRuntimeError(f"cov(): {name} cannot be negative")
    if fweights is None or aweights is None:
        return aweights if fweights is None else fweights
    return t.call("mul", fweights, aweights)


def _are_positive(t: ValueLanguage, weights: Any) -> bool:
    least = t.number(t.call("to", t.call("ge", t.call("amin", weights), 0), int64))
    return least is None or bool(least)


def _freedom(t: TensorLanguage, total: Any, weights: Any, aweights: Any, correction: int) -> Any:
    if aweights is None or not correction:
        return t.call("sub", total, correction)
    squares = t.call("sum", t.call("mul", weights, aweights))
    lost = t.call("true_divide", t.call("mul", squares, correction), total)
    return t.call("sub", total, lost)


TABLE.add(
    HostOp(
        "cov(Tensor input, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None)",
        "The covariances of variables, the rows, over observations, which may have weights.",
        "tri.cov(tri.tensor([[0., 2., 4.], [3., 2., 1.]]))"
        "  # tensor([[ 4., -2.],\n#         [-2.,  1.]])",
        _cov,
        has_out=False,
    )
)


def _corrcoef(t: TensorLanguage, input: Any) -> Any:
    _check_input("corrcoef", tensor_of(t, input).rank)
    spread = t.call("cov", input)
    spec = tensor_of(t, spread)
    if not spec.rank:
        # NaN if it is 0, infinite or NaN, else 1.
        return t.call("true_divide", spread, spread)
    own = t.call("diagonal", spread)
    own = t.call("sqrt", t.call("real", own) if spec.dtype.is_complex else own)
    made = t.call("true_divide", spread, t.call("unsqueeze", own, 1))
    made = t.call("true_divide", made, t.call("unsqueeze", own, 0))
    if not spec.dtype.is_complex:
        return t.call("clamp", made, -1, 1)
    parts = [t.call("clamp", t.call(part, made), -1, 1) for part in ("real", "imag")]
    return t.call("view_as_complex", t.call("stack", parts, -1))


composite(
    "corrcoef(Tensor input)",
    "The correlations of variables, the rows: covariances of variables with variance 1.",
    "tri.corrcoef(tri.tensor([[0., 2., 4.], [3., 2., 1.]]))"
    "  # tensor([[ 1., -1.],\n#         [-1.,  1.]])",
    _corrcoef,
    has_out=False,
)
