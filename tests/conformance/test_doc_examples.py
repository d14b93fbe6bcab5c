"""Do the examples of PyTorch's "Tensor Attributes" page hold, but for the listed cases?"""

from . import differences, examples, observed


def test_examples():
    found = examples.outcome()
    print("\n".join(observed.counts([examples.AREA])))
    assert not differences.mistakes(differences.reasons_of(examples.AREA), found.differing)
