"""A convolutional network learns handwritten digits: the whole step is one compiled program.

python examples/train_digits.py                     # about 99 % of 360 unseen digits, in seconds
python examples/train_digits.py --epochs 30 --seed 3 --output mine.png

Forward, backward and Adam are one function, `train`, which takes weights and returns new ones.
The digits are scikit-learn's: `pip install scikit-learn`.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from plots import Plot

import trilith as tri
import trilith.nn.functional as F

HERE = Path(__file__).resolve().parent

Weights = dict[str, tri.Tensor]
#: Weights, and Adam's running means of gradients and of their squares.
State = tuple[Weights, Weights, Weights]

#: Name -> shape: two convolutions and two layers, for pictures of 8 x 8.
SHAPES = {
    "conv1": (16, 1, 3, 3),
    "conv2": (32, 16, 3, 3),
    "hidden": (64, 512),
    "output": (10, 64),
}
BETAS, EPSILON = (0.9, 0.999), 1e-8


def initial(seed: int) -> State:
    """Return random weights (He), biases of zero, and means of zero."""
    tri.manual_seed(seed)
    weights: Weights = {}
    for name, shape in SHAPES.items():
        fan_in = math.prod(shape[1:])
        weights[name] = tri.randn(shape) * math.sqrt(2 / fan_in)
        weights[f"{name}_bias"] = tri.zeros(shape[0])
    zeros = {name: tri.zeros_like(each) for name, each in weights.items()}
    return weights, zeros, {name: tri.zeros_like(each) for name, each in weights.items()}


def network(w: Weights, images: tri.Tensor) -> tri.Tensor:
    """Return a score for each of ten digits: [N, 1, 8, 8] -> [N, 10]."""
    x = F.relu(F.conv2d(images, w["conv1"], w["conv1_bias"], padding=1))
    x = F.relu(F.conv2d(x, w["conv2"], w["conv2_bias"], padding=1))
    x = F.max_pool2d(x, 2).flatten(1)
    x = F.relu(F.linear(x, w["hidden"], w["hidden_bias"]))
    return F.linear(x, w["output"], w["output_bias"])


def loss_of(w: Weights, images: tri.Tensor, labels: tri.Tensor) -> tri.Tensor:
    """Return the mean cross-entropy of a batch."""
    return F.cross_entropy(network(w, images), labels)


@tri.compile
def train(
    state: State, images: tri.Tensor, labels: tri.Tensor, rate: float, correction: float
) -> tuple[State, tri.Tensor]:
    """Take one step of Adam: forward, backward and update in one program."""
    weights, means, squares = state
    loss, gradients = tri.value_and_grad(loss_of)(weights, images, labels)
    new: State = ({}, {}, {})
    for name, g in gradients.items():
        mean = means[name] * BETAS[0] + g * (1 - BETAS[0])
        square = squares[name] * BETAS[1] + g * g * (1 - BETAS[1])
        change = mean / ((square * correction).sqrt() + EPSILON)
        new[0][name], new[1][name], new[2][name] = weights[name] - rate * change, mean, square
    return new, loss


@tri.compile
def guess(w: Weights, images: tri.Tensor) -> tri.Tensor:
    """Return which digit each picture is."""
    return network(w, images).argmax(1)


def digits() -> tuple[tri.Tensor, tri.Tensor]:
    """Return 1797 pictures [N, 1, 8, 8], mean 0 and deviation 1, and their digits."""
    try:
        from sklearn.datasets import load_digits  # pyright: ignore[reportMissingTypeStubs]
    except ModuleNotFoundError:
        sys.exit("the digits are scikit-learn's: pip install scikit-learn")
    found = load_digits()  # pyright: ignore[reportUnknownVariableType]
    pictures = np.asarray(found.images, np.float32)  # pyright: ignore
    labels = np.asarray(found.target, np.int64)  # pyright: ignore
    pictures = (pictures - pictures.mean()) / pictures.std()
    return tri.tensor(pictures[:, None]), tri.tensor(labels)


def batches(count: int, size: int) -> Iterator[tri.Tensor]:
    """Yield the numbers of pictures in random order, so many at a time."""
    order = tri.randperm(count)
    for start in range(0, count - size + 1, size):
        yield order[start : start + size]


def progress(done: int, total: int, text: str) -> None:
    """Draw a bar on a terminal."""
    if sys.stderr.isatty():
        bar = "█" * (30 * done // total)
        sys.stderr.write(f"\r[{bar:30}] {text}" + ("\n" if done == total else ""))
        sys.stderr.flush()


def learn(
    images: tri.Tensor, labels: tri.Tensor, epochs: int, seed: int, size: int = 64
) -> tuple[Weights, list[float]]:
    """Return trained weights, and the loss of each step."""
    state = initial(seed)
    losses: list[float] = []
    total = epochs * (len(images) // size)
    for _ in range(epochs):
        for chosen in batches(len(images), size):
            step = len(losses) + 1
            first, second = 1 - BETAS[0] ** step, 1 - BETAS[1] ** step
            rate = 3e-3 * 0.5 * (1 + math.cos(math.pi * step / total)) / first
            state, loss = train(state, images[chosen], labels[chosen], rate, 1 / second)
            losses.append(float(loss))
            progress(step, total, f"step {step} of {total}, loss {losses[-1]:.4f}")
    return state[0], losses


def smooth(values: Sequence[float], width: int = 9) -> list[float]:
    """Return the means of neighbours."""
    kernel = np.ones(width) / width
    padded = np.pad(np.asarray(values), width // 2, mode="edge")
    return [float(value) for value in np.convolve(padded, kernel, mode="valid")]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Train a small network on handwritten digits.")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=HERE / "out" / "train_digits.png")
    options = parser.parse_args()

    images, labels = digits()
    # One writer's digits lie side by side: a fifth of all, drawn at random, is kept unseen.
    tri.manual_seed(options.seed)
    order, known = tri.randperm(len(images)), len(images) * 4 // 5
    images, labels = images[order], labels[order]
    started = time.perf_counter()
    weights, losses = learn(images[:known], labels[:known], options.epochs, options.seed)
    seconds = time.perf_counter() - started
    right = guess(weights, images[known:]) == labels[known:]
    share = right.float().mean().item()

    stats = train.stats()
    kernels = stats.kernels_compiled + stats.kernels_reused + stats.kernels_loaded
    print(f"{len(losses)} steps in {seconds:.1f} s; a step runs {kernels} kernels")
    print(f"{100 * share:.1f} % of {len(right)} unseen digits are recognised")
    steps = [float(step) for step in range(len(losses))]
    plot = Plot(
        f"{100 * share:.1f} % of unseen digits are recognised",
        (0.0, float(len(losses))),
        (0.0, max(losses)),
        ("step", "loss of a batch, and its running mean"),
    )
    plot.points(steps, losses)
    plot.line(steps, smooth(losses))
    plot.save(options.output)
    print(f"the loss is drawn in {options.output}")


if __name__ == "__main__":
    main()
