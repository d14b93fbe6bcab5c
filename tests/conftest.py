"""What every test can rely on: Hypothesis profiles, recorded texts in tests/golden, devices."""

import gc
import itertools
import os
import pathlib
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import pytest

import trilith as tri
from trilith.compiler.afterwards import AFTERWARDS
from trilith.compiler.kernels import table
from trilith.dialects.attributes.device import set_accelerator
from trilith.dialects.unusual import TRACES
from trilith.runtime.execution.better_code import BetterCode

# Kernels are compiled anew: no test sees, or leaves, an entry of the user's cache.
os.environ.setdefault("TRILITH_CACHE", "0")

# Devices are tried by tests of their own: elsewhere that would cost each process two seconds.
os.environ.setdefault("TRILITH_OPENCL_PROBE", "0")

# `TRILITH_TEST_CALLS=native` tries every plan in native code, too (`native_check`).
TRIES_NATIVE = os.environ.get("TRILITH_TEST_CALLS") == "native"

# What a bare index means depends on the machine; tests that need an accelerator name one.
set_accelerator(None)

#: The device on which a sample of the tests with the fixture `tested_device` runs besides the CPU:
#: one in so many of each test's cases, always the same. Building kernels is what takes the time.
SAMPLED, ONE_IN = "opencl:0", 32

#: Better code of all kernels takes a sixth of the suite's time, in a thread behind the tests.
BETTER_ONE_IN = 16

GOLDEN = pathlib.Path(__file__).parent / "golden"

# The suite draws the same examples every time; `make fuzz N=...` draws new ones.
hypothesis.settings.register_profile(
    "suite", derandomize=True, deadline=None, database=None, print_blob=True
)
hypothesis.settings.register_profile(
    "fuzz", max_examples=int(os.environ.get("TRILITH_FUZZ", "1000")), deadline=None, print_blob=True
)
hypothesis.settings.load_profile("fuzz" if "TRILITH_FUZZ" in os.environ else "suite")


#: What lowering makes and drops is no cycle: looking for some took a twentieth of the time.
OBJECTS_BETWEEN_COLLECTIONS = 20_000


# What tests consist of is not garbage: looking for some took a seventh of the time to find them.
gc.disable()


def pytest_collection_finish() -> None:
    """Leave what the suite itself consists of to nobody: collecting in a test takes a moment."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)


@pytest.fixture(autouse=True, scope="session")
def _a_sample_of_better_code() -> Iterator[None]:
    """Make better code of one kernel in so many; `make test` tries native calls with all of it."""
    add, number = AFTERWARDS.add, itertools.count()

    def add_some(job: Callable[[], object]) -> None:
        is_better_code = isinstance(getattr(job, "__self__", None), BetterCode)
        if not is_better_code or next(number) % BETTER_ONE_IN == 0:
            add(job)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AFTERWARDS, "add", add_some)
        yield


@pytest.fixture(autouse=True, scope="session")
def _half_of_the_code_for_scalars() -> Iterator[None]:
    """Make code for vectors in a hurry, too: tests are so small that no map would have any."""
    is_little, number = table.is_little, itertools.count()

    def is_every_second(work: int) -> bool:
        return is_little(work) and next(number) % 2 == 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "is_little", is_every_second)
        yield


@pytest.fixture(autouse=True, scope="session")
def _half_of_the_code_made_well() -> Iterator[None]:
    """Where values are compared natively, make every second kernel well at once: both are seen."""
    number = itertools.count()
    with pytest.MonkeyPatch.context() as patch:
        if TRIES_NATIVE:
            patch.setattr(table, "is_quick_code_wanted", lambda: next(number) % 2 == 0)
        yield


@pytest.fixture(autouse=True, scope="module")
def _collected() -> Iterator[None]:
    """Leave what a module made to nobody, too: plans stay, and there are more from test to test."""
    yield
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    if TRIES_NATIVE:
        from native_check import TRIED

        print(f"\nnative code: {dict(TRIED)}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the recorded texts in tests/golden; runs only the tests that have one",
    )
    parser.addoption(
        "--device",
        help="run the tests that have the fixture `tested_device` on this device, all of them, and "
        "no others; without it they run on the CPU, and a sample of them on opencl:0",
    )


def pytest_configure(config: pytest.Config) -> None:
    words = "beside_cpu: compares a device with the CPU; there is nothing to do on the CPU itself"
    config.addinivalue_line("markers", words)
    if TRIES_NATIVE:
        sys.path.insert(0, str(pathlib.Path(__file__).parent))
        from native_check import install

        assert install()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "tested_device" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--device")
        devices = [chosen] if chosen else ["cpu", SAMPLED]
        if metafunc.definition.get_closest_marker("beside_cpu"):
            devices = [name for name in devices if name != "cpu"]
        metafunc.parametrize("tested_device", devices, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept = items
    if config.getoption("--update-golden"):
        kept = [item for item in items if "golden" in getattr(item, "fixturenames", ())]
    elif config.getoption("--device"):
        kept = [item for item in items if _device_of(item)]
    elif not any("::" in argument for argument in config.args):  # a test that is named runs
        sample = _sample([item for item in items if _device_of(item) == SAMPLED])
        kept = [item for item in items if _device_of(item) != SAMPLED or item.nodeid in sample]
    if kept is not items:
        chosen = {item.nodeid for item in kept}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
        items[:] = kept


def _device_of(item: pytest.Item) -> str | None:
    """Return the device that a test asks for by its fixture."""
    callspec: Any = getattr(item, "callspec", None)
    name = callspec.params.get("tested_device") if callspec else None
    return name if isinstance(name, str) else None  # none is left of a test that is beside_cpu


def _sample(items: list[pytest.Item]) -> set[str]:
    """Return the names of a part of each test's cases, at least one: the same in every run."""
    functions: dict[str, list[str]] = {}
    for item in items:
        functions.setdefault(item.nodeid.partition("[")[0], []).append(item.nodeid)
    return {
        name
        for names in functions.values()
        for name in sorted(names, key=_digest)[: -(-len(names) // ONE_IN)]
    }


def _digest(name: str) -> int:
    return zlib.crc32(name.encode())


@pytest.fixture
def tested_device(request: pytest.FixtureRequest) -> Iterator[str]:
    """The device of the test, "cpu" or "opencl:0", which is the default device meanwhile."""
    name: str = request.param
    if name == "cpu":
        yield name
        return
    try:
        tri.empty(1, device=name)
    except RuntimeError as error:
        if request.config.getoption("--device"):
            raise
        pytest.skip(f"no device {name}: {error}")
    tri.set_default_device(name)
    yield name
    tri.set_default_device(None)
    tri.opencl.synchronize(name)  # what a kernel reports belongs to the test that launched it


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


@pytest.fixture
def python_calls() -> Iterator[None]:
    """Let Python answer every call, as it does until there is native code."""
    TRACES.add("a test of what Python does")
    yield
    TRACES.remove("a test of what Python does")
