"""What is said of a fault that a kernel reports, and of which line of the program?

A launch of a compiled function knows the lines of its operations. An operation that is called by
itself has one plan for all the lines that call it: the line is that of the call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from ..dialects.attributes.faults import FAULT_ERRORS, FAULTS
from ..dialects.diagnostics import InternalError, Location, TrilithError, user_location
from .devices.base import DeviceRuntime, ErrorMaker
from .execution.artifact import Launch

#: How many lines are remembered that have launched one kernel on a device.
MOST_LINES = 256


def fault_error(
    launch: Launch, fault: int, position: int, details: tuple[int, int, int]
) -> TrilithError:
    """Return the error for a status word, with the line of the operation that failed."""
    if not 0 < fault <= len(FAULTS):
        return InternalError(f"a kernel reported the unknown fault {fault} at {position}")
    locations = launch.locations
    location = locations[position] if 0 <= position < len(locations) else None
    kind, message = FAULT_ERRORS[FAULTS[fault - 1]]
    return kind(message.format(*details), location=location)


def error_maker(launch: Launch, runtime: DeviceRuntime) -> Callable[[], ErrorMaker]:
    """Return what gives the maker of errors of a launch that is made now.

    A device tells of a fault at a later line, so the line that launches is remembered; launches of
    one line have one maker.
    """
    maker = partial(fault_error, launch)
    if runtime.device.is_host or any(launch.locations):
        return lambda: maker

    @lru_cache(MOST_LINES)
    def of_line(location: Location | None) -> ErrorMaker:
        def make(fault: int, position: int, details: tuple[int, int, int]) -> TrilithError:
            return maker(fault, position, details).at(location)

        return make

    return lambda: of_line(user_location())
