"""What came of a run, by operation, dtype and kind, and how is it printed?

A kind says what a case came to. `pass` and `ok-error` (torch raised, and so did trilith) are good;
FAILURES are not; `unsupported` (trilith raised NotImplementedError, or lacks a dtype or a layout)
and `beyond-torch` (torch has no kernel, trilith computes) are counted apart. `cpu` is an answer
like torch's on a device, but not with the very bits or words of the CPU.
"""

import json
import pathlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from ..bits import Tally

FAILURES = (
    *("dtype", "shape", "stride", "offset", "value", "structure", "layout", "device", "alias"),
    *("mutation", "unexpected-error", "missing-error", "wrong-error", "crash", "timeout"),
    "cpu",
)
COLUMNS = ("cases", "pass", "ok-error", "fail", "unsupported")

#: Failures of one operation that are kept; all of them are counted.
KEPT = 400


@dataclass(frozen=True)
class Failure:
    """One case that is not good: what differs, and the arguments in short."""

    kind: str
    mode: str
    dtype: str
    sample: str
    detail: str


@dataclass
class Result:
    """What came of one operation: counts by (kind, dtype), failures, reasons of `unsupported`."""

    name: str
    family: str
    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    failures: list[Failure] = field(default_factory=list[Failure])
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    is_missing: bool = False
    tally: Tally = field(default_factory=Tally)

    def add(self, kind: str, dtype: str, failure: Failure | None = None) -> None:
        """Count one case."""
        self.counts[kind, dtype] += 1
        if failure is None:
            return
        if kind == "unsupported":
            self.reasons[reason(failure.detail), dtype] += 1
        elif kind in FAILURES and len(self.failures) < KEPT:
            self.failures.append(failure)

    def row(self, dtypes: Iterable[str]) -> Counter[str]:
        """Return the columns of the table for some dtypes; "" stands for a whole operation."""
        chosen = {*dtypes, ""}
        kinds: Counter[str] = Counter()
        for (kind, dtype), count in self.counts.items():
            if dtype in chosen:
                kinds["fail" if kind in FAILURES else kind] += count
        kinds["cases"] = kinds["pass"] + kinds["ok-error"] + kinds["fail"]
        return kinds


def reason(detail: str) -> str:
    """Return the first line of a text without numbers, so that like texts are one reason."""
    return re.sub(r"\d+", "N", detail.splitlines()[0] if detail else "")[:160]


def failed(name: str, family: str, kind: str, detail: str) -> Result:
    """Return the result of an operation whose process crashed or was stopped."""
    result = Result(name, family)
    result.add(kind, "", Failure(kind, "", "", "", detail))
    return result


def heading() -> str:
    """Return the first line of the table."""
    return f"{'operation':42}" + "".join(f"{name:>12}" for name in COLUMNS)


def line(name: str, row: Counter[str]) -> str:
    """Return one line of the table."""
    return f"{name:42}" + "".join(f"{row[column]:12}" for column in COLUMNS)


def lines_of(result: Result, dtypes: Sequence[str], show: int) -> list[str]:
    """Return an operation's line of the table, and its first failures that differ."""
    if result.is_missing:
        return [f"  {result.name:40}{'missing':>12}"]
    lines = [line(f"  {result.name}", result.row(dtypes))]
    for failure in first_of_each(result.failures)[:show]:
        detail = " ".join(failure.detail.split())[:200]
        lines.append(f"      {failure.kind}: {detail}")
        lines.append(f"        {failure.dtype} {failure.mode}: {failure.sample}")
    return lines


def first_of_each(failures: Iterable[Failure]) -> list[Failure]:
    """Return failures that differ in kind or detail, different kinds first."""
    kinds: dict[str, Failure] = {}
    details: dict[str, Failure] = {}
    for failure in failures:
        kinds.setdefault(failure.kind, failure)
        details.setdefault(failure.detail, failure)
    first = list(kinds.values())
    return first + [failure for failure in details.values() if failure not in first]


def summary(results: Sequence[Result], title: str, dtypes: Sequence[str]) -> list[str]:
    """Return the totals for some dtypes: cases, kinds of failures, reasons of `unsupported`."""
    total: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for result in results:
        total += result.row(dtypes)
        for (kind, dtype), count in result.counts.items():
            if kind in FAILURES and dtype in {*dtypes, ""}:
                kinds[kind] += count
        for (text, dtype), count in result.reasons.items():
            if dtype in dtypes:
                reasons[text] += count
    share = 100 * total["unsupported"] / max(1, total["cases"] + total["unsupported"])
    lines = ["", f"{len(dtypes)} {title}", heading(), line("all operations", total)]
    lines.append(f"  unsupported: {share:.1f} % of all cases")
    lines += [f"  {count:8}  {text}" for text, count in reasons.most_common(30)]
    if kinds:
        shown = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        lines.append(f"  failures by kind: {shown}")
    if total["beyond-torch"]:
        lines.append(
            f"  beyond torch (it has no kernel, trilith computes): {total['beyond-torch']}"
        )
    return lines


def total_of(results: Iterable[Result]) -> Tally:
    """Return the tally of all operations."""
    total = Tally()
    for result in results:
        total.add(result.tally)
    return total


def missing(results: Iterable[Result]) -> list[str]:
    """Return the names of the operations that the library lacks."""
    return [result.name for result in results if result.is_missing]


def write(path: pathlib.Path, results: Iterable[Result], about: Mapping[str, object]) -> None:
    """Write everything as JSON; counts are [kind, dtype, count]."""
    operations = {
        result.name: {
            "family": result.family,
            "missing": result.is_missing,
            "bits": asdict(result.tally),
            "counts": [[*key, count] for key, count in sorted(result.counts.items())],
            "unsupported": [[*key, count] for key, count in result.reasons.most_common()],
            "failures": [asdict(failure) for failure in result.failures],
        }
        for result in results
    }
    path.write_text(json.dumps({**about, "operations": operations}, indent=1), encoding="utf-8")
