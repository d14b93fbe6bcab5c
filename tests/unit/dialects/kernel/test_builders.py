"""Do the `make` builders give ops that verify and read as the grammar says?"""

from xdsl.dialects import arith
from xdsl.ir import Block, SSAValue

from trilith.dialects.kernel.abi import IntegerSlot, KernelSignature
from trilith.dialects.kernel.function import FuncOp
from trilith.dialects.kernel.lanes import ExtractOp, MaskOp, SelectOp, SliceOp, SplatOp
from trilith.dialects.kernel.memory import AllocOp, CheckOp, LoadOp, StoreOp
from trilith.dialects.kernel.scheduled import ForOp, IfOp
from trilith.dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, ScanOp, YieldOp
from trilith.dialects.kernel.types import (
    PRIVATE,
    BufferType,
    f32,
    i1,
    i64,
    type_of_index,
    vector_of,
)

ROWS = BufferType.get(f32, (None, 1))


def body(count: int = 1, *types: object) -> Block:
    return Block(arg_types=[type_of_index] * count + list(types))  # pyright: ignore


def test_structured():
    block = Block(arg_types=[type_of_index, type_of_index, ROWS, ROWS])
    rows, cols, x, y = block.args
    outer, inner, mapped, scanned, into = body(), body(), body(), body(), body(1, f32)
    load = LoadOp.make(x, [outer.args[0], inner.args[0]])
    inner.add_ops([load, YieldOp.make([load.result])])
    total = ReduceOp.make("add", [cols], [f32], inner, lanes=8, block=64)
    store = StoreOp.make(total.results[0], y, [outer.args[0], mapped.args[0]])
    mapped.add_op(store)
    again = LoadOp.make(x, [outer.args[0], scanned.args[0]])
    scanned.add_ops([again, YieldOp.make([again.result])])
    into.add_op(StoreOp.make(into.args[1], y, [outer.args[0], into.args[0]]))
    outer.add_ops(
        [total, MapOp.make([cols], mapped), ScanOp.make("maximum", [cols], scanned, into)]
    )
    block.add_op(ParallelOp.make([rows], outer))
    function = FuncOp.make(
        "f", block, access=[None, None, "read", "write"], noalias=[False, False, True, True]
    )
    function.verify()
    assert function.access_of(x) == "read"
    assert function.is_noalias(y)
    assert not function.is_noalias(rows)
    assert (total.lane_count, total.elements_per_block, total.is_unsigned) == (8, 64, False)
    assert list(load.indices) == [outer.args[0], inner.args[0]]
    assert (store.value, store.buffer, store.mask) == (total.results[0], y, None)
    assert "kernel.reduce add (%6) to (%1) {lanes = 8, block = 64} : f32 {" in str(function)


def test_scheduled():
    block = Block(arg_types=[type_of_index, BufferType.get(f32, (1,)), f32, i1])
    count, x, scalar, flag = block.args
    zero = arith.ConstantOp.from_int_and_width(0, type_of_index)
    mask = MaskOp.make(count, 8)
    splat = SplatOp.make(scalar, 8)
    load = LoadOp.make(x, [zero.result], vector_of(f32, 8), mask.result, other=1)
    chosen = SelectOp.make(mask.result, load.result, splat.result)
    half = SliceOp.make(chosen.result, 4, 4)
    one = ExtractOp.make(half.result, 3)
    tile = AllocOp.make([4, 8], BufferType.get(f32, (8, 1), PRIVATE))
    loop = body(1, f32)
    loop.add_op(YieldOp.make([loop.args[1]]))
    repeated = ForOp.make(zero.result, count, count, loop, [one.result])
    then, otherwise = Block(), Block()
    then.add_op(YieldOp.make([scalar]))
    otherwise.add_op(YieldOp.make([repeated.results[0]]))
    branch = IfOp.make(flag, then, otherwise, [f32])
    store = StoreOp.make(chosen.result, x, [zero.result], mask.result)
    check = CheckOp.make(flag, "IndexError", 100)
    block.add_ops(
        [zero, mask, splat, load, chosen, half, one, tile, repeated, branch, store, check]
    )
    FuncOp.make("f", block).verify()
    assert (load.masked_value, load.lanes_along, load.mask) == (1, 0, mask.result)
    assert (tile.shape, tile.extent) == ((4, 8), 32)
    assert check.position.value.data == 100


def test_signature():
    block = Block(arg_types=[type_of_index, ROWS, f32, BufferType.get(f32, (0, None, 1)), i1])
    bad: SSAValue = block.args[4]
    block.add_op(CheckOp.make(bad, "ValueError", 0))
    signature = KernelSignature.of(FuncOp.make("f", block))
    assert (signature.name, signature.buffers, signature.pointers) == ("f", (1, 3), 3)
    assert signature.can_fail
    assert signature.integers == (
        IntegerSlot("index", 0),
        IntegerSlot("offset", 1),
        IntegerSlot("stride", 1, 0),
        IntegerSlot("scalar", 2),
        IntegerSlot("offset", 3),
        IntegerSlot("stride", 3, 1),
        IntegerSlot("scalar", 4),
    )


def test_many_values():
    block = Block(arg_types=[type_of_index, f32, i64])
    count, value, number = block.args
    inner, combiner = body(), Block(arg_types=[f32, i64, f32, i64])
    inner.add_op(YieldOp.make([value, number]))
    combiner.add_op(YieldOp.make(combiner.args[:2]))
    reduction = ReduceOp.make(
        "custom", [count], [f32, i64], inner, inits=[value, number], combiner=combiner
    )
    block.add_op(reduction)
    FuncOp.make("f", block).verify()
    assert list(reduction.inits) == [value, number]
    assert list(reduction.extents) == [count]
    assert list(reduction.value_types) == [f32, i64]
