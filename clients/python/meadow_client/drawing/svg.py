"""Writes SVG elements as text."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

Number = float | int
Point = tuple[float, float]


def number(value: Number) -> str:
    """A length with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def element(name: str, *children: str, **attributes: object) -> str:
    """An element; an underscore in an attribute's name stands for a hyphen, a trailing one is dropped."""
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_value(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(children)}</{name}>" if children else f"<{name}{given}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def text(x: float, y: float, words: str, size: float, **attributes: object) -> str:
    """A line of text with its baseline at y."""
    return element("text", escape(words), x=x, y=y, font_size=size, **attributes)


def circle(x: float, y: float, radius: float, **attributes: object) -> str:
    """A circle."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def box(x: float, y: float, width: float, height: float, radius: float = 0, **attributes: object) -> str:
    """A rectangle with rounded corners."""
    return element("rect", x=x, y=y, width=width, height=height, rx=radius or None, **attributes)


def path(d: str, **attributes: object) -> str:
    """A path."""
    return element("path", d=d, **attributes)


def polyline(points: Iterable[Point], *, closed: bool = False) -> str:
    """Path data of straight lines between points."""
    steps = " L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{steps}{'Z' if closed else ''}"


def ring(x: float, y: float, radius: float) -> str:
    """Path data of a circle, to be cut out of a shape by the even-odd rule."""
    r, left = number(radius), number(x - radius)
    return f"M{left} {number(y)}a{r} {r} 0 1 0 {number(2 * radius)} 0a{r} {r} 0 1 0 {number(-2 * radius)} 0Z"


def moved(x: float, y: float, *children: str, **attributes: object) -> str:
    """A group moved by (x, y)."""
    return element("g", *children, transform=f"translate({number(x)} {number(y)})", **attributes)


def title(words: str) -> str:
    """What a viewer shows when the pointer rests on the element around it."""
    return element("title", escape(words))
