"""What does a program compute of the tensors that it has captured once, and keep for its calls?

The factors of products, as the kernels of the products read them fastest. They are computed when a
call first needs them, and again when a call finds that a captured tensor was written to. A program
whose captured tensors change from call to call is better off without: `KeptChanges` says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialects.attributes.layout import strided
from ..dialects.diagnostics import CapturedChanged
from ..runtime.execution.artifact import Artifact
from ..runtime.executor import Executable
from ..runtime.tensors.sealed import SealedTensor
from ..runtime.tensors.tensor import Tensor

#: How often in a row what is kept may serve for few calls, and how many these are.
MOST_RENEWALS, FEW_CALLS = 3, 4


class KeptChanges(CapturedChanged):
    """What is kept changes too often: nothing has run, and the program is to be made without."""


class KeptOperands:
    """The operands that a program makes of its captured tensors, and when they were made.

    `sources` are the captured tensors that they are made of, by number. It pickles as the program
    that makes them.
    """

    def __init__(self, artifact: Artifact, sources: Sequence[int], digest: str) -> None:
        self.artifact, self.sources, self.digest = artifact, tuple(sources), digest
        self._executable = Executable(artifact)
        self._made: tuple[tuple[SealedTensor, ...], list[Tensor]] | None = None
        self._calls = self._renewals = 0

    @property
    def specs(self) -> list[object]:
        """What the operands are."""
        return [output.spec for output in self.artifact.outputs]

    def tensors(self, captured: Sequence[Tensor]) -> list[Tensor]:
        """Return the operands for captured tensors as they are now.

        Raises KeptChanges if they change too often, or may be written to unseen.
        """
        self._calls += 1
        made = self._made
        if made is not None and self._is_of(made[0], captured):
            return made[1]
        self._count_renewal(is_first=made is None)
        given = [captured[number] for number in self.sources]
        seals = tuple(seal for seal in map(SealedTensor.of, given) if seal is not None)
        if len(seals) < len(given):
            raise KeptChanges("a captured tensor may be written to unseen")
        tensors = self._executable.run(given)
        self._made = seals, tensors
        return tensors

    def sealed(self, captured: Sequence[Tensor]) -> tuple[SealedTensor, ...] | None:
        """Return what must be whole for what was made to be used; None if it is not."""
        made = self._made
        return made[0] if made is not None and self._is_of(made[0], captured) else None

    def _is_of(self, seals: Sequence[SealedTensor], captured: Sequence[Tensor]) -> bool:
        pairs = zip(seals, self.sources, strict=True)
        return all(seal.tensor is captured[number] and seal.is_whole() for seal, number in pairs)

    def _count_renewal(self, *, is_first: bool) -> None:
        if not is_first:
            self._renewals = self._renewals + 1 if self._calls <= FEW_CALLS else 0
        self._calls = 0
        if self._renewals > MOST_RENEWALS:
            self._renewals = 0
            raise KeptChanges("captured tensors change from call to call")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as the program; the receiving process makes the operands again."""
        return KeptOperands, (self.artifact, self.sources, self.digest)


class KeptOfFunction:
    """What a compiled function keeps: its plans share what is made of the same tensors."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...]], KeptOperands] = {}

    def shared(self, kept: KeptOperands | None, captured: Sequence[Tensor]) -> KeptOperands | None:
        """Return what an earlier plan keeps, if it is the same."""
        if kept is None:
            return None
        sources = tuple([id(captured[number]) for number in kept.sources])
        return self._known.setdefault((kept.digest, sources), kept)

    def clear(self) -> None:
        """Forget it with the plans."""
        self._known.clear()


def keepable(captured: Sequence[Tensor]) -> tuple[int, ...]:
    """Return which captured tensors something may be kept of, by number.

    They are plain, on the host, and nobody writes to them unseen.
    """
    return tuple(
        number
        for number, tensor in enumerate(captured)
        if tensor.spec.layout is strided
        and tensor.spec.device.is_host
        and tensor.memory.seal() is not None
    )
