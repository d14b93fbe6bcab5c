"""Is everything right after Ctrl-C, whenever it came?"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_random_interrupts_leave_nothing_behind(tmp_path: Path):
    """TRILITH_INTERRUPTS=2000 interrupts so often."""
    count = int(os.environ.get("TRILITH_INTERRUPTS", "60"))
    environment = {
        **os.environ,
        "TRILITH_CACHE": "1",
        "TRILITH_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    script = Path(__file__).with_name("interrupting.py")
    ended = subprocess.run(
        [sys.executable, str(script), str(count)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=180 + 2 * count,
    )
    expected = f"{count} of {count} interrupts True 0 True\n"
    assert (ended.returncode, ended.stdout) == (0, expected), ended.stderr
