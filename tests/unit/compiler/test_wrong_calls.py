"""A call that does not fit is refused as PyTorch does: a method does not count its tensor.

The texts are what torch 2.13 says, but that a dtype is one of trilith.
"""

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

#: Wrong on purpose: a type checker must not look into the calls.
wrong: Any = tri
X: Any = tri.ones(2)
HALF: Any = tri.tensor(2.5)

Call = Callable[[], Any]

OF_FUNCTIONS: dict[str, Call] = {
    "maximum(): argument 'other' (position 2) must be Tensor, not int": lambda: wrong.maximum(X, 2),
    "maximum(): argument 'input' (position 1) must be Tensor, not int": lambda: wrong.maximum(2, X),
    "maximum(): argument 'other' must be Tensor, not int": lambda: wrong.maximum(X, other=2),
    "cumsum(): argument 'dim' (position 2) must be int, not float": lambda: wrong.cumsum(X, 1.5),
    "gather(): argument 'index' (position 3) must be Tensor, not int": (
        lambda: wrong.gather(X, 0, 1)
    ),
    "relu_(): argument 'input' (position 1) must be Tensor, not int": lambda: wrong.relu_(1),
    "dropout_(): argument 'p' (position 2) must be float, not str": (
        lambda: wrong.dropout_(X, "a", True)
    ),
    "permute(): argument 'dims' (position 2) must be tuple of ints, not str": (
        lambda: wrong.permute(X, "a")
    ),
    "tril() takes from 1 to 2 positional arguments but 3 were given": lambda: wrong.tril(X, 0, 0),
    "abs() takes 1 positional argument but 2 were given": lambda: wrong.abs(X, 1),
}

OF_NAMES: dict[str, Call] = {
    'sum() missing 1 required positional arguments: "input"': lambda: wrong.sum(self=X),
    'relu() missing 1 required positional arguments: "input"': lambda: wrong.relu(self=X),
    'cat() missing 1 required positional arguments: "tensors"': lambda: wrong.cat(self=1),
    "zeros() got an unexpected keyword argument 'self'": lambda: wrong.zeros(size=(2,), self=3),
    'add() missing 1 required positional arguments: "other"': lambda: X.add(self=1),
    "add() got an unexpected keyword argument 'self'": lambda: X.add(self=X, other=1),
    "exp() got an unexpected keyword argument 'name'": lambda: wrong.exp(X, name=1),
}

OF_METHODS: dict[str, Call] = {
    "maximum(): argument 'other' (position 1) must be Tensor, not int": lambda: X.maximum(2),
    "maximum(): argument 'other' must be Tensor, not int": lambda: X.maximum(other=2),
    "atan2_(): argument 'other' (position 1) must be Tensor, not int": lambda: X.atan2_(2),
    "dot(): argument 'tensor' (position 1) must be Tensor, not int": lambda: X.dot(2),
    "addmm_(): argument 'mat2' (position 2) must be Tensor, not int": lambda: X.addmm_(X, 3),
    "cumsum_(): argument 'dim' (position 1) must be int, not float": lambda: X.cumsum_(1.5),
    "softmax(): argument 'dtype' (position 2) must be trilith.dtype, not int": (
        lambda: X.softmax(0, 1)
    ),
    "argmax(): argument 'keepdim' (position 2) must be bool, not int": lambda: X.argmax(0, 3),
    "gather(): argument 'index' (position 2) must be Tensor, not int": lambda: X.gather(0, 1),
    "index_copy(): argument 'source' (position 3) must be Tensor, not int": (
        lambda: X.index_copy(0, X, 1)
    ),
    "masked_select(): argument 'mask' (position 1) must be Tensor, not int": (
        lambda: X.masked_select(1)
    ),
    "transpose_(): argument 'dim1' (position 2) must be int, not str": lambda: X.transpose_(0, "a"),
    "unflatten(): argument 'sizes' (position 2) must be tuple of ints, not str": (
        lambda: X.unflatten(0, "a")
    ),
    "new_full(): argument 'fill_value' (position 2) must be Number, not str": (
        lambda: X.new_full((2,), "a")
    ),
    "uniform_(): argument 'from' (position 1) must be float, not str": lambda: X.uniform_("a"),
    "allclose(): argument 'other' (position 1) must be Tensor, not int": lambda: X.allclose(1),
    "tril_() takes from 0 to 1 positional arguments but 2 were given": lambda: X.tril_(0, 0),
    "maximum() takes 1 positional argument but 2 were given": lambda: X.maximum(X, X),
    "new_full() takes 2 positional arguments but 3 were given": lambda: X.new_full((1,), 2, 3),
    "TensorBase.abs() takes no arguments (1 given)": lambda: X.abs(1),
    "TensorBase.t_() takes no arguments (1 given)": lambda: X.t_(1),
}

OF_OVERLOADS: dict[str, Call] = {
    "prod(): argument 'dim' (position 1) must be int, not NoneType": lambda: X.prod(None, True),
    'sum() missing 1 required positional arguments: "dim"': (
        lambda: X.sum(keepdim=True, dtype=tri.float64)
    ),
}
OF_LISTS: dict[str, Call] = {
    "permute(): argument 'dims' (position 1) must be tuple of ints, not str": (
        lambda: X.permute("a")
    ),
    "permute(): argument 'dims' (position 1) must be tuple of ints, but found element of type str "
    "at pos 0": lambda: X.permute(("a",)),
    "permute() takes 1 positional argument but 2 were given": lambda: X.permute("a", 1),
    "permute(): argument 'dims' failed to unpack the object at pos 2 with error "
    '"type must be tuple of ints,but got str"': lambda: X.permute(0, "a"),
    "zeros(): argument 'size' (position 1) must be tuple of ints, not Tensor": (
        lambda: wrong.zeros(HALF)
    ),
    "zeros(): argument 'size' (position 1) must be tuple of ints, but found element of type Tensor "
    "at pos 0": lambda: wrong.zeros((HALF,)),
    "zeros(): argument 'size' failed to unpack the object at pos 2 with error "
    '"type must be tuple of ints,but got Tensor"': lambda: wrong.zeros(1, HALF),
    "zeros() takes 1 positional argument but 2 were given": lambda: wrong.zeros(HALF, 1),
    "ones(): argument 'size' (position 1) must be tuple of ints, not Tensor": (
        lambda: wrong.ones(tri.tensor([2, 3]))
    ),
    "reshape(): argument 'shape' (position 1) must be tuple of ints, not Tensor": (
        lambda: X.reshape(HALF)
    ),
}


@pytest.mark.parametrize("calls", [OF_FUNCTIONS, OF_NAMES, OF_METHODS, OF_LISTS, OF_OVERLOADS])
def test_the_words_are_those_of_the_call(calls: dict[str, Call]) -> None:
    assert {words: _said(call) for words, call in calls.items()} == {
        words: words for words in calls
    }


def test_a_number_in_the_place_of_the_first_tensor_is_called_self() -> None:
    x = tri.tensor([3, 2])
    assert wrong.pow(self=2, exponent=x).tolist() == [8, 4]
    assert wrong.remainder(self=5, other=x).tolist() == [2, 1]
    assert wrong.bitwise_and(self=2, other=x).tolist() == [2, 2]
    assert tri.compile(lambda n, x: wrong.pow(self=n, exponent=x))(2.0, x).tolist() == [8, 4]


def test_a_traced_call_is_refused_in_the_same_words() -> None:
    def larger(x: Any) -> Any:
        return x.maximum(2)

    with pytest.raises(TypeError) as caught:
        tri.compile(larger)(X)
    words = "maximum(): argument 'other' (position 1) must be Tensor, not int"
    assert getattr(caught.value, "message", "") == words


def _said(call: Call) -> str:
    with pytest.raises(TypeError) as caught:
        call()
    # The parts that such errors keep inside of the library are no classes that anybody catches.
    assert type(caught.value).__name__ in {"TypeError", "TrilithTypeError"}
    return getattr(caught.value, "message", str(caught.value))
