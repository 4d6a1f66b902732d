package org.paceline.agent.netlink;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks the kernel how a wireless interface is associated: linux/nl80211.h, over generic netlink.
 * Owned by one thread.
 */
public final class Nl80211 implements Closeable {
  private static final int CONTROL = 0x10;
  private static final int GET_FAMILY = 3;
  private static final int FAMILY_ID = 1;
  private static final int FAMILY_NAME = 2;

  private static final int GET_INTERFACE = 5;
  private static final int GET_STATION = 17;
  private static final int IFINDEX = 3;
  private static final int IFTYPE = 5;
  private static final int TYPE_STATION = 2;
  private static final int STA_INFO = 21;
  private static final int TX_BITRATE = 8;
  private static final int RX_BITRATE = 14;
  private static final int BITRATE = 5;
  private static final int BITS_OF_BITRATE = 100_000;

  private static final int HEADER = 4;

  private final Netlink netlink;
  private final int family;

  private Nl80211(Netlink netlink, int family) {
    this.netlink = netlink;
    this.family = family;
  }

  /** The rates of frames to the access point and from it, in bit/s. */
  public record Association(long sent, long received) {}

  /** Empty where this kernel has no wireless interfaces at all. */
  public static Optional<Nl80211> open() throws IOException {
    Netlink netlink = Netlink.generic();
    try {
      Optional<Nl80211> found = family(netlink, "nl80211").map(id -> new Nl80211(netlink, id));
      if (found.isEmpty()) {
        netlink.close();
      }
      return found;
    } catch (IOException e) {
      netlink.close();
      throw e;
    }
  }

  /** By which number the kernel knows it. */
  static Optional<Integer> family(Netlink netlink, String name) throws IOException {
    List<Integer> found = new ArrayList<>();
    netlink.send(
        List.of(to -> command(to.message(CONTROL, 0), GET_FAMILY).text(FAMILY_NAME, name)),
        answer ->
            attributes(answer)
                .find(FAMILY_ID)
                .filter(id -> id.remaining() >= Short.BYTES)
                .ifPresent(id -> found.add(Short.toUnsignedInt(id.getShort(0)))));
    return found.stream().findFirst();
  }

  private static Batch command(Batch to, int command) {
    return to.u8(command).u8(1).u16(0);
  }

  private static Attributes attributes(ByteBuffer answer) {
    int header = Math.min(HEADER, answer.remaining());
    return new Attributes(answer.slice(header, answer.remaining() - header));
  }

  /**
   * Empty where the interface is not wireless, or an access point itself, or not associated.
   *
   * @throws IOException if a wireless interface does not say it
   */
  public Optional<Association> association(String device) throws IOException {
    Optional<Integer> index = Netlink.index(device);
    if (index.isEmpty() || !isStation(index.get())) {
      return Optional.empty();
    }
    List<Association> found = new ArrayList<>();
    List<Netlink.Failure> failures =
        netlink.dump(
            family,
            to -> addInterface(command(to, GET_STATION), index.get()),
            answer -> association(answer).ifPresent(found::add));
    if (!failures.isEmpty()) {
      throw new IOException(failures.get(0).text());
    }
    return found.stream().findFirst();
  }

  private boolean isStation(int index) throws IOException {
    List<Long> types = new ArrayList<>();
    netlink.send(
        List.of(to -> addInterface(command(to.message(family, 0), GET_INTERFACE), index)),
        answer -> types.add(attributes(answer).u32(IFTYPE, 0)));
    return types.contains((long) TYPE_STATION);
  }

  private static void addInterface(Batch to, int index) {
    int start = to.begin(IFINDEX);
    to.u32(index).end(start);
  }

  /**
   * What a station's entry says.
   *
   * @param answer from its generic header on
   */
  static Optional<Association> association(ByteBuffer answer) {
    Attributes station = attributes(answer.order(ByteOrder.nativeOrder())).in(STA_INFO);
    long sent = station.in(TX_BITRATE).u32(BITRATE, 0) * BITS_OF_BITRATE;
    long received = station.in(RX_BITRATE).u32(BITRATE, 0) * BITS_OF_BITRATE;
    // A driver may not count what it receives.
    return sent == 0
        ? Optional.empty()
        : Optional.of(new Association(sent, received == 0 ? sent : received));
  }

  @Override
  public void close() {
    netlink.close();
  }
}
