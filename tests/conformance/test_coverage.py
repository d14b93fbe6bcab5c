"""Does the page say truly which names of PyTorch are there?"""

import json

from .coverage import NOT_MEANT, PAGE, RECORDED, is_left_out, text


def test_the_page_is_not_stale():
    assert PAGE.read_text(encoding="utf-8") == text(), "tests.conformance.coverage --update"


def test_each_reason_is_that_of_some_name():
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    names = [(module, name) for module, found in recorded.items() for name in found]
    for why, pattern in NOT_MEANT.items():
        assert any(is_left_out(pattern, *name) for name in names), why
