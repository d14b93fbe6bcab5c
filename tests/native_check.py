"""Is a call that native code answers the one that Python answers? Each one that it learns is tried.

`install()` lets native code learn from every call that is made, at once, and compares what it does
with what the executor does with the same plan and copies of the arguments: results with specs,
offsets, bytes and which memory they look at, and what was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import trilith as tri
from trilith.compiler.eager import open_plans
from trilith.compiler.eager.call_plans import plan_of_assignment as plan_of_any_assignment
from trilith.compiler.eager.open_call_plans import open_plan_of_row
from trilith.compiler.eager.operations import OPEN, Eager, call
from trilith.dialects.ops.frame.row import OpSpec
from trilith.dialects.ops.rows.indexing.subscripts import is_plain
from trilith.runtime.calls import activation, entries
from trilith.runtime.calls.packing import CallPlan, PackedPlan, packed_plan
from trilith.runtime.calls.single_sizes import at_these_sizes
from trilith.runtime.devices.threads import THREADS
from trilith.runtime.executor import Executable
from trilith.runtime.native import form

#: How many plans native code could run, and how many it left to Python.
TRIED: Counter[str] = Counter()


def install() -> bool:
    """Try everything from now on; return whether there is native code."""
    if not entries.enable():
        return False
    # Three threads make every launch that can be cut, and one does what is compared with.
    tri.set_num_threads(3)
    THREADS.share_all()
    begin: Any = entries.Entry.__init__
    remember: Any = entries.Entry.remember

    def begin_at_once(self: entries.Entry, slow: Any, learn: Any, *, binds: bool) -> None:
        begin(self, slow, learn, binds=binds)
        self.words[form.SLOW // 8] = self.words[form.LEARN // 8]

    def remember_and_try(
        self: entries.Entry, plan: CallPlan, arguments: Sequence[Any]
    ) -> PackedPlan | None:
        packed = remember(self, plan, arguments)
        TRIED["left to Python" if packed is None else "tried"] += 1
        if packed is not None:
            compare(plan, packed, arguments)
        return packed

    plan_of, plan_of_assignment = Eager.plan_of, Eager.plan_of_assignment

    def try_open_row(
        self: Eager,
        row: OpSpec,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        *,
        in_place: bool = False,
    ) -> CallPlan | None:
        plan = open_plan_of_row(OPEN, row, arguments, keywords, in_place=in_place)
        try_open(plan, (*arguments, *keywords.values()))
        return plan_of(self, row, arguments, keywords, in_place=in_place)

    def try_open_assignment(self: Eager, target: Any, index: Any, value: Any) -> CallPlan | None:
        if is_plain(index) and not isinstance(index, bool):
            find = partial(open_plan_of_row, OPEN)
            plan = plan_of_any_assignment(find, call, target, index, value)
            try_open(plan, (target, index, value))
        return plan_of_assignment(self, target, index, value)

    Eager.plan_of, Eager.plan_of_assignment = try_open_row, try_open_assignment
    entries.Entry.__init__ = begin_at_once
    entries.Entry.remember = remember_and_try
    open_plans.OFTEN = 1
    return True


def try_open(plan: CallPlan | None, arguments: Sequence[Any]) -> None:
    """Try a plan for all sizes, which native code would have been told of if calls had differed."""
    if plan is None:
        return
    packed = packed_plan(plan, arguments)
    TRIED["open, left to Python" if packed is None else "open, tried"] += 1
    if packed is not None:
        compare(plan, packed, arguments)


def compare(plan: CallPlan, packed: PackedPlan, arguments: Sequence[Any]) -> None:
    """Run a plan in native code and in Python, on copies of the arguments."""
    ours, theirs = copied(arguments), copied(arguments)
    plan = at_these_sizes(plan, arguments)
    found = activation.NATIVE.begun.run(packed.address, plan.names, *ours)
    if not found and shares_memory(ours):
        return  # Python looks at what is shared
    if not found:
        # No free block of some size, perhaps: the executor's are free afterwards.
        expected(plan, theirs)
        found = activation.NATIVE.begun.run(packed.address, plan.names, *ours)
        theirs = copied(arguments)
    if not found:
        TRIED["missed"] += 1
        return
    tensors, results = expected(plan, theirs)
    if plan.gives == "one":
        is_set = bool(plan.artifact.launches)
        same(found[0], results[0], operands(plan, ours), tensors, is_set=is_set)
    elif plan.gives == "several":
        assert type(found[0]) is plan.result_type
        for result, wanted in zip(found[0], results, strict=True):
            same(result, wanted, operands(plan, ours), tensors)
    elif plan.gives == "first argument":
        assert found[0] is ours[0]
    else:
        assert found == [None]
    for mine, other in zip(operands(plan, ours), tensors, strict=True):
        assert bits(mine) == bits(other)


def copied(arguments: Sequence[Any]) -> list[Any]:
    """Return arguments whose tensors are copies that lie as they do."""
    memo: dict[int, Any] = {}

    def copy(value: Any) -> Any:
        if isinstance(value, list):
            return copied(cast("list[Any]", value))
        if type(value) is not tri.Tensor:
            return value
        memory = memo.get(id(value.memory))
        if memory is None:
            memory = memo[id(value.memory)] = value.memory.clone()
        return tri.Tensor(memory, value.spec, value.offset)

    return [copy(value) for value in arguments]


def operands(plan: CallPlan, arguments: Sequence[Any]) -> list[Any]:
    """Return the tensors among arguments, in order."""
    found: list[Any] = []
    for value in arguments:
        found += value if type(value) is list else [value]
    return [value for value in found if type(value) is tri.Tensor] + list(plan.captured)


def expected(plan: CallPlan, arguments: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return the operands and the results of the executor."""
    tensors = operands(plan, arguments)
    if plan.is_same_part:
        return tensors, []
    given = list(tensors)
    if plan.part is not None:
        base = tensors[0]
        given[0] = tri.Tensor(base.memory, plan.part.spec, base.offset + plan.part.offset)
    numbers = [
        value
        for role, value in zip(plan.roles, arguments, strict=True)
        if role in ("number", "moderate number", "fixed number")
    ]
    results = Executable(plan.artifact).run(given, numbers)
    for index, earlier in plan.same:
        results[index] = given[earlier]
    return tensors, results


def same(
    found: Any, wanted: Any, ours: list[Any], theirs: list[Any], *, is_set: bool = True
) -> None:
    """Compare a result of native code with that of the executor, its elements if they are set."""
    assert found.spec is wanted.spec
    assert (found.offset, found.byte_offset) == (wanted.offset, wanted.byte_offset)
    assert found.state is None
    assert found.memory.length == wanted.memory.length
    looked_at = [tensor.memory is found.memory for tensor in ours]
    assert looked_at == [tensor.memory is wanted.memory for tensor in theirs]
    assert not is_set or bits(found) == bits(wanted)


def bits(tensor: Any) -> bytes:
    """Return the bytes of a storage."""
    return bytes(tensor.memory.tolist()) if tensor.memory.length < 1 << 16 else b""


def shares_memory(arguments: Sequence[Any]) -> bool:
    """Whether two operands look at one storage."""
    memories = [id(value.memory) for value in arguments if type(value) is tri.Tensor]
    return len(set(memories)) < len(memories)
