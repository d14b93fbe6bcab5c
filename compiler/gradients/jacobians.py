"""How are all derivatives of a function found? One direction for each element, all at once.

Each direction is a row of an identity. They are mapped, so that they run together: backwards, one
for each element of the results, or forwards, one for each element of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import accumulate
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from ...runtime.tensors.fields import TensorFields
from ..mapping.trees import taken_apart
from ..mapping.vmap import vmap
from .directions import linear_part, vjp
from .language import LANGUAGE
from .pulling import Argnums, chosen, is_differentiable, tensors_of

Function = Callable[..., Any]


def jacrev(
    func: Function,
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
) -> Function:
    """Return a function that gives the derivatives of `func`, found backwards.

    For each result there is one tensor for each argument, of the shape of the result and, behind
    it, of the argument. With a `chunk_size` as many rows are computed at once.

    >>> import trilith as tri
    >>> tri.func.jacrev(lambda x: x**2)(tri.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    if chunk_size is not None and chunk_size <= 0:
        raise TrilithValueError("jacrev: `chunk_size` should be greater than 0.")

    @wraps(func)
    def run(*arguments: Any, **keywords: Any) -> Any:
        _refuse_complex("jacrev", "inputs", taken_apart(arguments)[0])
        numbers = chosen(argnums, len(arguments))
        primals = tuple(arguments[number] for number in numbers)
        found = vjp(_of_some(func, arguments, numbers, keywords), *primals, has_aux=has_aux)
        output, pull = found[:2]
        outputs, nested = taken_apart(output)
        _refuse_complex("jacrev", "outputs", outputs)
        _refuse_whole_numbers(outputs)
        inputs, tree = taken_apart(primals)

        def rows(*cotangents: Any) -> tuple[Any, ...]:
            gradients = pull(nested.put_together(iter(cotangents)))
            return tuple(taken_apart(gradients)[0])

        columns = vmap(rows, chunk_size=chunk_size)(*directions_along(outputs))
        sizes = [each.spec.numel for each in outputs]
        parts = [
            [
                LANGUAGE.call("view", block, (*each.shape, *tensor.shape))
                for each, block in zip(outputs, cut_apart(column, 0, sizes), strict=True)
            ]
            for column, tensor in zip(columns, inputs, strict=True)
        ]
        jacobians = [
            _only(tree.put_together(iter([column[index] for column in parts])), argnums)
            for index in range(len(outputs))
        ]
        result = nested.put_together(iter(jacobians))
        return (result, found[2]) if has_aux else result

    return run


def jacfwd(
    func: Function,
    argnums: Argnums = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Function:
    """Return a function that gives the derivatives of `func`, found forwards.

    >>> import trilith as tri
    >>> tri.func.jacfwd(lambda x: x**2)(tri.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """

    @wraps(func)
    def run(*arguments: Any, **keywords: Any) -> Any:
        _refuse_complex("jacfwd", "inputs", taken_apart(arguments)[0])
        numbers = chosen(argnums, len(arguments))
        primals = tuple(arguments[number] for number in numbers)
        inputs, tree = taken_apart(primals)
        called = _of_some(func, arguments, numbers, keywords)
        value, push, aux = linear_part(called, primals, has_aux)
        outputs = tensors_of("jvp(f, primals, tangents)", value)
        _refuse_complex("jacfwd", "outputs", outputs)
        nested = taken_apart(value)[1]

        jacobians = [
            _only(tree.put_together(iter(blocks)), argnums)
            for blocks in found_forwards(push, outputs, inputs, randomness)
        ]
        result = nested.put_together(iter(jacobians))
        return (result, aux) if has_aux else result

    return run


def found_forwards(
    push: Function, outputs: Sequence[Any], inputs: Sequence[Any], randomness: str = "error"
) -> list[list[Any]]:
    """Return the derivatives of each output by each input, given what moves outputs."""

    def columns(*directions: Any) -> tuple[Any, ...]:
        return tuple(taken_apart(push(directions))[0])

    found = vmap(columns, out_dims=-1, randomness=randomness)(*directions_along(inputs))
    sizes = [each.spec.numel for each in inputs]
    return [
        [
            LANGUAGE.call("view", block, (*each.shape, *tensor.shape))
            for tensor, block in zip(inputs, cut_apart(column, -1, sizes), strict=True)
        ]
        for each, column in zip(outputs, found, strict=True)
    ]


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """Return a function that gives the second derivatives of `func`: forwards over backwards.

    >>> import trilith as tri
    >>> tri.func.hessian(lambda x: (x**3).sum())(tri.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


def _refuse_complex(name: str, what: str, leaves: Sequence[Any]) -> None:
    """Refuse complex numbers, as PyTorch does: what a derivative by them is, is a convention."""
    for number, leaf in enumerate(leaves):
        if isinstance(leaf, TensorFields) and leaf.spec.dtype.is_complex:
            raise TrilithRuntimeError(
                f"{name}: Expected all {what} to be real but received complex tensor at flattened "
                f"input idx: {number}"
            )


def _refuse_whole_numbers(outputs: Sequence[Any]) -> None:
    """Refuse results that nothing can be pulled back from."""
    for output in outputs:
        if not is_differentiable(output):
            raise TrilithRuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got "
                f"Tensor with dtype {output.dtype!r}"
            )


def _of_some(
    func: Function,
    arguments: tuple[Any, ...],
    numbers: Sequence[int],
    keywords: dict[str, Any],
) -> Function:
    """Return a function of some arguments of a call; the others are as they were given."""

    def called(*primals: Any) -> Any:
        replaced = dict(zip(numbers, primals, strict=True))
        given = [replaced.get(number, each) for number, each in enumerate(arguments)]
        return func(*given, **keywords)

    return called


def _only(jacobians: Any, argnums: Argnums) -> Any:
    return jacobians[0] if isinstance(argnums, int) else jacobians


def directions_along(tensors: Sequence[Any]) -> list[Any]:
    """Return rows of an identity for the elements of tensors, cut into their shapes."""
    sizes = [tensor.spec.numel for tensor in tensors]
    total = sum(sizes)
    if not tensors:
        raise TrilithRuntimeError("there is nothing to differentiate with respect to")
    result: list[Any] = []
    for tensor, end in zip(tensors, accumulate(sizes), strict=True):
        spec = tensor.spec
        whole = LANGUAGE.call("eye", total, dtype=spec.dtype, device=spec.device)
        part = whole
        if len(sizes) > 1:
            part = LANGUAGE.call("narrow", whole, 1, end - spec.numel, spec.numel)
        result.append(LANGUAGE.call("reshape", part, (total, *spec.shape)))
    return result


def cut_apart(whole: Any, dim: int, sizes: Sequence[int]) -> list[Any]:
    """Return the parts of a dim that belong to tensors of some sizes."""
    if len(sizes) == 1:
        return [whole]
    ends = list(accumulate(sizes))
    return [
        LANGUAGE.call("narrow", whole, dim, end - size, size)
        for size, end in zip(sizes, ends, strict=True)
    ]
