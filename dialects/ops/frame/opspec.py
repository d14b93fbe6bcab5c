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
from typing import Any, Concatenate, ParamSpec, Protocol

from ...attributes.dtype import Category, DType
from ...attributes.operators import ASSIGNING_OPERATORS
from ...attributes.spec import ScalarSpec, TensorSpec
from ...attributes.views import Strided
from ...diagnostics import InternalError, TrilithError
from ...records import field, record
from ..scalars.scalar import Scalar
from .argument_values import AttributeValue
from .named_results import NamedResults
from .reduction_fields import EmptyReduction, JointReduction, Scalars
from .schema import Binder, OverloadedSchema, Schema, as_method, parse_schema
from .traits import COMPUTED, COPIED, CREATED, OPAQUE, POINTWISE, REDUCED, Traits
from .writing import PLAIN_WRITING, OutRule, Writing

OperandSpec = TensorSpec | ScalarSpec
Attributes = Mapping[str, AttributeValue]


@record(init=False)
class Resolved:
    """The answer of a row about one application of its operation.

    Most rows have one result, some several: `Resolved(attributes, dtypes, values, indices)`.
    """

    attributes: dict[str, AttributeValue]
    operand_dtypes: tuple[DType, ...]
    results: tuple[TensorSpec, ...]

    def __init__(
        self,
        attributes: dict[str, AttributeValue],
        operand_dtypes: tuple[DType, ...],
        *results: TensorSpec,
    ) -> None:
        """Take canonical attributes, the dtype of each operand, and the spec of each result."""
        object.__setattr__(self, "attributes", attributes)
        object.__setattr__(self, "operand_dtypes", operand_dtypes)
        object.__setattr__(self, "results", results)

    @property
    def result(self) -> TensorSpec:
        """The spec of the result, or of the first of several."""
        return self.results[0]


class TensorLanguage(Protocol):
    """What a composite row is written in: `t.sum(x, dim)` applies the row named `sum`."""

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Apply the row called `name`."""
        ...

    def spec(self, value: Any) -> OperandSpec:
        """Return the spec of an operand."""
        ...


Fields = ParamSpec("Fields")

#: Called with the arguments of a call by the names of their parameters.
NumbersCheck = Callable[[Mapping[str, Any]], None]


#: The methods of a row that has one, of its own name.
OWN_NAME = ("",)


@record(kw_only=True, eq=False)
class OpSpec:
    """What every row holds.

    `signature` is the text of the schema. `methods` are the attributes installed on a tensor:
    method names, and dunder names for operators; a reflected operator (`__radd__`) swaps its two
    operands. They are properties if it `is_property`, which may be assigned to if it
    `is_assignable`. `ufuncs` are the functions of NumPy that mean the row. `torch_name` is the
    function of PyTorch that the row must equal. `static_operands` says, by the names of operands,
    of which Python numbers the value is part of the IR, as the row looks at it (exponents of pow).
    `check_numbers(bound)` refuses a call by the values of its Python numbers, before anything is
    recorded; one whose value is not known while tracing is checked in each call. `check_keywords`
    does so for numbers that are keyword-only: it has nothing to say of a call without. `in_place`
    names the methods that write the result into the first operand (`add_`); of an elementwise row
    they are made from its own names unless it says otherwise; those that are functions, too, are
    the `in_place_functions`. `in_place_views` are methods that write nothing: the tensor becomes
    the view that the row gives (`t_`). `has_out` says whether the function takes `out=`;
    rows that compute do unless they say otherwise. `refuse_out(result, out)` refuses the dtype of
    an `out=` where PyTorch does so in other words than "can't be cast". For type checkers,
    `returns` is the type of what comes back, and `forms` are the signatures of a call that has
    several. `writing` says which memory the operands may share with what is written. `alone` is the
    row that a function call with one argument means, if it is another one. `named_results` is the
    named tuple that several results are returned as; without one they are a plain tuple.
    `refuse_outs` is `refuse_out` for each of several results.
    `binder` reads calls that the schema cannot say; `looks_at_offset` says that it asks where a
    tensor lies in its storage, which no spec says, and `opens_integers` that the integers of such
    calls are sizes and places, which a plan may leave open. A row that `is_method_only` is no
    function. One that `is_factory` makes a tensor from options; the device may be the default.
    """

    signature: str = field(kw_only=False)
    doc: str = field(kw_only=False)
    example: str = field(kw_only=False)
    methods: tuple[str, ...] = OWN_NAME
    is_property: bool = False
    is_assignable: bool = False
    ufuncs: tuple[str, ...] = ()
    torch_name: str = ""
    static_operands: Mapping[str, Callable[[Any], bool]] = field(
        default_factory=dict[str, Callable[[Any], bool]]
    )
    check_numbers: NumbersCheck | None = None
    check_keywords: NumbersCheck | None = None
    is_public: bool = True
    in_place: tuple[str, ...] | None = None
    in_place_functions: tuple[str, ...] = ()
    in_place_views: tuple[str, ...] = ()
    has_out: bool | None = None
    returns: str = "Tensor"
    forms: tuple[str, ...] = ()
    refuse_out: OutRule | None = None
    refuse_outs: OutRule | None = None
    named_results: type[NamedResults] | None = None
    writing: Writing = PLAIN_WRITING
    alone: str = ""
    binder: Binder | None = None
    looks_at_offset: bool = False
    opens_integers: bool = False
    is_method_only: bool = False
    is_factory: bool = False
    schema: Schema = field(init=False)
    """The signature, taken apart."""
    name: str = field(init=False)
    """The operation's name: `tri.NAME` in Python and in the IR."""

    def __post_init__(self) -> None:
        """Read the signature, and take from it what the row does not say."""
        schema = parse_schema(self.signature)
        name, torch_name = schema.name, self.torch_name or schema.name
        if self.is_method_only:
            schema, torch_name = as_method(schema), f"Tensor.{name}"
            object.__setattr__(self, "is_public", False)
        if self.binder is not None:
            schema = OverloadedSchema.of(schema, self.binder)
        if self.methods is OWN_NAME:
            object.__setattr__(self, "methods", (name,))
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "torch_name", torch_name)

    @property
    def function_names(self) -> tuple[str, ...]:
        """The names of the public function: the row's own, and those that its methods add."""
        if not self.is_public:
            return ()
        others = (name for name in self.methods if not name.startswith("__"))
        return tuple(dict.fromkeys((self.name, *others)))

    @property
    def in_place_names(self) -> tuple[str, ...]:
        """The methods that write into the first operand; operators (`__iadd__`) among them."""
        return self.in_place or ()

    def packed(self, results: Sequence[Any]) -> Any:
        """Return what a call gives: its one result, or the tuple of several."""
        if len(results) == 1:
            return results[0]
        return (self.named_results or tuple)(results)

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


@record(kw_only=True, eq=False)
class PrimitiveOp(OpSpec):
    """A row that is an operation of the IR.

    `traits` say what passes may do with it. What a kernel of it looks like is registered by family,
    in `compiler/lowering/drafts.py`.
    """

    traits: Traits = OPAQUE

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        """Return canonical attributes, operand dtypes and the results' specs, or refuse."""
        raise InternalError(f"the row of '{self.name}' does not say how to resolve it")

    def operand_dtypes(
        self, operands: Sequence[OperandSpec], attributes: Attributes
    ) -> tuple[DType, ...]:
        """Return the dtypes that the operands are cast to."""
        return self.resolve(operands, attributes).operand_dtypes

    def evaluate(
        self, operands: Sequence[Scalar], resolved: Resolved
    ) -> Scalar | tuple[Scalar, ...]:
        """Return the elements of the result, or of each: what an interpreter computes.

        Operands are arrays in the language of `reference.py`, in the dtypes that bodies compute in.
        """
        raise InternalError(f"the row of '{self.name}' does not say what its elements are")

    @property
    def takes_out(self) -> bool:
        """Whether the function takes `out=`: if it computes anything."""
        return self.is_public and self.has_out is not False


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

    traits: Traits = COMPUTED


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
    the `numbers` that the row takes from its attributes: name -> (number, its dtype).
    """

    body: Callable[..., Scalar] | None = None
    numbers: Callable[[Attributes], dict[str, tuple[float, DType]]] | None = None
    traits: Traits = CREATED


@record(kw_only=True, eq=False)
class CopyOp(StructuralOp):
    """The same elements in other memory: clone, contiguous, a reshape that cannot be a view."""

    traits: Traits = COPIED
    has_out: bool | None = False


@record(kw_only=True, eq=False)
class TransferOp(StructuralOp):
    """The same elements in the memory of another device."""

    has_out: bool | None = False


@record(kw_only=True, eq=False)
class CompositeOp(OpSpec):
    """An operation written in other rows: `expand(t, **arguments)` in a `TensorLanguage`.

    What one that `is_cutting` gives are slices and indices of one dim of its first operand.
    """

    expand: Callable[..., Any] = field(kw_only=False)
    is_cutting: bool = False


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
        if self.setdefault(row.name, row) is not row:
            raise InternalError(f"two rows are called '{row.name}'")
        return row


#: Every row, by name; read it through `table.py`.
TABLE = Table()


def registering(
    make: Callable[Concatenate[str, Fields], OpSpec], pattern: str = "%s"
) -> Callable[Concatenate[str, Fields], None]:
    """Return a function that takes the fields of a row and adds the row to the table.

    `make` is a family, or a `partial` of one; `pattern` makes the signature of the first argument.
    """

    def register(signature: str, /, *arguments: Fields.args, **fields: Fields.kwargs) -> None:
        TABLE.add(make(pattern % signature, *arguments, **fields))

    return register


#: Adds an operation that is written in other rows.
composite = registering(CompositeOp)
