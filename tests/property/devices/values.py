"""Does a device give the CPU's bits for a program, compiled and operation by operation?

Dtypes, shapes and strides must be the oracle's as on the CPU, results share memory where PyTorch's
do, arguments stay as they are, and what must raise raises the same, at the latest when somebody
waits. The failures' kinds are those of `properties` with the word `device` in front.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import trilith as tri

from ..equality import Equal
from ..values.oracle.evaluation import Value
from ..values.program import Input, Program, elements
from ..values.properties import (
    Answers,
    Failure,
    attempt,
    check_aliases,
    check_spec,
    first_difference,
    tensors_of,
)
from .on_device import TestedDevice, array_on_host, storage_bytes


def run_everywhere(program: Program, device: TestedDevice) -> None:
    """Run a program in every way that is checked; for rehearsals."""
    tri.compile(program)(*program.arguments(device.name))
    program(*program.arguments(device.name))


def check_on_device(program: Program, answers: Answers, device: TestedDevice, equal: Equal) -> None:
    """Compare a device with what the CPU answered; raises Failure."""
    equal.programs += 1
    ways: dict[str, Callable[..., Any]] = {
        "compiled": tri.compile(program),
        "eager": program,
    }
    with device.as_default():
        for name, function in ways.items():
            kind = f"device {name}"
            if answers.fault is not None:
                _check_fault(kind, program, function, answers.fault, device)
            elif function is program:
                _check_steps(kind, program, answers, device, equal)
            else:
                _check_results(kind, program, function, answers, device, equal)


def _check_fault(
    kind: str, program: Program, function: Callable[..., Any], message: str, device: TestedDevice
) -> None:
    try:
        results = function(*program.arguments(device.name))
        device.synchronize()
    except tri.TrilithError as error:
        if error.message != message:
            text = f"raises {error.message}, not {message}"
            raise Failure(f"{kind} fault", text) from error
    except Exception as error:
        raise Failure(f"{kind} {type(error).__name__}", str(error)) from error
    else:
        raise Failure(f"{kind} fault", f"does not raise {message}, but gives {results}")


def _check_results(
    kind: str,
    program: Program,
    function: Callable[..., Any],
    answers: Answers,
    device: TestedDevice,
    equal: Equal,
) -> None:
    arguments = program.arguments(device.name)
    results: Sequence[tri.Tensor] = attempt(kind, lambda: _waited(function(*arguments), device))
    found = dict(zip(program.outputs, results, strict=True))
    given = dict(zip(program.outputs, answers.compiled, strict=True))
    _compare(kind, found, given, answers, device, equal)
    _check_memory(kind, program, arguments, results, answers)


def _check_steps(
    kind: str, program: Program, answers: Answers, device: TestedDevice, equal: Equal
) -> None:
    arguments = program.arguments(device.name)
    notes: dict[str, Any] = {}
    results: Sequence[tri.Tensor] = attempt(
        kind, lambda: _waited(program(*arguments, notes=notes), device)
    )
    _compare(kind, tensors_of(notes), answers.steps, answers, device, equal)
    _check_memory(kind, program, arguments, results, answers)


def _waited(results: Any, device: TestedDevice) -> Any:
    device.synchronize()
    return results


def _compare(
    kind: str,
    found: Mapping[str, tri.Tensor],
    given: Mapping[str, tri.Tensor],
    answers: Answers,
    device: TestedDevice,
    equal: Equal,
) -> None:
    for name, tensor in found.items():
        value = answers.expected[name]
        assert isinstance(value, Value)
        check_spec(kind, name, tensor, value)
        if str(tensor.device) != device.name:
            raise Failure(f"{kind} device", f"{name} is on {tensor.device}")
        ours, theirs = array_on_host(tensor), array_on_host(given[name])
        place = first_difference(ours, theirs)
        if place is not None:
            text = f"{name}{list(place)} is {ours[place]!r}, on the CPU {theirs[place]!r}"
            raise Failure(f"{kind} bits", text)
        equal.note(value.dtype, ours.size)


def _check_memory(
    kind: str,
    program: Program,
    arguments: Sequence[Any],
    results: Sequence[tri.Tensor],
    answers: Answers,
) -> None:
    """Compare who shares memory with whom, and see that no argument was written to."""
    try:
        check_aliases(program, arguments, results, answers.expected)
    except Failure as failure:
        raise Failure(f"{kind} {failure.kind}", str(failure)) from failure
    for (name, source), tensor in zip(program.inputs.items(), arguments, strict=True):
        if isinstance(source, Input):
            if storage_bytes(tensor.untyped_storage()) != elements(source).tobytes():
                raise Failure(f"{kind} arguments", f"the memory of {name} was written to")
