"""Are functions of complex numbers PyTorch's at zeros, infinities and NaN, signs included?"""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import trilith as tri

DATA = Path(__file__).parents[1] / "data" / "torch" / "complex_special.json"
RECORDED = json.loads(DATA.read_text(encoding="utf-8"))
VALUES = [float(text) for text in RECORDED["values"]]
PAIRS = [complex(a, b) for a in VALUES for b in VALUES]
EXPONENTS = {"1.5": 1.5, "1j": 1j, "inf": math.inf, "-2": -2, "3": 3, "2+1j": 2 + 1j}


def applied(name: str, x: tri.Tensor) -> tri.Tensor:
    word, _, text = name.partition(" ")
    return x ** EXPONENTS[text] if word == "pow" else getattr(tri, word)(x)


def is_close(found: float, text: str, scale: float) -> bool:
    wanted = float(text)
    if math.isnan(wanted) or math.isinf(wanted) or wanted == 0:
        same_sign = math.copysign(1, found) == math.copysign(1, wanted)
        if wanted == 0 and found != 0:
            # What is left where two terms cancel depends on their rounding.
            return abs(found) < 1e-6 * scale
        return math.isnan(found) if math.isnan(wanted) else found == wanted and same_sign
    return abs(found - wanted) <= 1e-5 * max(abs(wanted), scale)


@pytest.mark.parametrize("row", RECORDED["rows"])
def test_special_values(row: str, tested_device: str):
    name, _, dtype = row.rpartition(" ")
    x = tri.tensor(PAIRS, dtype=getattr(tri, dtype), device=tested_device)
    wrong: list[str] = []
    for z, found, wanted in zip(
        PAIRS, applied(name, x).tolist(), RECORDED["rows"][row], strict=True
    ):
        if wanted is None:
            continue
        found = complex(found)
        sizes = [abs(float(text)) for text in wanted if math.isfinite(float(text))]
        scale = max(sizes, default=0.0)
        parts = zip((found.real, found.imag), wanted, strict=True)
        if not all(is_close(part, text, scale) for part, text in parts):
            wrong.append(f"{name}({z}) is {found}, not {wanted}")
    assert not wrong, "\n".join(wrong)
