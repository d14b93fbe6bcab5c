"""What `make conformance` runs: torch's own samples, then the examples of PyTorch's page."""

import os
import sys

from . import doc_examples, opinfo

WITHOUT_TORCH = 2


def main() -> int:
    """Run both; return 0 if all is equal, 1 if something differs, 2 if torch is missing."""
    options = opinfo.options_of()
    if sentence := opinfo.lacks():
        print(sentence, file=sys.stderr)
        return WITHOUT_TORCH
    os.environ.setdefault("TRILITH_CACHE", "0")
    # Devices are tried by tests of their own: here that would cost each process a second.
    os.environ.setdefault("TRILITH_OPENCL_PROBE", "0")
    is_part = options.ops or options.family or options.list or options.mode in opinfo.ONLY_SAMPLES
    accelerator = options.device.partition(":")[0].replace("cpu", "meta")
    compared = opinfo.run(options)
    # Afterwards: a process that has used OpenCL cannot fork others which do.
    examples = doc_examples.run(options.library, accelerator) if not is_part else 0
    return max(examples, compared)


if __name__ == "__main__":
    sys.exit(main())
