"""Kills writers of a disk cache in mid-write; run by test_cache_faults.py in a process of its own.

    python killing.py FOLDER WRITERS

Each writer is a child that stores entries until SIGKILL ends it, every second one at a moment drawn
at random, the others as soon as they have begun to write a file. Then every entry must be one that
a writer stored, or missing. Prints how many did right.
"""

import os
import random
import signal
import sys
import time
import warnings

from trilith.runtime.execution.cache import DiskCache

FOLDER, WRITERS = sys.argv[1], int(sys.argv[2])
KEYS = 5
#: Long enough that most of the time of a writer goes into the writing of bytes.
LENGTH = 1 << 20


def content(key: int, number: int) -> bytes:
    return bytes([key, number % 256]) * (LENGTH // 2)


def write_for_ever(number: int) -> None:
    entries = DiskCache(FOLDER)
    while True:
        for key in range(KEYS):
            entries.put(str(key), content(key, number))


def wait_for_a_file_of(writer: int) -> None:
    """Wait until a process has begun to write a file, 10 s at most."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            if any(name.startswith(f"{writer}-") for name in os.listdir(f"{FOLDER}/v2")):
                return
        except FileNotFoundError:
            pass  # there is no cache yet


def is_right(number: int) -> bool:
    """Whether a new reader finds what writers stored, and can store itself."""
    entries = DiskCache(FOLDER)
    for key in range(KEYS):
        found = entries.get(str(key))
        if found is not None and found not in (content(key, n) for n in {found[1], number % 256}):
            return False
    entries.put("mine", b"%d" % number)
    return entries.get("mine") == b"%d" % number


def main() -> None:
    warnings.simplefilter("error")
    draws = random.Random(1)
    good = 0
    for number in range(WRITERS):
        child = os.fork()
        if not child:
            signal.alarm(60)
            write_for_ever(number)
        if number % 2:
            time.sleep(draws.uniform(0, 0.02))
        else:
            wait_for_a_file_of(child)
        os.kill(child, signal.SIGKILL)
        is_killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        good += is_killed and is_right(number)
    print(f"{good} of {WRITERS} did right")


main()
