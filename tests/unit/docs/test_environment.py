"""Does docs/environment.md name every environment variable that is read, and no other?"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[3]
ROOMS = ("compiler", "dialects", "runtime")
READ = re.compile(r"(?:environ\.get\(|environ\[|getenv\(|in os\.environ)\s*\"(TRILITH_\w+)\"")


def names_in(files: list[pathlib.Path]) -> set[str]:
    return {name for file in files for name in READ.findall(file.read_text(encoding="utf-8"))}


def test_every_variable_of_the_package_has_a_section():
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^## (TRILITH_\w+)$", page, re.MULTILINE))
    package = [file for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    assert sections == names_in([ROOT / "__init__.py", *package])


def test_no_variable_is_read_in_a_way_this_test_does_not_see():
    package = [file for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    for file in package:
        text = file.read_text(encoding="utf-8")
        reads = len(re.findall(r"environ\b|getenv\(", text))
        if "TRILITH_" in text and reads:
            assert names_in([file]) == set(re.findall(r"\"(TRILITH_[A-Z_]+)\"", text)), file
