"""What does a sparse tensor say to those who ask for its storage? PyTorch's words, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Never

from ...dialects.attributes.layout import TO_DENSE, no_kernel, sparse_coo, strided
from ...dialects.diagnostics import (
    TrilithError,
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from . import dispatch
from .dlpack import DLPackBufferError
from .fields import TensorFields


def not_resizable(what: str) -> TrilithRuntimeError:
    """Return the error for a new size that would leave entries outside."""
    return TrilithRuntimeError(
        f"{what} on a non-empty sparse tensor is not supported.\nYou could try the following "
        "options:\n1. If you need an empty sparse tensor of this size, call "
        "`x = torch.sparse_coo_tensor(size)`.\n2. If you need to resize this tensor, you have the "
        "following options:\n    1. For both sparse and dense dimensions, keep the number of them "
        "constant and the size of them non-shrinking, and then try the same call again.\n    2. "
        "Or, create a new sparse tensor with the correct indices and values from this sparse "
        "tensor."
    )


def unavailable(operation: str, of: TensorFields) -> TrilithNotImplementedError:
    """Return the error for an operation that needs strides, in PyTorch's words."""
    return no_kernel(operation, sparse_coo, of.spec.device.type, TO_DENSE)


# ---- what has no storage

_NO_STORAGE = (TrilithNotImplementedError, "Cannot access storage of SparseTensorImpl")
_NO_POINTER = (
    TrilithRuntimeError,
    "Cannot access data pointer of Tensor that doesn't have storage",
)
_NO_ARRAY = (
    TrilithTypeError,
    "can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.",
)
_NO_CAPSULE = (
    DLPackBufferError,
    "Can't export tensors with layout other than torch.strided",
)
_COMPRESSED = "{} expected sparse {} compressed tensor layout but got Sparse"
_REFUSALS: dict[str, tuple[type[TrilithError], str]] = {
    **dict.fromkeys(
        ("untyped_storage", "share_memory_", "is_shared", "memory", "offset"),
        _NO_STORAGE,
    ),
    **dict.fromkeys(("apply_", "data_ptr", "address", "byte_offset", "tolist"), _NO_POINTER),
    **dict.fromkeys(("numpy", "__array__"), _NO_ARRAY),
    **dict.fromkeys(("__dlpack__", "__dlpack_device__"), _NO_CAPSULE),
    "__setitem__": (TrilithTypeError, "Cannot assign to a sparse tensor"),
    "crow_indices": (TrilithRuntimeError, _COMPRESSED.format("crow_indices", "row")),
    "col_indices": (TrilithRuntimeError, _COMPRESSED.format("col_indices", "row")),
    "ccol_indices": (TrilithRuntimeError, _COMPRESSED.format("ccol_indices", "column")),
    "row_indices": (TrilithRuntimeError, _COMPRESSED.format("row_indices", "column")),
}
_NBYTES = (
    "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, "
    "add the nbytes of the indices and values.  If you want the size of the  equivalent dense "
    "tensor, multiply numel() by element_size()"
)
#: What would look at memory in ways that have no words of PyTorch's.
#: By method, the operation that PyTorch runs.
_UNAVAILABLE = {
    **{each: each for each in ("resize_", "is_set_to", "is_pinned", "unsafeGetTensorImpl", "new")},
    "set_": "set_.source_Tensor",
}


def _refusing(name: str, make: Callable[[Any], TrilithError]) -> Any:
    def method(self: Any, *arguments: Any, **keywords: Any) -> Never:
        raise make(self)

    method.__name__ = name
    method.__qualname__ = f"SparseTensor.{name}"
    method.__doc__ = "Refuse: there is no memory."
    return method


def refuse_memory(kind: Any) -> None:
    """Let a class of tensors without memory refuse what asks for some."""
    for name, (error, text) in _REFUSALS.items():
        refuse = _refusing(name, lambda _, error=error, text=text: error(text, hint=TO_DENSE))
        is_field = name in kind.FIELDS
        setattr(kind, name, property(refuse) if is_field else refuse)
    for name, operation in _UNAVAILABLE.items():
        setattr(kind, name, _refusing(name, partial(unavailable, operation)))
    nbytes = _refusing("nbytes", lambda _: TrilithRuntimeError(_NBYTES, hint=TO_DENSE))
    kind.nbytes = property(nbytes)


# ---- what only sparse tensors have


def _refused_by_dense(name: str, expected: str) -> Callable[..., Never]:
    def method(self: Any, *arguments: Any) -> Never:
        raise TrilithRuntimeError(f"{name} expected {expected} but got Strided")

    method.__name__ = name
    method.__doc__ = "Refuse: the tensor is dense."
    return method


def _missing_in_dense(name: str) -> Callable[..., Never]:
    def method(self: Any, *arguments: Any) -> Never:
        raise no_kernel(name, strided, self.device.type)

    method.__name__ = name
    method.__doc__ = "Refuse: the tensor is dense."
    return method


for _name in ("indices", "is_coalesced"):
    dispatch.install(_name, _refused_by_dense(_name, "sparse coordinate tensor layout"))
dispatch.install("values", _refused_by_dense("values", "sparse tensor layout"))
for _name in ("sparse_resize_", "sparse_resize_and_clear_", "_indices", "_values", "_nnz"):
    dispatch.install(_name, _missing_in_dense(_name))
