"""Which range holds its end? `range`, which PyTorch has given up for arange."""

from __future__ import annotations

import math
from typing import Any

from ....attributes.default_dtype import get_default_dtype
from ....attributes.dtype import DType, bool_, float32, float64, int64
from ....diagnostics import TrilithRuntimeError
from ....frames import warn_user
from ...frame.literals import check_fits
from ...frame.row import TensorLanguage
from ...frame.rules import ARITHMETIC, check_dtype
from .filled import OPTIONS, check_layout, factory, option_dtype


def _range(t: TensorLanguage, start: Any, end: Any, step: Any, **options: Any) -> Any:
    warn_user(
        "trilith.range is deprecated and will be removed in a future release because its behavior "
        "is inconsistent with Python's range builtin. Instead, use trilith.arange, which produces "
        "values in [start, end)."
    )
    check_layout("range", options["layout"])
    dtype = option_dtype(options, get_default_dtype())
    check_dtype("range", dtype, ARITHMETIC - {bool_})
    start, end, step = (_real(number) for number in (start, end, step))
    _check(start, end, step)
    work = _counting_dtype(dtype)
    if work is int64:
        start, end, step = int(start), int(end), int(step)
        _check(start, end, step)
    count = _count(start, end, step)
    places = t.call("range_of", 0, count, 1, dtype=work, device=options["device"])
    values = t.call("add", t.call("mul", places, step), start)
    return t.call("to", values, dtype)


def _real(number: Any) -> Any:
    check_fits(number, float64)
    return number.real


def _counting_dtype(dtype: DType) -> DType:
    if not dtype.is_floating_point:
        return int64
    return float32 if dtype.itemsize == 2 else float64


def _check(start: float, end: float, step: float) -> None:
    if step == 0:
        raise TrilithRuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise TrilithRuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (step > 0) != (end >= start) and end != start:
        raise TrilithRuntimeError("upper bound and lower bound inconsistent with step sign")


def _count(start: float, end: float, step: float) -> int:
    """Return how many steps there are from start to end, both included."""
    if all(isinstance(number, int) for number in (start, end, step)):
        return int((end - start) // step) + 1
    return int((float(end) - float(start)) / float(step)) + 1


factory(
    f"range(Number start, Number end, Number step=1, {OPTIONS})",
    "start, start + step, ... up to end, which is one of them: what arange was.",
    "tri.arange(1, 4)  # tensor([1, 2, 3])",
    _range,
    opens_integers=True,
    has_out=True,
)
