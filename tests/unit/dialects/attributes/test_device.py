"""Is a device named, compared and refused as in PyTorch, and is the default per thread?"""

import contextlib
import copy
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from trilith.dialects.attributes import device as device_module
from trilith.dialects.attributes.device import (
    DEVICE_TYPES,
    Device,
    as_device,
    cpu,
    get_default_device,
    set_accelerator,
    set_default_device,
)
from trilith.dialects.diagnostics import TrilithError
from trilith.dialects.unusual import PLACES

from ...interruption import interruptions

TYPES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
    "mps, meta, hpu, mtia, privateuseone"
)
COMBINATION = "device() received an invalid combination of arguments - got "


@pytest.fixture
def accelerator() -> Iterator[None]:
    set_accelerator("opencl")
    yield
    set_accelerator(None)


@pytest.mark.parametrize("name", TYPES.split(", "))
def test_every_type(name: str):
    assert (Device(name).type, Device(name).index) == (name, None)
    assert (Device(f"{name}:12").type, Device(f"{name}:12").index) == (name, 12)
    assert name in DEVICE_TYPES


@pytest.mark.parametrize(
    ("arguments", "keywords", "expected"),
    [
        (("cuda", 0), {}, "cuda:0"),
        (("cuda", None), {}, "cuda"),
        ((b"cpu",), {}, "cpu"),
        (("opencl", np.int64(3)), {}, "opencl:3"),
        ((), {"type": "cuda", "index": 1}, "cuda:1"),
        ((), {"type": "cuda"}, "cuda"),
        ((), {"device": "cuda:1"}, "cuda:1"),
        ((Device("cuda:1"),), {}, "cuda:1"),
        # PyTorch's index is an int8 and wraps (section 8); ours is exact.
        (("cuda:128",), {}, "cuda:128"),
        (("cuda:255",), {}, "cuda:255"),
        (("cuda", 300), {}, "cuda:300"),
        (("cuda:2147483647",), {}, "cuda:2147483647"),
    ],
)
def test_construction(arguments: tuple[Any, ...], keywords: dict[str, Any], expected: str):
    assert str(Device(*arguments, **keywords)) == expected


INVALID = [
    *("cuda:", "cpu:-1", "cuda:01", "cuda:00", "cuda:+1", "cuda: 1", "cuda:1a", "cuda:1.0"),
    *("cuda:0:1", " cuda", ":0", "float32", "cpu\n", "cuda:1\n", "c-1", "cpu:\u0661", "\u00e9"),
]


@pytest.mark.parametrize("text", INVALID)
def test_invalid_string(text: str):
    check_refusal((text,), RuntimeError, f"Invalid device string: '{text}'")


@pytest.mark.parametrize("text", ["gpu", "CUDA", "priv_ate"])
def test_unknown_type(text: str):
    message = f"Expected one of {TYPES} device type at start of device string: {text}"
    check_refusal((text,), RuntimeError, message)


@pytest.mark.parametrize("digits", ["2147483648", "99999999999999", "9" * 10_000])
def test_index_too_large(digits: str):
    message = f"Could not parse device index '{digits}' in device string 'cuda:{digits}'"
    check_refusal((f"cuda:{digits}",), RuntimeError, message)


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (("",), RuntimeError, "Device string must not be empty"),
        (("cuda", -1), RuntimeError, "Device index must not be negative"),
        ((-1,), RuntimeError, "Device index must not be negative"),
        (("cuda", 2**40), RuntimeError, "Could not parse device index '1099511627776'"),
        (
            ("cuda:0", 0),
            RuntimeError,
            "type (string) must not include an index because index was passed explicitly: cuda:0",
        ),
        *(
            (
                ("cuda", index),
                TypeError,
                f"device(): argument 'index' (position 2) must be int, not {name}",
            )
            for index, name in [(1.0, "float"), (True, "bool"), ("0", "str")]
        ),
        ((3, 4), TypeError, "device(): argument 'type' (position 1) must be str, not int"),
        (
            (cpu, 0),
            TypeError,
            "device(): argument 'type' (position 1) must be str, not trilith.device",
        ),
        ((1,), RuntimeError, "Cannot access accelerator device when none is available."),
    ],
)
def test_refusals(arguments: tuple[Any, ...], kind: type[Exception], message: str):
    check_refusal(arguments, kind, message)


def check_refusal(arguments: tuple[Any, ...], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        Device(*arguments)
    assert isinstance(caught.value, TrilithError)
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("arguments", "keywords", "got", "reason"),
    [
        ((1.5,), {}, "(float)", "arguments have invalid types: (!float!)"),
        ((True,), {}, "(bool)", "arguments have invalid types: (!bool!)"),
        ((None,), {}, "(NoneType)", "arguments have invalid types: (!NoneType!)"),
        ((), {}, "()", ""),
        ((), {"index": 1}, "(index=int, )", "keywords were incorrect: index"),
        ((), {"foo": 1}, "(foo=int, )", "keywords were incorrect: foo"),
        (
            (),
            {"device": None},
            "(device=NoneType, )",
            "arguments have invalid types: (!device=NoneType!, )",
        ),
        (("cuda", 0, 1), {}, "(str, int, int)", ""),
    ],
)
def test_wrong_combination(
    arguments: tuple[Any, ...], keywords: dict[str, Any], got: str, reason: str
):
    with pytest.raises(TypeError) as caught:
        Device(*arguments, **keywords)
    because = f"      didn't match because some of the {reason}\n" if reason else ""
    assert caught.value.args[0].rstrip("\n") == (
        f"{COMBINATION}{got}, but expected one of:\n * (trilith.device device)\n{because}"
        " * (str type, int index = -1)"
    )


def test_equality_order_and_hash():
    assert Device("cuda:0") is Device("cuda", 0)
    assert hash(Device("cuda:0")) == hash(Device("cuda", 0))
    assert Device("cuda") != Device("cuda:0")
    assert cpu != Device("cpu:0")
    assert cpu != "cpu"
    with pytest.raises(TypeError, match=r"^comparison not implemented"):
        _ = Device("cuda:0") < Device("cuda:1")
    with pytest.raises(TypeError, match="not supported between instances"):
        _ = Device("cuda:0") >= "cuda:1"  # pyright: ignore[reportOperatorIssue]  # the point


def test_text_and_pickle():
    device = Device("opencl", 0)
    assert (repr(device), str(device)) == ("device(type='opencl', index=0)", "opencl:0")
    assert (repr(cpu), str(cpu)) == ("device(type='cpu')", "cpu")
    for value in (device, cpu):
        assert pickle.loads(pickle.dumps(value)) is value
        assert copy.deepcopy(value) is value
    with pytest.raises(AttributeError):
        setattr(device, "index", 1)  # noqa: B010


@pytest.mark.usefixtures("accelerator")
def test_bare_index_is_the_accelerator():
    assert str(Device(1)) == "opencl:1"
    assert str(as_device(np.int32(0))) == "opencl:0"  # pyright: ignore[reportArgumentType]


def test_default_device():
    meta = Device("meta")
    assert get_default_device() is cpu
    set_default_device("cuda:3")  # need not exist
    try:
        assert str(get_default_device()) == "cuda:3"
        with meta as entered:
            assert entered is meta
            with cpu:
                assert as_device(None) is cpu
            set_default_device("opencl")  # the innermost context still wins
            assert as_device(None) is meta
            assert as_device("cpu") is cpu
        assert str(get_default_device()) == "opencl"
    finally:
        set_default_device(None)
    assert get_default_device() is cpu
    with pytest.raises(RuntimeError, match="device type at start of device string: gpu"):
        set_default_device("gpu")


def test_context_ends_with_an_error():
    with pytest.raises(KeyError), Device("meta"):
        raise KeyError
    assert get_default_device() is cpu
    with pytest.raises(RuntimeError, match="left more often"):
        cpu.__exit__(None, None, None)


def test_a_block_may_return_and_be_left_by_hand():
    with contextlib.ExitStack() as stack:
        stack.enter_context(Device("meta"))
        assert get_default_device() == Device("meta")
    assert get_default_device() is cpu
    device = Device("meta")
    device.__enter__()
    assert get_default_device() is device
    assert not device.__exit__(None, None, None)
    assert get_default_device() is cpu


def test_an_interrupt_leaves_no_block_entered():
    def work() -> None:
        with Device("meta"):
            seen.append(get_default_device().type)

    seen: list[str] = []
    places = 0
    for _ in interruptions(work, device_module):
        places += 1
        assert get_default_device() is cpu
        work()
        assert seen.pop() == "meta"
        assert get_default_device() is cpu
        assert not PLACES.count
    assert places > 4


def test_default_device_is_per_thread():
    seen: list[Device] = []
    with Device("meta"):
        thread = threading.Thread(target=lambda: seen.append(get_default_device()))
        thread.start()
        thread.join()
    assert seen == [cpu]


@pytest.mark.parametrize(
    ("device", "is_host", "has_values", "has_indices"),
    [
        ("cpu", True, True, False),
        ("cpu:0", True, True, False),
        ("meta", False, False, False),
        ("opencl:1", False, True, True),
        ("cuda", False, True, True),
    ],
)
def test_what_code_decides_by(device: str, is_host: bool, has_values: bool, has_indices: bool):
    made = Device(device)
    assert (made.is_host, made.has_values, made.has_indices) == (is_host, has_values, has_indices)
