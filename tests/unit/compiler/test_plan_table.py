"""Does one thread make what several need, and does nothing stay when it is interrupted?"""

import threading
import time

import pytest

from trilith.compiler import plan_table
from trilith.compiler.plan_table import PlanTable

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
