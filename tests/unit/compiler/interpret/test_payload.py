"""Do single ops compute what integers and IEEE floats say, whatever the shape?"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import f16, f32, f64
from xdsl.ir import Attribute, Operation

from trilith.compiler.interpret.payload import (
    compare_floats,
    compare_integers,
    compute,
    convert,
)
from trilith.dialects.kernel.arithmetic import FmodOp
from trilith.dialects.kernel.types import bf16, i1, i8, i16, i32, i64

BYTES = np.arange(-128, 128, dtype=np.int8)
LEFT, RIGHT = (grid.ravel() for grid in np.meshgrid(BYTES, BYTES, indexing="ij"))


def wrap(number: int) -> int:
    return (number + 128) % 256 - 128


def truncating(a: int, b: int) -> int:
    return int(Fraction(a, b))


INTEGER_OPS: dict[type[Operation], tuple[Callable[[int, int], int], bool]] = {
    arith.AddiOp: (int.__add__, True),
    arith.SubiOp: (int.__sub__, True),
    arith.MuliOp: (int.__mul__, True),
    arith.AndIOp: (int.__and__, True),
    arith.OrIOp: (int.__or__, True),
    arith.XOrIOp: (int.__xor__, True),
    arith.MaxSIOp: (max, True),
    arith.MinSIOp: (min, True),
    arith.MaxUIOp: (max, False),
    arith.MinUIOp: (min, False),
    arith.DivSIOp: (truncating, True),
    arith.RemSIOp: (lambda a, b: a - b * truncating(a, b), True),
    arith.DivUIOp: (int.__floordiv__, False),
    arith.RemUIOp: (int.__mod__, False),
    arith.ShLIOp: (int.__lshift__, True),
    arith.ShRSIOp: (int.__rshift__, True),
    arith.ShRUIOp: (int.__rshift__, False),
}


@pytest.mark.parametrize("op", INTEGER_OPS, ids=lambda op: op.name)
def test_integers_on_all_bytes(op: type[Operation]):
    oracle, signed = INTEGER_OPS[op]
    inside = np.ones(len(LEFT), bool)
    if op.name.startswith(("arith.div", "arith.rem")):
        inside = (RIGHT != 0) & ~((LEFT == -128) & (RIGHT == -1))
    elif op.name.startswith("arith.sh"):
        inside = (RIGHT >= 0) & (RIGHT < 8)
    left, right = LEFT[inside][::7], RIGHT[inside][::7]
    result = compute(op, left, right)
    assert result.dtype == np.int8
    sign = 0 if signed else 256
    expected = [
        wrap(oracle(a % sign if sign else a, b % sign if sign else b))
        for a, b in zip(left.tolist(), right.tolist(), strict=True)
    ]
    assert result.tolist() == expected


@pytest.mark.parametrize(
    ("op", "expected"),
    [
        (arith.AddiOp, [0, 1, 1, 0]),
        (arith.MuliOp, [0, 0, 0, 1]),
        (arith.MaxUIOp, [0, 1, 1, 1]),
        (arith.MinUIOp, [0, 0, 0, 1]),
        # With a sign, the one bit that is set is -1.
        (arith.MaxSIOp, [0, 0, 0, 1]),
        (arith.MinSIOp, [0, 1, 1, 1]),
        (arith.XOrIOp, [0, 1, 1, 0]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_bits(op: type[Operation], expected: list[int]):
    left, right = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
    result = compute(op, left, right)
    assert result.dtype == np.bool_
    assert result.tolist() == [bool(bit) for bit in expected]


def test_floats_round_once():
    # (1 + 2**-12)**2 is 1 + 2**-11 + 2**-24, whose last term a float32 has no room for.
    x, c = np.array(1 + 2.0**-12, np.float32), np.array(-(1 + 2.0**-11), np.float32)
    fused = compute(math_dialect.FmaOp, x, x, c)
    assert fused == 2.0**-24
    assert fused.dtype == np.float32
    assert compute(arith.AddfOp, compute(arith.MulfOp, x, x), c) == 0


def test_extremes_of_floats():
    nan = math.nan
    left = np.array([0.0, -0.0, 1, nan, 2], np.float32)
    right = np.array([-0.0, 0.0, nan, 1, 3], np.float32)
    largest = compute(arith.MaximumfOp, left, right)
    smallest = compute(arith.MinimumfOp, left, right)
    np.testing.assert_array_equal(largest, [0, 0, nan, nan, 3])
    np.testing.assert_array_equal(smallest, [0, 0, nan, nan, 2])
    assert np.signbit(largest[:2]).tolist() == [False, False]
    assert np.signbit(smallest[:2]).tolist() == [True, True]


def test_fmod_is_exact():
    left, right = np.array([1e300, -5.5]), np.array([0.7, 3])
    expected = [math.fmod(1e300, 0.7), math.fmod(-5.5, 3)]
    assert compute(FmodOp, left, right).tolist() == expected


@pytest.mark.parametrize(
    ("word", "value", "type_", "expected"),
    [
        ("extsi", np.array([True, False]), i8, [-1, 0]),
        ("extui", np.array([True, False]), i8, [1, 0]),
        ("extsi", np.array([-2], np.int8), i64, [-2]),
        ("extui", np.array([-2], np.int8), i64, [254]),
        ("trunci", np.array([300, -1], np.int32), i8, [44, -1]),
        ("trunci", np.array([2, 3], np.int32), i1, [False, True]),
        ("sitofp", np.array([-1], np.int8), f32, [-1]),
        ("uitofp", np.array([-1], np.int8), f32, [255]),
        ("sitofp", np.array([True]), f32, [-1]),
        ("uitofp", np.array([-1], np.int64), f64, [2.0**64]),
        ("sitofp", np.array([2**24 + 1, 2**24 + 3], np.int32), f32, [2.0**24, 2.0**24 + 4]),
        ("sitofp", np.array([2051], np.int32), f16, [2052]),
        ("fptosi", np.array([2.9, -2.9], np.float32), i32, [2, -2]),
        ("fptosi", np.array([np.nan, 3e9, -3e9], np.float32), i32, [-(2**31)] * 3),
        ("fptosi", np.array([2.0**63, -(2.0**63)]), i64, [-(2**63)] * 2),
        ("fptoui", np.array([2.0**32 - 1]), i32, [-1]),
        ("index_cast", np.array([2**32 + 5], np.int64), i32, [5]),
        ("truncf", np.array([1 + 2.0**-24, 1 + 3 * 2.0**-24]), f32, [1, 1 + 2.0**-22]),
        # By way of float32, as PyTorch does: there it is a tie.
        ("truncf", np.array([1 + 2.0**-8 + 2.0**-40]), bf16, [1]),
        ("extf", np.array([65504], np.float16), f64, [65504]),
    ],
)
def test_casts(word: str, value: Any, type_: Attribute, expected: list[Any]):
    assert convert(word, value, type_).astype(object).tolist() == expected


@pytest.mark.parametrize(
    ("predicate", "truth"),
    [
        ("eq", "010"), ("ne", "101"),
        ("slt", "001"), ("sle", "011"), ("sgt", "100"), ("sge", "110"),
        ("ult", "100"), ("ule", "110"), ("ugt", "001"), ("uge", "011"),
    ],
)  # fmt: skip
def test_integer_predicates(predicate: str, truth: str):
    # 1 against -1, which is the largest without a sign; equal; and the other way round.
    left, right = np.array([1, 5, -1], np.int16), np.array([-1, 5, 1], np.int16)
    assert compare_integers(predicate, left, right).tolist() == [bit == "1" for bit in truth]
    assert convert("trunci", left, i16).dtype == np.int16


@pytest.mark.parametrize(
    ("predicate", "truth"),
    [
        ("false", "0000"), ("true", "1111"), ("ord", "1110"), ("uno", "0001"),
        ("olt", "1000"), ("oeq", "0100"), ("ogt", "0010"),
        ("ole", "1100"), ("oge", "0110"), ("one", "1010"),
        ("ult", "1001"), ("ueq", "0101"), ("ugt", "0011"),
        ("ule", "1101"), ("uge", "0111"), ("une", "1011"),
    ],
)  # fmt: skip
def test_float_predicates(predicate: str, truth: str):
    # Less, equal, greater, unordered.
    left, right = np.array([1, 2, 3, np.nan]), np.array([2, 2, 2, 2.0])
    assert compare_floats(predicate, left, right).tolist() == [bit == "1" for bit in truth]
