"""What is written into a sparse tensor? The entries of another one, or none at all."""

from __future__ import annotations

from typing import Any

from ....attributes.layout import sparse_coo
from ....attributes.spec import ScalarSpec
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.sparse_forms import Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from .conversion import moved
from .entries import no_entries, sparse_dim, taken_apart, values_of

# ---- copy_


def _copy(t: SparseLanguage, input: Any, src: Any, non_blocking: bool) -> Any:
    raise TrilithNotImplementedError("copy of a sparse tensor is written in place: copy_")


def _write_copy(t: SparseLanguage, input: Any, src: Any, non_blocking: bool) -> None:
    own, other = t.parts(input), t.parts(src)
    if own is None or other is None:
        texts = [_type_name(t, value) for value in (input, src)]
        raise TrilithRuntimeError(
            "copy_() between dense and sparse Tensors is not implemented! Found self type = "
            f"{texts[0]} and src type = {texts[1]}"
        )
    if input is src:
        return
    dims = sparse_dim(t, other)
    input.sparse_resize_(other.shape, dims, len(other.shape) - dims)
    spec = tensor_of(t, input)
    source = moved(t, other, spec.dtype, spec.device)
    indices, values = (t.call("clone", part) for part in (source.indices, source.values))
    t.hold(input, Parts(indices, values, source.shape, other.is_coalesced))


def _type_name(t: SparseLanguage, value: Any) -> str:
    spec = t.spec(value)
    if isinstance(spec, ScalarSpec):
        return spec.kind
    is_sparse = "sparse." if spec.layout is sparse_coo else ""
    name = {"float32": "Float", "float64": "Double", "int64": "Long", "int32": "Int"}
    return f"torch.{is_sparse}{name.get(spec.dtype.name, spec.dtype.c_name)}Tensor"


sparse_form("copy", write=_write_copy)(_copy)


def _zero(t: SparseLanguage, input: Any) -> Any:
    parts = taken_apart(t, input)
    values = values_of(t, parts)
    return t.sparse(no_entries(t, parts.shape, sparse_dim(t, parts), values.dtype, values.device))


def _write_zero(t: SparseLanguage, input: Any) -> None:
    t.hold(input, taken_apart(t, _zero(t, input)))


sparse_form("zero", write=_write_zero)(_zero)
