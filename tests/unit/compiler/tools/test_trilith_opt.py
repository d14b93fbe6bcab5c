"""Does trilith-opt show, write and repeat what its options say?"""

import pathlib
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import ShrinkException

from trilith.compiler.targets.cpu import CPU
from trilith.compiler.tools import trilith_opt
from trilith.dialects.diagnostics import Location, TrilithRuntimeError

#: Runs the tool on words of a command line, with text on stdin: the fixture of conftest.py.
Tool = Callable[..., Any]

ADD = """\
func.func @add(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.add %x, %y : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %0 : !tri.tensor<4xf32>
}
"""
BROKEN_MODULE = """\
func.func @add(%x: !tri.tensor<4xf32>, %y: !tri.tensor<3xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.add %x, %y : !tri.tensor<4xf32>, !tri.tensor<3xf32> -> !tri.tensor<4xf32>
  func.return %0 : !tri.tensor<4xf32>
}
"""


def failing(error: Exception) -> type[ModulePass]:
    """A pass that changes nothing and raises."""

    class Failing(ModulePass):
        name = "cse"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            raise error

    return Failing


Replace = Callable[[type[ModulePass]], None]


@pytest.fixture
def replace_cse(monkeypatch: pytest.MonkeyPatch) -> Replace:
    """Put another pass in the place of cse."""

    def replace(made: type[ModulePass]) -> None:
        known = trilith_opt.get_all_passes()
        monkeypatch.setattr(trilith_opt, "get_all_passes", lambda: {**known, "cse": lambda: made})

    return replace

    return replace


def test_reads_stdin_and_prints_the_module(tool: Tool):
    for words in ([], ["-"]):
        result = tool(*words)
        assert (result.status, result.errors) == (0, "")
        assert result.output.startswith("builtin.module {\n  func.func @add(%x: !tri.tensor<4xf32>")


def test_output_goes_to_a_file(tool: Tool, add_file: pathlib.Path):
    expected = tool(add_file).output
    assert tool(add_file, "-o", add_file).output == ""
    assert add_file.read_text() == expected


def test_a_refused_input_leaves_the_output_file_alone(tool: Tool, add_file: pathlib.Path):
    assert tool("-o", add_file, stdin=BROKEN_MODULE).status == 1
    assert add_file.read_text() == ADD


@pytest.mark.parametrize("text", ["", "\n\n", "// a comment\n"])
def test_an_empty_text_is_an_empty_module(tool: Tool, text: str):
    assert tool(stdin=text).output == "builtin.module {\n}\n\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff\xfe\x00", "stdin:1: error: this is not UTF-8 text"),
        (b"func.func @f(\n) {\n \x80", "stdin:3: error: this is not UTF-8 text"),
        (b"\x00\x01\x02", "stdin:1:1: error: Unexpected character: \ufffd"),
        ("func.func @f(%x: !tri.tensor<4xf32>", "stdin:1:36: error: "),
        ("%0 = ", "stdin:1:6: error: "),
        ("foo.bar", "stdin:1:8: error: Operation foo.bar is not registered"),
        ("builtin.module {\n" * 2000, "stdin: error: the text nests too deeply"),
        (BROKEN_MODULE, "stdin:2:3: error: tri.add: The size of tensor a (4) must match"),
    ],
)
def test_a_malformed_input_is_told_with_its_place(tool: Tool, text: str | bytes, message: str):
    result = tool(stdin=text)
    assert result.status == 1
    assert result.errors.startswith(message)
    assert len(result.errors.splitlines()) <= 12
    assert "Traceback" not in result.errors


def test_a_long_line_is_cut_around_the_place(tool: Tool):
    line = "%a = arith.constant 1 : i32 " * 3
    text = " ".join(f"%{number} = arith.constant 1 : i32" for number in range(2000)) + " $"
    result = tool(stdin=text + line)
    place, shown, caret = result.errors.splitlines()
    assert place == f"stdin:1:{len(text)}: error: Unexpected character: $"
    assert len(shown) <= 202
    assert shown[len(caret) - 1] == "$"


def test_files_that_cannot_be_read(tool: Tool, tmp_path: pathlib.Path):
    missing = tool(tmp_path / "none.mlir")
    assert missing.errors == f"{tmp_path}/none.mlir: error: No such file or directory\n"
    assert tool(tmp_path).errors == f"{tmp_path}: error: Is a directory\n"
    assert tool("-o", tmp_path / "none" / "x.mlir").errors.endswith("No such file or directory\n")


def test_unknown_names_name_the_nearest(tool: Tool):
    for words, message in (
        (["-p", "cs"], "there is no pass 'cs'; did you mean 'cse'?"),
        (["--print-ir-after", "dc"], "there is no pass 'dc'; did you mean 'dce'?"),
        (["-t", "tri-as"], "there is no target 'tri-as'; did you mean 'tri-asm'?"),
        (["-t", "tri-asm{cp=x}"], "there is no option of tri-asm 'cp'; did you mean 'cpu'?"),
        (["--print-ir-aftre-all"], "did you mean '--print-ir-after-all'?"),
        (
            ["-p", "kernel-schedule{target=opencl}"],
            "'opencl'; did you mean 'opencl-cpu'? there are",
        ),
        (["--target-pipeline", "opencl-"], "no pipeline 'opencl-'; did you mean 'opencl-gpu'?"),
        (["--target-pipeline", "nope"], "there is no pipeline 'nope'\n"),
        (["-p", "cse{"], "'cse{' cannot be read"),
        (["-t", "mlir}"], "'mlir}' cannot be read"),
        (["-t", "mlir{a"], "'mlir{a' cannot be read"),
        (["-p", "cse{x"], "'cse{x' cannot be read"),
        (["--completion", "zsh"], "invalid choice: 'zsh'"),
    ):
        result = tool(*words)
        assert result.status == 2, words
        assert message in result.errors
        assert len(result.errors.splitlines()) <= 12


def test_dumps_as_files(tool: Tool, tmp_path: pathlib.Path):
    folder = tmp_path / "tree" / "of"
    tool("-p", "canonicalize,cse", "--print-ir-tree-dir", folder)
    assert sorted(file.name for file in folder.iterdir()) == ["00-canonicalize.mlir", "01-cse.mlir"]
    assert (folder / "01-cse.mlir").read_text().startswith("builtin.module {\n")
    tool("-p", "cse", "--print-ir-tree-dir", folder, "--print-ir-before-all")
    assert (folder / "00-before-cse.mlir").exists()


def test_dumps_in_order(tool: Tool):
    words = ["-p", "canonicalize,cse", "--print-ir-before-all", "--print-ir-after-all"]
    headers = re.findall(r"^// -----// (.*) //----- //$", tool(*words).errors, re.MULTILINE)
    assert headers == [
        f"IR Dump {moment} {name}"
        for name in ("canonicalize", "cse")
        for moment in ("Before", "After")
    ]


def test_a_dump_header_is_no_place_to_split(tool: Tool):
    text = f"// -----// IR Dump After cse //----- //\n{ADD}\n// -----\n{BROKEN_MODULE}"
    result = tool("--split-input-file", stdin=text)
    assert result.output.count("func.func") == 1
    assert result.errors.startswith("stdin:9:3: error: tri.add")


def test_expected_diagnostics_are_printed_to_stdout(tool: Tool):
    result = tool("--verify-diagnostics", stdin=BROKEN_MODULE)
    assert (result.status, result.errors) == (0, "")
    assert "must match the size of tensor b" in result.output
    assert tool("--verify-diagnostics", stdin="%0 = ").status == 1
    assert tool("--parsing-diagnostics", stdin="%0 = ").status == 0
    assert tool("--parsing-diagnostics", stdin=BROKEN_MODULE).status == 1


def test_a_refusal_of_a_pass_is_a_diagnostic(tool: Tool, replace_cse: Replace):
    place = Location("f.py", 7)
    replace_cse(failing(TrilithRuntimeError("no room", location=place, hint="reshape")))
    result = tool("-p", "cse")
    assert (result.status, result.errors) == (1, "f.py:7: error: no room\n  hint: reshape\n")
    result = tool("-p", "cse", "--verify-diagnostics")
    assert (result.status, result.output) == (0, "f.py:7: error: no room\n  hint: reshape\n")


def test_a_failing_pass_is_a_bug_with_the_command_that_repeats_it(
    tool: Tool, replace_cse: Replace, add_file: pathlib.Path
):
    replace_cse(failing(KeyError("oh")))
    result = tool(add_file, "-p", "canonicalize,cse")
    assert result.status == 1
    assert result.errors == (
        "internal error: cse: KeyError: 'oh'\n"
        "This is a bug in trilith, not in your program. To repeat it:\n"
        f"  trilith-opt {add_file} -p canonicalize,cse\n"
    )


def test_a_crash_reproducer_repeats_the_crash(
    tool: Tool, replace_cse: Replace, add_file: pathlib.Path, tmp_path: pathlib.Path
):
    replace_cse(failing(KeyError("oh")))
    crash = tmp_path / "crash here.mlir"
    tool(add_file, "-p", "canonicalize,cse,dce", "--crash-reproducer", crash)
    first, second, *module = crash.read_text().splitlines()
    assert second == "// internal error: cse: KeyError: 'oh'"
    assert module[0] == "builtin.module {"
    name, *words = shlex.split(first.removeprefix("// Run: "))
    assert (name, words) == ("trilith-opt", [str(crash), "-p", "cse"])
    again = tool(*words)
    assert again.errors.startswith("internal error: cse: KeyError: 'oh'")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["add.mlir", "crash here.mlir"]


def test_no_reproducer_without_a_failure(tool: Tool, tmp_path: pathlib.Path):
    assert tool("-p", "cse", "--crash-reproducer", tmp_path / "crash.mlir").status == 0
    assert list(tmp_path.iterdir()) == []


def test_a_pass_that_leaves_invalid_ir_is_named(tool: Tool, replace_cse: Replace):
    class Truncating(ModulePass):
        name = "cse"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            (function,) = op.ops
            last = function.regions[0].block.last_op
            assert last is not None
            last.detach()
            last.erase()

    replace_cse(Truncating)
    result = tool("-p", "cse")
    assert result.status == 1
    assert "error: pass 'cse' left invalid IR: " in result.errors
    assert tool("-p", "cse", "--disable-verify").status == 0


def test_options_of_a_run_do_not_outlive_it(tool: Tool):
    before = Attribute.__post_init__
    assert tool("--disable-verify", stdin=BROKEN_MODULE).status == 0
    assert Attribute.__post_init__ is before
    assert tool(stdin=BROKEN_MODULE).status == 1


def test_a_traceback_on_request(tool: Tool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRILITH_TRACEBACK", "1")
    with pytest.raises(Exception, match="did you mean 'cse'"):
        tool("-p", "cs")


def test_shrinking(tool: Tool, replace_cse: Replace):
    assert tool("--shrink").output.endswith("Failure, can't shrink\n")
    replace_cse(failing(ShrinkException()))
    result = tool("-p", "cse", "--shrink")
    assert (result.status, result.output) == (0, "Success, can shrink\n")


def test_ops_carry_the_place_where_they_stand(tool: Tool):
    assert 'loc("stdin":2:3)' in tool("--print-debuginfo").output
    placed = ADD.replace(
        "!tri.tensor<4xf32>\n  func", '!tri.tensor<4xf32> loc("f.py":70:1)\n  func'
    )
    assert 'loc("f.py":70:1)' in tool("--print-debuginfo", stdin=placed).output
    wrong = placed.replace("%y: !tri.tensor<4xf32>", "%y: !tri.tensor<3xf32>")
    wrong = wrong.replace("!tri.tensor<4xf32> ->", "!tri.tensor<3xf32> ->", 2)
    assert tool(stdin=wrong).errors.startswith("f.py:70:1: error: tri.add: ")


def test_list_of_passes_has_a_line_for_each(tool: Tool):
    lines = tool("--list-passes").output.splitlines()
    for step in (*CPU.function, *CPU.kernel_steps()):
        (line,) = (line for line in lines if line.startswith(f"  {step.name} "))
        assert len(line.split()) > 2
        assert "cannot be loaded" not in line


@pytest.mark.parametrize("name", ["cpu", "opencl", "opencl-gpu"])
def test_a_listed_pipeline_can_be_run_as_it_is_printed(tool: Tool, name: str):
    lines = tool("--list-passes").output.splitlines()
    parts: list[str] = []
    for part in ("function", "kernel"):
        (line,) = (line for line in lines if line.startswith(f"  {name} ({part}): "))
        parts.append(line.partition(": ")[2])
    printed = tool("-p", ",".join(parts), stdin=ADD)
    assert (printed.status, printed.errors) == (0, "")
    assert printed.output == tool("--target-pipeline", name, stdin=ADD).output


def test_a_target_without_a_schedule_is_a_wrong_command_line(tool: Tool):
    result = tool("-p", "kernel-schedule{target=nonsense}", stdin=ADD)
    assert result.status == 2
    assert result.errors == (
        "trilith-opt: error: kernel-schedule: there is no target 'nonsense'; "
        "there are cpu, opencl-cpu, opencl-gpu\n"
    )


def test_help_and_version(tool: Tool):
    text = tool("--help").output
    for option in ("--print-ir-after-all", "--crash-reproducer", "--split-input-file", "-o"):
        assert option in text
    assert re.fullmatch(r"trilith-opt \S+ \(xDSL 0\.\S+\)\n", tool("--version").output)


def test_completion_in_bash(tool: Tool):
    script = tool("--completion", "bash").output
    ask = 'COMP_WORDS=({words}); COMP_CWORD={at}; _trilith_opt; echo "${{COMPREPLY[@]}}"'
    for words, expected in (
        ("trilith-opt -p cse,tri-f", "cse,tri-fuse-rows cse,tri-fuse"),
        ("trilith-opt --target-pipeline c", "cpu"),
        ("trilith-opt -t tri-l", "tri-llvm"),
        ("trilith-opt --crash", "--crash-reproducer"),
    ):
        command = script + ask.format(words=words, at=len(words.split()) - 1)
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected


def test_a_reader_that_goes_away_is_no_error():
    command = [sys.executable, "-m", "trilith.compiler.tools.trilith_opt", "--split-input-file"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stdin is not None
    process.stdin.write(f"{ADD}// -----\n" * 300)
    process.stdin.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 1
