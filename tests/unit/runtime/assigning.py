"""What does an object do whose attributes somebody assigns or deletes? Run in a process of its own.

Every attribute that an instance of a class has, its inner ones too, is given other values or taken
away; what that leaves is used. An exception is an answer, the end of the process is none.
"""

from __future__ import annotations

import contextlib
import faulthandler
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import trilith as tri
from trilith.runtime.execution.storage import UntypedStorage

#: Fields that nobody may assign or delete, by class.
FIXED: dict[str, tuple[str, ...]] = {
    "Tensor": ("memory", "spec", "offset", "byte_offset", "state"),
    "UntypedStorage": (
        *("pointer", "length", "device", "is_writable", "owner"),
        *("_allocator", "_block", "_address", "_proven", "_is_exported", "_writes"),
    ),
    "TensorSpec": ("shape", "strides", "dtype", "numel", "nbytes", "device"),
    "DType": ("itemsize", "bits", "numpy", "name"),
    "trilith.device": ("type", "index"),
    "KernelCode": ("code", "pointers", "integers", "buffers", "digest"),
    "Launch": ("integers", "buffers"),
    "Artifact": ("launches", "buffers", "arena_nbytes"),
}


def makers() -> dict[str, Callable[[], Any]]:
    """Return what makes an object of each class that users meet."""
    compiled = tri.trace(lambda x: x + 1, tri.spec((3,), tri.float32)).lower().compile()
    artifact = compiled.artifact
    return {
        "Tensor": lambda: tri.arange(3.0) + 0,
        "UntypedStorage": lambda: (tri.arange(3.0) + 0).untyped_storage(),
        "borrowed": lambda: tri.from_numpy(np.zeros(3)).untyped_storage(),
        "TypedStorage": lambda: (tri.arange(3.0) + 0).storage(),
        "TensorImpl": lambda: (tri.arange(3.0) + 0).unsafeGetTensorImpl(),
        "state": lambda: (tri.arange(3.0) + 0).own_state(),
        "TensorSpec": lambda: tri.spec((3,), tri.float32),
        "DType": lambda: tri.float32,
        "trilith.device": lambda: tri.device("cpu"),
        "layout": lambda: tri.strided,
        "memory_format": lambda: tri.channels_last,
        "Size": lambda: tri.ones(2, 3).shape,
        "Generator": lambda: tri.Generator(),
        "sparse": lambda: tri.sparse_coo_tensor([[0, 2]], [1.0, 2.0], (3,)),
        "Artifact": lambda: artifact,
        "KernelCode": lambda: artifact.kernels[0],
        "Launch": lambda: artifact.launches[0],
        "BufferPlan": lambda: artifact.buffers[0],
    }


def others() -> Iterator[Any]:
    """Yield what an attribute is set to."""
    yield from (None, 0, -8, 1 << 40, "cpu", True, (1 << 20, 1 << 20))
    yield tri.spec((1 << 30,), tri.float32)
    yield tri.spec((3,), tri.float32, device="meta")
    yield tri.complex128
    yield UntypedStorage(0)
    yield UntypedStorage(1)


def attributes(value: Any) -> list[str]:
    """Return the names of what an object has that is no method."""
    names: dict[str, None] = {}
    for kind in type(value).__mro__:
        names.update(dict.fromkeys(getattr(kind, "__slots__", ())))
        found = [name for name, item in vars(kind).items() if isinstance(item, property)]
        names.update(dict.fromkeys(found))
    names.update(dict.fromkeys(getattr(value, "__dict__", {})))
    return [name for name in names if name != "__weakref__"]


def use(value: Any) -> None:
    """Touch the memory of an object in all ways that its class has."""
    for action in (
        lambda: value + 1,
        lambda: value.add_(1),
        lambda: value.tolist(),
        lambda: value.numpy().copy(),
        lambda: value.clone(),
        lambda: value.sum().item(),
        lambda: value.fill_(1),
        lambda: value.to_dense(),
        lambda: value.coalesce().values(),
        lambda: value.words(3),
        lambda: value.tensor() + 1,
        lambda: value.mutable_data(tri.float64),
        lambda: tri.ones(value) + 1,
        lambda: tri.zeros(3, dtype=value) + 1,
        lambda: tri.Tensor(UntypedStorage(12), value) + 1,
        lambda: repr(value),
    ):
        with contextlib.suppress(Exception):
            action()


def main() -> None:
    """Try all; print how many assignments were refused and how many were not."""
    warnings.simplefilter("ignore")
    faulthandler.enable()
    refused = taken = 0
    for name, make in makers().items():
        for attribute in attributes(make()):
            for other in (*others(), NotImplemented):
                value = make()
                print(f"{name}.{attribute} = {other!r}", file=sys.stderr, flush=True)
                try:
                    if other is NotImplemented:
                        delattr(value, attribute)
                    else:
                        setattr(value, attribute, other)
                    taken += 1
                except AttributeError:
                    refused += 1
                    use(value)
                    continue
                except Exception:
                    refused += 1
                assert attribute not in FIXED.get(name, ()), f"{name}.{attribute} can be assigned"
                use(value)
                del value
    print(f"{refused} refused, {taken} taken")


if __name__ == "__main__":
    main()
