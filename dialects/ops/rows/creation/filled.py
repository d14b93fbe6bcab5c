"""Which operations make a tensor out of nothing but a shape? full, zeros, ones, empty and `*_like`.

All become one of two primitive rows: `full_strided` writes one value everywhere, `uninitialised`
is memory that nobody has written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ....attributes.default_dtype import get_default_dtype
from ....attributes.device import Device, get_default_device, home_of
from ....attributes.dtype import (
    DType,
    bool_,
    complex64,
    complex128,
    float4_e2m1fn_x2,
    float64,
    int64,
    uint8,
)
from ....attributes.extents import check_reach, check_sizes
from ....attributes.layout import strided
from ....attributes.memory_format import MemoryFormat, preserve_format
from ....attributes.options import check_pinned, warn_of_complex32
from ....attributes.spec import ScalarSpec, TensorSpec
from ....attributes.strides import preserve_strides, strides_for
from ....diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from ....records import replace
from ...frame.gradients import CONSTANT
from ...frame.literals import check_fill, check_fill_value, check_fits, refuse_complex
from ...frame.mapped_dims import filled, made_like
from ...frame.opspec import CompositeOp, CreationOp, composite
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage, registering
from ...frame.rules import CASTABLE, check_dtype
from ...frame.traits import COPIED
from ...frame.writing import UNIFORM_WRITING, Writing
from ...gradients.copies import OF_FILL
from ...scalars.scalar import Scalar

#: What every factory takes besides its own arguments.
OPTIONS = (
    "*, dtype? dtype=None, layout? layout=None, device? device=None, bool? pin_memory=None, "
    "bool? requires_grad=False"
)
LIKE_OPTIONS = f"{OPTIONS}, memory_format? memory_format=None"

# ---- the primitive rows


def device_of(attributes: Attributes) -> Device:
    """Return the device of a result: the one asked for, else the default one."""
    device = attributes["device"]
    return home_of(device if isinstance(device, Device) else get_default_device())


def _resolve_full(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    size: Any = attributes["size"]
    strides: Any = attributes["strides"]
    dtype = attributes["dtype"]
    (value,) = operands
    if not isinstance(dtype, DType):
        dtype = _dtype_of_value(value)
    check_sizes(size)
    check_dtype("full", dtype, CASTABLE)
    device = device_of(attributes)
    result = TensorSpec.of(size, dtype, device, strides)
    canonical = dict(attributes) | {"dtype": dtype, "device": device}
    return Resolved(canonical, (dtype,), result)


def _dtype_of_value(value: OperandSpec) -> DType:
    """Return the dtype of `full` without one: a 0-dim tensor counts as the number it holds."""
    dtype = value.dtype
    if dtype.is_complex:
        # Not the complex partner of a default dtype of 16 bits.
        return complex128 if get_default_dtype() is float64 else complex64
    if dtype.is_floating_point:
        return get_default_dtype()
    return bool_ if dtype is bool_ else int64


def _fill(index: Scalar, value: Scalar) -> Scalar:
    return value


def _seen(attributes: Attributes, spec: TensorSpec) -> Attributes:
    return dict(attributes) | {"size": spec.shape, "strides": spec.strides}


TABLE.add(
    CreationOp(
        "full_strided(int[] size, Operand fill_value, *, dtype? dtype=None, "
        "device? device=None, int[]? strides=None)",
        "A tensor of one value, with given strides: what full and its relatives become.",
        "tri.full((2,), 7)  # tensor([7, 7])",
        methods=(),
        resolver=_resolve_full,
        body=_fill,
        seen=_seen,
        traits=COPIED,
        is_public=False,
        gradient=CONSTANT,
        mapping=filled,
    )
)


def _resolve_uninitialised(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    size: Any = attributes["size"]
    strides: Any = attributes["strides"]
    dtype = attributes["dtype"]
    if not isinstance(dtype, DType):
        dtype = get_default_dtype()
    check_sizes(size)
    device = device_of(attributes)
    result = TensorSpec.of(size, dtype, device, strides)
    return Resolved(dict(attributes) | {"dtype": dtype, "device": device}, (), result)


TABLE.add(
    CreationOp(
        "uninitialised(int[] size, *, dtype? dtype=None, device? device=None, int[]? strides=None)",
        "Memory that nobody has written, with given strides: what empty becomes.",
        "tri.empty(2, 3).shape  # trilith.Size([2, 3])",
        methods=(),
        resolver=_resolve_uninitialised,
        is_public=False,
        gradient=CONSTANT,
    )
)

# ---- what the factories share


def option_dtype(options: Mapping[str, Any], default: DType | None = None) -> DType:
    """Check the options of a factory; return the dtype that they ask for, else the default."""
    dtype: DType = options["dtype"] or default or get_default_dtype()
    check_pinned(options["pin_memory"])
    warn_of_complex32(dtype)
    return dtype


def check_layout(name: str, layout: object) -> None:
    """Refuse to fill a sparse tensor, which has no place for all its elements."""
    if layout is not None and layout is not strided:
        raise TrilithRuntimeError(f"{name}(...) is not implemented for sparse layout")


def _check_dense(name: str, layout: object) -> None:
    """Refuse the sparse tensors that PyTorch makes here and trilith does not."""
    if layout is not None and layout is not strided:
        raise TrilithNotImplementedError(
            f"{name} of a sparse tensor is not offered",
            hint="make it with trilith.sparse_coo_tensor",
        )


def like_strides(spec: TensorSpec, memory_format: MemoryFormat | None) -> tuple[int, ...]:
    """Return the strides of a tensor like another one."""
    if memory_format is None or memory_format is preserve_format:
        return preserve_strides(spec.shape, spec.strides)
    return strides_for(spec.shape, memory_format)


def fill_with(
    t: TensorLanguage,
    size: Sequence[int],
    value: Any,
    *,
    dtype: DType | None,
    device: Device | None,
    strides: tuple[int, ...] | None = None,
    is_zero: bool = False,
) -> Any:
    """Fill a new tensor; the dtype whose numbers nothing can write is zeroed by its bytes."""
    if is_zero and dtype is float4_e2m1fn_x2:
        bytes_ = t.call("full_strided", size, 0, dtype=uint8, device=device, strides=strides)
        return t.call("view_dtype", bytes_, dtype, uint8)
    return t.call("full_strided", size, value, dtype=dtype, device=device, strides=strides)


def check_value(t: TensorLanguage, name: str, value: Any, dtype: DType) -> None:
    """Refuse a tensor in the place of a number, but for one of no dims that is no complex one.

    PyTorch looks at the imaginary part, which is not known here: it is not dropped in silence.
    """
    spec = t.spec(value)
    if not isinstance(spec, TensorSpec):
        return
    if spec.shape:
        raise TrilithTypeError(
            f"{name}(): argument 'fill_value' (position 2) must be Number, not Tensor"
        )
    if spec.dtype.is_complex and not dtype.is_complex and dtype is not bool_:
        refuse_complex(dtype)


def _without_warning(out: TensorSpec, result: TensorSpec) -> str:
    return ""


#: A factory resizes its `out=` without a word.
FACTORY_WRITING = Writing(resized=_without_warning)
_FILLING = replace(FACTORY_WRITING, is_uniform=True)
#: Adds a function that makes a tensor from its options.
factory = registering(partial(CompositeOp, methods=(), is_factory=True, writing=FACTORY_WRITING))
#: Adds such a method of tensors, which is no function.
factory_method = registering(
    partial(CompositeOp, is_method_only=True, is_factory=True, writing=FACTORY_WRITING)
)


# ---- full, zeros, ones


def _full(t: TensorLanguage, size: tuple[int, ...], fill_value: Any, **options: Any) -> Any:
    check_layout("full", options["layout"])
    default = _dtype_of_value(t.spec(fill_value))
    dtype = option_dtype(options, default)
    check_value(t, "full", fill_value, dtype)
    return fill_with(t, size, fill_value, dtype=dtype, device=options["device"])


def _ones(t: TensorLanguage, size: tuple[int, ...], **options: Any) -> Any:
    check_layout("full", options["layout"])
    return fill_with(t, size, 1, dtype=option_dtype(options), device=options["device"])


def _zeros(t: TensorLanguage, size: tuple[int, ...], **options: Any) -> Any:
    _check_dense("zeros", options["layout"])
    if any(dim < 0 for dim in size):
        raise TrilithRuntimeError("zeros: Dimension size must be non-negative.")
    dtype = option_dtype(options)
    return fill_with(t, size, 0, dtype=dtype, device=options["device"], is_zero=True)


factory(
    f"full(int[] size, Operand fill_value, {OPTIONS})",
    "A tensor of one value; the dtype follows the value.",
    "tri.full((2, 2), 7)  # tensor([[7, 7],\n#         [7, 7]])",
    _full,
    check_numbers=check_fill,
    has_out=True,
    writing=_FILLING,
)
factory(
    f"zeros(int[]* size, {OPTIONS})",
    "A tensor of zeros.",
    "tri.zeros(2)  # tensor([0., 0.])",
    _zeros,
    has_out=True,
    writing=_FILLING,
)
factory(
    f"ones(int[]* size, {OPTIONS})",
    "A tensor of ones.",
    "tri.ones(2)  # tensor([1., 1.])",
    _ones,
    has_out=True,
    writing=_FILLING,
)


def _check_scalar(bound: Mapping[str, Any]) -> None:
    check_fits(bound["s"], bound["dtype"] or get_default_dtype())


def _scalar_tensor(t: TensorLanguage, s: Any, **options: Any) -> Any:
    dtype = option_dtype(options)
    return fill_with(t, (), s, dtype=dtype, device=options["device"])


factory(
    f"scalar_tensor(Operand s, {OPTIONS})",
    "A number as a 0-dim tensor, of the default dtype if none is given.",
    "tri.scalar_tensor(3)  # tensor(3.)",
    _scalar_tensor,
    check_numbers=_check_scalar,
)

# ---- like another tensor


def _tensor_spec(t: TensorLanguage, name: str, value: Any) -> TensorSpec:
    spec = t.spec(value)
    if isinstance(spec, ScalarSpec):
        raise TrilithTypeError(
            f"{name}(): argument 'input' (position 1) must be Tensor, not {spec.kind}"
        )
    return spec


def _like(name: str, t: TensorLanguage, input: Any, value: Any, options: Mapping[str, Any]) -> Any:
    spec = _tensor_spec(t, name, input)
    return fill_with(
        t,
        spec.shape,
        value,
        dtype=option_dtype(options, spec.dtype),
        device=options["device"] or spec.device,
        strides=like_strides(spec, options["memory_format"]),
        is_zero=name == "zeros_like",
    )


def _full_like(t: TensorLanguage, input: Any, fill_value: Any, **options: Any) -> Any:
    check_layout("full_like", options["layout"])
    like = _tensor_spec(t, "full_like", input).dtype
    check_value(t, "full_like", fill_value, option_dtype(options, like))
    return _like("full_like", t, input, fill_value, options)


def _ones_like(t: TensorLanguage, input: Any, **options: Any) -> Any:
    check_layout("ones_like", options["layout"])
    return _like("ones_like", t, input, 1, options)


def _zeros_like(t: TensorLanguage, input: Any, **options: Any) -> Any:
    _check_dense("zeros_like", options["layout"])
    return _like("zeros_like", t, input, 0, options)


def _empty_like(t: TensorLanguage, input: Any, **options: Any) -> Any:
    _check_dense("empty_like", options["layout"])
    spec = _tensor_spec(t, "empty_like", input)
    return t.call(
        "uninitialised",
        spec.shape,
        dtype=option_dtype(options, spec.dtype),
        device=options["device"] or spec.device,
        strides=like_strides(spec, options["memory_format"]),
    )


factory(
    f"full_like(Tensor input, Operand fill_value, {LIKE_OPTIONS})",
    "A tensor of one value with the shape, dtype, device and layout of another.",
    "tri.full_like(tri.tensor([1., 2.]), 7)  # tensor([7., 7.])",
    _full_like,
    check_numbers=check_fill,
    mapping=made_like,
)
factory(
    f"zeros_like(Tensor input, {LIKE_OPTIONS})",
    "Zeros with the shape, dtype, device and layout of another tensor.",
    "tri.zeros_like(tri.tensor([1, 2]))  # tensor([0, 0])",
    _zeros_like,
    mapping=made_like,
)
factory(
    f"ones_like(Tensor input, {LIKE_OPTIONS})",
    "Ones with the shape, dtype, device and layout of another tensor.",
    "tri.ones_like(tri.tensor([1, 2]))  # tensor([1, 1])",
    _ones_like,
    mapping=made_like,
)
factory(
    f"empty_like(Tensor input, {LIKE_OPTIONS})",
    "Uninitialised elements with the shape, dtype, device and layout of another tensor.",
    "tri.empty_like(tri.zeros(2, 3)).shape  # trilith.Size([2, 3])",
    _empty_like,
    mapping=made_like,
)


# ---- uninitialised memory


def _empty(t: TensorLanguage, size: tuple[int, ...], **options: Any) -> Any:
    _check_dense("empty", options["layout"])
    memory_format: MemoryFormat | None = options["memory_format"]
    if memory_format is preserve_format:
        raise TrilithRuntimeError("unsupported memory format Preserve")
    check_sizes(size)
    strides = None if memory_format is None else strides_for(size, memory_format)
    dtype = option_dtype(options)
    return t.call("uninitialised", size, dtype=dtype, device=options["device"], strides=strides)


def _empty_strided(
    t: TensorLanguage, size: tuple[int, ...], stride: tuple[int, ...], **options: Any
) -> Any:
    _check_dense("empty_strided", options["layout"])
    return empty_with_strides(
        t, size, stride, dtype=option_dtype(options), device=options["device"]
    )


def empty_with_strides(
    t: TensorLanguage, size: tuple[int, ...], stride: tuple[int, ...], *, dtype: DType, device: Any
) -> Any:
    """Return an uninitialised tensor whose storage, if it will have one, can be counted."""
    made = t.call("uninitialised", size, dtype=dtype, device=device, strides=stride)
    spec = t.spec(made)
    assert isinstance(spec, TensorSpec)
    if spec.device.has_values:
        check_reach(size, stride, dtype.itemsize)
    return made


def _empty_permuted(
    t: TensorLanguage, size: tuple[int, ...], physical_layout: tuple[int, ...], **options: Any
) -> Any:
    _check_dense("empty_permuted", options["layout"])
    rank = len(size)
    if len(physical_layout) != rank:
        raise TrilithRuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {rank} is not equal to len(physical_layout) = {len(physical_layout)}"
        )
    check_sizes(size)
    strides: dict[int, int] = {}
    stride = 1
    for index in range(rank - 1, -1, -1):
        dim = physical_layout[index]
        if not 0 <= dim < rank:
            raise TrilithRuntimeError(
                f"Dimension out of range (expected to be between 0 and {rank - 1}, but got {dim} "
                f"at index {index}).  NB: negative dims not currently supported; file an issue if "
                "you want it."
            )
        if dim in strides:
            raise TrilithRuntimeError("Duplicate dim not allowed")
        strides[dim] = stride
        stride *= max(size[dim], 1)
    dtype = option_dtype(options)
    in_order = tuple(strides[dim] for dim in range(rank))
    return t.call("uninitialised", size, dtype=dtype, device=options["device"], strides=in_order)


factory(
    f"empty(int[]* size, {LIKE_OPTIONS})",
    "A tensor with uninitialised elements: whatever the memory holds.",
    "tri.empty(2, 3).shape  # trilith.Size([2, 3])",
    _empty,
    has_out=True,
)
factory(
    f"empty_strided(int[] size, int[] stride, {OPTIONS})",
    "A tensor with uninitialised elements and given strides.",
    "tri.empty_strided((2, 3), (1, 2)).stride()  # (1, 2)",
    _empty_strided,
)
factory(
    f"empty_permuted(int[] size, int[] physical_layout, {OPTIONS})",
    "Uninitialised elements that lie in memory in the order of the dims given.",
    "tri.empty_permuted((2, 3, 4), (0, 2, 1)).stride()  # (12, 1, 3)",
    _empty_permuted,
)


# ---- the same tensor, filled


def _check_fill_of(bound: Mapping[str, Any]) -> None:
    dtype = getattr(bound["input"], "dtype", None)
    if isinstance(dtype, DType):
        check_fill_value(bound["value"], dtype, bound["input"].shape)


def _fill_of(t: TensorLanguage, input: Any, value: Any) -> Any:
    found = t.spec(value)
    if isinstance(found, TensorSpec) and found.shape:
        raise TrilithRuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{found.rank} dimensions."
        )
    spec = _tensor_spec(t, "fill", input)
    strides = like_strides(spec, None)
    return fill_with(t, spec.shape, value, dtype=spec.dtype, device=spec.device, strides=strides)


composite(
    "fill(Tensor input, Operand value)",
    "A tensor like the input, filled with a number or a 0-dim tensor.",
    "tri.fill(tri.tensor([1, 2]), 7)  # tensor([7, 7])",
    _fill_of,
    methods=(),
    check_numbers=_check_fill_of,
    in_place=("fill_",),
    in_place_functions=("fill_",),
    writing=UNIFORM_WRITING,
    gradient=OF_FILL,
)
