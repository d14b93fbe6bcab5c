"""Which operations are about writing? What `x[...] = y`, `copy_` and `fill_` compute.

No row writes: a row returns the new value, and the tracer makes it the value of the memory that was
written (`compiler/trace/buffers.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.dtype import complex128
from ....attributes.extents import MAXIMUM_INT64, check_bounds, storage_extent
from ....attributes.overlaps import has_internal_overlap, refuse_internal_overlap
from ....attributes.spec import ScalarSpec, TensorSpec
from ....attributes.strides import is_non_overlapping_and_dense
from ....attributes.views import Strided, restride
from ....diagnostics import TrilithRuntimeError
from ...frame.indexed import HostOp
from ...frame.mapped_places import writing_window
from ...frame.opspec import CopyOp, JoinOp, composite
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.schema import Schema
from ...frame.traits import LAID_OUT
from ...frame.view_rows import tensor_of
from ...frame.writing import UNIFORM_WRITING, Writing
from ...gradients.copies import OF_COPY, OF_LAYOUT, OF_ZERO
from ...gradients.joining import OF_AS_STRIDED_SCATTER, OF_PUT_WINDOW

# ---- parts of a value


def _resolve_scatter(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    base, part = operands
    assert isinstance(base, TensorSpec)
    assert isinstance(part, TensorSpec)
    size: Any = attributes["size"]
    if part.shape != tuple(size):
        raise TrilithRuntimeError(
            "expected src to have a size equal to the slice of self. "
            f"src size = {list(part.shape)}, slice size = {list(size)}"
        )
    stride: Any = attributes["stride"]
    offset: Any = attributes["offset"]
    result = base.conjugated(False)
    held = storage_extent(result.shape, result.strides) * result.dtype.itemsize
    check_bounds(size, stride, offset, result.dtype.itemsize, held)
    return Resolved(dict(attributes), (base.dtype, base.dtype), result)


def _place_scatter(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> list[tuple[Strided, Strided]]:
    base, part = operands
    size: Any = attributes["size"]
    stride: Any = attributes["stride"]
    offset: Any = attributes["offset"]
    return [
        (Strided(base.shape, base.strides), Strided(result.shape, result.strides)),
        (Strided(part.shape, part.strides), Strided(size, stride, offset)),
    ]


TABLE.add(
    JoinOp(
        "put_window(Tensor input, Tensor src, int[] size, int[] stride, int offset=0)",
        "A copy of the input in which the elements of a strided window are those of `src`; "
        "the window's offset counts from the input's first element.",
        "tri.as_strided_scatter(tri.zeros(4), tri.ones(2), (2,), (2,))  # tensor([1., 0., 1., 0.])",
        methods=(),
        resolver=_resolve_scatter,
        place=_place_scatter,
        traits=LAID_OUT,
        has_out=False,
        is_public=False,
        gradient=OF_PUT_WINDOW,
        mapping=writing_window,
    )
)


def _bind_scatter(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Prove that the window lies in the storage, and count its offset from the first element.

    An operand whose elements are one in memory is copied first; the offset counts from the copy.
    """
    bound: dict[str, Any] = schema.bind(arguments, keywords)
    operand: Any = bound["input"]
    offset: Any = bound["storage_offset"]
    spec: object = getattr(operand, "spec", None)
    if not isinstance(spec, TensorSpec) or has_internal_overlap(spec.shape, spec.strides):
        return bound
    # What stands for a tensor while tracing has no storage to look into.
    is_known = not hasattr(operand, "shared_buffer")
    if is_known or offset is not None:
        start = operand.storage_offset() if offset is None else offset
        nbytes = operand.memory.length if is_known else MAXIMUM_INT64
        window = restride(Strided((), ()), bound["size"], bound["stride"], start)
        check_bounds(*window, spec.dtype.itemsize, nbytes)
    if offset is not None and hasattr(operand, "storage_offset"):
        bound["storage_offset"] = offset - operand.storage_offset()
    return bound


def _as_strided_scatter(
    t: TensorLanguage, input: Any, src: Any, size: Any, stride: Any, storage_offset: int | None
) -> Any:
    """Put a window into a copy of the input, or of as much of its storage as window and input see.

    What the window sees beside the input is not lost, as it is not in PyTorch: it lies between the
    elements of the result.
    """
    spec = tensor_of(t, input)
    # No elements lie nowhere.
    offset = 0 if storage_offset is None or 0 in size else storage_offset
    refuse_internal_overlap(size, stride)
    if has_internal_overlap(spec.shape, spec.strides):
        copy = t.call("clone", input)
        spec = tensor_of(t, copy)
        check_bounds(size, stride, offset, spec.dtype.itemsize, spec.nbytes)
        return t.call("put_window", copy, src, size, stride, offset)
    reach = storage_extent(spec.shape, spec.strides)
    end = storage_extent(size, stride, offset)
    is_inside = offset >= 0 and end <= reach
    if is_inside and is_non_overlapping_and_dense(spec.shape, spec.strides):
        return t.call("put_window", input, src, size, stride, offset)
    before = max(-offset, 0)
    whole = t.call("strided_view", input, (before + max(reach, end),), (1,), -before)
    changed = t.call("put_window", whole, src, size, stride, before + offset)
    return t.call("strided_view", changed, spec.shape, spec.strides, before)


TABLE.add(
    HostOp(
        "as_strided_scatter(Tensor input, Tensor src, int[] size, int[] stride, "
        "int? storage_offset=None)",
        "A copy of the input in which the elements of a strided window of its storage are those of "
        "`src`.",
        "tri.as_strided_scatter(tri.zeros(4), tri.ones(2), (2,), (2,))  # tensor([1., 0., 1., 0.])",
        _as_strided_scatter,
        binder=_bind_scatter,
        looks_at_offset=True,
        gradient=OF_AS_STRIDED_SCATTER,
    )
)


def _resolve_with_strides(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    strides: Any = attributes["strides"]
    result = TensorSpec.of(operand.shape, operand.dtype, operand.device, strides)
    return Resolved(dict(attributes), (operand.dtype,), result)


TABLE.add(
    CopyOp(
        "with_strides(Tensor input, int[] strides)",
        "A copy with given strides: what a write of all elements leaves in the memory.",
        "tri.zeros(2, 3).clone().stride()  # (3, 1)",
        methods=(),
        resolver=_resolve_with_strides,
        is_public=False,
        gradient=OF_LAYOUT,
    )
)


# ---- values to write


def _copy(t: TensorLanguage, input: Any, src: Any, non_blocking: bool) -> Any:
    target, source = t.spec(input), t.spec(src)
    assert isinstance(target, TensorSpec)
    if isinstance(source, ScalarSpec):
        if source.dtype.is_complex and not target.dtype.is_complex:
            # Converted as the elements of a tensor are, where `fill_` refuses what is lost.
            src = t.call("cast", t.call("full", (), src, dtype=complex128), target.dtype)
        return t.call("fill", input, src)
    if source.dtype is not target.dtype:
        src = t.call("cast", src, target.dtype)
    if source.device != target.device:
        src = t.call("transfer", src, target.device)
    if source.shape == target.shape:
        return src
    check_broadcast(source.shape, target.shape)
    return t.call("expand", src, target.shape)


def check_broadcast(source: tuple[int, ...], target: tuple[int, ...]) -> None:
    """Refuse a value that does not broadcast to the memory it is written to."""
    for place in range(1, min(len(source), len(target)) + 1):
        if source[-place] not in (1, target[-place]):
            dim = max(len(source), len(target)) - place
            if target[-place] == 1:
                continue
            raise TrilithRuntimeError(
                f"The size of tensor a ({target[-place]}) must match the size of tensor b "
                f"({source[-place]}) at non-singleton dimension {dim}"
            )
    shape = broadcast_shapes(source, target)
    if shape != target:
        raise TrilithRuntimeError(
            f"output with shape {list(target)} doesn't match the broadcast shape {list(shape)}"
        )


def _zero(t: TensorLanguage, input: Any) -> Any:
    return t.call("zeros_like", input)


composite(
    "copy(Tensor input, Operand src, bool non_blocking=False)",
    "The elements of `src` in the input's dtype, device and shape: what `copy_` writes.",
    "tri.zeros(2).copy_(tri.tensor([1, 2]))  # tensor([1., 2.])",
    _copy,
    methods=(),
    in_place=("copy_",),
    writing=Writing(is_copy=True),
    is_public=False,
    gradient=OF_COPY,
)
composite(
    "zero(Tensor input)",
    "Zeros like the input: what `zero_` writes.",
    "tri.ones(2).zero_()  # tensor([0., 0.])",
    _zero,
    methods=(),
    in_place=("zero_",),
    in_place_functions=("zero_",),
    writing=UNIFORM_WRITING,
    is_public=False,
    gradient=OF_ZERO,
)
