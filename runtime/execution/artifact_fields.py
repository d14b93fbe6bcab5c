"""Which fields has an artifact, and what follows from them alone? Where its buffers lie."""

from __future__ import annotations

from ...dialects.attributes.device import Device, cpu
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.records import record
from .plan_parts import BufferPlan, HostCall, KernelCode, OutputPlan, PlanStep, Role


@record
class ArtifactFields:
    """The parts of an artifact.

    `inputs` are the specs of the tensor arguments, `scalars` the kinds (or dtypes) of the Python
    numbers passed beside them. `launches` are made in order, on the devices of their buffers;
    transfers join those of several devices, and calls on the host stand between them.
    """

    name: str
    kernels: tuple[KernelCode, ...]
    buffers: tuple[BufferPlan, ...]
    launches: tuple[PlanStep, ...]
    outputs: tuple[OutputPlan, ...]
    inputs: tuple[TensorSpec, ...]
    scalars: tuple[ScalarSpec | DType, ...] = ()
    arena_nbytes: int = 0
    key: str = ""

    @property
    def device(self) -> Device:
        """The device of the first input, else of the first output, else the host."""
        for spec in self.inputs:
            return spec.device
        for output in self.outputs:
            return output.spec.device
        return cpu

    @property
    def is_on_one_device(self) -> bool:
        """Whether everything lies and runs on `device`."""
        device = self.device
        return all(self.device_of(buffer) is device for buffer in self.buffers)

    @property
    def has_host_calls(self) -> bool:
        """Whether something is computed between kernels, on the host."""
        return any(isinstance(launch, HostCall) for launch in self.launches)

    def device_of(self, buffer: BufferPlan) -> Device:
        """Return where a buffer lies."""
        if buffer.role == "input":
            return self.inputs[buffer.index].device
        if buffer.role == "output" and buffer.device is None:
            for output in self.outputs:
                # A wrong number is found by `validate`, which comes here first.
                if self.buffers[output.buffer : output.buffer + 1] == (buffer,):
                    return output.spec.device
        return self.device if buffer.device is None else buffer.device

    def nbytes_of(self, buffer: BufferPlan) -> int:
        """Return how many bytes of a buffer kernels may touch."""
        if buffer.role != "input":
            return buffer.nbytes
        spec = self.inputs[buffer.index]
        return storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize

    def of_role(self, role: Role) -> list[BufferPlan]:
        """Return the buffers of a role, in order."""
        return [buffer for buffer in self.buffers if buffer.role == role]
