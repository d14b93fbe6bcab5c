"""What is a compiled function? A callable that remembers a plan for each kind of arguments.

Making one imports neither xDSL nor LLVM; its first call does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    Self,
    cast,
    overload,
)

from ...dialects.attributes.device import Device, placement
from ...dialects.attributes.settings import PROCESS
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.diagnostics import (
    CapturedChanged,
    OutsideOfTensor,
    TrilithError,
    without_own_frames,
)
from ...dialects.frames import warnings_given
from ...dialects.locks import imported, new_lock
from ...runtime.calls.entries import Entry, attach, count_call, native_class
from ...runtime.execution.summaries import counted
from ...runtime.gradients.levels import TransformingError
from ...runtime.tensors.tensor import Tensor
from ..kept_operands import KeptChanges, KeptOfFunction
from ..kernels.counters import KernelCounters
from ..plan_key import PlanKey, pattern_key
from ..plan_log import logged
from ..plan_table import PlanTable
from ..short_keys import Places, short_key_of_call
from ..trace.active import ACTIVE, is_interrupting, run_apart
from ..trace.identity import identity_of
from ..trace.layers import LAYERS, layer_of
from ..trace.leaves import split_leaves
from ..trace.not_traceable import GradientNeeded, NotTraceable, NumberNeeded, OffsetNeeded
from ..trace.pytree import RecordedSparseError, flatten
from . import open_programs
from .attribute_state import AttributeState, known_plans
from .captured_gradients import refuse_gradients, watch_captured
from .device_arguments import Mover, are_all_on, refuse_elsewhere, restore_static, taker_of
from .from_disk import store
from .looked_at import Known, LookedAt, Values, ValuesSeen, is_covered, learn, with_numbers
from .methods import Bound, BoundFunction, P, R, bind
from .pickling import importable_name, imported_by
from .reasons import name_of, why_new
from .sharing import are_apart, repeated_arguments
from .static_arguments import Static, positional_names, split_static, with_static
from .stats import Stats
from .step_by_step import MANY_NUMBERS, Notice, Untraceable, not_whole, run_step_by_step

if TYPE_CHECKING:
    from ..compiled import Compiled
    from ..driver import Traced
    from .open_programs import OpenProgram, OpenPrograms

#: The parameters of a method without its instance.
Rest = ParamSpec("Rest")

#: How many plans a compiled function remembers.
PLAN_LIMIT = 1024


def _plan_of_call(*known: Any) -> Any:
    """Return the plan of a call for native code, which few processes have."""
    return imported(".call_plans", __package__).plan_of_call(*known)


class CompiledFunction(Generic[P, R]):
    """A function that is traced and compiled for each new kind of arguments: see `compile`."""

    def __init__(
        self,
        function: Callable[P, R],
        device: str | None,
        static_argnames: Iterable[str],
        static_shapes: bool = False,
        is_whole: bool = False,
    ) -> None:
        """Remember what to compile; nothing is imported or traced before the first call."""
        functools.update_wrapper(self, function)
        self.function = function
        self.device, self.static_shapes = device, static_shapes
        #: Whether running step by step is an error.
        self.is_whole = is_whole
        #: Whether host arguments are moved to the device, and results lie there.
        self._is_taking = taker_of(device) is not None
        self.static_argnames = frozenset(static_argnames)
        self._positional = positional_names(function, self.static_argnames)
        self._split = partial(split_static, self._positional, self.static_argnames)
        #: Which arguments are static, by position and by name.
        indices = (i for i, name in enumerate(self._positional) if name in self.static_argnames)
        self._static_places: Places = self.static_argnames.union(indices)
        self._plans: PlanTable[PlanKey, Compiled | Untraceable] = PlanTable(PLAN_LIMIT)
        self._shortcuts: dict[Any, Compiled] = self._plans.shortcuts
        #: By kind of call the plans for all sizes, and how many there are.
        self._opened = 0
        self._open: PlanTable[PlanKey, OpenPrograms] = PlanTable(PLAN_LIMIT)
        self._bound: Bound = {}
        self._lock, self._counters = new_lock(), KernelCounters()
        self._calls = self._traces = self._eager_calls = 0
        self._notice, self._many = Notice(), ValuesSeen()
        #: Whether the function uses tensors of the program around it that require a gradient.
        self._needs_gradients = False
        #: How often a captured tensor has begun or ended to require a gradient.
        self.gradient_changes = 0
        #: Whether plans keep what they make of captured tensors, and what they keep.
        self.keeps, self._kept = True, KeptOfFunction()
        #: What the attributes hold that the function reads.
        self._state = AttributeState(function)
        #: Whether the function asks where its arguments lie in their storage.
        self._needs_offsets = False
        #: By kind of call the numbers that operations look at, and which values are special.
        self._looked_at: PlanTable[PlanKey, LookedAt] = PlanTable(PLAN_LIMIT)
        #: Where among the arguments there may be numbers of which every value is.
        self._valued: Places = frozenset()
        own: Any = CompiledFunction
        self._table = Entry(own.__call__, own._learn, binds=True)
        attach(self, self._table)

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        """Run the function; the first call with a kind of arguments traces and compiles it.

        Called while another function is traced, it becomes part of that one.
        """
        trace = ACTIVE.trace
        if trace is not None:
            if is_interrupting(trace, arguments, keywords):
                return run_apart(self, *arguments, **keywords)
            return self.function(*arguments, **keywords)
        self._calls += 1
        count_call(self._calls)
        if self._state.noted and not self._state.is_same():
            self._renew()
        try:
            if self._is_taking and (home := taker_of(self.device)) is not None:
                return self._find_there(home, arguments, keywords)
            return self._find(arguments, keywords)
        except CapturedChanged as error:
            self._forget_plans()
            self.keeps = self.keeps and not isinstance(error, KeptChanges)
            self._calls -= 1
            return self(*arguments, **keywords)
        except (GradientNeeded, TransformingError, RecordedSparseError) as error:
            if isinstance(error, GradientNeeded):
                watch_captured(self, error.captured)
            self._needs_gradients = True
            self._table.forget()
            return self._recorded(arguments, keywords)
        except TrilithError as error:
            raise without_own_frames(error) from None

    def gradients_changed(self) -> None:
        """Forget plans that were made while captured tensors took another part in gradients."""
        self._forget_plans()
        self._needs_gradients = False
        self.gradient_changes += 1

    def _forget_plans(self) -> None:
        for table in (self._plans, self._open, self._kept):
            table.clear()
        self._table.forget()
        self._opened = 0

    def _renew(self) -> None:
        """Go on in the state that the attributes are in now, with the plans for it."""
        with self._lock:
            replaced = self._state.note()
            self._plans.clear_shortcuts()
            self._table.hold(self._state.noted)
            plans = known_plans(self._plans, self._open, self._state.number) if replaced else ()
            for plan in plans:
                plan.captured = tuple(replaced.get(id(one), one) for one in plan.captured)
            watch_captured(self, replaced.values())
            if replaced and self._needs_gradients:
                self.gradients_changed()

    def _learn(self, *arguments: Any, **keywords: Any) -> Any:
        """Run the function, and let native code know the plan that has answered."""
        own: Any = CompiledFunction
        result = own.__call__(self, *arguments, **keywords)
        if not (self._is_taking or self._needs_gradients) and ACTIVE.trace is None:
            has_keys = not (self.static_argnames or self._needs_offsets or self._looked_at)
            tables = (self._plans, self._open) if has_keys else None
            known = self._shortcuts, tables, self._static_places, self._valued
            self._table.learn(partial(_plan_of_call, *known), arguments, keywords)
        return result

    def _find(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run the plan for arguments that were seen before, or any other way."""
        if self._needs_gradients:
            return self._recorded(arguments, keywords)
        places = self._static_places, self._valued
        kinds, tensors, scalars = short_key_of_call(arguments, *places, keywords)
        if kinds is not None:
            plan = self._shortcuts.get((PROCESS.settings, placement(), *kinds))
            if plan is not None and (not plan.written or are_apart(tensors)):
                return plan.run(tensors, scalars)
        return self._call(arguments, keywords, kinds)

    def _recorded(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call the function as one operation of a graph of gradients."""
        gradients = LAYERS.gradients
        assert gradients is not None
        return gradients.call_function(self, arguments, keywords)

    def _find_there(
        self, home: Device, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Move what lies on the host to the device, run there, and bring back what was written."""
        if not keywords and are_all_on(home, arguments):
            with home:
                return self._find(arguments, keywords)
        static: Static = ()
        if self.static_argnames:
            arguments, keywords, static = self._split(arguments, keywords)
        mover = Mover(home)
        moved = restore_static(*mover.move(arguments, keywords), static)
        try:
            with home:
                return self._find(*moved)
        finally:
            mover.bring_back()

    def _call(
        self, arguments: tuple[Any, ...], keywords: dict[str, Any], kinds: list[Any] | None
    ) -> Any:
        """Find or make a call's plan, and run it; `kinds` make its short key, if it has one."""
        given, named = arguments, keywords
        key, static, leaves, tensors, scalars = self._whole_key(arguments, keywords)
        layer = None if kinds is not None else layer_of(leaves)
        if layer is not None:
            return layer.call_function(self, arguments, keywords)
        without_plans = self._state.without_plans()
        if without_plans is not None:
            return self._run_eagerly(without_plans, given, named, leaves)
        looked_at = self._looked_at.find(pattern_key(key)) if self._looked_at else None
        if looked_at is not None:
            numbered, _ = with_numbers(key, looked_at, scalars)
            if not self._many.takes(self.function, numbered, looked_at):
                return self._run_eagerly(MANY_NUMBERS, given, named, leaves)
        result, is_run = self._run_open(key, static, tensors, scalars, kinds)
        if is_run:
            return result
        key, values, plan = self._fitting(key, static, tensors, scalars)
        writing: list[Tensor] = []
        if not isinstance(plan, Untraceable) and plan.written:
            # A plan made for arguments that are one may have nothing left to write.
            writing = tensors
            plan, tensors = self._for_writing(plan, key, values, tensors)
        if isinstance(plan, Untraceable):
            return self._run_eagerly(plan, given, named, leaves)
        if kinds is not None and key.offsets is None and is_covered(key, kinds):
            # One look-up will find it, since it depends on nothing that no short key holds.
            if not (plan.captured and plan.written) and are_apart(writing):
                self._plans.shorten(key, (key.settings, key.home, *kinds), plan)
        return plan.run(tensors, scalars)

    def _run_eagerly(
        self, why: Untraceable, given: tuple[Any, ...], named: dict[str, Any], leaves: list[Any]
    ) -> Any:
        if self.is_whole:
            raise not_whole(self.function, why)
        self._notice.give(self.function, why)
        self._eager_calls += 1
        return run_step_by_step(self.function, given, named, leaves)

    def _whole_key(
        self, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[PlanKey, Static, list[Any], list[Tensor], list[Any]]:
        """Return the key of a call, and what it is made of: leaves, tensors, numbers."""
        static: Static = ()
        if self.static_argnames:
            arguments, keywords, static = self._split(arguments, keywords)
        leaves: list[Any] = []
        structure = flatten((arguments, keywords), leaves)
        specs, tensors, scalars = split_leaves(leaves)
        statics = tuple((which, identity_of(value)) for which, value in static)
        operands, number = tuple(specs), self._state.number
        key = PlanKey(structure, PROCESS.settings, placement(), operands, statics, state=number)
        return key, static, leaves, tensors, scalars

    def _run_open(
        self,
        key: PlanKey,
        static: Static,
        tensors: list[Tensor],
        scalars: list[Any],
        kinds: list[Any] | None,
    ) -> tuple[Any, bool]:
        """Run a plan for all sizes, if there is one for the call: (result, whether it ran)."""
        if self._needs_offsets or self.static_shapes or not tensors:
            return None, False
        numbers: Known = {}
        if looked_at := self._looked_at.find(pattern_key(key)) if self._looked_at else None:
            key, numbers = with_numbers(key, looked_at, scalars)

        def make(varying: Collection[int]) -> OpenProgram | None:
            function = with_static(self.function, static)
            how = self.device, self._counters, numbers
            program = self._state.watched(
                lambda: open_programs.make_program(function, key, *how, varying, keeps=self.keeps)
            )
            if isinstance(program, Untraceable):
                return None
            if program is not None:
                program.kept = self._kept.shared(program.kept, program.traced.captured)
                watch_captured(self, program.traced.captured)
            with self._lock:
                self._traces += 1
                self._opened += program is not None
            return program

        programs = self._open.get(pattern_key(key), open_programs.OpenPrograms)
        result, program = programs.find(key, tensors, scalars, self.function, make)
        if program is None:
            return None, False
        if programs.is_often(key):
            plan = program.at(open_programs.numbers_of(tensors))
            self._plans.put(key, plan)
            if kinds is not None and is_covered(key, kinds):
                self._plans.shorten(key, (key.settings, key.home, *kinds), plan)
        return result, True

    def _fitting(
        self, around: PlanKey, static: Static, tensors: list[Tensor], scalars: list[Any]
    ) -> tuple[PlanKey, Values, Compiled | Untraceable]:
        """Return the plan for a call and its key, with what turns out to be a part of it."""
        while True:
            key, values = around, Values(static)
            if self._needs_offsets:
                key = key._replace(offsets=tuple(map(Tensor.storage_offset, tensors)))
            looked_at = self._looked_at.find(pattern_key(around)) if self._looked_at else None
            if looked_at is not None:
                key, known = with_numbers(key, looked_at, scalars)
                values = Values(static, known)
                self._many.takes(self.function, key, looked_at)
            try:
                return key, values, self._plan(key, values)
            except OffsetNeeded:
                if key.offsets is not None:
                    raise
                self._needs_offsets = True
            except NumberNeeded as error:
                self._valued |= learn(self._looked_at, around, looked_at, error)

    def _for_writing(
        self, plan: Compiled, key: PlanKey, values: Values, tensors: list[Tensor]
    ) -> tuple[Compiled | Untraceable, list[Tensor]]:
        """Return the plan for arguments of which some are written to, and what it takes.

        Arguments that are one tensor are one in the plan, too. Those that overlap otherwise are
        left to the operations one by one, which refuse or copy as PyTorch's do.
        """
        repeats = repeated_arguments(tensors, plan.captured, plan.written)
        if repeats is None:
            reason = "a tensor that is written to shares memory with another one"
            return Untraceable(reason, hint="pass copies, or one tensor and its parts"), tensors
        if not repeats:
            return plan, tensors
        repeated = {index for index, _ in repeats}
        left = [tensor for index, tensor in enumerate(tensors) if index not in repeated]
        return self._plan(key._replace(same=repeats), values), left

    def __repr__(self) -> str:
        """Return the name, how often it was traced, and what shows more."""
        kinds = f"{name_of(self.function)}, for {counted(self._traces, 'kind')} of arguments"
        return f"<compiled {kinds}; .trace(...), .stats() show more>"

    @overload
    def __get__(self, instance: None, owner: type) -> CompiledFunction[P, R]: ...
    @overload
    def __get__(
        self: CompiledFunction[Concatenate[Any, Rest], R],
        instance: object,
        owner: type | None = None,
    ) -> BoundFunction[Rest, R]: ...
    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Bind like a function: a compiled method remembers plans for each of its instances."""
        if instance is None:
            return self
        entry = self._bound.get(id(instance))
        if entry is not None and entry[0]() is instance:
            return BoundFunction(entry[1], instance)
        return bind(self.function, instance, self._bound, self._of)

    def _of(self, method: Callable[..., Any]) -> CompiledFunction[..., Any]:
        compiled = COMPILED(method, *self._options())
        compiled._notice, compiled._many = self._notice, self._many
        return compiled

    def stats(self) -> Stats:
        """Return counters of calls, traces and kernels."""
        with self._lock:
            counters = self._counters
            return Stats(
                self._calls + self._table.hits,
                self._traces,
                len(self._plans) + self._opened,
                counters.compiled,
                counters.reused,
                counters.loaded_from_disk,
                self._eager_calls,
                self._plans.stats(),
            )

    def trace(self, *arguments: Any, **keywords: Any) -> Traced:
        """Trace on example arguments; see `trilith.trace`."""
        function = self.function
        if self.static_argnames:
            arguments, keywords, static = self._split(arguments, keywords)
            function = with_static(function, static)
        return _part("..tracing").trace(function, *arguments, **keywords)

    def explain(self, *arguments: Any, **keywords: Any) -> Any:
        """Call once, and say what that did; see `trilith.explain`, which does it."""
        return _part("...").explain(self, *arguments, **keywords)

    def _plan(self, key: PlanKey, values: Values) -> Compiled | Untraceable:
        """Trace and compile for a key once, however many threads ask."""

        def make() -> Compiled | Untraceable:
            why = functools.partial(why_new, key, self._plans.keys(), self.function)
            trace = functools.partial(self._make_plan, key, values)
            plan = logged(lambda: self._state.watched(trace), name_of(self.function), why)
            if not isinstance(plan, Untraceable):
                plan.kept = self._kept.shared(plan.kept, plan.captured)
                watch_captured(self, plan.captured)
            self._table.hold(self._state.noted)
            with self._lock:
                self._traces += 1
            return plan

        return self._plans.get(key, make)

    def _make_plan(self, key: PlanKey, values: Values) -> Compiled | Untraceable:
        specs = cast("tuple[TensorSpec | ScalarSpec, ...]", key.operands)
        refuse_elsewhere(specs, self.device)
        function = with_static(self.function, values.static)
        if self.device is None and key.offsets is key.numbers is None and not key.same:
            found = open_programs.find_plan(function, key, self._counters, keeps=self.keeps)
            if found is not None:
                return found
        warnings = warnings_given()
        try:
            traced = _part("..driver").trace_specs(
                function, key.work, specs, key.same, key.offsets, key.settings, values.numbers
            )
            refuse_gradients(self.function, traced.captured)
            lowered = traced.lower(self.device, in_place=True, keeps=self.keeps)
        except (GradientNeeded, OffsetNeeded, NumberNeeded):
            raise
        except (NotTraceable, OutsideOfTensor) as error:
            return Untraceable.because(error)
        plan = lowered.compile(self._counters)
        if self.device is None and traced.text is not None and warnings_given() == warnings:
            store(key, traced, plan.artifact, None, plan.kept, keeps=self.keeps)
        return plan

    def __copy__(self, _: object = None) -> Self:
        """Return it itself, as functions are copied, so that an object which holds it can be."""
        return self

    __deepcopy__ = __copy__

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the function, which must be importable, and the options."""
        return _restore, (*importable_name(self, self.function), *self._options())

    def _options(self) -> tuple[str | None, tuple[str, ...], bool, bool]:
        return self.device, tuple(self.static_argnames), self.static_shapes, self.is_whole


#: The class of which native code calls the objects.
COMPILED: type[CompiledFunction[..., Any]] = native_class(
    CompiledFunction, "CompiledFunction", is_method=False
)


@functools.cache
def _part(name: str) -> Any:
    """Import a part of the compiler when a function first needs it."""
    return imported(name, __package__)


def _restore(module: str, name: str, *options: Any) -> Any:
    found = imported_by(module, name)
    is_one = isinstance(found, CompiledFunction)
    return cast("Any", found) if is_one else COMPILED(found, *options)
