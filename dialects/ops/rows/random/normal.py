"""Which operations draw normal numbers? randn, randn_like, normal, normal_, log_normal_."""

from __future__ import annotations

from typing import Any

from ....attributes.broadcast import broadcast_shapes
from ....attributes.spec import ScalarSpec, TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.indexed import DrawingLanguage
from ...frame.row import TensorLanguage
from ...frame.rules import ALL_COMPLEX, FLOATS, check_dtype, refuse_combination
from ...frame.view_rows import tensor_of
from ...gradients.random import OF_NORMAL, drawn_over
from ..creation.filled import check_layout, option_dtype
from .drawing import (
    checked,
    draw_into,
    draw_over,
    drawing,
    drawing_factory,
    drawn,
    element_numbers,
    new_tensor,
    working_dtype,
)
from .uniform import DRAWN_LIKE_OPTIONS, DRAWN_OPTIONS, GENERATOR, made_like

_NORMAL = FLOATS | ALL_COMPLEX


def _standard(t: TensorLanguage, input: Any, key: Any, counter: Any) -> Any:
    spec = tensor_of(t, input)
    return t.call("random_normal", element_numbers(t, spec), key, counter, dtype=spec.dtype)


def _wide(t: TensorLanguage, input: Any, key: Any, counter: Any) -> Any:
    """Return normal numbers in the dtype that they are computed in."""
    spec = tensor_of(t, input)
    dtype = working_dtype(spec.dtype)
    return t.call("random_normal", element_numbers(t, spec), key, counter, dtype=dtype)


def _moved(t: TensorLanguage, input: Any, key: Any, counter: Any, mean: Any, std: Any) -> Any:
    """Return mean + std * z; both parts of a complex number have the mean."""
    dtype = tensor_of(t, input).dtype
    if dtype.is_complex:
        numbers = t.call("mul", _standard(t, input, key, counter), std)
        return t.call("add", numbers, t.call("full_strided", (), mean, dtype=dtype))
    numbers = t.call("mul", _wide(t, input, key, counter), std)
    return t.call("cast", t.call("add", numbers, mean), dtype)


def _logarithmic(t: TensorLanguage, input: Any, key: Any, counter: Any, mean: Any, std: Any) -> Any:
    dtype = tensor_of(t, input).dtype
    numbers = t.call("add", t.call("mul", _wide(t, input, key, counter), std), mean)
    return t.call("cast", t.call("exp", numbers), dtype)


def _around(t: TensorLanguage, input: Any, key: Any, counter: Any, mean: Any, std: Any) -> Any:
    """Return mean + std * z, of which one at least is a tensor, as PyTorch rounds it."""
    spec = tensor_of(t, input)
    given = t.spec(std)
    numbers = _standard(t, input, key, counter)
    if isinstance(given, TensorSpec):
        bad = t.call("logical_not", t.call("ge", std, 0))
        std = checked(t, std, bad, "NegativeStdError")
    numbers = t.call("cast", t.call("mul", numbers, std), spec.dtype)
    return t.call("cast", t.call("add", numbers, mean), spec.dtype)


drawn(
    "normal_unit_drawn(Tensor input, Scalar key, Scalar counter)",
    "Random numbers of mean 0 and variance 1 like a tensor: what randn draws.",
    "tri.randn(2).shape  # trilith.Size([2])",
    _standard,
)
drawn(
    "normal_drawn(Tensor input, Scalar key, Scalar counter, Operand mean, Scalar std)",
    "Normal random numbers like a tensor: what normal_ draws.",
    "tri.zeros(2).normal_(2, 3).shape  # trilith.Size([2])",
    _moved,
)
drawn(
    "log_normal_drawn(Tensor input, Scalar key, Scalar counter, Scalar mean, Scalar std)",
    "Random numbers whose logarithms are normal, like a tensor: what log_normal_ draws.",
    "tri.zeros(2).log_normal_().shape  # trilith.Size([2])",
    _logarithmic,
)
drawn(
    "normal_around_drawn(Tensor input, Scalar key, Scalar counter, Operand mean, Operand std)",
    "Normal random numbers of which each has its own mean and deviation: what normal draws.",
    "tri.normal(tri.zeros(2), tri.ones(2)).shape  # trilith.Size([2])",
    _around,
)

# ---- what users call


def _randn(t: DrawingLanguage, size: tuple[int, ...], generator: Any, **options: Any) -> Any:
    check_layout("randn", options["layout"])
    dtype = option_dtype(options)
    check_dtype("normal_kernel_cpu", dtype, _NORMAL)
    made = new_tensor(t, size, dtype, options["device"])
    return draw_into(t, "normal_unit_drawn", made, generator)


def _randn_like(t: DrawingLanguage, input: Any, generator: Any, **options: Any) -> Any:
    made = made_like(t, "randn_like", input, options)
    check_dtype("normal_kernel_cpu", tensor_of(t, made).dtype, _NORMAL)
    return draw_into(t, "normal_unit_drawn", made, generator)


drawing_factory(
    f"randn(int[]* size, {DRAWN_OPTIONS})",
    "Random numbers of the normal distribution of mean 0 and variance 1.",
    "tri.randn(2, 3).shape  # trilith.Size([2, 3])",
    _randn,
    has_out=True,
)
drawing_factory(
    f"randn_like(Tensor input, {DRAWN_LIKE_OPTIONS})",
    "Normal random numbers with the shape, dtype, device and layout of a tensor.",
    "tri.randn_like(tri.zeros(2, 3)).shape  # trilith.Size([2, 3])",
    _randn_like,
)


def check_normal(spec: TensorSpec, std: float) -> None:
    """Refuse a negative deviation, and what is no floating-point dtype."""
    if not std >= 0:
        raise TrilithRuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    check_dtype("normal_kernel_cpu", spec.dtype, _NORMAL)


def _write_normal(t: Any, input: Any, mean: float, std: float, generator: Any) -> None:
    check_normal(tensor_of(t, input), std)
    if mean == 0 and std == 1:
        draw_over(t, "normal_unit_drawn", input, generator)
    else:
        draw_over(t, "normal_drawn", input, generator, _mean(t, input, mean), std)


def _mean(t: TensorLanguage, input: Any, mean: float) -> complex:
    return complex(mean, mean) if tensor_of(t, input).dtype.is_complex else mean


def _normal_like(t: DrawingLanguage, input: Any, mean: float, std: float, generator: Any) -> Any:
    check_normal(tensor_of(t, input), std)
    made = t.call("empty_like", input)
    return draw_into(t, "normal_drawn", made, generator, _mean(t, input, mean), std)


drawing(
    f"normal_functional(Tensor input, float mean=0.0, float std=1.0, {GENERATOR})",
    "Normal random numbers like a tensor: what `normal_` writes.",
    "tri.zeros(2).normal_(2, 3).shape  # trilith.Size([2])",
    _normal_like,
    write=_write_normal,
    methods=(),
    in_place=("normal_",),
    is_public=False,
    gradient=drawn_over("Normal"),
)


def _check_log_normal(spec: TensorSpec, std: float) -> None:
    if not std > 0:
        raise TrilithRuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    check_dtype("log_normal_cpu", spec.dtype, FLOATS)


def _write_log_normal(t: Any, input: Any, mean: float, std: float, generator: Any) -> None:
    _check_log_normal(tensor_of(t, input), std)
    draw_over(t, "log_normal_drawn", input, generator, mean, std)


def _log_normal(t: DrawingLanguage, input: Any, mean: float, std: float, generator: Any) -> Any:
    _check_log_normal(tensor_of(t, input), std)
    return draw_into(t, "log_normal_drawn", t.call("empty_like", input), generator, mean, std)


drawing(
    f"log_normal(Tensor input, float mean=1.0, float std=2.0, {GENERATOR})",
    "Random numbers whose logarithms are normal, like a tensor: what `log_normal_` writes.",
    "tri.zeros(2).log_normal_().shape  # trilith.Size([2])",
    _log_normal,
    write=_write_log_normal,
    methods=(),
    in_place=("log_normal_",),
    is_public=False,
    gradient=drawn_over("LogNormal"),
)


def _normal(
    t: DrawingLanguage,
    mean: Any,
    std: Any,
    size: tuple[int, ...] | None,
    generator: Any,
    **options: Any,
) -> Any:
    """Tell the overloads apart: of numbers and a size; of a mean, a deviation, or both as tensors.

    As in PyTorch the result of tensors is contiguous and has the dtype of the mean if that is one.
    """
    specs = t.spec(mean), t.spec(std)
    if all(isinstance(spec, ScalarSpec) for spec in specs):
        if size is None:
            refuse_combination("normal", specs)
        made = new_tensor(t, size, option_dtype(options), options["device"])
        return _normal_into(t, made, float(mean), float(std), generator)
    dtype = options.pop("dtype")  # that of an `out`, if there is one
    if size is not None or any(options.values()):
        refuse_combination("normal", specs)
    tensors = [spec for spec in specs if isinstance(spec, TensorSpec)]
    shape = broadcast_shapes(*(spec.shape for spec in tensors))
    if isinstance(specs[1], TensorSpec) and specs[1].dtype.is_complex:
        raise TrilithRuntimeError("normal expects standard deviation to be non-complex")
    first = tensors[0]
    if isinstance(specs[1], ScalarSpec):
        check_normal(first, std)
    check_dtype("normal_kernel_cpu", first.dtype, _NORMAL)
    made = new_tensor(t, shape, dtype or first.dtype, first.device)
    return draw_into(t, "normal_around_drawn", made, generator, mean, std)


def _normal_into(t: DrawingLanguage, made: Any, mean: float, std: float, generator: Any) -> Any:
    check_normal(tensor_of(t, made), std)
    return draw_into(t, "normal_drawn", made, generator, _mean(t, made, mean), std)


drawing_factory(
    f"normal(Operand mean, Operand std=1, int[]? size=None, {DRAWN_OPTIONS})",
    "Normal random numbers of given means and deviations, which may be tensors.",
    "tri.normal(2.0, 3.0, (2,)).shape  # trilith.Size([2])",
    _normal,
    has_out=True,
    gradient=OF_NORMAL,
)
