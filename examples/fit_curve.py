"""A curve is fitted to noisy points: Levenberg and Marquardt's steps, with `jacfwd` for the slopes.

python examples/fit_curve.py                        # a damped wave of four parameters
python examples/fit_curve.py --points 400 --noise 0.2 --output mine.png

How each residual changes with each parameter is what `tri.jacfwd` gives: the function is written
once, and its derivatives are compiled with it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from plots import Plot

import trilith as tri

HERE = Path(__file__).resolve().parent
NAMES = ("height", "decay", "frequency", "phase")
TRUE = (1.5, 0.35, 4.0, 0.7)


def wave(p: tri.Tensor, t: tri.Tensor) -> tri.Tensor:
    """Return a damped wave at times [N] for parameters [4]."""
    return p[0] * tri.exp(-p[1] * t) * tri.cos(p[2] * t + p[3])


def residuals(p: tri.Tensor, t: tri.Tensor, y: tri.Tensor) -> tri.Tensor:
    """Return how far the wave is from the points, [N]."""
    return wave(p, t) - y


@tri.compile
def equations(
    p: tri.Tensor, t: tri.Tensor, y: tri.Tensor
) -> tuple[tri.Tensor, tri.Tensor, tri.Tensor]:
    """Return the normal equations of a linearised fit, JᵀJ and Jᵀr, and the sum of squares."""
    slopes = tri.jacfwd(residuals)(p, t, y)
    left = residuals(p, t, y)
    return slopes.T @ slopes, slopes.T @ left, (left * left).sum()


def fit(p: tri.Tensor, t: tri.Tensor, y: tri.Tensor, steps: int = 50) -> tri.Tensor:
    """Return the parameters with the least squares near a guess; print each step."""
    damping = 1e-2
    matrix, vector, squares = equations(p, t, y)
    for step in range(steps):
        damped = matrix + damping * tri.diag(matrix.diagonal())
        tried = p - tri.linalg.solve(damped, vector)
        found = equations(tried, t, y)
        before, after = float(squares), float(found[2])
        if after < before:
            change = (before - after) / before
            p, (matrix, vector, squares), damping = tried, found, damping / 5
            values = "  ".join(
                f"{name} {value:8.5f}" for name, value in zip(NAMES, p.tolist(), strict=True)
            )
            print(f"step {step:2}: sum of squares {after:.6f}  {values}")
            if change < 1e-10:
                break
        else:
            damping *= 4
    return p


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Fit a damped wave to noisy points.")
    parser.add_argument("--points", type=int, default=150)
    parser.add_argument("--noise", type=float, default=0.08)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=HERE / "out" / "fit_curve.png")
    options = parser.parse_args()

    tri.manual_seed(options.seed)
    t = tri.linspace(0, 6, options.points, dtype=tri.float64)
    y = wave(tri.tensor(TRUE, dtype=tri.float64), t) + options.noise * tri.randn_like(t)
    found = fit(tri.tensor([1.0, 0.2, 3.7, 0.3], dtype=tri.float64), t, y)
    for name, value, true in zip(NAMES, found.tolist(), TRUE, strict=True):
        print(f"{name:10} {value:8.4f}  (the points were made with {true})")

    plot = Plot(
        "A damped wave, fitted to noisy points", (0.0, 6.0), (-1.6, 1.6), ("time", "height")
    )
    fine = tri.linspace(0, 6, 600, dtype=tri.float64)
    plot.points(t.tolist(), y.tolist())
    plot.line(fine.tolist(), wave(found, fine).tolist())
    plot.save(options.output)
    print(f"points and curve are drawn in {options.output}")


if __name__ == "__main__":
    main()
