package org.paceline.onos.openflow;

import static java.util.stream.Collectors.toList;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowMessageListener;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFMeterMod;
import org.projectfloodlight.openflow.protocol.OFMeterStats;
import org.projectfloodlight.openflow.protocol.OFMeterStatsRequest;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFType;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.meterband.OFMeterBandDrop;
import org.projectfloodlight.openflow.types.U64;

/**
 * A switch of OpenFlow 1.3 with drop meters, and the part of ONOS's controller that speaks to it:
 * what either says goes through bytes, and waits until it is exchanged, unless a connection carries
 * it ({@link ConnectedSwitch}). Listeners are kept as ONOS 2.5 keeps them. What each meter is sent
 * counts by the second. Any thread may speak to it.
 */
final class CountingSwitch {
  private static final OFFactory OF13 = OFFactories.getFactory(OFVersion.OF_13);
  private static final Dpid DPID = new Dpid(1);
  private static final long BYTES_OF_A_PACKET = 1_000;
  private static final int BITS = 8;
  private static final int THOUSAND = 1_000;

  /** So many fit in a message, whose length has 16 bits. */
  private static final int METERS_OF_A_MESSAGE = 1_000;

  private final Set<OpenFlowMessageListener> listeners = new CopyOnWriteArraySet<>();
  private final Deque<ByteBuf> told = new ArrayDeque<>();
  private final Map<Long, Meter> meters = new TreeMap<>();
  private final Consumer<List<OFMessage>> carrier;
  private final OpenFlowController controller = toController();
  private int changes;

  private static final class Meter {
    long holdsKbps;
    long triesKbps;
    long bytes;
    long droppedBytes;
  }

  /** What it is told waits until it is exchanged. */
  CountingSwitch() {
    carrier = this::keep;
  }

  /**
   * @param carrier takes what the controller says to it
   */
  CountingSwitch(Consumer<List<OFMessage>> carrier) {
    this.carrier = carrier;
  }

  /** What asks and tells it. */
  OpenFlowController controller() {
    return controller;
  }

  private OpenFlowController toController() {
    OpenFlowSwitch connected = proxy(OpenFlowSwitch.class, this::asSwitch);
    return proxy(
        OpenFlowController.class,
        (method, first) -> {
          switch (method) {
            case "getSwitch":
              return connected;
            case "addMessageListener":
              return listeners.add((OpenFlowMessageListener) first);
            case "removeMessageListener":
              return listeners.remove(first);
            default:
              throw new UnsupportedOperationException(method);
          }
        });
  }

  /** What a method answers, by its name and its first argument. */
  private interface Behaviour {
    Object answer(String method, Object first);
  }

  private static <T> T proxy(Class<T> type, Behaviour behaviour) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object answer =
                  behaviour.answer(
                      method.getName(),
                      arguments == null || arguments.length == 0 ? "" : arguments[0]);
              return method.getReturnType() == void.class ? null : answer;
            }));
  }

  private Object asSwitch(String method, Object first) {
    switch (method) {
      case "isConnected":
        return true;
      case "factory":
        return OF13;
      case "getRole":
        return RoleState.MASTER;
      case "getDpid":
        return DPID;
      case "sendMsg":
        carrier.accept(((List<?>) first).stream().map(OFMessage.class::cast).collect(toList()));
        return true;
      default:
        throw new UnsupportedOperationException(method);
    }
  }

  private synchronized void keep(List<OFMessage> messages) {
    messages.forEach(message -> told.add(bytes(message)));
  }

  static ByteBuf bytes(OFMessage message) {
    ByteBuf bytes = Unpooled.buffer();
    message.writeTo(bytes);
    return bytes;
  }

  static OFMessage read(ByteBuf bytes) {
    try {
      return OFFactories.getGenericReader().readFrom(bytes);
    } catch (OFParseError e) {
      throw new AssertionError(e);
    }
  }

  synchronized void add(long meter, long holdsKbps) {
    meters.computeIfAbsent(meter, number -> new Meter()).holdsKbps = holdsKbps;
  }

  synchronized void tries(long meter, long kbps) {
    meters.computeIfAbsent(meter, number -> new Meter()).triesKbps = kbps;
  }

  synchronized long holdsKbps(long meter) {
    return meters.computeIfAbsent(meter, number -> new Meter()).holdsKbps;
  }

  /** All senders go on for a second. */
  synchronized void second() {
    for (Meter meter : meters.values()) {
      meter.bytes += meter.triesKbps * THOUSAND / BITS;
      meter.droppedBytes += Math.max(0, meter.triesKbps - meter.holdsKbps) * THOUSAND / BITS;
    }
  }

  /** How many hear what it says. */
  int listeners() {
    return listeners.size();
  }

  /** How many meters were changed since this was asked. */
  synchronized int changes() {
    int now = changes;
    changes = 0;
    return now;
  }

  /** The switch does what it was told, and is heard. */
  void exchange() {
    List<ByteBuf> said = new ArrayList<>();
    while (!told.isEmpty()) {
      obey(read(told.remove())).forEach(message -> said.add(bytes(message)));
    }
    said.forEach(bytes -> hear(read(bytes)));
  }

  /** The controller hears it. */
  void hear(OFMessage message) {
    listeners.forEach(listener -> listener.handleIncomingMessage(DPID, message));
  }

  /** Does it, and says what a switch says to that. */
  synchronized List<OFMessage> obey(OFMessage message) {
    if (message instanceof OFMeterMod) {
      OFMeterMod order = (OFMeterMod) message;
      changes++;
      add(order.getMeterId(), ((OFMeterBandDrop) order.getMeters().get(0)).getRate());
      return List.of();
    }
    if (message instanceof OFMeterStatsRequest) {
      return counters(message.getXid());
    }
    if (message.getType() == OFType.BARRIER_REQUEST) {
      return List.of(OF13.buildBarrierReply().setXid(message.getXid()).build());
    }
    throw new UnsupportedOperationException(message.toString());
  }

  private List<OFMessage> counters(long xid) {
    List<OFMeterStats> all = new ArrayList<>();
    meters.forEach((number, meter) -> all.add(counters(number, meter)));
    List<OFMessage> messages = new ArrayList<>();
    for (int from = 0; from < all.size(); from += METERS_OF_A_MESSAGE) {
      int to = Math.min(all.size(), from + METERS_OF_A_MESSAGE);
      messages.add(
          OF13.buildMeterStatsReply()
              .setXid(xid)
              .setFlags(
                  to < all.size()
                      ? EnumSet.of(OFStatsReplyFlags.REPLY_MORE)
                      : EnumSet.noneOf(OFStatsReplyFlags.class))
              .setEntries(all.subList(from, to))
              .build());
    }
    return messages;
  }

  private static OFMeterStats counters(long number, Meter meter) {
    return OF13.buildMeterStats()
        .setMeterId(number)
        .setByteInCount(U64.of(meter.bytes))
        .setPacketInCount(U64.of(meter.bytes / BYTES_OF_A_PACKET))
        .setBandStats(
            List.of(
                OF13.buildMeterBandStats()
                    .setByteBandCount(U64.of(meter.droppedBytes))
                    .setPacketBandCount(U64.of(meter.droppedBytes / BYTES_OF_A_PACKET))
                    .build()))
        .build();
  }
}
