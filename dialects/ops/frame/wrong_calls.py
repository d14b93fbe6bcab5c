"""What is said of a call that does not fit a signature? Of a function, or of a method.

Signatures count the tensor whose method is called among their arguments; PyTorch's texts of methods
do not. So such an error keeps how it is worded, and who knows what was called has it said again.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from ...diagnostics import Hint, TrilithTypeError

#: What is said of a call: of the name that was called, the parameters that were given by keyword,
#: and how many arguments stand in front of what is written in brackets.
Words = Callable[[str, Container[str], int], str]


class WrongCall(TrilithTypeError):
    """A call that does not fit the signature of the function that it names."""

    def __init__(self, function: str, words: Words, *, hint: Hint = None) -> None:
        """Say it of a function, all of whose arguments stand in brackets."""
        super().__init__(words(function, (), 0), hint=hint)
        self.function, self._words = function, words

    def of_call(self, name: str, names: Container[str], before: int) -> TrilithTypeError:
        """Return the error as it is said of a call, which users see.

        `names` are the parameters given by keyword, `before` is how many arguments stand in front
        of what is written in brackets: the tensor whose method `name` is.
        """
        return TrilithTypeError(self._words(name, names, before), hint=self._hint)

    def whole(self) -> TrilithTypeError:
        """Return the error as users see it, as it is."""
        return self.of_call(self.function, (), 0)


def wrong_names(function: str, complaint: str, *, hint: Hint = None) -> WrongCall:
    """Return what is said of arguments that are missing, given twice, or by unknown names.

    >>> wrong_names("tril", "got an unexpected keyword argument 'k'").message
    "tril() got an unexpected keyword argument 'k'"
    """
    return WrongCall(function, lambda name, names, before: f"{name}() {complaint}", hint=hint)


def wrong_argument(
    function: str, parameter: str, position: int, complaint: str, *, hint: Hint = None
) -> WrongCall:
    """Return what is said of an argument that its parameter does not take.

    Position 0 is not worth saying.

    >>> error = wrong_argument("maximum", "other", 2, "must be Tensor, not int")
    >>> error.message
    "maximum(): argument 'other' (position 2) must be Tensor, not int"
    >>> error.of_call("maximum_", (), 1).message
    "maximum_(): argument 'other' (position 1) must be Tensor, not int"
    >>> error.of_call("maximum", {"other"}, 1).message
    "maximum(): argument 'other' must be Tensor, not int"
    """

    def words(name: str, names: Container[str], before: int) -> str:
        is_placed = position and parameter not in names
        place = f" (position {position - before})" if is_placed else ""
        return f"{name}(): argument '{parameter}'{place} {complaint}"

    return WrongCall(function, words, hint=hint)


def too_many_arguments(
    function: str, least: int, most: int, given: int, *, is_bare: bool = False
) -> WrongCall:
    """Return what is said of more arguments than there are places: `least` to `most`.

    A signature of nothing but the tensor `is_bare`: Python itself refuses calls of such a method.

    >>> error = too_many_arguments("tril", 1, 2, 3)
    >>> error.message
    'tril() takes from 1 to 2 positional arguments but 3 were given'
    >>> error.of_call("tril", (), 1).message
    'tril() takes from 0 to 1 positional arguments but 2 were given'
    >>> too_many_arguments("abs", 1, 1, 2, is_bare=True).of_call("abs", (), 1).message
    'TensorBase.abs() takes no arguments (1 given)'
    """

    def words(name: str, names: Container[str], before: int) -> str:
        low, high, count = least - before, most - before, given - before
        if before and is_bare:
            return f"TensorBase.{name}() takes no arguments ({count} given)"
        plural = "" if high == 1 else "s"
        some = f"{high} positional argument{plural}"
        if low < high:
            some = f"from {low} to {high} positional arguments"
        return f"{name}() takes {some} but {count} {'was' if count == 1 else 'were'} given"

    return WrongCall(function, words)
