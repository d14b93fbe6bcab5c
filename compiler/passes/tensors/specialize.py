"""What is a function of symbols at some sizes? `tri-specialize{n0=5}` puts the numbers in.

Before::

    func.func @f(%x: !tri.tensor<(n0)x(n1)xf32>, %n: !tri.scalar<int> {tri.size = #tri.size<n1>})
        -> !tri.tensor<(n0)x(n1)xf32> attributes {tri.symbols = #tri.symbols<n0 = 40, n1 = 44>} {
      %0 = tri.div %x, %n : !tri.tensor<(n0)x(n1)xf32>, !tri.scalar<int> -> ...

After, with `n1=3`::

    func.func @f(%x: !tri.tensor<(n0)x3xf32>) -> !tri.tensor<(n0)x3xf32>
        attributes {tri.symbols = #tri.symbols<n0 = 40>} {
      %0 = tri.constant 3 : !tri.scalar<int>
      %1 = tri.div %x, %0 : !tri.tensor<(n0)x3xf32>, !tri.scalar<int> -> ...

A symbol that a guard makes equal to a number gets that number, too; numbers that a guard does not
take are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ....dialects.attributes.expressions import Expression, constant, symbol
from ....dialects.attributes.facts import Guard
from ....dialects.attributes.hints import choose_hints
from ....dialects.attributes.spec import ScalarSpec, TensorSpec
from ....dialects.attributes.symint import ShapeEnv, SymInt
from ....dialects.diagnostics import TrilithValueError
from ....dialects.tri.sizes import (
    GUARDS,
    SYMBOLS,
    GuardsAttr,
    SizeAttr,
    SizesAttr,
    SymbolsAttr,
    integer_attribute,
    integers_attribute,
    sized_arguments,
    sizes_of_function,
)
from ....dialects.tri.structure import ConstantOp
from ....dialects.tri.types import TensorType


@dataclass(frozen=True)
class SpecializePass(ModulePass):
    """Put numbers in the place of symbols, which the options name: tri-specialize{n0=5 n1=6}."""

    name = "tri-specialize"
    #: Any symbol is an option.
    takes_any_option: ClassVar[bool] = True

    sizes: tuple[tuple[str, int], ...] = ()

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Read a number for each option."""
        sizes: list[tuple[str, int]] = []
        for name, values in spec.parameters.items():
            if len(values) != 1 or type(values[0]) is not int:
                raise ValueError(f"a symbol is put in as a number: {name}=5")
            sizes.append((name, values[0]))
        return cls(tuple(sizes))

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        """Return the options as they are read."""
        return ArgSpec(self.name, {name: (number,) for name, number in self.sizes})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Specialise every function."""
        given = dict(self.sizes)
        named: set[str] = set()
        for func in op.ops:
            if isinstance(func, FuncOp) and (env := sizes_of_function(func)) is not None:
                named |= set(env.hints)
                Specialization(env, {n: v for n, v in given.items() if n in env.hints}).put(func)
        for name in given:
            if name not in named:
                known = ", ".join(sorted(named)) or "none"
                raise TrilithValueError(f"there is no symbol '{name}'; there are {known}")


class Specialization:
    """Numbers for some symbols, and what becomes of the others."""

    def __init__(self, env: ShapeEnv, given: Mapping[str, int]) -> None:
        """Check the numbers against what is known of the symbols."""
        self.values = {name: constant(number) for name, number in given.items()}
        for name, number in given.items():
            if name in env.positive and number < 2:
                raise TrilithValueError(
                    f"{name} = {number}: a size that is a symbol is at least 2",
                    hint="sizes of 0 and 1 make another function: trace it for them",
                )
            if abs(number) > env.largest():
                raise TrilithValueError(f"{name} = {number}: not all sizes fit into 64 bits then")
        guards = self._left(env, dict(given))
        #: What is left to know: symbols that have got no number.
        self.env = ShapeEnv()
        left = {name: hint for name, hint in env.hints.items() if name not in self.values}
        choose_hints(left, guards)
        for name, hint in left.items():
            self.env.symbol(hint, 2 if name in env.positive else None, name)
        for guard in guards:
            self.env.take(guard)

    def _left(self, env: ShapeEnv, given: dict[str, int]) -> list[Guard]:
        """Return the guards that numbers leave open; what an equality makes a number is one."""
        while True:
            left: list[Guard] = []
            for guard in env.needed_guards():
                expression = guard.expression.substitute(self.values)
                if expression.number is None:
                    left.append(Guard(guard.relation, expression))
                elif not Guard(guard.relation, expression).holds({}):
                    raise _refused(env, guard, given)
            found = [known for guard in left if (known := _solved(guard)) is not None]
            if not found:
                return left
            self.values |= {name: constant(number) for name, number in found}
            given |= dict(found)

    def number(self, value: Any) -> Any:
        """Return what an integer becomes."""
        if type(value) is not SymInt:
            return value
        expression: Expression = value.expression.substitute(self.values)
        number = expression.number
        if number is not None:
            return number
        self._learn(expression)
        return SymInt(self.env, expression)

    def _learn(self, expression: Expression) -> None:
        """Learn between which numbers quotients lie, the inner ones first."""
        for atom in expression.atoms():
            if not isinstance(atom, str):
                self._learn(atom.dividend)
                self._learn(atom.divisor)
                quotient = Expression({(atom,): 1})
                self.env.learn_quotient(atom.dividend, atom.divisor, quotient)

    def attribute(self, attribute: Attribute) -> Attribute:
        """Return what a type or an attribute becomes."""
        match attribute:
            case TensorType():
                return TensorType.of(self._spec(attribute.data))
            case SizeAttr():
                return integer_attribute(self.number(attribute.data))
            case SizesAttr():
                return integers_attribute(tuple(map(self.number, attribute.data)))
            case FunctionType():
                inputs = map(self.attribute, attribute.inputs)
                return FunctionType.from_lists(
                    list(inputs), list(map(self.attribute, attribute.outputs))
                )
            case DictionaryAttr():
                return DictionaryAttr({k: self.attribute(v) for k, v in attribute.data.items()})
            case ArrayAttr():
                return ArrayAttr(list(map(self.attribute, attribute)))
            case _:
                return attribute

    def _spec(self, spec: TensorSpec) -> TensorSpec:
        shape, strides = (tuple(map(self.number, found)) for found in (spec.shape, spec.strides))
        return TensorSpec.of(shape, spec.dtype, spec.device, strides, spec.layout, spec.is_conj)

    def put(self, func: FuncOp) -> None:
        """Change a function."""
        for op in func.walk():
            for kept in (op.attributes, op.properties):
                for name, attribute in kept.items():
                    kept[name] = self.attribute(attribute)
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.args:
                        argument._type = self.attribute(argument.type)  # pyright: ignore[reportPrivateUsage] - xDSL's rewriter does the same
            for result in op.results:
                result._type = self.attribute(result.type)  # pyright: ignore[reportPrivateUsage] - the same
        self._sizes(func)
        for name, kind in ((SYMBOLS, SymbolsAttr), (GUARDS, GuardsAttr)):
            func.attributes.pop(name, None)
            if self.env.hints:
                func.attributes[name] = kind(self.env)

    def _sizes(self, func: FuncOp) -> None:
        """Replace arguments that are sizes, and are known now, by constants."""
        words = list(func.arg_attrs or ())
        block = func.body.block
        still = sized_arguments(func)
        for number in range(len(words) - 1, -1, -1):
            size = words[number].data.get("tri.size")
            if size is None or number in still:
                continue
            value = _integer(size)
            made = ConstantOp.make(value, ScalarSpec("int"))
            first = block.first_op
            assert first is not None
            block.insert_op_before(made, first)
            argument = block.args[number]
            argument.replace_all_uses_with(made.results[0])
            block.erase_arg(argument)
            del words[number]
        if any(word.data for word in words):
            func.properties["arg_attrs"] = ArrayAttr(words)
        else:
            func.properties.pop("arg_attrs", None)
        func.update_function_type()


def _integer(attribute: Attribute) -> int:
    value: Any = attribute
    return value.value.data


def _solved(guard: Guard) -> tuple[str, int] | None:
    """Return the symbol that an equality makes a number, and the number."""
    if guard.relation != "==" or len(guard.expression.symbols()) != 1:
        return None
    (name,) = guard.expression.symbols()
    for sign in (1, -1):
        rest = guard.expression - symbol(name) * constant(sign)
        if rest.number is not None:
            return name, -sign * rest.number
    return None


def _refused(env: ShapeEnv, guard: Guard, given: Mapping[str, int]) -> TrilithValueError:
    names = sorted(guard.expression.symbols() & given.keys())
    numbers = ", ".join(f"{name} = {given[name]}" for name in names)
    return TrilithValueError(
        f"{numbers} does not pass the guard {guard}",
        location=env.lines.get(guard),
        hint="sizes that a guard does not take make another function: trace it for them",
    )
