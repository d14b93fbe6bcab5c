"""Which Python numbers are refused, and which wrap? Eagerly and in traces, whatever is cached."""

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.attributes.dtype import DType, by_name
from trilith.dialects.ops.frame.literals import check_fits

X: Any = tri.tensor([3, 200], dtype=tri.uint8)
F: Any = tri.tensor([1.0, -2.0])


@pytest.mark.parametrize(
    ("name", "fitting", "refused"),
    [
        ("uint8", [0, 255, -1, -255, 2.7, True], [256, 300, -256, -0.5, 255.5, float("nan")]),
        ("int8", [127, -128, 2.9], [128, -129, 1e3, float("inf")]),
        ("int32", [2**31 - 1, -(2**31)], [2**31, 2**40, 1e10]),
        ("int64", [2**63 - 1, -(2**63)], [2**63, 1e30]),
        ("uint64", [2**64 - 1, -1], [1e20]),
        ("float32", [3.4e38, float("inf"), float("nan"), 2**64 - 1], [3.5e38, 1e300]),
        ("float16", [1e6], []),
        ("float64", [1e308], []),
        ("bool", [2, 0.5, float("nan")], []),
    ],
)
def test_check_fits(name: str, fitting: list[Any], refused: list[Any]):
    dtype: DType = by_name(name)
    for number in fitting:
        check_fits(number, dtype)
    for number in refused:
        with pytest.raises(RuntimeError, match="value cannot be converted to type"):
            check_fits(number, dtype)


#: What torch 2.13 says of an integer that 64 bits do not hold, whatever it is stored into.
UNCONVERTED = {
    2**64: "int too big to convert",
    2**70: "int too big to convert",
    -(2**63) - 1: "can't convert negative int to unsigned",
}
STORING: list[Callable[[Any, int], Any]] = [
    lambda x, number: x.fill_(number),
    lambda x, number: x.copy_(number),
    lambda x, number: x.new_full((2,), number),
    lambda x, number: tri.full((2,), number, dtype=x.dtype),
    lambda x, number: tri.where(x == 0, number, x),
    lambda x, number: x.clamp(number),
    lambda x, number: x.index_fill(0, tri.tensor([0]), number),
    lambda x, number: tri.add(x, 1, alpha=number),
]


@pytest.mark.parametrize("number", UNCONVERTED)
@pytest.mark.parametrize("store", range(len(STORING)))
def test_an_integer_of_more_than_64_bits_is_an_overflow_error(store: int, number: int):
    for dtype in (tri.int64, tri.int8):
        with pytest.raises(OverflowError, match=UNCONVERTED[number]):
            STORING[store](tri.zeros(2, dtype=dtype), number)
    with pytest.raises(RuntimeError, match="type int64_t without overflow"):
        tri.zeros(2, dtype=tri.int64).fill_(2**63)


@pytest.mark.parametrize("name", ["uint8", "uint16", "uint32", "uint64"])
def test_negative_padding_of_unsigned_elements(name: str):
    """It goes through float64, and a negative one does not wrap."""
    x = tri.ones(2, dtype=by_name(name))
    with pytest.raises(RuntimeError, match=f"type {name}_t without overflow"):
        tri.pad(x, (1, 1), value=-1)
    assert tri.pad(x, (0, 0), value=-1).tolist() == [1, 1]
    assert tri.pad(x, (1, 0), value=7).tolist() == [7, 1, 1]


def test_bounds_of_ranges_that_narrow_floats_do_not_hold():
    with pytest.raises(RuntimeError, match="type c10::Half without overflow"):
        tri.linspace(0, 1e39, 4, dtype=tri.float16)
    with pytest.raises(RuntimeError, match="type c10::BFloat16 without overflow"):
        tri.linspace(0, 1e39, 4, dtype=tri.bfloat16)
    with pytest.raises(RuntimeError, match="type c10::Half without overflow"):
        tri.logspace(0, 1e5, 2, dtype=tri.float16)
    # The end is not looked at where it is no element.
    assert tri.linspace(0, 1e39, 1).tolist() == [0]


CALLS: list[tuple[str, str]] = [
    ("tri.full((2,), 300, dtype=tri.uint8)", "uint8_t"),
    ("tri.full_like(X, 300)", "uint8_t"),
    ("tri.full((2,), 1e40)", "float"),
    ("tri.full((2,), 1j, dtype=tri.float32)", "float"),
    ("tri.clamp(X, 0, 300)", "uint8_t"),
    ("tri.clamp_min(X, 300)", "uint8_t"),
    ("tri.clamp(F.half(), min=1e6)", "c10::Half"),
    ("tri.where(X > 5, X, 300)", "uint8_t"),
    ("tri.where(X > 5, -200, X.to(tri.int8))", "int8_t"),
    ("tri.pad(X, (1, 1), value=300)", "uint8_t"),
    ("X ** 300", "uint8_t"),
    ("X.int() ** 2**40", "int"),
    ("tri.add(X, X, alpha=300)", "uint8_t"),
    ("tri.full((2,), 65520, dtype=tri.float16)", "c10::Half"),
    ("tri.full((2,), 3.39e38, dtype=tri.bfloat16)", "c10::BFloat16"),
    ("tri.full((2,), 449, dtype=tri.float8_e4m3fn)", "c10::Float8_e4m3fn"),
    ("tri.full((2,), float('inf'), dtype=tri.float8_e5m2fnuz)", "c10::Float8_e5m2fnuz"),
    ("tri.full((2,), 0.0, dtype=tri.float8_e8m0fnu)", "c10::Float8_e8m0fnu"),
    ("tri.full((2,), 1e39j, dtype=tri.complex64)", "c10::complex<float>"),
    ("tri.full((1,), 1j, dtype=tri.float16)", "double"),
    ("tri.where(X > 5, F, 1e39j)", "c10::complex<float>"),
]


@pytest.mark.parametrize(("text", "kind"), CALLS)
def test_a_number_that_does_not_fit(text: str, kind: str):
    """Also after the same call with a number that fits has made a plan."""
    names = {"tri": tri, "X": X, "F": F}
    if "300" in text:
        eval(text.replace("300", "100"), names)
    message = f"^value cannot be converted to type {kind} without overflow"
    with pytest.raises(RuntimeError, match=message):
        eval(text, names)
    with pytest.raises(RuntimeError, match=message):
        tri.compile(lambda X, F: eval(text, {"tri": tri, "X": X, "F": F}))(X, F)


@pytest.mark.parametrize("margins", [(0, -2), (-1, 0), (0, 0)])
def test_what_is_only_cut_off_has_no_value_to_fit(margins: tuple[int, int]):
    expected = X[-margins[0] : 2 + margins[1]].tolist()
    assert tri.pad(X, margins, value=-6.651).tolist() == expected
    assert tri.compile(lambda x: tri.pad(x, margins, value=300))(X).tolist() == expected


def test_arithmetic_wraps():
    assert (X + 300).tolist() == [47, 244]
    assert tri.full((2,), -1, dtype=tri.uint8).tolist() == [255, 255]
    assert (tri.tensor([1]) + 2**63).tolist() == [-(2**63) + 1]


def test_numbers_beyond_int64():
    assert (F + 2**63).tolist() == [2.0**63, 2.0**63]
    assert (F < 2**64 - 1).all()
    with pytest.raises(OverflowError, match="int too big to convert"):
        tri.add(F, 2**64)
    with pytest.raises(OverflowError, match="can't convert negative int to unsigned"):
        tri.add(F, -(2**63) - 1)


def test_uint8_condition_warns():
    with pytest.warns(UserWarning, match="where received a uint8 condition tensor") as caught:
        assert tri.where(tri.tensor([1, 0], dtype=tri.uint8), 1.0, 2.0).tolist() == [1.0, 2.0]
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_numbers_beside_narrow_floats():
    """mul and div read a number as float32; add, pow and comparisons round it first."""
    x: Any = tri.tensor([3.0, 5.0], dtype=tri.float16)
    rounded = tri.tensor(0.1, dtype=tri.float16).item()
    assert (x * 0.1).tolist() == (x.float() * 0.1).half().tolist()
    assert (0.1 * x).tolist() == (x * 0.1).tolist()
    assert (x / 0.1).tolist() == (x.float() / 0.1).half().tolist()
    assert (x + 0.1).tolist() == (x.float() + rounded).half().tolist()
    assert (x * 0.1).tolist() != (x.float() * rounded).half().tolist()
    # Numbers beside one element, and one element of another dtype, are read so too.
    assert (tri.tensor(0.1).to(tri.float16) * 100000).item() == 10000.0
    x = tri.tensor([3.0, 5.0, 7.0], dtype=tri.float16)
    assert (x * tri.tensor([2049])).tolist() == [6148.0, 10248.0, 14344.0]
    assert (x * tri.tensor([2049, 2049, 2049])).tolist() == [6144.0, 10240.0, 14336.0]


def test_one_element_is_filled_without_a_check_of_narrow_floats():
    assert tri.full((1,), 65520, dtype=tri.float16).item() == float("inf")
    assert tri.full((), 449, dtype=tri.float8_e4m3fn).item() == 448.0
    assert tri.full((2,), 2 + 0j, dtype=tri.int8).tolist() == [2, 2]


def test_an_index_is_not_a_bool():
    """True equals 1 as a key, but must not find the plan of 1."""
    assert F[1].item() == -2.0
    assert F[True].shape == (1, *F.shape)
    assert F[False].shape == (0, *F.shape)


@pytest.mark.parametrize("device", ["cpu", "cpu:0", "cpu:1"])
def test_the_host_has_one_memory(device: str):
    assert tri.ones(1, device=device).device == tri.device("cpu")
    assert F.to(device).device == tri.device("cpu")
    assert (F.to(device) is F) == (device == "cpu")


def test_sparse_layouts_are_refused():
    with pytest.raises(RuntimeError, match=r"full\(...\) is not implemented for sparse layout"):
        tri.ones(2, layout=tri.sparse_coo)
    assert tri.zeros(2, layout=tri.strided).tolist() == [0, 0]


def test_powers_refuse_negative_integers():
    text = "Integers to negative integer powers are not allowed."
    with pytest.raises(RuntimeError, match=text):
        X.pow(-1)
    with pytest.raises(RuntimeError, match=text):
        (X > 5).pow(-1)
    assert (tri.tensor([1, -1, 2]) ** tri.tensor(-3)).tolist() == [1, -1, 0]
    assert (X**-1.0).dtype is tri.float32
