"""What is there to know of the host's CPU as a target?"""

from .steps import (
    PLAN_BUFFERS,
    TO_FUSION,
    Step,
    from_fusion,
    legalize,
    schedule,
)
from .target import Deferred, HostFacts, Level, Target

KEEP_ELEMENTS = Step("kernel-keep-elements")
ORDER_FLOATS = Step("kernel-order-floats")
#: Half a million elements take as long as several threads need to come together.
SPLIT = Step("kernel-split-reductions", (("blocks", 32),))


def _kernel(host: HostFacts) -> tuple[Step, ...]:
    usual = min(host.vector_bits, host.usual_vector_bits)
    widths = {"vector_bits": usual}
    if host.vector_bits > usual:
        widths["wide_vector_bits"] = host.vector_bits
    ldexp = (("ldexp", True),) if host.has_ldexp else ()
    # Without the instructions LLVM would call a library for each conversion of float16.
    return (
        legalize(half=host.has_f16c),
        KEEP_ELEMENTS,
        ORDER_FLOATS,
        Step("kernel-expand-math", (("branches", True), *ldexp)),
        schedule("cpu", **widths),
    )


CPU = Target(
    name="cpu",
    device_type="cpu",
    function=(
        *TO_FUSION,
        Step("tri-keep-factors"),
        Step("tri-widen-factors"),
        Step("tri-pack-factors"),
        *from_fusion(widens_factors=True, rounds_sums=True),
        SPLIT,
        PLAN_BUFFERS,
    ),
    kernel=_kernel,
    schedule=Deferred("..schedules.cpu.schedule", "schedule_for_cpu"),
    hurried_schedule=Deferred("..schedules.cpu.schedule", "hurried_schedule"),
    emitter=Deferred("..codegen.llvm.kernel", "EMITTER"),
    levels=(
        Level("llvm", Deferred("..codegen.llvm.texts", "LlvmText")),
        Level("asm", Deferred("..codegen.llvm.texts", "AssemblyText")),
    ),
    is_made_in_parts=True,
)
