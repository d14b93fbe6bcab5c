"""What a traced function makes from data is made anew in each call, and belongs to that call."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false

import copy
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import trilith
from trilith.dialects.diagnostics import TrilithWarning

#: Without types: these programs are about what they are traced to.
tri: Any = trilith

Make = Callable[[], Any]

ARRAY = np.arange(3, dtype=np.float32)
CAPTURED = tri.arange(3.0)
PICKLED = pickle.dumps(CAPTURED)
PLAN = tri.trace(lambda x: x + 1, tri.spec((3,))).lower().compile()

#: Whatever makes a tensor from data, and whether it stays part of the compiled function.
MAKERS: dict[str, tuple[Make, bool]] = {
    "tensor of a number": (lambda: tri.tensor(0.0), True),
    "tensor of a list": (lambda: tri.tensor([0.0, 1.0, 2.0]), True),
    "tensor of another dtype": (lambda: tri.tensor([0, 1], dtype=tri.float64), True),
    "tensor of complex numbers": (lambda: tri.tensor([1j]), True),
    "tensor of float8": (lambda: tri.tensor([1.0], dtype=tri.float8_e5m2).float(), True),
    "tensor of an array": (lambda: tri.tensor(ARRAY), True),
    "tensor of a new array": (lambda: tri.tensor(np.zeros(3, np.float32)), True),
    "tensor of a tensor": (lambda: tri.tensor(CAPTURED), True),
    "as_tensor of a list": (lambda: tri.as_tensor([0.0, 1.0]), True),
    "as_tensor of a new array": (lambda: tri.as_tensor(np.zeros(3, np.float32)), False),
    "asarray of a list": (lambda: tri.asarray([0.0, 1.0]), True),
    "asarray with a copy": (lambda: tri.asarray(ARRAY, copy=True), True),
    "asarray of a new array": (lambda: tri.asarray(np.zeros(3, np.float32)), False),
    "asarray of a buffer": (lambda: tri.asarray(bytearray(12), dtype=tri.float32), False),
    "from_numpy": (lambda: tri.from_numpy(np.zeros(3, np.float32)), False),
    "from_dlpack": (lambda: tri.from_dlpack(np.zeros(3, np.float32)), False),
    "from_dlpack with a copy": (lambda: tri.from_dlpack(ARRAY, copy=True), False),
    "frombuffer": (lambda: tri.frombuffer(bytearray(12), dtype=tri.float32), False),
    "Tensor of a list": (lambda: tri.Tensor([1.0, 2.0]), True),
    "Tensor of sizes": (lambda: tri.Tensor(2, 3).fill_(1), True),
    "Tensor of a storage": (lambda: tri.Tensor(tri.UntypedStorage(12)).fill_(0), False),
    "FloatTensor of a list": (lambda: tri.FloatTensor([1.0, 2.0]), True),
    "DoubleTensor of sizes": (lambda: tri.DoubleTensor(2).zero_(), True),
    "new_tensor": (lambda: CAPTURED.new_tensor([1, 2]), True),
    "new_zeros": (lambda: CAPTURED.new_zeros(2), True),
    "scalar_tensor": (lambda: tri.scalar_tensor(2.0), True),
    "eye": (lambda: tri.eye(3), True),
    "clone": (lambda: CAPTURED.clone(), True),
    "deepcopy": (lambda: copy.deepcopy(CAPTURED), False),
    "pickle": (lambda: pickle.loads(PICKLED), False),
    "sparse": (lambda: tri.sparse_coo_tensor([[0, 1]], [1.0, 2.0], (3,)).to_dense(), False),
    "a nested compiled function": (lambda: tri.compile(lambda: tri.tensor([1.0, 2.0]))(), True),
    "a plan": (lambda: PLAN(tri.ones(3)), False),
}

#: What reads the elements of a tensor, and what changes what it looks at.
READERS: dict[str, Callable[[Any], Any]] = {
    "item": lambda w: w.item(),
    "tolist": lambda w: w.tolist()[0],
    "numpy": lambda w: w.numpy()[0],
    "asarray": lambda w: np.asarray(w)[0],
    "float": float,
    "in": lambda w: 2 if 2 in w else 3,
}
CHANGES: dict[str, Callable[[Any], Any]] = {
    "resize_": lambda w: w.resize_(2),
    "set_": lambda w: w.set_(tri.ones(2)),
    "data": lambda w: setattr(w, "data", tri.ones(2)),
    "unsqueeze_": lambda w: w.unsqueeze_(0),
    "as_strided_": lambda w: w.as_strided_((2,), (1,), 1),
}


@pytest.fixture(params=MAKERS)
def maker(request: pytest.FixtureRequest) -> Iterator[tuple[Make, bool]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrilithWarning)
        yield MAKERS[request.param]


def _accumulate(make: Make) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        total = make()
        total += x.sum()
        return total

    return function


def test_equal_calls_give_equal_and_independent_results(maker: tuple[Make, bool]):
    make, is_traceable = maker
    function = _accumulate(make)
    x = tri.ones(5)
    wanted = function(x).tolist()
    compiled = tri.compile(function)
    results = [compiled(x) for _ in range(3)]
    assert [result.tolist() for result in results] == [wanted] * 3
    results[0].fill_(77)
    assert results[1].tolist() == wanted
    assert compiled(x).tolist() == wanted
    assert (compiled.stats().eager_calls == 0) is is_traceable
    assert ARRAY.tolist() == CAPTURED.tolist() == [0, 1, 2]


def test_what_is_returned_unchanged_is_made_in_each_call(maker: tuple[Make, bool]):
    make, is_traceable = maker
    compiled = tri.compile(make)
    wanted = make().tolist()
    results = [compiled() for _ in range(3)]
    results[0].fill_(77)
    assert [result.tolist() for result in results[1:]] == [wanted] * 2
    assert compiled().tolist() == wanted
    assert (compiled.stats().eager_calls == 0) is is_traceable


def test_a_sum_in_a_loop_begins_with_nothing_in_each_call():
    @tri.compile
    def total(tensors: list[Any]) -> Any:
        result = tri.tensor(0.0)
        for x in tensors:
            result += x.sum()
        return result

    given = [tri.ones(2), tri.ones(3)]
    assert [total(given).item() for _ in range(3)] == [5, 5, 5]


def test_an_array_that_is_only_read_stays_in_the_compiled_function():
    array = np.ones(2, np.float32)
    compiled = tri.compile(lambda x: x + tri.from_numpy(array) + array)
    assert compiled(tri.ones(2)).tolist() == [3, 3]
    array[0] = 5
    assert compiled(tri.ones(2)).tolist() == [11, 3]
    assert compiled.stats().eager_calls == 0


@pytest.mark.filterwarnings("ignore::trilith.dialects.diagnostics.TrilithWarning")
def test_an_array_that_the_function_changes_is_not_read_later():
    def function(x: Any) -> Any:
        array = np.zeros(3, np.float32)
        before = x + array
        array += 1
        return before + array

    compiled = tri.compile(function)
    assert [compiled(tri.ones(3)).tolist() for _ in range(2)] == [[2, 2, 2]] * 2


def test_the_trace_refuses_to_write_into_what_may_be_its_own():
    def function() -> Any:
        return tri.from_numpy(np.zeros(2)).add_(1)

    with pytest.raises(TypeError, match="writes into the memory of an array or a buffer"):
        tri.trace(function)
    with pytest.raises(TypeError, match="returns the memory of an array or a buffer"):
        tri.trace(lambda: tri.from_numpy(np.zeros(2))[:1])


def test_a_tensor_on_another_device_is_made_in_each_call():
    compiled = tri.compile(lambda: tri.tensor([1.0, 2.0], device="meta"))
    first, second = compiled(), compiled()
    assert first is not second
    assert first.device.type == "meta"


def test_new_tensor_of_an_argument():
    compiled = tri.compile(lambda x: x + x.new_tensor([1, 2]))
    assert compiled(tri.ones(2)).tolist() == [2, 3]
    assert compiled.stats().eager_calls == 0


def test_a_shallow_copy_of_an_argument_is_a_view():
    def function(x: Any) -> Any:
        copy.copy(x).add_(1)
        return x * 1

    compiled, x = tri.compile(function), tri.ones(2)
    assert compiled(x).tolist() == [2, 2] == x.tolist()
    assert compiled.stats().eager_calls == 0


@pytest.mark.filterwarnings("ignore::trilith.dialects.diagnostics.TrilithWarning")
@pytest.mark.parametrize("name", READERS)
def test_elements_of_a_captured_tensor_are_read_in_each_call(name: str):
    captured = tri.tensor([2.0])
    compiled = tri.compile(lambda x: x * float(READERS[name](captured)))
    assert compiled(tri.ones(1)).tolist() == [2]
    captured.fill_(3)
    assert compiled(tri.ones(1)).tolist() == [3]


@pytest.mark.filterwarnings("ignore::trilith.dialects.diagnostics.TrilithWarning")
@pytest.mark.parametrize("name", ["data", "detach", "copy", "view", "array", "argument", "part"])
def test_captured_tensors_that_share_memory_are_read_after_a_write(name: str):
    def run(compile: Callable[[Any], Any]) -> Any:
        w = tri.arange(3.0)
        others = {
            "data": lambda: w.data,
            "detach": lambda: w.detach(),
            "copy": lambda: copy.copy(w),
            "view": lambda: tri.Tensor(w),
        }
        view, array = w[:2], w.numpy()

        def function(x: Any) -> Any:
            other = others[name]() if name in others else x
            if name == "part":
                other = view
            w.mul_(w.sum() + 1)
            w.add_(1)
            return tri.ones(3) * array if name == "array" else other * 2

        compiled = compile(function)
        argument = {"argument": w, "part": tri.ones(2)}.get(name, tri.ones(3))
        return [compiled(argument).tolist() for _ in range(2)], w.tolist()

    assert run(tri.compile) == run(lambda function: function)


@pytest.mark.filterwarnings("ignore::trilith.dialects.diagnostics.TrilithWarning")
@pytest.mark.parametrize("name", CHANGES)
def test_a_captured_tensor_that_changes_its_form_is_seen_as_step_by_step(name: str):
    def run(compile: Callable[[Any], Any]) -> Any:
        w = tri.arange(3.0)

        def function(x: Any) -> Any:
            CHANGES[name](w)
            return w * x

        result = compile(function)(tri.ones(1))
        return result.tolist(), w.tolist()

    assert run(tri.compile) == run(lambda function: function)


def test_no_public_maker_is_forgotten():
    """What a public function makes in a trace is part of the trace, or looks at what was there."""
    arguments: list[tuple[Any, ...]] = [(2,), ([1.0],), (np.ones(2),), (CAPTURED,), (b"12345678",)]
    kept: list[str] = []

    def try_all(make: Callable[..., Any]) -> None:
        for given in arguments:
            for words in ({}, {"dtype": tri.float32}):
                seen: list[Any] = []

                def function(given: Any = given, words: Any = words, seen: Any = seen) -> None:
                    seen.append(make(*given, **words))

                try:
                    tri.trace(function)
                except Exception:
                    continue
                if type(seen[0]) is tri.Tensor and seen[0].memory is not CAPTURED.memory:
                    kept.append(f"{make}{given}")

    names = [name for name in dir(tri) if callable(getattr(tri, name)) and name not in SKIPPED]
    for name in names:
        try_all(getattr(tri, name))
    for name in [name for name in dir(tri.Tensor) if name.startswith("new")]:
        try_all(getattr(CAPTURED, name))
    assert not kept


#: What makes no tensors, or changes settings of the process.
SKIPPED = {
    *(
        "compile",
        "trace",
        "set_anomaly_enabled",
        "set_default_dtype",
        "set_default_device",
        "set_promotion_mode",
    ),
    *("set_deterministic_debug_mode", "use_deterministic_algorithms"),
    *("set_printoptions", "printoptions", "manual_seed", "device", "result_type"),
}
