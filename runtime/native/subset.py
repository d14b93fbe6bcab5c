"""How is machine code of the runtime written? As Python functions of 64-bit words.

A call that costs nanoseconds cannot run bytecode, and trilith is built without a C compiler. So
what happens between Python and a kernel is written in a subset of Python, whose only values are
64-bit words (integers, addresses), and translated to LLVM's text::

    @native
    def take(pool: Word) -> Word:
        block = word(pool, FIRST)
        if block != 0:
            store(pool, FIRST, word(block, NEXT))
        return block

It knows assignments, `if`, `while`, `return`, `break`, `continue`, arithmetic, comparisons (signed)
and `and`, `or`, `not` in conditions; calls of other native functions and of `intrinsics`. Names of
integers are constants, those of native functions their addresses. An attribute of a `Context` is a
word that each process fills in: the address of a type, of a function of Python's C interface or of
the C library (which is then called).

The translation does not guess: what it does not know is refused with its line.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Sequence
from functools import cache
from types import CodeType
from typing import Any, TypeVar

from ...dialects.diagnostics import InternalError
from ...dialects.records import field, record
from .form import Context
from .intrinsics import (
    add_seen,
    as_float32,
    as_float64,
    call,
    change_seen,
    float_modes,
    half_word,
    pause,
    seen,
    set_float_modes,
    show,
    spread,
    store,
    word,
    words,
)

F = TypeVar("F", bound=Callable[..., int])


@record
class NativeFunction:
    """A function that is translated; it is not called from Python."""

    name: str
    python: Callable[..., int]
    is_inlined: bool = False


def native(function: F) -> F:
    """Mark a function as one of words, to be translated."""
    made: Any = NativeFunction(function.__name__, function)
    return made


def inlined(function: F) -> F:
    """Mark a native function that becomes a part of those that call it."""
    made: Any = NativeFunction(function.__name__, function, is_inlined=True)
    return made


LOCATE = "trilith_native"
#: The bits of a word that C's int fills: what gives one leaves the others as they were.
INT = (1 << 32) - 1
#: Words that an object file has in one place only: behind them lie those that are filled in.
MARK = (0x3A1F5C77D0E94B62, 0x1D6E0B3F94A7C258)

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "lshr",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "slt",
    ast.LtE: "sle",
    ast.Gt: "sgt",
    ast.GtE: "sge",
}


_SHARED: dict[Any, str] = {seen: "load", show: "store", add_seen: "add", change_seen: "change"}
#: What the text may call of LLVM's own.
_INTRINSICS = """declare void @llvm.x86.sse2.pause()
declare void @llvm.x86.sse.ldmxcsr(ptr)
declare void @llvm.x86.sse.stmxcsr(ptr)
"""


@record(frozen=False)
class NativeModule:
    """Native functions as the text of one LLVM module, and the words that it wants to be told.

    The module exports `LOCATE`, which gives the addresses of the exported functions by number.
    """

    text: str
    #: What is filled in, in this order, behind `MARK`.
    context: list[str] = field(default_factory=list[str])


def translate(exported: Sequence[Any]) -> NativeModule:
    """Return the module of some native functions and of those that they call.

    >>> @native
    ... def twice(value: Word) -> Word:
    ...     return value + value
    >>> "@twice(i64 %value)" in translate([twice]).text
    True
    """
    context: list[str] = []
    wanted: list[NativeFunction] = list(exported)
    texts: dict[str, str] = {}
    for function in wanted:  # which grows
        if function.name not in texts:
            found = _Translator(function, context)
            texts[function.name] = found.text()
            wanted += found.called
    values = ", ".join([f"i64 {number}" for number in (*MARK, *range(len(context)))])
    # Weak, so that nothing is concluded from what stands in it before it is filled in.
    head = f"@context = weak hidden constant [{len(MARK) + len(context)} x i64] [{values}]\n"
    tail = _INTRINSICS + 'attributes #0 = { nounwind "no-trapping-math"="true" }\n'
    names = [function.name for function in exported]
    return NativeModule("\n".join([head, *texts.values(), _locating(names), tail]), context)


def _locating(names: Sequence[str]) -> str:
    """Return the function that tells where the exported functions are, by their number."""
    cases = [f"i64 {number}, label %is{number}" for number in range(len(names))]
    blocks = [
        f"is{number}:\n  ret i64 ptrtoint (ptr @{name} to i64)" for number, name in enumerate(names)
    ]
    switch = f"  switch i64 %number, label %none [{' '.join(cases)}]"
    head = f"define i64 @{LOCATE}(i64 %number) #0 {{"
    return "\n".join([head, switch, "none:\n  ret i64 0", *blocks, "}\n"])


@cache
def _definitions(file: str) -> dict[int, ast.FunctionDef]:
    """Return the functions of a file by the line of their first decorator."""
    text = "".join(linecache.getlines(file))
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return {node.decorator_list[0].lineno: node for node in found if node.decorator_list}


def _definition(code: CodeType) -> ast.FunctionDef:
    """Return the text of a function, understood."""
    return _definitions(code.co_filename)[code.co_firstlineno]


class _Translator:
    """The state of one function's translation."""

    def __init__(self, function: NativeFunction, context: list[str]) -> None:
        self.function = function
        self.definition = _definition(function.python.__code__)
        self.names = function.python.__globals__
        self.context = context
        self.called: list[NativeFunction] = []
        self.lines: list[str] = []
        self.locals: dict[str, None] = {}
        #: Words on the stack whose number is known.
        self.reserved: list[str] = []
        self.loops: list[tuple[str, str]] = []
        self.count = 0

    def text(self) -> str:
        """Return the function."""
        parameters = [argument.arg for argument in self.definition.args.args]
        for name in parameters:
            self.locals[name] = None
            self.lines.append(f"  store i64 %{name}, ptr %{name}.at")
        self.block(self.definition.body)
        self.lines.append("  ret i64 0")
        signature = ", ".join(f"i64 %{name}" for name in parameters)
        words = " alwaysinline" if self.function.is_inlined else ""
        head = f"define internal i64 @{self.function.name}({signature}) #0{words} {{"
        variables = [f"  %{name}.at = alloca i64" for name in self.locals]
        return "\n".join([head, *variables, *self.reserved, *self.lines, "}\n"])

    # Statements

    def block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, self.value(value))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                left = self.emit(f"load i64, ptr %{name}.at")
                self.assign(name, self.binary(op, left, self.value(value), node))
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring
            case ast.Expr(value=value):
                self.value(value)
            case ast.Return(value=value):
                result = "0" if value is None else self.value(value)
                self.lines.append(f"  ret i64 {result}")
                self.label(self.fresh("after"))
            case ast.If(test=test, body=body, orelse=orelse):
                self.choice(test, body, orelse)
            case ast.While(test=test, body=body, orelse=[]):
                self.loop(test, body)
            case ast.Break() | ast.Continue():
                begin, end = self.loops[-1]
                self.jump(end if isinstance(node, ast.Break) else begin)
                self.label(self.fresh("after"))
            case ast.Pass():
                pass
            case _:
                raise self.unknown(node)

    def assign(self, name: str, value: str) -> None:
        self.locals[name] = None
        self.lines.append(f"  store i64 {value}, ptr %{name}.at")

    def choice(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        then, other, after = self.fresh("then"), self.fresh("else"), self.fresh("end")
        self.branch(test, then, other)
        self.label(then)
        self.block(body)
        self.jump(after)
        self.label(other)
        self.block(orelse)
        self.jump(after)
        self.label(after)

    def loop(self, test: ast.expr, body: list[ast.stmt]) -> None:
        begin, inside, end = self.fresh("while"), self.fresh("do"), self.fresh("done")
        self.jump(begin)
        self.label(begin)
        self.branch(test, inside, end)
        self.label(inside)
        self.loops.append((begin, end))
        self.block(body)
        self.loops.pop()
        self.jump(begin)
        self.label(end)

    def branch(self, test: ast.expr, then: str, other: str) -> None:
        """Go to one of two places; `and` and `or` look at no more than they need."""
        match test:
            case ast.BoolOp(op=op, values=values):
                for value in values[:-1]:
                    following = self.fresh("test")
                    if isinstance(op, ast.And):
                        self.branch(value, following, other)
                    else:
                        self.branch(value, then, following)
                    self.label(following)
                self.branch(values[-1], then, other)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.branch(operand, other, then)
            case _:
                bit = self.condition(test)
                self.lines.append(f"  br i1 {bit}, label %{then}, label %{other}")

    def condition(self, test: ast.expr) -> str:
        match test:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
                first, second = self.value(left), self.value(right)
                return self.emit(f"icmp {_COMPARE[type(op)]} i64 {first}, {second}")
            case _:
                return self.emit(f"icmp ne i64 {self.value(test)}, 0")

    # Expressions

    def value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=int(number)):
                return str(int(number))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
                return str(-number)
            case ast.Name(id=name) if name in self.locals:
                return self.emit(f"load i64, ptr %{name}.at")
            case ast.Name(id=name) if type(self.names.get(name)) is int:
                return str(self.names[name])
            case ast.Name(id=name) if isinstance(self.names.get(name), NativeFunction):
                self.called.append(self.names[name])
                return f"ptrtoint (ptr @{self.names[name].name} to i64)"
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                return self.attribute(self.names.get(owner), name, node)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(op, self.value(left), self.value(right), node)
            case ast.Compare():
                return self.emit(f"zext i1 {self.condition(node)} to i64")
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return self.truth(node)
            case ast.Call(func=function, args=arguments, keywords=[]):
                return self.called_value(function, arguments, node)
            case _:
                raise self.unknown(node)

    def truth(self, node: ast.expr) -> str:
        """Return 1 or 0."""
        then, other, after = self.fresh("true"), self.fresh("false"), self.fresh("known")
        self.branch(node, then, other)
        self.label(then)
        self.jump(after)
        self.label(other)
        self.jump(after)
        self.label(after)
        return self.emit(f"phi i64 [ 1, %{then} ], [ 0, %{other} ]")

    def binary(self, op: ast.operator, left: str, right: str, node: ast.AST) -> str:
        if type(op) is ast.FloorDiv:
            return self.floor_divide(left, right)
        if type(op) not in _BINARY:
            raise self.unknown(node)
        return self.emit(f"{_BINARY[type(op)]} i64 {left}, {right}")

    def floor_divide(self, left: str, right: str) -> str:
        """Divide as Python does: LLVM's quotient is one more where the signs of both differ."""
        quotient = self.emit(f"sdiv i64 {left}, {right}")
        rest = self.emit(f"srem i64 {left}, {right}")
        is_inexact = self.emit(f"icmp ne i64 {rest}, 0")
        signs = self.emit(f"xor i64 {rest}, {right}")
        has_other_sign = self.emit(f"icmp slt i64 {signs}, 0")
        is_above = self.emit(f"and i1 {is_inexact}, {has_other_sign}")
        return self.emit(f"sub i64 {quotient}, {self.emit(f'zext i1 {is_above} to i64')}")

    def attribute(self, owner: Any, name: str, node: ast.AST) -> str:
        if isinstance(owner, Context):
            if name not in self.context:
                self.context.append(name)
            index = len(MARK) + self.context.index(name)
            place = f"getelementptr (i64, ptr @context, i64 {index})"
            return self.emit(f"load i64, ptr {place}")
        found = getattr(owner, name, None)
        if type(found) is not int:
            raise self.unknown(node)
        return str(found)

    def called_value(self, function: ast.expr, arguments: list[ast.expr], node: ast.AST) -> str:
        if isinstance(function, ast.Attribute):
            return self.call_address(self.value(function), arguments)
        found = self.names.get(function.id) if isinstance(function, ast.Name) else None
        if isinstance(found, NativeFunction):
            self.called.append(found)
            return self.emit(f"call i64 @{found.name}({self.spelled(arguments)})")
        if found is word or found is half_word:
            return self.load("i32" if found is half_word else "i64", arguments)
        if found is store:
            address, value = self.address(arguments[:2]), self.value(arguments[2])
            self.lines.append(f"  store i64 {value}, ptr {address}")
            return "0"
        if found is words:
            return self.stack(self.value(arguments[0]))
        if found is call:
            return self.call_address(self.value(arguments[0]), arguments[1:])
        if found is spread:
            return self.spread(*arguments)
        if found in _SHARED:
            return self.shared(_SHARED[found], arguments)
        if found is pause:
            self.lines.append("  call void @llvm.x86.sse2.pause()")
            return "0"
        if found is float_modes or found is set_float_modes:
            return self.modes(*map(self.value, arguments))
        if found is as_float32:
            double = self.emit(f"bitcast i64 {self.value(arguments[0])} to double")
            single = self.emit(f"fptrunc double {double} to float")
            return self.emit(f"zext i32 {self.emit(f'bitcast float {single} to i32')} to i64")
        if found is as_float64:
            double = self.emit(f"sitofp i64 {self.value(arguments[0])} to double")
            return self.emit(f"bitcast double {double} to i64")
        raise self.unknown(node)

    def load(self, type_: str, arguments: list[ast.expr]) -> str:
        found = self.emit(f"load {type_}, ptr {self.address(arguments)}")
        return found if type_ == "i64" else self.emit(f"zext {type_} {found} to i64")

    def address(self, arguments: list[ast.expr]) -> str:
        base = self.emit(f"inttoptr i64 {self.value(arguments[0])} to ptr")
        if len(arguments) == 1:
            return base
        return self.emit(f"getelementptr i8, ptr {base}, i64 {self.value(arguments[1])}")

    def call_address(self, address: str, arguments: list[ast.expr]) -> str:
        spelled = self.spelled(arguments)
        return self.emit(f"call i64 {self.emit(f'inttoptr i64 {address} to ptr')}({spelled})")

    def stack(self, count: str) -> str:
        """Return the address of words on the stack: the same at each turn if their number is."""
        if count.startswith("%"):
            place = self.emit(f"alloca i64, i64 {count}")
        else:
            place = f"%{self.fresh('words.')}"
            self.reserved.append(f"  {place} = alloca i64, i64 {count}")
        return self.emit(f"ptrtoint ptr {place} to i64")

    def spread(self, function: ast.expr, block: ast.expr, count: ast.expr) -> str:
        target = self.emit(f"inttoptr i64 {self.value(function)} to ptr")
        base = self.emit(f"inttoptr i64 {self.value(block)} to ptr")
        loaded: list[str] = []
        for index in range(int(self.value(count))):
            place = self.emit(f"getelementptr i64, ptr {base}, i64 {index}")
            loaded.append(f"i64 {self.emit(f'load i64, ptr {place}')}")
        self.lines.append(f"  call void {target}({', '.join(loaded)})")
        return "0"

    def shared(self, kind: str, arguments: list[ast.expr]) -> str:
        """Read or change a word that several threads look at."""
        address = self.address(arguments[:2])
        values = [f"i64 {self.value(argument)}" for argument in arguments[2:]]
        if kind == "load":
            return self.emit(f"load atomic i64, ptr {address} seq_cst, align 8")
        if kind == "store":
            self.lines.append(f"  store atomic {values[0]}, ptr {address} seq_cst, align 8")
            return "0"
        if kind == "add":
            return self.emit(f"atomicrmw add ptr {address}, {values[0]} seq_cst")
        pair = self.emit(f"cmpxchg ptr {address}, {', '.join(values)} seq_cst seq_cst")
        return self.emit(f"zext i1 {self.emit(f'extractvalue {{ i64, i1 }} {pair}, 1')} to i64")

    def modes(self, *given: str) -> str:
        """Read the register of floating-point modes, or write it."""
        place = f"%{self.fresh('modes.')}"
        self.reserved.append(f"  {place} = alloca i32")
        if given:
            self.lines.append(
                f"  store i32 {self.emit(f'trunc i64 {given[0]} to i32')}, ptr {place}"
            )
            self.lines.append(f"  call void @llvm.x86.sse.ldmxcsr(ptr {place})")
            return "0"
        self.lines.append(f"  call void @llvm.x86.sse.stmxcsr(ptr {place})")
        return self.emit(f"zext i32 {self.emit(f'load i32, ptr {place}')} to i64")

    def spelled(self, arguments: list[ast.expr]) -> str:
        return ", ".join([f"i64 {self.value(argument)}" for argument in arguments])

    # Text

    def fresh(self, word: str) -> str:
        self.count += 1
        return f"{word}{self.count}"

    def emit(self, instruction: str) -> str:
        name = f"%{self.fresh('v.')}"
        self.lines.append(f"  {name} = {instruction}")
        return name

    def jump(self, label: str) -> None:
        self.lines.append(f"  br label %{label}")

    def label(self, name: str) -> None:
        if not self.lines or not self.lines[-1].lstrip().startswith(("br ", "ret ")):
            self.jump(name)
        self.lines.append(f"{name}:")

    def unknown(self, node: ast.AST) -> InternalError:
        file = self.function.python.__code__.co_filename
        line = getattr(node, "lineno", self.definition.lineno)
        return InternalError(f"{file}:{line}: native code cannot say '{ast.unparse(node)}'")
