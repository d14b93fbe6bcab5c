"""Record what PyTorch computes at the corners of every dtype, as `values.json`.

    python record_values.py        # with PyTorch installed, trilith is not imported

Elements are kept as bytes, compressed, in base64. `inputs` has the corner values of each dtype,
`binary` starts with all pairs of them as two arrays. A result is [dtype, elements], or null where
torch refuses the dtype. `casts` converts the corners of one dtype to another, `scalars` puts a
Python number on one side of a tensor of corners.
"""

import base64
import itertools
import json
import pathlib
import zlib
from collections.abc import Callable
from typing import Any

import torch

INF, NAN = float("inf"), float("nan")
INTEGERS = ["bool", "uint8", "int8", "int16", "int32", "int64"]
WIDE = ["uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
FLOAT8 = ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"]

#: The dtypes that numbers stand beside.
NUMBERED = ["bool", "uint8", "int8", "int64", "float16", "bfloat16", "float32"]

#: Unary functions, by the name of the row.
UNARY: dict[str, Callable[[Any], Any]] = {
    name: getattr(torch, name)
    for name in "neg abs sign square reciprocal exp exp2 expm1 log log1p log2 sqrt rsqrt sin cos "
    "tanh erf sigmoid relu floor ceil round trunc isnan logical_not bitwise_not".split()
}
UNARY["gelu"] = torch.nn.functional.gelu
UNARY["gelu_tanh"] = lambda x: torch.nn.functional.gelu(x, approximate="tanh")
UNARY["silu"] = torch.nn.functional.silu
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(torch, name)
    for name in "add sub mul true_divide floor_divide remainder pow maximum minimum eq ne lt le gt "
    "ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_left_shift "
    "bitwise_right_shift clamp_min clamp_max".split()
}
BINARY["trunc_divide"] = lambda a, b: torch.div(a, b, rounding_mode="trunc")
BINARY["add_alpha_3"] = lambda a, b: torch.add(a, b, alpha=3)
BINARY["where"] = lambda a, b: torch.where(a != 0, a, b)
BINARY["clamp"] = lambda a, b: torch.clamp(a, b, b)
#: With a number on the right, by the spelling that is recorded.
SCALARS: dict[str, list[Any]] = {
    "x + s": [True, 3, -1, 300, 0.1, 2.5],
    "x - s": [3, 300, 0.1],
    "s - x": [3, 0.1],
    "x * s": [True, 3, -2, 0.1, 300],
    "s * x": [3, 0.1],
    "x / s": [3, 0.1, 0, -2.0],
    "s / x": [1, 3, 0.7],
    "x // s": [3, -3, 0.1, -2.5],
    "s // x": [7, -7.5],
    "x % s": [3, -3, 0.1, -2.5],
    "s % x": [7, -7.5],
    "x ** s": [True, 0, 1, 2, 3, 4, 7, -1, -2, 0.5, -0.5, 1.5, 2.0, 3.0, -3.0, INF, NAN],
    "s ** x": [2, 0, 1, -2, 0.5, 1.0],
    "x == s": [1, 0.1, 300, NAN],
    "x < s": [1, 0.1, 300],
    "x >= s": [1, 0.1, -1],
    "x & s": [True, 6],
    "s ^ x": [5],
    "x << s": [1, 40, -1],
    "x >> s": [1, 40, -1],
    "s << x": [1],
    "torch.clamp(x, min=s)": [0, 1, 2.5, -1, NAN],
    "torch.clamp(x, max=s)": [0, 1, 2.5, NAN],
    "torch.clamp(x, s, 2)": [0, 1.5, 5],
    "torch.where(x != 0, x, s)": [0, 1, 2.5],
    "torch.where(x != 0, s, x)": [True, 7],
    "torch.add(x, s, alpha=2)": [3, 0.1],
    "torch.sub(x, x, alpha=s)": [2, 3, 0.3],
}


def corners(name: str) -> list[Any]:
    if name == "bool":
        return [False, True]
    dtype = getattr(torch, name)
    if dtype.is_floating_point:
        limits = torch.finfo(dtype)
        values = [0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 2.5, -3.7, 7.3, 0.1, 1e-3, -0.75, 100.25]
        values += [limits.max, limits.min, limits.tiny, limits.tiny / 2, -limits.smallest_normal]
        return [*values, INF, -INF, NAN, 1 + limits.eps, 88.5, -20.0]
    limits = torch.iinfo(dtype)
    values = [0, 1, 2, 3, 5, 7, 8, 33, 100, limits.max, limits.max - 1, limits.max // 2]
    return values + ([-1, -2, -3, -7, -8, -100, limits.min, limits.min + 1] if limits.min else [])


def pair_values(name: str) -> list[Any]:
    if name == "bool":
        return [False, True]
    dtype = getattr(torch, name)
    if dtype.is_floating_point:
        limits = torch.finfo(dtype)
        return [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.7, 7.3, limits.max, limits.tiny, INF, -INF, NAN]
    limits = torch.iinfo(dtype)
    values = [0, 1, 2, 3, 7, 33, 100, limits.max]
    return values + ([-1, -2, -7, -100, limits.min] if limits.min else [])


def tensor(values: list[Any], name: str) -> torch.Tensor:
    dtype = getattr(torch, name)
    if dtype.is_floating_point:
        return torch.tensor(values, dtype=torch.float64).to(dtype)
    return torch.tensor(values, dtype=dtype)


def pack(t: torch.Tensor) -> list[str]:
    data = t.contiguous().view(torch.uint8).numpy().tobytes()
    name = str(t.dtype).removeprefix("torch.")
    return [name, base64.b64encode(zlib.compress(data, 9)).decode()]


def in_vectors(*operands: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Repeat the elements so that every one goes through torch's vectorised loop."""
    return tuple(operand.repeat(-(-64 // len(operand)) * 64) for operand in operands)


def answer(function: Callable[..., Any], *operands: torch.Tensor) -> list[str] | None:
    count = len(operands[0])
    try:
        return pack(function(*in_vectors(*operands))[:count])
    except (RuntimeError, NotImplementedError, TypeError):
        return None


def defined(name: str, a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Leave out what is not defined in torch: zero divisors, MIN / -1, huge integer powers."""
    if a.dtype.is_floating_point or a.dtype is torch.bool:
        return a, b
    keep = torch.ones(len(a), dtype=torch.bool)
    if name in ("floor_divide", "trunc_divide", "remainder"):
        keep &= b != 0
        if a.dtype in (torch.int32, torch.int64):
            keep &= ~((b == -1) & (a == torch.iinfo(a.dtype).min))
    return a[keep], b[keep]


def scalar_answer(text: str, name: str, number: Any) -> Any:
    x = tensor(corners(name), name)
    if not x.dtype.is_floating_point and any(sign in text for sign in ("s // x", "s % x")):
        x = x[x != 0]
        if type(number) is not int or number == 7:
            x = x[x != -1]
    (wide,) = in_vectors(x)
    try:
        result = eval(text, {"torch": torch, "x": wide, "s": number})
    except (RuntimeError, NotImplementedError, TypeError) as error:
        return [type(error).__name__, str(error).splitlines()[0]]
    return [pack(x), pack(result[: len(x)])]


def main() -> None:
    arithmetic = INTEGERS + FLOATS
    everything = INTEGERS + WIDE + FLOATS
    recorded: dict[str, Any] = {"torch": torch.__version__}
    recorded["inputs"] = {name: pack(tensor(corners(name), name)) for name in everything}
    recorded["unary"] = {
        row: {
            name: answer(function, tensor(corners(name), name))
            for name in (everything if row in ("floor", "exp", "isnan", "sqrt") else arithmetic)
        }
        for row, function in UNARY.items()
    }
    binary: dict[str, Any] = {}
    for row, function in BINARY.items():
        binary[row] = {}
        for name in everything if row in ("mul", "eq", "where", "bitwise_xor") else arithmetic:
            pairs = list(itertools.product(pair_values(name), repeat=2))
            a, b = (tensor([pair[side] for pair in pairs], name) for side in (0, 1))
            a, b = defined(row, a, b)
            result = answer(function, a, b)
            binary[row][name] = None if result is None else [pack(a)[1], pack(b)[1], *result]
    recorded["binary"] = binary
    recorded["casts"] = {
        source: {
            target: answer(
                lambda x, t=target: x.to(getattr(torch, t)), tensor(corners(source), source)
            )
            for target in everything + (FLOAT8 if source in FLOATS else [])
        }
        for source in everything
    }
    recorded["scalars"] = [
        [text, name, repr(number), *scalar_answer(text, name, number)]
        for text, numbers in SCALARS.items()
        for number in numbers
        for name in NUMBERED
    ]
    target = pathlib.Path(__file__).with_name("values.json")
    target.write_text(json.dumps(recorded, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
