"""Are specs one object each, checked once, forgotten when unused, and cheap to share?"""

import copy
import gc
import pickle
import threading
from typing import Any

import numpy as np
import pytest

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes import spec as spec_module
from trilith.dialects.attributes.device import Device, cpu, meta
from trilith.dialects.attributes.layout import sparse_coo, strided
from trilith.dialects.attributes.patterns import FEWEST
from trilith.dialects.attributes.spec import ScalarSpec, TensorSpec, forget_dead_of, spec_of

from ...interruption import interruptions


def test_fields():
    spec = TensorSpec.of((4, 3), dtypes.float32)
    assert (spec.shape, spec.dtype, spec.device) == ((4, 3), dtypes.float32, cpu)
    assert (spec.strides, spec.layout, spec.rank) == ((3, 1), strided, 2)
    assert (spec.numel, spec.nbytes, spec.is_contiguous) == (12, 48, True)
    turned = TensorSpec.of((3, 4), dtypes.bool_, meta, (1, 3))
    assert (turned.strides, turned.nbytes, turned.is_contiguous) == ((1, 3), 12, False)


def test_equal_specs_are_one_object():
    spec = TensorSpec.of((4, 3), dtypes.float32)
    assert spec is TensorSpec.of((4, 3), dtypes.float32, cpu, (3, 1), strided)
    assert spec is TensorSpec.of((4, 3), dtypes.float32, Device("cpu"))
    others = [
        TensorSpec.of((3, 4), dtypes.float32),
        TensorSpec.of((4, 3), dtypes.float64),
        TensorSpec.of((4, 3), dtypes.float32, meta),
        TensorSpec.of((4, 3), dtypes.float32, strides=(1, 4)),
        TensorSpec.of((4, 3), dtypes.float32, layout=sparse_coo),
    ]
    assert len({spec, *others}) == 6


def test_sizes_are_plain_integers():
    spec: Any = TensorSpec.of((np.int64(7), True), dtypes.int8)  # pyright: ignore[reportArgumentType]  # as users do
    assert spec is TensorSpec.of((7, 1), dtypes.int8)
    assert [type(size) for size in spec.shape] == [int, int]


def test_sparse():
    spec = TensorSpec.of((2, 3), dtypes.float32, layout=sparse_coo)
    assert (spec.strides, spec.is_contiguous, spec.numel) == ((0, 0), False, 6)


def test_unused_specs_are_forgotten():
    gc.collect()
    held = [TensorSpec.of((1000, 999), dtypes.uint8)]  # that removes the dead
    before = len(spec_module._table)  # pyright: ignore[reportPrivateUsage]  # the leak is there
    specs = [TensorSpec.of((1000, size), dtypes.uint8) for size in range(1000, 1050)]
    assert len(spec_module._table) == before + 100  # pyright: ignore[reportPrivateUsage]
    del specs
    gc.collect()
    held.append(TensorSpec.of((1000, 998), dtypes.uint8))
    assert len(spec_module._table) == before + 2  # pyright: ignore[reportPrivateUsage]


def of_numbers(spec: TensorSpec, numbers: tuple[int, ...]) -> TensorSpec:
    """Return the spec of the same pattern that has other numbers."""
    return spec_of(spec.pattern, numbers)


@pytest.mark.parametrize(
    ("first", "numbers", "shape", "strides"),
    [
        (TensorSpec.of((4, 3), dtypes.float32), (70, 8), (70, 8), (8, 1)),
        (TensorSpec.of((), dtypes.int8), (), (), ()),
        (TensorSpec.of((5, 0, 1, 2), dtypes.bool_), (9, 7), (9, 0, 1, 7), (7, 7, 7, 1)),
        (TensorSpec.of((3, 4), dtypes.int16, meta, (1, 3)), (7, 8, 9), (7, 8), (1, 9)),
        (TensorSpec.of((4, 4), dtypes.int16, strides=(0, 9)), (2, 2, 2), (2, 2), (0, 2)),
        (TensorSpec.of((2, 3), dtypes.float32, layout=sparse_coo), (9, 8), (9, 8), (0, 0)),
        (TensorSpec.of((2,), dtypes.complex64, is_conj=True), (2**40,), (2**40,), (1,)),
    ],
    ids=str,
)
def test_specs_of_numbers(
    first: TensorSpec, numbers: tuple[int, ...], shape: tuple[int, ...], strides: tuple[int, ...]
):
    spec = of_numbers(first, numbers)
    assert (spec.shape, spec.strides) == (shape, strides)
    kept = (first.dtype, first.device, first.layout, first.is_conj)
    assert (spec.dtype, spec.device, spec.layout, spec.is_conj) == kept
    assert spec.numel == int(np.prod(shape, dtype=object))
    assert spec.nbytes == spec.numel * spec.dtype.itemsize
    full = None if first.layout is sparse_coo else strides
    assert TensorSpec.of(shape, *kept[:2], full, *kept[2:]) is spec
    assert of_numbers(first, numbers) is spec
    assert pickle.loads(pickle.dumps(spec)) is spec


def test_patterns_forget_specs_that_have_died():
    first = TensorSpec.of((5, 7, 11), dtypes.uint8)
    for size in range(2, 4 * FEWEST):
        of_numbers(first, (size, 7, 11))
    specs = first.pattern.specs
    assert len(specs) <= FEWEST + 2
    held = [of_numbers(first, (size, 7, 12)) for size in range(2, 3 * FEWEST)]
    assert all(specs[spec.numbers]() is spec for spec in [*held, first])
    del held
    forget_dead_of(first.pattern)
    assert len(specs) < FEWEST


def test_no_interrupt_is_lost_when_a_spec_dies():
    """Python drops what is raised in a finalizer: there is no bytecode it could come after."""
    specs = [TensorSpec.of((7, 1001), dtypes.uint8)]
    assert not list(interruptions(specs.clear, spec_module, everywhere=True))
    assert TensorSpec.of((7, 1001), dtypes.uint8).shape == (7, 1001)


def test_threads_get_the_same_object():
    barrier = threading.Barrier(8)
    found: list[list[TensorSpec]] = []

    def work() -> None:
        barrier.wait()
        found.append([TensorSpec.of((size, 17), dtypes.int16) for size in range(300)])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {len({id(specs[i]) for specs in found}) for i in range(300)} == {1}


def test_threads_get_the_same_object_where_others_die():
    first = TensorSpec.of((5, 13), dtypes.int64)
    barrier = threading.Barrier(8)
    wrong: list[int] = []

    def work() -> None:
        barrier.wait()
        for turn in range(3000):
            size = 2 + turn % 7
            spec = of_numbers(first, (size, 13))
            same = TensorSpec.of((size, 13), dtypes.int64)
            if same is not spec or spec.shape != (size, 13):
                wrong.append(size)
            del spec, same

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_interrupt_leaves_one_spec():
    first = TensorSpec.of((5, 17), dtypes.int64)
    for _ in interruptions(lambda: of_numbers(first, (9, 17)), spec_module):
        spec = of_numbers(first, (9, 17))
        assert TensorSpec.of((9, 17), dtypes.int64) is spec
        del spec
    for _ in interruptions(lambda: forget_dead_of(first.pattern), spec_module):
        assert first.pattern.specs[5, 17]() is first


def test_travel():
    for spec in (
        TensorSpec.of((4, 3), dtypes.float32, meta, (1, 4)),
        TensorSpec.of((), dtypes.complex32),
        TensorSpec.of((2,), dtypes.float32, layout=sparse_coo),
        ScalarSpec.of(1.5),
    ):
        assert pickle.loads(pickle.dumps(spec)) is spec
        assert copy.deepcopy(spec) is spec


def test_repr():
    assert repr(TensorSpec.of((4, 3), dtypes.float32)) == "TensorSpec((4, 3), trilith.float32)"
    spec = TensorSpec.of((4, 3), dtypes.int8, Device("opencl:0"), (1, 4))
    expected = "TensorSpec((4, 3), trilith.int8, device='opencl:0', strides=(1, 4))"
    assert repr(spec) == expected
    spec = TensorSpec.of((4, 3), dtypes.int8, layout=sparse_coo)
    assert repr(spec) == "TensorSpec((4, 3), trilith.int8, layout=trilith.sparse_coo)"


@pytest.mark.parametrize(
    ("shape", "strides", "kind", "text"),
    [
        (
            (2, -1),
            None,
            RuntimeError,
            "Trying to create tensor with negative dimension -1: [2, -1]",
        ),
        (
            (2**62, 4),
            None,
            RuntimeError,
            "Storage size calculation overflowed with sizes=[4611686018427387904, 4]",
        ),
        (
            (2**62,),
            (0,),
            RuntimeError,
            "Storage size calculation overflowed with sizes=[4611686018427387904]",
        ),
        ((2**64,), None, OverflowError, "Overflow when unpacking long long"),
        (
            (2,),
            (-1,),
            RuntimeError,
            "Storage size calculation overflowed with sizes=[2] and strides=[-1]",
        ),
        (
            (3,),
            (2**62,),
            RuntimeError,
            "Storage size calculation overflowed with sizes=[3] and strides=[4611686018427387904]",
        ),
        (
            (2, 3),
            (1,),
            RuntimeError,
            "dimensionality of sizes (2) must match dimensionality of strides (1)",
        ),
        ((2, 3.5), None, TypeError, "sizes and strides must be integers, but got (2, 3.5)"),
    ],
)
def test_refusals(shape: Any, strides: Any, kind: type[Exception], text: str):
    with pytest.raises(kind) as caught:
        TensorSpec.of(shape, dtypes.float32, strides=strides)
    assert str(caught.value).startswith(text)


def test_specs_are_frozen():
    spec = TensorSpec.of((4, 3), dtypes.float32)
    for value in (spec, ScalarSpec.of(1)):
        with pytest.raises(AttributeError):
            setattr(value, "rank", 3)  # noqa: B010
    with pytest.raises(TypeError, match=r"use TensorSpec\.of"):
        TensorSpec((4, 3), dtypes.float32)


@pytest.mark.parametrize(
    ("value", "kind", "name"),
    [
        (True, "bool", "bool"),
        (np.bool_(True), "float", "float32"),
        (3, "int", "int64"),
        (np.uint8(3), "int", "int64"),
        (1.5, "float", "float32"),
        (np.float64(1.5), "float", "float32"),
        (np.float32(1.5), "float", "float32"),
        (1j, "complex", "complex64"),
        (np.complex128(1j), "complex", "complex64"),
    ],
    ids=range(9),
)
def test_scalars(value: object, kind: Any, name: str):
    spec = ScalarSpec.of(value)
    assert spec is ScalarSpec(kind)
    assert (spec.kind, spec.dtype.name) == (kind, name)


@pytest.mark.parametrize("value", ["1", None, [1], np.ones(1)])
def test_what_is_no_scalar(value: object):
    with pytest.raises(TypeError, match="a Python scalar is a bool, int, float or complex, not"):
        ScalarSpec.of(value)
