"""How is a user's own function mapped? By its rule `vmap`, or by running it on all examples.

Both are calls at the level below the mapping: there the function is recorded for the gradients
around. Without a rule that is a call of another function, whose `forward`, `backward` and `jvp` run
those of the user within mappings of their own, as they are called when this one may be over.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from ...dialects.diagnostics import TrilithRuntimeError
from ...runtime.gradients.contexts import FunctionCtx
from ...runtime.gradients.functions import ONCE, Function, once_differentiable
from ...runtime.gradients.levels import level
from ...runtime.tensors.fields import TensorFields
from ..trace.layers import LAYERS
from .batched import BatchedTensor, Mapping
from .trees import spread, taken_apart

_MORE = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
_BOTH = (
    "You tried to vmap over {0}, but it has both generate_vmap_rule=True and an overridden vmap "
    "staticmethod. Please set generate_vmap_rule=False or delete the overridden vmap staticmethod "
    f"to avoid ambiguity. {_MORE}"
)
_NEITHER = (
    "You tried to vmap over {0}, but it does not have vmap support. Please override and implement "
    f"the vmap staticmethod or set generate_vmap_rule=True. {_MORE}"
)
_NOT_TWO = (
    "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree "
    "structure compatible with the output. Got a {0} instead"
)


class VmapInfo(NamedTuple):
    """What a rule `vmap` is told: how many examples there are, and how random numbers are drawn."""

    batch_size: int
    randomness: str


def call_mapped(mapping: Mapping, function: type[Function], arguments: tuple[Any, ...]) -> Any:
    """Return what a function gives for one example of a mapping."""
    has_rule = function.vmap is not Function.vmap
    if has_rule and function.generate_vmap_rule:
        raise TrilithRuntimeError(_BOTH.format(function.__name__))
    if has_rule:
        return _by_rule(mapping, function, arguments)
    if not function.generate_vmap_rule:
        raise TrilithRuntimeError(_NEITHER.format(function.__name__))
    call = _Call(mapping, function, arguments)
    with _below(mapping):
        found = call.function.apply(*call.values)
    return call.as_one_example(mapping, found)


def _by_rule(mapping: Mapping, function: type[Function], arguments: tuple[Any, ...]) -> Any:
    """Call the rule on tensors of all examples, whose dim comes first."""
    leaves, tree = taken_apart(arguments)
    dims = [0 if _is_of(mapping, leaf) else None for leaf in leaves]
    values = tree.put_together(_whole(mapping, leaf) for leaf in leaves)
    info = VmapInfo(mapping.size, mapping.randomness)
    with _below(mapping):
        found: Any = function.vmap(info, tree.put_together(iter(dims)), *values)
    given = cast("tuple[Any, ...]", found) if isinstance(found, tuple) else ()
    if len(given) != 2:
        raise TrilithRuntimeError(_NOT_TWO.format(str(type(cast("object", found)))))
    output, out_dims = given
    results, nested = taken_apart(output)
    places = spread(out_dims, nested)
    if places is None:
        raise TrilithRuntimeError(
            "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) "
            f"tuple. Expected out_dims={out_dims} to be compatible with the structure of `output`. "
            f"out_dims has structure {taken_apart(out_dims)[1].text()} but output has structure "
            f"{nested.text()}. {_MORE}"
        )
    return nested.put_together(
        result if place is None else _one_of(mapping, result, place)
        for result, place in zip(results, places, strict=True)
    )


def _one_of(mapping: Mapping, result: Any, place: int) -> Any:
    return BatchedTensor.of(mapping, result.movedim(place, 0) if place else result)


def _is_of(mapping: Mapping, value: Any) -> bool:
    return isinstance(value, BatchedTensor) and value.mapping is mapping


def _whole(mapping: Mapping, value: Any) -> Any:
    """Return the tensor of all examples, or a value that is the same for all as it is."""
    return value.value if _is_of(mapping, value) else value


@contextmanager
def _below(mapping: Mapping) -> Generator[None]:
    """Be outside of a mapping in a block."""
    before = LAYERS.mappings
    LAYERS.mappings = tuple(each for each in before if each.level < mapping.level)
    try:
        yield
    finally:
        LAYERS.mappings = before


class _Given:
    """How an argument is nested, and which of its leaves differ from example to example."""

    def __init__(self, mapping: Mapping, argument: Any) -> None:
        leaves, self._tree = taken_apart(argument)
        self._flags = [_is_of(mapping, leaf) for leaf in leaves]
        self.value = self._tree.put_together(_whole(mapping, leaf) for leaf in leaves)
        #: Of an argument that is a tensor: the shape of one example.
        self.shape = argument.spec.shape if isinstance(argument, TensorFields) else None

    @property
    def is_mapped(self) -> bool:
        """Whether it is a tensor that differs from example to example."""
        return self.shape is not None and self._flags == [True]

    def seen_in(self, mapping: Mapping, value: Any) -> Any:
        """Return a value like the argument's as one example of a mapping."""
        pairs = zip(taken_apart(value)[0], self._flags, strict=True)
        return self._tree.put_together(
            BatchedTensor.of(mapping, leaf) if is_mapped else leaf for leaf, is_mapped in pairs
        )

    def gradient(self, mapping: Mapping, gradient: Any) -> Any:
        """Return the gradient of the argument for all examples: the sum, if it is one for all."""
        if gradient is None or self.shape is None:
            return gradient
        if gradient.spec.shape != self.shape:
            gradient = gradient.sum_to_size(self.shape)
        if self.is_mapped:
            return _of_all(mapping, gradient)
        return gradient.value.sum(0) if _is_of(mapping, gradient) else gradient


def _of_all(mapping: Mapping, value: Any) -> Any:
    """Return a tensor of all examples, though it may be the same for all."""
    if not isinstance(value, TensorFields) or _is_of(mapping, value):
        return _whole(mapping, value)
    whole: Any = value
    return whole.expand((mapping.size, *value.spec.shape))


class _Call:
    """A call of a function for all examples, which is one call of another function below.

    What the user's `forward` saves is kept with that call, tensors of all examples, and given back
    as examples of the mapping in which `backward` or `jvp` runs.
    """

    def __init__(
        self, mapping: Mapping, function: type[Function], arguments: tuple[Any, ...]
    ) -> None:
        self._user = function
        self._size, self._randomness, self._layer = mapping.size, mapping.randomness, mapping.layer
        self._given = [_Given(mapping, each) for each in arguments]
        self._ctx = FunctionCtx()
        self._saved: list[_Given] = []
        self._saved_forward: list[_Given] = []
        self._is_tuple = False

    @property
    def values(self) -> list[Any]:
        """The arguments of the call below."""
        return [each.value for each in self._given]

    @property
    def function(self) -> type[Function]:
        """The function that is called below, which is mapped itself by mappings around."""
        is_once = getattr(self._user.backward, ONCE, False)
        backward = once_differentiable(self._backward) if is_once else self._backward
        fields: dict[str, Any] = {
            "generate_vmap_rule": True,
            "forward": staticmethod(self._forward),
            "setup_context": staticmethod(self._setup_context),
        }
        if self._user.backward is not Function.backward or self._user.vjp is not Function.vjp:
            fields["backward"] = staticmethod(backward)
        if self._user.jvp is not Function.jvp:
            fields["jvp"] = staticmethod(self._jvp)
        return type(self._user.__name__, (Function,), fields)

    def as_one_example(self, mapping: Mapping, found: Any) -> Any:
        """Return results of the call below as those of one example."""
        results = found if self._is_tuple else (found,)
        made = [
            BatchedTensor.of(mapping, each) if isinstance(each, TensorFields) else each
            for each in cast("tuple[Any, ...]", results)
        ]
        return tuple(made) if self._is_tuple else made[0]

    @contextmanager
    def _mapping(self) -> Generator[Mapping]:
        """Be within a mapping over the same examples in a block."""
        with level() as depth:
            mapping = Mapping(depth, self._size, self._randomness, self._layer)
            before, LAYERS.mappings = LAYERS.mappings, (*LAYERS.mappings, mapping)
            try:
                yield mapping
            finally:
                LAYERS.mappings = before

    def _forward(self, *values: Any) -> Any:
        with self._mapping() as mapping:
            output: Any = self._user.forward(*self._arguments(mapping, values))
            self._is_tuple = isinstance(output, tuple)
            outputs = cast("tuple[Any, ...]", output if self._is_tuple else (output,))
            results = tuple(_of_all(mapping, each) for each in outputs)
        return results if self._is_tuple else results[0]

    def _arguments(self, mapping: Mapping, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the user's arguments as examples of a mapping."""
        pairs = zip(self._given, values, strict=True)
        return tuple(each.seen_in(mapping, value) for each, value in pairs)

    def _setup_context(self, ctx: FunctionCtx, inputs: tuple[Any, ...], output: Any) -> None:
        inner = self._ctx
        inner.needs_input_grad = ctx.needs_input_grad
        with self._mapping() as mapping:
            seen = self.as_one_example(mapping, output)
            self._user.setup_context(inner, self._arguments(mapping, inputs), seen)
            self._saved = [_Given(mapping, each) for each in inner.to_save]
            self._saved_forward = [_Given(mapping, each) for each in inner.saved_for_forward]
            marked = [_whole(mapping, each) for each in inner.non_differentiable]
            written = [_whole(mapping, each) for each in inner.dirty_tensors]
        ctx.save_for_backward(*[each.value for each in self._saved])
        ctx.save_for_forward(*[each.value for each in self._saved_forward])
        ctx.mark_non_differentiable(*marked)
        ctx.mark_dirty(*written)
        ctx.set_materialize_grads(inner.materialize_grads)

    def _recall(
        self, mapping: Mapping, ctx: FunctionCtx, saved: Sequence[_Given], values: Sequence[Any]
    ) -> FunctionCtx:
        """Return the user's context with what was saved as examples of a mapping."""
        self._ctx.needs_input_grad = ctx.needs_input_grad
        pairs = zip(saved, values, strict=True)
        self._ctx.to_save = tuple(each.seen_in(mapping, value) for each, value in pairs)
        return self._ctx

    def _backward(self, ctx: FunctionCtx, *gradients: Any) -> tuple[Any, ...]:
        run = self._user.vjp if self._user.vjp is not Function.vjp else self._user.backward
        with self._mapping() as mapping:
            inner = self._recall(mapping, ctx, self._saved, ctx.saved_tensors)
            found: Any = run(inner, *[_seen(mapping, each) for each in gradients])
            given = cast("tuple[Any, ...]", found if isinstance(found, tuple) else (found,))
            made = [
                each.gradient(mapping, gradient)
                for each, gradient in zip(self._given, given, strict=False)
            ]
        return (*made, *given[len(made) :])

    def _jvp(self, ctx: FunctionCtx, *directions: Any) -> tuple[Any, ...]:
        saved = self._saved_forward or self._saved
        with self._mapping() as mapping:
            inner = self._recall(mapping, ctx, saved, ctx.saved_tensors)
            pairs = zip(self._given, directions, strict=True)
            given = [_moved(mapping, each, direction) for each, direction in pairs]
            found: Any = self._user.jvp(inner, *given)
            results = cast("tuple[Any, ...]", found if isinstance(found, tuple) else (found,))
            return tuple(_of_all(mapping, each) for each in results)


def _seen(mapping: Mapping, gradient: Any) -> Any:
    return None if gradient is None else BatchedTensor.of(mapping, gradient)


def _moved(mapping: Mapping, given: _Given, direction: Any) -> Any:
    """Return a direction of an argument as that of one example."""
    if direction is None or not given.is_mapped:
        return direction
    return BatchedTensor.of(mapping, direction)
