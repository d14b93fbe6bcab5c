"""Is an index taken apart as PyTorch does: what makes a view, and tensors for the view's dims?"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from trilith.dialects.attributes.dtype import DType, bool_, from_numpy, int16, int64
from trilith.dialects.attributes.spec import TensorSpec
from trilith.dialects.diagnostics import TrilithIndexError, TrilithTypeError
from trilith.dialects.ops.rows.indexing.subscripts import is_plain, split_index

ALL = slice(None)
SPEC = TensorSpec.of((2, 3, 4), int64)


@dataclass(frozen=True)
class Given:
    """A tensor of a language that may know its elements."""

    spec: TensorSpec
    elements: Any = None


class Language:
    """Knows the elements of what it made itself."""

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        assert name == "to"
        value, dtype = arguments
        return Given(TensorSpec.of(value.spec.shape, dtype))

    def spec(self, value: Any) -> TensorSpec:
        return value.spec

    def positions(self, value: Any, hint: str | None = None, what: str = "") -> Any:
        raise AssertionError("taking an index apart asks for no positions")

    def number(self, value: Any) -> int | None:
        return None if value.elements is None else int(value.elements)

    def tensor(self, data: np.ndarray[Any, Any]) -> Given:
        return Given(TensorSpec.of(data.shape, from_numpy(data.dtype)), data)


def unknown(shape: tuple[int, ...], dtype: DType = int64) -> Given:
    return Given(TensorSpec.of(shape, dtype))


def shapes(advanced: Any) -> list[tuple[DType, tuple[int, ...]] | None]:
    return [item and (item.spec.dtype, item.spec.shape) for item in advanced]


PLACES, MASK, MATRIX = unknown((5,)), unknown((3,), bool_), unknown((2, 3), bool_)
#: index -> (basic part, what the tensors are for)
CASES: list[tuple[Any, tuple[Any, ...], Any]] = [
    (1, (1,), None),
    ((0, ..., slice(1, 2)), (0, ..., slice(1, 2)), None),
    (PLACES, (ALL,), [(int64, (5,))]),
    ((slice(1, 2), PLACES), (slice(1, 2), ALL), [None, (int64, (5,))]),
    ((0, PLACES), (0, ALL), [(int64, (5,))]),
    ((..., PLACES), (..., ALL), [None, None, (int64, (5,))]),
    ((PLACES, None, PLACES), (ALL, None, ALL), [(int64, (5,)), None, (int64, (5,))]),
    ((ALL, MASK), (ALL, ALL), [None, (bool_, (3,))]),
    ((MATRIX, slice(1, 3)), (ALL, ALL, slice(1, 3)), [(bool_, (2, 3)), None]),
    ((..., MASK, 0), (..., ALL, 0), [None, (bool_, (3,))]),
    (True, (None,), [(int64, (1,))]),
    (False, (None,), [(int64, (0,))]),
    ([1, 0], (ALL,), [(int64, (2,))]),
    ([True, False], (ALL,), [(bool_, (2,))]),
    ([], (ALL,), [(int64, (0,))]),
    (([0, 1], [1, 2]), (ALL, ALL), [(int64, (2,)), (int64, (2,))]),
    (np.array([[0.0, 1.0]]), (ALL,), [(int64, (1, 2))]),
    (np.int32(1), (1,), None),
    (Given(TensorSpec.of((), int16), 1), (1,), None),
    (Given(TensorSpec.of((), bool_), 1), (None,), [(int64, (1,))]),
    (unknown(()), (ALL,), [(int64, ())]),
    (unknown((), int16), (ALL,), [(int64, ())]),
]


@pytest.mark.parametrize(("index", "basic", "advanced"), CASES)
def test_an_index_is_taken_apart(index: Any, basic: tuple[Any, ...], advanced: Any):
    found, tensors = split_index(index, SPEC, Language())
    assert found == basic
    assert (tensors if tensors is None else shapes(tensors)) == advanced


def test_a_list_of_lists_is_a_tuple_and_warns():
    with pytest.warns(UserWarning, match="^Using a non-tuple sequence"):
        basic, tensors = split_index([[0, 1], [1, 2]], SPEC, Language())
    assert basic == (ALL, ALL)
    assert shapes(tensors) == [(int64, (2,)), (int64, (2,))]


def test_a_plain_index_needs_no_language():
    assert is_plain((0, slice(1, 2), None, ...))
    assert not any(map(is_plain, (True, PLACES, [0], np.int64(1), (0, PLACES))))


@pytest.mark.parametrize(
    ("index", "kind", "text"),
    [
        ((0, 0, 0, PLACES), TrilithIndexError, "too many indices for tensor of dimension 3"),
        ((MATRIX, MATRIX), TrilithIndexError, "too many indices for tensor of dimension 3"),
        (1.5, TrilithIndexError, r"valid indices \(got float\)"),
        (np.True_, TrilithIndexError, r"\(got numpy\.bool"),
        ("a", TrilithTypeError, r"new\(\): invalid data type 'str'"),
        (unknown((2,), int16), TrilithIndexError, "long, int, byte or bool tensors"),
    ],
)
def test_what_is_no_index_is_refused(index: Any, kind: type[Exception], text: str):
    with pytest.raises(kind, match=text):
        split_index(index, SPEC, Language())
