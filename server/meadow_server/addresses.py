"""Where calls come from.

Behind a proxy every call comes from the proxy. What the proxy says of where it had it from is believed only if it is
one of those listed: anybody could send the same header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Metadata = Iterable[tuple[str, str | bytes]]

X_FORWARDED_FOR = "x-forwarded-for"
FORWARDED = "forwarded"
FORWARDED_HEADERS = (X_FORWARDED_FOR, FORWARDED)
V6_BITS = 64
"""Whoever has an IPv6 address has as many of the same first bits as they like."""
MAX_HOPS = 32
_FOR = re.compile(r'(?:^|;)\s*for=("?)(?P<node>[^";]+)\1', re.IGNORECASE)


class Addresses:
    """Tells callers apart by their network address.

    Args:
        trusted: networks of the proxies that are believed.
        header: which of `FORWARDED_HEADERS` they write. Only one is read: a proxy that writes one may let the other
            pass as a stranger sent it.
    """

    def __init__(self, trusted: Sequence[Network], header: str) -> None:
        self._trusted = tuple(trusted)
        self._header = header

    def of(self, peer: str, metadata: Metadata) -> str:
        """The address that a call comes from, as far as it can be believed: `192.0.2.7`, or `2001:db8::/64`.

        Args:
            peer: who holds the connection, as gRPC writes it.
            metadata: of the call.
        """
        if not self._trusted:
            return _peer_place(peer)
        address = _peer_address(peer)
        return _place(None if address is None else self._through_proxies(address, metadata))

    def _through_proxies(self, address: Address, metadata: Metadata) -> Address:
        """Go back from the nearest hop to the first that is no trusted proxy."""
        if not self._is_trusted(address):
            return address
        for hop in reversed(self._hops(metadata)):
            before = _node_address(hop)
            if before is None:
                break
            address = before
            if not self._is_trusted(address):
                break
        return address

    def _is_trusted(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)

    def _hops(self, metadata: Metadata) -> list[str]:
        """The hops that the header names, the nearest last; an unreadable one is an empty text."""
        values = [value for key, value in metadata if key == self._header and isinstance(value, str)]
        parts = ",".join(values).split(",")[-MAX_HOPS:]
        if self._header == X_FORWARDED_FOR:
            return [part.strip() for part in parts]
        found = (_FOR.search(part) for part in parts)
        return [match["node"].strip() if match else "" for match in found]


def read_network(text: str) -> Network:
    """A network, or an address, as CIDR.

    Raises:
        ValueError: it is none.
    """
    return ip_network(text.strip())


@lru_cache(maxsize=4096)  # a connection carries many calls
def _peer_place(peer: str) -> str:
    return _place(_peer_address(peer))


@lru_cache(maxsize=4096)
def _peer_address(peer: str) -> Address | None:
    """The address in gRPC's name of a peer, such as `ipv4:127.0.0.1:5000` or `ipv6:%5B::1%5D:5000`."""
    kind, _, rest = peer.partition(":")
    return _parsed(unquote(rest.rpartition(":")[0])) if kind in {"ipv4", "ipv6"} else None


def _node_address(node: str) -> Address | None:
    """The address of a hop, with or without brackets and port; None if it has none."""
    if node.count(":") == 1:
        node = node.partition(":")[0]
    elif node.startswith("["):
        node = node.partition("]")[0]
    return _parsed(node)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _place(address: Address | None) -> str:
    match address:
        case None:
            return "unknown"
        case IPv6Address():
            return str(ip_network((address, V6_BITS), strict=False))
        case _:
            return str(address)
