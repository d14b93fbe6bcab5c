"""Is what a call gave on a device what it gives on the CPU, bit for bit?

Elements, dtypes, sizes, strides, offsets, conjugate bits, and the words of errors. Any NaN is any
NaN: which one comes out depends on the machine.
"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

import trilith as tri

from .device_names import on_cpu

Array = np.ndarray[Any, Any]

#: Exact wider dtypes of those whose elements NumPy does not compare by itself.
WIDER = {
    tri.bfloat16: tri.float32,
    tri.complex32: tri.complex64,
    **{
        getattr(tri, name): tri.float32
        for name in dir(tri)
        if name.startswith("float8") and isinstance(getattr(tri, name), tri.dtype)
    },
}


@dataclass(slots=True)
class Tally:
    """How many elements were compared bit for bit, and how many of them differ."""

    compared: int = 0
    differing: int = 0

    def add(self, other: "Tally") -> None:
        """Count what another tally counted."""
        self.compared += other.compared
        self.differing += other.differing

    def __str__(self) -> str:
        """Return both as a sentence."""
        return (
            f"{self.compared:,} values compared bit for bit with the CPU, {self.differing} differ"
        )


def tensors_of(value: Any) -> list[Any]:
    """Return the leaves of nested tuples, lists and dicts; a sparse tensor is two tensors."""
    if isinstance(value, (tuple, list)) and not isinstance(value, tri.Size):
        return [leaf for each in cast("list[Any]", value) for leaf in tensors_of(each)]
    if isinstance(value, dict):
        return tensors_of(list(cast("dict[str, Any]", value).values()))
    one = cast("Any", value)
    is_sparse = getattr(one, "layout", None) is tri.sparse_coo
    return [one._indices(), one._values()] if is_sparse else [one]


def elements(tensor: Any) -> Array:
    """Return the elements of a tensor, in order, as numbers that NumPy can compare."""
    host = tensor.cpu().resolve_conj()
    return np.ascontiguousarray(host.to(WIDER.get(host.dtype, host.dtype)).numpy()).reshape(-1)


def differing(host: Array, found: Array) -> int:
    """Return how many elements have other bits.

    >>> differing(np.array([0.0, 1.0, np.nan]), np.array([-0.0, 1.0, -np.nan]))
    1
    """
    if host.dtype.kind == "c":
        parts = host.real.dtype
        pairs = host.view(parts).reshape(-1, 2), found.view(parts).reshape(-1, 2)
        return int(np.any(_differ(*pairs), axis=1).sum())
    return int(_differ(host, found).sum())


def _differ(host: Array, found: Array) -> Array:
    """Return where two arrays of real numbers differ."""
    bits = np.dtype(f"u{host.itemsize}")
    different: Array = host.view(bits) != found.view(bits)
    if host.dtype.kind == "f":
        different &= ~(np.isnan(host) & np.isnan(found))
    return different


def compare(host: Any, found: Any, with_values: bool = True) -> tuple[Tally, str]:
    """Return the tally of results, nested or not, and the first difference as a sentence, or ""."""
    tally, first = Tally(), ""
    wanted, got = tensors_of(host), tensors_of(found)
    if len(wanted) != len(got):
        return tally, f"{len(got)} results instead of {len(wanted)} on the CPU"
    for one, other in zip(wanted, got, strict=True):
        words = _difference(one, other, tally, with_values)
        first = first or words
    return tally, first


def _difference(host: Any, found: Any, tally: Tally, with_values: bool) -> str:
    """Compare one result, and count its elements."""
    if not isinstance(host, tri.Tensor) or not isinstance(found, tri.Tensor):
        return (
            ""
            if on_cpu(repr(host)) == on_cpu(repr(found))
            else f"{found!r} instead of {host!r} on the CPU"
        )
    if facts(host) != facts(found):
        return f"{facts(found)} instead of {facts(host)} on the CPU"
    if host.is_meta or not with_values:
        return ""
    wanted, got = elements(host), elements(found)
    wrong = differing(wanted, got)
    tally.add(Tally(len(wanted), wrong))
    if not wrong:
        return ""
    place = next(i for i in range(len(wanted)) if differing(wanted[i : i + 1], got[i : i + 1]))
    example = f"element {place} is {got[place]!r} instead of {wanted[place]!r}"
    return f"other bits than on the CPU in {wrong} of {len(wanted)} elements: {example}"


def facts(tensor: Any) -> tuple[Any, ...]:
    """Return what a tensor says about itself that does not depend on its device."""
    place = tuple(tensor.shape), tensor.stride(), tensor.storage_offset()
    return tensor.dtype.name, *place, tensor.is_conj()


def compare_errors(host: Exception, found: Exception) -> str:
    """Return how two errors differ, or "": they have one type and, but for devices, one text."""
    words, expected = described(found), described(host)
    return "" if words == expected else f"{words!r} instead of {expected!r} on the CPU"


def described(error: Exception) -> str:
    """Return an error's type and text, with the CPU's name in place of a device's."""
    text = error.message if isinstance(error, tri.TrilithError) else str(error)
    return on_cpu(f"{type(error).__name__}: {text}")
