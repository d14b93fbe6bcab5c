"""Are rows that NumPy computes compiled like others: kernels around, for all sizes, anywhere?"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func
from xdsl.parser import Parser

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function
from trilith.dialects.diagnostics import InternalError
from trilith.dialects.kernel.dialect import KERNEL_DIALECT
from trilith.dialects.records import replace
from trilith.dialects.tri.dialect import make_dialect
from trilith.runtime.execution.artifact import Artifact, HostArray, HostCall
from trilith.runtime.executor import Executable

from ..runtime.opencl_support import runtime

RANDOM = np.random.default_rng(5)


def _around(x: Any) -> Any:
    """Return what needs kernels before and behind a sort, and a view of what is sorted."""
    return tri.sort(x * 2 + 1, 0)[0] - 1, tri.argsort(x.t()[1:])


def _expected(x: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    return [np.sort(x * 2 + 1, 0) - 1, np.argsort(x.T[1:], -1, kind="stable")]


def _numbers(*shape: int) -> np.ndarray[Any, Any]:
    return RANDOM.integers(-9, 9, shape).astype(np.float32)


def _assert_equal(found: Any, wanted: Any) -> None:
    for each, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(each), other)


def test_kernels_stand_around_a_call_on_the_host() -> None:
    low = tri.trace(lambda x: tri.sort(x * 2)[0] + 1, tri.spec((4, 3), tri.float32)).lower()
    words = (line.split()[0] for line in str(low).splitlines() if line.strip())
    steps = [word for word in words if word in ("tri.launch", "tri.host_call")]
    assert steps == ["tri.launch", "tri.host_call", "tri.launch"]


def test_one_plan_serves_all_sizes() -> None:
    compiled = tri.compile(_around)
    for size in range(3, 12):
        x = _numbers(size, size + 3)
        _assert_equal(compiled(tri.from_numpy(x)), _expected(x))
    assert compiled.stats().traces <= 2


def test_the_interpreter_runs_every_level() -> None:
    x = _numbers(4, 5)
    traced = tri.trace(_around, tri.from_numpy(x))
    _assert_equal(interpret_function(traced.module, [x]), _expected(x))
    _assert_equal(interpret_function(traced.lower().module, [x]), _expected(x))


def test_the_text_of_a_lowered_function_is_parsed_again() -> None:
    context = Context()
    for dialect in (Builtin, Func, Arith, make_dialect(), KERNEL_DIALECT):
        context.load_dialect(dialect)
    text = str(tri.trace(_around, tri.spec((4, 5), tri.float32)).lower())
    assert 'tri.host_call "sort"' in text
    module = Parser(context, text).parse_module()
    module.verify()
    assert str(module) == text


def test_a_stored_plan_runs_without_rows() -> None:
    x = _numbers(4, 5)
    artifact = tri.trace(_around, tri.from_numpy(x)).lower().artifact()
    again = Artifact.from_bytes(artifact.to_bytes())
    assert again.launches == artifact.launches
    _assert_equal(Executable(again).run([tri.from_numpy(x)]), _expected(x))


def test_an_exported_program_calls_the_host(tmp_path: Path) -> None:
    size = tri.dim("n", max=100)
    program = tri.export(_around, tri.spec((size, 6), tri.float32))
    program.save(tmp_path / "program")
    loaded = tri.load_program(tmp_path / "program")
    for rows in (1, 2, 5):
        x = _numbers(rows, 6)
        _assert_equal(loaded(tri.from_numpy(x)), _expected(x))


def _call(artifact: Artifact) -> tuple[int, HostCall]:
    return next(
        (number, launch)
        for number, launch in enumerate(artifact.launches)
        if isinstance(launch, HostCall)
    )


def _with_operand(call: HostCall, operand: HostArray) -> HostCall:
    return replace(call, operands=(operand,))


CHANGES: dict[str, Callable[[HostCall], HostCall]] = {
    "there is no function 'os:system'": lambda call: replace(call, body="os:system"),
    "there is no function 'sorting:np'": lambda call: replace(call, body="sorting:np"),
    "apart from buffer": lambda call: replace(call, results=call.operands[:1] * 2),
    "no buffer 99": lambda call: _with_operand(call, HostArray(99, call.operands[0].spec)),
    "out of bounds": lambda call: _with_operand(call, replace(call.operands[0], offset=1)),
    "which is no memory of the call": lambda call: replace(
        call, results=(replace(call.results[0], buffer=0), call.results[1])
    ),
}


@pytest.mark.parametrize("words", CHANGES)
def test_a_plan_that_leaves_its_memory_is_refused(words: str):
    artifact = tri.trace(lambda x: tri.sort(x * 2), tri.spec((4,), tri.float32)).lower().artifact()
    number, call = _call(artifact)
    changed = CHANGES[words](call)
    launches = (*artifact.launches[:number], changed, *artifact.launches[number + 1 :])
    with pytest.raises(InternalError, match=words):
        replace(artifact, launches=launches).validate()


def test_results_may_be_written_over_the_operand() -> None:
    x = _numbers(3, 4)
    target, indices = tri.from_numpy(x.copy()), tri.empty(3, 4, dtype=tri.int64)
    tri.sort(target, 1, out=(target, indices))
    np.testing.assert_array_equal(target.numpy(), np.sort(x, 1))

    memory = tri.from_numpy(np.array([3, 1, 2, 0, 5], np.float32))
    with pytest.raises(RuntimeError, match="single memory location"):
        tri.msort(memory[:4], out=memory[1:])


def test_threads_share_a_plan() -> None:
    compiled, failures = tri.compile(_around), list[BaseException]()

    def work(seed: int) -> None:
        try:
            x = np.random.default_rng(seed).normal(size=(40, 50)).astype(np.float32)
            for _ in range(20):
                _assert_equal(compiled(tri.from_numpy(x)), _expected(x))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_elements_of_a_device_make_the_trip_to_the_host() -> None:
    runtime()
    x = _numbers(7, 5)
    device = tri.from_numpy(x).to("opencl:0")
    for function in (_around, tri.compile(_around)):
        found = function(device)
        assert {str(each.device) for each in found} == {"opencl:0"}
        _assert_equal([each.cpu() for each in found], _expected(x))
