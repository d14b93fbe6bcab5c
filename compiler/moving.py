"""How do arguments in host memory get to the device that a function is compiled for, and back?"""

from __future__ import annotations

from typing import Any

from ..dialects.attributes.device import Device, home_of
from ..runtime.tensor import Tensor
from .trace.operands import as_number, as_tensor
from .trace.pytree import flatten, unflatten

#: Devices that take their arguments to themselves.
_TAKERS = frozenset({"opencl"})


def taker_of(name: str | None) -> Device | None:
    """Return the device of a name if programs for it take host arguments there.

    >>> taker_of("opencl"), taker_of("cpu"), taker_of(None)
    (device(type='opencl', index=0), None, None)
    """
    device = None if name is None else Device(name)
    return home_of(device) if device is not None and device.type in _TAKERS else None


class Mover:
    """Moves the host's tensors and arrays to a device for one call, each once."""

    def __init__(self, device: Device) -> None:
        """Move nothing yet."""
        self.device = device
        self._moved: dict[int, tuple[Tensor, Any]] = {}

    def move(
        self, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments with those of the host on the device."""
        leaves: list[Any] = []
        structure = flatten((arguments, keywords), leaves)
        return unflatten(structure, iter([self._move(leaf) for leaf in leaves]))

    def bring_back(self) -> None:
        """Copy what was written to back to the host."""
        for original, copy in self._moved.values():
            if copy.memory.version:
                there: Any = original
                there.copy_(copy)

    def _move(self, leaf: Any) -> Any:
        tensor = None if as_number(leaf) is not None else as_tensor(leaf)
        if not isinstance(tensor, Tensor) or tensor.device.type != "cpu":
            return leaf
        if id(leaf) not in self._moved:
            there: Any = tensor  # whose methods come from the table of operations
            self._moved[id(leaf)] = tensor, there.to(self.device)
        return self._moved[id(leaf)][1]


def are_all_on(device: Device, arguments: tuple[Any, ...]) -> bool:
    """Tell whether all arguments are tensors of the device, so that none has to move."""
    return all(type(value) is Tensor and value.device is device for value in arguments)


def restore_static(
    arguments: tuple[Any, ...], keywords: dict[str, Any], static: tuple[tuple[int | str, Any], ...]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Put static arguments back to their places.

    >>> restore_static((None, 2), {"n": None}, ((0, 1), ("n", 3)))
    ((1, 2), {'n': 3})
    """
    positional, words = list(arguments), dict(keywords)
    for place, value in static:
        if isinstance(place, int):
            positional[place] = value
        else:
            words[place] = value
    return tuple(positional), words
