"""Which sparse tensors do factories make? Those of zeros, which specify nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....attributes.default_dtype import get_default_dtype
from ....attributes.device import Device, get_default_device, home_of
from ....attributes.dtype import DType
from ....attributes.layout import no_kernel, sparse_coo, strided
from ....diagnostics import TrilithRuntimeError
from ...frame.gradients import CONSTANT
from ...frame.sparse_forms import Ints, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ..creation.filled import option_dtype
from .entries import no_entries, sparse_dim


def _made(
    t: SparseLanguage,
    size: Ints,
    sparse: int,
    options: Mapping[str, Any],
    dtype: DType,
    device: Device,
) -> Any:
    shape = tuple(size)
    if any(each < 0 for each in shape):
        raise TrilithRuntimeError("numel: integer multiplication overflow")
    home = home_of(options["device"] or device)
    return t.sparse(no_entries(t, shape, sparse, option_dtype(options, dtype), home))


@sparse_form("zeros", "empty")
def _zeros(t: SparseLanguage, size: Ints, **options: Any) -> Any:
    device = get_default_device()
    return _made(t, size, len(size), options, get_default_dtype(), device)


def _like(name: str) -> None:
    def run(t: SparseLanguage, input: Any, **options: Any) -> Any:
        parts, spec = t.parts(input), tensor_of(t, input)
        if options["layout"] is strided and parts is not None:
            asked = {key: value for key, value in options.items() if key != "layout"}
            asked["dtype"] = options["dtype"] or spec.dtype
            asked["device"] = options["device"] or spec.device
            del asked["memory_format"]
            return t.call(name.removesuffix("_like"), spec.shape, **asked)
        sparse = spec.rank if parts is None else sparse_dim(t, parts)
        return _made(t, spec.shape, sparse, options, spec.dtype, spec.device)

    sparse_form(name, gradient=CONSTANT)(run)


_like("zeros_like")
_like("empty_like")


def _new(name: str) -> None:
    def run(t: SparseLanguage, input: Any, size: Ints, **options: Any) -> Any:
        spec = tensor_of(t, input)
        if options["layout"] is strided:
            asked = {key: value for key, value in options.items() if key != "layout"}
            asked["dtype"] = options["dtype"] or spec.dtype
            asked["device"] = options["device"] or spec.device
            return t.call(name.removeprefix("new_"), size, **asked)
        return _made(t, size, len(size), options, spec.dtype, spec.device)

    sparse_form(name, gradient=CONSTANT)(run)


_new("new_zeros")
_new("new_empty")


def _filled_like(name: str) -> None:
    def run(t: SparseLanguage, input: Any, **options: Any) -> Any:
        spec = tensor_of(t, input)
        if options["layout"] in (None, sparse_coo):
            hint = "name layout=strided"
            raise no_kernel("fill_.Scalar", sparse_coo, spec.device.type, hint)
        asked = {
            key: value for key, value in options.items() if key not in ("layout", "fill_value")
        }
        asked["dtype"] = options["dtype"] or spec.dtype
        asked["device"] = options["device"] or spec.device
        del asked["memory_format"]
        return t.call("full", spec.shape, options.get("fill_value", 1), **asked)

    sparse_form(name, gradient=CONSTANT)(run)


_filled_like("ones_like")
_filled_like("full_like")
