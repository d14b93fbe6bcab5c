"""Whose memory does a value look at, and which memory does the caller see?"""

from __future__ import annotations

from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, BlockArgument, SSAValue

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.extents import check_bounds, storage_extent
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import Strided
from ...dialects.diagnostics import OutsideOfTensor, TrilithRuntimeError
from ...dialects.tri.ops import ViewOperation, tensor_spec


def root_of(value: SSAValue) -> tuple[SSAValue, Strided]:
    """Return what a value is a view of, and the view's sizes, strides and offset in it.

    They count elements of the value's dtype, which may see the root's bytes as another one. A view
    that leaves the memory of an intermediate result is refused; what an argument is a part of is
    known when the function is called.
    """
    chain: list[ViewOperation] = []
    while isinstance(value.owner, ViewOperation):
        chain.append(value.owner)
        value = value.owner.operands[0]
    spec = tensor_spec(value)
    strided = Strided(spec.shape, spec.strides, 0)
    for view in reversed(chain):
        strided = view.ROW.apply(strided, view.values())
    if any(view.ROW.is_of_storage for view in chain) and not isinstance(value, BlockArgument):
        _check_inside(spec, strided, chain[0].spec.dtype)
    return value, strided


def read_root_of(value: SSAValue) -> tuple[SSAValue, Strided]:
    """Return `root_of` for a kernel that reads: the view has to lie inside of an argument too."""
    root, strided = root_of(value)
    if isinstance(root, BlockArgument) and isinstance(value.owner, ViewOperation):
        try:
            _check_inside(tensor_spec(root), strided, tensor_spec(value).dtype)
        except TrilithRuntimeError as error:
            raise OutsideOfTensor(error.message) from None
    return root, strided


def _check_inside(root: TensorSpec, view: Strided, dtype: DType) -> None:
    nbytes = storage_extent(root.shape, root.strides) * root.dtype.itemsize
    check_bounds(view.shape, view.strides, view.offset, dtype.itemsize, nbytes)


def escaping_values(block: Block) -> set[SSAValue]:
    """Return the values that the caller sees: what is returned, and whatever those are views of."""
    end = block.last_op
    escaping: set[SSAValue] = set(end.operands) if isinstance(end, ReturnOp) else set()
    for op in reversed(list(block.ops)):
        if isinstance(op, ViewOperation) and op.results[0] in escaping:
            escaping.add(op.operands[0])
    return escaping
