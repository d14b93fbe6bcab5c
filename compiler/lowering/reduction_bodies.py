"""How does a reduction stand in a kernel? In a fixed order, of one or of several values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, SSAValue

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.spec import TensorSpec
from ...dialects.kernel.payload import PAYLOAD_TYPES, PayloadLanguage
from ...dialects.kernel.reductions import FMA
from ...dialects.kernel.structured import FIRST_EXTREME, ReduceOp, YieldOp
from ...dialects.ops.frame.reduction_fields import JointReduction, Scalars
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.complexes import complex_of
from ...dialects.ops.scalars.pairs import join, split
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.tri.ops import (
    ReductionOperation,
    tensor_spec,
)
from .kernel_builder import Builder, InnerDims, as_int64
from .nest import outermost_first

_KINDS_OF_BOOL = {"maximum": "or", "minimum": "and", "add": "or", "mul": "and"}


def reduced_dims(op: ReductionOperation) -> InnerDims:
    """Return which dims of its operand a reduction walks, and where its result has the others.

    The operand's own strides say in which order, whatever it is computed from: the order of a sum
    must not depend on what else its kernel holds. A reduction to indices keeps the logical order.
    """
    spec = tensor_spec(op.operands[0])
    shape = spec.shape
    values = op.values()
    dims: Any = values["dim"]
    if values["keepdim"]:
        outer = tuple(None if dim in dims else dim for dim in range(len(shape)))
    else:
        outer = tuple(dim for dim in range(len(shape)) if dim not in dims)
    order = walked_dims(op, spec)
    return InnerDims((shape, order), shape, order, outer)


def walked_dims(op: ReductionOperation, operand: TensorSpec) -> tuple[int, ...]:
    """Return in which order a reduction walks dims of an operand that lies so, outermost first."""
    dims: Any = op.values()["dim"]
    joint = op.ROW.joint
    if joint is not None and joint.is_indexed:
        return dims
    return dims_by_memory(dims, operand.shape, operand.strides)


def dims_by_memory(
    dims: Sequence[int], shape: Sequence[int], strides: tuple[int, ...]
) -> tuple[int, ...]:
    """Return dims so that the last one is walked in the smallest steps."""
    idle = [dim for dim in dims if shape[dim] == 1]
    return (*idle, *outermost_first([dim for dim in dims if shape[dim] != 1], [strides]))


def emit_reduction(
    builder: Builder,
    kind: str,
    extents: Sequence[SSAValue],
    block: Block,
    element: Scalar,
    *,
    lanes: int = 1,
    length: int = 0,
) -> Scalar:
    """Append the reduction of `element`, which `block` computes; return the total.

    It has a number of `lanes` in blocks of a `length`, as `ReduceOp` says.
    """
    if element.dtype.is_complex:
        return _emit_complex_reduction(builder, kind, extents, block, element, lanes, length)
    if element.dtype is dtypes.bool_:
        kind = _KINDS_OF_BOOL.get(kind, kind)
    block.add_op(YieldOp.make([element.value]))
    reduce = ReduceOp.make(
        kind,
        extents,
        [PAYLOAD_TYPES[element.dtype]],
        block,
        lanes=lanes,
        block=length,
        unsigned=not element.dtype.is_signed and element.dtype is not dtypes.bool_,
    )
    reduce.location = builder.language.location or reduce.location
    builder.loop.add_op(reduce)
    return builder.language.scalar(reduce.results[0], element.dtype)


def emit_products(
    builder: Builder,
    extents: Sequence[SSAValue],
    block: Block,
    factors: tuple[Scalar, Scalar],
    *,
    lanes: int = 1,
    length: int = 0,
) -> Scalar:
    """Append the sum of the products of `factors`; each is added with one rounding, if real."""
    first, second = factors
    if not first.dtype.is_floating_point:
        return emit_reduction(
            builder, "add", extents, block, first * second, lanes=lanes, length=length
        )
    block.add_op(YieldOp.make([first.value, second.value]))
    reduce = ReduceOp.make(
        FMA, extents, [PAYLOAD_TYPES[first.dtype]], block, lanes=lanes, block=length
    )
    reduce.location = builder.language.location or reduce.location
    builder.loop.add_op(reduce)
    return builder.language.scalar(reduce.results[0], first.dtype)


#: What a sum and a product of complex numbers start from, and how two are combined.
_COMPLEX_KINDS: dict[str, tuple[float, Callable[[Scalar, Scalar], Scalar]]] = {
    "add": (0.0, operator.add),
    "mul": (1.0, operator.mul),
}


def _emit_complex_reduction(
    builder: Builder,
    kind: str,
    extents: Sequence[SSAValue],
    block: Block,
    element: Scalar,
    lanes: int,
    length: int,
) -> Scalar:
    """Reduce the parts side by side, in the order of any other reduction."""
    part = element.dtype.to_real()
    block.add_op(YieldOp.make([each.value for each in split(element)]))
    types = [PAYLOAD_TYPES[part]] * 2
    combiner = Block(arg_types=types * 2)
    inner = PayloadLanguage(combiner)
    values = [inner.scalar(argument, part) for argument in combiner.args]
    start, combine = _COMPLEX_KINDS[kind]
    combined = combine(complex_of(*values[:2]), complex_of(*values[2:]))
    combiner.add_op(YieldOp.make([each.value for each in split(combined)]))
    outer = builder.language
    inits = [outer.constant(number, part).value for number in (start, 0.0)]
    is_neutral = kind == "add"  # a product with 1 may be another one: 0 times infinity is NaN
    reduce = ReduceOp.make(
        "custom",
        extents,
        types,
        block,
        lanes=lanes,
        block=length,
        inits=inits,
        combiner=combiner,
        neutral=is_neutral,
    )
    reduce.location = outer.location or reduce.location
    builder.loop.add_op(reduce)
    real, imag = (outer.scalar(result, part) for result in reduce.results)
    return complex_of(real, imag)


def emit_count(language: PayloadLanguage, extents: Sequence[SSAValue], dtype: DType) -> Scalar:
    """Return the number of reduced elements as a float; that of complex ones as one of a part."""
    total: Scalar = language.constant(1, dtypes.int64)
    for extent in extents:
        total = total * as_int64(language, extent)
    return scalar.cast(total, dtype.to_real())


def emit_joint_reduction(
    builder: Builder,
    op: ReductionOperation,
    joint: JointReduction,
    extents: Sequence[SSAValue],
    block: Block,
    element: Scalar,
    pivot: Scalar | None = None,
) -> Scalars:
    """Reduce to several values side by side, in the row's order; return the results."""
    inner = (split(element)[0] if element.dtype.is_complex else element).language
    assert isinstance(inner, PayloadLanguage)
    given = [element]
    if joint.is_indexed:
        given.append(_position(inner, extents, block))
    if pivot is not None:
        given.append(inner.adopt(pivot))
    entered = joint.enter(*given)
    parts = [each.dtype for each in entered]
    block.add_op(YieldOp.make([each.value for each in entered]))
    types = [PAYLOAD_TYPES[part] for part in parts]
    combiner = Block(arg_types=[*types, *types])
    language = PayloadLanguage(combiner)
    values = [
        language.scalar(argument, part)
        for argument, part in zip(combiner.args, parts * 2, strict=True)
    ]
    merged = joint.merge(tuple(values[: len(parts)]), tuple(values[len(parts) :]))
    combiner.add_op(YieldOp.make([each.value for each in merged]))
    outer = builder.language
    inits = [
        outer.constant(number, part).value
        for number, part in zip(joint.start(element.dtype), parts, strict=True)
    ]
    reduce = ReduceOp.make(
        "custom",
        extents,
        types,
        block,
        lanes=op.ROW.lanes,
        block=op.ROW.block if op.ROW.lanes > 1 else 0,
        inits=inits,
        combiner=combiner,
        neutral=True,
    )
    if joint.first:
        sign = "" if element.dtype.is_signed else " unsigned"
        reduce.attributes[FIRST_EXTREME] = StringAttr(joint.first + sign)
    reduce.location = outer.location or reduce.location
    builder.loop.add_op(reduce)
    total = tuple(map(outer.scalar, reduce.results, parts))
    known = () if pivot is None else (pivot,)
    return joint.finish(total, partial(emit_count, outer, extents), *known, **op.values())


def emit_mean(
    builder: Builder,
    op: ReductionOperation,
    extents: Sequence[SSAValue],
    block: Block,
    element: Scalar,
) -> Scalar:
    """Append the mean of `element`, which `block` computes, in the order of a row's reduction."""
    row = op.ROW
    total = emit_reduction(
        builder, "add", extents, block, element, lanes=row.lanes, length=row.block
    )
    count = emit_count(builder.language, extents, total.dtype)
    if not total.dtype.is_complex:
        return total / count
    real, imag = split(total)
    return join(total, real / count, imag / count)


def _position(language: PayloadLanguage, extents: Sequence[SSAValue], block: Block) -> Scalar:
    """Return the number of an element in the logical order of the reduced dims."""
    first, *others = block.args
    position = as_int64(language, first)
    for index, extent in zip(others, extents[1:], strict=True):
        position = position * as_int64(language, extent) + as_int64(language, index)
    return position
