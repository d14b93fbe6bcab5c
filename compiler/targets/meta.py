"""What is there to know of meta as a target? Its programs end where kernels would begin."""

from .steps import PLAN_BUFFERS, Step
from .target import Target

META = Target(
    name="meta",
    device_type="meta",
    function=(
        Step("tri-promote-types"),
        Step("tri-place-devices"),
        Step("tri-drop-meta"),
        Step("tri-lower-to-kernel"),
        PLAN_BUFFERS,
    ),
    kernel=lambda _: (),
)
