"""`make stress`: faults, threads, forks and interrupts in numbers that a sample only stands for.

    python -m tests.stress.run                 # everything, a quarter of an hour on two cores
    python -m tests.stress.run --only threads --only damage
    python -m tests.stress.run --share 0.01    # a hundredth of each number

Each part is a process of its own that says in a line what came of it and ends with 0 if all was
right. The command ends with 1 if one did not.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
Command = tuple[list[str], dict[str, str]]


@dataclass(frozen=True, slots=True)
class Part:
    """What is done how often, and the command for it: arguments, and what the environment adds."""

    what: str
    count: int
    command: Callable[[int], Command]


def program(name: str, *, has_cache: bool = True) -> Callable[[int], Command]:
    """Return a program of the tests, which takes a number."""
    cache = {"TRILITH_CACHE": str(int(has_cache))}
    return lambda count: (["-m", f"tests.{name}", str(count)], cache)


def cache_tests(count: int) -> Command:
    """Return the tests of the disk cache, with so many writers that are killed."""
    files = [f"unit/runtime/test_cache{name}.py" for name in ("", "_faults", "_refusals")]
    files.append("unit/runtime/test_stored_plans.py")
    command = ["-m", "pytest", "--quiet", *(str(ROOT / "tests" / file) for file in files)]
    return command, {"TRILITH_KILLS": str(count)}


PARTS = {
    "damage": Part(
        "processes that find their plans cut off or with flipped bits",
        10_000,
        program("stress.damage"),
    ),
    "files": Part(
        "killed writers; eight on the same keys; full, read-only and refusing file systems",
        200,
        cache_tests,
    ),
    "threads": Part(
        "calls of each of eight threads with changing sizes, while the process forks",
        100_000,
        program("stress.threads", has_cache=False),
    ),
    "forks": Part(
        "forks of a process that compiles, computes and stores in four threads",
        200,
        program("unit.compiler.forking"),
    ),
    "interrupts": Part(
        "interrupts at random moments, and the same work in peace after each",
        1000,
        program("unit.compiler.interrupting"),
    ),
    "dropped": Part(
        "functions that are compiled, called and dropped",
        2000,
        program("stress.dropped", has_cache=False),
    ),
}


def run(part: Part, count: int) -> int:
    """Run a part in a process of its own, with a cache of its own; return how it ended."""
    arguments, changes = part.command(count)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TRILITH_CACHE_DIR": folder, **changes}
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def main() -> int:
    """Run what is asked for and say how it ended."""
    parser = argparse.ArgumentParser(
        prog="make stress",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=__doc__,
    )
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; may be repeated")
    parser.add_argument("--share", type=float, default=1.0, help="of each number (1)")
    options = parser.parse_args()
    if not options.share > 0:
        parser.error(f"--share {options.share}: a share of each number is more than 0")
    failed: list[str] = []
    for name in options.only or PARTS:
        part = PARTS[name]
        count = max(round(part.count * options.share), 1)
        print(f"{name}: {count} {part.what}", flush=True)
        start = time.monotonic()
        if run(part, count):
            failed.append(name)
        print(f"  {'failed' if name in failed else 'right'}, {time.monotonic() - start:.0f} s")
    print(f"failed: {', '.join(failed)}" if failed else "all right")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
