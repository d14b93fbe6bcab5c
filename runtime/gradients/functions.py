"""What is an operation with a gradient of the user's own? `autograd.Function`, one node of a graph.

Its `forward` runs without being recorded; what it returns leads to the node, whose gradients are
what `backward` makes of those of the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from typing import Any, NoReturn, cast

from ...dialects.diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from ...dialects.frames import warn_user
from . import anomaly
from .contexts import FunctionCtx
from .engine import is_pushing
from .graph import Edge, Node, Result, named, set_history
from .leaves import edge_of
from .levels import TransformingError
from .modes import is_grad_enabled, no_grad, set_grad
from .pushing import pushed
from .state import is_tensor, state_of
from .views import CUSTOM, note_view, written

_INSTANTIATED = (
    "{0} should not be instantiated. Methods on autograd functions are all static, so you should "
    "invoke them on the class itself. Instantiating an autograd function will raise an error in a "
    "future version of PyTorch."
)
_LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
    "autograd function with static forward method. (Example: "
    "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)
_NO_FORWARD = "You must implement the forward function for custom autograd.Function."
_NO_BACKWARD = (
    "You must implement either the backward or vjp method for your custom autograd.Function to use "
    "it with backward mode AD."
)
_NO_JVP = (
    "You must implement the jvp function for custom autograd.Function to use it with forward mode "
    "AD."
)
_BOTH = (
    "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
    "implement one of them."
)
_NOT_SEPARATE = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
    "...), it must override the setup_context staticmethod. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
_NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The "
    "inputs that are modified inplace must all be outputs of the Function."
)
#: What marks a `backward` that is differentiated once.
ONCE = "is_once_differentiable"
_TWICE = "trying to differentiate twice a function that was marked with @once_differentiable"


class FunctionNode(Node):
    """The node of a user's function: gradients by its `backward`."""

    __slots__ = ("_ctx", "_function", "_inputs")
    _ctx: FunctionCtx

    def __init__(
        self,
        function: type[Function],
        ctx: FunctionCtx,
        edges: Sequence[Edge | None],
        inputs: Mapping[int, Any],
        results: Sequence[Result],
    ) -> None:
        """Lead to those arguments that are tensors: their specs, by their positions."""
        super().__init__(edges, results)
        self._function, self._ctx, self._inputs = function, ctx, inputs

    def release(self) -> None:
        """Forget what was saved."""
        self._ctx.release_saved()

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Run the function's own `backward`; where gradients are pushed, lead to its `jvp`."""
        jvp = self._function.jvp
        if is_pushing():
            if jvp is Function.jvp:
                raise TrilithNotImplementedError(_NO_JVP)
            return pushed(type(self).__name__, jvp, self._ctx, self._inputs, gradients)
        run = _backward_of(self._function)
        if self._ctx.materialize_grads:
            gradients = self._filled(gradients)
        found: Any = run(self._ctx, *gradients)
        given = cast("tuple[Any, ...]", found if isinstance(found, tuple) else (found,))
        count = len(self._ctx.needs_input_grad)
        if len(given) > count and all(each is None for each in given[count:]):
            given = given[:count]
        if len(given) != count:
            if count > 1 and given == (None,):
                return [None] * len(self.edges)
            raise TrilithRuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected "
                f"{count}, got {len(given)})"
            )
        self._check(given)
        return [given[position] for position in self._inputs]

    def _filled(self, gradients: list[Any]) -> list[Any]:
        """Return gradients with zeros in the place of those that do not exist."""
        some = next(each for each in gradients if each is not None)
        return [
            each
            if each is not None or result.spec is None
            else some.new_zeros(
                result.spec.shape, dtype=result.spec.dtype, device=result.spec.device
            )
            for each, result in zip(gradients, self.results, strict=True)
        ]

    def _check(self, given: Sequence[Any]) -> None:
        for position, gradient in enumerate(given):
            if gradient is None:
                continue
            if not is_tensor(gradient):
                raise TrilithRuntimeError(
                    f"expected Variable or None (got {type(gradient).__name__})"
                )
            if position not in self._inputs:
                raise TrilithRuntimeError(
                    f"function {self.name()} returned a gradient different than None at position "
                    f"{position + 1}, but the corresponding forward input was not a Variable"
                )

    def __getattr__(self, name: str) -> Any:
        """Return what the function has left in its context."""
        if name.startswith("__") or name in ("_ctx", "_function", "_inputs"):
            raise AttributeError(name)
        return getattr(self._ctx, name)


def _backward_of(function: type[Function]) -> Callable[..., Any]:
    """Return what computes the gradients of a function's inputs."""
    has_backward = function.backward is not Function.backward
    has_vjp = function.vjp is not Function.vjp
    if has_backward and has_vjp:
        raise TrilithRuntimeError(_BOTH)
    return function.vjp if has_vjp else function.backward


class Function:
    """An operation of one's own, with its gradient: subclasses say `forward` and `backward`.

    `forward(ctx, *args)` computes; or `forward(*args)` does, and `setup_context(ctx, inputs,
    output)` keeps what `backward` needs. `backward(ctx, *grads)` gives a gradient for each input.

    >>> import trilith as tri
    >>> class Cube(tri.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**3
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 3 * x**2 * grad
    >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
    >>> y = Cube.apply(x)
    >>> y.sum().backward()
    >>> y, x.grad
    (tensor([1., 8.], grad_fn=<CubeBackward>), tensor([ 3., 12.]))
    """

    #: Whether mappings such as `vmap` may run `forward` and `backward` on tensors that stand for
    #: many, in the place of a rule `vmap`.
    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Warn: nothing but the class is of use."""
        warn_user(_INSTANTIATED.format(type(self)), DeprecationWarning)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse what was a call long ago."""
        raise TrilithRuntimeError(_LEGACY)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the results."""
        raise TrilithNotImplementedError(_NO_FORWARD)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep what `backward` needs of inputs and results."""
        raise TrilithNotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradients of the inputs, given those of the results."""
        raise TrilithNotImplementedError(_NO_BACKWARD)

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradients of the inputs: another name of `backward`."""
        raise TrilithNotImplementedError(_NO_BACKWARD)

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return how the results change with the inputs in a direction."""
        raise TrilithNotImplementedError(_NO_JVP)

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None, ...], *args: Any) -> Any:
        """Return the results of many calls at once, and the dims in which they lie."""
        raise TrilithNotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or "
            "set generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run `forward`, and record it."""
        is_separate = cls.setup_context is not Function.setup_context
        if not is_separate and any(map(_is_transformed, args)):
            raise TransformingError(_NOT_SEPARATE)
        ctx: FunctionCtx = type(f"{cls.__name__}Backward", (FunctionCtx,), {})()
        if kwargs or is_separate:
            first = () if is_separate else (ctx,)
            bound = signature(cls.forward).bind(*first, *args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args[len(first) :], bound.kwargs
        mapping = _mapping_of(args) if is_separate else None
        if mapping is not None and mapping[1]:
            return mapping[0].layer.call_custom(mapping[0], cls, args)
        ctx.needs_input_grad = tuple(is_tensor(each) and each.requires_grad for each in args)
        output = None if mapping is None else _below(cls, mapping[0], args)
        with set_grad(is_enabled=False):
            if mapping is None:
                output = cls.forward(*args, **kwargs) if is_separate else cls.forward(ctx, *args)
            if is_separate:
                cls.setup_context(ctx, args, output)
        return _recorded(cls, ctx, args, output)


def _is_transformed(value: Any) -> bool:
    """Whether a value is one that a transformation such as `func.grad` has made."""
    if not is_tensor(value):
        return False
    found = state_of(value)
    return value.batch_level is not None or (found is not None and found.level > 0)


def _mapping_of(args: Sequence[Any]) -> tuple[Any, bool] | None:
    """Return the innermost mapping of arguments, and whether no gradient is of a level above it."""
    tensors: list[Any] = [each for each in args if is_tensor(each)]
    mappings = [each.mapping for each in tensors if each.batch_level is not None]
    if not mappings:
        return None
    innermost = max(mappings, key=lambda mapping: mapping.level)
    levels = [found.level for each in tensors if (found := state_of(each)) is not None]
    return innermost, all(level < innermost.level for level in levels)


def _below(function: type[Function], mapping: Any, args: Sequence[Any]) -> Any:
    """Return what a function gives where only a mapping and what is around it know of arguments."""
    plain = [_without_level(each, mapping.level) for each in args]
    output = function.apply(*plain)
    for given, each in zip(args, plain, strict=True):
        if output is each:
            return given
    if isinstance(output, tuple):
        own = {id(each): given for given, each in zip(args, plain, strict=True) if is_tensor(each)}
        return tuple(own.get(id(each), each) for each in cast("tuple[Any, ...]", output))
    return output


def _without_level(value: Any, level: int) -> Any:
    """Return a tensor without the gradient of a level above another one."""
    found = state_of(value) if is_tensor(value) else None
    return value.without_gradient() if found is not None and found.level > level else value


def _recorded(
    function: type[Function], ctx: FunctionCtx, args: tuple[Any, ...], output: Any
) -> Any:
    """Return what `forward` has returned, as results of a node if an input wants a gradient."""
    is_tuple = isinstance(output, tuple)
    outputs: list[Any] = list(cast("Any", output)) if is_tuple else [output]
    for position, tensor in enumerate(ctx.to_save):
        if tensor is not None and not is_tensor(tensor):
            raise TrilithTypeError(
                "save_for_backward can only save variables, but argument "
                f"{position} is of type {type(tensor).__name__}"
            )
    if any(all(each is not dirty for each in outputs) for dirty in ctx.dirty_tensors):
        raise TrilithRuntimeError(_NOT_RETURNED)
    inputs = {position: each.spec for position, each in enumerate(args) if is_tensor(each)}
    edges = [edge_of(args[position]) if is_grad_enabled() else None for position in inputs]
    results = [_of_its_own(ctx, args, each) for each in outputs]
    if any(edges):
        node = named(FunctionNode, f"{function.__name__}Backward")(
            function, ctx, edges, inputs, [_result(each) for each in results]
        )
        node.level = max(edge.node.level for edge in edges if edge is not None)
        anomaly.remember(node)
        for number, pair in enumerate(zip(outputs, results, strict=True)):
            _lead(node, number, ctx, *pair, args)
        ctx.save_now(node, outputs, is_pushed=function.jvp is not Function.jvp)
    return tuple(results) if is_tuple else results[0]


def _of_its_own(ctx: FunctionCtx, args: tuple[Any, ...], output: Any) -> Any:
    """Return a result that is no input: one that was handed back is another tensor of the same."""
    if not is_tensor(output):
        return output
    if any(output is dirty for dirty in ctx.dirty_tensors):
        output.bump()
        return output
    if any(output is each for each in args):
        return output.without_gradient()
    return output


def _result(value: Any) -> Result:
    if not is_tensor(value):
        return Result(None, None)
    spec = value.spec
    return Result(spec, spec.dtype if _has_gradients(spec) else None)


def _has_gradients(spec: Any) -> bool:
    return spec.dtype.is_floating_point or spec.dtype.is_complex


def _lead(
    node: Node, number: int, ctx: FunctionCtx, output: Any, result: Any, args: tuple[Any, ...]
) -> None:
    """Let a result lead to the node, unless it has no gradient."""
    if not is_tensor(result) or not _has_gradients(result.spec):
        return
    if any(output is each for each in ctx.non_differentiable):
        return
    found = state_of(result)
    if any(result is dirty for dirty in ctx.dirty_tensors):
        if found is not None and found.requires_grad and found.node is None:
            raise TrilithRuntimeError(
                "a leaf Variable that requires grad has been used in an in-place operation."
            )
        written(result, node, number)
        return
    if result is not output:
        note_view(result, output, _same, f":{CUSTOM}")
    elif found is not None and found.view is not None:
        found.view.refusal = f":{CUSTOM}"
    set_history(result, node, number)


def _same(whole: Any) -> Any:
    """See all of a tensor."""
    return whole.alias()


class _Twice(Node):
    """The node of gradients that cannot be differentiated again."""

    __slots__ = ()

    def backward(self, gradients: list[Any]) -> NoReturn:
        """Say so."""
        raise TrilithRuntimeError(_TWICE)


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `backward` whose gradients cannot be differentiated again, which is an error."""

    @wraps(fn)
    def run(ctx: Any, *gradients: Any) -> Any:
        with no_grad():
            found = fn(ctx, *gradients)
        edges = [edge_of(each) if is_tensor(each) else None for each in gradients]
        if not is_grad_enabled() or not any(edges):
            return found
        is_tuple = isinstance(found, tuple)
        given = cast("tuple[Any, ...]", found if is_tuple else (found,))
        made = [each.without_gradient() if is_tensor(each) else each for each in given]
        node = named(_Twice, "torch::autograd::Error")(edges, [_result(each) for each in made])
        for number, each in enumerate(made):
            if is_tensor(each):
                set_history(each, node, number)
        return tuple(made) if is_tuple else made[0]

    # What is made of the function for many examples at once is marked, too.
    setattr(run, ONCE, True)
    return run
