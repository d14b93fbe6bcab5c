"""What tests of native calls share: arrays, and how many calls native code has answered."""

from __future__ import annotations

from typing import Any

import numpy as np

import trilith as tri
from trilith.compiler.functions.open_programs import OFTEN
from trilith.dialects.ops.table import members
from trilith.runtime.calls import entries
from trilith.runtime.tensors import dispatch

#: Calls until native code knows one that is always the same.
SOME = 4 * (OFTEN + 8)

Array = np.ndarray[Any, np.dtype[Any]]


def begin() -> None:
    """Begin with native code, and with the methods that it may call: none is a stand-in."""
    assert entries.enable()
    # After calls that taught nothing, fewer are learnt from: other tests have made such calls.
    entries.forget_all()
    for name in (*members(), "__setitem__"):
        dispatch.installed(name)


def hits(callable_: Any) -> int:
    """Return how many calls native code has answered."""
    return entries._attached[callable_].hits  # pyright: ignore[reportPrivateUsage]


def numbers(*shape: int) -> Array:
    """Return an array of small whole numbers."""
    chosen = np.random.default_rng(sum(shape)).integers(-9, 9, shape)
    return chosen.astype(np.float32)


def learnt(function: Any, *arguments: Any, **keywords: Any) -> Any:
    """Call a function until native code answers; return what it says."""
    result: Any = None
    for _ in range(SOME):
        before = hits(function)
        result = function(*arguments, **keywords)
        if hits(function) > before:
            break
    else:
        raise AssertionError("native code has not learnt the call")
    return result


def to_array(tensor: Any) -> Any:
    return tensor.numpy()


def version_of(tensor: Any) -> int:
    return tensor._version


def tensor_and_array(*shape: int) -> tuple[tri.Tensor, Any]:
    array = np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)
    return tri.tensor(array), array
