"""What lies in the cache on disk, is it sound, and how does a person get rid of it?

trilith cache info | clear | verify | build
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from ...runtime.execution.cache_envelope import ANYBODY, VERSION, damage_of, maker_of
from ...runtime.execution.cache_files import StoredFile, stored_files
from ...runtime.execution.cache_secret import check_own_folder, read_secret
from ...runtime.execution.cache_settings import (
    DEFAULT_LIMIT,
    chosen_folder,
    chosen_size,
    is_on,
    read_size,
)
from ...runtime.execution.cache_shipped import is_shipped, open_shipped
from ..kernels.sources import maker_number, source_digest
from . import cache_build
from .refusal import Kind, Refusal, system_refusal

HELP = "show, check or delete what is kept on disk between processes"
DESCRIPTION = """\
Compiled code stays on disk between processes. TRILITH_CACHE_DIR is the folder, TRILITH_CACHE_SIZE
the limit of its bytes, such as 500M; TRILITH_CACHE=0 turns it off. It may be cleared at any time,
also while programs use it: they compile again."""
_DAY = 24 * 3600


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add the commands of `trilith cache` to its parser."""
    parser.set_defaults(parser=parser)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")

    def add(run: Callable[[argparse.Namespace], int], help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(
            run.__name__, help=help, description=run.__doc__, allow_abbrev=False
        )
        command.set_defaults(run=run, parser=command)
        return command

    add(info, "show where the cache is and what it holds")
    command = add(clear, "delete all entries, or those that were not used for long")
    command.add_argument(
        "--older-than",
        type=_days,
        default=0.0,
        metavar="DAYS",
        help="delete only what was not used for so many days; may be a fraction",
    )
    command = add(verify, "check each entry; the exit status is 1 if any is bad")
    command.add_argument("--remove", action="store_true", help="delete the entries that are bad")
    command = add(build, "run a script, and keep what it compiles in a folder for images")
    command.description = cache_build.DESCRIPTION
    cache_build.add_arguments(command)


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not days >= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of days")
    return days


def _folder() -> Path:
    folder = chosen_folder()
    if folder is None:
        raise Refusal(Kind.SYSTEM, "trilith cache: error: there is no home; set TRILITH_CACHE_DIR")
    return folder.absolute()


def _stored(folder: Path) -> list[StoredFile]:
    """Return the files of the cache; OSError if it is there and cannot be looked into."""
    for each in (folder, folder / f"v{VERSION}"):
        try:
            os.scandir(each).close()
        except FileNotFoundError:
            break  # nothing was kept yet
    return stored_files(folder)


def _limit() -> str:
    size = chosen_size()
    limit = read_size(size)
    if limit is None:
        return f"{shown_size(DEFAULT_LIMIT)} (TRILITH_CACHE_SIZE={size!r} is no size)"
    return shown_size(limit)


def info(_: argparse.Namespace) -> int:
    """Show where the cache is, how much it holds of which version, and when it was used."""
    folder = _folder()
    files = _stored(folder)
    entries = [file for file in files if file.is_entry]
    print(f"folder   {folder}" + ("" if is_on() else "  (not used: TRILITH_CACHE=0)"))
    if is_shipped(folder / f"v{VERSION}"):
        print("shipped  nothing is written to it")
    print(f"entries  {_amount(entries)} of at most {_limit()}")
    for maker, made in _by_maker(entries).items():
        print(f"         {_amount(made)} {maker}")
    if left_over := [file for file in files if not file.is_entry]:
        print(f"         and {_amount(left_over)} of writers that were killed")
    if entries:
        used = [entry.used for entry in entries]
        print(f"used     from {_moment(min(used))} to {_moment(max(used))}")
    return 0


def _by_maker(entries: Iterable[StoredFile]) -> dict[str, list[StoredFile]]:
    """Return the entries by who made them, as far as there are any."""
    own = maker_number(source_digest(Path(__file__).resolve().parents[2]))
    names = {own: "of this version of trilith", ANYBODY: "of any version, such as of drivers"}
    found: dict[str, list[StoredFile]] = {}
    for entry in entries:
        name = "of other versions"
        if entry.path.parent.name == f"v{VERSION}":
            maker = maker_of(entry.path)
            name = "that nothing can be read of" if maker is None else names.get(maker, name)
        found.setdefault(name, []).append(entry)
    return found


def clear(given: argparse.Namespace) -> int:
    """Delete the entries and say how many they were. Programs that use the cache go on."""
    folder = _folder()
    latest = time.time() - given.older_than * _DAY
    chosen = [file for file in _stored(folder) if not given.older_than or file.used < latest]
    removed = [file for file in chosen if _remove(file)]
    print(f"removed {_amount(removed)} from {folder}")
    return int(len(removed) < len(chosen))


def verify(given: argparse.Namespace) -> int:
    """Check that each entry is whole and was made with the secret of this cache.

    What is bad is never used and is compiled again; --remove deletes it.
    """
    folder = _folder() / f"v{VERSION}"
    entries = [file for file in _stored(folder.parent) if file.path.parent == folder]
    entries = [file for file in entries if file.is_entry]
    bad = 0
    for entry, damage in _damaged(folder, entries):
        bad += 1
        is_removed = given.remove and _remove(entry)
        print(f"{entry.path}: {damage}{'; removed' if is_removed else ''}")
    print(
        f"checked {_amount(entries)} in {folder}: {bad or 'none'} {'is' if bad == 1 else 'are'} bad"
    )
    return int(bad > 0)


def build(given: argparse.Namespace) -> int:
    """Run a script, and keep what it compiles in a folder for images."""
    folder, shipped = cache_build.build(given)
    print(f"wrote {_amount(shipped)} to {folder}")
    print(f"for trilith as it is installed here, on {cache_build.host_cpu()}")
    print(f"use it with TRILITH_CACHE_DIR={folder}, or wherever it is copied to")
    return 0


def _damaged(folder: Path, entries: list[StoredFile]) -> Iterable[tuple[StoredFile, str]]:
    if not entries:
        return
    shipped = is_shipped(folder)
    if not shipped:
        check_own_folder(folder)
    limit = max(DEFAULT_LIMIT, read_size(chosen_size()) or 0)
    try:
        secret, missing = (open_shipped if shipped else read_secret)(folder), ""
    except OSError as error:
        secret, missing = b"", f"it cannot be checked without the secret: {error.strerror}"
    for entry in entries:
        if damage := missing or damage_of(entry.path, secret, limit, is_shipped=shipped):
            yield entry, damage


def _remove(file: StoredFile) -> bool:
    """Delete a file; whether it is gone. Why not goes to stderr."""
    try:
        file.path.unlink(missing_ok=True)
    except OSError as error:
        print(system_refusal(error), file=sys.stderr)
        return False
    return True


def _amount(files: list[StoredFile]) -> str:
    noun = "file" if len(files) == 1 else "files"
    return f"{len(files)} {noun}, {shown_size(sum(file.nbytes for file in files))}"


def shown_size(nbytes: int) -> str:
    """Return a number of bytes as people read it.

    >>> shown_size(900), shown_size(1536), shown_size(1 << 30)
    ('900 bytes', '1.5 KiB', '1.0 GiB')
    """
    if nbytes < 1024:
        return f"{nbytes} bytes"
    power = min((nbytes.bit_length() - 1) // 10, 4)
    return f"{nbytes / 1024**power:.1f} {'KMGT'[power - 1]}iB"


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
