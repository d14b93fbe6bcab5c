"""On which spec is a plan traced that serves all sizes? On one of symbols."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .patterns import is_packed
from .spec import TensorSpec
from .strides import Ints
from .symint import ShapeEnv, SymInt


def opened(spec: TensorSpec, env: ShapeEnv) -> TensorSpec:
    """Return a spec with symbols in the place of its `numbers`, in their order.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> opened(TensorSpec.of((4, 1, 3), float32), ShapeEnv())
    TensorSpec((n0, 1, n1), trilith.float32)
    """

    def symbols(numbers: Ints) -> tuple[int | SymInt, ...]:
        return tuple([n if n < 2 else env.symbol(n, least=2) for n in numbers])

    shape: Any = symbols(spec.shape)
    strides: Any = None
    if not is_packed(spec.shape, spec.strides, spec.layout):
        strides = symbols(spec.strides)
    return TensorSpec.of(shape, spec.dtype, spec.device, strides, spec.layout, spec.is_conj)


def env_of(specs: Iterable[object]) -> ShapeEnv | None:
    """Return where the symbols of specs come from, None if all of them are numbers.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> spec, env = TensorSpec.of((4, 3), float32), ShapeEnv()
    >>> env_of([spec]), env_of([opened(spec, env)]) is env
    (None, True)
    """
    for spec in specs:
        if isinstance(spec, TensorSpec):
            sizes: Any = (*spec.shape, *spec.strides)
            for size in sizes:
                if type(size) is SymInt:
                    return size.env
    return None
