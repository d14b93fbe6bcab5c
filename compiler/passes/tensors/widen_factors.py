"""Which products of narrow floats are formed of float32? Those that read an element several times.

Before::

    %0 = tri.matmul %x, %w : !tri.tensor<64x64xf16>, ... -> !tri.tensor<64x64xf16>

After::

    %1 = tri.cast %x {dtype = float32} : !tri.tensor<64x64xf16> -> !tri.tensor<64x64xf32>
    %2 = tri.cast %w {dtype = float32} : !tri.tensor<64x64xf16> -> !tri.tensor<64x64xf32>
    %3 = tri.matmul %1, %2 : !tri.tensor<64x64xf32>, ... -> !tri.tensor<64x64xf32>
    %0 = tri.cast %3 {dtype = float16} : !tri.tensor<64x64xf32> -> !tri.tensor<64x64xf16>

Sums of narrow floats are formed in float32 anyway, and rounded once: the result is the same, bit by
bit. But a factor is widened once and not for each row that reads it, and sums that are not finished
have room in the result. What is a view, such as the windows of an image, is a view of what is
widened. The matrix of a product with a vector is read once: its elements are widened where they are
read, as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.dtype import bfloat16
from ....dialects.attributes.spec import TensorSpec
from ....dialects.attributes.symint import hint_of
from ....dialects.making import discard
from ....dialects.ops.frame.argument_values import AttributeValue
from ....dialects.ops.frame.opspec import ContractionOp
from ....dialects.ops.frame.rules import compute_dtype
from ....dialects.ops.rows.products.index_maps import IndexedContractionOp
from ....dialects.tri.ops import TensorOperation, ViewOperation, op_class, tensor_spec
from ...analysis.product_sizes import ProductSizes, sizes_of_product

#: So many rows and columns read a factor, and so many products a sum has, at least.
LEAST = ProductSizes(2, 2, 2)
#: The same where a shift widens an element: a copy of the factor has to save several.
LEAST_OF_SHIFTS = ProductSizes(16, 2, 16)
#: The same where an image would be copied for a few filters.
LEAST_OF_IMAGES = ProductSizes(2, 8, 2)


@dataclass(frozen=True)
class WidenFactorsPass(ModulePass):
    """Form products of narrow floats of float32."""

    name = "tri-widen-factors"

    #: How many products there are at least: with fewer, launches would take longer.
    least: int = 1
    #: Whether what is widened is a copy, and never computed where it is read.
    copies: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Widen in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _Widening(func.body.block, self.least, self.copies).run()


class _Widening:
    """One function's products; what was widened once is read again."""

    def __init__(self, block: Block, least: int, copies: bool) -> None:
        self.block, self.least, self.copies = block, least, copies
        self.made: dict[SSAValue, SSAValue] = {}

    def run(self) -> None:
        for op in list(self.block.ops):
            if isinstance(op, TensorOperation) and self._is_worth_it(op):
                self._widen(op)

    def _is_worth_it(self, op: TensorOperation) -> bool:
        """Whether an operation is such a product; a size that is a symbol is guarded."""
        if not isinstance(op.ROW, (ContractionOp, IndexedContractionOp)):
            return False
        if not all(map(_is_narrow, op.operands)):
            return False
        sizes, least = sizes_of_product(op), _least_copied(op) if self.copies else LEAST
        is_read_often = all(size >= other for size, other in zip(sizes, least, strict=True))
        return is_read_often and op.spec.numel * sizes.depth >= self.least

    def _widen(self, op: TensorOperation) -> None:
        """Replace a product by one of wide factors, and what rounds its sums."""
        factors = [self._widened(operand, op) for operand in op.operands]
        product = op.of_type(factors, op.values(), _wide(op.spec), op.location)
        self.block.insert_op_before(product, op)
        if _is_narrow(op.results[0]):
            attributes: dict[str, AttributeValue] = {"dtype": op.spec.dtype}
            final = op_class("cast").of_type(product.results, attributes, op.spec, op.location)
            self.block.insert_op_before(final, op)
        else:
            final = product
        final.results[0].name_hint = op.results[0].name_hint
        op.results[0].replace_all_uses_with(final.results[0])
        narrow = list(op.operands)
        discard(op)
        for value in narrow:
            _discard_views(value)

    def _widened(self, value: SSAValue, user: TensorOperation) -> SSAValue:
        """Return a factor in the dtype of sums."""
        found = self.made.get(value)
        if found is not None:
            return found
        owner = value.owner
        if isinstance(owner, ViewOperation) and _source(value) is not value:
            viewed = self._widened(owner.operands[0], user)
            resolved = owner.ROW.resolve([tensor_spec(viewed)], owner.values())
            made = owner.make([viewed], resolved, owner.location)
        else:
            cast, spec = op_class("cast"), tensor_spec(value)
            resolved = cast.ROW.resolve([spec], {"dtype": compute_dtype(spec.dtype)})
            made = cast.make([value], resolved, user.location)
        self.block.insert_op_before(made, user)
        (result,) = made.results
        result.name_hint = value.name_hint
        self.made[value] = result
        return result


def _least_copied(op: TensorOperation) -> ProductSizes:
    """Return the sizes from which on copies of factors pay."""
    if isinstance(op.ROW, IndexedContractionOp):
        return LEAST_OF_IMAGES
    right = tensor_spec(op.operands[1])
    is_shifted = right.dtype is bfloat16 and right.strides[-1] == 1
    return LEAST_OF_SHIFTS if is_shifted else LEAST


def _source(value: SSAValue) -> SSAValue:
    """Return what is widened for a factor: itself, or what it is a view of if that is smaller."""
    found, smallest = value, tensor_spec(value)
    while isinstance(view := value.owner, ViewOperation):
        if view.ROW.is_of_storage or view.ROW.is_conj or view.ROW.depends_on_strides:
            break
        (value,) = view.operands
        spec = tensor_spec(value)
        if hint_of(spec.numel) < hint_of(smallest.numel):
            found, smallest = value, spec
    return found


def _discard_views(value: SSAValue) -> None:
    """Take out a view that nobody reads any more, and what it is a view of if that is one, too."""
    while isinstance(view := value.owner, ViewOperation) and not value.uses:
        (value,) = view.operands
        discard(view)


def _is_narrow(value: SSAValue) -> bool:
    """Whether a value is computed with in a wider dtype."""
    dtype = tensor_spec(value).dtype
    return dtype.is_floating_point and compute_dtype(dtype) is not dtype


def _wide(spec: TensorSpec) -> TensorSpec:
    return TensorSpec.of(spec.shape, compute_dtype(spec.dtype), spec.device, spec.strides)
