"""Which operations on sparse tensors are measured? Large matrices with few entries in each row.

A case is written over `t`, which is trilith or torch, and over tensors that are made beforehand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

#: How many columns the dense factors have.
COLUMNS = 64


@dataclass(frozen=True, slots=True)
class SparseCase:
    """An expression, and how many entries it is measured with, as a fraction of the usual."""

    name: str
    text: str
    part: float = 1.0

    def function(self, library: Any) -> Callable[..., Any]:
        """Return the function of the tensors that the expression names."""
        return eval(f"lambda {', '.join(self.inputs)}: {self.text}", {"t": library})

    @property
    def inputs(self) -> list[str]:
        """The tensors that the expression names."""
        names = compile(self.text, self.name, "eval").co_names
        return [name for name in INPUTS if name in names]

    def make(self, library: Any, entries: int) -> list[Any]:
        """Return the tensors, the same numbers in every process."""
        count = int(entries * self.part)
        return [INPUTS[name](library, count) for name in self.inputs]


def _matrix(library: Any, entries: int, seed: int) -> Any:
    """Return a square matrix with ten entries for each row, in no order."""
    generator, side = np.random.default_rng(seed), max(entries // 10, 1)
    places = library.tensor(generator.integers(0, side, (2, entries)))
    values = library.tensor(generator.standard_normal(entries, np.float32))
    return library.sparse_coo_tensor(places, values, (side, side))


def _dense(library: Any, entries: int, columns: int) -> Any:
    generator, side = np.random.default_rng(3), max(entries // 10, 1)
    return library.tensor(generator.standard_normal((side, columns), np.float32))


#: (library, entries) -> a tensor.
INPUTS: dict[str, Callable[[Any, int], Any]] = {
    "loose": lambda t, n: _matrix(t, n, 1),
    "s": lambda t, n: _matrix(t, n, 1).coalesce(),
    "other": lambda t, n: _matrix(t, n, 2).coalesce(),
    "x": lambda t, n: _dense(t, n, COLUMNS),
    "v": lambda t, n: _dense(t, n, 1)[:, 0],
}

SPARSE_CASES = {
    case.name: case
    for case in (
        SparseCase("coalesce", "loose.coalesce()"),
        SparseCase("matrix @ 64 columns", "s @ x"),
        SparseCase("matrix @ vector", "t.mv(s, v)"),
        SparseCase("matrix + matrix", "s + other"),
        SparseCase("matrix * matrix", "s * other"),
        SparseCase("a * matrix", "s * 2.5"),
        SparseCase("sin", "t.sin(s)"),
        SparseCase("sum of rows", "t.sparse.sum(s, 1)"),
        SparseCase("transposed", "s.t().coalesce()"),
        SparseCase("to_dense", "s.to_dense()", part=0.03),
        SparseCase("to_sparse", "x.to_sparse()", part=0.1),
        SparseCase("matrix @ matrix", "t.sparse.mm(s, other)", part=0.1),
    )
}
