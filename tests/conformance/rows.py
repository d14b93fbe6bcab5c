"""What does trilith answer where PyTorch's answer is recorded, row by row?

A row is one expression. `torch` in it is a thin adapter over trilith: attribute look-up and nothing
more, so that a name trilith does not have is known by its name. Another library may take trilith's
place: torch itself shows that the record is its own.
"""

import contextlib
import functools
import io
import json
import operator
import pathlib
import warnings
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import trilith as tri
from tests.plans import no_plans
from trilith.dialects.diagnostics import TrilithAttributeError
from trilith.dialects.frames import WARNED

from .answers import Answer, is_equal, message_of
from .facts import Facts, differing_facts, facts_of, tensors_in

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"

#: The files of recorded rows, and whether a row without a warning says that there was none. No two
#: files have an area of one name.
RECORDS = {"observed.json": False, "autograd.json": True}

#: Namespaces of PyTorch of whose functions trilith keeps some at the top.
FLAT = {"nn", "nn.functional"}


@functools.cache
def record() -> dict[str, Any]:
    """Return the recorded rows: area -> its setup programs and its rows."""
    areas: dict[str, Any] = {}
    for name, has_all_warnings in RECORDS.items():
        loaded: dict[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
        areas |= {area: content for area, content in loaded.items() if isinstance(content, dict)}
        if has_all_warnings:
            for row in (row for area in loaded if area in areas for row in areas[area]["rows"]):
                row.setdefault("warns", "")
    return areas


class MissingName(AttributeError):
    """trilith does not have a name that a row uses."""


class Adapter:
    """A library under PyTorch's name; `path` is the namespace that is looked up."""

    def __init__(self, library: Any, path: str = "") -> None:
        self._library = library
        self._path = path

    def __getattr__(self, name: str) -> Any:
        path = f"{self._path}.{name}".removeprefix(".")
        if path in FLAT:
            return Adapter(self._library, path)
        with contextlib.suppress(AttributeError):
            return operator.attrgetter(path)(self._library)
        try:
            return getattr(self._library, name if self._path in FLAT else path)
        except AttributeError:
            raise MissingName(f"torch.{path}", name=name, obj=self) from None


@contextlib.contextmanager
def isolated(device: str | None = None) -> Generator[None]:
    """Restore the default dtype and device, and show every warning, whatever a row does."""
    dtype = tri.get_default_dtype()
    autograd: Any = getattr(tri, "autograd", None)
    WARNED.clear()  # what is said once in a process is said in each row
    tri.set_default_device(device)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            yield
        finally:
            tri.set_grad_enabled(True)
            if hasattr(autograd, "set_detect_anomaly"):
                autograd.set_detect_anomaly(False)
            tri.set_default_device(None)
            tri.set_default_dtype(dtype)


@dataclass(frozen=True, slots=True)
class Library:
    """What answers the rows, and what each row runs in; that gets a default device."""

    module: Any
    isolated: Callable[[str | None], AbstractContextManager[None]]


TRILITH = Library(tri, isolated)


def missing_name(error: BaseException) -> str:
    """Return the name trilith lacks, in PyTorch's words, that an error is about; or nothing."""
    if isinstance(error, MissingName):
        return str(error)
    if isinstance(error, TrilithAttributeError):
        return f"Tensor.{error.name}"
    if not isinstance(error, AttributeError) or error.obj is None:
        return ""
    owner = error.obj if isinstance(error.obj, type) else type(error.obj)
    if owner.__module__.partition(".")[0] != "trilith":
        return ""
    is_tensor = owner.__name__.endswith("Tensor")  # of any layout
    return f"{'Tensor' if is_tensor else owner.__name__}.{error.name}"


def failure(error: BaseException, warned: tuple[str, ...] = (), missing: str = "") -> Answer:
    """Return the answer of a row that raised."""
    types = tuple(kind.__name__ for kind in type(error).__mro__)
    return Answer("raises", f"{types[0]}: {message_of(error)}", types, warned, missing)


class Names:
    """The names of one row: `torch`, `F`, `np`, and what the setup programs of its area bind."""

    def __init__(self, setup: list[str], library: Any = tri) -> None:
        self.bound: dict[str, Any] = {
            "torch": Adapter(library),
            "F": Adapter(library, "nn.functional"),
            "np": np,
        }
        self.failed: dict[str, BaseException] = {}
        for statement in ";;".join(setup).split(";;"):
            if statement and not statement.startswith("import "):
                self._run(statement)

    def _run(self, statement: str) -> None:
        """Run one assignment; where it fails, remember why the name is not bound."""
        name = statement.partition("=")[0].strip()
        try:
            exec(statement, self.bound)
        except Exception as error:
            self.failed[name] = self.cause(error)
            self.bound.pop(name, None)

    def cause(self, error: BaseException) -> BaseException:
        """Return the error that kept a name from being bound, for one that misses the name."""
        if isinstance(error, NameError) and error.name in self.failed:
            return self.failed[error.name]
        return error


def answer(
    setup: list[str], row: dict[str, Any], device: str | None = None, library: Library = TRILITH
) -> Answer:
    """Evaluate one row, apart from all others, with a default device."""
    # Who makes a plan says what is said once.
    made_anew = no_plans() if row.get("warns") else contextlib.nullcontext()
    with made_anew, library.isolated(device):
        names = Names(setup, library.module)
        printed = io.StringIO()
        facts: tuple[Facts, ...] = ()
        with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
            warnings.simplefilter("always")
            try:
                result = eval(row["expr"], names.bound)
                found = Answer("str", str(result))
                if "tensors" in row:
                    facts = tuple(facts_of(each) for each in tensors_in(result))
            except Exception as error:
                cause = names.cause(error)
                found = failure(cause, missing=missing_name(cause))
        warned = tuple(f"{each.category.__name__}: {each.message}" for each in caught)
    if "prints" in row and found.kind == "str":
        return Answer("prints", printed.getvalue().strip(), warned=warned)
    return replace(found, warned=warned, facts=facts)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an area: rows that are equal, rows that differ, rows by the name they miss."""

    rows: int
    equal: int
    differing: dict[int, str]
    missing: Counter[str]


@functools.cache
def outcome(area: str, library: Library = TRILITH) -> Outcome:
    """Evaluate every row of an area."""
    content = record()[area]
    differing: dict[int, str] = {}
    missing: Counter[str] = Counter()
    equal = 0
    for number, row in enumerate(content["rows"]):
        found = answer(content["setup"], row, library=library)
        if is_equal(row, found):
            equal += 1
        elif found.missing:
            missing[found.missing] += 1
        else:
            differing[number] = f"{row['expr']!r}: {found.kind} {found.text[:400]!r}"
    return Outcome(len(content["rows"]), equal, differing, missing)


def show(area: str, number: int, library: Library = TRILITH) -> list[str]:
    """Return a row, the recorded answer and trilith's, as lines."""
    content = record()[area]
    row = content["rows"][number]
    found = answer(content["setup"], row, library=library)
    expected = [f"{key} {value!r}" for key, value in row.items() if key not in ("expr", "tensors")]
    lines = [f"{area} {number}: {row['expr']}", f"  expected {'; '.join(expected)}"]
    if found.missing:
        lines.append(f"  missing  {found.missing}")
    if is_equal(row, found):
        return [*lines, "  got      equal"]
    warned = "".join(f"; warns {each!r}" for each in found.warned)
    is_result = found.kind == "str" and "tensors" in row
    facts = differing_facts(row["tensors"], found.facts) if is_result else []
    shown = f"  got      {found.kind} {found.text!r}{warned}"
    return [*lines, shown, *(f"           {line}" for line in facts)]
