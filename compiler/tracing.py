"""How does a person trace a function? On examples, on their descriptions, on dims for any size."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, overload

from ..dialects.attributes.dims import Dim, SymbolicSpec, declare_dims, joined
from ..dialects.attributes.opened_specs import opened
from ..dialects.attributes.spec import ScalarSpec, TensorSpec
from ..dialects.attributes.symint import ShapeEnv
from ..dialects.diagnostics import TrilithTypeError, TrilithValueError
from ..runtime.tensors.tensor import Tensor
from .driver import Traced, trace_specs
from .trace.functions import check_function
from .trace.leaves import refuse_argument
from .trace.not_traceable import OffsetNeeded, WroteBefore
from .trace.operands import as_operand
from .trace.pytree import Structure, flatten

#: How often equalities that a trace has found are put into a new one.
MOST_TRACES = 8


@overload
def trace(function: Tensor, /) -> Tensor: ...


@overload
def trace(
    function: Callable[..., Any],
    *arguments: Any,
    static_shapes: bool | None = None,
    **keywords: Any,
) -> Traced: ...


def trace(
    function: Any,
    *arguments: Any,
    static_shapes: bool | None = None,
    **keywords: Any,
) -> Traced | Tensor:
    """Trace a function on example arguments, specs in place of tensors are welcome.

    Of a tensor instead of a function it is the sum of the diagonal, as in PyTorch: `x.trace()`.

    Arguments: tensors, arrays, `tri.spec(...)`, Python numbers (whose values are not looked at),
    and tuples, lists, dicts and dataclasses of them. A function that asks where a tensor lies in
    its storage is traced for the offsets of the examples, 0 for a spec.

    Sizes that are dims are symbols in the IR: it holds for all sizes of at least 2 that pass the
    guards, which are what the function asked of them. `static_shapes=False` makes symbols of all
    sizes and strides, as a compiled function does when a second size comes; True refuses dims.

    >>> import trilith as tri
    >>> print(tri.trace(lambda x: x + 1, tri.spec((2,), tri.int32)))
    builtin.module {
      func.func @lambda(%x: !tri.tensor<2xsi32>) -> !tri.tensor<2xsi32> {
        %0 = tri.constant 1 : !tri.scalar<int>
        %1 = tri.add %x, %0 : !tri.tensor<2xsi32>, !tri.scalar<int> -> !tri.tensor<2xsi32>
        func.return %1 : !tri.tensor<2xsi32>
      }
    }
    >>> tri.trace(lambda x: x[3:], tri.spec((tri.dim("n", min=8),))).guards
    (n > 7,)
    >>> tri.trace(tri.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
    if isinstance(function, Tensor):
        if arguments or keywords or static_shapes is not None:
            raise TrilithTypeError("trace() of a tensor takes no other argument")
        return function.trace()
    check_function(function)
    leaves: list[Any] = []
    structure = flatten((arguments, keywords), leaves)
    specs = [spec_of(leaf) for leaf in leaves]
    dims = joined(dim for spec in specs if isinstance(spec, SymbolicSpec) for dim in spec.dims)
    if static_shapes and dims:
        raise TrilithValueError(
            f"static_shapes=True with sizes that are dims: {', '.join(dims)}",
            hint="give numbers for them",
        )
    if dims or static_shapes is False:
        return _trace_on_symbols(function, structure, leaves, specs, dims, static_shapes)
    known = [spec for spec in specs if not isinstance(spec, SymbolicSpec)]
    return _trace_offsets(function, structure, leaves, known)


def _trace_on_symbols(
    function: Callable[..., Any],
    structure: Structure,
    leaves: Sequence[Any],
    specs: Sequence[Any],
    dims: dict[str, Dim],
    static_shapes: bool | None,
) -> Traced:
    for name in dims:
        if static_shapes is False and re.fullmatch(r"n\d+", name):
            raise TrilithValueError(
                f"the dim '{name}' has a name of those that static_shapes=False gives to sizes",
                hint="call it something else",
            )
    env: ShapeEnv | None = None
    for _ in range(MOST_TRACES):
        env = ShapeEnv(env)
        declare_dims(env, dims)
        given: list[Any] = []
        for spec in specs:
            if isinstance(spec, SymbolicSpec):
                given.append(spec.opened(env))
            elif static_shapes is False and isinstance(spec, TensorSpec):
                given.append(opened(spec, env))
            else:
                given.append(spec)
        traced = _trace_offsets(function, structure, leaves, given, env)
        if not env.has_learned:
            return traced
    raise TrilithValueError(
        f"{function.__qualname__} finds other sizes to be equal each time it is traced",
        hint="name sizes that are equal by one dim",
    )


def _trace_offsets(
    function: Callable[..., Any],
    structure: Structure,
    leaves: Sequence[Any],
    specs: Sequence[TensorSpec | ScalarSpec],
    env: ShapeEnv | None = None,
) -> Traced:
    """Trace; where the function asks for offsets, for those of the examples."""
    try:
        return trace_specs(function, structure, specs, env=env)
    except WroteBefore as error:
        raise (error.__cause__ or error) from None
    except OffsetNeeded:
        offsets = [
            leaf.storage_offset() if isinstance(leaf, Tensor) else 0
            for leaf, spec in zip(leaves, specs, strict=True)
            if isinstance(spec, TensorSpec)
        ]
        return trace_specs(function, structure, specs, offsets=offsets, env=env)


def spec_of(leaf: Any) -> TensorSpec | SymbolicSpec | ScalarSpec:
    """Return what stands for an argument while a function is traced."""
    if isinstance(leaf, TensorSpec | SymbolicSpec):
        return leaf
    found = as_operand(leaf)
    if found is None:
        raise refuse_argument(leaf)
    return found.spec if isinstance(found, Tensor) else ScalarSpec.of(found)
