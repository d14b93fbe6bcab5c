"""Which functions stand between the layers of a network? Those of one tensor and no weights.

Those with bounds and slopes get them as numbers; float16 and bfloat16 do not round these.
`activation_functions.py` has what `torch.nn.functional` makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ....attributes.dtype import Category, DType, bfloat16, float16, float32
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.elementwise import USUAL, elementwise, unary
from ...frame.literals import check_fits
from ...frame.opspec import Algebra
from ...frame.row import Attributes, NumbersCheck, OperandSpec, registering
from ...frame.rules import FIELDS, FLOATS, REALS, promote, resolve_contiguous
from ...gradients.activations import OF_EXPONENTIAL_UNIT, OF_LOG_SIGMOID, OF_SLOPED
from ...gradients.kinks import OF_ABOVE_THRESHOLD, OF_RELU, OF_THRESHOLD
from ...scalars import scalar
from ...scalars.expansions.floating import at_least, at_most
from ...scalars.scalar import Scalar


def _rectify(x: Scalar) -> Scalar:
    return at_least(x, 0)


def _gelu(x: Scalar, approximate: str = "none") -> Scalar:
    return scalar.gelu_tanh(x) if approximate == "tanh" else scalar.gelu_erf(x)


def _gelu_dtype(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    if attributes["approximate"] not in ("none", "tanh"):
        raise TrilithRuntimeError("approximate argument must be either none or tanh.")
    return promote(operands, attributes)


unary(
    "relu",
    "The larger of input and 0, elementwise.",
    "tri.relu(tri.tensor([-1., 2.]))  # tensor([0., 2.])",
    body=_rectify,
    accepts=REALS,
    refusals={
        Category.BOOLEAN: (TrilithRuntimeError, "Boolean inputs not supported for relu"),
        Category.COMPLEX: (
            TrilithNotImplementedError,
            "clamp is not supported for complex types",
        ),
    },
    algebra=Algebra(idempotent=True),
    has_out=False,
    in_place_functions=("relu_", "nn.functional.relu_"),
    gradient=OF_RELU,
)
elementwise(
    "gelu(Tensor input, *, str approximate='none')",
    "input * Phi(input), elementwise, Phi being the normal distribution function; "
    "approximate='tanh' is the usual approximation of it.",
    "tri.gelu(tri.tensor([0., 1.]))  # tensor([0.0000, 0.8413])",
    body=_gelu,
    promotion=_gelu_dtype,
    accepts=FLOATS,
    ulp=3.0,
    domain=(-6.0, 6.0),
    is_costly=True,
    methods=(),
    torch_name="nn.functional.gelu",
    places=("nn.functional.gelu",),
)
elementwise(
    "silu(Tensor input)",
    "input * sigmoid(input), elementwise.",
    "tri.silu(tri.tensor([0., 1.]))  # tensor([0.0000, 0.7311])",
    body=scalar.silu,
    accepts=FIELDS,
    ulp=3.0,
    domain=(-10.0, 10.0),
    is_costly=True,
    methods=(),
    torch_name="nn.functional.silu",
)


# ---- with numbers beside the tensor


def _wide(dtype: DType) -> DType:
    return float32 if dtype in (float16, bfloat16) else dtype


def _beside_numbers(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """The tensor has its dtype; the numbers are not rounded to a narrow float."""
    dtype = operands[0].dtype
    return (dtype,) + (_wide(dtype),) * (len(operands) - 1), dtype


def _of_the_tensor(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """Numbers take the dtype of the tensor, whatever they are."""
    return (operands[0].dtype,) * len(operands), operands[0].dtype


def fitting(*names: str) -> NumbersCheck:
    """Return the check that floats hold numbers of a row, the narrow ones as float32."""
    return _checking(names, FLOATS, _wide)


def fitting_exactly(*names: str) -> NumbersCheck:
    """Return the check that the dtype of a tensor itself holds numbers of a row."""
    return _checking(names, REALS, lambda dtype: dtype)


def _fitting_floats(*names: str) -> NumbersCheck:
    """Return the same for a row of floats alone."""
    return _checking(names, FLOATS, lambda dtype: dtype)


def _checking(
    names: Sequence[str], checked: frozenset[DType], as_which: Callable[[DType], DType]
) -> NumbersCheck:
    def check(bound: Mapping[str, Any]) -> None:
        dtype = getattr(bound["input"], "dtype", None)
        if isinstance(dtype, DType) and dtype in checked:
            for name in names:
                if is_number(bound[name]):
                    check_fits(bound[name], as_which(dtype), narrow_floats=True)

    return check


#: Adds a function of one tensor and of numbers.
_beside = registering(
    partial(USUAL, promotion=_beside_numbers, accepts=FLOATS, methods=(), is_public=False)
)


def _exponential_unit(x: Scalar, alpha: Scalar, scale: Scalar, input_scale: Scalar) -> Scalar:
    below = scalar.expm1(x * input_scale) * (alpha * scale)
    return scalar.select(x < 0, below, x * scale)


def _leaky(x: Scalar, slope: Scalar) -> Scalar:
    return scalar.select(x > 0, x, x * slope)


def _softplus(x: Scalar, beta: Scalar, threshold: Scalar) -> Scalar:
    scaled = x * beta
    return scalar.select(scaled > threshold, x, scalar.log1p(scalar.exp(scaled)) / beta)


def _threshold(x: Scalar, threshold: Scalar, value: Scalar) -> Scalar:
    return scalar.select(x <= threshold, value, x)


def _above(grad: Scalar, x: Scalar, threshold: Scalar) -> Scalar:
    return scalar.select(x <= threshold, 0, grad)


def _hard_shrink(x: Scalar, bound: Scalar | float = 0.5) -> Scalar:
    return scalar.select((x >= -bound) & (x <= bound), 0, x)


def _soft_shrink(x: Scalar, bound: Scalar) -> Scalar:
    # What is between keeps its sign: a negative number becomes -0.0.
    between = scalar.select(x < -bound, x + bound, x * 0)
    return scalar.select(x > bound, x - bound, between)


_beside(
    "exponential_unit(Tensor input, Scalar alpha, Scalar scale, Scalar input_scale)",
    "scale * input above 0, else scale * alpha * expm1(input_scale * input): elu, celu and selu.",
    "tri.nn.functional.elu(tri.tensor([-1., 2.]))  # tensor([-0.6321,  2.0000])",
    body=_exponential_unit,
    gradient=OF_EXPONENTIAL_UNIT,
    check_numbers=fitting("alpha", "scale", "input_scale"),
    domain=(-10.0, 10.0),
    ulp=4.0,
    is_costly=True,
)
_beside(
    "leaky_unit(Tensor input, Scalar slope)",
    "input above 0, else input * slope, elementwise: leaky_relu and rrelu.",
    "tri.nn.functional.leaky_relu(tri.tensor([-1., 2.]))  # tensor([-0.0100,  2.0000])",
    body=_leaky,
    check_numbers=fitting("slope"),
)
_beside(
    "soft_plus(Tensor input, Scalar beta, Scalar threshold)",
    "log(1 + exp(beta * input)) / beta, and input where beta * input is above the threshold.",
    "tri.nn.functional.softplus(tri.tensor([0., 30.]))  # tensor([ 0.6931, 30.0000])",
    body=_softplus,
    check_numbers=fitting("beta", "threshold"),
    domain=(-10.0, 10.0),
    ulp=4.0,
    is_costly=True,
)
_beside(
    "soft_shrink(Tensor input, Scalar lambd)",
    "input less lambd, or with it added below 0; 0 between -lambd and lambd.",
    "tri.nn.functional.softshrink(tri.tensor([-1., 0.25, 2.]))"
    "  # tensor([-0.5000,  0.0000,  1.5000])",
    body=_soft_shrink,
)
elementwise(
    "above_threshold(Tensor grad_output, Tensor input, Scalar threshold)",
    "grad_output, but 0 where the input is not above the threshold: PyTorch's threshold_backward.",
    "tri.relu(tri.tensor([-1., 2.]))  # tensor([0., 2.])",
    body=_above,
    promotion=_of_the_tensor,
    accepts=REALS,
    methods=(),
    is_public=False,
    torch_name="threshold_backward",
    gradient=OF_ABOVE_THRESHOLD,
)
elementwise(
    "threshold(Tensor input, Scalar threshold, Scalar value)",
    "input above the threshold, else the value, elementwise.",
    "tri.threshold(tri.tensor([1., 3.]), 2, 0)  # tensor([0., 3.])",
    body=_threshold,
    promotion=_of_the_tensor,
    accepts=REALS,
    check_numbers=fitting_exactly("threshold", "value"),
    methods=(),
    in_place_functions=("threshold_", "nn.functional.threshold_"),
    gradient=OF_THRESHOLD,
)
elementwise(
    "hardshrink(Tensor input, Scalar lambd=0.5)",
    "input, but 0 between -lambd and lambd, elementwise.",
    "tri.hardshrink(tri.tensor([-1., 0.25, 2.]))  # tensor([-1.,  0.,  2.])",
    body=_hard_shrink,
    promotion=_beside_numbers,
    accepts=FLOATS,
    check_numbers=_fitting_floats("lambd"),
    places=("nn.functional.hardshrink",),
)


# ---- without numbers


def _hard_gate(x: Scalar) -> Scalar:
    """Return x + 3, limited to [0, 6]; NaN stays."""
    return at_most(at_least(x + 3, 0), 6)


def _hard_sigmoid(x: Scalar) -> Scalar:
    return _hard_gate(x) / 6


def _hard_swish(x: Scalar) -> Scalar:
    return x * _hard_gate(x) / 6


def _mish(x: Scalar) -> Scalar:
    """Return x tanh(log(1 + exp(x))), which is x n / (n + 2) with n = exp(x) (exp(x) + 2)."""
    # From there on the quotient is 1 in float64, too, and nothing overflows.
    power = scalar.exp(at_most(x, 40.0))
    product = power * (power + 2)
    return x * (product / (product + 2))


def _gated(x: Scalar, gate: Scalar) -> Scalar:
    return x * scalar.sigmoid(gate)


def _sloped(x: Scalar, weight: Scalar) -> Scalar:
    return scalar.select(x > 0, x, weight * x)


#: Adds a function of one tensor alone.
_plain = registering(
    partial(USUAL, accepts=FLOATS, methods=(), is_public=False, domain=(-10.0, 10.0)),
    "%s(Tensor input)",
)

_plain(
    "hard_sigmoid",
    "input / 6 + 1 / 2, limited to [0, 1], elementwise.",
    "tri.nn.functional.hardsigmoid(tri.tensor([-4., 0., 4.]))  # tensor([0.0000, 0.5000, 1.0000])",
    body=_hard_sigmoid,
)
_plain(
    "hard_swish",
    "input times its hardsigmoid, elementwise.",
    "tri.nn.functional.hardswish(tri.tensor([-4., 0., 4.]))  # tensor([-0., 0., 4.])",
    body=_hard_swish,
)
_plain(
    "mish_unit",
    "input * tanh(log(1 + exp(input))), elementwise.",
    "tri.nn.functional.mish(tri.tensor([0., 1.]))  # tensor([0.0000, 0.8651])",
    body=_mish,
    ulp=6.0,
    is_costly=True,
)
elementwise(
    "gated(Tensor input, Tensor gate)",
    "input * sigmoid(gate), elementwise: `glu` of two halves.",
    "tri.nn.functional.glu(tri.tensor([2., 0.]))  # tensor([1.])",
    body=_gated,
    accepts=FLOATS,
    methods=(),
    is_public=False,
    domain=(-10.0, 10.0),
    ulp=4.0,
    is_costly=True,
)
elementwise(
    "sloped(Tensor input, Tensor weight)",
    "input above 0, else input * weight, elementwise: `prelu`, told which weight is whose.",
    "tri.prelu(tri.tensor([-1., 2.]), tri.tensor([0.5]))  # tensor([-0.5000,  2.0000])",
    body=_sloped,
    gradient=OF_SLOPED,
    accepts=FLOATS,
    methods=(),
    is_public=False,
)


def _log_sigmoid(x: Scalar) -> Scalar:
    return scalar.minimum(x, 0) - scalar.log1p(scalar.exp(-abs(x)))


unary(
    "log_sigmoid",
    "The logarithm of the sigmoid, elementwise.",
    "tri.nn.functional.logsigmoid(tri.tensor([-2., 0.]))  # tensor([-2.1269, -0.6931])",
    body=_log_sigmoid,
    gradient=OF_LOG_SIGMOID,
    accepts=FLOATS,
    resolver=resolve_contiguous,
    ulp=4.0,
    is_costly=True,
    methods=(),
    is_public=False,
    places=("nn.functional.logsigmoid",),
)
