"""Does a tensor print as PyTorch 2.13 prints it? `printed.json` has tensors drawn at random."""

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

import trilith as tri

from .device_names import on_cpu

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"
ROWS: list[list[Any]] = json.loads((DATA / "printed.json").read_text(encoding="utf-8"))["rows"]


@pytest.fixture(autouse=True)
def usual_settings() -> Iterator[None]:
    yield
    tri.set_default_dtype(tri.float32)
    tri.set_printoptions(profile="default")


NAMES = [f"{number}-{row[0]}-{'x'.join(map(str, row[1]))}" for number, row in enumerate(ROWS)]


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_text_is_that_of_torch(row: list[Any], tested_device: str):
    name, shape, data, device, default, options, text = row
    dtype = getattr(tri, name)
    if device == "meta" or not data:
        value = tri.empty(shape, dtype=dtype, device=device)
    else:
        value = tri.frombuffer(bytes.fromhex(data), dtype=dtype).reshape(shape).to(tested_device)
    tri.set_default_dtype(getattr(tri, default))
    tri.set_printoptions(profile="default")
    tri.set_printoptions(**options)
    if value.device.type in ("cpu", "meta"):
        assert repr(value) == text
    else:
        assert f"device='{tested_device}'" in repr(value)
        assert on_cpu(repr(value)) == on_cpu(text)
