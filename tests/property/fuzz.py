"""`make fuzz N=20000`: draw as many new programs as asked, in several processes; show what fails.

    python -m tests.property.fuzz --count 20000 --seed 7 --jobs 2 --keep-going
    python -m tests.property.fuzz --count 2000 --device opencl:0 --target opencl-gpu

There are four families, N programs of each: `values` (what operations compute), `strided` (views,
casts, pointwise and in-place operations: sizes, strides, offsets, aliasing, values), `guarded`
(N of both, in memory that ends or begins at pages which nobody may touch) and `gradients` (those
of values, against finite differences; `--library` names another library, such as
tests.conformance.torch.torch_as_library, that is differentiated instead). It stops at the first
failure, which is shrunk and printed as Python to paste; with --keep-going at the end, with one
program for each kind of failure.

With --device a program runs on the CPU first, and then on that device, which must give the same
bits. On an OpenCL device that is no GPU, half of the programs follow the schedule for GPUs. There
is one family more, `patterns`: elementwise rows and casts on thousands of bit patterns.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from random import SystemRandom

import trilith as tri
from trilith.runtime.devices.base import kernel_target

from .devices.families import DeviceStrided, DeviceValues
from .devices.on_device import TARGETS, TestedDevice
from .devices.patterns import DevicePatterns
from .equality import Equal
from .gradients.family import GradientPrograms
from .memory.families import GuardedStrided, GuardedValues
from .runner import Family, run
from .strided.family import StridedPrograms
from .values.family import ValuePrograms

#: A family, and which share of the programs it gets: the number of it among so many.
Share = tuple[Family, int, int]


def _families(options: argparse.Namespace) -> list[Share]:
    has_values = options.family in ("all", "values")
    has_strided = options.family in ("all", "strided") and options.operation is None
    has_patterns = options.family in ("all", "patterns") and options.operation is None
    found: list[Share] = []
    if options.device == "cpu":
        found += [(ValuePrograms(options.operation), 0, 1)] * has_values
        found += [(StridedPrograms(), 0, 1)] * has_strided
        if options.family in ("all", "guarded") and options.operation is None:
            found += [(GuardedValues(None), 0, 1), (GuardedStrided(), 0, 1)]
        if options.family in ("all", "gradients"):
            found.append((GradientPrograms(options.operation, options.library), 0, 1))
        return found
    targets = targets_of(options.device)
    if options.target:
        targets = [options.target]
    for number, target in enumerate(targets):
        device = TestedDevice(options.device, target)
        found += [(DeviceValues(options.operation, device), number, len(targets))] * has_values
        found += [(DeviceStrided(device), number, len(targets))] * has_strided
        found += [(DevicePatterns(device), number, len(targets))] * has_patterns
    return found


def targets_of(device: str) -> list[str]:
    """Return the schedules to try on a device: a GPU's own, or both; exits if there is none.

    Asks in a process of its own: those that are forked from this one could not use the device.
    """
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.apply(target_of, (device,))
    if found.startswith("error"):
        raise SystemExit(f"make fuzz DEVICE={device}: {found.partition(' ')[2]}")
    return [found] if found == "opencl-gpu" else list(TARGETS)


def target_of(device: str) -> str:
    """Return the schedule of kernels for a device, or "error" and why there is none."""
    try:
        return kernel_target(tri.device(device))
    except tri.TrilithError as error:
        return f"error {error}"


def _part(count: int, number: int, parts: int) -> range:
    return range(count * number // parts, count * (number + 1) // parts)


def _run_one(family: Family, options: argparse.Namespace) -> bool:
    """Check one program in this process; return whether it fails."""
    print(family.text(options.seed, options.only), flush=True)
    counts = family.counts()
    found = family.check(options.seed, options.only, counts)
    print(found.text if found else "holds")
    return found is not None


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="programs to draw of each family")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**9))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--keep-going", action="store_true", help="collect different failures")
    families = ("all", "values", "strided", "guarded", "gradients", "patterns")
    parser.add_argument("--family", choices=families, default="all")
    parser.add_argument("--operation", help="programs of this one operation")
    parser.add_argument("--library", default="trilith", help="what is differentiated")
    parser.add_argument("--device", default="cpu", help="the device to compare with the CPU")
    parser.add_argument("--target", choices=TARGETS, help="the only schedule of its kernels")
    parser.add_argument("--only", type=int, help="check this one program of the seed")
    return parser.parse_args()


def main() -> int:
    """Parse the command line, run, print the counts; 1 if a program failed."""
    options = _parse()
    print(f"seed {options.seed}", file=sys.stderr, flush=True)
    has_failed = False
    equal = Equal()
    # PoCL would keep what it builds in the user's cache, without a limit.
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(POCL_CACHE_DIR=folder, POCL_KERNEL_CACHE="0")
        for family, number, parts in _families(options):
            if options.only is not None and options.device == "cpu":
                has_failed |= _run_one(family, options)
                continue
            numbers = _part(options.count, number, parts)
            if options.only is not None:
                # In a process of its own: the plans of one schedule are not those of the other.
                print(family.text(options.seed, options.only), flush=True)
                numbers = range(options.only, options.only + 1)
            summary = run(family, options.seed, numbers, options.jobs, options.keep_going)
            print(summary.report(), flush=True)
            has_failed |= bool(summary.found)
            equal.add(summary.counts.equal)
            if has_failed and not options.keep_going:
                break
    if options.device != "cpu":
        print(equal.line(options.device))
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
