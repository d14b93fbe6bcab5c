"""An FFT filter: stripes on a photograph are a few bright points of its spectrum, and go with them.

A PyTorch program whose first import was changed: `import torch` became `import trilith as torch`.

python examples/fft_filter.py                       # the portrait in examples/data, with stripes
python examples/fft_filter.py --image mine.jpg --output mine.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import trilith as torch

HERE = Path(__file__).resolve().parent
PORTRAIT = HERE / "data" / "grace_hopper.jpg"

#: Frequencies near the middle are the picture itself: how far from it stripes may be, in 1/size.
PICTURE = 0.06
#: How much brighter than their surroundings the points of stripes are, and how far those reach.
BRIGHTER, NEAR = 8.0, 9


def with_stripes(image: torch.Tensor) -> torch.Tensor:
    """Return a picture [H, W] of grey levels from 0 to 1, with stripes of two directions."""
    height, width = image.shape
    down = torch.arange(height, device=image.device)
    right = torch.arange(width, device=image.device)
    y, x = torch.meshgrid(down, right, indexing="ij")
    stripes = torch.sin(2 * torch.pi * (0.18 * x + 0.11 * y))
    stripes = stripes + torch.sin(2 * torch.pi * (0.07 * x - 0.23 * y))
    return image + 0.12 * stripes


def frequencies(image: torch.Tensor) -> torch.Tensor:
    """Return how far each point of a picture's spectrum is from that of the mean."""
    down = torch.fft.fftfreq(image.shape[0], device=image.device)
    right = torch.fft.rfftfreq(image.shape[1], device=image.device)
    return torch.hypot(down[:, None], right[None, :])


def low_pass(image: torch.Tensor, cutoff: float = 0.05) -> torch.Tensor:
    """Return a picture blurred by a Gauss curve over its frequencies."""
    spectrum = torch.fft.rfft2(image, norm="ortho")
    weight = torch.exp(-((frequencies(image) / cutoff) ** 2) / 2)
    return torch.fft.irfft2(spectrum * weight, s=image.shape, norm="ortho")


def notches(spectrum: torch.Tensor, distance: torch.Tensor) -> torch.Tensor:
    """Return which points of a spectrum belong to the picture, not to stripes."""
    size = torch.log1p(spectrum.abs())
    around = torch.nn.functional.avg_pool2d(
        torch.nn.functional.pad(size[None, None], (NEAR // 2,) * 4, mode="reflect"), NEAR, stride=1
    )[0, 0]
    bright = (size.expm1() > BRIGHTER * around.expm1()) & (distance > PICTURE)
    # A bright point takes its neighbours with it.
    spots = torch.nn.functional.max_pool2d(bright.float()[None, None], 5, stride=1, padding=2)
    return spots[0, 0] == 0


def without_stripes(image: torch.Tensor) -> torch.Tensor:
    """Return a picture without what stands out in its spectrum."""
    spectrum = torch.fft.rfft2(image)
    kept = notches(spectrum, frequencies(image))
    return torch.fft.irfft2(torch.where(kept, spectrum, 0), s=image.shape).clamp(0, 1)


def spectrum_picture(image: torch.Tensor) -> torch.Tensor:
    """Return the spectrum of a picture as one: light where much is, the mean in the middle."""
    size = torch.fft.fftshift(torch.fft.fft2(image)).abs().log1p()
    return size / size.max()


def read(path: Path) -> torch.Tensor:
    """Return a picture as grey levels [H, W] from 0 to 1."""
    from PIL import Image  # needed for the picture alone

    with Image.open(path) as file:
        return torch.from_numpy(np.array(file.convert("L"))) / 255


def save(image: torch.Tensor, path: Path) -> None:
    """Write grey levels from 0 to 1."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray((image.clamp(0, 1) * 255).round().to(torch.uint8).numpy()).save(path)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Take stripes off a photograph, by its spectrum.")
    parser.add_argument("--image", type=Path, default=PORTRAIT)
    parser.add_argument("--output", type=Path, default=HERE / "out" / "fft_filter.png")
    options = parser.parse_args()

    image = read(options.image)
    damaged = with_stripes(image)
    repaired = torch.compile(without_stripes)(damaged)
    for name, other in (("with stripes", damaged), ("repaired", repaired)):
        print(f"{name:13} {(other - image).abs().mean() * 255:5.2f} grey levels off, on average")
    pictures = (damaged, spectrum_picture(damaged), spectrum_picture(repaired), repaired)
    save(torch.cat(pictures, dim=1), options.output)
    print(f"written to {options.output}: with stripes, both spectra, repaired")


if __name__ == "__main__":
    main()
