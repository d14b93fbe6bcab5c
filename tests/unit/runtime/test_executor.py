"""Do artifacts run: memory, order of launches, scalars, faults, views, threads?"""

import os
import pickle
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes.device import cpu
from trilith.dialects.attributes.spec import ScalarSpec, TensorSpec
from trilith.dialects.diagnostics import InternalError, Location, TrilithError
from trilith.dialects.kernel.memory import FAULTS as KERNEL_FAULTS
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.execution.artifact import (
    FAULTS,
    Artifact,
    BufferPlan,
    KernelCode,
    Launch,
    OutputPlan,
    ScalarSlot,
)
from trilith.runtime.execution.number_bits import wrap_integer
from trilith.runtime.executor import FAULT_ERRORS, Executable
from trilith.runtime.tensors.interchange import from_numpy
from trilith.runtime.tensors.tensor import Tensor, empty_tensor

Kernel = Callable[[str], KernelCode]


def of(*shape: int, dtype: dtypes.DType = dtypes.float32, strides: Any = None) -> TensorSpec:
    return TensorSpec.of(shape, dtype, strides=strides)


def add_artifact(kernel: Kernel, n: int) -> Artifact:
    """x + y"""
    return Artifact(
        name="add",
        kernels=(kernel("add"),),
        buffers=(
            BufferPlan("input", 0, 4 * n),
            BufferPlan("input", 1, 4 * n),
            BufferPlan("output", 0, 4 * n),
        ),
        launches=(Launch(0, (0, 1, 2), (n, 0, 0, 0)),),
        outputs=(OutputPlan(2, of(n)),),
        inputs=(of(n), of(n)),
    )


def floats(*values: float) -> Tensor:
    return from_numpy(np.array(values, np.float32))


def test_one_kernel(kernel: Kernel):
    executable = Executable(add_artifact(kernel, 3))
    (z,) = executable.run([floats(1, 2, 3), floats(10, 20, 30)])
    assert z.tolist() == [11, 22, 33]
    assert z.spec is of(3)


def test_inputs_begin_at_their_first_element(kernel: Kernel):
    x = floats(*range(10))
    executable = Executable(add_artifact(kernel, 3))
    (z,) = executable.run([Tensor(x.memory, of(3), 2), Tensor(x.memory, of(3), 7)])
    assert z.tolist() == [9, 11, 13]


def test_outputs_are_fresh_and_reuse_freed_memory(kernel: Kernel):
    executable = Executable(add_artifact(kernel, 3))
    arguments = [floats(1, 2, 3), floats(1, 1, 1)]
    first, second = executable.run(arguments)[0], executable.run(arguments)[0]
    assert first.data_ptr() != second.data_ptr()
    address = second.data_ptr()
    del second
    assert executable.run(arguments)[0].data_ptr() == address


def test_size_zero_and_rank_zero(kernel: Kernel):
    empty = empty_tensor(of(0))
    (z,) = Executable(add_artifact(kernel, 0)).run([empty, empty])
    assert z.shape == (0,)
    scalar = replace(add_artifact(kernel, 1), inputs=(of(), of()), outputs=(OutputPlan(2, of()),))
    (z,) = Executable(scalar).run([from_numpy(np.array(1, np.float32)) for _ in range(2)])
    assert z.item() == 2


def test_temporaries_constants_and_order(kernel: Kernel):
    """(x + c) + (x + x), with both sums in the arena."""
    artifact = Artifact(
        name="chain",
        kernels=(kernel("add"),),
        buffers=(
            BufferPlan("input", 0, 8),
            BufferPlan("constant", 0, 8, data=np.array([100, 200], np.float32).tobytes()),
            BufferPlan("temporary", 0, 8, arena_offset=0),
            BufferPlan("temporary", 1, 8, arena_offset=64),
            BufferPlan("output", 0, 8),
        ),
        launches=(
            Launch(0, (0, 1, 2), (2, 0, 0, 0)),
            Launch(0, (0, 0, 3), (2, 0, 0, 0)),
            Launch(0, (2, 3, 4), (2, 0, 0, 0)),
        ),
        outputs=(OutputPlan(4, of(2)), OutputPlan(1, of(2))),
        inputs=(of(2),),
        arena_nbytes=72,
    )
    executable = Executable(artifact)
    allocator: Any = runtime_of(cpu).allocator
    before = allocator.stats().in_use
    for _ in range(3):
        outputs = executable.run([floats(1, 2)])
        assert [output.tolist() for output in outputs] == [[103, 206], [100, 200]]
        assert not outputs[1].numpy().flags.writeable
        outputs.clear()
    assert allocator.stats().in_use == before


def test_outputs_may_share_a_buffer_and_have_strides(kernel: Kernel):
    artifact = replace(
        add_artifact(kernel, 6),
        outputs=(
            OutputPlan(2, of(2, 3, strides=(1, 2))),
            OutputPlan(2, of(2), storage_offset=4),
        ),
    )
    matrix, tail = Executable(artifact).run([floats(*range(6)), floats(*[0] * 6)])
    assert matrix.tolist() == [[0, 2, 4], [1, 3, 5]]
    assert tail.tolist() == [4, 5]
    assert tail.untyped_storage() is matrix.untyped_storage()


def view_artifact(spec: TensorSpec, output: TensorSpec, offset: int) -> Artifact:
    return Artifact(
        name="view",
        kernels=(),
        buffers=(BufferPlan("input", 0, spec.nbytes),),
        launches=(),
        outputs=(OutputPlan(0, output, offset),),
        inputs=(spec,),
    )


def test_a_view_of_an_input_shares_its_storage():
    x = floats(*range(10))
    part = Tensor(x.memory, of(6), 2)
    (y,) = Executable(view_artifact(of(6), of(2, strides=(3,)), 1)).run([part])
    assert y.tolist() == [3, 6]
    assert y.storage_offset() == 3
    assert y.untyped_storage() is x.untyped_storage()
    (before,) = Executable(view_artifact(of(6), of(1), -2)).run([part])
    assert before.tolist() == [0]


def test_a_view_of_another_dtype():
    x = floats(*range(10))
    int64 = TensorSpec.of((2,), dtypes.int64)
    executable = Executable(view_artifact(of(4), int64, 0))
    assert executable.run([Tensor(x.memory, of(4), 2)])[0].storage_offset() == 1
    with pytest.raises(RuntimeError, match=r"storage_offset\(\) must be divisible by 2 to view Fl"):
        executable.run([Tensor(x.memory, of(4), 1)])


def test_a_view_outside_the_storage_is_refused():
    executable = Executable(view_artifact(of(4), of(5), 0))
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 16"):
        executable.run([floats(1, 2, 3, 4)])


def test_in_place_needs_writable_memory(kernel: Kernel):
    artifact = Artifact(
        name="add_",
        kernels=(kernel("add"),),
        buffers=(BufferPlan("input", 0, 8, is_written=True), BufferPlan("input", 1, 8)),
        launches=(Launch(0, (0, 1, 0), (2, 0, 0, 0)),),
        outputs=(OutputPlan(0, of(2)),),
        inputs=(of(2), of(2)),
    )
    executable = Executable(artifact)
    x = floats(1, 2)
    (y,) = executable.run([x, floats(10, 10)])
    assert x.tolist() == [11, 12]
    assert y.data_ptr() == x.data_ptr()
    fixed = np.zeros(2, np.float32)
    fixed.flags.writeable = False
    text = "argument 0 of 'add_' is written to, but its memory is read-only"
    with pytest.raises(RuntimeError, match=text) as caught:
        executable.run([from_numpy(fixed), x])
    assert "clone() the tensor" in str(caught.value)
    executable.run([x, from_numpy(fixed)])


# Scalars


def bits_of(kernel: Kernel, slot: ScalarSlot, value: Any) -> int:
    """What a kernel sees of a Python number."""
    artifact = Artifact(
        name="fill",
        kernels=(kernel("fill"),),
        buffers=(BufferPlan("output", 0, 8),),
        launches=(Launch(0, (0,), (1, 0, 0), (slot,)),),
        outputs=(OutputPlan(0, TensorSpec.of((1,), dtypes.int64)),),
        inputs=(),
        scalars=(ScalarSpec.of(value),),
    )
    return Executable(artifact).run([], [value])[0].item()  # pyright: ignore


def numpy_bits(value: Any) -> int:
    return int.from_bytes(value.tobytes(), "little", signed=value.itemsize == 8)


SCALARS: list[tuple[dtypes.DType, Any, int]] = [
    (dtypes.bool_, True, 1),
    (dtypes.bool_, 5, 1),
    (dtypes.uint8, 300, 44),
    (dtypes.uint8, -1, 255),
    (dtypes.int8, 200, -56),
    (dtypes.int16, -1, -1),
    (dtypes.uint32, 2**32 - 1, 2**32 - 1),
    (dtypes.int32, 2**31, -(2**31)),
    (dtypes.int64, 2**63, -(2**63)),
    (dtypes.int64, -(2**63), -(2**63)),
    (dtypes.uint64, 2**64 - 1, -1),
    (dtypes.uint64, True, 1),
    (dtypes.float64, 0.1, numpy_bits(np.float64(0.1))),
    (dtypes.float64, -0.0, -(2**63)),
    (dtypes.float64, 3, numpy_bits(np.float64(3))),
    (dtypes.float32, 0.1, numpy_bits(np.float32(0.1))),
    (dtypes.float32, 1e300, numpy_bits(np.float32(np.inf))),
    (dtypes.float32, -1e300, numpy_bits(np.float32(-np.inf))),
    (dtypes.float32, 3.4028235677973366e38, numpy_bits(np.float32(np.inf))),
    (dtypes.float32, 2**63, numpy_bits(np.float32(2**63))),
    (dtypes.float16, 0.1, numpy_bits(np.float16(0.1))),
    (dtypes.float16, 1e6, numpy_bits(np.float16(np.inf))),
    (dtypes.bfloat16, 0.1, numpy_bits(ml_dtypes.bfloat16(0.1))),
    (dtypes.float8_e5m2, 1.5, numpy_bits(np.array(1.5, ml_dtypes.float8_e5m2))),
]


@pytest.mark.parametrize(("dtype", "value", "expected"), SCALARS, ids=str)
def test_scalars_arrive_as_bits(kernel: Kernel, dtype: dtypes.DType, value: Any, expected: int):
    assert bits_of(kernel, ScalarSlot(1, 0, dtype), value) == expected


def test_nan_and_components(kernel: Kernel):
    nan = bits_of(kernel, ScalarSlot(1, 0, dtypes.float32), float("nan"))
    assert np.isnan(np.array(nan, np.uint32).view(np.float32))
    for part, expected in (("real", 1.5), ("imag", -2.0)):
        slot = ScalarSlot(1, 0, dtypes.float64, part)  # pyright: ignore
        assert bits_of(kernel, slot, 1.5 - 2j) == numpy_bits(np.float64(expected))


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1], ids=str)
def test_integers_too_big(kernel: Kernel, value: int):
    for dtype in (dtypes.int64, dtypes.uint8, dtypes.float32, dtypes.float64):
        with pytest.raises(OverflowError, match="int too big to convert"):
            bits_of(kernel, ScalarSlot(1, 0, dtype), value)


def test_complex_is_no_real_number(kernel: Kernel):
    with pytest.raises(TypeError, match="must be real number, not complex"):
        bits_of(kernel, ScalarSlot(1, 0, dtypes.float32), 1j)


@pytest.mark.parametrize("dtype", dtypes.ALL_DTYPES[1:9], ids=str)
def test_wrapping_agrees_with_numpy(dtype: dtypes.DType):
    for value in (0, 1, -1, 127, 128, 255, 256, -129, 2**31, 2**32 + 5, 2**63 - 1, -(2**63)):
        expected = np.array(value, np.int64).astype(dtype.numpy)
        as_signed = int(expected.view(np.int64)) if dtype.bits == 64 else int(expected)
        assert wrap_integer(value, dtype) == as_signed


# Faults


def failing(kernel: Kernel, code: int, position: int, places: tuple[Any, ...]) -> Artifact:
    return Artifact(
        name="fail",
        kernels=(kernel("fail"), kernel("fill")),
        buffers=(BufferPlan("output", 0, 8),),
        launches=(Launch(0, (), (code, position), (), places), Launch(1, (0,), (1, 7, 0))),
        outputs=(OutputPlan(0, TensorSpec.of((1,), dtypes.int64)),),
        inputs=(),
    )


HERE = Location("model.py", 7, text="z = x // y")


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_faults_become_errors_at_the_users_line(kernel: Kernel, number: int):
    kind, message = FAULT_ERRORS[FAULTS[number]]
    with pytest.raises(kind) as caught:
        Executable(failing(kernel, number + 1, 1, (None, HERE))).run([])
    assert caught.value.message == message.format(0, 0, 0)
    assert caught.value.location is HERE


def test_division_by_zero_reads_as_in_pytorch(kernel: Kernel):
    with pytest.raises(RuntimeError, match=r"^ZeroDivisionError\n  --> model.py:7\n    z = x // y"):
        Executable(failing(kernel, 1, 0, (HERE,))).run([])


def test_no_fault_and_unknown_places(kernel: Kernel):
    assert Executable(failing(kernel, 0, 0, (HERE,))).run([])[0].item() == 7
    for position in (5, -1):
        with pytest.raises(TrilithError) as caught:
            Executable(failing(kernel, 1, position, (HERE,))).run([])
        assert caught.value.location is not None
        assert caught.value.location.file == __file__, "no better place is known than the call"
    with pytest.raises(InternalError, match="unknown fault 99"):
        Executable(failing(kernel, 99, 0, ())).run([])


def test_the_fault_list_is_that_of_the_kernel_dialect():
    assert KERNEL_FAULTS == FAULTS
    assert set(FAULT_ERRORS) == set(FAULTS)


# Misuse


def test_wrong_arguments(kernel: Kernel):
    executable = Executable(add_artifact(kernel, 3))
    with pytest.raises(InternalError, match="'add' was compiled for"):
        executable.run([floats(1, 2, 3), floats(1, 2)])
    with pytest.raises(InternalError, match="'add' was compiled for"):
        executable.run([floats(1, 2, 3)])
    with pytest.raises(InternalError, match="takes 0 numbers, got 1"):
        executable.run([floats(1, 2, 3), floats(1, 2, 3)], [1])


# Many threads and processes


def test_threads_share_an_executable(kernel: Kernel):
    executable = Executable(add_artifact(kernel, 1000))
    problems: list[int] = []

    def work(number: int) -> None:
        x = from_numpy(np.full(1000, number, np.float32))
        for _ in range(300):
            (z,) = executable.run([x, x])
            if not (z.numpy() == 2 * number).all():
                problems.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_the_gil_is_free_while_a_kernel_runs(kernel: Kernel):
    artifact = Artifact(
        name="wait",
        kernels=(kernel("wait"),),
        buffers=(BufferPlan("input", 0, 4),),
        launches=(Launch(0, (0,), (0,)),),
        outputs=(),
        inputs=(TensorSpec.of((1,), dtypes.int32),),
    )
    flag = np.zeros(1, np.int32)
    thread = threading.Thread(target=Executable(artifact).run, args=([from_numpy(flag)],))
    thread.start()
    flag[0] = 1  # reached only if the waiting kernel holds no lock of Python's
    thread.join(20)
    assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_executables_survive_fork(kernel: Kernel):
    executable = Executable(add_artifact(kernel, 3))
    arguments = [floats(1, 2, 3), floats(1, 1, 1)]
    executable.run(arguments)
    child = os.fork()
    if not child:
        status = 1
        try:
            again = Executable(replace(add_artifact(kernel, 3), name="again"))
            if [e.run(arguments)[0].tolist() for e in (executable, again)] == [[2, 3, 4]] * 2:
                status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_pickles_as_its_artifact(kernel: Kernel):
    executable = Executable(add_artifact(kernel, 3))
    again = pickle.loads(pickle.dumps(executable))
    assert again.artifact == executable.artifact
    assert again.run([floats(1, 2, 3), floats(1, 1, 1)])[0].tolist() == [2, 3, 4]
