"""How are the elements of a tensor kept: through strides, or as coordinates with values?"""

from typing import Never

from ..diagnostics import TrilithNotImplementedError, TrilithTypeError
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

#: What to do about a tensor of another layout than strided.
TO_DENSE = "convert with .to_dense() first"
LAYOUTS = {layout.name: layout for layout in (strided, sparse_coo)}


def no_kernel(
    operation: str, layout: Layout, device_type: str, hint: str | None = None
) -> TrilithNotImplementedError:
    """Return PyTorch's error for an operation without a kernel for tensors of a layout.

    `operation` is what PyTorch's dispatcher calls it, with the overload behind a point.

    >>> print(no_kernel("exp", sparse_coo, "cpu").message)
    Could not run 'aten::exp' with arguments from the 'SparseCPU' backend.
    """
    backend = ("" if layout is strided else layout.c_name) + device_type.upper()
    return TrilithNotImplementedError(
        f"Could not run 'aten::{operation}' with arguments from the '{backend}' backend.",
        hint=hint,
    )
