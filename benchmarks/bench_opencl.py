"""How fast are kernels on an OpenCL device, beside NumPy and other OpenCL libraries?"""

from __future__ import annotations

from dataclasses import replace

from machine import all_cores
from processes import PeerError, nothing_cached, run_fresh
from registry import ON_OPENCL, PEERS
from session import Row, Section, Session

OURS = "trilith opencl:0"
VECTORS = ("tanh(2x + y)*exp(-y*y) + x", "sum of all")
MATRIX = "x.T + y"
#: A launch costs the same for few elements; small ones leave the device's threads little to do.
SMALL = (8, 8)

DEVICE = """
import json
import trilith as tri
try:
    devices = tri.opencl.devices()
    names = [f"{device.name}, {device.platform} {device.driver}" for device in devices]
    print(json.dumps({"name": names[0]} if names else {"refused": "there is no OpenCL device"}))
except tri.TrilithError as error:
    print(json.dumps({"refused": error.message}))
"""


def measure(session: Session) -> Section:
    """Return the table."""
    section = Section(
        "opencl: us, float32, all cores, arrays on the device, until it has finished",
        ours=OURS,
        is_detailed=True,
    )
    with all_cores(), nothing_cached() as changes:
        device = opencl_device(section, changes)
        if device is None:
            return section
        section.notes.append(f"device: {device}")
        # The load of a machine changes within a run: more rounds, each with all contenders.
        effort = replace(session.effort, rounds=2 * session.effort.rounds)
        own = Session(effort, session.names, ON_OPENCL, changes)
        try:
            _kernels(own, section)
            _enqueueing(own, section)
        finally:
            own.stop()
            session.failures += own.failures
    return section


def opencl_device(section: Section, changes: dict[str, str]) -> str | None:
    """Return the name of the device; where it is refused a note says why."""
    try:
        found: dict[str, str] = run_fresh(DEVICE, **changes)
    except PeerError as error:
        found = {"refused": str(error)}
    if "refused" in found:
        section.notes.append(f"not measured: {found['refused']}")
    return found.get("name")


def _kernels(session: Session, section: Section) -> None:
    elements, side = session.effort.opencl
    section.notes.append(_versions(session))
    section.notes += [
        f"{name}: not installed ({PEERS[name].install})"
        for name in session.names
        if name in ON_OPENCL and not PEERS[name].is_installed()
    ]
    cases = [(f"{name}, n = {elements}", name, (elements,)) for name in VECTORS]
    for title, program, shape in [*cases, (f"{MATRIX}, {side} x {side}", MATRIX, (side, side))]:
        row = session.compare(title, program, shape)
        session.limits(row, program, shape, OURS)
        section.rows.append(row)


def _versions(session: Session) -> str:
    versions = session.versions()
    return "versions: " + ", ".join(f"{name} {text}" for name, text in versions.items())


def _enqueueing(session: Session, section: Section) -> None:
    if OURS not in session.peers:
        return
    session.progress(f"enqueueing: {OURS}")
    busy = [VECTORS[0], [session.effort.opencl[0]]]
    for title, behind in (("behind other work", busy), ("on an idle device", None)):
        found = session.ask(
            OURS,
            "enqueue",
            program="normalisations",
            shape=SMALL,
            calls=10,
            rounds=3 * session.effort.rounds,
            behind=behind,
        )
        if found is not None:
            name = f"enqueueing {title}, per kernel of {found['kernels']}"
            times = [time / found["kernels"] for time in found["times"]]
            section.rows.append(Row(name, {OURS: times}))
            section.notes.append(f"{name}, the best round: {min(times) / 1e3:.2f} us")
