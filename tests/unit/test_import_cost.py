"""Does `import trilith` load NumPy and ml_dtypes and nothing heavier?"""

import json
import subprocess
import sys

REPORT = """
import json, sys, threading
print(json.dumps([sorted({name.split(".")[0] for name in sys.modules}), threading.active_count()]))
"""


def after(statement: str) -> tuple[set[str], int]:
    """Top-level modules and threads of a fresh interpreter that ran the statement."""
    command = [sys.executable, "-c", statement + REPORT]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names, threads = json.loads(output)
    return set(names), threads


def test_import_loads_numpy_and_ml_dtypes_and_nothing_heavier():
    allowed, _ = after("import ml_dtypes, numpy")
    loaded, _ = after("import trilith")
    assert "trilith" in loaded
    assert loaded - allowed - set(sys.stdlib_module_names) == {"trilith"}


def test_import_starts_no_thread():
    _, threads = after("import trilith")
    assert threads == 1


def test_a_program_on_the_host_loads_nothing_of_another_target():
    program = (
        "import sys\n"
        "import trilith as tri\n"
        "tri.compile(lambda x: (x + 1).sum())(tri.ones(5))\n"
        "loaded = [name for name in sys.modules if 'opencl' in name]\n"
        "assert loaded == ['trilith.compiler.targets.opencl'], loaded\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_import_loads_no_rows():
    """They are loaded with the first operation: it takes 20 ms to define the classes of rows."""
    program = "import sys, trilith; print([m for m in sys.modules if 'trilith.dialects.ops' in m])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[]\n", done.stderr
