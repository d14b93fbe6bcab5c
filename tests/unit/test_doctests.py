"""Do the examples in docstrings and in Markdown pages print what they say?

Examples of the package see their module's names and `tri`. In Markdown every fenced block
```` ```python ```` that has a prompt is run, the blocks of one page after one another; those for
OpenCL only where there is a device.
"""

import builtins
import doctest
import importlib
import pathlib
import re
from typing import Any

import pytest

import trilith as tri

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("compiler", "dialects", "runtime")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def module_names() -> list[str]:
    files = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
    parts = [file.relative_to(ROOT).with_suffix("").parts for file in files]
    return ["trilith"] + [".".join(("trilith", *part)) for part in parts if part[-1] != "__init__"]


def pages() -> list[pathlib.Path]:
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    found += [page for room in ROOMS for page in (ROOT / room).rglob("*.md")]
    return [page for page in sorted(found) if ">>> " in page.read_text(encoding="utf-8")]


def run(tests: list[doctest.DocTest], capture: pytest.CaptureFixture[str]) -> None:
    """Fail with doctest's own report."""
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in tests:
        runner.run(test, clear_globs=False)
    report = capture.readouterr().out
    assert runner.failures == 0, report


@pytest.mark.parametrize("name", module_names())
def test_module(name: str, capsys: pytest.CaptureFixture[str]):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != "pyopencl":
            raise
        pytest.skip("the OpenCL driver is not installed")
    names = dict(vars(module))
    if module is tri:
        # The face has a dtype called `float`, once somebody has asked for it.
        names = {key: value for key, value in names.items() if not hasattr(builtins, key)}
    finder = doctest.DocTestFinder(exclude_empty=True)
    run(finder.find(module, name, globs=names, extraglobs={"tri": tri}), capsys)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    parser = doctest.DocTestParser()
    tests: list[doctest.DocTest] = []
    blocks = list(FENCE.finditer(text))
    assert blocks, "the page has prompts outside of ```python blocks"
    for block in blocks:
        if 'device="opencl"' in block[1] and not tri.opencl.is_available():
            continue
        line = text.count("\n", 0, block.start(1))
        test = parser.get_doctest(block[1], {}, page.name, str(page), line)
        test.globs = names  # get_doctest copies what it is given; the blocks share one
        tests.append(test)
    run(tests, capsys)
