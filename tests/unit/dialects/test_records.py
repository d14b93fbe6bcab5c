"""Is a record what the standard library's dataclass of the same text is?"""

from __future__ import annotations

import copy
import dataclasses
import pickle
import threading
from typing import Any

import pytest

from trilith.dialects import records
from trilith.dialects.records import declared, field, record


def classes(record: Any, field: Any) -> list[Any]:
    """Return the same classes, made by one of the two."""

    @record()
    class Point:
        x: int
        y: int = 0

    @record()
    class Named(Point):
        name: str = "?"
        marks: list[int] = field(default_factory=list[int], compare=False)
        hidden: object = field(default=None, repr=False)

    @record(frozen=False)
    class Count:
        number: int = 0
        found: list[int] = field(default_factory=list[int])
        last: int = field(init=False, default=7)

    @record(kw_only=True, eq=False)
    class Options:
        text: str = field(kw_only=False)
        size: int = 3
        width: int

    @record()
    class Doubled:
        value: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "value", 2 * self.value)

        def __repr__(self) -> str:
            return f"<{self.value}>"

        def __eq__(self, other: Any) -> bool:
            return type(other) is type(self) and abs(self.value) == abs(other.value)

    @record()
    class Empty:
        pass

    @record(init=False, repr=False)
    class Several:
        values: tuple[int, ...]

        def __init__(self, *values: int) -> None:
            object.__setattr__(self, "values", values)

    made: list[Any] = [Point, Named, Count, Options, Doubled, Empty, Several]
    for kind in made:
        kind.__qualname__ = kind.__name__  # where pickle looks for it
    return made


def standard(*, frozen: bool = True, **options: Any) -> Any:
    """Return the standard library's decorator with the options that records have of themselves."""
    return dataclasses.dataclass(frozen=frozen, slots=True, **options)


Point, Named, Count, Options, Doubled, Empty, Several = OURS = classes(record, field)
STANDARD: dict[Any, Any] = dict(zip(OURS, classes(standard, dataclasses.field), strict=True))

CALLS: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (Point, (1,), {}),
    (Point, (1, 2), {}),
    (Point, (), {"y": 3, "x": 1}),
    (Named, (1, 2, "a"), {}),
    (Named, (1,), {"marks": [4], "hidden": 5}),
    (Count, (), {}),
    (Count, (3, [1]), {}),
    (Options, ("a",), {"width": 1}),
    (Options, ("a",), {"width": 1, "size": 2}),
    (Doubled, (4,), {}),
    (Empty, (), {}),
    (Several, (1, 2, 3), {}),
]
WRONG: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
    (Point, (), {}),
    (Point, (1, 2, 3), {}),
    (Point, (1,), {"z": 1}),
    (Point, (1,), {"x": 1}),
    (Options, ("a",), {}),
    (Options, ("a", 1), {"width": 1}),
    (Count, (), {"last": 1}),
    (Empty, (1,), {}),
]


@pytest.mark.parametrize(("kind", "arguments", "keywords"), CALLS)
def test_values_text_equality_and_hash(
    kind: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
):
    ours, theirs = kind(*arguments, **keywords), STANDARD[kind](*arguments, **keywords)
    for name in declared(kind):
        assert getattr(ours, name) == getattr(theirs, name)
    if kind is not Several:
        assert repr(ours) == repr(theirs)
    again, other = kind(*arguments, **keywords), STANDARD[kind](*arguments, **keywords)
    assert (ours == again, ours != again) == (theirs == other, theirs != other)
    assert (ours == theirs, ours == 1) == (theirs == ours, theirs == 1)
    assert kind.__match_args__ == STANDARD[kind].__match_args__
    assert not hasattr(ours, "__dict__")


@pytest.mark.parametrize(("kind", "arguments", "keywords"), CALLS)
def test_the_first_objects_are_like_the_others(
    kind: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
):
    fresh = classes(record, field)[OURS.index(kind)]
    theirs = STANDARD[kind](*arguments, **keywords)
    first = fresh.__init__
    for number in range(records.UNWRITTEN + 3):
        made = fresh(*arguments, **keywords)
        for name in declared(kind):
            assert getattr(made, name) == getattr(theirs, name)
        if kind is not Several:
            is_written = fresh.__init__ is not first
            assert is_written == (number >= records.UNWRITTEN)


@pytest.mark.parametrize(("kind", "arguments", "keywords"), WRONG)
def test_the_first_call_may_be_wrong(
    kind: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
):
    fresh = classes(record, field)[OURS.index(kind)]
    with pytest.raises(TypeError) as theirs:
        STANDARD[kind](*arguments, **keywords)
    with pytest.raises(TypeError) as ours:
        fresh(*arguments, **keywords)
    expected = str(theirs.value).removeprefix("classes.<locals>.")
    assert str(ours.value).removeprefix("classes.<locals>.") == expected


@pytest.mark.parametrize(("kind", "arguments", "keywords"), CALLS)
def test_hash(kind: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]):
    ours, theirs = kind(*arguments, **keywords), STANDARD[kind](*arguments, **keywords)
    if kind is Options:
        assert hash(ours) == object.__hash__(ours)
    elif kind.__hash__ is None:
        assert STANDARD[kind].__hash__ is None
    else:
        assert hash(ours) == hash(theirs)


@pytest.mark.parametrize(("kind", "arguments", "keywords"), WRONG)
def test_wrong_calls_are_refused_in_the_same_words(
    kind: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
):
    with pytest.raises(TypeError) as theirs:
        STANDARD[kind](*arguments, **keywords)
    for _ in range(2):
        with pytest.raises(TypeError) as ours:
            kind(*arguments, **keywords)
        assert str(ours.value) == str(theirs.value).removeprefix("classes.<locals>.")


@pytest.mark.parametrize("kind", [Point, Named, Doubled])
def test_a_frozen_one_refuses_assignment_and_deletion(kind: Any):
    name = next(iter(declared(kind)))
    ours, theirs = kind(1), STANDARD[kind](1)
    with pytest.raises(dataclasses.FrozenInstanceError) as expected:
        setattr(theirs, name, 2)
    with pytest.raises(dataclasses.FrozenInstanceError) as found:
        setattr(ours, name, 2)
    assert str(found.value) == str(expected.value)
    with pytest.raises(dataclasses.FrozenInstanceError) as expected:
        delattr(theirs, name)
    with pytest.raises(dataclasses.FrozenInstanceError) as found:
        delattr(ours, name)
    assert str(found.value) == str(expected.value)


def test_the_others_can_be_assigned_to():
    count = Count()
    count.number = 4
    assert repr(count) == "Count(number=4, found=[], last=7)"
    assert count.found is not Count().found


@pytest.mark.parametrize("value", [Point(1), Named(1, marks=[2]), Count(), Empty(), Several(1, 2)])
def test_copies_and_pickles(value: Any):
    for made in (
        copy.copy(value),
        copy.deepcopy(value),
        *(pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, 6)),
    ):
        assert made == value
        assert type(made) is type(value)
        assert all(
            getattr(made, name) == getattr(value, name) for name in declared(value.__class__)
        )


def test_the_standard_librarys_functions_take_records():
    named, library = Named(1, marks=[2]), dataclasses.__dict__
    assert library["is_dataclass"](Named)
    assert library["is_dataclass"](named)
    ours, theirs = dataclasses.fields(Named), dataclasses.fields(STANDARD[Named])
    assert [str(each) for each in ours] == [str(each) for each in theirs]
    assert library["asdict"](named) == library["asdict"](STANDARD[Named](1, marks=[2]))
    assert library["replace"](named, y=5) == Named(1, 5)


def test_replace():
    named = Named(1, 2, "a", [3], 4)
    found = records.replace(named, y=5)
    assert (found.x, found.y, found.name, found.marks, found.hidden) == (1, 5, "a", [3], 4)
    assert found.marks is named.marks
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'z'"):
        records.replace(named, z=5)


def test_a_subclass_that_is_no_record_inherits():
    class Plain(Point):
        pass

    assert (Plain(1, 2).x, Plain(1).y) == (1, 0)


def test_threads_that_make_the_first_one():
    for _ in range(50):

        @record
        class Fresh:
            a: int
            b: int = 2

        barrier, found = threading.Barrier(4), list[Any]()

        def make(kind: Any = Fresh, barrier: Any = barrier, found: Any = found):
            barrier.wait()
            found.append(kind(1))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [Fresh(1)] * 4


def test_a_class_that_derives_from_a_record_may_have_its_own_init():
    @record
    class Place:
        file: str
        line: int = 0

    class Here(Place):
        def __init__(self, file: str) -> None:
            calls.append(file)
            super().__init__(file, 7)

    calls: list[str] = []
    made = [Here(str(number)) for number in range(3 * records.UNWRITTEN)]
    assert [(each.file, each.line) for each in made] == [(str(n), 7) for n in range(len(made))]
    assert len(calls) == len(made)
    assert Place("a") == Place("a", 0)


@pytest.mark.parametrize("declares", ["x: int = 1; y: int", "x: list = []", "x: dict = {}"])
def test_what_the_standard_library_refuses_is_refused_in_its_words(declares: str):
    found: list[str] = []
    for made in (dataclasses.dataclass(frozen=True, slots=True), record):
        scope: dict[str, Any] = {}
        exec("class Made:\n    " + declares, scope)
        with pytest.raises((TypeError, ValueError)) as error:
            made(scope["Made"])
        found.append(f"{error.type.__name__}: {error.value}")
    assert found[0] == found[1]


def test_fields_may_have_any_names():
    @record
    class Odd:
        _put: int
        _fields: int = 2
        _absent: list[int] = field(default_factory=list[int])

    for number in range(3 * records.UNWRITTEN):
        assert Odd(number) == Odd(number, 2, [])


def test_python_copies_and_replaces_it():
    @record
    class Pair:
        x: int
        y: int = 0

    replaced: Any = Pair(1)
    assert replaced.__replace__(y=3) == Pair(1, 3)
