"""Which functions of the programs are compared with PyTorch, and of which arguments?

This module knows neither library: what takes `torch` is given PyTorch by the recording script and
trilith by the tests.
"""

import importlib.util
import pathlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

FOLDER = pathlib.Path(__file__).resolve().parent
EXAMPLES = FOLDER.parents[1] / "examples"


def load(program: str) -> Any:
    """Return a program, of this folder or of the examples, as a module made anew."""
    files = [folder / f"{program}.py" for folder in (FOLDER, EXAMPLES)]
    (file,) = [file for file in files if file.is_file()]
    name = f"program_{program}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Call:
    """One function of a program: its arguments at some sizes, and how it is compiled.

    `arguments` takes the program, the library and a size. `static` are the arguments that the
    function's Python looks at; the function of a call that `is_eager` is not compiled, and one that
    `counts_with_sizes` computes a float with a size in Python, so that it has a plan for each.
    Others have one plan for the first size and one for the rest, unless `plans` says otherwise.
    """

    program: str
    function: str
    arguments: Callable[[Any, Any, int], Sequence[Any]]
    sizes: tuple[int, ...]
    static: tuple[str, ...] = ()
    is_eager: bool = False
    counts_with_sizes: bool = False
    plans: int = 2
    variant: str = ""

    @property
    def name(self) -> str:
        end = f", {self.variant}" if self.variant else ""
        return f"{self.program}.{self.function}{end}"


def portrait() -> NDArray[np.uint8]:
    """Return a part of the photograph in examples/data, grey, [112, 96]."""
    data = (FOLDER / "portrait.pgm").read_bytes()
    magic, _, sizes, _, pixels = data.split(b"\n", 4)
    assert magic == b"P5"
    width, height = map(int, sizes.split())
    return np.frombuffer(pixels, np.uint8).reshape(height, width)


def _photo(torch: Any, height: int) -> Any:
    """Return the upper part of the photograph, with grey levels from 0 to 1."""
    return torch.from_numpy(portrait()[:height].copy()) / 255


def _text(gpt2: Any, torch: Any, length: int) -> Sequence[Any]:
    tokens = (torch.arange(2 * length) * 37 % 97).view(2, length)
    return tokens, gpt2.initialize(vocabulary=97, context=64, width=48, layers=2)


def _prompt(gpt2: Any, torch: Any, length: int) -> Sequence[Any]:
    return *_text(gpt2, torch, length), 4


def _picture(resnet18: Any, torch: Any, size: int) -> Sequence[Any]:
    parameters = resnet18.initialize(channels=8, classes=10)
    return resnet18.spread(2, 3, size, size, step=0.37, scale=1.0), parameters


def _channels_last(resnet18: Any, torch: Any, size: int) -> Sequence[Any]:
    x, parameters = _picture(resnet18, torch, size)

    def change(value: Any) -> Any:
        return value.to(memory_format=torch.channels_last) if value.dim() == 4 else value

    return change(x), {name: change(value) for name, value in parameters.items()}


def _one_input(lstm: Any, torch: Any, batch: int) -> Sequence[Any]:
    h, c = (lstm.spread(batch, 20, step=step, scale=0.5) for step in (0.2, 0.1))
    return lstm.spread(batch, 12, step=0.3, scale=1.0), (h, c), lstm.initialize(12, 20)


def _sequence(lstm: Any, torch: Any, batch: int) -> Sequence[Any]:
    return lstm.spread(6, batch, 12, step=0.3, scale=1.0), lstm.initialize(12, 20)


def _points(kmeans: Any, torch: Any, count: int) -> Sequence[Any]:
    x = kmeans.points(count)
    return x, x[:5].clone()


def _clustered(kmeans: Any, torch: Any, count: int) -> Sequence[Any]:
    return kmeans.points(count), 5, 6


def _labels(kmeans: Any, torch: Any, count: int) -> Sequence[Any]:
    return torch.arange(count) * 7 % 5, 6


def _ranks(pagerank: Any, torch: Any, count: int) -> Sequence[Any]:
    rank = torch.arange(1, count + 1) / (count * (count + 1) / 2)
    return rank, *pagerank.links(count), 0.85


def _web(pagerank: Any, torch: Any, count: int) -> Sequence[Any]:
    return *pagerank.links(count), count


def _ranked(pagerank: Any, torch: Any, count: int) -> Sequence[Any]:
    return torch.arange(count) * 7 % count / count, 5


def _market(black_scholes: Any, torch: Any, count: int) -> Sequence[Any]:
    return *black_scholes.market(count), 0.03, 0.25


def _grid(black_scholes: Any, torch: Any, count: int) -> Sequence[Any]:
    spot, strike, _ = black_scholes.market(count)
    return spot, strike[: count // 2], 0.5


def _stars(nbody: Any, torch: Any, count: int) -> Sequence[Any]:
    return nbody.galaxy(count)


def _moving_stars(nbody: Any, torch: Any, count: int) -> Sequence[Any]:
    return *nbody.galaxy(count), 0.01


def _many_steps(nbody: Any, torch: Any, count: int) -> Sequence[Any]:
    return *_moving_stars(nbody, torch, count), 10


def _moving_masses(nbody: Any, torch: Any, count: int) -> Sequence[Any]:
    return nbody.galaxy(count)[1:]


def _cells(game_of_life: Any, torch: Any, height: int) -> Sequence[Any]:
    return (game_of_life.board(game_of_life.GUN, height, 48),)


def _lit(program: Any, torch: Any, height: int) -> Sequence[Any]:
    return (_photo(torch, height),)


def _striped(fft_filter: Any, torch: Any, height: int) -> Sequence[Any]:
    return (fft_filter.with_stripes(_photo(torch, height)),)


def _ranked_photo(svd_compression: Any, torch: Any, height: int) -> Sequence[Any]:
    return _photo(torch, height), 12


def _darker(svd_compression: Any, torch: Any, height: int) -> Sequence[Any]:
    photo = _photo(torch, height)
    return photo, photo * 0.9


CALLS = (
    Call("gpt2", "forward_written_out", _text, (16, 24, 40, 33)),
    Call("gpt2", "forward_flash", _text, (16, 24, 40, 33)),
    Call("gpt2", "loss", _text, (17, 25, 41, 34)),
    Call("gpt2", "greedy", _prompt, (9,), static=("count",)),
    Call("resnet18", "forward", _picture, (64, 96, 80)),
    # Kernels of even pictures join the loops of batch and height, so 80 would have its own plan.
    Call("resnet18", "forward", _channels_last, (64, 96, 128), variant="channels_last"),
    Call("resnet18", "classify", _picture, (64,)),
    Call("lstm", "step", _one_input, (3, 5, 8)),
    Call("lstm", "walk", _sequence, (3, 5, 8)),
    Call("kmeans", "update", _points, (200, 300, 251)),
    Call("kmeans", "inertia", _points, (200, 300, 251)),
    Call("kmeans", "kmeans", _clustered, (200, 300, 251), static=("k", "iterations")),
    # How many there are of the largest label is a value that no trace knows.
    Call("kmeans", "sizes", _labels, (200,), is_eager=True),
    Call("pagerank", "step", _ranks, (60, 90, 77), static=("damping",), counts_with_sizes=True),
    Call("pagerank", "pagerank", _web, (60,), static=("n",)),
    # It goes on until the values say so.
    Call("pagerank", "converged", _web, (60,), is_eager=True),
    Call("pagerank", "dense", _web, (60,), static=("n",)),
    Call("pagerank", "best", _ranked, (60, 90, 77), static=("count",)),
    Call("black_scholes", "price", _market, (100, 57, 1000), static=("rate", "volatility")),
    Call("black_scholes", "greeks", _market, (100, 57, 1000), static=("rate", "volatility")),
    Call("black_scholes", "surface", _grid, (20, 30, 14), static=("years",)),
    Call("nbody", "step", _moving_stars, (40, 64, 51), static=("dt",)),
    Call("nbody", "run", _many_steps, (40,), static=("dt", "steps")),
    Call("nbody", "energy", _stars, (40, 64, 51)),
    # A row times a matrix adds in another order from 64 elements on.
    Call("nbody", "momentum", _moving_masses, (40, 64, 51), plans=3),
    Call("game_of_life", "step", _cells, (24, 40, 31)),
    Call("game_of_life", "show", _cells, (24, 31), is_eager=True),
    Call("fft_filter", "with_stripes", _lit, (64, 112, 99)),
    Call("fft_filter", "low_pass", _lit, (64, 112, 99), counts_with_sizes=True),
    Call(
        "fft_filter",
        "without_stripes",
        _striped,
        (64, 112, 99),
        counts_with_sizes=True,
    ),
    Call("fft_filter", "spectrum_picture", _lit, (64, 112, 99)),
    Call(
        "svd_compression",
        "compress",
        _ranked_photo,
        (64, 112, 99),
        static=("rank",),
    ),
    Call(
        "svd_compression",
        "noise_ratio",
        _darker,
        (64, 112, 99),
    ),
)


def leaves(results: Any) -> list[Any]:
    """Return the tensors, numbers and texts in what a function returns, in order."""
    if isinstance(results, dict):
        items: Any = cast("dict[Any, Any]", results).values()
    elif isinstance(results, list | tuple):
        items = cast("list[Any]", results)
    else:
        return [results]
    return [leaf for item in items for leaf in leaves(item)]


def sampled(values: NDArray[Any]) -> NDArray[Any]:
    """Return at most 96 elements, evenly spread."""
    flat = values.reshape(-1)
    count = min(flat.size, 96)
    return flat[np.arange(count) * (flat.size - 1) // max(count - 1, 1)] if count else flat
