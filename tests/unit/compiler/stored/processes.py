"""How do tests run programs in processes of their own that share a folder of plans?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
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


def start(folder: Path, program: str, **changes: str) -> subprocess.Popen[str]:
    """Start a program; it calls `told` with what the test wants to know."""
    environment = {**os.environ, "TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(folder), **changes}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", HEAD + program],
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
