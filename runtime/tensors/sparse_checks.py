"""Are coordinates of sparse tensors checked? Always: what was asked for is only kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Self


class check_sparse_tensor_invariants:
    """Whether coordinates are to be checked, for a time or from now on: they are in any case.

    >>> with check_sparse_tensor_invariants():
    ...     check_sparse_tensor_invariants.is_enabled()
    True
    >>> check_sparse_tensor_invariants.is_enabled()
    False
    """

    _asked: bool = False

    def __init__(self, enable: bool = True) -> None:
        """Remember what is asked for while this is entered."""
        self._enable = enable
        self._before: list[bool] = []

    @staticmethod
    def is_enabled() -> bool:
        """Return what was asked for last."""
        return check_sparse_tensor_invariants._asked

    @staticmethod
    def enable() -> None:
        """Ask for checks."""
        check_sparse_tensor_invariants._asked = True

    @staticmethod
    def disable() -> None:
        """Ask for none."""
        check_sparse_tensor_invariants._asked = False

    def __enter__(self) -> Self:
        """Ask for what was given."""
        self._before.append(check_sparse_tensor_invariants._asked)
        check_sparse_tensor_invariants._asked = self._enable
        return self

    def __exit__(self, *exception: object) -> None:
        """Ask for what was asked for before."""
        check_sparse_tensor_invariants._asked = self._before.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that runs inside."""

        @wraps(function)
        def run(*arguments: Any, **keywords: Any) -> Any:
            with type(self)(self._enable):
                return function(*arguments, **keywords)

        return run
