"""How does a C program call plans for all sizes? By a function that is written here as LLVM text.

It is what `runtime/plan_function.py` is for Python: it checks the guards of each plan, computes
what depends on sizes, and calls the kernels. Kernels are in other objects: where they begin,
relative to a table, is written into that table when all are put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ....dialects.attributes import dtype as dtypes
from ....dialects.attributes.calling import is_packed_on_host
from ....dialects.attributes.dtype import DType
from ....dialects.attributes.expressions import Expression
from ....dialects.attributes.facts import Guard
from ....dialects.attributes.symint import SymInt
from ....dialects.diagnostics import TrilithTypeError

#: What the table of kernels begins with, by which it is found in the image of the object.
TABLE_MARK = b"trilith kernels:"
#: Words of a status: two int32, three int64.
_STATUS_WORDS = 4
#: What a function answers: done, no plan takes the sizes, a kernel found a fault.
DONE, NO_PLAN, FAULT = 0, 1, 2


class Body:
    """The lines of a function in the making."""

    def __init__(self) -> None:
        """Begin without any."""
        self.lines: list[str] = []
        self._count = 0
        #: What expressions are computed already in the block.
        self._known: dict[Expression, str] = {}

    def name(self) -> str:
        """Return a name not used before."""
        self._count += 1
        return f"%v{self._count}"

    def add(self, text: str) -> str:
        """Add an instruction, and return the name of its result."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        """Add an instruction without a result."""
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")

    def forget(self) -> None:
        """Compute expressions anew from here on: another road may lead here."""
        self._known.clear()

    # Sizes

    def size(self, value: Any, symbols: dict[str, str]) -> str:
        """Return an integer or an expression as a value of 64 bits."""
        if type(value) is not SymInt:
            return str(value)
        return self.expression(value.expression, symbols)

    def expression(self, expression: Expression, symbols: dict[str, str]) -> str:
        """Return an expression as a value of 64 bits."""
        number = expression.number
        if number is not None:
            return str(number)
        known = self._known.get(expression)
        if known is not None:
            return known
        total = ""
        for monomial, factor in expression.terms:
            words = [self._atom(atom, symbols) for atom in monomial]
            if factor != 1 or not words:
                words.append(str(factor))
            product = words[0]
            for word in words[1:]:
                product = self.add(f"mul i64 {product}, {word}")
            total = self.add(f"add i64 {total}, {product}") if total else product
        self._known[expression] = total
        return total

    def _atom(self, atom: Any, symbols: dict[str, str]) -> str:
        """Return a symbol, or the floor of a quotient."""
        if isinstance(atom, str):
            return symbols[atom]
        left = self.expression(atom.dividend, symbols)
        right = self.expression(atom.divisor, symbols)
        quotient = self.add(f"sdiv i64 {left}, {right}")
        rest = self.add(f"srem i64 {left}, {right}")
        signs = self.add(f"xor i64 {rest}, {right}")
        is_below = self.add(f"icmp slt i64 {signs}, 0")
        is_left = self.add(f"icmp ne i64 {rest}, 0")
        both = self.add(f"and i1 {is_below}, {is_left}")
        one = self.add(f"zext i1 {both} to i64")
        return self.add(f"sub i64 {quotient}, {one}")

    def guard(self, guard: Guard, symbols: dict[str, str]) -> str:
        """Return whether a guard holds."""
        value = self.expression(guard.expression, symbols)
        word = {">=": "sge", "==": "eq", "!=": "ne"}[guard.relation]
        return self.add(f"icmp {word} i64 {value}, 0")

    def unless(self, condition: str, other: str) -> None:
        """Go elsewhere if something does not hold."""
        go_on = f"l{self._count}"
        self._count += 1
        self.do(f"br i1 {condition}, label %{go_on}, label %{other}")
        self.label(go_on)

    # Numbers

    def bits(self, value: str, kind: str, dtype: DType) -> str:
        """Return a number of C as the bits of a dtype, in 64 bits."""
        if dtype is dtypes.float64 or dtype is dtypes.float32:
            if kind != "double":
                value = self.add(f"sitofp i64 {value} to double")
            if dtype is dtypes.float64:
                return self.add(f"bitcast double {value} to i64")
            single = self.add(f"fptrunc double {value} to float")
            word = self.add(f"bitcast float {single} to i32")
            return self.add(f"zext i32 {word} to i64")
        if kind == "double" or not (dtype is dtypes.bool_ or dtype.bits <= 64):
            raise TrilithTypeError(f"a number cannot be passed to a library as {dtype}")
        if dtype is dtypes.bool_:
            is_true = self.add(f"icmp ne i64 {value}, 0")
            return self.add(f"zext i1 {is_true} to i64")
        if dtype.is_floating_point or dtype.is_complex:
            raise TrilithTypeError(f"a number cannot be passed to a library as {dtype}")
        if dtype.bits == 64:
            return value
        short = self.add(f"trunc i64 {value} to i{dtype.bits}")
        return self.add(f"{'sext' if dtype.is_signed else 'zext'} i{dtype.bits} {short} to i64")

    # Kernels

    def launch(
        self, number: int, pointers: Sequence[str], integers: Sequence[str], status: str | None
    ) -> None:
        """Call kernel number `number` of the table."""
        place = self.add(
            f"getelementptr {{[{len(TABLE_MARK)} x i8], [0 x i64]}}, ptr @table, i64 0, i32 1, "
            f"i64 {number}"
        )
        # Volatile: what is in the table is known when all objects are put together.
        offset = self.add(f"load volatile i64, ptr {place}")
        kernel = self.add(f"getelementptr i8, ptr @table, i64 {offset}")
        if status is not None:
            pointers = [*pointers, status]
        if not is_packed_on_host(len(pointers), len(integers)):
            words = [*(f"ptr {p}" for p in pointers), *(f"i64 {n}" for n in integers)]
            self.do(f"call void {kernel}({', '.join(words)})")
            return
        count = len(pointers) + len(integers)
        block = self.add(f"alloca i64, i64 {count}, align 16")
        for index, value in enumerate([*pointers, *integers]):
            at = self.add(f"getelementptr i64, ptr {block}, i64 {index}")
            kind = "ptr" if index < len(pointers) else "i64"
            self.do(f"store {kind} {value}, ptr {at}")
        self.do(f"call void {kernel}(ptr {block})")

    def new_status(self) -> str:
        """Return a status word that reads 0."""
        status = self.add(f"alloca [{_STATUS_WORDS} x i64], align 16")
        self.do(f"store [{_STATUS_WORDS} x i64] zeroinitializer, ptr {status}")
        return status

    def check(self, status: str) -> None:
        """Return a fault if a kernel has reported one."""
        fault = self.add(f"load i32, ptr {status}")
        is_right = self.add(f"icmp eq i32 {fault}, 0")
        self.unless(is_right, "fault")


def module_text(
    functions: Iterable[str], constants: Sequence[bytes], kernels: int, attributes: str
) -> str:
    """Return the module of some functions, with the table of kernels and constants."""
    mark = "".join(f"\\{byte:02X}" for byte in TABLE_MARK)
    lines = [
        f"@table = internal constant {{[{len(TABLE_MARK)} x i8], [{kernels} x i64]}} "
        f'{{[{len(TABLE_MARK)} x i8] c"{mark}", [{kernels} x i64] zeroinitializer}}, align 16',
    ]
    for number, data in enumerate(constants):
        text = "".join(f"\\{byte:02X}" for byte in data)
        lines.append(
            f'@constant{number} = internal constant [{len(data)} x i8] c"{text}", align 64'
        )
    return "\n".join([*lines, *functions, attributes, ""])


def function_text(name: str, parameters: Sequence[str], body: Body) -> str:
    """Return a function that answers how it went."""
    lines = [f"define i32 @{name}({', '.join(parameters)}) #0 {{", "entry:", *body.lines, "}"]
    return "\n".join(lines)
