"""What every test can rely on: Hypothesis profiles, and recorded texts in tests/golden."""

import os
import pathlib
from collections.abc import Callable

import hypothesis
import pytest

# Kernels are compiled anew: no test sees, or leaves, an entry of the user's cache.
os.environ.setdefault("TRILITH_CACHE", "0")

GOLDEN = pathlib.Path(__file__).parent / "golden"

# The suite draws the same examples every time; `make fuzz N=...` draws new ones.
hypothesis.settings.register_profile(
    "suite", derandomize=True, deadline=None, database=None, print_blob=True
)
hypothesis.settings.register_profile(
    "fuzz", max_examples=int(os.environ.get("TRILITH_FUZZ", "1000")), deadline=None, print_blob=True
)
hypothesis.settings.load_profile("fuzz" if "TRILITH_FUZZ" in os.environ else "suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the recorded texts in tests/golden; runs only the tests that have one",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--update-golden"):
        return
    recorded = [item for item in items if "golden" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=[item for item in items if item not in recorded])
    items[:] = recorded


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """`golden("add.ll", text)`: the text must equal the recorded file tests/golden/add.ll."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing: `make golden` records it"
        assert text == path.read_text(encoding="utf-8"), "if this is meant: `make golden`"

    return compare
