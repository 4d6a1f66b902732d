"""Carries the frames of real hosts through a simulated wireless cell, in real time (ns-3): the hosts' interfaces are its stations.

    live_cell.py --access-point air0 --station NAMESPACE:INTERFACE:MBPS ... [--rts]

The access point is an interface of the network namespace that this runs in, for a bridge behind it; each station is made in
a namespace of its own, by the name that `ip netns` has of it. It says `carrying` once all are there, and ends with SIGTERM;
its interfaces go with it. The cell is that of `simulate_cell`: 802.11g, no loss but by collisions, rates that do not adapt.
"""

import argparse
import fcntl
import os
import struct
import subprocess

import cppyy
from ns import ns
from simulate_cell import install

TUNSETIFF, TAP_WITHOUT_HEADER = 0x400454CA, 0x1002

# Between an interface's file and a device of the simulator. A frame is read by a thread of its own, and sent by the simulator's.
cppyy.cppdef(r"""
#include <thread>
#include <vector>
#include <unistd.h>
#include "ns3/core-module.h"
#include "ns3/network-module.h"

namespace live {

const size_t ETHERNET = 14;

struct Port {
  int file;
  ns3::Ptr<ns3::NetDevice> device;
  uint32_t node;

  void Send(std::vector<uint8_t> frame) {
    ns3::Mac48Address to, from;
    to.CopyFrom(frame.data());
    from.CopyFrom(frame.data() + 6);
    uint16_t protocol = frame[12] << 8 | frame[13];
    auto packet = ns3::Create<ns3::Packet>(frame.data() + ETHERNET, frame.size() - ETHERNET);
    if (device->SupportsSendFrom()) {
      device->SendFrom(packet, from, to, protocol);
    } else {
      device->Send(packet, to, protocol);
    }
  }

  void Read() {
    std::vector<uint8_t> buffer(65536);
    for (;;) {
      ssize_t size = read(file, buffer.data(), buffer.size());
      if (size < 0) return;
      if (size_t(size) < ETHERNET) continue;
      std::vector<uint8_t> frame(buffer.begin(), buffer.begin() + size);
      ns3::Simulator::ScheduleWithContext(node, ns3::Time(0), ns3::MakeEvent(&Port::Send, this, frame));
    }
  }

  bool Receive(ns3::Ptr<ns3::NetDevice>, ns3::Ptr<const ns3::Packet> packet, uint16_t protocol,
               const ns3::Address& from, const ns3::Address& to, ns3::NetDevice::PacketType type) {
    // The access point is a bridge; what a station hears of others is not its own.
    if (type == ns3::NetDevice::PACKET_OTHERHOST && !device->SupportsSendFrom()) return true;
    std::vector<uint8_t> frame(ETHERNET + packet->GetSize());
    ns3::Mac48Address::ConvertFrom(to).CopyTo(frame.data());
    ns3::Mac48Address::ConvertFrom(from).CopyTo(frame.data() + 6);
    frame[12] = protocol >> 8;
    frame[13] = protocol & 255;
    packet->CopyData(frame.data() + ETHERNET, packet->GetSize());
    // A host whose interface is full or down loses it, as any other.
    (void)!write(file, frame.data(), frame.size());
    return true;
  }
};

// Lives as long as the process.
void Open(int file, ns3::Ptr<ns3::NetDevice> device) {
  Port* port = new Port{file, device, device->GetNode()->GetId()};
  device->SetPromiscReceiveCallback(ns3::MakeCallback(&Port::Receive, port));
  std::thread([port] { port->Read(); }).detach();
}

}
""")


def tap(name: str) -> int:
    """Gone with its file."""
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", name.encode(), TAP_WITHOUT_HEADER))
    return file


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--access-point", required=True, metavar="INTERFACE")
    parser.add_argument("--station", action="append", required=True, metavar="NAMESPACE:INTERFACE:MBPS")
    parser.add_argument("--rts", action="store_true", help="frames are sent after RTS and CTS")
    got = parser.parse_args()
    stations = [one.split(":") for one in got.station]
    ns.GlobalValue.Bind("SimulatorImplementationType", ns.StringValue("ns3::RealtimeSimulatorImpl"))
    rates = {0: 54} | {number: int(mbps) for number, (_, _, mbps) in enumerate(stations, 1)}
    devices = install(ns.NodeContainer(len(rates)), rates, got.rts)
    access_point = tap(got.access_point)
    ip("link", "set", got.access_point, "up")
    cppyy.gbl.live.Open(access_point, devices.Get(0))
    for number, (namespace, interface, _) in enumerate(stations, 1):
        station = tap(f"station{number}")
        # It prints its kind before the address.
        address = str(devices.Get(number).GetAddress())[-17:]
        ip("link", "set", f"station{number}", "address", address, "netns", namespace, "name", interface)
        ip("-n", namespace, "link", "set", interface, "addrgenmode", "none", "up")
        cppyy.gbl.live.Open(station, devices.Get(number))
    print("carrying", flush=True)
    ns.Simulator.Run()


if __name__ == "__main__":
    main()
