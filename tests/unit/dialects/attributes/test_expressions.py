"""Are expressions what arithmetic says, and equal ones written in one way?"""

import operator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trilith.dialects.attributes.expressions import (
    Expression,
    constant,
    floor_divide,
    symbol,
)

SYMBOLS = ("k", "m", "n")
LEAVES = st.one_of(st.integers(-3, 3).map(constant), st.sampled_from(SYMBOLS).map(symbol))
VALUES = st.fixed_dictionaries({name: st.integers(-6, 6) for name in SYMBOLS})


def grown(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    divisors = st.integers(1, 4).map(constant)
    return st.one_of(
        st.builds(Expression.__add__, parts, parts),
        st.builds(Expression.__sub__, parts, parts),
        st.builds(Expression.__mul__, parts, parts),
        st.builds(Expression.__neg__, parts),
        st.builds(floor_divide, parts, divisors),
    )


EXPRESSIONS = st.recursive(LEAVES, grown, max_leaves=8)


@given(EXPRESSIONS, EXPRESSIONS, VALUES)
def test_arithmetic_is_that_of_the_values(left: Any, right: Any, values: dict[str, int]):
    first, second = left.evaluate(values), right.evaluate(values)
    assert (left + right).evaluate(values) == first + second
    assert (left - right).evaluate(values) == first - second
    assert (left * right).evaluate(values) == first * second
    assert (-left).evaluate(values) == -first
    assert floor_divide(left, constant(3)).evaluate(values) == first // 3


@given(EXPRESSIONS, EXPRESSIONS)
def test_equal_expressions_are_written_in_one_way(left: Any, right: Any):
    ways = [
        left,
        (left + right) - right,
        left * constant(1),
        operator.neg(-left),
        Expression(dict(left.terms)),
    ]
    assert (
        len({way.terms for way in ways}) == len({hash(way) for way in ways}) == len(set(ways)) == 1
    )
    assert (left - left).terms == () == (left * constant(0)).terms
    assert left * right == right * left
    assert left + right == right + left
    assert all(factor for _, factor in (left - right).terms)
