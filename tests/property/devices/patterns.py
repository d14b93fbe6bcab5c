"""Does a device give the CPU's bits for all bit patterns? Elementwise rows, casts, in any dtype.

A case is a row and the dtype of its operands, or a cast; it runs on thousands of values. Half of
them are random bits, some are special, the rest are of ordinary size.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import trilith as tri
from trilith.dialects.ops.frame.opspec import ElementwiseOp
from trilith.dialects.ops.table import TABLE

from ..equality import CLASSES, Equal
from ..runner import Found
from ..values.properties import Failure, bits_of
from .on_device import TestedDevice, array_on_host

DTYPES = tuple(name for names in CLASSES.values() for name in names if name != "complex32")
#: Elements of an operand: an odd number, so that vectors leave a rest. Of one operand of 16 bits
#: all values.
COUNT = 4099
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 1e30, -1e-40, 2.5, -3.5, 65504.0)

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A row on operands of one dtype, or a cast to another."""

    operation: str
    dtype: str
    target: str = ""

    def __call__(self, *operands: Any) -> Any:
        """Apply it."""
        if self.target:
            return operands[0].to(getattr(tri, self.target))
        function: Any = getattr(tri, self.operation, None) or getattr(tri.Tensor, self.operation)
        return function(*operands)

    @property
    def operands(self) -> int:
        """How many operands it takes."""
        if self.target:
            return 1
        return sum(parameter.is_operand for parameter in TABLE[self.operation].schema.parameters)

    def __str__(self) -> str:
        """Return the call as Python."""
        names = [f"x{number}" for number in range(self.operands)]
        if self.target:
            return f"{names[0]}.to(tri.{self.target})"
        where = "tri" if hasattr(tri, self.operation) else "tri.Tensor"
        return f"{where}.{self.operation}({', '.join(names)})"


@cache
def all_cases() -> tuple[Case, ...]:
    """Return the cases that the library takes."""
    names = sorted(
        name
        for name, row in sorted(TABLE.items())
        if isinstance(row, ElementwiseOp) and (hasattr(tri, name) or hasattr(tri.Tensor, name))
    )
    cases = [Case(name, dtype) for name in names for dtype in DTYPES]
    cases += [Case("to", dtype, target) for dtype in DTYPES for target in DTYPES if dtype != target]
    return tuple(case for case in cases if _is_taken(case))


def _is_taken(case: Case) -> bool:
    specs = [tri.spec((2,), getattr(tri, case.dtype))] * case.operands
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tri.trace(case, *specs)
    except (tri.TrilithError, TypeError):
        return False
    return True


def drawn(case: Case, random: Random) -> list[Array]:
    """Return values for the operands."""
    return [_values(case, random, number) for number in range(case.operands)]


def _values(case: Case, random: Random, number: int) -> Array:
    rng = np.random.default_rng(random.getrandbits(64))
    kind: np.dtype[Any] = np.dtype(getattr(tri, case.dtype).numpy)
    if kind.itemsize == 2 and case.operands == 1:
        return rng.permutation(1 << 16).astype(np.uint16).view(kind)
    if case.dtype == "bool":
        return rng.integers(0, 2, COUNT).astype(np.bool_)
    real = np.dtype(f"f{kind.itemsize // 2}") if kind.kind == "c" else kind
    count = COUNT * (kind.itemsize // real.itemsize)
    patterns = rng.integers(0, 256, count * real.itemsize, np.uint8).view(real)
    if case.dtype in (*CLASSES["bool"], *CLASSES["integers"]):
        plain = rng.integers(0, 6, count).astype(kind)
        # Division by zero is a fault of the whole call: only some operands have one.
        if number and random.random() < 0.8:
            plain, patterns = np.maximum(plain, 1), np.where(patterns == 0, 1, patterns)
        return np.where(rng.random(count) < 0.5, patterns, plain).astype(kind)
    with np.errstate(all="ignore"):
        ordinary = rng.standard_normal(count) * 10.0 ** rng.integers(-3, 3, count)
        ordinary = np.where(rng.random(count) < 0.2, rng.choice(SPECIAL, count), ordinary)
        plain = ordinary.astype(real)
    chosen = rng.random(count) < 0.5
    # Signalling NaNs stay as they are: nothing is computed with the floats.
    bits = np.where(chosen, patterns.view(f"u{real.itemsize}"), plain.view(f"u{real.itemsize}"))
    return bits.view(real).view(kind)


def different(ours: Array, theirs: Array) -> NDArray[np.bool_]:
    """Return where two flat arrays differ in a bit; any NaN, also as a part, equals any NaN."""
    if ours.dtype.kind == "c":
        real = f"f{ours.itemsize // 2}"
        parts = different(ours.view(real), theirs.view(real)).reshape(-1, 2)
        return np.asarray(parts.any(axis=1))
    unequal = bits_of(ours) != bits_of(theirs)
    if ours.dtype.kind not in "iub":
        with np.errstate(all="ignore"):
            unequal &= ~((ours != ours) & (theirs != theirs))
    return unequal


@dataclass(slots=True)
class PatternTally:
    """What was checked."""

    programs: int = 0
    faults: int = 0
    cases: set[Case] = field(default_factory=set[Case])
    equal: Equal = field(default_factory=Equal)

    def add(self, other: PatternTally) -> None:
        """Count another tally's checks too."""
        self.programs += other.programs
        self.faults += other.faults
        self.cases |= other.cases
        self.equal.add(other.equal)


class DevicePatterns:
    """Elementwise rows and casts on a device: a number is a case, and values for it."""

    chunk, batch = 400, 24

    def __init__(self, device: TestedDevice) -> None:
        """Draw nothing yet."""
        self.name = f"patterns on {device}"
        self.device = device

    def counts(self) -> PatternTally:
        """Return a new tally."""
        return PatternTally()

    def drawn(self, seed: object, number: int) -> tuple[Case, list[Array]]:
        """Return a case and values; the cases come in the seed's order."""
        cases = list(all_cases())
        Random(f"patterns {seed}").shuffle(cases)
        case = cases[number % len(cases)]
        return case, drawn(case, Random(f"patterns {seed} {number}"))

    def prepare(self, seed: object, numbers: Sequence[int]) -> None:
        """Load the kernels of some cases."""
        for number in numbers:
            case, arrays = self.drawn(seed, number)
            few = [array[:2] for array in arrays]
            self.device.rehearse(lambda case=case, few=few: self._run(case, few, is_there=True))

    def check(self, seed: object, number: int, counts: PatternTally) -> Found | None:
        """Compare the device with the CPU in one case."""
        case, arrays = self.drawn(seed, number)
        counts.programs += 1
        counts.equal.programs += 1
        counts.cases.add(case)
        try:
            self._compare(case, arrays, counts)
        except Failure as failure:
            return Found(number, f"{case} of {case.dtype}", str(failure))
        return None

    def _run(self, case: Case, arrays: Sequence[Array], is_there: bool) -> Any:
        """Run a case; return the result's elements, or the message of the error."""
        tensors: list[Any] = [tri.from_numpy(array.copy()) for array in arrays]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if not is_there:
                    return array_on_host(case(*tensors))
                with self.device.as_default():
                    result = case(*(tensor.to(self.device.name) for tensor in tensors))
                    self.device.synchronize()
                    return array_on_host(result)
        except tri.TrilithError as error:
            return error.message

    def _compare(self, case: Case, arrays: list[Array], counts: PatternTally) -> None:
        theirs, ours = (self._run(case, arrays, is_there) for is_there in (False, True))
        if isinstance(theirs, str) or isinstance(ours, str):
            counts.faults += 1
            if not (isinstance(ours, str) and ours == theirs):
                raise Failure("fault", f"{ours!r}, on the CPU {theirs!r}")
            return
        if ours.dtype != theirs.dtype:
            raise Failure("dtype", f"{ours.dtype}, on the CPU {theirs.dtype}")
        unequal = different(ours, theirs)
        if unequal.any():
            place = int(np.argmax(unequal))
            values = [array[place : place + 1] for array in arrays]
            text = f"{ours[place]!r}, on the CPU {theirs[place]!r}; {int(unequal.sum())} differ"
            raise Failure("bits", f"{text}\n\n{self._text(case, values)}")
        counts.equal.note(_name_of(ours), ours.size)

    def _text(self, case: Case, arrays: Sequence[Array]) -> str:
        """Return a case and values as Python."""
        lines = self.device.setup_lines()
        for number, array in enumerate(arrays):
            data = f'list(bytes.fromhex("{array.tobytes().hex()}"))'
            lines.append(f"x{number} = tri.tensor({data}, dtype=tri.uint8).view(tri.{case.dtype})")
        return "\n".join([*lines, f"print({case})"])

    def text(self, seed: object, number: int) -> str:
        """Return the case on a few of its values as Python."""
        case, arrays = self.drawn(seed, number)
        return self._text(case, [array[:4] for array in arrays])

    def report(self, counts: PatternTally) -> list[str]:
        """Return the counts of a run."""
        return [
            f"{counts.programs} elementwise calls, {len(counts.cases)} of {len(all_cases())} "
            f"cases, {counts.faults} that must raise",
            counts.equal.line(str(self.device)),
        ]


def _name_of(array: Array) -> str:
    return "bool" if array.dtype == np.bool_ else str(array.dtype)
