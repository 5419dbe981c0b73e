"""Packs with one thing changed, for tests of what a pack must hold."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from meadow_engine.content.faults import ContentFault
from meadow_engine.content.library import builtin_pack, check_pack
from meadow_engine.content.tables import Row


def faults_after(file: str, change: Callable[[list[dict[str, str]]], object]) -> list[ContentFault]:
    """What is wrong with the built-in pack once the rows of a table are changed."""
    pack = builtin_pack()
    table = pack.tables[file]
    values = [dict(row.values) for row in table.rows]
    change(values)
    changed = replace(table, rows=tuple(Row(line, row) for line, row in enumerate(values, 2)))
    return check_pack(replace(pack, tables={**pack.tables, file: changed}))


def document_faults_after(file: str, change: Callable[[dict[str, Any]], object]) -> list[ContentFault]:
    """What is wrong with the built-in pack once a document is changed."""
    pack = builtin_pack()
    data = deepcopy(dict(pack.documents[file].data))
    change(data)
    changed = replace(pack.documents[file], data=data)
    return check_pack(replace(pack, documents={**pack.documents, file: changed}))
