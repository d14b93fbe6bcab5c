"""Have products of 16-bit matrices that are added to gradients of 16 bits, rounded once?"""

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

functional: Any = tri.nn.functional
Size = tuple[int, ...]

#: What is computed, and of operands of which sizes.
SUMS: dict[str, tuple[Callable[..., Any], tuple[Size, ...]]] = {
    "linear": (functional.linear, ((5, 3), (2, 3), (2,))),
    "linear of a batch": (functional.linear, ((2, 5, 3), (2, 3), (2,))),
    "linear of a vector": (functional.linear, ((3,), (2, 3), (2,))),
    "addmm": (lambda *a: tri.addmm(*a, beta=0.5, alpha=0.3), ((4,), (2, 3), (3, 4))),
    "addmv": (lambda *a: tri.addmv(*a, alpha=0.3), ((2,), (2, 3), (3,))),
    "addbmm": (tri.addbmm, ((2, 4), (3, 2, 5), (3, 5, 4))),
    "baddbmm": (tri.baddbmm, ((3, 2, 4), (3, 2, 5), (3, 5, 4))),
    "bilinear": (functional.bilinear, ((4, 2), (4, 3), (5, 2, 3), (5,))),
    "attention": (functional.scaled_dot_product_attention, ((2, 3, 4), (2, 5, 4), (2, 5, 4))),
}
DTYPES = (tri.float16, tri.bfloat16)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("is_compiled", [False, True], ids=["eager", "compiled"])
def test_gradients_are_those_of_float64_rounded(name: str, dtype: Any, is_compiled: bool):
    function, sizes = SUMS[name]
    tri.manual_seed(3)
    given = [tri.randn(*size).to(dtype) for size in sizes]
    weight = tri.randn(*function(*given).shape).to(dtype)

    def found(dtype: Any, *, is_compiled: bool) -> Any:
        narrow = [each.to(dtype) for each in given]
        called = tri.compile(pulled) if is_compiled else pulled
        return called(weight.to(dtype), *narrow)

    def pulled(weight: Any, *operands: Any) -> Any:
        return tri.func.vjp(function, *operands)[1](weight)

    wanted = found(tri.float64, is_compiled=False)
    rounded = found(dtype, is_compiled=is_compiled)
    step = tri.finfo(dtype).eps
    for given_one, one, exact in zip(given, rounded, wanted, strict=True):
        assert one.dtype is dtype
        assert one.shape == given_one.shape
        difference = (one.double() - exact).abs().max().item()
        assert difference <= step * exact.abs().max().item()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_layer_with_a_bias_learns(dtype: Any):
    weight = tri.tensor([[1.0, 2.0]], dtype=dtype, requires_grad=True)
    bias = tri.tensor([0.5], dtype=dtype, requires_grad=True)
    rows = tri.tensor([[1.0, 0.0], [3.0, 1.0]], dtype=dtype)
    functional.linear(rows, weight, bias).backward(tri.tensor([[1.0], [2.0]], dtype=dtype))
    assert (weight.grad.dtype, bias.grad.dtype) == (dtype, dtype)
    assert weight.grad.tolist() == [[7.0, 2.0]]
    assert bias.grad.tolist() == [3.0]
