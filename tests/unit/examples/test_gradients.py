"""Does the network learn, is its gradient that of differences, and does the curve fit?"""

import importlib.util
import pathlib
import sys
from typing import Any

import pytest

import trilith as tri

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module")
def load() -> Any:
    sys.path.insert(0, str(FOLDER))

    def load_one(name: str) -> Any:
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    yield load_one
    sys.path.remove(str(FOLDER))


def test_the_network_learns_digits(load: Any):
    example = load("train_digits")
    images, labels = example.digits()
    weights, losses = example.learn(images[:1437], labels[:1437], epochs=3, seed=0)
    assert losses[0] > 1.5
    assert losses[-1] < 0.5 * losses[0]
    right = example.guess(weights, images[1437:]) == labels[1437:]
    assert float(right.float().mean()) > 0.8
    assert example.train.stats().traces == 1
    assert example.train.stats().eager_calls == 0


def test_the_gradient_of_the_network_is_that_of_differences(load: Any):
    example = load("train_digits")
    weights, _, _ = example.initial(1)
    weights = {name: each.double() for name, each in weights.items()}
    images, labels = tri.randn(3, 1, 8, 8, dtype=tri.float64), tri.tensor([1, 7, 3])
    slopes = tri.compile(tri.grad(example.loss_of))(weights, images, labels)
    for name, each in weights.items():
        direction = tri.randn_like(each)
        step = 1e-6
        above = example.loss_of({**weights, name: each + step * direction}, images, labels)
        below = example.loss_of({**weights, name: each - step * direction}, images, labels)
        expected = float(above - below) / (2 * step)
        assert float((slopes[name] * direction).sum()) == pytest.approx(
            expected, rel=1e-5, abs=1e-8
        )


def test_the_curve_fits(load: Any, capsys: pytest.CaptureFixture[str]):
    example = load("fit_curve")
    t = tri.linspace(0, 6, 100, dtype=tri.float64)
    true = tri.tensor(example.TRUE, dtype=tri.float64)
    found = example.fit(
        tri.tensor([1.0, 0.2, 3.7, 0.3], dtype=tri.float64), t, example.wave(true, t)
    )
    assert tri.allclose(found, true, rtol=1e-6)
    assert "sum of squares" in capsys.readouterr().out
