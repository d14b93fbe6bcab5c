"""Record how PyTorch prints tensors drawn at random, as `printed.json`.

    python record_printed.py    # with PyTorch installed, trilith is not imported

A row is [dtype, shape, bytes in hex, device, default dtype, print options, text]; "torch." becomes
"trilith." in the suffixes before lines are filled.
"""

import json
import math
import pathlib
import random

import torch
import torch._tensor_str as printing

COUNT = 330
DTYPES = [
    *("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex32", "complex64", "complex128"),
    *("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"),
    "float4_e2m1fn_x2",
]
NAN, INF = math.nan, math.inf
RNG = random.Random(0)


def numbers(count: int) -> list[float]:
    kinds = [
        lambda: RNG.randint(-5, 5),
        lambda: RNG.random() * 2 - 1,
        lambda: (RNG.random() - 0.5) * 10 ** RNG.randint(-12, 12),
        lambda: RNG.choice([0.0, -0.0, NAN, INF, -INF, 1.0, -2.5, 1e-9, 1e9]),
        lambda: RNG.choice([1.0, 100.0, NAN, INF, 1000.0, 3.0, 1e5]),
        lambda: RNG.choice([0.0, -0.0, NAN]),
        lambda: RNG.randint(-(2**40), 2**40),
    ]
    draw = RNG.choice(kinds)
    return [draw() for _ in range(count)]


def shape() -> tuple[int, ...]:
    return RNG.choice(
        [
            (),
            (RNG.choice([0, 1, 2, 5, 17, 30]),),
            (RNG.randint(0, 5), RNG.randint(0, 8)),
            (RNG.randint(1, 3), RNG.randint(1, 3), RNG.randint(1, 4)),
            (2, 1, 3, 2),
        ]
    )


def options() -> dict[str, object]:
    return RNG.choice(
        [
            *[{}] * 8,
            {"precision": RNG.randint(0, 7)},
            {"sci_mode": RNG.choice([True, False])},
            {"linewidth": RNG.choice([30, 50, 120])},
            {"threshold": RNG.choice([0, 4, 10]), "edgeitems": RNG.choice([1, 2, 3])},
            {"profile": RNG.choice(["short", "full"])},
        ]
    )


def tensor(name: str, sizes: tuple[int, ...]) -> torch.Tensor:
    dtype, count = getattr(torch, name), math.prod(sizes)
    if name == "float4_e2m1fn_x2":
        return torch.zeros(sizes or (1,), dtype=torch.uint8).view(dtype)
    base = torch.tensor(numbers(count), dtype=torch.float64)
    if name.startswith("complex"):
        base = torch.complex(base, torch.tensor(numbers(count), dtype=torch.float64))
    return base.to(dtype).reshape(sizes)


def row() -> list[object]:
    name = RNG.choice(DTYPES)
    value = tensor(name, shape())
    data = bytes(value.contiguous().reshape(-1).view(torch.uint8).tolist())
    device = RNG.choice([*["cpu"] * 15, "meta"])
    default = RNG.choice([*["float32"] * 6, "float64", "float16", "bfloat16"])
    chosen = options()
    torch.set_default_dtype(getattr(torch, default))
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**chosen)
    try:
        text = repr(value.to(device))
    finally:
        torch.set_default_dtype(torch.float32)
    return [name, list(value.shape), data.hex(), device, default, chosen, text]


def main() -> None:
    fill = printing._add_suffixes

    def renamed(text, suffixes, indent, force_newline):
        renamed_suffixes = [suffix.replace("torch.", "trilith.") for suffix in suffixes]
        return fill(text, renamed_suffixes, indent, force_newline)

    printing._add_suffixes = renamed
    recorded = {"torch": torch.__version__, "rows": [row() for _ in range(COUNT)]}
    target = pathlib.Path(__file__).with_name("printed.json")
    target.write_text(json.dumps(recorded, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
