"""How is a row spelled for a type checker? As a function, a method or an operator, in lines."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable

from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.schema import Parameter, Schema, parse_schema
from ...dialects.ops.table import TABLE, public_functions

WIDTH = 100
#: What the annotations of parameters are, for whoever needs them.
ALIASES = """
class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | builtins.complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]
"""

#: How the types of a schema are spelled. `int`, `float` and `bool` are dtypes in the face.
_TYPES = {
    "Tensor": "_Array",
    "Operand": "_Operand",
    "Number": "builtins.complex",
    "Order": "builtins.complex | str",
    "Scalar": "builtins.complex",
    "ScalarInt": "builtins.int",
    "int": "builtins.int",
    "float": "builtins.float",
    "bool": "builtins.bool",
    "str": "str",
    "dtype": "dtype",
    "device": "_Place",
    "layout": "layout",
    "memory_format": "memory_format",
    "int?": "builtins.int | None",
    "Padding": "_Ints | str",
    "Target": "dtype | _Place | Tensor",
    "Index": "_Index",
    "function": "Callable[..., Any]",
}
#: Operators that Python expects to return a bool.
_COMPARISONS = ("__eq__", "__ne__")


def annotation(parameter: Parameter) -> str:
    """Return the type of a parameter.

    >>> schema = TABLE["sum"].schema
    >>> [annotation(parameter) for parameter in schema.parameters]
    ['_Array', '_Ints | None', 'builtins.bool', 'dtype | None']
    """
    spelled = _TYPES[parameter.type]
    if parameter.is_list:
        alone = f"{spelled} | " if parameter.is_sized else ""
        spelled = "_Ints" if parameter.type == "int" else f"{alone}Sequence[{spelled}]"
    return f"{spelled} | None" if parameter.optional else spelled


def parameters_of(
    row: OpSpec,
    *,
    is_method: bool,
    is_spread: bool = False,
    schema: Schema | None = None,
    returns: str = "Tensor",
) -> list[str]:
    """Return a row's parameters as Python spells them, `int[]*` as separate integers or as one.

    `schema` is one of the row's forms, if it has several, and `returns` the type of what it gives.

    >>> parameters_of(TABLE["permute"], is_method=True, is_spread=True)
    ['self', '*dims: builtins.int']
    >>> parameters_of(TABLE["mul"], is_method=False)
    ['input: _Operand', 'other: _Operand', '*', 'out: Tensor | None = None']
    """
    spelled: list[str] = []
    has_star = False
    for number, parameter in enumerate((schema or row.schema).parameters):
        if is_method and number == 0:
            spelled.append("self")
            continue
        if parameter.is_variadic and is_spread:
            item = "_Array" if parameter.type == "Tensor" else "builtins.int"
            spelled.append(f"*{parameter.name}: {item}")
            has_star = True
            continue
        if parameter.keyword_only and not has_star:
            spelled.append("*")
            has_star = True
        text = f"{parameter.name}: {annotation(parameter)}"
        if parameter.has_default:
            # A default that no caller may give is not shown: `prod` takes no None.
            is_given = parameter.default is not None or parameter.optional
            text += f" = {spell_default(parameter.default) if is_given else '...'}"
        spelled.append(text)
    if row.takes_out and not is_method:
        out = "out: Tensor | None" if returns == "Tensor" else "out: Sequence[Tensor] | None"
        spelled += [f"{out} = None"] if has_star else ["*", f"{out} = None"]
    return spelled


def function_lines(row: OpSpec, name: str, *, is_method: bool) -> list[str]:
    """Return the declaration of a row as a function or a method, one for each of its forms."""
    forms: list[tuple[Schema, bool, str]] = []
    for schema, returns in [_form(form, row) for form in row.forms] or [(row.schema, row.returns)]:
        forms.append((schema, False, returns))
        if any(parameter.is_variadic for parameter in schema.parameters):
            forms.append((schema, True, returns))
    lines: list[str] = []
    alone = TABLE[row.alone] if row.alone and not is_method else None
    if alone is not None:
        parameters = parameters_of(alone, is_method=is_method)
        lines.append("@overload")
        lines += declaration(name, parameters, alone.returns, alone.doc)
    for schema, is_spread, returns in forms:
        if len(forms) > 1 or alone is not None:
            lines.append("@overload")
        elif is_method and row.is_property:
            lines.append("@property")
        parameters = parameters_of(
            row, is_method=is_method, is_spread=is_spread, schema=schema, returns=returns
        )
        lines += declaration(name, parameters, returns, row.doc, 4 if is_method else 0)
    if is_method and row.is_assignable:
        lines += [f"@{name}.setter", f"def {name}(self, value: _Operand) -> None: ..."]
    return [f"    {line}" for line in lines] if is_method else lines


def _form(form: str, row: OpSpec) -> tuple[Schema, str]:
    """Return the signature of one of a row's forms, and the type of what it gives."""
    signature, _, returns = form.partition(" -> ")
    return parse_schema(signature), returns or row.returns


def operator_lines(row: OpSpec, name: str) -> list[str]:
    """Return the declaration of an operator: reflected ones take what stands on their left."""
    parameters = ["self"]
    if len(row.schema.parameters) > 1 and row.schema.parameters[1].is_operand:
        parameters.append("other: _Operand")
    elif name == "__getitem__":
        parameters.append("index: _Index")
    lines = declaration(name, parameters, "Tensor", "", 4)
    if name in _COMPARISONS:
        lines[0] += "  # pyright: ignore[reportIncompatibleMethodOverride] - elementwise"
    return [f"    {line}" for line in lines]


def declaration(
    name: str, parameters: Iterable[str], result: str, doc: str = "", indent: int = 0
) -> list[str]:
    """Return the lines of a function without a body, broken as `ruff format` breaks them.

    >>> declaration("neg", ["input: _Array"], "Tensor")
    ['def neg(input: _Array) -> Tensor: ...']
    """
    parts = list(parameters)
    end = "" if doc else " ..."
    lines = [f"def {name}({', '.join(parts)}) -> {result}:{end}"]
    if indent + len(lines[0]) > WIDTH:
        one = f"    {', '.join(parts)}"
        inside = [one] if indent + len(one) <= WIDTH else [f"    {part}," for part in parts]
        lines = [f"def {name}(", *inside, f") -> {result}:{end}"]
    if doc:
        lines += [f"    {line}".rstrip() for line in docstring(doc, WIDTH - indent - 4)]
    return lines if not doc or indent else [*lines, ""]


def docstring(doc: str, width: int) -> list[str]:
    """Return a docstring in lines of at most `width` columns.

    >>> docstring("input, but at least min.", 40)[0].strip('"')
    '`input`, but at least min.'
    """
    # A docstring must not begin with a word in lower case, unless it is code.
    text = re.sub(r"^([a-z]\w*)", r"`\1`", doc)
    if len(text) + 6 <= width:
        return [f'"""{text}"""']
    # At least two lines of text: the quotes alone on a second line are no docstring's form.
    return [*textwrap.wrap(f'"""{text}', min(width, len(text))), '"""']


def spell_default(value: object) -> str:
    """Return a default as `ruff format` writes it.

    >>> spell_default("none"), spell_default(())
    ('"none"', '()')
    """
    return json.dumps(value) if isinstance(value, str) else repr(value)


def functions(module: str = "") -> dict[str, OpSpec]:
    """Return the row of every operation that is a function of the face, or of a module, by name.

    >>> functions("special")["expit"].name
    'sigmoid'
    """
    start = f"{module}." if module else ""
    found = {
        name.removeprefix(start): row
        for name, row in public_functions().items()
        if name.rpartition(".")[0] == module
    }
    return dict(sorted(found.items()))
