"""What may passes know of a family of rows without knowing the family? Its traits, plain data."""

from __future__ import annotations

from enum import Enum

from ...records import record


class Reads(Enum):
    """Which elements of its operands one element of a result needs.

    Where it is the one at the same `INDEX`, the operation is fused with others, and may be computed
    again; where it is those along dims that are `REDUCED`, others are fused with it. So are cheap
    ones with sums of products of `FACTORS`, each element of which many results need: these lie in
    memory. An operation that reads `ANY` has kernels of its own.
    """

    INDEX = "index"
    REDUCED = "reduced"
    FACTORS = "factors"
    ANY = "any"


class Destination(Enum):
    """Which memory of an argument a result may be computed in, in the place of memory of its own.

    `NONE`: none. `APART`: any that no operand lies in. `IN_STEP`: the window of the first operand,
    too, each element of which is read once, before the one at the same index is written.
    `INPUT`: that window alone, as the result is the first operand with changes. `ALIKE`: any with
    the strides of the result that no operand lies in, since attributes count its memory's elements.
    """

    NONE = "none"
    APART = "apart"
    IN_STEP = "in step"
    INPUT = "input"
    ALIKE = "alike"


@record
class Traits:
    """What passes ask of a row; a family says it for all of its rows, unless one says otherwise.

    `is_layout_blind` says that it makes no difference how operands lie in memory.
    `converts_numbers` says that Python numbers are converted by the operation itself, so that
    promotion leaves them as they are.
    """

    reads: Reads = Reads.ANY
    destination: Destination = Destination.NONE
    is_layout_blind: bool = False
    converts_numbers: bool = False


#: Nothing is known, as of views, which passes know by the class of their operations.
OPAQUE = Traits()
#: What is computed from elements anywhere, in memory of its own, as something else than a kernel.
LAYOUT_BLIND = Traits(is_layout_blind=True)
#: What is computed at each index from what is there.
POINTWISE = Traits(reads=Reads.INDEX, is_layout_blind=True)
#: What moves elements, each to its index.
COPIED = Traits(reads=Reads.INDEX)
#: What is reduced along dims.
REDUCED = Traits(reads=Reads.REDUCED, is_layout_blind=True)
#: What is summed of products.
MULTIPLIED = Traits(reads=Reads.FACTORS, destination=Destination.APART, is_layout_blind=True)
#: What is computed from elements anywhere; into any other memory; into memory laid out alike; at
#: the index where it reads too; over the first operand.
GATHERED = Traits(is_layout_blind=True)
COMPUTED = Traits(destination=Destination.APART, is_layout_blind=True)
LAID_OUT = Traits(destination=Destination.ALIKE, is_layout_blind=True)
IN_STEP = Traits(destination=Destination.IN_STEP, is_layout_blind=True)
CHANGED = Traits(destination=Destination.INPUT, is_layout_blind=True)
#: What is computed from no element.
CREATED = Traits(destination=Destination.APART)
