"""How do torch tensors get into trilith with their strides and storage, and how are they read?

Nothing here knows how trilith works: it needs names that torch has too. A torch tensor gets in as
its whole storage (`from_numpy(storage)`; dtypes that NumPy lacks travel as integers of the same
width, followed by `view(dtype)`), then `as_strided`. Tensors that share storage in torch share it.
"""

import importlib
import types
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

CORE_DTYPES = tuple(
    "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64"
    " complex64 complex128".split()
)
OTHER_DTYPES = tuple(
    "complex32 uint16 uint32 uint64 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz"
    " float8_e8m0fnu".split()
)

#: dtypes that NumPy lacks: the integers they travel as, and the exact wider dtype they return as.
BITS = {
    torch.bfloat16: (torch.int16, torch.float32),
    torch.complex32: (torch.int32, torch.complex64),
    **{
        getattr(torch, name): (torch.uint8, torch.float32)
        for name in OTHER_DTYPES
        if name.startswith("float8")
    },
}


class Unsupported(Exception):
    """trilith lacks a dtype, layout or name that a case needs; never a failure."""


class Missing(Unsupported):
    """trilith lacks the operation."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a tensor of trilith says about itself, in torch's words."""

    dtype: torch.dtype
    shape: tuple[int, ...]
    stride: tuple[int, ...] | None
    offset: int | None
    device: str
    layout: torch.layout


@dataclass(frozen=True, slots=True)
class _Slot:
    """The place of a tensor among the arguments of a compiled function."""

    index: int


def flat_outputs(results: Any) -> list[Any]:
    """Return nested tuples and lists of results as one list."""
    if isinstance(results, (tuple, list)) and not isinstance(results, torch.Size):
        return [leaf for each in results for leaf in flat_outputs(each)]
    return [results]


def map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """Rebuild lists, tuples, dicts and slices with `function` applied to everything else."""
    if isinstance(value, torch.Size):
        return tuple(value)
    if isinstance(value, (list, tuple)):
        mapped = [map_leaves(function, each) for each in value]
        return mapped if type(value) is list else tuple(mapped)
    if isinstance(value, dict):
        return {key: map_leaves(function, each) for key, each in value.items()}
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return slice(*(map_leaves(function, part) for part in parts))
    return function(value)


def tensors_in(value: Any, kind: type) -> list[Any]:
    """Return the tensors among nested arguments."""
    found: list[Any] = []
    map_leaves(lambda leaf: found.append(leaf) if isinstance(leaf, kind) else None, value)
    return found


def resolved(value: Any) -> Any:
    """Return the same arguments without torch's lazy conjugate and negative bits."""

    def leaf(each: Any) -> Any:
        if isinstance(each, torch.Tensor) and each.layout is torch.strided:
            return each.resolve_conj().resolve_neg()
        return each

    return map_leaves(leaf, value)


def quiet(
    function: Callable[..., Any], *arguments: Any, **keywords: Any
) -> tuple[Any, Exception | None]:
    """Return (result, None) or (None, exception), without warnings."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments, **keywords), None
    except Exception as error:
        return None, error


def described(error: BaseException) -> str:
    """Return an error's type and text, without the place in this file where trilith was called."""
    return f"{type(error).__name__}: {error}".partition("\n  --> ")[0]


def _slice(x: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    """Take the slice that torch's OpInfo `slice` means; torch has no such public function."""
    return x[(slice(None),) * (dim % len(x.shape)) + (slice(start, end, step),)]


class Library:
    """The module that is tested, and the device where its tensors live."""

    def __init__(self, module: str = "trilith", device: str = "cpu") -> None:
        self.module = importlib.import_module(module)
        self.device = device
        getattr(self.module, "add", None)  # methods may be made when the first function is

    def named(self, thing: Any) -> Any:
        """Return the library's own dtype, layout or memory format of torch's name."""
        name = str(thing).rsplit(".", 1)[-1]
        try:
            return getattr(self.module, name)
        except AttributeError:
            raise Unsupported(f"no {name}") from None

    def torch_dtype(self, dtype: Any) -> torch.dtype:
        """Return torch's dtype of the library's."""
        return getattr(torch, str(dtype).rsplit(".", 1)[-1])

    def is_tensor(self, value: Any) -> bool:
        """Whether a value is a tensor of the library."""
        return isinstance(value, self.module.Tensor)

    def find(self, *paths: str) -> Callable[..., Any]:
        """Return the first of the dotted names that is something callable."""
        for path in paths:
            found: Any = self.module
            for part in path.split("."):
                found = getattr(found, part, None)
            if callable(found):
                return found
        raise Missing(paths[0])

    def operation(self, operation: Any) -> Callable[..., Any]:
        """Return the library's callable for an OpInfo; raise Missing."""
        name, function = operation.name, operation.op
        if name == "slice":
            self.find("Tensor.__getitem__")
            return _slice
        if name in ("__getitem__", "trace") or name.startswith("__r"):
            return self.find(f"Tensor.{name}")
        if isinstance(function, types.FunctionType) and function.__name__ == "<lambda>":
            if not hasattr(self.module.Tensor, name):  # a method, or a property such as T
                self.find(name)
            return self._rebound(function)
        if name.startswith("nn.functional."):
            return self.find(name, name.rsplit(".", 1)[-1])
        last = getattr(function, "__name__", name).split(".")[0]
        return self.find(name, f"Tensor.{name}", last, f"Tensor.{last}")

    def _rebound(self, function: types.FunctionType) -> Callable[..., Any]:
        """Return the same lambda with the library in place of the global name `torch`."""
        names = dict(function.__globals__, torch=self.module)
        return types.FunctionType(
            function.__code__,
            names,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )

    def put(self, tensor: torch.Tensor, shared: dict[Any, Any]) -> Any:
        """Return a tensor with the dtype, sizes, strides, offset and storage of a torch tensor.

        `shared` holds what was put before: one storage gets in once.
        """
        tensor = tensor.detach().resolve_conj().resolve_neg()
        if tensor.layout is torch.sparse_coo:
            make = self.find("sparse_coo_tensor")
            indices, values = (self.put(part, {}) for part in (tensor._indices(), tensor._values()))
            made = make(indices, values, tuple(tensor.shape))
            return made.coalesce() if tensor.is_coalesced() else made
        if tensor.layout is not torch.strided:
            raise Unsupported(str(tensor.layout))
        storage = tensor.untyped_storage()
        key = storage._cdata, tensor.dtype
        if key not in shared:  # holding the tensor keeps the key's storage alive
            shared[key] = self._flat(torch.empty(0, dtype=tensor.dtype).set_(storage)), tensor
        flat = shared[key][0]
        is_whole = 0 < tensor.numel() * tensor.itemsize == storage.nbytes()
        if is_whole and tensor.stride() == torch.empty(tensor.shape, device="meta").stride():
            return flat.view(tuple(tensor.shape))
        return flat.as_strided(tuple(tensor.shape), tuple(tensor.stride()), tensor.storage_offset())

    def _flat(self, elements: torch.Tensor) -> Any:
        """Return the elements of a whole storage as a tensor with one dimension."""
        wanted, copied = self.named(elements.dtype), elements.clone()
        if elements.dtype in BITS:
            integers = copied.view(BITS[elements.dtype][0]).numpy()
            flat = self.module.from_numpy(integers).view(wanted)
        else:
            flat = self.module.from_numpy(copied.numpy())
        # `clone`: storage of the library's own, which out= may resize
        return flat.to(self.device) if self.device != "cpu" else flat.clone()

    def convert(self, value: Any) -> Any:
        """Return arguments with tensors put, and the library's own dtypes, devices and formats.

        The device that is tested stands for the CPU.
        """
        shared: dict[Any, Any] = {}

        def leaf(each: Any) -> Any:
            if isinstance(each, torch.Tensor):  # one tensor given twice stays one tensor
                key = "object", id(each)
                if key not in shared:
                    shared[key] = self.put(each, shared), each
                return shared[key][0]
            if isinstance(each, str) and each == "cpu":
                return self.device
            if isinstance(each, torch.device):
                return self.module.device(self.device if each.type == "cpu" else str(each))
            if isinstance(each, (torch.dtype, torch.layout, torch.memory_format)):
                return self.named(each)
            if isinstance(each, torch.Generator):
                raise Unsupported("Generator")
            if isinstance(each, torch.nn.PairwiseDistance):
                return self._distance(each)
            return each

        return map_leaves(leaf, value)

    def _distance(self, layer: torch.nn.PairwiseDistance) -> Any:
        """Return the library's function for a layer that torch's samples give as an argument."""
        options = {"p": layer.norm, "eps": layer.eps, "keepdim": layer.keepdim}
        return partial(self.module.nn.functional.pairwise_distance, **options)

    def facts(self, tensor: Any) -> Facts:
        """Return what a tensor says about itself."""
        layout = getattr(torch, str(tensor.layout).rsplit(".", 1)[-1])
        is_strided = layout is torch.strided
        return Facts(
            self.torch_dtype(tensor.dtype),
            tuple(tensor.shape),
            tuple(tensor.stride()) if is_strided else None,
            tensor.storage_offset() if is_strided else None,
            str(tensor.device),
            layout,
        )

    def values(self, tensor: Any, dtype: torch.dtype) -> torch.Tensor | None:
        """Return the elements as a compact torch tensor; None on a device without data."""
        if str(tensor.device).startswith("meta"):
            return None
        if str(tensor.device) != "cpu":
            tensor = tensor.to("cpu")
        if dtype in BITS:
            tensor = tensor.to(self.named(BITS[dtype][1]))
        for name in ("detach", "resolve_conj", "resolve_neg"):
            if hasattr(tensor, name):
                tensor = getattr(tensor, name)()
        elements = torch.from_numpy(np.array(tensor.numpy(force=True), order="C", copy=True))
        return elements.to(dtype) if dtype in BITS else elements

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        mode: str,
    ) -> Any:
        """Call a function, or the same through compile(): of the tensors, or of all arguments."""
        with self._default_device():
            if mode == "eager":
                return function(*arguments, **keywords)
            if mode == "arguments":

                def given(*items: Any, **named: Any) -> Any:
                    return function(*items, **named)

                return self.module.compile(given)(*arguments, **keywords)
            tensors, compiled_function = self._lifted(function, arguments, keywords)
            return self.module.compile(compiled_function)(*tensors)

    def prepare(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Return a call, compiled and not run: kernels that wait are built as one program."""
        with self._default_device():
            tensors, compiled_function = self._lifted(function, arguments, keywords)
            return self.module.trace(compiled_function, *tensors).lower(in_place=True).compile()

    def _default_device(self) -> AbstractContextManager[Any]:
        """Return a block in which factories without a device use the one that is tested."""
        return nullcontext() if self.device == "cpu" else self.module.device(self.device)

    def _lifted(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[list[Any], Callable[..., Any]]:
        """Return the tensors among the arguments, and a function of them alone."""
        tensors: list[Any] = []

        def lift(value: Any) -> Any:
            if self.is_tensor(value):
                tensors.append(value)
                return _Slot(len(tensors) - 1)
            return value

        lifted, lifted_keywords = map_leaves(lift, tuple(arguments)), map_leaves(lift, keywords)

        def compiled_function(*given: Any) -> Any:
            def back(value: Any) -> Any:
                return given[value.index] if isinstance(value, _Slot) else value

            return function(*map_leaves(back, lifted), **map_leaves(back, lifted_keywords))

        return tensors, compiled_function

    def shares(self, output: Any, inputs: list[Any]) -> bool:
        """Whether a result lives in the storage of one of the inputs."""
        pointer = output.untyped_storage().data_ptr()
        return any(pointer == each.untyped_storage().data_ptr() for each in inputs)
