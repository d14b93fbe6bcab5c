"""What becomes of programs whose process hangs, dies or has taken enough memory? None is lost."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]

#: A family whose programs 3 and 5 do what the test says; a process of its own may be forked.
PROGRAM = """
import os, time
from tests.property import runner

class Numbers:
    programs = 0
    def __init__(self):
        self.seen, self.prepared = [], []
    def add(self, other):
        self.programs += other.programs
        self.seen += other.seen
        self.prepared += other.prepared

class Family:
    name, chunk, batch = "numbers", 10, 2
    counts = Numbers
    def prepare(self, seed, numbers):
        self.batch_prepared = tuple(numbers)
    def check(self, seed, number, counts):
        if number == 3:
            {three}
        if number == 5:
            {five}
        counts.programs += 1
        counts.seen.append(number)
        counts.prepared.append(number in self.batch_prepared)
    def text(self, seed, number):
        return f"program {{number}}"
    def report(self, counts):
        return [f"{{sorted(counts.seen)}} {{all(counts.prepared)}}"]

runner.PATIENCE, runner.MOST_MEMORY = 2.0, {memory}
print(runner.run(Family(), 7, range(8), {jobs}, True).report())
"""


def lines_of(three: str, five: str, memory: int = 1 << 30, jobs: int = 1) -> list[str]:
    """Run the family in a process of its own; return what is reported."""
    program = PROGRAM.format(three=three, five=five, memory=memory, jobs=jobs)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60.0,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_process_that_hangs_is_ended_and_one_that_dies_is_replaced():
    reported = lines_of(three="time.sleep(100)", five="os._exit(9)")
    assert reported == [
        "[0, 1, 6, 7] True",
        "FAILED process ended with 9: 1 programs, such as [5]",
        "FAILED process hangs: 1 programs, such as [3]",
    ]


def test_a_process_that_has_taken_enough_memory_leaves_the_rest_to_another():
    reported = lines_of(three="print(os.getpid())", five="print(os.getpid())", memory=0)
    assert len(set(reported)) == 3
    assert reported[-1] == "[0, 1, 2, 3, 4, 5, 6, 7] True"


def test_several_processes_share_the_programs():
    assert lines_of(three="pass", five="pass", jobs=3) == ["[0, 1, 2, 3, 4, 5, 6, 7] True"]
