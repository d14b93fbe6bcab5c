"""How does a type checker learn what is made from the table? `make stubs` writes the stubs.

The face loads operations when they are asked for, and tensors get their methods from the rows; no
checker can see either. `__init__.pyi` spells out every public row as a function and every dtype by
each of its names, `runtime/tensors/operations.pyi` every method and operator of a tensor, and a
stub beside each module of functions (`linalg.py`) what rows have a place there.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from ...dialects.ops.table import TABLE, return_types
from ...runtime.tensors import construction, element_functions, legacy, queries
from ...runtime.tensors.sparse import SparseTensor
from ...runtime.tensors.tensor_impl import TensorImpl
from . import write_index
from .module_stubs import MODULES, module_stub, module_text
from .stub_lines import (
    ALIASES,
    declaration,
    function_lines,
    functions,
    operator_lines,
    spell_default,
)

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
from collections.abc import Callable, Iterator, Sequence
from types import EllipsisType
from typing import Any, NamedTuple, Protocol, TypeAlias, overload

import numpy as np

from ...dialects.attributes.device import Device as device
from ...dialects.attributes.dtype import DType as dtype
from ...dialects.attributes.layout import Layout as layout
from ...dialects.attributes.memory_format import MemoryFormat as memory_format
from .generators import Generator
from .tensor import Tensor
from .tensor_impl import TensorImpl
'''
_VARIABLES = """\
_P = ParamSpec("_P")
_R = TypeVar("_R", covariant=True)
"""

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
    "apply_": element_functions.apply_,
    "indices": SparseTensor.indices,
    "is_coalesced": SparseTensor.is_coalesced,
    "is_nonzero": queries.is_nonzero,
    "new": legacy.new,
    "new_tensor": construction.new_tensor,
    "sparse_resize_": SparseTensor.sparse_resize_,
    "sparse_resize_and_clear_": SparseTensor.sparse_resize_and_clear_,
    "type": legacy.type_of,
    "unsafeGetTensorImpl": TensorImpl.of,
    "values": SparseTensor.values,
}

_FACE_NAMES = re.compile(r"\b(DType|Device|int|float|bool)\b")


def return_types_lines() -> list[str]:
    """Return the class that stands for the named tuples of results."""
    lines = ["class return_types:"]
    for name, kind in sorted(vars(return_types()).items()):
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
        is_named = isinstance(parameter.annotation, str)  # `self` is not
        annotation = _FACE_NAMES.sub(_as_in_face, parameter.annotation if is_named else "Any")
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
                *ALIASES.splitlines(),
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
    public |= {name: ("", name) for name in face._MODULES}
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
        given = f"{there} as {there if is_own else f'_{there}'}"
        line = f"from {module or '.'} import {given}"
        whole = [f"from {module} import (", f"    {given},", ")"]
        imports += [line] if len(line) <= WIDTH else whole
        if name != there and not name.startswith("_"):
            renamed.append(f"{name} = _{there}")
    lines = [
        "import builtins",
        "from collections.abc import Callable, Iterable, Mapping, Sequence",
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
        "newaxis: None",
        *(f"{name}: _TensorType" for name in sorted(legacy.TYPES)),
        *ALIASES.splitlines(),
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
    texts = {STUB: stub_text(), OPERATIONS: operations_text()}
    texts |= {module_stub(FACE, module): module_text(module) for module in MODULES}
    write_index.main()
    for stub, text in texts.items():
        stub.write_text(text, encoding="utf-8")
        print(f"wrote {stub}", file=sys.stderr)


if __name__ == "__main__":
    main()
