"""Do the examples that are programs for PyTorch run from a shell, and write what they say?"""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"


def run(name: str, folder: pathlib.Path, *options: str) -> list[str]:
    """Run an example as a newcomer does; return the lines that it prints."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0
    return done.stdout.splitlines()


@pytest.fixture
def picture(tmp_path: pathlib.Path) -> pathlib.Path:
    """A small part of the photograph, in colours."""
    path = tmp_path / "small.png"
    with Image.open(EXAMPLES / "data" / "grace_hopper.jpg") as file:
        file.crop((120, 90, 312, 314)).save(path)
    return path


def test_gliders_fly(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "made" / "life.gif"
    lines = run("game_of_life", tmp_path, "--generations", "60", "--output", str(out))
    # The gun is what it was after 30 generations, and has shot two gliders of 5 cells.
    assert lines[-2].startswith("generation 60: 46 living cells, ")
    assert sum(line.count("█") * 2 + line.count("▀") + line.count("▄") for line in lines[:28]) == 46
    assert lines[-1] == f"written to {out}"
    with Image.open(out) as image:
        assert image.size == (400, 280)
        assert getattr(image, "n_frames", 1) == 61


def test_stripes_go(tmp_path: pathlib.Path) -> None:
    out = tmp_path / "filtered.png"
    damaged, repaired, last = run("fft_filter", tmp_path, "--output", str(out))
    assert float(damaged.split()[2]) > 20
    assert float(repaired.split()[1]) < 1.5
    assert last == f"written to {out}: with stripes, both spectra, repaired"
    with Image.open(out) as image, Image.open(EXAMPLES / "data" / "grace_hopper.jpg") as original:
        assert image.size == (4 * 512, 600)
        grey = np.asarray(original.convert("L")).astype(float)
        assert np.abs(np.asarray(image)[:, -512:] - grey).mean() < 1.5


def test_more_products_are_more_like_the_picture(
    tmp_path: pathlib.Path, picture: pathlib.Path
) -> None:
    out = tmp_path / "compressed.png"
    options = ["--image", str(picture), "--output", str(out), "--ranks", "4", "16", "192"]
    _, *rows, last = run("svd_compression", tmp_path, *options)
    ratios = [float(row.split()[2]) for row in rows]
    assert [int(row.split()[0]) for row in rows] == [4, 16, 192]
    assert 15 < ratios[0] < ratios[1] < 35
    assert ratios[2] > 80  # all products are the picture itself
    assert last == f"written to {out}, the original last"
    with Image.open(out) as image, Image.open(picture) as original:
        pixels = np.asarray(image)
        assert pixels.shape == (224, 4 * 192, 3)
        np.testing.assert_array_equal(pixels[:, -192:], np.asarray(original))
        np.testing.assert_array_equal(pixels[:, -384:-192], np.asarray(original))
