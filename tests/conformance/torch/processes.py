"""How are jobs run in child processes, so that a crash or a hang costs one job and not the run?"""

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")

#: A fork shares what the parent imported: torch takes seconds to import.
CONTEXT = multiprocessing.get_context("fork")


@dataclass
class _Child(Generic[Job]):
    """A job that is running."""

    job: Job
    process: BaseProcess
    ends: float


def _answer(work: Callable[[Job], Answer], job: Job, sender: Connection) -> None:
    """What a child does."""
    sender.send(work(job))
    sender.close()


def run_all(
    work: Callable[[Job], Answer],
    jobs: Iterable[Job],
    processes: int,
    timeout: float,
    failed: Callable[[Job, str, str], Answer],
) -> Iterator[tuple[Job, Answer]]:
    """Yield every job with its answer as it ends; `failed(job, kind, detail)` stands for a death.

    At most `processes` run at a time, each for `timeout` seconds.
    """
    waiting = iter(jobs)
    children: dict[Connection, _Child[Job]] = {}
    while True:
        while len(children) < processes and (job := next(waiting, None)) is not None:
            receiver, sender = CONTEXT.Pipe(duplex=False)
            process = CONTEXT.Process(target=_answer, args=(work, job, sender))
            process.start()
            sender.close()
            children[receiver] = _Child(job, process, time.monotonic() + timeout)
        if not children:
            return
        soonest = min(child.ends for child in children.values())
        ready = wait(list(children), max(0.0, soonest - time.monotonic()))
        for connection in list(children):
            child = children[connection]
            if connection in ready:
                answer = _received(connection, child, failed)
            elif time.monotonic() >= child.ends:
                child.process.kill()
                answer = failed(child.job, "timeout", f"stopped after {timeout:.0f} s")
            else:
                continue
            child.process.join()
            connection.close()
            del children[connection]
            yield child.job, answer


def _received(
    connection: Connection, child: _Child[Job], failed: Callable[[Job, str, str], Answer]
) -> Answer:
    """Return what a child sent before it ended, or how it died."""
    try:
        return connection.recv()
    except EOFError:
        child.process.join()
        detail = f"the process ended with status {child.process.exitcode}"
        return failed(child.job, "crash", detail)
