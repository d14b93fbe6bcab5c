"""What is a plan of a row? For all sizes, or for one, and what it gives back in a sequence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ...dialects.attributes.expressions import symbol
from ...dialects.attributes.facts import Guard
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithError
from ...runtime.execution.artifact import Artifact
from ...runtime.execution.known_sizes import at_sizes
from ...runtime.execution.sizes_form import StoredPlan
from ...runtime.executor import Executable, Run
from ...runtime.plan_function import PlanFunction, plan_function
from ...runtime.tensors.tensor import Tensor
from ..stored.plans import StoredPlans
from ..trace.pytree import Structure
from .packing import is_plain, packing, type_of


class OpenPlan:
    """A plan of a row for all sizes that pass its guards."""

    __slots__ = ("artifact", "env", "result", "run")

    def __init__(
        self, result: Structure, artifact: Artifact, env: ShapeEnv, run: PlanFunction
    ) -> None:
        self.artifact = artifact
        self.env = env
        self.result = result
        #: What runs it; it gives the tuple of several results in a list.
        pack = None if is_plain(result) else packing(result)
        self.run = run if pack is None else _packed(run, pack)

    @property
    def is_plain(self) -> bool:
        """Whether it gives its results as they are, not packed into a tuple."""
        return is_plain(self.result)

    @property
    def result_type(self) -> type | None:
        """The class of the tuple that it gives, if it gives one."""
        return None if self.is_plain else type_of(self.result)

    def at(self, numbers: Sequence[int]) -> KnownPlan:
        """Return the plan for the sizes of one call alone."""
        values = dict(zip(self.env.hints, numbers, strict=True))
        return KnownPlan(at_sizes(self.artifact, values, self.env.scalars), self.result)


class OperandPlan:
    """A plan of a row whose result is an operand itself, as that of `x.contiguous()` is."""

    __slots__ = ("_guards", "env", "index")
    artifact = result_type = None

    def __init__(self, index: int, env: ShapeEnv) -> None:
        self.index = index
        self.env = env
        self._guards = env.needed_guards()

    def run(
        self, tensors: Sequence[Tensor], _scalars: Sequence[Any], numbers: Sequence[int]
    ) -> list[Tensor] | None:
        """Return the operand in a list; None if the guards do not take the numbers."""
        if self._guards:
            values = dict(zip(self.env.hints, numbers, strict=True))
            if not all(guard.holds(values) for guard in self._guards):
                return None
        return [tensors[self.index]]

    def at(self, _numbers: Sequence[int]) -> KnownOperand:
        """Return the plan for the sizes of one call alone."""
        return KnownOperand(self.index)


class KnownOperand:
    """The same for one size."""

    __slots__ = ("_index",)
    artifact = None

    def __init__(self, index: int) -> None:
        self._index = index

    def run(self, tensors: Sequence[Tensor], _scalars: Sequence[Any] = ()) -> list[Tensor]:
        """Return the operand in a list."""
        return [tensors[self._index]]


class KnownPlan:
    """A plan of a row for one size, which was a plan for all sizes."""

    __slots__ = ("artifact", "run")

    def __init__(self, artifact: Artifact, result: Structure) -> None:
        self.artifact = artifact
        #: What runs it; one that packs the tuple is there for every structure that has a plan.
        self.run: Any = packed(Executable(artifact).run, artifact, result)


class StoredOpenPlan:
    """A plan of the disk: for its first numbers by what is soon made, then for all."""

    __slots__ = ("_first", "_found", "_leasts", "_numbers", "_result", "_run", "_stored")

    def __init__(
        self,
        stored: StoredPlans,
        numbers: Sequence[int],
        leasts: Sequence[int | None],
        first: Run,
        result: Structure,
    ) -> None:
        self._stored, self._leasts, self._result = stored, leasts, result
        self._numbers, self._first = list(numbers), first
        self._found: StoredPlan | None = None
        self._run: PlanFunction | None = None

    def run(
        self, tensors: Sequence[Tensor], scalars: Sequence[Any], numbers: Sequence[int]
    ) -> list[Tensor] | None:
        """Return the results in a list; None if the guards do not take the numbers."""
        if self._run is not None:
            return self._run(tensors, scalars, numbers)
        if numbers == self._numbers:
            return self._first(tensors, scalars)
        found = self._for_all()
        if found is None:
            return None
        try:
            run = plan_function(found.artifact, found.env)
        except TrilithError:
            return None  # it is not what it should be
        if run is None:
            return None
        pack = None if is_plain(self._result) else packing(self._result)
        self._run = run if pack is None else _packed(run, pack)
        return self._run(tensors, scalars, numbers)

    @property
    def result_type(self) -> type | None:
        """The class of the tuple that it gives, if it gives one."""
        return None if is_plain(self._result) else type_of(self._result)

    @property
    def env(self) -> ShapeEnv:
        """What is known of its symbols."""
        found = self._for_all()
        return ShapeEnv() if found is None else found.env

    @property
    def artifact(self) -> Artifact | None:
        """What it runs."""
        found = self._for_all()
        return None if found is None else found.artifact

    def at(self, numbers: Sequence[int]) -> KnownPlan | None:
        """Return the plan for the sizes of one call alone."""
        found = self._for_all()
        if found is None:
            return None
        values = dict(zip(found.env.hints, numbers, strict=True))
        return KnownPlan(at_sizes(found.artifact, values, found.env.scalars), self._result)

    def _for_all(self) -> StoredPlan | None:
        if self._found is None:
            self._found = self._stored.find(self._numbers, self._leasts)
        return self._found


AnyPlan: TypeAlias = OpenPlan | OperandPlan | StoredOpenPlan


def packed(run: Run, artifact: Artifact, result: Structure) -> Callable[..., Any] | None:
    """Return what runs a plan and gives its result, or the tuple of several, in a sequence.

    None for results that are neither. It says what it runs, and of which class the tuple is.
    """
    if is_plain(result):
        return run
    pack = packing(result)
    if pack is None:
        return None

    def run_and_pack(tensors: Sequence[Tensor], scalars: Sequence[Any] = ()) -> Any:
        return (pack(run(tensors, scalars)),)

    made: Any = run_and_pack
    made.artifact, made.result_type = artifact, type_of(result)
    return run_and_pack


def _packed(run: PlanFunction, pack: Callable[[Any], Any]) -> PlanFunction:
    def run_and_pack(
        tensors: Sequence[Tensor], scalars: Sequence[Any], numbers: Sequence[int]
    ) -> list[Any] | None:
        results = run(tensors, scalars, numbers)
        return None if results is None else [pack(results)]

    return run_and_pack


class Refusal:
    """Which calls are refused while they are traced on symbols."""

    def __init__(self, env: ShapeEnv) -> None:
        self._names = list(env.hints)
        # What the words of the error say of sizes is no reason for it.
        taken = env.guards if env.before_spelling is None else env.before_spelling
        self._guards = [Guard("==", symbol(name) - value) for name, value in env.equal.items()]
        self._guards += taken

    def is_for(self, numbers: Sequence[int]) -> bool:
        """Whether a call with these numbers would be refused, too."""
        values = dict(zip(self._names, numbers, strict=True))
        return all(guard.holds(values) for guard in self._guards)


class Refused(Exception):
    """PyTorch refuses a call, and its own plan says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__()
        #: Apart from the error, whose frames hold tensors.
        self.refusal = refusal
