"""Does each damaged text that once hung or crashed the tool end with an error at its place?"""

from collections.abc import Callable
from typing import Any

import pytest

Tool = Callable[..., Any]
#: What the search has found: (command line, text, error).
FOUND = {
    "an unclosed string, exponential in xDSL's lexer": (
        (),
        f'func.func @f() {{\n  "{"a" * 200}\n}}',
        f'stdin:2:3: error: string literal is not closed\n  "{"a" * 100}',
    ),
    "an unclosed string in a name": (
        (),
        f'func.func @"{"a" * 100}',
        "stdin:1:12: error: string literal is not closed",
    ),
    "an escape that does not exist": (
        (),
        f'"{"a" * 60}\\q"() : () -> ()',
        "stdin:1:62: error: unknown escape in string literal",
    ),
    "a function of narrow floats": (
        ("-p", "kernel-expand-math"),
        "kernel.func @f(%x: !kernel.buffer<f16, []>) {\n  %0 = kernel.load %x[] : f16\n"
        "  %1 = math.exp %0 : f16\n  kernel.store %1, %x[]\n}",
        "stdin:3:3: error: kernel-expand-math: expected math.exp on f32 or f64, got f16\n"
        "  %1 = math.exp %0 : f16\n  ^\n",
    ),
    "a use before the definition": (
        ("-p", "kernel-plan-buffers"),
        "tri.launch @k(%0) [1] : !tri.tensor<1xf32>\n"
        "func.func @f() {\n  %0 = tri.empty : !tri.tensor<1xf32>\n  func.return\n}",
        "stdin:1:1: error: tri.launch: operand #0 does not dominate this use",
    ),
    "a launch of a kernel that is not there": (
        ("-p", "kernel-split-reductions"),
        "func.func @f() {\n  %0 = tri.empty : !tri.tensor<1xf32>\n"
        "  tri.launch @k(%0) [1] : !tri.tensor<1xf32>\n  func.return\n}",
        "stdin:3:3: error: kernel-split-reductions: the module has no kernel @k",
    ),
    "a reduction of a thousand million lanes": (
        ("-p", "kernel-schedule{target=cpu}"),
        "kernel.func @f(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, []>) {\n"
        "  %s = kernel.reduce add (%i) to (%n) {lanes = 1073741824, block = 0} : f32 {\n"
        "    %v = kernel.load %x[%i] : f32\n    kernel.yield %v : f32\n  }\n"
        "  kernel.store %s, %y[]\n}",
        "stdin:2:3: error: kernel.reduce: expected at most 1024 lanes, got 1073741824",
    ),
    "a function without a body": (
        (),
        "func.func @f(%x: index) {\n}",
        "stdin:1:1: error: Operation func.func contains empty block",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_found(tool: Tool, name: str):
    words, text, error = FOUND[name]
    result = tool(*words, stdin=text)
    assert result.status == 1
    assert result.errors.startswith(error)


def test_a_line_of_another_file_is_not_shown_from_this_one(tool: Tool):
    text = (
        "func.func @f(%x: !tri.tensor<4xf32>, %y: !tri.tensor<3xf32>) -> !tri.tensor<4xf32> {\n"
        "  %0 = tri.add %x, %y : !tri.tensor<4xf32>, !tri.tensor<3xf32> -> !tri.tensor<4xf32> "
        'loc("model.py":1:1)\n  func.return %0 : !tri.tensor<4xf32>\n}'
    )
    place, shown = tool(stdin=text).errors.splitlines()
    assert place.startswith("model.py:1:1: error: tri.add: ")
    assert shown.startswith('  %0 = "tri.add"(%x, %y)')


def test_a_reproducer_that_cannot_be_written_hides_no_error(tool: Tool):
    words, text, error = FOUND["a function of narrow floats"]
    result = tool(*words, "--crash-reproducer", "/dev/null/crash.mlir", stdin=text)
    assert result.errors.startswith(error)
    assert result.errors.endswith("/dev/null/crash.mlir: error: Not a directory\n")
