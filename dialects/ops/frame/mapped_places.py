"""How does a row that joins, contracts or looks elements up run for many examples?

Their dim is one more that is walked: of a result, or of a product's operand. Where index tensors
differ from example to example, the number of the example is one more index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...attributes.extents import storage_extent
from .mapped import MappedCall, MappedOperand, highest_rank
from .mapped_dims import shifted

# ---- joins


def joining(call: MappedCall) -> Any:
    """Say what puts a list of tensors one after the other along a dim."""
    tensors: list[MappedOperand] = call.bound["tensors"]
    rank = highest_rank(tensors)
    # A vector without elements joins with anything, as long as it has no dim for the examples.
    given = [each for each in tensors if each.spec.rank == rank or each.spec.numel]
    return call.run(
        tensors=[call.in_front(each) for each in given], dim=shifted(call.bound["dim"], rank)
    )


def writing_window(call: MappedCall) -> Any:
    """Say what writes into a window of memory: each example has its own."""
    operand: MappedOperand = call.bound["input"]
    spec, value = operand.spec, operand.value
    if not operand.is_mapped:
        strides = (max(storage_extent(spec.shape, spec.strides), 1), *spec.strides)
        value = call.t.call("with_strides", call.in_front(operand), strides)
    return call.run(
        input=value,
        src=call.in_front(call.bound["src"]),
        size=(call.size, *call.bound["size"]),
        stride=(value.spec.strides[0], *call.bound["stride"]),
    )


# ---- products


def multiplying(call: MappedCall) -> Any:
    """Say what multiplies matrices and vectors: examples are a batch, or more rows of one."""
    left: MappedOperand = call.bound["input"]
    right: MappedOperand = call.bound["other"]
    t, name = call.t, call.row.name
    if not left.spec.rank or not right.spec.rank:
        # The row itself says why not.
        return t.call(name, _example(call, left), _example(call, right))
    is_vector = left.spec.rank == 1, right.spec.rank == 1
    is_wide = left.spec.rank > 1 and left.spec.rank >= right.spec.rank
    if not right.is_mapped and (is_wide or right.spec.rank <= 2):
        return call.run()
    if not left.is_mapped and is_vector[1] and left.spec.rank == 2:
        found = t.call(name, left.value, t.call("transpose", right.value, 0, 1))
        return t.call("transpose", found, 0, 1)
    first, second = left.value, right.value
    if is_vector[0]:
        first = t.call("unsqueeze", first, -2)
    if is_vector[1]:
        second = t.call("unsqueeze", second, -1)
    rank = max(left.spec.rank + is_vector[0], right.spec.rank + is_vector[1])
    first = _padded(call, first, left, rank - left.spec.rank - is_vector[0])
    second = _padded(call, second, right, rank - right.spec.rank - is_vector[1])
    found = t.call(name, first, second)
    if is_vector[1]:
        found = t.call("squeeze", found, -1)
    return t.call("squeeze", found, -1 if is_vector[1] else -2) if is_vector[0] else found


def _padded(call: MappedCall, value: Any, operand: MappedOperand, count: int) -> Any:
    for _ in range(count if operand.is_mapped else 0):
        value = call.t.call("unsqueeze", value, 1)
    return value


def _example(call: MappedCall, operand: MappedOperand) -> Any:
    return call.t.call("select", operand.value, 0, 0) if operand.is_mapped else operand.value


def contracting(call: MappedCall) -> Any:
    """Say what multiplies by index maps: examples are one more index, of the result too."""
    left: MappedOperand = call.bound["input"]
    right: MappedOperand = call.bound["other"]
    order = (0, *(index + 1 for index in call.bound["order"]))
    return call.run(
        left=_walked(left, call.bound["left"]),
        right=_walked(right, call.bound["right"]),
        order=order,
    )


def _walked(operand: MappedOperand, indices: Sequence[int]) -> tuple[int, ...]:
    found = tuple(index + 1 for index in indices)
    return (0, *found) if operand.is_mapped else found


# ---- elements that index tensors name


def gathering_along(call: MappedCall) -> Any:
    """Say what looks elements up, or writes them, along one dim of tensors of the same rank."""
    bound = call.bound
    changes = {
        name: call.in_front(value)
        for name, value in bound.items()
        if isinstance(value, MappedOperand) and (value.spec.rank or value.is_mapped)
    }
    rank = bound["input"].spec.rank
    values = bound.get("values")
    if isinstance(values, MappedOperand) and values.is_mapped and not values.spec.rank:
        shape = (call.size, *bound["index"].spec.shape)
        changes["values"] = call.t.call("expand", call.aligned(values, rank), shape)
    return call.run(**changes, dim=shifted(bound["dim"], rank), **_packed(call))


def _packed(call: MappedCall) -> dict[str, Any]:
    """Leave it to the memory of all examples how a result is laid out."""
    return {"memory_format": None} if "memory_format" in call.bound else {}


def gathering(call: MappedCall) -> Any:
    """Say what looks elements up by index tensors for some dims."""
    bound, t = call.bound, call.t
    indices: list[MappedOperand] = bound["indices"]
    operand: MappedOperand = bound["input"]
    dims: tuple[int, ...] = bound["dims"]
    ranks = [index.spec.rank for index in indices]
    before, count = _before(dims, ranks, operand.spec.rank), max(ranks, default=0)
    if not any(index.is_mapped for index in indices):
        found = call.run(dims=tuple(dim + 1 for dim in dims))
        # The dims of indices come first where the indexed dims are no neighbours.
        behind = [dim + 1 for dim in dims]
        is_first = _before(behind, ranks, operand.spec.rank + 1) == 0
        return t.call("movedim", found, count, 0) if is_first and count else found
    aligned = [_with_rank(call, index, count) for index in indices]
    value = call.in_front(operand)
    found = call.run(
        input=value,
        indices=[_examples(call, count), *aligned],
        dims=(0, *(dim + 1 for dim in dims)),
    )
    return _moved(t, found, count, before)


def _before(dims: Sequence[int], ranks: Sequence[int], rank: int) -> int:
    """Return how many dims of the indexed tensor come before those of the indices."""
    wide = [dim for dim, size in zip(dims, ranks, strict=True) if size]
    kept = [dim for dim in range(rank) if dim not in dims]
    if not wide or any(wide[0] < dim < wide[-1] for dim in kept):
        return 0
    return sum(dim < wide[0] for dim in kept)


def _examples(call: MappedCall, rank: int) -> Any:
    """Return the numbers of the examples, as an index before others of a rank."""
    device = call.bound["input"].spec.device
    numbers = call.t.call("arange", call.size, device=device)
    return call.t.call("view", numbers, (call.size, *(1,) * rank))


def _with_rank(call: MappedCall, index: MappedOperand, rank: int) -> Any:
    """Return an index with the dim of the examples, of size 1 where it is the same for all."""
    value = index.value if index.is_mapped else call.t.call("unsqueeze", index.value, 0)
    for _ in range(rank - index.spec.rank):
        value = call.t.call("unsqueeze", value, 1)
    return value


def _moved(t: Any, value: Any, count: int, before: int) -> Any:
    """Return a tensor whose `count` dims behind the first come behind `before` others."""
    if not count or not before:
        return value
    source = tuple(range(1, count + 1))
    return t.call("movedim", value, source, tuple(dim + before for dim in source))


def putting(call: MappedCall) -> Any:
    """Say what writes elements where index tensors for some dims say."""
    bound, t = call.bound, call.t
    indices: list[MappedOperand] = bound["indices"]
    operand: MappedOperand = bound["input"]
    values: MappedOperand = bound["values"]
    dims: tuple[int, ...] = bound["dims"]
    ranks = [index.spec.rank for index in indices]
    before, count = _before(dims, ranks, operand.spec.rank), max(ranks, default=0)
    rank = count + operand.spec.rank - len(dims)
    value = call.aligned(values, rank)
    if before and count:
        # What is written lies as the result of a look-up does: the dims of the indices move.
        sizes = _points(operand, indices, dims, before)
        wide = t.call("expand", value, (call.size, *sizes))
        source = tuple(range(before + 1, before + count + 1))
        value = t.call("movedim", wide, source, tuple(range(1, count + 1)))
    return call.run(
        input=call.in_front(operand),
        values=value,
        indices=[_examples(call, count), *(_with_rank(call, each, count) for each in indices)],
        dims=(0, *(dim + 1 for dim in dims)),
        **_packed(call),
    )


def _points(
    operand: MappedOperand, indices: Sequence[MappedOperand], dims: Sequence[int], before: int
) -> tuple[int, ...]:
    """Return the sizes of what index tensors name of one example."""
    kept = [size for dim, size in enumerate(operand.spec.shape) if dim not in dims]
    rank = max(index.spec.rank for index in indices)
    shape = [1] * rank
    for index in indices:
        for back, size in enumerate(reversed(index.spec.shape), 1):
            shape[-back] = size if shape[-back] == 1 else shape[-back]
    return (*kept[:before], *shape, *kept[before:])
