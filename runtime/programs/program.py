"""How does an exported program run, where there is no compiler? By the first plan for its sizes."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...dialects.attributes.device import cpu
from ...dialects.attributes.dtype import MODERATE, DType
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.diagnostics import (
    TrilithError,
    TrilithOverflowError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from ...dialects.locks import new_lock
from ..devices.cpu import vouch_for
from ..devices.features import lacking
from ..execution.sizes_form import decode_plan
from ..plan_function import PlanFunction, plan_function
from ..tensors.interchange import from_dlpack, from_numpy
from ..tensors.recording import unrecorded
from ..tensors.tensor import Tensor, adopt, tensor_from_bytes
from .form import StoredProgram, StoredVariant, decode_program
from .trees import flatten, unflatten

#: For how many kinds of arguments a program remembers its plan.
_REMEMBERED = 1024
_LEAF = ["leaf"]


class ExportedProgram:
    """A function that was compiled ahead of time: what `tri.export` makes, and a file holds.

    It is called as the function is. Sizes that are dims may be any of their ranges; other sizes,
    dtypes, strides and kinds of numbers are those that it was exported for, or TrilithTypeError
    says what differs.
    """

    __slots__ = ("_data", "_found", "_is_plain", "_lock", "_variants", "stored")

    def __init__(self, data: bytes) -> None:
        """Read and check the content of a file; raises TrilithValueError if it is no program."""
        self._data = data
        self.stored = stored = decode_program(data)
        _check_host(stored)
        captured = [_tensor(spec, content) for spec, content in stored.captured]
        self._variants = [_Variant(stored, variant, captured) for variant in stored.variants]
        #: By the specs of tensors the plan that ran last, and the dims.
        self._found: dict[tuple[TensorSpec, ...], tuple[_Variant, list[int]]] = {}
        self._lock = new_lock()
        #: Whether it takes tensors by position, and nothing else.
        given, names = stored.arguments[1]
        is_flat = given[0] == "tuple" and all(child == ["leaf"] for child in given[1])
        takes_numbers = any(isinstance(leaf, str) for leaf in stored.leaves)
        self._is_plain = is_flat and not names[1] and not takes_numbers

    def __repr__(self) -> str:
        """Return its name, dims and plans."""
        dims = ", ".join(
            f"{dim.name} from {dim.least}" + ("" if dim.most is None else f" to {dim.most}")
            for dim in self.stored.dims
        )
        count = len(self._variants)
        plans = f"{count} plan{'' if count == 1 else 's'}"
        return f"<ExportedProgram {self.stored.name}: {dims or 'fixed sizes'}, {plans}>"

    @property
    def guards(self) -> tuple[tuple[str, ...], ...]:
        """What each plan asks of the dims, in words."""
        return tuple(variant.guards for variant in self.stored.variants)

    @property
    def needs(self) -> tuple[str, ...]:
        """The features of a CPU that it needs, in LLVM's words."""
        return self.stored.needs

    @property
    def is_covered(self) -> bool:
        """Whether each size of the ranges was looked at: some plan takes every one of them."""
        return self.stored.is_covered

    def to_bytes(self) -> bytes:
        """Return the content of a file."""
        return self._data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file that `tri.load_program` reads; a file of that name is replaced at once."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
        try:
            partial.write_bytes(self._data)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    def to_shared_library(self, path: str | os.PathLike[str], name: str | None = None) -> Path:
        """Refuse: that needs the compiler, so it is done where the function is exported."""
        raise TrilithRuntimeError(
            f"'{self.stored.name}' comes from a file: a library is made where it is exported",
            hint="tri.export(...).to_shared_library(path)",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the bytes of the file."""
        return ExportedProgram, (self._data,)

    # Calls

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Run on arguments of the kind that was exported."""
        unrecorded("an exported program is called")
        if self._is_plain and not keywords:
            # The usual call, 7 us sooner; other kinds of arguments are no key.
            found = [argument.spec for argument in arguments if type(argument) is Tensor]
            known = self._found.get(tuple(found)) if len(found) == len(arguments) else None
            if known is not None:
                result, is_taken = known[0].run(arguments, (), known[1])
                if is_taken:
                    return result
        leaves: list[Any] = []
        tree = self.stored.arguments
        given, names = tree[1]
        flatten(given, arguments, leaves, f"{self.stored.name}()'s positional arguments")
        flatten(names, keywords, leaves, f"{self.stored.name}()'s keyword arguments")
        tensors: list[Tensor] = []
        numbers: list[Any] = []
        for index, (leaf, value) in enumerate(zip(self.stored.leaves, leaves, strict=True)):
            if isinstance(leaf, DType):
                tensors.append(_as_tensor(self.stored.name, index, value))
            else:
                numbers.append(_as_number(self.stored, index, leaf, value))
        specs = tuple([tensor.spec for tensor in tensors])
        known = self._found.get(specs)
        if known is not None:
            found, is_taken = known[0].run(tensors, numbers, known[1])
            if is_taken:
                return found
        return self._find(specs, tensors, numbers)

    def _find(
        self, specs: tuple[TensorSpec, ...], tensors: list[Tensor], numbers: list[Any]
    ) -> Any:
        values = self._values(specs)
        refusal: TrilithTypeError | None = None
        for variant in self._variants:
            open_values = variant.open_values(values)
            if open_values is None:
                continue
            wanted = variant.specs_at(open_values)
            try:
                fitting = [
                    _fitted(self.stored.name, index, tensor, spec)
                    for index, (tensor, spec) in enumerate(zip(tensors, wanted, strict=True))
                ]
            except TrilithTypeError as error:
                # Another plan may be for other sizes that are equal.
                refusal = refusal or error
                continue
            found, is_taken = variant.run(fitting, numbers, open_values)
            if is_taken and all(map(operator.is_, fitting, tensors)):
                with self._lock:
                    if len(self._found) >= _REMEMBERED:
                        self._found.clear()
                    self._found[specs] = variant, open_values
            if is_taken:
                return found
        if refusal is not None:
            raise refusal
        text = ", ".join(
            f"{dim.name} = {value}" for dim, value in zip(self.stored.dims, values, strict=True)
        )
        raise TrilithValueError(
            f"{self.stored.name}() was exported for sizes that no plan of it takes: {text}",
            hint="export it for a range that holds this size",
        )

    def _values(self, specs: Sequence[TensorSpec]) -> list[int]:
        """Return the values of the dims; raises if one is out of its range."""
        values: list[int] = []
        for dim in self.stored.dims:
            shape = specs[dim.tensor].shape
            if dim.size >= len(shape):
                raise TrilithTypeError(
                    f"{self.stored.name}(): tensor {dim.tensor} has {len(shape)} dimensions, and "
                    f"its size number {dim.size} is the dim '{dim.name}'"
                )
            value, rest = divmod(shape[dim.size] - dim.offset, dim.factor)
            most = "" if dim.most is None else f" to {dim.most}"
            if rest or value < dim.least or (dim.most is not None and value > dim.most):
                shown = f"{value}" if not rest else f"no integer for a size of {shape[dim.size]}"
                raise TrilithValueError(
                    f"{self.stored.name}() was exported for {dim.name} from {dim.least}{most}, "
                    f"which is {shown} here",
                    hint="export it for a range that holds this size",
                )
            values.append(value)
        return values


class _Variant:
    """A plan, ready to run."""

    __slots__ = ("captured", "free", "inputs", "pins", "plan", "stored")

    def __init__(
        self, program: StoredProgram, stored: StoredVariant, captured: list[Tensor]
    ) -> None:
        found = decode_plan(stored.data, stored.hints, [2] * len(stored.hints))
        artifact = found.artifact
        count = sum(isinstance(leaf, DType) for leaf in program.leaves)
        numbers = len(program.leaves) - count + len(found.env.scalars)
        outputs = len(artifact.outputs)
        is_fitting = (
            len(artifact.inputs) == count + len(captured)
            and len(artifact.scalars) == numbers
            and artifact.inputs[count:] == tuple(tensor.spec for tensor in captured)
            and artifact.device is cpu
            and artifact.is_on_one_device
            and all(kernel.target == program.target for kernel in artifact.kernels)
            and all(i < outputs and s < len(artifact.inputs) + i for i, s in stored.same)
        )
        if not is_fitting:
            raise TrilithValueError("the exported program is not valid: a plan is for another one")
        made: PlanFunction | None = None
        try:
            made = plan_function(artifact, found.env)
        except TrilithError as error:
            raise TrilithValueError(f"the exported program is not valid: {error}") from error
        assert made is not None
        self.plan = made
        self.stored = stored
        self.captured = captured
        self.inputs = artifact.inputs[:count]
        self.pins = dict(stored.pins)
        self.free = [n for n in range(len(program.dims)) if n not in self.pins]

    def open_values(self, values: Sequence[int]) -> list[int] | None:
        """Return the dims that are numbers of the plan; None if the others are not its own."""
        if any(values[dim] != value for dim, value in self.pins.items()):
            return None
        left = [values[dim] for dim in self.free]
        return None if left and min(left) < 2 else left

    def specs_at(self, values: Sequence[int]) -> list[TensorSpec]:
        """Return what tensors must be at these values of the dims."""
        known = {f"n{number}": value for number, value in enumerate(values)}
        found: list[TensorSpec] = []
        for spec in self.inputs:
            shape = tuple(_at(size, known) for size in spec.shape)
            strides = tuple(_at(stride, known) for stride in spec.strides)
            rest = spec.layout, spec.is_conj
            found.append(TensorSpec.of(shape, spec.dtype, spec.device, strides, *rest))
        return found

    def run(
        self, tensors: Sequence[Tensor], numbers: Sequence[Any], values: Sequence[int]
    ) -> tuple[Any, bool]:
        """Return the result, and whether the plan takes the sizes."""
        held = [*tensors, *self.captured]
        if self.stored.written:
            self._check_apart(held)
        results = self.plan(held, numbers, values)
        if results is None:
            return None, False
        for index in self.stored.written:
            held[index].bump()
        for index, source in self.stored.same:
            results[index] = (*held, *results)[source]
        result = self.stored.result
        return results[0] if result == _LEAF else unflatten(result, iter(results)), True

    def _check_apart(self, tensors: Sequence[Tensor]) -> None:
        memories = [id(tensor.memory) for tensor in tensors]
        for index in self.stored.written:
            if memories.count(memories[index]) > 1:
                raise TrilithRuntimeError(
                    "an exported program writes to an argument that shares memory with another one",
                    hint="pass clones",
                )


def _fitted(name: str, index: int, tensor: Tensor, wanted: TensorSpec) -> Tensor:
    """Return a tensor of the spec that a plan is for, or refuse what is something else."""
    spec = tensor.spec
    if spec is wanted:
        return tensor
    if spec.device is not wanted.device:
        differs = f"be on '{wanted.device}', but is on '{spec.device}'"
    elif spec.dtype is not wanted.dtype:
        differs = f"be {wanted.dtype}, but is {spec.dtype}"
    elif spec.shape != wanted.shape:
        differs = f"have the shape {wanted.shape}, but has {spec.shape}"
    elif spec.layout is wanted.layout and spec.is_conj is wanted.is_conj:
        steps = zip(spec.shape, spec.strides, wanted.strides, strict=True)
        if not spec.numel or all(size == 1 or one == other for size, one, other in steps):
            # A stride of a dim with one element, or of no elements, leads nowhere.
            return adopt(tensor.memory, wanted, tensor.storage_offset())
        differs = (
            f"have the strides {wanted.strides}, but has {spec.strides}: contiguous() makes them so"
        )
    else:
        differs = "be strided, and not conjugated"
    raise TrilithTypeError(f"{name}(): tensor {index} must {differs}")


def _at(size: Any, values: dict[str, int]) -> int:
    return size if type(size) is int else size.expression.evaluate(values)


def _check_host(stored: StoredProgram) -> None:
    """Raise unless this CPU can run the machine code."""
    missing = lacking(stored.needs)
    if missing is None or not stored.target:
        return  # LLVM, which loads the code here, is asked; or there is no code
    triple, _, rest = stored.target.partition("|")
    if missing or not triple.startswith("x86_64-"):
        what = f"lacks {', '.join(missing)}" if missing else "is another kind"
        raise TrilithRuntimeError(
            f"'{stored.name}' was compiled for the CPU {rest.partition('|')[0]} ({triple}), and "
            f"this one {what}",
            hint="export it on a machine whose CPU can do no more than this one",
        )
    vouch_for(stored.target)


def _tensor(spec: TensorSpec, content: bytes) -> Tensor:
    extent = 0
    if spec.numel:
        extent = 1 + sum((n - 1) * s for n, s in zip(spec.shape, spec.strides, strict=True))
    if len(content) != extent * spec.dtype.itemsize:
        raise TrilithValueError("the exported program is not valid: a constant has another length")
    return tensor_from_bytes(spec, content)


def _as_tensor(name: str, index: int, value: Any) -> Tensor:
    if type(value) is Tensor:
        return value
    if isinstance(value, np.ndarray):
        return from_numpy(value)
    if hasattr(value, "__dlpack__"):
        return from_dlpack(value)
    raise TrilithTypeError(
        f"{name}(): argument {index} must be a tensor or an array, not {type(value).__name__}"
    )


def _as_number(stored: StoredProgram, index: int, kind: str, value: Any) -> Any:
    is_number = isinstance(value, (bool, int, float, complex, np.generic))
    number: Any = value
    if not is_number or ScalarSpec.of(number).kind != kind:
        raise TrilithTypeError(
            f"{stored.name}(): argument {index} must be of the kind {kind}, not "
            f"{type(number).__name__}"
        )
    if kind == "int" and not -(2**63) <= int(number) < 2**63:
        raise TrilithOverflowError("int too big to convert")
    if stored.is_moderate and not -MODERATE < number.real < MODERATE:
        raise TrilithValueError(
            f"{stored.name}(): argument {index} is {number}, and the program takes numbers of less "
            f"than {MODERATE} alone",
            hint="pass it as a tensor of one element",
        )
    return number


def load_program(path: str | os.PathLike[str]) -> ExportedProgram:
    """Read a program that `tri.export(...).save(path)` wrote; no compiler is needed for it.

    The file holds machine code: load only what you would load as a shared library. What else is in
    it is checked: a damaged file raises TrilithValueError, a CPU that lacks what the code needs
    TrilithRuntimeError.

    >>> import tempfile, trilith as tri
    >>> program = tri.export(lambda x: x.sum(0), tri.spec((tri.dim("n", max=99), 3)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     program.save(f"{folder}/sum.trilith")
    ...     loaded = tri.load_program(f"{folder}/sum.trilith")
    >>> loaded(tri.ones(4, 3))
    tensor([4., 4., 4.])
    """
    return ExportedProgram(Path(path).read_bytes())
