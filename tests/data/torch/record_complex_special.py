"""Record PyTorch's functions of complex numbers at zeros, infinities and NaN.

    python record_complex_special.py    # with PyTorch installed, trilith is not imported

The answers are one list for each function and dtype, over all pairs of `VALUES`; None stands where
PyTorch's vectors and its code for single elements do not agree. Parts are texts, NaN without sign.
"""

import json
import math
import pathlib

import torch

VALUES = [0.0, -0.0, 1.0, -1.0, 0.5, -2.25, math.inf, -math.inf, math.nan]
EXPONENTS = {"1.5": 1.5, "1j": 1j, "inf": math.inf, "-2": -2, "3": 3, "2+1j": 2 + 1j}
NAMES = ("abs", "angle", "cos", "exp", "log", "log2", "reciprocal", "rsqrt", "sigmoid", "sin")
FUNCTIONS = {
    **{name: getattr(torch, name) for name in (*NAMES, "sgn", "sqrt", "square", "tanh")},
    "silu": torch.nn.functional.silu,
    **{f"pow {text}": lambda x, e=number: x**e for text, number in EXPONENTS.items()},
}


def text_of(number: float) -> str:
    return "nan" if math.isnan(number) else f"{number:.6g}"


def parts_of(number: complex) -> list[str]:
    number = complex(number)
    return [text_of(number.real), text_of(number.imag)]


def main() -> None:
    rows: dict[str, list[list[str] | None]] = {}
    pairs = [complex(a, b) for a in VALUES for b in VALUES]
    for dtype in (torch.complex64, torch.complex128):
        x = torch.tensor(pairs * 2, dtype=dtype)
        for name, function in FUNCTIONS.items():
            many = [parts_of(value) for value in function(x).tolist()]
            single = [parts_of(function(x[place]).item()) for place in range(len(pairs))]
            rows[f"{name} {str(dtype).split('.')[-1]}"] = [
                first if first == second else None
                for first, second in zip(many, single, strict=False)
            ]
    target = pathlib.Path(__file__).with_name("complex_special.json")
    answer = {"torch": torch.__version__, "values": [text_of(v) for v in VALUES], "rows": rows}
    target.write_text(json.dumps(answer, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
