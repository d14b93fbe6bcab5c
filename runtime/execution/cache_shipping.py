"""How is a shipped folder made? From the entries of a private one, with a key of its own."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from pathlib import Path

from .cache_envelope import ANYBODY, SUFFIX, VERSION, maker_of, open_envelope, seal
from .cache_files import StoredFile
from .cache_shipped import LENGTH, NAME, is_shipped
from .own_files import open_own_file


def ship(entries: list[StoredFile], secret: bytes, limit: int, target: Path) -> list[StoredFile]:
    """Write the entries of a private folder to a new shipped one; return those that went there.

    What drivers made is left out, as it is of this machine. `target` appears whole or not at all;
    a shipped folder that was there is replaced, `FileExistsError` for anything else.
    """
    _check_target(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    staging = target.with_name(f".{target.name}-{os.getpid()}-{secrets.token_hex(4)}")
    key = secrets.token_bytes(LENGTH)
    folder = staging / f"v{VERSION}"
    shipped: list[StoredFile] = []
    try:
        _make_folder(staging)
        _make_folder(folder)
        for entry in entries:
            maker = maker_of(entry.path)
            digest = bytes.fromhex(entry.path.name.removesuffix(SUFFIX))
            if maker in (None, ANYBODY):
                continue
            with open_own_file(entry.path) as file:
                data = open_envelope(file, digest, secret, limit)
            if data is not None:
                _write(folder / entry.path.name, seal(data, digest, key, maker or ANYBODY))
                shipped.append(entry)
        _write(folder / NAME, key)
        _replace(staging, target)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return shipped


def _check_target(target: Path) -> None:
    """Refuse to write over what is no shipped folder."""
    if not os.path.lexists(target):
        return
    is_empty = target.is_dir() and not target.is_symlink() and not any(target.iterdir())
    # Folders of earlier forms may be replaced, too.
    if not is_empty and not any(map(is_shipped, target.glob("v*"))):
        text = "it is there, and was not made by 'trilith cache build'"
        raise FileExistsError(errno.EEXIST, text, str(target))


def _replace(staging: Path, target: Path) -> None:
    """Put a folder in the place of one that may be there."""
    old = staging.with_name(f"{staging.name}.old")
    if os.path.lexists(target):
        target.rename(old)
    try:
        staging.rename(target)
    except OSError:
        if os.path.lexists(old):
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _make_folder(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o755)  # whatever the mask is: others are to read it


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o644)
