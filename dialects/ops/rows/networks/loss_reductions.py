"""What becomes of the losses of elements? Their mean, their sum, or they are the result."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from ....attributes.promotion import can_cast
from ....diagnostics import TrilithRuntimeError, TrilithValueError
from ....frames import warn_user
from ...frame.elementwise import elementwise
from ...frame.opspec import CompositeOp
from ...frame.row import TensorLanguage, registering
from ...frame.rules import FLOATS
from ...frame.view_rows import laid_out, tensor_of

#: What the integers stand for that functions of `torch` take as `reduction`.
_BY_NUMBER = ("none", "mean", "sum")
#: How the signatures of `torch.nn.functional` end, and those of `torch`.
LEGACY = "bool? size_average=None, bool? reduce=None, str reduction='mean'"
#: The schemas of `torch` say 1, but its reader of defaults makes 0 of the name that stands for it.
BY_NUMBER = "int reduction=0"

#: Adds the loss of each element, which functions reduce.
loss_of_elements = partial(
    elementwise, accepts=FLOATS, methods=(), is_public=False, domain=(0.0, 1.0), ulp=4.0
)
#: Adds a function of `torch.nn.functional`.
function = registering(partial(CompositeOp, methods=(), is_public=False))
#: Adds a function that `torch` has, too, with a number as `reduction`.
flat = registering(partial(CompositeOp, methods=()))

Expand = Callable[..., Any]


def legacy(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """Return the reduction that two outdated arguments mean, if they are given."""
    if size_average is None and reduce is None:
        return reduction
    is_mean = size_average is not False
    reduction = "none" if reduce is False else "mean" if is_mean else "sum"
    warn_user(
        "size_average and reduce args will be deprecated, please use "
        f"reduction='{reduction}' instead."
    )
    return reduction


def checked(reduction: str) -> str:
    """Return a known word for a reduction, or refuse it."""
    if reduction == "elementwise_mean":
        warn_user(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead."
        )
        return "mean"
    if reduction not in _BY_NUMBER:
        raise TrilithValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def reduced(t: TensorLanguage, loss: Any, reduction: str) -> Any:
    """Return the mean or the sum of losses, or these."""
    return loss if reduction == "none" else t.call(reduction, loss)


def with_legacy(expand: Expand) -> Expand:
    """Return the function that takes the outdated arguments, and checks the reduction."""

    @wraps(expand)
    def applied(
        t: TensorLanguage,
        *,
        size_average: bool | None,
        reduce: bool | None,
        reduction: str,
        **arguments: Any,
    ) -> Any:
        reduction = checked(legacy(size_average, reduce, reduction))
        return expand(t, reduction=reduction, **arguments)

    return applied


def with_number(expand: Expand) -> Expand:
    """Return the function that takes a number as the reduction; others give losses as they are."""

    @wraps(expand)
    def applied(t: TensorLanguage, *, reduction: int, **arguments: Any) -> Any:
        word = _BY_NUMBER[reduction] if reduction in (1, 2) else "none"
        return expand(t, reduction=word, **arguments)

    return applied


def written(t: TensorLanguage, name: str, target: Any, *arguments: Any, **keywords: Any) -> Any:
    """Return what `target.name_(...)` leaves in a tensor: of its shape and dtype, or refuse."""
    result = t.call(name, target, *arguments, **keywords)
    into, found = tensor_of(t, target), tensor_of(t, result)
    if found.dtype is not into.dtype:
        if not can_cast(found.dtype, into.dtype):
            raise TrilithRuntimeError(
                f"result type {found.dtype.c_name} can't be cast to the desired output type "
                f"{into.dtype.c_name}"
            )
        result = t.call("to", result, into.dtype)
    if found.shape != into.shape:
        raise TrilithRuntimeError(
            f"output with shape {list(into.shape)} doesn't match the broadcast shape "
            f"{list(found.shape)}"
        )
    return laid_out(t, result, into.strides)


def number_less(t: TensorLanguage, number: float, x: Any) -> Any:
    """Return what `number - x` is in C++, where it is written into memory like the tensor's."""
    return written(t, "sub", t.call("full_like", x, number), x)
