"""Does the collector rest where it may, and go on as it was?"""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from contextlib import suppress

import pytest

from trilith.dialects.collection import collector_at_rest


class Node:
    """What is garbage once nobody but itself names it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def nothing_frozen() -> Iterator[None]:
    """The suite freezes what it consists of; here nothing is, as in a program."""
    gc.unfreeze()
    yield
    gc.collect()
    gc.freeze()


def test_what_is_made_is_old_and_garbage_is_found_later():
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


@pytest.mark.parametrize("is_enabled", [True, False])
def test_it_goes_on_as_it_was_whatever_happens(is_enabled: bool):
    before = gc.isenabled()
    try:
        (gc.enable if is_enabled else gc.disable)()
        with suppress(KeyError), collector_at_rest():
            assert not gc.isenabled()
            raise KeyError
        assert gc.isenabled() == is_enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_what_others_have_frozen_stays_so():
    gc.freeze()
    count = gc.get_freeze_count()
    assert count
    with collector_at_rest():
        pass
    assert gc.get_freeze_count() == count


def test_the_import_makes_no_run_of_the_collector():
    code = (
        "import gc, numpy, ml_dtypes\n"
        "runs = []\n"
        "gc.callbacks.append(lambda phase, info: runs.append(phase))\n"
        "import trilith\n"
        "print(len(runs), gc.isenabled(), gc.get_freeze_count())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    runs, is_enabled, frozen = done.stdout.split()
    assert (is_enabled, frozen) == ("True", "0")
    assert int(runs) <= 8  # some fifty without a rest
