package org.paceline.elephants;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;

/**
 * Reads moments as milliseconds since 1970: seconds with or without a fraction, or a date and a
 * time of day, with a Z or in a zone. Hours are remembered, since neighbours share them and the
 * calendar is slow.
 */
final class Moments {
  private static final int HOURS = 64;
  private static final int TIME_OF_DAY = 11;
  private static final int FRACTION = 19;
  private static final long NONE = -1;

  private final ZoneId zone;
  private final int[] localHours = new int[HOURS];
  private final long[] localMillis = new long[HOURS];
  private final Moments utc;

  private Moments(ZoneId zone, boolean isUtc) {
    this.zone = zone;
    this.utc = isUtc ? this : in(ZoneOffset.UTC);
    Arrays.fill(localHours, -1);
  }

  static Moments in(ZoneId zone) {
    return new Moments(zone, zone.equals(ZoneOffset.UTC));
  }

  /**
   * @throws NumberFormatException if the field is no moment
   */
  long millis(Line line, int field) {
    int length = line.length(field);
    if (length > FRACTION - 1 && line.at(field, 4) == '-') {
      return ofDate(line, field, length);
    }
    int dot = 0;
    while (dot < length && line.at(field, dot) != '.') {
      dot++;
    }
    long seconds = Numbers.whole(line, field, 0, dot);
    if (seconds > Long.MAX_VALUE / 1_000 - 1) {
      throw new NumberFormatException();
    }
    return seconds * 1_000 + fraction(line, field, dot, length);
  }

  private long ofDate(Line line, int field, int length) {
    boolean isUtc = line.at(field, length - 1) == 'Z';
    byte between = line.at(field, TIME_OF_DAY - 1);
    if (line.at(field, 7) != '-'
        || between != ' ' && between != 'T'
        || line.at(field, 13) != ':'
        || line.at(field, 16) != ':') {
      throw new NumberFormatException();
    }
    long month = Numbers.whole(line, field, 5, 7);
    long day = Numbers.whole(line, field, 8, 10);
    long hour = Numbers.whole(line, field, TIME_OF_DAY, 13);
    long minutes = Numbers.whole(line, field, 14, 16);
    long seconds = Numbers.whole(line, field, 17, FRACTION);
    if (month > 12 || day > 31 || hour > 23 || minutes > 59 || seconds > 60) {
      throw new NumberFormatException();
    }
    long packed = ((Numbers.whole(line, field, 0, 4) * 16 + month) * 32 + day) * 32 + hour;
    long start = (isUtc ? utc : this).hour((int) packed);
    int end = isUtc ? length - 1 : length;
    return start + (minutes * 60 + seconds) * 1_000 + fraction(line, field, FRACTION, end);
  }

  /** Whole milliseconds of what stands behind the point, if there is one. */
  private static long fraction(Line line, int field, int dot, int end) {
    if (dot == end) {
      return 0;
    }
    if (line.at(field, dot) != '.') {
      throw new NumberFormatException();
    }
    long whole = Numbers.whole(line, field, dot + 1, end);
    int digits = end - dot - 1;
    for (; digits < 3; digits++) {
      whole *= 10;
    }
    for (; digits > 3; digits--) {
      whole /= 10;
    }
    return whole;
  }

  private long hour(int packed) {
    int slot = packed % HOURS;
    if (localHours[slot] != packed) {
      localMillis[slot] = calendar(packed);
      localHours[slot] = packed;
    }
    if (localMillis[slot] == NONE) {
      throw new NumberFormatException();
    }
    return localMillis[slot];
  }

  private long calendar(int packed) {
    try {
      return LocalDateTime.of(
              packed / (16 * 32 * 32), packed / (32 * 32) % 16, packed / 32 % 32, packed % 32, 0)
          .atZone(zone)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException e) {
      return NONE;
    }
  }
}
