"""Are results as expected? `assert_close`, as in `torch.testing`."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from .dialects.attributes import dtype as dtypes
from .dialects.attributes.dtype import DType
from .dialects.attributes.layout import strided
from .dialects.attributes.promotion import promote_types
from .dialects.records import record
from .runtime.tensors.construction import as_tensor
from .runtime.tensors.missing import missing_function
from .runtime.tensors.tensor import Tensor

__all__ = ["assert_close"]

#: By how much results of a dtype may differ: relatively, and absolutely. All others are equal.
_TOLERANCES: dict[DType, tuple[float, float]] = {
    dtypes.float16: (0.001, 1e-5),
    dtypes.bfloat16: (0.016, 1e-5),
    dtypes.float32: (1.3e-6, 1e-5),
    dtypes.float64: (1e-7, 1e-7),
    dtypes.complex32: (0.001, 1e-5),
    dtypes.complex64: (1.3e-6, 1e-5),
    dtypes.complex128: (1e-7, 1e-7),
}
_NUMBERS: dict[type, DType] = {
    bool: dtypes.int64,
    int: dtypes.int64,
    float: dtypes.float64,
    complex: dtypes.complex128,
}
#: Wide unsigned integers are compared as int64.
_WIDE = (dtypes.uint16, dtypes.uint32, dtypes.uint64)

#: What `msg` may be: the text, or what makes it of the text that there would be.
Message = str | Callable[[str], str] | None
#: Where an item stands in what is compared.
Place = tuple[Any, ...]


class _Different(Exception):
    """Two items are not alike."""

    def __init__(self, text: str, place: Place, kind: type[Exception] = AssertionError) -> None:
        super().__init__(text)
        self.text = text
        self.place = place
        self.kind = kind

    def error(self, msg: Message = None) -> Exception:
        """Return the error that the user reads."""
        if isinstance(msg, str):
            return self.kind(msg)
        text = self.text
        if self.place:
            where = "".join(f"[{key!r}]" for key in self.place)
            text = f"{text}\n\nThe failure occurred for item {where}"
        return self.kind(text if msg is None else msg(text))


@record
class _Options:
    """How close, and what else is compared."""

    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_device: bool
    check_dtype: bool
    check_layout: bool
    check_stride: bool
    allow_subclasses: bool

    def tolerances(self, kinds: Sequence[DType], place: Place) -> tuple[float, float]:
        """Return those that are asked for, or the looser ones of two dtypes."""
        if self.rtol is not None and self.atol is not None:
            return self.rtol, self.atol
        if (self.rtol is None) != (self.atol is None):
            missing = "rtol" if self.rtol is None else "atol"
            text = (
                f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}."
            )
            raise _Different(text, place, ValueError)
        known = [_TOLERANCES.get(kind, (0.0, 0.0)) for kind in kinds]
        return max(each[0] for each in known), max(each[1] for each in known)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: Message = None,
) -> None:
    """Raise an AssertionError unless tensors, numbers, or lists and dicts of them, are close.

    >>> import trilith as tri
    >>> assert_close(tri.tensor([1.0, 2.0]), tri.tensor([1.0, 2.000001]))
    >>> assert_close(tri.tensor([1.0, 2.0]), tri.tensor([1.0, 2.5]))
    Traceback (most recent call last):
        ...
    AssertionError: Tensor-likes are not close!
    <BLANKLINE>
    Mismatched elements: 1 / 2 (50.0%)
    Greatest absolute difference: 0.5 at index (1,) (up to 1e-05 allowed)
    Greatest relative difference: 0.20000000298023224 at index (1,) (up to 1.3e-06 allowed)
    """
    __tracebackhide__ = True
    options = _Options(
        *(rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride),
        allow_subclasses,
    )
    try:
        checks = list(_checks(actual, expected, (), options))
    except _Different as different:
        raise different.error() from None
    try:
        for check in checks:
            check()
    except _Different as different:
        raise different.error(msg) from None


def _checks(
    actual: Any, expected: Any, place: Place, options: _Options
) -> Iterator[Callable[[], None]]:
    """Take both apart, and return what compares the items."""
    both = actual, expected
    if all(isinstance(item, Sequence) and not isinstance(item, str) for item in both):
        if len(actual) != len(expected):
            counts = f"{len(actual)} != {len(expected)}"
            raise _Different(f"The length of the sequences mismatch: {counts}", place)
        for number, (first, second) in enumerate(zip(actual, expected, strict=True)):
            yield from _checks(first, second, (*place, number), options)
    elif all(isinstance(item, Mapping) for item in both):
        for key in _keys(actual, expected, place):
            yield from _checks(actual[key], expected[key], (*place, key), options)
    else:
        yield _check(actual, expected, place, options)


def _keys(actual: Mapping[Any, Any], expected: Mapping[Any, Any], place: Place) -> list[Any]:
    first, second = set(actual), set(expected)
    if first != second:
        text = (
            "The keys of the mappings do not match:\n"
            f"Missing keys in the actual mapping: {sorted(second - first)}\n"
            f"Additional keys in the actual mapping: {sorted(first - second)}"
        )
        raise _Different(text, place)
    try:
        return sorted(first)
    except TypeError:
        return list(first)


def _check(actual: Any, expected: Any, place: Place, options: _Options) -> Callable[[], None]:
    """Return what compares two items."""
    both = actual, expected
    if actual is None or expected is None:
        return partial(_compare_same, "None", actual, expected, place)
    if all(isinstance(item, (bool, np.bool_)) for item in both):
        return partial(_compare_same, "Booleans", bool(actual), bool(expected), place)
    if all(isinstance(item, (int, float, complex, np.number)) for item in both):
        first, second = (_number(item) for item in both)
        limits = options.tolerances([_NUMBERS[type(first)], _NUMBERS[type(second)]], place)
        return partial(_compare_numbers, first, second, limits, place, options)
    tensors = _tensors(actual, expected, options)
    if tensors is None:
        text = (
            f"No comparison pair was able to handle inputs of type {type(actual)} and "
            f"{type(expected)}."
        )
        raise _Different(text, place, TypeError)
    first, second = tensors
    limits = options.tolerances([first.dtype, second.dtype], place)
    return partial(_compare_tensors, first, second, limits, place, options)


def _number(value: Any) -> Any:
    return cast("Any", value).item() if isinstance(value, np.number) else value


def _tensors(actual: Any, expected: Any, options: _Options) -> list[Any] | None:
    """Return both as tensors, if they are of one kind and can be."""
    if not (isinstance(actual, type(expected)) or isinstance(expected, type(actual))):
        return None
    if not options.allow_subclasses and type(actual) is not type(expected):
        return None
    try:
        return [
            item if isinstance(item, Tensor) else as_tensor(item) for item in (actual, expected)
        ]
    except (TypeError, ValueError, RuntimeError):
        return None


def _compare_same(what: str, actual: Any, expected: Any, place: Place) -> None:
    if actual is not expected:
        noun = f"{what} mismatch"
        raise _Different(f"{noun}: {actual} is not {expected}", place)


def _compare_numbers(
    actual: Any, expected: Any, tolerances: tuple[float, float], place: Place, options: _Options
) -> None:
    if options.check_dtype and type(actual) is not type(expected):
        kinds = f"{type(actual)} != {type(expected)}"
        raise _Different(f"The (d)types do not match: {kinds}.", place)
    if actual == expected:
        return
    if options.equal_nan and cmath.isnan(actual) and cmath.isnan(expected):
        return
    rtol, atol = tolerances
    difference = abs(actual - expected)
    if cmath.isfinite(difference) and difference <= atol + rtol * abs(expected):
        return
    raise _Different(_of_numbers("Scalars", actual, expected, tolerances), place)


def _compare_tensors(
    actual: Any, expected: Any, tolerances: tuple[float, float], place: Place, options: _Options
) -> None:
    for name, first, second in _attributes(actual, expected, options):
        if first != second:
            text = f"The values for attribute '{name}' do not match: {first} != {second}."
            raise _Different(text, place)
    if "meta" in (actual.device.type, expected.device.type):
        return
    actual, expected = _alike(actual.detach(), expected.detach())
    for name, first, second, limits in _parts(actual, expected, tolerances, place):
        _compare_elements(name, (first, second), limits, place, options)


def _attributes(
    actual: Any, expected: Any, options: _Options
) -> Iterator[tuple[str, object, object]]:
    """Return what must be the same of two tensors."""
    yield "shape", actual.shape, expected.shape
    if options.check_layout:
        yield "layout", actual.layout, expected.layout
    are_strided = actual.layout is strided and expected.layout is strided
    if are_strided and options.check_stride:
        yield "stride()", actual.stride(), expected.stride()
    if options.check_device:
        yield "device", actual.device, expected.device
    if options.check_dtype:
        yield "dtype", actual.dtype, expected.dtype


def _alike(actual: Any, expected: Any) -> tuple[Any, Any]:
    """Return two tensors on one device, of one dtype and one layout."""
    if actual.device != expected.device:
        actual, expected = actual.cpu(), expected.cpu()
    if actual.dtype != expected.dtype:
        kinds = [dtypes.int64 if each.dtype in _WIDE else each.dtype for each in (actual, expected)]
        common = promote_types(*kinds)
        actual, expected = actual.to(common), expected.to(common)
    if actual.layout != expected.layout:
        actual, expected = actual.to_dense(), expected.to_dense()
    return actual, expected


def _parts(
    actual: Any, expected: Any, tolerances: tuple[float, float], place: Place
) -> Iterator[tuple[str | None, Any, Any, tuple[float, float]]]:
    """Return the tensors of elements, what they are called, and how close they must be."""
    if actual.layout is strided:
        yield None, actual, expected, tolerances
        return
    for what, first, second in (
        ("sparse dimensions", actual.sparse_dim(), expected.sparse_dim()),
        ("specified values", actual._nnz(), expected._nnz()),
    ):
        if first != second:
            text = f"The number of {what} in sparse COO tensors does not match: {first} != {second}"
            raise _Different(text, place)
    yield "Sparse COO indices", actual._indices(), expected._indices(), (0, 0)
    yield "Sparse COO values", actual._values(), expected._values(), tolerances


def _compare_elements(
    name: str | None,
    both: tuple[Any, Any],
    tolerances: tuple[float, float],
    place: Place,
    options: _Options,
) -> None:
    actual, expected = both
    rtol, atol = tolerances
    matches = actual.isclose(expected, rtol=rtol, atol=atol, equal_nan=options.equal_nan)
    if matches.all():
        return
    if not actual.shape:
        text = _of_numbers(name or "Scalars", actual.item(), expected.item(), tolerances)
    else:
        text = _of_elements(name or "Tensor-likes", both, matches, tolerances)
    raise _Different(text, place)


# ---- what is said


def _of_numbers(name: str, actual: Any, expected: Any, tolerances: tuple[float, float]) -> str:
    difference = abs(actual - expected)
    ratio = float("inf") if expected == 0 else difference / abs(expected)
    return _said(
        name,
        f"Expected {expected} but got {actual}.",
        (f"Absolute difference: {difference}", f"Relative difference: {ratio}"),
        tolerances,
    )


def _of_elements(
    name: str, both: tuple[Any, Any], matches: Any, tolerances: tuple[float, float]
) -> str:
    actual, expected = both
    dtype = cast("DType", actual.dtype)
    if not (dtype.is_floating_point or dtype.is_complex):
        actual, expected = actual.to(dtypes.int64), expected.to(dtypes.int64)
    differences = (actual - expected).abs().masked_fill(matches, 0)
    ratios = (differences / expected.abs()).masked_fill(matches, 0)
    count, wrong = matches.numel(), int((~matches).sum())
    shape = tuple(matches.shape)
    return _said(
        name,
        f"Mismatched elements: {wrong} / {count} ({wrong / count:.1%})",
        (
            f"Greatest absolute difference: {_greatest(differences, shape)}",
            f"Greatest relative difference: {_greatest(ratios, shape)}",
        ),
        tolerances,
    )


def _greatest(values: Any, shape: tuple[int, ...]) -> str:
    """Return the largest value, and where it stands."""
    largest, where = values.flatten().max(0)
    index = tuple(map(int, np.unravel_index(int(where), shape)))
    return f"{largest.item()} at index {index}"


def _said(name: str, extra: str, lines: tuple[str, str], tolerances: tuple[float, float]) -> str:
    is_equality = tolerances == (0, 0)
    text = f"{name} are not {'equal' if is_equality else 'close'}!\n\n{extra}"
    rtol, atol = tolerances
    for line, limit in zip(lines, (atol, rtol), strict=True):
        text += f"\n{line}" if is_equality else f"\n{line} (up to {limit} allowed)"
    return text


def __getattr__(name: str) -> Any:
    """Say what there is instead."""
    raise missing_function(name, __name__)
