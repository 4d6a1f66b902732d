package org.paceline.elephants;

import java.util.HashMap;
import java.util.Map;
import org.paceline.intents.address.IpAddress;

/**
 * Reads addresses, the usual forms without making texts of them. Others are remembered, such as
 * those of IPv6 that end like IPv4.
 */
final class Addresses {
  private static final int MOST = 100_000;
  private static final int PARTS = 4;
  private static final int GROUPS = 8;
  private static final int NONE = -1;

  private final Map<String, IpAddress> known = new HashMap<>();

  /**
   * @throws IllegalArgumentException if the field is no address
   */
  IpAddress address(Line line, int field) {
    int length = line.length(field);
    int bits = 0;
    int parts = 0;
    int start = 0;
    for (int at = 0; at <= length; at++) {
      if (at == length || line.at(field, at) == '.') {
        if (at - start > 3 || parts == PARTS) {
          return text(line.text(field));
        }
        long part = Numbers.whole(line, field, start, at);
        if (part > 255) {
          return text(line.text(field));
        }
        bits = bits << 8 | (int) part;
        parts++;
        start = at + 1;
      } else if (line.at(field, at) == ':') {
        return ipv6(line, field, length);
      }
    }
    return parts == PARTS ? IpAddress.ofIpv4(bits) : text(line.text(field));
  }

  private IpAddress ipv6(Line line, int field, int length) {
    long high = 0;
    long low = 0;
    int groups = 0;
    int gap = NONE;
    for (int at = 0; at < length; ) {
      if (line.at(field, at) == ':') {
        // Two of them stand for the groups that are left out.
        if (gap != NONE || at + 1 == length || line.at(field, at + 1) != ':') {
          return text(line.text(field));
        }
        gap = groups;
        at += 2;
        continue;
      }
      int group = 0;
      int start = at;
      for (; at < length && line.at(field, at) != ':'; at++) {
        int digit = Character.digit(line.at(field, at), 16);
        if (digit < 0 || at - start == 4) {
          return text(line.text(field));
        }
        group = group << 4 | digit;
      }
      if (groups == GROUPS) {
        return text(line.text(field));
      }
      high = high << 16 | low >>> 48;
      low = low << 16 | group;
      groups++;
      if (at < length && (at + 1 == length || line.at(field, at + 1) != ':')) {
        at++;
        if (at == length) {
          return text(line.text(field));
        }
      }
    }
    if (gap == NONE ? groups != GROUPS : groups >= GROUPS) {
      return text(line.text(field));
    }
    return gap == NONE ? IpAddress.ofIpv6(high, low) : spread(high, low, groups - gap, groups);
  }

  /** Moves the groups before the gap to the front. */
  private static IpAddress spread(long high, long low, int behind, int groups) {
    long[] all = new long[GROUPS];
    for (int group = 0; group < groups; group++) {
      int fromEnd = groups - 1 - group;
      long value = (fromEnd < 4 ? low >>> 16 * fromEnd : high >>> 16 * (fromEnd - 4)) & 0xffff;
      all[fromEnd < behind ? GROUPS - 1 - fromEnd : group] = value;
    }
    return IpAddress.ofIpv6(
        all[0] << 48 | all[1] << 32 | all[2] << 16 | all[3],
        all[4] << 48 | all[5] << 32 | all[6] << 16 | all[7]);
  }

  private IpAddress text(String text) {
    if (known.size() == MOST) {
      known.clear();
    }
    return known.computeIfAbsent(text, IpAddress::parse);
  }
}
