"""The families of random programs on an OpenCL device: the same programs, and the CPU's bits.

Each program first runs on the CPU, against its oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..runner import Found
from ..strided.check import StridedFailure, StridedTally
from ..strided.check import check as check_strided
from ..strided.check import run_once as run_strided
from ..strided.check import shrink as shrink_strided
from ..strided.drawing import draw_program as draw_strided
from ..strided.family import TRILITH
from ..strided.program import Program as StridedProgram
from ..values.drawing import draw_program
from ..values.program import Input, Program, program_text
from ..values.properties import Failure, Tally, check
from ..values.shrinking import grown, is_valid, resized, shrink
from .on_device import TestedDevice
from .values import check_on_device, run_everywhere

#: Programs that one process runs at most, and that are rehearsed together: as many as have about
#: two builds' worth of kernels.
CHUNK, BATCH = 400, 10
#: Further values that each program runs on: kernels are dear, launches are not.
RESEEDED = 2


class DeviceValues:
    """Programs of `program.py`, or of one operation, on a device."""

    chunk, batch = CHUNK, BATCH

    def __init__(self, operation: str | None, device: TestedDevice) -> None:
        """Draw nothing yet."""
        self.name = f"values on {device}"
        self.operation = operation
        self.device = device
        self.drawn: dict[int, list[Program]] = {}

    def counts(self) -> Tally:
        """Return a new tally."""
        return Tally()

    def prepare(self, seed: object, numbers: Sequence[int]) -> None:
        """Draw some programs and load their kernels."""
        self.drawn = {number: list(self.programs(seed, number)) for number in numbers}
        for programs in self.drawn.values():
            for program in programs[: len(programs) - RESEEDED]:
                self._rehearse(program)

    def programs(self, seed: object, number: int) -> Iterator[Program]:
        """Return a program, the same with other and large sizes, and the same with other values."""
        program = draw_program(seed, number, self.operation)
        yield program
        yield from resized(program, number)
        yield from grown(program, number)
        for again in range(1, RESEEDED + 1):
            other = _reseeded(program, again)
            yield other if is_valid(other) else program

    def check(self, seed: object, number: int, counts: Tally) -> Found | None:
        """Check a program and its variants."""
        for program in self.drawn.get(number) or self.programs(seed, number):
            failure = self.failure_of(program, counts)
            if failure is not None:
                return self._found(number, program, failure)
        return None

    def failure_of(self, program: Program, counts: Tally) -> Failure | None:
        """Return how a program fails on the CPU or on the device, None if it does not."""
        try:
            answers = check(program, counts, interpreters=False)
            check_on_device(program, answers, self.device, counts.equal)
        except Failure as failure:
            return failure
        except Exception as error:
            return Failure(f"check {type(error).__name__}", str(error))
        return None

    def _found(self, number: int, program: Program, failure: Failure) -> Found:
        def kind_of(program: Program) -> str | None:
            self._rehearse(program)
            found = self.failure_of(program, Tally())
            return None if found is None else found.kind

        small = shrink(program, kind_of)
        seen = self.failure_of(small, Tally())
        if seen is None:
            return Found(number, "unsteady", f"fails once: {failure}\n\n{self._text(program)}")
        return Found(number, seen.kind, f"{seen}\n\n{self._text(small)}")

    def _rehearse(self, program: Program) -> None:
        self.device.rehearse(lambda: run_everywhere(program, self.device))

    def _text(self, program: Program) -> str:
        return program_text(program, self.device.setup_lines())

    def text(self, seed: object, number: int) -> str:
        """Return the program as Python."""
        return self._text(draw_program(seed, number, self.operation))

    def report(self, counts: Tally) -> list[str]:
        """Return the counts of a run."""
        return [
            f"{counts.programs} programs, {counts.faults} that must raise",
            "operations: "
            + ", ".join(f"{name} {n}" for name, n in counts.operations.most_common()),
            counts.equal.line(str(self.device)),
        ]


def _reseeded(program: Program, again: int) -> Program:
    inputs = {
        name: replace(made, values=made.values._replace(seed=made.values.seed + again))
        if isinstance(made, Input)
        else made
        for name, made in program.inputs.items()
    }
    return replace(program, inputs=inputs)


class DeviceStrided:
    """Views, casts, pointwise and in-place operations on strided tensors of a device."""

    chunk, batch = CHUNK, BATCH

    def __init__(self, device: TestedDevice) -> None:
        """Draw nothing yet."""
        self.name = f"strided on {device}"
        self.device = device
        self.library = replace(TRILITH, device=device)
        self.drawn: dict[int, StridedProgram] = {}

    def counts(self) -> StridedTally:
        """Return a new tally."""
        return StridedTally()

    def prepare(self, seed: object, numbers: Sequence[int]) -> None:
        """Draw some programs and load their kernels."""
        self.drawn = {number: draw_strided(seed, number) for number in numbers}
        for program in self.drawn.values():
            self._rehearse(program)

    def check(self, seed: object, number: int, counts: StridedTally) -> Found | None:
        """Check a program on the CPU and on the device."""
        program = self.drawn.get(number) or draw_strided(seed, number)
        failure = self.failure_of(program, counts)
        if failure is None:
            return None

        def kind_of(program: StridedProgram) -> str | None:
            self._rehearse(program)
            found = self.failure_of(program, StridedTally())
            return None if found is None else found.kind

        small = shrink_strided(program, kind_of)
        seen = self.failure_of(small, StridedTally())
        if seen is None:
            return Found(number, "unsteady", f"fails once: {failure}\n\n{self._text(program)}")
        return Found(number, seen.kind, f"{seen}\n\n{self._text(small)}")

    def failure_of(self, program: StridedProgram, counts: StridedTally) -> StridedFailure | None:
        """Return how a program fails on the CPU or on the device, None if it does not."""
        return _strided_failure(lambda: check_strided(program, TRILITH)) or _strided_failure(
            lambda: check_strided(program, self.library, counts), "device "
        )

    def _rehearse(self, program: StridedProgram) -> None:
        self.device.rehearse(lambda: run_strided(program, self.library))

    def _text(self, program: StridedProgram) -> str:
        return program.text(self.device.setup_lines())

    def text(self, seed: object, number: int) -> str:
        """Return the program as Python."""
        return self._text(draw_strided(seed, number))

    def report(self, counts: StridedTally) -> list[str]:
        """Return the counts of a run."""
        steps = ", ".join(f"{name} {count}" for name, count in counts.steps.most_common())
        return [
            f"{counts.programs} strided programs, {counts.compiled} also compiled "
            f"({counts.traced} of them as a whole), {counts.refused} that must raise, "
            f"{counts.writes} writes",
            f"steps: {steps}",
            counts.equal.line(str(self.device)),
        ]


def _strided_failure(action: Callable[[], None], where: str = "") -> StridedFailure | None:
    try:
        action()
    except StridedFailure as failure:
        return StridedFailure(f"{where}{failure.kind}", failure.why) if where else failure
    except Exception as error:
        return StridedFailure(f"{where}check {type(error).__name__}", str(error))
    return None
