"""How are programs that write traced and counted, and which are run step by step?"""

from collections.abc import Callable
from typing import Any

import pytest

import trilith

#: Without types: these programs are about values, and some are wrong on purpose.
tri: Any = trilith
Run = Callable[..., Any]


def version(x: Any) -> int:
    return x._version


# ---- versions


def test_version_counters() -> None:
    x = tri.zeros(3)
    versions = [version(x)]
    view, detached = x[1:], x.detach()
    writes: list[Callable[[], Any]] = [
        lambda: x.add_(1),
        lambda: x.__setitem__(0, 1),
        lambda: view.zero_(),
        lambda: detached.fill_(2),
        lambda: tri.add(x, 1, out=x),
        lambda: x.copy_(tri.ones(3)),
        lambda: tri.add(x, 1),
        lambda: x[0],
    ]
    for write in writes:
        write()
        versions.append(version(x))
    assert versions == [0, 1, 2, 3, 4, 5, 6, 6, 6]
    data = x.data
    data.add_(1)
    assert (version(x), version(data)) == (6, 1)


def test_version_counters_of_arguments() -> None:
    @tri.compile
    def program(x: Any, y: Any) -> Any:
        x[0].add_(1)
        x[1].add_(y[0])
        return x + y

    x, y = tri.zeros(2, 2), tri.ones(2, 2)
    for _ in range(2):
        program(x, y)
    assert version(x) > 0
    assert version(y) == 0


# ---- what is traced


def test_a_program_that_writes_is_one_plan() -> None:
    @tri.compile
    def program(x: Any, y: Any) -> Any:
        x += y
        x[0] = 0
        x.clamp_(0, 3)
        return x.sum()

    x = tri.ones(4)
    for expected in (6, 9, 9):
        assert program(x, tri.ones(4)).item() == expected
    stats = program.stats()
    assert (stats.traces, stats.eager_calls) == (1, 0)


def test_the_writes_are_at_the_end_of_the_ir() -> None:
    def program(x: Any, y: Any) -> Any:
        x[:2] = y
        return x * 2

    text = str(tri.trace(program, tri.spec((4,), tri.float32), tri.spec((2,), tri.float32)))
    lines = [line.strip() for line in text.splitlines()]
    assert any("tri.put_window" in line for line in lines)
    write = next(number for number, line in enumerate(lines) if line.startswith("tri.write"))
    assert lines[write].startswith("tri.write %y into ")
    assert lines[write + 1].startswith("func.return")


def test_offsets_belong_to_the_arguments_that_are_left_when_some_are_one():
    a, b = tri.arange(8), tri.arange(8)
    arguments = [a[2:4], a[2:4], b, b]

    @tri.compile
    def f(w: Any, x: Any, y: Any, z: Any) -> Any:
        view = y.as_strided((2,), (1,), 3)
        view += 1
        return view

    assert f(*arguments).storage_offset() == 3
    assert b.tolist() == [0, 1, 2, 4, 5, 5, 6, 7]


def step_by_step(function: Any, *arguments: Any) -> Any:
    """The result of a compiled function that must have been run without a plan."""
    compiled = tri.compile(function)
    with pytest.warns(tri.TrilithWarning, match="runs step by step"):
        result = compiled(*arguments)
    assert compiled.stats().eager_calls == 1
    return result


def test_a_part_named_by_an_index_tensor_is_a_view():
    def write_part(x: Any, i: Any) -> Any:
        x[i].add_(1)
        return x

    def write_whole(x: Any, i: Any) -> Any:
        part = x[i]
        x.add_(1)
        return part

    def take(x: Any, i: Any) -> Any:
        return x[i]

    def take_twice(x: Any, i: Any) -> Any:
        return x[i] * 2

    place = tri.tensor(1)
    assert step_by_step(write_part, tri.zeros(3, 2), place).tolist() == [[0, 0], [1, 1], [0, 0]]
    assert step_by_step(write_whole, tri.zeros(3, 2), place).tolist() == [1, 1]
    x = tri.zeros(3, 2)
    part = step_by_step(take, x, place)
    assert part.untyped_storage() is x.untyped_storage()
    read = tri.compile(take_twice)
    assert read(tri.ones(3, 2), place).tolist() == [2, 2]
    assert read.stats().eager_calls == 0


def test_containers_that_a_function_changes():
    def grow(tensors: list[Any], named: dict[str, Any]) -> Any:
        tensors.append(tensors[0] * 2)
        named["b"] = named.pop("a")
        return len(tensors)

    tensors, named = [tri.ones(1)], {"a": tri.zeros(1)}
    assert step_by_step(grow, tensors, named) == 2
    assert [tensor.item() for tensor in tensors] == [1, 2]
    assert list(named) == ["b"]


def test_a_write_before_an_error_happens():
    def fail(x: Any) -> Any:
        x.add_(1)
        return x + tri.ones(3)

    x = tri.zeros(2)
    compiled = tri.compile(fail)
    with (
        pytest.warns(tri.TrilithWarning, match="an error is raised after an argument was written"),
        pytest.raises(RuntimeError, match="The size of tensor a"),
    ):
        compiled(x)
    assert x.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="The size of tensor a"):
        tri.trace(fail, x)


def test_plain_values_are_returned_as_they_are():
    @tri.compile
    def f(x: Any) -> Any:
        return len(x), x.shape, x.numel() / 4, "text", x.dtype, None, {"x": x + 1}

    count, shape, part, text, dtype, nothing, named = f(tri.ones(2, 3))
    assert (count, part, text, dtype, nothing) == (2, 1.5, "text", tri.float32, None)
    assert isinstance(shape, tri.Size)
    assert shape == (2, 3)
    assert named["x"].tolist() == [[2] * 3] * 2


def test_a_write_that_is_none_where_arguments_are_one():
    @tri.compile
    def f(x: Any, y: Any) -> Any:
        x.copy_(y)
        return x + 1

    x = tri.zeros(3)
    assert f(tri.ones(3), tri.zeros(3)).tolist() == [1, 1, 1]
    for _ in range(3):
        assert f(x, x).tolist() == [1, 1, 1]


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
def test_what_out_makes_smaller_keeps_its_memory():
    def shrink(x: Any, empty: Any) -> Any:
        made = x - x
        tri.add(empty, empty, out=made)
        return made.as_strided((), ())

    compiled: Any = tri.compile(shrink)
    with pytest.warns(tri.TrilithWarning, match="whose memory keeps its size"):
        assert compiled(tri.ones(3), tri.ones(0)).item() == 0


# ---- memory between the elements, and parts as another dtype


def test_what_is_written_between_the_elements_outlives_a_write_of_all_elements():
    def program(x: Any) -> Any:
        between = x.as_strided((2,), (2,), 1)
        between.fill_(7)
        x.mul_(2)
        return between

    for run in (program, tri.compile(program)):
        memory = tri.arange(6)
        assert run(memory[::2]).tolist() == [7, 7]
        assert memory.tolist() == [0, 7, 4, 7, 8, 5]


def test_what_meets_some_of_the_elements_is_written_before_all_of_them():
    def program(x: Any) -> Any:
        x.as_strided((4,), (1,), 1).fill_(7)
        x.copy_(tri.tensor([1, 2, 3]))

    for run in (program, tri.compile(program)):
        memory = tri.zeros(6, dtype=tri.int64)
        run(memory[::2])
        assert memory.tolist() == [1, 7, 2, 7, 3, 0]


def test_writes_of_all_elements_are_one_even_where_memory_lies_between():
    def program(x: Any) -> None:
        for _ in range(5):
            x[1:].add_(1)
            x.mul_(2)

    memory = tri.ones(6)
    compiled: Any = tri.compile(program)
    compiled(memory[::2])
    expected = tri.ones(3)
    program(expected)
    assert memory[::2].tolist() == expected.tolist()
    module = tri.trace(program, tri.ones(6)[::2])
    assert str(module).count("tri.write") == 1


def larger_elements(x: Any) -> Any:
    y = x.clone()
    y[:4].view(tri.int64)[...] = 0x3C00_4000_4200_4400
    return y


def larger_elements_of_rows(x: Any) -> Any:
    y = x.clone()
    y[:, 2:].view(tri.int32).zero_()
    return y * 2


def conjugates(x: Any) -> Any:
    y = x.clone()
    y[:2].view(tri.complex64).copy_(tri.complex(x[1:2], x[2:]).conj())
    return y + 1


def smaller_elements(x: Any) -> Any:
    y = x.clone()
    y[1:].view(tri.uint8)[::2] = 0
    return y


def no_elements(x: Any) -> Any:
    y = x.clone()
    part = y.transpose(0, 0).unfold(-1, 0, 1).view(tri.int64)
    part[...] = y
    return part


@pytest.mark.parametrize(
    ("program", "x", "expected"),
    [
        (larger_elements, tri.ones(5, dtype=tri.float16), [4, 3, 2, 1, 1]),
        (larger_elements_of_rows, tri.ones(2, 5, dtype=tri.float16)[:, 1:], [[2, 2, 0, 0]] * 2),
        (conjugates, tri.arange(3.0), [2, -1, 3]),
        (smaller_elements, tri.tensor([257, 258, 259], dtype=tri.int16), [257, 256, 256]),
        (no_elements, tri.tensor(1, dtype=tri.float16), []),
    ],
)
def test_a_part_is_written_as_elements_of_another_dtype(program: Run, x: Any, expected: Any):
    assert program(x).tolist() == expected
    compiled: Any = tri.compile(program)
    assert compiled(x).tolist() == expected
    assert compiled.stats().eager_calls == 0


def conjugates_as_pairs(x: Any, y: Any) -> Any:
    x.copy_(y.conj())
    x[1:].copy_(y[:1].expand(2).conj())
    return tri.view_as_real(x) * 2, tri.view_as_real(x[1:]).sum()


def conjugates_as_numbers(x: Any, y: Any) -> Any:
    x.copy_(y.conj())
    return x.real * 2, x.imag.sum()


def test_what_was_written_as_conjugates_is_read_as_pairs():
    y = tri.tensor([1 + 2j, 3 + 4j, 5 + 6j])
    for program, expected in (
        (conjugates_as_pairs, ([[2, -4]] * 3, -2)),
        (conjugates_as_numbers, ([2, 6, 10], -12)),
    ):
        compiled: Any = tri.compile(program)
        for run in (program, compiled):
            pairs, total = run(y.clone(), y)
            assert (pairs.tolist(), total.item()) == expected
        assert compiled.stats().eager_calls == 0


def shifted(x: Any) -> Any:
    y = x.clone()
    y[1:] += y[:-1].clone()
    return y


def striped(x: Any) -> Any:
    y = x.clone()
    y[-1:] = 3
    y[:, 1::2] = 0
    y.t()[1:] *= 2
    y.fill_diagonal_(5)
    return y


@pytest.mark.parametrize("function", [shifted, striped])
def test_a_write_into_an_empty_part_writes_nothing(function: Run) -> None:
    run = tri.compile(function)
    for rows, columns in ((6, 8), (1, 8), (8, 1), (1, 1), (2, 130), (0, 4), (4, 0)):
        for x in (tri.ones(rows, columns), tri.ones(columns, rows).t()):
            assert run(x).tolist() == function(x).tolist()
    assert run.stats().eager_calls == 0


def test_an_empty_part_of_an_argument_stays_what_it_is() -> None:
    def clear_first(x: Any, count: Any) -> Any:
        x[:count].zero_()
        return x + 1

    run = tri.compile(clear_first)
    for count in (0, 1, 2, 0):
        given, expected = tri.ones(3), tri.ones(3)
        assert run(given, count).tolist() == clear_first(expected, count).tolist()
        assert given.tolist() == expected.tolist()
    assert run.stats().eager_calls == 0
