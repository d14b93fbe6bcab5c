"""How is an artifact stored? A header, JSON, and the bytes of kernels and constants behind it.

Its integers may be expressions of sizes: `sizes_form` says how these are written and read.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from typing import Any, cast

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.dtype import by_name as dtype_by_name
from ...dialects.attributes.layout import LAYOUTS, strided
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.diagnostics import Location, TrilithError, TrilithValueError
from ...dialects.digests import digest_of
from ...dialects.records import declared
from .artifact_fields import ArtifactFields
from .kernel_memory import KernelBuffer, WalkedDim
from .plan_parts import BufferPlan, KernelCode, Launch, OutputPlan, ScalarSlot, Transfer

MAGIC = b"trilith\0"
VERSION = 5
NO_BLOB = -1
#: Reads an integer, or an expression in its place; ValueError or TypeError for anything else.
ReadSize = Callable[[Any], Any]
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
        "inputs": [_encode_spec(spec) for spec in artifact.inputs],
        "scalars": [_encode_scalar(scalar) for scalar in artifact.scalars],
        "kernels": [_encode_kernel(kernel, blob(kernel.code)) for kernel in kernels],
        "buffers": [_encode_buffer(buffer, blob(buffer.data)) for buffer in artifact.buffers],
        "launches": [_encode_launch(launch) for launch in artifact.launches],
        "outputs": [
            [output.buffer, _encode_spec(output.spec), output.storage_offset]
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
    return fields_of(content, body, _integer)


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
        [None if one is None else _encode_location(one) for one in launch.locations],
    ]


def _encode_location(location: Location) -> list[Any]:
    return [location.file, location.line, location.column, location.function, location.text]


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


def _integer(value: Any) -> int:
    return _integers([value])[0]


def _sizes(values: Any, size: ReadSize) -> tuple[Any, ...]:
    (items,) = _typed([values], list)
    return tuple(map(size, items))


def _decode(content: dict[str, Any], body: memoryview, size: ReadSize) -> dict[str, Any]:
    blobs: list[bytes] = []
    start = 0
    for length in _integers(content["blobs"]):
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
        inputs=tuple(_decode_spec(fields, size) for fields in content["inputs"]),
        scalars=tuple(_decode_scalar(fields) for fields in content["scalars"]),
        arena_nbytes=size(content["arena_nbytes"]),
        key=content["key"],
    )


def _blob(blobs: list[bytes], number: int) -> bytes:
    if number < 0:
        raise ValueError(f"no data {number}")
    return blobs[number]


def _decode_kernel(fields: Any, blobs: list[bytes]) -> KernelCode:
    name, key, target, pointers, integers, can_fail, digest, buffers, blob = _typed(
        fields, str, str, str, int, int, bool, str, list, int
    )
    memory = tuple(_decode_memory(buffer) for buffer in buffers)
    data = _blob(blobs, blob)
    return KernelCode(name, key, target, data, pointers, integers, can_fail, memory, digest)


def _encode_kernel(kernel: KernelCode, blob: int) -> list[Any]:
    return [*_fields(kernel, "code", "buffers", "better"), kernel.buffers, blob]


def _decode_memory(fields: Any) -> KernelBuffer:
    itemsize, offset, is_written, is_alone, walks = _typed(fields, int, int, bool, bool, list)
    return KernelBuffer(
        itemsize,
        offset,
        is_written,
        is_alone,
        tuple(tuple(_decode_dim(dim) for dim in walk) for walk in walks),
    )


def _decode_dim(fields: Any) -> WalkedDim:
    kind = type(None) if fields[1] is None else int
    return WalkedDim(*_typed(fields, int, kind, int, bool))


def _decode_buffer(fields: Any, blobs: list[bytes], size: ReadSize) -> BufferPlan:
    role, index, nbytes, arena_offset, is_written, device, blob = fields
    role, index, is_written, device, blob = _typed(
        [role, index, is_written, device, blob], str, int, bool, str, int
    )
    data = None if blob == NO_BLOB else _blob(blobs, blob)
    where = Device(device) if device else None
    return BufferPlan(role, index, size(nbytes), size(arena_offset), data, is_written, where)


def _decode_output(fields: Any, size: ReadSize) -> OutputPlan:
    buffer, spec, offset = fields
    return OutputPlan(_integer(buffer), _decode_spec(spec, size), size(offset))


def _decode_launch(fields: Any, size: ReadSize) -> Launch | Transfer:
    if len(fields) == 4:
        return Transfer(*_typed(fields, int, int, int, int))
    kernel, buffers, integers, slots, locations = _typed(fields, int, list, list, list, list)
    return Launch(
        kernel,
        _integers(buffers),
        _sizes(integers, size),
        tuple(
            ScalarSlot(position, argument, dtype_by_name(dtype), part)
            for position, argument, dtype, part in (
                _typed(slot, int, int, str, str) for slot in slots
            )
        ),
        tuple(
            None if location is None else Location(*_typed(location, str, int, int, str, str))
            for location in locations
        ),
    )


def _decode_spec(fields: Any, size: ReadSize) -> TensorSpec:
    shape, dtype, device, strides, layout, is_conj = _typed(fields, list, str, str, list, str, bool)
    return TensorSpec.of(
        _sizes(shape, size),
        dtype_by_name(dtype),
        Device(device),
        _sizes(strides, size) if LAYOUTS[layout] is strided else None,
        LAYOUTS[layout],
        is_conj,
    )


def _decode_scalar(fields: Any) -> ScalarSpec | DType:
    tag, name = _typed(fields, str, str)
    return dtype_by_name(name) if tag == "dtype" else ScalarSpec(name)
