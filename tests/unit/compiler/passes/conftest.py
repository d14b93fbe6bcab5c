"""What the tests of passes share: IR from text."""

from collections.abc import Callable

import pytest
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.math import Math
from xdsl.parser import Parser

from trilith.dialects.kernel.dialect import KERNEL_DIALECT
from trilith.dialects.kernel.function import FuncOp

ParseKernel = Callable[[str], FuncOp]


def parse(text: str) -> FuncOp:
    context = Context()
    for dialect in (Builtin, Arith, Math, KERNEL_DIALECT):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    first = module.body.block.first_op
    assert isinstance(first, FuncOp)
    return first


@pytest.fixture
def parse_kernel() -> ParseKernel:
    """`parse_kernel(text)`: the kernel of a module, verified."""
    return parse
