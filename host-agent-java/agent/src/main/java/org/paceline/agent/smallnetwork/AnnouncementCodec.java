package org.paceline.agent.smallnetwork;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.paceline.agent.config.SharedKey;
import org.paceline.allocator.virtualqueue.ResourceUse;
import org.paceline.allocator.virtualqueue.WirelessLink;
import org.paceline.intents.unit.DataRate;

/**
 * Announcements as datagrams: two letters, a version, the fields in network order, and at the end
 * the first 16 bytes of an HMAC-SHA256 over all before it. Nothing of a datagram is looked at
 * before that is right. docs/decisions/027-small-networks.md has the layout.
 */
final class AnnouncementCodec {
  static final byte VERSION = 1;

  /** With a station at the end; only who knows the air has to understand it. */
  static final byte VERSION_WITH_STATION = 2;

  static final int TAG_BYTES = 16;
  static final int MOST_LINKS = 4;
  static final int MOST_HEARD = 7;

  private static final byte[] LETTERS = {'P', 'N'};
  private static final int HEAD_BYTES = LETTERS.length + 1 + 8 + 8 + 4 + 8 + 1 + 1;
  private static final int LINK_BYTES = 4 + 6 * 4;
  private static final int HEARD_BYTES = 8;
  private static final int STATION_BYTES = 4 + 2 * (4 + 2);
  private static final String ALGORITHM = "HmacSHA256";
  private static final double GREATEST_BITS_PER_SECOND = 1e13;
  private static final double GREATEST_WEIGHT = 1e12;

  /** No host sends a longer one. */
  static final int MOST_BYTES =
      HEAD_BYTES + MOST_LINKS * LINK_BYTES + MOST_HEARD * HEARD_BYTES + STATION_BYTES + TAG_BYTES;

  private final SecretKeySpec key;

  /** Why a datagram is not taken. */
  enum Fault {
    /** Too short or too long, or another program's. */
    NOT_OURS("of another program"),
    OTHER_VERSION("of another version"),
    WRONG_KEY("made with another key, or changed on the way"),
    /** It has the right key, and says what no agent says. */
    MALFORMED("malformed, though made with the key");

    private final String text;

    Fault(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** What a datagram turned out to be: one of the two. */
  record Decoded(Optional<Announcement> announcement, Optional<Fault> fault) {
    private static Decoded as(Fault fault) {
      return new Decoded(Optional.empty(), Optional.of(fault));
    }
  }

  AnnouncementCodec(SharedKey key) {
    this.key = new SecretKeySpec(key.bytes(), ALGORITHM);
  }

  /** How many challenges may be repeated beside so many links in so many bytes. */
  static int roomForHeard(int bytes, int links, boolean station) {
    int left = bytes - HEAD_BYTES - links * LINK_BYTES - (station ? STATION_BYTES : 0) - TAG_BYTES;
    return Math.max(0, Math.min(MOST_HEARD, left / HEARD_BYTES));
  }

  byte[] encode(Announcement one) {
    int body =
        HEAD_BYTES
            + one.links().size() * LINK_BYTES
            + one.heard().size() * HEARD_BYTES
            + (one.station().isPresent() ? STATION_BYTES : 0);
    ByteBuffer out = ByteBuffer.allocate(body + TAG_BYTES);
    out.put(LETTERS).put(one.station().isPresent() ? VERSION_WITH_STATION : VERSION);
    out.putLong(one.host()).putLong(one.epoch()).putInt(one.sequence()).putLong(one.challenge());
    out.put((byte) one.links().size()).put((byte) one.heard().size());
    for (Announcement.Link link : one.links()) {
      out.putInt(link.id());
      out.putFloat(bits(link.share())).putFloat(bits(link.capacity()));
      out.putFloat((float) link.use().hungryWeight()).putFloat((float) link.use().satedWeight());
      out.putFloat(bits(link.use().hungrySent())).putFloat(bits(link.use().satedSent()));
    }
    one.heard().forEach(out::putLong);
    one.station()
        .ifPresent(
            station -> {
              out.putInt(station.link());
              write(station.up(), out);
              write(station.down(), out);
            });
    return signed(out.array());
  }

  private static void write(Announcement.Frames frames, ByteBuffer out) {
    out.putFloat(bits(frames.association())).putShort((short) frames.payloadBytes());
  }

  /** The same bytes with the tag that belongs to all but the last of them. */
  byte[] signed(byte[] bytes) {
    byte[] signed = bytes.clone();
    int body = bytes.length - TAG_BYTES;
    if (body > 0) {
      System.arraycopy(tag(bytes, body), 0, signed, body, TAG_BYTES);
    }
    return signed;
  }

  private static float bits(DataRate rate) {
    return (float) (rate.millibitsPerSecond() / 1e3);
  }

  private byte[] tag(byte[] bytes, int length) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(bytes, 0, length);
      return Arrays.copyOf(mac.doFinal(), TAG_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC-SHA256", e);
    }
  }

  Decoded decode(byte[] bytes) {
    if (bytes.length < HEAD_BYTES + TAG_BYTES
        || bytes.length > MOST_BYTES
        || bytes[0] != LETTERS[0]
        || bytes[1] != LETTERS[1]) {
      return Decoded.as(Fault.NOT_OURS);
    }
    byte version = bytes[LETTERS.length];
    if (version != VERSION && version != VERSION_WITH_STATION) {
      return Decoded.as(Fault.OTHER_VERSION);
    }
    int body = bytes.length - TAG_BYTES;
    byte[] said = Arrays.copyOfRange(bytes, body, bytes.length);
    // Takes as long whatever differs.
    if (!MessageDigest.isEqual(said, tag(bytes, body))) {
      return Decoded.as(Fault.WRONG_KEY);
    }
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes, LETTERS.length + 1, body - LETTERS.length - 1);
      Announcement one = read(in, version == VERSION_WITH_STATION);
      return in.hasRemaining()
          ? Decoded.as(Fault.MALFORMED)
          : new Decoded(Optional.of(one), Optional.empty());
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return Decoded.as(Fault.MALFORMED);
    }
  }

  private static Announcement read(ByteBuffer in, boolean withStation) {
    long host = in.getLong();
    long epoch = in.getLong();
    int sequence = in.getInt();
    long challenge = in.getLong();
    int many = count(in.get(), MOST_LINKS);
    int heardMany = count(in.get(), MOST_HEARD);
    List<Announcement.Link> links = new ArrayList<>();
    Set<Integer> ids = new HashSet<>();
    for (int i = 0; i < many; i++) {
      Announcement.Link link = link(in);
      if (!ids.add(link.id())) {
        throw new IllegalArgumentException("a link is there twice");
      }
      links.add(link);
    }
    List<Long> heard = new ArrayList<>();
    for (int i = 0; i < heardMany; i++) {
      heard.add(in.getLong());
    }
    Optional<Announcement.Station> station =
        withStation
            ? Optional.of(new Announcement.Station(in.getInt(), frames(in), frames(in)))
            : Optional.empty();
    return new Announcement(host, epoch, sequence, challenge, links, station, heard);
  }

  private static int count(byte value, int most) {
    if (value < 0 || value > most) {
      throw new IllegalArgumentException("more than there may be");
    }
    return value;
  }

  private static Announcement.Link link(ByteBuffer in) {
    int id = in.getInt();
    DataRate share = rate(in.getFloat());
    DataRate capacity = rate(in.getFloat());
    double hungryWeight = number(in.getFloat(), GREATEST_WEIGHT);
    double satedWeight = number(in.getFloat(), GREATEST_WEIGHT);
    ResourceUse use =
        ResourceUse.of(hungryWeight, satedWeight, rate(in.getFloat()), rate(in.getFloat()));
    return new Announcement.Link(id, share, capacity, use);
  }

  private static Announcement.Frames frames(ByteBuffer in) {
    DataRate association = rate(in.getFloat());
    int payload = in.getShort();
    if (association.compareTo(WirelessLink.LEAST_RATE) < 0
        || payload < 0
        || payload > WirelessLink.MOST_PAYLOAD) {
      throw new IllegalArgumentException("no frames of 802.11g");
    }
    return new Announcement.Frames(association, payload);
  }

  private static DataRate rate(float bitsPerSecond) {
    return DataRate.ofBitsPerSecond((long) number(bitsPerSecond, GREATEST_BITS_PER_SECOND));
  }

  private static double number(float value, double greatest) {
    if (!(value >= 0 && value <= greatest)) {
      throw new IllegalArgumentException("a number out of its range");
    }
    return value;
  }
}
