"""Does what CONTRIBUTING.md says hold: the row it adds, the files of a family and of a target?"""

import io
import pathlib
import re
import shutil
import subprocess
import sys
import tokenize

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]

PROGRAM = """
import sys
from trilith.dialects.ops.rows.elementwise import activations
from trilith.dialects.ops.table import TABLE

# The row as it is on the page takes the place of the one that is there.
before = TABLE.pop("log_sigmoid")
del activations._log_sigmoid
exec(sys.argv[1], vars(activations))

import numpy as np
import trilith as tri

logsigmoid = tri.nn.functional.logsigmoid
print(TABLE["log_sigmoid"] is not before)
print(logsigmoid(tri.tensor([-2., 0.])))
print(tri.compile(lambda x: logsigmoid(x.t()).sum())(tri.tensor([[0., 0.]])))
print(logsigmoid(tri.tensor([3], dtype=tri.bfloat16)).dtype, hasattr(tri.Tensor, "log_sigmoid"))
print("tri.log_sigmoid" in str(tri.trace(logsigmoid, tri.spec((2,), tri.float64))))
x = np.linspace(-9, 9, 10001, dtype=np.float32)
exact = -np.log1p(np.exp(-x.astype(np.float64)))
error = abs(logsigmoid(tri.from_numpy(x)).numpy() - exact)
print((error <= 4.0 * np.spacing(abs(exact).astype(np.float32))).all())
"""

PRINTED = """\
True
tensor([-2.1269, -0.6931])
tensor(-1.3863)
trilith.bfloat16 False
True
True
"""


def test_the_row_is_all_it_takes():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    diff = re.search(r"^```diff\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert diff is not None
    lines = diff[1].splitlines()
    assert lines[1] == "+++ b/dialects/ops/rows/elementwise/activations.py"
    row = "\n".join(line[1:] for line in lines[2:] if line.startswith("+"))
    # Another process: the table of this one stays as it is.
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, row], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == PRINTED


TARGET_PROGRAM = """
import sys
import trilith as tri
from trilith.compiler.kernels.table import kernel_text
from trilith.compiler.targets import opencl, table

first = opencl.OPENCL_GPU
table.unregister(first.name)
del opencl.OPENCL_GPU
exec(sys.argv[1], vars(opencl))
table.register(opencl.OPENCL_GPU)
(kernel,) = tri.trace(lambda x: x + 1, tri.spec((10,), tri.float32)).lower("opencl").kernels
print(opencl.OPENCL_GPU is not first, '"local": [256]' in kernel_text(kernel, "opencl", first.name))
"""


def test_the_row_of_a_target_is_all_it_takes_beside_its_schedule():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition("## Adding a target\n")[2].partition("\n## ")[0]
    diff = re.search(r"^```diff\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    assert diff is not None
    lines = diff[1].splitlines()
    path = lines[1].removeprefix("+++ b/")
    row = "".join(f"{line[1:]}\n" for line in lines[2:] if line.startswith("+"))
    assert (ROOT / path).read_text(encoding="utf-8").endswith(row)
    done = subprocess.run(
        [sys.executable, "-c", TARGET_PROGRAM, row], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "True True\n"), done.stderr


#: The class of the kernel and the module of the rows that CONTRIBUTING.md adds.
FAMILY = {"CumulativeOp", "scans"}


def test_a_family_is_the_files_and_the_lines_that_are_shown():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition("## Adding a family")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\|.*`([\w./]+)` \|$", section, re.MULTILINE))
    shown = shown_in(section)
    assert set(shown) == named
    for name, expected in shown.items():
        found = (ROOT / name).read_text(encoding="utf-8").splitlines()
        assert [line for line in found if line in expected] == expected, name
    knowing = {
        path.relative_to(ROOT).as_posix()
        for room in ("compiler", "dialects", "runtime")
        for path in (ROOT / room).rglob("*.py")
        if not FAMILY.isdisjoint(words_of(path, *FAMILY))
    }
    # The file of the kernel knows the family by its class, and nobody else does.
    assert knowing == named


def shown_in(section: str) -> dict[str, list[str]]:
    """Return the lines that are shown of each file: in a block of Python, or added by a diff."""
    shown: dict[str, list[str]] = {}
    lines: list[str] = []
    for language, text in re.findall(
        r"^```(python|diff)\n(.*?)^```", section, re.MULTILINE | re.DOTALL
    ):
        for line in text.splitlines():
            if head := re.match(r"(?:# |\+\+\+ b/)([\w/]+\.py)$", line):
                lines = shown.setdefault(head[1], [])
            elif line.startswith("+") or language == "python":
                lines.append(line.removeprefix("+"))
    return shown


@pytest.mark.parametrize("number", range(3))
def test_the_diffs_can_be_applied(number: int, tmp_path: pathlib.Path):
    git = shutil.which("git")
    if git is None:
        pytest.skip("there is no git")
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    diffs = re.findall(r"^```diff\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(diffs) == 3
    patch = tmp_path / "patch"
    patch.write_text(diffs[number], encoding="utf-8")
    # What they add is there, and could be taken away.
    command = [git, "apply", "--check", "-R", str(patch)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def words_of(path: pathlib.Path, *sought: str) -> list[str]:
    """Return the identifiers and strings of a file that has any of what is sought, else none."""
    text = path.read_text(encoding="utf-8")
    if not any(word.lower() in text.lower() for word in sought):
        return []  # to take a file apart takes much longer than to read it
    return [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type in (tokenize.NAME, tokenize.STRING)
    ]


def says_opencl(path: pathlib.Path) -> bool:
    """Whether code names the target, in an identifier or a plain string."""
    words = words_of(path, "opencl")
    return any("opencl" in word.lower() and not word.startswith('"""') for word in words)


def test_the_table_of_a_target_names_every_file():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.partition("## Adding a target\n")[2].partition("\n## ")[0]
    rows = "\n".join(line for line in section.splitlines() if line.startswith("|"))
    named = {text for text in re.findall(r"`([\w./]+)`", rows) if "/" in text or text[:2] == "__"}
    assert all((ROOT / text).exists() for text in named), named
    files = [ROOT / "__init__.py"]
    for room in ("compiler", "runtime", "dialects"):
        files += (ROOT / room).rglob("*.py")
    saying = {path.relative_to(ROOT).as_posix() for path in files if says_opencl(path)}
    assert saying
    assert not {path for path in saying if path.startswith("dialects/ops/")}
    folders = tuple(text for text in named if text.endswith("/"))
    assert not {path for path in saying if path not in named and not path.startswith(folders)}
    assert not {text for text in named if text.endswith(".py") and "opencl" not in text} - saying
