"""Which operations count? arange, linspace, logspace, eye."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.default_dtype import get_default_complex_dtype, get_default_dtype
from ....attributes.dtype import DType, bool_, complex32, float4_e2m1fn_x2, float32, float64, int64
from ....attributes.layout import strided
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError, TrilithValueError
from ...frame.argument_values import is_number
from ...frame.gradients import CONSTANT
from ...frame.literals import check_fits
from ...frame.opspec import CreationOp
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import ARITHMETIC, CASTABLE, COMPLEX, WIDE_UNSIGNED, check_dtype
from ...frame.schema import Schema, parse_schema
from ...frame.writing import Writing
from ...scalars import scalar
from ...scalars.scalar import Scalar
from ..elementwise.conversion import convert
from .filled import OPTIONS, device_of, factory, fill_with, option_dtype


def _check_strided(name: str, layout: object) -> None:
    if layout is not None and layout is not strided:
        raise TrilithNotImplementedError(
            f"{name} of layout {layout} is not offered", hint="leave the layout out"
        )


# ---- arange


def _resolve_arange(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    start, end, step = (_real(attributes[name]) for name in ("start", "end", "step"))
    dtype = attributes["dtype"]
    if not isinstance(dtype, DType):
        is_float = any(isinstance(number, float) for number in (start, end, step))
        dtype = get_default_dtype() if is_float else int64
    check_dtype("arange", dtype, ARITHMETIC - {bool_})
    device = device_of(attributes)
    result = TensorSpec.of((_length(start, end, step, dtype),), dtype, device)
    return Resolved(dict(attributes) | {"dtype": dtype, "device": device}, (), result)


def _real(number: object) -> int | float:
    if isinstance(number, complex):
        check_fits(number, float64)
        return number.real
    assert isinstance(number, (int, float))
    return number


def _is_finite(number: float) -> bool:
    return isinstance(number, int) or math.isfinite(number)


def _cut(number: float) -> int:
    """Return a number cut to an integer; a size that is one stays what it is."""
    return number if isinstance(number, int) else int(number)


def _length(start: float, end: float, step: float, dtype: DType) -> int:
    """Return how many elements there are, after refusing bounds that cannot be."""
    if step == 0:
        raise TrilithRuntimeError("step must be nonzero")
    if not (_is_finite(start) and _is_finite(end)):
        raise TrilithRuntimeError(f"unsupported range: {start} -> {end}")
    if (step > 0) != (end >= start) and end != start:
        raise TrilithRuntimeError("upper bound and lower bound inconsistent with step sign")
    if not dtype.is_floating_point:
        for number in (start, end, step):
            check_fits(number, int64)
        if dtype is int64:
            # Of int64 alone PyTorch counts with the numbers cut to integers.
            start, end, step = _cut(start), _cut(end), _cut(step)
            if not step:
                raise TrilithValueError("step must be nonzero")
    if isinstance(start, int) and isinstance(end, int) and isinstance(step, int):
        length = -((start - end) // step)
    else:
        length = math.ceil((end - start) / step)
    if not 0 <= length < 2**63:
        raise TrilithRuntimeError("invalid size, possible overflow?")
    return length


def _counting_dtype(dtype: DType) -> DType:
    """Return what is counted in: int64 for integers, float32 for 16-bit floats, else float64."""
    return (float32 if dtype.itemsize == 2 else float64) if dtype.is_floating_point else int64


def _numbers(attributes: Attributes) -> dict[str, tuple[float, DType]]:
    """Return start and step, unless they are 0 and 1; integer dtypes cut them."""
    dtype = attributes["dtype"]
    assert isinstance(dtype, DType)
    start, step = (_real(attributes[name]) for name in ("start", "step"))
    kind = float if dtype.is_floating_point else _cut
    start, step = kind(start), kind(step)
    if start == 0 and step == 1:
        return {}
    counting = _counting_dtype(dtype)
    return {"start": (start, counting), "step": (step, counting)}


def _count(
    index: Scalar, dtype: DType, start: Scalar | None = None, step: Scalar | None = None
) -> Scalar:
    """Start + step * index."""
    position = scalar.cast(index, _counting_dtype(dtype))
    if start is not None and step is not None:
        position = position * step + start
    return convert(position, dtype)


TABLE.add(
    CreationOp(
        "range_of(Number start, Number end, Number step, *, dtype? dtype=None, "
        "device? device=None)",
        "start, start + step, ... below end: what arange becomes.",
        "tri.arange(1, 7, 2)  # tensor([1, 3, 5])",
        methods=(),
        resolver=_resolve_arange,
        body=_count,
        numbers=_numbers,
        is_public=False,
        gradient=CONSTANT,
    )
)


_WITH_END = parse_schema(f"arange(Number end, {OPTIONS})")


def _bind_arange(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Tell `arange(end)` from `arange(start, end, step)`."""
    names = {"start", "end"} & set(keywords)
    is_end_alone = names == {"end"} if not arguments else len(arguments) == 1 and not names
    if not is_end_alone or "step" in keywords:
        return schema.bind(arguments, keywords)
    return {"start": 0, "step": 1, **_WITH_END.bind(arguments, keywords)}


def _arange(t: TensorLanguage, start: float, end: float | None, step: float, **options: Any) -> Any:
    _check_strided("arange", options["layout"])
    if end is None:
        start, end = 0, start
    if options["dtype"] is not None or options["pin_memory"]:
        option_dtype(options)
    return t.call("range_of", start, end, step, dtype=options["dtype"], device=options["device"])


def _resized(out: TensorSpec, result: TensorSpec) -> str:
    if out.numel == result.numel:
        return ""
    return (
        f"The number of elements in the out tensor of shape {list(out.shape)} is {out.numel} "
        f"which does not match the computed number of elements {result.numel}. Note that this "
        "may occur as a result of rounding error. The out tensor will be resized to a tensor "
        f"of shape ({result.numel},)."
    )


factory(
    f"arange(Number start, Number? end=None, Number step=1, {OPTIONS})",
    "start, start + step, ... below end; `arange(end)` starts at 0.",
    "tri.arange(3)  # tensor([0, 1, 2])",
    _arange,
    binder=_bind_arange,
    opens_integers=True,
    has_out=True,
    writing=Writing(resized=_resized),
)

# ---- linspace and logspace


def _spaced_dtype(name: str, specs: Sequence[OperandSpec], options: Mapping[str, Any]) -> DType:
    """Return the dtype of linspace and logspace: the default one, or its complex partner."""
    asked: DType | None = options["dtype"]
    if any(spec.dtype.is_complex for spec in specs):
        default = get_default_complex_dtype()
        if asked is not None and not asked.is_complex:
            part = {complex32: "c10::Half", float64.to_complex(): "double"}.get(default, "float")
            raise TrilithRuntimeError(
                f"trilith.{name}(): inferred dtype c10::complex<{part}> can't be safely cast to "
                f"passed dtype {asked.c_name}"
            )
        return option_dtype(options, default)
    return option_dtype(options)


def _check_bounds(bound: Mapping[str, Any]) -> None:
    """Check that the dtype holds both bounds, or the one that is the only element."""
    pair = (bound["start"], bound["end"]) if bound["steps"] > 1 else (bound["start"],)
    dtype = bound["dtype"] or get_default_dtype()
    if any(isinstance(value, complex) for value in pair) or bound["steps"] < 1:
        return
    for value in pair:
        if is_number(value):
            check_fits(value, dtype, narrow_floats=bound["steps"] > 1)


def _check_spaced(
    t: TensorLanguage, name: str, start: Any, end: Any, steps: int
) -> tuple[OperandSpec, OperandSpec]:
    specs = t.spec(start), t.spec(end)
    ranks = [spec.rank if isinstance(spec, TensorSpec) else 0 for spec in specs]
    if any(ranks):
        raise TrilithRuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got start with "
            f"{ranks[0]} dimension(s) and end with {ranks[1]} dimension(s)."
        )
    if steps < 0:
        raise TrilithRuntimeError("number of steps must be non-negative")
    return specs


def _bound(t: TensorLanguage, value: Any, dtype: DType, device: Any) -> Any:
    """Return a bound as a 0-dim tensor of the dtype."""
    return fill_with(t, (), value, dtype=dtype, device=device)


def _spaced(
    t: TensorLanguage, bounds: tuple[Any, Any], steps: int, dtype: DType, work: DType, device: Any
) -> Any:
    """Count from the start in the first half and back from the end in the second, as PyTorch does.

    The bounds are numbers of the dtype, and what lies between them is rounded in `work`.
    """
    first, last = (_bound(t, value, dtype, device) for value in bounds)
    if work is not dtype:
        first, last = t.call("cast", first, work), t.call("cast", last, work)
    step = t.call("true_divide", t.call("sub", last, first), steps - 1)
    index = t.call("range_of", 0, steps, 1, dtype=work.to_real(), device=device)
    places = t.call("range_of", 0, steps, 1, dtype=int64, device=device)
    # Of integers: the number of steps, which may be any, is an operand here.
    back = t.call("cast", t.call("rsub", places, steps - 1), work.to_real())
    forwards = t.call("add", first, t.call("mul", step, index))
    backwards = t.call("sub", last, t.call("mul", step, back))
    return t.call("where", t.call("lt", places, steps // 2), forwards, backwards)


def _linspace(t: TensorLanguage, start: Any, end: Any, steps: int, **options: Any) -> Any:
    _check_strided("linspace", options["layout"])
    specs = _check_spaced(t, "linspace", start, end, steps)
    dtype = _spaced_dtype("linspace", specs, options)
    device = options["device"]
    if steps < 2:
        return fill_with(t, (steps,), start, dtype=dtype, device=device)
    check_dtype("linspace", dtype, (ARITHMETIC - {bool_}) | COMPLEX)
    work = dtype if dtype.is_floating_point or dtype.is_complex else float64
    result = _spaced(t, (start, end), steps, dtype, work, device)
    spec = t.spec(result)
    return result if spec.dtype is dtype else t.call("cast", result, dtype)


def _logspace(
    t: TensorLanguage, start: Any, end: Any, steps: int, base: float, **options: Any
) -> Any:
    _check_strided("logspace", options["layout"])
    specs = _check_spaced(t, "logspace", start, end, steps)
    dtype = _spaced_dtype("logspace", specs, options)
    device = options["device"]
    check_dtype("logspace", dtype, (ARITHMETIC - {bool_}) | COMPLEX)
    if steps == 1:
        exact = dtype if dtype.is_complex else float64
        exponents = fill_with(t, (1,), start, dtype=exact, device=device)
    elif steps:
        # Exponents of 16 bits and of integers are not rounded to them.
        is_wide = dtype.is_complex or dtype is float32
        work = dtype if is_wide else float64
        exponents = _spaced(t, (start, end), steps, dtype, work, device)
    else:
        return fill_with(t, (0,), 0, dtype=dtype, device=device)
    work = dtype if dtype.is_complex else float64
    power = t.call("pow", float(base), t.call("cast", exponents, work))
    return t.call("cast", power, dtype)


factory(
    f"linspace(Operand start, Operand end, SymInt steps, {OPTIONS})",
    "`steps` numbers at equal distances from start to end, both included.",
    "tri.linspace(0, 1, 5)  # tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])",
    _linspace,
    check_numbers=_check_bounds,
    has_out=True,
)
factory(
    f"logspace(Operand start, Operand end, SymInt steps, float base=10.0, {OPTIONS})",
    "Powers of `base` whose exponents are at equal distances from start to end.",
    "tri.logspace(0, 2, 3)  # tensor([  1.,  10., 100.])",
    _logspace,
    check_numbers=_check_bounds,
    has_out=True,
)

# ---- eye

_EYE = (CASTABLE - WIDE_UNSIGNED - {complex32, float4_e2m1fn_x2}) | COMPLEX


def _eye(t: TensorLanguage, n: int, m: int | None, **options: Any) -> Any:
    _check_strided("eye", options["layout"])
    m = n if m is None else m
    for name, size in (("n", n), ("m", m)):
        if size < 0:
            raise TrilithRuntimeError(f"{name} must be greater or equal to 0, got {size}")
    dtype = option_dtype(options)
    check_dtype("eye", dtype, _EYE)
    if not (n and m):
        return fill_with(t, (n, m), 0, dtype=dtype, device=options["device"])
    rows, columns = (
        t.call("range_of", 0, size, 1, dtype=int64, device=options["device"]) for size in (n, m)
    )
    is_diagonal = t.call("eq", t.call("unsqueeze", rows, 1), columns)
    return is_diagonal if dtype is bool_ else t.call("cast", is_diagonal, dtype)


factory(
    f"eye(SymInt n, SymInt? m=None, {OPTIONS})",
    "Ones on the diagonal of an n x m matrix of zeros.",
    "tri.eye(2)  # tensor([[1., 0.],\n#         [0., 1.]])",
    _eye,
    has_out=True,
)
