"""Flowers: what blooms on a tile, by the genus of its plant, and how it is drawn.

A pack names a plant for each tile. A genus that is not in the table gets a colour and shape by its name, so that any
pack has its flowers; a tile without a plant has grass only.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import cos, pi, sin

from meadow_client.drawing import svg


@dataclass(frozen=True, slots=True)
class Flower:
    """How a flower looks: its shape, the colours of its petals and heart, and how many petals it has."""

    shape: str
    petals: str
    heart: str
    count: int = 5


GENERA: dict[str, Flower] = {
    "Crocus": Flower("cup", "#8f6cc4", "#f3a72e", 6),
    "Galanthus": Flower("bell", "#ffffff", "#7fae55"),
    "Leucojum": Flower("bell", "#fffdf3", "#c7d65a"),
    "Soldanella": Flower("bell", "#9a83d4", "#6a55a8"),
    "Hepatica": Flower("daisy", "#6676cf", "#f6f4ff", 7),
    "Anemone": Flower("daisy", "#ffffff", "#eec944", 6),
    "Tussilago": Flower("ray", "#f6c62d", "#dc9a1b", 14),
    "Gentiana": Flower("star", "#2c53b4", "#f4f1d8", 5),
    "Erica": Flower("spray", "#d96a9f", "#8d3f6b"),
    "Pulsatilla": Flower("cup", "#7b579f", "#f2c63a", 6),
    "Dryas": Flower("daisy", "#fffdf4", "#f0bf2c", 8),
    "Primula": Flower("round", "#f4dc5a", "#e3912d", 5),
    "Myosotis": Flower("round", "#74abe4", "#f8da58", 5),
    "Ranunculus": Flower("round", "#fffaf0", "#edbf31", 5),
    "Saxifraga": Flower("star", "#c65a9e", "#f8d7e8", 5),
    "Aquilegia": Flower("star", "#5a63c4", "#f3f0ff", 5),
    "Viola": Flower("round", "#7d5fc0", "#f7cf45", 5),
    "Trollius": Flower("cup", "#f5cf2f", "#dda317", 7),
    "Caltha": Flower("round", "#f8cd28", "#e0a010", 5),
    "Narcissus": Flower("daisy", "#fffef5", "#e8782f", 6),
    "Lilium": Flower("star", "#d98095", "#8e3b52", 6),
    "Clematis": Flower("star", "#7f86d8", "#fbf7df", 4),
    "Linaria": Flower("spray", "#8a6fd0", "#f09a35"),
    "Petasites": Flower("spray", "#f6e9ee", "#c99aae"),
    "Linnaea": Flower("bell", "#f3bfd0", "#c96f92"),
    "Eritrichium": Flower("round", "#3f8fe0", "#f9de5c", 5),
    "Silene": Flower("round", "#ee8bb4", "#fbe6ef", 5),
    "Bartsia": Flower("spray", "#5b3a78", "#38234c"),
    "Daphne": Flower("star", "#e88fb6", "#c85d8f", 4),
    "Rhododendron": Flower("round", "#dc5f83", "#f9d9e1", 5),
    "Arnica": Flower("ray", "#f7b226", "#d88414", 12),
    "Geum": Flower("round", "#f9cf3b", "#dd9b1e", 6),
    "Homogyne": Flower("ray", "#c7a0c8", "#8f5f93", 10),
    "Leontopodium": Flower("star", "#fbfbf3", "#e6d48a", 8),
    "Kalmia": Flower("star", "#ef9fb5", "#d06a88", 5),
    "Salix": Flower("spray", "#e9e48a", "#b5ab49"),
    "Aster": Flower("ray", "#9a86d6", "#f3bf35", 13),
    "Sempervivum": Flower("ray", "#d96b7e", "#f3c5cc", 12),
    "Helleborus": Flower("daisy", "#fff8f3", "#d9c64e", 5),
}
"""How the flowers of the Alps look, by genus."""

_HUES = ("#e58aa8", "#f4cd3a", "#8f7fd6", "#ffffff", "#6fa8e2", "#f09a4a", "#c768b0")
_SHAPES = ("daisy", "star", "round", "ray", "cup")
GREENS = ("#a5cd72", "#8fc06a", "#b6d581", "#7fb566", "#9ac87e", "#c0d98a", "#88bb74", "#aacb68", "#94bf62")
"""Greens of the tiles' grass."""


def digest(key: str) -> bytes:
    """Bytes that look random and are always the same for a key: decoration must not change between drawings."""
    return blake2b(key.encode()).digest()


def flower_of(scientific_name: str) -> Flower | None:
    """The flower of a plant; None when it has no name."""
    if not scientific_name:
        return None
    genus = scientific_name.split(maxsplit=1)[0]
    if genus in GENERA:
        return GENERA[genus]
    drawn = digest(genus)
    return Flower(_SHAPES[drawn[0] % len(_SHAPES)], _HUES[drawn[1] % len(_HUES)], "#f2c53a", 5 + drawn[2] % 3)


def green_of(tile: int) -> str:
    """The green of a kind of tile; neighbouring numbers differ."""
    return GREENS[tile * 4 % len(GREENS)]


def flower_svg(flower: Flower) -> str:
    """A flower around the origin, with radius 1."""
    shapes = {"bell": _bells, "spray": _spray, "cup": _cup, "star": _star, "ray": _ray, "round": _round}
    return shapes.get(flower.shape, _daisy)(flower)


def _around(count: int, distance: float, start: float = -pi / 2) -> list[tuple[float, float, float]]:
    """x, y and angle in degrees of points around the origin."""
    angles = [start + 2 * pi * place / count for place in range(count)]
    return [(distance * cos(angle), distance * sin(angle), angle * 180 / pi) for angle in angles]


def _edge(flower: Flower) -> dict[str, object]:
    """Pale petals need an edge to be seen on bright green."""
    return {"stroke": "#3f5d2b", "stroke_opacity": 0.35, "stroke_width": 0.07, "fill": flower.petals}


def _petals(flower: Flower, distance: float, length: float, width: float) -> list[str]:
    return [
        svg.element("ellipse", rx=length, ry=width, transform=_place(x, y, angle), **_edge(flower))
        for x, y, angle in _around(flower.count, distance)
    ]


def _place(x: float, y: float, angle: float) -> str:
    return f"translate({svg.number(x)} {svg.number(y)}) rotate({svg.number(angle)})"


def _daisy(flower: Flower) -> str:
    return "".join(_petals(flower, 0.58, 0.42, 0.26)) + svg.circle(0, 0, 0.27, fill=flower.heart)


def _ray(flower: Flower) -> str:
    return "".join(_petals(flower, 0.6, 0.4, 0.13)) + svg.circle(0, 0, 0.36, fill=flower.heart)


def _round(flower: Flower) -> str:
    petals = [svg.circle(x, y, 0.38, **_edge(flower)) for x, y, _ in _around(flower.count, 0.5)]
    return "".join(petals) + svg.circle(0, 0, 0.2, fill=flower.heart)


def _star(flower: Flower) -> str:
    petal = "M0 -0.17Q0.45 -0.36 1 0Q0.45 0.36 0 0.17Z"
    petals = [
        svg.path(petal, transform=f"rotate({svg.number(angle)})", **_edge(flower))
        for _, _, angle in _around(flower.count, 0)
    ]
    return "".join(petals) + svg.circle(0, 0, 0.23, fill=flower.heart)


def _cup(flower: Flower) -> str:
    outer = _petals(flower, 0.45, 0.5, 0.34)
    inner = svg.circle(0, 0, 0.42, fill=flower.petals, stroke="#2f2340", stroke_opacity=0.25, stroke_width=0.07)
    return "".join(outer) + inner + svg.circle(0, 0, 0.2, fill=flower.heart)


def _bells(flower: Flower) -> str:
    bell = "M-0.3 0.28Q-0.3 -0.42 0 -0.42Q0.3 -0.42 0.3 0.28L0.15 0.16L0 0.3L-0.15 0.16Z"
    stem = svg.path(
        "M-0.62 -0.1Q-0.3 -0.95 0.15 -0.75Q0.6 -0.6 0.62 -0.1", fill="none", stroke="#57803c", stroke_width=0.1
    )
    bells = [
        svg.moved(x, y, svg.path(bell, **_edge(flower)), svg.circle(0, 0.17, 0.08, fill=flower.heart))
        for x, y in ((-0.6, 0.25), (0.05, 0.0), (0.62, 0.3))
    ]
    return stem + "".join(bells)


def _spray(flower: Flower) -> str:
    stem = svg.path("M0 1Q-0.1 0.2 0.1 -0.9", fill="none", stroke="#57803c", stroke_width=0.1)
    places = (
        (0.1, -0.75),
        (-0.3, -0.4),
        (0.42, -0.35),
        (-0.42, 0.05),
        (0.4, 0.12),
        (0.0, -0.1),
        (-0.22, 0.45),
        (0.3, 0.5),
    )
    buds = [svg.circle(x, y, 0.21, **_edge(flower)) + svg.circle(x, y, 0.08, fill=flower.heart) for x, y in places]
    return stem + "".join(buds)
