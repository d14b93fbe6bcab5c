"""What does the compiler hand to the runtime?

An `Artifact` is plain data: the kernels, the memory they need, the order in which to launch them
and what becomes an output. It knows neither Python functions nor IR, can be pickled, and can be
stored with `to_bytes` (a header, JSON and raw bytes; nothing in it is executed when it is read, but
its kernels are machine code: read only what you trust as you trust a program). The parts that it is
made of are in `plan_parts`, its fields in `artifact_fields`, the stored form in `artifact_form`,
what is proven of it in `artifact_proof`.
"""

from __future__ import annotations

from typing import Any

from ...dialects.diagnostics import InternalError, TrilithError, TrilithValueError
from ...dialects.records import declared, record
from .artifact_fields import ArtifactFields
from .artifact_form import decode, encode
from .artifact_proof import problem_of
from .plan_parts import (
    BufferPlan,
    HostArray,
    HostCall,
    KernelCode,
    Launch,
    OutputPlan,
    Part,
    PlanStep,
    Role,
    ScalarSlot,
    Transfer,
)
from .summaries import artifact_summary

__all__ = [
    "Artifact",
    "BufferPlan",
    "HostArray",
    "HostCall",
    "KernelCode",
    "Launch",
    "OutputPlan",
    "Part",
    "PlanStep",
    "Role",
    "ScalarSlot",
    "Transfer",
]


@record
class Artifact(ArtifactFields):
    """A compiled program for one set of specs: what `executor.Executable` runs."""

    def __repr__(self) -> str:
        """Return what it takes and gives, and how much it is; its bytes are many."""
        summary = artifact_summary(self)
        return f"<Artifact: {summary}\n  Executable(...) runs it, .to_bytes() stores it>"

    def validate(self) -> None:
        """Raise InternalError unless the plan can run without leaving its memory.

        That is proven: every reference and size holds; what each launch touches, by its kernel's
        own account (`KernelCode.buffers`) and the launch's integers, lies in the buffers that it
        is given; it writes only to memory that may be written; results lie in their buffers; and
        each kernel is still what the compiler made, by its digest. That machine code does what its
        account says cannot be proven: take artifacts only from where you would take a program.

        >>> Artifact("empty", (), (), (), (), ()).validate()
        """
        problem = problem_of(self)
        if problem is not None:
            raise InternalError(f"artifact '{self.name}', {problem}")

    def to_bytes(self) -> bytes:
        """Return the artifact in the stored form.

        >>> artifact = Artifact("empty", (), (), (), (), ())
        >>> Artifact.from_bytes(artifact.to_bytes()) == artifact
        True
        """
        return encode(self)

    @staticmethod
    def from_bytes(data: bytes) -> Artifact:
        """Read the stored form and validate it.

        Raises TrilithValueError for anything that is not an undamaged artifact of this version.
        """
        content = decode(data)
        try:
            artifact = Artifact(**content)
            artifact.validate()
        except (TypeError, ValueError, TrilithError) as error:
            raise TrilithValueError(f"the stored artifact is not valid: {error}") from error
        return artifact

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the fields; the receiving process validates what it restores."""
        return _restored, tuple(getattr(self, name) for name in declared(Artifact))


def _restored(*values: Any) -> Artifact:
    artifact = Artifact(*values)
    artifact.validate()
    return artifact
