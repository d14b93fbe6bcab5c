"""What do the activations of `torch.nn.functional` mean? Rows of `activations.py`, and others.

Most may write into their operand: `inplace=True` is a write of what the row gives.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from ....attributes.dtype import Category, bool_, int64, uint8
from ....attributes.limits import finfo
from ....attributes.strides import contiguous_strides, preserve_strides
from ....attributes.views import wrap_dim
from ....diagnostics import (
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from ...frame.gradients import by_steps
from ...frame.literals import check_fits
from ...frame.opspec import CompositeOp, composite
from ...frame.row import TensorLanguage, registering
from ...frame.rules import FLOATS, check_dtype
from ...frame.view_rows import laid_out, tensor_of
from ...gradients.activations import OF_HARDSIGMOID, OF_HARDSWISH, OF_HARDTANH, OF_RELU6
from ..elementwise.activations import fitting, fitting_exactly
from ..random.noisy import drawn_slopes

#: Adds a function that may write into its operand.
_writing = registering(partial(CompositeOp, methods=(), is_public=False, writes_if="inplace"))
#: Adds a function that is in `torch.nn.functional` alone.
_function = registering(partial(CompositeOp, methods=(), is_public=False))


def _always(value: object) -> bool:
    return True


def _the_row(name: str) -> Callable[..., Any]:
    """Return what applies a row of one operand; whether it writes does not matter to it."""

    def apply(t: TensorLanguage, input: Any, inplace: bool) -> Any:
        return t.call(name, input)

    return apply


#: The rules of those whose own row is not called as PyTorch calls the node.
_NAMES = {
    "mish": by_steps("MishBackward0", "input"),
    "hardswish": OF_HARDSWISH,
    "hardsigmoid": OF_HARDSIGMOID,
}
for _name, _row, _doc, _example in (
    ("relu", "relu", "The larger of input and 0", "[-1., 2.]))  # tensor([0., 2.])"),
    ("silu", "silu", "input * sigmoid(input)", "[0., 1.]))  # tensor([0.0000, 0.7311])"),
    (
        "mish",
        "mish_unit",
        "input * tanh(softplus(input))",
        "[0., 1.]))  # tensor([0.0000, 0.8651])",
    ),
    (
        "hardswish",
        "hard_swish",
        "input times its hardsigmoid",
        "[-4., 0., 4.]))  # tensor([-0., 0., 4.])",
    ),
    (
        "hardsigmoid",
        "hard_sigmoid",
        "input / 6 + 1 / 2, limited to [0, 1]",
        "[-4., 0., 4.]))  # tensor([0.0000, 0.5000, 1.0000])",
    ),
    (
        "selu",
        "selu",
        "`selu`, which may write into its operand",
        "[0., 1.]))  # tensor([0.0000, 1.0507])",
    ),
):
    _writing(
        f"nn_functional_{_name}(Tensor input, bool inplace=False)",
        f"{_doc}, elementwise.",
        f"tri.nn.functional.{_name}(tri.tensor({_example}",
        _the_row(_row),
        places=(f"nn.functional.{_name}",),
        gradient=_NAMES.get(_name),
    )


# ---- limits


def _hardtanh(
    t: TensorLanguage, input: Any, min_val: Any, max_val: Any, inplace: bool = False
) -> Any:
    for limit, other in ((min_val, max_val), (max_val, min_val)):
        if isinstance(limit, complex):
            pair = f"'complex' and '{type(other).__name__}'"
            raise TrilithTypeError(f"'>' not supported between instances of {pair}")
    if min_val > max_val:
        raise TrilithValueError("min_val cannot be greater than max_val")
    spec = tensor_of(t, input)
    dtype = spec.dtype
    if dtype is bool_:
        raise TrilithRuntimeError("Bool inputs not supported for hardtanh")
    if dtype.category is Category.INTEGRAL:
        # The limits are cut, and do not promote.
        check_fits(min_val, int64)
        check_fits(max_val, int64)
        min_val, max_val = int(min_val), int(max_val)
        if dtype is uint8 and min(min_val, max_val) < 0:
            raise TrilithRuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    limited = t.call("clamp", input, min_val, max_val)
    return laid_out(t, limited, preserve_strides(spec.shape, spec.strides))


def _relu6(t: TensorLanguage, input: Any, inplace: bool) -> Any:
    return _hardtanh(t, input, 0, 6)


_writing(
    "hardtanh(Tensor input, Scalar min_val=-1.0, Scalar max_val=1.0, bool inplace=False)",
    "input limited to [min_val, max_val], elementwise.",
    "tri.nn.functional.hardtanh(tri.tensor([-3., 0.5]))  # tensor([-1.0000,  0.5000])",
    _hardtanh,
    static_operands={"min_val": _always, "max_val": _always},
    places=("nn.functional.hardtanh",),
    in_place_functions=("nn.functional.hardtanh_",),
    gradient=OF_HARDTANH,
)
_writing(
    "relu6(Tensor input, bool inplace=False)",
    "input limited to [0, 6], elementwise.",
    "tri.nn.functional.relu6(tri.tensor([-3., 5., 7.]))  # tensor([0., 5., 6.])",
    _relu6,
    places=("nn.functional.relu6",),
    gradient=OF_RELU6,
)


# ---- slopes


def _check_real(number: Any) -> None:
    if isinstance(number, complex):
        raise TrilithRuntimeError("value cannot be converted to type double without overflow")


def _elu(t: TensorLanguage, input: Any, alpha: Any, inplace: bool) -> Any:
    return t.call("exponential_unit", input, alpha, 1.0, 1.0)


def _celu(t: TensorLanguage, input: Any, alpha: Any, inplace: bool = False) -> Any:
    _check_real(alpha)
    if alpha == 0:
        raise TrilithRuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return t.call("exponential_unit", input, alpha, 1.0, 1.0 / alpha)


def _selu(t: TensorLanguage, input: Any) -> Any:
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return t.call("exponential_unit", input, alpha, scale, 1.0)


def _leaky_relu(t: TensorLanguage, input: Any, negative_slope: Any, inplace: bool) -> Any:
    return t.call("leaky_unit", input, negative_slope)


def _rrelu(
    t: Any,
    input: Any,
    lower: Any,
    upper: Any,
    training: bool,
    inplace: bool = False,
    generator: Any = None,
) -> Any:
    for name, bound in (("lower", lower), ("upper", upper)):
        _check_real(bound)
        if not math.isfinite(bound):
            raise TrilithRuntimeError(f"rrelu: {name} bound must be finite, got {bound:g}")
    if lower > upper:
        raise TrilithRuntimeError("Lower bound should be less than or equal to the upper bound")
    if training:
        return drawn_slopes(t, input, lower, upper, generator)
    result = t.call("leaky_unit", input, (lower + upper) / 2)
    # PyTorch writes it into a new tensor, which is contiguous.
    strides = contiguous_strides(tensor_of(t, input).shape)
    if tensor_of(t, result).strides == strides:
        return result
    return t.call("with_strides", result, strides)


_writing(
    "elu(Tensor input, Scalar alpha=1.0, bool inplace=False)",
    "input above 0, else alpha * expm1(input), elementwise.",
    "tri.nn.functional.elu(tri.tensor([-1., 2.]))  # tensor([-0.6321,  2.0000])",
    _elu,
    check_numbers=fitting("alpha"),
    places=("nn.functional.elu",),
    in_place_functions=("nn.functional.elu_",),
    gradient=by_steps("EluBackward0", "input"),
)
_writing(
    "leaky_relu(Tensor input, Scalar negative_slope=0.01, bool inplace=False)",
    "input above 0, else input * negative_slope, elementwise.",
    "tri.nn.functional.leaky_relu(tri.tensor([-1., 2.]))  # tensor([-0.0100,  2.0000])",
    _leaky_relu,
    check_numbers=fitting("negative_slope"),
    places=("nn.functional.leaky_relu",),
    in_place_functions=("nn.functional.leaky_relu_",),
    gradient=by_steps("LeakyReluBackward0", "input"),
)
composite(
    "selu(Tensor input)",
    "1.0507 * elu(input, 1.6733), elementwise: it keeps mean and variance of layers.",
    "tri.selu(tri.tensor([-1., 2.]))  # tensor([-1.1113,  2.1014])",
    _selu,
    methods=(),
    in_place_functions=("selu_", "nn.functional.selu_"),
    gradient=by_steps("EluBackward0", "input"),
)
composite(
    "celu(Tensor input, Scalar alpha=1.0)",
    "input above 0, else alpha * expm1(input / alpha), elementwise.",
    "tri.celu(tri.tensor([-1., 2.]), 2)  # tensor([-0.7869,  2.0000])",
    _celu,
    methods=(),
    static_operands={"alpha": _always},
    in_place_functions=("celu_", "nn.functional.celu_"),
    gradient=by_steps("CeluBackward0", "input"),
)
_writing(
    "nn_functional_celu(Tensor input, Scalar alpha=1.0, bool inplace=False)",
    "`celu`, which may write into its operand.",
    "tri.nn.functional.celu(tri.tensor([-1., 2.]), 2)  # tensor([-0.7869,  2.0000])",
    _celu,
    static_operands={"alpha": _always},
    places=("nn.functional.celu",),
    gradient=by_steps("CeluBackward0", "input"),
)
composite(
    "rrelu(Tensor input, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, "
    "Generator? generator=None)",
    "input above 0, else input times the mean of lower and upper, or random slopes in training.",
    "tri.rrelu(tri.tensor([-1., 2.]), 0.5, 0.5)  # tensor([-0.5000,  2.0000])",
    _rrelu,
    methods=(),
    static_operands={"lower": _always, "upper": _always},
    in_place_functions=("rrelu_", "nn.functional.rrelu_"),
    gradient=by_steps("RreluWithNoiseBackward0", "input"),
)
_writing(
    "nn_functional_rrelu(Tensor input, Scalar lower=0.125, Scalar upper=0.3333333333333333, "
    "bool training=False, bool inplace=False)",
    "`rrelu`, which may write into its operand.",
    "tri.nn.functional.rrelu(tri.tensor([-1., 2.]), 0.5, 0.5)  # tensor([-0.5000,  2.0000])",
    _rrelu,
    static_operands={"lower": _always, "upper": _always},
    places=("nn.functional.rrelu",),
    gradient=by_steps("RreluWithNoiseBackward0", "input"),
)


# ---- thresholds


def _threshold(t: TensorLanguage, input: Any, threshold: Any, value: Any, inplace: bool) -> Any:
    return t.call("threshold", input, threshold, value)


def _softplus(t: TensorLanguage, input: Any, beta: Any, threshold: Any) -> Any:
    return t.call("soft_plus", input, beta, threshold)


def _softshrink(t: TensorLanguage, input: Any, lambd: Any) -> Any:
    dtype = tensor_of(t, input).dtype
    check_dtype("soft_shrink", dtype, FLOATS)
    _check_real(lambd)
    if not 0 <= lambd <= finfo(dtype).max:
        raise TrilithRuntimeError(
            f"lambda must be in range [0, {finfo(dtype).max:g}] for input dtype {dtype.c_name}, "
            f"but found {lambd:g}"
        )
    return t.call("soft_shrink", input, lambd)


_writing(
    "nn_functional_threshold(Tensor input, Scalar threshold, Scalar value, bool inplace=False)",
    "`threshold`, which may write into its operand.",
    "tri.nn.functional.threshold(tri.tensor([1., 3.]), 2, 0)  # tensor([0., 3.])",
    _threshold,
    check_numbers=fitting_exactly("threshold", "value"),
    places=("nn.functional.threshold",),
)
_function(
    "softplus(Tensor input, Scalar beta=1, Scalar threshold=20)",
    "log(1 + exp(beta * input)) / beta, and input where beta * input is above the threshold.",
    "tri.nn.functional.softplus(tri.tensor([0., 30.]))  # tensor([ 0.6931, 30.0000])",
    _softplus,
    check_numbers=fitting("beta", "threshold"),
    has_out=True,
    places=("nn.functional.softplus",),
    gradient=by_steps("SoftplusBackward0", "input"),
)
_function(
    "softshrink(Tensor input, Scalar lambd=0.5)",
    "input less lambd, or with it added below 0; 0 between -lambd and lambd.",
    "tri.nn.functional.softshrink(tri.tensor([-1., 0.25, 2.]))"
    "  # tensor([-0.5000,  0.0000,  1.5000])",
    _softshrink,
    static_operands={"lambd": _always},
    has_out=True,
    places=("nn.functional.softshrink",),
    gradient=by_steps("SoftshrinkBackward0", "input"),
)


# ---- others


def _softsign(t: TensorLanguage, input: Any) -> Any:
    return t.call("true_divide", input, t.call("add", t.call("abs", input), 1))


def _tanhshrink(t: TensorLanguage, input: Any) -> Any:
    return t.call("sub", input, t.call("tanh", input))


def _prelu(t: TensorLanguage, input: Any, weight: Any) -> Any:
    spec, slopes = tensor_of(t, input), tensor_of(t, weight)
    if spec.dtype is not slopes.dtype:
        raise TrilithRuntimeError(
            f"prelu: Type promoting not supported. Got {spec.dtype.c_name} and "
            f"{slopes.dtype.c_name}"
        )
    if slopes.rank > 1:
        raise TrilithRuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {slopes.rank}"
        )
    if slopes.numel != 1:
        if not spec.rank:
            raise TrilithRuntimeError("Not allow zero-dim input tensor.")
        channels = spec.shape[1] if spec.rank > 1 else 1
        if channels != slopes.numel:
            raise TrilithRuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{slopes.numel} and channel size = {channels}."
            )
    if spec.rank == 0:
        weight = t.call("reshape", weight, ())
    else:
        shape = (1,) * min(1, spec.rank - 1) + (slopes.numel,) + (1,) * (spec.rank - 2)
        weight = t.call("reshape", weight, shape)
    return t.call("sloped", input, weight)


def _glu(t: TensorLanguage, input: Any, dim: int) -> Any:
    spec = tensor_of(t, input)
    if not spec.rank:
        raise TrilithRuntimeError("glu does not support scalars because halving size must be even")
    dim = wrap_dim(dim, spec.rank)
    size = spec.shape[dim]
    if size % 2:
        raise TrilithRuntimeError(
            f"Halving dimension must be even, but dimension {dim} is size {size}"
        )
    half = size // 2
    parts = (t.call("narrow", input, dim, start, half) for start in (0, half))
    return t.call("gated", *parts)


_function(
    "softsign(Tensor input)",
    "input / (1 + |input|), elementwise.",
    "tri.nn.functional.softsign(tri.tensor([-1., 0., 3.]))  # tensor([-0.5000,  0.0000,  0.7500])",
    _softsign,
    places=("nn.functional.softsign",),
)
_function(
    "tanhshrink(Tensor input)",
    "input - tanh(input), elementwise.",
    "tri.nn.functional.tanhshrink(tri.tensor([0., 1.]))  # tensor([0.0000, 0.2384])",
    _tanhshrink,
    places=("nn.functional.tanhshrink",),
)
composite(
    "prelu(Tensor input, Tensor weight)",
    "input above 0, else input * weight; of several weights each is that of a channel.",
    "tri.prelu(tri.tensor([-1., 2.]), tri.tensor([0.5]))  # tensor([-0.5000,  2.0000])",
    _prelu,
    places=("nn.functional.prelu",),
)
_function(
    "glu(Tensor input, int dim=-1)",
    "One half of input times the sigmoid of the other one.",
    "tri.nn.functional.glu(tri.tensor([2., 0.]))  # tensor([1.])",
    _glu,
    places=("nn.functional.glu",),
    gradient=by_steps("GluBackward0", "input"),
)
