"""How does an operation on concrete tensors run? As a one-op function through the same road.

Each row, kind of operands and set of static values has one plan; there is no second implementation
of any operation. Views are plans without a launch; `x.add_(y)` and `out=` are plans that write into
an argument, and which operands are that very tensor is part of what a plan is made for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import is_not
from typing import Any, cast

from ...dialects.attributes.settings import PROCESS
from ...dialects.diagnostics import InternalError, TrilithNotImplementedError
from ...dialects.ops.frame.indexed import DrawingOp, HostOp
from ...dialects.ops.frame.opspec import CompositeOp
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.rows.indexing.subscripts import is_plain
from ...dialects.ops.table import TABLE, public_functions
from ...runtime.calls.entries import forget_all
from ...runtime.calls.packing import CallPlan
from ...runtime.executor import Run
from ...runtime.tensors import dispatch
from ...runtime.tensors.overlap import (
    has_internal_overlap,
    is_first_apart,
    overlap,
    refuse_internal_overlap,
)
from ...runtime.tensors.tensor import Tensor
from ..driver import Compiled
from ..plan_key import PlanKey
from ..plan_table import PlanTable
from ..short_keys import (
    ShortKey,
    is_in_order,
    key_of_values,
    short_key_of_row,
    takes_any_number,
    with_values,
)
from ..stored.calls import depends_on_offset
from ..trace.layers import LAYERS, layer_of
from ..trace.not_traceable import DrawsNumbers
from ..trace.numbers import END_OF_INTEGERS, FIRST_INTEGER
from ..trace.operators import EagerMode, Members, RunRow, make_function, make_in_place
from ..trace.row_operands import refuse_operand
from ..trace.sparse_operands import ORDINARY, is_sparse_call, run_sparse, write_sparse
from ..trace.writes import (
    check_out,
    check_result_dtype,
    in_dtype_of_out,
    is_read_before,
    is_several,
    refuse_meeting,
    refuse_out_argument,
    refuse_shape,
    several,
    warn_of_resize,
    with_out_dtype,
    written_results,
)
from .call_plans import plan_of_assignment, plan_of_row
from .data_dependent import ConcreteLanguage, run_host_row, write_host_row
from .expanded_writes import is_expanded_write, write_expanded
from .joining import Joins, refuse_many_meeting, takes_many, with_lists
from .open_call_plans import open_plan_of_row
from .open_plans import OpenPlans
from .overlapping_operands import distinct, is_copy_of_itself, meet, with_copies
from .parts import cut
from .plans import IN_PLACE, OUT, Operands, make_plan, make_writing_plan, result_spec
from .recipes import run_and_note
from .row_plans import packed
from .runner import EagerRunner
from .sparse_calls import ConcreteSparseLanguage, run_sparse_out

#: How many one-op plans are remembered.
LIMIT = 8192

#: Plans of rows; where parts lie, for rows that cut; what a result is like. Short keys begin with
#: the row, and `IN_PLACE` follows it where a plan writes into its first operand.
_plans: PlanTable[Any, Any] = PlanTable(LIMIT)
_shortcuts: dict[Any, Run] = _plans.shortcuts
#: Plans of rows for all sizes, which run what has no shortcut.
OPEN = OpenPlans(LIMIT, _plans)
JOINS = Joins(LIMIT)

#: Composites that were seen to draw random numbers, which no plan holds: they run step by step.
_drawing: set[OpSpec] = set()


class Eager(EagerMode):
    """Runs rows at once: the other half of what `make_function` makes, beside recording."""

    @property
    def concrete(self) -> ConcreteLanguage:
        """The language of tensors that have elements."""
        return _concrete

    @property
    def call(self) -> RunRow:
        """What runs a row on concrete operands: the function itself, which saves a frame."""
        return call

    def of_two(self, row: OpSpec) -> Callable[[Any, Any], Any]:
        """Return what runs a row on two operands: the way of operators, 1 us sooner."""
        shortcuts = _shortcuts
        is_plain = takes_any_number(row)

        def run(left: Any, right: Any) -> Any:
            kind = cast("type[Any]", type(right))
            if type(left) is not Tensor:
                return call(row, (left, right), {})
            # Nothing runs inside of `try`: what an operation raises must not run it again.
            if kind is Tensor:
                try:
                    plan = shortcuts[row, PROCESS.settings, left.spec, right.spec]
                except (AttributeError, KeyError):
                    pass
                else:
                    return plan((left, right))[0]
            elif is_plain and (kind is not int or FIRST_INTEGER <= right < END_OF_INTEGERS):
                try:
                    plan = shortcuts[row, PROCESS.settings, left.spec, kind]
                except (AttributeError, KeyError):
                    pass
                else:
                    return plan((left,), (right,))[0]
            return call(row, (left, right), {})

        return run

    @property
    def in_place(self) -> RunRow:
        """What runs a row and writes its result into its first operand, which is returned."""
        return call_in_place

    def out(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any
    ) -> Any:
        """Run a row and write its result into `out`, which is returned."""
        return call_out(row, arguments, keywords, out)

    def plan_of(
        self,
        row: OpSpec,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        *,
        in_place: bool = False,
    ) -> CallPlan | None:
        """Return the plan that answers a call, for its sizes or for all, if there is one."""
        known = plan_of_row(_shortcuts, row, arguments, keywords, in_place=in_place)
        if known is not None:
            return known
        return open_plan_of_row(OPEN, row, arguments, keywords, in_place=in_place)

    def plan_of_assignment(self, target: Any, index: Any, value: Any) -> CallPlan | None:
        """Return the plan that answers `target[index] = value`, if there is one."""
        if not is_plain(index) or isinstance(index, bool):
            return None
        for find in (partial(plan_of_row, _shortcuts), partial(open_plan_of_row, OPEN)):
            plan = plan_of_assignment(find, call, target, index, value)
            if plan is not None:
                return plan
        return None


def call(row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Run a row on concrete operands."""
    settings = PROCESS.settings
    # The usual call: one look-up on the tensors' interned specs and plain static values.
    short = short_key_of_row(row, arguments, keywords, [row, settings])
    key, tensors, scalars = short
    if key is not None:
        run = _shortcuts.get(key)
        if run is None and scalars:
            run = _shortcuts.get(with_values(short))
        if run is not None:
            return run(tensors, scalars)[0]
    else:
        layer = layer_of((*arguments, *keywords.values()))
        if layer is not None:
            return layer.call(_RUNNER, row, arguments, keywords)
        if is_sparse_call(arguments, keywords):
            result = run_sparse(row, arguments, keywords, _concrete)
            if result is not ORDINARY:
                return result
    if isinstance(row, HostOp) or row in _drawing:
        if LAYERS.mappings and isinstance(row, DrawingOp) and LAYERS.draw is not None:
            return LAYERS.draw(_RUNNER, row, row.schema.bind(arguments, keywords))
        if isinstance(row, DrawingOp):
            return run_and_note(row, arguments, keywords, "value", _concrete, run_host_row)
        return run_host_row(cast("HostOp", row), arguments, keywords, _concrete)
    if isinstance(row, CompositeOp) and row.is_cutting:
        parts, cutter = cut(row, arguments, keywords)
        if cutter is not None and key is not None and len(tensors) == 1:
            # There is no plan behind it that other calls could find.
            _plans.put(key, cutter)
            _plans.shorten(key, key, cutter)
        return parts
    is_many = takes_many(row, arguments, keywords)
    if is_many and not JOINS.is_steady(short):
        lists = with_lists(arguments)
        if lists is not arguments:
            return call(row, lists, keywords)
        joined = JOINS.run(row, arguments, keywords, short)
        if joined is not None:
            return joined
        return run_host_row(cast("HostOp", row), arguments, keywords, _concrete)
    results = None if is_many else OPEN.run(row, arguments, keywords, settings, short)
    if results is not None:
        return results[0]
    found = Operands(row, row.schema.bind(arguments, keywords), settings)
    whole = found.key("value")
    try:
        plan = _plans.get(whole, lambda: make_plan(row, found))
    except DrawsNumbers:
        _drawing.add(row)
        return call(row, arguments, keywords)
    if isinstance(plan, int):
        return found.tensors[plan]
    _shorten(whole, (arguments, keywords), short, found, plan)
    return plan.run(found.tensors, found.scalars)


def call_in_place(row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Run a row and write its result into its first operand, which is returned."""
    settings = PROCESS.settings
    short = short_key_of_row(row, arguments, keywords, [row, IN_PLACE, settings])
    key, tensors, scalars = short
    if key is None:
        layer = layer_of((*arguments, *keywords.values()))
        if layer is not None:
            return layer.call_in_place(_RUNNER, row, arguments, keywords)
    is_apart = len(tensors) == 1 or (bool(tensors) and is_first_apart(tensors))
    if is_apart and key is not None:
        run = _shortcuts.get(key)
        if run is None and scalars:
            run = _shortcuts.get(with_values(short))
        if run is not None:
            run(tensors, scalars)
            target = tensors[0]
            target.bump()
            return target
    if key is None and is_sparse_call(arguments, keywords):
        return write_sparse(row, arguments, keywords, _concrete)
    if isinstance(row, HostOp):
        return _write_host_row(row, arguments, keywords)
    if tensors and tensors[0] is arguments[0]:
        if not is_apart and key is not None:
            if is_copy_of_itself(row, tensors[0], tensors):
                tensors[0].bump()
                return tensors[0]
            copied = with_copies(arguments, keywords, tensors)
            if copied is not None:
                return call_in_place(row, *copied)
        elif not has_internal_overlap(tensors[0].spec):
            results = OPEN.run(row, arguments, keywords, settings, short, IN_PLACE)
            if results is not None:
                tensors[0].bump()
                return tensors[0]
    found = Operands(row, row.schema.bind(arguments, keywords), settings)
    first = row.schema.parameters[0].name
    target = found.bound[first]
    if not isinstance(target, Tensor) or not found.tensors or found.tensors[0] is not target:
        raise refuse_operand(row, row.schema.parameters[0], target)
    if is_expanded_write(row, target, found.bound):
        write_expanded(row, target, found.bound, _concrete)
        return target
    same, copies = meet(row, target, found.tensors, found.bound)
    found = found.with_copies(copies)
    whole = found.key(IN_PLACE, same)
    try:
        plan = _plans.get(whole, lambda: make_writing_plan(row, found, same, None))
    except DrawsNumbers:
        return _write_host_row(cast("HostOp", row), arguments, keywords)
    if is_apart and tensors[0] is target:
        _shorten(whole, (arguments, keywords), short, found, plan)
    plan.run(distinct(found.tensors, same), found.scalars)
    return target


def call_out(row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any) -> Any:
    """Run a row and write its result into `out`, which is returned."""
    if is_several(row, out):
        _check_out(row, arguments, keywords, out)
        return _call_outs(row, arguments, keywords, out)
    if not isinstance(out, Tensor):
        raise refuse_out_argument(row, out)
    if isinstance(row, HostOp):
        _check_out(row, arguments, keywords, out)
        return _write_host_row(row, (out, *arguments), keywords, is_out=True)
    if type(out) is Tensor and _run_out(row, arguments, keywords, out):
        return out
    _check_out(row, arguments, keywords, out)
    if is_sparse_call((out, *arguments), keywords):
        result = run_sparse_out(row, arguments, keywords, out, _concrete)
        return result if result is out else _copy_out(row, result, out)
    if takes_many(row, arguments, keywords):
        result = call(row, arguments, keywords)
        check_out(row, result.spec, out.spec)
        refuse_many_meeting(row, out, arguments, keywords)
        return _copy_out(row, result, out)
    bound = with_out_dtype(row, row.schema.bind(arguments, keywords), out.spec)
    found = Operands(row, bound, PROCESS.settings)
    try:
        result = _plans.get(found.key("spec"), lambda: result_spec(row, found))
    except TrilithNotImplementedError as error:
        if error.result is not None:
            check_result_dtype(error.result, out.spec.dtype)
        raise
    check_out(row, result, out.spec)
    same, copies = meet(row, out, [out, *found.tensors], bound)
    if result.shape != out.spec.shape:
        if same:
            raise refuse_shape(out.spec, result)
        warn_of_resize(row, out.spec, result)
        out.resize_(result.shape)
        out.as_strided_(result.shape, result.strides)
        same, copies = meet(row, out, [out, *found.tensors], bound)
    found = found.with_copies(copies)
    whole = found.key("out", same, out)
    # The output is one more operand: of a kernel it is what the others may not overlap.
    found.tensors.insert(0, out)
    plan = _plans.get(whole, lambda: make_writing_plan(row, found, same, out))
    plan.run(distinct(found.tensors, same), found.scalars)
    return out


def _check_out(row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any) -> None:
    """Let what its operands are besides tensors refuse that a result is written into `out`."""
    layer = layer_of((*arguments, *keywords.values(), out))
    if layer is not None:
        layer.check_out(row, arguments, keywords, out)


def _run_out(
    row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Tensor
) -> bool:
    """Write the result of a row into `out` by a plan that is there; whether there is one.

    The usual call: its tensors are apart from `out`, which has the shape of the result.
    """
    settings = PROCESS.settings
    key, tensors, scalars = short_key_of_row(
        row, arguments, keywords, [row, OUT, settings, out.spec]
    )
    tensors.insert(0, out)
    short = key, tensors, scalars
    if key is None:
        return False
    if not is_first_apart(tensors):
        copied = with_copies(arguments, keywords, tensors)
        return copied is not None and _run_out(row, *copied, out)
    run = _shortcuts.get(key)
    if run is None and scalars:
        run = _shortcuts.get(with_values(short))
    if run is not None:
        run(tensors, scalars)
    elif has_internal_overlap(out.spec) or takes_many(row, arguments, keywords):
        return False
    elif OPEN.run(row, arguments, keywords, settings, short, OUT, out) is None:
        return False
    out.bump()
    return True


def _call_outs(
    row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], outs: Sequence[Any]
) -> Any:
    """Run a row of several results, and copy each into its own tensor."""
    if not all(isinstance(out, Tensor) for out in outs):
        raise refuse_out_argument(row, outs)
    results = several(row, call(row, arguments, keywords), outs)
    bound = row.schema.bind(arguments, keywords)
    for number, (out, result) in enumerate(zip(outs, results, strict=True)):
        check_out(row, result.spec, out.spec, number=number)
        refuse_internal_overlap(out.spec)
        for name, value in bound.items():
            if isinstance(value, Tensor) and not is_read_before(row, name, out.spec, value.spec):
                refuse_meeting(row, name, overlap(out, value))
    for out, result in zip(outs, results, strict=True):
        if result.shape != out.shape:
            warn_of_resize(row, out.spec, result.spec)
            out.resize_(result.shape)
            out.as_strided_(result.shape, result.spec.strides)
        call_in_place(TABLE["copy"], (out, result), {})
    return written_results(results, outs)


def _write_host_row(
    row: HostOp, arguments: tuple[Any, ...], keywords: dict[str, Any], *, is_out: bool = False
) -> Any:
    """Run a row that looks at elements, and copy its result into the first argument."""
    if not arguments:
        row.schema.bind(arguments, keywords)
    target = arguments[0]
    if not isinstance(target, Tensor):
        raise refuse_operand(row, row.schema.parameters[0], target)
    if not is_out:
        given = row, arguments, keywords
        if isinstance(row, DrawingOp) and not has_internal_overlap(target.spec):
            is_done = run_and_note(*given, IN_PLACE, _concrete, write_host_row)
        else:
            is_done = write_host_row(*given, _concrete)
        if is_done:
            return target
    refuse_internal_overlap(target.spec)
    if is_out and row.is_factory:
        keywords = in_dtype_of_out(keywords, target.spec)
    for name, value in row.schema.bind(arguments[is_out:], keywords).items() if is_out else ():
        if isinstance(value, Tensor):
            refuse_meeting(row, name, overlap(target, value))
    result = run_host_row(row, arguments[is_out:], keywords, _concrete)
    return _copy_out(row, result, target, is_resized=is_out)


def _copy_out(row: OpSpec, result: Tensor, target: Tensor, *, is_resized: bool = True) -> Any:
    """Copy a result into a tensor, which may take on its shape."""
    check_out(row, result.spec, target.spec)
    if is_resized and result.spec.shape != target.spec.shape:
        warn_of_resize(row, target.spec, result.spec)
        target.resize_(result.spec.shape)
        target.as_strided_(result.spec.shape, result.spec.strides)
    return call_in_place(TABLE["copy"], (target, result), {})


def _shorten(
    whole: PlanKey,
    given: tuple[tuple[Any, ...], dict[str, Any]],
    short: ShortKey,
    found: Operands,
    plan: Compiled,
) -> None:
    """Let calls find what runs a plan of tensors, or of no result, that is nothing but kernels."""
    row = found.row
    arguments, keywords = given
    key, tensors, scalars = short
    if key is None or len(scalars) != len(found.scalars):
        return
    # A tensor that became a static value (where `narrow` starts) is no operand of the plan.
    if len(found.tensors) != len(tensors) or any(map(is_not, found.tensors, tensors)):
        return
    if depends_on_offset(row, arguments, keywords):
        return
    if plan.captured or plan.same:
        return
    run = _run_of(plan)
    if run is None:
        return
    if row.is_factory and plan.artifact.inputs:
        # Made like a tensor, but perhaps on the default device, which is no part of this key.
        return
    if keywords and not is_in_order(row, arguments, keywords):
        return
    _plans.shorten(whole, key_of_values(row, keywords, short), run)


def _run_of(plan: Compiled) -> Callable[..., Any] | None:
    """Return what runs a plan and gives its result, or the tuple of several, in a sequence."""
    return packed(plan.executable.run, plan.artifact, plan.result)


def table() -> PlanTable[Any, Any]:
    """Return the table of plans for single sizes."""
    return _plans


def forget_plans() -> None:
    """Forget every plan: the next call of each operation is traced again."""
    _plans.clear()
    OPEN.clear()
    JOINS.clear()
    forget_all()


_concrete = ConcreteSparseLanguage(call, call_in_place)
_RUNNER = EagerRunner(call, call_in_place, _concrete)
#: The one there is.
EAGER = Eager()


def function_of(name: str) -> Any:
    """Return the public function called `name`: that of a row, or an alias of it."""
    row = public_functions().get(name)
    if row is None:
        raise InternalError(f"no row has a function called '{name}'")
    is_own = name in row.function_names or name in row.places
    return make_function(row, EAGER) if is_own else make_in_place(row, name, EAGER, is_method=False)


def install() -> None:
    """Put the rows' methods and operators on tensors."""
    made = Members(EAGER)
    dispatch.set_finder(made.get)
    for name in made:
        dispatch.install_later(name)
