"""How does a curve become a picture? Lines and points in a frame with numbers, drawn by Pillow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

Color = tuple[int, int, int]
BLUE, RED, GREY, BLACK = (31, 87, 180), (200, 60, 50), (205, 205, 205), (40, 40, 40)
#: Width, height and margin of a picture in pixels, before it is made half as large.
SIZE, MARGIN = (1440, 900), 130


class Plot:
    """A picture of y over x, for values of a known range."""

    def __init__(
        self, title: str, x: tuple[float, float], y: tuple[float, float], labels: tuple[str, str]
    ) -> None:
        """Draw the frame, with five numbers along each side."""
        from PIL import Image, ImageDraw, ImageFont  # needed for pictures alone

        self._image = Image.new("RGB", SIZE, "white")
        self._draw = ImageDraw.Draw(self._image)
        self._font: Any = ImageFont.load_default(26)
        self._x, self._y = x, y
        left, top = MARGIN, MARGIN
        right, bottom = SIZE[0] - MARGIN // 2, SIZE[1] - MARGIN
        self._frame = left, top, right, bottom
        for part in range(5):
            across = x[0] + (x[1] - x[0]) * part / 4
            up = y[0] + (y[1] - y[0]) * part / 4
            place_x, place_y = self._at(across, y[0])[0], self._at(x[0], up)[1]
            self._draw.line((place_x, top, place_x, bottom), GREY, 2)
            self._draw.line((left, place_y, right, place_y), GREY, 2)
            self._write(f"{across:.4g}", (place_x, bottom + 14), "mt")
            self._write(f"{up:.3g}", (left - 14, place_y), "rm")
        self._draw.rectangle(self._frame, outline=BLACK, width=3)
        self._write(title, (SIZE[0] / 2, top / 2), "mm")
        self._write(labels[0], ((left + right) / 2, bottom + 80), "mm")
        self._write(labels[1], (left, top - 16), "lb")

    def _at(self, x: float, y: float) -> tuple[float, float]:
        left, top, right, bottom = self._frame
        across = (x - self._x[0]) / (self._x[1] - self._x[0])
        up = (y - self._y[0]) / (self._y[1] - self._y[0])
        return left + across * (right - left), bottom - up * (bottom - top)

    def _write(self, text: str, place: tuple[float, float], anchor: str) -> None:
        self._draw.text(place, text, BLACK, font=self._font, anchor=anchor)

    def line(self, x: Sequence[float], y: Sequence[float], color: Color = BLUE) -> None:
        """Draw a curve through points."""
        points = [self._at(*pair) for pair in zip(x, y, strict=True)]
        self._draw.line(points, color, 5, joint="curve")

    def points(self, x: Sequence[float], y: Sequence[float], color: Color = RED) -> None:
        """Draw points."""
        for pair in zip(x, y, strict=True):
            across, up = self._at(*pair)
            self._draw.ellipse((across - 5, up - 5, across + 5, up + 5), color)

    def save(self, path: Path) -> None:
        """Write the picture, smoothed to half its size."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._image.resize((SIZE[0] // 2, SIZE[1] // 2)).save(path)
