"""Measure trilith against NumPy, and against torch, jax, numba and numexpr where installed.

Everything runs on one thread, each library in a process of its own, in turns; the tables give
medians. Those for threads and for OpenCL use all cores; tinygrad, pytato and pyopencl take part in
the latter. `make bench` runs all of it (about 15 minutes, much of it torch.compile); `--quick` is a
shorter run with fewer sizes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from machine import describe, pin
from registry import PEERS
from report import header, section_data, section_text
from session import FULL, QUICK, TINY, Section, Session

SECTIONS = (
    *("start", "latency", "calls", "sizes", "chains", "reductions", "moves"),
    *("products", "pipeline"),
    *("contractions", "models", "gradients", "sparse", "operations", "functions", "scale"),
    "threads",
    *("opencl", "opencl_products", "opencl_start"),
)
DEFAULT_PEERS = [name for name in PEERS if name != "trilith eager"]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", metavar="NAME", choices=SECTIONS, action="append", help=" ".join(SECTIONS)
    )
    parser.add_argument(
        "--peers", metavar="NAME,NAME", default=",".join(DEFAULT_PEERS), help="default: %(default)s"
    )
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument("--quick", action="store_true", help="fewer sizes, shorter samples")
    effort.add_argument("--tiny", action="store_true", help="only see whether everything runs")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the times, in ns")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print tables, and return how many things failed."""
    options = parse(arguments)
    names: list[str] = options.peers.split(",")
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        print(f"no such peer: {', '.join(unknown)}; there are {', '.join(PEERS)}", file=sys.stderr)
        return 2
    effort = TINY if options.tiny else QUICK if options.quick else FULL
    machine, pinned = describe(), pin()
    session = Session(effort, names)
    sections: list[Section] = []
    try:
        versions = session.versions()
        print(header(machine, versions, pinned), flush=True)
        for name in options.only or SECTIONS:
            module: Any = import_module(f"bench_{name}")
            section: Section = module.measure(session)
            sections.append(section)
            print("\n" + section_text(section, list(PEERS)), flush=True)
    finally:
        session.stop()
    if session.failures:
        print("\nwhat did not work")
        print("\n".join(f"  {failure}" for failure in session.failures))
    if options.json:
        data = {
            "machine": machine,
            "versions": versions,
            "sections": [section_data(section) for section in sections],
            "failures": session.failures,
        }
        options.json.write_text(json.dumps(data, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
