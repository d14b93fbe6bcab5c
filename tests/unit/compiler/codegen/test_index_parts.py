"""Does an index that is a sum over a loop become an address and what is added inside?"""

import re
from typing import Any

import numpy as np
import pytest

from trilith.compiler.codegen.index_parts import parts_of_index
from trilith.compiler.codegen.llvm.kernel import emit_kernel as emit_for_cpu
from trilith.compiler.codegen.llvm.target import host_target
from trilith.compiler.codegen.opencl.kernel import emit_kernel as emit_for_opencl
from trilith.dialects.kernel.memory import LoadOp

SUMS = ["%row, %j", "%j, %row"]


def copy_of_rows(place: str) -> str:
    """Return a kernel that copies rows element by element, from a sum."""
    return f"""
    kernel.func @copy(%n: index, %m: index, %x: !kernel.buffer<f32, [1]>,
        %y: !kernel.buffer<f32, [?, 1]>) {{
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      kernel.for %i = %zero to %n step %one {{
        %row = arith.muli %i, %m : index
        kernel.for %j = %zero to %m step %one {{
          %at = arith.addi {place} : index
          %v = kernel.load %x[%at] : f32
          kernel.store %v, %y[%i, %j]
        }}
      }}
    }}"""


def loaded_index(kernel: Any) -> Any:
    """Return the index of the one load of a kernel."""
    (load,) = [op for op in kernel.walk() if isinstance(op, LoadOp)]
    return load.indices[0]


@pytest.mark.parametrize("place", SUMS)
def test_the_outer_part_is_first(read_kernel: Any, place: str):
    index = loaded_index(read_kernel(copy_of_rows(place)))
    assert [part.name_hint for part in parts_of_index(index)] == ["row", "j"]


@pytest.mark.parametrize("place", ["%j, %one", "%one, %row", "%row, %i", "%j, %j"])
def test_other_indices_are_one_part(read_kernel: Any, place: str):
    text = copy_of_rows(place)
    if place == "%row, %i":  # both are known in front of the loop
        text = text.replace("%row, %i : index\n", "%row, %twice : index\n").replace(
            "%row = arith", "%twice = arith.addi %i, %i : index\n        %row = arith"
        )
    index = loaded_index(read_kernel(text))
    assert parts_of_index(index) == (index,)


@pytest.mark.parametrize("place", SUMS)
def test_addresses_begin_in_front_of_the_loop(read_kernel: Any, place: str):
    kernel = read_kernel(copy_of_rows(place))
    text = emit_for_cpu(kernel, host_target())
    (row,) = re.findall(r"(%v\d+) = getelementptr float, ptr %\w+, i64 %v\d+\n", text)
    assert re.search(rf"getelementptr float, ptr {row}, i64 %i", text)
    assert re.search(r"= \(b0 \+ v\d+\)\[i\d+\];", emit_for_opencl(kernel))


@pytest.mark.parametrize("place", SUMS)
def test_elements_are_those_of_the_sum(compile_kernel: Any, place: str):
    kernel = compile_kernel(copy_of_rows(place))
    x = np.arange(35, dtype=np.float32)
    y = np.zeros((5, 7), np.float32)
    kernel(5, 7, x, y)
    assert (y == x.reshape(5, 7)).all()
