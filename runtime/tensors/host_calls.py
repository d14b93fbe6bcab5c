"""How does a plan compute on the host? NumPy sees the memory of a call, and fills that of results.

What lies on another device is copied to the host, and results are copied back: both wait for the
device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithError
from ..devices.base import runtime_of
from ..devices.lapack_threads import lapack_threads
from ..execution.plan_parts import HostCall
from ..execution.storage import Storage
from ..host.bodies import Array, Arrays, Body, body_of
from .host_view import array_at_byte

#: Where a tensor lies: memory, the byte of its first element, and its spec.
Place: TypeAlias = tuple[Storage, int, TensorSpec]
#: call(places of operands and results, values of the attributes)
Caller: TypeAlias = Callable[[Sequence[Place], Sequence[Any]], None]


def caller_of(call: HostCall) -> Caller:
    """Return what makes a call, given the places of its arrays and the values of its attributes."""
    body, names = body_of(call.body), [name for name, _ in call.attributes]
    reads, location = len(call.operands), call.location
    if call.body.startswith("linear_algebra:"):
        body = _with_lapack_threads(body)

    def make(places: Sequence[Place], values: Sequence[Any]) -> None:
        if not any(spec.numel for _, _, spec in places[reads:]):
            return
        operands = [_operand(*place) for place in places[:reads]]
        results, finish = _results(places[reads:])
        try:
            body(operands, results, **dict(zip(names, values, strict=True)))
        except TrilithError as error:
            raise error.at(location)  # noqa: B904 - it is that error
        for each in finish:
            each()

    return make


def _with_lapack_threads(body: Body) -> Body:
    """Return a body of linear algebra that computes with as many threads as help it."""

    def run(operands: Arrays, results: Arrays, **attributes: Any) -> None:
        with lapack_threads(max(operands[0].shape[-2:], default=0)):
            body(operands, results, **attributes)

    return run


def _operand(memory: Storage, first: int, spec: TensorSpec) -> Array:
    """Return the elements: a view of host memory, a copy of another device's."""
    if memory.device.is_host:
        return array_at_byte(memory, spec, first)
    staging, nbytes = _staging(spec)
    runtime_of(memory.device).copy_out(memory, first, staging.pointer, nbytes)
    return array_at_byte(staging, spec, 0)


def _results(places: Sequence[Place]) -> tuple[list[Array], list[Callable[[], None]]]:
    """Return arrays for results, and what brings to other devices what was put into them."""
    arrays: list[Array] = []
    finish: list[Callable[[], None]] = []
    for memory, first, spec in places:
        if memory.device.is_host:
            arrays.append(array_at_byte(memory, spec, first))
            continue
        staging, nbytes = _staging(spec)
        arrays.append(array_at_byte(staging, spec, 0))
        finish.append(partial(_bring, staging, memory, first, nbytes))
    return arrays, finish


def _bring(staging: Storage, memory: Storage, first: int, nbytes: int) -> None:
    runtime_of(memory.device).copy_in(staging.pointer, memory, first, nbytes)


def _staging(spec: TensorSpec) -> tuple[Storage, int]:
    """Return memory of the host for what a spec spans, and how much that is."""
    nbytes = storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
    content = np.empty(nbytes, np.uint8)
    return Storage.borrow(content.ctypes.data, nbytes, owner=content), nbytes
