"""What is said of a call that does not fit a signature? Of a function, or of a method.

Signatures count the tensor whose method is called among their arguments; PyTorch's texts of methods
do not. So these errors keep their parts, and who knows what was called puts them together again.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Self

from ...diagnostics import Hint, TrilithTypeError


class WrongCall(TrilithTypeError):
    """A call that does not fit the signature of the function that it names."""

    function: str = ""

    def of_call(self, name: str, names: Container[str], before: int) -> TrilithTypeError:
        """Return the error as it is said of a call, of which no parts are kept.

        `names` are the parameters given by keyword, `before` is how many arguments stand in front
        of what is written in brackets: the tensor whose method `name` is.
        """
        return TrilithTypeError(self._words(name, names, before), hint=self._hint)

    def whole(self) -> TrilithTypeError:
        """Return the error without parts, as it is."""
        return self.of_call(self.function, (), 0)

    def _named(self, function: str) -> Self:
        self.function = function
        self.args = (self._words(function, (), 0),)
        return self

    def _words(self, name: str, names: Container[str], before: int) -> str:
        raise NotImplementedError


class WrongNames(WrongCall):
    """Arguments that are missing, given twice, or by names that no parameter has.

    >>> WrongNames.saying("tril", "got an unexpected keyword argument 'k'").message
    "tril() got an unexpected keyword argument 'k'"
    """

    _complaint: str

    @classmethod
    def saying(cls, function: str, complaint: str, *, hint: Hint = None) -> Self:
        """Return what is said of the names in a call."""
        error = cls("", hint=hint)
        error._complaint = complaint
        return error._named(function)

    def _words(self, name: str, names: Container[str], before: int) -> str:
        return f"{name}() {self._complaint}"


class WrongArgument(WrongCall):
    """An argument that its parameter does not take.

    >>> error = WrongArgument.at_place("maximum", "other", 2, "must be Tensor, not int")
    >>> error.message
    "maximum(): argument 'other' (position 2) must be Tensor, not int"
    >>> error.of_call("maximum_", (), 1).message
    "maximum_(): argument 'other' (position 1) must be Tensor, not int"
    >>> error.of_call("maximum", {"other"}, 1).message
    "maximum(): argument 'other' must be Tensor, not int"
    """

    _parameter: str
    _position: int
    _complaint: str

    @classmethod
    def at_place(
        cls, function: str, parameter: str, position: int, complaint: str, *, hint: Hint = None
    ) -> Self:
        """Return what is said of an argument of a function; place 0 is not worth saying."""
        error = cls("", hint=hint)
        error._parameter, error._position, error._complaint = parameter, position, complaint
        return error._named(function)

    def _words(self, name: str, names: Container[str], before: int) -> str:
        is_placed = self._position and self._parameter not in names
        place = f" (position {self._position - before})" if is_placed else ""
        return f"{name}(): argument '{self._parameter}'{place} {self._complaint}"


class TooManyArguments(WrongCall):
    """More arguments than a signature has places for: at least `least`, at most `most`.

    A signature of nothing but the tensor `is_bare`: Python itself refuses calls of such a method.

    >>> error = TooManyArguments.of_counts("tril", 1, 2, 3)
    >>> error.message
    'tril() takes from 1 to 2 positional arguments but 3 were given'
    >>> error.of_call("tril", (), 1).message
    'tril() takes from 0 to 1 positional arguments but 2 were given'
    >>> TooManyArguments.of_counts("abs", 1, 1, 2, is_bare=True).of_call("abs", (), 1).message
    'TensorBase.abs() takes no arguments (1 given)'
    """

    _counts: tuple[int, int, int]
    _is_bare: bool

    @classmethod
    def of_counts(
        cls, function: str, least: int, most: int, given: int, *, is_bare: bool = False
    ) -> Self:
        """Return what is said of so many arguments of a function."""
        error = cls("")
        error._counts, error._is_bare = (least, most, given), is_bare
        return error._named(function)

    def _words(self, name: str, names: Container[str], before: int) -> str:
        least, most, given = (count - before for count in self._counts)
        if before and self._is_bare:
            return f"TensorBase.{name}() takes no arguments ({given} given)"
        if least < most:
            some = f"from {least} to {most} positional arguments"
        else:
            some = f"{most} positional argument{'' if most == 1 else 's'}"
        return f"{name}() takes {some} but {given} {'was' if given == 1 else 'were'} given"
