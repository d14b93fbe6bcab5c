"""Does a library do what the oracle says, eager and compiled, bit for bit?"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..devices.on_device import TestedDevice, storage_bytes
from ..equality import Equal
from ..values.shrinking import SECONDS
from .model import Memory, Model
from .program import Program, Step, evaluate, models_of, text_of
from .values import COMPLEXES, FLOATS, NUMPY, REAL, Array, RefusedError
from .writes import is_same_data, unsettled


class StridedFailure(Exception):
    """A program that a library runs otherwise than the oracle; `kind` groups alike ones."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(f"{kind}: {why}")
        self.kind = kind
        self.why = why


@dataclass(frozen=True, slots=True)
class Library:
    """What runs the text of a program: a module, what compiles a function of it, and where."""

    module: Any
    compile: Callable[[Any], Any] | None = None
    device: TestedDevice | None = None

    def as_default(self) -> AbstractContextManager[None]:
        """Make tensors on the device until the block ends."""
        return nullcontext() if self.device is None else self.device.as_default()

    def wait(self) -> None:
        """Raise what is known only when a device has finished."""
        if self.device is not None:
            self.device.synchronize()


@dataclass(slots=True)
class StridedTally:
    """What was checked."""

    programs: int = 0
    compiled: int = 0
    #: Compiled ones that were traced as a whole, not run step by step.
    traced: int = 0
    refused: int = 0
    tensors: int = 0
    writes: int = 0
    steps: Counter[str] = field(default_factory=Counter[str])
    #: What is equal to the oracle's: on a device, what is equal to the CPU's.
    equal: Equal = field(default_factory=Equal)

    def add(self, other: StridedTally) -> None:
        self.programs += other.programs
        self.compiled += other.compiled
        self.traced += other.traced
        self.refused += other.refused
        self.tensors += other.tensors
        self.writes += other.writes
        self.steps.update(other.steps)
        self.equal.add(other.equal)


@dataclass(frozen=True, slots=True)
class Expected:
    """What the oracle says: tensors after the last step, or how that one is refused."""

    values: Mapping[str, Model]
    refused: RefusedError | None
    #: A write with an overlap that PyTorch does not look for took place.
    is_unsettled: bool


def expected_of(program: Program) -> Expected:
    """Run the oracle."""
    values = models_of(program)
    unsettled.is_set = False
    refused: RefusedError | None = None
    for step in program.steps:
        try:
            evaluate(step, values)
        except RefusedError as error:
            refused = error
            break
    return Expected(values, refused, unsettled.is_set)


# ---- running


def made_inputs(program: Program, library: Library) -> dict[str, Any]:
    space: dict[str, Any] = {"tri": library.module}
    for line in (*program.memory_lines(), *program.input_lines()):
        exec(line, space)
    return {name: space[name] for name in program.inputs}


def check(program: Program, library: Library, tally: StridedTally | None = None) -> None:
    """Run a program eager, and compiled twice; raise StridedFailure where they differ."""
    expected = expected_of(program)
    equal = Equal(programs=1)
    with warnings.catch_warnings(), library.as_default():
        warnings.simplefilter("ignore")
        _check_eager(program, expected, library, equal)
        is_traced = library.compile is not None and _check_compiled(
            program, expected, library, equal
        )
    if tally is not None:
        _count(tally, program, expected, library)
        tally.traced += is_traced
        tally.equal.add(equal)


def run_once(program: Program, library: Library) -> None:
    """Run a program eager and compiled, whatever comes of it; for rehearsals."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        space: dict[str, Any] = {"tri": library.module, **made_inputs(program, library)}
        with suppress(Exception):
            for step in program.steps:
                exec(text_of(step), space)
        if library.compile is not None:
            exec(program.function_text(), space)
            library.compile(space["program"])(*made_inputs(program, library).values())


def _count(tally: StridedTally, program: Program, expected: Expected, library: Library) -> None:
    tally.programs += 1
    tally.compiled += library.compile is not None
    tally.refused += expected.refused is not None
    tally.tensors += len(expected.values)
    tally.steps.update(step.name for step in program.steps)
    tally.writes += sum(_is_write(step) for step in program.steps)


def _is_write(step: Step) -> bool:
    return step.name == "setitem" or step.name[-1] in "_=)"


def _check_eager(program: Program, expected: Expected, library: Library, equal: Equal) -> None:
    given = made_inputs(program, library)
    space: dict[str, Any] = {"tri": library.module, **given}
    for index, step in enumerate(program.steps):
        is_last = expected.refused is not None and index + 1 == len(program.steps)
        try:
            exec(text_of(step), space)
            if index + 1 == len(program.steps):
                library.wait()
        except Exception as error:
            _compare_error(error, expected.refused if is_last else None, f"eager {step.name}")
        else:
            if is_last:
                raise StridedFailure(f"eager accepts {step.name}", str(expected.refused))
    found = {name: space[name] for name in expected.values}
    _compare(expected.values, found, "eager", library, equal)


def _check_compiled(program: Program, expected: Expected, library: Library, equal: Equal) -> bool:
    """Run the compiled program twice; return whether it was traced as a whole."""
    assert library.compile is not None
    space: dict[str, Any] = {"tri": library.module}
    exec(program.function_text(), space)
    function = library.compile(space["program"])
    for call in ("compiled", "compiled again"):
        given = made_inputs(program, library)
        try:
            returned = function(*given.values())
            library.wait()
        except Exception as error:
            _compare_error(error, expected.refused, call)
            continue
        if expected.refused is not None:
            name = program.steps[-1].name
            raise StridedFailure(f"{call} accepts {name}", str(expected.refused))
        found = {**given, **dict(zip(program.returns, returned, strict=True))}
        _compare({name: expected.values[name] for name in found}, found, call, library, equal)
    return not function.stats().eager_calls


def _compare_error(error: Exception, refused: RefusedError | None, where: str) -> None:
    if refused is None:
        kind = f"{where} raises {type(error).__name__}"
        raise StridedFailure(kind, f"{error}") from error
    if not isinstance(error, refused.kind):
        kind = f"{where} raises another error"
        raise StridedFailure(
            kind, f"{type(error).__name__} {error} instead of {refused}"
        ) from error


# ---- comparing


def _compare(
    expected: Mapping[str, Model],
    found: Mapping[str, Any],
    where: str,
    library: Library,
    equal: Equal,
) -> None:
    for name, model in expected.items():
        _compare_layout(name, model, found[name], where)
        if library.device is not None and str(found[name].device) != library.device.name:
            raise StridedFailure(f"{where} device", f"{name} is on {found[name].device}")
    _compare_sharing(expected, found, where)
    for name, model in expected.items():
        wanted, got = (
            _bits(model.array(), model.dtype),
            _bits(elements(found[name], model), model.dtype),
        )
        if not np.array_equal(wanted, got):
            why = (
                f"{name} of {model.dtype} is\n{elements(found[name], model)}\nnot\n{model.array()}"
            )
            raise StridedFailure(f"{where} values", why)
        equal.note(model.dtype, model.numel)


def _compare_layout(name: str, model: Model, tensor: Any, where: str) -> None:
    pairs = {
        "dtype": (str(tensor.dtype).partition(".")[2], model.dtype),
        "sizes": (tuple(tensor.shape), model.sizes),
        "strides": (tuple(tensor.stride()), model.strides),
        "offset": (tensor.storage_offset(), model.offset),
    }
    for what, (found, wanted) in pairs.items():
        if found != wanted:
            text = f"{name} has {what} {found} instead of {wanted} ({model.dtype} {model.sizes})"
            raise StridedFailure(f"{where} {what}", text)


def _compare_sharing(expected: Mapping[str, Model], found: Mapping[str, Any], where: str) -> None:
    """Compare which tensors look at one memory, and which are one object."""
    first: dict[Memory, str] = {}
    addresses: dict[int, str] = {}
    for name, model in expected.items():
        address = int(found[name].untyped_storage().data_ptr())
        if not address:
            continue
        other = first.setdefault(model.memory, name)
        found_other = addresses.setdefault(address, name)
        if other != found_other:
            text = f"{name} shares memory with {found_other} instead of {other}"
            raise StridedFailure(f"{where} aliasing", text)
    objects: dict[int, str] = {}
    models: dict[int, str] = {}
    for name, model in expected.items():
        other = models.setdefault(id(model), name)
        found_other = objects.setdefault(id(found[name]), name)
        # Arguments that are two equal views may be taken for one by a compiled function.
        if other != found_other and not is_same_data(expected[found_other], model):
            text = f"{name} is {found_other} instead of {other}"
            raise StridedFailure(f"{where} identity", text)


def elements(tensor: Any, model: Model) -> Array:
    """Return the elements by way of the bytes of the storage: no operation takes part."""
    data = storage_bytes(tensor.untyped_storage())
    return replace(model, memory=Memory(bytearray(data))).array()


def _bits(array: Array, dtype: str) -> Array:
    """Return what must agree: the bits, but for those of a NaN."""
    plain = np.ascontiguousarray(array).reshape(-1)
    if dtype in COMPLEXES:
        plain, dtype = plain.view(NUMPY[REAL[dtype]]), REAL[dtype]
    if dtype in FLOATS:
        plain = np.where(np.isnan(plain), np.array(np.nan, plain.dtype), plain)
        plain = plain.astype(NUMPY[dtype])
    return plain.view(f"u{plain.dtype.itemsize}")


# ---- shrinking


def kind_of(program: Program, library: Library) -> str | None:
    """Return how a program fails, None if it does not or says nothing."""
    try:
        check(program, library)
    except StridedFailure as failure:
        return failure.kind
    except Exception:
        return None
    return None


def shrink(program: Program, failure_of: Callable[[Program], str | None]) -> Program:
    """Leave out steps, results and inputs as long as the program fails in the same way."""
    kind = failure_of(program)
    if kind is None:
        return program
    end = time.monotonic() + SECONDS
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for candidate in _smaller(program):
            if time.monotonic() > end:
                return program
            if failure_of(candidate) == kind:
                program, is_smaller = candidate, True
                break
    return program


def _smaller(program: Program) -> list[Program]:
    candidates = [program.without(index) for index in range(len(program.steps))][::-1]
    candidates += [
        replace(program, returns=tuple(other for other in program.returns if other != name))
        for name in program.returns
    ]
    fewer = program.without_idle_inputs()
    if len(fewer.inputs) < len(program.inputs):
        candidates.append(fewer)
    return candidates
