"""What do operations that need strides say of sparse tensors? PyTorch's words, if it has any."""

from __future__ import annotations

from typing import Any, Never

from ....attributes.dtype import DType
from ....attributes.layout import TO_DENSE, no_kernel, sparse_coo
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.sparse_forms import SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
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
        raise TrilithRuntimeError(text, hint=TO_DENSE)


for _text, _names in REFUSED.items():
    _refuse(_text, *_names)


@sparse_form(*_OF_STORAGE)
def _storage(t: SparseLanguage, **_: Any) -> Never:
    raise TrilithNotImplementedError(_STORAGE, hint=TO_DENSE)


@sparse_form("view_as_sizes_or_dtype")
def _view(t: SparseLanguage, input: Any, dtype: DType | None = None, **_: Any) -> Never:
    if dtype is not None:
        _storage(t)
    raise no_kernel("view", sparse_coo, tensor_of(t, input).device.type, TO_DENSE)


@sparse_form("invert")
def _invert(t: SparseLanguage, input: Any) -> Never:
    t.call("invert", taken_apart(t, input).values)  # refuses floats, in words of its own
    raise no_kernel("bitwise_not", sparse_coo, tensor_of(t, input).device.type, TO_DENSE)
