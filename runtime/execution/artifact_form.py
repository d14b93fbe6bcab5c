"""How is an artifact stored? A header, JSON, and the bytes of kernels and constants behind it.

Its integers may be expressions of sizes: `sizes_form` says how these are written and read.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.dtype import by_name as dtype_by_name
from ...dialects.attributes.spec import ScalarSpec
from ...dialects.diagnostics import TrilithError, TrilithValueError
from ...dialects.digests import digest_of
from ...dialects.records import declared
from .artifact_fields import ArtifactFields
from .form_parts import (
    ReadSize,
    decode_location,
    decode_spec,
    encode_location,
    encode_spec,
    integer,
    integers,
    sizes,
    typed,
)
from .host_call_form import decode_call, encode_call
from .kernel_cuts import Cut
from .kernel_memory import KernelBuffer, WalkedDim
from .plan_parts import (
    BufferPlan,
    HostCall,
    KernelCode,
    Launch,
    OutputPlan,
    PlanStep,
    ScalarSlot,
    Transfer,
)

MAGIC = b"trilith\0"
VERSION = 8
NO_BLOB = -1
_HEADER = struct.Struct("<8sIQQ32s")  # magic, version, bytes of JSON, bytes of the body, SHA-256


def encode(
    artifact: ArtifactFields,
    more: Mapping[str, Any] | None = None,
    encode_size: Callable[[Any], Any] | None = None,
) -> bytes:
    """Return the stored form; `more` is kept beside it, `encode_size` writes what is no number."""
    blobs: list[bytes] = []

    def blob(data: bytes | None) -> int:
        if data is None:
            return NO_BLOB
        blobs.append(data)
        return len(blobs) - 1

    kernels = [kernel.best() for kernel in artifact.kernels]
    content: dict[str, Any] = {
        "name": artifact.name,
        "key": artifact.key,
        "arena_nbytes": artifact.arena_nbytes,
        "inputs": [encode_spec(spec) for spec in artifact.inputs],
        "scalars": [_encode_scalar(scalar) for scalar in artifact.scalars],
        "kernels": [_encode_kernel(kernel, blob(kernel.code)) for kernel in kernels],
        "buffers": [_encode_buffer(buffer, blob(buffer.data)) for buffer in artifact.buffers],
        "launches": [_encode_launch(launch) for launch in artifact.launches],
        "outputs": [
            [output.buffer, encode_spec(output.spec), output.storage_offset]
            for output in artifact.outputs
        ],
        "blobs": [len(data) for data in blobs],
    }
    if more:
        content["more"] = more
    text = json.dumps(content, separators=(",", ":"), default=encode_size).encode()
    body = b"".join([text, *blobs])
    digest = digest_of(body)
    return _HEADER.pack(MAGIC, VERSION, len(text), len(body), digest) + body


def decode(data: bytes) -> dict[str, Any]:
    """Return the fields of a stored artifact, each of the right type.

    Raises TrilithValueError for anything that is not an undamaged artifact of this version.
    """
    content, body = opened(data)
    return fields_of(content, body, integer)


def opened(data: bytes) -> tuple[dict[str, Any], memoryview]:
    """Return the JSON of a stored artifact, of which nothing is known yet, and what is behind it.

    Raises TrilithValueError for anything that is not undamaged and of this version.
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
    if len(body) != length or digest_of(body) != digest:
        raise TrilithValueError("the stored artifact is damaged")
    try:
        content = json.loads(bytes(body[:text_length]))
    except (ValueError, RecursionError) as error:
        raise TrilithValueError(f"the stored artifact is not valid: {error}") from error
    return content, body[text_length:]


def fields_of(content: dict[str, Any], body: memoryview, size: ReadSize) -> dict[str, Any]:
    """Return the fields of an artifact, each of the right type; `size` reads what may be one."""
    try:
        return _decode(content, body, size)
    except (KeyError, IndexError, TypeError, ValueError, TrilithError) as error:
        raise TrilithValueError(f"the stored artifact is not valid: {error}") from error


def _fields(value: KernelCode | BufferPlan, *left_out: str) -> list[Any]:
    return [getattr(value, name) for name in declared(type(value)) if name not in left_out]


def _encode_buffer(buffer: BufferPlan, blob: int) -> list[Any]:
    device = "" if buffer.device is None else str(buffer.device)
    return [*_fields(buffer, "data", "device"), device, blob]


def _encode_scalar(scalar: ScalarSpec | DType) -> list[str]:
    return ["dtype", scalar.name] if isinstance(scalar, DType) else ["kind", scalar.kind]


def _encode_launch(launch: PlanStep) -> list[Any]:
    if isinstance(launch, HostCall):
        return encode_call(launch)
    if isinstance(launch, Transfer):
        return [launch.source, launch.offset, launch.target, launch.nbytes]
    return [
        launch.kernel,
        list(launch.buffers),
        list(launch.integers),
        [[slot.position, slot.argument, slot.dtype.name, slot.part] for slot in launch.scalars],
        list(map(encode_location, launch.locations)),
    ]


def _decode(content: dict[str, Any], body: memoryview, size: ReadSize) -> dict[str, Any]:
    blobs: list[bytes] = []
    start = 0
    for length in integers(content["blobs"]):
        if length < 0 or start + length > len(body):
            raise ValueError("data beyond the end")
        blobs.append(bytes(body[start : start + length]))
        start += length
    return dict(
        name=content["name"],
        kernels=tuple(_decode_kernel(fields, blobs) for fields in content["kernels"]),
        buffers=tuple(_decode_buffer(fields, blobs, size) for fields in content["buffers"]),
        launches=tuple(_decode_launch(fields, size) for fields in content["launches"]),
        outputs=tuple(_decode_output(fields, size) for fields in content["outputs"]),
        inputs=tuple(decode_spec(fields, size) for fields in content["inputs"]),
        scalars=tuple(_decode_scalar(fields) for fields in content["scalars"]),
        arena_nbytes=size(content["arena_nbytes"]),
        key=content["key"],
    )


def _blob(blobs: list[bytes], number: int) -> bytes:
    if number < 0:
        raise ValueError(f"no data {number}")
    return blobs[number]


def _decode_kernel(fields: Any, blobs: list[bytes]) -> KernelCode:
    name, key, target, pointers, count, can_fail, cost, digest, buffers, cuts, blob = typed(
        fields, str, str, str, int, int, bool, int, str, list, list, int
    )
    memory = tuple(_decode_memory(buffer) for buffer in buffers)
    along = tuple(Cut(*typed(cut, int, int, int, int, int, int)) for cut in cuts)
    data = _blob(blobs, blob)
    numbers = pointers, count, can_fail
    return KernelCode(name, key, target, data, *numbers, memory, along, cost, digest)


def _encode_kernel(kernel: KernelCode, blob: int) -> list[Any]:
    plain = _fields(kernel, "code", "buffers", "cuts", "better")
    return [*plain, kernel.buffers, kernel.cuts, blob]


def _decode_memory(fields: Any) -> KernelBuffer:
    itemsize, offset, is_written, is_alone, walks = typed(fields, int, int, bool, bool, list)
    return KernelBuffer(
        itemsize,
        offset,
        is_written,
        is_alone,
        tuple(tuple(_decode_dim(dim) for dim in walk) for walk in walks),
    )


def _decode_dim(fields: Any) -> WalkedDim:
    kind = type(None) if fields[1] is None else int
    return WalkedDim(*typed(fields, int, kind, int, bool))


def _decode_buffer(fields: Any, blobs: list[bytes], size: ReadSize) -> BufferPlan:
    role, index, nbytes, arena_offset, is_written, device, blob = fields
    role, index, is_written, device, blob = typed(
        [role, index, is_written, device, blob], str, int, bool, str, int
    )
    data = None if blob == NO_BLOB else _blob(blobs, blob)
    where = Device(device) if device else None
    return BufferPlan(role, index, size(nbytes), size(arena_offset), data, is_written, where)


def _decode_output(fields: Any, size: ReadSize) -> OutputPlan:
    buffer, spec, offset = fields
    return OutputPlan(integer(buffer), decode_spec(spec, size), size(offset))


def _decode_launch(fields: Any, size: ReadSize) -> PlanStep:
    if isinstance(fields[0], str):
        return decode_call(fields, size)
    if len(fields) == 4:
        return Transfer(*typed(fields, int, int, int, int))
    kernel, buffers, numbers, slots, locations = typed(fields, int, list, list, list, list)
    return Launch(
        kernel,
        integers(buffers),
        sizes(numbers, size),
        tuple(
            ScalarSlot(position, argument, dtype_by_name(dtype), part)
            for position, argument, dtype, part in (
                typed(slot, int, int, str, str) for slot in slots
            )
        ),
        tuple(map(decode_location, locations)),
    )


def _decode_scalar(fields: Any) -> ScalarSpec | DType:
    tag, name = typed(fields, str, str)
    return dtype_by_name(name) if tag == "dtype" else ScalarSpec(name)
