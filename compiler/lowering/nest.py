"""How does a kernel walk its tensors? Loop dims ordered, merged, and turned into buffer strides.

A nest has outer dims, which the results have, and for each reduction the dims it walks. Every
access (a tensor as the nest sees it) has a stride for each of them. Dims of size 1 drop out, dims
are ordered so that memory is walked forwards, and neighbours that every access walks as one are
merged: a contiguous [N, C, H, W] becomes one dim.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from xdsl.ir import SSAValue

from ...dialects.attributes.dtype import DType
from ...dialects.records import field, record

Ints = tuple[int, ...]


@record
class Axes:
    """Some dims of a nest after ordering and merging: their sizes."""

    sizes: Ints

    @property
    def rank(self) -> int:
        """The number of dims that are left."""
        return len(self.sizes)


@record(frozen=False, eq=False)
class Access:
    """A tensor in memory as a nest walks it: element strides for outer and for inner dims.

    Without a reduction, `inner` are strides for indices that the body computes. What is only
    counted is no memory: the nest computes the place itself, as the number of an element.
    """

    root: SSAValue
    dtype: DType
    offset: int
    outer: Ints
    reduction: Hashable | None = None
    inner: Ints = ()
    is_written: bool = False
    is_read: bool = False
    """Whether what is written is also read; whatever is not written is read anyway."""
    is_counted: bool = False

    def key(self) -> Hashable:
        """What makes two accesses one buffer."""
        return (
            self.root,
            self.offset,
            self.outer,
            self.reduction,
            self.inner,
            self.is_written,
            self.dtype,
        )


@record(frozen=False)
class Nest:
    """The dims of a kernel and its accesses."""

    outer_sizes: Ints
    inner_sizes: dict[Hashable, Ints] = field(default_factory=dict[Hashable, Ints])
    #: Whether the order of the outer dims counts (several writes to one element).
    is_ordered: bool = False
    accesses: list[Access] = field(default_factory=list[Access])
    found: dict[Hashable, Access] = field(default_factory=dict[Hashable, Access])

    def add(self, access: Access) -> Access:
        """Add an access, or return the equal one that is there."""
        key = access.key()
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = access
            self.accesses.append(access)
        return known

    def simplify(self) -> tuple[Axes, dict[Hashable, Axes]]:
        """Order and merge dims, rewriting the strides of every access; return what is left."""
        written = [access for access in self.accesses if access.is_written]
        leading = written + [access for access in self.accesses if not access.is_written]
        walks = [access.outer for access in leading]
        groups = _simplified(self.outer_sizes, walks, is_ordered=self.is_ordered)
        outer = Axes(tuple(size for size, _ in groups))
        for access in self.accesses:
            access.outer = tuple(access.outer[dim] for _, dim in groups)
        inner: dict[Hashable, Axes] = {}
        for reduction, sizes in self.inner_sizes.items():
            inside = [access for access in self.accesses if access.reduction == reduction]
            walks = [access.inner for access in inside]
            # In which order is part of what a reduction means: dims are merged, never exchanged.
            groups = _simplified(sizes, walks, is_ordered=True)
            # A reduction of one element keeps a dim of size 1: there must be something to walk.
            inner[reduction] = Axes(tuple(size for size, _ in groups) or (1,))
            for access in inside:
                access.inner = tuple(access.inner[dim] for _, dim in groups) or (0,)
        return outer, inner


def _simplified(
    sizes: Ints, strides: Sequence[Ints], *, is_ordered: bool = False
) -> list[tuple[int, int]]:
    """Return the dims that are left as (merged size, innermost original dim), outermost first."""
    dims = [dim for dim, size in enumerate(sizes) if size != 1]
    if not is_ordered:
        dims = outermost_first(dims, strides)
    groups: list[tuple[int, int]] = []
    for dim in dims:
        if groups and all(access[groups[-1][1]] == access[dim] * sizes[dim] for access in strides):
            groups[-1] = (groups[-1][0] * sizes[dim], dim)
        else:
            groups.append((sizes[dim], dim))
    return groups


def outermost_first(dims: Sequence[int], strides: Sequence[Ints]) -> list[int]:
    """Sort dims outermost first: compare two by the first access that walks both differently."""
    ordered: list[int] = []
    for dim in dims:
        place = len(ordered)
        while place and _is_outside(dim, ordered[place - 1], strides):
            place -= 1
        ordered.insert(place, dim)
    return ordered


def _is_outside(dim: int, other: int, strides: Sequence[Ints]) -> bool:
    for access in strides:
        first, second = access[dim], access[other]
        if first and second and first != second:
            # Which way memory is walked does not count: the result of a flip is written backwards.
            return abs(first) > abs(second)
    return False


def buffer_strides(access: Access) -> tuple[int | None, ...]:
    """Return the strides in a buffer's type: 0, 1 and -1 are known, others are arguments."""
    # A size that is a symbol, and one of them by a guard, becomes the plain number.
    return tuple(map(_known_stride, access.outer + access.inner))


def _known_stride(stride: int) -> int | None:
    return next((known for known in (-1, 0, 1) if stride == known), None)
