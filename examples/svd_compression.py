"""Compression by singular values: a photograph is a sum of a few products of a column and a row.

A PyTorch program whose first import was changed: `import torch` became `import trilith as torch`.

python examples/svd_compression.py                  # the portrait in examples/data
python examples/svd_compression.py --image mine.jpg --ranks 1 10 100 --output mine.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import trilith as torch

HERE = Path(__file__).resolve().parent
PORTRAIT = HERE / "data" / "grace_hopper.jpg"

Factors = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def factors(image: torch.Tensor) -> Factors:
    """Return columns, weights and rows of pictures [..., H, W], the heaviest product first."""
    U, S, Vh = torch.linalg.svd(image, full_matrices=False)
    return U, S, Vh


def rebuild(parts: Factors, rank: int) -> torch.Tensor:
    """Return the sum of the first products, as grey levels from 0 to 1."""
    U, S, Vh = parts
    return ((U[..., :rank] * S[..., None, :rank]) @ Vh[..., :rank, :]).clamp(0, 1)


def compress(image: torch.Tensor, rank: int) -> torch.Tensor:
    """Return a picture as it is after compression."""
    return rebuild(factors(image), rank)


def noise_ratio(image: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Return how much louder the picture is than what was lost, in dB (PSNR)."""
    return -10 * torch.log10((image - other).square().mean())


def share(image: torch.Tensor, rank: int) -> float:
    """Return how many numbers are kept, of one."""
    height, width = image.shape[-2:]
    return rank * (height + width + 1) / (height * width)


def read(path: Path) -> torch.Tensor:
    """Return a picture as colours [3, H, W] from 0 to 1."""
    from PIL import Image  # needed for the picture alone

    with Image.open(path) as file:
        pixels = torch.from_numpy(np.array(file.convert("RGB")))
    return pixels.permute(2, 0, 1) / 255


def save(image: torch.Tensor, path: Path) -> None:
    """Write colours from 0 to 1."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = (image.permute(1, 2, 0) * 255).round().to(torch.uint8).contiguous()
    Image.fromarray(pixels.numpy()).save(path)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Compress a photograph by its singular values.")
    parser.add_argument("--image", type=Path, default=PORTRAIT)
    parser.add_argument("--ranks", type=int, nargs="+", default=[5, 20, 60])
    parser.add_argument("--output", type=Path, default=HERE / "out" / "svd_compression.png")
    options = parser.parse_args()

    image = read(options.image)
    parts = factors(image)
    pictures: list[torch.Tensor] = []
    print(" rank   numbers kept      PSNR")
    for rank in options.ranks:
        picture = rebuild(parts, rank)
        pictures.append(picture)
        ratio = noise_ratio(image, picture).item()
        print(f"{rank:5}  {share(image, rank):12.1%}  {ratio:5.1f} dB")
    save(torch.cat((*pictures, image), dim=-1), options.output)
    print(f"written to {options.output}, the original last")


if __name__ == "__main__":
    main()
