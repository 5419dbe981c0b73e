"""Every pack there is: the built-in one, those in folders, and what a game demands of them.

This is the one module that knows both the packs and the games; a new game adds its line to `GAMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from meadow_engine.content import pack as packs
from meadow_engine.content.faults import ContentError, ContentFault
from meadow_engine.content.pack import MANIFEST, Pack
from meadow_engine.content.stats import Section, TilePlay
from meadow_engine.meadow import content as meadow
from meadow_engine.meadow import content_stats as meadow_stats
from meadow_engine.meadow.downstream import content as downstream
from meadow_engine.meadow.downstream import content_stats as downstream_stats
from meadow_engine.spring_meadow import content as spring_meadow
from meadow_engine.spring_meadow import content_stats as spring_meadow_stats

BUILTIN = "original"
"""Folder of the built-in pack."""
TEMPLATES = "templates"
"""Folder of the empty packs that `new_folder` copies, one folder a game."""


class GameContent(NamedTuple):
    """What a game has to say about packs."""

    files: tuple[str, ...]
    """The files it reads."""
    check: Callable[[Pack], list[ContentFault]] | None
    """Returns everything wrong with the game's components; None for an expansion, which its base game checks."""
    stats: Callable[[Pack, Mapping[str, TilePlay]], list[Section]]
    """Returns the balance tables of a pack without faults."""
    base: str = ""
    """The game it is an expansion of, or empty: its components are read together with that game's."""


GAMES: Mapping[str, GameContent] = {
    spring_meadow.GAME: GameContent(spring_meadow.FILES, spring_meadow.check, spring_meadow_stats.stats),
    meadow.GAME: GameContent(meadow.FILES, meadow.check, meadow_stats.stats),
    downstream.GAME: GameContent(downstream.FILES, None, downstream_stats.stats, base=meadow.GAME),
}
"""The games that packs may have components for."""


@cache
def builtin_pack() -> Pack:
    """Return the content pack that comes with the engine."""
    return _checked(files("meadow_engine.content").joinpath(BUILTIN))


def load_pack(folder: str | PathLike[str]) -> Pack:
    """Return the pack in a folder.

    Raises:
        ContentError: with every fault at once.
    """
    return _checked(Path(folder))


def pack_from_bytes(data: bytes) -> Pack:
    """Return the pack that `Pack.to_bytes` wrote, checked like one from a folder.

    Raises:
        BadEncoding: these are not the canonical bytes of a pack.
        ContentError: the pack is faulty.
    """
    pack = packs.pack_from_bytes(data)
    if faults := check_pack(pack):
        raise ContentError(faults)
    return pack


def check_folder(folder: str | PathLike[str]) -> list[ContentFault]:
    """Return everything wrong with the pack in a folder, in the order of files and rows; nothing when it is sound."""
    return _read(Path(folder))[1]


def check_pack(pack: Pack) -> list[ContentFault]:
    """Return everything the games find wrong with a pack that could be read."""
    faults: list[ContentFault] = []
    read = {file for game in pack.games if game in GAMES for file in GAMES[game].files}
    for game in pack.games:
        if message := _game_fault(game, pack.games):
            faults.append(ContentFault(MANIFEST, pack.manifest.line("", 0, "games"), "games", message))
        elif check := GAMES[game].check:
            faults += check(pack)
    for file in [*pack.tables, *pack.documents]:
        if file not in read:
            faults.append(ContentFault(file, 0, "", "no game of this pack reads this file"))
    return sorted(faults)


def _game_fault(game: str, games: tuple[str, ...]) -> str:
    """Return why a pack of these games cannot have components for a game, or nothing."""
    if game not in GAMES:
        return f"there is no game {game!r}; there are {', '.join(GAMES)}"
    base = GAMES[game].base
    return f"{game} needs {base}, whose cards it joins" if base and base not in games else ""


def stats_table(pack: Pack, play: Mapping[str, TilePlay] | None = None) -> list[Section]:
    """Return the balance tables of a pack, game by game.

    Args:
        pack: a pack without faults.
        play: how the components fared in games that the caller had played, by component id; adds columns.
    """
    return [section for game in pack.games for section in GAMES[game].stats(pack, play or {})]


def new_folder(folder: str | PathLike[str], game: str = spring_meadow.GAME) -> list[str]:
    """Write an empty, commented pack to fill in, and return the names of its files.

    Args:
        folder: where to; made if it is not there.
        game: the game whose components the pack is to describe.

    Raises:
        ContentError: the folder exists and is not empty, or there is no such game.
    """
    if game not in GAMES:
        raise ContentError([ContentFault("", 0, "", f"there is no game {game!r}; there are {', '.join(GAMES)}")])
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ContentError([ContentFault("", 0, "", f"{target} exists already and is not an empty folder")])
    target.mkdir(parents=True, exist_ok=True)
    templates = files("meadow_engine.content").joinpath(TEMPLATES)
    # an expansion comes with the files of its base game, and with a pack.toml that names both
    folders = [templates.joinpath(name) for name in (GAMES[game].base, game) if name]
    sources = {entry.name: entry for source in folders for entry in source.iterdir()}
    for name, entry in sources.items():
        (target / name).write_bytes(entry.read_bytes())
    return sorted(sources)


def _read(folder: Traversable) -> tuple[Pack | None, list[ContentFault]]:
    faults: list[ContentFault] = []
    pack = packs.read_pack(folder, faults)
    if pack is not None:
        faults += check_pack(pack)
    return pack, sorted(faults)


def _checked(folder: Traversable) -> Pack:
    pack, faults = _read(folder)
    if faults or pack is None:
        raise ContentError(faults)
    return pack
