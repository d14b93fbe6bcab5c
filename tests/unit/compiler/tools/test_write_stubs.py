"""Is the stub of the face what the table of operations says, and what the face offers?"""

import ast
import inspect
from typing import Any

import trilith as tri
from trilith.compiler.tools import write_index
from trilith.compiler.tools.module_stubs import MODULES, module_stub, module_text
from trilith.compiler.tools.stub_lines import functions
from trilith.compiler.tools.write_stubs import OPERATIONS, STUB, operations_text, stub_text


def test_the_stubs_are_not_stale():
    assert STUB.read_text(encoding="utf-8") == stub_text(), "`make stubs` writes it anew"
    assert OPERATIONS.read_text(encoding="utf-8") == operations_text()
    assert write_index.PATH.read_text(encoding="utf-8") == write_index.index_text()
    for module in MODULES:
        assert module_stub(STUB, module).read_text(encoding="utf-8") == module_text(module)


def names_of(statements: list[ast.stmt]) -> set[str]:
    """The names that the statements of a module or class define for others."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            found.add(statement.name)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found.add(statement.target.id)
        elif isinstance(statement, ast.Assign):
            found |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
        elif isinstance(statement, ast.ImportFrom) and statement.level:
            found |= {item.asname or item.name for item in statement.names}
    return {name for name in found if not name.startswith("_")}


def test_the_stub_names_what_the_face_names():
    stub = ast.parse(STUB.read_text(encoding="utf-8"))
    assert names_of(stub.body) == {name for name in dir(tri) if not name.startswith("_")}


SOURCE = (STUB.parent / "runtime" / "tensors" / "tensor.py").read_text(encoding="utf-8")


def test_the_stub_has_every_method_and_no_other():
    tri.ones(1).sum()  # loads them
    (own,) = (node for node in ast.parse(SOURCE).body if isinstance(node, ast.ClassDef))
    installed = {name for name in vars(tri.Tensor) if not name.startswith("_")}
    stub = ast.parse(OPERATIONS.read_text(encoding="utf-8"))
    (operations,) = (
        node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == "Operations"
    )
    assert installed - names_of(own.body) - {"FIELDS"} == names_of(operations.body)


def test_every_row_is_in_the_stub_with_its_parameters():
    stub = ast.parse(STUB.read_text(encoding="utf-8"))
    found: dict[str, list[list[str]]] = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(parameters_of(node.args))
    for name, row in functions().items():
        function: Any = getattr(tri, name)
        expected = [*inspect.signature(function).parameters, *["out"] * row.takes_out]
        if row.forms and row.binder is not None:
            # Each form has parameters of its own, and maybe one more that the binder reads.
            assert {word for form in found[name] for word in form} >= set(expected), name
        else:
            assert found[name][-1] == expected, name


def parameters_of(declared: ast.arguments) -> list[str]:
    """Return the names of a function's parameters in order."""
    names = [argument.arg for argument in (*declared.args, *declared.kwonlyargs)]
    if declared.vararg is not None:
        names.insert(len(declared.args), declared.vararg.arg)
    return names
