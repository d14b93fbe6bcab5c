"""Is everything that waits done, in order, once, wherever the process ends or forks?"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trilith.compiler import afterwards
from trilith.compiler.afterwards import Afterwards


def waits_for(condition: Callable[[], object]) -> bool:
    """Return whether something comes true, within ten seconds."""
    end = time.monotonic() + 10
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == afterwards.THREAD}


def test_a_thread_does_what_waits_and_ends(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(afterwards, "QUIET", 0.0)
    later, done = Afterwards(), list[int]()
    before = threads()  # of the process itself, which may end meanwhile
    for number in range(100):
        later.add(lambda number=number: done.append(number))
    assert waits_for(lambda: len(done) == 100)
    assert done == sorted(done)
    assert waits_for(lambda: threads() <= before)
    later.add(lambda: done.append(100))
    assert waits_for(lambda: done[-1] == 100)


def test_nothing_is_done_while_more_comes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(afterwards, "QUIET", 1000.0)
    monkeypatch.setattr(afterwards, "LONGEST", 1000.0)
    later, done = Afterwards(), list[int]()
    later.add(lambda: done.append(1))
    time.sleep(0.02)
    assert not done
    later.finish()
    assert done == [1]


def test_who_finishes_waits_for_the_thread(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(afterwards, "QUIET", 0.0)
    later, done = Afterwards(), list[int]()
    has_begun, may_end = threading.Event(), threading.Event()

    def slow() -> None:
        has_begun.set()
        assert may_end.wait(10)
        done.append(1)

    later.add(slow)
    assert has_begun.wait(10)
    threading.Timer(0.02, may_end.set).start()
    later.finish()
    assert done == [1]


def test_a_job_may_add_another_and_fail(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(afterwards, "QUIET", 1000.0)
    monkeypatch.setattr(afterwards, "LONGEST", 1000.0)
    later, done = Afterwards(), list[str]()

    def fails() -> None:
        later.add(lambda: done.append("added"))
        raise KeyError("a job")

    later.add(fails)
    later.add(lambda: done.append("second"))
    with pytest.raises(KeyError, match="a job"):
        later.finish()
    assert done == ["second", "added"]


def test_the_thread_goes_on_after_a_job_that_fails(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(afterwards, "QUIET", 0.01)
    said: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", said.append)
    later, done = Afterwards(), list[int]()

    def fails() -> None:
        raise KeyError("a job")

    later.add(fails)
    later.add(lambda: done.append(1))
    assert waits_for(lambda: done)
    assert [each.exc_type for each in said] == [KeyError]


def test_nothing_is_done_while_a_plan_is_made_unless_it_has_waited_long(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(afterwards, "QUIET", 0.001)
    monkeypatch.setattr(afterwards, "LONGEST", 0.3)
    later, done = Afterwards(), list[float]()
    later.begin_plan()
    start = time.monotonic()
    later.add(lambda: done.append(time.monotonic() - start))
    assert waits_for(lambda: done)
    assert done[0] >= 0.3
    later.end_plan()
    start = time.monotonic()
    later.add(lambda: done.append(time.monotonic() - start))
    assert waits_for(lambda: len(done) == 2)


def test_only_so_many_may_wait(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(afterwards, "QUIET", 1000.0)
    monkeypatch.setattr(afterwards, "LONGEST", 1000.0)
    later = Afterwards()
    for _ in range(afterwards.ROOM):
        assert later.has_room
        later.add(bool)
    assert not later.has_room
    later.finish()
    assert later.has_room


def test_at_the_end_there_is_no_afterwards(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(afterwards, "QUIET", 1000.0)
    monkeypatch.setattr(afterwards, "LONGEST", 1000.0)
    later, done = Afterwards(), list[int]()
    later.add(lambda: done.append(1))
    later.end(is_needed=True)
    assert done == [1]
    later.add(lambda: done.append(2))
    assert done == [1, 2]
    other = Afterwards()
    other.add(lambda: done.append(3))
    other.end(is_needed=False)
    other.finish()
    assert done == [1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a fork")
def test_a_child_does_what_its_parent_has_not(tmp_path: Path):
    code = """
import os, sys, time
from trilith.compiler import afterwards
folder = sys.argv[1]
afterwards.QUIET = 0.5
afterwards.AFTERWARDS.add(lambda: open(f"{folder}/{os.getpid()}", "w").close())
child = os.fork()
if not child:
    for _ in range(200):
        time.sleep(0.05)
        if os.path.exists(f"{folder}/{os.getpid()}"):
            os._exit(0)
    os._exit(1)
status = os.waitpid(child, 0)[1]
assert os.path.exists(f"{folder}/{os.getpid()}") and status == 0, status
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, timeout=60)
    assert len(list(tmp_path.iterdir())) == 2


def test_what_is_left_is_done_when_the_interpreter_ends(tmp_path: Path):
    code = """
import sys
from trilith.compiler import afterwards
afterwards.QUIET = afterwards.LONGEST = 1000
afterwards.AFTERWARDS.add(lambda: open(sys.argv[1], "w").close())
"""
    done = tmp_path / "done"
    environment = os.environ | {"TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", code, str(done)]
    subprocess.run(command, check=True, timeout=60, env=environment)
    assert done.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a fork")
def test_a_child_of_multiprocessing_does_its_own_at_its_end(tmp_path: Path):
    code = """
import multiprocessing, sys
from trilith.compiler import afterwards
afterwards.QUIET = afterwards.LONGEST = 1000
afterwards.AFTERWARDS.add(lambda: open(f"{sys.argv[1]}/inherited", "a").write("x"))

def work():
    afterwards.AFTERWARDS.add(lambda: open(f"{sys.argv[1]}/own", "a").write("x"))

for _ in range(2):
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join()
    assert child.exitcode == 0
"""
    environment = os.environ | {"TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", code, str(tmp_path)]
    subprocess.run(command, check=True, timeout=60, env=environment)
    assert (tmp_path / "own").read_text() == "xx"
    code = """
import multiprocessing, sys

def work():
    from trilith.compiler import afterwards
    afterwards.QUIET = afterwards.LONGEST = 1000
    afterwards.AFTERWARDS.add(lambda: open(f"{sys.argv[1]}/first", "a").write("x"))

child = multiprocessing.get_context("fork").Process(target=work)
child.start()
child.join()
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    subprocess.run(command, check=True, timeout=60, env=environment)
    assert (tmp_path / "first").read_text() == "x"
    assert (tmp_path / "inherited").read_text() == "x"
