"""The built-in pack with one thing changed, for tests of what a pack must hold."""

from __future__ import annotations

from meadow_engine.content.faults import ContentFault

from tests.spring_meadow.packs import document_faults_after, faults_after


def faults_with(file: str, row: int, **values: str) -> list[ContentFault]:
    """What is wrong with the pack once these cells of a row are others."""
    return faults_after(file, lambda rows: rows[row].update(values))


def faults_without(file: str, row: int) -> list[ContentFault]:
    """What is wrong with the pack once a row of a table is left out."""
    return faults_after(file, lambda rows: rows.pop(row))


def faults_without_section(file: str, section: str, number: int) -> list[ContentFault]:
    """What is wrong with the pack once a section of a document is left out."""
    return document_faults_after(file, lambda data: data[section].pop(number))
