"""Does the photo example develop pictures rightly, and refuse others in plain words?"""

import hashlib
import importlib.util
import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import trilith as tri

ROOT = pathlib.Path(__file__).resolve().parents[3]
FILE = ROOT / "examples" / "photo.py"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("photo", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["photo"] = module
    spec.loader.exec_module(module)
    return module


photo = load()


def random_pixels(height: int, width: int, channels: int) -> NDArray[np.uint8]:
    shape = (height, width, channels)
    return np.random.default_rng(7).integers(0, 256, shape, dtype=np.uint8)


def developed(pixels: NDArray[np.uint8], amount: float) -> NDArray[np.float64]:
    """What the example should give, in float64 and before rounding, pixel by pixel."""
    height, width, channels = pixels.shape
    result = np.empty(pixels.shape)
    weight = (0.25, 0.5, 0.25)
    for y in range(height):
        for x in range(width):
            blur = np.zeros(channels)
            for down in (-1, 0, 1):
                for right in (-1, 0, 1):
                    row = min(max(y + down, 0), height - 1)
                    column = min(max(x + right, 0), width - 1)
                    blur += weight[down + 1] * weight[right + 1] * pixels[row, column] / 255
            own = pixels[y, x] / 255
            light = np.clip(own + amount * (own - blur), 0, 1) ** 2.2
            result[y, x] = 255 * ((1 - np.exp(-1.2 * light)) / (1 - np.exp(-1.2))) ** (1 / 2.2)
    return result


def assert_near(actual: NDArray[np.uint8], exact: NDArray[np.float64]) -> None:
    """Equal to the rounded value, but for values that are within 0.01 of a half."""
    assert np.abs(actual - exact).max() <= 0.51


@pytest.mark.parametrize("shape", [(9, 13, 3), (8, 5, 1), (1, 1, 3), (1, 17, 3), (16, 1, 1)])
@pytest.mark.parametrize("amount", ["0", "1", "2.5"])
def test_pixels(shape: tuple[int, int, int], amount: str, tmp_path: pathlib.Path):
    pixels = random_pixels(*shape)
    Image.fromarray(pixels[:, :, 0] if shape[2] == 1 else pixels).save(tmp_path / "in.png")
    out = tmp_path / "made" / "out.png"
    options = ["--image", str(tmp_path / "in.png"), "--output", str(out)]
    assert photo.main([*options, "--amount", amount, "--repeats", "1"]) == 0
    with Image.open(out) as image:
        assert image.mode == ("L" if shape[2] == 1 else "RGB")
        assert_near(np.asarray(image).reshape(shape), developed(pixels, float(amount)))


def test_what_is_printed(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "out.png"
    assert photo.main(["--output", str(out), "--repeats", "1"]) == 0
    printed = capsys.readouterr().out
    assert "strides (3, 1, 1542, 3)" in printed
    assert "is_contiguous(memory_format=tri.channels_last): True" in printed
    assert "%photo_1 = tri.cast %photo {dtype = f32}" in printed
    assert "kernels run per call   1\n" in printed
    assert "largest difference     0 of" in printed or "largest difference     1 of" in printed
    assert f"written to             {out}\n" in printed
    with Image.open(out) as image:
        assert image.size == (512, 600)


NEEDS_OPENCL = pytest.mark.skipif(
    not tri.opencl.is_available(), reason="there is no OpenCL platform on this machine"
)


@NEEDS_OPENCL
def test_the_same_through_opencl(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]):
    assert photo.main(["--output", str(tmp_path / "out.png"), "--repeats", "1"]) == 0
    printed = capsys.readouterr().out
    assert f"opencl:0 is {tri.opencl.devices()[0].name}, " in printed
    assert "the bits agree: 921600 of 921600 bytes are equal\n" in printed
    table = printed.partition("by the device's clock:\n\n")[2].splitlines()
    assert table[0].split() == "kernel runs total us mean us min us max us".split()
    assert table[1].split()[1] == "1"


@NEEDS_OPENCL
def test_bits_that_differ_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def develop(picture: tri.Tensor, amount: float) -> tri.Tensor:
        return picture if picture.device.type == "cpu" else picture.clone().clamp(1)

    monkeypatch.setattr(photo, "develop", develop)
    photo.show_opencl(tri.tensor([0, 1, 2, 0, 7], dtype=tri.uint8), 1.0, 1)
    assert "the bits differ: 3 of 5 bytes are equal\n" in capsys.readouterr().out


def test_without_a_platform_one_line_says_so(tmp_path: pathlib.Path):
    command = [sys.executable, str(FILE), "--output", "here.png", "--repeats", "1"]
    variables = {**os.environ, "OCL_ICD_VENDORS": str(tmp_path / "nowhere")}
    done = subprocess.run(
        command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    (line,) = [line for line in done.stdout.splitlines() if "OpenCL" in line]
    assert line.startswith("OpenCL                 not shown: ")
    assert line.endswith("(pip install trilith[opencl])")
    assert (tmp_path / "here.png").is_file()


def test_alpha_and_profile_are_kept(tmp_path: pathlib.Path):
    source, out = tmp_path / "in.png", tmp_path / "out.png"
    pixels = random_pixels(4, 6, 4)
    Image.fromarray(pixels).save(source, icc_profile=b"a profile")
    assert photo.main(["--image", str(source), "--output", str(out), "--repeats", "1"]) == 0
    with Image.open(out) as image:
        assert image.mode == "RGBA"
        assert image.info["icc_profile"] == b"a profile"
        result = np.asarray(image)
    np.testing.assert_array_equal(result[:, :, 3], pixels[:, :, 3])
    assert_near(result[:, :, :3], developed(pixels[:, :, :3], 1))


def test_other_modes_of_8_bits(tmp_path: pathlib.Path):
    base = Image.fromarray(random_pixels(5, 5, 3))
    for mode, kind in (("P", "gif"), ("1", "png"), ("CMYK", "jpg"), ("LA", "png")):
        source, out = tmp_path / f"{mode}.{kind}", tmp_path / f"{mode}-out.png"
        base.convert(mode).save(source)
        assert photo.main(["--image", str(source), "--output", str(out), "--repeats", "1"]) == 0


def save_odd(kind: str, path: pathlib.Path) -> None:
    if kind == "16 bits":
        Image.fromarray(np.full((4, 4), 40000, np.uint16)).save(path)
    elif kind == "no picture":
        path.write_text("hello")
    elif kind == "cut":
        Image.fromarray(random_pixels(64, 64, 3)).save(path)
        path.write_bytes(path.read_bytes()[:3000])
    elif kind == "folder":
        path.mkdir()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("missing", "photo.py: there is no file {path}"),
        ("no picture", "photo.py: {path} is not a picture that Pillow can read"),
        ("cut", "photo.py: {path} cannot be read: image file is truncated"),
        ("folder", "photo.py: {path} cannot be read: Is a directory"),
        (
            "16 bits",
            "photo.py: {path} has more than 8 bits per channel (Pillow's mode I;16); "
            "save it with 8 bits first",
        ),
    ],
)
def test_pictures_that_are_refused(
    kind: str, message: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "picture.png"
    save_odd(kind, path)
    assert photo.main(["--image", str(path), "--output", str(tmp_path / "out.png")]) == 1
    shown = capsys.readouterr()
    assert shown.err == message.format(path=path) + "\n"
    assert shown.out == ""


def test_an_output_that_cannot_be_written(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" / "out.png"
    assert photo.main(["--output", str(out), "--repeats", "1"]) == 1
    assert f"photo.py: {out} cannot be written: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--amount", "nan"], "'nan' is not a number from 0 to 100"),
        (["--amount", "-1"], "'-1' is not a number from 0 to 100"),
        (["--repeats", "0"], "'0' is not a whole number above 0"),
        (["--output", "picture.jpg"], "picture.jpg does not end in .png"),
        (["--image", "a.png", "--output", "a.png"], "--output is the picture itself"),
    ],
)
def test_wrong_commands(options: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        photo.main(options)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_runs_from_any_directory(tmp_path: pathlib.Path):
    command = [sys.executable, str(FILE), "--output", "here.png", "--repeats", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert (tmp_path / "here.png").is_file()


def test_the_picture_is_the_one_described():
    note = (ROOT / "examples" / "data" / "README.md").read_text(encoding="utf-8")
    data = (ROOT / "examples" / "data" / "grace_hopper.jpg").read_bytes()
    assert hashlib.sha256(data).hexdigest() in note
