"""Shipped folders of the cache: read by anybody, anywhere, written by nobody, trusted by owner."""

from __future__ import annotations

import os
import shutil
import warnings
from pathlib import Path

import pytest

from trilith.runtime.execution import cache_shipped, own_files
from trilith.runtime.execution.cache import DiskCache
from trilith.runtime.execution.cache_files import stored_files
from trilith.runtime.execution.cache_secret import read_secret
from trilith.runtime.execution.cache_shipped import NAME, open_shipped
from trilith.runtime.execution.cache_shipping import ship

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have owners on POSIX")

STRANGER = 54321


def shipped_from(tmp_path: Path, **entries: bytes) -> Path:
    """Return a shipped folder with entries."""
    private = DiskCache(tmp_path / "private")
    for key, data in entries.items():
        private.put(key, data, maker=7)
    files = [file for file in stored_files(tmp_path / "private") if file.is_entry]
    ship(files, read_secret(private.folder), 1 << 20, tmp_path / "shipped")
    return tmp_path / "shipped"


def as_user(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process be of another user, as far as it asks."""
    monkeypatch.setattr(own_files.os, "geteuid", lambda: number)


def of_user(folder: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files and folders be somebody's, as far as it is asked."""

    class Status:
        def __init__(self, status: os.stat_result) -> None:
            self._status = status

        def __getattr__(self, name: str) -> int:
            return number if name == "st_uid" else getattr(self._status, name)

    fstat, lstat = os.fstat, Path.lstat
    monkeypatch.setattr(own_files.os, "fstat", lambda file: Status(fstat(file)))  # pyright: ignore
    monkeypatch.setattr(Path, "lstat", lambda path: Status(lstat(path)))  # pyright: ignore


def test_it_is_read_where_it_is_moved_to(tmp_path: Path) -> None:
    folder = shipped_from(tmp_path, a=b"first", b=b"second")
    assert (folder.stat().st_mode & 0o777, (folder / "v2").stat().st_mode & 0o777) == (0o755,) * 2
    modes = {path.stat().st_mode & 0o777 for path in (folder / "v2").iterdir()}
    assert modes == {0o644}
    moved = tmp_path / "elsewhere" / "cache"
    shutil.copytree(folder, moved)
    entries = DiskCache(moved)
    assert (entries.get("a"), entries.get("b"), entries.get("c")) == (b"first", b"second", None)


def test_nothing_is_written_and_nothing_is_said(tmp_path: Path) -> None:
    folder = shipped_from(tmp_path, a=b"first")
    os.utime(next((folder / "v2").glob("*.entry")), (0, 0))
    before = {path: path.stat().st_mtime_ns for path in (folder / "v2").iterdir()}
    entries = DiskCache(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        entries.put("b", b"new")
        entries.put("a", b"other")
        assert entries.get("a") == b"first"
    assert {path: path.stat().st_mtime_ns for path in (folder / "v2").iterdir()} == before


def test_the_superusers_is_read_by_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shipped_from(tmp_path, a=b"first")
    of_user(folder, 0, monkeypatch)
    as_user(STRANGER, monkeypatch)
    assert DiskCache(folder).get("a") == b"first"


def test_a_strangers_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shipped_from(tmp_path, a=b"first")
    of_user(folder, STRANGER, monkeypatch)
    for user in (0, 1000):
        as_user(user, monkeypatch)
        entries = DiskCache(folder)
        assert entries.get("a") is None
        with pytest.warns(UserWarning, match="belongs to somebody else"):
            entries.put("b", b"new")


def test_what_is_private_is_nobody_elses_even_the_superusers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = DiskCache(tmp_path / "private")
    private.put("a", b"mine")
    of_user(tmp_path, 0, monkeypatch)
    as_user(STRANGER, monkeypatch)
    assert DiskCache(tmp_path / "private").get("a") is None


@pytest.mark.parametrize("part", ["", NAME, "entry"])
@pytest.mark.parametrize("bit", [0o020, 0o002])
def test_what_others_can_write_is_not_used(tmp_path: Path, part: str, bit: int) -> None:
    folder = shipped_from(tmp_path, a=b"first") / "v2"
    path = next(folder.glob("*.entry")) if part == "entry" else folder / part
    path.chmod(path.stat().st_mode | bit)
    assert DiskCache(folder.parent).get("a") is None


def test_damage_is_a_miss(tmp_path: Path) -> None:
    folder = shipped_from(tmp_path, a=bytes(100), b=bytes(50))
    first, second = sorted((folder / "v2").glob("*.entry"), key=lambda path: path.stat().st_size)
    whole = first.read_bytes()
    for place in (0, 10, 20, 60, len(whole) - 1):
        altered = bytearray(whole)
        altered[place] ^= 1
        first.write_bytes(altered)
        assert DiskCache(folder).get("b") is None
    first.write_bytes(whole)
    assert DiskCache(folder).get("b") == bytes(50)
    first.write_bytes(second.read_bytes())
    assert DiskCache(folder).get("b") is None
    (folder / "v2" / NAME).write_bytes(bytes(31))
    assert DiskCache(folder).get("a") is None
    with pytest.raises(PermissionError, match="the key is damaged"):
        open_shipped(folder / "v2")


def test_links_and_pipes_are_no_shipped_folders(tmp_path: Path) -> None:
    folder = shipped_from(tmp_path, a=b"first")
    link = tmp_path / "link"
    link.mkdir()
    (link / "v2").symlink_to(folder / "v2")
    assert DiskCache(link).get("a") is None
    key = folder / "v2" / NAME
    kept = key.rename(tmp_path / "key")
    key.symlink_to(kept)
    assert not cache_shipped.is_shipped(folder / "v2")
    key.unlink()
    os.mkfifo(key)
    assert not cache_shipped.is_shipped(folder / "v2")


def test_each_has_a_key_of_its_own_and_keeps_the_secret(tmp_path: Path) -> None:
    folder = shipped_from(tmp_path, a=b"first")
    key = (folder / "v2" / NAME).read_bytes()
    secret = read_secret(tmp_path / "private" / "v2")
    assert key != secret
    assert all(secret not in path.read_bytes() for path in (folder / "v2").iterdir())
    shipped_from(tmp_path, a=b"first")
    assert (folder / "v2" / NAME).read_bytes() != key


def test_what_drivers_made_and_what_is_damaged_is_left_out(tmp_path: Path) -> None:
    private = DiskCache(tmp_path / "private")
    private.put("driver", b"binary")
    private.put("kernel", b"code", maker=7)
    private.put("broken", b"code!", maker=7)
    files = [file for file in stored_files(tmp_path / "private") if file.is_entry]
    (broken,) = [file for file in files if b"code!" in file.path.read_bytes()]
    broken.path.write_bytes(broken.path.read_bytes()[:-1])
    shipped = ship(files, read_secret(private.folder), 1 << 20, tmp_path / "shipped")
    assert len(shipped) == 1
    entries = DiskCache(tmp_path / "shipped")
    found = [entries.get(key) for key in ("driver", "kernel", "broken")]
    assert found == [None, b"code", None]


def test_only_shipped_and_empty_folders_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "shipped").mkdir()
    folder = shipped_from(tmp_path, a=b"first")
    shipped_from(tmp_path, a=b"second")
    assert DiskCache(folder).get("a") == b"second"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["private", "shipped"]
    for name in ("file", "full"):
        target = tmp_path / name
        if name == "file":
            target.write_text("mine")
        else:
            target.mkdir()
            (target / "mine").write_text("mine")
        with pytest.raises(FileExistsError, match="was not made by"):
            ship([], b"", 1 << 20, target)
        assert target.exists()
    with pytest.raises(FileExistsError):
        ship([], b"", 1 << 20, tmp_path / "private")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="root becomes somebody else")
def test_a_real_other_user(tmp_path: Path) -> None:
    folder = shipped_from(tmp_path, a=b"first")
    place = Path("/tmp") / f"trilith-shipped-{os.getpid()}"
    shutil.copytree(folder, place)
    try:
        child = os.fork()
        if not child:
            os.setgid(STRANGER)
            os.setuid(STRANGER)
            os._exit(0 if DiskCache(place).get("a") == b"first" else 1)
        assert os.waitpid(child, 0)[1] == 0
        os.chown(place / "v2", STRANGER + 1, -1)
        child = os.fork()
        if not child:
            os.setuid(STRANGER)
            os._exit(0 if DiskCache(place).get("a") is None else 1)
        assert os.waitpid(child, 0)[1] == 0
    finally:
        shutil.rmtree(place)
