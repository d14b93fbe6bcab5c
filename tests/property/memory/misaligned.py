"""Does every operation give the same on operands that lie at any byte? Run in a process of its own.

    python -m tests.property.memory.misaligned 1 8
    python -m tests.property.memory.misaligned 1 8 --one-in 3

runs the example of every row, or of one in so many, and some operations on every dtype, first in
memory as trilith makes it and then in guarded memory whose blocks begin that many bytes after a
boundary; all must print the same. Complex numbers are the widest elements: 16 bytes, which NumPy
aligns to 8.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import trilith as tri
from trilith.dialects.ops.table import TABLE

from .guarded_memory import install

#: Of each width, and of each kind of arithmetic.
DTYPES = ("bool", "int32", "int64", "float16", "bfloat16", "float32", "float64")
COMPLEXES = ("complex64", "complex128")
#: As many elements as leave some behind whole vectors.
COUNT = 37

#: What programs do with (a vector, a matrix, indices).
CALLS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda x, m, i: x + x,
    "numbers": lambda x, m, i: x * 2 + x.to(tri.complex128),
    "clone": lambda x, m, i: m.t().clone(),
    "contiguous": lambda x, m, i: m.t().contiguous(),
    "steps": lambda x, m, i: x[::3] + x[1::3][:12].sum(),
    "expand": lambda x, m, i: m[:, :1].expand(5, 7) * 1,
    "sum": lambda x, m, i: m.sum(0) + m.sum(1)[:1],
    "prod": lambda x, m, i: m.prod(1),
    "all": lambda x, m, i: m.all(),
    "matmul": lambda x, m, i: m @ m.t(),
    "cat": lambda x, m, i: tri.cat([x, m.reshape(-1)]),
    "pad": lambda x, m, i: tri.pad(m, (1, 2), value=1),
    "where": lambda x, m, i: tri.where(x == x, x, x[:1]),
    "take": lambda x, m, i: x[i],
    "mask": lambda x, m, i: x[x == x],
    "put": lambda x, m, i: x.clone().index_put_((i,), x[:3]),
    "index_add": lambda x, m, i: x.clone().index_add(0, i.abs(), x[:3]),
    "in place": lambda x, m, i: x.clone().mul_(x),
    "fill": lambda x, m, i: x.clone().fill_(1),
    "copy": lambda x, m, i: tri.empty(COUNT, dtype=x.dtype).copy_(x),
    "flip": lambda x, m, i: m.flip([0, 1]),
    "roll": lambda x, m, i: x.roll(5),
    "tril": lambda x, m, i: m.tril(),
    "view": lambda x, m, i: x.view(tri.uint8),
    "item": lambda x, m, i: x[3].item(),
    "tanh": lambda x, m, i: tri.tanh(x) if x.is_floating_point() or x.is_complex() else x,
}
#: Their plans serve operands at any byte.
COMPILED: dict[str, Any] = {name: tri.compile(call) for name, call in CALLS.items()}


def made(dtype: str) -> tuple[Any, Any, Any]:
    """Return a vector, a matrix and indices."""
    values = np.arange(COUNT) % 5 + 1
    vector = tri.tensor(values.tolist()).to(getattr(tri, dtype))
    return vector, vector[:35].clone().view(5, 7), tri.tensor([3, 0, -1])


def lines(one_in: int) -> Iterator[str]:
    """Yield what every call prints, of rows one in so many."""
    for name, row in sorted(TABLE.items())[::one_in]:
        tri.manual_seed(0)
        yield f"{name}: {_outcome(lambda row=row: _last(row.example))}"
    for number, dtype in enumerate((*DTYPES, *COMPLEXES)):
        # Every other operation of each dtype, every other dtype of each operation.
        for name, call in list(CALLS.items())[number % 2 :: 2]:
            yield f"{name} {dtype}: {_outcome(lambda call=call, dtype=dtype: call(*made(dtype)))}"
            again = _outcome(lambda name=name, dtype=dtype: COMPILED[name](*made(dtype)))
            yield f"compiled {name} {dtype}: {again}"


def _last(example: str) -> Any:
    """Return the value of the last line of an example."""
    *before, last = example.partition("  # ")[0].strip().splitlines()
    space: dict[str, Any] = {"tri": tri, "np": np}
    exec("\n".join(before), space)
    return eval(last, space)


def _outcome(action: Callable[[], Any]) -> str:
    try:
        return repr(action())
    except Exception as error:
        return f"{type(error).__name__} {str(error).splitlines()[:1]}"


def main() -> int:
    """Compare; 1 if something differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shifts", type=int, nargs="+", help="bytes after a boundary")
    parser.add_argument("--one-in", type=int, default=1, help="take one row in so many")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    faulthandler.enable()
    memory = install()
    wanted = list(lines(options.one_in))
    refused = sum("Error" in line for line in wanted)
    differ = 0
    for shift in options.shifts:
        memory.shift, memory.at_end = shift, False
        different = [
            pair for pair in zip(wanted, lines(options.one_in), strict=True) if pair[0] != pair[1]
        ]
        for before, after in different[:10]:
            print(f"{before}\n  at {shift} bytes off: {after}")
        print(f"{shift} bytes off: {len(wanted)} calls, {refused} refused, {len(different)} differ")
        differ += len(different)
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
