"""The games this engine knows."""

from __future__ import annotations

from meadow_engine.kernel.errors import UnknownVariant
from meadow_engine.kernel.variant import Family, Variant
from meadow_engine.meadow.assembly import MeadowFamily
from meadow_engine.spring_meadow.assembly import SpringFamily

FAMILIES: dict[str, Family] = {family.name: family for family in (SpringFamily(), MeadowFamily())}
VARIANTS: dict[str, Variant] = {variant.id: variant for family in FAMILIES.values() for variant in family.variants}


def find_variant(variant_id: str) -> Variant:
    """The variant of an id; UnknownVariant if there is none."""
    if variant_id not in VARIANTS:
        raise UnknownVariant(f"no variant {variant_id!r}; there are {', '.join(VARIANTS)}", variant=variant_id)
    return VARIANTS[variant_id]
