"""Does `assert_close` say of what is not close what PyTorch says?"""

import json
import pathlib
from typing import Any

import pytest

import trilith as tri

DATA = pathlib.Path(__file__).resolve().parents[2] / "data" / "torch" / "assert_close.json"
RECORDED: dict[str, list[str] | None] = json.loads(DATA.read_text(encoding="utf-8"))


@pytest.mark.parametrize("call", RECORDED)
def test_what_is_said_is_what_torch_says(call: str):
    wanted = RECORDED[call]
    found = None
    try:
        eval(f"t.testing.assert_close({call})", {"t": tri})
    except (AssertionError, TypeError, ValueError) as error:
        found = [type(error).__name__, str(error).replace("trilith.", "torch.")]
    assert found == wanted


def test_tensors_that_require_gradients_and_subclasses():
    x: Any = tri.ones(2, requires_grad=True)
    tri.testing.assert_close(x * 1, tri.ones(2))
    tri.testing.assert_close(x, tri.ones(2))
    with pytest.raises(TypeError, match="No comparison pair was able to handle inputs of type"):
        tri.testing.assert_close(tri.nn.Parameter(tri.ones(2)), tri.ones(2), allow_subclasses=False)
