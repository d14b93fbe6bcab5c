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
from trilith.runtime.devices.llvm import LLVM, release_left_over

TEXT = "define void @f(ptr %p) { store i32 1, ptr %p\\n ret void }"
wanted = compile_text(TEXT)
places = 0
for _ in interruptions(lambda: compile_text(TEXT), ffi):
    places += 1
    release_left_over()
print(places > 50, compile_text(TEXT) == wanted)
"""


def test_interrupted_strings_are_freed_once():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "True True\n"), done.stderr
