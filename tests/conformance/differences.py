"""Which recorded answers of PyTorch does trilith not give, and why?

The list is differences.txt: one line `area<TAB>row<TAB>reason` per row, rows counted from 0 as they
stand in the record; neighbours that are `open` share a line, `area<TAB>first-last<TAB>open`. A
reason is a word of REASONS. The list is exact: a row that differs without a line fails its test,
and so does a line whose row is equal.
"""

import pathlib
from collections.abc import Mapping

PATH = pathlib.Path(__file__).parent / "differences.txt"

#: What a reason means. `open` alone is work left to do; the others are decisions.
REASONS: dict[str, str] = {
    "open": "not reached yet; the aim is that no line says so",
    "bug": "PyTorch's answer is a bug that trilith does not copy",
    "cuda": "the row needs CUDA, or its text lists the backends of a PyTorch build",
    "csr": "the row uses sparse_csr, or a function of it, which trilith has not",
    "modules": "the row uses a module or a format of PyTorch's that trilith has not: utils, save",
    "warning": "PyTorch warns of what is no mistake here",
    "digits": "the last printed digit of a function differs, within its bound",
    "internals": "the row shows PyTorch's internals: hash values, pickles, underscored attributes",
    "overloads": "PyTorch lists its C++ overloads in the text; trilith names the argument",
    "offered": "PyTorch refuses what trilith offers",
    "forward": "tangents follow the graph of gradients, which is not recorded within no_grad",
    "order": "which of equal elements PyTorch takes is its algorithm's; trilith takes the first",
    "numpy": "the text or the warning comes from NumPy, and depends on its version",
    "object": "the row shows an identity or a name of a module that only PyTorch has",
}

HEADER = """\
# Recorded rows that trilith answers otherwise: area, row (from 0), reason.
# `.venv/bin/python -m tests.conformance.{module} --update` adds and removes lines; a reason other
# than `open` is written by hand, in a line of its own: it counts more than a line of several rows.
# `--show AREA ROW` prints both answers. The reasons:
"""

Differences = dict[str, dict[int, str]]


def read(path: pathlib.Path = PATH) -> Differences:
    """Return the reason of each row, by area; a line that is not understood is an error."""
    found: Differences = {}
    several: Differences = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        area, row, reason = line.split("\t")
        if reason not in REASONS:
            raise ValueError(f"{path.name}:{number}: unknown reason {reason!r}")
        first, _, last = row.partition("-")
        if last:
            several.setdefault(area, {}).update(
                dict.fromkeys(range(int(first), int(last) + 1), reason)
            )
            continue
        if int(row) in found.setdefault(area, {}):
            raise ValueError(f"{path.name}:{number}: {area} {row} stands there twice")
        found[area][int(row)] = reason
    return {area: several.get(area, {}) | found.get(area, {}) for area in {**found, **several}}


def reasons_of(area: str) -> dict[int, str]:
    """Return the rows of one area that are known to differ, with their reasons."""
    return read().get(area, {})


def runs(rows: Mapping[int, str]) -> list[tuple[int, int, str]]:
    """Return rows with their reasons, in their order: neighbours that are open as one.

    >>> runs({1: "open", 2: "open", 3: "bug", 4: "bug"})
    [(1, 2, 'open'), (3, 3, 'bug'), (4, 4, 'bug')]
    """
    found: list[tuple[int, int, str]] = []
    for row, reason in sorted(rows.items()):
        if found and reason == "open" and found[-1][1:] == (row - 1, "open"):
            found[-1] = found[-1][0], row, reason
        else:
            found.append((row, row, reason))
    return found


def text(differences: Mapping[str, Mapping[int, str]], module: str = "observed") -> str:
    """Return the file: the reasons explained, then the areas in their order, rows ascending.

    `module` is the one that updates it.
    """
    explained = [f"#   {reason}: {meaning}\n" for reason, meaning in REASONS.items()]
    lines = [
        f"{area}\t{first}{f'-{last}' if last > first else ''}\t{reason}\n"
        for area, rows in sorted(differences.items())
        for first, last, reason in runs(rows)
    ]
    return HEADER.format(module=module) + "".join([*explained, *lines])


def updated(known: Mapping[int, str], differing: set[int]) -> dict[int, str]:
    """Return the lines of an area: reasons are kept, equal rows go, new rows are `open`."""
    return {row: known.get(row, "open") for row in differing}


def mistakes(known: Mapping[int, str], differing: Mapping[int, str]) -> list[str]:
    """Return a sentence for each row that has no line, and for each line that has no use.

    `differing` gives what each row that differs looks like.
    """
    missing = [
        f"row {row} differs and has no line: {shown}"
        for row, shown in sorted(differing.items())
        if row not in known
    ]
    unused = [
        f"row {row} is equal now, or uses a missing name: remove its line ({reason})"
        for row, reason in sorted(known.items())
        if row not in differing
    ]
    return missing + unused
