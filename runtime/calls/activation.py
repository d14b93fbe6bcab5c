"""When is there native code, and what is it told of this process?

Nobody waits for it: until it is there, and where it cannot be, everything runs in Python and means
the same. What lies on the disk is loaded when a function is called for the second time; LLVM makes
it for a process that makes many calls. `TRILITH_NATIVE=0` does without.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

from ...dialects.attributes.device import cpu
from ...dialects.attributes.patterns import Pattern
from ...dialects.attributes.settings import PROCESS
from ...dialects.attributes.spec import SpecFields, TensorSpec, forget_dead_of
from ...dialects.locks import new_lock
from ...dialects.unusual import PLACES, TRACES
from ..devices import native_code
from ..devices.base import runtime_of
from ..execution.cache import default_cache
from ..execution.storage import UntypedStorage
from ..execution.storage_fields import Holder, StorageFields
from ..native.form import HASHES, NEW_SPECS, SPEC_PLACES
from ..native.layout import ARRAY, all_slots, arrays_are_known, is_known, slot_offset
from ..native.pools import Front, new_table
from ..native.types import block_type, builtin, builtin_of_one, native_property
from ..tensors.fields import TensorFields
from ..tensors.tensor import Tensor

#: How many calls a process makes before it is worth compiling native code, which takes 0.2 s: for
#: itself, and where those that come after it will find it on the disk.
WORTH_COMPILING, WORTH_STORING = 20_000, 2_000

#: Fields of tensors, storages and patterns, by the words of native code.
_TENSOR_SLOTS = ("memory", "spec", "offset", "byte_offset", "state")
_STORAGE_SLOTS = {
    "pointer": "pointer",
    "block": "_block",
    "length": "length",
    "device": "device",
    "is_writable": "is_writable",
    "allocator": "_allocator",
    "writes": "_writes",
    "owner": "owner",
}
_PATTERN_SLOTS = {"pattern_specs": "specs", "room": "room"}


class Native:
    """Whether there is native code, and its functions."""

    def __init__(self) -> None:
        """Begin without."""
        self.is_active = False
        self.is_refused = os.environ.get("TRILITH_NATIVE", "1") == "0" or not is_known()
        self.addresses: dict[str, int] = {}
        #: `place(mask, is it for all sizes, names, *arguments)` gives where in a table a plan is.
        self.place: Any = None
        #: `run(address of a plan, names, *arguments)` gives a list of its result.
        self.run: Any = None
        self._block_type: type[Any] | None = None
        #: Tables of specs, which native code holds, and of hashes of some.
        self._specs: dict[str, Any] = {}
        self._lock = new_lock()
        self._calls = 0
        self._has_looked = False

    def want(self, calls: int) -> bool:
        """Load native code if it is there or worth making, after so many more calls."""
        if self.is_active or self.is_refused:
            return self.is_active
        self._calls += calls
        with self._lock:
            # Another thread may have done it meanwhile, and there is one class of blocks.
            is_left = not (self.is_active or self.is_refused)
            if is_left and (not self._has_looked or self._is_worth_compiling()):
                self._load()
        return self.is_active

    def load(self) -> bool:
        """Load native code now, compiled if need be; return whether there is any."""
        with self._lock:
            if not self.is_active and not self.is_refused:
                self._calls = WORTH_COMPILING + 1
                self._load()
        return self.is_active

    def _is_worth_compiling(self) -> bool:
        return self._calls > (WORTH_COMPILING if default_cache() is None else WORTH_STORING)

    def _load(self) -> None:
        self._has_looked = True
        try:
            data = native_code.stored_code()
            if data is None and self._is_worth_compiling():
                data = native_code.new_code()
            if data is not None:
                self._begin(data)
        except Exception:
            # Sources or LLVM are missing, or it refuses the text: no call fails for that.
            self.is_refused = True

    def _begin(self, data: bytes) -> None:
        pools = new_table()
        sizes = {"specs": SPEC_PLACES, "new_specs": NEW_SPECS, "hashes": HASHES}
        self._specs = {name: (ctypes.c_int64 * size)() for name, size in sizes.items()}
        context = _context()
        context["obtain_block"] = id(_obtain_block)
        context |= {name: ctypes.addressof(table) for name, table in self._specs.items()}
        context["pools"] = ctypes.addressof(pools)
        # A type cannot be made without the code that ends its objects, nor be told to that before.
        first = native_code.load(data, context | {"block_type": 0})
        self._block_type = block_type(first["block_dealloc"])
        self.addresses = native_code.load(data, context | {"block_type": id(self._block_type)})
        self.place = builtin("place", self.addresses["place"])
        self.run = builtin("run", self.addresses["run"])
        allocator: Any = runtime_of(cpu).allocator

        def obtain(size: int) -> tuple[int, Holder]:
            address, give_back = allocator.allocate(size)
            return address, Holder(give_back)

        addresses = self.addresses
        memory: Any = native_property(
            TensorFields, "memory", addresses["get_memory"], addresses["set_memory"]
        )
        TensorFields.memory = memory
        take = builtin_of_one("take_block", addresses["take_block"])
        make = builtin("new_block", addresses["new_block"])
        allocator.front = Front(obtain, take, make, pools)
        self.is_active = True


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
    found["memory_name"] = ctypes.addressof(_MEMORY)
    found["busy"], found["placed"] = TRACES.address, PLACES.address
    return found


#: What Python's error for a tensor without memory says.
_MEMORY = ctypes.create_string_buffer(b"memory")
NATIVE = Native()
