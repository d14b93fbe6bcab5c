"""What does the compiler hand to the runtime?

An `Artifact` is plain data: the kernels, the memory they need, the order in which to launch them
and what becomes an output. It knows neither Python functions nor IR, can be pickled, and can be
stored with `to_bytes` (a header, JSON and raw bytes; nothing in it is executed when it is read, but
its kernels are machine code: read only what `cache` has authenticated).
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from typing import Any, Literal, cast

from ..dialects.attributes.device import Device, cpu
from ..dialects.attributes.dtype import DType
from ..dialects.attributes.dtype import by_name as dtype_by_name
from ..dialects.attributes.extents import check_bounds
from ..dialects.attributes.layout import LAYOUTS, strided
from ..dialects.attributes.spec import ScalarSpec, TensorSpec
from ..dialects.diagnostics import InternalError, Location, TrilithError, TrilithValueError

Role = Literal["input", "output", "temporary", "constant"]
Part = Literal["value", "real", "imag"]

#: The faults a kernel may report. The status word holds the place in this list, counted from one.
#: Append only: stored kernels hold these numbers. The kernel dialect has the same list.
FAULTS: tuple[str, ...] = (
    "ZeroDivisionError",
    "NegativeExponentError",
    "IndexError",
    "ValueError",
    "OverflowError",
    "BoundsError",
)


@dataclass(frozen=True, slots=True)
class KernelCode:
    """One compiled kernel: object code or source for `target`, and its flat signature.

    It is called with `pointers` addresses, then `integers` 64-bit integers. The pointers are those
    of the buffers in argument order and, if it `can_fail`, last the status word (two int32: fault
    number, position). `name` is the symbol in the code, `key` identifies the code: equal keys mean
    equal code. `target` is "cpu", the exact host (`devices.cpu.host_target`) or "opencl".
    """

    name: str
    key: str
    target: str
    code: bytes
    pointers: int
    integers: int
    can_fail: bool = False


@dataclass(frozen=True, slots=True)
class BufferPlan:
    """Memory that kernels see; launches and outputs refer to it by its place in the artifact.

    input: tensor argument `index`, beginning at its first element (`nbytes` is for information).
    output: fresh memory of `nbytes`, number `index` among the output memories.
    temporary: `nbytes` at `arena_offset` of the one arena of a call.
    constant: the bytes `data`, made once per device.
    `device` is where it lies; None means the device of the artifact, and of an output that of the
    specs on it. Inputs lie where their specs say.
    `is_written` says that kernels write to it: they may do so to an input only if it says so.
    """

    role: Role
    index: int
    nbytes: int
    arena_offset: int = 0
    data: bytes | None = None
    is_written: bool = False
    device: Device | None = None


@dataclass(frozen=True, slots=True)
class ScalarSlot:
    """Where a Python number goes: its bits as `dtype` become integer `position` of the launch.

    `part` picks a component of a complex number; `dtype` is then that of the component.
    """

    position: int
    argument: int
    dtype: DType
    part: Part = "value"


@dataclass(frozen=True, slots=True)
class Launch:
    """One call of kernel number `kernel` on buffers, sizes, offsets and strides.

    `integers` holds all integers of the signature; those of `scalars` are placeholders. A buffer's
    element offset counts from the start of the buffer, that is, from the first element of an input
    tensor. `locations` maps the position in the status word to the user's line.
    """

    kernel: int
    buffers: tuple[int, ...]
    integers: tuple[int, ...]
    scalars: tuple[ScalarSlot, ...] = ()
    locations: tuple[Location | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Transfer:
    """`nbytes` bytes, from byte `offset` of a buffer, to the start of one on another device."""

    source: int
    offset: int
    target: int
    nbytes: int


@dataclass(frozen=True, slots=True)
class OutputPlan:
    """An output tensor: `spec` on a buffer, beginning `storage_offset` elements into it.

    On an input buffer the output is a view of that input's storage, and the offset counts from the
    first element of the input tensor (in elements of the output's dtype; it may be negative). On a
    constant it is a view of read-only memory. A temporary cannot be an output.
    """

    buffer: int
    spec: TensorSpec
    storage_offset: int = 0


@dataclass(frozen=True, slots=True)
class Artifact:
    """A compiled program for one set of specs: what `executor.Executable` runs.

    `inputs` are the specs of the tensor arguments, `scalars` the kinds (or dtypes) of the Python
    numbers passed beside them. `launches` are made in order, on the devices of their buffers;
    transfers join those of several devices.
    """

    name: str
    kernels: tuple[KernelCode, ...]
    buffers: tuple[BufferPlan, ...]
    launches: tuple[Launch | Transfer, ...]
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

    def of_role(self, role: Role) -> list[BufferPlan]:
        """Return the buffers of a role, in order."""
        return [buffer for buffer in self.buffers if buffer.role == role]

    def validate(self) -> None:
        """Raise InternalError unless every reference, size and bound inside the artifact holds.

        >>> Artifact("empty", (), (), (), (), ()).validate()
        """
        for number, buffer in enumerate(self.buffers):
            problem = _problem_of_buffer(self, buffer)
            _require(problem, f"buffer {number}", self)
        for number, launch in enumerate(self.launches):
            problem = _problem_of_launch(self, launch)
            _require(problem, f"launch {number}", self)
        for number, output in enumerate(self.outputs):
            problem = _problem_of_output(self, output)
            _require(problem, f"output {number}", self)

    def to_bytes(self) -> bytes:
        """Return the artifact in the stored form.

        >>> artifact = Artifact("empty", (), (), (), (), ())
        >>> Artifact.from_bytes(artifact.to_bytes()) == artifact
        True
        """
        blobs: list[bytes] = []

        def blob(data: bytes | None) -> int:
            if data is None:
                return NO_BLOB
            blobs.append(data)
            return len(blobs) - 1

        content = {
            "name": self.name,
            "key": self.key,
            "arena_nbytes": self.arena_nbytes,
            "inputs": [_encode_spec(spec) for spec in self.inputs],
            "scalars": [_encode_scalar(scalar) for scalar in self.scalars],
            "kernels": [[*_fields(kernel, "code"), blob(kernel.code)] for kernel in self.kernels],
            "buffers": [_encode_buffer(buffer, blob(buffer.data)) for buffer in self.buffers],
            "launches": [_encode_launch(launch) for launch in self.launches],
            "outputs": [
                [output.buffer, _encode_spec(output.spec), output.storage_offset]
                for output in self.outputs
            ],
            "blobs": [len(data) for data in blobs],
        }
        text = json.dumps(content, separators=(",", ":")).encode()
        body = b"".join([text, *blobs])
        digest = hashlib.sha256(body).digest()
        return _HEADER.pack(MAGIC, VERSION, len(text), len(body), digest) + body

    @staticmethod
    def from_bytes(data: bytes) -> Artifact:
        """Read the stored form and validate it.

        Raises TrilithValueError for anything that is not an undamaged artifact of this version.
        """
        try:
            magic, version, text_length, length, digest = _HEADER.unpack_from(data)
        except struct.error:
            raise TrilithValueError("not a stored artifact: too short") from None
        body = memoryview(data)[_HEADER.size :]
        if magic != MAGIC:
            raise TrilithValueError("not a stored artifact")
        if version != VERSION:
            raise TrilithValueError(f"artifact of version {version}, expected {VERSION}")
        if len(body) != length or hashlib.sha256(body).digest() != digest:
            raise TrilithValueError("the stored artifact is damaged")
        try:
            artifact = _decode(json.loads(bytes(body[:text_length])), body[text_length:])
            artifact.validate()
        except (KeyError, IndexError, TypeError, ValueError, TrilithError) as error:
            raise TrilithValueError(f"the stored artifact is not valid: {error}") from error
        return artifact


# What can be wrong with an artifact


def _require(problem: str | None, place: str, artifact: Artifact) -> None:
    if problem is not None:
        raise InternalError(f"artifact '{artifact.name}', {place}: {problem}")


def _problem_of_buffer(artifact: Artifact, buffer: BufferPlan) -> str | None:
    if buffer.nbytes < 0:
        return f"negative size {buffer.nbytes}"
    match buffer.role:
        case "input":
            if not 0 <= buffer.index < len(artifact.inputs):
                return f"no input {buffer.index}"
        case "temporary":
            end = buffer.arena_offset + buffer.nbytes
            if buffer.arena_offset < 0 or end > artifact.arena_nbytes:
                return f"ends at byte {end} of an arena of {artifact.arena_nbytes}"
        case "constant":
            if buffer.data is None or len(buffer.data) != buffer.nbytes or buffer.is_written:
                return f"a constant needs {buffer.nbytes} bytes of data and is never written"
        case "output":
            return None
        case _:
            return f"unknown role '{buffer.role}'"
    return None


def _problem_of_transfer(artifact: Artifact, transfer: Transfer) -> str | None:
    places = (transfer.source, transfer.target)
    if any(not 0 <= place < len(artifact.buffers) for place in places):
        return f"no such buffer in {places}"
    source, target = (artifact.buffers[place] for place in places)
    if transfer.nbytes < 0 or transfer.offset < 0:
        return f"{transfer} is negative"
    if transfer.nbytes > target.nbytes or transfer.offset + transfer.nbytes > source.nbytes:
        return f"{transfer} leaves a buffer of {source.nbytes} or of {target.nbytes} bytes"
    if artifact.device_of(source) is artifact.device_of(target):
        return f"{transfer} stays on one device"
    return None


def _problem_of_launch(artifact: Artifact, launch: Launch | Transfer) -> str | None:
    if isinstance(launch, Transfer):
        return _problem_of_transfer(artifact, launch)
    if not 0 <= launch.kernel < len(artifact.kernels):
        return f"no kernel {launch.kernel}"
    kernel = artifact.kernels[launch.kernel]
    pointers = len(launch.buffers) + kernel.can_fail
    if pointers != kernel.pointers or len(launch.integers) != kernel.integers:
        return (
            f"kernel '{kernel.name}' takes {kernel.pointers} pointers and {kernel.integers} "
            f"integers, got {pointers} and {len(launch.integers)}"
        )
    if any(not 0 <= buffer < len(artifact.buffers) for buffer in launch.buffers):
        return f"no such buffer in {launch.buffers}"
    if any(not -(1 << 63) <= integer < 1 << 63 for integer in launch.integers):
        return f"an integer of {launch.integers} needs more than 64 bits"
    for slot in launch.scalars:
        if not 0 <= slot.position < kernel.integers or not (
            0 <= slot.argument < len(artifact.scalars)
        ):
            return f"{slot} names no integer or no argument"
        if slot.dtype.is_complex:
            return f"{slot}: pass the components of a complex number one by one"
    devices = {artifact.device_of(artifact.buffers[buffer]) for buffer in launch.buffers}
    if len(devices) > 1:
        return f"several devices: {sorted(map(str, devices))}"
    return None


def _problem_of_output(artifact: Artifact, output: OutputPlan) -> str | None:
    if not 0 <= output.buffer < len(artifact.buffers):
        return f"no buffer {output.buffer}"
    buffer, spec = artifact.buffers[output.buffer], output.spec
    if buffer.role == "temporary":
        return f"buffer {output.buffer} is a temporary"
    if buffer.role == "output" and buffer.device not in (None, spec.device):
        return f"buffer {output.buffer} is on {buffer.device}, its tensor on {spec.device}"
    if spec.layout is not strided:
        return f"layout {spec.layout}"
    if buffer.role != "input":
        check_bounds(
            spec.shape, spec.strides, output.storage_offset, spec.dtype.itemsize, buffer.nbytes
        )
    return None


# The stored form

MAGIC = b"trilith\0"
VERSION = 3
NO_BLOB = -1
_HEADER = struct.Struct("<8sIQQ32s")  # magic, version, bytes of JSON, bytes of the body, SHA-256


def _fields(value: KernelCode | BufferPlan, *left_out: str) -> list[Any]:
    return [getattr(value, name) for name in value.__slots__ if name not in left_out]


def _encode_buffer(buffer: BufferPlan, blob: int) -> list[Any]:
    device = "" if buffer.device is None else str(buffer.device)
    return [*_fields(buffer, "data", "device"), device, blob]


def _encode_spec(spec: TensorSpec) -> list[Any]:
    layout = spec.layout.name
    fields = [list(spec.shape), spec.dtype.name, str(spec.device), list(spec.strides), layout]
    return [*fields, spec.is_conj]


def _encode_scalar(scalar: ScalarSpec | DType) -> list[str]:
    return ["dtype", scalar.name] if isinstance(scalar, DType) else ["kind", scalar.kind]


def _encode_launch(launch: Launch | Transfer) -> list[Any]:
    if isinstance(launch, Transfer):
        return [launch.source, launch.offset, launch.target, launch.nbytes]
    return [
        launch.kernel,
        list(launch.buffers),
        list(launch.integers),
        [[slot.position, slot.argument, slot.dtype.name, slot.part] for slot in launch.scalars],
        [None if place is None else _encode_location(place) for place in launch.locations],
    ]


def _encode_location(place: Location) -> list[Any]:
    return [place.file, place.line, place.column, place.function, place.text]


def _typed(values: Any, *kinds: type) -> list[Any]:
    """Return the list if it holds exactly these types; True is no integer here."""
    if not isinstance(values, list):
        raise TypeError(f"expected a list, got {type(values).__name__}")
    items = cast("list[Any]", values)
    if [type(item) for item in items] != list(kinds):
        raise TypeError(f"expected {[kind.__name__ for kind in kinds]}, got {items}")
    return items


def _integers(values: Any) -> tuple[int, ...]:
    return tuple(_typed(values, *[int] * len(values)))


def _decode(content: dict[str, Any], body: memoryview) -> Artifact:
    blobs: list[bytes] = []
    start = 0
    for length in _integers(content["blobs"]):
        if length < 0 or start + length > len(body):
            raise ValueError("data beyond the end")
        blobs.append(bytes(body[start : start + length]))
        start += length
    return Artifact(
        name=content["name"],
        kernels=tuple(_decode_kernel(fields, blobs) for fields in content["kernels"]),
        buffers=tuple(_decode_buffer(fields, blobs) for fields in content["buffers"]),
        launches=tuple(_decode_launch(fields) for fields in content["launches"]),
        outputs=tuple(
            OutputPlan(buffer, _decode_spec(spec), offset)
            for buffer, spec, offset in (
                _typed(fields, int, list, int) for fields in content["outputs"]
            )
        ),
        inputs=tuple(_decode_spec(fields) for fields in content["inputs"]),
        scalars=tuple(_decode_scalar(fields) for fields in content["scalars"]),
        arena_nbytes=_integers([content["arena_nbytes"]])[0],
        key=content["key"],
    )


def _blob(blobs: list[bytes], number: int) -> bytes:
    if number < 0:
        raise ValueError(f"no data {number}")
    return blobs[number]


def _decode_kernel(fields: Any, blobs: list[bytes]) -> KernelCode:
    name, key, target, pointers, integers, can_fail, blob = _typed(
        fields, str, str, str, int, int, bool, int
    )
    return KernelCode(name, key, target, _blob(blobs, blob), pointers, integers, can_fail)


def _decode_buffer(fields: Any, blobs: list[bytes]) -> BufferPlan:
    role, index, nbytes, arena_offset, is_written, device, blob = _typed(
        fields, str, int, int, int, bool, str, int
    )
    data = None if blob == NO_BLOB else _blob(blobs, blob)
    where = Device(device) if device else None
    return BufferPlan(role, index, nbytes, arena_offset, data, is_written, where)


def _decode_launch(fields: Any) -> Launch | Transfer:
    if len(fields) == 4:
        return Transfer(*_typed(fields, int, int, int, int))
    kernel, buffers, integers, slots, places = _typed(fields, int, list, list, list, list)
    return Launch(
        kernel,
        _integers(buffers),
        _integers(integers),
        tuple(
            ScalarSlot(position, argument, dtype_by_name(dtype), part)
            for position, argument, dtype, part in (
                _typed(slot, int, int, str, str) for slot in slots
            )
        ),
        tuple(
            None if place is None else Location(*_typed(place, str, int, int, str, str))
            for place in places
        ),
    )


def _decode_spec(fields: Any) -> TensorSpec:
    shape, dtype, device, strides, layout, is_conj = _typed(fields, list, str, str, list, str, bool)
    return TensorSpec.of(
        _integers(shape),
        dtype_by_name(dtype),
        Device(device),
        _integers(strides) if LAYOUTS[layout] is strided else None,
        LAYOUTS[layout],
        is_conj,
    )


def _decode_scalar(fields: Any) -> ScalarSpec | DType:
    tag, name = _typed(fields, str, str)
    return dtype_by_name(name) if tag == "dtype" else ScalarSpec(name)
