"""Which network addresses are out on the public internet, and may be fetched from."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_network,
)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")
# Not public, or of a cloud's inside, although the standard library takes (some of) them for global.
_INSIDE = tuple(
    ip_network(network)
    for network in (
        "100.64.0.0/10",  # carriers, and the metadata of Alibaba's cloud
        "168.63.129.16/32",  # the host of an Azure machine
        "192.0.0.0/24",  # protocol assignments, and the metadata of Oracle's cloud
        "192.88.99.0/24",
        "64:ff9b:1::/48",
        "2001::/32",
        "3fff::/20",
        "5f00::/16",
        "fec0::/10",
    )
)


def is_public(address: Address) -> bool:
    """Whether ``address``, and each address it carries inside, is out on the public internet."""
    carried = _carried(address)
    if carried is not None:
        return is_public(carried)
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not is_in(address, _INSIDE)
    )


def is_in(address: Address, networks: Sequence[Network]) -> bool:
    """Whether one of ``networks`` holds ``address``."""
    return any(address.version == net.version and address in net for net in networks)


def _carried(address: Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for, in any of the ways there are."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64 or address in _COMPATIBLE:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour
