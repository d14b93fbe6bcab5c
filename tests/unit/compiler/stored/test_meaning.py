"""Does a plan from the disk mean what the function means now, whatever else left plans there?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.compiler.stored.processes import Copies, copies

TELL = """
def plain(value):
    if isinstance(value, tri.Tensor):
        return [str(value.dtype), list(value.shape), list(value.stride()), value.tolist()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(plain, value)]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return repr(value)
def result(call):
    with warnings.catch_warnings(record=True, action="always") as caught:
        try:
            found = plain(call())
        except Exception as error:
            found = [type(error).__name__, str(error)]
    return found, [str(item.message).splitlines()[0] for item in caught]
"""
X = "x = tri.arange(12.).reshape(3, 4)\n"

OPERATORS = (
    *("x - 1", "1 - x", "2 / x", "x // 2", "2 // (x + 1)", "x ** 2", "x ** 0.5", "2 ** x"),
    *("-x", "abs(x)", "~x", "x == 3", "3 > x", "x @ x.T", "x & 1", "1 | x", "x % 2"),
    *("x + None", "x < 'a'", "x == None", "x + 2.5", "True + x", "x * 2**70", "x.T"),
)

#: Programs of which the first leaves plans, and the others must not be misled by them.
STORIES: dict[str, list[str]] = {
    "control flow on sizes": [
        "f = tri.compile(lambda x: x + 1)\n"
        "told(r=[result(lambda: f(tri.ones(n))) for n in (9, 7)])",
        "f = tri.compile(lambda x: x + 1 if x.shape[0] > 5 else x * 2)\n"
        "told(r=[result(lambda: f(tri.ones(n))) for n in (9, 3, 7, 2)])",
        "f = tri.compile(lambda x: x + 1 if len(x) > 5 else x * 2)\n"
        "told(r=[result(lambda: f(tri.ones(n))) for n in (3, 9, 2, 7)])",
    ],
    "a size as a number": [
        f"f = tri.compile(lambda x: x / x.shape[0])\ntold(r=[result(lambda: f(tri.ones({n})))])"
        for n in (4, 8, 16, 5)
    ],
    "a number of the enclosing program": [
        f"c = {c}\nf = tri.compile(lambda x: x * c)\ntold(r=[result(lambda: f(tri.ones(4)))])"
        for c in ("2", "2.0", "True", "-0.0", "0.0", "2")
    ],
    "a tensor of the enclosing program": [
        f"w = {w}\nf = tri.compile(lambda x: x * w)\ntold(r=[result(lambda: f(tri.ones(4)))])"
        for w in (
            *("tri.arange(4.)", "tri.arange(4.) + 1", "tri.arange(4)", "tri.ones(1)"),
            *("tri.arange(8.)[::2]", "tri.tensor(2.)", "tri.arange(5.)", "np.arange(4.)"),
        )
    ],
    "a tensor that changes": [
        "w = tri.arange(4.)\nf = tri.compile(lambda x: x * w)\n"
        "r = [result(lambda: f(tri.ones(4)))]\nw += 5\nr.append(result(lambda: f(tri.ones(4))))\n"
        "w = tri.arange(4)\nr.append(result(lambda: f(tri.ones(4))))\ntold(r=r)"
    ]
    * 2,
    "the default dtype": [
        "f = tri.compile(lambda: tri.ones(3) + 0.5)\ng = tri.compile(lambda x: x * 0.5)\n"
        f"{setting}\ntold(r=[result(f), result(lambda: g(tri.arange(3))), "
        "result(lambda: tri.arange(3) * 0.5)])"
        for setting in (
            *("", "tri.set_default_dtype(tri.float64)", "tri.set_promotion_mode('array_api')"),
            *("tri.set_default_dtype(tri.float16)", ""),
        )
    ],
    "the default device": [
        f"{setting}\nf = tri.compile(lambda: tri.ones(3) * 2)\ntold(r=[repr(f().device)])"
        for setting in ("", "tri.set_default_device('meta')", "")
    ],
    "settings that a function changes": [
        "warnings.simplefilter('ignore')\n"
        "def settings():\n"
        "    return [str(tri.get_default_dtype()), tri.get_promotion_mode(), "
        "str(tri.get_default_device())]\n"
        "r = []\n"
        "for change in (lambda: tri.set_default_dtype(tri.float64), "
        "lambda: tri.set_promotion_mode('array_api'), lambda: tri.set_default_device('meta'), "
        "lambda: None):\n"
        "    def f(x):\n        change()\n        return x + 1\n"
        "    f = tri.compile(f)\n"
        "    for _ in range(2):\n"
        "        tri.set_default_dtype(tri.float32), tri.set_promotion_mode('torch')\n"
        "        tri.set_default_device(None)\n"
        "        r += [result(lambda: f(tri.ones(3, device='cpu')))[0], settings()]\n"
        "    r.append(f.stats().eager_calls)\n"
        "    tri.set_default_device(None)\n"
        "told(r=r)",
    ]
    * 3,
    "stand-ins that are kept": [
        "kept = []\n"
        "def f(x, n):\n    kept[:] = [x * 2, n, x]\n    return x + n\n"
        "f = tri.compile(f)\nf(tri.ones(3), 2)\n"
        "told(r=[result(lambda: k + 1) for k in kept] + [repr(k) for k in kept])"
    ]
    * 3,
    "a device inside": [
        "def f(x):\n    tri.ones(2)\n    return x + tri.ones(3)\nf = tri.compile(f)\n"
        "told(r=[result(lambda: f(tri.ones(3)))])",
        "def f(x):\n    with tri.device('meta'):\n        y = tri.ones(3)\n    return x + y\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(tri.ones(3)))])",
    ],
    "a tensor becomes its transpose": [
        X + "def f(x):\n    y = x + 1\n    y.t()\n    return y * 2\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(x))])",
        X + "def f(x):\n    y = x + 1\n    y.t_()\n    return y * 2\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(x))])",
        X + "def f(x):\n    y = x + 1\n    y.t()\n    return y * 2\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(x))])",
    ],
    "writes": [
        X + "def f(x):\n    y = x + 1\n    y * 3\n    return y * 2\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(x)), result(lambda: x)])",
        X + "def f(x):\n    y = x + 1\n    y.mul_(3)\n    return y * 2\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(x)), result(lambda: x)])",
        X + "def f(x):\n    x.mul_(3)\n    return x * 2\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(x)), result(lambda: x)])",
        X + "def f(x):\n    x[0] = 3\n    return x * 2\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(x)), result(lambda: x)])",
        X + "x += 1\nx.sub_(3)\nx[1:] = 5\ntold(r=[result(lambda: x)])",
    ],
    "results that are arguments or one another": [
        X + f"f = tri.compile(lambda x: {do})\nr = f(x)\n"
        "told(r=[result(lambda: r), [a is x for a in r], r[0] is r[-1]])"
        for do in ("(x + 1, x)", "(x, x)", "[x + 1, x * 2]", "(x.to(tri.float32), x)")
    ]
    * 2,
    "structures": [
        X + "f = tri.compile(lambda a, b: {'s': a['k'] + b[0], 'd': (a['k'] - b[1], None)})\n"
        "told(r=[result(lambda: f({'k': x}, [x, x * 2]))])",
        X + "f = tri.compile(lambda a, b: {'d': a['k'] + b[0], 's': (a['k'] - b[1], None)})\n"
        "told(r=[result(lambda: f({'k': x}, (x, x * 2)))])",
    ],
    "lists that are changed": [
        X + "f = tri.compile(lambda a: a[0] + 1)\ntold(r=[result(lambda: f([x]))])",
        X + "def f(a):\n    b = a[0] + 1\n    a.append(b)\n    return b\n"
        "f = tri.compile(f)\nl = [x]\ntold(r=[result(lambda: f(l)), result(lambda: l)])",
    ],
    "numbers that are arguments": [
        X + f"f = tri.compile(lambda x, n: x {op} n)\n"
        "told(r=[result(lambda: f(x, n)) for n in (2, 3, 0.5, True, 2**62, -1)])"
        for op in ("+", "**", "*", "+")
    ]
    + [
        X
        + "f = tri.compile(lambda x, n: n - x)\ntold(r=[result(lambda: f(x, n)) for n in (2, .5)])"
    ]
    * 2,
    "static arguments": [
        X + "f = tri.compile(lambda x, n: x.sum(n), static_argnames='n')\n"
        "told(r=[result(lambda: f(x, n)) for n in (0, 1, (0, 1), None, True)])"
    ]
    * 2,
    "warnings": [
        "told(r=[result(lambda: tri.ones(2, 3, 4).T), result(lambda: tri.compile(lambda x: x.T)"
        "(tri.ones(2, 3, 4)))])"
    ]
    * 2,
    "errors": [
        "f = tri.compile(lambda a, b: a + b)\ntold(r=[result(lambda: f(tri.ones(3), tri.ones(3))), "
        "result(lambda: tri.ones(3) + tri.ones(3)), result(lambda: tri.ones(3) @ tri.ones(3))])",
        "f = tri.compile(lambda a, b: a + b)\ntold(r=[result(lambda: f(tri.ones(3), tri.ones(4))), "
        "result(lambda: tri.ones(3) + tri.ones(4)), result(lambda: tri.ones(3) @ tri.ones(4)), "
        "result(lambda: tri.ones(3) + 'a'), result(lambda: tri.exp()), result(lambda: tri.exp(1)), "
        "result(lambda: tri.ones(3).no_such), result(lambda: tri.no_such)])",
    ],
    "errors that are caught": [
        X + "def f(x, y):\n    try:\n        return x + y\n    except RuntimeError:\n"
        "        return x * 2\nf = tri.compile(f)\n"
        f"told(r=[result(lambda: f(x, {y}))])"
        for y in ("x", "tri.ones(5)", "x", "tri.ones(5)")
    ],
    "conditions on values": [
        X + "f = tri.compile(lambda x: x + 1)\ntold(r=[result(lambda: f(x))])",
        X + "def f(x):\n    return x + 1 if x.sum() > 3 else x\nf = tri.compile(f)\n"
        "told(r=[result(lambda: f(x))])",
        X + "def f(x):\n    try:\n        bool(x.sum() > 3)\n    except Exception:\n        pass\n"
        "    return x + 1\nf = tri.compile(f)\ntold(r=[result(lambda: f(x))])",
        X + "def f(x):\n    print(x)\n    x.item\n    return x + len(str(x.tolist()))\n"
        "f = tri.compile(f)\ntold(r=[result(lambda: f(x))])",
    ],
    "shapes of results": [
        X + "f = tri.compile(lambda x: (x + 1) / (x + 1).shape[0] + (x @ x.T).numel())\n"
        "told(r=[result(lambda: f(x)), result(lambda: f(tri.ones(2, 5)))])"
    ]
    * 3,
    "tensors that are made inside": [
        X
        + f"fs = [{', '.join(f'tri.compile(lambda x: x + {made})' for made in made_inside)}]\n"
        + "told(r=[result(lambda: f(x)) for f in fs for _ in range(2)])"
        for made_inside in (
            (
                *("tri.tensor([1., 2., 3., 4.])", "tri.ones(4)", "np.ones(4)", "tri.zeros(3, 4)"),
                *("tri.tensor([4., 3., 2., 1.])", "tri.full((4,), 2.)", "tri.arange(4)"),
            ),
            (
                *("tri.tensor([4., 2., 3., 4.])", "tri.full((4,), 3.)", "tri.eye(4)[1]"),
                *("tri.ones(4)", "np.arange(4.)", "tri.zeros(1, 4)", "tri.arange(4.)"),
            ),
        )
    ],
    "random numbers": [
        X + "f = tri.compile(lambda x: x + tri.rand(4).sum() * 0)\n"
        "told(r=[result(lambda: f(x))[0]])"
    ]
    * 2,
    "several results": [
        X + "f = tri.compile(lambda x: x.max(0))\ntold(r=[result(lambda: list(f(x))), "
        "result(lambda: list(x.max(1))), result(lambda: list(x.split(2))), "
        "result(lambda: x.max(0).values)])"
    ]
    * 2,
    "fewer parts than were asked for": [
        f"f = tri.compile(lambda x: {do})\n"
        f"told(r=[result(lambda: f(tri.arange(float(n)))) for n in {sizes}])"
        for sizes in ("(9, 12, 6)", "(4, 5, 9, 2, 7)", "(4, 7, 9)")
        for do in (
            "[part * 2 for part in x.chunk(3)]",
            "x * len(x.chunk(3))",
            "x.chunk(3)[-1] + 1",
            "sum([x.chunk(4)[k][0] for k in range(3)])",
            "x.split_with_sizes((4, 5))[1] * 2",
            "x.chunk(chunks=0) if len(x) == 4 else x.chunk(dim=0, chunks=2)[1] + 1",
        )
    ],
    "elements that are looked up": [
        X + f"i = tri.tensor({i})\nf = tri.compile(lambda x, i: x[i] + 1)\n"
        "told(r=[result(lambda: f(x, i))[0][:1], result(lambda: x[i])[0], "
        "result(lambda: x[i, 0] + 1)[0]])"
        for i in ("[0, 2]", "[2, 1]", "[0, 1, 1]")
    ]
    * 2,
    "indices": [
        X + "told(r=[result(lambda: g(y)) for g in (lambda x: x[1:], lambda x: x[1:3], "
        "lambda x: x[-1], lambda x: x[..., 1:], lambda x: x[:, None], lambda x: x[::2], "
        "lambda x: x[[1, 0]], lambda x: x[True], lambda x: x[0, 1:], lambda x: x[9]) "
        "for f in (g, tri.compile(g)) for g in (f, lambda x: f(x) + 1) "
        "for y in (x, tri.arange(30.).reshape(5, 6))])"
    ]
    * 2,
    "bound methods and functions that are kept": [
        X + "from trilith import exp\nfrom pickle import dumps, loads\nadd = x.add\n"
        "told(r=[result(lambda: exp(x)), result(lambda: add(1)), result(lambda: tri.sum(x, 0)), "
        "result(lambda: x.sum(dim=1, keepdim=True)), exp.__name__, result(lambda: exp(x)), "
        "result(lambda: loads(dumps(exp))(x)), exp.__doc__ == tri.exp.__doc__, repr(add)[:6], "
        "str(__import__('inspect').signature(exp)), "
        "result(lambda: tri.exp(x, out=tri.ones(3, 4)))])"
    ]
    * 2,
    "operators": [
        X
        + "told(r=[result(lambda: f(y)) for f in ("
        + "".join(f"lambda x: {do}, " for do in OPERATORS)
        + ") for y in (x, x.to(tri.int32), x > 3)])"
    ]
    * 2,
}


@pytest.fixture(scope="module")
def processes() -> Iterator[Copies]:
    with copies(TELL) as found:
        yield found


@pytest.mark.parametrize("story", STORIES)
def test_results_are_those_of_a_process_without_a_disk(
    tmp_path: Path, processes: Copies, story: str
):
    programs = STORIES[story]
    expected = {program: processes.run(None, program) for program in dict.fromkeys(programs)}
    for program in programs:
        assert processes.run(tmp_path, program) == expected[program], program
    assert any(tmp_path.rglob("*.entry")), "no program has left a plan"
