"""The components of a content pack for Spring Meadow."""

from __future__ import annotations

from typing import Any

from meadow_api.v1 import catalogue_pb2, common_pb2
from meadow_api.v1 import spring_meadow_pb2 as pb
from meadow_engine.api import spring_catalogue

from meadow_server.wire.spring_meadow.views import packed


def catalogue_to_message(catalogue: Any, out: catalogue_pb2.Catalogue) -> None:
    """Write everything Spring Meadow is played with."""
    spring = out.spring_meadow
    spring.board_columns, spring.board_rows = spring_catalogue.COLUMNS, spring_catalogue.ROWS
    spring.tiles.extend(_tile(tile) for tile in catalogue.tiles)
    spring.rocks.extend(_rock(rock) for rock in catalogue.rocks)
    spring.boards.extend(_board(face) for face in catalogue.faces)
    for index, (seats, hiking_map) in enumerate(_maps(catalogue)):
        spring.hiking_maps.append(_map(index, seats, hiking_map))


def _maps(catalogue: Any) -> tuple[tuple[tuple[int, ...], Any], ...]:
    return ((2, 4), catalogue.map_2_4), ((1, 3), catalogue.map_1_3)


def _tile(tile: spring_catalogue.TileKind) -> pb.SpringMeadowTile:
    return pb.SpringMeadowTile(
        tile=tile.number,
        id=tile.id,
        display_name=tile.name,
        copies=tile.copies,
        forms=_forms(tile),
        scientific_name=tile.scientific_name,
    )


def _rock(rock: spring_catalogue.RockShape) -> pb.SpringMeadowRock:
    return pb.SpringMeadowRock(
        rock=rock.number, id=rock.id, size=rock.size, copies=rock.count, forms=_forms(rock), display_name=rock.name
    )


def _forms(kind: spring_catalogue.TileKind | spring_catalogue.RockShape) -> list[pb.SpringMeadowForm]:
    return [
        pb.SpringMeadowForm(
            form=form.index,
            rows=form.height,
            columns=form.width,
            cells=form.covered_offsets,
            hole_cells=form.hole_offsets,
            symmetries=[symmetry for symmetry, found in enumerate(kind.form_of) if found == place],
        )
        for place, form in enumerate(kind.forms)
    ]


def _board(face: spring_catalogue.BoardFace) -> pb.SpringMeadowBoardFace:
    return pb.SpringMeadowBoardFace(
        face=face.number, id=face.id, display_name=face.name, board=face.board, burrow_cells=packed(face.burrows)
    )


def _map(index: int, seats: tuple[int, ...], hiking_map: spring_catalogue.HikingMap) -> pb.SpringMeadowHikingMap:
    paths = []
    for number, spaces in enumerate(hiking_map.paths):
        x, y = hiking_map.signposts[number]
        paths.append(
            pb.SpringMeadowPath(
                path=number,
                spaces=spaces,
                signpost=common_pb2.Point(x=x, y=y),
                solo_value=hiking_map.solo_values[number] if hiking_map.solo_values else 0,
                display_name=hiking_map.path_names[number],
            )
        )
    return pb.SpringMeadowHikingMap(
        hiking_map=index, seat_counts=seats, size=spring_catalogue.MAP_SIDE, paths=paths, id=hiking_map.id
    )
