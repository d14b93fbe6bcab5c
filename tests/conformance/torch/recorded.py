"""Does torch itself give the recorded answers? If not, the replay is wrong, or the version is.

PYTHONPATH=.links path/to/python -m tests.conformance.torch.recorded subgradients
"""

import contextlib
import importlib
import sys
import warnings
from collections.abc import Generator
from typing import Any

from .. import rows

torch: Any = importlib.import_module("torch")


@contextlib.contextmanager
def isolated(device: str | None) -> Generator[None]:
    """Undo what a row does to torch as a whole; show all warnings, also those that come once."""
    torch.set_warn_always(True)
    torch.set_default_device(device)
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            with torch.enable_grad():
                yield
        finally:
            torch.autograd.set_detect_anomaly(False)
            torch.set_default_device(None)
            torch.set_default_dtype(torch.float32)


TORCH = rows.Library(torch, isolated)


def main(areas: list[str]) -> int:
    """Evaluate areas, all without names; return 1 if torch answers a row otherwise."""
    differing = 0
    for area in areas or rows.record():
        found = rows.outcome(area, TORCH)
        differing += len(found.differing)
        print(f"{area}: {found.rows} rows, {found.equal} equal, missing {dict(found.missing)}")
        for number in found.differing:
            print("\n".join(rows.show(area, number, TORCH)))
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
