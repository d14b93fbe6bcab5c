"""What is a step of a pipeline, and which steps on a function do all targets that compute share?"""

from __future__ import annotations

from typing import Any

from ...dialects.records import record


@record
class Step:
    """A pass with its options, as `trilith-opt -p` spells it: `kernel-schedule{target=cpu}`.

    >>> str(Step("kernel-schedule", (("vector_bits", 128),)))
    'kernel-schedule{vector-bits=128}'
    """

    name: str
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        """Return the spelling."""
        if not self.options:
            return self.name
        inside = " ".join(
            f"{key.replace('_', '-')}={_spelled(value)}" for key, value in self.options
        )
        return f"{self.name}{{{inside}}}"


def _spelled(value: object) -> str:
    """Return the value of an option as the command line takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


#: From a traced function to what is fused, and from there to kernels and launches.
TO_FUSION = (
    Step("tri-lower-sparse"),
    Step("tri-promote-types"),
    Step("tri-place-devices"),
    Step("tri-drop-meta"),
    Step("tri-resolve-conj"),
    Step("canonicalize"),
    Step("tri-cse"),
    Step("tri-canonicalize-formats"),
    Step("tri-hoist-views"),
    Step("tri-hoist-gathers"),
)


def from_fusion(**options: bool) -> tuple[Step, ...]:
    """Return the steps from what is fused to kernels and launches; options are those of fusion."""
    return (
        Step("tri-fuse-rows"),
        Step("tri-fuse", tuple(options.items())),
        Step("tri-place-writes"),
        Step("tri-lower-to-kernel"),
    )


FROM_FUSION = from_fusion()
TO_KERNELS = (*TO_FUSION, *FROM_FUSION)
#: Where the memory between launches lies.
PLAN_BUFFERS = Step("kernel-plan-buffers")


def legalize(*, half: bool) -> Step:
    """Return the step that leaves the dtypes a target computes with, float16 among them or not."""
    return Step("kernel-legalize-dtypes", () if half else (("half", False),))


EXPAND_MATH = Step("kernel-expand-math")


def schedule(target: str, **options: int) -> Step:
    """Return the step that schedules kernels for a target.

    >>> str(schedule("cpu", vector_bits=256))
    'kernel-schedule{target=cpu vector-bits=256}'
    """
    return Step("kernel-schedule", (("target", target), *options.items()))
