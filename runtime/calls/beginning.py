"""How does native code begin, and what is it told of this process?"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...dialects.attributes.device import cpu
from ...dialects.attributes.patterns import Pattern
from ...dialects.attributes.settings import PROCESS
from ...dialects.attributes.spec import SpecFields, TensorSpec, forget_dead_of
from ...dialects.unusual import INFERENCE, PLACES, TRACES
from ..devices.base import runtime_of
from ..devices.native_code import load, new_code, stored_code
from ..devices.threads import THREADS
from ..execution.allocator import block_size
from ..execution.storage import UntypedStorage
from ..execution.storage_fields import Holder, StorageFields
from ..native.forever import keep_forever
from ..native.form import HASHES, NEW_SPECS, SPEC_PLACES
from ..native.layout import ARRAY, all_slots, arrays_are_known, slot_offset
from ..native.pools import Front, new_table
from ..native.types import block_type, builtin, builtin_of_one, native_property
from ..tensors.fields import TensorFields
from ..tensors.tensor import Tensor
from .packing import CallPlan, PackedPlan, packed_plan
from .single_sizes import at_these_sizes

__all__ = ["begin", "new_code", "stored_code"]

#: Fields of tensors, storages and patterns, by the words of native code.
_TENSOR_SLOTS = ("memory", "spec", "offset", "byte_offset", "state")
_STORAGE_SLOTS = {
    "pointer": "pointer",
    "block": "_block",
    "length": "length",
    "device": "device",
    "is_writable": "is_writable",
    "is_inference": "_is_inference",
    "allocator": "_allocator",
    "writes": "_writes",
    "seal": "_seal",
    "owner": "owner",
}
_PATTERN_SLOTS = {"pattern_specs": "specs", "room": "room"}
#: Places of the tables of specs, and of that of hashes of some.
_TABLES = {"specs": SPEC_PLACES, "new_specs": NEW_SPECS, "hashes": HASHES}


class Begun(NamedTuple):
    """What native code does for who calls it."""

    addresses: dict[str, int]
    #: `place(mask, is it for all sizes, names, *arguments)` gives where in a table a plan is.
    place: Any
    #: `run(address of a plan, names, *arguments)` gives a list of its result.
    run: Any
    #: Packs the plan of a call with some arguments, if it is usual.
    packed_plan: Callable[[CallPlan, Sequence[Any]], PackedPlan | None] = packed_plan
    #: Gives the plan for the sizes of some arguments alone.
    at_these_sizes: Callable[[CallPlan, Sequence[Any]], CallPlan] = at_these_sizes


def begin(data: bytes) -> Begun:
    """Link the code, and put what it does in the place of what Python does.

    What interrupts this may have begun meanwhile, or have ended it half-way: there is one class of
    blocks, which is the first's, and whoever begins installs that.
    """
    one = _prepared.setdefault("native", _prepare(data))
    TensorFields.memory = one.memory
    THREADS.begin(one.begun.addresses["share"])
    allocator: Any = runtime_of(cpu).allocator
    allocator.front = one.front
    return one.begun


class _Prepared(NamedTuple):
    """Native code that is linked, and what takes the place of what Python does."""

    memory: Any
    front: Front
    begun: Begun


#: What was linked first: only `dict.setdefault` can put something in one step.
_prepared: dict[str, _Prepared] = {}


def _prepare(data: bytes) -> _Prepared:
    """Link the code; nobody uses it yet."""
    pools = new_table()
    specs = {name: (ctypes.c_int64 * size)() for name, size in _TABLES.items()}
    context = _context()
    context["obtain_block"] = id(_obtain_block)
    context |= {name: ctypes.addressof(table) for name, table in specs.items()}
    context["pools"] = ctypes.addressof(pools)
    # A type cannot be made without the code that ends its objects, nor be told to that before.
    block = block_type(load(data, context | {"block_type": 0})["block_dealloc"])
    addresses = load(data, context | {"block_type": id(block)})
    keep_forever(pools, specs, block)
    allocator: Any = runtime_of(cpu).allocator

    def obtain(size: int) -> tuple[int, Holder]:
        address, give_back = allocator.allocate(size)
        return address, Holder(give_back)

    memory = native_property(
        TensorFields, "memory", addresses["get_memory"], addresses["set_memory"]
    )
    take = builtin_of_one("take_block", addresses["take_block"])
    make = builtin("new_block", addresses["new_block"])
    place, run = (builtin(name, addresses[name]) for name in ("place", "run"))
    return _Prepared(
        memory, Front(obtain, take, make, pools, block_size), Begun(addresses, place, run)
    )


def _obtain_block(size: int) -> Any:
    """Return a block of memory: what native code asks for if no pool has one."""
    allocator: Any = runtime_of(cpu).allocator
    return allocator.front.take(size)


def _context() -> dict[str, int]:
    """Return what native code wants to know of this process."""
    found = {name: slot_offset(TensorFields, name) for name in _TENSOR_SLOTS}
    found |= {word: slot_offset(StorageFields, name) for word, name in _STORAGE_SLOTS.items()}
    objects: dict[str, Any] = {
        **{"none": None, "true": True, "tensor_type": Tensor, "storage_type": UntypedStorage},
        **{"int_type": int, "float_type": float, "slice_type": slice},
        **{"tuple_type": tuple, "list_type": list},
        **{"process": PROCESS, "cpu": cpu, "host_allocator": runtime_of(cpu).allocator},
        **{"spec_type": TensorSpec, "forget_dead_of": forget_dead_of},
    }
    # Where NumPy is another one, no array is taken.
    objects["array_type"] = np.ndarray if arrays_are_known() else object
    found |= ARRAY
    found |= {name: slot_offset(SpecFields, name) for name in ("pattern", "numbers")}
    fields = all_slots(SpecFields)
    found |= {"first_field": fields[0], "last_field": fields[-1]}
    found["weak_references"] = TensorSpec.__weakrefoffset__
    found |= {word: slot_offset(Pattern, name) for word, name in _PATTERN_SLOTS.items()}
    found["settings"] = slot_offset(type(PROCESS), "settings")
    found |= {name: id(value) for name, value in objects.items()}
    keep_forever(objects, _MEMORY, TRACES, PLACES, INFERENCE, THREADS)
    found["memory_name"] = ctypes.addressof(_MEMORY)
    found["busy"], found["placed"] = TRACES.address, PLACES.address
    found["inference"] = INFERENCE.address
    found["shared"] = THREADS.address
    return found


#: What Python's error for a tensor without memory says.
_MEMORY = ctypes.create_string_buffer(b"memory")
