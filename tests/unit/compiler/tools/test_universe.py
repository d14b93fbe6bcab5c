"""Does plain xDSL find our dialects, passes and targets, and load them only when asked?"""

import pathlib
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from xdsl.universe import Universe

from trilith.compiler.pipeline import PASSES
from trilith.compiler.tools.universe import PREFIXES, TRILITH_UNIVERSE

#: Prints which of the heavier modules are loaded after a tool has read its command line.
LAZINESS = """
import sys
sys.argv = ["trilith-opt", "--version"]
from trilith.compiler.tools.trilith_opt import main
try:
    main()
except SystemExit:
    pass
heavy = ("llvmlite", "pyopencl", "trilith.dialects.tri.ops", "trilith.dialects.ops.table",
         "trilith.dialects.kernel.dialect", "trilith.compiler.passes.tensors.fuse",
         "xdsl.dialects.arith")
print([name for name in heavy if name in sys.modules])
"""


def test_xdsl_finds_everything():
    multiverse = Universe.get_multiverse()
    assert {"tri", "kernel"} <= multiverse.all_dialects.keys()
    assert {name for name in PASSES if name.startswith(PREFIXES)} <= multiverse.all_passes.keys()
    assert {"tri-llvm", "tri-asm", "tri-opencl"} <= multiverse.all_targets.keys()


def test_every_name_loads_under_its_own_name():
    for name, dialect in TRILITH_UNIVERSE.all_dialects.items():
        assert dialect().name == name
    for name, factory in TRILITH_UNIVERSE.all_passes.items():
        assert factory().name == name
    for name, factory in TRILITH_UNIVERSE.all_targets.items():
        assert factory().name == name


def test_a_pass_that_cannot_be_loaded_fails_only_when_asked(
    tool: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    missing = partial(import_module, "trilith.compiler.passes.missing")
    monkeypatch.setitem(TRILITH_UNIVERSE.all_passes, "tri-missing", missing)
    assert tool("-p", "cse").status == 0
    result = tool("-p", "tri-missing")
    assert result.status == 1
    assert "the pass 'tri-missing' cannot be loaded: No module named" in result.errors
    assert "tri-missing" in tool("--list-passes").output


def test_nothing_is_loaded_before_it_is_needed():
    done = subprocess.run(
        [sys.executable, "-c", LAZINESS], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_xdsl_opt_runs_our_passes(tmp_path: pathlib.Path):
    file = tmp_path / "f.mlir"
    file.write_text(
        "func.func @f(%x: !tri.tensor<4xsi32>, %y: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {\n"
        "  %0 = tri.add %x, %y : !tri.tensor<4xsi32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>\n"
        "  %1 = tri.add %x, %y : !tri.tensor<4xsi32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>\n"
        "  %2 = tri.mul %0, %1 : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>\n"
        "  func.return %2 : !tri.tensor<4xf32>\n"
        "}\n"
    )
    command = ["xdsl-opt", "-p", "tri-promote-types,canonicalize,cse", str(file)]
    tools = pathlib.Path(sys.executable).parent
    done = subprocess.run([str(tools / command[0]), *command[1:]], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("tri.cast") == 1
    assert done.stdout.count("tri.add") == 1
