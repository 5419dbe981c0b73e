"""Drawings of a table as SVG, made from the API's own messages.

    from meadow_client.drawing import draw

    svg = draw(seat.view().view, seat.catalogue().spring_meadow)

`draw` makes the whole table, `draw_tile` one tile, `draw_catalogue` all of them. Nothing is needed beside the messages,
so what these modules do a front end in any language can do: they read the view and the catalogue only.
"""

from __future__ import annotations

from meadow_client.drawing.page import draw, draw_catalogue, draw_tile

__all__ = ["draw", "draw_catalogue", "draw_tile"]
