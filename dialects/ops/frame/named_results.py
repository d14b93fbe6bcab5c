"""What do several results come back as? Named tuples, those of `tri.return_types`.

They are PyTorch's `torch.return_types`: tuples whose items have names, printed one on each line::

    trilith.return_types.max(
    values=tensor([5., 3.]),
    indices=tensor([1, 0]))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from ...diagnostics import TrilithTypeError


class NamedResults(tuple[Any, ...]):
    """A tuple whose items are attributes, too.

    It is made of its items, or of one iterable over them as PyTorch's are.
    """

    __slots__ = ()
    n_fields: ClassVar[int]
    _fields: ClassVar[tuple[str, ...]]
    __match_args__: ClassVar[tuple[str, ...]]
    #: What results that were written into `out=` come back as.
    written: ClassVar[type[NamedResults]]

    def __new__(cls, *items: Any) -> NamedResults:
        """Take as many items as there are names."""
        values: Iterable[Any] = items[0] if len(items) == 1 else items
        made = super().__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TrilithTypeError(
                f"trilith.{cls.__qualname__}() takes a {len(cls._fields)}-sequence "
                f"({len(made)}-sequence given)"
            )
        return made

    def __repr__(self) -> str:
        """Return each item with its name on a line of its own."""
        items = zip(self._fields, self, strict=True)
        shown = ",\n".join(f"{name}={item!r}" for name, item in items)
        return f"trilith.{type(self).__qualname__}(\n{shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the class and its items."""
        return type(self), (tuple(self),)


#: The classes by name: the attributes of `tri.return_types`.
NAMED: dict[str, type[NamedResults]] = {}


def named_results(name: str, *fields: str) -> type[NamedResults]:
    """Return the class of the results of the function called `name`; there is one for each name.

    >>> made = named_results("frexp", "mantissa", "exponent")(0.75, 2)
    >>> made.mantissa, made[1], made == (0.75, 2)
    (0.75, 2, True)
    >>> made
    trilith.return_types.frexp(
    mantissa=0.75,
    exponent=2)
    """
    found = NAMED.get(name)
    if found is None:
        found = _made(name, fields)
        found.written = NAMED[f"{name}_out"] = _made(f"{name}_out", fields)
        NAMED[name] = found
    return found


def _made(name: str, fields: tuple[str, ...]) -> type[NamedResults]:
    parts: dict[str, Any] = {
        field: property(_getter(index), doc=f"Item {index}.") for index, field in enumerate(fields)
    }
    return type(
        name,
        (NamedResults,),
        {
            **parts,
            "__slots__": (),
            "__module__": "trilith",
            "__qualname__": f"return_types.{name}",
            "__doc__": f"The results of `tri.{name.removesuffix('_out')}`: {', '.join(fields)}.",
            "n_fields": len(fields),
            "_fields": fields,
            "__match_args__": fields,
        },
    )


def _getter(index: int) -> Any:
    def get(self: NamedResults) -> Any:
        return self[index]

    return get
