"""Does nothing that a program does hang or kill the process? Each case in a process of its own.

Two devices are two PoCL devices without threads; each has its context, copies pass through the
host.
"""

import os
import sys

import pytest

from .opencl_support import run_python, runtime

BEGIN = """
import numpy as np
import trilith as tri
x = tri.from_numpy(np.arange(1000, dtype=np.float32)).to("opencl:0")
x = x * 2 + 1
"""


@pytest.fixture(autouse=True)
def needs_opencl() -> None:
    runtime()


def indented(text: str, spaces: int = 4) -> str:
    return text.replace("\n", "\n" + " " * spaces)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_gets_an_error():
    program = (
        BEGIN
        + """
import os
child = os.fork()
if not child:
    tried = [
        lambda: x + 1,
        lambda: x.cpu(),
        lambda: x[0].item(),
        lambda: tri.ones(3, device="opencl:0"),
        lambda: tri.ones(3).to("opencl:0"),
        lambda: tri.opencl.devices(),
        lambda: tri.opencl.synchronize(),
        lambda: x.add_(1),
        lambda: tri.opencl.to_cl(x),
    ]
    code = 0
    for number, act in enumerate(tried):
        try:
            act()
            code = 10 + number
        except RuntimeError as error:
            if "spawn" not in str(error):
                code = 50 + number
    assert (tri.ones(3) + 1).tolist() == [2, 2, 2]
    del x
    import sys
    sys.exit(code)
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0, os.waitstatus_to_exitcode(status)
print(x.sum().item())
"""
    )
    assert run_python(program) == "1000000.0"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_waits_for_kernels_but_not_for_ever():
    """A thread that loads a library during a fork would leave the child's loader locked."""
    program = """
    import os
    import threading
    import pyopencl as cl
    import trilith as tri
    from trilith.runtime.devices.base import runtime_of
    from trilith.runtime.devices.opencl import library
    x = tri.ones(5, device="opencl:0")
    device = runtime_of(x.device)

    def behind_a_gate():
        gate = cl.UserEvent(device.context)
        tri.opencl.wait_for([gate])
        return gate, x + 1, tri.opencl.last_event()

    def fork():
        child = os.fork()
        if not child:
            os._exit((tri.ones(2) + 1).tolist() != [2, 2])
        return os.waitpid(child, 0)[1]

    gate, y, event = behind_a_gate()
    threading.Timer(0.2, lambda: gate.set_status(0)).start()
    assert fork() == 0
    print(event.command_execution_status == 0, y.tolist())
    library.FORK_LIMIT = 0.2
    gate, y, event = behind_a_gate()
    held, done = threading.Event(), threading.Event()

    def build():
        device.programs.hold()
        held.set()
        done.wait(30)
        device.programs.release()

    thread = threading.Thread(target=build)
    thread.start()
    held.wait(30)
    assert fork() == 0
    print(event.command_execution_status == 0)
    gate.set_status(0)
    done.set()
    thread.join()
    print(y.tolist(), (y * 3 - 1).tolist())
    """
    assert run_python(program, POCL_DEVICES="pthread").splitlines() == [
        "True [2.0, 2.0, 2.0, 2.0, 2.0]",
        "False",
        "[2.0, 2.0, 2.0, 2.0, 2.0] [5.0, 5.0, 5.0, 5.0, 5.0]",
    ]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_forks_while_a_thread_builds_and_launches():
    program = (
        BEGIN
        + """
import os
import sys
import threading
texts = ["a" + "".join(f" * {i + n}.5" for i in range(n + 1)) for n in range(6)]
results = []
def work():
    for text in texts:
        results.append(tri.compile(eval("lambda a: " + text))(x))
thread = threading.Thread(target=work)
thread.start()
while thread.is_alive():
    child = os.fork()
    if not child:
        assert (tri.ones(3) + 1).tolist() == [2, 2, 2]
        sys.exit(0)
    assert os.waitpid(child, 0)[1] == 0
thread.join()
x = x.cpu()
right = [eval("lambda a: " + text)(x) for text in texts]
print([np.array_equal(r.cpu(), w) for r, w in zip(results, right)].count(True))
"""
    )
    assert run_python(program, timeout=120) == "6"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_bare_index_in_a_forked_child_says_so():
    program = (
        BEGIN
        + """
import os
if not (child := os.fork()):
    try:
        tri.ones(1, device=0)
        os._exit(1)
    except RuntimeError as error:
        is_there = tri.opencl.is_available() or tri.accelerator.is_available()
        os._exit(0 if "spawn" in str(error) and not is_there else 2)
print(os.waitpid(child, 0)[1])
"""
    )
    assert run_python(program) == "0"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_of_a_process_without_opencl_may_use_it():
    program = """
    import os
    import trilith as tri
    child = os.fork()
    if not child:
        ok = tri.ones(3, device="opencl:0").cpu().tolist() == [1, 1, 1]
        import sys
        sys.exit(not ok)
    _, status = os.waitpid(child, 0)
    print(status)
    """
    assert run_python(program) == "0"


def test_a_spawned_child_works(tmp_path: object):
    program = (
        BEGIN
        + """
import multiprocessing
if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.apply(eval, ("__import__('trilith').ones(3, device='opencl:0').sum().item()",)))
"""
    )
    assert run_python(program) == "3.0"


def test_the_interpreter_ends_with_work_in_flight():
    program = (
        BEGIN
        + """
for _ in range(500):
    x = x * 1.0001
y = tri.ones(1 << 22, device="opencl:0")
for _ in range(20):
    y = y + 1
print("end")
"""
    )
    assert run_python(program) == "end"


def test_large_blocks_dropped_under_work_in_flight():
    """As an interrupt does that comes right after a block was taken: the queue still writes it."""
    program = (
        BEGIN
        + """
from trilith.runtime.execution.allocator import block_size
count = 3_000_000
ones = tri.ones(count, device="opencl:0")
allocator = ones.untyped_storage()._allocator
for _ in range(50):
    y = ones
    for _ in range(6):
        y = (y * 1.5 + ones).sin().exp().tanh()
    del y
    for _ in range(4):
        address, give_back = allocator.allocate(block_size(4 * count))
        del give_back
print((ones + 1).amax().item(), allocator.stats()["in_use"] < 20 * 4 * count)
"""
    )
    assert run_python(program) == "2.0 True"


@pytest.mark.parametrize("failure", ["", "raise SystemExit(3)"])
def test_the_interpreter_ends_while_daemon_threads_go_on(failure: str):
    """Python stops them anywhere; in the middle of the library that would abort the process."""
    program = (
        BEGIN
        + f"""
import atexit
import threading
import time
f = tri.compile(lambda a: a * 1.5 + 2)
def launch():
    y = x
    while True:
        y = f(y)
def build_and_wait():
    n = 0
    while True:
        n += 1
        tri.compile(lambda a: a * n - n)(x)
        (x * n).cpu()
y = x.clone()
atexit.register(lambda: print((y + 1).sum().item()))
for work in (launch, build_and_wait, launch):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.7)
try:
    {failure or "pass"}
except SystemExit:
    print("exit")
print("end")
"""
    )
    expected = ["exit"] * bool(failure) + ["end", "1001000.0"]
    assert run_python(program).splitlines() == expected


def test_a_fault_nobody_waits_for_does_no_harm():
    program = (
        BEGIN
        + """
y = x.int() // tri.zeros(1000, dtype=tri.int32, device="opencl:0")
print("end")
"""
    )
    assert run_python(program) == "end"


def test_an_index_out_of_range_does_not_crash():
    program = (
        BEGIN
        + """
try:
    x[tri.tensor([5, 1 << 40])].cpu()
except IndexError as error:
    print(error.message)
print(x[:2].tolist())
"""
    )
    text = run_python(program)
    assert "out of bounds" in text
    assert text.endswith("[1.0, 3.0]")


def test_two_devices_have_their_own_contexts():
    program = """
    import numpy as np
    import trilith as tri
    assert len(tri.opencl.devices()) == 2, tri.opencl.devices()
    host = np.arange(5000, dtype=np.float32)
    x = tri.from_numpy(host).to("opencl:0")
    y = x.to("opencl:1") * 3
    assert (x.device.index, y.device.index) == (0, 1)
    back = y.to("opencl:0") + x
    assert np.array_equal(back.cpu().numpy(), host * 4)
    with tri.device("opencl:1"):
        assert tri.ones(2, device="opencl").device.index == 1
    f = tri.compile(lambda a: ((a + 1).to("opencl:1") * 2).to("opencl:0") + a)
    for _ in range(3):
        assert np.array_equal(f(x).cpu().numpy(), host * 3 + 2)
    try:
        x + y
    except RuntimeError as error:
        print(error.message)
    from trilith.runtime.devices.base import runtime_of
    first, second = runtime_of(x.device), runtime_of(y.device)
    assert first.context != second.context
    try:
        second.copy_out(x.memory, 0, 0, 4)
    except RuntimeError as error:
        print(error.message)
    """
    lines = run_python(program, POCL_DEVICES="basic basic").splitlines()
    assert "is not on the expected device" in lines[0]
    assert "which is not its" in lines[1]


def test_no_platform_is_said():
    program = """
    import trilith as tri
    try:
        tri.ones(3, device="opencl")
    except RuntimeError as error:
        print(error)
    """
    text = run_python(program, OCL_ICD_VENDORS="/nonexistent", OCL_ICD_FILENAMES="")
    if "no OpenCL" not in text and sys.platform != "linux":
        pytest.skip("this loader finds platforms elsewhere")
    assert "there is no OpenCL platform" in text
    assert "pip install trilith[opencl]" in text


def test_a_context_of_several_devices_is_refused():
    program = """
    import pyopencl as cl
    import trilith as tri
    devices = cl.get_platforms()[0].get_devices()
    assert len(devices) == 2
    for make in (lambda c: c, lambda c: cl.CommandQueue(c, devices[1])):
        try:
            print(tri.opencl.device(make(cl.Context(devices))))
        except RuntimeError as error:
            print(error.message)
    """
    lines = run_python(program, POCL_DEVICES="basic basic").splitlines()
    assert lines == ["the context has 2 devices; trilith uses contexts of one"] * 2


def test_parts_of_a_device_are_refused():
    program = """
    import pyopencl as cl
    import trilith as tri
    device = cl.get_platforms()[0].get_devices()[0]
    try:
        how = [cl.device_partition_property.EQUALLY, 1]
        part = device.create_sub_devices(how)[0]
        context = cl.Context([part])
    except cl.Error:
        context = None
    if context is None or context.devices[0] != part:
        print("a part of a device: this driver makes none, or puts the whole in its place")
    else:
        try:
            tri.opencl.device(cl.CommandQueue(context))
        except RuntimeError as error:
            print(error.message)
    """
    assert "a part of a device" in run_python(program)
