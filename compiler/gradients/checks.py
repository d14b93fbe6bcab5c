"""Is a function's gradient right? It is compared with differences, element by element.

Each element of an input is moved a little to both sides; what each element of an output changes by
is what the gradient must say. Numbers of fewer bits than float64 are too coarse for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...dialects.attributes.dtype import float64
from ...dialects.diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithValueError,
)
from ...dialects.frames import warn_user
from ...runtime.gradients.calls import grad
from ...runtime.gradients.modes import enable_grad, no_grad
from ...runtime.gradients.state import is_tensor
from ...runtime.tensors.recorded_sparse import of_values as sparse_of
from ...runtime.tensors.sparse import SparseTensor, parts_of
from .language import LANGUAGE

Function = Callable[..., Any]
Tensors = tuple[Any, ...]

_COARSE = (
    "Input #{} requires gradient and is not a double precision floating point or complex. This "
    "check will likely fail if all the inputs are not of double precision floating point or "
    "complex. "
)
_NOTHING = (
    "gradcheck expects at least one input tensor to require gradient, but none of them have "
    "requires_grad=True."
)


class GradcheckError(TrilithRuntimeError):
    """A gradient that is not what the function's differences are."""


def gradcheck(
    func: Function,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Return whether a function's gradients are what small differences of its inputs say.

    Raises GradcheckError if they are not, unless `raise_exception` is False. Of the other options
    `nondet_tol` and `eps` to `rtol` have a meaning; the whole Jacobian is always compared. Sparse
    inputs are moved where they specify something, which `masked=True` says.

    >>> import trilith as tri
    >>> x = tri.tensor([0.5, 2.0], dtype=tri.float64, requires_grad=True)
    >>> tri.autograd.gradcheck(lambda x: x.sin() * x, x)
    True
    """
    try:
        of_values, given = _of_values(func, _tuple(inputs), is_masked=bool(masked))
        _check(of_values, given, eps, atol, rtol, nondet_tol)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _of_values(func: Function, inputs: Tensors, *, is_masked: bool) -> tuple[Function, Tensors]:
    """Return a function of the values of sparse inputs in their place, and these."""
    sparse = {number: each for number, each in enumerate(inputs) if isinstance(each, SparseTensor)}
    if not sparse:
        return func, inputs
    if not is_masked:
        raise TrilithNotImplementedError(
            "gradcheck() of sparse inputs moves what they specify alone", hint="say masked=True"
        )

    def of_values(*arguments: Any) -> Tensors:
        whole = list(arguments)
        for number, each in sparse.items():
            shape, indices = each.spec.shape, parts_of(each)[0]
            is_coalesced = each.is_coalesced()
            whole[number] = sparse_of(indices, arguments[number], shape, coalesced=is_coalesced)
        outputs = _tuple(func(*whole))
        return tuple(each.to_dense() if each.is_sparse else each for each in outputs)

    values = (
        parts_of(each)[1].detach().requires_grad_(each.requires_grad)
        if isinstance(each, SparseTensor)
        else each
        for each in inputs
    )
    return of_values, tuple(values)


def gradgradcheck(
    func: Function,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    **options: Any,
) -> bool:
    """Return whether the gradients of a function's gradients are what differences say.

    >>> import trilith as tri
    >>> x = tri.tensor([0.5, 2.0], dtype=tri.float64, requires_grad=True)
    >>> tri.autograd.gradgradcheck(lambda x: x.sin() * x, x)
    True
    """
    given = _tuple(inputs)
    outputs = _differentiable(func(*given))
    if grad_outputs is None:
        weights = tuple(_weights(each) for each in outputs)
    else:
        weights = _tuple(grad_outputs)
    count = len(weights)

    def first(*arguments: Any) -> Tensors:
        values, directions = arguments[:-count], arguments[-count:]
        values = tuple(
            each.view_as(each) if is_tensor(each) and each.requires_grad else each
            for each in values
        )
        wanted = [each for each in values if is_tensor(each) and each.requires_grad]
        found = grad(
            _differentiable(func(*values)), wanted, directions, create_graph=True, allow_unused=True
        )
        return tuple(each for each in found if each is not None and each.requires_grad)

    return gradcheck(
        first,
        (*given, *weights),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
    )


def _weights(output: Any) -> Any:
    """Return numbers for the gradient of an output, none like its neighbours."""
    numbers = LANGUAGE.call("arange", output.numel(), dtype=float64, device=output.device)
    weights = ((numbers + 1).sin() + 1.5).reshape(output.shape).to(output.dtype)
    return weights.requires_grad_()


def _tuple(values: Any) -> Tensors:
    return (values,) if is_tensor(values) else tuple(values)


def _differentiable(outputs: Any) -> Tensors:
    found = (outputs,) if is_tensor(outputs) else tuple(outputs)
    return tuple(each for each in found if is_tensor(each) and each.requires_grad)


def _check(
    func: Function, inputs: Tensors, eps: float, atol: float, rtol: float, nondet_tol: float
) -> None:
    """Compare the Jacobian of each output with respect to each input."""
    wanted = [each for each in inputs if is_tensor(each) and each.requires_grad]
    if not wanted:
        raise TrilithValueError(_NOTHING)
    for index, each in enumerate(inputs):
        if is_tensor(each) and each.requires_grad and each.dtype.to_real() is not float64:
            warn_user(_COARSE.format(index))
    with enable_grad():
        outputs = _differentiable(func(*inputs))
    if not outputs:
        _check_constant(func, inputs, wanted, eps)
    for number, output in enumerate(outputs):
        analytical = _analytical(output, wanted)
        again = _analytical(output, wanted)
        for index, one in enumerate(wanted):
            numerical = _numerical(func, inputs, one, number, eps, output)
            pairs = zip(numerical, analytical[index], strict=True)
            if not all(_are_close(*pair, atol, rtol) for pair in pairs):
                raise GradcheckError(_mismatch(number, index, numerical, analytical[index]))
            repeated = zip(again[index], analytical[index], strict=True)
            if not all(_are_close(*pair, nondet_tol, 0.0) for pair in repeated):
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and grad "
                    "output, multiple times gives different values, although analytical gradient "
                    "matches numerical gradient. The tolerance for nondeterminism was "
                    f"{nondet_tol}."
                )


def _mismatch(number: int, index: int, numerical: list[Any], analytical: list[Any]) -> str:
    one, other = _matrix(numerical), _matrix(analytical)
    return (
        f"Jacobian mismatch for output {number} with respect to input {index},\n"
        f"numerical:{one}\nanalytical:{other}\n"
    )


def _matrix(columns: list[Any]) -> Any:
    """Return the Jacobian: a row for each element of the input."""
    return LANGUAGE.call("stack", columns)


def _are_close(one: Any, other: Any, atol: float, rtol: float) -> bool:
    return bool((one - other).abs().le(other.abs() * rtol + atol).all())


def _steps(spec: Any) -> tuple[complex, ...]:
    """Return the directions in which an element is moved, or its gradient is asked for."""
    return (1.0, 1j) if spec.dtype.is_complex else (1.0,)


def _numerical(
    func: Function, inputs: Tensors, one: Any, number: int, eps: float, output: Any
) -> list[Any]:
    """Return how an output changes with each element of an input: both flat, real parts first."""
    columns: list[Any] = []
    for index in range(one.numel()):
        for step in _steps(one.spec):
            values = [
                _moved_output(func, inputs, one, index, step * sign * eps, number)
                for sign in (-1, 1)
            ]
            columns.append(_as_real((values[1] - values[0]) / (2 * eps)))
    return columns


def _check_constant(func: Function, inputs: Tensors, wanted: Sequence[Any], eps: float) -> None:
    """Refuse a function that changes with an input though no output has a gradient."""
    for one in wanted:
        for index in range(one.numel()):
            before, after = (
                _numbers(
                    func(
                        *[
                            _moved(one, index, sign * eps) if each is one else each
                            for each in inputs
                        ]
                    )
                )
                for sign in (-1, 1)
            )
            if any(bool((a != b).any()) for a, b in zip(before, after, strict=True)):
                raise GradcheckError("Numerical gradient for function expected to be zero")


def _numbers(outputs: Any) -> Tensors:
    """Return those outputs that could have a gradient by their dtype."""
    found = (outputs,) if is_tensor(outputs) else tuple(outputs)
    tensors = [each for each in found if is_tensor(each)]
    return tuple(each.detach() for each in tensors if each.is_floating_point() or each.is_complex())


def _as_real(flat: Any) -> Any:
    """Return the parts of elements, real ones before imaginary ones."""
    if not flat.is_complex():
        return flat
    return LANGUAGE.call("cat", [flat.real, flat.imag])


def _moved(one: Any, index: int, by: complex) -> Any:
    """Return an input of which one element is another."""
    moved = one.detach().clone()
    with no_grad():
        place = _position(index, tuple(moved.shape))
        moved[place] += by.real if not moved.is_complex() else by
    return moved.requires_grad_()


def _moved_output(
    func: Function, inputs: Tensors, one: Any, index: int, by: complex, number: int
) -> Any:
    """Return an output, flat, where one element of an input is another."""
    moved = _moved(one, index, by)
    values = [moved if each is one else each for each in inputs]
    with enable_grad():
        outputs = _differentiable(func(*values))
    return outputs[number].detach().clone().reshape(-1)


def _position(index: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the indices of an element by its number."""
    found: list[int] = []
    for size in reversed(shape):
        found.append(index % size)
        index //= size
    return tuple(reversed(found))


def _analytical(output: Any, wanted: list[Any]) -> list[list[Any]]:
    """Return for each input what gradients say: a flat output for each element of the input."""
    rows: list[list[Any]] = []
    flat_size = output.numel()
    for step in _steps(output.spec):
        for index in range(flat_size):
            weights = output.detach().new_zeros(flat_size)
            weights[index] = step if output.is_complex() else 1.0
            found = grad(
                output, wanted, weights.reshape(output.shape), retain_graph=True, allow_unused=True
            )
            rows.append(
                [
                    (one.detach().new_zeros(one.shape) if each is None else each).reshape(-1)
                    for each, one in zip(found, wanted, strict=True)
                ]
            )
    return [_columns([row[number] for row in rows]) for number in range(len(wanted))]


def _columns(rows: list[Any]) -> list[Any]:
    """Return the transpose of gradients, one for each element of an output."""
    matrix = LANGUAGE.call("stack", rows)
    columns: list[Any] = []
    for index in range(matrix.shape[1]):
        column = matrix[:, index]
        columns += [column.real, column.imag] if column.is_complex() else [column]
    return columns
