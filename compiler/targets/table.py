"""Which targets are there? A table that more can be added to while a program runs."""

from __future__ import annotations

from ...dialects.diagnostics import TrilithValueError, nearest
from .cpu import CPU
from .meta import META
from .opencl import OPENCL_CPU, OPENCL_GPU
from .target import Level, Target

#: The target of kernels where nobody says another one.
DEFAULT = CPU.name

_TARGETS: dict[str, Target] = {row.name: row for row in (CPU, OPENCL_CPU, OPENCL_GPU, META)}


def register(target: Target) -> None:
    """Add a target, which then has every name that the others have.

    The runtime of its devices says its name (`kernel_target`), unless that is the devices' type.
    """
    if target.name in _TARGETS:
        raise TrilithValueError(f"there is a target '{target.name}' already")
    _TARGETS[target.name] = target


def unregister(name: str) -> None:
    """Take a target out again."""
    del _TARGETS[name]


def all_targets() -> tuple[Target, ...]:
    """Return all targets, in the order in which they were added."""
    return tuple(_TARGETS.values())


def target_named(name: str) -> Target:
    """Return the target that kernels are made for; raises for a name that has no schedule.

    >>> target_named("opencl-gpu").device_type
    'opencl'
    """
    found = _TARGETS.get(name)
    if found is None or found.schedule is None:
        known = [row.name for row in _TARGETS.values() if row.schedule is not None]
        meant = nearest(name, known) or ";"
        raise TrilithValueError(f"there is no target '{name}'{meant} there are {', '.join(known)}")
    return found


def target_of_type(device_type: str) -> Target | None:
    """Return the target that functions for a type of device are lowered for: its first one.

    >>> target_of_type("opencl").name, target_of_type("cuda")
    ('opencl-cpu', None)
    """
    for row in _TARGETS.values():
        if row.device_type == device_type:
            return row
    return None


def device_types() -> list[str]:
    """Return the types of devices that there are targets for.

    >>> device_types()
    ['cpu', 'opencl', 'meta']
    """
    return list(dict.fromkeys(row.device_type for row in _TARGETS.values()))


def named_pipelines() -> dict[str, Target]:
    """Return the targets by the name of their pipeline: the type of their devices, if it is theirs.

    >>> list(named_pipelines())
    ['cpu', 'meta', 'opencl', 'opencl-gpu']
    """
    first = {kind: target_of_type(kind) for kind in device_types()}
    named = {
        row.device_type if first[row.device_type] is row else row.name: row
        for row in _TARGETS.values()
    }
    return dict(sorted(named.items()))


def levels() -> dict[str, tuple[Target, Level]]:
    """Return the texts of scheduled kernels by name, each with the first target that has it.

    >>> list(levels())
    ['llvm', 'asm', 'opencl']
    """
    found: dict[str, tuple[Target, Level]] = {}
    for row in _TARGETS.values():
        for level in row.levels:
            found.setdefault(level.name, (row, level))
    return found
