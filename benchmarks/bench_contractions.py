"""How fast are products of matrices of other shapes, and convolutions, beside NumPy and torch?"""

from __future__ import annotations

import numpy as np
from product_programs import PRODUCTS
from session import TINY, Row, Section, Session


def measure(session: Session) -> Section:
    """Return the table; below it, operations on floats in a second, beside what the machine can."""
    section = Section("contractions: us, float32 unless said")
    peers = [peer for peer in ("trilith",) if peer in session.peers] + session.eager_peers()
    for name in [*PRODUCTS][:: 8 if session.effort is TINY else 1]:
        ready = session.prepare(name, peers, "prepare_operation", program=name, side=0)
        times = session.in_turns(ready, "measure", seconds=session.effort.seconds, least=1)
        row = Row(name, times)
        section.rows.append(row)
        session.roofline(row, PRODUCTS[name].steps, np.dtype(PRODUCTS[name].dtype).name)
    return section
