"""How is it found out what a call did, and why? It runs once, watched, and is then looked into.

In the place of a trace stands who watches, so that operations and compiled functions come here
before anything else. Each then runs as it does otherwise, and its plan is looked for afterwards; a
call that nobody watches is not asked anything.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any, cast

from ...dialects.diagnostics import (
    TrilithError,
    TrilithTypeError,
    user_location,
    without_own_frames,
)
from ...dialects.ops.frame.indexed import HostOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.table import TABLE
from ...runtime.tensors.recording import unrecorded
from ...runtime.tensors.tensor import Tensor
from ..eager import operations
from ..eager.data_dependent import ConcreteLanguage, run_host_row
from ..eager.found_plans import found_plan
from ..eager.plans import IN_PLACE, OUT, Goal
from ..functions.found_plans import found_plan as found_plan_of_function
from ..functions.function import CompiledFunction
from ..functions.methods import BoundFunction
from ..functions.reasons import name_of
from ..plan_log import NO_PLAN
from ..plan_records import OPEN as RECORDS
from ..plan_records import PlanRecord
from ..stored.calls import spelled_call
from ..targets.table import target_named
from ..trace.active import Watching
from ..trace.operators import Members, make_function, make_in_place
from .explanation import CallReport, Explanation, kernel_uses, launched
from .fusion_links import fusion_links
from .rooflines import kernel_costs


def explain(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Explanation:
    """Call a function, and say what that did and why.

    Arguments: a compiled function, or any other one, then what it is called with. The call is made
    once, as it would be otherwise; what it raises is raised. The answer has its `result`, and for
    each operation and compiled function that this thread called: whether its plan was found or
    made and why (which argument, dim and line), the milliseconds of each phase (trace, lower,
    compile, load), and the kernels with launches and bytes. Print it, or let a notebook show it.

    Of a compiled function, which is traced once more for that, it says of each two operations
    whether one kernel computes both, and why (`links`); of each kernel what it moves and computes,
    and what that takes at least on this machine (`costs`); and how much memory is in use.
    `f.explain(...)` is the same. One that runs step by step has no kernels of its own.

    On a device times are those until the work is queued.

    Raises TrilithTypeError if `function` cannot be called.

    >>> import trilith as tri
    >>> double = tri.compile(lambda x: 2 * x + 1)
    >>> x = tri.ones(3)
    >>> first, second = tri.explain(double, x), tri.explain(double, x)
    >>> second.result
    tensor([3., 3., 3.])
    >>> first.calls[0].made[0].reason, second.calls[0].made
    ('the first call with arguments of this kind', ())
    >>> second.launches, second.nbytes
    (1, 24)
    >>> second.links[0].producer, second.links[0].consumer, second.links[0].why
    ('mul', 'add', 'elements of one shape')
    >>> second.costs[0].nbytes, second.costs[0].operations
    (24, 6)
    """
    unrecorded("explain() is called")
    if not callable(function):
        raise TrilithTypeError(f"explain() takes a function, not {type(function).__name__}")
    found = Explanation(name_of(function))
    watcher = _Watcher(found.calls)
    _twins()  # made once, which is no part of the call
    finished = RECORDS.finished
    RECORDS.finished = watcher.finished
    start = time.perf_counter()
    try:
        with watcher.watching.is_active():
            found.result = function(*arguments, **keywords)
    except TrilithError as error:
        raise without_own_frames(error) from None
    finally:
        RECORDS.finished = finished
    found.milliseconds = 1000 * (time.perf_counter() - start) - watcher.lost
    if isinstance(function, CompiledFunction | BoundFunction):
        _look_at_kernels(found, function, arguments, keywords)
    return found


def _look_at_kernels(
    found: Explanation, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    """Say how the operations of a compiled function became kernels, unless it has none."""
    try:
        traced = function.trace(*arguments, **keywords)
    except TrilithError:
        return
    lowered = traced.lower()
    artifact = lowered.artifact()
    found.links = fusion_links(traced.module, target_named(lowered.target).function)
    found.costs = kernel_costs(lowered.module, launched(artifact))
    found.arena_nbytes = artifact.arena_nbytes
    found.result_nbytes = sum(plan.nbytes for plan in artifact.buffers if plan.role == "output")


class _Watcher:
    """Runs what is called, and notes it."""

    def __init__(self, calls: list[CallReport]) -> None:
        self.calls = calls
        #: The plans that this thread has made.
        self.finished: list[PlanRecord] = []
        #: Milliseconds that were spent on looking.
        self.lost = 0.0
        self.watching = Watching(self._run)

    def _run(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        if isinstance(function, CompiledFunction):
            return self._run_compiled(cast("Any", function), arguments, keywords)
        before = _SHOWN.watcher
        _SHOWN.watcher = self
        try:
            twin = _twins().get(getattr(function, "__qualname__", ""), function)
            return twin(*arguments, **keywords)
        finally:
            _SHOWN.watcher = before

    def _run_compiled(
        self,
        function: CompiledFunction[..., Any],
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> Any:
        def look() -> Any:
            return found_plan_of_function(function, arguments, keywords)

        report = CallReport(name_of(function), user_location(), is_compiled=True)
        return self._noted(report, lambda: function(*arguments, **keywords), look)

    def run_row(
        self,
        row: OpSpec,
        goal: Goal,
        call: tuple[tuple[Any, ...], dict[str, Any], Tensor | None],
        run: Callable[[], Any],
    ) -> Any:
        """Run a call of a row and note it, unless it is a part of another one."""
        arguments, keywords, out = call

        def look() -> Any:
            if isinstance(row, HostOp):
                return NO_PLAN, None
            return found_plan(row, arguments, keywords, goal, out)

        return self._noted(CallReport(spelled_call(row, goal), user_location()), run, look)

    def _noted(self, report: CallReport, run: Callable[[], Any], look: Callable[[], Any]) -> Any:
        self.calls.append(report)
        begun = len(self.finished)
        start = time.perf_counter()
        try:
            result = run()
        except BaseException as error:
            report.error = type(error).__name__
            raise
        finally:
            end = time.perf_counter()
            report.milliseconds = 1000 * (end - start)
            # What was made inside of a call that was noted since is said there.
            inner = {id(made) for call in self.calls for made in call.made}
            made = [record for record in self.finished[begun:] if id(record) not in inner]
            report.made = tuple(made)
        found = self._looked(look)
        self.lost += 1000 * (time.perf_counter() - end)
        if found is not None:
            report.plan, artifact = found
            report.kernels = kernel_uses(artifact)
        return result

    def _looked(self, look: Callable[[], Any]) -> Any:
        finished, RECORDS.finished = RECORDS.finished, None
        try:
            return look()
        finally:
            RECORDS.finished = finished


class _Shown(threading.local):
    """Who is told of rows in this thread; the twins are called only while somebody is."""

    watcher: _Watcher | None = None


_SHOWN = _Shown()


class _WatchedRows:
    """Runs rows at once, as `operations.Eager` does, and tells who watches."""

    def __init__(self) -> None:
        self.concrete = ConcreteLanguage(self.call, self.in_place)

    def call(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a row."""

        def run() -> Any:
            if isinstance(row, HostOp):
                return run_host_row(row, arguments, keywords, self.concrete)
            return operations.call(row, arguments, keywords)

        return _told(row, "value", (arguments, keywords, None), run)

    def of_two(self, row: OpSpec) -> Callable[[Any, Any], Any]:
        """Return what runs a row on two operands."""
        return lambda left, right: self.call(row, (left, right), {})

    def in_place(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a row and write its result into its first operand."""
        call = (arguments, keywords, None)
        run = partial(operations.call_in_place, row, arguments, keywords)
        return _told(row, IN_PLACE, call, run)

    def out(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any
    ) -> Any:
        """Run a row and write its result into `out`."""
        call = (arguments, keywords, out if isinstance(out, Tensor) else None)
        run = partial(operations.call_out, row, arguments, keywords, out)
        return _told(row, OUT, call, run)

    def plan_of(
        self,
        row: OpSpec,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        *,
        in_place: bool = False,
    ) -> None:
        """Return None: whatever is watched runs in Python."""

    def plan_of_assignment(self, target: Any, index: Any, value: Any) -> None:
        """Return None, too."""


def _told(
    row: OpSpec,
    goal: Goal,
    call: tuple[tuple[Any, ...], dict[str, Any], Tensor | None],
    run: Callable[[], Any],
) -> Any:
    watcher = _SHOWN.watcher
    return run() if watcher is None else watcher.run_row(row, goal, call, run)


@cache
def _twins() -> dict[str, Callable[..., Any]]:
    """Return by the name of each public function and method one that tells who watches."""
    mode = _WatchedRows()
    found: dict[str, Callable[..., Any]] = {}
    for row in TABLE.values():
        found[row.name] = make_function(row, mode)
        for name in row.in_place_functions:
            found[f"Tensor.{name}"] = make_in_place(row, name, mode, is_method=False)
    for method in Members(mode).values():
        function: Any = method.fget if isinstance(method, property) else method
        found[function.__qualname__] = function
    return found
