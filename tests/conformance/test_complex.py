"""Does complex arithmetic give PyTorch 2.13's numbers, also where parts are infinite?"""

import base64
import json
import pathlib
import warnings
import zlib
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import by_name

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch" / "complex_values.json"
RECORD: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
DTYPES = ["complex64", "complex128"]
#: torch.testing's bounds for the two dtypes.
TOLERANCE = {"complex64": (1.3e-6, 1e-5), "complex128": (1e-7, 1e-7)}

#: Rows that agree only where both parts are finite and of moderate size. sin, cos, tanh and log1p
#: are NaN at other infinities, PyTorch's sums multiply by an alpha of 1 + 0j, which turns infinite
#: parts into NaN, and its exp2 and pow round a huge angle in the precision of the operands.
MODERATE = frozenset({"sin", "cos", "tanh", "log1p", "exp2", "add", "sub", "pow"})

Array = np.ndarray[Any, Any]


def elements(recorded: list[str]) -> Array:
    dtype = by_name(recorded[0])
    return np.frombuffer(zlib.decompress(base64.b64decode(recorded[1])), dtype.numpy)


def parts(values: Array) -> Array:
    """Return the real parts, then the imaginary ones, in float64."""
    if values.dtype.names:
        both = [values["real"], values["imag"]]
    else:
        both = [values.real, values.imag] if values.dtype.kind == "c" else [values]
    return np.stack([np.asarray(part).astype(np.float64) for part in both])


def check(result: tri.Tensor, recorded: list[str], keep: Array, bounds: tuple[float, float]):
    assert result.dtype is by_name(recorded[0])
    found, expected = parts(result.numpy(force=True)), parts(elements(recorded))
    rtol, atol = bounds
    np.testing.assert_allclose(found[:, keep], expected[:, keep], rtol=rtol, atol=atol)


def moved(values: Array, device: str) -> tri.Tensor:
    return tri.from_numpy(values.copy()).to(device)


def is_moderate(values: Array) -> Array:
    size = np.abs(parts(values))
    return np.all(np.isfinite(size) & (size < 1e9) & ((size > 1e-9) | (size == 0)), axis=0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", list(RECORD["complex64"]["unary"]))
def test_unary(name: str, dtype: str, tested_device: str):
    record = RECORD[dtype]
    points = elements(record["points"])
    keep = is_moderate(points) if name in MODERATE else np.ones(len(points), bool)
    result = getattr(tri, name)(moved(points, tested_device))
    check(result, record["unary"][name], keep, TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", list(RECORD["complex64"]["binary"]))
def test_binary(name: str, dtype: str, tested_device: str):
    record = RECORD[dtype]
    points, pairs = elements(record["points"]), np.array(RECORD["pairs"])
    left, right = points[pairs[:, 0]], points[pairs[:, 1]]
    keep = np.ones(len(left), bool)
    if name in MODERATE:
        keep = is_moderate(left) & is_moderate(right)
    if name == "pow":
        # Beyond it the smallest error of the angle is many digits of the power.
        keep &= parts(elements(record["binary"][name])).__abs__().max(axis=0) < 1e6
    operands = moved(left, tested_device), moved(right, tested_device)
    result = getattr(tri, name)(*operands)
    check(result, record["binary"][name], keep, TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("target", list(RECORD["complex64"]["casts"]))
def test_cast(target: str, dtype: str, tested_device: str):
    record = RECORD[dtype]
    points = elements(record["points"])
    with np.errstate(all="ignore"):
        kept = points[np.isfinite(points) & (np.abs(points) < 1e9)]
    with warnings.catch_warnings():
        # Once in a process, and not with every order of tests here.
        warnings.simplefilter("ignore", UserWarning)
        result = moved(kept, tested_device).to(getattr(tri, target))
    check(result, record["casts"][target], np.ones(len(kept), bool), (0.0, 0.0))


def test_strides_of_complex_functions() -> None:
    """The absolute values lie as the operand does, the angles in a row."""
    column, cube = tri.ones(3, 1, dtype=tri.complex64), tri.ones(2, 3, 4, dtype=tri.complex64)
    assert column.t().abs().stride() == (1, 1)
    assert cube.permute(2, 0, 1).abs().stride() == (1, 12, 4)
    assert column.t().angle().stride() == (3, 1)
    assert cube.permute(2, 0, 1).angle().stride() == (6, 3, 1)
    assert cube.real.permute(2, 0, 1).angle().stride() != (6, 3, 1)


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("name", ["abs_", "absolute_"])
def test_complex_absolute_values_stay_out_of_place(name: str) -> None:
    """They are real."""
    with pytest.raises(RuntimeError, match=r"In-place abs is not supported for complex tensors\."):
        getattr(tri.tensor([1j]), name)()
