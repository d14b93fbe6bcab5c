"""What random programs found, as small as they became: strides are PyTorch 2.13's answers."""

import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.interpret.tri import interpret_function
from trilith.dialects.attributes.symint import SymInt
from trilith.dialects.kernel.function import FuncOp as KernelOp
from trilith.dialects.kernel.types import BufferType

Strides = tuple[int, ...]


def laid(shape: Strides, strides: Strides, dtype: tri.dtype = tri.float32) -> tri.Tensor:
    """Return ones with any strides."""
    memory = tri.ones(400, dtype=dtype).untyped_storage()
    return tri.Tensor(memory, tri.TensorSpec.of(shape, dtype, strides=strides), 0)


PADDED = ((1, 7, 1, 1), (1, 1, 1, 1))
SPARSE = ((3, 4), (2, 9))
EMPTY = ((0, 1), (1, 1))
CHANNELS_LAST = ((2, 3, 4, 5), (60, 1, 15, 3))

#: A function, the layout of its argument, the strides of its result.
STRIDES: list[tuple[Callable[[Any], Any], tuple[Strides, Strides], Strides]] = [
    (lambda x: x.double(), PADDED, (1, 1, 1, 1)),
    (lambda x: x.exp(), PADDED, (7, 1, 1, 1)),
    (lambda x: tri.clamp(x, 0, 1), PADDED, (7, 1, 1, 1)),
    (lambda x: tri.clamp(x, tri.tensor(0.0), tri.tensor(1.0)), PADDED, (1, 1, 1, 1)),
    (lambda x: x**0, PADDED, (7, 1, 1, 1)),
    (lambda x: x**1, PADDED, (7, 1, 1, 1)),
    (lambda x: x**2.5, PADDED, (7, 1, 1, 1)),
    (lambda x: x**2.5, SPARSE, (1, 3)),
    (lambda x: 2**x, SPARSE, (4, 1)),
    (lambda x: x + 1, EMPTY, (1, 0)),
    (lambda x: tri.pad(x, (0, -1)), SPARSE, (1, 3)),
    (lambda x: tri.nn.functional.adaptive_avg_pool3d(x, 2), CHANNELS_LAST, (8, 4, 2, 1)),
    (lambda x: tri.nn.functional.avg_pool3d(x, 2), CHANNELS_LAST, (4, 4, 2, 1)),
    (lambda x: tri.log_softmax(x, 1), PADDED, (7, 1, 1, 1)),
    (lambda x: tri.nn.functional.layer_norm(x, (1, 1)), PADDED, (7, 1, 1, 1)),
    (lambda x: tri.nn.functional.rms_norm(x, (1, 1)), PADDED, (7, 1, 1, 1)),
    (lambda x: tri.stack([x, x]), CHANNELS_LAST, (120, 60, 1, 15, 3)),
    (lambda x: tri.stack([x, x], 1), CHANNELS_LAST, (120, 3, 1, 30, 6)),
    (lambda x: tri.stack([x, x], 4), CHANNELS_LAST, (120, 40, 10, 2, 1)),
]


@pytest.mark.parametrize("number", range(len(STRIDES)))
def test_strides(number: int):
    function, layout, expected = STRIDES[number]
    x = laid(*layout)
    assert function(x).stride() == expected
    assert tri.compile(function)(x).stride() == expected


APART: dict[str, Callable[[Any], Any]] = {
    "twice": lambda x: (tri.cos(x), tri.cos(x)),
    "view": lambda x: (tri.cos(x), tri.cos(x)[1:]),
    "copies": lambda x: (x.clone(), x.clone()),
    "fresh copies": lambda x: (y := x > 0, y.clone(), y.clone()),
    "copy": lambda x: (x.clone(), x),
}


@pytest.mark.parametrize("name", APART)
def test_results_of_different_operations_share_no_memory(name: str):
    results: tuple[tri.Tensor, ...] = tri.compile(APART[name])(tri.ones(3))
    assert len({result.untyped_storage().data_ptr() for result in results}) == len(results)


def test_results_that_are_one_tensor_share_memory():
    first, second = tri.compile(lambda x: (y := tri.cos(x), y[1:]))(tri.ones(3))
    assert first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr()


def test_a_view_of_a_group_is_read_after_the_group():
    def function(x: Any) -> Any:
        mean = tri.mean(x, None, keepdim=True)
        return tri.minimum(mean, mean.flatten())

    assert tri.compile(function)(tri.ones(1, 1)).tolist() == [[1.0]]


def test_intermediate_results_without_elements_need_no_memory():
    x, y = tri.zeros(1, 1, 0), tri.zeros(1, 1, 0, dtype=tri.int64)
    assert tri.compile(lambda x, y: tri.stack([x, y, x]))(x, y).shape == (3, 1, 1, 0)


def test_a_double_with_a_copied_sign_rounds_to_half():
    x = tri.tensor([-2.0], dtype=tri.float64)
    result = tri.compile(lambda x: tri.prod(tri.tanh(x), dtype=tri.float16))(x)
    assert result.item() == float(np.float16(np.float32(np.tanh(-2.0))))


def test_interpreted_constants_wrap():
    x = tri.tensor([1], dtype=tri.uint8)
    traced = tri.trace(lambda x: tri.add(x, 0, alpha=-1), x)
    (result,) = interpret_function(traced.module, [x.numpy()])
    assert result.tolist() == [1]


def test_a_zero_divisor_of_no_elements_is_no_fault_when_interpreted():
    x = tri.zeros(0, dtype=tri.int64)
    traced = tri.trace(lambda x: x // 0, x)
    (result,) = interpret_function(traced.module, [x.numpy()])
    assert result.shape == (0,)


def test_the_first_call_of_a_row_may_be_with_a_number():
    program = "import trilith as tri; print(tri.div(tri.tensor([1.0]), 2.0).item())"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout == "0.5\n", done.stderr


@pytest.mark.parametrize("name", ["sum", "mean", "nansum", "amax", "std", "logsumexp"])
def test_a_copy_says_in_which_order_a_reduction_walks(name: str):
    x = tri.tensor([math.sin(n) for n in range(385)]).view(11, 7, 5).permute(2, 1, 0)

    def function(x: Any) -> Any:
        return getattr(tri, name)(x.contiguous(), dim=(0, 1, 2))

    assert tri.compile(function)(x).item() == function(x).item()


SHUFFLES: dict[str, Callable[[Any], Any]] = {
    "pixels": lambda x: tri.pixel_shuffle(x, 1),
    "blocks": lambda x: tri.pixel_unshuffle(x, 1),
    "channels": lambda x: tri.channel_shuffle(x, 2),
}


@pytest.mark.parametrize("name", SHUFFLES)
def test_nothing_that_is_shuffled_is_seen_where_it_was(name: str):
    x = tri.arange(24).view(2, 2, 2, 3)
    for function in (SHUFFLES[name], tri.compile(SHUFFLES[name])):
        result: tri.Tensor = function(x)
        assert result.tolist() == x.tolist()
        assert result.untyped_storage().data_ptr() != x.untyped_storage().data_ptr()


def test_a_stride_that_is_one_by_a_guard_is_a_number():
    def pool(x: Any) -> Any:
        return tri.nn.functional.adaptive_avg_pool2d(x, (2, 3))

    lowered = tri.trace(pool, tri.ones(2, 4, 3), static_shapes=False).lower()
    (kernel,) = [op for op in lowered.module.ops if isinstance(op, KernelOp)]
    types = [x.type for x in kernel.body.block.args if isinstance(x.type, BufferType)]
    assert [buffer.strides for buffer in types] == [(None, 1, None), (None, 1)]
    assert all(not isinstance(stride, SymInt) for buffer in types for stride in buffer.strides)
