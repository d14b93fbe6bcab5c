"""How are the peers' processes started, asked and stopped?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

from machine import ONE_THREAD

_FOLDER = Path(__file__).resolve().parent


class PeerError(Exception):
    """A peer could not do what it was asked."""


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of measured processes: one thread, no disk cache of ours.

    Python may write bytecode, as it does where packages are installed: without it every process
    would compile all modules again (0.2 s for ours).
    """
    found = {**os.environ, **ONE_THREAD, "TRILITH_CACHE": "0", **changes}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


class WorkerProcess:
    """A process that serves one peer."""

    def __init__(self, peer: str) -> None:
        """Start it; it imports the peer while others start."""
        self.peer = peer
        self._noise: IO[str] = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            [sys.executable, str(_FOLDER / "worker.py"), peer],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._noise,
            env=environment(),
            text=True,
        )

    def ask(self, what: str, **details: Any) -> Any:
        """Send a request and return the answer; raises PeerError if the peer fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"do": what, **details}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
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
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=environment(**changes),
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise PeerError(lines[-1] if lines else "the process ended")
    return json.loads(done.stdout.splitlines()[-1])
