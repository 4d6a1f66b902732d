package org.paceline.agent.smallnetwork;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** What the group's socket hears: announcements for the members, and counts of all else. */
final class Hearing {
  private final AnnouncementCodec codec;
  private final Members members;
  private final AtomicLongArray faults =
      new AtomicLongArray(AnnouncementCodec.Fault.values().length);
  private final AtomicLongArray verdicts = new AtomicLongArray(Members.Verdict.values().length);

  Hearing(AnnouncementCodec codec, Members members) {
    this.codec = codec;
    this.members = members;
  }

  void hear(byte[] datagram, String from, long nanos) {
    AnnouncementCodec.Decoded decoded = codec.decode(datagram);
    decoded.fault().ifPresent(fault -> faults.incrementAndGet(fault.ordinal()));
    decoded
        .announcement()
        .ifPresent(one -> verdicts.incrementAndGet(members.hear(one, from, nanos).ordinal()));
  }

  /** Of announcements that counted. */
  long taken() {
    return verdicts.get(Members.Verdict.TAKEN.ordinal());
  }

  /** How many datagrams were not taken, by why, for a person. */
  Map<String, Long> ignored() {
    Map<String, Long> ignored = new LinkedHashMap<>();
    for (AnnouncementCodec.Fault fault : AnnouncementCodec.Fault.values()) {
      ignored.put(fault.text(), faults.get(fault.ordinal()));
    }
    ignored.put("not newer than what was heard", of(Members.Verdict.NOT_NEWER));
    ignored.put("not shown to be fresh", of(Members.Verdict.NOT_PROVEN));
    ignored.put("of more peers than there may be", of(Members.Verdict.TOO_MANY));
    ignored.values().removeIf(many -> many == 0);
    return ignored;
  }

  private long of(Members.Verdict verdict) {
    return verdicts.get(verdict.ordinal());
  }
}
