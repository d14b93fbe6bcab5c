"""Is every lock made in one place, where a child renews it and a handler can enter it again?"""

import ast
import gc
import sys
from pathlib import Path

import pytest

import trilith as tri
from trilith.dialects.locks import every_lock, imported, new_lock

ROOT = Path(tri.__file__).resolve().parent
ROOMS = ("compiler", "dialects", "runtime")
#: What waits, and is not reentrant or not renewed in a forked child.
MAKERS = {
    *("Lock", "RLock", "Condition", "Event", "Semaphore", "BoundedSemaphore", "Barrier"),
    *("allocate_lock", "Queue", "LifoQueue", "PriorityQueue"),
}
SOURCES = ("threading", "_thread", "queue")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def makers_in(text: str) -> list[str]:
    """Return what a module names that makes locks."""
    found: list[str] = []
    if not any(module in text for module in SOURCES):
        return found
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr in MAKERS:
            owner = node.value
            if isinstance(owner, ast.Name) and owner.id in SOURCES:
                found.append(f"{node.lineno}: {owner.id}.{node.attr}")
        elif isinstance(node, ast.ImportFrom) and node.module in SOURCES:
            found += [f"{node.lineno}: {name.name}" for name in node.names if name.name in MAKERS]
    return found


@pytest.mark.parametrize(
    "text", ["import threading\nx = threading.Lock()", "from queue import Queue"]
)
def test_the_search_finds(text: str):
    assert len(makers_in(text)) == 1


def test_locks_are_made_in_one_module_only():
    found = {
        str(path.relative_to(ROOT)): makers_in(path.read_text(encoding="utf-8")) for path in MODULES
    }
    assert len(found) > 100
    assert [name for name, makers in found.items() if makers] == ["dialects/locks.py"]


def test_locks_are_reentrant_and_known_while_they_live():
    lock = new_lock()
    with lock, lock:
        assert lock in every_lock()
    count = len(every_lock())
    del lock
    assert len(every_lock()) == count - 1


def test_a_module_named_from_a_folder_above_is_found_by_who_interrupts_an_import(
    monkeypatch: pytest.MonkeyPatch,
):
    """As a handler asks for the compiler's driver while its thread imports something else."""
    imported("trilith.compiler.driver")
    monkeypatch.setattr("trilith.dialects.locks._Importing.here", True)
    driver = imported("..driver", "trilith.compiler.functions")
    assert driver.__name__ == "trilith.compiler.driver"


@pytest.mark.parametrize("is_enabled", [True, False])
@pytest.mark.parametrize("end", ["", "raise KeyboardInterrupt", "raise ValueError('no')"])
def test_the_collector_waits_for_an_import_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_enabled: bool, end: str
):
    monkeypatch.syspath_prepend(tmp_path)  # pyright: ignore[reportUnknownMemberType]
    text = f"import gc, sys\nsys.collecting_in_test = gc.isenabled()\n{end}\n"
    (tmp_path / "loaded_in_test.py").write_text(text, encoding="utf-8")
    before = gc.isenabled()
    try:
        (gc.enable if is_enabled else gc.disable)()
        if end:
            with pytest.raises((KeyboardInterrupt, ValueError)):
                imported("loaded_in_test")
        else:
            imported("loaded_in_test")
        assert gc.isenabled() is is_enabled
        assert not sys.__dict__.pop("collecting_in_test")
        assert imported("json").__name__ == "json"  # none is being loaded
    finally:
        (gc.enable if before else gc.disable)()
        sys.modules.pop("loaded_in_test", None)
