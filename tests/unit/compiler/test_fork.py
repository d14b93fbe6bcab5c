"""Does a child compute that was forked while another thread was compiling?"""

import os
import signal
import threading

import pytest

import trilith as tri
from trilith.compiler.kernels import KERNELS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_compiles_although_its_parent_was_compiling():
    is_held, may_end = threading.Event(), threading.Event()

    def compile_for_long():
        with KERNELS.codes._lock:  # pyright: ignore[reportPrivateUsage]
            is_held.set()
            may_end.wait(60)

    tri.ones(2).sum()  # what a first operation imports is no business of the child
    thread = threading.Thread(target=compile_for_long)
    thread.start()
    assert is_held.wait(60)
    try:
        child = os.fork()
        if not child:
            signal.alarm(20)  # ends a child that hangs
            function = tri.compile(lambda x: x * 3 - 2)
            os._exit(0 if function(tri.ones(3)).tolist() == [1.0, 1.0, 1.0] else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        may_end.set()
        thread.join()
