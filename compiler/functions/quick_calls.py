"""What tells a call of a compiled function from another one, before its arguments are flattened?

Only calls of tensors and plain Python numbers by place have such a key: nothing else is so common.
"""

from __future__ import annotations

from typing import Any, cast

from ...runtime.tensors.tensor import Tensor

#: What tells the call from others, and the tensors and numbers that its plan takes.
QuickCall = tuple[list[Any], list[Tensor], list[Any]]


def quick_call(arguments: tuple[Any, ...], static: frozenset[int]) -> QuickCall | None:
    """Return the key of a call with static arguments at some places, None if it has none.

    >>> quick_call((2, 0.5), frozenset({0}))
    ([(<class 'int'>, 2), <class 'float'>], [], [0.5])
    """
    key: list[Any] = []
    tensors: list[Tensor] = []
    scalars: list[Any] = []
    for place, value in enumerate(arguments):
        kind = cast("type[Any]", type(value))
        if static and place in static:
            if kind is float:
                key.append((kind, repr(value)))
            elif kind is int or kind is bool or kind is str:
                key.append((kind, value))
            else:
                return None
        elif kind is Tensor:
            key.append(value.spec)
            tensors.append(value)
        elif kind is float or (kind is int and -(2**63) <= value < 2**63) or kind is bool:
            key.append(kind)
            scalars.append(value)
        else:
            return None
    return key, tensors, scalars
