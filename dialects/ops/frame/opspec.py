"""What is known of an operation? One `OpSpec` row each; everything else is derived from it.

A row is data and tiny pure functions. The families below say what a row of their kind must hold:

- `ElementwiseOp`: a scalar body applied at every index after broadcasting and promotion;
- `ViewOp`: another (shape, strides, offset) on the same storage, never an access to an element;
- `ReductionOp`: a monoid (or a custom combiner) over some dims;
- `ContractionOp`, `JoinOp`, `CreationOp`, `CopyOp`: matmul; cat and pad; full and arange; clone;
- `CompositeOp`: an operation written in other rows, which take its place while tracing.

Primitive rows answer one question, `resolve`: given the operands' specs and the attributes, what
are the canonical attributes, the dtype each operand is cast to and the spec of the result?
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from ...attributes.dtype import Category, DType
from ...attributes.spec import ScalarSpec, TensorSpec
from ...attributes.views import Strided
from ...diagnostics import InternalError, TrilithError
from ..scalars.scalar import Scalar
from .argument_values import AttributeValue
from .schema import Schema, parse_schema

OperandSpec = TensorSpec | ScalarSpec
Attributes = Mapping[str, AttributeValue]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The answer of a row about one application of its operation."""

    attributes: dict[str, AttributeValue]
    operand_dtypes: tuple[DType, ...]
    result: TensorSpec


class TensorLanguage(Protocol):
    """What a composite row is written in: `t.sum(x, dim)` applies the row named `sum`."""

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Apply the row called `name`."""
        ...

    def spec(self, value: Any) -> OperandSpec:
        """Return the spec of an operand."""
        ...


#: (dtype of the result, dtype of `out`) -> None, or a refusal.
OutRule = Callable[[DType, DType], None]
#: Called with the arguments of a call by the names of their parameters.
NumbersCheck = Callable[[Mapping[str, Any]], None]


def expanded_warning(name: str, example: str) -> str:
    """Return PyTorch's warning of a method that writes where several elements are one."""
    return (
        f"Use of {name} on expanded tensors is deprecated. Please clone() the tensor before "
        f"performing this operation. This also applies to advanced indexing e.g. {example}"
    )


@dataclass(frozen=True, slots=True)
class Writing:
    """What a row asks of the memory that its result is written into.

    Operands may be that very memory, but not overlap it in part. Those that are named `apart` may
    not even be it; those `read_first` may lie anywhere, as they are read before anything is
    written. `expanded` is the warning of a row that writes in place where several elements are one.
    `is_uniform` says that all elements get one number, so that several may be one.
    `refuse(dtype)` refuses the dtype of what an in-place method writes into.
    """

    apart: frozenset[str] = frozenset()
    read_first: frozenset[str] = frozenset()
    expanded: str = ""
    is_uniform: bool = False
    refuse: Callable[[DType], None] | None = None


#: What most rows ask, and what those ask that fill with one number.
PLAIN_WRITING = Writing()
UNIFORM_WRITING = Writing(is_uniform=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpSpec:
    """What every row holds.

    `methods` are the attributes installed on a tensor: method names, and dunder names for
    operators; a reflected operator (`__radd__`) swaps its two operands. `torch_name` is the
    function of PyTorch that the row must equal. `static_operands` says, by the names of operands,
    of which Python numbers the value is part of the IR, as the row looks at it (exponents of pow).
    `check_numbers(bound)` refuses a call by the values of its Python numbers, before anything is
    recorded; one whose value is not known while tracing is checked in each call. `check_keywords`
    does so for numbers that are keyword-only: it has nothing to say of a call without. `in_place`
    names the methods that write the result into the first operand (`add_`); of an elementwise row
    they are made from its own names unless it says otherwise. `has_out` says whether the function
    takes `out=`; rows that compute do unless they say otherwise. `refuse_out(result, out)` refuses
    the dtype of an `out=` where PyTorch does so in other words than "can't be cast". For type
    checkers, `returns` is the type of what comes back, and `forms` are the signatures of a call
    that has several. `writing` says which memory the operands may share with what is written.
    `alone` is the row that a function call with one argument means, if it is another one.
    """

    schema: Schema
    doc: str
    example: str
    methods: tuple[str, ...] = ()
    torch_name: str = ""
    static_operands: Mapping[str, Callable[[Any], bool]] = field(
        default_factory=dict[str, Callable[[Any], bool]]
    )
    check_numbers: NumbersCheck | None = None
    check_keywords: NumbersCheck | None = None
    is_public: bool = True
    in_place: tuple[str, ...] | None = None
    has_out: bool | None = None
    returns: str = "Tensor"
    forms: tuple[str, ...] = ()
    refuse_out: OutRule | None = None
    writing: Writing = PLAIN_WRITING
    alone: str = ""
    name: str = field(init=False)
    """The operation's name: `tri.NAME` in Python and in the IR."""

    def __post_init__(self) -> None:
        """Take the name from the schema."""
        object.__setattr__(self, "name", self.schema.name)

    @property
    def function_names(self) -> tuple[str, ...]:
        """The names of the public function: the row's own, and those that its methods add."""
        if not self.is_public:
            return ()
        others = (name for name in self.methods if not name.startswith("__"))
        return tuple(dict.fromkeys((self.name, *others)))

    @property
    def in_place_functions(self) -> tuple[str, ...]:
        """The writing methods that are functions, too."""
        return tuple(name for name in self.in_place_names if name in IN_PLACE_FUNCTIONS)

    @property
    def in_place_names(self) -> tuple[str, ...]:
        """The methods that write into the first operand; operators (`__iadd__`) among them."""
        return self.in_place or ()

    def refuse_numbers(self, bound: Mapping[str, Any]) -> None:
        """Refuse a call by the values of its Python numbers."""
        if self.check_numbers is not None:
            self.check_numbers(bound)
        if self.check_keywords is not None:
            self.check_keywords(bound)

    @property
    def takes_out(self) -> bool:
        """Whether the function takes `out=`, a tensor that the result is written into."""
        return bool(self.has_out) and self.is_public


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrimitiveOp(OpSpec):
    """A row that is an operation of the IR."""

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Return canonical attributes, operand dtypes and the result's spec, or refuse."""
        raise InternalError(f"the row of '{self.name}' does not say how to resolve it")

    @property
    def takes_out(self) -> bool:
        """Whether the function takes `out=`: if it computes anything."""
        return self.is_public and self.has_out is not False


#: The operators of Python that write into their first operand.
ASSIGNING_OPERATORS = frozenset(
    f"__i{name}__"
    for name in (
        *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"),
        *("and", "or", "xor", "lshift", "rshift"),
    )
)

#: The writing methods that PyTorch has as functions, too.
IN_PLACE_FUNCTIONS = frozenset(
    (
        *("abs_", "ceil_", "clamp_", "clamp_max_", "clamp_min_", "clip_", "conj_physical_", "cos_"),
        *("erf_", "exp2_", "exp_", "expm1_", "fill_", "floor_", "index_put_", "log1p_", "log2_"),
        *("log_", "neg_", "negative_", "reciprocal_", "relu_", "round_", "rsqrt_", "sigmoid_"),
        *("sin_", "sqrt_", "square_", "tanh_", "trunc_", "zero_"),
    )
)

#: What a dtype of a category is refused with: the error and PyTorch's words, `{dtype}` among them.
Refusal = tuple[type[TrilithError], str]
#: (operands, attributes) -> (dtype of each operand, dtype of the result)
PromotionRule = Callable[[Sequence[OperandSpec], Attributes], tuple[tuple[DType, ...], DType]]


@dataclass(frozen=True, slots=True)
class Algebra:
    """Laws that a canonicalisation may use.

    `identity` is the right operand that changes nothing, `exact_on_floats` whether that also holds
    for every floating-point value (x + 0 turns -0.0 into 0.0, x * 1 keeps all). An involution
    undoes itself, an idempotent operation does nothing the second time.
    """

    commutative: bool = False
    identity: int | None = None
    exact_on_floats: bool = False
    involution: bool = False
    idempotent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ElementwiseOp(PrimitiveOp):
    """A scalar body at every index.

    `body(*scalars, **attributes)` sees promoted scalars: float32 where the dtype is float16 or
    bfloat16, else the operand dtype. The promoted dtype must be among `accepts`; others
    are refused with the words of `refusals`, else with those of PyTorch's kernel named `kernel`.
    Complex scalars are pairs of real ones (see `complexes`), at least complex64. `ulp` bounds the
    error of a float32 or float64 result in units in the last place against the exact value; 0 means
    correctly rounded. `domain` is the interval that samples are drawn from. `is_costly` says that
    computing it twice is worse than storing it. `has_constant_divisor` says that an integer divisor
    which is a number of the program stays in the code: dividing by it is then a multiplication.
    """

    promotion: PromotionRule
    body: Callable[..., Scalar]
    accepts: frozenset[DType]
    kernel: str = ""
    refusals: Mapping[Category, Refusal] = field(default_factory=dict[Category, Refusal])
    algebra: Algebra = Algebra()
    ulp: float = 0.0
    domain: tuple[float, float] = (-100.0, 100.0)
    is_costly: bool = False
    has_constant_divisor: bool = False
    resolver: Callable[[ElementwiseOp, Sequence[OperandSpec], Attributes], Resolved]

    @property
    def in_place_names(self) -> tuple[str, ...]:
        """The row's names with an underscore, and the operators that assign."""
        return in_place_names(self) if self.in_place is None else self.in_place

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Broadcast, promote, and give the result PyTorch's pointwise strides."""
        return self.resolver(self, operands, attributes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ViewOp(PrimitiveOp):
    """Another look at the same storage.

    `apply(strided, attributes)` returns the new shape, strides and offset; `canonical` makes the
    attributes explicit (dims not negative, sizes inferred) from the operand's spec. Views that may
    have to copy (reshape) return None from `apply` and are then a copy in the IR.

    `dtype(spec, attributes)` is the dtype that the same bytes are seen as, None if it is the
    operand's; `apply` then takes strides and offset in elements of the operand's dtype and returns
    them in elements of the result's. `is_of_storage` says that the view depends on where elements
    lie or on their bytes, so that it means nothing on a value that is laid out otherwise.
    `is_conj` says that the elements are the conjugates of what the operand sees; any other view
    sees them as its operand does.
    """

    canonical: Callable[[TensorSpec, Attributes], dict[str, AttributeValue]]
    apply: Callable[[Strided, Attributes], Strided]
    dtype: Callable[[TensorSpec, Attributes], DType] | None = None
    is_of_storage: bool = False
    is_conj: bool = False
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


class EmptyReduction(Enum):
    """What a reduction over no elements gives."""

    NEUTRAL = "neutral"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReductionOp(PrimitiveOp):
    """A reduction over dims.

    Each element is mapped by `prepare`, combined by the monoid `combine` (add, mul, maximum,
    minimum, and, or; `argmax` is a reduction of value and index), and the total is mapped by
    `finish(total, count)`. `accumulate` gives the dtype of the sum from the operand's dtype.
    `lanes` and `block` fix the order, which is part of the meaning: element e goes to lane
    e % lanes of block e // block; lanes are reduced in order, then blocks in order, and at the end
    lane l is combined with lane l + lanes / 2 until one is left.
    """

    resolver: Callable[[ReductionOp, Sequence[OperandSpec], Attributes], Resolved]
    combine: str
    prepare: Callable[[Scalar], Scalar] | None = None
    finish: Callable[[Scalar, Scalar], Scalar] | None = None
    empty: EmptyReduction = EmptyReduction.NEUTRAL
    lanes: int = 1
    block: int = 1
    ulp: float = 0.0

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Reduce the shape; results are contiguous as PyTorch's are."""
        return self.resolver(self, operands, attributes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StructuralOp(PrimitiveOp):
    """An operation whose shape, dtype and format rule is its own function."""

    resolver: Callable[[Sequence[OperandSpec], Attributes], Resolved]

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Ask the row's own rule."""
        return self.resolver(operands, attributes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ContractionOp(StructuralOp):
    """A sum of products over dims that two operands share (matmul)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CreationOp(StructuralOp):
    """A tensor from attributes (and Python numbers) alone.

    `body(index, dtype, **scalars)` gives the element at the linear index (int64). The scalars are
    the `numbers` that the row takes from its attributes: name -> (number, its dtype).
    """

    body: Callable[..., Scalar] | None = None
    numbers: Callable[[Attributes], dict[str, tuple[float, DType]]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CopyOp(StructuralOp):
    """The same elements in other memory: clone, contiguous, a reshape that cannot be a view."""

    has_out: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompositeOp(OpSpec):
    """An operation written in other rows: `expand(t, **arguments)` in a `TensorLanguage`."""

    expand: Callable[..., Any]


def in_place_names(row: OpSpec) -> tuple[str, ...]:
    """Return what the writing methods of a row are called: `add_` and `__iadd__` of `add`.

    >>> from ..table import TABLE
    >>> in_place_names(TABLE["mul"])
    ('mul_', 'multiply_', '__imul__')
    """
    names: list[str] = []
    for name in row.methods:
        if not name.startswith("__"):
            names.append(f"{name}_")
        elif f"__i{name[2:]}" in ASSIGNING_OPERATORS:
            names.append(f"__i{name[2:]}")
    return tuple(names)


class Table(dict[str, OpSpec]):
    """The rows by name; a name is taken once."""

    def add(self, row: OpSpec) -> OpSpec:
        """Register a row and return it."""
        if row.name in self:
            raise InternalError(f"two rows are called '{row.name}'")
        self[row.name] = row
        return row


#: Every row, by name. Filled by the modules of this folder; read it through `table.py`.
TABLE = Table()


def describe(
    signature: str, doc: str, example: str, methods: Sequence[str] | None, torch_name: str = ""
) -> dict[str, Any]:
    """Return the fields that all rows share; without `methods` the method has the row's name."""
    schema = parse_schema(signature)
    return {
        "schema": schema,
        "doc": doc,
        "example": example,
        "methods": (schema.name,) if methods is None else tuple(methods),
        "torch_name": torch_name or schema.name,
    }
