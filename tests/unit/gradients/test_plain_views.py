"""Does what is written into part of a plain tensor reach all who see it? As PyTorch's views do."""

from typing import Any

import pytest

import trilith as tri


def leaf(*values: float) -> Any:
    return tri.tensor(values or (1.0, 2.0, 3.0), requires_grad=True)


def test_a_write_through_a_view_reaches_the_base_and_other_views():
    x = leaf(4.0, 5.0)
    base: Any = tri.tensor([1.0, 2.0, 3.0])
    view: Any = base[1:]
    other: Any = base[:2]
    view.mul_(x)
    assert (base.requires_grad, other.requires_grad) == (True, True)
    names = tuple(each.grad_fn.name() for each in (base, other))
    assert names == (
        "torch::autograd::CopySlices",
        "AsStridedBackward0",
    )
    (base.sum() + 10 * other.sum()).backward()
    assert x.grad.tolist() == [22.0, 3.0]


def test_a_write_to_the_base_reaches_its_views():
    x, base = leaf(), tri.ones(3)
    view = base.view(3, 1)[1:]
    base.mul_(x)
    view.sum().backward()
    assert x.grad.tolist() == [0.0, 1.0, 1.0]


def test_tensors_apart_stay_apart():
    x, base = leaf(), tri.ones(3)
    detached, data, copied = base.detach(), base.data, base.clone()
    base.mul_(x)
    assert not any(each.requires_grad for each in (detached, data, copied))


def test_parts_are_assigned():
    x, y = leaf(), tri.zeros(2, 3)
    y[0] = x
    y[1, 0] = x[1] * 2
    (y * tri.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])).sum().backward()
    assert x.grad.tolist() == [1.0, 10.0, 3.0]


def test_a_part_of_a_view_is_assigned():
    x, y = leaf(4.0, 5.0), tri.zeros(2, 3)
    y.t()[0] = x
    (y * y).sum().backward()
    assert x.grad.tolist() == [8.0, 10.0]


def test_imaginary_parts_are_assigned():
    x, y = leaf(), tri.zeros(3, dtype=tri.complex64)
    y.imag = x
    y.abs().sum().backward()
    assert x.grad.tolist() == [1.0, 1.0, 1.0]


def test_parts_are_assigned_in_compiled_gradients():
    def loss(x: Any) -> Any:
        y = tri.zeros(3)
        y[0] = x[0] * 2
        y[1:] = x[1:]
        return (y * y).sum()

    x = tri.tensor([1.0, 2.0, 3.0])
    expected = [8.0, 4.0, 6.0]
    assert tri.func.grad(loss)(x).tolist() == expected
    assert tri.compile(tri.func.grad(loss))(x).tolist() == expected


def test_a_tensor_that_becomes_a_view_of_itself_leads_there():
    x = tri.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y: Any = x * 1
    y.t_()
    assert y.grad_fn.name() == "TBackward1"
    (y * tri.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    assert x.grad.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used"):
        x.t_()


def test_a_kept_gradient_follows_a_write():
    x = leaf()
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    y.sum().backward()
    assert (y.grad.tolist(), x.grad.tolist()) == ([1.0] * 3, [6.0] * 3)


def test_members_of_the_implementation():
    x: Any = tri.ones(3)
    impl = x.unsafeGetTensorImpl()
    assert impl.autograd_meta() is None
    impl.set_requires_grad(True)
    (x * 2).sum().backward()
    assert (impl.requires_grad(), impl.grad().tolist()) == (True, [2.0, 2.0, 2.0])
    impl.mutable_grad(None)
    assert x.grad is None
    impl.version_counter().set_version(9)
    assert (x._version, impl.version_counter().current_version()) == (9, 9)
    impl.set_autograd_meta(None)
    assert (x.requires_grad, type(x)) == (False, tri.Tensor)
