"""Tiles with their flowers and holes, rocks, burrows and marmots."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from meadow_client.drawing import flora, svg
from meadow_client.drawing.outline import Square, outline
from meadow_client.drawing.scene import ROCK, UNKNOWN

RIM = "#4d7a36"
"""Edge of a tile."""
HOLE = 0.31
"""Radius of a hole, of a square's side."""


def tile(kind: int, scientific_name: str, cells: Collection[Square], holes: Collection[Square], unit: float) -> str:
    """A tile whose squares are given by column and row, from (0, 0) at the top left.

    The squares of holes belong to the tile: it lies around the hole, through which one sees what is below.
    """
    inset, radius = unit * 0.035, unit * 0.24
    cut = "".join(svg.ring((x + 0.5) * unit, (y + 0.5) * unit, HOLE * unit) for x, y in holes)
    shape = outline([*cells, *holes], unit, inset, radius)
    green = "#a9cf80" if kind == UNKNOWN else flora.green_of(kind)
    parts = [
        svg.path(shape + cut, fill="#2b3d1c", fill_opacity=0.22, fill_rule="evenodd", transform=_below(unit)),
        svg.path(shape + cut, fill=green, fill_rule="evenodd", stroke=RIM, stroke_width=unit * 0.045),
        svg.path(outline([*cells, *holes], unit, unit * 0.11, radius * 0.8), fill="none", **_light(unit)),
        *_grass(kind, cells, unit),
        *_flowers(kind, scientific_name, cells, unit),
        *(_rim(x, y, unit) for x, y in holes),
    ]
    return svg.element("g", *parts)


def _below(unit: float) -> str:
    return f"translate({svg.number(unit * 0.03)} {svg.number(unit * 0.07)})"


def _light(unit: float) -> dict[str, object]:
    return {"stroke": "#ffffff", "stroke_opacity": 0.35, "stroke_width": unit * 0.04}


def _rim(x: int, y: int, unit: float) -> str:
    """The thickness of the tile, seen at the upper edge of its hole."""
    r = HOLE * unit
    left, top = (x + 0.5) * unit - r, (y + 0.5) * unit
    arc = f"M{svg.number(left)} {svg.number(top)}a{svg.number(r)} {svg.number(r)} 0 0 1 {svg.number(2 * r)} 0"
    dip = f"a{svg.number(r)} {svg.number(r * 0.8)} 0 0 0 {svg.number(-2 * r)} 0Z"
    return svg.path(arc + dip, fill="#2b3d1c", fill_opacity=0.35)


def _grass(kind: int, cells: Iterable[Square], unit: float) -> Iterator[str]:
    blades = []
    for x, y in sorted(cells):
        drawn = flora.digest(f"grass {kind} {x} {y}")
        for place in range(3):
            left = (x + 0.2 + 0.6 * drawn[3 * place] / 255) * unit
            top = (y + 0.3 + 0.5 * drawn[3 * place + 1] / 255) * unit
            high = unit * (0.08 + 0.06 * drawn[3 * place + 2] / 255)
            blades.append(
                f"M{_at(left - high * 0.5, top - high)}L{_at(left, top)}L{_at(left + high * 0.4, top - high * 1.1)}"
            )
    yield svg.path("".join(blades), fill="none", stroke=RIM, stroke_opacity=0.5, stroke_width=unit * 0.03)


def _at(x: float, y: float) -> str:
    return f"{svg.number(x)} {svg.number(y)}"


def _flowers(kind: int, scientific_name: str, cells: Iterable[Square], unit: float) -> Iterator[str]:
    flower = flora.flower_of(scientific_name)
    if flower is None:
        return
    for x, y in sorted(cells):
        drawn = flora.digest(f"flower {kind} {x} {y}")
        large = 0.24 + 0.04 * drawn[2] / 255
        yield _bloom(
            kind, (x + 0.4 + 0.2 * drawn[0] / 255) * unit, (y + 0.4 + 0.16 * drawn[1] / 255) * unit, large * unit
        )
        if drawn[3] % 3:
            side = 0.2 if drawn[4] % 2 else 0.8
            yield _bloom(kind, (x + side) * unit, (y + 0.18 + 0.62 * drawn[5] / 255) * unit, 0.125 * unit)


def _bloom(kind: int, x: float, y: float, size: float) -> str:
    place = f"translate({_at(x, y)}) scale({svg.number(size)})"
    return svg.element("use", href=f"#flower-{kind}", transform=place)


def definitions(tiles: Iterable[tuple[int, str]]) -> str:
    """The flowers of some kinds of tiles (number, plant), for the uses that tiles make of them."""
    flowers = ((kind, flora.flower_of(plant)) for kind, plant in sorted(set(tiles)))
    return "".join(
        svg.element("g", flora.flower_svg(flower), id=f"flower-{kind}") for kind, flower in flowers if flower
    )


def rock(cells: Collection[Square], unit: float) -> str:
    """A rock whose squares are given by column and row."""
    shape = outline(cells, unit, unit * 0.05, unit * 0.3)
    top = outline(cells, unit, unit * 0.15, unit * 0.26)
    parts = [
        svg.path(shape, fill="#1e2226", fill_opacity=0.28, transform=_below(unit)),
        svg.path(shape, fill="#8b9095", stroke="#5d6267", stroke_width=unit * 0.045),
        svg.path(top, fill="#a4a9ad", transform=f"translate({svg.number(-unit * 0.02)} {svg.number(-unit * 0.04)})"),
        *_weathering(cells, unit),
    ]
    return svg.element("g", *parts)


def _weathering(cells: Iterable[Square], unit: float) -> Iterator[str]:
    for x, y in sorted(cells):
        drawn = flora.digest(f"rock {x} {y}")
        cx, cy = (x + 0.35 + 0.3 * drawn[0] / 255) * unit, (y + 0.35 + 0.3 * drawn[1] / 255) * unit
        lichen = ("#c3b45e", "#93a873", "#b98f5a")[drawn[2] % 3]
        yield svg.circle(cx, cy, unit * 0.07, fill=lichen, fill_opacity=0.75)
        yield svg.circle(cx + unit * 0.1, cy + unit * 0.05, unit * 0.04, fill=lichen, fill_opacity=0.75)
        begin, bend, end = _at(cx - unit * 0.25, cy + unit * 0.12), _at(unit * 0.12, unit * 0.09), _at(unit * 0.13, 0)
        crack = f"M{begin}l{bend}l{end}"
        yield svg.path(crack, fill="none", stroke="#6d7277", stroke_width=unit * 0.03)


def piece(kind: int, scientific_name: str, cells: Collection[Square], holes: Collection[Square], unit: float) -> str:
    """A tile or a rock."""
    return rock(cells, unit) if kind == ROCK else tile(kind, scientific_name, cells, holes, unit)


def burrow(x: float, y: float, unit: float, *, cleared: bool) -> str:
    """A burrow around a centre: an entrance in a mound of earth; a golden ring when it is cleared."""
    u = unit
    mound = svg.element("ellipse", cx=x, cy=y + 0.04 * u, rx=0.3 * u, ry=0.25 * u, fill="#a98058")
    crumbs = svg.element("ellipse", cx=x, cy=y + 0.12 * u, rx=0.25 * u, ry=0.13 * u, fill="#8d6743")
    entrance = svg.path(
        f"M{_at(x - 0.15 * u, y + 0.15 * u)}q0 {svg.number(-0.3 * u)} {_at(0.15 * u, -0.3 * u)}"
        f"q{_at(0.15 * u, 0)} {_at(0.15 * u, 0.3 * u)}Z",
        fill="#3a2a1f",
    )
    ring = svg.circle(x, y, 0.33 * u, fill="none", stroke="#f2c84b", stroke_width=0.07 * u) if cleared else ""
    return mound + crumbs + entrance + ring


def marmot(x: float, y: float, unit: float) -> str:
    """A marmot looking out, around a centre."""
    u = unit
    fur, dark, light = "#b07a45", "#6f4a2b", "#e9cfa6"
    return svg.moved(
        x,
        y,
        svg.element("ellipse", cx=0.0, cy=0.24 * u, rx=0.3 * u, ry=0.15 * u, fill="#3a2a1f", fill_opacity=0.35),
        svg.circle(-0.2 * u, -0.2 * u, 0.09 * u, fill=dark),
        svg.circle(0.2 * u, -0.2 * u, 0.09 * u, fill=dark),
        svg.element(
            "ellipse", cx=0.0, cy=0.03 * u, rx=0.31 * u, ry=0.3 * u, fill=fur, stroke=dark, stroke_width=0.03 * u
        ),
        svg.element("ellipse", cx=0.0, cy=0.15 * u, rx=0.19 * u, ry=0.15 * u, fill=light),
        svg.circle(-0.13 * u, -0.03 * u, 0.05 * u, fill="#221a14"),
        svg.circle(0.13 * u, -0.03 * u, 0.05 * u, fill="#221a14"),
        svg.circle(-0.115 * u, -0.045 * u, 0.017 * u, fill="#ffffff"),
        svg.circle(0.145 * u, -0.045 * u, 0.017 * u, fill="#ffffff"),
        svg.element("ellipse", cx=0.0, cy=0.08 * u, rx=0.06 * u, ry=0.045 * u, fill="#3a2a1f"),
        svg.box(-0.045 * u, 0.17 * u, 0.09 * u, 0.1 * u, 0.02 * u, fill="#fffef8", stroke=dark, stroke_width=0.015 * u),
    )
