"""Which operands lay a pointwise result out? Those that PyTorch 2.13's iterator sees."""

import json
import pathlib
from typing import Any

import pytest

import trilith as tri

DATA = pathlib.Path(__file__).resolve().parents[3] / "data"


@pytest.mark.parametrize("alpha", [1, -1, 2])
@pytest.mark.parametrize("name", ["add", "sub", "rsub"])
def test_alpha_lays_nothing_out(name: str, alpha: int):
    row = tri.tensor([1.0, 1.0]).view(1, 2)
    column = tri.tensor([1.0, 1.0]).as_strided((1, 2), (1, 1))
    function: Any = getattr(tri, name)
    assert function(column, row, alpha=alpha).stride() == (2, 1)
    assert tri.compile(lambda x, y: function(x, y, alpha=alpha))(column, row).stride() == (2, 1)
    assert (column + 2).stride() == (1, 1)  # a number that is an operand does


@pytest.mark.parametrize("dtype", [tri.int64, tri.float16, tri.float32])
@pytest.mark.parametrize("mode", [None, "trunc", "floor"])
def test_how_a_quotient_is_rounded_lays_nothing_out(mode: str | None, dtype: tri.dtype):
    nothing = tri.empty(0, 1, dtype=dtype)
    column = tri.ones(2, 1, 1, dtype=tri.float16)
    assert tri.div(nothing, column, rounding_mode=mode).stride() == (0, 1, 0)
    assert tri.div(column, nothing, rounding_mode=mode).stride() == (0, 1, 0)
    row = tri.ones(8, dtype=dtype).as_strided((1, 2), (1, 7))
    two = tri.ones(2, dtype=tri.float16)
    assert tri.div(row, two, rounding_mode=mode).stride() == (1, 1)
    assert tri.compile(tri.div)(row, two, rounding_mode=mode).stride() == (1, 1)


@pytest.mark.parametrize("name", ["deg2rad", "rad2deg"])
def test_a_factor_of_angles_lays_nothing_out(name: str):
    nothing = tri.empty(0, 1)
    assert getattr(tri, name)(nothing).stride() == (1, 1)
    column = tri.ones(200).as_strided((2, 1), (1, 128))
    assert getattr(tri, name)(column).stride() == (1, 128)
    assert (nothing * 2).stride() == (1, 0)  # where a factor that a user writes does


def test_a_norm_of_nothing_has_the_strides_of_its_product():
    norm = tri.nn.functional.rms_norm
    assert norm(tri.empty(0, 1), (1,)).stride() == (1, 1)
    assert norm(tri.empty(0, 1), (1,), tri.ones(1)).stride() == (1, 0)
    assert norm(tri.empty(0, 1, 3), (3,)).stride() == (3, 0, 1)
    assert norm(tri.empty(4, 0, 1), (1,), tri.ones(1)).stride() == (0, 1, 0)


@pytest.mark.parametrize("name", ["hardtanh", "relu6"])
@pytest.mark.parametrize(
    ("shape", "strides"),
    [((2, 0), (11, 1)), ((0,), (5,)), ((2, 0, 3), (7, 5, 1)), ((1, 2), (1, 1))],
)
def test_what_is_written_into_a_tensor_like_the_input_lies_so(name: str, shape: Any, strides: Any):
    x = tri.ones(30).as_strided(shape, strides)
    function: Any = getattr(tri.nn.functional, name)
    assert function(x).stride() == strides
    assert tri.compile(lambda x: function(x))(x).stride() == strides


@pytest.mark.filterwarnings("ignore:trilith.cholesky is deprecated")
@pytest.mark.parametrize("upper", [False, True])
def test_old_factors_of_nothing_lie_row_by_row(upper: bool):
    nothing, matrices = tri.zeros(0, 5, 5), tri.eye(5).expand(2, 5, 5)
    assert tri.cholesky(nothing, upper=upper).stride() == (25, 5, 1)
    assert tri.cholesky(matrices, upper=upper).stride() == (25, 1, 5)
    assert tri.linalg.cholesky(nothing, upper=upper).stride() == (25, 1, 5)


def recorded() -> dict[str, list[tuple[list[int], list[int], list[list[int]]]]]:
    """What PyTorch answered, by expression: shape and strides of x, strides of the results."""
    text = (DATA / "torch" / "layouts.json").read_text(encoding="utf-8")
    found: dict[str, list[Any]] = {}
    for expression, *row in json.loads(text)["rows"]:
        found.setdefault(expression, []).append(row)
    return found


LAYOUTS = recorded()


@pytest.mark.parametrize("expression", LAYOUTS)
def test_dims_of_one_element_lie_as_in_pytorch(expression: str):
    for shape, strides, answers in LAYOUTS[expression]:
        channels, taps = shape[1], min(2, shape[2])
        names = {
            "tri": tri,
            "F": tri.nn.functional,
            "x": tri.zeros(40).as_strided(shape, strides),
            "w": tri.ones(channels, channels, taps),
            "z": tri.zeros(channels),
            "o": tri.ones(channels),
        }
        found: Any = eval(expression, names)
        results: Any = found if type(found) is not tri.Tensor else (found,)
        assert [list(result.stride()) for result in results] == answers, (shape, strides)


def test_three_dims_of_one_example_are_packed_unless_there_is_much_to_do():
    weight = tri.ones(4, 4, 1, 1, 1)
    for examples, depth, is_kept in ((1, 2, False), (2, 2, True), (1, 6000, True)):
        x = tri.zeros(examples, 4, depth, 1, 2).contiguous(memory_format=tri.channels_last_3d)
        found = tri.nn.functional.conv3d(x, weight)
        assert found.is_contiguous(memory_format=tri.channels_last_3d) is is_kept
    x = tri.zeros(1, 4, 2, 1, 2).contiguous(memory_format=tri.channels_last_3d)
    found = tri.nn.functional.conv3d(x, tri.ones(4, 2, 1, 1, 1), groups=2)
    assert found.is_contiguous(memory_format=tri.channels_last_3d)
