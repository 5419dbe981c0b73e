"""Reads the Spring Meadow files of a content pack for the reference by itself."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

from tests.reference.spring_table import Cells, Contents, Kind


def drawn(text: str, mark: str) -> Cells:
    """The squares with this mark in a drawing such as `#o/.#`, whose last line is row 0."""
    lines = text.split("/")
    return frozenset(
        (len(lines) - 1 - number, column)
        for number, line in enumerate(lines)
        for column, here in enumerate(line)
        if here == mark
    )


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a table, comments and empty lines left out."""
    lines = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip(" ,") and not line.lstrip('"').startswith("# ")
    ]
    return list(csv.DictReader(line for line in lines if line.rstrip(",") != "#"))


def read_contents(folder: Path) -> Contents:
    """What a pack's folder says is in the box."""
    tiles = table(folder / "spring_tiles.csv")
    rocks = [drawn(row["shape"], "#") for row in table(folder / "spring_rocks.csv")]
    faces = tomllib.loads((folder / "spring_boards.toml").read_text(encoding="utf-8"))["face"]
    return Contents(
        kinds=[
            Kind(row["id"], drawn(row["shape"], "#"), drawn(row["shape"], "o"), int(row["copies"])) for row in tiles
        ],
        rocks=sorted(rocks, key=len),
        faces=[face["id"] for face in faces],
        burrows=[drawn("/".join(face["drawing"].split()), "b") for face in faces],
        board_of_face=[face["board"] for face in faces],
    )
