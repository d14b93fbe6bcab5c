"""How are the elements of a tensor kept: through strides, or as coordinates with values?"""

from typing import Never

from ..diagnostics import TrilithTypeError
from .fixed import Fixed


class Layout(Fixed):
    """One of the two layouts; equal only to itself, pickled by name, not constructible.

    >>> strided, sparse_coo
    (trilith.strided, trilith.sparse_coo)
    """

    __slots__ = ("__weakref__", "c_name", "name")
    name: str
    c_name: str

    def __new__(cls, *_args: object, **_keywords: object) -> Never:
        """Refuse: there are only the layouts of this module."""
        raise TrilithTypeError("cannot create 'trilith.layout' instances")

    def __repr__(self) -> str:
        """Return the public name."""
        return f"trilith.{self.name}"

    def __reduce__(self) -> str:
        """Pickle as the name of this module's singleton."""
        return self.name


def _make(name: str, c_name: str) -> Layout:
    layout = object.__new__(Layout)
    object.__setattr__(layout, "name", name)
    object.__setattr__(layout, "c_name", c_name)
    return layout


strided = _make("strided", "Strided")
sparse_coo = _make("sparse_coo", "Sparse")

LAYOUTS = {layout.name: layout for layout in (strided, sparse_coo)}
