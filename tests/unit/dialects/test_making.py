"""Is an operation that is made quickly the one that xDSL would have made?"""

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

import trilith as tri
from trilith.dialects.kernel.structured import YieldOp
from trilith.dialects.kernel.types import f32, i1, i32
from trilith.dialects.making import (
    add_operations,
    all_operations,
    append,
    clone_kernel,
    discard,
    make_op,
    operands_of,
    put_in_front,
)


def _users(value: SSAValue) -> list[tuple[Operation, int]]:
    return [(use.operation, use.index) for use in value.uses]


def _negations(value: SSAValue, count: int) -> list[Operation]:
    return [make_op(arith.NegfOp, [value], [f32]) for _ in range(count)]


def test_default_properties_and_uses_are_those_of_create() -> None:
    block = Block(arg_types=[f32, f32])
    left, right = block.args
    made = make_op(arith.AddfOp, [left, right], [f32])
    asked = arith.AddfOp.create(operands=[left, right], result_types=[f32])
    assert made.properties == asked.properties
    assert made.attributes == asked.attributes == {}
    assert made.location is asked.location
    assert made.is_structurally_equivalent(asked)
    assert _users(left) == [(asked, 0), (made, 0)]
    assert _users(right) == [(asked, 1), (made, 1)]
    asked.drop_all_references()
    assert _users(left) == [(made, 0)]
    made.verify()


def test_an_operand_twice_is_used_twice() -> None:
    (value,) = Block(arg_types=[f32]).args
    made = make_op(arith.MulfOp, [value, value], [f32])
    assert sorted(index for _, index in _users(value)) == [0, 1]
    assert operands_of(made) == (value, value)
    made.drop_all_references()
    assert not value.uses


def test_what_is_given_is_kept_and_not_shared() -> None:
    properties = {"predicate": IntegerAttr(2, 64)}
    block = Block(arg_types=[i32, i32])
    made = make_op(arith.CmpiOp, list(block.args), [i1], properties)
    made.properties["predicate"] = IntegerAttr(3, 64)
    assert properties == {"predicate": IntegerAttr(2, 64)}


def test_operations_are_appended_and_put_in_front() -> None:
    for before, after in ((0, 0), (0, 2), (3, 0), (3, 2), (1, 1)):
        block = Block(arg_types=[f32])
        last, first = (_negations(block.args[0], count) for count in (before, after))
        for op in last:
            append(block, op)
        put_in_front(block, first)
        expected = [*first, *last]
        assert list(block.ops) == expected
        assert [op.parent for op in expected] == [block] * len(expected)
        backwards: list[Operation] = []
        op = block.last_op
        while op is not None:
            backwards.append(op)
            op = op.prev_op
        assert backwards == expected[::-1]


def test_a_copy_has_the_text_of_the_kernel_and_no_value_of_it() -> None:
    function = tri.trace(lambda x: tri.exp(x - x.sum(0)), tri.spec((5, 6), tri.float32))
    for kernel in function.lower().kernels:
        copy = clone_kernel(kernel)
        copy.verify()
        assert str(copy) == str(kernel)
        values = {result for op in kernel.walk() for result in op.results}
        assert values.isdisjoint(value for op in copy.walk() for value in op.operands)


def test_all_operations_are_those_of_a_walk() -> None:
    inner = Block()
    append(inner, make_op(YieldOp))
    func = FuncOp("f", ((), ()), Region(inner))
    assert all_operations(func) == list(func.walk())
    found: list[Operation] = []
    add_operations(inner, found)
    assert found == list(inner.walk())


def test_what_is_discarded_uses_nothing() -> None:
    block = Block(arg_types=[f32])
    first, second = _negations(block.args[0], 2)
    user = make_op(arith.NegfOp, first.results, [f32])
    for op in (first, second, user):
        append(block, op)
    discard(second)
    assert list(block.ops) == [first, user]
    assert _users(block.args[0]) == [(first, 0)]
    discard(first)
    assert "Erased" in type(user.operands[0]).__name__
