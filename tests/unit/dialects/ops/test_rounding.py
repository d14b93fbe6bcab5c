"""Rounding to decimals, and quotients that are rounded to 16 bits before they are cut."""

import pytest

import trilith as tri

VALUES = [3.14159, -2.71828, 15.0, 1250.0, 0.125]
#: What PyTorch 2.13 gives.
ROUNDED = {
    ("float16", 2): [3.140625, -2.720703125, 15.0, 1250.0, 0.1199951171875],
    ("float16", -1): [0.0, -0.0, 20.0, 1250.0, 0.0],
    ("bfloat16", 2): [3.140625, -2.71875, 15.0, 1248.0, 0.1201171875],
    ("bfloat16", -1): [0.0, -0.0, 20.0, 1248.0, 0.0],
    ("float32", 2): [3.140000104904175, -2.7200000286102295, 15.0, 1250.0, 0.11999999731779099],
    ("float64", 2): [3.14, -2.72, 15.0, 1250.0, 0.12],
}


@pytest.mark.parametrize(("dtype", "decimals"), ROUNDED)
def test_decimals(dtype: str, decimals: int):
    x = tri.tensor(VALUES).to(getattr(tri, dtype))
    assert tri.round(x, decimals=decimals).tolist() == ROUNDED[dtype, decimals]
    assert x.round(decimals=decimals).tolist() == ROUNDED[dtype, decimals]


def test_integers_have_no_decimals():
    x = tri.tensor([15, 25])
    assert tri.round(x).tolist() == [15, 25]
    with pytest.raises(NotImplementedError, match="\"round_vml_cpu\" not implemented for 'Long'"):
        tri.round(x, decimals=0)
    with pytest.raises(NotImplementedError, match="\"round_cpu\" not implemented for 'Long'"):
        tri.round(x, decimals=1)


def test_a_quotient_of_bfloat16s_is_rounded_before_it_is_cut():
    a = tri.tensor([7.0, -7.0, 100.0, 3.0], dtype=tri.bfloat16)
    b = tri.tensor([0.1, 0.3, 0.7, 1.5], dtype=tri.bfloat16)
    assert tri.div(a, b, rounding_mode="trunc").tolist() == [70.0, -23.0, 143.0, 2.0]
    # A number in the second place is read as float32, and the quotient with it is not rounded.
    assert tri.div(a, 0.1, rounding_mode="trunc").tolist() == [70.0, -70.0, 1000.0, 30.0]


def test_reflected_subtraction():
    assert tri.rsub(tri.tensor([1, 2]), 3, alpha=2).tolist() == [1, -1]
