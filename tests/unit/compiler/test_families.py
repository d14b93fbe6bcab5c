"""Is a family a class of rows, its traits and a function? One that is made up here runs at once."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.ir import Block
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

import trilith as tri
from trilith.compiler.analysis.aliases import read_root_of
from trilith.compiler.eager import operations as eager
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.lowering.drafts import DRAFTS
from trilith.compiler.lowering.kernel_builder import Builder, InnerDims, KernelDraft, widen
from trilith.compiler.lowering.nest import Access
from trilith.compiler.lowering.reduction_bodies import emit_reduction
from trilith.dialects.attributes.spec import TensorSpec
from trilith.dialects.attributes.views import Strided
from trilith.dialects.diagnostics import InternalError, TrilithRuntimeError, TrilithValueError
from trilith.dialects.kernel.dialect import KERNEL_DIALECT
from trilith.dialects.kernel.payload import PayloadLanguage
from trilith.dialects.kernel.types import type_of_index
from trilith.dialects.ops.frame.row import TABLE, Attributes, OperandSpec, PrimitiveOp, Resolved
from trilith.dialects.ops.frame.traits import COMPUTED, Traits
from trilith.dialects.ops.scalars.scalar import Scalar
from trilith.dialects.records import record
from trilith.dialects.tri import ops as tri_ops
from trilith.dialects.tri.dialect import make_dialect
from trilith.dialects.tri.ops import TensorOperation

from ..runtime.opencl_support import runtime

# ---- the family: what its rows say


@record(kw_only=True, eq=False)
class PoolingOp(PrimitiveOp):
    """A reduction of each window of neighbours along the last dim."""

    combine: str
    merge: Callable[[Scalar, Scalar], Scalar]
    traits: Traits = COMPUTED

    def resolve(self, operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
        (operand,) = operands
        assert isinstance(operand, TensorSpec)
        width: Any = attributes["width"]
        if width < 1:
            raise TrilithRuntimeError(f"{self.name}(): no window is {width} wide")
        *others, last = operand.shape
        result = TensorSpec.of((*others, last // width), operand.dtype, operand.device)
        return Resolved(dict(attributes), (operand.dtype,), result)

    def evaluate(self, operands: Sequence[Scalar], resolved: Resolved) -> Scalar:
        (element,) = operands
        width: Any = resolved.attributes["width"]
        *others, count = resolved.result.shape
        windows = element.value[..., : count * width].reshape(*others, count, width)
        language: Any = element.language
        columns = [language.array(windows[..., number], element.dtype) for number in range(width)]
        total, *rest = columns
        for column in rest:
            total = self.merge(total, column)
        return total


# ---- and its one function in the compiler


def draft_pooling(op: TensorOperation) -> list[KernelDraft]:
    row, spec = op.ROW, op.spec
    assert isinstance(row, PoolingOp)
    width: Any = op.values()["width"]
    (operand,), (result,) = op.operands, op.results
    builder = Builder(row.name, spec.shape)
    dims = InnerDims("window", (width,), (0,), ())
    builder.reduce_over(dims)
    root, view = read_root_of(operand)
    *others, step = view.strides
    walk = Access(root, spec.dtype, view.offset, (*others, step * width), dims.key, (step,))
    source = builder.nest.add(walk)
    target = builder.write(result, Strided(spec.shape, spec.strides))
    builder.open(has_nests=True)
    extents = builder.extents(dims)
    block = Block(arg_types=[type_of_index] * len(extents))
    element = widen(builder.load(PayloadLanguage(block), source, block.args))
    builder.store(emit_reduction(builder, row.combine, extents, block, element), target)
    return [builder.close()]


@pytest.fixture
def sum_pool() -> Iterator[PoolingOp]:
    """A row of the family, registered while the program runs, and every trace of it removed."""
    row = PoolingOp(
        "sum_pool(Tensor input, int width)",
        "The sums of windows along the last dim.",
        "tri.sum_pool(tri.tensor([1, 2, 3, 4]), 2)  # tensor([3, 7])",
        combine="add",
        merge=lambda total, element: total + element,
    )
    TABLE.add(row)
    DRAFTS[PoolingOp] = draft_pooling
    eager.install()
    yield row
    del TABLE["sum_pool"], DRAFTS[PoolingOp]
    if "sum_pool" in vars(tri):
        delattr(tri, "sum_pool")
    delattr(tri.Tensor, "sum_pool")
    tri_ops._classes.pop("sum_pool", None)  # pyright: ignore[reportPrivateUsage] - undone by hand
    eager.forget_plans()


VALUES = np.arange(22, dtype=np.float32).reshape(2, 11)
EXPECTED = VALUES[:, :9].reshape(2, 3, 3).sum(2)


def pooled(x: Any) -> Any:
    return x.sum_pool(3)


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, KERNEL_DIALECT, make_dialect()):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def test_ir(sum_pool: PoolingOp):
    traced = tri.trace(pooled, tri.spec((2, 11), tri.float32))
    text = str(traced)
    assert (
        "tri.sum_pool %x {width = 3 : i64} : !tri.tensor<2x11xf32> -> !tri.tensor<2x3xf32>" in text
    )
    module = parse(text)
    module.verify()
    assert str(module) == text
    with pytest.raises(VerifyException, match="sum_pool: the result's shape must be"):
        parse(text.replace("2x3xf32", "2x4xf32")).verify()


def test_both_interpreters(sum_pool: PoolingOp):
    traced = tri.trace(pooled, tri.spec((2, 11), tri.float32))
    (before,) = interpret_function(traced.module, [VALUES])
    lowered = traced.lower()
    assert "kernel.reduce add" in lowered.as_text("kernel")
    (after,) = interpret_function(parse(lowered.as_text("kernel")), [VALUES])
    assert before.tolist() == after.tolist() == EXPECTED.tolist()


@pytest.mark.parametrize("device", ["cpu", "opencl:0", "meta"])
def test_devices(sum_pool: PoolingOp, device: str):
    if device.startswith("opencl"):
        runtime()
    x: Any = tri.from_numpy(VALUES).to(device)
    for run in (pooled, tri.compile(pooled)):
        found = run(x)
        assert found.device == tri.device(device)
        assert found.shape == (2, 3)
        if device != "meta":
            assert found.cpu().numpy().tolist() == EXPECTED.tolist()


def test_neighbours(sum_pool: PoolingOp):
    """Views and elementwise operations around it, a result that is written, and `out=`."""

    def f(x: Any, y: Any) -> Any:
        y += (2 * x).t()[1:].t().sum_pool(5)
        return y.sum()

    x, y = tri.from_numpy(VALUES), tri.ones(2, 2)
    expected = 1 + (2 * VALUES[:, 1:]).reshape(2, 2, 5).sum(2)
    assert tri.compile(f)(x, y).item() == expected.sum()
    assert y.numpy().tolist() == expected.tolist()
    out: Any = tri.empty(2, 3)
    function: Any = getattr(tri, sum_pool.name)
    assert function(x, 3, out=out) is out
    assert out.numpy().tolist() == EXPECTED.tolist()
    with pytest.raises(tri.TrilithError, match="no window is 0 wide"):
        function(x, 0)


def test_a_family_that_says_too_little(sum_pool: PoolingOp):
    del DRAFTS[PoolingOp]
    try:
        with pytest.raises(TrilithValueError, match="there is no lowering for 'sum_pool'"):
            pooled(tri.ones(7))
    finally:
        DRAFTS[PoolingOp] = draft_pooling
    silent = PrimitiveOp("silent(Tensor input)", "Nothing.", "", methods=())
    resolved = Resolved({}, (), TensorSpec.of((), tri.float32))
    for ask in (lambda: silent.resolve([], {}), lambda: silent.evaluate([], resolved)):
        with pytest.raises(InternalError, match="the row of 'silent' does not say"):
            ask()


def test_the_family_is_gone_again():
    assert "sum_pool" not in TABLE
    assert PoolingOp not in DRAFTS
