"""Do promotion and casting refuse in PyTorch's words? (The tables are in tests/conformance.)"""

import pytest

from trilith.compiler.trace.writes import check_cast
from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.default_dtype import get_default_dtype, set_default_dtype
from trilith.dialects.attributes.dtype import ALL_DTYPES, DType
from trilith.dialects.attributes.promotion import (
    DIMENSIONED,
    WRAPPED,
    ZERO_DIM,
    Operand,
    can_cast,
    promote_types,
    result_type,
)
from trilith.dialects.attributes.spec import ScalarSpec, TensorSpec
from trilith.dialects.diagnostics import TrilithError


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        (
            dtypes.float8_e5m2,
            dtypes.bool_,
            "Promotion for Float8 Types is not supported, "
            "attempted to promote Float8_e5m2 and Bool",
        ),
        (
            dtypes.uint16,
            dtypes.int64,
            "Promotion for uint16, uint32, uint64 types is not supported, "
            "attempted to promote UInt16 and Long",
        ),
        (
            dtypes.float32,
            dtypes.float4_e2m1fn_x2,
            "Promotion for Float4 Types is not supported, "
            "attempted to promote Float and Float4_e2m1fn_x2",
        ),
    ],
)
def test_no_promotion(a: DType, b: DType, text: str):
    with pytest.raises(RuntimeError) as caught:
        promote_types(a, b)
    assert isinstance(caught.value, TrilithError)
    assert caught.value.message == text
    assert f"x.to(trilith.{a.name})" in str(caught.value)
    operands = Operand(a, DIMENSIONED), Operand(b, DIMENSIONED)
    for _ in range(2):  # a refusal is not remembered as a result
        with pytest.raises(RuntimeError, match="is not supported"):
            result_type(*operands)


def test_equal_dtypes_always_promote():
    assert [promote_types(dtype, dtype) for dtype in ALL_DTYPES] == list(ALL_DTYPES)


def test_promotion_is_symmetric():
    for a in ALL_DTYPES:
        for b in ALL_DTYPES:
            assert outcome(a, b) == outcome(b, a)


def outcome(a: DType, b: DType) -> DType | None:
    try:
        return promote_types(a, b)
    except RuntimeError:
        return None


# The four disallowed examples of the "Tensor Attributes" page (P10).
@pytest.mark.parametrize(
    ("result", "target", "names"),
    [
        (dtypes.float32, dtypes.int32, ("Float", "Int")),
        (dtypes.int32, dtypes.bool_, ("Int", "Bool")),
        (dtypes.uint8, dtypes.bool_, ("Byte", "Bool")),
        (dtypes.complex64, dtypes.float32, ("ComplexFloat", "Float")),
    ],
)
def test_disallowed_results(result: DType, target: DType, names: tuple[str, str]):
    assert not can_cast(result, target)
    assert can_cast(target, result)
    written, into = TensorSpec.of((), result), TensorSpec.of((), target)
    with pytest.raises(RuntimeError) as caught:
        check_cast(written, into)
    assert caught.value.args[0] == (
        f"result type {names[0]} can't be cast to the desired output type {names[1]}"
    )
    check_cast(into, written)


def test_operands_of_specs():
    vector = TensorSpec.of((3,), dtypes.int32)
    scalar = TensorSpec.of((), dtypes.float64)
    assert vector.operand == Operand(dtypes.int32, DIMENSIONED)
    assert scalar.operand == Operand(dtypes.float64, ZERO_DIM)
    assert ScalarSpec.of(1).operand == Operand(dtypes.int64, WRAPPED)
    assert result_type(vector.operand, scalar.operand) is dtypes.float64
    assert result_type(vector.operand, ScalarSpec.of(1.5).operand) is dtypes.float32
    assert result_type(vector.operand) is dtypes.int32


def test_a_weak_float_follows_the_default_dtype():
    operand = Operand(dtypes.int32, DIMENSIONED)
    before = get_default_dtype()
    try:
        for default in (dtypes.float64, dtypes.float16, dtypes.float32):
            set_default_dtype(default)
            assert result_type(operand, ScalarSpec.of(1.5).operand) is default
            expected = default.to_complex()
            assert result_type(operand, ScalarSpec.of(1j).operand) is expected
    finally:
        set_default_dtype(before)


def test_nothing_has_no_type():
    with pytest.raises(RuntimeError, match="needs at least one operand"):
        result_type()
