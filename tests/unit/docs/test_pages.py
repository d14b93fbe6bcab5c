"""Can every block of the pages be coloured, and are the files there that they name?"""

import pathlib
import re
import runpy
from typing import Any

import pytest
from pygments import lexers
from pygments.token import Error

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
#: A path or the end of one: it has a slash, or is a file of ours by its suffix.
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|pyi|md|mlir|toml|json|txt))`")
#: What CONTRIBUTING tells to write, and what commands make.
MADE_UP = re.compile(r"\.links/.*|.*/?(verb_object(_refusal)?\.(py|mlir)|add\.ll)|build/.*")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


known: Any = lexers  # its types are incomplete


class Application:
    """What the settings tell Sphinx."""

    def __init__(self) -> None:
        self.lexers: dict[str, Any] = {}

    def add_lexer(self, name: str, made: Any) -> None:
        self.lexers[name] = made


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_every_block_has_a_language_that_is_known(page: pathlib.Path):
    application = Application()
    runpy.run_path(str(ROOT / "docs" / "conf.py"))["setup"](application)
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        language = "pycon" if text.startswith(">>>") else language
        own = application.lexers.get(language)
        lexer = known.get_lexer_by_name(language) if own is None else own()
        wrong = [token for kind, token in lexer.get_tokens(text) if kind is Error]
        assert wrong == [], (language, text)


def test_every_page_is_in_the_table_of_contents():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"```\{toctree\}\n(.*?)```", index, re.DOTALL)
    pages = {page.stem for page in (ROOT / "docs").glob("*.md")} - {"index"}
    assert set(listed.split()) == pages


def ends_of(path: pathlib.PurePosixPath) -> set[str]:
    """A path, and what is left of it when folders in front are taken away."""
    parts = path.parts
    return {"/".join(parts[start:]) for start in range(len(parts))}


@pytest.fixture(scope="module")
def there() -> set[str]:
    """The ends of the paths of all files and folders."""
    found = {path.name for path in ROOT.iterdir()}
    for room in (
        "compiler",
        "dialects",
        "nn",
        "runtime",
        "tests",
        "docs",
        "examples",
        "benchmarks",
    ):
        for path in (ROOT / room, *(ROOT / room).rglob("*")):
            found |= ends_of(pathlib.PurePosixPath(path.relative_to(ROOT)))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_is_named_exists(page: pathlib.Path, there: set[str]):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    named = {name for name in PATH.findall(text) if not MADE_UP.fullmatch(name)}
    assert {name for name in named if name.removesuffix("/") not in there} == set()


def test_a_path_that_does_not_exist_is_found(there: set[str]):
    text = (
        "`runtime/operations.pyi`, `attributes/spec.py`, `compiler/fusion/`, `x/y`, `a.b`, `no.py`"
    )
    named = PATH.findall(text)
    assert named == [
        *("runtime/operations.pyi", "attributes/spec.py", "compiler/fusion/", "x/y", "no.py")
    ]
    missing = [name for name in named if name.removesuffix("/") not in there]
    assert missing == ["runtime/operations.pyi", "x/y", "no.py"]
