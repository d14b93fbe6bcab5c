"""Which operands lay a pointwise result out? Those that PyTorch 2.13's iterator sees."""

from typing import Any

import pytest

import trilith as tri


@pytest.mark.parametrize("alpha", [1, -1, 2])
@pytest.mark.parametrize("name", ["add", "sub", "rsub"])
def test_alpha_lays_nothing_out(name: str, alpha: int):
    row = tri.tensor([1.0, 1.0]).view(1, 2)
    column = tri.tensor([1.0, 1.0]).as_strided((1, 2), (1, 1))
    function: Any = getattr(tri, name)
    assert function(column, row, alpha=alpha).stride() == (2, 1)
    assert tri.compile(lambda x, y: function(x, y, alpha=alpha))(column, row).stride() == (2, 1)
    assert (column + 2).stride() == (1, 1)  # a number that is an operand does
