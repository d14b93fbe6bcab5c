"""How does a tensor print? As PyTorch prints it, character by character.

The rules: four digits after the point; plain integers with a point where every value is one;
scientific notation where the values span more than 1000 or leave 1e-4 .. 1e8; lines of 80
characters; beyond 1000 elements three at each end of every dim.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.default_dtype import get_default_dtype
from ...dialects.attributes.spec import TensorSpec
from ...dialects.locks import imported
from ...dialects.records import record, replace
from .host_view import Array, compact_shape, printable


@record
class PrintOptions:
    """What `set_printoptions` sets; `sci_mode` None means: decide by the values."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}
_options = PrintOptions()


def get_printoptions() -> PrintOptions:
    """Return the options in force.

    >>> get_printoptions().precision
    4
    """
    return _options


def set_printoptions(profile: str | None = None, **changes: Any) -> None:
    """Change options for the whole process; `profile` is "default", "short" or "full".

    Options: precision, threshold, edgeitems, linewidth, sci_mode (None again unless given).

    >>> set_printoptions(precision=2)
    >>> set_printoptions(profile="default")
    """
    global _options
    base = _options if profile is None else _PROFILES[profile]
    given = {name: value for name, value in changes.items() if value is not None}
    _options = replace(base, **({"sci_mode": None} | given))


@contextmanager
def printoptions(profile: str | None = None, **changes: Any) -> Generator[None]:
    """Change options inside a `with` block.

    >>> with printoptions(precision=2):
    ...     get_printoptions().precision
    2
    """
    global _options
    before = _options
    set_printoptions(profile, **changes)
    try:
        yield
    finally:
        _options = before


@record
class _Style:
    """How to write each of a set of values, and the width that fills a line."""

    width: int
    write: Callable[[Any], str]


def _padded(width: int, write: Callable[[Any], str]) -> _Style:
    return _Style(width, lambda value: write(value).rjust(width))


#: What float8_e8m0fnu has in the place of zero.
_SMALLEST_POWER = 2.0**-127


def _choose_style(values: Array, dtype: dtypes.DType) -> _Style:
    """Look at all values that will be shown, but for zeros, and choose their common style."""
    if not dtype.is_floating_point:
        return _padded(max(map(len, map(str, values.ravel().tolist())), default=1), str)
    digits, scientific = _options.precision, _options.sci_mode
    flat = values.ravel()
    if dtype is dtypes.float8_e8m0fnu:
        # PyTorch takes a NaN of this dtype for a finite number, and its smallest power for a zero.
        shown = flat[flat != _SMALLEST_POWER]
    else:
        shown = flat[np.isfinite(flat) & (flat != 0)]
    if not shown.size:
        return _padded(1, _write_integer)
    smallest, largest = float(np.abs(shown).min()), float(np.abs(shown).max())
    if scientific is None:
        scientific = largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4
    if scientific:
        write = f"{{:.{digits}e}}".format
    elif bool(np.all(shown == np.ceil(shown))):
        write = _write_integer
    else:
        write = f"{{:.{digits}f}}".format
    return _padded(max(len(write(value)) for value in shown.tolist()), write)


def _write_integer(value: float) -> str:
    """Write a whole float with a point behind it."""
    text = f"{value:.0f}"
    return text + "." if math.isfinite(value) else text


def _choose_complex_style(values: Array) -> _Style:
    real = _choose_style(np.real(values), dtypes.float64)
    imaginary = _choose_style(np.imag(values), dtypes.float64)

    def write(value: complex) -> str:
        second = imaginary.write(value.imag).lstrip() + "j"
        sign = "" if second[0] in "+-" else "+"
        return real.write(value.real) + sign + second

    return _Style(real.width + imaginary.width + 1, write)


def _edges(values: Array) -> Array:
    """Keep the elements of a summarised array that are shown."""
    edge = _options.edgeitems
    for dim, size in enumerate(values.shape):
        if size > 2 * edge:
            indices = [*range(edge), *range(size - edge, size)]
            values = np.take(values, indices, axis=dim)
    return values


def _write_vector(values: Array, indent: int, style: _Style, *, is_cut: bool) -> str:
    edge = _options.edgeitems
    items = [style.write(value) for value in values.tolist()] if edge or not is_cut else []
    if is_cut:
        items[edge:edge] = [" ..." if edge else "..."]
    per_line = max(1, (_options.linewidth - indent) // (style.width + 2))
    lines = [", ".join(items[start : start + per_line]) for start in range(0, len(items), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _write_array(
    values: Array, shape: Sequence[int], indent: int, style: _Style, cuts: Sequence[bool]
) -> str:
    """Write what is shown of the sizes; `cuts` tells of each dim whether its middle was left out.

    The values have no dims of size 1, so that there are never more dims than NumPy has.
    """
    if not shape:
        return style.write(values.item())
    size, *inner = shape
    if not inner:
        return _write_vector(values.reshape(-1), indent, style, is_cut=cuts[0])
    edge = _options.edgeitems
    within = [values] if size == 1 else values
    rows: list[str] = []
    if edge or not cuts[0]:
        rows = [_write_array(row, inner, indent + 1, style, cuts[1:]) for row in within]
    if cuts[0]:
        rows[edge:edge] = ["..."]
    return "[" + ("," + "\n" * len(inner) + " " * (indent + 1)).join(rows) + "]"


def _write_values(values: Array, spec: TensorSpec, indent: int) -> str:
    if not spec.numel:
        return "[]"
    values = values.reshape(compact_shape(spec.shape))
    is_summary = spec.numel > _options.threshold
    cuts = [is_summary and size > 2 * _options.edgeitems for size in spec.shape]
    shown = printable(_edges(values) if is_summary else values, spec.dtype)
    if spec.dtype.is_complex:
        style = _choose_complex_style(shown)
    else:
        style = _choose_style(shown, spec.dtype)
    return _write_array(shown, spec.shape, indent, style, cuts)


def _suffixes(spec: TensorSpec, *, has_values: bool) -> list[str]:
    """Return what the values alone do not tell."""
    device, dtype = spec.device, spec.dtype
    default = get_default_dtype()
    suffixes = [] if device.is_host else [f"device='{device}'"]
    if not has_values or not spec.numel:
        if not has_values or spec.rank != 1:
            suffixes.append(f"size={spec.shape}")
        is_usual = dtype is default
    else:
        if not _options.edgeitems:
            suffixes.append(f"size={spec.shape}")
        wide = default is dtypes.float64
        default_complex = dtypes.complex128 if wide else dtypes.complex64
        is_usual = dtype in {default, default_complex, dtypes.int64, dtypes.bool_}
    if not is_usual:
        suffixes.append(f"dtype={dtype}")
    return suffixes


def append(text: str, suffixes: list[str], indent: int) -> str:
    """Add the suffixes, on a new line where the last one would grow too long."""
    length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if length + len(suffix) + 2 > _options.linewidth:
            text += ",\n" + " " * indent + suffix
            length = indent + len(suffix)
        else:
            text += ", " + suffix
            length += len(suffix) + 2
    return text + ")"


def format_tensor(values: Array | None, spec: TensorSpec, *, note: str = "") -> str:
    """Return the text of a tensor; no values means that it has none to show, as on meta.

    A note stands behind everything else.

    >>> format_tensor(np.array([1.5, 2.0]), TensorSpec.of((2,), dtypes.float64))
    'tensor([1.5000, 2.0000], dtype=trilith.float64)'
    """
    prefix = "tensor("
    body = "..." if values is None else _write_values(values, spec, len(prefix))
    suffixes = _suffixes(spec, has_values=values is not None)
    return append(prefix + body, [*suffixes, note] if note else suffixes, len(prefix))


def format_part(values: Array, spec: TensorSpec, indent: int) -> str:
    """Return the values of a part of a tensor, whose text begins in a column, without suffixes.

    >>> format_part(np.array([1.5, 2.0]), TensorSpec.of((2,), dtypes.float64), 7)
    'tensor([1.5000, 2.0000])'
    """
    prefix = "tensor("
    return f"{prefix}{_write_values(values, spec, indent + len(prefix))})"


def format_tensor_html(values: Array | None, spec: TensorSpec) -> str:
    """Return an HTML table: the attributes, then the values.

    >>> "float64" in format_tensor_html(np.array([1.5]), TensorSpec.of((1,), dtypes.float64))
    True
    """
    rows = {
        "shape": list(spec.shape),
        "dtype": spec.dtype,
        "device": spec.device,
        "strides": list(spec.strides),
    }
    head = "".join(f"<th>{name}</th>" for name in rows)
    # It knows the names of all letters: 2 ms that only notebooks need.
    escape = imported("html").escape
    cells = "".join(f"<td>{escape(str(value))}</td>" for value in rows.values())
    body = "..." if values is None else _write_values(values, spec, 0)
    return (
        f"<div><table><thead><tr>{head}</tr></thead><tbody><tr>{cells}</tr></tbody></table>"
        f"<pre>{escape(body)}</pre></div>"
    )
