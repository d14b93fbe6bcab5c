"""How do rows become functions and methods? One function per row, minted when asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...dialects.diagnostics import TrilithError, TrilithNotImplementedError, without_own_frames
from ...dialects.ops.opspec import ElementwiseOp, OpSpec
from ...dialects.ops.schema import Parameter
from ...dialects.ops.table import TABLE
from .active import ACTIVE
from .operands import as_number
from .tracer import Proxy

#: Called for a row outside of any trace: (row, arguments, keywords) -> result.
EagerCall = Callable[[OpSpec, tuple[Any, ...], dict[str, Any]], Any]

#: Attributes that are properties, not methods.
PROPERTIES = frozenset({"T", "mT"})


def make_function(row: OpSpec, eager: EagerCall) -> Callable[..., Any]:
    """Return the public function of a row: recorded while tracing, else run at once."""

    def function(*arguments: Any, **keywords: Any) -> Any:
        trace = ACTIVE.trace
        try:
            if trace is not None:
                return trace.apply(row, arguments, keywords)
            return eager(row, arguments, keywords)
        except TrilithError as error:
            raise without_own_frames(error) from None

    function.__name__ = function.__qualname__ = row.name
    function.__module__ = "trilith"
    function.__doc__ = document(row)
    function.__signature__ = signature_of(row)  # pyright: ignore[reportFunctionMemberAccess]
    return function


def make_operator(row: OpSpec, name: str, eager: EagerCall) -> Callable[..., Any]:
    """Return an operator: it declines what is no operand, and reflected ones swap.

    `2 * x` is `x * 2`, as in PyTorch, which tells them apart for narrow floats.
    """
    is_commutative = isinstance(row, ElementwiseOp) and row.algebra.commutative
    is_reflected = name.startswith("__r") and name != "__rshift__" and not is_commutative

    def operator(*operands: Any) -> Any:
        for operand in operands[1:]:
            if not _is_operand(operand):
                return NotImplemented
        if is_reflected:
            operands = (operands[1], operands[0])
        trace = ACTIVE.trace
        try:
            if trace is not None:
                return trace.apply(row, operands, {})
            return eager(row, operands, {})
        except TrilithError as error:
            raise without_own_frames(error) from None

    operator.__name__ = name
    operator.__qualname__ = f"Tensor.{name}"
    operator.__doc__ = row.doc
    return operator


def _is_operand(value: Any) -> bool:
    return (
        isinstance(value, Proxy)
        or as_number(value) is not None
        or hasattr(value, "__dlpack__")
        or hasattr(value, "spec")
    )


def methods(eager: EagerCall) -> dict[str, Any]:
    """Return everything that rows put on a tensor: methods, operators and properties."""
    made: dict[str, Any] = {}
    for row in TABLE.values():
        function: Callable[..., Any] | None = None
        for name in row.methods:
            if name.startswith("__") and name != "__getitem__":
                made[name] = make_operator(row, name, eager)
                continue
            function = function or make_function(row, eager)
            made[name] = property(function) if name in PROPERTIES else function
    for name in (*IN_PLACE, "__setitem__"):
        made[name] = refuse_in_place(name)
    return made


#: Operators that write into their first operand, and what to write instead.
IN_PLACE = {
    **{
        f"__i{name}__": sign
        for name, sign in (
            ("add", "+"),
            ("sub", "-"),
            ("mul", "*"),
            ("truediv", "/"),
            ("floordiv", "//"),
            ("mod", "%"),
            ("pow", "**"),
            ("matmul", "@"),
            ("and", "&"),
            ("or", "|"),
            ("xor", "^"),
            ("lshift", "<<"),
            ("rshift", ">>"),
        )
    },
}


def refuse_in_place(name: str) -> Callable[..., Any]:
    """Return an operator that refuses to write: Python would silently rebind the name instead."""
    sign = IN_PLACE.get(name, "")

    def operator(*operands: Any) -> Any:
        raise TrilithNotImplementedError(
            f"writing into a tensor ({sign}=) is not offered yet"
            if sign
            else "writing into a part of a tensor (x[...] = y) is not offered yet",
            hint=f"write x = x {sign} y" if sign else "use tri.where, tri.cat or tri.pad",
        )

    operator.__name__ = name
    operator.__qualname__ = f"Tensor.{name}"
    operator.__doc__ = "Refuse: tensors are not written to yet."
    return operator


def install_on_proxies(eager: EagerCall) -> None:
    """Give proxies the methods and operators of the rows."""
    for name, function in methods(eager).items():
        setattr(Proxy, name, function)


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
