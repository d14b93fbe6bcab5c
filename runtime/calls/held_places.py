"""What must hold for any plan of a callable? What was noted of places in dicts and lists."""

from __future__ import annotations

from typing import Any, cast

from ..native import form

#: Stands for what is not there, and for the key of a length.
MISSING, LENGTH = object(), object()


def held_words(container: Any, key: Any, value: Any) -> tuple[int, ...]:
    """Return the words of a place; container, key and value must live as long as they do."""
    if key is LENGTH:
        return form.IS_LENGTH, id(container), 0, value
    address = 0 if value is MISSING else id(value)
    is_list, where = isinstance(container, list), id(cast("object", container))
    return (
        (form.IN_LIST, where, key, address) if is_list else (form.IN_DICT, where, id(key), address)
    )
