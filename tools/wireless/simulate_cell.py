"""Simulates wireless cells with ns-3, packet by packet: which rates do their flows reach?

Reads cells as CSV from standard input and writes the same lines with what was carried, cell by cell. A line is a flow
between a station and the access point; lines with one name are one cell. Columns: see COLUMNS. ``offered`` is a rate in
kbit/s, or a word (``saturated``, ``interfering``): then the flow always has a frame to send.

The cell is 802.11g with ERP-OFDM only: slots of 9 us, long frames all with RTS or none, rates that do not adapt, every
station as near to the access point as any other, no loss but by collisions.
"""

import csv
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby

from ns import ns

COLUMNS = ["cell", "rts", "seed", "station", "direction", "mbps", "payload", "offered", "carried"]
WARM_UP = 2.0
MEASURED = 4.0
ALL_FRAMES = 0
NO_FRAME = 65535


def control_rate(mbps: int) -> int:
    """The greatest mandatory rate that is no greater, in which a station is answered (802.11-2020, 10.6.6.5)."""
    return max(rate for rate in (6, 12, 24) if rate <= mbps)


def offered_bits(flow: dict[str, str]) -> float:
    """In bit/s; of a saturated flow more than the station could send if it were alone."""
    if flow["offered"] not in ("saturated", "interfering"):
        return 1e3 * float(flow["offered"])
    bits = 8 * int(flow["payload"])
    return 1.6 * bits / (bits / 1e6 / int(flow["mbps"]) + 250e-6)


def install(nodes: ns.NodeContainer, rates: dict[int, int], rts: bool) -> ns.NetDeviceContainer:
    """An 802.11g device on each node, by its rate in Mbit/s; the first is the access point."""
    mobility = ns.MobilityHelper()
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel")
    mobility.Install(nodes)
    phy = ns.YansWifiPhyHelper()
    phy.SetChannel(ns.YansWifiChannelHelper.Default().Create())
    wifi = ns.WifiHelper()
    wifi.SetStandard(ns.WIFI_STANDARD_80211g)
    mac = ns.WifiMacHelper()
    devices = ns.NetDeviceContainer()
    for station in sorted(rates):
        rate = rates[station]
        wifi.SetRemoteStationManager(
            "ns3::ConstantRateWifiManager",
            "DataMode",
            ns.StringValue(f"ErpOfdmRate{rate}Mbps"),
            "ControlMode",
            ns.StringValue(f"ErpOfdmRate{control_rate(rate)}Mbps"),
            "NonUnicastMode",
            ns.StringValue("ErpOfdmRate6Mbps"),
            "RtsCtsThreshold",
            ns.UintegerValue(ALL_FRAMES if rts else NO_FRAME),
        )
        mac.SetType("ns3::StaWifiMac" if station else "ns3::ApWifiMac", "Ssid", ns.SsidValue(ns.Ssid("cell")))
        devices.Add(wifi.Install(phy, mac, nodes.Get(station)))
    return devices


class Cell:
    def __init__(self, flows: list[dict[str, str]]) -> None:
        self.flows = flows
        self.rates = {int(flow["station"]): int(flow["mbps"]) for flow in flows if flow["direction"] == "up"}
        for flow in flows:
            self.rates.setdefault(int(flow["station"]), int(flow["mbps"]))
        # One manager has one rate for all whom it sends to.
        down = {int(flow["mbps"]) for flow in flows if flow["direction"] == "down"}
        if len(down) > 1:
            raise SystemExit(f"simulate_cell: the access point of {flows[0]['cell']} sends at more than one rate.")
        self.rates[0] = down.pop() if down else 54
        self.rts = flows[0]["rts"] == "yes"

    def run(self) -> list[float]:
        """What each flow carried, in kbit/s of payload."""
        ns.RngSeedManager.SetSeed(int(self.flows[0]["seed"]))
        nodes = ns.NodeContainer(max(self.rates) + 1)
        devices = install(nodes, self.rates, self.rts)
        ns.PacketSocketHelper().Install(nodes)
        sinks = [self._start(nodes, devices, number, flow) for number, flow in enumerate(self.flows)]
        ns.Simulator.Stop(ns.Seconds(WARM_UP))
        ns.Simulator.Run()
        before = [sink.GetTotalRx() for sink in sinks]
        ns.Simulator.Stop(ns.Seconds(MEASURED))
        ns.Simulator.Run()
        carried = [(sink.GetTotalRx() - then) * 8 / MEASURED / 1e3 for sink, then in zip(sinks, before, strict=True)]
        ns.Simulator.Destroy()
        return carried

    @staticmethod
    def _start(
        nodes: ns.NodeContainer, devices: ns.NetDeviceContainer, number: int, flow: dict[str, str]
    ) -> ns.PacketSink:
        station = int(flow["station"])
        source, target = (station, 0) if flow["direction"] == "up" else (0, station)
        to = ns.PacketSocketAddress()
        to.SetSingleDevice(devices.Get(source).GetIfIndex())
        to.SetPhysicalAddress(devices.Get(target).GetAddress())
        to.SetProtocol(number + 1)
        sender = ns.OnOffHelper("ns3::PacketSocketFactory", to.ConvertTo())
        sender.SetConstantRate(ns.DataRate(f"{offered_bits(flow):.0f}bps"), int(flow["payload"]))
        # Not all at once, after all are associated.
        sender.Install(nodes.Get(source)).Start(ns.Seconds(1 + 0.0011 * number))
        at = ns.PacketSocketAddress()
        at.SetSingleDevice(devices.Get(target).GetIfIndex())
        at.SetProtocol(number + 1)
        receiver = ns.PacketSinkHelper("ns3::PacketSocketFactory", at.ConvertTo())
        return receiver.Install(nodes.Get(target)).Get(0).GetObject[ns.PacketSink]()


def simulated(flows: Iterable[dict[str, str]]) -> Iterator[dict[str, str]]:
    for _, cell in groupby(flows, key=lambda flow: flow["cell"]):
        of_cell = list(cell)
        for flow, carried in zip(of_cell, Cell(of_cell).run(), strict=True):
            yield {**flow, "carried": f"{carried:.0f}"}


def main() -> None:
    lines = (line for line in sys.stdin if not line.startswith("#"))
    output = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    output.writeheader()
    for flow in simulated(csv.DictReader(lines)):
        output.writerow(flow)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
