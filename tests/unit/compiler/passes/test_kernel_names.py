"""Do kernels have names that people can read, which depend on their structure alone?"""

from collections.abc import Callable

import pytest

from trilith.compiler.analysis.kernel_keys import structural_key
from trilith.compiler.analysis.kernel_names import symbol_of, words_of
from trilith.dialects.kernel.function import FuncOp

Parse = Callable[[str], FuncOp]

KERNEL = """
kernel.func @{name}(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<{type}, [1]>) {{
  kernel.map (%{index}) to (%n) {{
    %a = kernel.load %x[%{index}] : f32
    {lines}
    kernel.store %{last}, %y[%{index}]
  }}
}}
"""


def text(*lines: str, name: str = "f", index: str = "i", type: str = "f32", last: str = "b") -> str:
    return KERNEL.format(name=name, index=index, type=type, last=last, lines="\n".join(lines))


@pytest.mark.parametrize(
    ("lines", "type_", "last", "words"),
    [
        ([], "f32", "a", "copy"),
        (["%b = arith.extf %a : f32 to f64"], "f64", "b", "cast"),
        (["%b = arith.mulf %a, %a : f32"], "f32", "b", "mul"),
        (["%c = math.exp %a : f32", "%b = arith.addf %c, %a : f32"], "f32", "b", "exp_add"),
        (["%c = math.absf %a : f32", "%b = math.powf %c, %a : f32"], "f32", "b", "abs_pow"),
        (["%b = arith.cmpf oge, %a, %a : f32"], "i1", "b", "ge"),
        (
            [
                "%c = arith.mulf %a, %a : f32",
                "%d = arith.subf %c, %a : f32",
                "%e = arith.cmpf ogt, %d, %a : f32",
                "%f = arith.divf %d, %a : f32",
                "%g = math.tanh %f : f32",
                "%b = arith.select %e, %g, %a : f32",
            ],
            *("f32", "b", "mul_sub_div_tanh"),
        ),
    ],
)
def test_words(parse_kernel: Parse, lines: list[str], type_: str, last: str, words: str):
    assert words_of(parse_kernel(text(*lines, type=type_, last=last))) == words


def test_a_reduction_is_named_by_what_it_does(parse_kernel: Parse):
    reduction = """
    kernel.func @f(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, []>) {
      %s = kernel.reduce KIND (%i) to (%n) {lanes = 1, block = 0} : f32 {
        %a = kernel.load %x[%i] : f32
        %b = arith.mulf %a, %a : f32
        kernel.yield %b : f32
      }
      kernel.store %s, %y[]
    }
    """
    assert words_of(parse_kernel(reduction.replace("KIND", "add"))) == "sum_mul"
    assert words_of(parse_kernel(reduction.replace("KIND", "maximum"))) == "max_mul"
    products = reduction.replace("KIND", "fma").replace(
        "kernel.yield %b : f32", "kernel.yield %a, %b : f32, f32"
    )
    assert words_of(parse_kernel(products)) == "dot_mul"


def test_a_kernel_that_only_writes_fills(parse_kernel: Parse):
    fill = """
    kernel.func @f(%n: index, %v: f32, %y: !kernel.buffer<f32, [1]>) {
      kernel.map (%i) to (%n) {
        kernel.store %v, %y[%i]
      }
    }
    """
    assert words_of(parse_kernel(fill)) == "fill"


def test_equal_structures_have_one_symbol(parse_kernel: Parse):
    lines = ("%b = math.exp %a : f32",)
    first = parse_kernel(text(*lines, name="softmax_1"))
    second = parse_kernel(text(*lines, name="other", index="k"))
    key = structural_key(first)
    assert key == structural_key(second)
    assert symbol_of(first, key) == symbol_of(second, key) == f"exp_{key[:8]}"


def test_a_reduction_with_a_combiner_of_its_own_is_no_fold(parse_kernel: Parse):
    reduction = """
    kernel.func @f(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, []>, %o: f32) {
      %s = kernel.reduce custom (%i) to (%n) {lanes = 1, block = 0} init (%o) : f32 {
        %a = kernel.load %x[%i] : f32
        kernel.yield %a : f32
      } combine (%l, %r) {
        kernel.yield %l : f32
      }
      kernel.store %s, %y[]
    }
    """
    assert words_of(parse_kernel(reduction)) == "reduce"
