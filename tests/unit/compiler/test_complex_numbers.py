"""Can a compiled function be given complex Python numbers?"""

from __future__ import annotations

import pickle

import pytest

import trilith as tri


def test_each_number_reaches_the_same_kernel():
    f = tri.compile(lambda x, z: x * z + z)
    x = tri.tensor([1.0, 2.0])
    assert f(x, 1j).tolist() == [2j, 3j]
    assert f(x, 2 + 1j).tolist() == [4 + 2j, 6 + 3j]
    assert f.stats().traces == 1
    assert f(x, 1j).dtype is tri.complex64
    assert f(x.double(), 1j).dtype is tri.complex128


@pytest.mark.parametrize("number", [1j, -0.5 + 2.25j, complex(0, float("inf"))])
def test_a_number_comes_back(number: complex):
    assert tri.compile(lambda x, z: z)(tri.ones(1), number) == number
    assert tri.compile(lambda x, z: x.sum() * 0 + z)(tri.ones(1), number).item() == number


def test_the_plan_pickles():
    plan = tri.trace(lambda x, z: x - z, tri.spec((2,), tri.complex64), 1j).lower().compile()
    again = pickle.loads(pickle.dumps(plan))
    assert again(tri.ones(2, dtype=tri.complex64), 2 + 3j).tolist() == [-1 - 3j, -1 - 3j]
