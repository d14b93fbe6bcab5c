"""How is a gradient asked for? `backward` adds to leaves, `grad` returns what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from ...dialects.diagnostics import (
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from ...dialects.frames import warn_once, warn_user
from .engine import run_backward
from .graph import Edge, GradientEdge
from .leaves import accumulate, edge_of, nodes_behind
from .levels import TransformingError, is_transforming
from .recording import mapped
from .saved import is_keeping
from .state import is_tensor

_CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)
_ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
    "gradient for other parts of the graph, please use torch.autograd.backward."
)
_BATCHED = (
    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch "
    "dimension. The sizes of the remaining dimensions are expected to match the shape of "
    "corresponding output, but a mismatch was detected: grad_output[{0}] has a shape of {1} and "
    "output[{0}] has a shape of {2}. If you only want some tensors in `grad_output` to be "
    "considered batched, consider using vmap."
)
_UNUSED = (
    "The differentiated Tensor at index {} appears to not have been used in the graph. Set "
    "allow_unused=True if this is the desired behavior."
)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of tensors to the `grad` of the leaves they were computed from.

    `grad_tensors` are the gradients of the tensors, None for one of a tensor with one element.
    With `inputs` only these get a `grad`. Raises TrilithRuntimeError where there is no graph.

    >>> import trilith as tri
    >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
    >>> tri.autograd.backward([x.sum(), (x * x).sum()])
    >>> x.grad
    tensor([3., 5.])
    """
    if is_transforming():
        raise TransformingError(
            "backward() called inside a functorch transform. This is not supported, please use "
            "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
            "transforms."
        )
    wanted: list[Any] | None = None
    if inputs is not None:
        wanted = [inputs] if hasattr(inputs, "spec") else list(inputs)
        if not wanted:
            raise TrilithRuntimeError("`inputs` argument to `backward()` cannot be empty.")
    given = grad_variables if grad_tensors is None else grad_tensors
    roots = _roots(_tuple(tensors), given)
    keeps = create_graph if retain_graph is None else retain_graph
    if create_graph:
        warn_once(_CYCLE)
    if wanted is None:
        run_backward(roots, keeps_graph=keeps, is_recorded=create_graph)
        return
    edges = [_wanted_edge(each) for each in wanted]
    found = run_backward(
        roots, edges, keeps_graph=keeps, is_recorded=create_graph, visits_captures=True
    )
    for tensor, gradient in zip(wanted, found, strict=True):
        if gradient is not None:
            accumulate(tensor, gradient, is_alone=False)


def _wanted_edge(tensor: Any) -> Edge:
    edge = edge_of(tensor)
    if edge is None:
        raise TrilithRuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    return edge


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
    only_inputs: bool = True,
) -> tuple[Any, ...]:
    """Return the gradients of the sum of outputs with respect to each input.

    No `grad` changes. What an input does not lead to is None if that is allowed, and zeros if they
    are to be materialised. With `create_graph` gradients can be taken of the gradients.

    >>> import trilith as tri
    >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
    >>> (first,) = tri.autograd.grad((x**3).sum(), x, create_graph=True)
    >>> tri.autograd.grad(first.sum(), x)
    (tensor([ 6., 12.]),)
    """
    if materialize_grads and allow_unused is False:
        raise TrilithValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    if not only_inputs:
        warn_user(_ONLY_INPUTS, FutureWarning)
    allow_unused = materialize_grads if allow_unused is None else allow_unused
    keys: list[Any] | None = None
    if isinstance(inputs, dict):
        named = cast("dict[Any, Any]", inputs)
        keys, inputs = list(named), tuple(named.values())
    wanted = _tuple(inputs)
    targets = _tuple(outputs)
    keeps = create_graph if retain_graph is None else retain_graph
    for each in wanted:
        if not is_tensor(each) and not isinstance(each, GradientEdge):
            raise TrilithRuntimeError(
                f"all inputs have to be Tensors or GradientEdges, but got {type(each).__name__}"
            )
    if not wanted:
        raise TrilithRuntimeError("`inputs` argument to `grad()` cannot be empty.")

    def run(gradients: Any, keeps_graph: bool) -> tuple[Any, ...]:
        roots = _roots(targets, gradients)
        edges = [_differentiated(each) for each in wanted]
        # A gradient moves with what it is computed from: its graph is how that is known.
        is_moved = not create_graph and is_keeping()
        found = run_backward(
            roots,
            edges,
            keeps_graph=keeps_graph or is_moved,
            is_recorded=create_graph or is_moved,
        )
        return tuple(map(_if_moving, found) if is_moved else found)

    if is_grads_batched and grad_outputs is not None:
        found = _batched(run, targets, grad_outputs, keeps)
    else:
        found = run(grad_outputs, keeps)
    if not allow_unused:
        for index, gradient in enumerate(found):
            if gradient is None:
                raise TrilithRuntimeError(_UNUSED.format(index))
    if materialize_grads:
        pairs = zip(found, wanted, strict=True)
        found = tuple(_zeros(one) if gradient is None else gradient for gradient, one in pairs)
    return found if keys is None else cast("Any", dict(zip(keys, found, strict=True)))


def _if_moving(gradient: Any) -> Any:
    """Return a gradient, without its graph unless that leads to a value that moves."""
    if gradient is None or any(node.is_moving for node in nodes_behind(gradient)):
        return gradient
    return gradient.without_gradient()


def _zeros(tensor: Any) -> Any:
    return tensor.without_gradient().new_zeros(tensor.shape)


def _batched(
    run: Callable[[Any, bool], tuple[Any, ...]], targets: Sequence[Any], gradients: Any, keeps: bool
) -> tuple[Any, ...]:
    """Run for each index of dim 0 of gradients, all at once."""
    given = _tuple(gradients)
    for index, (one, target) in enumerate(zip(given, targets, strict=False)):
        if one is not None and tuple(one.shape[1:]) != tuple(target.shape):
            # PyTorch names the shape of the first row of the first example.
            raise TrilithRuntimeError(_BATCHED.format(index, one.shape[2:], target.shape))
    unused: list[bool] = []

    def of_one(*each: Any) -> tuple[Any, ...]:
        rest = iter(each)
        found = run(tuple(None if one is None else next(rest) for one in given), keeps)
        unused[:] = [gradient is None for gradient in found]
        return tuple(gradient for gradient in found if gradient is not None)

    results = iter(mapped(of_one)(*(one for one in given if one is not None)))
    return tuple(None if is_unused else next(results) for is_unused in unused)


def _differentiated(tensor: Any) -> Edge:
    if isinstance(tensor, GradientEdge):
        return Edge(tensor.node, tensor.output_nr)
    edge = edge_of(tensor)
    if edge is None:
        raise TrilithRuntimeError("One of the differentiated Tensors does not require grad")
    return edge


def _tuple(value: Any) -> tuple[Any, ...]:
    if hasattr(value, "spec") or isinstance(value, GradientEdge):
        return (value,)
    return tuple(value)


def _roots(tensors: tuple[Any, ...], gradients: Any) -> list[tuple[Edge, Any]]:
    """Return where gradients start, and what they are there."""
    given = _given(len(tensors), gradients)
    for each in given:
        _check_gradient(each)
    if len(given) != len(tensors):
        raise TrilithRuntimeError(f"got {len(tensors)} tensors and {len(given)} gradients")
    roots: list[tuple[Edge, Any]] = []
    made = [
        first_gradient(index, *pair) for index, pair in enumerate(zip(tensors, given, strict=True))
    ]
    for index, (tensor, gradient) in enumerate(zip(tensors, made, strict=True)):
        if isinstance(tensor, GradientEdge):
            roots.append((Edge(tensor.node, tensor.output_nr), gradient))
            continue
        edge = edge_of(tensor)
        if edge is None:
            raise TrilithRuntimeError(
                f"element {index} of tensors does not require grad and does not have a grad_fn",
                hint="give what it is computed from requires_grad=True, outside of tri.no_grad()",
            )
        roots.append((edge, gradient))
    return roots


def _given(count: int, gradients: Any) -> tuple[Any, ...]:
    if gradients is None:
        return (None,) * count
    if hasattr(gradients, "spec"):
        return (gradients,)
    return tuple(gradients)


def _check_gradient(gradient: Any) -> None:
    if gradient is not None and not is_tensor(gradient):
        raise TrilithTypeError(
            f"gradients can be either Tensors or None, but got {type(gradient).__name__}"
        )


def _spec_of(output: Any) -> Any:
    """Return the spec of an output, which may be a place in a graph."""
    if isinstance(output, GradientEdge):
        return output.node.results[output.output_nr].spec
    return output.spec


def first_gradient(index: int, tensor: Any, gradient: Any) -> Any:
    """Return the gradient of an output: what was given, or 1."""
    spec = _spec_of(tensor)
    if gradient is None:
        if not tensor.requires_grad:
            return None
        if spec.numel != 1:
            raise TrilithRuntimeError("grad can be implicitly created only for scalar outputs")
        if spec.dtype.is_complex:
            raise TrilithRuntimeError(
                "grad can be implicitly created only for real scalar outputs but got "
                f"{spec.dtype!r}"
            )
        return tensor.without_gradient().new_ones(spec.shape)
    _check_gradient(gradient)
    found = gradient.spec
    if found.shape != spec.shape:
        raise TrilithRuntimeError(
            f"Mismatch in shape: grad_output[{index}] has a shape of {gradient.shape} and "
            f"output[{index}] has a shape of {tensor.shape}."
        )
    if found.dtype.is_complex != spec.dtype.is_complex:
        raise TrilithRuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. "
            f"Mismatch in dtype: grad_output[{index}] has a dtype of {found.dtype!r} and "
            f"output[{index}] has a dtype of {spec.dtype!r}."
        )
    return gradient if found.dtype is spec.dtype else gradient.to(spec.dtype)
