"""Does what is read with each sum of products lie as the sums do?

Lanes of a tile are neighbours of the result. What has other neighbours, or gaps between them, would
be gathered element by element, which takes longer than a kernel of its own behind the sums; and so
does reading more than a few tensors while the sums hold the registers.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import SSAValue

from ...dialects.attributes.extents import are_equal
from ...dialects.tri.ops import tensor_spec

#: How many tensors of the size of the result a kernel of sums reads beside the factors.
MOST_RESIDUALS = 2


def neighbours_of(sums: SSAValue) -> list[int]:
    """Return the dims in which neighbours of a result lie side by side, from the last one on."""
    spec = tensor_spec(sums)
    return [
        number - spec.rank
        for number, (size, stride) in enumerate(zip(spec.shape, spec.strides, strict=True))
        if stride == 1 and size != 1
    ]


def lies_beside(value: SSAValue, sums: SSAValue) -> bool:
    """Whether a value has the neighbours that sums have, or is the same for all of them."""
    spec = tensor_spec(value)
    return all(
        spec.strides[dim] in (0, 1) or spec.shape[dim] == 1
        for dim in neighbours_of(sums)
        if -dim <= spec.rank
    )


def are_few(read: Iterable[SSAValue], sums: SSAValue) -> bool:
    """Whether not too much is read that is as large as the sums."""
    shape = tensor_spec(sums).shape
    large = [value for value in read if are_equal(tensor_spec(value).shape, shape)]
    return len(large) <= MOST_RESIDUALS


def lie_alike(values: Iterable[SSAValue]) -> bool:
    """Whether neighbours of all tensors lie in one dim: then no order of them is a gather."""
    found = {dim for value in values for dim in neighbours_of(value)}
    return len(found) <= 1
