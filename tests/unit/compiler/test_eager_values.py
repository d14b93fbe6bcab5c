"""Do operations give PyTorch's values at the corners of every dtype, and the mathematical ones?

`values.json` has PyTorch's own answers (see `record_values.py` beside it). What is exact must be equal
bit for bit, any NaN being equal to any other; a mathematical function may differ from PyTorch's by
its own error bound and PyTorch's. Sweeps over the domain of a row are compared with mpmath.
"""

import base64
import json
import math
import pathlib
import zlib
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import DType, by_name
from trilith.dialects.attributes.spec import TensorSpec
from trilith.dialects.ops.opspec import ElementwiseOp
from trilith.dialects.ops.table import TABLE
from trilith.runtime.tensor import tensor_from_bytes

DATA = pathlib.Path(__file__).parents[2] / "data" / "torch"
RECORDED: dict[str, Any] = json.loads((DATA / "values.json").read_text(encoding="utf-8"))
Array = np.ndarray[Any, Any]

#: The functions behind recorded names that are not a row's own.
CALLS: dict[str, Callable[..., Any]] = {
    "gelu_tanh": lambda x: tri.gelu(x, approximate="tanh"),
    "trunc_divide": lambda a, b: tri.div(a, b, rounding_mode="trunc"),
    "add_alpha_3": lambda a, b: tri.add(a, b, alpha=3),
    "where": lambda a, b: tri.where(a != 0, a, b),
    "clamp": lambda a, b: tri.clamp(a, b, b),
}


def call_of(name: str) -> Callable[..., Any]:
    return CALLS.get(name) or getattr(tri, name)


def unpack(name: str, data: str) -> tuple[DType, bytes]:
    return by_name(name), zlib.decompress(base64.b64decode(data))


def tensor(name: str, data: str) -> Any:
    dtype, raw = unpack(name, data)
    return tensor_from_bytes(TensorSpec.of((len(raw) // dtype.itemsize,), dtype), raw)


def elements(x: Any) -> Array:
    return np.asarray(x.numpy())


def steps(values: Array) -> Array:
    """Return floats as integers whose difference counts units in the last place."""
    bits = values.view(f"i{values.itemsize}").astype(np.int64)
    lowest = -(1 << (8 * values.itemsize - 1))
    return np.where(bits < 0, lowest - bits, bits)


def differences(found: Array, expected: Array, ulp: float) -> Array:
    """Return where found is not within `ulp` of expected; both NaN is equal."""
    if found.dtype.kind in "biu":
        return np.asarray(found != expected)
    both = np.isnan(found.astype(np.float64)) & np.isnan(expected.astype(np.float64))
    if not ulp:
        kind = f"u{found.itemsize}"
        return np.asarray((found.view(kind) != expected.view(kind)) & ~both)
    near = np.abs(steps(found) - steps(expected)) <= ulp
    wide = expected.astype(np.float64)
    special = ~np.isfinite(wide) | (wide == 0)
    equal = found.view(f"u{found.itemsize}") == expected.view(f"u{found.itemsize}")
    return np.asarray(~(both | np.where(special, equal, near)))


def report(found: Any, recorded: list[str], ulp: float, *inputs: Any) -> str:
    """Return what differs from a recorded result, or an empty string."""
    dtype, raw = unpack(*recorded)
    if found.dtype is not dtype:
        return f"{found.dtype} instead of {dtype}"
    ours, theirs = elements(found), np.frombuffer(raw, dtype.numpy)
    wrong = np.flatnonzero(differences(ours, theirs, ulp))
    cases = [
        f"{[elements(x)[index] for x in inputs]}: {ours[index]} instead of {theirs[index]}"
        for index in wrong[:4]
    ]
    return f"{len(wrong)} of {len(ours)}: {cases}" if cases else ""
