"""How do rows become functions and methods? One function per row, minted when asked for."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, cast

from ...dialects.attributes.operators import REFLECTED_OPERATORS
from ...dialects.attributes.options import check_differentiable
from ...dialects.attributes.symint import SymInt
from ...dialects.diagnostics import TrilithError, TrilithTypeError, without_own_frames
from ...dialects.ops.frame.argument_values import is_number
from ...dialects.ops.frame.forms import refusal
from ...dialects.ops.frame.indexed import WritingLanguage
from ...dialects.ops.frame.opspec import ElementwiseOp
from ...dialects.ops.frame.outdated import is_outdated, renewed
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.frame.schema import KEYWORD_ALIASES, Parameter
from ...dialects.ops.frame.wrong_calls import WrongCall
from ...dialects.ops.table import TABLE, members
from ...dialects.records import replace
from ...runtime.calls.entries import PlanOf
from ...runtime.calls.functions import function_of
from ...runtime.calls.packing import CallPlan
from ...runtime.tensors.tensor import Tensor
from .active import is_interrupting, run_apart
from .assignments import make_assignment
from .operands import as_number
from .parts import make_part
from .scalar_proxies import ScalarProxy
from .sparse_operands import is_sparse_call, write_sparse
from .sparse_writes import TracedSparse
from .subscripts import make_subscript
from .tracer import TRACING
from .writes import record_in_place, record_out

#: Called with a row, arguments and keywords.
RunRow = Callable[[OpSpec, tuple[Any, ...], dict[str, Any]], Any]


class EagerMode(Protocol):
    """Runs rows outside of any trace."""

    @property
    def concrete(self) -> WritingLanguage:
        """The language of tensors that have elements."""
        ...

    @property
    def call(self) -> RunRow:
        """What runs a row."""
        ...

    def of_two(self, row: OpSpec) -> Callable[[Any, Any], Any]:
        """Return what runs a row on two operands."""
        ...

    @property
    def in_place(self) -> RunRow:
        """What runs a row and writes its result into its first operand."""
        ...

    def out(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any
    ) -> Any:
        """Run a row and write its result into `out`."""
        ...

    def plan_of(
        self,
        row: OpSpec,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        *,
        in_place: bool = False,
    ) -> CallPlan | None:
        """Return the plan that answers a call, for its sizes or for all, if there is one."""
        ...

    def plan_of_assignment(self, target: Any, index: Any, value: Any) -> CallPlan | None:
        """Return the plan that answers `target[index] = value`, if there is one."""
        ...


def make_function(row: OpSpec, eager: EagerMode, *, method: str = "") -> Callable[..., Any]:
    """Return the public function of a row: recorded while tracing, else run at once.

    Or it is the `method` of that name. Functions may take `out=`, methods do not.
    """
    is_method = bool(method)
    takes_out = row.takes_out and not is_method
    is_whole = row.schema.has_spread and not is_method
    alone = TABLE[row.alone] if row.alone and not is_method else None
    is_usual = not is_whole and alone is None
    run_now = eager.call
    module, _, name = row.dotted_name.rpartition(".")

    def function(*arguments: Any, **keywords: Any) -> Any:
        trace = TRACING.trace
        if trace is not None and is_interrupting(trace, arguments, keywords):
            return run_apart(function, *arguments, **keywords)
        out: Any = None
        try:
            if trace is None and is_usual and not keywords:
                return run_now(row, arguments, keywords)
            if keywords and (error := _between_forms(row, arguments, keywords, method)):
                raise error
            if is_whole:
                row.schema.refuse_spread(arguments)
            if alone is not None and _is_form(alone, arguments, keywords):
                run: Any = run_now if trace is None else trace.apply
                return run(alone, arguments, keywords)
            if keywords and takes_out and keywords.get("out") is not None:
                out = keywords.pop("out")
                if trace is not None:
                    return record_out(trace, row, row.schema.bind(arguments, keywords), out)
                return eager.out(row, arguments, keywords, out)
            if keywords and takes_out:
                keywords.pop("out", None)
            if trace is not None:
                return trace.apply(row, arguments, keywords)
            return run_now(row, arguments, keywords)
        except TrilithError as error:
            if out is not None:
                keywords["out"] = out
            again = renewed(
                row.outdated,
                row.schema,
                name,
                arguments,
                keywords,
                are_methods=(is_method,),
                takes_out=takes_out,
            )
            if again is None:
                error = _said_of(row, error, arguments, keywords, method, is_method=is_method)
                raise without_own_frames(error) from None
        return function(*again[0], **again[1])

    def plan_of(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> CallPlan | None:
        if "out" in keywords or is_outdated(row.outdated, row.schema, arguments):
            return None
        if keywords and _between_forms(row, arguments, keywords, method) is not None:
            return None
        if alone is not None and _is_form(alone, arguments, keywords):
            return eager.plan_of(alone, arguments, keywords)
        return eager.plan_of(row, arguments, keywords)

    made, plans = function, plan_of
    if row.writes_if and not is_method:
        made, plans = _writing_if(row, function, plan_of, eager)
    if "requires_grad" in row.schema.by_name:
        made, plans = _requiring(function, plan_of)
    made.__name__ = made.__qualname__ = name
    made.__module__ = f"trilith.{module}" if module else "trilith"
    made.__doc__ = document(row)
    made.__signature__ = signature_of(row)  # pyright: ignore[reportFunctionMemberAccess]
    return function_of(made, plans)


def _between_forms(
    row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], method: str
) -> TrilithTypeError | None:
    """Return the error for a call that is between the signatures that PyTorch has, if it is."""
    if not row.overloads or _holds_traced_number((*arguments, *keywords.values())):
        return None
    name = method or row.schema.name
    return refusal(row.overloads, name, arguments, keywords, is_method=bool(method))


def _holds_traced_number(values: Iterable[Any]) -> bool:
    """Whether a number of the trace is among arguments, of which there is more to say."""
    if TRACING.trace is None:
        return False
    return any(
        _holds_traced_number(cast("Iterable[Any]", value))
        if isinstance(value, list | tuple)
        else isinstance(value, ScalarProxy)
        for value in values
    )


def _said_of(
    row: OpSpec,
    error: TrilithError,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    name: str,
    *,
    is_method: bool,
) -> TrilithError:
    """Return a row's error as it is said of the function or the method that was called."""
    if isinstance(error, TrilithTypeError) and is_method == bool(name):
        between = _between_forms(row, arguments, keywords, name)
        if between is not None:
            return between
    if not isinstance(error, WrongCall):
        return error
    if error.function != row.schema.name:
        return error.whole()
    names = {KEYWORD_ALIASES.get(keyword, keyword) for keyword in keywords}
    return error.of_call(name or error.function, names, before=int(is_method))


def _is_form(row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """Whether a call gives what a row of one operand takes: that, and options of the row."""
    options = {item.name for item in row.schema.parameters if item.keyword_only}
    others = keywords.keys() - options
    return len(arguments) + len(others) == 1 and others <= row.schema.by_name.keys()


def _writing_if(
    row: OpSpec, function: Callable[..., Any], plan_of: PlanOf, eager: EagerMode
) -> tuple[Callable[..., Any], PlanOf]:
    """Return a function that writes into its first operand if its flag says so, and its plans."""
    position = [parameter.name for parameter in row.schema.parameters].index(row.writes_if)
    write = make_in_place(row, row.name, eager, is_method=False)

    def is_writing(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
        if len(arguments) > position:
            return arguments[position] is True
        return keywords.get(row.writes_if) is True

    def choose(*arguments: Any, **keywords: Any) -> Any:
        return (write if is_writing(arguments, keywords) else function)(*arguments, **keywords)

    def plan_of_choice(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> CallPlan | None:
        if is_writing(arguments, keywords):
            return eager.plan_of(row, arguments, keywords, in_place=True)
        return plan_of(arguments, keywords)

    return choose, plan_of_choice


def _requiring(function: Callable[..., Any], plan_of: PlanOf) -> tuple[Callable[..., Any], PlanOf]:
    """Return a factory whose tensors require a gradient if its caller says so, and its plans."""

    def make(*arguments: Any, **keywords: Any) -> Any:
        if keywords.get("requires_grad") is not True:
            return function(*arguments, **keywords)
        del keywords["requires_grad"]
        made = function(*arguments, **keywords)
        check_differentiable(made.dtype, requires_grad=True)
        return made.requires_grad_()

    def plan_of_factory(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> CallPlan | None:
        return None if keywords.get("requires_grad") else plan_of(arguments, keywords)

    return make, plan_of_factory


def make_operator(row: OpSpec, name: str, eager: EagerMode) -> Callable[..., Any]:
    """Return an operator: it declines what is no operand, and reflected ones swap.

    `2 * x` is `x * 2`, as in PyTorch, which tells them apart for narrow floats.
    """
    is_commutative = isinstance(row, ElementwiseOp) and row.algebra.commutative
    is_reflected = name in REFLECTED_OPERATORS and not is_commutative

    run_two = eager.of_two(row)
    # A product of matrices takes no number, so that Python says it of the operator.
    place = 0 if is_reflected else 1
    takes_number = all(each.type != "Tensor" for each in row.schema.parameters[place : place + 1])

    def operator(*operands: Any) -> Any:
        if len(operands) == 2 and type(operands[1]) is not Tensor:
            other = operands[1]
            if not _is_operand(other) or not (takes_number or not is_number(other)):
                return NotImplemented
        trace = TRACING.trace
        if trace is not None and is_interrupting(trace, operands):
            return run_apart(operator, *operands)
        if is_reflected:
            operands = (operands[1], operands[0])
        try:
            if trace is not None:
                return trace.apply(row, operands, {})
            if len(operands) == 2:
                return run_two(*operands)
            return eager.call(row, operands, {})
        except TrilithError as error:
            raise without_own_frames(error) from None

    def plan_of(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> CallPlan | None:
        if not is_reflected:
            return eager.plan_of(row, arguments, keywords)
        if type(arguments[1]) is Tensor:
            return None  # the plan takes them the other way round
        plan = eager.plan_of(row, (arguments[1], arguments[0]), keywords)
        return None if plan is None else replace(plan, roles=list(reversed(plan.roles)))

    operator.__name__ = name
    operator.__qualname__ = f"Tensor.{name}"
    operator.__doc__ = row.doc
    return function_of(operator, plan_of)


def _is_operand(value: Any) -> bool:
    return (
        isinstance(value, Tensor)
        or type(value) is SymInt
        or as_number(value) is not None
        or hasattr(value, "__dlpack__")
        or hasattr(value, "spec")
    )


class Members(Mapping[str, Any]):
    """What rows put on tensors, by name: methods, operators and properties, made when needed."""

    def __init__(self, eager: EagerMode) -> None:
        """Make what runs rows outside of traces in some mode."""
        self._eager = eager
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Return a member, always the same."""
        found = self._made.get(name)
        if found is None:
            found = self._made.setdefault(name, self._make(name))
        return found

    def __iter__(self) -> Iterator[str]:
        """Yield all names."""
        yield from members()
        yield "__setitem__"

    def __len__(self) -> int:
        """Return how many there are."""
        return len(members()) + 1

    def _make(self, name: str) -> Any:
        eager = self._eager
        if name == "__setitem__":
            return function_of(
                make_assignment(self, eager.concrete),
                lambda arguments, _: eager.plan_of_assignment(*arguments),
            )
        row = members()[name]
        if name == "__getitem__":
            return function_of(
                make_subscript(eager.call, eager.concrete),
                lambda arguments, keywords: eager.plan_of(row, arguments, keywords),
            )
        if name in row.in_place_names:
            return make_in_place(row, name, eager)
        if name in row.in_place_views:
            return make_in_place_view(row, name, eager)
        if name.startswith("__"):
            return make_operator(row, name, eager)
        function = make_function(row, eager, method=name)
        function.__qualname__ = f"Tensor.{name}"
        if not row.is_property:
            return function
        read = property(function)
        return make_part(name, read, self) if row.is_assignable else read


def make_in_place(
    row: OpSpec, name: str, eager: EagerMode, *, is_method: bool = True
) -> Callable[..., Any]:
    """Return what writes a row's result into its first operand, and returns that.

    It is a method, or the function of that name.
    """
    _, _, word = name.rpartition(".")
    is_operator = name.startswith("__")
    are_methods = (False, True) if name in row.in_place_functions else (True,)

    def method(*arguments: Any, **keywords: Any) -> Any:
        if is_operator and not _is_operand(arguments[1]):
            return NotImplemented
        trace = TRACING.trace
        if trace is not None and is_interrupting(trace, arguments, keywords):
            return run_apart(method, *arguments, **keywords)
        try:
            if trace is not None and is_sparse_call(arguments, keywords):
                return write_sparse(row, arguments, keywords, TracedSparse(trace))
            if trace is not None:
                return record_in_place(trace, row, row.schema.bind(arguments, keywords))
            return eager.in_place(row, arguments, keywords)
        except TrilithError as error:
            again = renewed(
                row.outdated, row.schema, word, arguments, keywords, are_methods=are_methods
            )
            if again is None:
                error = _said_of(row, error, arguments, keywords, word, is_method=is_method)
                raise without_own_frames(error) from None
        return method(*again[0], **again[1])

    def plan_of(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> CallPlan | None:
        if is_outdated(row.outdated, row.schema, arguments):
            return None
        return eager.plan_of(row, arguments, keywords, in_place=True)

    method.__name__ = word
    method.__qualname__ = f"Tensor.{word}"
    method.__doc__ = (
        f"{row.doc}\n\nWritten into the tensor itself, which keeps its dtype and shape.\n"
    )
    method.__signature__ = signature_of(row)  # pyright: ignore[reportFunctionMemberAccess]
    return function_of(method, plan_of)


def make_in_place_view(row: OpSpec, name: str, eager: EagerMode) -> Callable[..., Any]:
    """Return the method that makes a tensor the view of it that a row gives."""
    view = make_function(row, eager, method=name)

    def method(self: Any, /, *arguments: Any, **keywords: Any) -> Any:
        try:
            return self._become(f"{row.name}_", lambda: view(self, *arguments, **keywords))
        except TrilithError as error:
            # What it says of the function is said of the method.
            error.args = (re.sub(rf"^{row.name}\(\)", f"{name}()", error.message),)
            raise without_own_frames(error) from None

    method.__name__ = name
    method.__qualname__ = f"Tensor.{name}"
    method.__doc__ = f"{row.doc}\n\nThe tensor itself becomes that view.\n"
    method.__signature__ = signature_of(row)  # pyright: ignore[reportFunctionMemberAccess]
    return method


def signature_of(row: OpSpec) -> inspect.Signature:
    """Return the signature of a row as Python shows it."""
    return inspect.Signature([_parameter(parameter) for parameter in row.schema.parameters])


def _parameter(parameter: Parameter) -> inspect.Parameter:
    kind = (
        inspect.Parameter.KEYWORD_ONLY
        if parameter.keyword_only
        else inspect.Parameter.POSITIONAL_OR_KEYWORD
    )
    default = parameter.default if parameter.has_default else inspect.Parameter.empty
    return inspect.Parameter(parameter.name, kind, default=default)


def document(row: OpSpec) -> str:
    """Return the docstring of a row: what it is, its signature, its example."""
    call, _, output = row.example.partition("  # ")
    shown = "\n".join(line.removeprefix("# ") for line in output.splitlines())
    return (
        f"{row.doc}\n\n"
        f"Signature: `{row.schema.text}`, as in PyTorch (`torch.{row.torch_name}`).\n\n"
        f">>> import trilith as tri\n>>> {call}\n{shown}\n"
    )
