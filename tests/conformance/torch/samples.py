"""What does trilith make of torch's own OpInfo samples, eagerly and through compile()?

torch's OpInfo database is part of its wheel, but not public API: the version is pinned.
"""

import pathlib
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_map

from .. import bits
from .comparison import Difference, compare, compare_aliasing, compare_mutation, judge_error
from .library import (
    CORE_DTYPES,
    OTHER_DTYPES,
    Library,
    Missing,
    Unsupported,
    described,
    quiet,
    resolved,
    tensors_in,
)
from .report import FAILURES, Failure, Result
from .ties import compare_with_ties

LIST = pathlib.Path(__file__).parent / "core_ops.txt"


@dataclass(frozen=True)
class Entry:
    """One line of core_ops.txt with its OpInfo."""

    name: str
    family: str
    flags: frozenset[str]
    operation: Any


@dataclass(frozen=True)
class Choice:
    """What is run: modes ("eager", "compiled", "arguments"), dtypes, samples for each op and dtype.

    Of all cases of an operation `drawn` are run, chosen by the seed; 0 means all of them. What is
    done with a sample is a class, by itself `Case`.
    """

    library: str = "trilith"
    device: str = "cpu"
    modes: tuple[str, ...] = ("eager", "compiled")
    dtypes: tuple[str, ...] = CORE_DTYPES + OTHER_DTYPES
    samples: int = 1000
    seed: int = 0
    drawn: int = 0
    case: "type[Case] | None" = None


def entries(which: str = "core") -> list[Entry]:
    """Return the entries of the list ("core", "extra" or "all"), in its order."""
    known = {f"{info.name}.{info.variant_test_name}".removesuffix("."): info for info in op_db}
    found: list[Entry] = []
    family = ""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0].startswith("["):
            family = words[0].strip("[]")
        elif which in ("all", "extra" if family.startswith("extra/") else "core"):
            found.append(Entry(words[0], family, frozenset(words[1:]), known[words[0]]))
    return found


def seed_all(text: str) -> None:
    """Make the samples of an operation and dtype the same in every run."""
    seed = zlib.crc32(text.encode())
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)


def run(entry: Entry, choice: Choice) -> Result:
    """Run every sample of an operation; the result can be sent between processes."""
    torch.set_num_threads(1)
    result = Result(entry.name, entry.family)
    library = Library(choice.library, choice.device)
    host = Library(choice.library) if is_computing(choice.device) else None
    try:
        function = library.operation(entry.operation)
    except Missing:
        result.is_missing = True
        return result
    case = choice.case or Case
    cases = [
        case(library, host, entry, function, name, sample, result)
        for name in choice.dtypes
        for sample in samples_of(entry, name, choice, result)
    ]
    if 0 < choice.drawn < len(cases):
        seed_all(f"{choice.seed} {entry.name}")
        cases = random.sample(cases, choice.drawn)
    if host is not None:
        for case in cases:
            case.prepare()
    for case in cases:
        case.run(choice.modes)
    return result


def samples_of(entry: Entry, name: str, choice: Choice, result: Result) -> list[Any]:
    """Return the samples of an operation for a dtype, the same in every run."""
    dtype = getattr(torch, name)
    case = choice.case or Case
    if not case.has_samples(entry, dtype, choice.modes):
        return []
    seed_all(f"{choice.seed} {entry.name} {name}")
    samples, error = quiet(
        _plain_samples, entry.operation, dtype, choice.samples, case.requires_grad
    )
    if error is None:
        return samples
    result.add("no-samples", name)
    return []


def is_computing(device: str) -> bool:
    """Whether a device has results of its own, which must be those of the CPU."""
    return device.partition(":")[0] not in ("cpu", "meta")


def _plain_samples(
    operation: Any, dtype: torch.dtype, limit: int, requires_grad: bool
) -> list[Any]:
    """Return at most `limit` samples: generators may be endless or large."""
    generated = operation.sample_inputs("cpu", dtype, requires_grad=requires_grad)
    return [sample for _, sample in zip(range(limit), generated, strict=False)]


@dataclass
class Case:
    """One sample of one operation and dtype; `host` is what a device's bits are compared with."""

    library: Library
    host: Library | None
    entry: Entry
    function: Any
    dtype: str
    sample: Any
    result: Result

    #: Whether samples are asked for whose tensors require gradients.
    requires_grad: ClassVar[bool] = False

    @classmethod
    def has_samples(cls, entry: Entry, dtype: torch.dtype, modes: Sequence[str]) -> bool:
        """Whether torch has an operation for a dtype, in one of the modes."""
        return dtype in entry.operation.supported_dtypes("cpu")

    def prepare(self) -> Any:
        """Compile the call and do not run it; what cannot be compiled is built when it is run."""
        mine, error = quiet(self.library.convert, self.given())
        if error is not None:
            return None
        return quiet(self.library.prepare, self.function, (mine[0], *mine[1]), mine[2])

    def given(self) -> Any:
        """Return the arguments: the first, the other positional ones, and those with names."""
        return resolved((self.sample.input, tuple(self.sample.args), dict(self.sample.kwargs)))

    def run(self, modes: Sequence[str]) -> None:
        """Run all modes; arguments are converted before torch runs, which may change them."""
        given = self.given()
        self.shown = summary(given)
        ready: list[tuple[str, Any]] = []
        for mode in modes:
            converted, error = quiet(self.library.convert, given)
            if error is None:
                ready.append((mode, converted))
            elif isinstance(error, (Unsupported, NotImplementedError)):
                self.note("unsupported", mode, f"input: {described(error)}")
            else:
                self.note("structure", mode, f"input: {described(error)}")
        if not ready:
            return
        on_host = self.run_on_host(given)
        wanted = quiet(self.entry.operation.op, given[0], *given[1], **given[2])
        for mode, mine in ready:
            got = quiet(
                self.library.call,
                self.function,
                (mine[0], *mine[1]),
                mine[2],
                mode,
            )
            kind, detail = self.judge(wanted, got, given, mine)
            if on_host is not None:
                kind, detail = self.beside(on_host, got, mine, (kind, detail))
            self.note(kind, mode, detail)

    def run_on_host(self, given: Any) -> Any:
        """Return (arguments, (result, error)) of the same call on the CPU, or None."""
        if self.host is None:
            return None
        mine, error = quiet(self.host.convert, given)
        if error is not None:
            return None
        arguments = (mine[0], *mine[1])
        return mine, quiet(self.host.call, self.function, arguments, mine[2], "eager")

    def beside(self, on_host: Any, got: Any, mine: Any, judged: Difference) -> Difference:
        """Count the bits that differ from the CPU's; return that where nothing else is wrong."""
        host_arguments, (host_result, host_error) = on_host
        if got[1] is not None and host_error is not None:
            words, error = quiet(bits.compare_errors, host_error, got[1])
        elif got[1] is not None or host_error is not None:
            found = "no error" if got[1] is None else described(got[1])
            expected = "no error" if host_error is None else described(host_error)
            words, error = f"{found} instead of {expected} on the CPU", None
        else:
            pair, error = quiet(
                bits.compare, (host_result, host_arguments), (got[0], mine), self.has_values()
            )
            tally, words = pair or (bits.Tally(), "")
            self.result.tally.add(tally)
        if error is not None:
            words = f"reading the result raised {described(error)}"
        return ("cpu", words) if words and judged[0] not in FAILURES else judged

    def judge(
        self,
        wanted: tuple[Any, Exception | None],
        got: tuple[Any, Exception | None],
        given: Any,
        mine: Any,
    ) -> Difference:
        """Return the kind of this case, and what differs."""
        if wanted[1] is not None:
            return judge_error(wanted[1], got[1])
        if isinstance(got[1], (Unsupported, NotImplementedError)):
            return "unsupported", described(got[1])
        if got[1] is not None:
            return "unexpected-error", described(got[1])
        difference, error = quiet(self.compare, wanted[0], got[0], given, mine)
        if error is not None:
            text = f"reading the result raised {described(error)}"
            return "structure", text
        return difference or ("pass", "")

    def compare(self, wanted: Any, got: Any, given: Any, mine: Any) -> Difference | None:
        """Compare results, then what became of the arguments, then who shares storage."""
        with_values, scale = self.has_values(), self.scale()
        if "ties" in self.entry.flags and not self.sample.kwargs.get("stable"):
            name = self.entry.operation.name
            difference = compare_with_ties(self.library, name, wanted, got, given, scale)
        else:
            difference = compare(self.library, wanted, got, scale, with_values)
        if difference is not None and difference[0] == "value" and self.is_rounded_midway():
            difference = compare(self.library, self.in_double(given), got, 1.0, with_values)
        torch_inputs = tensors_in(given, torch.Tensor)
        inputs = tensors_in(mine, self.library.module.Tensor)
        if difference is None and with_values:
            difference = compare_mutation(self.library, torch_inputs, inputs)
        return difference or compare_aliasing(self.library, wanted, got, torch_inputs, inputs)

    def is_rounded_midway(self) -> bool:
        """Whether torch rounds partial results to 16 bits, which may be far from the result."""
        return "wide" in self.entry.flags and self.dtype in ("float16", "bfloat16")

    def in_double(self, given: Any) -> Any:
        """Return what torch gives for the same numbers as float64, rounded once to their dtype."""
        dtype = getattr(torch, self.dtype)

        def cast(value: Any, source: torch.dtype, target: torch.dtype) -> Any:
            def one(value: Any) -> Any:
                is_cast = isinstance(value, torch.Tensor) and value.dtype is source
                return value.to(target) if is_cast else value

            return tree_map(one, value)

        first, arguments, keywords = cast(given, dtype, torch.float64)
        result = self.entry.operation.op(first, *arguments, **keywords)
        return cast(result, torch.float64, dtype)

    def has_values(self) -> bool:
        """Whether the elements of the results are defined, and no random numbers."""
        keywords = self.sample.kwargs
        is_drawn = bool(keywords.get("training") or keywords.get("dropout_p"))
        flags = self.entry.flags
        if "phases" in flags and not self.requires_grad:
            return False
        return "novalue" not in flags and not ("drawn" in flags and is_drawn)

    def scale(self) -> float:
        """Return how many times torch.testing's tolerances this case gets."""
        if "acc" in self.entry.flags:
            return 16.0
        is_rounded_twice = "alpha" in self.entry.flags and "alpha=" in self.shown
        return 2.0 if is_rounded_twice and self.dtype in ("float16", "bfloat16") else 1.0

    def note(self, kind: str, mode: str, detail: str) -> None:
        """Count the case; keep what differs."""
        self.result.add(kind, self.dtype, Failure(kind, mode, self.dtype, self.shown, detail))


def summary(given: Any) -> str:
    """Return the arguments in one short line: `float32[2, 3]@(1, 2)` is sizes and strides."""

    def one(value: Any) -> str:
        if isinstance(value, torch.Tensor):
            is_plain = value.layout is not torch.strided or value.is_contiguous()
            strides = "" if is_plain else f"@{tuple(value.stride())}"
            return f"{str(value.dtype)[6:]}{list(value.shape)}{strides}"
        if isinstance(value, (list, tuple)):
            return "(" + ", ".join(map(one, value)) + ")"
        return repr(value)

    first, arguments, keywords = given
    named = (f"{name}={one(value)}" for name, value in keywords.items())
    return ", ".join([one(first), *map(one, arguments), *named])[:200]
