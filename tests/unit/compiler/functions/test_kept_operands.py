"""What a compiled function keeps of captured tensors is what they are now, however they change."""

from __future__ import annotations

import ctypes
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.kept_operands import MOST_RENEWALS
from trilith.runtime.calls.entries import enable
from trilith.runtime.tensors.sealed import SealedTensor

ROWS, DEPTH, COLUMNS = 24, 160, 144


def _weights() -> tri.Tensor:
    return tri.arange(COLUMNS * DEPTH, dtype=tri.float32).reshape(COLUMNS, DEPTH).sin()


def _product(x: tri.Tensor, w: tri.Tensor) -> tri.Tensor:
    return tri.relu(x @ w.T)


def _capturing(w: tri.Tensor) -> Any:
    @tri.compile
    def f(x: tri.Tensor) -> tri.Tensor:
        return _product(x, w)

    return f


def _kept_of(function: Any) -> list[Any]:
    return list(function._kept._known.values())


def _agrees(function: Any, x: tri.Tensor, w: tri.Tensor) -> bool:
    return bool((function(x) == _product(x, w)).all().item())


@tri.compile
def _scaled_in_place(w: tri.Tensor) -> None:
    w.mul_(0.5)


def _by_step(w: tri.Tensor) -> None:
    parameter = tri.nn.Parameter(w)  # the same memory
    (parameter * 3).sum().backward()
    with tri.no_grad():
        assert parameter.grad is not None
        parameter -= 0.1 * parameter.grad


def _in_inference(w: tri.Tensor) -> None:
    with tri.inference_mode():
        w.add_(1)


def _by_item(w: tri.Tensor) -> None:
    w[3, 5] = 100.0


def _by_rows(w: tri.Tensor) -> None:
    w[2:9] = w[4:11].clone()


def _by_view(w: tri.Tensor) -> None:
    w.view(-1)[7:70].fill_(3)


def _by_out(w: tri.Tensor) -> None:
    tri.add(w, 1, out=w)


def _by_numpy(w: tri.Tensor) -> None:
    w.numpy()[4] = 9


def _by_dlpack(w: tri.Tensor) -> None:
    np.from_dlpack(w)[4] = 9


def _by_address(w: tri.Tensor) -> None:
    ctypes.memset(w.data_ptr(), 0, 64)


def _by_storage(w: tri.Tensor) -> None:
    w.untyped_storage()[:400] = 0


def _by_storages(w: tri.Tensor) -> None:
    w.untyped_storage().copy_(tri.ones(COLUMNS, DEPTH).untyped_storage())


def _by_part_of_storage(w: tri.Tensor) -> None:
    w.untyped_storage()[:800].fill_(0)


def _by_sharing(w: tri.Tensor) -> None:
    w.share_memory_()
    w.add_(1)


def _by_resizing(w: tri.Tensor) -> None:
    storage = w.untyped_storage()
    size = storage.nbytes()
    storage.resize_(0)
    storage.resize_(size)
    w.fill_(1)


def _own(w: tri.Tensor) -> tri.Tensor:
    return tri.ones(COLUMNS, DEPTH)


WRITES: dict[str, Callable[[tri.Tensor], Any]] = {
    "item": _by_item,
    "rows": _by_rows,
    "view": _by_view,
    "out": _by_out,
    "numpy": _by_numpy,
    "dlpack": _by_dlpack,
    "address": _by_address,
    "storage": _by_storage,
    "storages": _by_storages,
    "part of storage": _by_part_of_storage,
    "shared": _by_sharing,
    "resized": _by_resizing,
    "step": _by_step,
    "inference": _in_inference,
    "compiled": _scaled_in_place,
    "in place": lambda w: w.add_(1),
    "data": lambda w: w.data.mul_(2),
    "detached": lambda w: w.detach().neg_(),
    "set": lambda w: w.set_(_own(w)),
    "copied": lambda w: w.copy_(tri.ones(DEPTH)),
    "other data": lambda w: setattr(w, "data", _own(w)),
    "random": lambda w: w.normal_(generator=tri.Generator().manual_seed(3)),
}


@pytest.mark.parametrize("how", WRITES)
@pytest.mark.parametrize("calls", [1, 40])
def test_a_write_is_seen(how: str, calls: int) -> None:
    """Whoever writes to a captured tensor, the next call computes with what it holds then."""
    enable()
    x, w = tri.randn(ROWS, DEPTH), _weights()
    f = _capturing(w)
    for _ in range(calls):
        f(x)
    assert _kept_of(f), "the test is of no use if nothing is kept"
    assert _agrees(f, x, w)
    for _ in range(2):
        WRITES[how](w)
        assert _agrees(f, x, w)
        for _ in range(calls):
            f(x)
        assert _agrees(f, x, w)


def test_calls_that_change_nothing_make_nothing() -> None:
    """The factor is made once, for all plans of a function: native code runs the calls.

    They are short ones, which wait for no better code.
    """
    enable()
    w = tri.arange(128 * 128).remainder(7).to(tri.int8).reshape(128, 128)
    f = _capturing(w)
    for rows in (24, 24, 31, 40, 24):
        for _ in range(12):
            assert f(tri.ones(rows, 128, dtype=tri.int8)).shape == (rows, 128)
    assert f.stats().plans > 1
    assert f._table.hits
    (kept,) = _kept_of(f)
    made = kept.tensors([w])
    assert kept.tensors([w]) is made
    w.add_(1)
    assert kept.sealed([w]) is None
    assert kept.tensors([w]) is not made


def test_what_always_changes_is_not_kept() -> None:
    """A function whose captured tensor changes between all calls is made once more, without."""
    x, w = tri.randn(ROWS, DEPTH), _weights()
    f = _capturing(w)
    for number in range(MOST_RENEWALS + 3):
        assert f.keeps == (number <= MOST_RENEWALS + 1)
        w.add_(0.25)
        assert _agrees(f, x, w)
    assert not _kept_of(f)


@pytest.mark.parametrize("is_exported", [False, True])
def test_memory_of_others_is_not_kept(is_exported: bool) -> None:
    """What others may write to, or have the address of, is read in each call."""
    x, w = tri.randn(ROWS, DEPTH), _weights()
    array = w.numpy()
    w = w if is_exported else tri.from_numpy(array)
    f = _capturing(w)
    f(x)
    array[3] = 7
    assert _agrees(f, x, w)
    assert not _kept_of(f)


def test_functions_that_write_keep_nothing() -> None:
    """Where a function writes to its arguments, they may be what it has captured."""
    w = _weights()

    @tri.compile
    def f(x: tri.Tensor) -> tri.Tensor:
        result = x @ w.T
        x.add_(1)
        return result

    x = tri.randn(COLUMNS, DEPTH)
    assert (f(x.clone()) == x @ w.T).all()
    assert not _kept_of(f)


def test_results_that_are_operands() -> None:
    """A captured tensor that is returned is itself, beside what is made of it."""
    enable()
    x, w = tri.randn(ROWS, DEPTH), _weights()

    @tri.compile
    def f(x: tri.Tensor) -> tuple[tri.Tensor, ...]:
        y = x @ w.T
        return w, y, x, y

    for _ in range(20):
        first, y, second, again = f(x)
        assert first is w
        assert second is x
        assert y is again
        assert (y == x @ w.T).all()


@pytest.mark.parametrize("name", ["float32", "float64", "bfloat16", "int32", "complex64"])
def test_dtypes_and_prologues(name: str) -> None:
    """Scales and casts of captured tensors are part of what is kept."""
    enable()
    dtype = getattr(tri, name)
    w = tri.arange(COLUMNS * DEPTH).reshape(COLUMNS, DEPTH).remainder(7).to(tri.int8)
    s = tri.arange(COLUMNS).remainder(3).to(dtype).unsqueeze(1)
    x = tri.arange(ROWS * DEPTH).reshape(ROWS, DEPTH).remainder(5).to(dtype)
    f = tri.compile(lambda x: x @ (w.to(dtype) * s).T)
    wanted = x @ (w.to(dtype) * s).T
    for _ in range(9):
        assert (f(x) == wanted).all()
    s.add_(1)
    assert (f(x) == x @ (w.to(dtype) * s).T).all()


def test_parameters_without_gradients() -> None:
    """Under no_grad something is kept of parameters; each step of their training is seen."""
    enable()
    w, x = tri.nn.Parameter(_weights()), tri.randn(ROWS, DEPTH)
    f = _capturing(w)
    for _ in range(5):
        with tri.no_grad():
            for _ in range(9):
                assert _agrees(f, x, w)
        w.grad = None
        f(x).sum().backward()
        assert w.grad is not None
        with tri.no_grad():
            w.sub_(w.grad, alpha=0.01)


def test_plans_travel() -> None:
    """A plan that is pickled makes what it keeps again."""
    x, w = tri.randn(ROWS, DEPTH), _weights()
    f = _capturing(w)
    f(x)
    (key,) = f._plans.keys()
    plan = f._plans.look(key)
    copy = pickle.loads(pickle.dumps(plan))
    assert copy.kept.digest == plan.kept.digest
    assert (copy(x) == f(x)).all()


def test_threads() -> None:
    """Threads that call while another one writes get a result of before or of after."""
    enable()
    x, w = tri.ones(ROWS, DEPTH), tri.zeros(COLUMNS, DEPTH)
    f = _capturing(w)
    f(x)
    wrong: list[Any] = []
    is_over = threading.Event()

    def call() -> None:
        while not is_over.is_set():
            found = f(x)
            if not (found >= 0).all():
                wrong.append(found)

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(60):
        w.fill_(number)
        if not (f(x) == number * DEPTH).all():
            wrong.append(number)
    is_over.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_seals() -> None:
    """A seal is that of the memory, not of the tensor; memory of others has none."""
    w = _weights()
    seen = SealedTensor.of(w)
    assert seen is not None
    assert seen.is_whole()
    w.view(-1)[3] = 1
    assert not seen.is_whole()
    assert SealedTensor.of(tri.from_numpy(np.ones(3))) is None
