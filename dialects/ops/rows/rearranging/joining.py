"""Which operations write several operands into parts of one result? cat, stack, pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes import views
from ....attributes.memory_format import contiguous_format
from ....attributes.promotion import result_type
from ....attributes.spec import TensorSpec
from ....attributes.strides import strides_for, suggest_memory_format
from ....attributes.views import Strided, wrap_dim
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError, TrilithValueError
from ....records import replace
from ...frame.literals import check_padding
from ...frame.mapped_dims import in_format
from ...frame.mapped_places import joining
from ...frame.opspec import JoinOp, composite
from ...frame.out_rules import joined
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import CASTABLE, check_dtype, common_device
from ...frame.traits import COMPUTED
from ...frame.writing import Writing
from ...gradients.joining import OF_CAT, OF_STACK
from ...gradients.padding import OF_CONSTANT_PAD, OF_PAD
from .padding import MODES, pad_with_elements


def _is_legacy_empty(spec: TensorSpec) -> bool:
    """Whether cat ignores the operand's shape: a 1-D tensor of size 0."""
    return spec.shape == (0,)


def _resolve_cat(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    tensors = [operand for operand in operands if isinstance(operand, TensorSpec)]
    if not tensors:
        raise TrilithValueError("trilith.cat(): expected a non-empty list of Tensors")
    for position, tensor in enumerate(tensors):
        if not tensor.shape:
            raise TrilithRuntimeError(
                f"zero-dimensional tensor (at position {position}) cannot be concatenated",
                hint="stack makes a new dim",
            )
    dtype = result_type(*(tensor.operand for tensor in tensors))
    shaped = [tensor for tensor in tensors if not _is_legacy_empty(tensor)] or tensors[:1]
    first = shaped[0]
    dim = wrap_dim(_integer(attributes["dim"]), first.rank)
    size = 0
    for position, tensor in enumerate(tensors):
        if _is_legacy_empty(tensor):
            continue
        _check_joinable(first, tensor, dim, position)
        size += tensor.shape[dim]
    shape = (*first.shape[:dim], size, *first.shape[dim + 1 :])
    formats = {suggest_memory_format(tensor.shape, tensor.strides) for tensor in tensors}
    memory_format = formats.pop() if len(formats) == 1 else contiguous_format
    device = common_device(operands)
    result = TensorSpec.of(shape, dtype, device, strides_for(shape, memory_format))
    return Resolved({"dim": dim}, (dtype,) * len(tensors), result)


def _integer(value: object) -> int:
    assert isinstance(value, int)
    return value


def _check_joinable(first: TensorSpec, other: TensorSpec, dim: int, position: int) -> None:
    if other.rank != first.rank:
        raise TrilithRuntimeError(
            f"Tensors must have same number of dimensions: got {first.rank} and {other.rank}"
        )
    for index, (expected, found) in enumerate(zip(first.shape, other.shape, strict=True)):
        if index != dim and expected != found:
            raise TrilithRuntimeError(
                f"Sizes of tensors must match except in dimension {dim}. Expected size {expected} "
                f"but got size {found} for tensor number {position} in the list."
            )


def _place_cat(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> list[tuple[Strided, Strided]]:
    dim = _integer(attributes["dim"])
    before, behind = result.shape[:dim], result.shape[dim + 1 :]
    strides = result.strides
    places: list[tuple[Strided, Strided]] = []
    start = 0
    for operand in operands:
        size = 0 if _is_legacy_empty(operand) else operand.shape[dim]
        source = Strided(operand.shape, operand.strides)
        # It lies inside of the result, whose size is the sum of the sizes: no bound is asked for.
        target = Strided((*before, size, *behind), strides, start * strides[dim])
        if _is_legacy_empty(operand):
            source = Strided(target.shape, target.strides)
        places.append((source, target))
        start += size
    return places


TABLE.add(
    JoinOp(
        "cat(Tensor[] tensors, int dim=0)",
        "The tensors one after the other along a dim that they have.",
        "tri.cat([tri.tensor([1, 2]), tri.tensor([3])])  # tensor([1, 2, 3])",
        methods=(),
        resolver=_resolve_cat,
        place=_place_cat,
        refuse_out=joined,
        writing=Writing(apart=frozenset({"tensors"})),
        gradient=OF_CAT,
        mapping=joining,
    )
)


def _stack(t: TensorLanguage, tensors: Sequence[Any], dim: int) -> Any:
    specs = [t.spec(tensor) for tensor in tensors]
    if not specs:
        raise TrilithRuntimeError("stack expects a non-empty TensorList")
    first = specs[0]
    assert isinstance(first, TensorSpec)
    for position, spec in enumerate(specs):
        assert isinstance(spec, TensorSpec)
        if spec.shape != first.shape:
            raise TrilithRuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first.shape)} at "
                f"entry 0 and {list(spec.shape)} at entry {position}"
            )
    dim = wrap_dim(dim, first.rank + 1)
    if dim < first.rank:
        # As in PyTorch: joined along the dim that is there, so that the memory format is kept.
        shape = (*first.shape[:dim], len(specs), *first.shape[dim:])
        return t.call("view", t.call("cat", tensors, dim), shape)
    return t.call("cat", [t.call("unsqueeze", tensor, dim) for tensor in tensors], dim)


composite(
    "stack(Tensor[] tensors, int dim=0)",
    "The tensors one after the other along a new dim.",
    "tri.stack([tri.tensor([1, 2]), tri.tensor([3, 4])])  # tensor([[1, 2],\n#         [3, 4]])",
    _stack,
    methods=(),
    has_out=True,
    refuse_out=joined,
    gradient=OF_STACK,
)


def _margins(pad: tuple[int, ...], rank: int) -> list[tuple[int, int]]:
    """Return (before, after) for each dim; `pad` lists them from the last dim on."""
    margins = [(0, 0)] * rank
    for index in range(len(pad) // 2):
        margins[rank - 1 - index] = (pad[2 * index], pad[2 * index + 1])
    return margins


def _resolve_pad(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    operand = operands[0]
    assert isinstance(operand, TensorSpec)
    check_dtype("pad", operand.dtype, CASTABLE)
    pad: Any = attributes["pad"]
    shape = tuple(
        before + size + after
        for size, (before, after) in zip(operand.shape, _margins(pad, operand.rank), strict=True)
    )
    memory_format: Any = attributes["memory_format"]
    strides = strides_for(shape, memory_format or contiguous_format)
    result = TensorSpec.of(shape, operand.dtype, operand.device, strides)
    return Resolved(dict(attributes), (operand.dtype,) * len(operands), result)


def _place_pad(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> list[tuple[Strided, Strided]]:
    (operand,) = operands
    pad: Any = attributes["pad"]
    target = Strided(result.shape, result.strides)
    for dim, (before, _) in enumerate(_margins(pad, operand.rank)):
        target = views.narrow(target, dim, before, operand.shape[dim])
    return [(Strided(operand.shape, operand.strides), target)]


TABLE.add(
    JoinOp(
        "constant_pad(Tensor input, SymInt[] pad, Scalar value=0, "
        "*, memory_format? memory_format=None)",
        "The tensor inside margins of one value: what pad becomes once nothing is cut off.",
        "tri.pad(tri.tensor([1, 2]), (1, 1))  # tensor([0, 1, 2, 0])",
        methods=(),
        resolver=_resolve_pad,
        place=_place_pad,
        fill="value",
        traits=replace(COMPUTED, converts_numbers=True),
        is_public=False,
        gradient=OF_CONSTANT_PAD,
        mapping=in_format,
    )
)


def _cut(t: TensorLanguage, value: Any, dim: int, before: int, after: int) -> Any:
    """Take away what negative margins cut off."""
    for start, amount in ((-before, before), (0, after)):
        if amount < 0:
            spec = t.spec(value)
            assert isinstance(spec, TensorSpec)
            value = t.call("narrow", value, dim, start, spec.shape[dim] + amount)
    return value


def _pad(t: TensorLanguage, input: Any, pad: tuple[int, ...], mode: str, value: Any) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    if mode != "constant" and mode not in MODES:
        raise TrilithNotImplementedError(f"Unrecognised padding mode {mode}")
    if len(pad) % 2:
        raise TrilithRuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * spec.rank:
        raise TrilithRuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {spec.rank}"
        )
    if mode in MODES:
        return pad_with_elements(t, input, pad, mode, value)
    result = input
    for dim, margins in enumerate(_margins(pad, spec.rank)):
        result = _cut(t, result, dim, *margins)
    if all(amount <= 0 for amount in pad):
        return t.call("clone", result)
    margins = tuple(max(amount, 0) for amount in pad)
    return t.call(
        "constant_pad",
        result,
        margins,
        0 if value is None else value,
        memory_format=suggest_memory_format(spec.shape, spec.strides),
    )


composite(
    "pad(Tensor input, SymInt[] pad, str mode='constant', Scalar? value=None)",
    "Margins around the last dims, (left, right, top, bottom, ...), of one value or, in "
    "modes reflect, replicate and circular, of elements; negative ones cut off.",
    "tri.pad(tri.tensor([1, 2]), (1, 1))  # tensor([0, 1, 2, 0])",
    _pad,
    methods=(),
    torch_name="nn.functional.pad",
    places=("nn.functional.pad",),
    check_numbers=check_padding,
    gradient=OF_PAD,
)
