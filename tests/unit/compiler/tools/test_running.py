"""Does a tool that ends at once end as other programs do?"""

import subprocess
import sys

import pytest

TOOL = """
import atexit, sys
from trilith.compiler.tools.running import end_at_once
atexit.register(lambda: print("at the end"))
class Kept:
    def __del__(self):
        print("taken apart")
kept = Kept()
def tool():
    sys.stdout.write("begun ")
    {ending}
end_at_once(tool)
"""


@pytest.mark.parametrize(
    ("ending", "status", "output", "last_line"),
    [
        ("pass", 0, "begun at the end\n", ""),
        ("sys.exit()", 0, "begun at the end\n", ""),
        ("sys.exit(3)", 3, "begun at the end\n", ""),
        ("sys.exit(-1)", 255, "begun at the end\n", ""),
        ("sys.exit('a text')", 1, "begun at the end\ntaken apart\n", "a text"),
        ("1 / 0", 1, "begun at the end\ntaken apart\n", "ZeroDivisionError: division by zero"),
        ("sys.stderr.close()", 0, "begun at the end\n", ""),
    ],
)
def test_end_at_once(ending: str, status: int, output: str, last_line: str):
    command = [sys.executable, "-c", TOOL.format(ending=ending)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, output)
    assert [*done.stderr.splitlines(), ""][-1 if not last_line else -2] == last_line
