"""Are gradients clipped as in PyTorch? Norms and what is left are those of torch 2.13."""

from typing import Any

import pytest

import trilith as tri

utils = tri.nn.utils
INFINITE = float("inf")
#: An order -> the norm of (3, 4) and (0, -12) together, and what clipping to 1 leaves of them.
NORMS: dict[float, tuple[float, list[float], list[float]]] = {
    2.0: (13.0, [0.230769, 0.307692], [0.0, -0.923077]),
    1: (19.0, [0.157895, 0.210526], [0.0, -0.631579]),
    0.5: (51.784615, [0.057932, 0.077243], [0.0, -0.231729]),
    3.0: (12.207057, [0.245759, 0.327679], [0.0, -0.983038]),
    0: (2.0, [1.499999, 1.999999], [0.0, -5.999997]),
    INFINITE: (12.0, [0.25, 0.333333], [0.0, -1.0]),
    -INFINITE: (0.0, [3.0, 4.0], [0.0, -12.0]),
}


def parameters(*gradients: list[float] | None, dtypes: tuple[Any, ...] = ()) -> list[Any]:
    made: list[Any] = []
    for number, gradient in enumerate(gradients):
        dtype = dtypes[number] if dtypes else tri.float32
        made.append(tri.zeros(len(gradient or [0.0]), dtype=dtype, requires_grad=True))
        if gradient is not None:
            made[-1].grad = tri.tensor(gradient, dtype=dtype)
    return made


@pytest.mark.parametrize("order", NORMS)
def test_norms_of_all_gradients_are_clipped(order: float):
    norm, first, second = NORMS[order]
    given = parameters([3.0, 4.0], [0.0, -12.0])
    kept = [each.grad for each in given]
    found = utils.clip_grad_norm_(given, 1.0, norm_type=order)
    assert found.item() == pytest.approx(norm)
    assert found.shape == ()
    assert [each.grad is one for each, one in zip(given, kept, strict=True)] == [True, True]
    assert given[0].grad.tolist() == pytest.approx(first, abs=1e-6)
    assert given[1].grad.tolist() == pytest.approx(second, abs=1e-6)


def test_small_norms_and_missing_gradients_stay():
    given = parameters([0.3, 0.4], None)
    assert utils.clip_grad_norm_(iter(given), 1.0).item() == pytest.approx(0.5)
    assert given[0].grad.tolist() == pytest.approx([0.3, 0.4])
    assert given[1].grad is None
    assert utils.clip_grad_norm_([], 1.0).item() == utils.get_total_norm([]).item() == 0.0
    (alone,) = parameters([3.0, 4.0])
    two: Any = "2"
    assert utils.clip_grad_norm_(alone, two).item() == 5.0
    assert alone.grad.tolist() == pytest.approx([1.2, 1.6])


def test_norms_of_several_dtypes_have_the_widest():
    for dtypes, expected in (
        ((tri.float32, tri.float64), tri.float64),
        ((tri.float16, tri.float32), tri.float32),
        ((tri.bfloat16, tri.bfloat16), tri.bfloat16),
    ):
        given = parameters([3.0, 4.0], [1.0, 1.0], dtypes=dtypes)
        assert utils.clip_grad_norm_(given, 1.0).dtype is expected
        assert [each.grad.dtype for each in given] == list(dtypes)
        assert given[0].grad.tolist() == pytest.approx([0.57735, 0.7698], rel=0.01)


@pytest.mark.parametrize(("value", "order"), [(float("nan"), 2.0), (INFINITE, 1.0)])
def test_norms_that_are_not_finite_may_be_refused(value: float, order: float):
    text = f"The total norm of order {order} for gradients from `parameters` is non-finite"
    given = parameters([value, 4.0])
    with pytest.raises(RuntimeError, match=text):
        utils.clip_grad_norm_(given, 1.0, norm_type=order, error_if_nonfinite=True)
    assert given[0].grad.tolist()[1] == 4.0
    with pytest.raises(RuntimeError, match="non-finite"):
        utils.get_total_norm(tri.tensor([value]), error_if_nonfinite=True)
    with pytest.raises(RuntimeError, match=r"vector_norm: Expected a floating point or complex"):
        utils.get_total_norm([tri.tensor([3, 4])])


def test_values_are_clipped():
    given = parameters([3.0, -4.0], None, [0.25, -9.0])
    utils.clip_grad_value_(given, 1)
    assert given[0].grad.tolist() == [1.0, -1.0]
    assert given[1].grad is None
    assert given[2].grad.tolist() == [0.25, -1.0]
    utils.clip_grad_value_(given[0], -0.5)
    assert given[0].grad.tolist() == [-0.5, -0.5]


def test_a_step_that_clips_is_compiled():
    def squares(x: Any) -> Any:
        return (x * x).sum()

    def step(x: Any) -> Any:
        gradient = tri.func.grad(squares)(x)
        return gradient * (1.0 / (utils.get_total_norm([gradient]) + 1e-6)).clamp(max=1.0)

    found = tri.compile(step)(tri.tensor([3.0, 4.0]))
    assert found.tolist() == pytest.approx([0.6, 0.8], rel=1e-6)


def test_parameters_are_parts_of_a_vector():
    given = parameters([3.0, 4.0], [1.0])
    utils.vector_to_parameters(tri.tensor([1.0, 2.0, 3.0]), given)
    assert [each.tolist() for each in given] == [[1.0, 2.0], [3.0]]
    assert all(each.requires_grad for each in given)
    assert utils.parameters_to_vector(given).tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(TypeError, match=r"expected torch\.Tensor, but got: list"):
        utils.vector_to_parameters([1.0], given)
