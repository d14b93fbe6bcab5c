"""Is what cannot be a dim refused in words, where it is made?"""

from typing import Any

import pytest

import trilith as tri


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((3,), {}, "name is a str, not int"),
        (("n",), {"max": 2.5}, "max of a dim is an int, not float"),
        (("n",), {"min": None}, "min of a dim is an int, not NoneType"),
        (("n",), {"min": -1}, "no size is negative: min is -1"),
        (("n",), {"min": 5, "max": 3}, "at least 5 and at most 3"),
        (("two words",), {}, "is an identifier"),
    ],
)
def test_what_is_no_dim(arguments: tuple[Any, ...], options: dict[str, Any], words: str):
    with pytest.raises((tri.TrilithError, TypeError), match=words):
        tri.dim(*arguments, **options)
