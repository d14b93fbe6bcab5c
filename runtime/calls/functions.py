"""What is a function of tensors, as users see it? A callable that native code may answer."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .activation import NATIVE
from .entries import Entry, PlanOf, attach, count_call, native_class


class Function:
    """A function or method of tensors. It has the name, the signature and the help of `run`.

    >>> def double(x):
    ...     "Return twice the value."
    ...     return x + x
    >>> made = function_of(double, lambda arguments, keywords: None)
    >>> made(2), made.__name__, made.__doc__
    (4, 'double', 'Return twice the value.')
    """

    __qualname__: str

    def __init__(self, run: Callable[..., Any], plan_of: PlanOf) -> None:
        """Call `run` until native code takes its place."""
        functools.update_wrapper(self, run)
        self._run = run
        self._calls = 0
        entry: Any = None

        def learn(*arguments: Any, **keywords: Any) -> Any:
            given = dict(keywords)  # a function may take some of them out
            result = run(*arguments, **keywords)
            entry.learn(plan_of, arguments, given)
            return result

        entry = Entry(run, learn, binds=False)
        attach(self, entry)

    def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
        """Run in Python."""
        self._calls += 1
        count_call(self._calls)
        return self._run(*arguments, **keywords)

    def __repr__(self) -> str:
        """Return what a function shows of itself."""
        return f"<function {self.__qualname__} at {id(self):#x}>"

    def __reduce__(self) -> str:
        """Pickle by name."""
        return self.__qualname__


_FUNCTION = native_class(Function, "Function", is_method=True)


def function_of(run: Callable[..., Any], plan_of: PlanOf) -> Any:
    """Return a function that native code may answer; `run` itself where there will be none."""
    if _FUNCTION is Function or NATIVE.is_refused:
        return run
    return _FUNCTION(run, plan_of)
