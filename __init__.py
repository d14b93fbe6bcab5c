"""trilith: tensor expressions with dtype, device and layout, compiled for CPU and OpenCL.

    import trilith as tri

    @tri.compile
    def f(x, y):
        return tri.tanh(2 * x + y).sum(-1)

    f(x, y)                        # tensors, NumPy arrays, or anything with __dlpack__
    print(tri.trace(f, x, y))      # the same as MLIR text

Functions, methods, keyword arguments and error texts are PyTorch's.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from math import e, inf, nan, pi
from operator import attrgetter
from typing import Any

from .compiler.at_once import compile
from .compiler.eager import early as _early
from .compiler.functions.function import CompiledFunction
from .compiler.trace.leaves import spec
from .dialects.attributes.default_dtype import get_default_dtype, set_default_dtype
from .dialects.attributes.device import Device as device
from .dialects.attributes.device import get_default_device, set_default_device
from .dialects.attributes.dims import Dim as dim
from .dialects.attributes.dtype import ALIASES, ALL_DTYPES
from .dialects.attributes.dtype import DType as dtype
from .dialects.attributes.layout import Layout as layout
from .dialects.attributes.layout import sparse_coo, strided
from .dialects.attributes.limits import finfo, iinfo
from .dialects.attributes.memory_format import MemoryFormat as memory_format
from .dialects.attributes.memory_format import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)
from .dialects.attributes.promotion import (
    can_cast,
    get_promotion_mode,
    promote_types,
    set_promotion_mode,
)
from .dialects.attributes.spec import ScalarSpec, TensorSpec
from .dialects.diagnostics import InternalError, Location, TrilithError, TrilithWarning
from .dialects.locks import imported
from .runtime import accelerator
from .runtime.execution.allocator import OutOfMemoryError
from .runtime.execution.storage import UntypedStorage
from .runtime.gradients import recording
from .runtime.gradients.modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .runtime.tensors import dispatch, element_functions, legacy
from .runtime.tensors import randomness as random
from .runtime.tensors.construction import as_tensor, asarray, frombuffer, tensor
from .runtime.tensors.generators import Generator, default_generator
from .runtime.tensors.interchange import array_wrap as _array_wrap
from .runtime.tensors.interchange import from_dlpack, from_numpy
from .runtime.tensors.missing import missing_function
from .runtime.tensors.printing import get_printoptions, printoptions, set_printoptions
from .runtime.tensors.queries import (
    get_device,
    is_complex,
    is_conj,
    is_distributed,
    is_floating_point,
    is_neg,
    is_nonzero,
    is_same_size,
    is_signed,
    is_storage,
    is_tensor,
    numel,
    typename,
)
from .runtime.tensors.randomness import (
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from .runtime.tensors.shapes import broadcast_shapes
from .runtime.tensors.size import Size
from .runtime.tensors.sparse import SparseTensor
from .runtime.tensors.sparse_making import sparse_coo_tensor
from .runtime.tensors.tensor import Tensor
from .runtime.tensors.tensor_impl import TensorImpl

__all__ = [
    "CompiledFunction",
    "Generator",
    "InternalError",
    "Location",
    "OutOfMemoryError",
    "ScalarSpec",
    "Size",
    "SparseTensor",
    "Tensor",
    "TensorImpl",
    "TensorSpec",
    "TrilithError",
    "TrilithWarning",
    "UntypedStorage",
    "accelerator",
    "as_tensor",
    "asarray",
    "broadcast_shapes",
    "can_cast",
    "channels_last",
    "channels_last_3d",
    "compile",
    "contiguous_format",
    "default_generator",
    "device",
    "dim",
    "dtype",
    "e",
    "enable_grad",
    "finfo",
    "from_dlpack",
    "from_numpy",
    "frombuffer",
    "get_default_device",
    "get_default_dtype",
    "get_device",
    "get_printoptions",
    "get_promotion_mode",
    "get_rng_state",
    "iinfo",
    "inf",
    "inference_mode",
    "initial_seed",
    "is_complex",
    "is_conj",
    "is_distributed",
    "is_floating_point",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "is_neg",
    "is_nonzero",
    "is_same_size",
    "is_signed",
    "is_storage",
    "is_tensor",
    "layout",
    "manual_seed",
    "memory_format",
    "nan",
    "newaxis",
    "no_grad",
    "numel",
    "pi",
    "preserve_format",
    "printoptions",
    "promote_types",
    "random",
    "seed",
    "set_default_device",
    "set_default_dtype",
    "set_grad_enabled",
    "set_printoptions",
    "set_promotion_mode",
    "set_rng_state",
    "sparse_coo",
    "sparse_coo_tensor",
    "spec",
    "strided",
    "tensor",
    "typename",
]

__version__ = "0.0.1"

#: What adds a dim to an index: `x[newaxis]` is `x[None]`.
newaxis = None

#: dtypes by every name that PyTorch gives them: `float32` and `float`, `bool`, ...
_DTYPES: dict[str, dtype] = {found.name: found for found in ALL_DTYPES} | ALIASES

#: Modules whose functions are names here, and are loaded as those are.
_OF_MODULES = {
    "runtime.devices.threads": ("get_num_threads", "set_num_threads"),
    "runtime.tensors.determinism": (
        *("are_deterministic_algorithms_enabled", "get_deterministic_debug_mode"),
        *("get_float32_matmul_precision", "is_deterministic_algorithms_warn_only_enabled"),
        *("set_deterministic_debug_mode", "set_float32_matmul_precision"),
        "use_deterministic_algorithms",
    ),
    "runtime.gradients.anomaly": (
        *("is_anomaly_check_nan_enabled", "is_anomaly_enabled", "set_anomaly_enabled"),
    ),
    "runtime.tensors.files": ("from_file",),
    "runtime.tensors.process_flags": (
        *("is_warn_always_enabled", "set_flush_denormal", "set_warn_always"),
    ),
    "runtime.tensors.method_functions": (
        *("as_strided_", "detach", "detach_", "is_inference", "resize_as_", "to_dlpack"),
    ),
}
#: Names whose modules are loaded when they are first asked for.
_LAZY = {
    "trace": ("compiler.tracing", "trace"),
    "export": ("compiler.exporting", "export"),
    "load_program": ("runtime.programs.program", "load_program"),
    "ExportedProgram": ("runtime.programs.program", "ExportedProgram"),
    "result_type": ("compiler.eager.result_types", "result_type"),
    "explain": ("compiler.tools.explain", "explain"),
    "grad": ("compiler.gradients.functional", "grad"),
    "value_and_grad": ("compiler.gradients.functional", "value_and_grad"),
    "vjp": ("compiler.gradients.directions", "vjp"),
    "jvp": ("compiler.gradients.directions", "jvp"),
    "hessian": ("compiler.gradients.jacobians", "hessian"),
    "jacfwd": ("compiler.gradients.jacobians", "jacfwd"),
    "jacrev": ("compiler.gradients.jacobians", "jacrev"),
    "vmap": ("compiler.mapping.vmap", "vmap"),
    "stats": ("compiler.eager.stats", "stats"),
    **{name: (module, name) for module, names in _OF_MODULES.items() for name in names},
}
#: Modules that are loaded when they are first asked for.
_MODULES = (
    *("autograd", "backends", "cuda", "fft", "func", "linalg", "nn", "sparse", "special"),
    *("testing", "utils", "version"),
)
# A file random.py would hide Python's own from whatever runs in its folder.
sys.modules[f"{__name__}.random"] = random


def _load_operations() -> None:
    imported(".compiler.eager.operations", __name__).install()


def _load_recorder() -> None:
    dispatch.load()
    imported(".compiler.gradients.recorder", __name__).install()


def _load_mapping() -> Any:
    return imported(".compiler.mapping.vmap", __name__).vmap


def _load_early() -> Any:
    return _early.early()


dispatch.install("apply_", element_functions.apply_)
dispatch.install("__array_wrap__", _array_wrap)
dispatch.set_loader(_load_operations)
recording.set_loader(_load_recorder)
recording.set_mapping(_load_mapping)
dispatch.set_early(_load_early, lambda name: attrgetter(name)(sys.modules[__name__]))


def __getattr__(name: str) -> Any:
    """Return a dtype, an operation of the table, or a part of the compiler, loading it."""
    if name in _DTYPES:
        value: Any = _DTYPES[name]
    elif name in legacy.TYPES:
        value = legacy.TYPES[name]
    elif name in _LAZY:
        module, attribute = _LAZY[name]
        value = getattr(imported(f".{module}", __name__), attribute)
    elif name in _MODULES:
        value = imported(f".{name}", __name__)
    elif name == "opencl":
        value = imported(".runtime.opencl.face", __name__)
    elif name == "return_types":
        value = imported(".dialects.ops.table", __name__).return_types()
    elif (early := dispatch.early_function(name)) is not dispatch.LATER:
        return early
    elif "." not in name and name in _operations():
        dispatch.load()
        value = imported(".compiler.eager.operations", __name__).function_of(name)
    else:
        raise missing_function(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return every public name, for completion."""
    return sorted(
        {
            *__all__,
            *("opencl", "return_types"),
            *(*_DTYPES, *_LAZY, *_MODULES, *legacy.TYPES),
            *(name for name in _operations() if "." not in name),
        }
    )


def _operations() -> Mapping[str, Any]:
    return imported(".dialects.ops.table", __name__).public_functions()
