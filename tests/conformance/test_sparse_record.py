"""Does trilith answer what PyTorch 2.13 was seen to answer about sparse tensors, but for a list?"""

import pytest

from . import differences, sparse_record


@pytest.mark.parametrize("area", sparse_record.record())
def test_area(area: str):
    total, differing = sparse_record.outcome(area)
    print(f"{area}: {total} rows, {total - len(differing)} equal")
    known = differences.read(sparse_record.LIST).get(area, {})
    assert not differences.mistakes(known, differing)


def test_no_row_is_open():
    listed = differences.read(sparse_record.LIST)
    assert not [area for area, rows in listed.items() if "open" in rows.values()]


def test_the_list_is_as_it_would_be_written():
    text = sparse_record.LIST.read_text(encoding="utf-8")
    known = differences.read(sparse_record.LIST)
    assert text == differences.text(known, sparse_record.MODULE)


def test_refusals_count_as_equal_where_pytorch_has_no_kernel():
    row = {"raises": "NotImplementedError: Could not run 'aten::exp' with arguments"}
    refused = sparse_record.rows.failure(NotImplementedError("exp is not available"))
    assert sparse_record.is_equal(row, refused)
    assert not sparse_record.is_equal(row, sparse_record.rows.Answer("str", "tensor(1.)"))
    assert not sparse_record.is_equal(row, sparse_record.rows.failure(RuntimeError("other")))
