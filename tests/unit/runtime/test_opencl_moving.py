"""Does a function compiled for a device do to the host's arguments what it does on the host?"""

import gc
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri

from .opencl_support import run_python, runtime

# What cannot be traced is moved all the same.
pytestmark = pytest.mark.filterwarnings("ignore:.*runs step by step:trilith.TrilithWarning")


@pytest.fixture(autouse=True)
def device() -> None:
    runtime()


def there(function: Any) -> Any:
    return tri.compile(function, device="opencl:0")


def plain(found: object) -> Any:
    """Return what can be compared: lists of numbers, wherever they lie."""
    value: Any = found
    if isinstance(value, tri.Tensor):
        return value.dtype, list(value.shape), value.cpu().resolve_conj().tolist()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if type(value) is dict:
        words = cast("dict[str, Any]", value)
        return {key: plain(item) for key, item in words.items()}
    if type(value) in (list, tuple):
        return [plain(item) for item in value]
    return value


def add_and_scale(a: Any, b: Any) -> Any:
    a.add_(1)
    b.mul_(10)
    return b * 1


def read_after_write(a: Any, b: Any) -> Any:
    a.add_(1)
    return b * 1


def views(x: Any) -> list[tuple[Any, Any]]:
    return [
        (x, x[1:]),
        (x[1:], x),
        (x[:3], x[2:]),
        (x[::2], x[1::2]),
        (x[:2], x[4:]),
        (x, x),
        (x[1:5].reshape(2, 2).t(), x[2:]),
        (x[:0], x),
    ]


@pytest.mark.parametrize("function", [add_and_scale, read_after_write])
@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("is_array", [False, True])
def test_views_of_one_memory_stay_views(function: Any, number: int, is_array: bool):
    def run(call: Any) -> Any:
        memory = np.arange(6, dtype=np.float32)
        x = tri.from_numpy(memory) if is_array else tri.from_numpy(memory).clone()
        return plain((call(*views(x)[number]), x))

    assert run(there(function)) == run(function)


@pytest.mark.parametrize("function", [add_and_scale, read_after_write])
def test_arrays_that_are_views_of_one_another(function: Any):
    def run(call: Any, convert: Any) -> Any:
        memory = np.arange(6, dtype=np.float32)
        return plain((call(convert(memory[1:]), convert(memory[:4])), memory))

    assert run(there(function), np.asarray) == run(function, tri.from_numpy)


def test_two_dtypes_on_one_memory():
    def change(a: Any, b: Any) -> None:
        a.add_(1.0)
        b[0] = 0

    def run(call: Any) -> Any:
        x = tri.arange(4.0)
        call(x, x.view(tri.int32)[1:])
        return plain(x)

    assert run(there(change)) == run(change)


def test_conjugates_come_back():
    def change(a: Any, b: Any) -> Any:
        a.add_(1j)
        return b * 2

    def run(call: Any) -> Any:
        x = tri.tensor([1 + 2j, 3 - 1j])
        return plain((call(x.conj(), x), x))

    assert run(there(change)) == run(change)


def test_only_what_was_written_comes_back():
    table = tri.zeros(4, 4)

    def change(column: Any) -> float:
        column.add_(1)
        table.numpy()[:, 2] = 7.0  # what another thread may do meanwhile
        return column.sum().item()

    assert there(change)(table[:, 1]) == 4
    assert table[:, 1].tolist() == [1] * 4
    assert table[:, 2].tolist() == [7] * 4


def test_what_is_only_read_does_not_come_back():
    x = tri.zeros(3)

    def read(a: Any) -> Any:
        x.fill_(5)
        return a.sum().item() + 1

    assert there(read)(x) == 1
    assert x.tolist() == [5, 5, 5]


def test_writes_that_no_version_counts_come_back():
    def change(a: Any) -> float:
        a.data.add_(1)
        return a.sum().item()

    x = tri.zeros(3)
    assert there(change)(x) == 3
    assert x.tolist() == [1, 1, 1]


def test_versions_are_counted():
    x: Any = tri.zeros(3)
    y: Any = tri.zeros(3)
    there(add_and_scale)(x, y)
    assert (x._version, y._version) == (1, 1)


def test_lists_and_dicts_are_changed():
    def change(items: Any, words: Any) -> Any:
        items[0].add_(1)
        items[0], items[1] = items[1], items[0] * 2
        items.append(3)
        words["new"] = words.pop("old")
        return len(items)

    def run(call: Any) -> Any:
        x, y, z = tri.zeros(3), tri.ones(2), tri.ones(1)
        items, words = [x, y], {"old": z}
        count = call(items, words=words)
        return plain((count, items, words, x)), items[0] is y, words["new"] is z

    assert run(there(change)) == run(change)


def test_writes_before_an_error_come_back():
    def fail(a: Any, items: Any) -> None:
        a.add_(1)
        items.append(a)
        raise KeyError("after")

    x, items = tri.zeros(3), [tri.ones(1)]
    with pytest.raises(KeyError):
        there(fail)(x, items)
    assert x.tolist() == [1, 1, 1]
    assert items[1] is x


def test_writes_before_a_fault_come_back_and_the_fault_is_raised():
    def fail(a: Any, b: Any) -> Any:
        a.add_(1)
        return b // b

    x, zero = tri.zeros(3), tri.zeros(3, dtype=tri.int64)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        there(fail)(x, zero)
    assert x.tolist() == [1, 1, 1]
    assert zero.tolist() == [0, 0, 0]


def grow(a: Any) -> float:
    a.resize_(4, 2)
    a[2:].fill_(3)
    return a.sum().item()


def look_elsewhere(a: Any) -> float:
    a.set_(a.new_ones(7))
    return a.sum().item()


def shrink(a: Any) -> int:
    return a.untyped_storage().resize_(8).nbytes()


def become(name: str, *arguments: Any) -> Callable[[Any], Any]:
    def change(a: Any) -> float:
        a.add_(1)
        getattr(a, name)(*arguments)
        return a.sum().item()

    return change


@pytest.mark.parametrize(
    "change",
    [
        become("t_"),
        become("unsqueeze_", 0),
        become("resize_", 2),
        become("as_strided_", (2,), (2,), 1),
        grow,
        look_elsewhere,
        shrink,
    ],
    ids=["t_", "unsqueeze_", "resize_", "as_strided_", "grown", "set_", "storage"],
)
def test_tensors_that_are_changed_themselves(change: Any):
    def run(call: Any) -> Any:
        x = tri.arange(6.0).reshape(2, 3)
        result = call(x)
        shown = x.tolist()[:3] if x.untyped_storage().nbytes() > 8 else None
        return result, x.shape, x.stride(), x.device, shown, x.untyped_storage().nbytes()

    assert run(there(change)) == run(change)


def test_borrowed_memory_cannot_be_resized():
    with pytest.raises(RuntimeError, match="not resizable"):
        there(grow)(np.zeros(3, np.float32))


def test_offsets_are_those_of_the_host():
    def where(a: Any) -> Any:
        return a.storage_offset(), a.untyped_storage().nbytes()

    assert there(where)(tri.arange(6.0)[2:]) == (2, 24)


def test_memory_is_given_back_when_the_call_is_over():
    x = tri.zeros(1000)
    compiled = there(read_after_write)
    compiled(x, x)
    before = tri.opencl.memory_stats()["in_use"]
    gc.disable()
    try:
        compiled(x, x)
        assert tri.opencl.memory_stats()["in_use"] == before
    finally:
        gc.enable()


def test_what_was_not_moved_is_not_read():
    x = tri.arange(6.0)

    def view(a: Any, count: int, first: int) -> Any:
        return a.as_strided((count,), (1,), first).add_(1)

    compiled = tri.compile(view, device="opencl:0", static_argnames=("count", "first"))
    for count, first in ((2, 0), (3, 3)):
        with pytest.raises(RuntimeError, match="are not on opencl:0"):
            compiled(x[2:4], count, first)
    assert x.tolist() == [0, 1, 2, 3, 4, 5]
    assert compiled(x[2:5], 2, 3).tolist() == [4, 5]
    assert x.tolist() == [0, 1, 2, 4, 5, 5]


def test_read_only_memory_stays_as_it_is():
    array = np.zeros(3, np.float32)
    view = array[1:]
    view.flags.writeable = False
    with pytest.raises(RuntimeError, match="read-only"):
        there(add_and_scale)(array, view)
    assert there(read_after_write)(array, view).tolist() == [1 + array[1] - 1, 1 + array[2] - 1]


def test_a_tensor_of_a_device_is_refused_elsewhere():
    x = tri.ones(3, device="opencl:0")
    for name in ("cpu", "opencl:1"):
        with pytest.raises(RuntimeError, match="an argument is on opencl:0"):
            tri.compile(read_after_write, device=name)(x, x)
    assert x.tolist() == [1, 1, 1]
    y = x.cpu()
    assert tri.compile(read_after_write, device="cpu")(y, y).tolist() == [2, 2, 2]


def test_the_current_device_is_that_of_the_call():
    found = run_python(
        """
        import trilith as tri

        compiled = tri.compile(lambda a: a + 1, device="opencl")
        for index in (1, 0, 1):
            with tri.accelerator.device_index(index):
                print(compiled(tri.ones(2)).device, tri.ones(2).to("opencl").device)
        print(compiled(tri.ones(2)).device)
        """,
        POCL_DEVICES="basic basic",
    )
    first, second, third, last = found.splitlines()
    assert first == third == "opencl:1 opencl:1"
    assert (second, last) == ("opencl:0 opencl:0", "opencl:0")
