"""Where are the rows? In modules of `rows`, each loaded when one of its rows is needed.

Which row stands in which module, and what its functions and members of tensors are called, is
written down in `index.py`. If the modules have changed since, all of them are loaded for what is
not found there, so that a new row works at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from pkgutil import iter_modules
from types import SimpleNamespace

from ..locks import imported
from . import index
from .frame.derived import derived_row
from .frame.named_results import NAMED
from .frame.row import TABLE, OpSpec

__all__ = [
    "TABLE",
    "functions_of",
    "members",
    "members_of",
    "module_names",
    "nbytes_of_modules",
    "public_functions",
    "return_types",
    "rows_of_ufuncs",
]

_ROWS = f"{__package__}.rows"
_FOLDER = Path(__file__).with_name("rows")
_MODULE_OF = {row: module for module, rows in index.ROWS.items() for row in rows.split()}


class _Shipped:
    """The rows of trilith's sources."""

    def __init__(self) -> None:
        self._is_whole = False

    def load(self, name: str) -> None:
        """Register a row by loading the module that it stands in."""
        module = _MODULE_OF.get(name)
        if module is not None:
            imported(f".{module}", _ROWS)
        elif not _is_written_down():
            self.load_all()

    def load_all(self) -> None:
        """Load all modules."""
        if not self._is_whole:
            for module in module_names():
                imported(f".{module}", _ROWS)
            self._is_whole = True


def module_names() -> list[str]:
    """Return the names of the modules that rows stand in, each with its room before it."""
    return sorted(_modules(_FOLDER))


def _modules(folder: Path) -> Iterator[str]:
    """Yield the modules below a folder, which may lie in an archive."""
    for found in iter_modules([str(folder)]):
        if found.ispkg:
            yield from (f"{found.name}.{inner}" for inner in _modules(folder / found.name))
        else:
            yield found.name


@cache
def _is_written_down() -> bool:
    """Whether the modules are those that `index.py` was written of, as far as sizes tell."""
    return index.NBYTES == nbytes_of_modules()


def nbytes_of_modules() -> int:
    """Return how many bytes the modules that rows stand in have."""
    return sum(path.stat().st_size for path in _FOLDER.rglob("*.py"))


_SHIPPED = TABLE.source = _Shipped()
TABLE.derive = derived_row


def functions_of(row: OpSpec) -> tuple[str, ...]:
    """Return the names of a row's functions, with those of modules before them.

    >>> functions_of(TABLE["exp2"])
    ('exp2', 'special.exp2', 'exp2_')
    """
    return tuple(dict.fromkeys((*row.function_names, *row.places, *row.in_place_functions)))


def members_of(row: OpSpec) -> tuple[str, ...]:
    """Return the names that a row gives to tensors: methods, operators and properties.

    >>> members_of(TABLE["exp2"])
    ('exp2', 'exp2_')
    """
    return (*row.methods, *row.in_place_names, *row.in_place_views)


class _Names(Mapping[str, OpSpec]):
    """Rows by names that they give to something; a row is loaded when it is asked for."""

    def __init__(self, written: str, names_of: Callable[[OpSpec], Iterable[str]]) -> None:
        """Take what is written down, and what says it of a row."""
        pairs = (pair.partition(":") for pair in written.split())
        self._written = {name: row or name for name, _, row in pairs}
        self._names_of = names_of

    def _rows(self) -> Mapping[str, str]:
        """Return the name of the row by each name."""
        changed = TABLE.changed
        if not changed and _is_written_down():
            return self._written
        if _is_written_down():
            found = {name: row for name, row in self._written.items() if row not in changed}
            rows = TABLE.others()
        else:
            found, rows = {}, TABLE.values()
        for row in rows:
            for name in self._names_of(row):
                found.setdefault(name, row.name)
        return found

    def __getitem__(self, name: str) -> OpSpec:
        return TABLE[self._rows()[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._rows()

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows())

    def __len__(self) -> int:
        return len(self._rows())


_FUNCTIONS = _Names(index.FUNCTIONS, functions_of)
_MEMBERS = _Names(index.MEMBERS, members_of)
_UFUNCS = _Names(index.UFUNCS, lambda row: row.ufuncs)


def public_functions() -> Mapping[str, OpSpec]:
    """Return the row of each public function, by its name with those of modules before it.

    Aliases and functions that write in place are among them.

    >>> public_functions()["absolute"].name, public_functions()["relu_"].name
    ('abs', 'relu')
    >>> public_functions()["special.expit"].name
    'sigmoid'
    """
    return _FUNCTIONS


def members() -> Mapping[str, OpSpec]:
    """Return the row of each method, operator and property of tensors, by its name.

    >>> members()["__add__"].name, members()["add_"].name
    ('add', 'add')
    """
    return _MEMBERS


def rows_of_ufuncs() -> Mapping[str, OpSpec]:
    """Return the row that means a function of NumPy, by its name.

    >>> rows_of_ufuncs()["multiply"].name
    'mul'
    """
    return _UFUNCS


def return_types() -> SimpleNamespace:
    """Return the named tuples that rows with several results give: `tri.return_types`."""
    _SHIPPED.load_all()
    return SimpleNamespace(**NAMED)
