"""Which operations are about writing? What `x[...] = y`, `copy_` and `fill_` compute.

No row writes: a row returns the new value, and the tracer makes it the value of the memory that was
written (`compiler/trace/buffers.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..attributes.broadcast import broadcast_shapes
from ..attributes.spec import ScalarSpec, TensorSpec
from ..attributes.views import Strided
from ..diagnostics import TrilithRuntimeError
from .opspec import (
    TABLE,
    UNIFORM_WRITING,
    Attributes,
    CompositeOp,
    CopyOp,
    JoinOp,
    OperandSpec,
    Resolved,
    TensorLanguage,
    describe,
)

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
    values = dict(attributes)
    values["storage_offset"] = attributes["storage_offset"] or 0
    return Resolved(values, (base.dtype, base.dtype), base.conjugated(False))


def _place_scatter(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> list[tuple[Strided, Strided]]:
    base, part = operands
    size: Any = attributes["size"]
    stride: Any = attributes["stride"]
    offset: Any = attributes["storage_offset"]
    return [
        (Strided(base.shape, base.strides), Strided(result.shape, result.strides)),
        (Strided(part.shape, part.strides), Strided(size, stride, offset)),
    ]


TABLE.add(
    JoinOp(
        **describe(
            "as_strided_scatter(Tensor input, Tensor src, int[] size, int[] stride, "
            "int? storage_offset=None)",
            "A copy of the input in which the elements of a strided window are those of `src`.",
            "tri.as_strided_scatter(tri.zeros(4), tri.ones(2), (2,), (2,))"
            "  # tensor([1., 0., 1., 0.])",
            None,
        ),
        resolver=_resolve_scatter,
        place=_place_scatter,
        has_out=False,
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
        **describe(
            "with_strides(Tensor input, int[] strides)",
            "A copy with given strides: what a write of all elements leaves in the memory.",
            "tri.zeros(2, 3).clone().stride()  # (3, 1)",
            (),
        ),
        resolver=_resolve_with_strides,
        is_public=False,
    )
)


# ---- values to write


def _copy(t: TensorLanguage, input: Any, src: Any, non_blocking: bool) -> Any:
    target, source = t.spec(input), t.spec(src)
    assert isinstance(target, TensorSpec)
    if isinstance(source, ScalarSpec):
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


TABLE.add(
    CompositeOp(
        **describe(
            "copy(Tensor input, Operand src, bool non_blocking=False)",
            "The elements of `src` in the input's dtype, device and shape: what `copy_` writes.",
            "tri.zeros(2).copy_(tri.tensor([1, 2]))  # tensor([1., 2.])",
            (),
        ),
        expand=_copy,
        in_place=("copy_",),
        is_public=False,
    )
)
TABLE.add(
    CompositeOp(
        **describe(
            "zero(Tensor input)",
            "Zeros like the input: what `zero_` writes.",
            "tri.ones(2).zero_()  # tensor([0., 0.])",
            (),
        ),
        expand=_zero,
        in_place=("zero_",),
        writing=UNIFORM_WRITING,
        is_public=False,
    )
)
