"""How is an operation called? Signatures written as text, and the binding of a call's arguments.

A schema is one line in the style of PyTorch's own schemas, and equal to PyTorch's signature in
names, order, defaults and keyword-only arguments::

    sum(Tensor input, int[]? dim=None, bool keepdim=False, *, dtype? dtype=None)

`Tensor`, `Operand` (a tensor or a Python number) and `Scalar` (a number; `ScalarInt`: an integer)
are the operands; an operation of the IR leaves out a number that is the default. Everything else is
an attribute, a static value that becomes part of the IR. A type with `?` takes None, one with `[]`
a sequence, and `int[]*` may also be spelled as separate positional arguments
(`x.permute(0, 2, 1)`); of `int[2]`, one for each of two dims, one integer may stand for all. The
items of `int?[]` may be None. `SymInt` is an `int` that is a size or a place in a dim though its
name does not say so: one plan serves all its values that pass the guards. `Order` is a number or a
word, that of a norm. `Target` is what `to` takes first, `Index` what stands in brackets, `Padding`
a number for each dim or a word.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from ...attributes.spec import ScalarSpec, TensorSpec
from ...diagnostics import (
    Hint,
    InternalError,
    TrilithError,
    TrilithTypeError,
    TrilithValueError,
)
from ...records import declared, record
from .argument_values import CONVERTERS, AttributeValue, is_int64
from .wrong_calls import WrongCall, too_many_arguments, wrong_argument, wrong_names

#: The other names that PyTorch accepts for its own keyword arguments.
KEYWORD_ALIASES = {"axis": "dim", "keepdims": "keepdim", "from": "from_"}

#: Parameters of type int that hold sizes, strides, or places in dims.
_SIZES = frozenset(
    ("size", "sizes", "shape", "start", "end", "length", "index", "stride", "storage_offset")
)

#: Types of parameters that are operands.
OPERAND_TYPES = frozenset({"Tensor", "Operand", "Scalar", "ScalarInt"})
#: Those that are numbers and never tensors.
SCALAR_TYPES = frozenset({"Scalar", "ScalarInt"})


@record
class Parameter:
    """One parameter of a schema."""

    name: str
    type: str
    position: int
    keyword_only: bool = False
    optional: bool = False
    is_list: bool = False
    is_variadic: bool = False
    is_sized: bool = False
    is_symbolic: bool = False
    has_default: bool = False
    default: AttributeValue = None

    @property
    def is_whole_list(self) -> bool:
        """Whether one integer does not stand for a sequence of one: sizes are given whole."""
        is_whole = self.name in {"size", "stride", "physical_layout"}
        return is_whole and not (self.is_variadic or self.is_sized)

    @property
    def is_open(self) -> bool:
        """Whether the argument holds sizes or places in them: `SymInt` in PyTorch's schemas."""
        is_size = self.is_symbolic or (self.type == "int" and self.name in _SIZES)
        return is_size or self.type == "Index"

    @property
    def is_operand(self) -> bool:
        """Whether the argument is a tensor (or a number in a tensor's place)."""
        return self.type in OPERAND_TYPES

    @property
    def takes_number(self) -> bool:
        """Whether the argument is an operand that may be a number."""
        return self.is_operand and self.type != "Tensor"

    @property
    def word(self) -> str:
        """What PyTorch's texts call the type."""
        return _describe(self)

    def is_left_out(self, value: object) -> bool:
        """Whether an argument is the default of a number, which no operation holds."""
        default = self.default
        return (
            self.type in SCALAR_TYPES
            and self.has_default
            and type(value) is type(default)
            and value == default
        )


@record
class Schema:
    """The signature of an operation."""

    name: str
    text: str
    parameters: tuple[Parameter, ...]
    positional: tuple[Parameter, ...]
    by_name: Mapping[str, Parameter]

    def bind(
        self, arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the value of every parameter, in order; refuse what does not fit."""
        values: dict[str, object] = {}
        positional = self.positional
        count = len(arguments)
        for index, parameter in enumerate(positional):
            if index >= count:
                break
            if parameter.is_variadic and _is_spread(arguments, index):
                values[parameter.name] = self._spread(parameter, arguments[index:], count)
                count = index + 1
                break
            values[parameter.name] = self._value(parameter, arguments[index])
        if count > len(positional):
            raise self._too_many(count)
        for name, argument in keywords.items():
            parameter = self.by_name.get(name) or self.by_name.get(KEYWORD_ALIASES.get(name, ""))
            if name == "self" and parameter is None:
                parameter = self._first_number(values, argument)
            if parameter is None:
                raise self._unknown(name, [*values, *keywords])
            if parameter.name in values:
                raise wrong_names(self.name, f"got multiple values for argument '{parameter.name}'")
            values[parameter.name] = self._value(parameter, argument, by_keyword=True)
        if len(values) == len(self.parameters):
            return values
        return self._with_defaults(values)

    def _first_number(self, values: Mapping[str, object], given: object) -> Parameter | None:
        """Return the first operand if a number is given for it: PyTorch calls that `self`."""
        first = self.by_name.get("input")
        is_free = first is not None and first.takes_number and "input" not in values
        is_number = isinstance(given, (int, float, complex)) or _is_scalar(given)
        return first if is_free and is_number else None

    def _with_defaults(self, values: dict[str, object]) -> dict[str, object]:
        complete: dict[str, object] = {}
        for parameter in self.parameters:
            if parameter.name in values:
                complete[parameter.name] = values[parameter.name]
            elif parameter.has_default:
                complete[parameter.name] = parameter.default
            else:
                raise cast("WrongCall", self.missing(values))
        return complete

    def missing(self, names: Iterable[str]) -> WrongCall | None:
        """Return PyTorch's error for a call with arguments of these names, if it lacks one."""
        given = {KEYWORD_ALIASES.get(name, name) for name in names}
        missing = [
            f'"{each.name}"'
            for each in self.parameters
            if not (each.has_default or each.name in given)
        ]
        if not missing:
            return None
        plural = "s" if len(missing) == 1 else ""  # as PyTorch has it
        return wrong_names(
            self.name,
            f"missing {len(missing)} required positional argument{plural}: {', '.join(missing)}",
            hint=f"the signature is {self.text}",
        )

    def _unknown(self, name: str, given: Iterable[str]) -> WrongCall:
        """Return PyTorch's error for a name that no parameter has: what is missing comes first."""
        return self.missing(given) or wrong_names(
            self.name,
            f"got an unexpected keyword argument '{name}'",
            hint=f"the signature is {self.text}",
        )

    def _value(self, parameter: Parameter, value: object, *, by_keyword: bool = False) -> object:
        if parameter.type in CONVERTERS:
            return self._attribute(parameter, value, by_keyword=by_keyword)
        if parameter.is_list and not _is_list(value):
            raise self.wrong(parameter, f"must be tuple of Tensors, not {_kind(value)}")
        return value

    def _attribute(
        self, parameter: Parameter, value: object, *, by_keyword: bool = False
    ) -> AttributeValue:
        """Check and normalise a static argument: sequences become tuples, indices become ints."""
        if value is None and parameter.optional:
            return None
        convert = CONVERTERS[parameter.type]
        try:
            if not parameter.is_list:
                return convert(value)
            if isinstance(value, (tuple, list)):
                return tuple(convert(item) for item in cast("Sequence[object]", value))
            if parameter.is_whole_list or (by_keyword and parameter.is_variadic):
                raise TypeError
            return (convert(value),)
        except TrilithError:
            raise
        except OverflowError:
            raise self._too_large(parameter, cast("object", value)) from None
        except TypeError:
            raise self._unfit(parameter, cast("object", value), by_keyword=by_keyword) from None

    def _spread(self, parameter: Parameter, items: Sequence[object], count: int) -> AttributeValue:
        """Return the list that separate arguments are; the first one says that they are a list."""
        try:
            return self._attribute(parameter, tuple(items))
        except WrongCall:
            if _is_fit(parameter, items[0]):
                raise
            if len(items) > 1:
                raise self._too_many(count) from None
            return self._attribute(parameter, items[0])

    def _unfit(self, parameter: Parameter, value: object, *, by_keyword: bool) -> TrilithTypeError:
        """Return PyTorch's error for a static argument of the wrong type."""
        complaint = _complaint(parameter, value)
        return self.wrong(
            parameter,
            complaint,
            is_placed=not (by_keyword or complaint.startswith("failed")),
            hint=_static_hint(value),
        )

    def wrong(
        self, parameter: Parameter, complaint: str, *, is_placed: bool = True, hint: Hint = None
    ) -> WrongCall:
        """Return PyTorch's error for an argument that is not what a parameter takes."""
        position = parameter.position if is_placed else 0
        name = parameter.name.removesuffix("_")  # `from_` is no word of Python's
        return wrong_argument(self.name, name, position, complaint, hint=hint)

    def _too_many(self, count: int) -> WrongCall:
        """Return PyTorch's error for so many arguments."""
        least = sum(not parameter.has_default for parameter in self.positional)
        most, is_bare = len(self.positional), len(self.parameters) == 1
        return too_many_arguments(self.name, least, most, count, is_bare=is_bare)

    def refuse_spread(self, arguments: Sequence[object]) -> None:
        """Refuse separate integers for a list behind a tensor: a method takes them, no function."""
        parameter = self.positional[1]
        if len(arguments) > len(self.positional):
            raise self._too_many(len(arguments))
        if len(arguments) > 1 and _is_spread(arguments, 1):
            raise self.wrong(parameter, _complaint(parameter, arguments[1]))

    @property
    def has_spread(self) -> bool:
        """Whether a list that may be spread out stands behind the tensor."""
        return len(self.positional) > 1 and self.positional[1].is_variadic

    def _too_large(self, parameter: Parameter, value: object) -> TrilithError:
        """Return PyTorch's error for an integer that 64 bits do not hold, alone or in a list."""
        if parameter.type == "Index" or not isinstance(value, (tuple, list)):
            return TrilithValueError(_OVERFLOW)
        items = cast("Sequence[Any]", value)
        place = next(
            index for index, item in enumerate(items) if not is_int64(operator.index(item))
        )
        complaint = f'failed to unpack the object at pos {place + 1} with error "{_OVERFLOW}"'
        return self.wrong(parameter, complaint, is_placed=False)


#: (signature, arguments, keywords) -> the value of every parameter
Binder = Callable[[Schema, Sequence[Any], Mapping[str, Any]], dict[str, Any]]


@record
class OverloadedSchema(Schema):
    """A signature whose calls have more forms than it can say.

    `binder` sees the call before it is recorded, with concrete tensors where there are any, and
    returns the values of the parameters. `plain` is the signature without it.
    """

    binder: Binder
    plain: Schema

    @classmethod
    def of(cls, plain: Schema, binder: Binder) -> OverloadedSchema:
        """Return a signature whose calls are read by a binder."""
        values = {name: getattr(plain, name) for name in declared(Schema)}
        return cls(**values, binder=binder, plain=plain)

    def bind(
        self, arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the value of every parameter, as the binder says."""
        return self.binder(self.plain, arguments, keywords)


def _is_scalar(value: object) -> bool:
    """Whether a value stands for a number while a function is traced."""
    return isinstance(getattr(value, "spec", None), ScalarSpec)


def _is_fit(parameter: Parameter, item: object) -> bool:
    """Whether an item is one of a list that a parameter takes."""
    try:
        CONVERTERS[parameter.type](item)
    except TypeError:
        return False
    except OverflowError:
        return True
    return True


def _complaint(parameter: Parameter, value: object) -> str:
    """Say what is wrong with an argument: all of it, or an item after the first."""
    if parameter.is_list and isinstance(value, (tuple, list)):
        items = cast("Sequence[object]", value)
        for index, item in enumerate(items):
            if _is_fit(parameter, item):
                continue
            word, kind = _describe(parameter), _kind(item)
            if not index:
                return f"must be {word}, but found element of type {kind} at pos 0"
            return (
                f"failed to unpack the object at pos {index + 1} with error "
                f'"type must be {word},but got {kind}"'
            )
    return f"must be {_describe(parameter)}, not {_kind(cast('object', value))}"


def _kind(value: object) -> str:
    """Return what a message calls an argument, also one that stands for another while tracing."""
    spec: object = getattr(value, "spec", None)
    if isinstance(spec, TensorSpec):
        return "Tensor"
    if isinstance(spec, ScalarSpec):
        return f"{spec.kind} argument of the traced function"
    return type(value).__name__


def _static_hint(value: object) -> str | None:
    """Say what to do about a number whose value is not known while a function is traced."""
    items = cast("Sequence[object]", value) if isinstance(value, (tuple, list)) else (value,)
    if any(isinstance(getattr(item, "spec", None), ScalarSpec) for item in items):
        return (
            "its value is needed while tracing: write it into the function, or bind it with "
            "functools.partial"
        )
    return None


def _is_list(value: object) -> bool:
    """Whether an argument is a list of operands, or none at all."""
    return value is None or isinstance(value, (tuple, list))


def _is_spread(arguments: Sequence[object], index: int) -> bool:
    """Whether `int[]*` was given as separate integers instead of one sequence."""
    return not isinstance(arguments[index], (tuple, list)) and arguments[index] is not None


def _describe(parameter: Parameter) -> str:
    word = _PYTORCH_WORDS.get(parameter.type, parameter.type)
    return f"tuple of {word}s" if parameter.is_list else word


_OVERFLOW = "Overflow when unpacking long long"

_PYTORCH_WORDS = {
    "Order": "Number",
    "int?": "int",
    "Scalar": "Number",
    "ScalarInt": "int",
    "dtype": "trilith.dtype",
    "device": "trilith.device",
    "layout": "trilith.layout",
    "memory_format": "trilith.memory_format",
}


_DEFAULTS: dict[str, AttributeValue] = {
    "None": None,
    "True": True,
    "False": False,
}


def _parse_default(text: str) -> AttributeValue:
    if text in _DEFAULTS:
        return _DEFAULTS[text]
    if text[0] in "'\"":
        return text[1:-1]
    if text[0] == "(":
        return tuple(int(number) for number in text[1:-1].split(",") if number)
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _parse_parameter(text: str, position: int, keyword_only: bool) -> Parameter:
    type_text, _, rest = text.strip().partition(" ")
    name, has_default, default = rest.partition("=")
    base, bracket, length = type_text.removesuffix("*").removesuffix("?").partition("[")
    is_symbolic = base.startswith("SymInt")
    base = base.replace("SymInt", "int")
    if base not in OPERAND_TYPES and base not in CONVERTERS:
        raise InternalError(f"unknown parameter type '{type_text}' in a schema")
    return Parameter(
        name=name,
        type=base,
        position=position,
        keyword_only=keyword_only,
        optional="?" in type_text,
        is_list=bool(bracket),
        is_variadic=type_text.endswith("*"),
        is_sized=length not in ("", "]"),
        is_symbolic=is_symbolic,
        has_default=bool(has_default),
        default=_parse_default(default) if has_default else None,
    )


def parse_schema(text: str) -> Schema:
    """Parse the text of a signature.

    >>> schema = parse_schema("sum(Tensor input, int[]? dim=None, bool keepdim=False)")
    >>> [parameter.name for parameter in schema.parameters]
    ['input', 'dim', 'keepdim']
    >>> schema.bind(["x"], {"axis": 1})
    {'input': 'x', 'dim': (1,), 'keepdim': False}
    """
    name, _, inside = text.partition("(")
    parameters: list[Parameter] = []
    keyword_only = False
    for part in inside.removesuffix(")").split(", "):
        if part == "*":
            keyword_only = True
        elif part:
            parameters.append(_parse_parameter(part, len(parameters) + 1, keyword_only))
    return Schema(
        name=name,
        text=text.replace("SymInt", "int"),
        parameters=tuple(parameters),
        positional=tuple(p for p in parameters if not p.keyword_only),
        by_name={p.name: p for p in parameters},
    )
