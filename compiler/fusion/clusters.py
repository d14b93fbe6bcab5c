"""Which operations walk along the same rows? Reductions, and what reads their results back.

A reduction along some dims of a shape keeps those dims with size 1. Whatever is computed from its
result at every element of the shape, and is reduced along the same dims again, belongs to one
cluster with it: softmax, a normalisation, or what a user writes in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, cast

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.extents import are_equal
from ...dialects.attributes.symint import hint_of
from ...dialects.making import operands_of
from ...dialects.ops.frame.traits import Reads
from ...dialects.records import field, record
from ...dialects.tri.ops import TensorOperation, tensor_spec
from ...dialects.tri.structure import ConstantOp
from .recompute import reads_of

Ints = tuple[int, ...]

#: Rows that are fewer, and each longer than a block of a sum, keep no device busy one by one.
FEW_ROWS, LONG_ROW = 64, 16384


@record(frozen=False, eq=False)
class Cluster:
    """Operations over the elements of a shape, and over its rows.

    `kept` is the shape with the reduced dims of size 1. `before` are clusters whose values it
    needs; `parent` is set when it was merged into another.
    """

    shape: Ints
    dims: Ints
    kept: Ints
    members: list[TensorOperation] = field(default_factory=list[TensorOperation])
    before: set[Cluster] = field(default_factory=set["Cluster"])
    parent: Cluster | None = None

    def root(self) -> Cluster:
        """Return the cluster that this one has become."""
        cluster = self
        while cluster.parent is not None:
            cluster = cluster.parent
        return cluster

    def is_like(self, other: Cluster) -> bool:
        """Whether both walk along the same rows of the same shape."""
        return self.dims == other.dims and are_equal(self.shape, other.shape)

    def needs(self, other: Cluster) -> bool:
        """Whether a value of another cluster is needed, directly or by way of others."""
        pending: list[Cluster] = [self]
        seen: set[Cluster] = {self}
        while pending:
            for earlier in pending.pop().before:
                earlier = earlier.root()
                if earlier is other:
                    return True
                if earlier not in seen:
                    seen.add(earlier)
                    pending.append(earlier)
        return False

    def keeps_busy(self) -> bool:
        """Whether a device has enough to do with one row after the other."""
        rows = prod(map(hint_of, self.kept))
        return rows >= FEW_ROWS or prod([hint_of(self.shape[d]) for d in self.dims]) <= LONG_ROW

    def holds_elements(self) -> bool:
        """Whether a value of a row is read back at its elements; else there is nothing to share."""
        return any(are_equal(op.spec.shape, self.shape) for op in self.members)


def clusters_of(block: Block) -> list[Cluster]:
    """Return the clusters of a function in which values of rows are read back."""
    finder = _Finder()
    for op in block.ops:
        finder.add(op)
    found = {id(cluster): cluster for cluster in map(Cluster.root, finder.cluster_of.values())}
    return [cluster for cluster in found.values() if cluster.holds_elements()]


class _Finder:
    """Takes the operations of a function in their order."""

    def __init__(self) -> None:
        self.cluster_of: dict[Operation | Block, Cluster] = {}
        #: The clusters that operations outside of any need, not those that these need in turn.
        self.upstream: dict[Operation | Block, frozenset[Cluster]] = {}

    def add(self, op: Operation) -> None:
        """Let an operation join a cluster, or begin one, if it may."""
        cluster: Cluster | None = None
        if isinstance(op, TensorOperation):
            reads = reads_of(type(op))
            if reads is Reads.REDUCED:
                cluster = self._of_reduction(op)
            elif reads is Reads.INDEX:
                cluster = self._of_pointwise(op)
        if cluster is None:
            self.upstream[op] = frozenset(self._needed(operands_of(op), None))
            return
        assert isinstance(op, TensorOperation)
        cluster.members.append(op)
        cluster.before |= self._needed(operands_of(op), cluster)
        self.cluster_of[op] = cluster

    def _of_reduction(self, op: TensorOperation) -> Cluster | None:
        """Return the cluster of a reduction: that of its operand, or one of its own."""
        values = op.values()
        operand = op.operands[0]
        shape, dims = tensor_spec(operand).shape, cast("Ints", values["dim"])
        if not values["keepdim"] or are_equal(op.spec.shape, shape):
            return None
        made = Cluster(shape, dims, op.spec.shape)
        found = self.cluster_of.get(operand.owner)
        if found is not None and found.root().is_like(made):
            return found.root()
        return made

    def _of_pointwise(self, op: TensorOperation) -> Cluster | None:
        """Return the cluster of what an operation reads, all of it that may be one."""
        shape, operands = op.spec.shape, operands_of(op)
        joined: Cluster | None = None
        for operand in operands:
            cluster = self.cluster_of.get(operand.owner)
            cluster = None if cluster is None else cluster.root()
            if cluster is None or cluster is joined or not _fits(cluster, shape):
                continue
            if joined is None:
                joined = cluster
            elif (
                joined.is_like(cluster) and not joined.needs(cluster) and not cluster.needs(joined)
            ):
                joined = _merged(joined, cluster)
        if joined is None:
            return None
        for other in self._needed(operands, joined):
            # A value that leaves and comes back would have to be computed in the middle.
            if other is joined or other.needs(joined):
                return None
        return joined

    def _needed(self, values: Iterable[SSAValue], inside: Cluster | None) -> set[Cluster]:
        """Return the clusters that values need which no member of one cluster computes."""
        found: set[Cluster] = set()
        for value in values:
            cluster = self.cluster_of.get(value.owner)
            if cluster is None:
                found.update(item.root() for item in self.upstream.get(value.owner, ()))
            elif cluster.root() is not inside:
                found.add(cluster.root())
        return found


def _fits(cluster: Cluster, shape: Ints) -> bool:
    return are_equal(shape, cluster.shape) or are_equal(shape, cluster.kept)


def _merged(first: Cluster, second: Cluster) -> Cluster:
    first.members += second.members
    first.before |= second.before
    second.members, second.parent = [], first
    return first


def in_order(operations: Sequence[Operation]) -> list[Operation]:
    """Return operations so that each comes after what it needs, else in the order they had."""
    ordered: list[Operation] = []
    known, placed = set(operations), set[Operation]()
    for op in operations:
        pending = [op]
        while pending:
            current = pending[-1]
            if current in placed:
                pending.pop()
                continue
            missing = [owner for owner in _producers(current) if owner in known - placed]
            if missing:
                pending += missing
                continue
            placed.add(current)
            ordered.append(pending.pop())
    return ordered


def _producers(op: Operation) -> list[Any]:
    return [operand.owner for operand in operands_of(op) if not isinstance(operand.owner, Block)]


def is_constant(value: SSAValue) -> bool:
    """Whether a value is a number of the program."""
    return type(value.owner) is ConstantOp
