"""What runs a function that was compiled, for one kind of arguments? Its artifact, and the rest.

What made it is not needed any more: a plan that comes from the disk is one of these, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..dialects.diagnostics import CapturedChanged, InternalError, TrilithTypeError
from ..runtime.execution.artifact import Artifact
from ..runtime.execution.summaries import artifact_summary
from ..runtime.executor import Executable
from ..runtime.tensors.generators import Draw, with_draws
from ..runtime.tensors.recording import unrecorded
from ..runtime.tensors.tensor import Tensor
from .kept_operands import KeptOperands
from .plan_records import phase
from .trace.leaves import split_leaves
from .trace.pytree import LEAF, Structure, flatten, unflatten

if TYPE_CHECKING:
    from .trace.number_checks import NumberCheck


class Compiled:
    """A function for one kind of arguments, ready to run; it pickles, and is safe to share."""

    __slots__ = (
        *("artifact", "captured", "checks", "draws", "executable", "inputs", "kept", "result"),
        *("same", "written"),
    )

    def __init__(
        self,
        artifact: Artifact,
        inputs: Structure,
        result: Structure,
        captured: Sequence[Tensor],
        same: tuple[tuple[int, int], ...] = (),
        written: tuple[int, ...] = (),
        checks: tuple[NumberCheck, ...] = (),
        draws: tuple[Draw, ...] = (),
        kept: KeptOperands | None = None,
    ) -> None:
        """Load the artifact."""
        #: What is made of captured tensors once, and follows them.
        self.kept = kept
        self.checks = checks
        #: What each call takes from generators of random numbers.
        self.draws = draws
        self.artifact = artifact
        self.inputs = inputs
        self.result = result
        self.captured = tuple(captured)
        self.same = same
        self.written = written
        with phase("load"):
            self.executable = Executable(artifact)

    def __repr__(self) -> str:
        """Return what it takes and gives."""
        return (
            f"<Compiled: {artifact_summary(self.artifact)}\n"
            "  call it with arguments of this kind; .artifact is what it runs>"
        )

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Run on arguments of the kind that was traced; static arguments are left out."""
        unrecorded("a compiled plan is called")
        leaves: list[Any] = []
        structure = flatten((arguments, keywords), leaves)
        if structure != self.inputs:
            raise TrilithTypeError(
                f"{self.artifact.name}() was compiled for arguments of another structure"
            )
        _, tensors, scalars = split_leaves(leaves)
        return self.run(tensors, scalars)

    def run(self, tensors: Sequence[Tensor], scalars: Sequence[Any]) -> Any:
        """Run on tensors and numbers in the order of the flattened arguments."""
        for check in self.checks:
            check.run(scalars)
        if self.captured:
            tensors = [*tensors, *self.captured]
        kept = () if self.kept is None else self.kept.tensors(self.captured)
        numbers = with_draws(scalars, self.draws) if self.draws else scalars
        try:
            results = self.executable.run([*tensors, *kept] if kept else tensors, numbers)
        except InternalError:
            self._refuse_changed(len(tensors) - len(self.captured))
            raise
        for index in self.written:
            tensors[index].bump()
        for index, earlier in self.same:
            results[index] = (*tensors, *results)[earlier]
        return results[0] if self.result == LEAF else unflatten(self.result, iter(results), scalars)

    def _refuse_changed(self, count: int) -> None:
        """Say so if a captured tensor, which follow `count` others, is not what was traced."""
        traced = self.artifact.inputs[count:]
        for tensor, spec in zip(self.captured, traced, strict=False):
            if tensor.spec is not spec:
                raise CapturedChanged(
                    f"'{self.artifact.name}' uses a tensor of the enclosing program that was "
                    f"{spec} when it was traced, and is {tensor.spec} now",
                    hint="trace it again, or give it the tensor as an argument",
                )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the artifact."""
        captured = self.captured
        return Compiled, (
            *(self.artifact, self.inputs, self.result, captured, self.same, self.written),
            *(self.checks, self.draws, self.kept),
        )
