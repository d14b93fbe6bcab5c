"""What is there to know of OpenCL's devices as targets? CPUs and GPUs differ in their schedule."""

from collections.abc import Callable

from ...dialects.records import replace
from .steps import (
    EXPAND_MATH,
    FROM_FUSION,
    PLAN_BUFFERS,
    TO_FUSION,
    Step,
    legalize,
    schedule,
)
from .target import Deferred, HostFacts, Level, Target


def _kernel(target: str) -> Callable[[HostFacts], tuple[Step, ...]]:
    """Return what gives the passes on a kernel; nothing in them depends on the host."""
    steps = legalize(half=False), EXPAND_MATH, schedule(target)
    return lambda _: steps


#: Three launches more take as long as so many products of narrow floats. Kernels read float32.
_WIDEN_FACTORS = Step("tri-widen-factors", (("least", 1 << 18), ("copies", True)))

OPENCL_CPU = Target(
    name="opencl-cpu",
    device_type="opencl",
    function=(
        *TO_FUSION,
        _WIDEN_FACTORS,
        *FROM_FUSION,
        Step("kernel-split-reductions"),
        PLAN_BUFFERS,
    ),
    kernel=_kernel("opencl-cpu"),
    schedule=Deferred("..schedules.opencl.work_items", "schedule_for_opencl"),
    emitter=Deferred("..codegen.opencl.kernel", "EMITTER"),
    levels=(Level("opencl", Deferred("..codegen.opencl.texts", "OpenclText")),),
    takes_host_arguments=True,
)
OPENCL_GPU = replace(
    OPENCL_CPU,
    name="opencl-gpu",
    kernel=_kernel("opencl-gpu"),
    schedule=Deferred("..schedules.opencl.work_groups_gpu", "schedule_for_opencl_gpu"),
)
