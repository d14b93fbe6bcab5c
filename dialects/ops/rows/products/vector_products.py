"""Which operations make matrices and vectors of vectors? cross, vander, block_diag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.device import cpu
from ....attributes.dtype import Category, bool_, float32, int64
from ....attributes.memory_format import contiguous_format
from ....attributes.promotion import result_type
from ....attributes.spec import TensorSpec
from ....attributes.strides import contiguous_strides
from ....attributes.views import Strided, narrow, wrap_dim
from ....diagnostics import TrilithRuntimeError
from ....frames import warn_once
from ...frame.matrix_rules import PRECISE
from ...frame.opspec import JoinOp, composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import check_dtype, common_device
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of, with_tensors
from ...gradients.joining import OF_BLOCK_DIAG
from .products import FACTORS

# ---- cross products


def _linalg_cross(t: TensorLanguage, input: Any, other: Any, dim: int) -> Any:
    first, second = tensor_of(t, input), tensor_of(t, other)
    if first.rank != second.rank:
        raise TrilithRuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    place = wrap_dim(dim, first.rank)
    if not first.rank or first.shape[place] != 3 or second.shape[place] != 3:
        sizes = [spec.shape[place] if spec.rank else 1 for spec in (first, second)]
        raise TrilithRuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {sizes[0]} and "
            f"{sizes[1]}"
        )
    if first.dtype is not second.dtype:
        raise TrilithRuntimeError(
            f"expected scalar type {first.dtype.c_name} but found {second.dtype.c_name}"
        )
    check_dtype("cross", first.dtype, FACTORS)
    x, y = ([t.call("narrow", value, place, i, 1) for i in range(3)] for value in (input, other))
    parts = [
        t.call("sub", t.call("mul", x[i - 2], y[i - 1]), t.call("mul", x[i - 1], y[i - 2]))
        for i in range(3)
    ]
    result = t.call("cat", parts, place)
    spec = tensor_of(t, result)
    if spec.strides == contiguous_strides(spec.shape):
        return result
    return t.call("clone", result, memory_format=contiguous_format)


def _cross(t: TensorLanguage, input: Any, other: Any, dim: int | None) -> Any:
    if dim is None:
        warn_once(
            "Using trilith.cross without specifying the dim arg is deprecated.\n"
            "Please either pass the dim explicitly or simply use trilith.linalg.cross.\n"
            "The default value of dim will change to agree with that of linalg.cross in a future "
            "release."
        )
        shape = tensor_of(t, input).shape
        if 3 not in shape:
            raise TrilithRuntimeError("no dimension of size 3 in input")
        dim = shape.index(3)
    return t.call("linalg_cross", input, other, dim=dim)


composite(
    "linalg_cross(Tensor input, Tensor other, *, int dim=-1)",
    "The cross products of vectors of three elements along a dim.",
    "tri.linalg.cross(tri.tensor([1, 0, 0]), tri.tensor([0, 1, 0]))  # tensor([0, 0, 1])",
    _linalg_cross,
    methods=(),
    is_public=False,
    places=("linalg.cross",),
    has_out=True,
    refuse_out=out_tensor_dtype,
)
composite(
    "cross(Tensor input, Tensor other, int? dim=None)",
    "The cross products of vectors of three elements along a dim, by default the first of size 3.",
    "tri.cross(tri.tensor([1, 0, 0]), tri.tensor([0, 1, 0]), dim=0)  # tensor([0, 0, 1])",
    _cross,
    has_out=True,
    refuse_out=out_tensor_dtype,
)

# ---- powers of vectors


def _powers(t: TensorLanguage, x: Any, count: int) -> Any:
    """Return the powers of elements from 0 on, along a new last dim."""
    spec = tensor_of(t, x)
    one = t.call("ones", (*spec.shape, min(count, 1)), dtype=spec.dtype, device=spec.device)
    if count < 2:
        return one
    wide = t.call("expand", t.call("unsqueeze", x, -1), (*spec.shape, count - 1))
    return t.call("cat", [one, t.call("cumprod", wide, -1)], spec.rank)


def _vander(t: TensorLanguage, x: Any, N: int | None, increasing: bool) -> Any:
    spec = tensor_of(t, x)
    if spec.rank != 1:
        raise TrilithRuntimeError("x must be a one-dimensional tensor.")
    count = spec.shape[0] if N is None else N
    if count < 0:
        raise TrilithRuntimeError("N must be non-negative.")
    wide = t.call("to", x, int64) if spec.dtype.category <= Category.INTEGRAL else x
    powers = _powers(t, wide, count)
    return powers if increasing else t.call("flip", powers, (1,))


def _linalg_vander(t: TensorLanguage, x: Any, N: int | None) -> Any:
    spec = tensor_of(t, x)
    if spec.dtype is bool_ or (spec.dtype.is_floating_point and spec.dtype not in PRECISE):
        raise TrilithRuntimeError(
            "linalg.vander supports floating point, complex, and integer tensors, but got "
            f"{spec.dtype.c_name}"
        )
    count = N if N is not None else spec.shape[-1] if spec.rank else 1
    if count <= 1:
        raise TrilithRuntimeError("N must be greater than 1.")
    wide = t.call("to", x, int64) if spec.dtype.category is Category.INTEGRAL else x
    return _powers(t, wide if spec.rank else t.call("reshape", wide, (1,)), count)


composite(
    "vander(Tensor x, SymInt? N=None, bool increasing=False)",
    "The powers of a vector's elements as the columns of a matrix, the highest first.",
    "tri.vander(tri.tensor([2, 3]), N=3)  # tensor([[4, 2, 1],\n#         [9, 3, 1]])",
    _vander,
    methods=(),
)
composite(
    "linalg_vander(Tensor x, *, SymInt? N=None)",
    "The powers of elements along a new last dim, the lowest first.",
    "tri.linalg.vander(tri.tensor([2, 3]), N=3)  # tensor([[1, 2, 4],\n#         [1, 3, 9]])",
    _linalg_vander,
    methods=(),
    is_public=False,
    places=("linalg.vander",),
)

# ---- blocks


def _as_block(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the rows and columns of a block: a vector is a row."""
    rows, columns = (1,) * (2 - len(shape)) + shape
    return rows, columns


def _resolve_blocks(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    tensors = [operand for operand in operands if isinstance(operand, TensorSpec)]
    dtype = result_type(*(tensor.operand for tensor in tensors))
    blocks = [_as_block(tensor.shape) for tensor in tensors]
    shape = (sum(rows for rows, _ in blocks), sum(columns for _, columns in blocks))
    result = TensorSpec.of(shape, dtype, common_device(operands))
    return Resolved({}, (dtype,) * len(tensors), result)


def _place_blocks(
    operands: Sequence[TensorSpec], result: TensorSpec, attributes: Attributes
) -> list[tuple[Strided, Strided]]:
    whole = Strided(result.shape, result.strides)
    places: list[tuple[Strided, Strided]] = []
    row = column = 0
    for operand in operands:
        rows, columns = _as_block(operand.shape)
        target = narrow(narrow(whole, 0, row, rows), 1, column, columns)
        missing = 2 - operand.rank
        source = Strided((1,) * missing + operand.shape, (0,) * missing + operand.strides)
        places.append((source, target))
        row, column = row + rows, column + columns
    return places


def _block_diag(t: TensorLanguage, tensors: Sequence[Any]) -> Any:
    if not tensors:
        return t.call("empty", (1, 0), dtype=float32, device=cpu)
    for number, tensor in enumerate(tensors):
        rank = tensor_of(t, tensor).rank
        if rank > 2:
            raise TrilithRuntimeError(
                "trilith.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                f"{number} has {rank} dimensions"
            )
    return t.call("place_blocks", list(tensors))


def _bind_blocks(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Take the blocks as separate arguments."""
    return with_tensors(schema, arguments, keywords)


TABLE.add(
    JoinOp(
        "place_blocks(Tensor[] tensors)",
        "Matrices along the diagonal of one of zeros: what block_diag becomes.",
        "tri.block_diag(tri.ones(1, 1), tri.tensor([2, 3])).shape  # trilith.Size([2, 3])",
        methods=(),
        is_public=False,
        resolver=_resolve_blocks,
        place=_place_blocks,
        fill="",
        gradient=OF_BLOCK_DIAG,
    )
)
composite(
    "block_diag(Tensor[] tensors)",
    "Matrices along the diagonal of one of zeros; a vector is a row.",
    "tri.block_diag(tri.tensor([[1]]), tri.tensor([2, 3]))  # tensor([[1, 0, 0],\n"
    "#         [0, 2, 3]])",
    _block_diag,
    methods=(),
    binder=_bind_blocks,
    forms=("block_diag(Tensor[]* tensors)",),
    gradient=OF_BLOCK_DIAG,
)
