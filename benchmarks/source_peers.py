"""How do the libraries run a program that compile source of their own? Numba, numexpr."""

from __future__ import annotations

from typing import Any

import numpy as np
from peers import Peer

#: What numba compiles. Constants are float32, so that nothing is computed in float64.
NUMBA_SOURCE = {
    "a*b + c": "def f(a, b, c): return a * b + c",
    "x*sigmoid(x) + tanh(y)": "def f(x, y): return x / (one + np.exp(-x)) + np.tanh(y)",
    "gelu": "def f(x): return half * x * (one + np.tanh(p * (x + q * x * x * x)))",
    "sum of all": "def f(x): return x.sum()",
    "sum, last axis": "def f(x): return x.sum(axis=1)",
    "sum, first axis": "def f(x): return x.sum(axis=0)",
    "20 operations": """
def f(a, b, c):
    x = a
    for _ in range(5):
        x = (x * b + c) * a - b
    return x
""",
    "softmax": """
def f(x):
    result = np.empty_like(x)
    for i in range(x.shape[0]):
        largest = x[i, 0]
        for j in range(x.shape[1]):
            largest = max(largest, x[i, j])
        total = zero
        for j in range(x.shape[1]):
            result[i, j] = np.exp(x[i, j] - largest)
            total += result[i, j]
        for j in range(x.shape[1]):
            result[i, j] /= total
    return result
""",
    "add": "def f(a, b): return a + b",
    "sub": "def f(a, b): return a - b",
    "mul": "def f(a, b): return a * b",
    "div": "def f(a, b): return a / b",
    "maximum": "def f(a, b): return np.maximum(a, b)",
    "minimum": "def f(a, b): return np.minimum(a, b)",
    "less": "def f(a, b): return a < b",
    "exp": "def f(a, b): return np.exp(a)",
    "tanh": "def f(a, b): return np.tanh(a)",
    "sigmoid": "def f(a, b): return one / (one + np.exp(-a))",
}
_CONSTANTS = {
    "one": np.float32(1),
    "zero": np.float32(0),
    "half": np.float32(0.5),
    "p": np.float32(0.7978845608028654),
    "q": np.float32(0.044715),
}


class Numba(Peer):
    """Numba's njit, without fastmath."""

    name = "numba"
    module = "numba"

    def can_run(self, program: str) -> bool:
        """Whether there is source."""
        return program in NUMBA_SOURCE

    def function(self, program: str) -> Any:
        """Return a jitted function."""
        scope: dict[str, Any] = {"np": np, **_CONSTANTS}
        exec(NUMBA_SOURCE[program], scope)
        return self.library.njit(scope["f"])


#: What numexpr evaluates; whole numbers stay in the dtype of the arrays.
NUMEXPR_SOURCE = {
    "a*b + c": "a * b + c",
    "x*sigmoid(x) + tanh(y)": "a / (1 + exp(-a)) + tanh(b)",
    "gelu": "half * a * (1 + tanh(p * (a + q * a * a * a)))",
    "sum of all": "sum(a)",
    "sum, last axis": "sum(a, 1)",
    "sum, first axis": "sum(a, 0)",
    "20 operations": "(" * 10 + "a" + " * b + c) * a - b)" * 5,
    "add": "a + b",
    "sub": "a - b",
    "mul": "a * b",
    "div": "a / b",
    "less": "a < b",
    "exp": "exp(a)",
    "tanh": "tanh(a)",
    "sigmoid": "1 / (1 + exp(-a))",
}


class Numexpr(Peer):
    """numexpr: a virtual machine over blocks."""

    name = "numexpr"
    module = "numexpr"

    def can_run(self, program: str) -> bool:
        """Whether there is source."""
        return program in NUMEXPR_SOURCE

    def function(self, program: str) -> Any:
        """Return a function that evaluates the expression."""
        source, evaluate = NUMEXPR_SOURCE[program], self.library.evaluate

        def function(*inputs: Any) -> Any:
            names = {**_CONSTANTS, **dict(zip("abc", inputs, strict=False))}
            return evaluate(source, local_dict=names)

        return function
