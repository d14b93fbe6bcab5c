"""Does the page say truly which names of PyTorch are there?"""

import json
import re

from .coverage import NOT_MEANT, PAGE, RECORDED, text


def test_the_page_is_not_stale():
    assert PAGE.read_text(encoding="utf-8") == text(), "tests.conformance.coverage --update"


def test_each_reason_is_that_of_some_name():
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    names = {name for found in recorded.values() for name in found}
    for why, pattern in NOT_MEANT.items():
        assert any(re.fullmatch(pattern, name) for name in names), why
