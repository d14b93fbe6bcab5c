"""Does `import trilith` load NumPy and nothing heavier?"""

import json
import os
import pathlib
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


def test_import_loads_numpy_and_nothing_heavier():
    allowed, _ = after("import numpy")
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


def test_types_that_numpy_lacks_come_when_they_are_used():
    """Loading ml_dtypes takes 5 ms, and most programs have no bfloat16."""
    program = (
        "import sys\n"
        "import numpy as np\n"
        "import trilith as tri\n"
        "x = tri.tensor([1.0, 2.0])\n"
        "assert (x + 1).numpy().tolist() == [2.0, 3.0]\n"
        "assert tri.bfloat16.itemsize == 2 and tri.float8_e5m2.bits == 8\n"
        "assert 'ml_dtypes' not in sys.modules\n"
        "import ml_dtypes\n"
        "given = np.array([0.1, 3.0], ml_dtypes.bfloat16)\n"
        "y = tri.from_numpy(given)\n"
        "assert y.dtype is tri.bfloat16 and y.numpy().dtype == given.dtype\n"
        "assert tri.float8_e5m2.numpy == np.dtype(ml_dtypes.float8_e5m2)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_first_result_from_the_disk_loads_no_openssl(tmp_path: pathlib.Path):
    """It takes 4 ms, and the BLAKE2b of CPython needs none of it."""
    program = (
        "import sys\n"
        "import numpy as np\n"
        "import trilith as tri\n"
        "f = tri.compile(lambda x: tri.tanh(x) + 1)\n"
        "found = np.asarray(f(tri.ones(3))), np.asarray(tri.ones(3) * 2)\n"
        "names = ('_hashlib', 'dataclasses', 'xdsl', 'llvmlite', 'ml_dtypes')\n"
        "print([name for name in names if name in sys.modules])\n"
    )
    environment = os.environ | {"TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(tmp_path)}
    environment.pop("TRILITH_TEST_CALLS", None)
    for expected in (None, "[]\n"):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stderr
        assert expected is None or done.stdout == expected
