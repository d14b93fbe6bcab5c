"""What are the gradients of operations with numbers among their operands? Values are PyTorch's."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

F = tri.nn.functional
WITHOUT_TERMS: dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]] = {
    "addmm": (tri.addmm, ((2, 2), (2, 3), (3, 2))),
    "addmv": (tri.addmv, ((2,), (2, 3), (3,))),
    "addr": (tri.addr, ((2, 3), (2,), (3,))),
    "addbmm": (tri.addbmm, ((2, 2), (2, 2, 3), (2, 3, 2))),
    "baddbmm": (tri.baddbmm, ((2, 2, 2), (2, 2, 3), (2, 3, 2))),
}


def leaves(*shapes: tuple[int, ...]) -> list[Any]:
    return [tri.ones(shape, dtype=tri.float64).requires_grad_() for shape in shapes]


def node_of(result: Any) -> str:
    return result.grad_fn.name()


def close(found: Any, expected: Any) -> None:
    tri.testing.assert_close(found.detach(), tri.tensor(expected, dtype=tri.float64))


@pytest.mark.parametrize("name", WITHOUT_TERMS)
@pytest.mark.parametrize("factors", [(0, 0), (0, 2), (2, 0), (0.0, 0.0)])
def test_sums_without_a_term_have_a_gradient(name: str, factors: tuple[float, float]):
    """It is 0 for what is multiplied by 0, and there is one, though nothing was added."""
    function, shapes = WITHOUT_TERMS[name]
    beta, alpha = factors

    def added(*given: Any) -> Any:
        return function(*given, beta=beta, alpha=alpha)

    for run in (added, tri.compile(added)):
        given = leaves(*shapes)
        result = run(*given)
        assert result.requires_grad
        result.sum().backward()
        for tensor, factor in zip(given, (beta, alpha, alpha), strict=True):
            assert bool(tensor.grad.any()) == bool(factor)
    result = added(*leaves(*shapes))
    assert node_of(result) == f"{name.title()}Backward0"


def test_a_product_added_in_place_is_one_node():
    for factors in ((1, 1), (0, 0), (0.5, 2)):
        target, left, right = leaves((2, 2), (2, 2), (2, 2))
        result = (target * 1).addmm_(left, right, beta=factors[0], alpha=factors[1])
        assert node_of(result) == "AddmmBackward0"
        result.sum().backward()
        close(target.grad, [[factors[0]] * 2] * 2)
        close(left.grad, [[2.0 * factors[1]] * 2] * 2)


def test_nodes_say_which_operand_is_a_number():
    x = tri.tensor([1.0, 2.0], requires_grad=True)
    for result, name in (
        (tri.rsub(x, 2), "RsubBackward1"),
        (tri.rsub(x, x), "RsubBackward0"),
        (tri.xlogy(x, 2), "XlogyBackward2"),
        (tri.xlogy(2, x), "XlogyBackward1"),
        (tri.xlogy(x, x), "XlogyBackward0"),
        (tri.special.xlog1py(2, x), "SpecialXlog1PyBackward1"),
        (tri.special.xlog1py(x, 2), "SpecialXlog1PyBackward2"),
        (tri.special.zeta(2, x), "SpecialZetaBackward1"),
        (tri.special.zeta(x, 2), "SpecialZetaBackward2"),
    ):
        assert node_of(result) == name


def test_a_weight_that_is_a_number_is_not_freed():
    x, y = leaves((2,), (2,))
    result = tri.lerp(x, y, 0.25)
    for _ in range(2):
        result.sum().backward()
    close(y.grad, [0.5, 0.5])
    weighted = tri.lerp(x, y, tri.tensor(0.25, dtype=tri.float64))
    weighted.sum().backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        weighted.sum().backward()


def test_the_remainder_of_a_number_has_no_gradient():
    x = tri.tensor([1.5, 2.0], requires_grad=True)
    result = tri.remainder(5.0, x)
    assert node_of(result) == "torch::autograd::NotImplemented"
    with pytest.raises(RuntimeError, match="derivative for aten::remainder is not implemented"):
        result.sum().backward()
    (slope,) = tri.autograd.grad(tri.remainder(tri.tensor(5.0), x).sum(), x)
    assert slope.tolist() == [-3.0, -2.0]


def test_short_vectors_have_the_gradient_of_their_length():
    """PyTorch limits lengths in `no_grad`: what is divided by is limited, its gradient is not."""
    x = tri.tensor([[0.5, 0.25], [3.0, 4.0]], dtype=tri.float64, requires_grad=True)
    y = tri.tensor([[0.1, 0.7], [1.0, 2.0]], dtype=tri.float64, requires_grad=True)
    found = F.cosine_similarity(x, y, eps=2.0)
    close(found, [0.0562500000, 0.9838699101])
    first, other = tri.autograd.grad(found.sum(), (x, y), create_graph=True)
    close(first, [[-1.5576474687e-04, 1.6242211763e-01], [-2.8621670112e-02, 2.1466252584e-02]])
    close(other, [[0.1210225244, 0.0346576705], [0.0715541753, -0.0357770876]])
    second, mixed = tri.autograd.grad(first.sum(), (x, y))
    close(second, [[-6.2400923032e-02, -1.6536454017e-01], [2.5759503101e-03, -1.4310835056e-04]])
    close(mixed, [[0.1546734870, 0.1277559785], [0.0157419186, -0.0078709593]])


def test_small_variances_have_the_gradient_of_the_limit():
    x = tri.tensor([3.0, 2.0], dtype=tri.float64, requires_grad=True)
    var = tri.tensor([0.5, 3.0], dtype=tri.float64, requires_grad=True)

    def loss_of(x: Any, var: Any) -> Any:
        return F.gaussian_nll_loss(x, tri.zeros_like(x), var, eps=1.0, reduction="sum")

    for run in (loss_of, tri.compile(loss_of)):
        loss = run(x, var)
        close(loss, 5.7159728110)
        slopes = tri.autograd.grad(loss, (x, var))
        close(slopes[0], [3.0, 0.6666666667])
        close(slopes[1], [-4.0, -0.0555555556])
