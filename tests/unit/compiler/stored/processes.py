"""How do tests run programs in processes of their own that share a folder of plans?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HEAD = """
import json, sys, warnings
import numpy as np
import trilith as tri
def told(**results):
    loaded = [name for name in ("xdsl", "llvmlite") if name in sys.modules]
    rows = "trilith.dialects.ops.table" in sys.modules
    print(json.dumps({"loaded": loaded, "rows": rows, **results}))
"""
#: Ends a process as a tool ends: to take everything apart takes longest.
END = "from trilith.compiler.tools.running import end_at_once; end_at_once(int)"


def start(folder: Path, program: str, **changes: str) -> subprocess.Popen[str]:
    """Start a program; it calls `told` with what the test wants to know."""
    environment = {**os.environ, "TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(folder), **changes}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", f"{HEAD}{program}\n{END}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Return what a program has told."""
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return json.loads(output.splitlines()[-1])


def run(folder: Path, program: str, **changes: str) -> dict[str, Any]:
    """Run a program and return what it has told."""
    return finish(start(folder, program, **changes))


#: Runs programs in copies of a process that has computed nothing of them: each writes what it calls
#: `told` with. The compiler is loaded by what no program asks for.
COPIES = f"""
import os
import llvmlite.binding
from trilith.dialects import frames
tri.compile(lambda x: x.log1p())(tri.full((3,), 7.0))
frames.WARNED.clear()
for line in sys.stdin:
    program, changes = json.loads(line)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.environ.update(changes)
        sys.stdout = sys.stderr
        with os.fdopen(writing, "w") as file:
            told = lambda **results: print(json.dumps(results), file=file)
            exec(program, {{**globals(), "told": told}})
        {END}
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    assert os.waitpid(child, 0)[1] == 0
    print(text.strip(), flush=True)
"""


class Copies:
    """Runs programs in copies of one process, which is quicker than to start one for each."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, folder: Path | None, program: str) -> dict[str, Any]:
        """Run a program with a folder of plans or without one; return what it has told."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        changes = {"TRILITH_CACHE": "0"}
        if folder is not None:
            changes = {"TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(folder)}
        self._process.stdin.write(json.dumps([program, changes]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the process ended, as its errors say, at {program}"
        return json.loads(line)


@contextmanager
def copies(head: str) -> Generator[Copies]:
    """Start a process that knows what programs need, and end it."""
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", HEAD + head + COPIES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TRILITH_CACHE": "0"},
    ) as process:
        yield Copies(process)
