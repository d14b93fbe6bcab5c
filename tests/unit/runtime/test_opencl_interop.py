"""Do trilith and pyopencl look at the same memory, in the right order?"""

import gc
import importlib
import re
import weakref
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithError, TrilithTypeError
from trilith.runtime.devices.opencl import memory
from trilith.runtime.opencl import interop
from trilith.runtime.opencl.interop import runtime_at

from ..interruption import interruptions
from .opencl_support import run_python, runtime

HOST = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture
def x() -> Any:
    runtime()
    return tri.from_numpy(HOST.copy()).to("opencl:0")


@pytest.fixture
def queue(x: Any) -> Any:
    """A user's queue, in a context of its own."""
    import pyopencl as cl

    device = runtime().entry.handle
    return cl.CommandQueue(cl.Context([device]))


def arrays() -> Any:
    import pyopencl.array

    return pyopencl.array


def test_a_tensor_as_an_array(x: Any):
    array = tri.opencl.to_cl(x[1:])
    np.testing.assert_array_equal(array.get(), HOST[1:])
    array.fill(7)
    np.testing.assert_array_equal(x.cpu().numpy()[1:], 7)
    assert tri.opencl.to_cl(x.t()).strides == (4, 16)


def test_an_array_keeps_the_memory(x: Any):
    array = tri.opencl.to_cl(x)
    del x
    gc.collect()
    others = [tri.zeros(3, 4, device="opencl:0") for _ in range(4)]
    np.testing.assert_array_equal(array.get(), HOST)
    assert len(others) == 4


def test_an_array_as_a_tensor(queue: Any):
    array = arrays().to_device(queue, HOST)
    tensor: Any = tri.opencl.from_cl(array * 2)
    assert tensor.device.type == "opencl"
    np.testing.assert_array_equal((tensor + 1).cpu().numpy(), HOST * 2 + 1)
    view: Any = tri.opencl.from_cl(array[1:, ::2])
    assert (view.shape, view.stride()) == ((2, 2), (4, 2))
    view.mul_(10)
    expected = HOST.copy()
    expected[1:, ::2] *= 10
    np.testing.assert_array_equal(array.get(), expected)


def test_there_and_back_is_the_same_memory(x: Any):
    again: Any = tri.opencl.from_cl(tri.opencl.to_cl(x))
    assert again.device == x.device
    again.add_(1)
    np.testing.assert_array_equal(x.cpu().numpy(), HOST + 1)


def test_a_buffer_as_a_tensor(queue: Any):
    import pyopencl as cl

    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(queue.context, flags, hostbuf=HOST)
    device = tri.opencl.device(queue)
    tensor = tri.opencl.from_cl(buffer, dtype=tri.float32, shape=(2, 2), strides=(4, 1), offset=5)
    assert tensor.device == device
    np.testing.assert_array_equal(tensor.cpu().numpy(), HOST[1:, 1:3])
    with pytest.raises(RuntimeError, match="out of bounds"):
        tri.opencl.from_cl(buffer, dtype=tri.float32, shape=(4, 4))
    with pytest.raises(TypeError, match="needs dtype="):
        tri.opencl.from_cl(buffer)


def test_a_queue_as_a_device(queue: Any):
    device = tri.opencl.device(queue)
    assert tri.opencl.device(queue) is device
    assert tri.opencl.device(queue.context) is device
    with device:
        ones = tri.ones(3)
    assert ones.device is device
    assert tri.opencl.to_cl(ones).queue == queue
    with pytest.raises(TypeError, match="CommandQueue or Context"):
        tri.opencl.device("queue")


def test_an_out_of_order_queue_is_refused(queue: Any):
    import pyopencl as cl

    order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    try:
        other = cl.CommandQueue(queue.context, properties=order)
    except cl.Error:
        pytest.skip("the driver has no such queues")
    with pytest.raises(RuntimeError, match="in order"):
        tri.opencl.device(other)


def test_contexts_do_not_mix(x: Any, queue: Any):
    other = tri.opencl.from_cl(arrays().to_device(queue, HOST))
    with pytest.raises(RuntimeError, match="is not on the expected device"):
        _ = x + other
    with pytest.raises(RuntimeError, match="belongs to another context"):
        tri.opencl.to_cl(x, queue)


def test_other_objects_are_refused(x: Any):
    for wrong in (HOST, x, 3):
        with pytest.raises(TypeError, match="expected a pyopencl Array or Buffer"):
            tri.opencl.from_cl(wrong)
    with pytest.raises(TypeError, match="not on an OpenCL device"):
        tri.opencl.to_cl(x.cpu())


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"dtype": np.float32}, TypeError, "argument 'dtype' must be trilith.dtype, not type"),
        ({"dtype": "float32"}, TypeError, "argument 'dtype' must be trilith.dtype, not str"),
        ({"shape": 4}, TypeError, "argument 'shape' must be tuple of ints, not int"),
        ({"shape": (2, 1.5)}, TypeError, "argument 'shape' must be tuple of ints, not float"),
        ({"shape": (2,), "strides": 1}, TypeError, "argument 'strides' must be tuple of ints"),
        ({"offset": 1.5}, TypeError, "argument 'offset' must be int, not float"),
        ({"offset": 100}, ValueError, "offset 100 is not in the buffer, which has 12 elements"),
        ({"offset": -1}, ValueError, "offset -1 is not in the buffer"),
        ({"wait_for": [3]}, TypeError, "expected pyopencl events, not int"),
        ({"wait_for": 3}, TypeError, "expected a sequence of pyopencl events, not int"),
    ],
)
def test_wrong_arguments_for_a_buffer(queue: Any, arguments: Any, kind: Any, words: str):
    import pyopencl as cl

    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, HOST.nbytes)
    asked: dict[str, Any] = {"dtype": tri.float32, **arguments}
    with pytest.raises(kind, match=re.escape(words)) as caught:
        tri.opencl.from_cl(buffer, **asked)
    assert isinstance(caught.value, TrilithError)


def test_a_buffer_without_room_after_the_offset(queue: Any):
    import pyopencl as cl

    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, HOST.nbytes)
    assert tri.opencl.from_cl(buffer, dtype=tri.float32, offset=12).shape == (0,)


def test_wait_for_takes_events_only(x: Any):
    wrong: Any
    for wrong in ([3], 3, [None]):
        with pytest.raises(TrilithTypeError, match="pyopencl events"):
            tri.opencl.wait_for(wrong)


def test_buffers_that_their_owners_release_stay_valid():
    # In a process of its own: drivers crash on memory that is gone.
    program = """
    import numpy as np
    import pyopencl as cl
    import trilith as tri
    x = tri.ones(3, device="opencl:0")
    device = tri.opencl.to_cl(x).queue.device
    context = cl.Context([device])
    buffer = cl.Buffer(
        context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR,
        hostbuf=np.arange(1 << 18, dtype=np.float32),
    )
    tensor = tri.opencl.from_cl(buffer, dtype=tri.float32)
    view = tensor[1:3]
    buffer.release()
    del buffer, tensor
    others = [cl.Buffer(context, cl.mem_flags.READ_WRITE, 1 << 20) for _ in range(4)]
    print((view + 1).tolist())
    array = tri.opencl.to_cl(x)
    array.data.release()
    again = tri.opencl.to_cl(tri.ones(1 << 20, device="opencl:0"))
    again.data.release()
    print((x + 1).tolist(), tri.opencl.memory_stats()["in_use"] > 0)
    """
    assert run_python(program) == "[2.0, 3.0]\n[2.0, 2.0, 2.0] True"


def test_memory_handed_out_is_given_back_once(x: Any):
    table, known = runtime().allocator, len(runtime().allocator.buffers)
    y = tri.ones(77, 33, device="opencl:0")
    array = tri.opencl.to_cl(y)
    assert tri.opencl.to_cl(y).base_data is array.base_data
    del y, array
    gc.collect()
    tri.opencl.memory_stats()
    assert len(table.buffers) <= known


def test_an_interrupt_leaves_no_memory_of_others_behind(queue: Any):
    """Python drops what is raised in a finalizer: there is no bytecode it could come after."""
    tensors = [tri.opencl.from_cl(arrays().to_device(queue, HOST))]
    table = runtime_at(tensors[0].device).allocator
    known = len(table.buffers)
    assert not list(interruptions(tensors.clear, interop, memory, everywhere=True))
    table.stats()
    assert len(table.buffers) == known - 1


def test_an_array_that_knows_its_tensor_ends_with_it(queue: Any):
    array = arrays().to_device(queue, HOST)
    array.tensor = tri.opencl.from_cl(array)
    ending = weakref.ref(array)
    del array
    gc.collect()
    assert ending() is None


def test_memory_of_a_pool_is_shared(queue: Any):
    import pyopencl.tools

    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queue))
    array = arrays().arange(queue, 10, dtype=np.float32, allocator=pool)
    tensor: Any = tri.opencl.from_cl(array[2:5])
    tensor.add_(1)
    np.testing.assert_array_equal(array.get(), [0, 1, 3, 4, 5, 5, 6, 7, 8, 9])


def test_nothing_is_shared_too(x: Any, queue: Any):
    assert tri.opencl.to_cl(x[:0]).shape == (0, 4)
    empty = tri.opencl.from_cl(arrays().empty(queue, (0, 3), np.float32))
    assert (empty.shape, empty.dtype) == ((0, 3), tri.float32)
    assert empty.device == tri.opencl.device(queue)


def test_rights_of_a_buffer_are_kept(queue: Any):
    import pyopencl as cl

    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    frozen: Any = tri.opencl.from_cl(
        cl.Buffer(queue.context, flags, hostbuf=HOST), dtype=tri.float32
    )
    assert (frozen + 1).sum().item() == HOST.sum() + 12
    with pytest.raises(RuntimeError, match="read-only"):
        frozen.add_(1)
    hidden = cl.Buffer(queue.context, cl.mem_flags.WRITE_ONLY, 64)
    with pytest.raises(RuntimeError, match="write-only"):
        tri.opencl.from_cl(hidden, dtype=tri.float32)


def test_a_conjugate_is_not_handed_out_as_its_memory(x: Any):
    z = tri.tensor([1 + 2j, -3j], device="opencl:0")
    with pytest.raises(RuntimeError, match="conjugate bit set"):
        tri.opencl.to_cl(z.conj())
    np.testing.assert_array_equal(tri.opencl.to_cl(z.conj().resolve_conj()).get(), [1 - 2j, 3j])


def test_an_image_is_no_buffer(queue: Any):
    cl: Any = importlib.import_module("pyopencl")  # whose types are incomplete here
    form = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT)
    try:
        image = cl.create_image(queue.context, cl.mem_flags.READ_ONLY, form, shape=(4, 4))
    except cl.Error:
        pytest.skip("the driver has no images")
    with pytest.raises(TypeError, match="expected a pyopencl Array or Buffer, not Image"):
        tri.opencl.from_cl(image, dtype=tri.float32)


def test_events_go_in_and_out(x: Any):
    import pyopencl as cl

    y = x * 2
    other = cl.CommandQueue(runtime().context)
    array = tri.opencl.to_cl(y, other)
    assert len(array.events) == 1
    array += 1
    tri.opencl.wait_for(array.events)
    np.testing.assert_array_equal((y + 1).cpu().numpy(), HOST * 2 + 2)
    tri.opencl.last_event().wait()


def test_launches_wait_for_events_and_the_host_does_not(x: Any):
    # In a process of its own: a driver without threads would wait for the gate for ever.
    program = """
    import numpy as np
    import pyopencl as cl
    import trilith as tri
    from trilith.runtime.devices.base import runtime_of
    x = tri.ones(5, device="opencl:0")
    gate = cl.UserEvent(runtime_of(x.device).context)
    tri.opencl.wait_for([gate])
    y = x + 1
    event = tri.opencl.last_event()
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    print(y.tolist())
    """
    assert run_python(program, POCL_DEVICES="pthread") == "[2.0, 2.0, 2.0, 2.0, 2.0]"


def test_kernels_are_timed(x: Any):
    with tri.opencl.profile() as times:
        for _ in range(3):
            _ = x + x
    (row,) = times.rows
    assert (row.count, row.shortest > 0) == (3, True)
    assert times.last_event is not None
    lines = str(times).splitlines()
    assert lines[0].split()[:2] == ["kernel", "runs"]
    assert len(lines) == 2
    assert re.match(r"add_[0-9a-f]{8} +3 ", lines[1])
    assert repr(times) == str(times)
    html = times._repr_html_()  # pyright: ignore[reportPrivateUsage]  # notebooks' name
    assert html.count("<tr>") == 2
    with tri.opencl.profile(), pytest.raises(RuntimeError, match="measured already"):
        tri.opencl.profile().__enter__()
    np.testing.assert_array_equal((x + 1).cpu().numpy(), HOST + 1)


def test_memory_is_counted(x: Any):
    stats = tri.opencl.memory_stats()
    assert stats["in_use"] >= HOST.nbytes
    assert stats["peak"] <= stats["limit"]
