"""Which losses ask for a margin between classes or labels? Hinges, and their smooth kin."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import float32, float64, int64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithIndexError, TrilithRuntimeError, TrilithValueError
from ...frame.gradients import by_steps
from ...frame.row import TensorLanguage
from ...frame.rules import check_dtype
from ...frame.view_rows import tensor_of
from .loss_reductions import (
    BY_NUMBER,
    LEGACY,
    flat,
    function,
    legacy,
    number_less,
    reduced,
    with_legacy,
    with_number,
    written,
)

# ---- of pairs


def _margin_ranking_loss(
    t: TensorLanguage, input1: Any, input2: Any, target: Any, margin: float, reduction: str
) -> Any:
    product = t.call("mul", t.call("neg", target), t.call("sub", input1, input2))
    return reduced(t, written(t, "clamp_min", t.call("add", product, margin), 0), reduction)


def _ranked(
    t: TensorLanguage, input1: Any, input2: Any, target: Any, margin: float, reduction: str
) -> Any:
    specs = [tensor_of(t, value) for value in (input1, input2, target)]
    if len({spec.rank for spec in specs}) > 1:
        sizes = [f"torch.Size({list(spec.shape)})" for spec in specs]
        raise TrilithRuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {sizes[0]}, input2: {sizes[1]}, target: {sizes[2]} "
        )
    return _margin_ranking_loss(t, input1, input2, target, margin, reduction)


def _hinge_embedding_loss(
    t: TensorLanguage, input: Any, target: Any, margin: float, reduction: str
) -> Any:
    beyond = written(t, "clamp_min", number_less(t, margin, input), 0)
    different = t.call("where", t.call("ne", target, 1), beyond, 0)
    alike = t.call("where", t.call("ne", target, -1), input, 0)
    return reduced(t, t.call("add", different, alike), reduction)


def _soft_margin_loss(t: TensorLanguage, input: Any, target: Any, reduction: str) -> Any:
    product = written(t, "mul", t.call("neg", input), target)
    loss = written(t, "log1p", written(t, "exp", product))
    return reduced(t, loss, reduction)


_RANKED = "(tri.tensor([1., 2.]), tri.tensor([2., 1.]), tri.ones(2))  # "
_HINGE = "(tri.tensor([1., 0.25]), tri.tensor([1., -1.]))  # "

function(
    "nn_functional_margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, "
    f"float margin=0, {LEGACY})",
    "By how much, and a margin, the wrong one of two inputs is larger, reduced.",
    f"tri.nn.functional.margin_ranking_loss{_RANKED}tensor(0.5000)",
    with_legacy(_ranked),
    places=("nn.functional.margin_ranking_loss",),
)
flat(
    "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, "
    f"{BY_NUMBER})",
    "By how much, and a margin, the wrong one of two inputs is larger, reduced.",
    f"tri.margin_ranking_loss{_RANKED}tensor([1., 0.])",
    with_number(_margin_ranking_loss),
)
function(
    f"nn_functional_hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, {LEGACY})",
    "input where target is 1, and what it lacks to a margin where that is -1, reduced.",
    f"tri.nn.functional.hinge_embedding_loss{_HINGE}tensor(0.8750)",
    with_legacy(_hinge_embedding_loss),
    places=("nn.functional.hinge_embedding_loss",),
)
flat(
    f"hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, {BY_NUMBER})",
    "input where target is 1, and what it lacks to a margin where that is -1, reduced.",
    f"tri.hinge_embedding_loss{_HINGE}tensor([1.0000, 0.7500])",
    with_number(_hinge_embedding_loss),
)
function(
    f"soft_margin_loss(Tensor input, Tensor target, {LEGACY})",
    "log(1 + exp(-target * input)), reduced.",
    "tri.nn.functional.soft_margin_loss(tri.zeros(2), tri.ones(2))  # tensor(0.6931)",
    with_legacy(_soft_margin_loss),
    places=("nn.functional.soft_margin_loss",),
    gradient=by_steps("SoftMarginLossBackward0", "input"),
)


# ---- of classes


def _check_labels(input: TensorSpec, target: TensorSpec) -> None:
    """Refuse classes of another dtype than int64, of which PyTorch's kernels read no others."""
    if input.numel and target.dtype is not int64:
        raise TrilithRuntimeError(f"expected scalar type Long but found {target.dtype.c_name}")


def _multi_margin_loss(
    t: TensorLanguage,
    input: Any,
    target: Any,
    p: int,
    margin: float,
    weight: Any,
    reduction: str,
) -> Any:
    if p not in (1, 2):
        raise TrilithValueError("only p == 1 and p == 2 supported")
    if weight is not None and tensor_of(t, weight).rank != 1:
        raise TrilithValueError("weight must be one-dimensional")
    spec, places = tensor_of(t, input), tensor_of(t, target)
    if spec.rank > 2 or (not spec.numel and (spec.rank < 2 or not spec.shape[1])):
        raise TrilithRuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(spec.shape)}"
        )
    count = spec.shape[0] if spec.rank == 2 else 1
    if places.rank > 1 or places.numel != count:
        raise TrilithRuntimeError(
            f"inconsistent target size, expected {count} but got {list(places.shape)}"
        )
    check_dtype("multi_margin_loss", spec.dtype, frozenset({float32, float64}))
    _check_labels(spec, places)
    classes = spec.shape[-1] if spec.rank else 1
    place = t.call("reshape", target, (count, 1))
    rows = t.call("reshape", input, (count, classes))
    own = t.call("gather_along", rows, place, 1, "ClassError")
    excess = t.call("clamp_min", t.call("add", t.call("sub", rows, own), margin), 0)
    if p == 2:
        excess = t.call("mul", excess, excess)
    if weight is not None:
        excess = t.call("mul", excess, t.call("take", weight, place))
    numbers = t.call("arange", 0, classes, device=spec.device)
    others = t.call("where", t.call("eq", numbers, place), 0, excess)
    loss = t.call("div", t.call("sum", others, (1,)), classes)
    if spec.rank < 2:
        loss = t.call("reshape", loss, places.shape)
    return reduced(t, loss, reduction)


def _multilabel_margin_loss(t: TensorLanguage, input: Any, target: Any, reduction: str) -> Any:
    spec, places = tensor_of(t, input), tensor_of(t, target)
    if spec.rank > 2 or (spec.rank == 2 and not spec.shape[1]):
        raise TrilithRuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
            f"{list(spec.shape)}"
        )
    if places.shape != spec.shape:
        raise TrilithRuntimeError(
            f"inconsistent target size: {list(places.shape)} for input of size: {list(spec.shape)}"
        )
    check_dtype("multilabel_margin_loss", spec.dtype, frozenset({float32, float64}))
    _check_labels(spec, places)
    classes = spec.shape[-1] if spec.rank else 1
    rows = t.call("reshape", input, (-1 if spec.numel else 0, classes))
    labels = t.call("reshape", target, (-1 if spec.numel else 0, classes))
    # The labels of a row end before the first -1.
    is_label = t.call("to", t.call("ge", labels, 0), int64)
    is_label = t.call("ne", t.call("cumprod", is_label, 1), 0)
    place = t.call("where", t.call("eq", labels, -1), 0, labels)
    own = t.call("gather_along", rows, place, 1, "LabelError")
    numbers = t.call("arange", 0, classes, device=spec.device)
    named = t.call("eq", t.call("unsqueeze", place, 2), numbers)
    named = t.call("bitwise_and", named, t.call("unsqueeze", is_label, 2))
    is_other = t.call("bitwise_not", t.call("any", named, 1))
    excess = t.call("sub", t.call("unsqueeze", rows, 1), t.call("unsqueeze", own, 2))
    excess = t.call("clamp_min", t.call("add", excess, 1), 0)
    counts = t.call(
        "bitwise_and", t.call("unsqueeze", is_other, 1), t.call("unsqueeze", is_label, 2)
    )
    loss = t.call("sum", t.call("where", counts, excess, 0), (1, 2))
    loss = t.call("div", loss, classes)
    if spec.rank < 2:
        loss = t.call("reshape", loss, ())
    return reduced(t, loss, reduction)


def _multilabel_soft_margin_loss(
    t: TensorLanguage,
    input: Any,
    target: Any,
    weight: Any,
    size_average: bool | None,
    reduce: bool | None,
    reduction: str,
) -> Any:
    reduction = legacy(size_average, reduce, reduction)
    present = t.call("mul", target, t.call("log_sigmoid", input))
    absent = t.call("log_sigmoid", t.call("neg", input))
    absent = t.call("mul", t.call("sub", 1, target), absent)
    loss = t.call("neg", t.call("add", present, absent))
    if weight is not None:
        loss = t.call("mul", loss, weight)
    spec = tensor_of(t, input)
    if not spec.rank:
        raise TrilithIndexError("Dimension specified as -1 but tensor has no dimensions")
    loss = t.call("div", t.call("sum", loss, (spec.rank - 1,)), spec.shape[-1])
    if reduction not in ("none", "mean", "sum"):
        raise TrilithValueError(f"{reduction} is not valid")
    return reduced(t, loss, reduction)


function(
    "multi_margin_loss(Tensor input, Tensor target, int p=1, float margin=1.0, "
    f"Tensor? weight=None, {LEGACY})",
    "By how much, and a margin, other classes are above the right one, reduced.",
    "tri.nn.functional.multi_margin_loss(tri.tensor([[1., 2.]]), tri.tensor([0]))  # tensor(1.)",
    with_legacy(_multi_margin_loss),
    places=("nn.functional.multi_margin_loss",),
    gradient=by_steps("MultiMarginLossBackward0", "input"),
)
function(
    f"multilabel_margin_loss(Tensor input, Tensor target, {LEGACY})",
    "By how much, and 1, other classes are above those that target names up to -1, reduced.",
    "tri.nn.functional.multilabel_margin_loss(tri.tensor([1., 2.]), tri.tensor([0, -1]))"
    "  # tensor(1.)",
    with_legacy(_multilabel_margin_loss),
    places=("nn.functional.multilabel_margin_loss",),
    gradient=by_steps("MultilabelMarginLossBackward0", "input"),
)
function(
    "multilabel_soft_margin_loss(Tensor input, Tensor target, Tensor? weight=None, "
    "bool? size_average=None, bool? reduce=None, str reduction='mean')",
    "The mean over classes of the binary cross entropy of sigmoid(input), reduced.",
    "tri.nn.functional.multilabel_soft_margin_loss(tri.zeros(1, 2), tri.ones(1, 2))"
    "  # tensor(0.6931)",
    _multilabel_soft_margin_loss,
    places=("nn.functional.multilabel_soft_margin_loss",),
)
