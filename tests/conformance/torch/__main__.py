"""What `make conformance` runs: the examples of PyTorch's page, then torch's own samples."""

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
    is_whole = not (options.ops or options.family or options.list)
    accelerator = options.device.partition(":")[0].replace("cpu", "meta")
    examples = doc_examples.run(options.library, accelerator) if is_whole else 0
    return max(examples, opinfo.run(options))


if __name__ == "__main__":
    sys.exit(main())
