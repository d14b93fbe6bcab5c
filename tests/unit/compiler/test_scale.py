"""How many tensors, operations, results and launches may a program have? As many as it likes."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.driver import Compiled, Lowered
from trilith.compiler.eager import operations as eager
from trilith.compiler.kernels.table import KERNELS
from trilith.compiler.pipeline import Runner, device_of, target_of
from trilith.compiler.targets.steps import Step
from trilith.dialects.attributes.calling import HOST_WORDS


def compiled(function: Callable[..., Any], *arguments: Any, **limits: int) -> Compiled:
    """Compile with limits on what a kernel holds, on the arguments' device."""
    traced = tri.trace(function, *arguments)
    steps = [
        Step(step.name, tuple(limits.items())) if step.name == "tri-fuse" else step
        for step in target_of(device_of(traced.module)).function
    ]
    Runner(traced.name).run(traced.module, steps)
    return Lowered(traced, traced.module).compile()


UNLIMITED = {"maximum_work": 10**6, "maximum_streams": 10**6, "maximum_operands": 10**6}


# ---- 1,024 arguments are what ctypes passes


def sum_times(xs: Any, k: Any) -> Any:
    return sum(xs) * k


def sum_divided(xs: Any, y: Any) -> Any:
    return sum(xs) // y


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("count", [2, 100, 300])
def test_a_kernel_may_have_more_operands_than_a_call_passes(count: int) -> None:
    tensors = [tri.arange(5) + number for number in range(count)]
    found = compiled(sum_times, tensors, 2, **UNLIMITED)
    assert len(found.artifact.launches) == 1
    total = count * (count - 1) // 2
    for factor in (3, 5, 3):
        wanted = [factor * (count * place + total) for place in range(5)]
        assert found(tensors, factor).tolist() == wanted


def test_a_packed_kernel_reports_faults() -> None:
    tensors = [tri.arange(1, 4) for _ in range(HOST_WORDS)]
    found = compiled(sum_divided, tensors, tri.ones(3, dtype=tri.int64), **UNLIMITED)
    assert found(tensors, tri.tensor([1, 2, 3])).tolist() == [512, 512, 512]
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        found(tensors, tri.tensor([1, 0, 3]))


def test_thousands_of_tensors_go_in_and_come_out() -> None:
    def sum_scaled(x: Any, ks: Any) -> Any:
        return sum([x * k for k in ks])

    tensors = [tri.tensor([number, 1]) for number in range(1200)]
    total: Any = tri.compile(cast("Any", sum))
    assert total(tensors).tolist() == [1200 * 1199 // 2, 1200]
    assert tri.stack(tensors).sum(0).tolist() == [1200 * 1199 // 2, 1200]
    assert tri.compile(lambda x: sum(tensors, x))(tensors[1]).tolist() == [719401, 1201]
    doubled = tri.compile(lambda xs: {str(place): x * 2 for place, x in enumerate(xs)})(tensors)
    assert doubled["1199"].tolist() == [2398, 2]
    scaled = tri.compile(sum_scaled)(tensors[1], list(range(1200)))
    assert scaled.tolist() == [719400, 719400]


# ---- kernels have limits


def test_a_long_chain_is_a_few_kernels_again_and_again() -> None:
    def chain(x: Any) -> Any:
        for _ in range(1000):
            x = tri.tanh(x)
        return x

    artifact = tri.trace(chain, tri.spec((8,))).lower().compile().artifact
    assert len(artifact.kernels) <= 2
    assert len(artifact.launches) == -(-1000 // (512 // 40))


def test_complex_operations_count_as_many() -> None:
    def chain(x: Any) -> Any:
        for _ in range(96):
            x = tri.exp(x * 0.5)
        return x

    artifact = tri.trace(chain, tri.spec((8,), tri.complex128)).lower().compile().artifact
    assert len(artifact.kernels) <= 3
    assert len(artifact.launches) >= 48


def test_a_short_program_stays_one_kernel() -> None:
    def program(x: Any, y: Any) -> Any:
        for _ in range(100):
            x = x * 0.5 + y
        return tri.sqrt(x)

    lowered = tri.trace(program, tri.spec((8,)), tri.spec((8,))).lower()
    assert len(lowered.kernels) == 1


def test_windows_of_one_tensor_are_one_stream() -> None:
    def blur(x: Any) -> Any:
        return sum([x[place : place + 100] for place in range(30)])

    lowered = tri.trace(blur, tri.spec((200,))).lower()
    assert len(lowered.compile().artifact.launches) == 1


def test_what_many_read_is_stored() -> None:
    def program(count: int) -> str:
        def function(d: Any, w: Any) -> Any:
            d = d - d.mean(0)
            return [(d * w[place]).sum() for place in range(count)]

        return tri.trace(function, tri.spec((50, 4)), tri.spec((300, 4))).after("tri-fuse")

    # Each product of a few computes the difference again; of many, one kernel does it for all.
    assert program(3).count("tri.sub") == 3
    assert program(300).count("tri.sub") == 1


# ---- and no limit changes a bit


def sums_of_two_orders(a: Any, b: Any) -> Any:
    return a.sum() + b.sum() * 1e3, (a * b).sum(), (b * a).mean(0), (a - b.t().t()).sum(1)


def mixed(a: Any, b: Any) -> Any:
    for _ in range(5):
        a = tri.tanh(a + b) * b - a.sum(0)
        b = b + a.mean()
    return a, b, (a * b).sum((0, 1)), a.t() @ b


def complex_numbers(a: Any, b: Any) -> Any:
    z = a * 1j + b
    for _ in range(4):
        z = tri.exp(z * 0.1) / (z + 2)
    return z, z.sum()


@pytest.mark.parametrize("function", [sums_of_two_orders, mixed, complex_numbers])
@pytest.mark.parametrize(("work", "streams", "operands"), [(1, 1, 1), (4, 3, 4), (50, 4, 6)])
def test_bits_do_not_depend_on_the_limits(
    function: Any, work: int, streams: int, operands: int
) -> None:
    random = np.random.default_rng(0)
    a = tri.tensor(random.standard_normal((300, 700)).astype(np.float32))
    b = tri.tensor(random.standard_normal((700, 300)).astype(np.float32)).t()
    limits = {
        "maximum_work": work,
        "maximum_streams": streams,
        "maximum_operands": operands,
    }
    limited, one, eagerly = (
        compiled(function, a, b, **limits)(a, b),
        compiled(function, a, b, **UNLIMITED)(a, b),
        function(a, b),
    )
    for first, second, third in zip(limited, one, eagerly, strict=True):
        assert first.stride() == second.stride() == third.stride()
        assert first.numpy().tobytes() == second.numpy().tobytes() == third.numpy().tobytes()


# ---- parts


def test_cutting_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole: Any = tri.arange(9000).reshape(3000, 3)
    before = KERNELS.counters.compiled

    def refuse(*_: Any) -> Any:
        raise AssertionError("a plan is made")

    monkeypatch.setattr(eager, "make_plan", refuse)
    for _ in range(2):
        assert [part.storage_offset() for part in whole][-1] == 8997
        assert [part.stride() for part in whole.unbind(1)] == [(3,)] * 3
        assert len(tri.chunk(whole, 700)) == 600
        assert [len(part) for part in whole.tensor_split((-5, 99999), 0)] == [2995, 5, 0]
        assert [len(part) for part in whole.split(split_size=2999)] == [2999, 1]
    assert KERNELS.counters.compiled == before


def test_parts_are_views_that_count_versions_with_the_whole() -> None:
    whole: Any = tri.zeros(4, 2)
    first, second = whole.chunk(2)
    first.add_(1)
    assert whole.tolist() == [[1, 1], [1, 1], [0, 0], [0, 0]]
    assert first._version == second._version == whole._version == 1


def test_parts_of_a_storage_that_became_smaller_are_refused() -> None:
    whole = tri.zeros(8)
    whole.untyped_storage().resize_(8)
    with pytest.raises(RuntimeError):
        whole.chunk(2)


# ---- depth


def test_ten_thousand_views_of_views() -> None:
    def program(x: Any) -> Any:
        for _ in range(10000):
            x = x[1:]
        return x * 2

    assert tri.compile(program)(tri.arange(10003)).tolist() == [20000, 20002, 20004]


def test_a_ladder_that_is_summed_is_walked_once() -> None:
    def program(x: Any) -> Any:
        for _ in range(200):
            x = (x + 1) * (x - 1)
        return x.sum()

    assert tri.compile(program)(tri.zeros(3)).item() == 0


def test_views_of_results_of_views() -> None:
    def program(x: Any) -> Any:
        for _ in range(150):
            x = (x + 1)[1:]
        return x

    assert tri.compile(program)(tri.arange(152)).tolist() == [300, 301]


def test_a_chain_of_views_that_is_written_to() -> None:
    def program(x: Any) -> Any:
        y = x
        for place in range(200):
            y = y[1:]
            y[0] = place
        return y

    given, wanted = tri.zeros(202), tri.zeros(202)
    assert tri.compile(program)(given).tolist() == program(wanted).tolist()
    assert given.tolist() == wanted.tolist()


def test_nesting_that_never_ends() -> None:
    tree: list[Any] = []
    tree.append(tree)
    with pytest.raises(ValueError, match="nested too deeply, or hold themselves"):
        tri.compile(lambda x: x)(tree)
    for _ in range(5000):
        tree = [tree]
    with pytest.raises(ValueError, match="nested too deeply, or hold themselves"):
        tri.compile(lambda x: tree)(tri.zeros(1))
