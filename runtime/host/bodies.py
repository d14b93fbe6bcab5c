"""Which functions compute on the host? Those in modules of this room, by "module:function".

Rows and plans hold the name alone, so that a plan from the disk or an exported program runs one
without rows. A body is called with the arrays that it reads, the arrays that it fills, and the
static values of the operation::

    def sort(operands, results, *, dim, descending): ...

Arrays have any strides and the dtypes of `DType.numpy`: those of ml_dtypes for bfloat16 and
float8, and complex32 as a structure. A body raises errors of `diagnostics`, and keeps nothing;
what NumPy would warn of while it runs is nothing to users.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any, TypeAlias, cast

import numpy as np

from ...dialects.diagnostics import InternalError
from ...dialects.locks import imported

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
#: body(operands, results, **attributes): fills the results.
Body: TypeAlias = Callable[..., None]
#: What a body is given.
Arrays: TypeAlias = Sequence[Array]

#: The modules of this room that hold bodies.
MODULES = (
    "alignments",
    "fourier",
    "linear_algebra",
    "recurrences",
    "sampling",
    "searching",
    "selection",
    "sorting",
)


def rows_along(array: Array, dim: int) -> Array:
    """Return a view whose last axis is a dim; NumPy takes 10 us to see that nothing moves.

    >>> rows_along(np.zeros((2, 3)), 0).shape
    (3, 2)
    """
    return array if dim in (-1, array.ndim - 1) else np.moveaxis(array, dim, -1)


def taken(rows: Array, places: Array) -> Array:
    """Return the elements at some places of each row.

    >>> taken(np.array([[1, 2, 3], [4, 5, 6]]), np.array([[2], [0]])).tolist()
    [[3], [4]]
    """
    return rows[places] if rows.ndim == 1 == places.ndim else np.take_along_axis(rows, places, -1)


def is_body(name: str) -> bool:
    """Whether there is such a function.

    >>> is_body("sorting:sort"), is_body("os:system"), is_body("sorting:np")
    (True, False, False)
    """
    return _found(name) is not None


def body_of(name: str) -> Body:
    """Return the function with a name.

    >>> body_of("sorting:sort").__name__
    'sort'
    """
    found = _found(name)
    if found is None:
        raise InternalError(f"there is no function '{name}' on the host")
    return _quiet(found)


@cache
def _quiet(body: Body) -> Body:
    """Return a function that is as silent about overflow and zeros as the kernels are."""

    @wraps(body)
    def run(operands: Arrays, results: Arrays, **attributes: Any) -> None:
        with np.errstate(all="ignore"):
            body(operands, results, **attributes)

    return run


@cache
def _found(name: str) -> Body | None:
    module_name, _, function = name.partition(":")
    if module_name not in MODULES:
        return None
    module = imported(f".{module_name}", __package__)
    found = vars(module).get(function)
    is_own = getattr(found, "__module__", None) == module.__name__ and not function.startswith("_")
    return cast("Body", found) if is_own and callable(found) else None
