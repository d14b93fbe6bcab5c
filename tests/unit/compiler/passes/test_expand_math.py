"""Does `kernel-expand-math` compute the functions, once each constant, where the call stood?"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.compiler.passes.kernels.expand_math import FUNCTIONS, expand_math
from trilith.dialects.diagnostics import InternalError
from trilith.dialects.kernel.function import FuncOp

KERNEL = """
kernel.func @f(%n: index, %x: !kernel.buffer<TYPE, [1]>, %y: !kernel.buffer<TYPE, [1]>) {
  kernel.map (%i) to (%n) {
    %0 = kernel.load %x[%i] : TYPE
    %1 = math.NAME %0 : TYPE
    kernel.store %1, %y[%i]
  }
}
"""
POWER = KERNEL.replace("math.NAME %0", "math.powf %0, %0")


def power_of_itself(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.power(x, x)


ORACLES: dict[str, Any] = {
    **{name: getattr(np, name) for name in ("exp", "exp2", "expm1", "log", "log1p", "log2")},
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "tanh")},
    "erf": np.vectorize(math.erf),
    "powf": power_of_itself,
}
Parse = Callable[[str], FuncOp]


def test_every_function_has_an_oracle():
    assert {op.name.removeprefix("math.") for op in FUNCTIONS} == set(ORACLES)


@pytest.mark.parametrize("name", ["exp", "exp2", "powf"])
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_an_instruction_for_powers_of_two_changes_no_bit(
    parse_kernel: Parse, name: str, type_: str
):
    text = (POWER if name == "powf" else KERNEL.replace("NAME", name)).replace("TYPE", type_)
    dtype: Any = np.float32 if type_ == "f32" else np.float64
    far = 160 if type_ == "f32" else 1200
    x = np.concatenate([np.linspace(-far, far, 1003), [np.nan, np.inf, -np.inf]]).astype(dtype)
    found: list[bytes] = []
    for has_ldexp in (False, True):
        kernel = parse_kernel(text)
        expand_math(kernel, has_ldexp=has_ldexp)
        assert any(op.name == "kernel.ldexp" for op in kernel.walk()) == has_ldexp
        y = np.zeros_like(x)
        assert interpret_kernel(kernel, [x, y], [len(x), 0, 0]) == []
        found.append(np.where(np.isnan(y), np.nan, y).astype(dtype).tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_values(parse_kernel: Parse, name: str, type_: str):
    text = POWER if name == "powf" else KERNEL.replace("NAME", name)
    kernel = parse_kernel(text.replace("TYPE", type_))
    expand_math(kernel)
    kernel.verify()
    assert not [op for op in kernel.walk() if type(op) in FUNCTIONS]
    x = np.linspace(0.0625, 7, 333).astype(np.float32 if type_ == "f32" else np.float64)
    y = np.zeros_like(x)
    assert interpret_kernel(kernel, [x, y], [len(x), 0, 0]) == []
    exact = ORACLES[name](x.astype(np.float64 if name == "erf" else np.longdouble))
    distance = np.abs(y - exact) / np.spacing(np.abs(y))
    assert distance.max() <= 2


def test_constants_stand_in_front_once(parse_kernel: Parse):
    twice = KERNEL.replace("kernel.store", "%2 = math.exp %1 : TYPE\n kernel.store")
    kernel = parse_kernel(twice.replace("NAME", "exp").replace("TYPE", "f32"))
    expand_math(kernel)
    ops = list(kernel.block.ops)
    constants = [op for op in ops if isinstance(op, arith.ConstantOp)]
    assert ops[: len(constants)] == constants
    assert len({op.value for op in constants}) == len(constants) > 2
    assert not [op for op in list(kernel.walk())[1:] if type(op) is arith.ConstantOp][
        len(constants) :
    ]


def test_locations_stay(parse_kernel: Parse):
    kernel = parse_kernel(KERNEL.replace("NAME", "log").replace("TYPE", "f32"))
    place = FileLineColLoc(StringAttr("user.py"), IntAttr(7), IntAttr(3))
    before = set(kernel.walk())
    for op in before:
        if type(op) in FUNCTIONS:
            op.location = place
    expand_math(kernel)
    made = [op for op in kernel.walk() if op not in before]
    inside = [op for op in made if not isinstance(op, arith.ConstantOp)]
    assert len(inside) > 5
    assert {op.location for op in inside} == {place}


def test_narrow_floats_are_refused(parse_kernel: Parse):
    kernel = parse_kernel(KERNEL.replace("NAME", "exp").replace("TYPE", "bf16"))
    with pytest.raises(InternalError, match=r"expected math\.exp on f32 or f64, got bf16"):
        expand_math(kernel)
