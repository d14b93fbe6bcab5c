"""Sharpen a photograph and open its shadows, in one kernel; show how the kernel came to be.

Where there is an OpenCL device, it does the same and the bits are compared.

python examples/photo.py                            # the portrait in examples/data
python examples/photo.py --image mine.jpg --output sharp.png --amount 0.5
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import trilith as tri
from trilith.compiler.driver import Traced

try:
    from PIL import Image, ImageOps
except ImportError:
    sys.exit("photo.py: reading pictures needs Pillow: pip install pillow")

HERE = Path(__file__).resolve().parent
PORTRAIT = HERE / "data" / "grace_hopper.jpg"

#: How light is spread by a slight blur: the weights of a pixel and its eight neighbours, in 1/16.
WEIGHTS = ((1, 2, 1), (2, 4, 2), (1, 2, 1))
#: Grey levels are light to the power 1/2.2, near enough (IEC 61966-2-1 has a straight toe).
GAMMA = 2.2
#: Light is lifted as film lifts it: 1 - exp(-1.2 light), scaled so that white stays white.
EXPOSURE = 1.2
WHITE = 1 - math.exp(-EXPOSURE)


@tri.compile
def develop(photo: tri.Tensor, amount: float) -> tri.Tensor:
    """Return the photograph [1, C, H, W] of a photo with a margin of one pixel."""
    height, width = photo.shape[2] - 2, photo.shape[3] - 2
    image = photo / 255.0  # uint8 and a Python float: float32
    blur = 0.0
    for row, weights in enumerate(WEIGHTS):
        for column, weight in enumerate(weights):
            shifted = image[:, :, row : row + height, column : column + width]
            blur = blur + shifted * (weight / 16)
    center = image[:, :, 1:-1, 1:-1]
    sharp = (center + amount * (center - blur)).clamp(0.0, 1.0)
    light = sharp**GAMMA
    lifted = (1 - tri.exp(-EXPOSURE * light)) / WHITE
    levels = lifted ** (1 / GAMMA) * 255.0
    return levels.round().clamp(0, 255).to(tri.uint8)


def develop_numpy(photo: NDArray[np.uint8], amount: float) -> NDArray[np.uint8]:
    """Return the same in NumPy, of pixels [H, W, C], in float32 too."""
    height, width = photo.shape[0] - 2, photo.shape[1] - 2
    image = photo / np.float32(255.0)
    blur: Any = 0.0
    for row, weights in enumerate(WEIGHTS):
        for column, weight in enumerate(weights):
            shifted = image[row : row + height, column : column + width]
            blur = blur + shifted * (weight / 16)
    center = image[1:-1, 1:-1]
    sharp = (center + amount * (center - blur)).clip(0.0, 1.0)
    light = sharp**GAMMA
    lifted = (1 - np.exp(-EXPOSURE * light)) / WHITE
    levels = lifted ** (1 / GAMMA) * 255.0
    return levels.round().clip(0, 255).astype(np.uint8)


#: What the passes on the tensor level do for this function.
STAGES = {
    "tri-promote-types": "each conversion is an operation",
    "tri-cse": "equal operations are one",
    "tri-canonicalize-formats": "all is channels_last already, as the photo is",
    "tri-hoist-views": "shifts move from float32 values to the photo itself",
    "tri-fuse": "what becomes one kernel is one group",
}


# ---- pictures


class PictureError(Exception):
    """A picture that cannot be read or written: the message says why, for a person."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels [H, W, C], C = 1 or 3, and what a file holds beside them and keeps."""

    pixels: NDArray[np.uint8]
    alpha: Image.Image | None
    profile: bytes | None


def read(path: Path) -> Picture:
    """Return the picture in a file, upright; raises PictureError if that cannot be."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as file:
                image = ImageOps.exif_transpose(file)
                keeps_colours = file.mode not in ("CMYK", "LAB", "YCbCr", "HSV")
                profile = file.info.get("icc_profile") if keeps_colours else None
    except FileNotFoundError:
        raise PictureError(f"there is no file {path}") from None
    except Image.UnidentifiedImageError:
        raise PictureError(f"{path} is not a picture that Pillow can read") from None
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise PictureError(f"{path} is too large: {error}") from None
    except (OSError, SyntaxError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise PictureError(f"{path} cannot be read: {reason}") from None
    if image.mode.startswith("I") or image.mode == "F":
        raise PictureError(
            f"{path} has more than 8 bits per channel (Pillow's mode {image.mode}); "
            "save it with 8 bits first"
        )
    alpha = image.convert("RGBA").getchannel("A") if image.has_transparency_data else None
    image = image.convert("L" if image.mode in ("1", "L", "LA") else "RGB")
    pixels = np.asarray(image)
    return Picture(pixels.reshape(*pixels.shape[:2], -1), alpha, profile)


def write(path: Path, picture: Picture) -> None:
    """Write a PNG file, and the folders to it; raises PictureError if that cannot be."""
    pixels = picture.pixels
    image = Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
    if picture.alpha is not None:
        image.putalpha(picture.alpha)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path, format="PNG", icc_profile=picture.profile)
    except OSError as error:
        raise PictureError(f"{path} cannot be written: {error.strerror or error}") from None


# ---- what is shown


def show_ir(text: str, first: str, last: str, limit: int = 10, *, operands: bool = True) -> None:
    """Print the lines of IR from the first with `first` to the next with `last`, a few at most.

    Without `operands`, only the types of results are shown.
    """
    lines = text.splitlines()
    start = next(index for index, line in enumerate(lines) if first in line)
    end = next(index for index in range(start, len(lines)) if last in lines[index]) + 1
    for line in lines[start : min(end, start + limit)]:
        short = line if operands else re.sub(r" : !tri[^{]* -> ", " -> ", line)
        print(textwrap.fill(short, 110, subsequent_indent="        ", break_on_hyphens=False))
    if end > start + limit:
        print(f"    ... {end - start - limit} more lines")
    print()


def show_stages(traced: Traced) -> None:
    """Print a line for each pass on the tensor level: how many operations, copies and groups."""
    texts = {"as traced": str(traced)}
    texts |= {name: traced.after(name) for name in STAGES}
    print("  operations  copies  groups")
    for name, text in texts.items():
        operations = len(re.findall(r" = tri\.(?!constant|fusion)", text))
        groups = text.count(" = tri.fusion")
        copies = text.count(" = tri.clone")
        print(
            f"  {operations:10}  {copies:6}  {groups:6}  {name:25}{STAGES.get(name, '')}".rstrip()
        )
    print()


def show_lowering(traced: Traced) -> None:
    """Print how the IR changes on the way to the kernel, in excerpts."""
    print("Traced: a uint8 tensor is divided by a Python float, which has no dtype of its own.\n")
    show_ir(str(traced), "func.func", "true_divide")
    print("After tri-promote-types conversions are operations. PyTorch's rules give float32.\n")
    show_ir(traced.after("tri-promote-types"), "tri.cast", "true_divide")
    print("The passes between, and what is left of the tensor operations after each:\n")
    show_stages(traced)
    print("After tri-fuse: views of the photo, and one group that reads them (its end).\n")
    fused = traced.after("tri-fuse")
    show_ir(fused, "tri.slice", "tri.fusion", 4, operands=False)
    show_ir(fused, "tri.round", "func.return", operands=False)
    print("The kernel: sizes and strides are its arguments, so other photos run the same code.\n")
    show_ir(traced.lower().as_text("kernel"), "kernel.map", "kernel.store", 8)


def median_times(
    repeats: int, first: Callable[[], object], second: Callable[[], object]
) -> tuple[float, float]:
    """Return the median times of two calls in seconds, measured in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        for call, taken in zip((first, second), times, strict=True):
            start = time.perf_counter()
            call()
            taken.append(time.perf_counter() - start)
    return statistics.median(times[0]), statistics.median(times[1])


def show_opencl(photo: tri.Tensor, amount: float, repeats: int) -> None:
    """Develop a photo on the first OpenCL device; print times, and whether the bits are equal."""
    try:
        there = photo.to("opencl:0")
        entry = tri.opencl.devices()[0]
    except tri.TrilithError as error:
        hint = f" ({error.hint})" if error.hint else ""
        print(f"OpenCL                 not shown: {error.message}{hint}")
        return

    def call() -> tri.Tensor:
        result = develop(there, amount)
        tri.opencl.synchronize("opencl:0")
        return result

    start = time.perf_counter()
    result = call()
    first_call = time.perf_counter() - start
    ours, cpus = median_times(repeats, call, lambda: develop(photo, amount))
    expected = develop(photo, amount).numpy()
    equal = np.count_nonzero(result.cpu().numpy() == expected)
    with tri.opencl.profile("opencl:0") as profile:
        call()
    print(f"OpenCL                 opencl:0 is {entry.name}, {entry.platform} {entry.driver}")
    print(f"first call             {first_call * 1e3:8.2f} ms")
    print(
        f"a call                 {ours * 1e3:8.2f} ms (median of {repeats}, in turns with the CPU)"
    )
    print(f"the same on the CPU    {cpus * 1e3:8.2f} ms: {cpus / ours:.1f} times as long")
    agree = "the bits agree" if equal == expected.size else "the bits differ"
    print(f"beside the CPU's       {agree}: {equal} of {expected.size} bytes are equal")
    print("by the device's clock:\n")
    print(textwrap.indent(str(profile), "  ") + "\n")


def run(source: Path, output: Path, amount: float, repeats: int) -> None:
    """Develop a picture, and print what there is to see on the way."""
    picture = read(source)
    height, width, channels = picture.pixels.shape
    # The margin repeats the outermost pixels, so that the blur has neighbours everywhere.
    pixels = np.pad(picture.pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    photo = tri.from_numpy(pixels).permute(2, 0, 1).unsqueeze(0)
    is_last = photo.is_contiguous(memory_format=tri.channels_last)
    print(f"{source.name}: {width} x {height} pixels, uint8, {'RGB' if channels == 3 else 'grey'}")
    print(f"with a margin, as a tensor: shape {tuple(photo.shape)}, strides {photo.stride()},")
    print(f"  is_contiguous(memory_format=tri.channels_last): {is_last}\n")
    traced = develop.trace(photo, amount)
    show_lowering(traced)
    start = time.perf_counter()
    result = develop(photo, amount)
    first_call = time.perf_counter() - start
    developed = np.ascontiguousarray(result[0].permute(1, 2, 0).numpy())
    expected = develop_numpy(pixels, amount)
    ours, numpys = median_times(
        repeats, lambda: develop(photo, amount), lambda: develop_numpy(pixels, amount)
    )
    launches = traced.lower().as_text("kernel").count("tri.launch")
    difference = np.abs(developed.astype(np.int16) - expected)
    compiled = "compiled" if develop.stats().kernels_compiled else "read from the cache"
    print(f"kernels run per call   {launches}")
    print(f"first call             {first_call * 1e3:8.2f} ms (traced; machine code {compiled})")
    print(f"a call                 {ours * 1e3:8.2f} ms (median of {repeats}, in turns with NumPy)")
    print(f"the same in NumPy      {numpys * 1e3:8.2f} ms: {numpys / ours:.1f} times as long")
    share = np.count_nonzero(difference) / difference.size
    print(
        f"largest difference     {difference.max()} of 255 grey levels, "
        f"in {share:.3%} of the values\n"
    )
    show_opencl(photo, amount, repeats)
    write(output, Picture(developed, picture.alpha, picture.profile))
    print(f"written to             {output}")


def positive(text: str) -> int:
    """Read a whole number above 0 from the command line."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above 0")
    return int(text)


def amount(text: str) -> float:
    """Read a number from 0 to 100 from the command line."""
    number = float(text)
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 100")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status: 0, or 1 for a picture that is refused."""
    parser = argparse.ArgumentParser(
        prog="photo.py",
        description="Sharpen a photograph and open its shadows with one compiled function; print "
        "the IR on the way, the time beside NumPy's, and where the result was written.",
        epilog="Exit status: 0; 1 if a picture cannot be read or written; 2 for a wrong command.",
    )
    parser.add_argument(
        "--image", type=Path, default=PORTRAIT, metavar="PATH", help="the picture, 8 bits a channel"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=HERE / "out" / "photo.png",
        metavar="PATH",
        help="the PNG file to write (default: examples/out/photo.png)",
    )
    parser.add_argument(
        "--amount", type=amount, default=1.0, help="how much to sharpen; 0 is not (default: 1)"
    )
    parser.add_argument(
        "--repeats", type=positive, default=15, help="how often to measure (default: 15)"
    )
    options = parser.parse_args(arguments)
    if options.output.suffix.lower() != ".png":
        parser.error(f"--output: {options.output} does not end in .png")
    if options.output.resolve() == options.image.resolve():
        parser.error("--output is the picture itself")
    try:
        run(options.image, options.output, options.amount, options.repeats)
    except PictureError as error:
        print(f"photo.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
