"""Are tensors of more dims or larger sizes than NumPy's arrays have read as PyTorch reads them?"""

from __future__ import annotations

import numpy as np
import pytest

import trilith as tri

DEEP = (1,) * 64 + (2,)


def nested(depth: int, inside: object) -> object:
    for _ in range(depth):
        inside = [inside]
    return inside


def test_65_dims():
    x = tri.ones(DEEP)
    assert x.tolist() == nested(64, [1.0, 1.0])
    assert repr(x) == "tensor(" + "[" * 65 + "1., 1." + "]" * 65 + ")"
    assert tri.ones((1,) * 65).item() == 1.0
    assert bool(tri.ones((1,) * 65))
    assert x.nonzero().tolist() == [[0] * 65, [0] * 64 + [1]]
    assert x[x > 0].tolist() == [1.0, 1.0]
    assert tri.tensor(x).shape == DEEP
    with pytest.raises(ValueError, match="number of dimensions must be within"):
        x.numpy()


@pytest.mark.parametrize("dtype", [tri.float32, tri.bfloat16, tri.complex64], ids=str)
def test_no_elements_but_large_sizes(dtype: tri.dtype):
    x = tri.zeros(0, 2**62, dtype=dtype)
    assert x.tolist() == []
    suffix = "" if dtype is tri.float32 else f", dtype={dtype}"
    assert repr(x) == f"tensor([], size=(0, {2**62}){suffix})"
    assert x.nonzero().shape == (0, 2)
    assert tri.tensor(x).shape == x.shape
    assert tri.zeros(2, 0, 3).tolist() == [[], []]
    with pytest.raises(ValueError, match="array is too big"):
        x.numpy()


def test_stride_beyond_64_bits_of_bytes():
    x = tri.arange(6.0).reshape(2, 3)[: 1 : 2**60]
    assert x.stride() == (3 * 2**60, 1)
    assert x.tolist() == [[0.0, 1.0, 2.0]]
    assert x.numpy().tolist() == [[0.0, 1.0, 2.0]]
    assert repr(x) == "tensor([[0., 1., 2.]])"


def test_summary_of_dims_of_size_1():
    x = tri.arange(2000.0).reshape(1, 2000, 1)
    assert repr(x).startswith("tensor([[[0.0000e+00],")
    assert "...," in repr(x)


class Once:
    """Hands out one capsule."""

    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: object) -> object:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def test_failed_import_leaves_the_capsule_as_it_was(monkeypatch: pytest.MonkeyPatch):
    capsule = tri.tensor([1.5, 2.0], dtype=tri.bfloat16).__dlpack__(max_version=(1, 0))

    def fail(_: object) -> object:
        raise RuntimeError("not now")

    with monkeypatch.context() as patched:
        patched.setattr(np, "from_dlpack", fail)
        with pytest.raises(RuntimeError, match="not now"):
            tri.from_dlpack(Once(capsule))
    found = tri.from_dlpack(Once(capsule))
    assert found.dtype is tri.bfloat16
    assert found.tolist() == [1.5, 2.0]
