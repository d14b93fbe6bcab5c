"""What does a bare index mean, who is asked, and when? `trilith.accelerator` as PyTorch's.

The words of the errors are those of PyTorch 2.13 without an accelerator. OpenCL is tried in
processes of their own, because there the accelerator is found rather than said.
"""

from collections.abc import Iterator
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.attributes import device as devices

from .fake_accelerator import KIND, FakeAccelerator, registered
from .opencl_support import run_python, runtime

NONE = r"^Cannot access accelerator device when none is available\."


@pytest.fixture
def accelerator() -> Iterator[FakeAccelerator]:
    with registered() as found:
        yield found


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """An offered accelerator; the list holds its answers, the last is given first.

    Without an answer it says no.
    """
    answers: list[bool] = []
    before = devices._accelerator  # pyright: ignore[reportPrivateUsage]  # put aside
    monkeypatch.setattr(devices, "_accelerator", type(before)())
    devices.offer_accelerator("opencl", lambda: bool(answers) and answers.pop())
    return answers


def test_nobody_is_asked_before_it_matters(offered: list[bool]):
    offered.append(True)
    for text in ("cpu", "opencl:1", "meta", "cuda"):
        tri.device(text)
    with tri.device("cuda"), tri.device("cpu"):
        assert tri.ones(1).device.type == "cpu"
    assert not devices.is_accelerator("cuda")
    assert offered == [True]


def test_the_answer_is_kept_when_it_is_yes(offered: list[bool]):
    offered += [False, True, False]
    with pytest.raises(RuntimeError, match=NONE):
        tri.device(0)
    assert tri.device(0) == tri.device("opencl:0")
    assert offered == [False]
    assert tri.accelerator.is_available()


def test_what_is_said_comes_before_what_is_offered(offered: list[bool]):
    devices.set_accelerator(None)
    assert tri.accelerator.current_accelerator() is None
    devices.forget_accelerator()
    offered.append(True)
    assert tri.accelerator.current_accelerator() == tri.device("opencl")


def test_without_an_accelerator():
    acc = tri.accelerator
    assert (acc.is_available(), acc.current_accelerator(), acc.device_count()) == (False, None, 0)
    acting: list[Any] = [
        acc.current_device_index,
        acc.synchronize,
        acc.empty_cache,
        acc.get_memory_info,
        lambda: acc.set_device_index(0),
        lambda: acc.synchronize(0),
        lambda: acc.device_index(0).__enter__(),
        lambda: tri.ones(1).to(0),
        lambda: tri.zeros(1, device=1),
    ]
    for act in acting:
        with pytest.raises(RuntimeError, match=NONE):
            act()
    for name in ("cpu", "meta", "cuda:0"):
        with pytest.raises(RuntimeError, match=r"^Accelerator expected"):
            acc.synchronize(name)
    with pytest.raises(ValueError, match=r"with a specified index or an integer, but got:None"):
        acc.set_device_index(None)
    acc.set_device_index(-1)
    with acc.device_index(None):
        pass


def test_the_current_device(accelerator: FakeAccelerator):
    acc = tri.accelerator
    assert (acc.device_count(), acc.current_device_index()) == (2, 0)
    with acc.device_index(1):
        assert acc.current_device_index() == 1
        assert tri.ones(1, device=KIND).device == tri.device(KIND, 1)
        assert tri.ones(1).to(KIND).device == tri.device(KIND, 1)
        with acc.device_index(0):
            assert tri.ones(1, device=KIND).device == tri.device(KIND, 0)
        with tri.device(KIND):
            assert tri.ones(1).device == tri.device(KIND, 1)
    assert tri.ones(1, device=KIND).device == tri.device(KIND, 0)
    acc.set_device_index(f"{KIND}:1")
    try:
        assert acc.current_device_index() == 1
    finally:
        devices.set_current_index(KIND, None)
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        acc.set_device_index(7)
    with pytest.raises(ValueError, match=f"^cpu doesn't match the current accelerator {KIND}"):
        acc.synchronize("cpu")
    with pytest.raises(ValueError, match="with a specified index or an integer"):
        acc.set_device_index(KIND)


def test_plans_follow_the_current_device(accelerator: FakeAccelerator):
    @tri.compile
    def made(x: Any) -> Any:
        return x.to(KIND) + 1, tri.ones(2, device=KIND)

    x = tri.ones(2)
    for index in (0, 1, 0, 1):
        with tri.accelerator.device_index(index):
            assert [result.device.index for result in made(x)] == [index, index]


def test_opencl_is_the_accelerator_where_it_has_a_device():
    runtime()
    program = """
    import sys
    import trilith as tri
    with tri.device("cpu"):
        x = tri.arange(6.0)
    assert "pyopencl" not in sys.modules
    assert str(tri.device(0)) == "opencl:0"
    assert str(x.to(0).device) == str(tri.zeros(2, device=0).device) == "opencl:0"
    with tri.device("opencl"):
        assert str(tri.ones(2).device) == str(tri.get_default_device()) == "opencl:0"
    tri.set_default_device("opencl")
    assert str(tri.ones(2).device) == "opencl:0"
    tri.set_default_device(None)
    acc = tri.accelerator
    assert acc.is_available() and str(acc.current_accelerator()) == "opencl"
    assert acc.device_count() == len(tri.opencl.devices()) == 2
    with acc.device_index(1):
        assert str(x.to("opencl").device) == "opencl:1"
        acc.synchronize()
        before = acc.memory_allocated()
        y = tri.empty(1000, device="opencl")
        assert acc.memory_allocated() >= before + 4000
        assert acc.max_memory_allocated() >= acc.memory_allocated()
        assert acc.max_memory_reserved() >= acc.memory_reserved() >= acc.memory_allocated()
        free, total = acc.get_memory_info()
        assert 0 < free < total
        del y
        acc.empty_cache()
        acc.reset_peak_memory_stats()
        assert acc.memory_stats()["reserved_bytes.all.peak"] == acc.memory_reserved()
    try:
        tri.ones(2, device=2)
    except RuntimeError as error:
        print(error.message)
    """
    text = run_python(program, POCL_DEVICES="basic basic", timeout=120)
    assert text == "invalid device ordinal: 'opencl:2' with 2 OpenCL devices"


def test_without_a_device_of_opencl_there_is_none():
    program = """
    import trilith as tri
    assert not tri.accelerator.is_available()
    with tri.device("opencl"):
        pass
    try:
        tri.device(0)
    except RuntimeError as error:
        print(error.message)
    """
    text = run_python(program, TRILITH_OPENCL_DEVICES="none")
    assert text == "Cannot access accelerator device when none is available."
