"""Record what PyTorch computes on complex numbers at the corners, as `complex_values.json`.

    python record_complex.py        # with PyTorch installed, trilith is not imported

`points` are the operands of unary functions: all pairs of the corners of a float. `pairs` are
numbers of points, left and right, of the binary functions. A result is [dtype, elements]; elements
are bytes, compressed, in base64.
"""

import base64
import json
import pathlib
import zlib
from typing import Any

import torch

INF, NAN = float("inf"), float("nan")
CORNERS = [0.0, -0.0, 1.0, -1.0, 0.3, -2.5, 1e-30, 1e30, -20.5, INF, -INF, NAN]
UNARY = (
    "neg abs square reciprocal exp exp2 expm1 log log1p log2 sqrt rsqrt sin cos tanh sigmoid sgn "
    "angle isnan isinf isfinite isreal logical_not conj_physical"
).split()
BINARY = "add sub mul true_divide pow eq ne logical_and logical_or logical_xor".split()
TARGETS = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex32".split()


def packed(result: Any) -> list[str]:
    """Return a tensor as [dtype, elements]."""
    data = result.contiguous().view(torch.uint8).numpy().tobytes()
    text = base64.b64encode(zlib.compress(data, 9)).decode()
    return [str(result.dtype).removeprefix("torch."), text]


def main() -> None:
    """Write the record."""
    points = [complex(a, b) for a in CORNERS for b in CORNERS]
    pairs = [(a, b) for a in range(0, len(points), 7) for b in range(0, len(points), 5)]
    record: dict[str, Any] = {"torch": torch.__version__, "pairs": pairs}
    for name in ("complex64", "complex128"):
        z = torch.tensor(points, dtype=getattr(torch, name))
        left, right = (z[[pair[side] for pair in pairs]] for side in (0, 1))
        finite = z[z.isfinite() & (z.abs() < 1e9)]
        casts = {target: packed(finite.to(getattr(torch, target))) for target in TARGETS}
        record[name] = {
            "points": packed(z),
            "unary": {each: packed(getattr(torch, each)(z)) for each in UNARY},
            "binary": {each: packed(getattr(torch, each)(left, right)) for each in BINARY},
            "casts": casts,
        }
    path = pathlib.Path(__file__).with_name("complex_values.json")
    path.write_text(json.dumps(record), encoding="utf-8")


main()
