"""How is a random program drawn? Step by step, over the rows of the table of operations.

Elementwise rows and reductions are drawn from their signatures, so that a new row is drawn at once;
views, joins and creations have a function each. Every proposed step is evaluated by the oracle,
which refuses what PyTorch refuses; then another one is proposed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

import trilith as tri
from trilith.dialects.ops.frame.opspec import ElementwiseOp, ReductionOp
from trilith.dialects.ops.frame.row import OpSpec
from trilith.dialects.ops.frame.schema import SCALAR_TYPES, Parameter
from trilith.dialects.ops.table import TABLE

from .calls.plain import CASTS
from .calls.table import CALLS, GROUPS
from .oracle.evaluation import Fault, Known, Operand, Several, Value, input_value
from .oracle.semantics import (
    DTYPES,
    FLOATS,
    INTEGERS,
    Invalid,
    Shape,
    contiguous,
    strides_of_format,
)
from .oracle.table import OPERATIONS, apply
from .program import ITEM, Input, Named, Number, Program, Ref, Step, Values, references

#: Elements of one input at most, and the sizes of its dims: of most programs, and of large ones,
#: whose reductions have several blocks and whose loops are worth dividing among threads.
_SMALL = (700, (0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 16, 17, 33))
_LARGE = (80_000, (1, 2, 3, 64, 129, 257, 1025, 2048, 4099, 20_000))
#: Rows that are reached through another row's call, and by which.
SPELLED = {
    "add_outer": "addr",
    "contract": "conv1d",
    "cummax_along": "cummax",
    "cummin_along": "cummin",
    "exponential_unit": "elu",
    "gated": "glu",
    "hard_sigmoid": "nn_functional_hardsigmoid",
    "hard_swish": "nn_functional_hardswish",
    "huber_error": "huber_loss",
    "largest_of_windows": "nn_functional_max_pool1d",
    "leaky_unit": "leaky_relu",
    "logcumsumexp_real": "logcumsumexp",
    "logit_of_wide": "logit",
    "logsumexp_real": "logsumexp",
    "matmul_unrounded": "addmm",
    "max_along": "max",
    "min_along": "min",
    "mish_unit": "nn_functional_mish",
    "next_after": "nextafter",
    "normal_probability": "special_ndtr",
    "place_blocks": "block_diag",
    "put_window": "select_scatter",
    "replace_non_finite": "nan_to_num",
    "self_information": "nn_functional_kl_div",
    "sloped": "prelu",
    "smooth_error": "smooth_l1_loss",
    "soft_plus": "softplus",
    "soft_shrink": "softshrink",
    "squared_error": "mse_loss",
    "sum_without_nan": "nansum",
    "clamp_both": "clamp",
    "power": "pow",
    "trunc_divide": "div",
    "cast": "to",
    "round_even": "round",
    "round_decimals": "round",
    "conj_elements": "conj",
    "slice": "getitem",
    "alias": "getitem",
    "full_strided": "full",
    "range_of": "arange",
    "constant_pad": "pad",
}


#: Where a kernel usually ends: drawn more often, so that programs have intermediate results.
_BOUNDARIES = ("matmul", "sum", "mean", "amax", "cat", "reshape", "contiguous", "to")


class Drawer:
    """Draws one program."""

    def __init__(self, random: Random, operation: str | None = None) -> None:
        """Start with nothing; with an operation, the program is that one step."""
        self.random = random
        self.operation = operation
        self.inputs: dict[str, Input | Number] = {}
        self.steps: dict[str, Step] = {}
        self.values: dict[str, Known] = {}
        self.is_complete = False
        self.limit, self.sizes = _LARGE if random.random() < 0.04 else _SMALL
        self.rank = random.choice((0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5))

    def draw(self) -> Program:
        """Return a program of 1 to 12 steps."""
        count = 1 if self.operation else self.random.choice((1, 2, 3, 4, 5, 6, 8, 10, 12))
        attempts = 0
        while not self.is_complete and len(self.steps) < count and attempts < 60 * count:
            attempts += 1
            self._propose()
        return self._program().without_dead_code()

    def _program(self) -> Program:
        read = {ref for step in self.steps.values() for ref in references(step)}
        leaves = [name for name in self.steps if name not in read]
        leaves = [name for name in leaves if not isinstance(self.values.get(name), Several)]
        others = [name for name in self.values if isinstance(self.values[name], Value)]
        extra = self.random.sample(others, min(len(others), self.random.choice((0, 0, 1, 2))))
        outputs = (*leaves, *(name for name in extra if name not in leaves))
        return Program(dict(self.inputs), dict(self.steps), outputs)

    def _propose(self) -> None:
        """Try one more step; forget it, and the inputs made for it, if it is refused."""
        before = dict(self.inputs), dict(self.values)
        name = f"v{len(self.steps)}"
        try:
            step = self.call(self.operation or self.random.choice(self._names()))
            value = self._evaluate(name, step)
        except Invalid:
            self.inputs, self.values = before
            return
        self.steps[name] = step
        if value is None:
            self.is_complete = True
            return
        self.values[name] = value
        if isinstance(value, Several):
            self._take_items(name, value)

    def _take_items(self, source: str, several: Several) -> None:
        """Use some of several results, most often all of the first two."""
        count = len(several.parts)
        taken = min(count, self.random.choice((1, 2, 2, 2, 3)))
        for number in sorted(self.random.sample(range(count), taken)):
            name = f"v{len(self.steps)}"
            self.steps[name] = Step(ITEM, (Ref(source), number))
            self.values[name] = several.parts[number]

    def _names(self) -> Sequence[str]:
        """Return what the next operation is chosen from.

        What comes of one that the oracle takes at its word is compared with nothing, nor is what
        is computed from that: there are few of them, and each is also tried alone.
        """
        choice = self.random.random()
        if choice < 0.15:
            return _BOUNDARIES
        if choice < 0.15 + _OPAQUE_PART:
            return OPAQUE
        return self.random.choices(list(_KNOWN_GROUPS), _SHARES)[0]

    def _evaluate(self, name: str, step: Step) -> Value | Several | None:
        """Return the value of a step; None if the program must raise there, and ends."""
        try:
            value = apply(name, step, self.values)
        except Fault:
            if self.random.random() < 0.5:
                raise Invalid("enough faults") from None
            return None
        parts = value.parts if isinstance(value, Several) else (value,)
        if not parts or sum(math.prod(part.shape) for part in parts) > 4 * self.limit:
            raise Invalid("too large, or nothing")
        return value

    def call(self, operation: str) -> Step:
        """Return a call of an operation."""
        special = CALLS.get(operation)
        if special is not None:
            return special(self, operation)
        row = TABLE[operation]
        if isinstance(row, ReductionOp):
            return self._reduction(row)
        assert isinstance(row, ElementwiseOp)
        return self._elementwise(row)

    # ---- operands

    def tensor(
        self,
        dtypes: Sequence[str] = DTYPES,
        shape: Shape | None = None,
        rank: int | None = None,
        domain: tuple[float, float] | None = None,
        kinds: Sequence[str] = ("small", "uniform", "uniform", "special"),
    ) -> Ref:
        """Return a value of the program or a new input."""
        fitting = [
            name
            for name, value in self.values.items()
            if isinstance(value, Value)
            and value.dtype in dtypes
            and (shape is None or value.shape == shape)
            and (rank is None or len(value.shape) >= rank)
        ]
        if fitting and self.random.random() < 0.8:
            # What nothing has read yet, and late values, more often: so chains grow.
            read = {ref for step in self.steps.values() for ref in references(step)}
            unread = [name for name in fitting if name not in read]
            if unread and self.random.random() < 0.6:
                fitting = unread
            place = int(len(fitting) * self.random.random() ** 0.5)
            return Ref(fitting[place])
        return self.new_input(dtypes, shape, rank, domain, kinds)

    def new_input(
        self,
        dtypes: Sequence[str],
        shape: Shape | None,
        rank: int | None = None,
        domain: tuple[float, float] | None = None,
        kinds: Sequence[str] = ("small", "uniform", "uniform", "special"),
    ) -> Ref:
        """Add an input."""
        used = [v.dtype for v in self.values.values() if isinstance(v, Value) and v.dtype in dtypes]
        if used and self.random.random() < 0.5:
            dtype = self.random.choice(used)
        else:
            dtype = self.random.choice(dtypes)
        sizes = self.shape(rank or 0) if shape is None else shape
        strides, offset = self.layout(sizes)
        low, high = domain or (-100.0, 100.0)
        if dtype not in FLOATS:
            low, high = max(low, -128.0 if dtype != "uint8" else 0.0), min(high, 127.0)
        values = Values(self.random.choice(kinds), self.random.randrange(10**6), low, high)
        name = f"x{sum(isinstance(made, Input) for made in self.inputs.values())}"
        source = Input(sizes, dtype, strides, offset, values)
        self.inputs[name] = source
        self.values[name] = input_value(name, source)
        return Ref(name)

    def shape(self, least_rank: int = 0) -> Shape:
        """Return sizes."""
        rank = max(
            self.rank if self.random.random() < 0.7 else self.random.randrange(6), least_rank
        )
        sizes = [self.random.choice(self.sizes) for _ in range(rank)]
        while math.prod(sizes) > self.limit:
            sizes[sizes.index(max(sizes))] = self.random.choice((1, 2, 3))
        return tuple(sizes)

    def layout(self, shape: Shape) -> tuple[Shape, int]:
        """Return strides and an offset: packed, permuted, sliced, repeated, channels last."""
        kind = self.random.choice(("packed",) * 5 + ("permuted", "sliced", "repeated", "format"))
        offset = self.random.choice((0, 0, 0, 0, 1, 5)) if shape else self.random.choice((0, 3))
        if kind == "format" and len(shape) in (4, 5):
            strides = strides_of_format(shape, "channels_last" + ("_3d" if len(shape) == 5 else ""))
            return strides, offset
        if kind in ("permuted", "format"):
            order = self.random.sample(range(len(shape)), len(shape))
            packed = contiguous(tuple(shape[dim] for dim in order))
            return tuple(packed[order.index(dim)] for dim in range(len(shape))), offset
        strides = contiguous(shape)
        if kind == "sliced" and shape:
            dim = self.random.randrange(len(shape))
            grown = contiguous((*shape[:dim], 2 * shape[dim] + 1, *shape[dim + 1 :]))
            factor = self.random.choice((1, 2))
            strides = tuple(s * factor if d == dim else s for d, s in enumerate(grown))
        elif kind == "repeated":
            strides = tuple(0 if self.random.random() < 0.4 else stride for stride in strides)
        return strides, offset

    def beside(self, shape: Shape) -> Shape:
        """Return a shape that broadcasts with another."""
        choice = self.random.random()
        if choice < 0.55:
            return shape
        if choice < 0.65:
            return ()
        if choice < 0.9:
            sizes = [1 if self.random.random() < 0.4 else size for size in shape]
            return tuple(sizes[self.random.randrange(len(shape) + 1) :])
        if len(shape) < 5 and 2 * math.prod(shape) <= self.limit:
            return (self.random.choice((1, 2)), *shape)
        return shape

    def number(self, common: str, low: float = -8, high: float = 8, as_input: bool = True) -> Any:
        """Return a Python number that fits beside a dtype, or an argument that is one."""
        kind = self.random.random()
        value: bool | int | float
        if common == "bool" or kind < 0.05:
            value = self.random.random() < 0.5
        elif common in INTEGERS and kind < 0.85:
            value = self.random.randrange(0 if common == "uint8" else -8, 9)
        elif kind < 0.5:
            value = self.random.randrange(-4, 5)
        else:
            value = round(self.random.uniform(max(low, -1e3), min(high, 1e3)), 3)
        if as_input and self.random.random() < 0.25:
            name = f"s{sum(isinstance(made, Number) for made in self.inputs.values())}"
            self.inputs[name] = Number(value)
            self.values[name] = _weak(value)
            return Ref(name)
        return value

    def value(self, ref: Ref) -> Value:
        """Return what a reference to a tensor stands for."""
        value = self.values[ref.name]
        assert isinstance(value, Value)
        return value

    # ---- rows by their signature

    def _elementwise(self, row: ElementwiseOp) -> Step:
        operands = [
            parameter
            for parameter in row.schema.parameters
            if parameter.is_operand and parameter.type not in SCALAR_TYPES
        ]
        dtypes = _taken(row)
        floats = [dtype for dtype in dtypes if dtype in FLOATS]
        if floats and self.random.random() < 0.5:
            dtypes = floats
        first = self.tensor(dtypes, domain=row.domain)
        value = self.value(first)
        arguments: list[Any] = [first]
        for parameter in operands[1:]:
            arguments.append(self._another(parameter, value, dtypes, row.domain))
        swappable = len(operands) == 2 and operands[0].type == "Operand"
        if swappable and self.random.random() < 0.3:
            arguments.reverse()
        keywords = [
            (parameter.name, found)
            for parameter in row.schema.parameters
            if parameter not in operands
            and (found := self._attribute(parameter, value)) is not None
        ]
        return Step(row.name, tuple(arguments), tuple(keywords))

    def _another(
        self,
        parameter: Parameter,
        value: Value,
        dtypes: Sequence[str],
        domain: tuple[float, float],
    ) -> Any:
        if parameter.type == "Operand" and self.random.random() < 0.3:
            low, high = domain
            is_static = parameter.name == "exponent"
            return self.number(value.dtype, low, high, as_input=not is_static)
        if self.random.random() < 0.6 and value.dtype in dtypes:
            dtypes = (value.dtype,)
        return self.tensor(dtypes, shape=self.beside(value.shape), domain=domain)

    def _attribute(self, parameter: Parameter, value: Value) -> Any:
        """Return a value for an attribute, None for its default."""
        if parameter.name == "alpha" and self.random.random() < 0.3:
            if value.dtype in FLOATS:
                return self.random.choice((2, -1, 0.5, 1.7, -3.25))
            return self.random.choice((2, -1, 3, 0))
        if parameter.name == "approximate" and self.random.random() < 0.5:
            return "tanh"
        return None

    def _reduction(self, row: ReductionOp) -> Step:
        floats = self.random.random() < 0.5
        x = self.tensor(FLOATS if floats else DTYPES)
        value = self.value(x)
        keywords: list[tuple[str, Any]] = []
        dim = row.schema.by_name["dim"]
        if self.random.random() < 0.75 and value.shape:
            rank = len(value.shape)
            if dim.is_list:
                count = self.random.randrange(1, rank + 1)
                dims = self.random.sample(range(rank), count)
                keywords.append(("dim", tuple(self._signed(d, rank) for d in dims)))
            else:
                keywords.append(("dim", self.dim(rank)))
        # PyTorch has no sum, mean or product that keeps dims unless it is told which.
        if self.random.random() < 0.4 and (keywords or not row.overloads):
            keywords.append(("keepdim", True))
        is_known = row.name in OPERATIONS
        if is_known and "dtype" in row.schema.by_name and self.random.random() < 0.2:
            keywords.append(("dtype", Named(self.random.choice((*FLOATS, "int32", "int64")))))
        return Step(row.name, (x,), tuple(keywords))

    def dim(self, rank: int) -> int:
        """Return a dim, counted from either end."""
        return self._signed(self.random.randrange(max(rank, 1)), max(rank, 1))

    def _signed(self, dim: int, rank: int) -> int:
        return dim - rank if self.random.random() < 0.3 else dim


def _taken(row: ElementwiseOp) -> Sequence[str]:
    """Return the dtypes that operands of a row are drawn from."""
    accepts = [dtype for dtype in DTYPES if any(repr(a) == f"trilith.{dtype}" for a in row.accepts)]
    # Other dtypes are converted by rows that give the default dtype, or compare truth values.
    return (
        DTYPES
        if accepts in (list(FLOATS), ["bool"]) and row.name not in ("gelu", "silu")
        else accepts
    )


def _weak(value: bool | int | float) -> Operand:
    return input_value("", Number(value))


def _is_drawn(row: OpSpec) -> bool:
    if row.name in SPELLED:
        return False
    # How a row with a binder is called, its signature does not say; a step has one result.
    is_plain = row.binder is None and row.named_results is None and _is_called(row)
    return row.name in CALLS or (is_plain and isinstance(row, (ElementwiseOp, ReductionOp)))


#: What part of all steps are operations that the oracle takes at their word.
_OPAQUE_PART = 0.02

#: Of real numbers they make complex ones, which programs have not.
_COMPLEX = ("complex", "polar")


def _is_called(row: OpSpec) -> bool:
    """Whether a program can call a row: by some name, and with nothing that is not known here."""
    has_name = row.is_function or bool(row.methods) or hasattr(tri.Tensor, row.name)
    others = [
        item for item in row.schema.parameters if not item.is_operand or item.type in SCALAR_TYPES
    ]
    return has_name and row.name not in _COMPLEX and all(item.has_default for item in others)


#: The operations that programs are made of; casts by name count as one.
OPERATION_NAMES = [
    name for name, row in sorted(TABLE.items()) if _is_drawn(row) and name not in CASTS[1:]
]
#: Rows that no program can contain, because nothing here says how to call them.
UNDRAWN = [
    name for name, row in sorted(TABLE.items()) if not _is_drawn(row) and name not in SPELLED
]
#: Rows that the oracle takes at their word.
OPAQUE = [name for name in OPERATION_NAMES if name not in OPERATIONS]
KNOWN = [name for name in OPERATION_NAMES if name in OPERATIONS]
#: Those that no other group has, then the groups; how often one is chosen from each.
_KNOWN_GROUPS = (
    [name for name in KNOWN if all(name not in group for group in GROUPS.values())],
    *(sorted(group) for group in GROUPS.values()),
)
_SHARES = (50, *([50 // len(GROUPS)] * len(GROUPS)))


def draw_program(seed: object, number: int, operation: str | None = None) -> Program:
    """Return program `number` of a seed; the same on every machine."""
    random = Random(f"{seed}:{number}:{operation or ''}")
    while True:
        program = Drawer(random, operation).draw()
        if program.steps:
            return program
