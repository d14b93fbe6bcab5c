"""How far are moments from the labels that they spell? ctc_loss, whatever the alignment is.

Its recurrence over moments looks at lengths that are elements of tensors: it runs on the host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from ....attributes.dtype import bool_, float32, float64, int64
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.host_bodies import HostBodyOp
from ...frame.opspec import CompositeOp
from ...frame.overloads import is_array, no_such_form
from ...frame.row import (
    TABLE,
    Attributes,
    OperandSpec,
    Resolved,
    TensorLanguage,
    registering,
)
from ...frame.rules import check_dtype
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of
from ...gradients.losses import OF_CTC_LOSS
from .loss_reductions import checked, with_number
from .softmax import cast_to

_LENGTHS = ("input_lengths", "target_lengths")
_CHECKING = "(while checking arguments for ctc_loss_allocate_outputs)"

# ---- the loss of each example


def _resolve(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    specs = cast("Sequence[TensorSpec]", operands)
    probable = specs[0]
    found = TensorSpec.of((probable.shape[1],), probable.dtype, probable.device)
    return Resolved(dict(attributes), tuple(spec.dtype for spec in specs), found)


def _resolve_backward(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    specs = cast("Sequence[TensorSpec]", operands)
    probable = specs[1]
    found = TensorSpec.of(probable.shape, probable.dtype, probable.device)
    return Resolved(dict(attributes), tuple(spec.dtype for spec in specs), found)


_OPERANDS = "Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths"
_EXAMPLE = "(tri.tensor([[[-1., -2.]]]), tri.tensor([[1]]), (1,), (1,))  # "
TABLE.add(
    HostBodyOp(
        f"ctc_loss_of({_OPERANDS}, *, int blank, bool zero_infinity)",
        "The negated logarithm of the probability of each example's labels.",
        f"tri.nn.functional.ctc_loss{_EXAMPLE}tensor(2.)",
        resolver=_resolve,
        body="alignments:ctc_loss",
        can_fail=True,
        methods=(),
        is_public=False,
        torch_name="_ctc_loss",
        gradient=OF_CTC_LOSS,
    )
)
TABLE.add(
    HostBodyOp(
        f"ctc_loss_backward(Tensor grad, {_OPERANDS}, *, int blank, bool zero_infinity)",
        "The gradient of the logarithms of ctc_loss, given that of the losses.",
        f"tri.nn.functional.ctc_loss{_EXAMPLE}tensor(2.)",
        resolver=_resolve_backward,
        body="alignments:ctc_loss_backward",
        can_fail=True,
        methods=(),
        is_public=False,
        torch_name="_ctc_loss_backward",
    )
)

# ---- what is called


def _check(
    log_probs: TensorSpec, targets: TensorSpec, lengths: list[TensorSpec], blank: int
) -> None:
    check_dtype("ctc_loss", log_probs.dtype, frozenset({float32, float64}))
    if not log_probs.numel:
        raise TrilithRuntimeError("log_probs tensor must not be empty")
    if not 0 <= blank < log_probs.shape[-1]:
        raise TrilithRuntimeError("blank must be in label range")
    if log_probs.rank != 3:
        raise TrilithRuntimeError(
            f"Expected 3-dimensional tensor, but got {log_probs.rank}-dimensional tensor for "
            f"argument #1 'log_probs' {_CHECKING}"
        )
    examples = log_probs.shape[1]
    for name, each in zip(_LENGTHS, lengths, strict=True):
        if each.numel != examples:
            raise TrilithRuntimeError(f"{name} must be of size batch_size")
    if targets.rank not in (1, 2):
        raise TrilithRuntimeError(
            f"Expected 1 to 2 dimensions, but got {targets.rank}-dimensional tensor for argument "
            f"#2 'targets' {_CHECKING}"
        )
    if targets.rank == 2 and targets.shape[0] != examples:
        raise TrilithRuntimeError(
            f"Expected tensor to have size {examples} at dimension 0, but got size "
            f"{targets.shape[0]} for argument #2 'targets' {_CHECKING}"
        )


def _ctc_loss(
    t: TensorLanguage,
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int,
    reduction: str,
    zero_infinity: bool,
) -> Any:
    is_batched = tensor_of(t, log_probs).rank == 3
    probable = log_probs if is_batched else t.call("unsqueeze", log_probs, 1)
    spec = tensor_of(t, probable)
    lengths: list[Any] = []
    for name, each in zip(_LENGTHS, (input_lengths, target_lengths), strict=True):
        dtype = tensor_of(t, each).dtype
        if dtype.is_floating_point or dtype.is_complex or dtype is bool_:
            raise TrilithRuntimeError(f"{name} must be integral")
        lengths.append(t.call("reshape", t.call("to", each, spec.device, int64), (-1,)))
    targets = t.call("to", targets, spec.device, int64)
    _check(spec, tensor_of(t, targets), [tensor_of(t, each) for each in lengths], blank)
    options = {"blank": blank, "zero_infinity": zero_infinity}
    losses = t.call("ctc_loss_of", probable, targets, *lengths, **options)
    if zero_infinity:
        losses = t.call("where", t.call("eq", losses, float("inf")), 0.0, losses)
    if reduction == "mean":
        counts = t.call("clamp_min", cast_to(t, lengths[1], spec.dtype), 1)
        return t.call("mean", t.call("true_divide", losses, counts))
    if reduction == "sum":
        return t.call("sum", losses)
    return losses if is_batched else t.call("squeeze", losses, 0)


def _with_word(t: TensorLanguage, *, reduction: str, **arguments: Any) -> Any:
    return _ctc_loss(t, reduction=checked(reduction), **arguments)


_FORMS = tuple(
    f"Tensor log_probs, Tensor targets, {kind} input_lengths, {kind} target_lengths, "
    "int blank = 0, int reduction = at::Reduction::Mean, bool zero_infinity = False"
    for kind in ("tuple of ints", "Tensor")
)


def _bind(schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Take lengths as tensors, or both as sequences of integers."""
    bound = schema.bind(arguments, keywords)
    lengths = [bound[name] for name in _LENGTHS]
    if all(map(_is_sequence, lengths)):
        return bound | {
            name: np.array(each, np.int64) for name, each in zip(_LENGTHS, lengths, strict=True)
        }
    if not all(map(is_array, lengths)):
        forms = "".join(f"\n * ({form})" for form in _FORMS)
        raise no_such_form("ctc_loss", tuple(bound.values()), {}, forms)
    return bound


def _is_sequence(value: Any) -> bool:
    """Whether lengths are given as integers."""
    return isinstance(value, (tuple, list)) and all(
        isinstance(item, int) for item in cast("Sequence[Any]", value)
    )


_add = registering(CompositeOp)
_DOC = (
    "The negated logarithms of the probabilities that moments spell labels, with blanks between "
    "and repeated as they like, reduced."
)
for _name, _reduction, _expand in (
    ("nn_functional_ctc_loss", "str reduction='mean'", _with_word),
    ("ctc_loss", "int reduction=0", with_number(_ctc_loss)),
):
    _rest = f"int blank=0, {_reduction}, bool zero_infinity=False)"
    _add(
        f"{_name}({_OPERANDS}, {_rest}",
        _DOC,
        f"tri.nn.functional.ctc_loss{_EXAMPLE}tensor(2.)",
        _expand,
        methods=(),
        is_public=_name == "ctc_loss",
        places=() if _name == "ctc_loss" else ("nn.functional.ctc_loss",),
        binder=_bind,
        forms=(
            f"{_name}({_OPERANDS}, {_rest}",
            f"{_name}(Tensor log_probs, Tensor targets, int[] input_lengths, "
            f"int[] target_lengths, {_rest}",
        ),
    )
