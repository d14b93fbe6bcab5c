"""A call between the signatures that PyTorch has for a function is refused in its words.

The texts are what torch 2.13 says, but that a dtype is one of trilith.
"""

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

#: Wrong on purpose: a type checker must not look into the calls.
wrong: Any = tri
X: Any = tri.ones(2)

INVALID = "received an invalid combination of arguments - got "
OF_SUM = """, but expected one of:
 * (Tensor input, *, trilith.dtype dtype = None)
 * (Tensor input, tuple of ints dim, bool keepdim = False, *, trilith.dtype dtype = None, \
Tensor out = None)
"""
OF_SUM_METHOD = """, but expected one of:
 * (*, trilith.dtype dtype = None)
 * (tuple of ints dim, bool keepdim = False, *, trilith.dtype dtype = None)
"""
OPTIONS = (
    "*, trilith.dtype dtype = None, trilith.layout layout = None, trilith.device device = None, "
    "bool pin_memory = False, bool requires_grad = False)\n"
)
OF_KAISER = (
    ", but expected one of:\n"
    f" * (int window_length, {OPTIONS}"
    f" * (int window_length, bool periodic, {OPTIONS}"
    f" * (int window_length, bool periodic, float beta, {OPTIONS}"
)
OF_WHERE = """, but expected one of:
 * (Tensor condition)
 * (Tensor condition, Tensor input, Tensor other, *, Tensor out = None)
 * (Tensor condition, Number self, Tensor other)
      didn't match because some of the arguments have invalid types: (Tensor, !Tensor!, !str!)
 * (Tensor condition, Tensor input, Number other)
      didn't match because some of the arguments have invalid types: (Tensor, Tensor, !str!)
 * (Tensor condition, Number self, Number other)
      didn't match because some of the arguments have invalid types: (Tensor, !Tensor!, !str!)
"""

Call = Callable[[], Any]
CASES: dict[str, Call] = {
    f"sum() {INVALID}(Tensor, out=Tensor){OF_SUM}": lambda: wrong.sum(X, out=tri.zeros(())),
    f"sum() {INVALID}(Tensor, keepdim=bool){OF_SUM}": lambda: wrong.sum(X, keepdim=True),
    f"sum() {INVALID}(foo=int, ){OF_SUM_METHOD}": lambda: X.sum(foo=1),
    f"sum() {INVALID}(str){OF_SUM_METHOD}": lambda: X.sum("a"),
    'sum() missing 1 required positional arguments: "dim"': lambda: X.sum(foo=1, bar=2),
    "sum() takes from 2 to 3 positional arguments but 4 were given": (
        lambda: wrong.sum(X, 0, True, 1)
    ),
    "sum(): argument 'keepdim' (position 2) must be bool, not int": lambda: X.sum(0, 2),
    "sum(): argument 'input' (position 1) must be Tensor, not int": lambda: wrong.sum(1),
    'median() missing 1 required positional arguments: "dim"': (
        lambda: wrong.median(X, out=tri.zeros(()))
    ),
    f"kaiser_window() {INVALID}(int, beta=float){OF_KAISER}": (
        lambda: wrong.kaiser_window(5, beta=5.0)
    ),
    f"kaiser_window() {INVALID}(int, int){OF_KAISER}": lambda: wrong.kaiser_window(5, 5),
    "where(): argument 'other' (position 3) must be Tensor, not float": (
        lambda: wrong.where(X > 0, X, 0.0, out=tri.zeros(2))
    ),
    f"where() {INVALID}(Tensor, Tensor, str){OF_WHERE}": lambda: wrong.where(X > 0, X, "a"),
}


@pytest.mark.parametrize("words", CASES)
def test_a_call_is_one_of_the_signatures(words: str) -> None:
    with pytest.raises(TypeError) as caught:
        CASES[words]()
    assert getattr(caught.value, "message", "") == words


def test_calls_that_are_signatures_run() -> None:
    out = tri.zeros(())
    assert wrong.sum(X, 0, out=out).item() == 2.0
    assert wrong.sum(X, dim=None, out=out).item() == 2.0
    assert wrong.mean(X, out=out).item() == 1.0
    assert X.sum(dtype=tri.float64).dtype is tri.float64
    assert wrong.where(X > 0, X, X, out=tri.zeros(2)).tolist() == [1.0, 1.0]
    assert wrong.where(X > 0, X, other=2).tolist() == [1.0, 1.0]
    assert wrong.kaiser_window(3, True, beta=1.0).shape == (3,)


def test_a_traced_call_is_refused_in_the_same_words() -> None:
    def kept(x: Any) -> Any:
        return x.sum(keepdim=True)

    with pytest.raises(TypeError) as caught:
        tri.compile(kept)(X)
    words = f"sum() {INVALID}(keepdim=bool, ){OF_SUM_METHOD}"
    assert getattr(caught.value, "message", "") == words
