"""How does a reduction stand in a kernel? As a fold in a fixed order, argmax as one of pairs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Block, SSAValue

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import DType
from ...dialects.kernel.payload import PAYLOAD_TYPES, PayloadLanguage
from ...dialects.kernel.structured import ReduceOp, YieldOp
from ...dialects.ops.rows.reduction import replaces_maximum
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.complexes import complex_of
from ...dialects.ops.scalars.pairs import split
from ...dialects.ops.scalars.scalar import Scalar
from ...dialects.tri.ops import (
    ReductionOperation,
    tensor_spec,
)
from .kernel_builder import Builder, FoldDims, as_int64
from .nest import outermost_first

_FOLDS_OF_BOOL = {"maximum": "or", "minimum": "and", "add": "or", "mul": "and"}


def fold_of(op: ReductionOperation) -> FoldDims:
    """Return which dims of its operand a reduction folds, and where its result has the others.

    The operand's own strides say in which order, whatever it is computed from: the order of a sum
    must not depend on what else its kernel holds. Where the first of equal elements is asked for,
    the order is the logical one.
    """
    spec = tensor_spec(op.operands[0])
    shape = spec.shape
    values = op.values()
    dims: Any = values["dim"]
    if values["keepdim"]:
        outer = tuple(None if dim in dims else dim for dim in range(len(shape)))
    else:
        outer = tuple(dim for dim in range(len(shape)) if dim not in dims)
    order = dims if op.ROW.keeps_order else _by_memory(dims, shape, spec.strides)
    return FoldDims((shape, order), shape, order, outer)


def _by_memory(
    dims: Sequence[int], shape: Sequence[int], strides: tuple[int, ...]
) -> tuple[int, ...]:
    """Return dims so that the last one is walked in the smallest steps."""
    idle = [dim for dim in dims if shape[dim] == 1]
    return (*idle, *outermost_first([dim for dim in dims if shape[dim] != 1], [strides]))


def emit_fold(
    builder: Builder,
    kind: str,
    extents: Sequence[SSAValue],
    block: Block,
    element: Scalar,
    *,
    lanes: int = 1,
    length: int = 0,
) -> Scalar:
    """Append the fold of `element`, which `block` computes; return the total.

    The fold has a number of `lanes` in blocks of a `length`, as `ReduceOp` says.
    """
    if element.dtype.is_complex:
        return _emit_complex_fold(builder, kind, extents, block, element, lanes, length)
    if element.dtype is dtypes.bool_:
        kind = _FOLDS_OF_BOOL.get(kind, kind)
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


#: What a sum and a product of complex numbers start from, and how two are folded.
_COMPLEX_FOLDS: dict[str, tuple[float, Callable[[Scalar, Scalar], Scalar]]] = {
    "add": (0.0, operator.add),
    "mul": (1.0, operator.mul),
}


def _emit_complex_fold(
    builder: Builder,
    kind: str,
    extents: Sequence[SSAValue],
    block: Block,
    element: Scalar,
    lanes: int,
    length: int,
) -> Scalar:
    """Fold the parts side by side, in the order of any other fold."""
    part = element.dtype.to_real()
    block.add_op(YieldOp.make([each.value for each in split(element)]))
    types = [PAYLOAD_TYPES[part]] * 2
    combiner = Block(arg_types=types * 2)
    inner = PayloadLanguage(combiner)
    values = [inner.scalar(argument, part) for argument in combiner.args]
    start, fold = _COMPLEX_FOLDS[kind]
    folded = fold(complex_of(*values[:2]), complex_of(*values[2:]))
    combiner.add_op(YieldOp.make([each.value for each in split(folded)]))
    outer = builder.language
    inits = [outer.constant(number, part).value for number in (start, 0.0)]
    reduce = ReduceOp.make(
        "custom",
        extents,
        types,
        block,
        lanes=lanes,
        block=length,
        inits=inits,
        combiner=combiner,
    )
    reduce.location = outer.location or reduce.location
    builder.loop.add_op(reduce)
    real, imag = (outer.scalar(result, part) for result in reduce.results)
    return complex_of(real, imag)


def emit_count(language: PayloadLanguage, extents: Sequence[SSAValue], dtype: DType) -> Scalar:
    """Return the number of folded elements as a float; that of complex ones as one of a part."""
    total: Scalar = language.constant(1, dtypes.int64)
    for extent in extents:
        total = total * as_int64(language, extent)
    return scalar.cast(total, dtype.to_real())


def emit_argmax(
    builder: Builder, extents: Sequence[SSAValue], block: Block, element: Scalar
) -> Scalar:
    """Fold (value, index) pairs in order; the first of equals and the first NaN win."""
    inner = element.language
    assert isinstance(inner, PayloadLanguage)
    position: Scalar = inner.constant(0, dtypes.int64)
    for index, extent in zip(block.args, extents, strict=True):
        position = position * as_int64(inner, extent) + as_int64(inner, index)
    block.add_op(YieldOp.make([element.value, position.value]))
    types = [PAYLOAD_TYPES[element.dtype], PAYLOAD_TYPES[dtypes.int64]]
    combiner = Block(arg_types=[*types, *types])
    language = PayloadLanguage(combiner)
    best, best_at, candidate, candidate_at = (
        language.scalar(argument, dtype)
        for argument, dtype in zip(combiner.args, (element.dtype, dtypes.int64) * 2, strict=True)
    )
    wins = replaces_maximum(best, candidate)
    combiner.add_op(
        YieldOp.make(
            [
                scalar.select(wins, candidate, best).value,
                scalar.select(wins, candidate_at, best_at).value,
            ]
        )
    )
    outer = builder.language
    inits = [
        outer.constant(_lowest(element.dtype), element.dtype).value,
        outer.constant(0, dtypes.int64).value,
    ]
    reduce = ReduceOp.make("custom", extents, types, block, inits=inits, combiner=combiner)
    builder.loop.add_op(reduce)
    return outer.scalar(reduce.results[1], dtypes.int64)


def _lowest(dtype: DType) -> float:
    if dtype.is_floating_point:
        return float("-inf")
    return -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
