"""Can every block of the pages be coloured? Sphinx refuses a language that it does not know."""

import pathlib
import re
import runpy
from typing import Any

import pytest
from pygments import lexers
from pygments.token import Error

ROOT = pathlib.Path(__file__).resolve().parents[3]
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
