"""What is known of an operation? One `OpSpec` row each; everything else is derived from it.

A row is data and tiny pure functions. The families below say what a row of their kind must hold:

- `ElementwiseOp`: a scalar body applied at every index after broadcasting and promotion;
- `ViewOp`: another (shape, strides, offset) on the same storage, never an access to an element;
- `ReductionOp`: a monoid (or a custom combiner) over some dims;
- `ContractionOp`, `JoinOp`, `CreationOp`, `CopyOp`: matmul; cat and pad; full and arange; clone;
- `TransferOp`: a copy on another device; other families stand with their rows (`scans.py`);
- `CompositeOp`: an operation written in other rows, which take its place while tracing.

Primitive rows answer one question, `resolve`: given the operands' specs and the attributes, what
are the canonical attributes, the dtype each operand is cast to and the spec of each result?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...attributes.dtype import Category, DType
from ...attributes.spec import TensorSpec
from ...attributes.views import Strided
from ...diagnostics import InternalError, TrilithError
from ...records import field, record
from ..scalars.scalar import Scalar
from . import mapped, mapped_dims, mapped_places
from .argument_values import AttributeValue
from .mapped import MappingRule
from .reduction_fields import EmptyReduction, JointReduction, Scalars
from .row import (
    Attributes,
    OperandSpec,
    OpSpec,
    PrimitiveOp,
    Resolved,
    TensorLanguage,
    in_place_names,
    registering,
)
from .traits import COMPUTED, COPIED, CREATED, MULTIPLIED, POINTWISE, REDUCED, Traits

#: What a dtype of a category is refused with: the error and PyTorch's words, `{dtype}` among them.
Refusal = tuple[type[TrilithError], str]
#: (operands, attributes) -> (dtype of each operand, dtype of the result)
PromotionRule = Callable[[Sequence[OperandSpec], Attributes], tuple[tuple[DType, ...], DType]]


@record
class Algebra:
    """Laws that a canonicalisation may use.

    `identity` is the right operand that changes nothing, `exact_on_floats` whether that also holds
    for every floating-point value (x + 0 turns -0.0 into 0.0, x * 1 keeps all). An involution
    undoes itself, an idempotent operation does nothing the second time. `by_reciprocal` is the row
    that gives the same with the reciprocal of the right operand, where that is exact.
    """

    commutative: bool = False
    identity: int | None = None
    exact_on_floats: bool = False
    involution: bool = False
    idempotent: bool = False
    by_reciprocal: str = ""


@record(kw_only=True, eq=False)
class ElementwiseOp(PrimitiveOp):
    """A scalar body at every index.

    `body(*scalars, **attributes)` sees promoted scalars: float32 where the dtype is float16 or
    bfloat16, else the operand dtype. The promoted dtype must be among `accepts`; others
    are refused with the words of `refusals`, else with those of PyTorch's kernel (`torch_kernels`).
    Complex scalars are pairs of real ones (see `complexes`), at least complex64. `ulp` bounds the
    error of a float32 or float64 result in units in the last place against the exact value; 0 means
    correctly rounded. `domain` is the interval that samples are drawn from. `is_costly` says that
    computing it twice is worse than storing it. `has_constant_divisor` says that an integer divisor
    which is a number of the program stays in the code: dividing by it is then a multiplication.
    The body of a row with several results, which have one shape, returns as many scalars (frexp).
    """

    promotion: PromotionRule
    body: Callable[..., Scalar | Scalars]
    accepts: frozenset[DType]
    refusals: Mapping[Category, Refusal] = field(default_factory=dict[Category, Refusal])
    algebra: Algebra = Algebra()
    ulp: float = 0.0
    domain: tuple[float, float] = (-100.0, 100.0)
    is_costly: bool = False
    has_constant_divisor: bool = False
    resolver: Callable[[ElementwiseOp, Sequence[OperandSpec], Attributes], Resolved]
    mapping: MappingRule | None = mapped.elementwise
    traits: Traits = POINTWISE

    @property
    def in_place_names(self) -> tuple[str, ...]:
        """The row's names with an underscore, and the operators that assign."""
        return in_place_names(self) if self.in_place is None else self.in_place

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Broadcast, promote, and give the result PyTorch's pointwise strides."""
        return self.resolver(self, operands, attributes)

    def operand_dtypes(
        self, operands: Sequence[OperandSpec], attributes: Attributes
    ) -> tuple[DType, ...]:
        """Return the dtypes that the operands are cast to, without asking for shapes."""
        return self.promotion(operands, attributes)[0]

    def evaluate(
        self, operands: Sequence[Scalar], resolved: Resolved
    ) -> Scalar | tuple[Scalar, ...]:
        """Run the body on all elements at once."""
        return self.body(*operands, **resolved.attributes)


@record(kw_only=True, eq=False)
class ViewOp(PrimitiveOp):
    """Another look at the same storage.

    `apply(strided, attributes)` returns the new shape, strides and offset; `canonical` makes the
    attributes explicit (dims not negative, sizes inferred) from the operand's spec. Views that may
    have to copy (reshape) return None from `apply` and are then a copy in the IR.

    `dtype(spec, attributes)` is the dtype that the same bytes are seen as, None if it is the
    operand's; `apply` then takes strides and offset in elements of the operand's dtype and returns
    them in elements of the result's. `is_of_storage` says that the view depends on where elements
    lie or on their bytes, so that it means nothing on a value that is laid out otherwise. One that
    `depends_on_strides` means the same elements of any value, but exists for some strides only.
    `is_conj` says that the elements are the conjugates of what the operand sees; any other view
    sees them as its operand does.
    """

    canonical: Callable[[TensorSpec, Attributes], dict[str, AttributeValue]]
    apply: Callable[[Strided, Any], Strided]
    dtype: Callable[[TensorSpec, Attributes], DType] | None = None
    is_of_storage: bool = False
    depends_on_strides: bool = False
    is_conj: bool = False
    mapping: MappingRule | None = mapped_dims.window
    has_out: bool | None = False

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Apply the view's arithmetic to the operand's shape and strides."""
        (operand,) = operands
        if not isinstance(operand, TensorSpec):
            raise InternalError(f"{self.name} of a Python number")
        canonical = self.canonical(operand, attributes)
        viewed = self.apply(Strided(operand.shape, operand.strides, 0), canonical)
        dtype = operand.dtype if self.dtype is None else self.dtype(operand, canonical)
        result = TensorSpec.of(
            viewed.shape,
            dtype,
            operand.device,
            viewed.strides,
            is_conj=operand.is_conj is not self.is_conj,
        )
        return Resolved(canonical, (operand.dtype,), result)


@record(kw_only=True, eq=False)
class ReductionOp(PrimitiveOp):
    """A reduction over dims.

    Each element is mapped by `prepare`, combined by the monoid `combine` (add, mul, maximum,
    minimum, and, or), and the total is mapped by `finish(total, count)`. A row with a `joint`
    reduction goes by that instead; `combine` is then its name. All results have one shape.
    `lanes` and `block` fix the order, which is part of the meaning: element e goes to lane
    e % lanes of block e // block; lanes are reduced in order, then blocks in order, and at the end
    lane l is combined with lane l + lanes / 2 until one is left. The dims are walked in the order
    of memory, unless a joint reduction `is_indexed`: which of equal elements is the first can be
    told.
    """

    resolver: Callable[[ReductionOp, Sequence[OperandSpec], Attributes], Resolved]
    combine: str
    joint: JointReduction | None = None
    prepare: Callable[[Scalar], Scalar] | None = None
    finish: Callable[[Scalar, Scalar], Scalar] | None = None
    empty: EmptyReduction = EmptyReduction.NEUTRAL
    lanes: int = 1
    block: int = 1
    ulp: float = 0.0
    mapping: MappingRule | None = mapped_dims.reduction
    traits: Traits = REDUCED

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Reduce the shape; results are contiguous as PyTorch's are."""
        return self.resolver(self, operands, attributes)


@record(kw_only=True, eq=False)
class StructuralOp(PrimitiveOp):
    """An operation whose shape, dtype and format rule is its own function."""

    resolver: Callable[[Sequence[OperandSpec], Attributes], Resolved]

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Ask the row's own rule."""
        return self.resolver(operands, attributes)


@record(kw_only=True, eq=False)
class ContractionOp(StructuralOp):
    """A sum of products over dims that two operands share (matmul)."""

    mapping: MappingRule | None = mapped_places.multiplying
    traits: Traits = MULTIPLIED


@record(kw_only=True, eq=False)
class JoinOp(StructuralOp):
    """Several operands written into parts of one result (cat, pad).

    `place(operands, result, attributes)` gives, for each operand, the part of the operand that is
    read and the part of the result that is written, as (operand view, result view); `fill` names
    the last operand, a number that the rest of the result takes, if any is left.
    """

    place: Callable[
        [Sequence[TensorSpec], TensorSpec, Attributes], Sequence[tuple[Strided, Strided]]
    ]
    fill: str | None = None
    traits: Traits = COMPUTED


@record(kw_only=True, eq=False)
class CreationOp(StructuralOp):
    """A tensor from attributes (and Python numbers) alone.

    `body(index, dtype, **scalars)` gives the element at the linear index (int64). The scalars are
    the `numbers` that the row takes from its attributes: name -> (number, its dtype). What a view
    of the tensor sees is a tensor of the same row if there is `seen(attributes, spec)`, which gives
    its attributes.
    """

    body: Callable[..., Scalar] | None = None
    numbers: Callable[[Attributes], dict[str, tuple[float, DType]]] | None = None
    seen: Callable[[Attributes, TensorSpec], Attributes] | None = None
    traits: Traits = CREATED


@record(kw_only=True, eq=False)
class CopyOp(StructuralOp):
    """The same elements in other memory: clone, contiguous, a reshape that cannot be a view."""

    mapping: MappingRule | None = mapped_dims.copied
    traits: Traits = COPIED
    has_out: bool | None = False


@record(kw_only=True, eq=False)
class TransferOp(StructuralOp):
    """The same elements in the memory of another device."""

    mapping: MappingRule | None = mapped.as_it_is
    has_out: bool | None = False


@record(kw_only=True, eq=False)
class CompositeOp(OpSpec):
    """An operation written in other rows: `expand(t, **arguments)` in a `TensorLanguage`.

    What one that `is_cutting` gives are slices and indices of one dim of its first operand.
    """

    expand: Callable[..., Any] = field(kw_only=False)
    is_cutting: bool = False

    def expanded(self, t: TensorLanguage, bound: Mapping[str, Any]) -> Any:
        """Return what the row gives in a language; several results as they are named."""
        found = self.expand(t, **bound)
        named = self.named_results
        return found if named is None or not isinstance(found, tuple) else named(*found)


#: Adds an operation that is written in other rows.
composite = registering(CompositeOp)
