"""Conway's Game of Life: a gun that shoots gliders, as a picture that moves.

A PyTorch program whose first import was changed: `import torch` became `import trilith as torch`.
The shifted boards are copies; all that becomes of a cell is one kernel.

python examples/game_of_life.py                     # writes examples/out/game_of_life.gif
python examples/game_of_life.py --generations 1000 --output long.gif
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import trilith as torch

HERE = Path(__file__).resolve().parent

#: The gun of Bill Gosper, 1970: the first pattern that was known to grow for ever.
GUN = """
........................O...........
......................O.O...........
............OO......OO............OO
...........O...O....OO............OO
OO........O.....O...OO..............
OO........O...O.OO....O.O...........
..........O.....O.......O...........
...........O...O....................
............OO......................
"""


def board(pattern: str, height: int, width: int, top: int = 1, left: int = 1) -> torch.Tensor:
    """Return a board of dead cells with a pattern on it; O is a living cell."""
    lines = pattern.split()
    cells = torch.zeros(height, width, dtype=torch.uint8)
    living = torch.tensor([[cell == "O" for cell in line] for line in lines])
    cells[top : top + len(lines), left : left + len(lines[0])] = living
    return cells


def step(cells: torch.Tensor) -> torch.Tensor:
    """Return the next generation; what leaves the board on one side comes in on the other."""
    neighbours = torch.zeros_like(cells)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if down or right:
                neighbours += torch.roll(cells, shifts=(down, right), dims=(0, 1))
    return ((neighbours == 3) | ((neighbours == 2) & (cells == 1))).to(cells.dtype)


def show(cells: torch.Tensor) -> str:
    """Return a board as text, two rows of cells in each line."""
    rows = cells.tolist()
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join(
        "".join(" ▀▄█"[up + 2 * low] for up, low in zip(upper, lower, strict=True))
        for upper, lower in pairs
    )


def save(generations: list[torch.Tensor], path: Path, scale: int = 5) -> None:
    """Write a GIF, a frame for each generation."""
    from PIL import Image  # needed for the picture alone

    path.parent.mkdir(parents=True, exist_ok=True)
    frames: list[Image.Image] = []
    for cells in generations:
        grey = (255 - cells * 225).repeat_interleave(scale, 0).repeat_interleave(scale, 1)
        frames.append(Image.fromarray(grey.numpy()))
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=40, loop=0)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Let a gun shoot gliders, and write it as a GIF.")
    parser.add_argument("--generations", type=int, default=240)
    parser.add_argument("--height", type=int, default=56)
    parser.add_argument("--width", type=int, default=80)
    parser.add_argument("--output", type=Path, default=HERE / "out" / "game_of_life.gif")
    options = parser.parse_args()

    next_generation = torch.compile(step)
    generations = [board(GUN, options.height, options.width)]
    start = time.perf_counter()
    for _ in range(options.generations):
        generations.append(next_generation(generations[-1]))
    taken = time.perf_counter() - start

    print(show(generations[-1]))
    living = int(generations[-1].sum())
    print(f"generation {options.generations}: {living} living cells, {taken * 1e3:.1f} ms in all")
    save(generations, options.output)
    print(f"written to {options.output}")


if __name__ == "__main__":
    main()
