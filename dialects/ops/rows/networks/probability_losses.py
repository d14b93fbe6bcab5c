"""Which losses are of probabilities? Cross entropies, divergences and likelihoods.

What is computed of one element is a row, in which narrow floats are rounded once; a function of
`torch.nn.functional` reduces it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ....attributes.dtype import Category
from ....attributes.spec import ScalarSpec
from ....diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ....frames import warn_user
from ...frame.elementwise import elementwise
from ...frame.gradients import by_steps
from ...frame.row import TensorLanguage
from ...frame.rules import FLOATS, resolve_elementwise, resolve_like
from ...frame.view_rows import tensor_of
from ...gradients.losses import OF_CROSS_ENTROPY_OF_TWO
from ...scalars import scalar
from ...scalars.expansions.floating import at_least
from ...scalars.scalar import Scalar
from .loss_reductions import (
    BY_NUMBER,
    LEGACY,
    checked,
    flat,
    function,
    legacy,
    loss_of_elements,
    number_less,
    reduced,
    with_legacy,
    with_number,
    written,
)

# ---- losses of elements


def _cross_entropy(x: Scalar, target: Scalar) -> Scalar:
    """Return -(y log(x) + (1 - y) log(1 - x)), with logarithms of at least -100."""
    scalar.check_failure(~((x >= 0) & (x <= 1)), "UnitIntervalError")
    absent, present = at_least(scalar.log1p(-x), -100.0), at_least(scalar.log(x), -100.0)
    return (target - 1) * absent - target * present


def _self_information(x: Scalar) -> Scalar:
    return scalar.select(x.eq(0), 0, x * scalar.log(x))


for _signature, _doc, _example, _body, _gradient, _resolver in (
    (
        "cross_entropy_of_two(Tensor input, Tensor target)",
        "-(y log(x) + (1 - y) log(1 - x)): `binary_cross_entropy` of elements.",
        "tri.nn.functional.binary_cross_entropy(tri.tensor([0.5]), tri.tensor([1.]))"
        "  # tensor(0.6931)",
        _cross_entropy,
        OF_CROSS_ENTROPY_OF_TWO,
        resolve_like,
    ),
    (
        "self_information(Tensor input)",
        "input * log(input), elementwise, and 0 for 0.",
        "tri.nn.functional.kl_div(tri.tensor([0.]), tri.tensor([0.5]), reduction='sum')"
        "  # tensor(-0.3466)",
        _self_information,
        None,
        resolve_elementwise,
    ),
):
    loss_of_elements(
        _signature,
        _doc,
        _example,
        body=_body,
        is_costly=True,
        gradient=_gradient,
        resolver=_resolver,
    )


# ---- one thing or its opposite


def _binary_cross_entropy(
    t: TensorLanguage, input: Any, target: Any, weight: Any, reduction: str
) -> Any:
    spec, wanted = tensor_of(t, input), tensor_of(t, target)
    if spec.shape != wanted.shape:
        raise TrilithValueError(
            f"Using a target size (torch.Size({list(wanted.shape)})) that is different to the "
            f"input size (torch.Size({list(spec.shape)})) is deprecated. "
            "Please ensure they have the same size."
        )
    if spec.dtype is not wanted.dtype:
        raise TrilithRuntimeError(
            f"Found dtype {wanted.dtype.c_name} but expected {spec.dtype.c_name}"
        )
    loss = t.call("cross_entropy_of_two", input, target)
    if weight is not None:
        loss = written(t, "mul", loss, weight)
    return reduced(t, loss, reduction)


def _with_logits(
    t: TensorLanguage, input: Any, target: Any, weight: Any, pos_weight: Any, reduction: str
) -> Any:
    logarithm = t.call("log_sigmoid", input)
    if pos_weight is not None:
        factor = t.call("mul", t.call("sub", pos_weight, 1), target)
        logarithm = written(t, "mul", logarithm, t.call("add", factor, 1))
    rest = number_less(t, 1, target)
    loss = written(t, "mul", rest, input)
    loss = written(t, "sub", loss, logarithm)
    if weight is not None:
        loss = written(t, "mul", loss, weight)
    return reduced(t, loss, reduction)


def _same_size_with_logits(
    t: TensorLanguage, input: Any, target: Any, weight: Any, pos_weight: Any, reduction: str
) -> Any:
    sizes = [list(tensor_of(t, value).shape) for value in (target, input)]
    if sizes[0] != sizes[1]:
        raise TrilithValueError(
            f"Target size (torch.Size({sizes[0]})) must be the same as input size "
            f"(torch.Size({sizes[1]}))"
        )
    return _with_logits(t, input, target, weight, pos_weight, reduction)


def _kl_div(t: TensorLanguage, input: Any, target: Any, reduction: str, log_target: bool) -> Any:
    categories = [tensor_of(t, value).dtype.category for value in (input, target)]
    if Category.COMPLEX in categories:
        raise TrilithRuntimeError("kl_div: Complex inputs not supported.")
    if min(categories) <= Category.INTEGRAL:
        raise TrilithRuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        loss = t.call("mul", t.call("exp", target), t.call("sub", target, input))
    else:
        information = t.call("self_information", target)
        loss = t.call("sub", information, t.call("mul", target, input))
    return reduced(t, loss, reduction)


def _kl_div_by_word(
    t: TensorLanguage,
    input: Any,
    target: Any,
    size_average: bool | None,
    reduce: bool | None,
    reduction: str,
    log_target: bool,
) -> Any:
    if size_average is not None or reduce is not None:
        word = legacy(size_average, reduce, reduction)
    else:
        if reduction == "mean":
            warn_user(
                "reduction: 'mean' divides the total loss by both the batch size and the support "
                "size.'batchmean' divides only by the batch size, and aligns with the KL div math "
                "definition.'mean' will be changed to behave the same as 'batchmean' in the next "
                "major release."
            )
        word = "sum" if reduction == "batchmean" else checked(reduction)
    loss = _kl_div(t, input, target, word, log_target)
    spec = tensor_of(t, input)
    return t.call("div", loss, spec.shape[0]) if reduction == "batchmean" and spec.rank else loss


def _poisson_nll_loss(
    t: TensorLanguage,
    input: Any,
    target: Any,
    log_input: bool,
    full: bool,
    eps: float,
    reduction: str,
) -> Any:
    if log_input:
        loss = t.call("sub", t.call("exp", input), t.call("mul", target, input))
    else:
        logarithm = t.call("log", t.call("add", input, eps))
        loss = t.call("sub", input, t.call("mul", target, logarithm))
    if full:
        loss = written(t, "add", loss, _stirling(t, target))
    return reduced(t, loss, reduction)


def _stirling(t: TensorLanguage, target: Any) -> Any:
    """Return Stirling's approximation of log(target!), 0 up to 1."""
    product = t.call("mul", target, t.call("log", target))
    half = t.call("mul", t.call("log", t.call("mul", target, 2 * math.pi)), 0.5)
    term = t.call("add", t.call("sub", product, target), half)
    return t.call("masked_fill", term, t.call("le", target, 1), 0)


_ENTROPY_EXAMPLE = "(tri.tensor([0.]), tri.tensor([1.]))  # "
_DIVERGENCE_EXAMPLE = "(tri.tensor([0.]), tri.tensor([0.5]), reduction="
_POISSON_EXAMPLE = "(tri.tensor([0.]), tri.tensor([1.])"

function(
    "binary_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, "
    "bool? size_average=None, bool? reduce=None, str reduction='mean')",
    "The cross entropy of probabilities, each of one thing or its opposite, reduced.",
    "tri.nn.functional.binary_cross_entropy(tri.tensor([0.5]), tri.tensor([1.]))  # tensor(0.6931)",
    with_legacy(_binary_cross_entropy),
    places=("nn.functional.binary_cross_entropy",),
    gradient=by_steps("BinaryCrossEntropyBackward0", "input", "target"),
)
function(
    "nn_functional_binary_cross_entropy_with_logits(Tensor input, Tensor target, "
    "Tensor? weight=None, bool? size_average=None, bool? reduce=None, str reduction='mean', "
    "Tensor? pos_weight=None)",
    "The binary cross entropy of sigmoid(input), reduced.",
    f"tri.nn.functional.binary_cross_entropy_with_logits{_ENTROPY_EXAMPLE}tensor(0.6931)",
    with_legacy(_same_size_with_logits),
    places=("nn.functional.binary_cross_entropy_with_logits",),
    gradient=by_steps("BinaryCrossEntropyWithLogitsBackward0", "input", "target"),
)
flat(
    "binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, "
    f"Tensor? pos_weight=None, {BY_NUMBER})",
    "The binary cross entropy of sigmoid(input), reduced.",
    f"tri.binary_cross_entropy_with_logits{_ENTROPY_EXAMPLE}tensor([0.6931])",
    with_number(_with_logits),
    gradient=by_steps("BinaryCrossEntropyWithLogitsBackward0", "input", "target"),
)
function(
    f"nn_functional_kl_div(Tensor input, Tensor target, {LEGACY}, bool log_target=False)",
    "The divergence of Kullback and Leibler, of logarithms from probabilities, reduced.",
    f"tri.nn.functional.kl_div{_DIVERGENCE_EXAMPLE}'sum')  # tensor(-0.3466)",
    _kl_div_by_word,
    places=("nn.functional.kl_div",),
)
flat(
    f"kl_div(Tensor input, Tensor target, {BY_NUMBER}, *, bool log_target=False)",
    "The divergence of Kullback and Leibler, of logarithms from probabilities, reduced.",
    f"tri.kl_div{_DIVERGENCE_EXAMPLE}2)  # tensor(-0.3466)",
    with_number(_kl_div),
)
function(
    "nn_functional_poisson_nll_loss(Tensor input, Tensor target, bool log_input=True, "
    "bool full=False, bool? size_average=None, float eps=1e-08, bool? reduce=None, "
    "str reduction='mean')",
    "The negative logarithm of the likelihood of counts by Poisson's distribution, reduced.",
    f"tri.nn.functional.poisson_nll_loss{_POISSON_EXAMPLE})  # tensor(1.)",
    with_legacy(_poisson_nll_loss),
    places=("nn.functional.poisson_nll_loss",),
)
flat(
    "poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, "
    "int reduction)",
    "The negative logarithm of the likelihood of counts by Poisson's distribution, reduced.",
    f"tri.poisson_nll_loss{_POISSON_EXAMPLE}, True, False, 1e-8, 1)  # tensor(1.)",
    with_number(_poisson_nll_loss),
)


# ---- a normal distribution


def _not_negative(x: Scalar) -> Scalar:
    scalar.check_failure(x < 0, "NegativeVarianceError")
    return x


elementwise(
    "not_negative(Tensor input)",
    "input, if no element of it is negative: the variances of `gaussian_nll_loss`.",
    "tri.nn.functional.gaussian_nll_loss(tri.zeros(2), tri.ones(2), tri.ones(2))  # tensor(0.5000)",
    body=_not_negative,
    accepts=FLOATS,
    methods=(),
    is_public=False,
)


def _variance(t: TensorLanguage, var: Any, input: Any) -> Any:
    """Return variances that broadcast to the input, or refuse them."""
    spec = tensor_of(t, input)
    found = t.spec(var)
    if isinstance(found, ScalarSpec):
        if found.kind != "float":
            # PyTorch asks whether any element of it is negative, which fails.
            raise TrilithTypeError(
                f"gaussian_nll_loss(): argument 'var' must be Tensor or float, not {found.kind}"
            )
        return t.call("mul", t.call("ones_like", input), var)
    if found.shape == spec.shape:
        return var
    if found.shape == spec.shape[:-1]:
        return t.call("unsqueeze", var, -1)
    if found.rank == spec.rank:
        # One dim may differ, which is of size 1: the variances are the same along it.
        pairs = zip(spec.shape, found.shape, strict=True)
        if sum(own for size, own in pairs if size != own) == 1:
            return var
    raise TrilithValueError("var is of incorrect size")


def _check_variance(bound: Mapping[str, Any]) -> None:
    """Refuse a number that is no variance."""
    var = bound["var"]
    if type(var) is float and var < 0:
        raise TrilithValueError("var has negative entry/entries")


def _gaussian_nll_loss(
    t: TensorLanguage, input: Any, target: Any, var: Any, full: bool, eps: float, reduction: str
) -> Any:
    var = _variance(t, var, input)
    if reduction not in ("none", "mean", "sum"):
        raise TrilithValueError(f"{reduction} is not valid")
    if tensor_of(t, var).dtype in FLOATS:
        var = t.call("not_negative", var)
    var = written(t, "clamp_min_unseen", var, eps)
    squares = t.call("pow", t.call("sub", input, target), 2)
    loss = t.call("add", t.call("log", var), t.call("div", squares, var))
    loss = t.call("mul", loss, 0.5)
    if full:
        loss = t.call("add", loss, 0.5 * math.log(2 * math.pi))
    return reduced(t, loss, reduction)


function(
    "gaussian_nll_loss(Tensor input, Tensor target, Operand var, bool full=False, "
    "float eps=1e-06, str reduction='mean')",
    "The negative logarithm of the likelihood of targets by normal distributions, reduced.",
    "tri.nn.functional.gaussian_nll_loss(tri.zeros(2), tri.ones(2), tri.ones(2))  # tensor(0.5000)",
    _gaussian_nll_loss,
    check_numbers=_check_variance,
    places=("nn.functional.gaussian_nll_loss",),
)
