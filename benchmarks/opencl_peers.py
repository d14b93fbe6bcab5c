"""How does each library run a program on an OpenCL device? All use trilith's device 0.

Arrays live on the device, and a function returns when the device has finished.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from array_programs import PROGRAMS, Array
from operation_programs import Operation
from peers import Peer, Trilith

DEVICE = "opencl:0"


def opencl_device() -> Any:
    """Return pyopencl's object for the device that trilith calls `opencl:0`."""
    return import_module("trilith").opencl.devices()[0].handle


class TrilithOpenCl(Trilith):
    """Our own library, by `tri.compile`, on the first OpenCL device."""

    name = "trilith opencl:0"
    install = "pip install trilith[opencl]"
    is_opencl = True

    @classmethod
    def is_installed(cls) -> bool:
        """Whether pyopencl is there as well."""
        return importlib.util.find_spec("pyopencl") is not None and super().is_installed()

    def array(self, value: Array) -> Any:
        """Return a tensor on the device."""
        return self.library.from_numpy(value).to(DEVICE)

    def function(self, program: str) -> Any:
        """Return a compiled function that waits."""
        return _Waiting(self.enqueueing(program), self.library.opencl.synchronize)

    def enqueueing(self, program: str) -> Any:
        """Return a compiled function that returns before its kernels have run."""
        return super().function(program)

    def operation(self, operation: Operation) -> Any:
        """Return a compiled function that waits."""
        return _Waiting(super().operation(operation), self.library.opencl.synchronize)

    def numpy(self, result: Any) -> Any:
        """Copy a result to the host."""
        return super().numpy(result.cpu())

    def on_host(self, result: Any) -> Any:
        """Copy results to the host."""
        if isinstance(result, tuple):
            parts = cast("tuple[Any, ...]", result)
            return tuple(part.cpu() for part in parts)
        return result.cpu()


class _Waiting:
    """A compiled function whose calls return when the device has finished."""

    def __init__(self, compiled: Any, wait: Callable[[str], object]) -> None:
        self._compiled = compiled
        self._wait = wait

    def __call__(self, *inputs: Any) -> Any:
        """Call it and wait."""
        result = self._compiled(*inputs)
        self._wait(DEVICE)
        return result

    def stats(self) -> Any:
        """Return the compiled function's counts."""
        return self._compiled.stats()


class Tinygrad(Peer):
    """tinygrad with `DEV=CL`, by TinyJit, through the OpenCL library that pyopencl has loaded."""

    name = "tinygrad"
    module = "tinygrad"
    install = "pip install tinygrad"
    is_opencl = True
    first_calls = 3  # one is run, one is captured, one is the first replay

    def __init__(self) -> None:
        """Name the library to tinygrad, which would look in the system's folders only."""
        expected = opencl_device().name
        loaded = _loaded_library("libOpenCL")
        if loaded is not None:
            os.environ.setdefault("OPENCL_PATH", loaded)
        os.environ["DEV"] = "CL"
        super().__init__()
        self._device: Any = self.library.Device["CL"]
        if self._device.device_name.rstrip("\0") != expected:
            raise RuntimeError(f"tinygrad runs on '{self._device.device_name}', not '{expected}'")

    def array(self, value: Array) -> Any:
        """Return a tensor on the device."""
        return self.library.Tensor(value, device="CL").realize()

    def namespace(self) -> Any:
        """Return tinygrad's functions."""
        tensor = self.library.Tensor

        def total(x: Any, axis: int | None) -> Any:
            return x.sum(axis, keepdim=axis == -1)

        def amax(x: Any, axis: int) -> Any:
            return x.max(axis, keepdim=True)

        return SimpleNamespace(exp=tensor.exp, tanh=tensor.tanh, sum=total, amax=amax)

    def function(self, program: str) -> Callable[..., Any]:
        """Return a jitted function that waits."""
        body, namespace = PROGRAMS[program].body, self.namespace()

        def run(*inputs: Any) -> Any:
            return body(namespace, *inputs).realize()

        jitted = self.library.TinyJit(run)

        def function(*inputs: Any) -> Any:
            result = jitted(*inputs)
            self._device.synchronize()
            return result

        return function

    def numpy(self, result: Any) -> Any:
        """Copy a result to the host."""
        return result.numpy()


def _loaded_library(name: str) -> str | None:
    """Return the file of a shared library that this process has loaded, where the system tells."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return None
    files = (line.split(maxsplit=5)[-1] for line in lines)
    return next((file for file in files if Path(file).name.startswith(name)), None)


class _OnQueue(Peer):
    """A library that works with pyopencl's arrays, on one queue."""

    is_opencl = True

    def __init__(self) -> None:
        """Make a queue."""
        super().__init__()
        self._opencl: Any = import_module("pyopencl")
        self._arrays: Any = import_module("pyopencl.array")
        self._context: Any = self._opencl.Context([opencl_device()])
        self._queue: Any = self._opencl.CommandQueue(self._context)

    def version(self) -> str:
        """Return the version."""
        return metadata.version(self.module)

    def array(self, value: Array) -> Any:
        """Return an array on the device."""
        return self._arrays.to_device(self._queue, value)

    def numpy(self, result: Any) -> Any:
        """Copy a result to the host."""
        return result.get(queue=self._queue)


class PyOpenCl(_OnQueue):
    """pyopencl: ElementwiseKernel for a chain, `pyopencl.array.sum` for a sum."""

    name = "pyopencl"
    module = "pyopencl"
    install = "pip install pyopencl"

    def can_run(self, program: str) -> bool:
        """Whether it has something for the program; its sums need the package mako."""
        if program == "sum of all":
            return importlib.util.find_spec("mako") is not None
        return program == "tanh(2x + y)*exp(-y*y) + x"

    def function(self, program: str) -> Callable[..., Any]:
        """Return a function that makes a new array and waits."""
        arrays, queue = self._arrays, self._queue
        if program == "sum of all":

            def function(x: Any) -> Any:
                result = arrays.sum(x, queue=queue)
                queue.finish()
                return result

            return function
        elementwise: Any = import_module("pyopencl.elementwise")
        kernel = elementwise.ElementwiseKernel(
            self._context,
            "const float *x, const float *y, float *z",
            "z[i] = tanh(2 * x[i] + y[i]) * exp(-(y[i] * y[i])) + x[i]",
            "chain",
        )

        def chain(x: Any, y: Any) -> Any:
            result = arrays.empty_like(x)
            kernel(x, y, result, queue=queue)
            queue.finish()
            return result

        return chain


class Pytato(_OnQueue):
    """pytato, by the code that loopy makes of it without further advice."""

    name = "pytato"
    module = "pytato"
    install = "pip install loopy git+https://github.com/inducer/pytato"

    def namespace(self) -> Any:
        """Return pytato's functions."""
        pytato = self.library

        def total(x: Any, axis: int | None) -> Any:
            return pytato.sum(x, axis=axis)

        return SimpleNamespace(exp=pytato.exp, tanh=pytato.tanh, sum=total)

    def can_run(self, program: str) -> bool:
        """Whether the namespace has what the program needs."""
        return program != "normalisations"

    def function(self, program: str) -> Callable[..., Any]:
        """Return a function that is generated for the shapes of its first call, and waits."""
        made: list[Any] = []

        def function(*inputs: Any) -> Any:
            named = dict(zip("abc", inputs, strict=False))
            if not made:
                made.append(self._generated(program, named))
            _, results = made[0](self._queue, **named)
            self._queue.finish()
            return results["result"]

        return function

    def _generated(self, program: str, named: dict[str, Any]) -> Any:
        pytato, loopy = self.library, import_module("loopy")
        places = [
            pytato.make_placeholder(name=name, shape=array.shape, dtype=array.dtype)
            for name, array in named.items()
        ]
        result = PROGRAMS[program].body(self.namespace(), *places)
        options: Any = loopy.Options(no_numpy=True, return_dict=True)
        named_result = pytato.make_dict_of_named_arrays({"result": result})
        bound = pytato.generate_loopy(named_result, options=options)
        bind: Any = getattr(bound, "bind_to_context", None)  # versions that cache have it
        return bound if bind is None else bind(self._context)
