"""What do interrupts leave of LLVM's objects? Nothing that is freed twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

#: Raises wherever a handler of signals may run in llvmlite while it compiles, one place at a time.
#: Memory that is freed twice ends the process.
PROGRAM = """
from llvmlite.binding import ffi

from tests.unit.interruption import interruptions
from trilith.compiler.codegen.llvm.objects import compile_text
from trilith.runtime.devices.llvm import release_left_over

TEXT = "define void @f(ptr %p) { store i32 1, ptr %p\\n ret void }"
wanted = compile_text(TEXT)
places = 0
for _ in interruptions(lambda: compile_text(TEXT), ffi):
    places += 1
    release_left_over()
print(places > 50, compile_text(TEXT) == wanted)
"""


#: A thread compiles while the main one has left llvmlite's lock taken, and then compiles, too.
LEFT_OVER = """
import faulthandler
import threading
import time

from llvmlite.binding import ffi

from trilith.compiler.codegen.llvm.objects import compile_text

faulthandler.dump_traceback_later(60, exit=True)
TEXT = "define void @f(ptr %p) { store i32 1, ptr %p\\n ret void }"
wanted = compile_text(TEXT)
ffi.lib._lock._lock.acquire()
found = []
other = threading.Thread(target=lambda: found.append(compile_text(TEXT)))
other.start()
time.sleep(0.2)
print(other.is_alive())
found.append(compile_text(TEXT))
other.join()
print(found == [wanted] * 2)
"""


def run(program: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_interrupted_strings_are_freed_once():
    code, output, errors = run(PROGRAM)
    assert (code, output) == (0, "True True\n"), errors


def test_nobody_waits_for_a_lock_that_an_interrupt_has_left():
    code, output, errors = run(LEFT_OVER)
    assert (code, output) == (0, "True\nTrue\n"), errors
