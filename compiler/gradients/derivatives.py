"""What are the derivatives of a function at a point? The functions of `autograd.functional`.

They run a function on its inputs, which require gradients meanwhile, and go back through its graph.
Directions forwards are found by going back twice: a gradient is linear in that of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from ...dialects.diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from ...runtime.gradients.calls import grad
from ...runtime.gradients.modes import enable_grad, is_grad_enabled
from ...runtime.gradients.state import is_tensor
from .directions import linear_part
from .jacobians import cut_apart, directions_along, found_forwards
from .language import LANGUAGE
from .pulling import check_dtypes

Function = Callable[..., Any]
Tensors = tuple[Any, ...]

_STRATEGY = (
    'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has '
    'more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to '
    'use "reverse-mode".'
)
_FORWARD_ALONE = (
    "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for "
    "`vectorize=True`."
)
_FORWARD_OF_GRAPH = (
    'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are '
    "not supported together (yet). Please either set `create_graph=False` or "
    '`strategy="reverse-mode"`.'
)
_STRICT_ALONE = (
    "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported "
    "together. Please either set `strict=False` or `vectorize=False`."
)


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """Return the derivatives of every element of a function's result by every element of inputs.

    A tensor of shape `output.shape + input.shape`; of several inputs or outputs, nested tuples of
    them. To `vectorize` is to find all at once, of complex outputs too; then the `strategy` may be
    forwards, which moves the inputs.

    >>> import trilith as tri
    >>> tri.autograd.functional.jacobian(lambda x: x * x, tri.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise TrilithValueError(_STRATEGY)
    if strategy == "forward-mode" and not vectorize:
        raise TrilithNotImplementedError(_FORWARD_ALONE)
    if strict and vectorize:
        raise TrilithRuntimeError(_STRICT_ALONE)
    if strategy == "forward-mode":
        if create_graph:
            raise TrilithNotImplementedError(_FORWARD_OF_GRAPH)
        return _forwards(func, inputs)
    with enable_grad():
        given, is_tuple = _tensors(inputs, "inputs", "jacobian")
        wanted = _prepared(given, create_graph)
        outputs, is_output_tuple = _outputs(func, wanted, "jacobian", strict)
        if vectorize:
            rows = _rows_at_once(outputs, wanted, create_graph)
        else:
            rows = [
                _rows(number, output, wanted, create_graph, strict)
                for number, output in enumerate(outputs)
            ]
    parts = tuple(row if is_tuple else row[0] for row in rows)
    return parts if is_output_tuple else parts[0]


def _forwards(func: Function, inputs: Any) -> Any:
    """Return derivatives found forwards: laid out by inputs, nested in lists as in PyTorch."""
    given, is_tuple = _tensors(inputs, "inputs", "jacobian")
    for each in given:
        check_dtypes(each, each)
    plain = tuple(each.detach() for each in given)
    value, push, _ = linear_part(func, plain)
    outputs, is_output_tuple = _tensors(value, "outputs of the user-provided function", "jacobian")
    found = found_forwards(push, outputs, plain)
    parts: Any = found if is_tuple else tuple(row[0] for row in found)
    return parts if is_output_tuple else parts[0]


def _grad_of_pairs(
    pairs: Sequence[tuple[Any, Any]],
    wanted: Tensors,
    create_graph: bool,
    *,
    is_grads_batched: bool = False,
) -> Sequence[Any]:
    """Return the gradients of outputs, each with its direction; None for what they do not use."""
    return grad(
        [output for output, _ in pairs],
        wanted,
        [direction for _, direction in pairs],
        retain_graph=True,
        create_graph=create_graph,
        allow_unused=True,
        is_grads_batched=is_grads_batched,
    )


def _rows_at_once(outputs: Tensors, wanted: Tensors, create_graph: bool) -> list[Tensors]:
    """Return what `_rows` does of each output, all at once: for gradients of 1, complex or not."""
    sizes = [output.numel() for output in outputs]
    directions = zip(outputs, directions_along(outputs), strict=True)
    pairs = [pair for pair in directions if pair[0].requires_grad]
    found: Sequence[Any] = (None,) * len(wanted)
    if pairs and sum(sizes):
        found = _grad_of_pairs(pairs, wanted, create_graph, is_grads_batched=True)
    columns: list[list[Any]] = []
    for each, one in zip(found, wanted, strict=True):
        if each is None:
            each = one.detach().new_zeros(one.shape).expand(sum(sizes), *one.shape)
        blocks = zip(outputs, cut_apart(each, 0, sizes), strict=True)
        column = [
            LANGUAGE.call("view", block, (*output.shape, *one.shape)) for output, block in blocks
        ]
        columns.append(_finished(column, create_graph))
    return list(zip(*columns, strict=True))


def _rows(number: int, output: Any, wanted: Tensors, create_graph: bool, strict: bool) -> Tensors:
    """Return the derivatives of the elements of one output by those of each input."""
    flat = output.reshape(-1)
    found = [
        _gradients((flat[index],), wanted, None, create_graph, strict, f"Output {number}")
        for index in range(output.numel())
    ]
    columns: list[Any] = []
    for number, one in enumerate(wanted):
        column = [row[number] for row in found]
        whole = LANGUAGE.call("stack", column) if column else one.new_zeros((0, *one.shape))
        columns.append(whole.reshape((*output.shape, *one.shape)))
    return tuple(_finished(columns, create_graph))


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """Return the second derivatives of a function of one element by the elements of inputs.

    >>> import trilith as tri
    >>> tri.autograd.functional.hessian(lambda x: (x**3).sum(), tri.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    given, is_tuple = _tensors(inputs, "inputs", "hessian")

    def of_scalar(*arguments: Any) -> Any:
        output = func(*arguments)
        _check_scalar(output, "hessian")
        return output.squeeze()

    def first(*arguments: Any) -> Any:
        found = jacobian(of_scalar, arguments, create_graph=True)
        return found if is_tuple else found[0]

    found = jacobian(
        first,
        given,
        create_graph=create_graph,
        strict=strict,
        vectorize=vectorize,
        strategy=outer_jacobian_strategy,
    )
    return found if is_tuple else found[0]


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return a function's result, and the gradients of its inputs for `v`, that of the result.

    >>> import trilith as tri
    >>> tri.autograd.functional.vjp(lambda x: x * x, tri.tensor([1.0, 2.0]), tri.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        given, is_tuple = _tensors(inputs, "inputs", "vjp")
        wanted = _prepared(given, create_graph)
        outputs, is_output_tuple = _outputs(func, wanted, "vjp", strict)
        directions = _directions(v, outputs, "vjp", is_output_tuple)
        found = _gradients(outputs, wanted, directions, create_graph, strict)
    return _both(outputs, is_output_tuple, found, is_tuple, create_graph)


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return a function's result, and how it changes with the inputs in the direction `v`.

    >>> import trilith as tri
    >>> tri.autograd.functional.jvp(lambda x: x * x, tri.tensor([1.0, 2.0]), tri.ones(2))
    (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        given, is_tuple = _tensors(inputs, "inputs", "jvp")
        directions = _directions(v, given, "jvp", is_tuple)
        wanted = _prepared(given, create_graph)
        outputs, is_output_tuple = _outputs(func, wanted, "jvp", strict)
        weights = tuple(each.new_zeros(each.shape).requires_grad_() for each in outputs)
        pulled = _gradients(outputs, wanted, weights, True, strict)
        found = _gradients(pulled, weights, directions, create_graph, strict)
    return _both(outputs, is_output_tuple, found, is_output_tuple, create_graph)


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return a function's result, of one element, and `v` times its second derivatives.

    >>> import trilith as tri
    >>> tri.autograd.functional.vhp(lambda x: (x**3).sum(), tri.tensor([1.0, 2.0]), tri.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return _second("vhp", func, inputs, v, create_graph, strict)


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """Return a function's result, of one element, and its second derivatives times `v`.

    >>> import trilith as tri
    >>> tri.autograd.functional.hvp(lambda x: (x**3).sum(), tri.tensor([1.0, 2.0]), tri.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return _second("hvp", func, inputs, v, create_graph, strict)


def _second(
    name: str, func: Function, inputs: Any, v: Any, create_graph: bool, strict: bool
) -> tuple[Any, Any]:
    """Return a result and the product of second derivatives, which are symmetric, with `v`."""
    with enable_grad():
        given, is_tuple = _tensors(inputs, "inputs", name)
        directions = _directions(v, given, name, is_tuple)
        wanted = _prepared(given, create_graph)
        outputs, is_output_tuple = _outputs(func, wanted, name, strict)
        if is_output_tuple:
            raise TrilithRuntimeError(f"The function given to {name} should return a single Tensor")
        _check_scalar(outputs[0], name)
        first = _gradients(outputs, wanted, None, True, strict)
        found = _gradients(first, wanted, directions, create_graph, strict)
    return _both(outputs, is_output_tuple, found, is_tuple, create_graph)


# ---- what they share


def _tensors(values: Any, what: str, name: str) -> tuple[Tensors, bool]:
    """Return tensors as a tuple, and whether they were one; refuse anything else."""
    is_tuple = isinstance(values, tuple)
    found = cast("Tensors", values if is_tuple else (values,))
    for index, each in enumerate(found):
        if not is_tensor(each):
            which = f"value at index {index}" if is_tuple else f"given {what}"
            raise TrilithTypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the "
                f"{which} has type {type(each)}."
            )
    return found, is_tuple


def _outputs(func: Function, wanted: Tensors, name: str, strict: bool) -> tuple[Tensors, bool]:
    """Run a function; return its results as a tuple, and whether they were one."""
    found, is_tuple = _tensors(func(*wanted), "outputs of the user-provided function", name)
    for index, each in enumerate(found):
        if strict and not each.requires_grad:
            raise TrilithRuntimeError(
                f"Output {index} of the user-provided function does not require gradients. The "
                "outputs must be computed in a differentiable manner from the input when running "
                "in strict mode."
            )
    return found, is_tuple


def _prepared(given: Tensors, create_graph: bool) -> Tensors:
    """Return inputs that require gradients; those of a graph stay part of it."""
    return tuple(
        each.view_as(each)
        if create_graph and each.requires_grad
        else each.detach().requires_grad_()
        for each in given
    )


def _directions(v: Any, like: Tensors, name: str, is_tuple: bool) -> Tensors:
    """Return the given directions, or 1 for a tensor of one element."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise TrilithRuntimeError(
                "The vector v can only be None if "
                + (
                    "the user-provided function returns a single Tensor with a single element."
                    if name == "vjp"
                    else "the input to the user-provided function is a single Tensor with a single "
                    "element."
                )
            )
        return (like[0].detach().new_ones(like[0].shape),)
    found, _ = _tensors(v, "v", name)
    if len(found) != len(like):
        raise TrilithRuntimeError(
            f"v is a tuple of invalid length: should be {len(like)} but got {len(found)}."
            if is_tuple
            else f"The given v should contain a single Tensor, but got {len(found)}."
        )
    for index, (one, other) in enumerate(zip(found, like, strict=True)):
        if one.shape != other.shape:
            prefix = f"Entry {index} in " if is_tuple else ""
            raise TrilithRuntimeError(
                f"{prefix}v has invalid size: should be {other.shape} but got {one.shape}."
            )
    return found


def _check_scalar(output: Any, name: str) -> None:
    if not is_tensor(output):
        raise TrilithRuntimeError(f"The function given to {name} should return a single Tensor")
    if output.numel() != 1:
        raise TrilithRuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )


def _gradients(
    outputs: Tensors,
    wanted: Tensors,
    directions: Tensors | None,
    create_graph: bool,
    strict: bool,
    what: str = "The output",
) -> Tensors:
    """Return the gradients of inputs, zeros where an output does not depend on one.

    `what` the output is called where that is refused.
    """
    given = [None] * len(outputs) if directions is None else directions
    pairs = [pair for pair in zip(outputs, given, strict=True) if pair[0].requires_grad]
    found: Sequence[Any] = (None,) * len(wanted)
    if pairs:
        found = _grad_of_pairs(pairs, wanted, create_graph)
    for index, each in enumerate(found):
        if each is None and strict:
            raise TrilithRuntimeError(
                f"{what} of the user-provided function is independent of input {index}. This is "
                "not allowed in strict mode."
            )
    return tuple(
        one.detach().new_zeros(one.shape) if each is None else each
        for each, one in zip(found, wanted, strict=True)
    )


def _both(
    outputs: Tensors, is_output_tuple: bool, found: Tensors, is_tuple: bool, create_graph: bool
) -> tuple[Any, Any]:
    """Return results and what was found of them, each as it was given."""
    values = _finished(outputs, create_graph)
    derivatives = _finished(found, create_graph)
    return (
        tuple(values) if is_output_tuple else values[0],
        tuple(derivatives) if is_tuple else derivatives[0],
    )


def _finished(tensors: Sequence[Any], create_graph: bool) -> list[Any]:
    """Return tensors without what leads to inputs that nobody knows."""
    if create_graph and is_grad_enabled():
        return list(tensors)
    return [each if create_graph else each.detach() for each in tensors]
