"""Does `TensorImpl` say of gradients what PyTorch's C++ class did, but for the listed lines?"""

from . import differences, impl_gradients, observed


def test_the_transcript_is_replayed():
    found = impl_gradients.outcome()
    print("\n".join(observed.counts([impl_gradients.AREA])))
    known = differences.reasons_of(impl_gradients.AREA)
    assert not differences.mistakes(known, found.differing)


def test_an_error_ends_the_line_of_a_step():
    def wrong():
        raise KeyError("no\nkey")

    assert impl_gradients.line("a", lambda: "b", wrong) == "a FAILS KeyError no key"
