"""Do tensors on an OpenCL device do what the host's do, eagerly and compiled, bit for bit?"""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

from .opencl_support import runtime

HOST = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.fixture
def x() -> Any:
    runtime()
    return tri.from_numpy(HOST.copy()).to("opencl:0")


def same(result: Any, expected: Any) -> None:
    """Two tensors have one dtype, one shape and the same bits."""
    assert result.device.type == "opencl"
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    assert result.is_conj() == expected.is_conj()
    found, wanted = result.cpu().resolve_conj(), expected.resolve_conj()
    assert found.contiguous().numpy().tobytes() == wanted.contiguous().numpy().tobytes()


def test_factories(x: Any):
    def made(device: str) -> list[tri.Tensor]:
        return [
            tri.ones(3, device=device),
            tri.arange(5, device=device),
            tri.full((2, 2), 1.5, device=device),
            tri.eye(3, device=device),
            tri.tensor([[1, 2], [3, 4]], device=device),
        ]

    for result, expected in zip(made("opencl:0"), made("cpu"), strict=True):
        same(result, expected)
    with tri.device("opencl:0"):
        same(tri.zeros(2), tri.zeros(2, device="cpu"))


@pytest.mark.parametrize(
    "text",
    [
        "x * 2.5 + 1",
        "tri.tanh(x) * tri.exp(-x)",
        "x.sum(1)",
        "x.sum()",
        "x.amax(-1)",
        "x @ x.transpose(1, 2)",
        "x.argmax(2)",
        "x.permute(2, 0, 1)[1:]",
        "tri.cat([x, x], 1)",
        "tri.where(x > 5, x, -x)",
        "x.to(tri.float16) / 3",
        "x.to(tri.bfloat16) / 3",
        "x.double().sqrt()",
        "x.to(tri.complex64) * (1 + 2j)",
        "x.int() // 5",
        "x > 3",
        "x[:, tri.tensor([2, 0])]",
        "x[x > 5]",
        "x[:0] + 1",
    ],
)
def test_operations_give_the_bits_of_the_host(x: Any, text: str):
    operation: Any = eval("lambda x, tri: " + text)
    same(operation(x, tri), operation(x.cpu(), tri))


@pytest.mark.parametrize(
    "text",
    [
        "z.conj()",
        "z.conj().resolve_conj()",
        "z.conj() * 1",
        "z.conj() + z",
        "z.conj().clone()",
        "z.mH",
        "z.mH @ z",
        "z.conj().imag",
        "z.conj().sum(0)",
        "z.conj()[:, 1:].abs()",
        "tri.compile(lambda a: a.conj() * (2 - 1j))(z)",
        "tri.compile(lambda a: a * 2)(z.conj())",
    ],
)
def test_conjugates_give_the_bits_of_the_host(x: Any, text: str):
    operation: Any = eval("lambda z, tri: " + text)
    z: Any = x[0].to(tri.complex64) * (2 + 1j) - 3j
    same(operation(z, tri), operation(z.cpu(), tri))


def test_a_conjugate_shares_the_memory_of_the_device(x: Any):
    z = tri.tensor([1 + 2j, -3j], device="opencl:0")
    mirrored = z.conj()
    assert mirrored.is_conj()
    assert mirrored.data_ptr() == z.data_ptr()
    mirrored.mul_(1j)
    assert mirrored.tolist() == [(1 - 2j) * 1j, 3j * 1j]
    assert z.tolist() == [((1 - 2j) * 1j).conjugate(), (3j * 1j).conjugate()]
    assert repr(mirrored) == "tensor([ 2.+1.j, -3.+0.j], device='opencl:0')"


def test_text_numbers_and_arrays(x: Any):
    assert repr(x[0, 0, :2]) == "tensor([0., 1.], device='opencl:0')"
    assert (x.sum().item(), float(x[0, 0, 1]), bool(x[0, 0, 0])) == (HOST.sum(), 1.0, False)
    assert x[0, 0].tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(x.numpy(force=True), HOST)
    with pytest.raises(TypeError, match=r"^can't convert opencl device type tensor to numpy"):
        x.numpy()


def test_copies_and_pickles_stay_on_the_device(x: Any):
    for again in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.clone()):
        assert again.data_ptr() != x.data_ptr()
        same(again, x.cpu())


def test_writing(x: Any):
    x.add_(1)
    x[0] = -1.0
    x[:, 1].mul_(2)
    expected = tri.from_numpy(HOST + 1)
    expected[0] = -1.0
    expected[:, 1].mul_(2)
    same(x, expected)
    host = tri.zeros(2, 3, 4)
    host.copy_(x)
    same(x, host)


def test_devices_do_not_mix(x: Any):
    with pytest.raises(RuntimeError, match="is not on the expected device"):
        _ = x + tri.from_numpy(HOST)


def test_a_fault_names_the_line_that_launched_it(x: Any):
    whole = x.int()
    line = test_a_fault_names_the_line_that_launched_it.__code__.co_firstlineno + 3
    result = whole // tri.zeros(4, dtype=tri.int32, device="opencl:0")
    _ = whole + 1
    with pytest.raises(RuntimeError, match="ZeroDivisionError") as caught:
        result.cpu()
    assert caught.value.location.line == line  # type: ignore[attr-defined]
    same(whole + 1, tri.from_numpy(HOST).int() + 1)


# Compiled


def program(a: Any, b: Any) -> Any:
    return tri.tanh(2 * a + b).sum(-1), a.amax(1)


def test_a_compiled_function_runs_where_its_tensors_are(x: Any):
    compiled = tri.compile(program)
    for _ in range(2):
        for result, expected in zip(compiled(x, x), program(x.cpu(), x.cpu()), strict=True):
            same(result, expected)
    assert compiled.stats().traces == 1


def test_arguments_of_the_host_are_moved(x: Any):
    @tri.compile(device="opencl:0", static_argnames="n")
    def compiled(a: Any, b: Any, n: int) -> Any:
        return (a * b + tri.ones(4)).sum(n)

    host = tri.from_numpy(HOST)
    expected = (host * host + 1).sum(1)
    for a, b in ((x, x), (host, x), (HOST, host)):
        same(compiled(a, b, 1), expected)
        same(compiled(a, b=b, n=1), expected)


def test_what_is_written_to_comes_back(x: Any):
    @tri.compile(device="opencl")
    def step(a: Any, b: Any) -> Any:
        a.add_(b)
        return a * 2

    host, array = tri.from_numpy(HOST.copy()), HOST.copy()
    same(step(host, 1), tri.from_numpy((HOST + 1) * 2))
    np.testing.assert_array_equal(host.numpy(), HOST + 1)
    step(array, array)
    np.testing.assert_array_equal(array, HOST * 2)
    step(x, 1)
    same(x, tri.from_numpy(HOST + 1))


def test_host_and_device_in_one_program(x: Any):
    compiled = tri.compile(lambda a: ((a.to("opencl:0") * 2).sum(0).cpu() + a[0], a + 1))
    host = tri.from_numpy(HOST)
    for _ in range(2):
        first, second = compiled(host)
        np.testing.assert_array_equal(first.numpy(), HOST.sum(0) * 2 + HOST[0])
        np.testing.assert_array_equal(second.numpy(), HOST + 1)


def test_a_plan_pickles(x: Any):
    compiled = tri.trace(program, x, x).lower().compile()
    again = pickle.loads(pickle.dumps(compiled))
    for result, expected in zip(again(x, x), compiled(x, x), strict=True):
        same(result, expected.cpu())


MAKERS: dict[str, Callable[[Any], Any]] = {
    "tensor": lambda device: tri.tensor([1], device=device),
    "tensor of float8": lambda device: tri.tensor([1.0], dtype=tri.float8_e4m3fn, device=device),
    "as_tensor": lambda device: tri.as_tensor(tri.ones(2), device=device),
    "asarray": lambda device: tri.asarray([1, 2], device=device),
    "new_tensor": lambda device: tri.ones(1).new_tensor([2.0], device=device),
    "zeros": lambda device: tri.zeros(2, device=device),
    "zeros_like": lambda device: tri.zeros_like(tri.ones(1), device=device),
    "rand": lambda device: tri.rand(2, device=device),
    "to": lambda device: tri.ones(1).to(device),
    "to a dtype": lambda device: tri.ones(1).to(device, tri.float64),
    "storage": lambda device: tri.UntypedStorage(4, device=device),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_device_without_an_index_is_the_first(name: str):
    runtime()
    made = MAKERS[name]("opencl")
    assert repr(made.device) == "device(type='opencl', index=0)"
