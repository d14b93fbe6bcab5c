"""Is an artifact validated, and does its stored form come back or get refused?"""

import hashlib
import json
import pickle
import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.device import Device
from trilith.dialects.attributes.layout import sparse_coo
from trilith.dialects.attributes.spec import ScalarSpec, TensorSpec
from trilith.dialects.diagnostics import InternalError, Location
from trilith.runtime.execution import artifact_form
from trilith.runtime.execution.artifact import (
    Artifact,
    BufferPlan,
    KernelCode,
    Launch,
    OutputPlan,
    ScalarSlot,
    Transfer,
)
from trilith.runtime.execution.kernel_memory import KernelBuffer, WalkedDim

SPEC = TensorSpec.of((2, 3), dtypes.float32)
COLUMNS = TensorSpec.of((2, 3), dtypes.float32, strides=(1, 2))
PAIR = TensorSpec.of((2,), dtypes.uint8)

# Integer 0 elements, at a step of integer 2, from integer 1 or 3 on; the last two are numbers.
READ = KernelBuffer(4, 1, False, False, ((WalkedDim(0, 2, 1),),))
WRITTEN = KernelBuffer(4, 3, True, True, ((WalkedDim(0, None, 2),), (WalkedDim(0, 2, 1),)))

WHOLE = Artifact(
    name="whole",
    kernels=(
        KernelCode("first", "k1", "cpu", b"\x00\xffcode", 3, 6, True, (READ, WRITTEN)),
        KernelCode("second", "k2", "cpu", b"", 1, 1, False, (KernelBuffer(4, 0, True, True, ()),)),
    ),
    buffers=(
        BufferPlan("input", 0, 24, is_written=True),
        BufferPlan("output", 0, 24),
        BufferPlan("temporary", 0, 100, arena_offset=64),
        BufferPlan("constant", 0, 3, data=b"abc"),
        BufferPlan("constant", 1, 0, data=b""),
    ),
    launches=(
        Launch(
            0,
            (0, 1),
            (3, 1, 2, 0, -(2**63), 2**63 - 1),
            (ScalarSlot(5, 0, dtypes.bfloat16), ScalarSlot(4, 1, dtypes.float64, "imag")),
            (None, Location("m.py", 7, 3, "f", "x // y"), Location("ü.py", 1)),
        ),
        Launch(1, (2,), (0,)),
    ),
    outputs=(OutputPlan(1, COLUMNS), OutputPlan(0, SPEC, -5), OutputPlan(3, PAIR, 1)),
    inputs=(SPEC,),
    scalars=(ScalarSpec.of(1.5), dtypes.complex64),
    arena_nbytes=164,
    key="the key",
)


def test_the_stored_form_comes_back():
    data = WHOLE.to_bytes()
    again = Artifact.from_bytes(data)
    assert again == WHOLE
    assert again.inputs[0] is SPEC
    assert again.scalars[0] is WHOLE.scalars[0]
    first = again.launches[0]
    assert isinstance(first, Launch)
    assert first.scalars[0].dtype is dtypes.bfloat16
    assert again.to_bytes() == data


def test_pickles_as_plain_data():
    assert pickle.loads(pickle.dumps(WHOLE)) == WHOLE
    assert hash(WHOLE) == hash(pickle.loads(pickle.dumps(WHOLE)))


def test_the_device_is_that_of_the_tensors():
    assert WHOLE.device.type == "cpu"
    assert Artifact("none", (), (), (), (), ()).device.type == "cpu"
    on_gpu = TensorSpec.of((1,), dtypes.int8, Device("opencl:0"))
    output = replace(
        Artifact("made", (), (BufferPlan("output", 0, 1),), (), (OutputPlan(0, on_gpu),), ()),
    )
    assert str(output.device) == "opencl:0"


# Damage


@given(st.integers(min_value=0), st.integers(1, 255))
def test_any_flipped_byte_is_noticed(place: int, change: int):
    data = bytearray(WHOLE.to_bytes())
    data[place % len(data)] ^= change
    with pytest.raises(ValueError, match="artifact"):
        Artifact.from_bytes(bytes(data))


@given(st.integers(min_value=0))
def test_any_truncation_is_noticed(length: int):
    data = WHOLE.to_bytes()
    with pytest.raises(ValueError, match="artifact"):
        Artifact.from_bytes(data[: length % len(data)])


def test_the_texts_say_what_is_wrong():
    data = WHOLE.to_bytes()
    for damaged, text in (
        (b"", "too short"),
        (b"x" * 100, "not a stored artifact"),
        (
            data[:8] + struct.pack("<I", 99) + data[12:],
            f"version 99, expected {artifact_form.VERSION}",
        ),
        (data + b"x", "is damaged"),
    ):
        with pytest.raises(ValueError, match=text):
            Artifact.from_bytes(damaged)


def rewritten(change: Callable[[Any], Any]) -> bytes:
    """The stored form with changed content and a right checksum: what a bug of ours could write."""
    header: Any = struct.Struct("<8sIQQ32s")
    data = WHOLE.to_bytes()
    _, _, text_length, _, _ = header.unpack_from(data)
    body = data[header.size :]
    content = json.loads(body[:text_length])
    change(content)
    text = json.dumps(content).encode()
    body = text + body[text_length:]
    digest = hashlib.blake2b(body, digest_size=32).digest()
    return (
        header.pack(artifact_form.MAGIC, artifact_form.VERSION, len(text), len(body), digest) + body
    )


CHANGES: dict[str, Callable[[Any], Any]] = {
    "no name": lambda c: c.pop("name"),
    "kernel that is no list": lambda c: c["kernels"].__setitem__(0, 5),
    "kernel of wrong types": lambda c: c["kernels"][0].__setitem__(3, "3"),
    "bool for integer": lambda c: c["kernels"][0].__setitem__(3, True),
    "no such data": lambda c: c["kernels"][0].__setitem__(8, 17),
    "negative data": lambda c: c["kernels"][0].__setitem__(8, -2),
    "data beyond the end": lambda c: c.__setitem__("blobs", [10**9, 0, 3, 0]),
    "negative length": lambda c: c.__setitem__("blobs", [-5, 0, 3, 0]),
    "unknown dtype": lambda c: c["inputs"][0].__setitem__(1, "float128"),
    "unknown device": lambda c: c["inputs"][0].__setitem__(2, "gpu"),
    "unknown layout": lambda c: c["inputs"][0].__setitem__(4, "dense"),
    "negative size": lambda c: c["inputs"][0].__setitem__(0, [-1]),
    "fraction": lambda c: c["inputs"][0].__setitem__(0, [1.5, 2]),
    "role": lambda c: c["buffers"][0].__setitem__(0, "somewhere"),
    "kind of number": lambda c: c["scalars"].__setitem__(0, ["kind", "quaternion"]),
    "location": lambda c: c["launches"][0][4].__setitem__(1, ["m.py"]),
    "no list of integers": lambda c: c["launches"][0].__setitem__(1, 7),
    "out of bounds": lambda c: c["outputs"][0].__setitem__(2, 1),
}


@pytest.mark.parametrize("name", CHANGES)
def test_content_that_makes_no_sense_is_refused(name: str):
    with pytest.raises(ValueError, match="the stored artifact is not valid"):
        Artifact.from_bytes(rewritten(CHANGES[name]))


def test_content_that_does_is_not():
    assert Artifact.from_bytes(rewritten(lambda c: None)) == WHOLE


def test_several_devices_are_stored():
    assert Artifact.from_bytes(ACROSS.to_bytes()) == ACROSS
    assert not ACROSS.is_on_one_device
    assert WHOLE.is_on_one_device
    where = [str(ACROSS.device_of(buffer)) for buffer in ACROSS.buffers]
    assert where == ["cpu", "opencl:0", "opencl:1"]


# Validation


def launch(**changes: Any) -> Artifact:
    return replace(WHOLE, launches=(replace(WHOLE.launches[0], **changes),))


def buffer(place: int, **changes: Any) -> Artifact:
    buffers = list(WHOLE.buffers)
    buffers[place] = replace(buffers[place], **changes)
    return replace(WHOLE, buffers=tuple(buffers))


def integers(place: int, value: int) -> Artifact:
    """The first launch with another integer."""
    values = [3, 1, 2, 0, 0, 0]
    values[place] = value
    return launch(integers=tuple(values), scalars=())


def kernel(**changes: Any) -> Artifact:
    return replace(WHOLE, kernels=(replace(WHOLE.kernels[0], **changes), *WHOLE.kernels[1:]))


def swapped() -> Artifact:
    """The first launch writes to the input, which its plan does not say."""
    changed = replace(WHOLE, launches=(replace(WHOLE.launches[0], buffers=(1, 0)),))
    return replace(
        changed, buffers=(replace(WHOLE.buffers[0], is_written=False), *WHOLE.buffers[1:])
    )


OPENCL = TensorSpec.of((2, 3), dtypes.float32, Device("opencl:0"))
ACROSS = Artifact(
    name="across",
    kernels=(),
    buffers=(
        BufferPlan("input", 0, 24, is_written=True),
        BufferPlan("output", 0, 24),
        BufferPlan("temporary", 0, 24, device=Device("opencl:1")),
    ),
    launches=(Transfer(0, 0, 2, 24), Transfer(2, 0, 1, 24)),
    outputs=(OutputPlan(1, OPENCL),),
    inputs=(SPEC,),
    arena_nbytes=24,
)


def transfer(**changes: Any) -> Artifact:
    return replace(ACROSS, launches=(replace(ACROSS.launches[0], **changes),))


SPARSE = TensorSpec.of((2, 3), dtypes.float32, layout=sparse_coo)
INVALID: dict[str, tuple[Artifact, str]] = {
    "kernel": (launch(kernel=2), "launch 0: no kernel 2"),
    "pointers": (launch(buffers=(0,)), "takes 3 pointers and 6 integers, got 2 and 6"),
    "integers": (launch(integers=(1,)), "takes 3 pointers and 6 integers, got 3 and 1"),
    "no buffer": (launch(buffers=(0, 9)), "no such buffer"),
    "wide integer": (launch(integers=(3, 1, 2, 0, 0, 2**63)), "needs more than 64 bits"),
    "slot": (launch(scalars=(ScalarSlot(6, 0, dtypes.int8),)), "names no integer"),
    "slot argument": (launch(scalars=(ScalarSlot(4, 2, dtypes.int8),)), "names no integer"),
    "complex": (launch(scalars=(ScalarSlot(4, 1, dtypes.complex64),)), "components"),
    "input": (buffer(0, index=1), "buffer 0: no input 1"),
    "negative": (buffer(1, nbytes=-1), "negative size -1"),
    "arena": (buffer(2, nbytes=101), "ends at byte 165 of an arena of 164"),
    "before arena": (buffer(2, arena_offset=-1), "of an arena"),
    "constant": (buffer(3, nbytes=4), "a constant needs 4 bytes"),
    "no constant": (buffer(3, data=None), "a constant needs"),
    "written constant": (buffer(3, is_written=True), "never written"),
    "temporary output": (replace(WHOLE, outputs=(OutputPlan(2, SPEC),)), "is a temporary"),
    "output buffer": (replace(WHOLE, outputs=(OutputPlan(5, SPEC),)), "no buffer 5"),
    "sparse output": (replace(WHOLE, outputs=(OutputPlan(1, SPARSE),)), "layout trilith.sparse"),
    "from nowhere": (transfer(source=3), "launch 0: no such buffer"),
    "negative transfer": (transfer(nbytes=-1), "is negative"),
    "negative offset": (transfer(offset=-1), "is negative"),
    "long transfer": (transfer(nbytes=25), "leaves a buffer of 24 or of 24 bytes"),
    "late transfer": (transfer(offset=1), "leaves a buffer"),
    "transfer to itself": (transfer(target=0), "stays on one device"),
    "devices": (replace(WHOLE, outputs=(OutputPlan(1, OPENCL),)), r"\['cpu', 'opencl:0'\]"),
    "device of a view": (replace(WHOLE, outputs=(OutputPlan(0, OPENCL),)), "in memory of cpu"),
    "device of a constant": (buffer(3, device=Device("opencl:0")), "a constant lies on cpu"),
    "sparse input": (replace(WHOLE, inputs=(SPARSE,)), "input 0: layout trilith.sparse"),
    "long extent": (integers(0, 4), "touches bytes 4 to 32 of buffer 0, which has 24"),
    "late offset": (integers(1, 2), "touches bytes 8 to 28 of buffer 0"),
    "early offset": (integers(3, -1), "touches bytes -4 to 16 of buffer 1"),
    "long stride": (integers(2, 3), "touches bytes 4 to 32 of buffer 0"),
    "negative stride": (integers(2, -1), "touches bytes -4 to 8 of buffer 0"),
    "negative extent": (integers(0, -1), "the size -1 is negative"),
    "uncountable extent": (integers(0, 2**63 - 1), "are more than can be counted"),
    "small output": (buffer(1, nbytes=20), "out of bounds for storage of size 20"),
    "number as stride": (launch(scalars=(ScalarSlot(2, 0, dtypes.int8),)), "where a size, stride"),
    "unsaid write": (swapped(), "is written to"),
    "constant write": (launch(buffers=(0, 3), integers=(1, 0, 0, 0, 0, 0)), "buffer 3"),
    "one buffer twice": (launch(buffers=(1, 1)), "needs buffer 1 apart from buffer 1"),
    "pointers of a kernel": (kernel(pointers=4), "'first' was changed after it was compiled"),
    "code of a kernel": (kernel(code=b"other"), "kernel 0: 'first' was changed"),
    "steps of a kernel": (kernel(buffers=(READ, READ)), "kernel 0: 'first' was changed"),
    "target of a kernel": (kernel(target="opencl"), "kernel 0: 'first' was changed"),
    "unknown buffers": (kernel(buffers=(READ,), digest=""), "takes 3 pointers, 1 are known"),
    "unknown integers": (kernel(integers=3, digest=""), r"takes 3 integers and uses \[0, 1, 2, 3"),
}


@pytest.mark.parametrize("name", INVALID)
def test_invalid_artifacts(name: str):
    artifact, text = INVALID[name]
    with pytest.raises(InternalError, match=text):
        artifact.validate()


def test_an_output_must_fit():
    for output in (OutputPlan(1, SPEC, 1), OutputPlan(1, SPEC, -1), OutputPlan(3, SPEC)):
        with pytest.raises(InternalError, match=r"out of bounds|invalid storage offset"):
            replace(WHOLE, outputs=(output,)).validate()


def test_temporaries_that_meet_are_not_apart():
    written = KernelBuffer(4, 0, True, True, ((),))
    read = KernelBuffer(4, 1, False, False, ((),))
    two = KernelCode("two", "k", "cpu", b"", 2, 2, False, (written, read))
    for offset, problem in ((0, True), (4, True), (8, False)):
        places = (BufferPlan("temporary", 0, 8), BufferPlan("temporary", 1, 8, arena_offset=offset))
        launches = (Launch(0, (0, 1), (0, 0)),)
        artifact = Artifact("two", (two,), places, launches, (), (), arena_nbytes=16)
        if problem:
            with pytest.raises(InternalError, match="needs buffer 0 apart from buffer 1"):
                artifact.validate()
        else:
            artifact.validate()


def test_a_looked_up_dim_without_elements_is_touched():
    row = KernelBuffer(4, 1, False, False, ((WalkedDim(0, None, 1, is_looked_up=True),),))
    assert row.reach([0, 5]) == (20, 24)
    assert row.reach([3, 5]) == (20, 32)


@pytest.mark.parametrize("name", INVALID)
def test_what_is_restored_from_a_pickle_is_validated(name: str):
    with pytest.raises(InternalError):
        pickle.loads(pickle.dumps(INVALID[name][0]))
    with pytest.raises(ValueError, match="the stored artifact is not valid"):
        Artifact.from_bytes(INVALID[name][0].to_bytes())
