"""Does the collector rest where it may, and go on as it was?

Each test is a program of its own: of a suite that has made so much, collecting takes seconds.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

BEGIN = """
import gc, weakref
from contextlib import suppress
from trilith.dialects.collection import collector_at_rest

class Node:
    'What is garbage once nobody but itself names it.'

    def __init__(self):
        self.itself = self
"""


def run(program: str) -> str:
    """Return what a program prints, which must end well."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def holds(program: str) -> None:
    """Run what asserts something."""
    run(BEGIN + textwrap.dedent(program))


def test_a_program_that_is_wrong_is_found():
    with pytest.raises(AssertionError, match="AssertionError: 1"):
        holds("assert gc.get_freeze_count(), 1")


def test_what_is_made_is_old_and_garbage_is_found_later():
    holds(
        """
        gc.collect()
        with collector_at_rest():
            made = [Node() for _ in range(5000)]
            assert gc.get_count()[0] >= 5000
        assert gc.isenabled()
        assert gc.get_count()[0] < 1000
        assert not gc.get_freeze_count()
        watched = weakref.ref(made[0])
        made.clear()
        gc.collect()
        assert watched() is None
        """
    )


@pytest.mark.parametrize("before", ["enable", "disable"])
def test_it_goes_on_as_it_was_whatever_happens(before: str):
    holds(
        f"""
        gc.{before}()
        with suppress(KeyError), collector_at_rest():
            assert not gc.isenabled()
            raise KeyError
        assert gc.isenabled() == ({before!r} == "enable")
        """
    )


def test_what_others_have_frozen_stays_so():
    holds(
        """
        gc.freeze()
        count = gc.get_freeze_count()
        assert count
        with collector_at_rest():
            pass
        assert gc.get_freeze_count() == count
        """
    )


def test_the_import_makes_no_run_of_the_collector():
    printed = run(
        "import gc, numpy, ml_dtypes\n"
        "runs = []\n"
        "gc.callbacks.append(lambda phase, info: runs.append(phase))\n"
        "import trilith\n"
        "print(len(runs), gc.isenabled(), gc.get_freeze_count())"
    )
    runs, is_enabled, frozen = printed.split()
    assert (is_enabled, frozen) == ("True", "0")
    assert int(runs) <= 8  # some fifty without a rest
