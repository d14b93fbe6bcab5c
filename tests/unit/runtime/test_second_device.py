"""Does a program run on a second device as it does on the host, and move what has to move?

The accelerator is a fake one that refuses launches on memory it does not own.
"""

import copy
import pickle
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import trilith as tri

from .fake_accelerator import KIND, FakeAccelerator, registered

HOST = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.fixture
def accelerator() -> Iterator[FakeAccelerator]:
    with registered() as runtime:
        yield runtime


@pytest.fixture
def x(accelerator: FakeAccelerator) -> Any:
    return tri.from_numpy(HOST).to(0)


def values(tensor: Any) -> Any:
    return tensor.cpu().numpy()


def test_an_ordinal_is_the_current_accelerator(accelerator: FakeAccelerator):
    assert tri.device(1) == tri.device(KIND, 1)
    assert tri.ones(2, device=0).device == tri.device(KIND, 0)
    assert tri.ones(2).to(1).device == tri.device(KIND, 1)
    assert tri.arange(3, device=KIND).device == tri.device(KIND, 0)
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        tri.ones(2, device=7)


def test_to_gives_the_tensor_itself_where_it_is(x: Any):
    assert x.to(0) is x
    assert x.to(KIND) is x
    assert x.to(f"{KIND}:0") is x
    assert x.to(0, copy=True) is not x
    assert x.to(1) is not x
    assert x.get_device() == 0
    assert x.to(1).get_device() == 1


def test_bytes_go_there_and_back(accelerator: FakeAccelerator, x: Any):
    assert accelerator.copied_in == [HOST.nbytes]
    np.testing.assert_array_equal(values(x), HOST)
    assert accelerator.copied_out == [HOST.nbytes]
    np.testing.assert_array_equal(values(x.to(1)), HOST)
    assert x.to(1).to("cpu").tolist() == HOST.tolist()


def test_an_empty_tensor_moves(x: Any):
    assert x[:, :0].cpu().shape == (2, 0, 4)
    assert tri.ones(0).to(0).device.type == KIND


@pytest.mark.parametrize(
    ("view", "strides"),
    [
        ("t[1, 1:]", (4, 1)),
        ("t.transpose(0, 2)", (1, 4, 12)),
        ("t.transpose(0, 2)[:, ::2]", (1, 4, 8)),
        ("t[:, :1, :1].expand(2, 3, 4)", (12, 4, 1)),
        ("t[1, 2, 3]", ()),
    ],
)
def test_a_move_keeps_dense_strides_and_packs_others(
    accelerator: FakeAccelerator, view: str, strides: tuple[int, ...]
):
    host = eval(view, {"t": tri.from_numpy(HOST)})
    there = host.to(0)
    assert there.stride() == strides
    back = eval(view, {"t": tri.from_numpy(HOST).to(0)}).cpu()
    assert back.stride() == strides
    np.testing.assert_array_equal(values(there), host.numpy())
    np.testing.assert_array_equal(back.numpy(), host.numpy())


def test_dtype_and_format_change_on_the_way(accelerator: FakeAccelerator):
    host = tri.from_numpy(HOST)
    moved = host[None].to(0, tri.int16, memory_format=tri.channels_last)
    assert (moved.dtype, moved.stride()) == (tri.int16, (24, 1, 8, 2))
    np.testing.assert_array_equal(values(moved), HOST[None].astype(np.int16))
    assert moved.to("cpu", tri.float64).dtype is tri.float64


def test_as_few_bytes_as_possible_travel(accelerator: FakeAccelerator):
    host = tri.from_numpy(HOST)
    wide, narrow = host.to(0, tri.float64), host.to(0, tri.int8)
    assert accelerator.copied_in == [HOST.nbytes, HOST.size]
    assert (wide.dtype, narrow.dtype) == (tri.float64, tri.int8)
    np.testing.assert_array_equal(wide.to("cpu", tri.float32).numpy(), HOST)
    np.testing.assert_array_equal(narrow.to("cpu", tri.float32).numpy(), HOST)
    assert accelerator.copied_out == [HOST.nbytes, HOST.size]


def test_numbers_go_into_the_kernel(accelerator: FakeAccelerator, x: Any):
    before = len(accelerator.copied_in)
    np.testing.assert_array_equal(values(x * 2.5 + 1), HOST * 2.5 + 1)
    assert len(accelerator.copied_in) == before
    assert accelerator.launches == 2


def test_a_0_dim_operand_of_the_host_moves(accelerator: FakeAccelerator, x: Any):
    number = tri.tensor(2.0, dtype=tri.float64)
    before = len(accelerator.copied_in)
    for result in (x + number, number + x):
        assert result.device == tri.device(0)
        assert result.dtype is tri.float32
        np.testing.assert_array_equal(values(result), HOST + 2)
    assert len(accelerator.copied_in) == before + 2
    assert tri.where(x > 2, x, number).device == tri.device(0)


def test_other_mixtures_are_refused(x: Any):
    host = tri.from_numpy(HOST)
    there = f"Tensor on device {KIND}:0 is not on the expected device cpu!"
    here = f"Tensor on device cpu is not on the expected device {KIND}:0!"
    for operation, message in (
        (lambda: host + x, there),
        (lambda: x + host, here),
        (lambda: x.sum() + host, here),
        (lambda: host + x.sum(), there),
        (lambda: tri.cat([x, host]), here),
        (lambda: host @ x.transpose(1, 2), there),
        (lambda: x + x.to(1), f"Tensor on device {KIND}:1 is not on the expected device {KIND}:0!"),
    ):
        with pytest.raises(RuntimeError) as caught:
            operation()
        assert str(caught.value).splitlines()[0] == message


def test_reductions_views_and_products(x: Any):
    np.testing.assert_array_equal(values(x.sum(1)), HOST.sum(1))
    np.testing.assert_array_equal(values(x @ x.transpose(1, 2)), HOST @ HOST.transpose(0, 2, 1))
    np.testing.assert_array_equal(values(tri.cat([x, x], 1)), np.concatenate([HOST, HOST], 1))
    np.testing.assert_array_equal(values(x.permute(2, 0, 1)[1:]), HOST.transpose(2, 0, 1)[1:])
    assert x.sum().item() == HOST.sum()
    assert (float(x[0, 0, 1]), bool(x[0, 0, 0]), f"{x[1, 0, 0]:.1f}") == (1.0, False, "12.0")


def test_faults_are_found(x: Any):
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        _ = x.int() // tri.tensor(0)


def test_text_and_numpy(x: Any):
    assert repr(x[0, 0, :2]) == f"tensor([0., 1.], device='{KIND}:0')"
    with pytest.raises(TypeError, match=f"^can't convert {KIND} device type tensor to numpy"):
        x.numpy()
    np.testing.assert_array_equal(x.numpy(force=True), HOST)


def test_copies_and_pickles_stay_on_the_device(x: Any):
    for again in (
        copy.deepcopy(x),
        pickle.loads(pickle.dumps(x)),
        pickle.loads(pickle.dumps(x, 5)),
    ):
        assert again.device == x.device
        assert again.data_ptr() != x.data_ptr()
        np.testing.assert_array_equal(values(again), HOST)


def test_indices_of_the_host_go_along(x: Any):
    places, mask = tri.tensor([1, 0]), tri.from_numpy(HOST > 5)
    np.testing.assert_array_equal(values(x[places]), HOST[[1, 0]])
    np.testing.assert_array_equal(values(x[places.to(0)]), HOST[[1, 0]])
    np.testing.assert_array_equal(values(x[mask]), HOST[HOST > 5])
    np.testing.assert_array_equal(values(x[mask.to(0)]), HOST[HOST > 5])
    x[mask] = 0.0
    x[places, places] = tri.ones(4, device=0)
    expected = np.where(HOST > 5, 0, HOST)
    expected[[1, 0], [1, 0]] = 1
    np.testing.assert_array_equal(values(x), expected)


def test_writing(accelerator: FakeAccelerator, x: Any):
    x.add_(1)
    np.testing.assert_array_equal(values(x), HOST + 1)
    x.mul_(tri.tensor(2.0))
    np.testing.assert_array_equal(values(x), (HOST + 1) * 2)
    x.copy_(tri.from_numpy(HOST))
    np.testing.assert_array_equal(values(x), HOST)
    host = tri.zeros(2, 3, 4)
    host.copy_(x)
    np.testing.assert_array_equal(host.numpy(), HOST)
    with pytest.raises(RuntimeError, match=r"^Attempting to copy from device cpu to device"):
        eval("tri.add(host, 1, out=x)", {"tri": tri, "host": host, "x": x})


def test_one_function_on_several_devices(accelerator: FakeAccelerator):
    @tri.compile
    def f(a: Any) -> Any:
        there = (a * 2).to(0)
        other = there.to(1) + 1
        return there.t() + 1, other.cpu() @ a.t(), other.to("meta"), (there.exp() * 0).sum().cpu()

    host = tri.from_numpy(HOST[0])
    for _ in range(2):
        first, second, third, fourth = f(host)
        assert [str(result.device) for result in (first, second, third, fourth)] == [
            f"{KIND}:0",
            "cpu",
            "meta",
            "cpu",
        ]
        np.testing.assert_array_equal(values(first), HOST[0].T * 2 + 1)
        np.testing.assert_array_equal(second.numpy(), (HOST[0] * 2 + 1) @ HOST[0].T)
        assert fourth.item() == 0
    assert f.stats().traces == 1


def read_then_write(x: Any) -> Any:
    moved = x.to(1)
    x.add_(1)
    return moved


def write_between_two_reads(x: Any) -> Any:
    first = x[1:].to(1)
    x.t().mul_(3)
    second = x[1:].to(1)
    x.zero_()
    return first + second


def write_what_was_moved(x: Any) -> Any:
    there = x.to(1)
    there.add_(1)
    x.mul_(2)
    x.copy_(there)
    return there.to(x.device) - x


@pytest.mark.parametrize("device", ["cpu", KIND])
@pytest.mark.parametrize(
    ("function", "result", "left"),
    [
        (read_then_write, HOST[0], HOST[0] + 1),
        (write_between_two_reads, HOST[0, 1:] * 4, HOST[0] * 0),
        (write_what_was_moved, HOST[0] * 0, HOST[0] + 1),
    ],
)
def test_moves_and_writes_keep_their_order(
    accelerator: FakeAccelerator, device: str, function: Any, result: Any, left: Any
):
    runs: list[Any] = [function, tri.compile(function)]
    for run in runs:
        x = tri.from_numpy(HOST[0].copy()).to(device)
        np.testing.assert_array_equal(values(run(x)), result)
        np.testing.assert_array_equal(values(x), left)


def test_an_artifact_of_several_devices_is_stored(accelerator: FakeAccelerator):
    from trilith.runtime.execution.artifact import Artifact
    from trilith.runtime.executor import Executable

    host = tri.from_numpy(HOST)
    lowered = tri.trace(lambda a: (a.to(0) + 1).exp().sum(0).cpu(), host).lower()
    data = lowered.compile().artifact.to_bytes()
    again = Artifact.from_bytes(data)
    assert again.to_bytes() == data
    (result,) = Executable(again).run([host])
    np.testing.assert_allclose(result.numpy(), np.exp(HOST + 1).sum(0), rtol=1e-6)


def test_the_default_device(accelerator: FakeAccelerator):
    with tri.device(0):
        assert tri.ones(2).device == tri.device(0)
        assert tri.tensor([1.0]).device == tri.device(0)
        assert tri.ones(2, device="cpu").device == tri.device("cpu")
        with tri.device(1):
            assert tri.zeros(2).device == tri.device(1)
        assert values(tri.arange(3) + tri.ones(3, dtype=tri.int64)).tolist() == [1, 2, 3]
    tri.set_default_device(1)
    try:
        assert tri.zeros(2).device == tri.device(1)
        seen: list[Any] = []
        thread = threading.Thread(target=lambda: seen.append(tri.zeros(2).device))
        thread.start()
        thread.join()
        assert seen == [tri.device("cpu")]
    finally:
        tri.set_default_device(None)
    assert tri.zeros(2).device == tri.device("cpu")


def test_memory_comes_back(accelerator: FakeAccelerator):
    held = len(accelerator.allocator.blocks)
    x = tri.ones(1000, device=0)
    assert len(accelerator.allocator.blocks) == held + 1
    del x
    assert len(accelerator.allocator.blocks) == held


def test_the_accelerator_namespace(accelerator: FakeAccelerator):
    assert tri.accelerator.is_available()
    assert tri.accelerator.current_accelerator() == tri.device(KIND)
    tri.accelerator.synchronize()


def test_the_accelerator_namespace_without_one():
    assert not tri.accelerator.is_available()
    assert tri.accelerator.current_accelerator() is None
    with pytest.raises(RuntimeError, match="Cannot access accelerator device"):
        tri.accelerator.synchronize()
    assert not tri.ones(1).is_cuda


def test_conjugates_travel(accelerator: FakeAccelerator):
    """What arrives is no conjugate view, as in PyTorch; on a device it is one as on the host."""
    host = tri.tensor([[1 + 2j, 3j], [4, 5 - 1j]])
    for part in (host.conj(), host.conj().t(), host.conj()[:, 1]):
        moved = part.to(0)
        assert not moved.is_conj()
        assert moved.tolist() == part.tolist()
    there = host.to(0)
    seen = there.conj()
    assert seen.is_conj()
    assert seen.tolist() == seen.cpu().tolist() == host.conj().tolist()
    seen[0].mul_(1j)
    assert there[0].tolist() == [2 - 1j, 3 + 0j]
    assert str(seen[0]) == f"tensor([2.+1.j, 3.+0.j], device='{KIND}:0')"
