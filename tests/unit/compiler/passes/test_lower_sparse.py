"""What does `tri-lower-sparse` refuse, and does what it leaves compute what is computed at once?"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser

import trilith
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.pipeline import Runner
from trilith.compiler.targets.steps import Step
from trilith.dialects.diagnostics import TrilithError
from trilith.dialects.tri.dialect import make_dialect

tri: Any = trilith
TRI = make_dialect()
LOWER = [Step("tri-lower-sparse")]
PLACES = [[0, 1, 1], [2, 0, 2]]


def parsed(body: str) -> ModuleOp:
    """Return a function of indices, values and known numbers."""
    context = Context()
    for dialect in (Builtin, Func, TRI):
        context.load_dialect(dialect)
    head = "func.func @f(%i: !tri.tensor<2x3xsi64>, %v: !tri.tensor<3xf32>) {\n"
    whole = "!tri.tensor<2x3xsi64>, !tri.tensor<3xf32> -> !tri.tensor<2x3xf32, layout=sparse_coo>"
    text = f"{head}%s = tri.assemble %i, %v : {whole}\n{body}\nfunc.return\n}}"
    module = Parser(context, text).parse_module()
    module.verify()
    return module


SPARSE = "!tri.tensor<2x3xf32, layout=sparse_coo>"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            f"%0 = tri.select %i {{dim = 1 : i64, index = 0 : i64}} : !tri.tensor<2x3xsi64> -> "
            "!tri.tensor<2xsi64, layout=strided<[3]>>\n"
            "%1 = tri.clone %0 : !tri.tensor<2xsi64, layout=strided<[3]>> -> !tri.tensor<2xsi64>\n"
            f'%2 = tri.sparse "coalesce"(%s) known(%1) : {SPARSE}, !tri.tensor<2xsi64> -> {SPARSE}',
            "depends on the elements of a tensor",
        ),
        (
            f'%0 = tri.sparse "t"(%s) : {SPARSE} -> !tri.tensor<3x2xf32, layout=sparse_coo>',
            "t needs more than its operands say",
        ),
        (
            f'%0 = tri.sparse "t"(%s) known(%i) : {SPARSE}, !tri.tensor<2x3xsi64> -> {SPARSE}',
            "t needs more than its operands say",
        ),
        (
            f'%0 = tri.sparse "neg"(%s) : {SPARSE} -> !tri.tensor<2x3xf64, layout=sparse_coo>',
            "a sparse operation gives !tri.tensor<2x3xf32, layout=sparse_coo>, but its type says",
        ),
        (
            f'%0 = tri.sparse "to_dense"(%s) : {SPARSE} -> !tri.tensor<3x2xf32>',
            "a sparse operation gives !tri.tensor<2x3xf32>, but its type says",
        ),
    ],
)
def test_what_cannot_be_lowered_is_refused(body: str, message: str):
    with pytest.raises(TrilithError, match=re.escape(message)):
        Runner().run(parsed(body), LOWER)


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "chain": lambda s, x: (-s * 3).to_dense(),
    "power": lambda s, x: (s**2).to_dense(),
    "quotient": lambda s, x: (s / 3).to_dense(),
    "product": lambda s, x: (s * 2) @ x,
    "turned": lambda s, x: s.t() @ x[:2],
    "broadcast": lambda s, x: (s * x[0, :3]).to_dense(),
    "joined": lambda s, x: tri.cat([s, s], 1).to_dense(),
    "stacked": lambda s, x: tri.stack([s, s]).to_dense(),
    "added": lambda s, x: x[:2, :3] + s,
    "scaled": lambda s, x: tri.add(s, s, alpha=3).to_dense(),
    "masked": lambda s, x: x[:2, :3].sparse_mask(s).to_dense(),
    "sum": lambda s, x: s.sum(),
    "cast": lambda s, x: s.double().to_dense(),
    "product and sum": lambda s, x: tri.sparse.addmm(x[:2], s, x, beta=0.5),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_interpreter_agrees_with_what_runs_at_once(name: str):
    function = PROGRAMS[name]
    s = tri.sparse_coo_tensor(PLACES, [3.0, -4.0, 5.5], (2, 3)).coalesce()
    x = tri.arange(12.0).reshape(3, 4) / 7
    traced = tri.trace(function, s, x)
    assert "tri.sparse" in str(traced)
    Runner().run(traced.module, LOWER)
    assert "sparse" not in str(traced)
    given = [part.numpy() for part in (s.indices(), s.values(), x, *traced.captured)]
    (found,) = interpret_function(traced.module, given)
    expected = function(s, x).numpy()
    assert found.dtype == expected.dtype
    np.testing.assert_array_max_ulp(found, expected, 1)


def test_lines_of_the_program_stay():
    s = tri.sparse_coo_tensor(PLACES, [3.0, -4.0, 5.5], (2, 3)).coalesce()

    def negated(s: Any) -> Any:
        return (-s).to_dense()

    traced = tri.trace(negated, s)
    Runner().run(traced.module, LOWER)
    func = next(iter(traced.module.ops))
    assert all(__file__ in str(op.location) for op in func.walk() if op.name == "tri.neg")
