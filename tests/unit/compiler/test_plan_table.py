"""Does one thread make what several need, and does nothing stay when it is interrupted?"""

import os
import threading
import time

import pytest

from trilith.compiler import plan_table
from trilith.compiler.plan_table import PlanTable, TableStats

from ..interruption import interruptions, no_lock_is_held


def test_threads_share_one_plan():
    table: PlanTable[str, object] = PlanTable(4)
    start, found = threading.Barrier(6), list[object]()

    def make() -> object:
        time.sleep(0.05)
        return object()

    def work() -> None:
        start.wait(30)
        found.append(table.get("key", make))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len(set(map(id, found))) == 1
    assert table.in_the_making == 0


def test_what_fails_is_tried_again():
    table: PlanTable[str, int] = PlanTable(4)
    with pytest.raises(ZeroDivisionError):
        table.get("key", lambda: 1 // 0)
    assert (table.in_the_making, table.get("key", lambda: 3)) == (0, 3)


def test_who_is_asked_in_the_midst_of_making_makes_it():
    table: PlanTable[str, int] = PlanTable(4)
    assert table.get("key", lambda: table.get("key", lambda: 1) + 1) == 2
    assert (table.in_the_making, table.find("key")) == (0, 2)


def test_two_threads_that_wait_for_each_other_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(plan_table, "PATIENCE", 0.2)
    table: PlanTable[str, str] = PlanTable(4)
    both = threading.Barrier(2)
    found: list[str] = []

    def work(own: str, other: str) -> None:
        def make() -> str:
            both.wait(30)
            return own + table.get(other, lambda: other)

        found.append(table.get(own, make))

    threads = [threading.Thread(target=work, args=pair) for pair in ("ab", "ba")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(text[0] for text in found) == ["a", "b"]
    assert table.in_the_making == 0


def test_interrupts_leave_no_key_in_the_making():
    table: PlanTable[int, int] = PlanTable(3)
    numbers = iter(range(10_000))

    def run() -> None:
        key = next(numbers)
        table.get(key, lambda: key + 1)
        assert table.find(key) == key + 1

    for at in interruptions(run, plan_table):
        assert table.in_the_making == 0
        assert no_lock_is_held()
        assert table.get(-at - 1, lambda at=at: at + 1) == at + 1
        assert len(table) <= 3


def filled(limit: int, *keys: str) -> PlanTable[str, str]:
    """Return a table of plans, each with a shortcut."""
    table: PlanTable[str, str] = PlanTable(limit)
    for key in keys:
        table.get(key, key.upper)
        table.shorten(key, (key, 1), key.upper())
    return table


def test_a_shortcut_lives_as_long_as_its_plan():
    table = filled(4, "a", "b")
    assert table.shortcuts == {("a", 1): "A", ("b", 1): "B"}
    shortcuts = table.shortcuts
    table.shorten("unknown", "short", "nothing")
    for key in "cde":
        table.get(key, key.upper)
    # `a` and `b` may be in use without being seen: they are kept, and found by their keys.
    assert (shortcuts, table.find("c")) == ({}, None)
    assert [table.find(key) for key in "abde"] == ["A", "B", "D", "E"]
    table.get("f", lambda: "F")
    assert (table.find("a"), table.find("b")) == (None, "B")
    table.shorten("b", ("b", 1), "B")
    table.clear()
    table.shorten("b", ("b", 1), "B")
    assert (shortcuts, len(table)) == ({}, 0)
    assert table.shortcuts is shortcuts


def test_what_is_in_use_is_not_forgotten():
    """A hot plan is found by its shortcut and is not seen; a thousand others come and go."""
    table, made = PlanTable[str, str](8), list[str]()

    def call(key: str) -> None:
        def make() -> str:
            made.append(key)
            return key

        if key not in table.shortcuts:
            table.get(key, make)
            table.shorten(key, key, key)

    for number in range(1000):
        call("hot")
        call(f"cold {number}")
        assert len(table) <= 8
        assert set(table.shortcuts) <= {"hot", *(f"cold {number - back}" for back in range(6))}
    assert made.count("hot") == 1
    assert table.stats().evictions == 1001 - 8


def test_shortcuts_are_fewer_than_plans():
    table = filled(4, "a", "b")
    for number in range(2, 10):
        table.shorten("a", ("a", number), "A")
        assert len(table.shortcuts) <= 3
    assert ("b", 1) not in table.shortcuts
    assert table.find("b") == "B"  # the plan itself stays
    table.shorten("b", ("b", 1), "B")
    table.shorten("b", ("b", 1), "B again")
    assert table.shortcuts["b", 1] == "B again"


def test_what_is_put_replaces_what_is_there():
    table = filled(2, "a", "b")
    table.put("b", "another")
    assert (table.find("a"), table.find("b"), len(table)) == ("A", "another", 2)
    table.put("c", "C")
    assert len(table) == 2
    assert table.get("c", lambda: "made") == "C"


def test_statistics():
    table = filled(2, "a", "b", "a")
    assert table.stats() == TableStats(plans=2, shortcuts=1, hits=1, misses=2, evictions=0)
    with pytest.raises(ZeroDivisionError):
        table.get("c", lambda: str(1 // 0))
    table.get("c", lambda: "C")
    assert table.stats() == TableStats(plans=2, shortcuts=1, hits=1, misses=3, evictions=1)
    table.clear()
    assert table.stats() == TableStats(plans=0, shortcuts=0, hits=1, misses=3, evictions=1)


def test_threads_that_shorten_and_forget():
    """Readers without a lock see a plan of their key or none."""
    table: PlanTable[int, int] = PlanTable(16)
    wrong, over = list[object](), threading.Event()

    def read() -> None:
        while not over.is_set():
            for key in range(64):
                found = table.shortcuts.get(("short", key), key)
                if found != key:
                    wrong.append(found)

    def work(seed: int) -> None:
        for step in range(3000):
            key = (step * (seed + 3)) % 64
            table.get(key, lambda key=key: key)
            table.shorten(key, ("short", key), key)
            if not step % 500:
                table.clear()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    reader = threading.Thread(target=read)
    reader.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    over.set()
    reader.join()
    assert wrong == []
    assert len(table) <= 16
    assert len(table.shortcuts) <= 16


def test_interrupts_leave_no_shortcut_for_ever():
    table: PlanTable[int, int] = PlanTable(3)
    numbers = iter(range(100_000))

    def run() -> None:
        key = next(numbers)
        table.get(key, lambda: key + 1)
        for part in range(3):
            table.shorten(key, (key, part), key)

    for _ in interruptions(run, plan_table):
        assert no_lock_is_held()
        run()
        assert len(table) <= 3
        assert len(table.shortcuts) <= 3
        assert all(key >= next(numbers) - 40 for key, _ in table.shortcuts)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_makes_what_another_thread_was_making():
    table: PlanTable[str, str] = PlanTable(4)
    started, over = threading.Event(), threading.Event()

    def make() -> str:
        started.set()
        over.wait(30)
        return "of the parent"

    thread = threading.Thread(target=table.get, args=("key", make))
    thread.start()
    started.wait(30)
    child = os.fork()
    if not child:
        begin = time.monotonic()
        is_right = table.get("key", lambda: "of the child") == "of the child"
        table.shorten("key", "short", 1)
        is_right = is_right and table.shortcuts == {"short": 1} and table.in_the_making == 0
        os._exit(0 if is_right and time.monotonic() - begin < plan_table.PATIENCE / 2 else 1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    over.set()
    thread.join()
    assert (status, table.find("key")) == (0, "of the parent")
