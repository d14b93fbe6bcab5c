"""A line on the terminal says what is being compiled when that takes long, and goes when done."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from trilith.compiler import plan_log, progress
from trilith.compiler.plan_records import PlanRecord

pty = pytest.importorskip("pty", reason="pseudo-terminals are of POSIX")

#: Makes plans as slowly as it is told, on a standard error that is a terminal.
PROGRAM = """
import sys, time, threading, os, signal
import trilith as tri
from trilith.compiler import plan_log, progress
progress.PATIENCE = 0.2

def slow(seconds, error=None):
    def make():
        time.sleep(seconds)
        if error is not None:
            raise error
        return 1
    return make

{body}
print("END", file=sys.stderr, flush=True)
"""


def seen(body: str, **variables: str) -> str:
    """Return what a person's terminal was sent while a program ran, up to its end."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **variables}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(body=body)],
        stderr=slave,
        stdout=subprocess.DEVNULL,
        env=environment,
    ) as process:
        os.close(slave)
        found = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:
                break  # Linux says so when the other end is closed
            if not part:
                break
            found += part
        assert process.wait(60) == 0, found
    os.close(master)
    return found.decode()


def screen(text: str) -> list[str]:
    """Return the lines that stand on a terminal in the end."""
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        shown: list[str] = []
        for part in line.split("\r"):
            shown[: len(part)] = part
        lines.append("".join(shown).rstrip())
    return [line for line in lines if line]


def test_the_line_comes_late_and_goes() -> None:
    text = seen("plan_log.logged(slow(0.8), 'model', lambda: '')")
    assert "trilith: compiling model: making kernels, 0." in text
    assert screen(text) == ["END"]


def test_what_is_quick_shows_nothing() -> None:
    assert seen("for _ in range(5): plan_log.logged(slow(0.01), 'model', lambda: '')") == "END\r\n"


def test_it_can_be_turned_off() -> None:
    body = "plan_log.logged(slow(0.8), 'model', lambda: '')"
    assert seen(body, TRILITH_PROGRESS="0") == "END\r\n"
    assert seen(body, TERM="dumb") == "END\r\n"


def test_a_plan_that_fails_leaves_nothing() -> None:
    text = seen(
        "try: plan_log.logged(slow(0.6, ValueError('no')), 'model', lambda: '')\n"
        "except ValueError: print('caught', file=sys.stderr, flush=True)"
    )
    assert "compiling model" in text
    assert screen(text) == ["caught", "END"]


def test_an_interrupt_leaves_nothing() -> None:
    text = seen(
        "threading.Timer(0.6, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try: plan_log.logged(slow(30), 'model', lambda: '')\n"
        "except KeyboardInterrupt: print('stopped', file=sys.stderr, flush=True)\n"
        "assert not progress.PROGRESS.plans\n"
        "plan_log.logged(slow(0.6), 'again', lambda: '')"
    )
    assert "compiling model" in text
    assert "compiling again" in text
    assert screen(text) == ["stopped", "END"]


def test_threads_share_the_line() -> None:
    text = seen(
        "work = lambda name: plan_log.logged(slow(0.8), name, lambda: '')\n"
        "threads = [threading.Thread(target=work, args=(f'f{n}',)) for n in range(3)]\n"
        "for thread in threads: thread.start(); time.sleep(0.02)\n"
        "for thread in threads: thread.join()"
    )
    assert "compiling f0 and 2 others: " in text
    assert screen(text) == ["END"]


def test_a_child_has_a_line_of_its_own() -> None:
    text = seen(
        "plan_log.logged(slow(0.6), 'parent', lambda: '')\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    plan_log.logged(slow(0.6), 'child', lambda: '')\n"
        "    os._exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0"
    )
    assert "compiling parent" in text
    assert "compiling child" in text
    assert screen(text) == ["END"]


def test_a_fork_in_the_midst_does_not_hang() -> None:
    text = seen(
        "def make():\n"
        "    time.sleep(0.5)\n"
        "    for _ in range(20):\n"
        "        child = os.fork()\n"
        "        if not child:\n"
        "            plan_log.logged(slow(0), 'child', lambda: '')\n"
        "            os._exit(0)\n"
        "        assert os.waitpid(child, 0)[1] == 0\n"
        "plan_log.logged(make, 'parent', lambda: '')"
    )
    assert screen(text) == ["END"]


def test_a_process_may_end_in_the_midst() -> None:
    text = seen(
        "work = lambda: plan_log.logged(slow(60), 'model', lambda: '')\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.6)"
    )
    assert "compiling model" in text


def test_the_standard_error_may_be_closed() -> None:
    body = (
        "kept = sys.stderr\n"
        "{how}\n"
        "plan_log.logged(slow(0.5), 'model', lambda: '')\n"
        "sys.stderr = open(2, 'w', closefd=False)"
    )
    for how in ("sys.stderr = None", "sys.stderr.close()", "sys.stderr = object()"):
        assert "compiling" not in seen(body.format(how=how).replace("sys.stderr.close()", CLOSING))
    text = seen(
        "def make():\n"
        "    time.sleep(0.5)\n"
        "    sys.stderr = None\n"
        "    time.sleep(0.3)\n"
        "kept = sys.stderr\n"
        "plan_log.logged(make, 'model', lambda: '')\n"
        "sys.stderr = kept"
    )
    assert screen(text) == ["END"]


#: The text layer alone is closed, so that the test can still write to what lies below.
CLOSING = "sys.stderr = open(os.dup(2), 'w'); sys.stderr.close()"


def test_long_names_do_not_break_the_line() -> None:
    text = seen("plan_log.logged(slow(0.6), 'f' * 500, lambda: '')", COLUMNS="40")
    assert all(len(part) < 81 for part in text.split("\r"))
    assert screen(text) == ["END"]


def test_a_real_function_is_counted_by_its_kernels() -> None:
    text = seen(
        "progress.PATIENCE = 0.0\n"
        "from trilith.compiler.kernels import table\n"
        "load = table._load_or_compile\n"
        "def late(*given):\n"
        "    time.sleep(0.4)\n"
        "    return load(*given)\n"
        "table._load_or_compile = late\n"
        "@tri.compile\n"
        "def model(x):\n"
        "    return (x @ x).sum(0), x.cumsum(1), x.exp().sum()\n"
        "model(tri.ones(30, 30))"
    )
    assert "trilith: compiling model: 1 of " in text
    assert screen(text) == ["END"]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[progress.Progress]:
    """Return a line that nobody else uses."""
    line = progress.Progress()
    monkeypatch.setattr(plan_log, "PROGRESS", line)
    yield line
    assert not line.plans


def test_nothing_is_begun_without_a_terminal(shown: progress.Progress) -> None:
    assert plan_log.logged(lambda: 7, "f", lambda: "") == 7
    assert shown._thread is None  # pyright: ignore[reportPrivateUsage]


def test_a_terminal_that_takes_nothing_holds_nobody_up(
    shown: progress.Progress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-S stops a terminal: who writes to it waits, who compiles does not for long."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, bytes(4096))
    except BlockingIOError:
        os.set_blocking(writer, True)

    def stopped() -> Any:
        return writer

    monkeypatch.setattr(progress, "terminal", stopped)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    record = PlanRecord("f")
    shown.plans[threading.get_ident()] = record
    shown.begin(record)
    time.sleep(0.2)
    start = time.perf_counter()
    shown.plans.clear()
    shown._written = 5  # pyright: ignore[reportPrivateUsage]
    shown.erase()
    assert time.perf_counter() - start < 10 * progress.LONGEST_WAIT
    os.read(reader, 1 << 20)
    os.close(reader)
