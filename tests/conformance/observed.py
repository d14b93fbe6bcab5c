"""Show and update what trilith answers otherwise than PyTorch's record: see differences.txt.

    .venv/bin/python -m tests.conformance.observed --counts
    .venv/bin/python -m tests.conformance.observed --show operands 12
    .venv/bin/python -m tests.conformance.observed --update
    .venv/bin/python -m tests.conformance.observed --update hooks backward

`--update` rewrites missing_names.txt; in differences.txt it removes the lines of rows that are
equal, and adds the rows that differ as `open`. Areas that are not evaluated are left alone.
"""

import argparse
import os
import pathlib
import sys
from collections import Counter
from collections.abc import Iterable

from trilith.dialects.attributes.device import set_accelerator

from . import differences, examples, impl_gradients, rows

MISSING = pathlib.Path(__file__).parent / "missing_names.txt"
#: Areas whose rows are no expressions.
OTHERS = {module.AREA: module for module in (examples, impl_gradients)}

HEADER = """\
# Names of PyTorch that recorded rows use and trilith does not have: area, name, rows.
# Written by `.venv/bin/python -m tests.conformance.observed --update`.
"""


def areas() -> list[str]:
    """Return the areas that are evaluated here."""
    return [*rows.record(), *OTHERS]


def outcome(area: str) -> rows.Outcome:
    """Return what came of an area."""
    return OTHERS[area].outcome() if area in OTHERS else rows.outcome(area)


def missing_lines(area: str) -> list[str]:
    """Return the lines of missing_names.txt that an area has."""
    counts = outcome(area).missing
    return [f"{area}\t{name}\t{count}" for name, count in sorted(counts.items())]


def recorded_missing_lines(area: str) -> list[str]:
    """Return the lines of missing_names.txt that stand there."""
    lines = MISSING.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith(f"{area}\t")]


def update(chosen: list[str]) -> None:
    """Rewrite what both lists say of areas, unless trilith cannot even add: all would be `open`."""
    sound = rows.answer([], {"expr": "(torch.ones(2) + 1).sum().item()"})
    if sound.text != "4.0":
        sys.exit(f"nothing is updated, trilith does not work: {sound.text}")
    known = differences.read()
    for area in chosen:
        known[area] = differences.updated(known.get(area, {}), set(outcome(area).differing))
    differences.PATH.write_text(differences.text(known), encoding="utf-8")
    missing = {area: recorded_missing_lines(area) for area in areas()}
    missing |= {area: missing_lines(area) for area in chosen}
    lines = [f"{line}\n" for area in missing.values() for line in area]
    MISSING.write_text(HEADER + "".join(lines), encoding="utf-8")


def counts(chosen: Iterable[str]) -> list[str]:
    """Return per area: rows, equal ones, rows by reason, rows by missing name."""
    lines: list[str] = []
    for area in chosen:
        found, reasons = outcome(area), differences.reasons_of(area)
        by_reason = Counter(reasons.get(row, "no line") for row in found.differing)
        shown = "".join(f", {count} {reason}" for reason, count in by_reason.most_common())
        missing = sum(found.missing.values())
        lines.append(f"{area}: {found.rows} rows, {found.equal} equal{shown}, {missing} missing")
        names = ", ".join(f"{name} {count}" for name, count in found.missing.most_common())
        lines += [f"  missing: {names}"] if names else []
    return lines


def show(area: str, row: int) -> list[str]:
    """Return a row, the recorded answer and trilith's."""
    return OTHERS[area].show(row) if area in OTHERS else rows.show(area, row)


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", nargs="*", metavar="AREA", help="rewrite both lists")
    parser.add_argument("--counts", nargs="*", metavar="AREA", help="print counts by area")
    parser.add_argument("--show", nargs=2, metavar=("AREA", "ROW"), help="print both answers")
    parser.add_argument("--open", metavar="AREA", help="print every row of an area that is open")
    options = parser.parse_args()
    os.environ.setdefault("TRILITH_CACHE", "0")
    set_accelerator(None)  # as in the tests: what a bare index means depends on the machine
    if options.update is not None:
        update(options.update or areas())
    if options.show:
        print("\n".join(show(options.show[0], int(options.show[1]))))
    if options.open:
        for row, reason in differences.reasons_of(options.open).items():
            if reason == "open":
                print("\n".join(show(options.open, row)), end="\n\n")
    if options.counts is not None:
        print("\n".join(counts(options.counts or areas())))


if __name__ == "__main__":
    main()
