"""How does each library run a program? One class per peer, each optional: "where installed".

A peer lives in a process of its own (see `worker`), so that no library's allocator, thread pool or
compiler switches change the time of another one.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module, metadata
from operator import methodcaller
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from array_programs import PROGRAMS, Array
from layers import formulas, layers
from operation_programs import Operation


class Peer:
    """A library: how arrays get in, how a program becomes a function, how results get out."""

    name = ""
    module = ""
    #: What a person types who wants to have it.
    install = ""
    #: Whether it computes on an OpenCL device; such peers meet in tables of their own.
    is_opencl = False
    #: How often a function is called before it is what it will be: some compile twice.
    first_calls = 1

    def __init__(self) -> None:
        """Import the library."""
        self.library: Any = import_module(self.module)

    @classmethod
    def is_installed(cls) -> bool:
        """Whether the module can be found, without importing it."""
        return importlib.util.find_spec(cls.module) is not None

    def load(self) -> None:
        """Import what the library itself imports when it is first used."""

    def version(self) -> str:
        """Return the version."""
        return getattr(self.library, "__version__", None) or metadata.version(self.module)

    def can_run(self, program: str) -> bool:
        """Whether there is a way to write a program with this library."""
        return True

    def array(self, value: Array) -> Any:
        """Return the library's array for a NumPy one."""
        return value

    def function(self, program: str) -> Callable[..., Any]:
        """Return a new function that runs a program and returns when the result is there."""
        return self.compiled(PROGRAMS[program].body)

    def compiled(self, body: Callable[..., Any], sizes_change: bool = False) -> Any:
        """Return a new function for a body, compiled by whoever compiles."""
        return self.eager(body)

    def eager(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """Return a body with the functions that it is written over; nothing is compiled before."""
        return partial(body, self.namespace())

    def operation(self, operation: Operation) -> Callable[..., Any] | None:
        """Return a function that calls one operation, if the library has it."""
        return None

    def named(self, name: str) -> Callable[..., Any] | None:
        """Return a function of one array that the library calls by a name, if it has it."""
        found = getattr(self.library, name, None)
        return found and self.compiled(partial(_ignoring_names, found))

    def settle(self) -> None:
        """Finish what the library does when nobody waits, after the first calls of a function."""

    def operations(self, name: str, value: Any) -> int | None:
        """Return how many operations a function is for each element, if the library tells."""
        return None

    def multiply_adds(self, dtype: Any, elements: int) -> tuple[Callable[[], Any], int]:
        """Return a loop of multiply-adds that waits for nothing, and how many they are.

        Over so many elements; 0: as many as one thread has in the nearest cache.
        """
        raise NotImplementedError

    def differentiated(self, body: Callable[..., Any], numbers: tuple[int, ...]) -> Any:
        """Return a function that gives a body's value and gradients of inputs, if there is one."""
        return None

    def namespace(self) -> Any:
        """Return the array functions that programs are written over."""
        raise NotImplementedError

    def numpy(self, result: Any) -> Any:
        """Return a result as a NumPy array."""
        return np.asarray(result)

    def on_host(self, result: Any) -> Any:
        """Return the result of an operation, which may be several arrays, as NumPy can read it."""
        return result

    def text(self, program: str, inputs: list[Any]) -> str | None:
        """Trace a program and return the lowest text before code generation, if there is any."""
        return None

    def compilations(self, function: Any) -> int | None:
        """Return how often a function was compiled, if the library tells."""
        return None


def _ignoring_names(function: Callable[..., Any], _: Any, *inputs: Any) -> Any:
    """Run a function that is not written over names."""
    return function(*inputs)


class Numpy(Peer):
    """NumPy: one call per operation."""

    name = "numpy"
    module = "numpy"

    def operation(self, operation: Operation) -> Callable[..., Any] | None:
        """Return a function that calls one operation."""
        return operation.function(self.library, is_numpy=True)

    def namespace(self) -> Any:
        """Return NumPy's functions."""

        def sigmoid(x: Array) -> Array:
            return 1 / (1 + np.exp(-x))

        def gelu(x: Array) -> Array:
            return 0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x))))

        def total(x: Array, axis: int | None) -> Any:
            return np.sum(x, axis, keepdims=axis == -1)

        return SimpleNamespace(
            **formulas(np),
            exp=np.exp,
            log=np.log,
            sin=np.sin,
            cos=np.cos,
            tan=np.tan,
            tanh=np.tanh,
            sqrt=np.sqrt,
            maximum=np.maximum,
            minimum=np.minimum,
            sigmoid=sigmoid,
            gelu=gelu,
            sum=total,
            amax=partial(np.max, keepdims=True),
            ones=partial(np.ones, dtype=np.float32),
            cat=np.concatenate,
            flip=np.flip,
            copy=np.copy,
            contiguous=partial(np.array, order="C"),
            var=partial(np.var, ddof=1),
            round=np.round,
            clip=np.clip,
            to_float32=methodcaller("astype", np.float32),
            to_uint8=methodcaller("astype", np.uint8),
        )


class Trilith(Peer):
    """Our own library, by `tri.compile`."""

    name = "trilith"
    module = "trilith"

    def load(self) -> None:
        """Import the compiler."""
        import_module("trilith.compiler.eager.operations")

    def array(self, value: Array) -> Any:
        """Return a tensor of its own memory."""
        return self.library.tensor(value)

    def operation(self, operation: Operation) -> Callable[..., Any] | None:
        """Return a compiled function that calls one operation."""
        return self.library.compile(operation.function(self.library))

    def namespace(self) -> Any:
        """Return trilith's functions."""
        tri = self.library

        def total(x: Any, axis: int | None) -> Any:
            return tri.sum(x) if axis is None else tri.sum(x, axis, keepdim=axis == -1)

        return SimpleNamespace(
            **layers(tri.nn.functional),
            exp=tri.exp,
            log=tri.log,
            sin=tri.sin,
            cos=tri.cos,
            tan=tri.tan,
            tanh=tri.tanh,
            sqrt=tri.sqrt,
            maximum=tri.maximum,
            minimum=tri.minimum,
            sigmoid=tri.sigmoid,
            gelu=partial(tri.gelu, approximate="tanh"),
            sum=total,
            amax=partial(tri.amax, keepdim=True),
            ones=tri.ones,
            cat=tri.cat,
            flip=partial(tri.flip, dims=(0,)),
            copy=tri.clone,
            contiguous=partial(tri.clone, memory_format=tri.contiguous_format),
            var=tri.var,
        )

    def function(self, program: str) -> Any:
        """Return a compiled function; for the photo that of the example, on a view [1, C, H, W]."""
        if program == "photo":
            return partial(_develop, _example().develop)
        return super().function(program)

    def compiled(self, body: Callable[..., Any], sizes_change: bool = False) -> Any:
        """Return a compiled function."""
        namespace = self.namespace()

        def function(*inputs: Any) -> Any:
            return body(namespace, *inputs)

        return self.library.compile(function)

    def settle(self) -> None:
        """Make better code of what was compiled quickly; a busy core would take long to."""
        import_module(f"{self.module}.compiler.afterwards").AFTERWARDS.finish()

    def multiply_adds(self, dtype: Any, elements: int) -> tuple[Callable[[], Any], int]:
        """Return the loop that `explain` asks for the machine's speed."""
        rates = import_module(f"{self.module}.compiler.tools.machine_rates")
        return rates.multiply_add_loop(dtype, elements or rates.ELEMENTS)

    def operations(self, name: str, value: Any) -> int | None:
        """Return what a kernel of the function consists of, by `explain`."""
        function = self.library.compile(getattr(self.library, name))
        (cost,) = function.explain(value).costs
        return None if cost.operations is None else round(cost.operations / value.numel())

    def differentiated(self, body: Callable[..., Any], numbers: tuple[int, ...]) -> Any:
        """Return a compiled function of a body's value and gradients."""
        tri = self.library
        both = tri.value_and_grad(partial(body, self.namespace()), numbers)

        def function(*inputs: Any) -> Any:
            value, gradients = both(*inputs)
            return (value, *gradients)

        return tri.compile(function)

    def numpy(self, result: Any) -> Any:
        """Return a result as a NumPy array; a photo [1, C, H, W] as pixels [H, W, C]."""
        return np.asarray(result[0].permute(1, 2, 0) if result.dim() == 4 else result)

    def text(self, program: str, inputs: list[Any]) -> str:
        """Trace and return LLVM text, on the way that a first call takes."""
        traced = self.library.trace(self.function(program).function, *inputs)
        return traced.lower(in_place=True).as_text("llvm")

    def compilations(self, function: Any) -> int:
        """Return the kernels compiled or loaded."""
        stats = function.stats()
        return stats.kernels_compiled + stats.kernels_loaded


def _develop(develop: Callable[..., Any], pixels: Any) -> Any:
    return develop(pixels.permute(2, 0, 1).unsqueeze(0), 1.0)


def _example() -> Any:
    """Return examples/photo.py as a module; it needs Pillow."""
    file = Path(__file__).resolve().parent.parent / "examples" / "photo.py"
    spec = importlib.util.spec_from_file_location("photo", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["photo"] = module  # where its dataclasses look for their module
    spec.loader.exec_module(module)
    return module


class TrilithEager(Trilith):
    """Our own library without `compile`: one compiled plan per operation."""

    name = "trilith eager"

    def function(self, program: str) -> Any:
        """Return the plain function."""
        return Peer.function(self, program)

    def compiled(self, body: Callable[..., Any], sizes_change: bool = False) -> Any:
        """Return the plain function."""
        return self.eager(body)

    def operation(self, operation: Operation) -> Callable[..., Any] | None:
        """Return a plain function that calls one operation."""
        return operation.function(self.library)


class Torch(Peer):
    """PyTorch, eager."""

    name = "torch"
    module = "torch"

    def __init__(self) -> None:
        """Use one thread, unless all may be used, and record no gradients."""
        super().__init__()
        if os.environ.get("OMP_NUM_THREADS") == "1":
            self.library.set_num_threads(1)
        self.library.set_grad_enabled(False)

    def array(self, value: Array) -> Any:
        """Return a tensor of its own memory."""
        return self.library.from_numpy(value).clone()

    def operation(self, operation: Operation) -> Callable[..., Any] | None:
        """Return a function that calls one operation."""
        return operation.function(self.library)

    def namespace(self) -> Any:
        """Return PyTorch's functions."""
        torch = self.library
        functional = torch.nn.functional

        def total(x: Any, axis: int | None) -> Any:
            return torch.sum(x) if axis is None else torch.sum(x, axis, keepdim=axis == -1)

        return SimpleNamespace(
            **layers(functional),
            exp=torch.exp,
            log=torch.log,
            sin=torch.sin,
            cos=torch.cos,
            tan=torch.tan,
            tanh=torch.tanh,
            sqrt=torch.sqrt,
            maximum=torch.maximum,
            minimum=torch.minimum,
            sigmoid=torch.sigmoid,
            gelu=partial(functional.gelu, approximate="tanh"),
            sum=total,
            amax=partial(torch.amax, keepdim=True),
            ones=torch.ones,
            cat=torch.cat,
            flip=partial(torch.flip, dims=(0,)),
            copy=torch.clone,
            contiguous=partial(torch.clone, memory_format=torch.contiguous_format),
            var=torch.var,
            round=torch.round,
            clip=torch.clamp,
            to_float32=methodcaller("to", torch.float32),
            to_uint8=methodcaller("to", torch.uint8),
        )

    def differentiated(self, body: Callable[..., Any], numbers: tuple[int, ...]) -> Any:
        """Return a function that gives a body's value and gradients of inputs."""
        torch, function = self.library, self.compiled(body)

        def run(*inputs: Any) -> Any:
            with torch.enable_grad():
                given = [
                    value.requires_grad_() if number in numbers else value
                    for number, value in enumerate(inputs)
                ]
                value = function(*given)
                found = torch.autograd.grad(value, [given[number] for number in numbers])
            return (value.detach(), *found)

        return run


class TorchCompile(Torch):
    """PyTorch with torch.compile; its first call takes 5 to 30 s."""

    name = "torch.compile"

    def compiled(self, body: Callable[..., Any], sizes_change: bool = False) -> Any:
        """Return a compiled function; where sizes change it is told so before the first call."""
        namespace = self.namespace()

        def function(*inputs: Any) -> Any:
            return body(namespace, *inputs)

        return self.library.compile(function, dynamic=True if sizes_change else None)

    def named(self, name: str) -> Callable[..., Any] | None:
        """Return a compiled function; it gives up on code that it has compiled eight times."""
        self.library.compiler.reset()
        return super().named(name)


class Jax(Peer):
    """JAX by jax.jit, waiting for the result."""

    name = "jax"
    module = "jax"

    def array(self, value: Array) -> Any:
        """Return an array on the CPU."""
        return self.library.device_put(value)

    def namespace(self) -> Any:
        """Return JAX's functions."""
        jax, numpy = self.library, self.library.numpy

        def total(x: Any, axis: int | None) -> Any:
            return numpy.sum(x, axis, keepdims=axis == -1)

        return SimpleNamespace(
            **formulas(numpy),
            conv=partial(jax.lax.conv_general_dilated, window_strides=(1, 1), padding="SAME"),
            cross_entropy=partial(_cross_entropy, jax),
            exp=numpy.exp,
            log=numpy.log,
            sin=numpy.sin,
            cos=numpy.cos,
            tan=numpy.tan,
            tanh=numpy.tanh,
            sqrt=numpy.sqrt,
            maximum=numpy.maximum,
            minimum=numpy.minimum,
            sigmoid=jax.nn.sigmoid,
            gelu=partial(jax.nn.gelu, approximate=True),
            sum=total,
            amax=partial(numpy.max, keepdims=True),
            ones=partial(numpy.ones, dtype=np.float32),
            cat=numpy.concatenate,
            contiguous=numpy.copy,
            var=partial(numpy.var, ddof=1),
            round=numpy.round,
            clip=numpy.clip,
            to_float32=methodcaller("astype", numpy.float32),
            to_uint8=methodcaller("astype", numpy.uint8),
        )

    def compiled(self, body: Callable[..., Any], sizes_change: bool = False) -> Any:
        """Return a jitted function that waits."""
        return self._waiting(self.library.jit(super().eager(body)))

    def eager(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """Return a body that waits for its result."""
        return self._waiting(super().eager(body))

    def differentiated(self, body: Callable[..., Any], numbers: tuple[int, ...]) -> Any:
        """Return a jitted function of a body's value and gradients that waits."""
        jax = self.library
        both = jax.jit(jax.value_and_grad(partial(body, self.namespace()), numbers))

        def run(*inputs: Any) -> Any:
            value, gradients = jax.block_until_ready(both(*inputs))
            return (value, *gradients)

        return run

    def _waiting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*inputs: Any) -> Any:
            return function(*inputs).block_until_ready()

        return run

    def text(self, program: str, inputs: list[Any]) -> str:
        """Trace and return StableHLO; XLA gives no LLVM text before it compiles."""
        jitted = self.library.jit(super().eager(PROGRAMS[program].body))
        return jitted.lower(*inputs).as_text()


def _cross_entropy(jax: Any, z: Any, labels: Any) -> Any:
    """Return the mean cross-entropy of logits, in JAX's words."""
    picked = jax.numpy.take_along_axis(jax.nn.log_softmax(z), labels[:, None], axis=1)
    return -picked.mean()
