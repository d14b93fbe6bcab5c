"""How does compiled code get into an image? A script runs, and what it compiled is shipped.

trilith cache build script.py --out FOLDER
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from ...runtime.devices.cpu import host_target
from ...runtime.execution.cache_envelope import VERSION
from ...runtime.execution.cache_files import StoredFile, stored_files
from ...runtime.execution.cache_secret import read_secret
from ...runtime.execution.cache_settings import DEFAULT_LIMIT, chosen_size, read_size, with_cache_in
from ...runtime.execution.cache_shipping import ship
from .refusal import Kind, Refusal

DESCRIPTION = """\
Run a script with Python and keep what it compiles in a folder for images. The folder can be copied
anywhere and is only read: TRILITH_CACHE_DIR=FOLDER lets a process use it. It has to belong to who
runs the process, or to root, and nobody else may be able to write to it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `trilith cache build` takes."""
    parser.usage = "trilith cache build [-h] [--out FOLDER] SCRIPT [-- ARGUMENT ...]"
    parser.set_defaults(takes_rest=True)
    parser.add_argument(
        "script", metavar="SCRIPT", type=Path, help="a Python file; what follows -- is for it"
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        type=Path,
        default=Path("trilith-cache"),
        help="the folder to write; one that this command made is replaced (default: trilith-cache)",
    )


def build(given: argparse.Namespace) -> tuple[Path, list[StoredFile]]:
    """Run the script and write the folder; return where it is and what went there."""
    if not given.script.is_file():
        raise Refusal(Kind.SYSTEM, f"{given.script}: error: there is no such file")
    target: Path = given.out.resolve()
    limit = max(DEFAULT_LIMIT, read_size(chosen_size()) or 0)
    with tempfile.TemporaryDirectory(prefix="trilith-") as private:
        _run(given.script, given.rest, private)
        folder = Path(private) / f"v{VERSION}"
        entries = [file for file in stored_files(Path(private)) if file.is_entry]
        shipped = ship(entries, read_secret(folder), limit, target) if entries else []
    if not shipped:
        raise Refusal(
            Kind.SYSTEM,
            f"{given.script}: error: it compiled nothing, so there is nothing to write",
            "  it has to call each function with arguments of each kind that is wanted",
        )
    return target, shipped


def _run(script: Path, arguments: list[str], private: str) -> None:
    """Run the script as Python does, with a new cache; its output is its own."""
    command = [sys.executable, str(script), *arguments]
    done = subprocess.run(command, env=with_cache_in(private), check=False)
    if done.returncode:
        how = f"with status {done.returncode}"
        if done.returncode < 0:
            how = f"by signal {-done.returncode}"
        raise Refusal(Kind.SYSTEM, f"{script}: error: it ended {how}, so nothing was written")


def host_cpu() -> str:
    """Return the CPU that machine code is made for here, as LLVM calls it."""
    return host_target().split("|")[1]
