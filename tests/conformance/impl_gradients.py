"""What does `TensorImpl` say of gradients where PyTorch's C++ class was asked the same?

Each line of `tensorimpl_autograd_cpp.txt` is what one step of a C++ program printed. The same steps
are taken here. Where C++ has a reference, `x.mutable_grad() = g`, Python gives the value:
`x.mutable_grad(g)`; what C++ calls undefined is None.
"""

import functools
import operator
import pathlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import trilith as tri
from trilith.runtime.tensors.tensor_impl import TensorImpl

from .answers import message_of
from .rows import Outcome, isolated

AREA = "tensorimpl_autograd_cpp"
TRANSCRIPT = pathlib.Path(__file__).parents[1] / "data" / "torch" / f"{AREA}.txt"


def impl_of(tensor: Any) -> Any:
    """Return the `TensorImpl` of a tensor; a `TensorImpl` is its own."""
    return tensor if isinstance(tensor, TensorImpl) else tensor.unsafeGetTensorImpl()


def defined(tensor: Any) -> str:
    """Return C++'s word for whether there is a tensor."""
    return "undefined" if tensor is None else "defined"


def state(tensor: Any) -> str:
    """Return all that the C++ program printed of a tensor."""
    impl = impl_of(tensor)
    counter = impl.version_counter()
    version = counter.current_version() if counter.enabled() else "none"
    return (
        f"| requires_grad {impl.requires_grad():d} "
        f"autograd_meta {impl.autograd_meta() is not None:d} grad {defined(impl.grad())} "
        f"version {version} is_leaf {impl.tensor().is_leaf:d}"
    )


def then(function: Callable[..., Any], *arguments: Any) -> Callable[[], None]:
    """Return a step of whose result nothing is said."""

    def step() -> None:
        function(*arguments)

    return step


def line(label: str, *steps: Callable[[], Any]) -> str:
    """Return the line of some steps: what they give in words, or the error that ended them."""
    words = [label]
    try:
        for step in steps:
            given = step()
            words += [] if given is None else [str(given)]
    except Exception as error:
        told = "RAISES" if isinstance(error, tri.TrilithError) else f"FAILS {type(error).__name__}"
        words = [label, told, message_of(error)]
    return " ".join(words).replace("\n", " ")


def flags_and_gradients(x: Any, y: Callable[[], Any]) -> Iterator[str]:
    """Take the steps about flags, nodes and kept gradients; `y` gives x * 2, made once."""
    impl, number = impl_of(x), tri.tensor([1, 2, 3])

    def require(tensor: Any, flag: bool) -> Callable[[], Any]:
        return then(impl_of(tensor).set_requires_grad, flag)

    def keep(gradient: Any) -> Callable[[], Any]:
        return then(lambda: impl.mutable_grad(gradient))

    yield line("x = ones(3)", lambda: state(x))
    label = "x.set_requires_grad(false) on a tensor without autograd_meta"
    yield line(label, require(x, False), lambda: state(x))
    yield line("x.grad() without autograd_meta", lambda: defined(impl.grad()))
    yield line("x.autograd_meta() after reading grad", lambda: state(x))
    yield line("x.set_requires_grad(true)", require(x, True), lambda: state(x))
    yield line("x.set_requires_grad(false) afterwards", require(x, False), lambda: state(x))
    yield line("x.set_requires_grad(true) again", require(x, True), lambda: state(x))
    yield line("int.set_requires_grad(true)", require(number, True), lambda: state(number))
    yield line("int.set_requires_grad(false)", require(number, False), lambda: state(number))
    yield line("y = x*2", lambda: state(y()))
    label = "y.set_requires_grad(false): TensorImpl does not ask whether y is a leaf"
    yield line(label, lambda: impl_of(y()).set_requires_grad(False), lambda: state(y()))
    yield line("y.requires_grad_(false) of Tensor", then(lambda: y().requires_grad_(False)))
    yield line("y.sum().backward(); x", lambda: y().sum().backward(), lambda: state(x))
    yield line("x.grad() values", lambda: f"{impl.grad()[0].item():g}")
    yield line("x.grad().requires_grad()", lambda: int(impl.grad().requires_grad))
    yield line("x.mutable_grad() = zeros", keep(tri.zeros(3)), lambda: state(x))
    label = "x.mutable_grad() of another shape and dtype is not checked"
    other = tri.zeros(7, dtype=tri.float64)
    yield line(label, keep(other), lambda: list(impl.grad().shape))
    label = "x.mutable_grad() = undefined"
    yield line(label, keep(None), lambda: state(x))
    p = tri.ones(2)
    label = "p.mutable_grad() makes an autograd_meta"
    yield line(label, then(lambda: impl_of(p).mutable_grad()), lambda: state(p))


def copies_and_versions(x: Any, y: Callable[[], Any]) -> Iterator[str]:
    """Take the steps about tensors on the memory of x, and what counts their versions."""
    impl = impl_of(x)
    d = x.detach()
    yield line("d = x.detach()", lambda: state(d))
    d.add_(1)
    yield line("d shares x's version counter", lambda: state(x))
    v = x.data
    yield line("x.variable_data() (.data of Python)", lambda: state(v))
    v.add_(1)
    yield line("v has a counter of its own", lambda: state(x), lambda: f"v{state(v)}")
    c = impl.shallow_copy_and_detach()
    yield line("x.tensor_data()", lambda: state(c))
    c.tensor().add_(1)
    yield line("c shares x's counter", lambda: state(x))
    s = impl.shallow_copy_and_detach(version_counter=5, allow_tensor_metadata_change=False)
    label = "shallow_copy_and_detach(version 5, allow_tensor_metadata_change=false)"
    yield line(label, lambda: state(s))
    yield line("its allow_tensor_metadata_change()", lambda: int(s.allow_tensor_metadata_change()))
    s.set_version_counter(impl)
    yield line("s1.set_version_counter(x's)", lambda: state(s))
    impl.bump_version()
    yield line("bump_version() of x", lambda: state(x), lambda: f"s1{state(s)}")
    yield line(
        "version_counter().unique()",
        lambda: int(impl_of(tri.ones(3)).version_counter().unique()),
        lambda: int(impl.version_counter().unique()),
    )
    label = "version_counter().set_version(9)"
    yield line(label, lambda: impl.version_counter().set_version(9), lambda: state(x))
    forget = "set_autograd_meta(nullptr)"
    yield line(forget, lambda: impl.set_autograd_meta(None), lambda: state(x))
    yield line("y still has its graph", lambda: state(y()))
    label = "x.set_requires_grad(true) makes a new one"
    yield line(label, lambda: impl.set_requires_grad(True), lambda: state(x))


def the_rest(x: Any) -> Iterator[str]:
    """Take the steps about tensors of other kinds."""
    with tri.inference_mode():
        t = tri.ones(3)

    def counter() -> Any:
        return impl_of(t).version_counter()

    yield line("tensor of InferenceMode", lambda: state(t))
    yield line("its version_counter().enabled()", lambda: int(counter().enabled()))
    yield line("its current_version()", lambda: counter().current_version())
    yield line("its _version() of Tensor", lambda: operator.attrgetter("_version")(t))
    none: Any = TensorImpl.undefined()
    yield line("undefined.requires_grad()", lambda: int(none.requires_grad()))
    label = "undefined TensorImpl set_requires_grad"
    yield line(f"{label}(true)", lambda: none.set_requires_grad(True))
    yield line(f"{label}(false)", lambda: none.set_requires_grad(False), lambda: "ok")
    yield line("undefined TensorImpl grad()", lambda: defined(none.grad()))
    w = tri.ones(2, 3)
    view = w[0]
    yield line("w[0] of a tensor without gradients", lambda: state(view))
    yield line("view of x", lambda: state(x.view(3, 1)))
    w.add_(1)
    yield line("view's version follows the base", lambda: state(view))
    sparse = tri.ones(2).to_sparse()
    yield line("sparse", then(lambda: sparse.requires_grad_()), lambda: state(sparse))


@functools.cache
def replayed() -> list[str]:
    """Take all steps and return their lines."""
    with isolated():
        x: Any = tri.ones(3)
        y = functools.cache(lambda: x * 2)
        parts = flags_and_gradients(x, y), copies_and_versions(x, y), the_rest(x)
        return [each for part in parts for each in part]


def transcript() -> list[str]:
    """Return the lines that the C++ program printed."""
    return TRANSCRIPT.read_text(encoding="utf-8").splitlines()


@functools.cache
def outcome() -> Outcome:
    """Compare every line."""
    pairs = enumerate(zip(transcript(), replayed(), strict=True))
    differing = {row: found for row, (recorded, found) in pairs if found != recorded}
    rows = len(replayed())
    return Outcome(rows, rows - len(differing), differing, Counter())


def show(row: int) -> list[str]:
    """Return the line of a step as it was printed, and as it is here."""
    recorded, found = transcript()[row], replayed()[row]
    shown = "equal" if recorded == found else found
    return [f"{AREA} {row}:", f"  expected {recorded}", f"  got      {shown}"]
