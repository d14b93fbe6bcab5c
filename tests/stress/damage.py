"""Damages stored plans at random and computes with what is left; run by `run.py`.

    python -m tests.stress.damage COUNT

A process stores what operations and compiled functions need. Then one file of the cache at a time
is cut off or has a bit flipped, or several are, and a new process computes what it can find there:
its results must be NumPy's. Prints how many were, and how many damaged files were replaced.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from tests.stress.progress import show
from tests.unit.compiler.stored.processes import copies

#: What is computed of a matrix x, in words that trilith and NumPy share.
RESULTS = {
    "one": "x + 1",
    "chain": "m.sqrt(x * x + 1) * (x - 2)",
    "sum": "(x * x).sum(0)",
    "product": "x @ x",
    "part": "x[1:] - x[:-1]",
}
SIZES = (6, 9)
HEAD = f"""
def values(n): return np.linspace(-1, 1, n * n, dtype=np.float32).reshape(n, n)
m = tri
FUNCTIONS = {{{", ".join(f"{name!r}: lambda x: {do}" for name, do in RESULTS.items())}}}
def compute(name, n, compiled):
    f = FUNCTIONS[name]
    f = tri.compile(f) if compiled else f
    found = np.asarray(f(tri.tensor(values(n)))).astype(float).tolist()
    from trilith.compiler.afterwards import AFTERWARDS
    AFTERWARDS.finish()
    told(found=found)
"""


def expected(name: str, n: int) -> Any:
    """Return what NumPy says."""
    x = np.linspace(-1, 1, n * n, dtype=np.float32).reshape(n, n)
    return eval(RESULTS[name], {"m": np, "x": x})


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Return a part of a file's content, or all of it but for some bits."""
    if not content or chance.random() < 0.4:
        return content[: chance.randrange(len(content) or 1)]
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def main() -> None:
    """Damage, compute and compare, so many times."""
    count, chance = int(sys.argv[1]), random.Random(11)
    tasks = [(name, n, is_compiled) for name in RESULTS for n in SIZES for is_compiled in (0, 1)]
    right = damages = replaced = 0
    with tempfile.TemporaryDirectory() as name, copies(HEAD) as processes:
        folder = Path(name)

        def is_right(task: tuple[str, int, int]) -> bool:
            told = processes.run(folder, f"compute{task}")
            return np.allclose(told["found"], expected(*task[:2]), rtol=1e-5, atol=1e-6)

        assert all(map(is_right, tasks))
        for number in range(count):
            files = sorted(path for path in folder.glob("**/*") if path.is_file())
            chosen = chance.sample(files, k=chance.choice((1, 2, len(files) // 2, len(files))))
            broken = {path: damaged(path.read_bytes(), chance) for path in chosen}
            for path, content in broken.items():
                path.write_bytes(content)
            right += is_right(chance.choice(tasks))
            damages += len(broken)
            replaced += sum(
                not path.exists() or path.read_bytes() != content
                for path, content in broken.items()
            )
            show(number + 1, count, "processes")
    print(
        f"{right} of {count} processes computed what NumPy does, with {damages} damaged files in "
        f"their ways; {replaced} of these were replaced or removed"
    )
    sys.exit(right < count)


if __name__ == "__main__":
    main()
