"""What does the row of a reduction say beside its monoid? Joint values, and what nothing gives."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from ...attributes.dtype import DType
from ...records import record
from ..scalars.scalar import Scalar

#: The scalars of several results, or of one accumulator.
Scalars = tuple[Scalar, ...]


@record(kw_only=True)
class JointReduction:
    """A reduction to several values at once, such as the best element so far and its index.

    An element enters as `enter(element)` or, where the reduction `is_indexed`, as `enter(element,
    index)`; the index counts in the logical order of the dims. `start(dtype)`, of the element's
    dtype, gives the number that each value starts from, and `merge(earlier, later)` combines two
    accumulators. To merge the start with an accumulator, on either side, changes no result of a
    reduction. `finish(total, count, **attributes)` gives the results; `count` makes the number
    of elements, as a scalar of a dtype. If what is accumulated is an element and its index, the
    first of the largest or smallest ones, `first` says so: "maximum" or "minimum"; if it is the
    last of them, and NaN is beyond all, `latest` does.

    Elements may be compared with a number that is the same for all of one result, the `pivot`:
    `pivot(first, mean)` chooses between the first element, which is 0 if there is none, and what
    makes their mean. An element then enters as `enter(element, pivot)`, and the results are
    `finish(total, count, pivot, **attributes)`.
    """

    start: Callable[[DType], tuple[float, ...]]
    enter: Callable[..., Scalars]
    merge: Callable[[Scalars, Scalars], Scalars]
    finish: Callable[..., Scalars]
    is_indexed: bool = False
    first: str = ""
    latest: str = ""
    pivot: Callable[[Scalar, Callable[[], Scalar]], Scalar] | None = None


class EmptyReduction(Enum):
    """What a reduction over no elements gives."""

    NEUTRAL = "neutral"
    REFUSE = "refuse"
