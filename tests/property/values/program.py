"""What is a random program? Plain data: inputs, steps and outputs, which can be run and printed.

    inputs   x0 = Input((2, 3), "float32", ...)      s0 = Number(2.5)
    steps    v0 = Step("add", (Ref("x0"), Ref("s0")))
    outputs  ("v0",)

A step names a row of the table of operations. Values have names, so that a step can be left out
without renumbering the others. The text of a program is Python that can be pasted.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple, cast

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

import trilith as tri
from trilith.dialects.ops.frame.row import OpSpec
from trilith.dialects.ops.table import TABLE

Array = NDArray[Any]

NUMPY_TYPES: dict[str, Any] = {
    "bool": np.bool_,
    "uint8": np.uint8,
    "int8": np.int8,
    "int16": np.int16,
    "int32": np.int32,
    "int64": np.int64,
    "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16,
    "float32": np.float32,
    "float64": np.float64,
}
#: The step that takes one of several results: it reads the step that gave them, and a number.
ITEM = "item"
#: Rows that are spelled as an operator between their two operands.
_OPERATORS = {"rdiv": "/"}
#: Attributes of a tensor that are properties.
_PROPERTIES = {"numpy_T": "T", "matrix_T": "mT", "batched_matrix_H": "mH"}


class Ref(NamedTuple):
    """The value of an input or a step."""

    name: str


class Named(NamedTuple):
    """An attribute of `trilith`: a dtype or a memory format."""

    name: str


class Values(NamedTuple):
    """How the elements of an input are drawn.

    `kind` is zeros, ones, range (0, 1, 2, ...), small (-4 to 4), nonzero (the same without 0),
    uniform (low to high), special (uniform, among zeros, infinities, NaN and extremes).
    """

    kind: str
    seed: int = 0
    low: float = -4.0
    high: float = 4.0


_SMALL = Values("small")


@dataclass(frozen=True, slots=True)
class Input:
    """A tensor argument."""

    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...]
    offset: int = 0
    values: Values = _SMALL

    @property
    def extent(self) -> int:
        """The elements of the storage."""
        if 0 in self.shape:
            return self.offset
        reach = sum((s - 1) * t for s, t in zip(self.shape, self.strides, strict=True))
        return self.offset + reach + 1


@dataclass(frozen=True, slots=True)
class Number:
    """A Python number as an argument: the compiled function does not know its value."""

    value: bool | int | float


@dataclass(frozen=True, slots=True)
class Step:
    """One call: `operation` is the name of a row, arguments are references or plain values.

    Of several results each one that is used is taken by a step that is no call: `ITEM`.
    """

    operation: str
    arguments: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A function of its inputs."""

    inputs: dict[str, Input | Number]
    steps: dict[str, Step]
    outputs: tuple[str, ...]

    def without_dead_code(self) -> Program:
        """Return the program without steps and inputs that no output depends on."""
        alive = set(self.outputs)
        for name, step in reversed(self.steps.items()):
            if name in alive:
                alive.update(references(step))
        return replace(
            self,
            inputs={name: made for name, made in self.inputs.items() if name in alive},
            steps={name: step for name, step in self.steps.items() if name in alive},
        )

    def __call__(
        self, *arguments: Any, notes: dict[str, Any] | None = None, library: Any = tri
    ) -> tuple[Any, ...]:
        """Run on the values of the inputs; `notes` receives the value of every step."""
        values = dict(zip(self.inputs, arguments, strict=True))
        for name, step in self.steps.items():
            values[name] = call(step, values, library)
            if notes is not None:
                notes[name] = values[name]
        return tuple(values[name] for name in self.outputs)

    def arguments(self, device: str = "cpu") -> list[Any]:
        """Return new tensors on a device, and the numbers, for the inputs."""
        return [
            source.value if isinstance(source, Number) else make_tensor(source, device)
            for source in self.inputs.values()
        ]

    def __str__(self) -> str:
        """Return the program as Python that can be pasted."""
        return program_text(self)


def references(step: Step) -> list[str]:
    """Return the names of the values that a step reads."""
    found: list[str] = []
    for argument in (*step.arguments, *(value for _, value in step.keywords)):
        items = items_of(argument)
        found += [item.name for item in items if isinstance(item, Ref)]
    return found


def call(step: Step, values: Mapping[str, Any], library: Any = tri) -> Any:
    """Apply a step through the public face of the library, or of another with its names."""
    arguments = [_concrete(argument, values, library) for argument in step.arguments]
    keywords = {name: _concrete(value, values, library) for name, value in step.keywords}
    if step.operation == ITEM:
        return arguments[0][arguments[1]]
    row = TABLE[step.operation]
    if row.is_function:
        return operator.attrgetter(row.dotted_name)(library)(*arguments, **keywords)
    if step.operation == "getitem":
        return arguments[0][index_of(arguments[1])]
    if step.operation in _OPERATORS:
        return arguments[0] / arguments[1]
    if step.operation in _PROPERTIES:
        return getattr(arguments[0], _PROPERTIES[step.operation])
    return getattr(arguments[0], _method_of(row))(*arguments[1:], **keywords)


def _method_of(row: OpSpec) -> str:
    """Return a method that calls a row; one without methods is what a method of its name calls."""
    return row.methods[0] if row.methods else row.name


def _concrete(value: Any, values: Mapping[str, Any], library: Any) -> Any:
    if isinstance(value, Ref):
        return values[value.name]
    if isinstance(value, Named):
        return getattr(library, value.name)
    if any(isinstance(item, Ref) for item in items_of(value)):
        return [_concrete(item, values, library) for item in items_of(value)]
    return value


def items_of(argument: Any) -> tuple[Any, ...]:
    """Return the items of an argument that is a tuple, else the argument itself as the only one."""
    return cast("tuple[Any, ...]", argument if type(argument) is tuple else (argument,))


def index_of(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return what stands in brackets, from its plain form: ("slice", start, stop, step)."""
    return tuple(
        slice(*items_of(item)[1:]) if type(item) is tuple else Ellipsis if item == "..." else item
        for item in items
    )


# ---- inputs


def make_tensor(source: Input, device: str = "cpu") -> tri.Tensor:
    """Return a new tensor with the layout and elements of an input."""
    flat = np.ascontiguousarray(elements(source))
    given = tri.from_numpy(flat).untyped_storage()
    # Memory of trilith's own: it may be guarded, where NumPy's is not.
    memory = tri.UntypedStorage(given.nbytes(), device=device).copy_(given)
    dtype: tri.dtype = getattr(tri, source.dtype)
    spec = tri.TensorSpec.of(source.shape, dtype, tri.device(device), source.strides)
    return tri.Tensor(memory, spec, source.offset)


def elements(source: Input) -> Array:
    """Return the elements of the storage of an input."""
    with np.errstate(all="ignore"):
        kind = NUMPY_TYPES[source.dtype]
        numbers = _numbers(source.values, source.extent, source.dtype)
        if source.dtype in ("float16", "bfloat16"):
            numbers = np.asarray(numbers).astype(np.float32)
        return np.asarray(numbers).astype(kind)


def _numbers(values: Values, count: int, dtype: str) -> Array:
    if values.kind in ("zeros", "ones"):
        return np.full(count, values.kind == "ones", np.int64)
    if values.kind == "range":
        return np.arange(count) % 100
    random = Random(values.seed)
    if dtype == "bool":
        return np.array(random.choices((values.kind == "nonzero", 1), k=count), np.int64)
    if values.kind in ("small", "nonzero"):
        low = 0 if dtype == "uint8" else -4
        choices = [n for n in range(low, 5) if n or values.kind == "small"]
        return np.array(random.choices(choices, k=count), np.int64)
    is_float = "float" in dtype
    specials = _SPECIAL_FLOATS[dtype] if is_float else _special_integers(dtype)
    numbers: list[Any] = []
    for _ in range(count):
        if values.kind == "special" and random.random() < 0.3:
            numbers.append(random.choice(specials))
        else:
            number = random.uniform(values.low, values.high)
            numbers.append(number if is_float else int(number))
    return np.array(numbers, np.float64 if is_float else np.int64)


def _special_integers(dtype: str) -> list[int]:
    limits = np.iinfo(NUMPY_TYPES[dtype])
    return [limits.min, limits.max, limits.max - 1, 0, 1, limits.max // 2]


def _special_floats(dtype: str) -> list[float]:
    limits = cast("Any", ml_dtypes.finfo(NUMPY_TYPES[dtype]))
    largest, normal = float(limits.max), float(limits.smallest_normal)
    denormal, eps = float(limits.smallest_subnormal), float(limits.eps)
    signed = [0.0, math.inf, largest, normal, denormal, 1.0, 0.5, 1.0 + eps, 2.0, 1.5]
    # Beyond the integers of 16, 32 and 64 bits.
    signed += [
        number
        for number in (4e4, 3000000077.0, 2.0**31, 2.0**32 + 2.0**20, 1e19)
        if number < largest
    ]
    return [math.nan, *signed, *(-number for number in signed)]


_SPECIAL_FLOATS = {name: _special_floats(name) for name in NUMPY_TYPES if "float" in name}


# ---- text


def program_text(program: Program, setup: Sequence[str] = ()) -> str:
    """Return a program as a Python function and the calls that run it.

    `setup` stands in the place of the line that imports the library, and defines `device`.
    """
    lines = ["from math import inf, nan", *(setup or ("import trilith as tri",)), ""]
    names = list(program.inputs)
    lines += ["@tri.compile", f"def f({', '.join(names)}):"]
    lines += [f"    {name} = {step_text(step)}" for name, step in program.steps.items()]
    lines += [f"    return {', '.join(program.outputs)}{',' * (len(program.outputs) == 1)}", ""]
    where = ", tri.device(device)" if setup else ""
    lines += [f"{name} = {_input_text(source, where)}" for name, source in program.inputs.items()]
    call_text = f"({', '.join(names)})"
    lines += [f"print(f.function{call_text})  # operation by operation", f"print(f{call_text})"]
    return "\n".join(lines)


def step_text(step: Step) -> str:
    """Return the Python of one call."""
    arguments = [_text(argument) for argument in step.arguments]
    keywords = [f"{name}={_text(value)}" for name, value in step.keywords]
    if step.operation == ITEM:
        return f"{arguments[0]}[{arguments[1]}]"
    row = TABLE[step.operation]
    if row.is_function:
        return f"tri.{row.dotted_name}({', '.join(arguments + keywords)})"
    if step.operation == "getitem":
        items = [_index_text(item) for item in step.arguments[1]]
        return f"{arguments[0]}[{', '.join(items) or '()'}]"
    if step.operation in _OPERATORS:
        return f" {_OPERATORS[step.operation]} ".join(arguments)
    if step.operation in _PROPERTIES:
        return f"{arguments[0]}.{_PROPERTIES[step.operation]}"
    return f"{arguments[0]}.{_method_of(row)}({', '.join(arguments[1:] + keywords)})"


def _text(value: Any) -> str:
    if isinstance(value, Ref):
        return value.name
    if isinstance(value, Named):
        return f"tri.{value.name}"
    if any(isinstance(item, Ref) for item in items_of(value)):
        return f"[{', '.join(map(_text, items_of(value)))}]"
    return repr(value)


def _index_text(item: Any) -> str:
    if type(item) is tuple:
        parts = ["" if part is None else str(part) for part in items_of(item)[1:]]
        return ":".join(parts if parts[2] else parts[:2])
    return str(item)


def _input_text(source: Input | Number, where: str = "") -> str:
    if isinstance(source, Number):
        return repr(source.value)
    flat = elements(source)
    listed = flat.astype(np.float64 if "float" in source.dtype else object).tolist()
    text = f"tri.tensor({listed}, dtype=tri.{source.dtype})"
    packed = tuple(math.prod(source.shape[dim + 1 :]) for dim in range(len(source.shape)))
    if source.strides == packed and not source.offset:
        return f"{text}.view({source.shape})"
    return (
        f"tri.Tensor({text}.untyped_storage(), tri.TensorSpec.of({source.shape}, "
        f"tri.{source.dtype}{where}, strides={source.strides}), {source.offset})"
    )
