"""Which operations describe how elements are spread? Variance and mean, from one kernel.

Both come of two sums in float64: of the distances of the elements from a number near them, the
pivot, and of their squares. Complex numbers have two sums for each of their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

from ....attributes.dtype import DType, float64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ....frames import warn_once
from ...frame.argument_values import AttributeValue
from ...frame.opspec import ReductionOp
from ...frame.overloads import is_array, no_such_form
from ...frame.reduction_fields import JointReduction, Scalars
from ...frame.reduction_rules import reduced_dims, reduced_shape
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved
from ...frame.rules import ALL_COMPLEX, FLOATS, check_dtype
from ...frame.schema import KEYWORD_ALIASES, Schema
from ...gradients.reductions import OF_MOMENTS
from ...scalars import scalar
from ...scalars.complexes import complex_of
from ...scalars.pairs import split
from ...scalars.scalar import Scalar

#: The order of the two sums: 16 lanes of each are four registers of 8 float64, eight of 4, and a
#: lane adds at most 512 elements before its block ends, as one of a sum does.
LANES, BLOCK = 16, 8192


def _parts(element: Scalar) -> tuple[Scalar, ...]:
    """Return an element, or the parts of a complex one, in float64."""
    parts = split(element) if element.dtype.is_complex else (element,)
    return tuple(scalar.cast(part, float64) for part in parts)


def _whole(parts: Sequence[Scalar]) -> Scalar:
    return parts[0] if len(parts) == 1 else complex_of(*parts)


def _pivot(first: Scalar, mean: Callable[[], Scalar]) -> Scalar:
    """Return what elements are compared with, a finite number.

    That of float64 is nearly the mean, so that the squares are no larger than they have to be. Of
    narrower floats it is the first element, which takes no second look at the others: the squares
    are at most as many times larger as there are elements, and float64 has 29 bits to spare. So
    it is where the sum for the mean overflows.
    """
    choices = [first, mean()] if first.dtype.to_real() is float64 else [first]
    pivot: list[Scalar] = [part.language.constant(0.0, float64) for part in _parts(first)]
    for choice in choices:
        pivot = [
            scalar.select((part - part).eq(0), part, other)
            for part, other in zip(_parts(choice), pivot, strict=True)
        ]
    return _whole(pivot)


def _enter(element: Scalar, pivot: Scalar) -> Scalars:
    """Return the distances of the parts of one element from the pivot, and their squares."""
    pairs = zip(_parts(element), _parts(pivot), strict=True)
    distances = tuple(part - middle for part, middle in pairs)
    return (*distances, *(distance * distance for distance in distances))


def _start(dtype: DType) -> tuple[float, ...]:
    return (0.0,) * (4 if dtype.is_complex else 2)


def _merge(earlier: Scalars, later: Scalars) -> Scalars:
    return tuple(a + b for a, b in zip(earlier, later, strict=True))


def _finish(
    total: Scalars,
    count: Callable[[DType], Scalar],
    pivot: Scalar,
    *,
    correction: float,
    **attributes: object,
) -> Scalars:
    """Return the variance and the mean; of no elements both are NaN.

    The squared distances from the mean are those from the pivot less what the mean is away from it.
    The variance of complex numbers is the sum of those of their parts, as in PyTorch: without
    freedom it is NaN if one part is the same everywhere.
    """
    half = len(total) // 2
    number = count(float64)
    freedom = scalar.select(number > correction, number - correction, 0.0)
    means: list[Scalar] = []
    variances: list[Scalar] = []
    for middle, distance, square in zip(_parts(pivot), total[:half], total[half:], strict=True):
        step = distance / number
        means.append(middle + step)
        # The squares of finite elements may be infinite: then nothing is left to be subtracted.
        excess = scalar.select((square - square).eq(0), distance * step, distance - distance)
        variances.append(scalar.maximum(square - excess, 0.0) / freedom)
    variance, *others = variances
    for other in others:
        variance = variance + other
    return variance, _whole(means)


#: What a row gives, of the variance and the mean.
_Chosen = Callable[[Scalar, Scalar], Scalars]


def _finish_as(
    chosen: _Chosen,
    total: Scalars,
    count: Callable[[DType], Scalar],
    pivot: Scalar,
    **attributes: Any,
) -> Scalars:
    return chosen(*_finish(total, count, pivot, **attributes))


def _resolve(
    row: ReductionOp, operands: Sequence[OperandSpec], attributes: Attributes, *, has_mean: bool
) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    dtype = operand.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        name = row.name if has_mean else "std and var"
        raise TrilithRuntimeError(f"{name} only support floating point and complex dtypes")
    given: Any = attributes["correction"]
    if isinstance(given, complex):
        raise TrilithRuntimeError("value cannot be converted to type double without overflow")
    dims = reduced_dims(attributes["dim"], operand.rank)
    keepdim = bool(attributes["keepdim"])
    shape = reduced_shape(operand.shape, dims, keepdim)
    correction = 1.0 if given is None else float(given)
    _check_dtype(dtype, is_whole=not has_mean and not shape and operand.numel > 0)
    if prod(operand.shape[dim] for dim in dims) <= correction:
        warn_once(
            f"{row.name}(): degrees of freedom is <= 0. Correction should be strictly less than "
            "the reduction factor (input numel divided by output numel)."
        )
    spread = TensorSpec.of(shape, dtype.to_real(), operand.device)
    mean = TensorSpec.of(shape, dtype, operand.device)
    canonical: dict[str, AttributeValue] = {
        "dim": dims,
        "correction": correction,
        "keepdim": keepdim,
    }
    return Resolved(canonical, (dtype,), spread, *([mean] if has_mean else []))


def _check_dtype(dtype: DType, *, is_whole: bool) -> None:
    """Refuse what PyTorch has no kernel for; that of all elements calls itself otherwise."""
    if is_whole and dtype.is_floating_point and dtype not in FLOATS:
        raise TrilithRuntimeError(f"std_var_all: Unsupported dtype {dtype.c_name}")
    check_dtype("var_mean", dtype, FLOATS | ALL_COMPLEX)


_FORMS = """
 * (Tensor input, tuple of ints dim, bool unbiased = True, bool keepdim = False)
 * (Tensor input, tuple of ints dim = None, *, Number correction = None, bool keepdim = False)
 * (Tensor input, bool unbiased = True)
"""


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Tell `unbiased`, which is a correction of 1 or 0, from dims."""
    named = {KEYWORD_ALIASES.get(key, key): value for key, value in keywords.items()}
    is_alone = len(arguments) == 2 and type(arguments[1]) is bool
    names = ("input", "unbiased") if is_alone else ("input", "dim", "unbiased", "keepdim")
    given = dict(zip(names, arguments, strict=False))
    is_clash = len(arguments) > len(names) or bool(given.keys() & named.keys())
    given |= named
    if is_clash or not _is_form(given):
        raise no_such_form(schema.name, arguments, keywords, _FORMS)
    if "unbiased" in given:
        given["correction"] = int(given.pop("unbiased"))
    return schema.bind((), given)


def _is_form(given: Mapping[str, Any]) -> bool:
    """Whether arguments are those of one of the forms."""
    others = given.keys() - {"input"}
    unbiased, dim = given.get("unbiased", True), given.get("dim")
    if others == {"unbiased"} or others >= {"dim", "unbiased"}:
        others -= {"unbiased"}
        is_known = others <= {"dim", "keepdim"} and type(unbiased) is bool
    else:
        is_known = others <= {"dim", "correction", "keepdim"}
    is_dim = dim is None or isinstance(dim, (tuple, list)) or _is_integer(dim)
    return is_known and is_dim and is_array(given.get("input"))


def _is_integer(value: object) -> bool:
    return hasattr(value, "spec") or (hasattr(value, "__index__") and not isinstance(value, bool))


#: Name -> what the row gives, in words and in scalars; whether the mean is there; an example.
_ROWS: Mapping[str, tuple[str, _Chosen, bool, str]] = {
    "var": (
        "The variance over dims",
        lambda variance, mean: (variance,),
        False,
        "tri.var(tri.tensor([1., 2., 4.]), correction=0)  # tensor(1.5556)",
    ),
    "std": (
        "The standard deviation over dims",
        lambda variance, mean: (scalar.sqrt(variance),),
        False,
        "tri.std(tri.tensor([1., 2., 4.]), correction=0)  # tensor(1.2472)",
    ),
    "var_mean": (
        "Variance and mean over dims",
        lambda variance, mean: (variance, mean),
        True,
        "tri.var_mean(tri.tensor([1., 2., 4.]), correction=0)  # (tensor(1.5556), tensor(2.3333))",
    ),
    "std_mean": (
        "Standard deviation and mean over dims",
        lambda variance, mean: (scalar.sqrt(variance), mean),
        True,
        "tri.std_mean(tri.tensor([1., 2., 4.]), correction=0)  # (tensor(1.2472), tensor(2.3333))",
    ),
}


def _overloads(*, has_out: bool) -> tuple[str, ...]:
    """Return PyTorch's signatures; those of means beside them have no `out`."""
    out = ", Tensor? out=None" if has_out else ""
    return (
        "Tensor input, int[]? dim, bool unbiased=True, bool keepdim=False"
        + (f", *{out}" if out else ""),
        f"Tensor input, int[]? dim=None, *, Number? correction=None, bool keepdim=False{out}",
        "Tensor input, bool unbiased=True",
    )


for _name, (_words, _chosen, _has_mean, _example) in _ROWS.items():
    TABLE.add(
        ReductionOp(
            f"{_name}(Tensor input, int[]? dim=None, *, Number? correction=None, "
            "bool keepdim=False)",
            f"{_words}; the squared distances are divided by the number of elements less the "
            "correction, which is 1 by default.",
            _example,
            methods=() if _has_mean else (_name,),
            binder=_bind,
            resolver=partial(_resolve, has_mean=_has_mean),
            combine=_name,
            gradient=OF_MOMENTS[_name],
            joint=JointReduction(
                start=_start,
                enter=_enter,
                merge=_merge,
                finish=partial(_finish_as, _chosen),
                pivot=_pivot,
            ),
            lanes=LANES,
            block=BLOCK,
            ulp=4.0,
            has_out=not _has_mean,
            returns="tuple[Tensor, Tensor]" if _has_mean else "Tensor",
            overloads=_overloads(has_out=not _has_mean),
            forms=(
                f"{_name}(Tensor input, int[]? dim=None, *, Number? correction=None, "
                "bool keepdim=False)",
                f"{_name}(Tensor input, int[]? dim, bool unbiased=True, bool keepdim=False)",
                f"{_name}(Tensor input, bool unbiased=True)",
            ),
        )
    )
