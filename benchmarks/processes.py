"""How are the peers' processes started, asked and stopped?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from machine import ONE_THREAD

_FOLDER = Path(__file__).resolve().parent
#: Seconds that an answer may take: a peer that hangs is a line under "what did not work".
TIME_LIMIT = 300.0
#: What fresh processes begin with: to look for garbage at their end takes 0.2 s, and helps nobody.
ENDS_SOON = "import atexit, gc\natexit.register(gc.freeze)\n"


class PeerError(Exception):
    """A peer could not do what it was asked."""


def environment(changes: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of measured processes: one thread, no disk cache of ours.

    A change to nothing removes a variable. Python may write bytecode, as it does where packages
    are installed: without it every process would compile all modules again (0.2 s for ours).
    """
    found = {**os.environ, **ONE_THREAD, "TRILITH_CACHE": "0", **changes}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return {name: value for name, value in found.items() if value or name not in changes}


@contextmanager
def nothing_cached() -> Generator[dict[str, str]]:
    """Give the changes to the environment for OpenCL: all threads, and every cache an empty folder.

    The folder is gone afterwards. Drivers (PoCL), pyopencl and tinygrad have caches of their own.
    """
    with tempfile.TemporaryDirectory() as folder:
        caches = ("POCL_CACHE_DIR", "CUDA_CACHE_PATH", "XDG_CACHE_HOME", "TRILITH_CACHE_DIR")
        changes = dict.fromkeys(ONE_THREAD, "") | dict.fromkeys(caches, folder)
        yield {**changes, "CACHEDB": str(Path(folder) / "tinygrad.db")}


class WorkerProcess:
    """A process that serves one peer."""

    def __init__(self, peer: str, changes: Mapping[str, str]) -> None:
        """Start it with changes to the environment; it imports the peer while others start."""
        self.peer = peer
        self._noise: IO[str] = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            [sys.executable, str(_FOLDER / "worker.py"), peer],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._noise,
            env=environment(changes),
            text=True,
        )

    def ask(self, what: str, **details: Any) -> Any:
        """Send a request and return the answer; raises PeerError if the peer fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        watchdog = threading.Timer(TIME_LIMIT, self._process.kill)
        watchdog.start()
        try:
            self._process.stdin.write(json.dumps({"do": what, **details}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            watchdog.cancel()
        if not line:
            raise PeerError(self._last_words())
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise PeerError(reply["error"])
        return reply["answer"]

    def stop(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        self._process.wait()
        self._process.stdout.close()
        self._noise.close()

    def _last_words(self) -> str:
        self._noise.seek(0)
        lines = self._noise.read().strip().splitlines()
        return lines[-1] if lines else "the process ended"


def run_fresh(code: str, **changes: str) -> dict[str, Any]:
    """Run code in a new interpreter and return what it printed last, as JSON."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", ENDS_SOON + code],
            capture_output=True,
            text=True,
            check=False,
            env=environment(changes),
            timeout=TIME_LIMIT,
        )
    except subprocess.TimeoutExpired:
        raise PeerError(f"did not end in {TIME_LIMIT:.0f} s") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise PeerError(lines[-1] if lines else "the process ended")
    return json.loads(done.stdout.splitlines()[-1])
