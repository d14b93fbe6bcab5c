"""Which operations turn rows into probabilities? softmax, its logarithm, and softmin.

Each is written as its formula: the greatest element of a row, the sum of the exponentials of what
is left of the others, and a quotient or a difference. Narrow floats are widened once, in front, and
rounded once, at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....attributes.dtype import DType
from ....attributes.memory_format import MemoryFormat, contiguous_format
from ....attributes.strides import strides_for
from ....attributes.views import wrap_dim
from ....frames import warn_user
from ...frame.opspec import composite
from ...frame.out_rules import out_tensor_dtype
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, check_dtype, compute_dtype
from ...frame.view_rows import tensor_of
from ...gradients.softmax import OF_LOG_SOFTMAX, OF_SOFTMAX


def cast_to(t: TensorLanguage, value: Any, dtype: DType) -> Any:
    """Return a tensor in a dtype: itself if it has it."""
    return value if tensor_of(t, value).dtype is dtype else t.call("cast", value, dtype)


def in_format(
    t: TensorLanguage, value: Any, memory_format: MemoryFormat = contiguous_format
) -> Any:
    """Return a new tensor with the strides of a format, those of dims of one element, too."""
    spec = tensor_of(t, value)
    if spec.strides == strides_for(spec.shape, memory_format):
        return value
    return t.call("clone", value, memory_format=memory_format)


def _normalised(
    name: str, finish: Callable[[TensorLanguage, Any, Any, Any], Any], *, is_rounded: bool = False
) -> Callable[..., Any]:
    """Return the expansion of a row that looks at the distances from the greatest element.

    `finish(t, distances, exponentials, total)` is the result, in the dtype that is computed in; the
    total is in the dtype of the result if `is_rounded` and the rows lie along the last dim.
    """

    def expand(t: TensorLanguage, input: Any, dim: int, dtype: DType | None) -> Any:
        spec = tensor_of(t, input)
        dim = wrap_dim(dim, spec.rank)
        given = spec.dtype if dtype is None else dtype
        value = cast_to(t, input, given)
        if not spec.numel:
            return t.call("empty_like", value, memory_format=contiguous_format)
        is_last = dim >= spec.rank - 1
        check_dtype(f"{name}.last" if is_last else name, given, FLOATS)
        wide = cast_to(t, value, compute_dtype(given))
        distances = t.call("sub", wide, t.call("amax", wide, (dim,), True))
        exponentials = t.call("exp", distances)
        total = t.call("sum", exponentials, (dim,), True)
        if is_rounded and is_last:
            total = cast_to(t, total, given)
        result = finish(t, distances, exponentials, total)
        return in_format(t, cast_to(t, result, given))

    return expand


def _quotient(t: TensorLanguage, distances: Any, exponentials: Any, total: Any) -> Any:
    return t.call("true_divide", exponentials, total)


def _difference(t: TensorLanguage, distances: Any, exponentials: Any, total: Any) -> Any:
    # PyTorch keeps the sums of the last dim, and their logarithms, in the dtype of the result.
    return t.call("sub", distances, t.call("log", total))


def _sum_along(t: TensorLanguage, value: Any, dim: int) -> Any:
    return t.call("sum", value, (dim,), True) if tensor_of(t, value).rank else value


def _softmax_backward(t: TensorLanguage, grad: Any, result: Any, dim: int) -> Any:
    dtype = tensor_of(t, result).dtype
    wide, given = (cast_to(t, value, compute_dtype(dtype)) for value in (result, grad))
    total = _sum_along(t, t.call("mul", given, wide), dim)
    return cast_to(t, t.call("mul", wide, t.call("sub", given, total)), dtype)


def _log_softmax_backward(t: TensorLanguage, grad: Any, result: Any, dim: int) -> Any:
    dtype = tensor_of(t, result).dtype
    wide, given = (cast_to(t, value, compute_dtype(dtype)) for value in (result, grad))
    total = t.call("mul", t.call("exp", wide), _sum_along(t, given, dim))
    return cast_to(t, t.call("sub", given, total), dtype)


composite(
    "softmax_backward(Tensor grad, Tensor result, int dim)",
    "The gradient of softmax along a dim, given that of its result, and the result.",
    "tri.softmax(tri.zeros(2), 0)  # tensor([0.5000, 0.5000])",
    _softmax_backward,
    methods=(),
    is_public=False,
)
composite(
    "log_softmax_backward(Tensor grad, Tensor result, int dim)",
    "The gradient of log_softmax along a dim, given that of its result, and the result.",
    "tri.log_softmax(tri.zeros(2), 0)  # tensor([-0.6931, -0.6931])",
    _log_softmax_backward,
    methods=(),
    is_public=False,
)
composite(
    "softmax(Tensor input, int dim, dtype? dtype=None)",
    "The exponentials of the elements along a dim, divided by their sum.",
    "tri.softmax(tri.tensor([1., 2., 3.]), 0)  # tensor([0.0900, 0.2447, 0.6652])",
    _normalised("softmax", _quotient),
    gradient=OF_SOFTMAX,
    places=("special.softmax",),
    has_out=True,
    refuse_out=out_tensor_dtype,
)
composite(
    "log_softmax(Tensor input, int dim, dtype? dtype=None)",
    "The logarithms of the softmax along a dim.",
    "tri.log_softmax(tri.tensor([0., 0.]), 0)  # tensor([-0.6931, -0.6931])",
    _normalised("log_softmax", _difference, is_rounded=True),
    gradient=OF_LOG_SOFTMAX,
    has_out=True,
    refuse_out=out_tensor_dtype,
)


composite(
    "special_log_softmax(Tensor input, int dim, *, dtype? dtype=None)",
    "The logarithms of the softmax along a dim.",
    "tri.special.log_softmax(tri.tensor([0., 0.]), 0)  # tensor([-0.6931, -0.6931])",
    _normalised("log_softmax", _difference, is_rounded=True),
    gradient=OF_LOG_SOFTMAX,
    methods=(),
    is_public=False,
    places=("special.log_softmax",),
)


def _functional(name: str, *, is_negated: bool = False) -> Callable[..., Any]:
    """Return the expansion of the function of networks, which chooses a dim that is not given."""

    def expand(
        t: TensorLanguage, input: Any, dim: int | None, _stacklevel: int, dtype: DType | None
    ) -> Any:
        if dim is None:
            warn_user(
                f"Implicit dimension choice for {name} has been deprecated. "
                "Change the call to include dim=X as an argument."
            )
            dim = 0 if tensor_of(t, input).rank in (0, 1, 3) else 1
        value = t.call("neg", input) if is_negated else input
        return t.call("softmax" if is_negated else name, value, dim, dtype)

    return expand


for _name, _row, _doc, _example in (
    (
        "softmax",
        "nn_functional_softmax",
        "The exponentials of the elements along a dim, divided by their sum.",
        "tri.nn.functional.softmax(tri.zeros(2), 0)  # tensor([0.5000, 0.5000])",
    ),
    (
        "log_softmax",
        "nn_functional_log_softmax",
        "The logarithms of the softmax along a dim.",
        "tri.nn.functional.log_softmax(tri.zeros(2), 0)  # tensor([-0.6931, -0.6931])",
    ),
    (
        "softmin",
        "softmin",
        "The softmax of the negated elements along a dim.",
        "tri.nn.functional.softmin(tri.zeros(2), 0)  # tensor([0.5000, 0.5000])",
    ),
):
    composite(
        f"{_row}(Tensor input, int? dim=None, int _stacklevel=3, dtype? dtype=None)",
        _doc,
        _example,
        _functional(_name, is_negated=_name == "softmin"),
        methods=(),
        is_public=False,
        places=(f"nn.functional.{_name}",),
    )
