"""Why does no plan of a function take a call? In the words of its arguments.

Plans are for kinds of calls: dtypes, ranks, devices, which sizes are 0 or 1, kinds of numbers and
static values. What sets a call apart from the most similar one before is the reason for a new plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...dialects.attributes.patterns import is_packed
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ..plan_key import PlanKey
from ..plan_log import FIRST_CALL, OWN_SIZES, names_of_numbers
from ..trace.argument_names import argument_names


def name_of(function: Callable[..., Any]) -> str:
    """Return what a function is called."""
    return getattr(function, "__qualname__", None) or repr(function)


def names_of_sizes(function: Callable[..., Any], key: PlanKey) -> list[str]:
    """Return what the sizes and strides are called that a plan for all sizes leaves open."""
    names = argument_names(function, _structure(key))
    pairs = zip(names, key.operands, strict=False)
    tensors = [(name, spec) for name, spec in pairs if isinstance(spec, TensorSpec)]
    return [word for name, spec in tensors for word in names_of_numbers(name, spec)]


def _structure(key: PlanKey) -> Any:
    return key.work


def why_new(key: PlanKey, others: Iterable[PlanKey], function: Callable[..., Any]) -> str:
    """Return why a function is traced for a call, given what it was traced for before."""
    known = list(others)
    if not known:
        return FIRST_CALL
    names = argument_names(function, _structure(key))
    found = min((_differences(key, other, names) for other in known), key=len)
    if not found:
        return OWN_SIZES
    return f"a new kind of call: {' and '.join(found)}"


def _differences(key: PlanKey, other: PlanKey, names: Sequence[str]) -> list[str]:
    """Return in words what sets a key apart from an earlier one, but for sizes."""
    if key.work != other.work or len(key.operands) != len(other.operands):
        return ["arguments of another structure"]
    found: list[str] = []
    if key.settings.dtype is not other.settings.dtype:
        found.append(f"the default dtype is {key.settings.dtype}, was {other.settings.dtype}")
    if key.settings.mode != other.settings.mode:
        found.append(f"the promotion mode is {key.settings.mode!r}, was {other.settings.mode!r}")
    if key.home != other.home:
        found.append(f"the default device is {key.home}, was {other.home}")
    for name, new, old in zip(names, key.operands, other.operands, strict=False):
        if new is not old:
            found += _difference(name, new, old)
    if key.statics != other.statics:
        found.append("a static argument has another value")
    if key.offsets != other.offsets:
        found.append("a tensor begins elsewhere in its storage, which the function asks for")
    if key.numbers != other.numbers:
        found.append("a number that an operation looks at has another value")
    if key.state != other.state:
        found.append("an attribute that the function reads has another value")
    if key.same != other.same:
        found.append("other arguments are one tensor")
    return found


def _difference(name: str, new: Any, old: Any) -> list[str]:
    """Return in words how an operand differs from an earlier one, but for sizes."""
    if not (isinstance(new, TensorSpec) and isinstance(old, TensorSpec)):
        kinds = [_kind(new), _kind(old)]
        return [f"{name} is {kinds[0]}, was {kinds[1]}"] if kinds[0] != kinds[1] else []
    for word in ("dtype", "device", "layout"):
        if getattr(new, word) != getattr(old, word):
            return [f"{name}.{word} is {getattr(new, word)}, was {getattr(old, word)}"]
    if new.rank != old.rank:
        return [f"{name} has {new.rank} dims, had {old.rank}"]
    if new.is_conj != old.is_conj:
        return [f"{name} is{'' if new.is_conj else ' not'} a conjugate view"]
    for dim, (size, before) in enumerate(zip(new.shape, old.shape, strict=True)):
        if min(size, 2) != min(before, 2):
            special = min(size, before)
            return [f"{name}.shape[{dim}] is {size}, was {before} ({special} is a kind of its own)"]
    if new.pattern is not old.pattern:
        return [f"{name} has {_strides(new)}, had {_strides(old)}"]
    return []


def _strides(spec: TensorSpec) -> str:
    if is_packed(spec.shape, spec.strides, spec.layout):
        return "contiguous strides"
    return f"strides {list(spec.strides)}"


def _kind(part: Any) -> str:
    if isinstance(part, TensorSpec):
        return "a tensor"
    return f"a number of kind {part.kind}" if isinstance(part, ScalarSpec) else repr(part)
