"""How are the items of a work-group interpreted? One after the other, between two barriers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from trilith.compiler.interpret.kernel import interpret_kernel
from trilith.dialects.diagnostics import InternalError
from trilith.dialects.kernel.function import FuncOp

ParseKernel = Callable[[str], FuncOp]

GROUP = """
kernel.func @f(%n: index, %y: !kernel.buffer<f32, [1]>) {
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %four = arith.constant 4 : index
  %first = arith.constant 1.0 : f32
  kernel.parallel groups (%g) to (%n) attributes {kernel.local = 4 : i64} {
    %own = kernel.alloc [1] : !kernel.buffer<f32, [1], private>
    %shared = kernel.alloc [4] : !kernel.buffer<f32, [1], local>
    %zero = arith.constant 0 : index
    kernel.parallel items (%t) to (%four) {
      kernel.store %first, %shared[%t]
      %cast = arith.index_cast %t : index to i64
      %v = arith.sitofp %cast : i64 to f32
      kernel.store %v, %own[%zero]
    }
    BARRIER
    kernel.parallel items (%t) to (%four) {
      %next = arith.addi %t, %one : index
      %other = arith.andi %next, %three : index
      %v = kernel.load %shared[%other] : f32
      %w = kernel.load %own[%zero] : f32
      %s = arith.addf %v, %w : f32
      kernel.store %s, %y[%t]
    }
  }
}
"""


def run(kernel: FuncOp) -> list[float]:
    """Run a group of four."""
    y = np.zeros(4, np.float32)
    interpret_kernel(kernel, [y], [1, 0])
    return y.tolist()


def test_private_memory_of_a_group_is_one_for_each_item(parse_kernel: ParseKernel) -> None:
    assert run(parse_kernel(GROUP.replace("BARRIER", "kernel.barrier"))) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "body",
    [
        "kernel.store %first, %shared[%zero]",
        "%a = kernel.load %shared[%three] : f32\nkernel.store %a, %shared[%t]",
        "kernel.store %first, %shared[%t]\n%a = kernel.load %shared[%zero] : f32",
    ],
)
def test_memory_that_another_item_writes_is_not_touched(
    parse_kernel: ParseKernel, body: str
) -> None:
    text = GROUP.replace("BARRIER", "kernel.barrier")
    with pytest.raises(InternalError, match="without a barrier"):
        run(parse_kernel(text.replace("kernel.store %first, %shared[%t]", body)))


def test_a_barrier_that_is_missing_is_seen(parse_kernel: ParseKernel) -> None:
    with pytest.raises(InternalError, match="without a barrier"):
        run(parse_kernel(GROUP.replace("BARRIER", "")))


def test_the_group_has_no_item_of_its_own(parse_kernel: ParseKernel) -> None:
    text = GROUP.replace("BARRIER", "kernel.barrier\n%a = kernel.load %own[%zero] : f32")
    with pytest.raises(InternalError, match="where the whole group runs"):
        run(parse_kernel(text))
