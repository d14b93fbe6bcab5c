"""Do the examples of PyTorch's "Tensor Attributes" page hold, but for the listed cases?"""

import pytest

import trilith as tri

from . import differences, examples, observed
from .torch import doc_examples


def test_examples():
    found = examples.outcome()
    print("\n".join(observed.counts([examples.AREA])))
    assert not differences.mistakes(differences.reasons_of(examples.AREA), found.differing)


@pytest.mark.beside_cpu
@pytest.mark.parametrize("row", range(len(doc_examples.CASES)))
def test_example_with_a_device_as_accelerator(row: int, tested_device: str):
    """What the page says of CUDA holds for the device; bare indices have tests of their own."""
    tri.set_default_device(None)
    if doc_examples.applies(doc_examples.CASES[row], has_accelerator=False):
        failure = examples.failure(row, tri.device(tested_device).type)
        assert (failure is not None) == (row in differences.reasons_of(examples.AREA)), failure
