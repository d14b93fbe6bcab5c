"""How fast are products and convolutions on an OpenCL device, beside NumPy and torch?"""

from __future__ import annotations

from bench_opencl import OURS, opencl_device
from machine import all_cores
from processes import nothing_cached
from product_programs import PRODUCTS
from session import MANY, TINY, UNTIL_ASLEEP, Row, Section, Session

PEERS = (OURS, "trilith", "numpy", "torch")
#: The sides of square matrices.
SIDES, TINY_SIDES = (256, 512, 1024), (20,)
CONVOLUTIONS = [name for name in PRODUCTS if name.startswith("conv")]


def measure(session: Session) -> Section:
    """Return the table; below it, operations on floats in a second, beside what the machine can."""
    section = Section(
        "opencl_products: us, float32, all threads of the machine, arrays on the device",
        ours=OURS,
        is_detailed=True,
    )
    with all_cores(), nothing_cached() as changes:
        device = opencl_device(section, changes)
        if device is None:
            return section
        section.notes.append(f"device: {device}")
        rest = 0.0 if session.effort is TINY else UNTIL_ASLEEP
        own = Session(session.effort, session.names, PEERS, changes, rest)
        try:
            _products(own, section)
        finally:
            own.stop()
            session.failures += own.failures
    return section


def _products(session: Session, section: Section) -> None:
    is_tiny = session.effort is TINY
    for side in TINY_SIDES if is_tiny else SIDES:
        row = session.compare(f"x @ y, n = {side}", "matmul", (side, side))
        section.rows.append(row)
        session.roofline(row, side**3, elements=MANY)
    for name in CONVOLUTIONS[:1] if is_tiny else CONVOLUTIONS:
        ready = session.prepare(name, None, "prepare_operation", program=name, side=0)
        ready = [peer for peer in ready if peer != "numpy"]
        row = Row(name, session.in_turns(ready, "measure", seconds=session.effort.seconds, least=1))
        section.rows.append(row)
        session.roofline(row, PRODUCTS[name].steps, elements=MANY)
