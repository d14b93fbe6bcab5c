"""What do operations that need strides say of sparse tensors? PyTorch's words, if it has any."""

from __future__ import annotations

from typing import Any, Never

from ....attributes.dtype import DType
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.sparse_forms import SparseLanguage, sparse_form
from .entries import taken_apart

_RESHAPE = "reshape is not implemented for sparse tensors"
_EXPAND = "expand is unsupported for Sparse tensors"
_CONTIGUOUS = "unsupported memory format option Contiguous"

#: The words, and the rows that say them.
REFUSED = {
    _RESHAPE: ("reshape", "flatten", "einsum", "tensordot", "outer", "inner", "reshape_as"),
    _EXPAND: ("expand", "expand_as", "broadcast_to", "repeat", "tile"),
    _CONTIGUOUS: ("contiguous", "ravel", "masked_fill"),
    "unsupported memory format option Preserve": ("index_fill",),
    "memory format option is only supported by strided tensors": ("bernoulli",),
    "full(...) is not implemented for sparse layout": ("full", "ones"),
}
#: What would look at a storage.
_STORAGE = "Cannot access storage of SparseTensorImpl"
_OF_STORAGE = ("kron",)


def _refuse(text: str, *names: str) -> None:
    @sparse_form(*names)
    def run(t: SparseLanguage, **_: Any) -> Never:
        raise TrilithRuntimeError(text, hint="convert with .to_dense() first")


for _text, _names in REFUSED.items():
    _refuse(_text, *_names)


@sparse_form(*_OF_STORAGE)
def _storage(t: SparseLanguage, **_: Any) -> Never:
    raise TrilithNotImplementedError(_STORAGE, hint="convert with .to_dense() first")


@sparse_form("view_as_sizes_or_dtype")
def _view(t: SparseLanguage, dtype: DType | None = None, **_: Any) -> Never:
    if dtype is not None:
        _storage(t)
    raise TrilithNotImplementedError("view is not available for tensors of layout sparse_coo")


@sparse_form("invert")
def _invert(t: SparseLanguage, input: Any) -> Never:
    t.call("invert", taken_apart(t, input).values)  # refuses floats, in words of its own
    raise TrilithNotImplementedError(
        "invert is not available for tensors of layout sparse_coo",
        hint="convert with .to_dense() first",
    )
