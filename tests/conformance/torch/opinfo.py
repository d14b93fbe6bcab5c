"""Compare trilith with torch on torch's own OpInfo samples: `make conformance OPTIONS="..."`.

    python -m tests.conformance.torch                        # core list, all dtypes
    python -m tests.conformance.torch --family views --mode eager --samples 5
    python -m tests.conformance.torch --device opencl:0 --sample 20
    python -m tests.conformance.torch --set all --mode second-gradients
    python -m tests.conformance.torch --ops add,sum --dtypes float32,int64 --json report.json

For every operation of core_ops.txt, every dtype and every sample: run torch, run trilith (eagerly,
and through compile()), compare dtype, shape, strides, values, aliasing, storage offsets, device and
what happened to the inputs. On a device, values and words of errors must also be those of the CPU,
bit for bit. Exit code: 1 if a case failed, 2 if torch is not installed. The interpreter needs torch
and what trilith itself needs; trilith is found in `.links`.
"""

import argparse
import importlib
import importlib.metadata
import importlib.util
import os
import pathlib
import sys
import time
from typing import Any

from .processes import run_all
from .report import Result, failed, heading, lines_of, missing, summary, total_of, write

TORCH = "2.13"

#: The modes that compare gradients (`gradients.MODES`); they take few dtypes by themselves.
GRADIENTS = ("gradients", "compiled-gradients", "second-gradients", "jvp", "vmap")

#: All that `--mode` may say of gradients: the examples of PyTorch's page are not about them.
ONLY_SAMPLES = (*GRADIENTS, "differentiation")


def lacks() -> str:
    """Return what keeps this interpreter from the comparison, as a sentence; or nothing."""
    for name in ("torch", "expecttest", "numpy", "ml_dtypes", "xdsl", "llvmlite"):
        if importlib.util.find_spec(name) is None:
            return (
                f"The comparison with torch {TORCH} needs an interpreter that has {name}, and "
                f"{sys.executable} does not: `make conformance TORCH_PYTHON=path/to/python` names "
                "one that does."
            )
    found = importlib.metadata.version("torch")
    if not found.startswith(f"{TORCH}."):
        return f"The comparison needs torch {TORCH}, and {sys.executable} has {found}."
    return ""


def options_of() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--library", default="trilith", help="module to test")
    add("--ops", default="", help="comma separated names of core_ops.txt")
    add("--family", default="", help="comma separated families of core_ops.txt")
    add("--set", default="core", choices=("core", "extra", "all"), dest="which")
    add(
        "--dtypes",
        default="",
        help="comma separated names, or core (12), or all (21); left out: all, and where gradients "
        "are taken float64 and complex128. Of narrow floats: --mode gradients --dtypes "
        "float32,float16,bfloat16",
    )
    add(
        "--mode",
        default="both",
        choices=("eager", "compiled", "both", "arguments", *ONLY_SAMPLES),
        help="arguments: compiled, and numbers, flags and words are arguments, too; "
        "differentiation: gradients in each way that has a mode of its own",
    )
    add("--device", default="cpu", help="where the inputs live")
    add("--samples", type=int, default=1000, help="at most so many per operation and dtype")
    add("--sample", type=int, default=0, help="so many cases of each operation, drawn by --seed")
    add("--seed", type=int, default=0, help="other random values")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    add("--timeout", type=float, default=1800, help="seconds for an operation")
    add("--show", type=int, default=3, help="failures printed per operation")
    add("--json", type=pathlib.Path, help="write the full report here")
    add("--list", action="store_true", help="print the chosen operations and stop")
    return parser.parse_args()


def chosen(samples: Any, options: argparse.Namespace) -> list[Any]:
    """Return the entries that the options name; a name that is not in the list ends the run."""
    named = options.ops or options.family
    entries = samples.entries("all" if named else options.which)
    names, families = set(options.ops.split(",")) - {""}, set(options.family.split(",")) - {""}
    unknown = names - {entry.name for entry in entries}
    unknown |= families - {entry.family for entry in entries}
    if unknown:
        sys.exit(f"not in the list of operations: {', '.join(sorted(unknown))}")
    return [
        entry for entry in entries if not named or entry.name in names or entry.family in families
    ]


def run(options: argparse.Namespace) -> int:
    """Run the chosen operations and print the tables; return the exit code."""
    samples = importlib.import_module(".samples", __package__)
    library = importlib.import_module(".library", __package__)
    entries = chosen(samples, options)
    if options.list:
        print("\n".join(f"{entry.family:28}{entry.name}" for entry in entries))
        return 0
    named = {"core": library.CORE_DTYPES, "all": library.CORE_DTYPES + library.OTHER_DTYPES}
    several = {"both": ("eager", "compiled"), "differentiation": GRADIENTS}
    modes = several.get(options.mode, (options.mode,))
    case, usual = None, named["all"]
    if modes[0] in GRADIENTS:
        gradients = importlib.import_module(".gradients", __package__)
        case, usual = gradients.GradientCase, gradients.DTYPES
        entries = [entry for entry in entries if entry.operation.supports_autograd]
    given = tuple(name for name in options.dtypes.split(",") if name)
    dtypes = named.get(options.dtypes) or given or usual
    choice = samples.Choice(
        options.library,
        options.device,
        modes,
        dtypes,
        options.samples,
        options.seed,
        options.sample,
        case,
    )
    importlib.import_module(options.library)  # before the fork, once
    results = execute(samples, entries, choice, options)
    core = [dtype for dtype in dtypes if dtype in library.CORE_DTYPES]
    if core and len(core) < len(dtypes):
        print("\n".join(summary(results, "core dtypes", core)))
    print("\n".join(summary(results, "chosen dtypes", dtypes)))
    if samples.is_computing(options.device):
        print(f"\n{options.device}: {total_of(results)}")
    lacking = missing(results)
    print(f"\n{len(lacking)} operations missing: {', '.join(lacking) or 'none'}")
    if options.json:
        about = {name: str(value) for name, value in vars(options).items()}
        write(options.json, results, about)
    return 1 if any(result.row(dtypes)["fail"] for result in results) else 0


def execute(
    samples: Any, entries: list[Any], choice: Any, options: argparse.Namespace
) -> list[Result]:
    """Run entries in child processes; print each operation's line in the order of the list."""

    def work(number: int) -> Result:
        return samples.run(entries[number], choice)

    def died(number: int, kind: str, detail: str) -> Result:
        return failed(entries[number].name, entries[number].family, kind, detail)

    started, told = time.monotonic(), time.monotonic()
    results: dict[int, Result] = {}
    printed = 0
    print(heading())
    jobs = run_all(work, range(len(entries)), options.jobs, options.timeout, died)
    for number, result in jobs:
        results[number] = result
        while printed in results:
            if printed == 0 or entries[printed].family != entries[printed - 1].family:
                print(f"[{entries[printed].family}]")
            lines = lines_of(results[printed], choice.dtypes, options.show)
            print("\n".join(lines), flush=True)
            printed += 1
        if time.monotonic() - told > 20:
            told = time.monotonic()
            took = f"{told - started:.0f} s"
            print(f"... {len(results)} of {len(entries)} after {took}", file=sys.stderr)
    print(f"{time.monotonic() - started:.0f} s")
    return [results[number] for number in range(len(entries))]
