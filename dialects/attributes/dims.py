"""How does a user say that a size may be any? By a dim with a name, in the place of a number."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ..diagnostics import TrilithTypeError, TrilithValueError
from .device import Device
from .dtype import DType
from .expressions import Expression, constant, floor_divide, symbol
from .extents import MAXIMUM_INT64
from .facts import Guard
from .hints import choose_hints, usual_hint
from .memory_format import MemoryFormat
from .spec import TensorSpec
from .strides import strides_for
from .symint import ShapeEnv, SymInt

#: Words of expressions in the IR, which are no names.
RESERVED = frozenset({"floordiv", "ceildiv", "mod", "ne", "any"})


class DimExpression:
    """What is computed of dims, and stands for a size: `2 * tri.dim("half")`.

    Dims can be added, subtracted, multiplied, and divided by `//` with one another and integers.
    """

    __slots__ = ("dims", "expression")

    def __init__(self, expression: Expression, dims: Mapping[str, Dim]) -> None:
        """Stand for an expression of dims, which are given by name."""
        self.expression = expression
        self.dims = dict(dims)

    def __repr__(self) -> str:
        """Return the expression, as the IR spells it."""
        return str(self.expression)

    def _with(self, other: object, compute: Callable[[Expression, Expression], Expression]) -> Any:
        if isinstance(other, DimExpression):
            return DimExpression(
                compute(self.expression, other.expression), joined((*self.of(), *other.of()))
            )
        if isinstance(other, int) and not isinstance(other, bool):
            return DimExpression(compute(self.expression, constant(other)), self.dims)
        return NotImplemented

    def of(self) -> Iterable[Dim]:
        """Return the dims that it is computed of."""
        return self.dims.values()

    def __add__(self, other: object) -> DimExpression:
        """Return the sum."""
        return self._with(other, operator.add)

    __radd__ = __add__

    def __sub__(self, other: object) -> DimExpression:
        """Return the difference."""
        return self._with(other, operator.sub)

    def __rsub__(self, other: int) -> DimExpression:
        """Return the difference."""
        return self * -1 + other

    def __mul__(self, other: object) -> DimExpression:
        """Return the product."""
        return self._with(other, operator.mul)

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> DimExpression:
        """Return the floor of the quotient."""
        if other == 0:
            raise TrilithValueError(f"{self} is divided by 0")
        return self._with(other, floor_divide)


class Dim(DimExpression):
    """A size that may be any number from `min` to `max`, both included; one name is one size.

    What is traced for it holds for 2 and more: sizes of 0 and 1 are structure, as in PyTorch, and
    have programs of their own. It is an argument of `tri.spec`.

    >>> import trilith as tri
    >>> batch = tri.dim("batch", max=1024)
    >>> tri.spec((batch, 3))
    spec((batch, 3), trilith.float32)
    >>> traced = tri.trace(lambda x: x[1:] if x.shape[0] > 8 else x, tri.spec((batch, 3)))
    >>> [str(guard) for guard in traced.guards]
    ['1024 >= batch', 'batch > 8']

    Raises TrilithValueError for a name that is no identifier, and for an empty range.
    """

    __slots__ = ("max", "min", "name")

    def __init__(self, name: str, *, min: int = 1, max: int | None = None) -> None:
        """Name a size."""
        given: tuple[Any, ...] = name, min, max
        if not isinstance(given[0], str):
            raise TrilithTypeError(f"a dim's name is a str, not {type(given[0]).__name__}")
        for word, bound in (("min", given[1]), ("max", given[2])):
            if (bound is not None or word == "min") and type(bound) is not int:
                raise TrilithTypeError(f"{word} of a dim is an int, not {type(bound).__name__}")
        if not name.isidentifier() or not name.isascii() or name in RESERVED:
            raise TrilithValueError(f"a dim's name is an identifier, which '{name}' is not")
        if min < 0:
            raise TrilithValueError(f"no size is negative: min is {min}")
        for word, bound in (("min", min), ("max", max)):
            if bound is not None and bound > MAXIMUM_INT64:
                raise TrilithValueError(f"no size is more than {MAXIMUM_INT64}: {word} is {bound}")
        if max is not None and max < min:
            raise TrilithValueError(f"no size is at least {min} and at most {max}")
        if max is not None and max < 2:
            raise TrilithValueError(
                f"the dim '{name}' is at most {max}, and so no symbol",
                hint="sizes of 0 and 1 are structure: trace the function for that number",
            )
        self.name = name
        self.min = min
        self.max = max
        super().__init__(symbol(name), {name: self})

    def __eq__(self, other: object) -> bool:
        """Whether both are one size: name and range."""
        if not isinstance(other, Dim):
            return NotImplemented
        return (self.name, self.min, self.max) == (other.name, other.min, other.max)

    def __hash__(self) -> int:
        """Return what equal dims have in common."""
        return hash((self.name, self.min, self.max))

    def range_guards(self) -> list[Guard]:
        """Return what the range says of sizes of 2 and more."""
        guards: list[Guard] = []
        if self.min > 2:
            guards.append(Guard(">=", self.expression - constant(self.min)))
        if self.max is not None:
            guards.append(Guard(">=", constant(self.max) - self.expression))
        return guards


def joined(dims: Iterable[Dim]) -> dict[str, Dim]:
    """Return dims by name; two of one name must be one.

    >>> joined([Dim("n"), Dim("n")])
    {'n': n}
    """
    found: dict[str, Dim] = {}
    for dim in dims:
        if found.setdefault(dim.name, dim) != dim:
            raise TrilithValueError(f"there are two dims '{dim.name}' with different ranges")
    return found


Extent: TypeAlias = "int | DimExpression"


class SymbolicSpec:
    """The description of a tensor some of whose sizes are dims: what `tri.spec` makes of them."""

    __slots__ = ("device", "dtype", "memory_format", "shape", "strides")

    def __init__(
        self,
        shape: Sequence[Extent],
        dtype: DType,
        device: Device,
        strides: Sequence[Extent] | None,
        memory_format: MemoryFormat | None,
    ) -> None:
        """Describe a tensor; no strides and no format means contiguous."""
        self.shape = tuple(shape)
        self.dtype = dtype
        self.device = device
        self.strides = None if strides is None else tuple(strides)
        self.memory_format = memory_format

    def __repr__(self) -> str:
        """Return shape and dtype."""
        shape = ", ".join(map(str, self.shape)) + ("," if len(self.shape) == 1 else "")
        return f"spec(({shape}), {self.dtype})"

    @property
    def dims(self) -> list[Dim]:
        """The dims that it depends on."""
        sizes = (*self.shape, *(self.strides or ()))
        return [dim for size in sizes if isinstance(size, DimExpression) for dim in size.of()]

    def opened(self, env: ShapeEnv, pins: Mapping[str, int] | None = None) -> TensorSpec:
        """Return the spec on symbols that an environment has for the dims; `pins` are numbers."""
        known = {name: constant(number) for name, number in (pins or {}).items()}
        shape: Any = tuple(_in(env, extent, known) for extent in self.shape)
        strides: Any = None
        if self.strides is not None:
            strides = tuple(_in(env, extent, known) for extent in self.strides)
        elif self.memory_format is not None:
            strides = strides_for(shape, self.memory_format)
        return TensorSpec.of(shape, self.dtype, self.device, strides)


def _in(env: ShapeEnv, extent: Extent, known: Mapping[str, Expression]) -> Any:
    if not isinstance(extent, DimExpression):
        return extent
    # An earlier trace may have found that a dim is equal to something.
    expression = extent.expression.substitute(known).substitute(env.equal)
    number = expression.number
    return SymInt(env, expression) if number is None else number


def declare_dims(
    env: ShapeEnv, dims: Mapping[str, Dim], hints: Mapping[str, int] | None = None
) -> None:
    """Make symbols of dims; without hints they get values that are apart from one another."""
    guards = [guard for dim in dims.values() for guard in dim.range_guards()]
    if hints is None:
        found = {name: usual_hint(number) for number, name in enumerate(dims)}
        choose_hints(found, guards)
        hints = found
    for name in dims:
        env.symbol(hints[name], 2, name)
    for guard in guards:
        env.take(guard)


def extents(shape: Iterable[object]) -> list[Extent]:
    """Return sizes as they are kept: integers and dims."""
    found: list[Extent] = []
    for size in shape:
        if isinstance(size, DimExpression):
            found.append(size)
            continue
        try:
            found.append(operator.index(size))  # pyright: ignore[reportArgumentType] - refused below
        except TypeError:
            raise TrilithTypeError(
                f"a size is an integer or a dim, not {type(size).__name__}"
            ) from None
    return found
