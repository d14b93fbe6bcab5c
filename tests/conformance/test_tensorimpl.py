"""Does `TensorImpl` answer as PyTorch's C++ class did? The transcript of a C++ program, replayed.

Each line of `tensorimpl_cpp.txt` is what one step of that program printed. The same steps are taken
here through `TensorImpl`, and every line is compared; those that differ on purpose are in a table
with the reason.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.tensors.tensor_impl import TensorImpl

TRANSCRIPT = (
    (Path(__file__).parents[1] / "data" / "torch" / "tensorimpl_cpp.txt").read_text().splitlines()
)

BOUNDS = "what leaves the storage's bounds is refused"
SHARED = "a shared storage keeps its bytes"
WORDING = "PyTorch's text is an assertion of its own"

#: First words of a line of the transcript -> (trilith's line, why it is another one).
DIFFERENCES: dict[str, tuple[str, str]] = {
    "FreeMemory of shared ok": (
        "FreeMemory of shared RAISES FreeMemory would free a storage that is shared (use count 2)",
        SHARED,
    ),
    "b after FreeMemory |": (
        "b after FreeMemory | sizes [6] strides [1] numel 6 dim 1 storage_init 1 dtype_init 1 "
        "has_storage 1 nbytes 24 use_count 2 offset 0 contig 1",
        SHARED,
    ),
    "a after b.FreeMemory |": (
        "a after b.FreeMemory | sizes [2, 3] strides [3, 1] numel 6 dim 2 storage_init 1 "
        "dtype_init 1 has_storage 1 nbytes 24 use_count 2 offset 0 contig 1",
        SHARED,
    ),
    "Resize shared to grow ok": (
        "Resize shared to grow RAISES Resize would free a storage that is shared (use count 2)",
        SHARED,
    ),
    "w |": (
        "w | sizes [6] strides [1] numel 6 dim 1 storage_init 1 dtype_init 1 has_storage 1 "
        "nbytes 24 use_count 2 offset 0 contig 1",
        SHARED,
    ),
    "a | sizes [2, 3] strides [3, 1] numel 6 dim 2 storage_init 1 dtype_init 1 has_storage 1 "
    "nbytes 24 use_count 1": (
        "a | sizes [2, 3] strides [3, 1] numel 6 dim 2 storage_init 1 dtype_init 1 has_storage 1 "
        "nbytes 24 use_count 2 offset 0 contig 1",
        SHARED,
    ),
    "set_size(1,7)": (
        "set_size(1,7) RAISES setStorage: sizes [2, 7], strides [3, 1], storage offset 0, and "
        "itemsize 4 requiring a storage size of 40 are out of bounds for storage of size 24",
        BOUNDS,
    ),
    "set_stride(0,7)": (
        "set_stride(0,7) RAISES setStorage: sizes [2, 3], strides [7, 1], storage offset 0, and "
        "itemsize 4 requiring a storage size of 40 are out of bounds for storage of size 24",
        BOUNDS,
    ),
    "set_storage_offset(2)": (
        "set_storage_offset(2) RAISES setStorage: sizes [2, 3], strides [3, 1], storage offset 2, "
        "and itemsize 4 requiring a storage size of 32 are out of bounds for storage of size 24",
        BOUNDS,
    ),
    "set_size(5,1) ok": (
        "set_size(5,1) RAISES Dimension out of range (expected to be in range of [-2, 1], but got "
        "5)",
        BOUNDS,
    ),
    "set_sizes_and_strides out of bounds ok": (
        "set_sizes_and_strides out of bounds RAISES setStorage: sizes [200, 3], strides [3, 1], "
        "storage offset 0, and itemsize 4 requiring a storage size of 2400 are out of bounds for "
        "storage of size 24",
        BOUNDS,
    ),
    "oob accepted |": (
        "oob accepted | sizes [2, 3] strides [3, 1] numel 6 dim 2 storage_init 1 dtype_init 1 "
        "has_storage 1 nbytes 24 use_count 1 offset 0 contig 1",
        BOUNDS,
    ),
    "set_sizes_contiguous |": (
        "set_sizes_contiguous RAISES setStorage: sizes [4, 5], strides [5, 1], storage offset 0, "
        "and itemsize 4 requiring a storage size of 80 are out of bounds for storage of size 24",
        BOUNDS,
    ),
    "allow 1": ("allow 0", "set_allow_tensor_metadata_change(False) is honoured"),
    "set_sizes after disallow ok": (
        "set_sizes after disallow RAISES set_sizes_contiguous is not allowed on a Tensor created "
        "from .data or .detach().",
        "set_allow_tensor_metadata_change(False) is honoured",
    ),
    "wrapped 0 set_wrapped on 2d": (
        "wrapped 0 set_wrapped on 2d RAISES set_wrapped_number: a wrapped number has 0 dims, not 2",
        WORDING,
    ),
}


def flag(value: object) -> int:
    """C++ prints truth as a digit."""
    return int(bool(value))


def state(impl: TensorImpl) -> str:
    """All that the C++ program printed of a tensor."""
    nbytes = impl.storage().nbytes() if impl.has_storage() else 0
    return (
        f"sizes {list(impl.sizes())} strides {list(impl.strides())} numel {impl.numel()} "
        f"dim {impl.dim()} storage_init {flag(impl.storage_initialized())} "
        f"dtype_init {flag(impl.dtype_initialized())} has_storage {flag(impl.has_storage())} "
        f"nbytes {nbytes} use_count {impl.use_count()} offset {impl.storage_offset()} "
        f"contig {flag(impl.is_contiguous())}"
    )


def shown(label: str, impl: TensorImpl) -> str:
    return f"{label} | {state(impl)}"


def attempt(label: str, step: Callable[[], Any], done: str | None = None) -> str:
    """The line of a step that may fail."""
    try:
        step()
    except tri.TrilithError as error:
        text = error.message.splitlines()[0]
        return f"{label} RAISES {text}"
    return f"{label} ok" if done is None else done


def attempt_state(label: str, impl: TensorImpl, step: Callable[[], Any]) -> str:
    """The line of a step after which the program printed the state."""
    line = attempt(label, step)
    return shown(label, impl) if line == f"{label} ok" else line


def filled(*sizes: int, dtype: Any = tri.float32) -> TensorImpl:
    """A tensor of Caffe2's kind, with memory that holds 0, 1, 2, ..."""
    impl = TensorImpl()
    impl.Resize(*sizes)
    impl.mutable_data(dtype)
    impl.tensor().numpy(force=True).reshape(-1)[:] = np.arange(impl.numel())
    return impl


def first_steps() -> Iterator[str]:
    x = TensorImpl()
    yield shown("Tensor x(CPU)", x)
    x.Resize(4)
    yield shown("x.Resize(4)", x)
    yield attempt("data() before mutable_data", x.data)
    yield attempt("data<float>() before", lambda: x.data(tri.float32))
    first = x.mutable_data(tri.float32)
    yield shown("x.mutable_data<float>()", x)
    x.Resize(2, 2)
    yield shown("Resize(2,2) same numel", x)
    yield f"same ptr {flag(first == x.mutable_data(tri.float32))}"
    x.Resize([1, 2])
    yield shown("Resize(1,2) shrink", x)
    x.Resize(10)
    yield shown("Resize(10) grow", x)
    x.mutable_data(tri.float32)
    yield shown("mutable_data after grow", x)
    x.mutable_data(tri.float64)
    yield shown("mutable_data<double> (dtype change)", x)
    yield f"dtype {name_of(x)}"
    x.FreeMemory()
    yield shown("FreeMemory", x)
    yield f"dtype {name_of(x)}"
    yield attempt("data() after FreeMemory", x.data)
    x.raw_mutable_data()
    yield shown("mutable_data again", x)


def name_of(impl: TensorImpl) -> str:
    return "double" if impl.dtype() is tri.float64 else "float"


def growth() -> Iterator[str]:
    e = filled(2, 3)
    before = e.data()
    yield attempt("Extend(1,50)", lambda: e.Extend(1, 50))
    yield shown("after Extend(1,50)", e)
    values = [int(value) for value in e.tensor().tolist()[0][:2]]
    last = int(e.tensor().tolist()[1][2])
    yield f"data {values[0]}{values[1]}{last} moved {flag(e.data() != before)}"
    before = e.data()
    e.Extend(1, 50)
    yield shown("Extend within capacity", e)
    yield f"moved {flag(e.data() != before)}"
    yield attempt("Extend(-1)", lambda: e.Extend(-1, 50))
    scalar = TensorImpl()
    scalar.Resize()
    scalar.mutable_data(tri.float32)
    yield attempt("Extend on 0-dim", lambda: scalar.Extend(1, 50))


def reserving() -> Iterator[str]:
    r = filled(2, 3)
    r.ReserveSpace(10)
    yield shown("ReserveSpace(10) of (2,3)", r)
    before = r.mutable_data(tri.float32)
    yield shown("mutable_data after Reserve", r)
    r.Resize(8, 3)
    yield shown("Resize(8,3) in reserved", r)
    yield f"moved {flag(r.mutable_data(tri.float32) != before)}"
    r.Resize(20, 3)
    r.mutable_data(tri.float32)
    yield shown("Resize(20,3) beyond", r)
    across = tri.zeros(2, 3).t().unsafeGetTensorImpl()
    yield attempt("ReserveSpace noncontig", lambda: across.ReserveSpace(10))
    p = filled(2, 3)
    yield attempt("Reshape({3,2})", lambda: p.Reshape([3, 2]))
    yield shown("Reshape", p)
    yield attempt("Reshape({4,2})", lambda: p.Reshape([4, 2]))
    yield attempt("Reshape({-1,2})", lambda: p.Reshape([-1, 2]))


def sharing() -> Iterator[str]:
    a, b = filled(2, 3), TensorImpl()
    b.Resize(6)
    yield attempt("ShareData (6)<-(2,3)", lambda: b.ShareData(a))
    yield shown("b", b)
    yield shown("a", a)
    yield f"same {flag(a.data() == b.data())} dtype {name_of(b)}"
    other = TensorImpl()
    other.Resize(5)
    yield attempt("ShareData numel mismatch", lambda: other.ShareData(a))
    source, target = TensorImpl(), TensorImpl()
    source.Resize(4)
    target.Resize(4)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line = attempt("ShareData from uninitialized source", lambda: target.ShareData(source))
    yield f"WARNING {caught[0].message}"
    yield line
    yield attempt("FreeMemory of shared", b.FreeMemory)
    yield shown("b after FreeMemory", b)
    yield shown("a after b.FreeMemory", a)
    b.release_resources()
    w = TensorImpl()
    w.Resize(6)
    w.ShareData(a)
    yield attempt("Resize shared to grow", lambda: w.Resize(12))
    yield shown("w", w)
    yield shown("a", a)


def external() -> Iterator[str]:
    array = np.arange(6, dtype=np.float32)
    ext = TensorImpl()
    ext.Resize(6)
    address = array.__array_interface__["data"][0]
    yield attempt("ShareExternalPointer", lambda: ext.ShareExternalPointer(array, tri.float32))
    yield shown("ext", ext)
    yield f"ptr {flag(ext.data() == address)}"
    yield attempt(
        "ShareExternalPointer uninit dtype", lambda: ext.ShareExternalPointer(array, None)
    )
    made = TensorImpl(tri.float32)
    layout = "Strided" if made.layout() is tri.strided else "?"
    yield (
        f"ctor(type,dtype): sizes {list(made.sizes())} numel {made.numel()} dim {made.dim()} "
        f"has_storage {flag(made.has_storage())} is_empty {flag(made.is_empty())} "
        f"itemsize {made.itemsize()} device {made.device()} get_device {made.get_device()} "
        f"layout {layout}"
    )


def setters() -> Iterator[str]:
    s = filled(2, 3)
    yield attempt_state("set_size(1,7)", s, lambda: s.set_size(1, 7))
    yield attempt_state("set_stride(0,7)", s, lambda: s.set_stride(0, 7))
    yield attempt_state("set_storage_offset(2)", s, lambda: s.set_storage_offset(2))
    yield attempt("set_size(5,1)", lambda: s.set_size(5, 1))
    yield attempt("set_sizes_and_strides mismatch", lambda: s.set_sizes_and_strides([2, 3], [1]))
    yield attempt(
        "set_sizes_and_strides out of bounds", lambda: s.set_sizes_and_strides([200, 3], [3, 1])
    )
    yield shown("oob accepted", s)
    yield attempt_state("set_sizes_contiguous", s, lambda: s.set_sizes_contiguous([4, 5]))
    s.set_allow_tensor_metadata_change(False)
    yield f"allow {flag(s.allow_tensor_metadata_change())}"
    yield attempt("set_sizes after disallow", lambda: s.set_sizes_contiguous([2, 2]))
    yield attempt(
        f"wrapped {flag(s.is_wrapped_number())} set_wrapped on 2d",
        lambda: s.set_wrapped_number(True),
    )
    z = TensorImpl()
    z.Resize()
    z.mutable_data(tri.float64)
    yield shown("0-dim Resize({})", z)
    yield attempt("set_wrapped 0-dim", lambda: z.set_wrapped_number(True))
    yield f"wrapped {flag(z.is_wrapped_number())}"


def the_rest() -> Iterator[str]:
    q = filled(2, 2)
    yield attempt("size(5)", lambda: q.size(5))
    yield f"size(-1) {q.size(-1)} stride(-2) {q.stride(-2)}"
    copy = q.shallow_copy_and_detach()
    same = flag(copy.storage() is q.storage())
    yield f"shallow copy shares storage {same} sizes {list(copy.sizes())}"
    copy.release_resources()
    yield f"released: storage {flag(copy.has_storage())}"
    before = flag(q.requires_grad())
    label = f"requires_grad before {before}, after set_requires_grad(true)"
    q.set_requires_grad(True)
    yield f"{label} {flag(q.requires_grad())}"
    number = filled(2, dtype=tri.int32)
    yield attempt("set_requires_grad int", lambda: number.set_requires_grad(True))
    none = TensorImpl.undefined()
    yield attempt("undefined.sizes", none.sizes)
    yield attempt("undefined.strides", none.strides)
    yield attempt("undefined.storage", none.storage)
    yield f"undefined.dim {none.dim()}"
    yield f"undefined numel {none.numel()} has_storage {flag(none.has_storage())}"
    yield f"undefined.storage_offset {none.storage_offset()}"
    yield attempt("undefined.set_storage_offset", lambda: none.set_storage_offset(1))


def replayed() -> list[str]:
    parts = first_steps, growth, reserving, sharing, external, setters, the_rest
    return [line for part in parts for line in part()]


def expected(line: str) -> str:
    for start, (instead, _) in DIFFERENCES.items():
        if line.startswith(start):
            return instead
    return line


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return replayed()


@pytest.mark.parametrize(
    "number", range(len(TRANSCRIPT)), ids=lambda n: f"{n + 1}:{TRANSCRIPT[n][:30]}"
)
def test_the_transcript_is_replayed(lines: list[str], number: int):
    assert lines[number] == expected(TRANSCRIPT[number])


def test_nothing_is_replayed_besides(lines: list[str]):
    assert len(lines) == len(TRANSCRIPT)


def test_every_difference_is_one_and_has_a_reason():
    for start, (instead, reason) in DIFFERENCES.items():
        found = [line for line in TRANSCRIPT if line.startswith(start)]
        assert len(found) == 1, start
        assert re.sub(r"\s", "", found[0]) != re.sub(r"\s", "", instead)
        assert reason
