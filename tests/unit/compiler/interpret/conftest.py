"""What the tests of the interpreter share: modules and kernels from text."""

from collections.abc import Callable

import pytest
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.dialects.math import Math
from xdsl.parser import Parser

from trilith.dialects.kernel.dialect import KERNEL_DIALECT
from trilith.dialects.kernel.function import FuncOp
from trilith.dialects.tri.dialect import make_dialect


@pytest.fixture(scope="session")
def parse_module() -> Callable[[str], ModuleOp]:
    """`parse_module(text)`: a module of both levels, verified."""
    tri_dialect = make_dialect()

    def parse(text: str) -> ModuleOp:
        context = Context()
        for dialect in (Builtin, Func, Arith, Math, KERNEL_DIALECT, tri_dialect):
            context.load_dialect(dialect)
        module = Parser(context, text).parse_module()
        module.verify()
        return module

    return parse


@pytest.fixture(scope="session")
def parse_kernel(parse_module: Callable[[str], ModuleOp]) -> Callable[[str], FuncOp]:
    """`parse_kernel(text)`: the kernel of a module, verified."""

    def parse(text: str) -> FuncOp:
        first = parse_module(text).body.block.first_op
        assert isinstance(first, FuncOp)
        return first

    return parse
