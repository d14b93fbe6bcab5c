"""What does every row hold, whatever its family is? An `OpSpec`; and where do rows stand?"""

from __future__ import annotations

import sys
from _collections_abc import dict_items, dict_keys, dict_values
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol

from ...attributes.dtype import DType
from ...attributes.operators import ASSIGNING_OPERATORS
from ...attributes.spec import ScalarSpec, TensorSpec
from ...diagnostics import InternalError
from ...records import field, record, replace
from ..scalars.scalar import Scalar
from .argument_values import AttributeValue
from .gradients import Gradient
from .mapped import MappingRule
from .named_results import NamedResults
from .outdated import Outdated
from .schema import Binder, OverloadedSchema, Schema, parse_schema
from .traits import OPAQUE, Traits
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

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
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
    several. `parts` names the parameter that says how many tensors come back, by its length or, of
    an integer, at most. `writing` says which memory the operands may share with what is written.
    `alone` is the row that a function call with one operand means, if it is another one.
    `named_results` is the named tuple that several results are returned as; without one they are a
    plain tuple.
    `refuse_outs` is `refuse_out` for each of several results, or a rule for each.
    `binder` reads calls that the schema cannot say; `looks_at_offset` says that it asks where a
    tensor lies in its storage, which no spec says, and `opens_integers` that the integers of such
    calls are sizes and places, which a plan may leave open. A row that `is_method_only` is no
    function. `places` are the dotted names of functions below modules of trilith that mean the row
    (`special.expit`); a row that is not public has no other. One that `is_factory` makes a tensor
    from options; the device may be the default. `writes_if` names the parameter, a bool, that says
    whether a call of the function writes into its first operand (`inplace`). `outdated` are the
    forms of calls that PyTorch takes with a warning. `gradient` is the rule by which gradients of
    the results become those of the operands: that of an elementwise row follows from its body, a
    composite needs none. `mapping` is how a call for many examples at once runs, which families say
    for their rows; a composite without it runs step by step. `overloads` are
    the parameters of PyTorch's signatures where it has several, and takes less than the one of the
    row says. What makes numbers of a key and a counter `is_drawn`.
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
    places: tuple[str, ...] = ()
    in_place: tuple[str, ...] | None = None
    in_place_functions: tuple[str, ...] = ()
    in_place_views: tuple[str, ...] = ()
    has_out: bool | None = None
    returns: str = "Tensor"
    parts: str = ""
    forms: tuple[str, ...] = ()
    refuse_out: OutRule | None = None
    refuse_outs: OutRule | tuple[OutRule, ...] | None = None
    named_results: type[NamedResults] | None = None
    writing: Writing = PLAIN_WRITING
    alone: str = ""
    binder: Binder | None = None
    looks_at_offset: bool = False
    opens_integers: bool = False
    is_method_only: bool = False
    is_factory: bool = False
    writes_if: str = ""
    gradient: Gradient | None = None
    mapping: MappingRule | None = None
    outdated: Outdated = Outdated(())
    overloads: tuple[str, ...] = ()
    is_drawn: bool = False
    schema: Schema = field(init=False)
    """The signature, taken apart."""
    name: str = field(init=False)
    """The operation's name: `tri.NAME` in Python and in the IR."""

    def __post_init__(self) -> None:
        """Read the signature, and take from it what the row does not say."""
        schema = parse_schema(self.signature)
        name = schema.name
        torch_name = self.torch_name or (name if self.is_public else (*self.places, name)[0])
        if self.is_method_only:
            torch_name = f"Tensor.{name}"
            object.__setattr__(self, "is_public", False)
        # Errors name functions of `torch.nn.functional` as callers do.
        schema = replace(schema, name=name.removeprefix("nn_functional_"))
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
    def dotted_name(self) -> str:
        """Where the function is found: its name, with those of modules before it."""
        return self.places[0] if self.places and not self.is_public else self.name

    @property
    def is_function(self) -> bool:
        """Whether there is a function at all: of the face, or of a module of it."""
        return self.is_public or bool(self.places)

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
        return bool(self.has_out) and self.is_function


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
        return self.is_function and self.has_out is not False


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


class Rows(Protocol):
    """Where rows come from that are not in the table yet."""

    def load(self, name: str) -> None:
        """Register the row of that name, if it is one of trilith's."""
        ...

    def load_all(self) -> None:
        """Register all of trilith's rows."""
        ...


#: Where the modules of rows are.
_ROWS = f"{__name__.rsplit('.', 2)[0]}.rows."


def _beginning() -> str | None:
    """Return the name of the module of rows that is being loaded and has led here, if any.

    A module may be loaded before anybody looks at the table, by who needs something else of it.
    """
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage] - nothing else is quick
    while frame is not None:
        names, code = frame.f_globals, frame.f_code
        is_whole = code.co_name == "<module>" and code.co_filename == names.get("__file__")
        if is_whole and names["__name__"].startswith(_ROWS):
            return names["__name__"].removeprefix(_ROWS)
        frame = frame.f_back
    return None


class Table(dict[str, OpSpec]):
    """The rows by name; a name is taken once. A row is loaded when it is asked for.

    Who looks at the table as a whole sees all rows.
    """

    def __init__(self) -> None:
        """Begin with nothing, and nobody who knows more."""
        super().__init__()
        self.source: Rows | None = None
        #: What makes rows that follow from others, and are none of the table's own.
        self.derive: Callable[[str], OpSpec | None] | None = None
        self._derived: dict[str, OpSpec] = {}
        self._own: dict[str, OpSpec] = {}
        #: In which module of trilith each row stands that is loaded.
        self.modules: dict[str, str] = {}
        #: Names whose rows are others than trilith's sources say.
        self.changed: set[str] = set()

    def add(self, row: OpSpec) -> OpSpec:
        """Register a row and return it."""
        name = row.name
        if self.setdefault(name, row) is not row:
            raise InternalError(f"two rows are called '{name}'")
        module = _beginning()
        if module is not None:
            self._own[name], self.modules[name] = row, module
        if self._own.get(name) is row:
            self.changed.discard(name)
        else:
            self.changed.add(name)
        return row

    def others(self) -> list[OpSpec]:
        """Return the rows that are not trilith's."""
        return [self[name] for name in self.changed if name in self]

    def __missing__(self, name: str) -> OpSpec:
        """Load the row, or derive it, or raise KeyError."""
        derived = self._derived.get(name)
        if derived is not None:
            return derived
        if name not in self:
            derived = None if self.derive is None else self.derive(name)
            if derived is None:
                raise KeyError(name)
            self._derived[name] = derived
            return derived
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        if not super().__contains__(name) and self.source is not None and isinstance(name, str):
            self.source.load(name)
        return super().__contains__(name)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        if name in self._own:
            self.changed.add(name)
        else:
            self.changed.discard(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a row, or the default if there is none."""
        return self[name] if name in self else default

    def _whole(self) -> None:
        if self.source is not None:
            self.source.load_all()

    def __iter__(self) -> Iterator[str]:
        self._whole()
        return super().__iter__()

    def __len__(self) -> int:
        self._whole()
        return super().__len__()

    def keys(self) -> dict_keys[str, OpSpec]:
        """Return the names of all rows."""
        self._whole()
        return super().keys()

    def values(self) -> dict_values[str, OpSpec]:
        """Return all rows."""
        self._whole()
        return super().values()

    def items(self) -> dict_items[str, OpSpec]:
        """Return all rows with their names."""
        self._whole()
        return super().items()


#: Every row, by name; read it through `table.py`.
TABLE = Table()


def registering(
    make: Callable[Concatenate[str, Fields], OpSpec], pattern: str = "%s"
) -> Callable[Concatenate[str, Fields], OpSpec]:
    """Return a function that takes the fields of a row, adds the row to the table and returns it.

    `make` is a family, or a `partial` of one; `pattern` makes the signature of the first argument.
    """

    def register(signature: str, /, *arguments: Fields.args, **fields: Fields.kwargs) -> OpSpec:
        return TABLE.add(make(pattern % signature, *arguments, **fields))

    return register
