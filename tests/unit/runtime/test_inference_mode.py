"""Are tensors of inference mode told from others, whoever makes them, and refused as in PyTorch?

What is expected is what torch 2.13 answers to the same programs, but where the differences say so.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithRuntimeError
from trilith.dialects.unusual import INFERENCE, Threads

#: So often is a call made that native code answers it in the end.
OFTEN = 5

MAKERS: dict[str, Callable[[Any], Any]] = {
    "a factory": lambda x: tri.ones(3),
    "of a list": lambda x: tri.tensor([1.0, 2.0]),
    "of an array": lambda x: tri.from_numpy(np.ones(3)),
    "an operation": lambda x: x + 1,
    "a reduction": lambda x: x.sum(),
    "a copy": lambda x: x.clone(),
    "a compiled function": tri.compile(lambda x: x * 2 + 1),
    "out": lambda x: tri.add(x, x, out=tri.empty(3)),
    "sparse": lambda x: x.to_sparse(),
    "random": lambda x: tri.rand(3),
    "another dtype": lambda x: x.to(tri.float64),
    "the host's": lambda x: tri.unique(x),
    "a parameter": lambda x: tri.nn.Parameter(tri.ones(3)),
}
VIEWS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda x: x,
    "a slice": lambda x: x[1:],
    "a view": lambda x: x.view(3, 1),
    "detached": lambda x: x.detach(),
    "data": lambda x: x.data,
    "in place": lambda x: x.add_(1),
    "contiguous": lambda x: x.contiguous(),
    "split": lambda x: x.split(2)[0],
}
WRITES: dict[str, Callable[[Any], Any]] = {
    "add_": lambda x: x.add_(1),
    "an element": lambda x: x.__setitem__(0, 5.0),
    "fill_": lambda x: x.fill_(1),
    "copy_": lambda x: x.copy_(tri.zeros(3)),
    "random": lambda x: x.uniform_(),
    "out": lambda x: tri.add(tri.ones(3), 1, out=x),
    "a view": lambda x: x.view(3).mul_(2),
    "transposed": lambda x: x.t_(),
    "unsqueezed": lambda x: x.unsqueeze_(0),
    "set_": lambda x: x.set_(tri.ones(3)),
    "resize_": lambda x: x.resize_(5),
    "compiled": tri.compile(lambda x: x.add_(1)),
    "sort": lambda x: tri.sort(tri.ones(3), out=(x, tri.empty(3, dtype=tri.int64))),
}


def made() -> tri.Tensor:
    with tri.inference_mode():
        return tri.ones(3)


@pytest.mark.parametrize("name", MAKERS)
def test_what_gets_memory_in_the_mode_is_of_it(name: str):
    make = MAKERS[name]
    plain, inside = tri.ones(3), made()
    for _ in range(OFTEN):
        with tri.inference_mode():
            assert make(plain).is_inference()
            assert make(inside).is_inference()
        assert not make(plain).is_inference()
        assert not make(inside).is_inference()


@pytest.mark.parametrize("name", VIEWS)
def test_what_shares_memory_is_of_the_mode_that_it_was_made_in(name: str):
    look = VIEWS[name]
    for _ in range(OFTEN):
        plain, inside = tri.ones(3), made()
        with tri.inference_mode():
            assert not look(plain).is_inference()
            assert look(inside).is_inference()
        if name != "in place":
            assert look(inside).is_inference()


@pytest.mark.parametrize("name", WRITES)
def test_writes_outside_of_the_mode_are_refused_and_change_nothing(name: str):
    write = WRITES[name]
    refused = r"^Inplace update to inference tensor outside"
    for inside in [made() for _ in range(OFTEN)]:
        with pytest.raises(TrilithRuntimeError, match=refused):
            write(inside)
        assert inside.tolist() == [1.0, 1.0, 1.0]
        with tri.inference_mode():
            write(inside)
    write(tri.ones(3))


def test_a_sparse_tensor_is_written_in_the_mode_alone():
    with tri.inference_mode():
        inside = tri.ones(3).to_sparse()
        inside.mul_(2)
    with pytest.raises(TrilithRuntimeError, match=r"^Inplace update to inference tensor"):
        inside.mul_(2)
    assert inside.to_dense().tolist() == [2.0, 2.0, 2.0]
    assert inside.detach().is_inference()
    assert not inside.clone().is_inference()


def test_data_counts_its_own_versions():
    inside = made()
    with pytest.raises(
        TrilithRuntimeError, match=r"^Inference tensors do not track version counter"
    ):
        inside.unsafeGetTensorImpl().version_counter().current_version()
    data = inside.data
    data.add_(1)
    assert (data.is_inference(), data.count_of_versions(), inside.tolist()) == (
        True,
        1,
        [2.0, 2.0, 2.0],
    )


def test_nothing_is_saved_for_gradients():
    x, inside = tri.ones(3, requires_grad=True), made()
    with pytest.raises(
        TrilithRuntimeError, match=r"^Inference tensors cannot be saved for backward"
    ):
        tri.mul(x, inside)
    with pytest.raises(
        TrilithRuntimeError, match=r"^Setting requires_grad=True on inference tensor"
    ):
        inside.requires_grad_()
    (x + inside).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [1.0, 1.0, 1.0]
    compiled = tri.compile(lambda a, b: (a * b).sum())
    with pytest.raises(
        TrilithRuntimeError, match=r"^Inference tensors cannot be saved for backward"
    ):
        compiled(x, inside).backward()


def test_gradients_of_a_backward_pass_in_the_mode_are_of_it():
    x = tri.ones(3, requires_grad=True)
    loss = (x * x).sum()
    with tri.inference_mode():
        loss.backward()
    assert x.grad is not None
    assert x.grad.is_inference()
    with pytest.raises(TrilithRuntimeError, match=r"^Inplace update to inference tensor"):
        (x * x).sum().backward()


def test_transformed_functions_leave_the_mode():
    def square(x: tri.Tensor) -> tri.Tensor:
        assert not tri.is_inference_mode_enabled()
        return (x * x).sum()

    def scaled(a: tri.Tensor) -> tri.Tensor:
        return (a * x).sum()

    with tri.inference_mode():
        x = tri.ones(2)
        assert tri.func.grad(square)(x).tolist() == [2.0, 2.0]
        assert tri.compile(tri.grad(square))(x).tolist() == [2.0, 2.0]
        assert tri.func.jvp(square, (x,), (x,))[1].item() == 4.0
        assert tri.func.hessian(square)(x).tolist() == [[2.0, 0.0], [0.0, 2.0]]
        assert tri.is_inference_mode_enabled()
    assert tri.func.grad(scaled)(tri.ones(2)).tolist() == [1.0, 1.0]


def test_each_thread_has_its_own_mode():
    seen: list[tuple[bool, bool]] = []
    meet, x = threading.Barrier(20), tri.ones(3)

    def run(is_inside: bool) -> None:
        with tri.inference_mode(is_inside):
            for _ in range(50):
                meet.wait(timeout=60)
                seen.append((is_inside, (x + x).is_inference()))

    threads = [threading.Thread(target=run, args=(number % 2 == 0,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(seen)) == [(False, False), (True, True)]
    assert len(seen) == 1000
    assert len(INFERENCE) == 0


def test_a_thread_that_ends_in_the_mode_leaves_it():
    def enter() -> None:
        tri.inference_mode().__enter__()
        assert tri.ones(1).is_inference()

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert len(INFERENCE) == 0


def test_the_table_of_threads_grows_and_shrinks():
    threads = Threads()
    meet = threading.Barrier(30)
    here: list[bool] = []

    def run() -> None:
        threads.let_hold_here(True)
        meet.wait(timeout=60)
        here.append(threads.is_here())
        threads.let_hold_here(False)
        here.append(not threads.is_here())

    started = [threading.Thread(target=run) for _ in range(30)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert here == [True] * 60
    assert len(threads) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_child_is_in_the_mode_of_its_thread_alone():
    leave, x = threading.Event(), tri.ones(3)
    entered = threading.Event()

    def stay() -> None:
        with tri.inference_mode():
            entered.set()
            leave.wait(timeout=60)

    other = threading.Thread(target=stay)
    other.start()
    assert entered.wait(timeout=60)
    child = os.fork()
    if child == 0:
        with tri.inference_mode():
            is_right = len(INFERENCE) == 1 and (x + x).is_inference()
        os._exit(0 if is_right and not (x + x).is_inference() and len(INFERENCE) == 0 else 1)
    leave.set()
    other.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_traced_function_that_asks_runs_step_by_step():
    ask = tri.compile(lambda x: x.is_inference())
    with pytest.warns(tri.TrilithWarning, match=r"cannot ask about the storage of it"):
        ask(tri.ones(3))
    assert (ask(tri.ones(3)), ask(made())) == (False, True)
