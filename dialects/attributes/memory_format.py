"""In which order of dimensions may a strided tensor lie in memory?

The predicates and the strides that belong to a format are in `strides`.
"""

from typing import Never

from ..diagnostics import TrilithRuntimeError, TrilithTypeError
from .fixed import Fixed


class MemoryFormat(Fixed):
    """One of the four memory formats; equal only to itself, pickled by name, not constructible.

    `rank` is the only rank that the format exists for, `order` its dimensions from the innermost
    to the outermost (both None for contiguous_format and preserve_format).

    >>> channels_last, channels_last.order
    (trilith.channels_last, (1, 3, 2, 0))
    """

    __slots__ = ("__weakref__", "c_name", "name", "order", "rank")
    name: str
    c_name: str
    rank: int | None
    order: tuple[int, ...] | None

    def __new__(cls, *_args: object, **_keywords: object) -> Never:
        """Refuse: there are only the formats of this module."""
        raise TrilithTypeError("cannot create 'trilith.memory_format' instances")

    def __repr__(self) -> str:
        """Return the public name."""
        return f"trilith.{self.name}"

    def __reduce__(self) -> str:
        """Pickle as the name of this module's singleton."""
        return self.name

    def check_rank(self, rank: int) -> None:
        """Raise unless a tensor of this rank can have the format."""
        if self.rank is not None and rank != self.rank:
            raise TrilithRuntimeError(f"required rank {self.rank} tensor to use {self.name} format")


def _make(
    name: str, c_name: str, rank: int | None = None, order: tuple[int, ...] | None = None
) -> MemoryFormat:
    memory_format = object.__new__(MemoryFormat)
    for field, value in {"name": name, "c_name": c_name, "rank": rank, "order": order}.items():
        object.__setattr__(memory_format, field, value)
    return memory_format


contiguous_format = _make("contiguous_format", "Contiguous")
preserve_format = _make("preserve_format", "Preserve")
channels_last = _make("channels_last", "ChannelsLast", 4, (1, 3, 2, 0))
channels_last_3d = _make("channels_last_3d", "ChannelsLast3d", 5, (1, 4, 3, 2, 0))
