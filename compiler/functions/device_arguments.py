"""How do arguments in host memory get to the device that a function is compiled for, and back?

What the function does to them there, the host finds done when the call is over, as if the function
had run on the host: see `Mover.bring_back`. Results stay on the device.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from ...dialects.attributes.device import Device, cpu, home_of
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.diagnostics import TrilithError, TrilithRuntimeError
from ...dialects.locks import imported
from ...dialects.records import record
from ...runtime.devices.base import allocate, copy_between
from ...runtime.execution.storage import UntypedStorage
from ...runtime.tensors.moved_storage import Region, regions_of
from ...runtime.tensors.tensor import Tensor, adopt
from ..trace.operands import as_operand
from ..trace.pytree import flatten
from .twins import Twins


def taker_of(name: str | None) -> Device | None:
    """Return the device of a name, as it is now, if programs for it take host arguments there.

    >>> taker_of("opencl"), taker_of("cpu"), taker_of(None)
    (device(type='opencl', index=0), None, None)
    """
    if name is None:
        return None
    device = Device(name)
    target = imported("..targets.table", __package__).target_of_type(device.type)
    return home_of(device) if target is not None and target.takes_host_arguments else None


def refuse_elsewhere(specs: Iterable[TensorSpec | ScalarSpec], name: str | None) -> None:
    """Refuse tensors of an accelerator that a function is not compiled for.

    Only what lies on the host is moved: from a device one would have to wait for it.
    """
    if name is None:
        return
    home = home_of(Device(name))
    for spec in specs:
        if isinstance(spec, TensorSpec):
            device = spec.device
            if device.has_indices and device is not home:
                raise TrilithRuntimeError(
                    f"an argument is on {device}, but the function is compiled for {home}",
                    hint=f"pass its copy, .to('{home}'), or leave device= away: then the function "
                    "runs where its arguments are",
                )


@record(frozen=False)
class _Pair:
    """A tensor of the host, what stands for it, and what that looked at at first."""

    original: Tensor
    copy: Tensor
    spec: TensorSpec
    memory: UntypedStorage
    offset: int

    @property
    def is_changed(self) -> bool:
        """Whether the function has made the tensor look at something else."""
        copy = self.copy
        is_same = copy.spec is self.spec and copy.memory is self.memory
        return not is_same or copy.offset != self.offset


class Mover:
    """Moves the host's tensors and arrays to a device for one call, each storage once."""

    def __init__(self, device: Device) -> None:
        """Move nothing yet."""
        self.device = device
        self._regions: list[Region] = []
        self._pairs = pairs = dict[int, _Pair]()
        #: What came to the host for storages that the function made, by their id.
        self._brought: dict[int, UntypedStorage] = {}
        # Not a method: in a cycle the memory would wait for the collector.
        self._twins = Twins(lambda leaf: pairs[id(leaf)].copy if id(leaf) in pairs else leaf)

    def move(
        self, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments with those of the host on the device."""
        leaves: list[Any] = []
        flatten((arguments, keywords), leaves)
        found = {id(leaf): tensor for leaf in leaves if (tensor := self._movable(leaf)) is not None}
        self._regions = regions_of(found.values(), self.device)
        there = {id(moved.host): moved.there for region in self._regions for moved in region.group}
        for number, tensor in found.items():
            self._pairs[number] = self._pair(tensor, there[id(tensor.memory)])
        return self._twins.of((arguments, keywords))

    def bring_back(self) -> None:
        """Let the host's tensors, lists and dicts be what the function made of those it was given.

        If a kernel has failed, that is raised after all is back.
        """
        failure: TrilithError | None = None
        for region in self._regions:
            try:
                region.bring_back()
            except TrilithError as error:
                failure = failure or error
                with contextlib.suppress(TrilithError):
                    region.bring_back()  # what a kernel has reported is raised once
        self._count_versions()
        for pair in self._pairs.values():
            if pair.is_changed:
                self._change(pair)
        self._twins.bring_back()
        if failure is not None:
            raise failure

    def _movable(self, leaf: Any) -> Tensor | None:
        """Return a leaf as the tensor of the host that it is, None for anything else."""
        tensor = as_operand(leaf)
        if not isinstance(tensor, Tensor) or not tensor.device.has_values:
            return None
        if tensor.device.is_host:
            return tensor
        refuse_elsewhere([tensor.spec], str(self.device))
        return None

    def _pair(self, tensor: Tensor, memory: UntypedStorage) -> _Pair:
        spec = _on(self.device, tensor.spec)
        return _Pair(tensor, adopt(memory, spec, tensor.offset), spec, memory, tensor.offset)

    def _count_versions(self) -> None:
        """Count the writes on the host, too."""
        for region in self._regions:
            for moved in region.group:
                for _ in range(moved.there.version):
                    moved.host.bump()
        counters: set[int] = set()
        for pair in self._pairs.values():
            state = pair.original.state
            if state is not None and state.versions is not None:
                if id(state.versions) not in counters:
                    counters.add(id(state.versions))
                    state.versions.value += pair.memory.version

    def _change(self, pair: _Pair) -> None:
        """Let a tensor of the host look at what its copy looks at now."""
        memory = self._home_of(pair.copy.memory)
        pair.original.take_over(memory, _on(cpu, pair.copy.spec), pair.copy.offset)

    def _home_of(self, memory: UntypedStorage) -> UntypedStorage:
        """Return the host's storage that another stands for, or a copy of it there."""
        for region in self._regions:
            for moved in region.group:
                if moved.there is memory:
                    return moved.host
        if id(memory) not in self._brought:
            brought = allocate(memory.length, cpu)
            copy_between(memory, 0, brought, 0, memory.length)
            self._brought[id(memory)] = brought
        return self._brought[id(memory)]


def _on(device: Device, spec: TensorSpec) -> TensorSpec:
    """Return a spec with another device."""
    return TensorSpec.of(
        spec.shape, spec.dtype, device, spec.strides, spec.layout, is_conj=spec.is_conj
    )


def are_all_on(device: Device, arguments: tuple[Any, ...]) -> bool:
    """Tell whether all arguments are tensors of the device, so that none has to move."""
    return all(type(value) is Tensor and value.device is device for value in arguments)


def restore_static(
    arguments: tuple[Any, ...], keywords: dict[str, Any], static: tuple[tuple[int | str, Any], ...]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Put static arguments back among the others.

    >>> restore_static((None, 2), {"n": None}, ((0, 1), ("n", 3)))
    ((1, 2), {'n': 3})
    """
    positional, words = list(arguments), dict(keywords)
    for which, value in static:
        if isinstance(which, int):
            positional[which] = value
        else:
            words[which] = value
    return tuple(positional), words
