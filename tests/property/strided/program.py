"""What is a strided program? Memories, tensors that look at them, and statements of Python.

The text of a program is what is run, with `tri` for the library: trilith, eager or compiled, or
PyTorch when the oracle itself is put to the test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, cast

from . import moves as strided_moves
from . import views as strided_views
from . import writes as strided_writes
from .layout import Sizes
from .model import Memory, Model
from .values import COMPARISONS

FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")


class Ref(NamedTuple):
    """A tensor of the program."""

    name: str


class Named(NamedTuple):
    """A dtype or a memory format of the library."""

    name: str


@dataclass(frozen=True, slots=True)
class Input:
    """A tensor argument: which memory it looks at, and how."""

    memory: int
    dtype: str
    sizes: Sizes
    strides: Sizes
    offset: int


@dataclass(frozen=True, slots=True)
class Step:
    """One statement; `name` is a key of `VIEWS` or `MOVES`, a pointwise one, or one that writes.

    The writing ones are `NAME_`, `NAME=` (an augmented operator), `NAME(out)` with the target as
    first argument, and setitem. `results` are the names that the statement assigns.
    """

    name: str
    arguments: tuple[Any, ...]
    results: tuple[str, ...] = ()

    def references(self) -> Iterable[str]:
        return (argument.name for argument in self.arguments if isinstance(argument, Ref))


@dataclass(frozen=True, slots=True)
class Program:
    """A function of its inputs; `returns` is what the compiled one gives back."""

    memories: tuple[bytes, ...]
    inputs: dict[str, Input]
    steps: tuple[Step, ...]
    returns: tuple[str, ...]
    label: str = ""

    def __str__(self) -> str:
        """Return the program as Python to paste."""
        return self.text(("import trilith as tri",))

    def text(self, setup: Iterable[str]) -> str:
        """Return the program as Python to paste, behind lines that import the library."""
        lines = [f"# {self.label}", *setup, "", *self.memory_lines(), ""]
        return "\n".join([*lines, *self.input_lines(), "", "", self.function_text()])

    def memory_lines(self) -> list[str]:
        return [
            f'm{number} = tri.tensor(list(bytes.fromhex("{data.hex()}")), dtype=tri.uint8)'
            for number, data in enumerate(self.memories)
        ]

    def input_lines(self) -> list[str]:
        return [
            f"{name} = m{made.memory}.view(tri.{made.dtype})"
            f".as_strided({made.sizes}, {made.strides}, {made.offset})"
            for name, made in self.inputs.items()
        ]

    def function_text(self) -> str:
        """Return the program as a function."""
        body = [text_of(step) for step in self.steps]
        given = ", ".join(f"{name}" for name in self.returns)
        body.append(f"return ({given},)" if self.returns else "return ()")
        lines = "\n".join(f"    {line}" for line in body)
        return f"def program({', '.join(self.inputs)}):\n{lines}\n"

    def without(self, index: int) -> Program:
        """Return the program without a step and all that needs its results."""
        gone = set(self.steps[index].results)
        kept: list[Step] = []
        for place, step in enumerate(self.steps):
            if place == index or not gone.isdisjoint(step.references()):
                gone.update(step.results)
            else:
                kept.append(step)
        returns = tuple(name for name in self.returns if name not in gone)
        return replace(self, steps=tuple(kept), returns=returns)

    def without_idle_inputs(self) -> Program:
        """Return the program without inputs that no step names and that are not returned."""
        used = {name for step in self.steps for name in step.references()} | set(self.returns)
        inputs = {name: made for name, made in self.inputs.items() if name in used}
        return replace(self, inputs=inputs)


# ---- text


def text_of(step: Step) -> str:
    """Return the statement."""
    call = _call(step.name, step.arguments)
    if not step.results:
        return call
    comma = "," if len(step.results) == 1 and step.name in ("split", "chunk", "unbind") else ""
    return f"{', '.join(step.results)}{comma} = {call}"


def _call(name: str, arguments: tuple[Any, ...]) -> str:
    texts = [_text(argument) for argument in arguments]
    if name == "setitem":
        return f"{texts[0]}[{_index(arguments[1])}] = {texts[2]}"
    if name == "getitem":
        return f"{texts[0]}[{_index(arguments[1])}]"
    if name.endswith("(out)"):
        return f"tri.{name[:-5]}({', '.join(texts[1:])}, out={texts[0]})"
    if name.endswith("="):
        return f"{texts[0]} {OPERATORS[name[:-1]]}= {texts[1]}"
    if name == "rsub":
        return f"{texts[1]} - {texts[0]}"
    if name.endswith("?"):
        return f"{texts[0]} {OPERATORS[name[:-1]]} {texts[1]}"
    if name in ("cat", "stack"):
        return f"tri.{name}([{', '.join(texts[:2])}], {texts[2]})"
    if name == "conj":
        return f"{texts[0]}.conj().resolve_conj()"
    if name in ("mT", "real", "imag"):
        return f"{texts[0]}.{name}"
    if name in strided_views.VIEWS:
        if name in ("clone", "contiguous", "to") and len(texts) > (2 if name == "to" else 1):
            texts[-1] = f"memory_format={texts[-1]}"
        method = "view" if name == "view_dtype" else name
        return f"{texts[0]}.{method}({', '.join(texts[1:])})"
    if name.endswith("_"):
        return f"{texts[0]}.{name}({', '.join(texts[1:])})"
    return f"tri.{name}({', '.join(texts)})"


def _text(value: Any) -> str:
    if isinstance(value, Ref):
        return value.name
    return f"tri.{value.name}" if isinstance(value, Named) else repr(value)


def _index(index: tuple[Any, ...]) -> str:
    if not index:
        return "()"
    return ", ".join(_item(item) for item in index) + ("," if len(index) == 1 else "")


def _item(item: Any) -> str:
    if item is Ellipsis:
        return "..."
    if not isinstance(item, tuple):
        return repr(item)
    bounds = cast(tuple[str, *tuple[int | None, ...]], item)[1:]
    start, stop, step = ("" if bound is None else str(bound) for bound in bounds)
    return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"


#: Pointwise operations that have an operator between tensors, spelled `NAME?` in a step.
OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "bitwise_and": "&",
    "bitwise_or": "|",
    "bitwise_xor": "^",
    **COMPARISONS,
}


# ---- the oracle


def models_of(program: Program) -> dict[str, Model]:
    """Return the inputs as the oracle has them."""
    memories = [Memory(bytearray(data)) for data in program.memories]
    return {
        name: Model(memories[made.memory], made.dtype, made.sizes, made.strides, made.offset)
        for name, made in program.inputs.items()
    }


def evaluate(step: Step, values: dict[str, Model]) -> None:
    """Run a step of the oracle; raise RefusedError or UndefinedError."""
    arguments = [_value(argument, values) for argument in step.arguments]
    result: Model | list[Model] = _function(step.name)(*arguments)
    if isinstance(result, list):
        values.update(zip(step.results, result, strict=True))
    elif step.results:
        values[step.results[0]] = result


def _value(argument: Any, values: Mapping[str, Model]) -> Any:
    if isinstance(argument, Ref):
        return values[argument.name]
    return argument.name if isinstance(argument, Named) else argument


WRITES: dict[str, Callable[..., Any]] = {
    "setitem": strided_writes.setitem,
    "copy_": strided_writes.copy,
    "fill_": strided_writes.fill,
    "zero_": strided_writes.zero,
}


def _function(name: str) -> Callable[..., Any]:
    found = WRITES.get(name) or strided_views.VIEWS.get(name) or strided_moves.MOVES.get(name)
    if found is not None:
        return found
    if name.endswith("(out)"):
        return partial(strided_writes.out, name[:-5])
    if name[-1] in "_=":
        return partial(strided_writes.in_place, name[:-1])
    return partial(strided_writes.pointwise, name.rstrip("?"))
