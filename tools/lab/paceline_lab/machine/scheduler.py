"""What the operator of a switch sets up at a port so that managed packets are kept apart: HTB, by the DSCP."""

from __future__ import annotations

from collections.abc import Callable


def keep_apart(tc: Callable[..., str], port: str, mbit: float, dscp: int, managed_share: float = 0.9) -> None:
    """Managed packets first, but never all for them; `tc` runs tc where the port is."""
    # Below the link's own rate: packets are to wait here, where they can be told apart.
    kbit = round(mbit * 970)
    managed, other = round(kbit * managed_share), kbit - round(kbit * managed_share)
    for words in (
        f"qdisc replace dev {port} root handle 1: htb default 20",
        f"class add dev {port} parent 1: classid 1:1 htb rate {kbit}kbit ceil {kbit}kbit burst 1600 cburst 1600",
        f"class add dev {port} parent 1:1 classid 1:10 htb rate {managed}kbit ceil {kbit}kbit burst 1600 cburst 1600 prio 0",
        f"class add dev {port} parent 1:1 classid 1:20 htb rate {other}kbit ceil {kbit}kbit burst 1600 cburst 1600 prio 1",
        f"qdisc add dev {port} parent 1:10 pfifo limit 100",
        f"qdisc add dev {port} parent 1:20 pfifo limit 100",
        f"filter add dev {port} parent 1: protocol ip prio 1 u32 match ip dsfield {dscp << 2:#x} 0xfc flowid 1:10",
        f"filter add dev {port} parent 1: protocol ipv6 prio 3 u32 match ip6 priority {dscp << 2:#x} 0xfc flowid 1:10",
        # The controller's probes: a link that is merely busy must not look broken.
        f"filter add dev {port} parent 1: protocol 0x88cc prio 2 u32 match u32 0 0 flowid 1:10",
    ):
        tc(*words.split())


def let_together(tc: Callable[..., str], port: str) -> None:
    tc("qdisc", "delete", "dev", port, "root")
