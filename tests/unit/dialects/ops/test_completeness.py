"""Is a row all there is to an operation, and does its face equal PyTorch's?

The signatures of PyTorch are recorded in `tests/data/torch/signatures.json`.
"""

import doctest
import importlib
import json
import operator
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.func import Func
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

import trilith as tri
from trilith.compiler.eager import operations as eager
from trilith.compiler.interpret.tri import interpret_function
from trilith.compiler.trace.operators import document, signature_of
from trilith.compiler.trace.proxies import Proxy
from trilith.dialects.attributes.dtype import float32
from trilith.dialects.ops.frame import elementwise
from trilith.dialects.ops.frame.row import OpSpec
from trilith.dialects.ops.frame.rules import FLOATS, int_to_float
from trilith.dialects.ops.frame.schema import Parameter
from trilith.dialects.ops.scalars.reference import NumpyLanguage
from trilith.dialects.ops.scalars.scalar import Scalar, TextLanguage
from trilith.dialects.ops.table import TABLE
from trilith.dialects.tri import ops as tri_ops
from trilith.dialects.tri.dialect import make_dialect

DATA = pathlib.Path(__file__).parents[3] / "data" / "torch"
RECORDED: dict[str, Any] = json.loads((DATA / "signatures.json").read_text(encoding="utf-8"))[
    "rows"
]
ROWS = list(TABLE.values())
PUBLIC = [row for row in ROWS if row.is_public]


def name_of(row: OpSpec) -> str:
    return row.name


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_row_says_what_it_is(row: OpSpec):
    assert row.doc
    assert row.doc.endswith(".")
    assert "  # " in row.example, "an example ends in what it gives"
    assert row.name in RECORDED, "run tests/data/torch/record_signatures.py"


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_example_gives_what_it_says(row: OpSpec, capsys: pytest.CaptureFixture[str]):
    test = doctest.DocTestParser().get_doctest(document(row), {}, row.name, None, None)
    assert len(test.examples) == 2
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert not runner.failures, capsys.readouterr().out


@pytest.mark.parametrize("row", PUBLIC, ids=name_of)
def test_public_row_is_a_function(row: OpSpec):
    for name in row.function_names:
        function = getattr(tri, name)
        assert function.__signature__ == signature_of(row)
        assert function.__doc__.startswith(row.doc)
        assert name in dir(tri)


@pytest.mark.parametrize("row", [row for row in ROWS if row.places], ids=name_of)
def test_row_is_a_function_of_modules(row: OpSpec):
    for place in row.places:
        module, _, name = place.rpartition(".")
        found = importlib.import_module(f"trilith.{module}")
        assert name in dir(found)
        assert getattr(found, name).__signature__ == signature_of(row)
        assert operator.attrgetter(place)(tri) is getattr(found, name)
        assert place in RECORDED[row.name]["places"], f"torch has no {place}"


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_methods_are_on_tensors_and_proxies(row: OpSpec):
    for name in row.methods:
        tri.zeros(1)  # loads the operations
        assert name in dir(tri.Tensor)
        assert name in dir(Proxy)


def test_no_method_is_claimed_twice():
    names = [name for row in ROWS for name in row.methods]
    assert sorted(set(names)) == sorted(names)


# ---- PyTorch's names

#: Parameters of rows that are not named and ordered as in PyTorch, and why.
OTHER_PARAMETERS = {
    **{
        f"nn_functional_{kind}max_pool{dims}d": "PyTorch chooses one of two functions of its own"
        for dims in (1, 2, 3)
        for kind in ("", "adaptive_")
    },
    "ctc_loss_of": "lengths are tensors here, tuples in the schema of PyTorch's other form, too",
    "ctc_loss_backward": "the states of the alignments are found again",
    "nll_loss_backward": "the weights of the elements are added up again where they are needed",
    "where_method": "torch.Tensor.where(condition, other): the schema is that of the function",
    "cpu": "the method of torch.Tensor has memory_format, the schema of that name is another's",
    "cuda": "the method of torch.Tensor has more, the schema of that name is another's",
    "to": "one row for PyTorch's overloads (dtype), (device, dtype) and (other)",
    "scatter": "one row for PyTorch's overloads (src) and (value), with and without reduce",
    "atleast_1d": "one row for PyTorch's overloads (input) and (tensors)",
    "atleast_2d": "one row for PyTorch's overloads (input) and (tensors)",
    "atleast_3d": "one row for PyTorch's overloads (input) and (tensors)",
    "view_as_sizes_or_dtype": "one row for PyTorch's overloads (size) and (dtype)",
    "view_copy": "one row for PyTorch's overloads (size) and (dtype)",
    "is_among": "isin of two tensors, which assumes nothing",
    "order_of_rows": "the sort in unique_dim",
    "search_rows": "searchsorted's operands in one list, as the sorter may be missing",
    "split": "the names of PyTorch's Python function, for its overloads (int) and (int[])",
    "tensor_split": "one row for PyTorch's overloads (sections), (indices) and (tensor)",
    "hsplit": "one row for PyTorch's overloads (sections) and (indices)",
    "vsplit": "one row for PyTorch's overloads (sections) and (indices)",
    "dsplit": "one row for PyTorch's overloads (sections) and (indices)",
    "max": "one row for PyTorch's overloads (), (other) and (dim, keepdim)",
    "min": "one row for PyTorch's overloads (), (other) and (dim, keepdim)",
    **dict.fromkeys(
        ("trapezoid", "trapz", "cumulative_trapezoid"),
        "one row for PyTorch's overloads (y, x, dim) and (y, dx, dim)",
    ),
    "gradient": "one row for PyTorch's overloads (spacing) of a number, numbers and tensors",
    "norm": "the schemas are those of functions that PyTorch's Python function chooses among",
    "cdist": "compute_mode is a str in PyTorch's Python function, a number in its schema",
    "tril_indices": "the default dtype is a number in PyTorch's schema",
    "triu_indices": "the default dtype is a number in PyTorch's schema",
    "normal": "one row for PyTorch's overloads of numbers with a size, and of tensors",
    "uniform": "`from` is a word of Python: it is taken by keyword, too",
    "random": "one row for PyTorch's overloads (), (to) and (from, to)",
    **dict.fromkeys(
        (
            *("binary_cross_entropy_with_logits", "cosine_embedding_loss", "hinge_embedding_loss"),
            *("ctc_loss", "kl_div", "margin_ranking_loss", "triplet_margin_loss"),
        ),
        "PyTorch's functions take 0 for the reduction's default, whose name its schema has as 1",
    ),
    "nonzero": "as_tuple is an argument of PyTorch's Python function, not of its schema",
}


#: What every factory of PyTorch takes, and what draws; `record_signatures.py` leaves it out.
NOT_RECORDED = {"pin_memory", "requires_grad", "generator"}


def agrees(parameters: tuple[Parameter, ...], overload: list[list[Any]]) -> bool:
    """Whether a row's parameters are those of an overload, with its defaults."""
    compared = [p for p in parameters if p.name not in NOT_RECORDED]
    if [(p.name, p.keyword_only) for p in compared] != [(name, only) for name, only, _ in overload]:
        return False
    return all(
        not default or same_default(parameter, default)
        for parameter, (_, _, default) in zip(compared, overload, strict=True)
    )


def same_default(parameter: Parameter, text: str) -> bool:
    # Sequences are tuples here; memory formats and dtypes are numbers in PyTorch's schemas.
    if parameter.type in ("memory_format", "dtype"):
        return parameter.default is None
    if (parameter.is_sized or parameter.type == "Padding") and text.startswith("["):
        # PyTorch's schemas repeat what stands for all dims.
        items = set(text[1:-1].split(", "))
        return items == {"" if parameter.default == () else repr(parameter.default)}
    return repr(parameter.default) == text.replace("[", "(").replace("]", ")")


@pytest.mark.parametrize("row", PUBLIC, ids=name_of)
def test_public_row_is_in_torch(row: OpSpec):
    recorded = RECORDED[row.name]
    assert recorded["exists"], f"torch has no {row.torch_name}"
    aliases = [name for name in row.function_names if name != row.name]
    assert aliases == [name for name in recorded["functions"] if name in aliases]
    if recorded["method"]:
        others = {name for other in ROWS for name in other.methods}
        assert row.name in others, f"torch.Tensor.{row.name} exists"


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_methods_are_in_torch(row: OpSpec):
    assert list(row.methods) == RECORDED[row.name]["methods"]


@pytest.mark.parametrize(
    "row", [row for row in ROWS if RECORDED[row.name]["overloads"]], ids=name_of
)
def test_parameters_are_those_of_torch(row: OpSpec):
    overloads: list[Any] = RECORDED[row.name]["overloads"]
    agreeing = any(agrees(row.schema.parameters, overload) for overload in overloads)
    assert agreeing or row.name in OTHER_PARAMETERS, (row.schema.text, overloads)


# ---- one row is enough


def soft_sign_body(x: Scalar) -> Scalar:
    return x / (abs(x) + 1)


@pytest.fixture
def soft_sign() -> Iterator[OpSpec]:
    """A row that is added while the program runs, and every trace of it removed."""
    elementwise.unary(
        "soft_sign",
        "input / (1 + abs(input)), elementwise.",
        "tri.soft_sign(tri.tensor([1., -3.]))  # tensor([ 0.5000, -0.7500])",
        body=soft_sign_body,
        promotion=int_to_float,
        accepts=FLOATS,
        ulp=1.0,
    )
    eager.install()
    yield TABLE["soft_sign"]
    del TABLE["soft_sign"]
    if "soft_sign" in vars(tri):
        delattr(tri, "soft_sign")
    delattr(tri.Tensor, "soft_sign")
    delattr(tri.Tensor, "soft_sign_")
    tri_ops._classes.pop("soft_sign", None)  # pyright: ignore[reportPrivateUsage] - undone by hand
    eager.forget_plans()


def parse(text: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, make_dialect()):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def test_one_row_is_a_function_and_a_method(soft_sign: OpSpec):
    function: Any = getattr(tri, soft_sign.name)
    x: Any = tri.tensor([1.0, -3.0])
    assert repr(function(x)) == "tensor([ 0.5000, -0.7500])"
    assert x.soft_sign().tolist() == [0.5, -0.75]
    assert function(tri.tensor([1, 3])).dtype is float32
    assert function.__doc__.startswith(soft_sign.doc)
    with pytest.raises(tri.TrilithError, match='"soft_sign" not implemented for'):
        function(tri.tensor([1 + 1j]))


def test_one_row_is_compiled(soft_sign: OpSpec):
    @tri.compile
    def f(x: Any) -> Any:
        return (2 * x).soft_sign().sum()

    assert f(tri.tensor([0.5, -1.5])).item() == 0.5 - 0.75


def test_one_row_is_ir_with_a_verifier(soft_sign: OpSpec):
    def f(x: Any) -> Any:
        return x.soft_sign()

    text = str(tri.trace(f, tri.spec((2, 3), tri.float16)))
    assert "tri.soft_sign %x : !tri.tensor<2x3xf16> -> !tri.tensor<2x3xf16>" in text
    module = parse(text)
    module.verify()
    assert str(module) == text
    for place in ("-> ", "return %0 : "):
        text = text.replace(f"{place}!tri.tensor<2x3", f"{place}!tri.tensor<2x4")
    wrong = parse(text)
    with pytest.raises(VerifyException, match="soft_sign: the result's shape must be"):
        wrong.verify()


def test_one_row_is_its_reference_and_its_documentation(soft_sign: OpSpec):
    values = np.array([0.25, -7.0, np.inf, np.nan], np.float32)
    with np.errstate(invalid="ignore"):
        expected = values / (np.abs(values) + np.float32(1))
    reference = soft_sign_body(NumpyLanguage().array(values, float32)).value
    np.testing.assert_array_equal(reference, expected)
    method: Any = operator.methodcaller("soft_sign")
    traced = tri.trace(method, tri.spec((4,), tri.float32))
    np.testing.assert_array_equal(interpret_function(traced.module, [values])[0], expected)
    np.testing.assert_array_equal(method(tri.from_numpy(values)).numpy(), expected)
    text = TextLanguage()
    assert text.spell(soft_sign_body(text.name("x", float32))) == "x / (abs(x) + 1)"


def test_the_row_is_gone_again():
    assert "soft_sign" not in TABLE
    assert not hasattr(tri, "soft_sign")
    assert not hasattr(tri.Tensor, "soft_sign")
