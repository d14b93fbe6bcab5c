"""Which machine is this, and how is everything held to one thread of one core?"""

from __future__ import annotations

import os
import platform
import re
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

#: What each library reads its number of threads from.
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "KMP_AFFINITY": "disabled",
}

_CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()


def pin() -> str:
    """Keep this process and its children on the idlest core where the system can; say so."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned"
    cores = os.sched_getaffinity(0)
    before = _idle_times()
    time.sleep(0.3)
    after = _idle_times()
    core = max(cores, key=lambda core: (after.get(core, 0) - before.get(core, 0), core))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


@contextmanager
def all_cores() -> Generator[None]:
    """Let processes that are started in this block use every core that the run began with."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, _CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _idle_times() -> dict[int, int]:
    """Return how long each core had nothing to do, in ticks."""
    try:
        lines = Path("/proc/stat").read_text().splitlines()
    except OSError:
        return {}
    fields = [line.split() for line in lines if re.match(r"cpu\d", line)]
    return {int(found[0].removeprefix("cpu")): int(found[4]) for found in fields}


def describe() -> dict[str, str]:
    """Return the CPU, the number of cores, the load and the interpreter."""
    load = "unknown"
    if hasattr(os, "getloadavg"):
        load = f"{os.getloadavg()[0]:.1f}"
    return {
        "cpu": _cpu_model(),
        "cores": str(os.cpu_count()),
        "load before": load,
        "system": f"{platform.system()} {platform.machine()}",
        "python": sys.version.split()[0],
    }


def _cpu_model() -> str:
    """Return the CPU's name, with family and model where the name is vague, and its L3 cache."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(
        [part.strip() for part in line.split(":", 1)]
        for line in text.partition("\n\n")[0].splitlines()
        if ":" in line
    )
    name = fields.get("model name", platform.machine())
    family, model = fields.get("cpu family", "?"), fields.get("model", "?")
    wide = "AVX-512" if "avx512f" in text else "AVX2" if "avx2" in text else "no AVX2"
    return f"{name} (family {family}, model {model}, {wide}{_last_cache()})"


def _last_cache() -> str:
    sizes = sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"))
    return f", last cache {sizes[-1].read_text().strip()}" if sizes else ""
