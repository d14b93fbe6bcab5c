"""How do trilith and pyopencl share memory? Both look at the same buffer; nothing is copied."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.dtype import from_numpy as dtype_from_numpy
from ...dialects.attributes.extents import check_bounds
from ...dialects.attributes.options import dtype_argument
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ..devices.base import runtime_of
from ..devices.opencl.errors import translating
from ..devices.opencl.library import library, library_of_arrays
from ..devices.opencl.memory import OFFSET_MASK
from ..devices.opencl.runtime import OpenClRuntime, adopt_queue, check_context, runtime_of_context
from ..execution.storage import Storage
from ..tensors.recording import unrecorded
from ..tensors.tensor import Tensor, adopt


def device_of(queue_or_context: Any) -> Device:
    """Return the trilith device that uses a queue, or a context's first device."""
    cl = library()
    if isinstance(queue_or_context, cl.CommandQueue):
        return adopt_queue(queue_or_context).device
    if not isinstance(queue_or_context, cl.Context):
        raise TrilithTypeError(
            f"expected a pyopencl CommandQueue or Context, not {type(queue_or_context).__name__}"
        )
    return _runtime_for(queue_or_context, None).device


def _runtime_for(context: Any, queue: Any) -> OpenClRuntime:
    """Return the runtime of a context, made of its queue if there is none."""
    found = runtime_of_context(context)
    if found is not None:
        return found
    check_context(context)
    with translating("opening a context"):
        return adopt_queue(queue or library().CommandQueue(context, context.devices[0]))


def from_cl(
    source: Any,
    *,
    shape: Sequence[int] | None = None,
    dtype: DType | None = None,
    strides: Sequence[int] | None = None,
    offset: int = 0,
    wait_for: Sequence[Any] | None = None,
) -> Tensor:
    """Return a tensor over the memory of a pyopencl Array, or of a Buffer.

    A Buffer needs `dtype`; `shape` is by default all of it, `strides` and `offset` count elements.
    The device of the buffer's context is the tensor's. Kernels wait for `wait_for` and for the
    events of an Array.
    """
    unrecorded("from_cl waits for the buffer's owner")
    if _is_buffer(source):
        spec, start = _form_of_buffer(source.size, shape, dtype, strides, offset)
        return _over(source, None, spec, start, source, wait_for or ())
    buffer = getattr(source, "base_data", None)
    if buffer is None and isinstance(source, library_of_arrays().Array):
        return _empty_like(source)
    if not _is_buffer(buffer):
        raise TrilithTypeError(
            f"expected a pyopencl Array or Buffer, not {type(source).__name__}",
            hint="memory of other kinds (SVM) must be copied",
        )
    found = dtype_from_numpy(source.dtype)
    steps = tuple(stride // found.itemsize for stride in source.strides)
    if source.offset % found.itemsize or any(stride % found.itemsize for stride in source.strides):
        raise TrilithValueError("offset and strides of the Array are not multiples of the element")
    spec = (tuple(source.shape), found, steps)
    events = [*source.events, *(wait_for or ())]
    return _over(buffer, source.queue, spec, source.offset // found.itemsize, source, events)


_Form: TypeAlias = tuple[tuple[int, ...], DType, Sequence[int] | None]


def _form_of_buffer(
    nbytes: int, shape: Any, dtype: Any, strides: Any, offset: Any
) -> tuple[_Form, int]:
    """Return (shape, dtype, strides) and the offset that a call asks for, checked."""
    found = dtype_argument("from_cl", dtype)
    if found is None:
        raise TrilithTypeError("from_cl of a Buffer needs dtype=")
    (start,) = _integers("offset", (offset,), "int")
    count = nbytes // found.itemsize
    if not 0 <= start <= count:
        raise TrilithValueError(
            f"from_cl(): offset {start} is not in the buffer, which has {count} elements"
        )
    sizes = (count - start,) if shape is None else _integers("shape", shape)
    steps = None if strides is None else _integers("strides", strides)
    return (sizes, found, steps), start


def _integers(name: str, values: Any, wanted: str = "tuple of ints") -> tuple[int, ...]:
    """Return an argument of `from_cl` as integers."""
    culprit = values
    try:
        found: list[int] = []
        for value in values:
            culprit = value
            found.append(operator.index(value))
        return tuple(found)
    except TypeError:
        raise TrilithTypeError(
            f"from_cl(): argument '{name}' must be {wanted}, not {type(culprit).__name__}"
        ) from None


def _is_buffer(source: Any) -> bool:
    """Whether an object is a buffer, also one of a pool; images are memory of another kind."""
    cl = library()
    is_memory = isinstance(source, cl.MemoryObjectHolder)
    return is_memory and source.type == cl.mem_object_type.BUFFER


def _empty_like(array: Any) -> Tensor:
    """Return a tensor for an Array without elements, which has no buffer."""
    runtime = _runtime_for(array.context, array.queue)
    spec = TensorSpec.of(tuple(array.shape), dtype_from_numpy(array.dtype), runtime.device, None)
    return adopt(runtime.allocate(0), spec, 0)


def _over(
    buffer: Any,
    queue: Any,
    form: _Form,
    offset: int,
    owner: Any,
    events: Sequence[Any],
) -> Tensor:
    runtime = _runtime_for(buffer.context, queue)
    shape, dtype, strides = form
    steps = None if strides is None else tuple(strides)
    if any(stride < 0 for stride in steps or ()):
        raise TrilithValueError("tensors with negative strides are not supported")
    spec = TensorSpec.of(shape, dtype, runtime.device, steps)
    check_bounds(spec.shape, spec.strides, offset, dtype.itemsize, buffer.size)
    if queue is not None and queue != runtime.queue:
        with translating("waiting for the Array's queue"):
            queue.finish()
    wait_for(runtime, events)
    flags, kinds = int(buffer.flags), library().mem_flags
    if flags & int(kinds.WRITE_ONLY):
        raise TrilithRuntimeError("the buffer is write-only: kernels cannot read it")
    address, lease = runtime.allocator.adopt(buffer)
    memory = Storage.borrow(
        address,
        buffer.size,
        runtime.device,
        owner=(lease, owner),
        is_writable=not flags & int(kinds.READ_ONLY),
    )
    return adopt(memory, spec, offset)


def wait_for(runtime: OpenClRuntime, events: Sequence[Any]) -> None:
    """Let everything that is launched from now on wait for events of the same context."""
    cl, waited = library(), _events(events)
    if not waited:
        return
    for event in waited:
        if not isinstance(event, cl.Event):
            raise TrilithTypeError(f"expected pyopencl events, not {type(event).__name__}")
    with translating("waiting for events"):
        cl.enqueue_barrier(runtime.queue, wait_for=waited)


def _events(events: Any) -> list[Any]:
    try:
        return list(events)
    except TypeError:
        raise TrilithTypeError(
            f"expected a sequence of pyopencl events, not {type(events).__name__}"
        ) from None


def to_cl(tensor: Tensor, queue: Any = None) -> Any:
    """Return a pyopencl Array over a tensor's memory, which it keeps alive.

    Its events hold the last launch so far. Without a queue it uses that of the device.
    """
    runtime = _runtime_of_tensor(tensor)
    arrays = library_of_arrays()
    if tensor.spec.is_conj:
        raise TrilithRuntimeError(
            "Can't call to_cl() on Tensor that has conjugate bit set. Use "
            "to_cl(tensor.resolve_conj()) instead."
        )
    if queue is not None and queue.context != runtime.context:
        raise TrilithRuntimeError(
            f"the queue belongs to another context than {tensor.device}",
            hint="trilith.opencl.device(queue) makes a device of it",
        )
    address = tensor.memory.data_ptr()
    buffer = runtime.allocator.export(address)
    start = address & OFFSET_MASK
    tensor.memory.export()
    itemsize = tensor.dtype.itemsize
    array = arrays.Array(
        queue or runtime.queue,
        tuple(tensor.shape),
        tensor.dtype.numpy,
        strides=tuple(stride * itemsize for stride in tensor.spec.strides),
        data=buffer,
        offset=start + tensor.byte_offset,
    )
    array.trilith_memory = tensor.memory
    if runtime.queue != array.queue:
        array.add_event(last_event(runtime))
    return array


def last_event(runtime: OpenClRuntime) -> Any:
    """Return an event that is complete when everything launched so far is."""
    with translating("marking the queue"):
        event = library().enqueue_marker(runtime.queue)
        runtime.queue.flush()
    return event


def runtime_at(device: Device) -> OpenClRuntime:
    """Return the runtime of an OpenCL device; raises TrilithTypeError for another."""
    runtime = runtime_of(device) if device.type == "opencl" else None
    if not isinstance(runtime, OpenClRuntime):
        raise TrilithTypeError(f"expected an OpenCL device, not {device}")
    return runtime


def _runtime_of_tensor(tensor: Any) -> OpenClRuntime:
    if not isinstance(tensor, Tensor):
        raise TrilithTypeError(f"expected a Tensor, not {type(tensor).__name__}")
    if tensor.device.type != "opencl":
        raise TrilithTypeError(
            f"the tensor is on {tensor.device}, not on an OpenCL device", hint="use .to('opencl')"
        )
    return runtime_at(tensor.device)
