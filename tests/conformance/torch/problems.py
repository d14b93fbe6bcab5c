"""What is differentiated: a sample of an operation as a function of tensors, for torch or trilith.

Both libraries run the same steps here, by the names that PyTorch has. The loss of a sample is the
sum of its results, each times a cotangent; of complex products, the real part.
"""

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from .library import Library, Missing, flat_outputs, map_leaves

#: What the first example of a batch is multiplied by to make the second: positive numbers stay
#: positive, and so do matrices that are positive definite.
SECOND = 0.5

#: What lets `autograd.grad` give None for a tensor that has no part in a result.
UNUSED = {"allow_unused": True}


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a tensor among the arguments of an operation."""

    number: int


def lifted(arguments: Any) -> tuple[list[torch.Tensor], Any]:
    """Return the tensors among arguments, each once, and the arguments with places for them."""
    tensors: list[torch.Tensor] = []

    def lift(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        same = [number for number, each in enumerate(tensors) if each is value]
        if not same:
            tensors.append(value)
        return Place(same[0] if same else len(tensors) - 1)

    return tensors, map_leaves(lift, arguments)


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor on the same memory that nothing is recorded for."""
    if tensor.layout is not torch.strided:
        return tensor.detach()
    return tensor.detach().resolve_conj().resolve_neg()


def rebound(function: Any, module: Any) -> Any:
    """Return the same Python function with a library in place of the global name `torch`."""
    if not isinstance(function, types.FunctionType) or module is torch:
        return function
    names = dict(function.__globals__, torch=module)
    return types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )


@dataclass(frozen=True, slots=True)
class Problem:
    """An operation, its arguments, and what is done to its result before it is differentiated.

    `wrt` are the places of the tensors that gradients are taken of, `results` the numbers of the
    results that have one, `cotangents` and `tangents` random values beside both.
    """

    module: Any
    function: Callable[..., Any]
    process: Callable[[Any], Any]
    arguments: Any
    tensors: Sequence[Any]
    wrt: tuple[int, ...]
    results: tuple[int, ...] = ()
    cotangents: Sequence[Any] = field(default=())
    tangents: Sequence[Any] = field(default=())

    def of(self, library: Library, function: Callable[..., Any]) -> "Problem":
        """Return the same problem for a library."""
        tensors, cotangents, tangents, arguments = library.convert(
            (list(self.tensors), list(self.cotangents), list(self.tangents), self.arguments)
        )
        return replace(
            self,
            module=library.module,
            function=function,
            process=rebound(self.process, library.module),
            arguments=arguments,
            tensors=tensors,
            cotangents=cotangents,
            tangents=tangents,
        )

    def named(self, name: str) -> Callable[..., Any]:
        """Return a function of the library by its dotted name."""
        found: Any = self.module
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is None:
            raise Missing(name)
        return found

    def flat(self, tensors: Sequence[Any]) -> list[Any]:
        """Return all results for tensors in the places of the arguments."""

        def put(value: Any) -> Any:
            return tensors[value.number] if isinstance(value, Place) else value

        first, positional, named = map_leaves(put, self.arguments)
        return flat_outputs(self.process(self.function(first, *positional, **named)))

    def outputs(self, *tensors: Any) -> tuple[Any, ...]:
        """Return the results that have gradients."""
        flat = self.flat(tensors)
        return tuple(flat[number] for number in self.results)

    def weighed(self, values: Sequence[Any], weights: Sequence[Any]) -> Any:
        """Return the real part of the sum of values times weights."""
        total: Any = None
        for value, weight in zip(values, weights, strict=True):
            product = (value * weight).sum()
            term = product.real if product.is_complex() else product
            total = term if total is None else total + term
        return total

    def loss(self, *given: Any) -> Any:
        """Return the loss for tensors, followed by cotangents."""
        count = len(self.tensors)
        return self.weighed(self.outputs(*given[:count]), given[count:])

    def leaves(self) -> list[Any]:
        """Return the tensors anew, where gradients are taken of them as leaves that require one."""
        return [
            tensor.detach().requires_grad_() if number in self.wrt else tensor
            for number, tensor in enumerate(self.tensors)
        ]

    def chosen(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the tensors that gradients are taken of."""
        return [tensors[number] for number in self.wrt]


def by_backward(problem: Problem) -> list[Any]:
    """Return which results require a gradient, and what backward() leaves in `grad`."""
    leaves = problem.leaves()
    flat = problem.flat(leaves)
    flags = [each.requires_grad for each in flat if isinstance(each, problem.module.Tensor)]
    outputs = [flat[number] for number in problem.results]
    problem.weighed(outputs, problem.cotangents).backward()
    return [flags, *(leaf.grad for leaf in problem.chosen(leaves))]


def by_grad(problem: Problem) -> Any:
    """Return the gradients that a gradient function gives."""
    gradient = problem.named("func.grad")(problem.loss, argnums=problem.wrt)
    return gradient(*problem.tensors, *problem.cotangents)


def by_compiled_grad(problem: Problem) -> Any:
    """Return the gradients that a compiled gradient function gives."""
    gradient = problem.named("func.grad")(problem.loss, argnums=problem.wrt)
    return problem.named("compile")(gradient)(*problem.tensors, *problem.cotangents)


def by_grad_of_grad(problem: Problem) -> list[Any]:
    """Return the gradients of the weighed sum of the gradients; zeros where there is none."""
    grad = problem.named("autograd.grad")
    leaves = problem.leaves()
    chosen = problem.chosen(leaves)
    first = grad(problem.loss(*leaves, *problem.cotangents), chosen, create_graph=True, **UNUSED)
    pairs = [
        (gradient, tangent)
        for gradient, tangent in zip(first, problem.tangents, strict=True)
        if gradient is not None and gradient.requires_grad
    ]
    if not pairs:
        return [leaf.detach() * 0 for leaf in chosen]
    second = grad(problem.weighed(*zip(*pairs, strict=True)), chosen, **UNUSED)
    return [
        leaf.detach() * 0 if gradient is None else gradient
        for leaf, gradient in zip(chosen, second, strict=True)
    ]


def by_jvp(problem: Problem) -> list[Any]:
    """Return results, and how they change along the tangents."""

    def function(*chosen: Any) -> tuple[Any, ...]:
        tensors = list(problem.tensors)
        for number, tensor in zip(problem.wrt, chosen, strict=True):
            tensors[number] = tensor
        return problem.outputs(*tensors)

    chosen = problem.chosen(problem.tensors)
    return list(problem.named("func.jvp")(function, tuple(chosen), tuple(problem.tangents)))


def by_vmap(problem: Problem) -> list[Any]:
    """Return the results, and the gradients, of a batch of two examples."""
    batched: list[Any] = list(problem.tensors)
    for number in problem.wrt:
        tensor = problem.tensors[number]
        batched[number] = problem.module.stack([tensor, tensor * SECOND])
    in_dims = tuple(0 if number in problem.wrt else None for number in range(len(batched)))
    vmap, grad = problem.named("func.vmap"), problem.named("func.grad")
    results = vmap(problem.outputs, in_dims=in_dims, randomness="different")(*batched)
    gradients = vmap(
        grad(problem.loss, argnums=problem.wrt),
        in_dims=(*in_dims, *(None for _ in problem.cotangents)),
        randomness="different",
    )(*batched, *problem.cotangents)
    return [*results, *gradients]
