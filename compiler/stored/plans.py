"""Where do plans stay between processes? In the disk cache, under all that they depend on.

Plans of one kind of call are numbered: each has guards, and the first whose guards take the numbers
of a call runs it. What is found is proven before it runs, as an artifact that comes from anywhere
is; what is damaged, or for other sizes, is no plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ...dialects.attributes.device import cpu
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithError
from ...dialects.digests import blake2b
from ...dialects.locks import imported
from ...dialects.records import replace
from ...runtime.devices.cpu import vouch_for
from ...runtime.execution.artifact import Artifact, HostCall, Launch
from ...runtime.execution.sizes_form import StoredPlan, decode_plan, decode_plan_at, encode_plan
from ..afterwards import AFTERWARDS
from .environment import Environment, environment

Found = TypeVar("Found")

#: Plans for one key.
MOST_PLANS = 16

#: Environments whose rows this process has written down.
_WRITTEN_DOWN: set[str] = set()


class StoredPlans:
    """The plans on the disk for one kind of call, which a text describes."""

    __slots__ = ("_digest", "_environment", "_next")

    def __init__(self, around: Environment, text: str) -> None:
        self._environment = around
        content = f"{around.digest}\n{text}".encode()
        self._digest = blake2b(content, digest_size=24).hexdigest()
        self._next = 0

    @property
    def count(self) -> int:
        """How many plans `find` has met that were not what was wanted."""
        return self._next

    def find(self, numbers: Sequence[int], leasts: Sequence[int | None]) -> StoredPlan | None:
        """Return the first plan that takes these numbers, whose least values are known."""

        def read(data: bytes) -> StoredPlan | None:
            found = decode_plan(data, numbers, leasts)
            return found if _is_here(found.artifact) else None

        return self._first(read)

    def find_at(self, numbers: Sequence[int]) -> tuple[Artifact, dict[str, Any]] | None:
        """Return the first plan that takes these numbers, for these alone, and its notes."""

        def read(data: bytes) -> tuple[Artifact, dict[str, Any]] | None:
            artifact, notes = decode_plan_at(data, numbers)
            return (artifact, notes) if _is_here(artifact) else None

        return self._first(read)

    def _first(self, read: Callable[[bytes], Found | None]) -> Found | None:
        """Return what the first plan is that can be read."""
        for number in range(MOST_PLANS):
            self._next = number
            data = self._environment.disk.get(self._key(number))
            if data is None:
                return None
            try:
                found = read(data)
            except TrilithError:
                continue
            if found is not None:
                return found
        self._next = MOST_PLANS
        return None

    def put(
        self,
        artifact: Artifact,
        env: ShapeEnv,
        notes: Mapping[str, Any],
        numbers: Sequence[int],
    ) -> None:
        """Store a plan that takes these numbers, after those that `find` has met, if it can be.

        One with code that was made in a hurry is stored when there is better code.
        """
        if not is_storable(artifact):
            return

        def put_unless_found() -> None:
            # Another plan may have taken the place since it was looked for.
            if self.find_at(numbers) is None:
                self._put(artifact, env, notes)

        if any(kernel.at_hand().better is not None for kernel in artifact.kernels):
            AFTERWARDS.add(put_unless_found)
        else:
            self._put(artifact, env, notes)

    def _put(self, artifact: Artifact, env: ShapeEnv, notes: Mapping[str, Any]) -> None:
        around = self._environment
        if self._next >= MOST_PLANS:
            return
        rows = imported(".written_rows", __package__)
        if rows.are_shipped():
            data = encode_plan(without_lines(artifact), env, notes)
            around.disk.put(self._key(self._next), data, around.maker)
            if around.digest not in _WRITTEN_DOWN:
                _WRITTEN_DOWN.add(around.digest)
                rows.store_known_rows(around)

    def notes(self) -> bytes | None:
        """Return what is noted of this kind of call, whatever its sizes."""
        return self._environment.disk.get(f"notes {self._digest}")

    def put_notes(self, data: bytes) -> None:
        """Note something of this kind of call."""
        if imported(".written_rows", __package__).are_shipped():
            self._environment.disk.put(f"notes {self._digest}", data, self._environment.maker)

    def _key(self, number: int) -> str:
        return f"plan {self._digest} {number}"


def stored_plans(text: str | None) -> StoredPlans | None:
    """Return the plans for a kind of call; None if this process keeps none, or there is no text."""
    around = None if text is None else environment()
    return None if around is None or text is None else StoredPlans(around, text)


def _is_here(artifact: Artifact) -> bool:
    """Whether an artifact is for this host; its key says so of its kernels."""
    if not is_storable(artifact):
        return False
    for kernel in artifact.kernels:
        vouch_for(kernel.target)
    return True


def is_storable(artifact: Artifact) -> bool:
    """Whether all of a plan is on the host.

    >>> is_storable(Artifact("empty", (), (), (), (), ()))
    True
    """
    return artifact.is_on_one_device and artifact.device is cpu


def without_lines(artifact: Artifact) -> Artifact:
    """Return an artifact without the lines of the program that it was made for.

    A fault is then said of the line that calls.
    """
    launches = tuple(
        replace(launch, locations=(None,) * len(launch.locations))
        if isinstance(launch, Launch)
        else replace(launch, location=None)
        if isinstance(launch, HostCall)
        else launch
        for launch in artifact.launches
    )
    return replace(artifact, launches=launches)
