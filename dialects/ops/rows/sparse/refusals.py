"""What do operations that need strides say of sparse tensors? PyTorch's words, where it has some."""

from __future__ import annotations

from typing import Any, Never

from ....diagnostics import TrilithRuntimeError
from ...frame.sparse_forms import SparseLanguage, sparse_form

_RESHAPE = "reshape is not implemented for sparse tensors"
_EXPAND = "expand is unsupported for Sparse tensors"
_CONTIGUOUS = "unsupported memory format option Contiguous"

#: The words, and the rows that say them.
REFUSED = {
    _RESHAPE: ("reshape", "flatten", "einsum", "tensordot", "outer", "inner", "reshape_as"),
    _EXPAND: ("expand", "expand_as", "broadcast_to", "repeat", "tile"),
    _CONTIGUOUS: ("contiguous", "ravel", "masked_fill"),
    "unsupported memory format option Preserve": ("index_fill",),
}


def _refuse(text: str, *names: str) -> None:
    @sparse_form(*names)
    def run(t: SparseLanguage, **_: Any) -> Never:
        raise TrilithRuntimeError(text, hint="convert with .to_dense() first")


for _text, _names in REFUSED.items():
    _refuse(_text, *_names)
