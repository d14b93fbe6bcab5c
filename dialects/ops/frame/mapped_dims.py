"""How does a row that is about dims run for many examples? Its dims are counted behind theirs.

An example may be a 0-dim tensor, of which the dims 0 and -1 are meant: it gets a dim meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...attributes.memory_format import contiguous_format, preserve_format
from ...attributes.spec import TensorSpec
from ...attributes.views import Strided, wrap_dim
from .mapped import MappedCall, MappingRule


def shifted(dims: Any, rank: int) -> Any:
    """Return a dim, or several, of an example as it is counted behind that of the examples.

    >>> shifted(-1, 3), shifted((0, 1), 3)
    (3, (1, 2))
    """
    if isinstance(dims, (tuple, list)):
        given = cast("Sequence[int]", dims)
        return tuple(wrap_dim(dim, rank) + 1 for dim in given)
    return wrap_dim(dims, rank) + 1


def along(*names: str) -> MappingRule:
    """Return the rule of rows that compute along the dims that attributes name."""

    def rule(call: MappedCall) -> Any:
        operand = call.first
        (operand_name, *_), rank = call.bound, operand.spec.rank
        changes = {name: shifted(call.bound[name], rank) for name in names}
        if rank:
            return call.run(**changes)
        found = call.run(**{operand_name: call.t.call("unsqueeze", operand.value, 1), **changes})
        return call.each(found, lambda each: _without(call, each))

    return rule


def _without(call: MappedCall, result: Any) -> Any:
    """Return a result of 0-dim examples without the dim that they had meanwhile."""
    return call.t.call("squeeze", result, 1) if result.spec.rank == 2 else result


def reduction(call: MappedCall) -> Any:
    """Say what reduces along some dims: of all dims those of an example are meant."""
    operand, row, rank = call.first, call.row, call.first.spec.rank
    (name, *_), dims, keeps = call.bound, call.bound.get("dim"), call.bound.get("keepdim", False)
    is_whole = dims is None or dims == ()
    is_list = row.schema.by_name["dim"].is_list
    if not rank:
        if not is_whole:
            shifted(dims, 0)
        value = call.t.call("unsqueeze", operand.value, 1)
        return call.run(**{name: value, "dim": (1,) if is_list else 1, **_kept(call, False)})
    if not is_whole:
        return call.run(dim=shifted(dims, rank))
    if is_list:
        return call.run(dim=tuple(range(1, rank + 1)))
    flat = call.t.call("reshape", operand.value, (call.size, operand.spec.numel))
    found = call.run(**{name: flat, "dim": 1, **_kept(call, False)})
    if not keeps:
        return found
    shape = (call.size, *(1,) * rank)
    return call.each(found, lambda each: call.t.call("reshape", each, shape))


def _kept(call: MappedCall, keeps: bool) -> dict[str, Any]:
    return {"keepdim": keeps} if "keepdim" in call.bound else {}


# ---- views


def window(call: MappedCall) -> Any:
    """Say what looks at the same places of each example, wherever they are."""
    operand = call.first
    spec = operand.spec
    canonical = call.row.canonical(spec, call.attributes)
    seen = call.row.apply(Strided(spec.shape, spec.strides, 0), canonical)
    step = operand.value.spec.strides[0]
    shape, strides = (call.size, *seen.shape), (step, *seen.strides)
    return call.t.call("strided_view", operand.value, shape, strides, seen.offset)


def moving(*names: str) -> MappingRule:
    """Return the rule of views that attributes tell dims."""

    def rule(call: MappedCall) -> Any:
        spec = call.first.spec
        if not spec.rank:
            return window(call)
        canonical = call.row.canonical(spec, call.attributes)
        changes = {name: shifted(canonical[name], spec.rank) for name in names}
        return call.run(**{**canonical, **changes})

    return rule


def inserting(call: MappedCall) -> Any:
    """Say what inserts a dim."""
    canonical = call.row.canonical(call.first.spec, call.attributes)
    return call.run(dim=canonical["dim"] + 1)


def permuting(call: MappedCall) -> Any:
    """Say what puts dims into another order."""
    canonical = call.row.canonical(call.first.spec, call.attributes)
    return call.run(dims=(0, *(dim + 1 for dim in canonical["dims"])))


def transposing(call: MappedCall) -> Any:
    """Say what transposes matrices alone."""
    spec = call.first.spec
    call.row.apply(Strided(spec.shape, spec.strides, 0), {})
    name, *others = ("transpose", 1, 2) if spec.rank == 2 else ("alias",)
    return call.t.call(name, call.first.value, *others)


def viewing(call: MappedCall) -> Any:
    """Say what sees elements in other sizes, which an attribute tells."""
    canonical = call.row.canonical(call.first.spec, call.attributes)
    return call.run(size=(call.size, *canonical["size"]))


def expanding(call: MappedCall) -> Any:
    """Say what repeats elements up to sizes, which may be more than there are dims."""
    canonical = call.row.canonical(call.first.spec, call.attributes)
    sizes: tuple[int, ...] = canonical["size"]
    name, *_ = call.bound
    return call.run(**{name: call.aligned(call.first, len(sizes)), "size": (call.size, *sizes)})


# ---- copies and what is made


def copied(call: MappedCall) -> Any:
    """Say what copies elements, each example into memory laid out as one alone would be."""
    spec = call.first.spec
    if call.bound.get("memory_format") is None and "strides" not in call.bound:
        return call.run()
    resolved = call.row.resolve([spec], call.attributes)
    return call.t.call("with_strides", call.first.value, _apart(call, resolved.result))


def in_format(call: MappedCall) -> Any:
    """Say what does not look at the front dims, and lays each example out in a memory format."""
    if call.bound["memory_format"] in (None, contiguous_format):
        return call.run()
    resolved = call.row.resolve([call.first.spec], call.attributes)
    found = call.run(memory_format=contiguous_format)
    return call.t.call("with_strides", found, _apart(call, resolved.result))


def _apart(call: MappedCall, spec: TensorSpec) -> tuple[int, ...]:
    """Return strides by which examples lie one after the other."""
    return (max(spec.numel, 1), *spec.strides)


def made_like(call: MappedCall) -> Any:
    """Say what makes a tensor like another one, for each example one."""
    name, *_ = call.bound
    memory_format = call.bound["memory_format"]
    changes: dict[str, Any] = {name: call.in_front(call.first)}
    if memory_format not in (None, preserve_format):
        # The formats are those of an example; in memory the examples come first.
        changes["memory_format"] = contiguous_format
    filling = call.bound.get("fill_value")
    if getattr(filling, "is_mapped", False):
        return _filled(call, filling, changes)
    return call.run(**changes)


def of_sizes(*names: str) -> MappingRule:
    """Return the rule of rows that make a tensor of given sizes, for each example one."""

    def rule(call: MappedCall) -> Any:
        changes: dict[str, Any] = {name: (call.size, *call.bound[name]) for name in names}
        strides = call.bound.get("stride")
        if strides is not None:
            reach = _reach(call.bound["size"], strides)
            changes["stride"] = (reach, *strides)
        filling = call.bound.get("fill_value")
        if getattr(filling, "is_mapped", False):
            return _filled(call, filling, changes)
        return call.run(**changes)

    return rule


def _filled(call: MappedCall, filling: Any, changes: dict[str, Any]) -> Any:
    """Make a tensor, and write into each example its own value."""
    made = call.run(**changes, fill_value=0)
    value = call.aligned(filling, made.spec.rank - 1)
    cast = call.t.call("cast", value, made.spec.dtype)
    return call.t.call("clone", call.t.call("expand", cast, made.spec.shape))


def _reach(shape: Sequence[int], strides: Sequence[int]) -> int:
    """Return how many elements of memory a tensor takes."""
    return 1 + sum(max(size - 1, 0) * step for size, step in zip(shape, strides, strict=True))


def filled(call: MappedCall) -> Any:
    """Say what fills new memory with one value, which differs."""
    value = call.bound["fill_value"]
    size = call.bound["size"]
    wide = call.t.call("expand", call.aligned(value, len(size)), (call.size, *size))
    dtype = call.bound.get("dtype") or value.spec.dtype
    return call.t.call("clone", call.t.call("cast", wide, dtype))
