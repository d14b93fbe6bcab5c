"""What does trilith answer where PyTorch's answer is recorded, row by row?

A row is one expression. `torch` in it is a thin adapter over trilith: attribute look-up and nothing
more, so that a name trilith does not have is known by its name.
"""

import contextlib
import functools
import io
import json
import operator
import pathlib
import re
import warnings
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

import trilith as tri
from trilith.compiler.eager.operations import forget_plans
from trilith.dialects.diagnostics import TrilithAttributeError, TrilithError
from trilith.dialects.frames import WARNED

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch" / "observed.json"

#: Namespaces of PyTorch of whose functions trilith keeps some at the top.
FLAT = {"nn", "nn.functional"}


@functools.cache
def record() -> dict[str, Any]:
    """Return the recorded rows: area -> its setup programs and its rows."""
    loaded: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return {area: content for area, content in loaded.items() if isinstance(content, dict)}


class MissingName(AttributeError):
    """trilith does not have a name that a row uses."""


class Adapter:
    """trilith under PyTorch's name; `path` is the namespace that is looked up."""

    def __init__(self, path: str = "") -> None:
        self._path = path

    def __getattr__(self, name: str) -> Any:
        path = f"{self._path}.{name}".removeprefix(".")
        if path in FLAT:
            return Adapter(path)
        with contextlib.suppress(AttributeError):
            return operator.attrgetter(path)(tri)
        try:
            return getattr(tri, name if self._path in FLAT else path)
        except AttributeError:
            raise MissingName(f"torch.{path}", name=name, obj=self) from None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one row: `kind` is `str`, `prints` or `raises`; `missing` a name or nothing."""

    kind: str
    text: str
    types: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()
    missing: str = ""


@contextlib.contextmanager
def isolated(device: str | None = None) -> Generator[None]:
    """Restore the default dtype and device, and show every warning, whatever a row does."""
    dtype = tri.get_default_dtype()
    WARNED.clear()  # what is said once in a process is said once in an area
    forget_plans()
    tri.set_default_device(device)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            yield
        finally:
            tri.set_default_device(None)
            tri.set_default_dtype(dtype)


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


def message_of(error: BaseException) -> str:
    """Return the text that PyTorch would have, without the user's line and the hint."""
    if isinstance(error, TrilithError):
        return error.message
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)


def failure(error: BaseException, warned: tuple[str, ...] = (), missing: str = "") -> Answer:
    """Return the answer of a row that raised."""
    types = tuple(kind.__name__ for kind in type(error).__mro__)
    return Answer("raises", f"{types[0]}: {message_of(error)}", types, warned, missing)


class Names:
    """The names of one row: `torch`, `F`, `np`, and what the setup programs of its area bind."""

    def __init__(self, setup: list[str]) -> None:
        self.bound: dict[str, Any] = {
            "torch": Adapter(),
            "F": Adapter("nn.functional"),
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


def answer(setup: list[str], row: dict[str, str], device: str | None = None) -> Answer:
    """Evaluate one row, apart from all others, with a default device."""
    with isolated(device):
        names = Names(setup)
        printed = io.StringIO()
        with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
            warnings.simplefilter("always")
            try:
                value = str(eval(row["expr"], names.bound))
                found = Answer("str", value)
            except Exception as error:
                cause = names.cause(error)
                found = failure(cause, missing=missing_name(cause))
        warned = tuple(f"{each.category.__name__}: {each.message}" for each in caught)
    if "prints" in row and found.kind == "str":
        return Answer("prints", printed.getvalue().strip(), warned=warned)
    return Answer(found.kind, found.text, found.types, warned, found.missing)


def normalised(text: str) -> str:
    """Return a text without the prefix of the package, with real line breaks."""
    return re.sub(r"\b(torch|trilith|tri)\.", "", text).replace("\\n", "\n")


def is_prefix(recorded: str, found: str) -> bool:
    """Whether a recorded text, which may be cut, is how the found one begins."""
    return normalised(found).startswith(normalised(recorded).rstrip())


def is_equal(row: dict[str, str], found: Answer) -> bool:
    """Whether an answer is the recorded one: value, exception and text, and the warning if any."""
    if "warns" in row and not any(is_prefix(row["warns"], each) for each in found.warned):
        return False
    if "raises" not in row:
        kind = "prints" if "prints" in row else "str"
        return found.kind == kind and normalised(row[kind].strip()) == normalised(found.text)
    name, _, message = row["raises"].partition(": ")
    mine = found.text.partition(": ")[2]
    kinds = {kind.rpartition(".")[2] for kind in found.types}
    return name.rpartition(".")[2] in kinds and is_prefix(message, mine)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an area: rows that are equal, rows that differ, rows by the name they miss."""

    rows: int
    equal: int
    differing: dict[int, str]
    missing: Counter[str]


@functools.cache
def outcome(area: str) -> Outcome:
    """Evaluate every row of an area."""
    content = record()[area]
    differing: dict[int, str] = {}
    missing: Counter[str] = Counter()
    equal = 0
    for number, row in enumerate(content["rows"]):
        found = answer(content["setup"], row)
        if is_equal(row, found):
            equal += 1
        elif found.missing:
            missing[found.missing] += 1
        else:
            differing[number] = f"{row['expr']!r}: {found.kind} {found.text[:400]!r}"
    return Outcome(len(content["rows"]), equal, differing, missing)


def show(area: str, number: int) -> list[str]:
    """Return a row, the recorded answer and trilith's, as lines."""
    content = record()[area]
    row = content["rows"][number]
    found = answer(content["setup"], row)
    expected = [f"{key} {value!r}" for key, value in row.items() if key != "expr"]
    lines = [f"{area} {number}: {row['expr']}", f"  expected {'; '.join(expected)}"]
    if found.missing:
        lines.append(f"  missing  {found.missing}")
    warned = "".join(f"; warns {each!r}" for each in found.warned)
    result = "equal" if is_equal(row, found) else f"{found.kind} {found.text!r}{warned}"
    return [*lines, f"  got      {result}"]
