"""Does einsum give NumPy's sums for any equation, and as what PyTorch's view of a product?"""

import random
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import trilith as tri

LETTERS = "abcdXY"
#: Its calls have forms that no signature says.
EINSUM: Any = tri.einsum


def drawn(seed: int) -> tuple[str, list[Any]]:
    """Return an equation, with repeated and missing subscripts and ellipses, and its operands."""
    choose = random.Random(seed)
    sizes = {letter: choose.choice((1, 2, 3)) for letter in LETTERS}
    has_ellipsis = choose.random() < 0.4
    terms, arrays = list[str](), list[Any]()
    for number in range(choose.choice((1, 2, 2, 3))):
        letters = [choose.choice(LETTERS) for _ in range(choose.randint(0, 4))]
        shape = [sizes[letter] for letter in letters]
        if has_ellipsis:
            place = choose.randint(0, len(letters))
            letters.insert(place, "...")
            shape[place:place] = [2, 3][choose.randint(0, 2) :]
        terms.append("".join(letters))
        generator = np.random.default_rng([seed, number])
        arrays.append(generator.integers(-3, 4, shape).astype(np.float64))
    known = [letter for letter in LETTERS if any(letter in term for term in terms)]
    output = choose.sample(known, choose.randint(0, len(known)))
    if has_ellipsis:
        output.insert(choose.randint(0, len(output)), "...")
    return f"{','.join(terms)}->{''.join(output)}", arrays


@pytest.mark.parametrize("seed", range(40))
def test_sums_are_numpys(seed: int):
    equation, arrays = drawn(seed)
    tensors = [tri.from_numpy(array) for array in arrays]
    found = EINSUM(equation, *tensors)
    np.testing.assert_array_equal(found.numpy(), np.einsum(equation, *arrays), equation)


@pytest.mark.parametrize(
    ("equation", "shapes", "strides"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)], (4, 1)),
        ("ij,jk->ki", [(2, 3), (3, 4)], (2, 1)),
        ("bij,bjk->kib", [(5, 2, 3), (5, 3, 4)], (2, 1, 8)),
        ("abj,cdj->cabd", [(2, 3, 7), (4, 5, 7)], (5, 60, 20, 1)),
        ("xij,jk->kix", [(1, 2, 3), (3, 4)], (1, 4, 4)),
        ("ij,jk,kl->li", [(5, 2), (2, 3), (3, 4)], (1, 4)),
        ("ijk->ki", [(5, 2, 3)], (5, 1)),
        ("iijj->ij", [(5, 5, 2, 2)], (24, 3)),
        ("ij,kl->lkji", [(5, 2), (3, 2)], (10, 20, 1, 2)),
    ],
)
def test_strides_are_pytorchs(
    equation: str, shapes: list[tuple[int, ...]], strides: tuple[int, ...]
):
    """PyTorch 2.13 gave these: the result is a view of the product of two matrices."""
    tensors = [tri.ones(shape) for shape in shapes]
    assert EINSUM(equation, *tensors).stride() == strides

    def computed(*given: Any) -> Any:
        return EINSUM(equation, *given)

    assert tri.compile(computed)(*tensors).stride() == strides


def test_subscripts_may_be_numbers():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    x, y = tri.from_numpy(a), tri.from_numpy(b)
    assert EINSUM(x, [0, 1], y, [1, 2], [2, 0]).tolist() == (a @ b).T.tolist()
    assert EINSUM(x, [..., 1], y, [1, 30], [30, ...]).tolist() == (a @ b).T.tolist()
    assert EINSUM("ij,jk", [x, y]).tolist() == (a @ b).tolist()
    with pytest.raises(ValueError, match=r"not within the valid range \[0, 52\)"):
        EINSUM(x, [0, 52])


@pytest.mark.parametrize(
    ("equation", "count", "text"),
    [
        ("ij,jk->ik", 1, "fewer operands were provided than specified in the equation"),
        ("ij->ij", 2, "more operands were provided than specified in the equation"),
        ("i1->i", 1, "invalid subscript given at index 1 in the equation string, subscripts must "
         "be in [a-zA-Z]"),
        ("i->i", 1, "the number of subscripts in the equation (1) does not match the number of "
         "dimensions (2) for operand 0 and no ellipsis was given"),
        ("ijk...", 1, "the number of subscripts in the equation (3) is more than the number of "
         "dimensions (2) for operand 0"),
        ("ij->ik", 1, "output subscript k does not appear in the equation for any input operand"),
        ("ij->ii", 1, "output subscript i appears more than once in the output"),
        ("..i->i", 1, "found '.' for operand 0 that is not part of any ellipsis"),
        ("...i...", 1, "found '.' for operand 0 for which an ellipsis was already found"),
        ("ij->.", 1, "found '.' for output that is not part of any ellipsis (...)"),
        ("ii", 1, "subscript i is repeated for operand 0 but the sizes don't match, 3 != 2"),
        ("ij,ji", 2, "subscript j has size 2 for operand 1 which does not broadcast with "
         "previously seen size 3"),
    ],
)  # fmt: skip
def test_refusals(equation: str, count: int, text: str):
    with pytest.raises(RuntimeError) as raised:
        EINSUM(equation, *[tri.ones(2, 3)] * count)
    assert getattr(raised.value, "message", "") == f"einsum(): {text}"


def test_the_path_is_that_of_opt_einsum(monkeypatch: pytest.MonkeyPatch):
    """It says which operands come first; their product is put last."""
    asked: list[Any] = []

    def contract_path(*arguments: Any, **keywords: Any) -> Any:
        asked.append((arguments, keywords))
        return [(1, 2), (0, 1)], "a report"

    module = SimpleNamespace(contract_path=contract_path, __spec__=SimpleNamespace())
    monkeypatch.setitem(sys.modules, "opt_einsum", module)  # pyright: ignore[reportArgumentType]
    a, b, c = (np.arange(size * 2.0).reshape(-1, 2) for size in (3, 2, 2))
    tensors = [tri.from_numpy(array) for array in (a, b, c)]
    assert EINSUM("ij,jk,kl->il", *tensors).tolist() == (a @ b @ c).tolist()
    shapes = ((3, 2), (2, 2), (2, 2))
    expected = (("ij,jk,kl->il", *shapes), {"shapes": True, "optimize": "auto"})
    assert asked
    assert all(question == expected for question in asked)


def test_tensordot():
    a, b = np.arange(24.0).reshape(2, 3, 4), np.arange(24.0).reshape(4, 3, 2)
    x, y = tri.from_numpy(a), tri.from_numpy(b)
    tensordot: Any = tri.tensordot
    assert tensordot(x, y, 1).tolist() == np.tensordot(a, b, 1).tolist()
    assert tensordot(x, y, 0).shape == (2, 3, 4, 4, 3, 2)
    expected = np.tensordot(a, b, ([0, 1], [2, 1]))
    found = tensordot(x, y, dims=([0, 1], [2, 1]))
    assert found.tolist() == expected.tolist()
    assert tensordot(x, tri.ones(1, 2).double(), dims=([2], [0])).tolist() == [
        [[total] * 2 for total in row] for row in a.sum(2).tolist()
    ]
    with pytest.raises(RuntimeError, match="contracted dimensions need to match, but first has "):
        tensordot(x, y, dims=([0], [0]))
