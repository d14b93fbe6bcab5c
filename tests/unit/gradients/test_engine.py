"""Does a run backwards free, check and hand on what PyTorch's does?"""

from typing import Any

import pytest

import trilith as tri


def leaf() -> Any:
    return tri.tensor([1.0, 2.0, 3.0], requires_grad=True)


def test_nodes_that_keep_no_tensors_are_run_again():
    x = leaf()
    for y in (x + x, tri.sub(x, x, alpha=2), 1 - x, x.sum(0)):
        y.sum().backward()
        total = y.sum()
        total.backward()
        total.backward()
    y = (x * 2).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()
