"""What does a record say of the tensors in a result, and are those of another result alike?

The facts of a tensor are its dtype, shape, strides and values, whether it requires gradients, and
what the node of its graph is called: the text of a tensor shows four digits and no strides.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: Facts of a tensor by their names, as a record writes them.
Facts = dict[str, Any]

#: More values than these are not recorded.
MOST_VALUES = 64

#: By dtype, how far a value may be from the recorded one: relative to it, absolutely. These are the
#: numbers of `torch.testing.assert_close`.
TOLERANCES: dict[str, tuple[float, float]] = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}


def tensors_in(result: Any) -> Iterator[Any]:
    """Yield the tensors in tuples, lists and dicts, in their order.

    >>> list(tensors_in((1, [2, {"three": 3}])))
    []
    """
    if hasattr(result, "is_floating_point") and hasattr(result, "stride"):
        yield result
    elif isinstance(result, (tuple, list)):
        for item in result:  # pyright: ignore[reportUnknownVariableType]
            yield from tensors_in(item)
    elif isinstance(result, dict):
        for item in result.values():  # pyright: ignore[reportUnknownVariableType]
            yield from tensors_in(item)


def recorded_value(value: Any) -> Any:
    """Return a value, or nested lists of them, as a record has it.

    >>> recorded_value([1.5, float("-inf"), 1 + 2j])
    [1.5, '-inf', [1.0, 2.0]]
    """
    if isinstance(value, list):
        return [recorded_value(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, complex):
        return [recorded_value(value.real), recorded_value(value.imag)]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def facts_of(tensor: Any) -> Facts:
    """Return the facts of one tensor."""
    has_values = tensor.device.type != "meta" and tensor.numel() <= MOST_VALUES
    facts: Facts = {
        "dtype": str(tensor.dtype).rpartition(".")[2],
        "shape": list(tensor.shape),
        "strides": list(tensor.stride()),
        "values": recorded_value(tensor.detach().tolist()) if has_values else None,
    }
    if tensor.requires_grad:
        facts["requires_grad"] = True
        if tensor.grad_fn is not None:
            facts["grad_fn"] = tensor.grad_fn.name()
    return facts


def _numbers(values: Any) -> Iterator[Any]:
    if isinstance(values, list):
        for item in values:  # pyright: ignore[reportUnknownVariableType]
            yield from _numbers(item)
    else:
        yield values


def are_near(recorded: Any, found: Any, dtype: str) -> bool:
    """Whether values of one shape are equal, up to the tolerance of their dtype.

    >>> are_near([1.0, "nan"], [1.0 + 2e-7, "nan"], "float32"), are_near(1.0, 1.1, "float32")
    (True, False)
    """
    relative, absolute = TOLERANCES.get(dtype, (0.0, 0.0))
    mine, theirs = list(_numbers(recorded)), list(_numbers(found))
    return len(mine) == len(theirs) and all(
        one == other
        if isinstance(one, str) or isinstance(other, str) or one is None or other is None
        else abs(one - other) <= absolute + relative * abs(one)
        for one, other in zip(mine, theirs, strict=True)
    )


def differing_facts(recorded: Sequence[Mapping[str, Any]], found: Sequence[Facts]) -> list[str]:
    """Return a line for each fact that is another one than recorded; none if all is alike."""
    if len(recorded) != len(found):
        return [f"{len(found)} tensors instead of {len(recorded)}"]
    lines: list[str] = []
    for number, (one, other) in enumerate(zip(recorded, found, strict=True)):
        wrong = [
            name
            for name in ("dtype", "shape", "strides", "requires_grad", "grad_fn")
            if one.get(name) != other.get(name)
        ]
        if not wrong and not are_near(one["values"], other["values"], one["dtype"]):
            wrong = ["values"]
        lines += [
            f"{name} of tensor {number} is {other.get(name)}, not {one.get(name)}" for name in wrong
        ]
    return lines
