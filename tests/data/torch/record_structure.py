"""Record what PyTorch makes of shapes and strides, as `structure.json`.

    python record_structure.py        # with PyTorch installed, trilith is not imported

Each case is an expression of the tensors `a` and `b`, drawn with a fixed seed. An operand is
[dtype, shape, strides, offset] on a storage that counts 0, 1, 2, ... modulo 7. An answer is
[dtype, shape, strides, storage offset, elements], or [exception, first line of its text].
"""

import json
import pathlib
import random
from collections.abc import Callable
from typing import Any

import torch

STORAGE = 1024
DTYPES = ["float32", "int64", "uint8", "bool", "float16", "int32", "float64"]
Operand = list[Any]


def tensor(operand: Operand) -> torch.Tensor:
    name, shape, strides, offset = operand
    storage = (torch.arange(STORAGE) % 7).to(getattr(torch, name))
    return storage.as_strided(shape, strides, offset)


def answer(expression: str, operands: list[Operand]) -> list[Any]:
    names: dict[str, Any] = {"torch": torch, **dict(zip("ab", map(tensor, operands), strict=False))}
    try:
        result = eval(expression, names)
    except Exception as error:
        return [type(error).__name__, str(error).splitlines()[0]]
    dtype = str(result.dtype).removeprefix("torch.")
    elements = result.flatten()[:60].tolist()
    return [dtype, list(result.shape), list(result.stride()), result.storage_offset(), elements]


class Draw:
    """Random operands and arguments."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def shape(self, low: int = 0, high: int = 4) -> list[int]:
        return [self.random.choice([1, 2, 3, 4]) for _ in range(self.random.randint(low, high))]

    def operand(self, shape: list[int], dtype: str | None = None) -> Operand:
        """Return contiguous, permuted, sliced, expanded or channels-last strides of a shape."""
        dtype = dtype or self.random.choice(DTYPES)
        kind = self.random.choice(["plain", "plain", "permuted", "sliced", "expanded", "last"])
        order = list(range(len(shape)))
        if kind == "permuted":
            self.random.shuffle(order)
        elif kind == "last" and len(shape) == 4:
            order = [0, 2, 3, 1]
        strides, step = [0] * len(shape), self.random.choice([2, 3]) if kind == "sliced" else 1
        for dim in reversed(order):
            strides[dim] = step
            step *= shape[dim]
        if kind == "expanded" and shape:
            strides[self.random.randrange(len(shape))] = 0
        return [dtype, shape, strides, self.random.choice([0, 0, 1, 5])]

    def dim(self, rank: int) -> int:
        """Return a dim, now and then one that is out of range."""
        if self.random.random() < 0.08:
            return self.random.choice([rank + 1, -rank - 2])
        return self.random.randint(-rank, rank - 1) if rank else self.random.choice([0, -1])

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)


Case = tuple[str, list[Operand]]


def view(draw: Draw) -> Case:
    shape = draw.shape()
    a, rank = draw.operand(shape), len(shape)
    order = list(range(rank))
    draw.random.shuffle(order)
    numel = 1
    for size in shape:
        numel *= size
    first, second = draw.dim(rank), draw.dim(rank)
    expression = draw.pick(
        f"a.permute({order})",
        f"a.permute(*{order})" if order else "a.permute(())",
        f"a.transpose({first}, {second})",
        f"a.swapaxes({first}, {second})",
        "a.t()",
        f"a.expand({[draw.pick(-1, 2, size) if size == 1 else size for size in shape]})",
        f"a.expand(2, {', '.join(map(str, shape))})",
        "a.squeeze()",
        f"a.squeeze({first})",
        f"a.squeeze(({first}, {second}))",
        f"a.unsqueeze({draw.dim(rank + 1)})",
        f"a.select({first}, {draw.pick(0, 1, -1, 5)})",
        f"a.narrow({first}, {draw.pick(0, 1, -1)}, {draw.pick(0, 1, 2)})",
        f"a.view({numel})",
        "a.view(-1)",
        f"a.view({draw.pick(2, 3)}, -1)",
        f"a.view({[*shape, 1]})",
        "a.reshape(-1)",
        f"a.reshape({draw.pick(2, 4)}, -1)",
        f"a.reshape({shape[::-1]})",
        "a.flatten()",
        f"a.flatten({first}, {second})",
        f"a.movedim({first}, {second})",
        f"a.unfold({first}, {draw.pick(1, 2, 3)}, {draw.pick(1, 2)})",
        f"a.diagonal({draw.pick(0, 1, -1, 3)}, {first}, {second})",
        "a.mT",
        f"torch.transpose(a, {first}, {second})",
    )
    return expression, [a]


def index(draw: Draw) -> Case:
    shape = draw.shape(1, 4)
    items = []
    for _ in range(draw.random.randint(1, len(shape) + 1)):
        items.append(
            draw.pick(
                *("0", "-1", "1", ":", "::2", "1:", ":-1", "None", "...", "1:3", "-2:"),
                *("3:1", "0:0", ":100", "5", "::3"),
            )
        )
    return f"a[{', '.join(items)}]", [draw.operand(shape)]


def join(draw: Draw) -> Case:
    shape = draw.shape(draw.pick(0, 1, 1, 4))
    other = list(shape)
    dim = draw.dim(len(shape))
    if shape and draw.random.random() < 0.7:
        other[dim % len(shape)] = draw.pick(1, 2, 3)
    elif shape and draw.random.random() < 0.3:
        other[draw.random.randrange(len(shape))] += 1
    if draw.random.random() < 0.1:
        other = [0]
    margins = [draw.pick(0, 1, 2, -1) for _ in range(2 * draw.random.randint(0, len(shape)))]
    expression = draw.pick(
        f"torch.cat([a, b], {dim})",
        f"torch.cat((b, a, b), dim={dim})",
        f"torch.stack([a, a], {draw.dim(len(shape) + 1)})",
        f"torch.stack((a, b), dim={draw.pick(0, -1)})",
        f"torch.nn.functional.pad(a, {margins})",
        f"torch.nn.functional.pad(a, {margins}, 'constant', 3)",
        f"torch.nn.functional.pad(a, {[*margins, 1]})",
    )
    return expression, [draw.operand(shape), draw.operand(other)]


def reduce(draw: Draw) -> Case:
    shape = draw.shape()
    if shape and draw.random.random() < 0.15:
        shape[draw.random.randrange(len(shape))] = 0
    rank = len(shape)
    first, second = draw.dim(rank), draw.dim(rank)
    keep = draw.pick("", ", keepdim=True")
    name = draw.pick("sum", "mean", "prod", "amax", "amin", "all", "any", "argmax")
    several = draw.pick(f"{first}", f"({first}, {second})", "None", "()")
    one = draw.pick(f"{first}", "None")
    arguments = {
        "sum": f", {several}{keep}",
        "mean": f", {several}{keep}",
        "prod": f", {first}{keep}",
        "amax": f", {draw.pick(first, (first, second), ())}{keep}",
        "amin": f", {draw.pick(first, (first, second), ())}{keep}",
        "all": f", {first}{keep}",
        "any": f", {draw.pick(first, (first, second))}{keep}",
        "argmax": f", {one}{keep}",
    }[name]
    if name in ("sum", "mean", "prod") and draw.random.random() < 0.4:
        arguments += f", dtype=torch.{draw.pick('float32', 'int32', 'float16', 'float64', 'bool')}"
    if draw.random.random() < 0.2:
        arguments = ""
    return f"torch.{name}(a{arguments})", [draw.operand(shape)]


def contract(draw: Draw) -> Case:
    inner, dtype = draw.pick(1, 2, 3), draw.pick("float32", "int64", "float64", "float16")
    batch = draw.shape(0, 2)
    left = draw.pick([inner], [2, inner], [*batch, 3, inner], [1, 2, inner], [3, 2, inner])
    right = draw.pick([inner], [inner, 4], [*batch, inner, 2], [inner, 1], [3, inner, 2])
    if draw.random.random() < 0.15:
        right = draw.pick([], [inner + 1, 2], [2, inner + 1, 2])
    other = "int32" if draw.random.random() < 0.1 else dtype
    operands = [draw.operand(left, dtype), draw.operand(right, other)]
    return draw.pick("a @ b", "torch.matmul(a, b)", "a.matmul(b)"), operands


def create(draw: Draw) -> Case:
    shape = draw.shape(draw.pick(0, 4, 4), 4)
    formats = ["contiguous_format", "channels_last", "preserve_format"]
    memory_format = f"memory_format=torch.{draw.pick(*formats)}"
    dtype = f"dtype=torch.{draw.pick(*DTYPES)}"
    numbers = [draw.pick(0, 1, 5, -3, 0.5, 7.25), draw.pick(0, 4, 10, -6, 2.5), draw.pick(1, 2, -1)]
    expression = draw.pick(
        f"torch.arange({draw.pick(0, 3, 5, 2.5, 7.0)})",
        f"torch.arange({numbers[0]}, {numbers[1]})",
        f"torch.arange({numbers[0]}, {numbers[1]}, {draw.pick(numbers[2], 0.75, -0.3, 0)})",
        f"torch.arange({numbers[0]}, {numbers[1]}, {numbers[2]}, {dtype})",
        f"torch.arange(0, 9, {draw.pick(1.5, 2.6, 3)}, dtype=torch.{draw.pick('int32', 'uint8')})",
        f"torch.full({shape}, {draw.pick(1, 2.5, True, -1)})",
        f"torch.full({shape}, {draw.pick(1, 2.5, True)}, {dtype})",
        f"torch.zeros({shape})",
        f"torch.zeros({', '.join(map(str, shape)) or '()'}, {dtype})",
        f"torch.ones({shape}, {dtype})",
        f"torch.zeros_like(a, {memory_format})",
        f"torch.ones_like(a, {dtype})",
        f"torch.ones_like(a, {memory_format}, {dtype})",
        f"torch.full_like(a, {draw.pick(1, 2.5, True)}, {memory_format})",
        f"torch.zeros({draw.pick(-1, 2)}, {draw.pick(-2, 0)})",
    )
    return expression, [draw.operand(shape)]


def copy(draw: Draw) -> Case:
    shape = draw.pick(draw.shape(4, 4), draw.shape(4, 4), draw.shape())
    formats = ["contiguous_format", "channels_last", "preserve_format"]
    memory_format = f"memory_format=torch.{draw.pick(*formats)}"
    expression = draw.pick(
        f"a.clone({memory_format})",
        "a.clone()",
        f"a.contiguous({draw.pick('', 'memory_format=torch.channels_last')})",
        f"a.to({memory_format})",
        f"a.to(torch.{draw.pick(*DTYPES)})",
        f"a.to(torch.{draw.pick(*DTYPES)}, {memory_format})",
        f"a.to('cpu', torch.{draw.pick(*DTYPES)})",
        f"a.to(dtype=torch.{draw.pick(*DTYPES)}, copy=True)",
        "a.float()",
        "a.long()",
        "a.half()",
        "a.bool()",
    )
    return expression, [draw.operand(shape)]


def combine(draw: Draw) -> Case:
    shape = draw.pick(draw.shape(4, 4), draw.shape())
    other = [draw.pick(size, size, 1) for size in shape][draw.random.randint(0, len(shape)) :]
    if draw.random.random() < 0.6:
        other = list(shape)
    if other and draw.random.random() < 0.1:
        other[0] += 1
    dtype = draw.pick(None, "float32")
    expression = draw.pick(
        *("a + b", "a * b", "torch.add(a, b, alpha=2)", "a + 1", "2 * b", "-a", "a == b"),
        *("torch.where(a > 2, a, b)", "torch.maximum(a, b)", "torch.clamp(a, 1, 4)", "a ** 2"),
        *("torch.where(a > 2, b, 1)", "a / b.t() if b.dim() < 3 else a < b", "torch.exp(a) > 2"),
    )
    return expression, [draw.operand(shape, dtype), draw.operand(other, dtype)]


KINDS: list[tuple[Callable[[Draw], Case], int]] = [
    (view, 90),
    (index, 50),
    (join, 45),
    (reduce, 70),
    (contract, 35),
    (create, 45),
    (copy, 35),
    (combine, 50),
]


def main() -> None:
    draw = Draw(20)
    cases: dict[str, list[Any]] = {}
    for kind, count in KINDS:
        found: list[Any] = []
        while len(found) < count:
            expression, operands = kind(draw)
            operands = [operand for name, operand in zip("ab", operands, strict=False)]
            found.append([expression, operands, answer(expression, operands)])
        cases[kind.__name__] = found
    recorded = {"torch": torch.__version__, "storage": STORAGE, "cases": cases}
    target = pathlib.Path(__file__).with_name("structure.json")
    target.write_text(json.dumps(recorded, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
