"""Are functions of sparse tensors traced: parts as arguments, forms as rows, the rest refused?"""

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithWarning

PLACES = [[0, 1, 1], [2, 0, 2]]


def example(*, entries: int = 3, device: Any = None) -> Any:
    """Return a coalesced tensor of some entries."""
    places = [row[:entries] for row in PLACES]
    s = tri.sparse_coo_tensor(places, [3.0, 4.0, 5.0][:entries], (2, 3), device=device)
    return s.coalesce()


def test_parts_are_arguments_and_forms_are_recorded():
    def scaled(s: Any) -> Any:
        return -s * 3

    traced = tri.trace(scaled, example())
    text, lowered = str(traced), traced.after("tri-lower-sparse")
    assert "%s_indices: !tri.tensor<2x3xsi64>, %s_values: !tri.tensor<3xf32>" in text
    assert 'tri.sparse "neg"(%s) : !tri.tensor<2x3xf32, layout=sparse_coo>' in text
    assert "tri.neg %s_values" in lowered
    assert "func.return %s_indices, %2" in lowered
    assert "sparse" not in lowered


def test_operations_on_values_are_one_kernel():
    compiled = tri.compile(lambda s: tri.sin(-s * 3).abs())
    expected = tri.sin(-example() * 3).abs()
    found = compiled(example())
    assert str(found) == str(expected)
    assert compiled.stats().kernels_compiled + compiled.stats().kernels_reused == 1
    assert compiled.stats().eager_calls == 0


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "product": lambda s, x: tri.relu((s * 2) @ x - 30),
    "vector": lambda s, x: s @ x[:, 0],
    "flipped": lambda s, x: (x.t() @ s.t()).t(),
    "sum": lambda s, x: s.sum() * x,
    "dense": lambda s, x: s.to_dense() @ x,
    "plus": lambda s, x: (x[:2, :3] + s) @ x,
    "places": lambda s, x: (s * x[:2, :3]) @ x,
    "turned": lambda s, x: s.t().t() @ x,
    "same places": lambda s, x: (s + s * 2) @ x,
    "sparse out": lambda s, x: {"twice": (s * 2, x + 1), "s": s},
    "joined": lambda s, x: tri.cat([s, s], 0) @ x,
    "brackets": lambda s, x: s[None].to_dense() + x.sum(),
    "values": lambda s, x: s.values() * 2,
    "written": lambda s, x: x[:2, :3].clone().add_(s),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_compiled_function_gives_what_it_gives_step_by_step(name: str, tested_device: str):
    function = PROGRAMS[name]
    x = tri.arange(12.0).reshape(3, 4)
    compiled = tri.compile(function)
    for entries in (3, 2, 3):
        s = example(entries=entries)
        assert str(compiled(s, x)) == str(function(s, x))
    assert compiled.stats().eager_calls == 0


def test_more_entries_need_no_new_trace():
    compiled = tri.compile(lambda s, x: s @ x)
    x = tri.ones(9, 2)
    for entries in range(3, 9):
        places = tri.arange(entries).repeat(2, 1)
        s = tri.sparse_coo_tensor(places, tri.ones(entries), (9, 9))
        assert compiled(s, x).sum().item() == 2 * entries
    assert compiled.stats().traces <= 2


UNTRACED: dict[str, Callable[[Any], Any]] = {
    "coalesce": lambda s: s.coalesce().values(),
    "select": lambda s: s[0],
    "two sparse": lambda s: s @ s.t(),
    "other entries": lambda s: s.mul_(2),
    "to_sparse": lambda s: tri.eye(2).to_sparse(),
    "made": lambda s: tri.sparse_coo_tensor([[0]], [1.0], (1,)),
}


@pytest.mark.parametrize("function", UNTRACED.values(), ids=UNTRACED)
def test_what_depends_on_elements_runs_step_by_step(function: Callable[[Any], Any]):
    s = tri.sparse_coo_tensor([[0, 1, 1], [2, 0, 0]], [3.0, 4.0, 5.0], (2, 3))
    compiled = tri.compile(function)
    expected = str(function(s.clone()))
    with pytest.warns(TrilithWarning, match="runs step by step"):
        assert str(compiled(s.clone())) == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert str(compiled(s.clone())) == expected


def test_what_is_written_into_values_is_written_for_the_caller():
    compiled = tri.compile(lambda s: s.neg_())
    s = example()
    compiled(s)
    assert s.values().tolist() == [-3, -4, -5]


def test_a_captured_tensor_is_one():
    s = example()
    compiled = tri.compile(lambda x: s @ x)
    assert compiled(tri.ones(3, 1)).tolist() == [[3.0], [9.0]]
    s.values().mul_(2)
    assert compiled(tri.ones(3, 1)).tolist() == [[6.0], [18.0]]


def test_host_arguments_move_to_a_device():
    compiled = tri.compile(lambda s, x: (s @ x, s * 2), device="opencl")
    product, twice = compiled(example(), tri.ones(3, 1))
    assert (product.device.type, twice.device.type) == ("opencl", "opencl")
    assert product.cpu().tolist() == [[3.0], [9.0]]
    assert twice.to_dense().cpu().tolist() == [[0, 0, 6], [8, 0, 10]]


def test_writes_come_back_from_a_device():
    s = example()
    tri.compile(lambda s: s.neg_(), device="opencl")(s)
    assert s.to_dense().tolist() == [[0, 0, -3], [-4, 0, -5]]
    with pytest.warns(TrilithWarning, match="step by step"):
        tri.compile(lambda s: s.mul_(2), device="opencl")(s)
    assert s.to_dense().tolist() == [[0, 0, -6], [-8, 0, -10]]
    assert s.device.type == s._values().device.type == "cpu"


def test_a_plan_is_pickled():
    lowered = tri.trace(lambda s: s * 2, example()).lower()
    again = pickle.loads(pickle.dumps(lowered.compile()))
    assert again(example()).values().tolist() == [6.0, 8.0, 10.0]


def test_no_file_holds_a_function_of_sparse_tensors():
    with pytest.raises(TypeError, match="what cannot be stored in a file"):
        tri.export(lambda s: s * 2, example())
