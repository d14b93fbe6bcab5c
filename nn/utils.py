"""How are gradients kept small before they are used? By the names of `torch.nn.utils`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from ..dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ..runtime.gradients.modes import no_grad
from ..runtime.tensors import dispatch
from ..runtime.tensors.fields import TensorFields
from ..runtime.tensors.missing import missing_function

#: What is added to a norm that is divided by: there may be no gradient at all.
_SMALL = 1e-6


def get_total_norm(
    tensors: Any,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """Return the norm of tensors, as if their elements were one vector.

    Raises TrilithRuntimeError for one that is not finite, if it is asked to. `foreach` chooses how
    PyTorch computes it, and changes nothing.

    >>> import trilith as tri
    >>> tri.nn.utils.get_total_norm([tri.tensor([3.0, 4.0]), tri.tensor([12.0])])
    tensor(13.)
    """
    given = _listed(tensors)
    norm_type = float(norm_type)
    with no_grad():
        if not given:
            return dispatch.face_function("zeros")(())
        device = given[0].device
        norms = [_norm(each, norm_type).to(device) for each in given]
        total = _norm(dispatch.face_function("stack")(norms), norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise TrilithRuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
            "so it cannot be clipped. To disable this error and scale the gradients by the "
            "non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(
    parameters: Any, max_norm: float, total_norm: Any, foreach: bool | None = None
) -> None:
    """Scale the gradients of parameters such that a norm of them is `max_norm` at most.

    >>> import trilith as tri
    >>> x = tri.zeros(2, requires_grad=True)
    >>> x.grad = tri.tensor([3.0, 4.0])
    >>> tri.nn.utils.clip_grads_with_norm_(x, 1.0, tri.tensor(5.0))
    >>> x.grad
    tensor([0.6000, 0.8000])
    """
    gradients = _gradients(parameters)
    with no_grad():
        factor = (float(max_norm) / (total_norm + _SMALL)).clamp(max=1.0)
        for each in gradients:
            each.mul_(factor.to(each.device))


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:
    """Scale the gradients of parameters such that their norm is `max_norm` at most; return it.

    The norm is that of all gradients together, before they are scaled.

    >>> import trilith as tri
    >>> x = tri.tensor([3.0, 4.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> tri.nn.utils.clip_grad_norm_(x, 5.0), x.grad
    (tensor(10.), tensor([3.0000, 4.0000]))
    """
    given = _listed(parameters)
    total = get_total_norm(_gradients(given), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(given, max_norm, total, foreach)
    return total


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Limit each element of the gradients of parameters to `clip_value` in magnitude.

    >>> import trilith as tri
    >>> x = tri.tensor([3.0, -0.25], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> tri.nn.utils.clip_grad_value_(x, 1.0)
    >>> x.grad
    tensor([ 1.0000, -0.5000])
    """
    limit = float(clip_value)
    with no_grad():
        for each in _gradients(parameters):
            each.clamp_(-limit, limit)


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """Return the elements of parameters as one vector.

    >>> import trilith as tri
    >>> tri.nn.utils.parameters_to_vector([tri.tensor([[1.0], [2.0]]), tri.tensor([3.0])])
    tensor([1., 2., 3.])
    """
    return dispatch.face_function("cat")([each.view(-1) for each in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Let parameters be the parts of a vector, one behind the other.

    >>> import trilith as tri
    >>> x, y = tri.zeros(2, 1), tri.zeros(1)
    >>> tri.nn.utils.vector_to_parameters(tri.tensor([1.0, 2.0, 3.0]), [x, y])
    >>> x.tolist(), y.tolist()
    ([[1.0], [2.0]], [3.0])
    """
    if not isinstance(vec, TensorFields):
        raise TrilithTypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    whole: Any = vec
    start = 0
    for each in parameters:
        end = start + each.numel()
        each.data = whole[start:end].view_as(each).data
        start = end


def _norm(tensor: Any, order: float) -> Any:
    return dispatch.face_function("linalg.vector_norm")(tensor, order)


def _listed(tensors: Any) -> Sequence[Any]:
    """Return tensors as a list: one is given as it is, others as whatever gives them."""
    return [tensors] if isinstance(tensors, TensorFields) else list(cast("Iterable[Any]", tensors))


def _gradients(parameters: Any) -> list[Any]:
    """Return the gradients of those parameters that have one."""
    return [each.grad for each in _listed(parameters) if each.grad is not None]


def __getattr__(name: str) -> Any:
    """Say what there is instead of something that is not here."""
    raise missing_function(name, __name__)
