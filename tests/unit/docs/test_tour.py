"""Does docs/tour.md show what is printed? `make golden` rewrites its texts."""

import doctest
import pathlib
import re
from collections.abc import Callable
from typing import Any

import pytest

from trilith.compiler.codegen.llvm.kernel import emit_kernel
from trilith.compiler.codegen.llvm.target import USUAL_VECTOR_BITS, CpuTarget
from trilith.compiler.driver import Traced
from trilith.compiler.kernels.table import scheduled
from trilith.compiler.targets.target import THIS_HOST

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "tour.md"
SHOWN = re.compile(r"^<!-- shows: ([^\n]+) -->\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def traced_of(page: str) -> Traced:
    """The function as the page's first block of Python traces it."""
    block = PYTHON.search(page)
    assert block is not None
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(block[1]):
        exec(example.source, names)
    return names["traced"]


def text_of(name: str, traced: Traced) -> str:
    if name == "traced":
        return str(traced)
    if name.startswith("after "):
        return traced.after(name.removeprefix("after "))
    (kernel,) = traced.lower().kernels
    if name == "scheduled":
        return traced.lower().as_text("scheduled")
    assert name == "llvm loop"
    # Not the host: the page is the same everywhere.
    target = CpuTarget("x86_64-unknown-linux-gnu", "x86-64-v3", "")
    lines = emit_kernel(scheduled(kernel), target).splitlines()
    first = next(index for index, line in enumerate(lines) if " load <" in line)
    start = max(index for index in range(first) if lines[index].endswith(":"))
    end = next(index for index in range(first, len(lines)) if lines[index].startswith("  br "))
    return "\n".join(lines[start : end + 1])


def test_the_texts_are_what_is_printed(
    request: pytest.FixtureRequest,
    golden: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
):
    # Not the host: some have wider vectors.
    monkeypatch.setattr(type(THIS_HOST), "vector_bits", USUAL_VECTOR_BITS)
    monkeypatch.setattr(type(THIS_HOST), "usual_vector_bits", USUAL_VECTOR_BITS)
    page = PAGE.read_text(encoding="utf-8")
    traced = traced_of(page)

    def corrected(match: re.Match[str]) -> str:
        shown = match[2]
        assert match[0].endswith(shown + "```")
        return match[0][: -len(shown) - 3] + text_of(match[1], traced).rstrip() + "\n```"

    right = SHOWN.sub(corrected, page)
    assert len(SHOWN.findall(page)) == 6
    if request.config.getoption("--update-golden"):
        PAGE.write_text(right, encoding="utf-8")
        page = right
    assert page == right, "docs/tour.md is stale; if this is meant: `make golden`"
