"""Do strides, memory formats and views come out as PyTorch 2.13's do, on every recorded case?"""

import json
import pathlib
from typing import Any

from trilith.dialects.attributes.broadcast import broadcast_shapes
from trilith.dialects.attributes.reshape import view_strides
from trilith.dialects.attributes.strides import (
    is_channels_last,
    is_channels_last_3d,
    is_channels_last_3d_strides_like,
    is_channels_last_strides_like,
    is_contiguous,
    is_non_overlapping_and_dense,
    pointwise_strides,
    preserve_strides,
)

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"
GOLDEN: dict[str, Any] = json.loads((DATA / "strides.json").read_text(encoding="utf-8"))

PREDICATES = {
    "is_contiguous": is_contiguous,
    "is_contiguous(channels_last)": is_channels_last,
    "is_contiguous(channels_last_3d)": is_channels_last_3d,
    "is_non_overlapping_and_dense": is_non_overlapping_and_dense,
    "is_strides_like(channels_last)": is_channels_last_strides_like,
    "is_strides_like(channels_last_3d)": is_channels_last_3d_strides_like,
}


def test_pointwise():
    wrong: list[Any] = []
    for row in GOLDEN["pointwise"]:
        operands = [(tuple(sizes), tuple(strides)) for sizes, strides in row[0]]
        shape = broadcast_shapes(*(sizes for sizes, _ in operands))
        answer = pointwise_strides(shape, operands)
        if answer != tuple(row[1]):
            wrong.append((row, answer))
    assert (len(GOLDEN["pointwise"]), wrong) == (2600, [])


def test_pointwise_with_a_cast():
    wrong: list[Any] = []
    for (sizes, strides), (float_sizes, float_strides), expected in GOLDEN[
        "pointwise_int32_plus_float32"
    ]:
        cast = preserve_strides(tuple(sizes), tuple(strides))
        operands = [(tuple(sizes), cast), (tuple(float_sizes), tuple(float_strides))]
        answer = pointwise_strides(broadcast_shapes(*(sizes for sizes, _ in operands)), operands)
        if answer != tuple(expected):
            wrong.append((sizes, strides, float_sizes, float_strides, expected, answer))
    assert (len(GOLDEN["pointwise_int32_plus_float32"]), wrong) == (500, [])


def test_predicates():
    assert GOLDEN["predicates_bits"] == list(PREDICATES)
    wrong: list[Any] = []
    for sizes, strides, mask, _ in GOLDEN["predicates"]:
        for bit, (name, predicate) in enumerate(PREDICATES.items()):
            if predicate(tuple(sizes), tuple(strides)) != bool(mask >> bit & 1):
                wrong.append((name, sizes, strides, mask))
    assert (len(GOLDEN["predicates"]), wrong) == (2000, [])


def test_clone():
    wrong = [
        row
        for row in GOLDEN["predicates"]
        if preserve_strides(tuple(row[0]), tuple(row[1])) != tuple(row[3])
    ]
    assert wrong == []


def test_view():
    wrong: list[Any] = []
    for sizes, strides, target, expected in GOLDEN["view"]:
        answer = view_strides(tuple(sizes), tuple(strides), tuple(target))
        if answer != (None if expected is None else tuple(expected)):
            wrong.append((sizes, strides, target, expected, answer))
    assert (len(GOLDEN["view"]), wrong) == (1500, [])
