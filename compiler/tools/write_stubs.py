"""How does a type checker learn what is made from the table? `make stubs` writes two stubs.

The face loads operations when they are asked for, and tensors get their methods from the rows; no
checker can see either. `__init__.pyi` spells out every public row as a function and every dtype by
each of its names, `runtime/tensors/operations.pyi` every method and operator of a tensor.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from ...dialects.ops.frame.opspec import OpSpec
from ...dialects.ops.frame.schema import Parameter, Schema, parse_schema
from ...dialects.ops.table import RETURN_TYPES, TABLE
from ...runtime.tensors import construction, legacy, queries, sparse
from ...runtime.tensors.tensor_impl import TensorImpl

_face: Any = import_module("...", __package__)
FACE = Path(_face.__file__)
STUB = FACE.with_suffix(".pyi")
OPERATIONS = FACE.parent / "runtime" / "tensors" / "operations.pyi"
WIDTH = 100

_HEADER = '''\
"""Types of what the face makes from the table of operations. Written by `make stubs`."""

'''
_OPERATIONS_HEADER = '''\
"""Types of the methods that tensors get from the table of operations. Written by `make stubs`."""

import builtins
from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any, NamedTuple, Protocol, TypeAlias, overload

import numpy as np

from ...dialects.attributes.device import Device as device
from ...dialects.attributes.dtype import DType as dtype
from ...dialects.attributes.layout import Layout as layout
from ...dialects.attributes.memory_format import MemoryFormat as memory_format
from .sparse import SparseTensor
from .tensor import Tensor
from .tensor_impl import TensorImpl
'''
_ALIASES = """
class _Exporter(Protocol):
    def __dlpack__(self) -> Any: ...

_Array: TypeAlias = Tensor | _Exporter
_Operand: TypeAlias = Tensor | _Exporter | complex | np.generic
_Ints: TypeAlias = builtins.int | Sequence[builtins.int]
_Place: TypeAlias = device | str | builtins.int
_Item: TypeAlias = builtins.int | slice | EllipsisType | _Array | Sequence[Any] | None
_Index: TypeAlias = _Item | tuple[_Item, ...]
"""
_VARIABLES = """\
_P = ParamSpec("_P")
_R = TypeVar("_R", covariant=True)
"""

#: How the types of a schema are spelled. `int`, `float` and `bool` are dtypes in the face.
_TYPES = {
    "Tensor": "_Array",
    "Operand": "_Operand",
    "Number": "complex",
    "Scalar": "complex",
    "ScalarInt": "builtins.int",
    "int": "builtins.int",
    "float": "builtins.float",
    "bool": "builtins.bool",
    "str": "str",
    "dtype": "dtype",
    "device": "_Place",
    "layout": "layout",
    "memory_format": "memory_format",
    "Target": "dtype | _Place | Tensor",
    "Index": "_Index",
}
#: What takes a function to trace, and what it returns.
_TRACERS = {
    "compile": "CompiledFunction[_P, _R]",
    "export": "_CompiledProgram",
    "trace": "_Traced",
}
#: Protocols of functions of so many tensors. Of these a checker takes the types of the parameters
#: of a lambda, which have no annotations; functions keep their own. `Any` lets arrays and numbers
#: be arguments, and misspelled methods of `Tensor` are found nevertheless.
_LAMBDAS = {"_OfOne": 1, "_OfTwo": 2, "_OfThree": 3}

#: Methods of tensors that are no rows, because they compute nothing or make no tensor.
_METHODS: dict[str, Any] = {
    "is_nonzero": queries.is_nonzero,
    "new_tensor": construction.new_tensor,
    "to_dense": sparse.to_dense,
    "to_sparse": sparse.to_sparse,
    "type": legacy.type_of,
    "unsafeGetTensorImpl": TensorImpl.of,
}

_FACE_NAMES = re.compile(r"\b(DType|Device|int|float|bool)\b")
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
        spelled = "_Ints" if parameter.type == "int" else f"Sequence[{spelled}]"
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
    >>> parameters_of(TABLE["add"], is_method=False)
    ['input: _Operand', 'other: _Operand', '*', 'alpha: complex = 1', 'out: Tensor | None = None']
    """
    spelled: list[str] = []
    has_star = False
    for number, parameter in enumerate((schema or row.schema).parameters):
        if is_method and number == 0:
            spelled.append("self")
            continue
        if parameter.is_variadic and is_spread:
            spelled.append(f"*{parameter.name}: builtins.int")
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


def functions() -> dict[str, OpSpec]:
    """Return the row of every operation that is a function of the face, by name."""
    found = {
        name: row
        for row in TABLE.values()
        for name in (*row.function_names, *row.in_place_functions)
    }
    return dict(sorted(found.items()))


def return_types_lines() -> list[str]:
    """Return the class that stands for the named tuples of results."""
    lines = ["class return_types:"]
    for name, kind in sorted(vars(RETURN_TYPES).items()):
        lines += [""] * (len(lines) > 1)
        lines.append(f"    class {name}(NamedTuple):")
        lines += [f"        {field}: Tensor" for field in kind._fields]
    return [*lines, ""]


def operations_lines() -> list[str]:
    """Return the class of the methods and operators of all rows."""
    found = {
        name: row
        for row in TABLE.values()
        for name in (*row.methods, *row.in_place_names, *row.in_place_views)
    }
    lines = ["class Operations:", "    def __hash__(self) -> builtins.int: ..."]
    lines.append("    def __iter__(self) -> Iterator[Tensor]: ...")
    lines.append("    def __setitem__(self, index: _Index, value: _Operand) -> None: ...")
    for name, row in sorted(found.items()):
        is_operator = name.startswith("__")
        lines += (
            operator_lines(row, name) if is_operator else function_lines(row, name, is_method=True)
        )
    for name, function in _METHODS.items():
        _, *others = spelled_parameters(inspect.signature(function))
        result = _FACE_NAMES.sub(_as_in_face, function.__annotations__["return"])
        declared = declaration(name, ["self", *others], result, summary(function), 4)
        lines += [f"    {line}" for line in declared]
    return lines


def redeclared(function: Any) -> list[str]:
    """Return the declaration of one of our functions, its tensors being those of the stub."""
    parameters = spelled_parameters(inspect.signature(function))
    return declaration(function.__name__, parameters, "Tensor", summary(function))


def redeclared_for_functions(function: Any, result: str) -> list[str]:
    """Return the declaration of what takes a function, whose parameters and result are kept."""
    _, *others = spelled_parameters(inspect.signature(function))
    kinds = " | ".join(["Callable[_P, _R]", *(f"{name}[_R]" for name in _LAMBDAS)])
    main = declaration(function.__name__, [f"function: {kinds}", *others], result)
    if inspect.signature(function).parameters["function"].default is not None:
        return main
    decorator = f"Callable[[Callable[_P, _R]], {result}]"
    optional = declaration(function.__name__, ["function: None = None", *others], decorator)
    return ["@overload", *main, "@overload", *optional]


def lambda_lines() -> list[str]:
    """Return the protocols of functions whose parameters are tensors."""
    lines: list[str] = []
    for name, count in _LAMBDAS.items():
        taken = ", ".join(f"{letter}: Tensor | Any" for letter in "xyz"[:count])
        lines.append(f"class {name}(Protocol[_R]):")
        lines.append(f"    def __call__(self, {taken}, /) -> _R: ...")
        lines.append("")
    return lines


def spelled_parameters(signature: inspect.Signature) -> list[str]:
    """Return the parameters of a function, their types in the words of the face."""
    spelled: list[str] = []
    has_star = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not has_star:
            spelled.append("*")
        has_star = has_star or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        annotation = _FACE_NAMES.sub(_as_in_face, parameter.annotation)
        text = f"{stars}{parameter.name}: {annotation}"
        if parameter.default is not parameter.empty:
            text += f" = {spell_default(parameter.default)}"
        spelled.append(text)
    return spelled


def summary(function: Any) -> str:
    """Return the first paragraph of a docstring on one line."""
    return (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")


def _as_in_face(word: re.Match[str]) -> str:
    return {"DType": "dtype", "Device": "device"}.get(word[0], f"builtins.{word[0]}")


def face_imports() -> dict[str, tuple[str, str]]:
    """Return where each public name of the face comes from: name -> (module, its name there)."""
    places: dict[str, tuple[str, str]] = {}
    for statement in ast.parse(FACE.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.ImportFrom) and statement.level == 1:
            for item in statement.names:
                places[item.asname or item.name] = (f".{statement.module}", item.name)
    return places


def operations_text() -> str:
    """Return the text of the stub of tensors' methods."""
    return (
        "\n".join(
            [
                _OPERATIONS_HEADER.rstrip("\n"),
                *_ALIASES.splitlines(),
                "",
                *return_types_lines(),
                *operations_lines(),
            ]
        )
        + "\n"
    )


def stub_text() -> str:
    """Return the text of the stub of the face."""
    face = _face
    public = {name: place for name, place in face_imports().items() if name in face.__all__}
    for name, (module, attribute) in face._LAZY.items():
        public[name] = (f".{module}", attribute)
    public["opencl"] = ".runtime.opencl", "face"  # imported when it is asked for
    public["return_types"] = ".runtime.tensors.operations", "return_types"
    makers = [name for name in public if _makes_tensor(face, name)]
    imports: list[str] = []
    renamed: list[str] = []
    public["_TensorType"] = ".runtime.tensors.legacy", "TensorType"
    public["_Traced"] = public["trace"][0], "Traced"
    public["_CompiledProgram"] = public["export"][0], "CompiledProgram"
    for name, (module, there) in sorted(public.items(), key=lambda item: (item[1], item[0])):
        if name in makers or name in _TRACERS:
            continue
        # Only `X as X` hands a name on; under another name it takes an assignment.
        is_own = name == there
        imports.append(f"from {module} import {there} as {there if is_own else f'_{there}'}")
        if name != there and not name.startswith("_"):
            renamed.append(f"{name} = _{there}")
    lines = [
        "import builtins",
        "from collections.abc import Callable, Iterable, Sequence",
        "from types import EllipsisType",
        "from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar, overload",
        "",
        "import numpy as np",
        "",
        *imports,
        "",
        "__version__: str",
        "",
        *renamed,
        "",
        *(f"{name}: dtype" for name in sorted(face._DTYPES)),
        *(f"{name}: builtins.float" for name in ("e", "inf", "nan", "pi")),
        *(f"{name}: _TensorType" for name in sorted(legacy.TYPES)),
        *_ALIASES.splitlines(),
        *_VARIABLES.splitlines(),
        "",
        *lambda_lines(),
    ]
    for name in sorted(makers):
        lines += redeclared(getattr(face, name))
    for name, result in _TRACERS.items():
        lines += redeclared_for_functions(getattr(face, name), result)
    for name, row in functions().items():
        lines += function_lines(row, name, is_method=False)
    return _HEADER + "\n".join(lines).rstrip("\n") + "\n"


def _makes_tensor(face: Any, name: str) -> bool:
    function = getattr(face, name, None)
    return inspect.isfunction(function) and function.__annotations__.get("return") == "Tensor"


def main() -> None:
    """Write the stubs."""
    for stub, text in ((STUB, stub_text()), (OPERATIONS, operations_text())):
        stub.write_text(text, encoding="utf-8")
        print(f"wrote {stub}", file=sys.stderr)


if __name__ == "__main__":
    main()
