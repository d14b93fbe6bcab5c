"""What is a row whose elements lie where index tensors say? Two families, and their geometry.

A gather reads, and a scatter writes, one element for each point of a box. Each dim of the indexed
tensor is either walked by a dim of the box or looked up: its position is an element of an index
tensor. `Placement` says which, by dims alone, so that it holds whatever the strides are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ...attributes.spec import TensorSpec
from ...records import record
from ..scalars.scalar import Scalar
from .opspec import CompositeOp, StructuralOp
from .row import Attributes, TensorLanguage
from .traits import CHANGED, GATHERED, Traits

Ints = tuple[int, ...]


class Lookup(NamedTuple):
    """A dim whose position is read from an index tensor.

    `operand` is the index tensor's number among the operands; its dims are the point dims from
    `first` on, and one of size 1 is the same for all points.
    """

    operand: int
    first: int


@record
class Placement:
    """How the points of a box meet the elements of an indexed tensor.

    `dims` has for each dim of the tensor the point dim that walks it, or its lookup. With `wraps`
    a negative index counts from the end. `reported` are the numbers by which an error calls the
    dims that are looked up; without them it gives no numbers at all. `fault` is how a bad index is
    reported. `value` are the strides over the points of what a scatter writes.
    """

    points: Ints
    dims: tuple[int | Lookup, ...]
    wraps: bool
    reported: Ints = ()
    value: Ints = ()
    fault: str = "BoundsError"

    @property
    def lookups(self) -> list[tuple[int, Lookup]]:
        """The dims that are looked up, with their lookups."""
        return [(dim, item) for dim, item in enumerate(self.dims) if isinstance(item, Lookup)]

    def walked(self, strides: Ints) -> Ints:
        """Return the tensor's strides over the points: 0 where none of its dims is walked."""
        result = [0] * len(self.points)
        for stride, item in zip(strides, self.dims, strict=True):
            if not isinstance(item, Lookup):
                result[item] = stride
        return tuple(result)

    def index_strides(self, lookup: Lookup, index: TensorSpec) -> Ints:
        """Return the strides of an index tensor over the points."""
        result = [0] * len(self.points)
        for dim, (size, stride) in enumerate(zip(index.shape, index.strides, strict=True)):
            if size == self.points[lookup.first + dim]:
                result[lookup.first + dim] = stride
        return tuple(result)


#: (operands, result, attributes) -> where the points lie
Place = Callable[[Sequence[TensorSpec], TensorSpec, Attributes], Placement]
#: What an element becomes: (element that is there, value) -> element.
Combine = Callable[[Scalar, Scalar], Scalar]


@record(kw_only=True, eq=False)
class GatherOp(StructuralOp):
    """Elements of the first operand, at places that the other operands hold.

    The points are those of the result.
    """

    place: Place
    traits: Traits = GATHERED


@record(kw_only=True, eq=False)
class ScatterOp(StructuralOp):
    """A copy of the first operand with elements of the second at places that the others hold.

    `combine(attributes)` is what becomes of an element that is written to, None if the value takes
    its place. Points are taken in row-major order, so that of several writes to one element the
    last one wins, and sums are the same on every target.
    """

    place: Place
    combine: Callable[[Attributes], Combine | None]
    traits: Traits = CHANGED


#: What most often depends on where elements are not zero.
RESULT_SHAPE = "the shape of this result"


class ValueLanguage(TensorLanguage, Protocol):
    """A language that may know the elements of a tensor: they do, for concrete tensors."""

    def positions(self, value: Any, hint: str | None = None, what: str = RESULT_SHAPE) -> Any:
        """Return where the elements are not zero: an int64 tensor, one row for each.

        Raises TrilithTypeError while a function is traced: `what` depends on elements, and the
        hint says how to do without.
        """
        ...

    def number(self, value: Any) -> int | None:
        """Return the integer in a 0-dim tensor, None while a function is traced."""
        ...

    def tensor(self, data: Any) -> Any:
        """Return a tensor with the elements of a NumPy array."""
        ...


class WritingLanguage(ValueLanguage, Protocol):
    """A language of concrete tensors, which can be written into."""

    def write(self, name: str, target: Any, *arguments: Any, **keywords: Any) -> None:
        """Apply the row called `name` and write its result into its first operand."""
        ...

    def store(self, target: Any, value: Any) -> None:
        """Copy a value into a tensor: a state, through which no gradient passes."""
        ...


@record(kw_only=True, eq=False)
class HostOp(CompositeOp):
    """A composite that may ask for values, as the shape of its result depends on them.

    `expand(t, **arguments)` is written in a `ValueLanguage`. On concrete tensors it runs operation
    by operation; in a trace it is recorded, unless it asks for values. `write(t, **arguments)` is
    how it writes into its first operand, if it need not make a result first.
    """

    write: Callable[..., None] | None = None


class DrawingLanguage(TensorLanguage, Protocol):
    """A language in which random numbers can be drawn."""

    def draw(self, generator: Any, count: int, device: Any) -> tuple[Any, Any]:
        """Take blocks of a generator, None for the default one: its key and the first's number.

        In a trace they are arguments that each call of the function fills.
        """
        ...


@record(kw_only=True, eq=False)
class DrawingOp(HostOp):
    """A composite that draws: `expand(t, **arguments)` is written in a `DrawingLanguage`.

    On concrete tensors it runs operation by operation, so that no plan holds what is drawn.
    """


def arguments_of(attributes: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    """Return attributes by name, for rules that know what they are."""
    return tuple(attributes[name] for name in names)
