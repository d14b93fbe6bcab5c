"""How does a run become text, and data?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from session import Row, Section


def header(machine: Mapping[str, str], versions: Mapping[str, str], pinned: str) -> str:
    """Return what the times belong to."""
    lines = [f"{key + ':':13} {value}" for key, value in machine.items()]
    lines.append("threads:      1, " + pinned)
    lines.append("versions:     " + ", ".join(f"{name} {text}" for name, text in versions.items()))
    lines.append("A ratio is a peer's time divided by trilith's: above 1.00 trilith is faster.")
    return "\n".join(lines)


def section_text(section: Section, peers: Sequence[str]) -> str:
    """Return a section as tables of plain text."""
    shown = [peer for peer in peers if any(peer in row.rounds for row in section.rows)]
    if section.bound is not None:
        return "\n".join([section.title, *_bounded_lines(section, section.bound, shown)])
    unit = section.title.partition(": ")[2][:2]
    scale = {"ms": 1e6, "ns": 1.0}.get(unit, 1e3)
    lines = [["", *shown, "numpy/ours", "best/ours", "best peer"]]
    for row in section.rows:
        times = [_number(row.time(peer), scale) for peer in shown]
        ours = section.ours if section.ours in row.rounds else "trilith eager"
        lines.append([row.name, *times, *_ratios(row, ours)])
    parts = [section.title]
    if section.rows:
        parts.append(_table(lines))
    if section.is_detailed:
        parts += _ratio_parts(section, shown)
    limited = [row for row in section.rows if row.limits is not None]
    if limited:
        parts.append(_table(_limit_lines(limited)))
    bounded = [row for row in section.rows if row.roofline is not None]
    if bounded:
        parts.append(_table(_roofline_lines(bounded, shown, section.ours)))
    parts += [f"  {note}" for note in section.notes]
    return "\n".join(parts)


def section_data(section: Section) -> dict[str, Any]:
    """Return a section as plain data; times in ns."""
    return {
        "title": section.title,
        "notes": section.notes,
        "rows": [
            {
                "name": row.name,
                "ns": {peer: row.time(peer) for peer in row.rounds},
                "least ns": {peer: min(times) for peer, times in row.rounds.items()},
                "limited by": row.limits and row.limits.word,
                "least ns of the machine": row.roofline and row.roofline.time,
            }
            for row in section.rows
        ],
    }


def _bounded_lines(section: Section, bound: float, peers: Sequence[str]) -> list[str]:
    """Return a table of how many times as long ours takes as the best of the others, and marks.

    A ratio is the median of those in each round, behind it that of the best rounds.
    """
    ours = [peer for peer in peers if peer.startswith("trilith")]
    lines = [["", *peers, "best peer", *(f"{peer}/best" for peer in ours), ""]]
    slow = {peer: 0 for peer in ours}
    for row in section.rows:
        best = best_peer(row)
        shown = [peer for peer in ours if best is not None and peer in row.rounds]
        ratios = {
            peer: (row.ratio(peer, str(best)), row.least_ratio(peer, str(best))) for peer in shown
        }
        # A machine that was busy for a while makes one of the two large.
        above = [peer for peer in shown if min(ratios[peer]) > bound]
        for peer in above:
            slow[peer] += 1
        cells = [
            "{:.2f} ({:.2f})".format(*ratios[peer]) if peer in ratios else "-" for peer in ours
        ]
        times = [_number(row.time(peer), 1e3) for peer in peers]
        mark = f"above {bound:g}" if above else ""
        lines.append([row.name, *times, best or "-", *cells, mark])
    total = len(section.rows)
    counts = [
        f"  {peer}: {count} of {total} take more than {bound:g} times as long as the best peer"
        for peer, count in slow.items()
    ]
    return [_table(lines), *counts, *(f"  {note}" for note in section.notes)]


def best_peer(row: Row) -> str | None:
    """Return the fastest of the others."""
    others = [peer for peer in row.rounds if not peer.startswith("trilith")]
    return min(others, key=lambda peer: row.time(peer) or math.inf, default=None)


def _ratios(row: Row, ours: str) -> list[str]:
    best = best_peer(row)
    if best is None or ours not in row.rounds:
        return ["-", "-", "-"]
    over = _ratio(row.ratio("numpy", ours)) if "numpy" in row.rounds else "-"
    return [over, _ratio(row.ratio(best, ours)), best]


def _ratio(ratio: float) -> str:
    """Return a ratio with two digits or more, so that one of 0.0012 is none of 0.00."""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def _ratio_parts(section: Section, peers: Sequence[str]) -> list[str]:
    """Return a table of every peer's ratio: the median of the rounds, and that of the best ones."""
    others = [peer for peer in peers if peer != section.ours]
    lines = [[f"times as long as {section.ours}", *others]]
    for row in section.rows:
        if section.ours in row.rounds and len(row.rounds) > 1:
            cells = [_both_ratios(row, peer, section.ours) for peer in others]
            lines.append([row.name, *cells])
    return [_table(lines)] if len(lines) > 1 else []


def _both_ratios(row: Row, peer: str, ours: str) -> str:
    if peer not in row.rounds:
        return "-"
    return f"{row.ratio(peer, ours):.2f} ({row.least_ratio(peer, ours):.2f})"


def _limit_lines(rows: Sequence[Row]) -> list[list[str]]:
    lines = [["what limits ours", "GB/s", "of a plain move", "ns/element", "call, us", "mostly"]]
    for row in rows:
        found = row.limits
        assert found is not None
        lines.append(
            [
                row.name,
                f"{found.bandwidth:.1f}",
                f"{100 * found.fraction:.0f} %",
                f"{found.time / found.elements:.3f}",
                f"{found.calling / 1e3:.2f}",
                found.word,
            ]
        )
    return lines


def _roofline_lines(rows: Sequence[Row], peers: Sequence[str], ours: str) -> list[list[str]]:
    """Return how many operations on floats each library makes, and what the machine can do."""
    lines = [["GFLOP/s", *peers, "a loop", "least, us", "bound by", f"{ours} reaches"]]
    for row in rows:
        found = row.roofline
        assert found is not None
        times = [row.time(peer) for peer in peers]
        rates = [f"{2 * found.steps / time:.1f}" if time else "-" for time in times]
        loop = f"{2 * found.steps / found.adding:.1f}" if found.adding else "-"
        least = found.time
        own = row.time(ours)
        share = f"{100 * least / own:.0f} %" if own else "-"
        lines.append([row.name, *rates, loop, _number(least, 1e3), found.word, share])
    return lines


def _number(nanoseconds: float | None, scale: float) -> str:
    """Return a time with about three digits."""
    if nanoseconds is None:
        return "-"
    value = nanoseconds / scale
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f}"


def _table(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  "
        + "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
