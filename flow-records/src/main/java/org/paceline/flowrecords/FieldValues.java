package org.paceline.flowrecords;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/** What one record says, as far as it is of use here; filled anew for each record. */
final class FieldValues {
  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;
  private static final long SECONDS_FROM_1900_TO_1970 = 2_208_988_800L;
  private static final int MICROS = 1_000;

  private final long[] values = new long[Element.values().length];
  private final boolean[] isSet = new boolean[values.length];
  private @Nullable IpAddress source;
  private @Nullable IpAddress destination;

  void clear() {
    Arrays.fill(isSet, false);
    source = null;
    destination = null;
  }

  /** Takes a field, or skips it if it is of no use or has a length that no such field has. */
  void take(Element element, Bytes from, int length) throws Malformed {
    switch (element) {
      case SOURCE_IPV4:
      case SOURCE_IPV6:
        source = address(element == Element.SOURCE_IPV4, from, length, source);
        break;
      case DESTINATION_IPV4:
      case DESTINATION_IPV6:
        destination = address(element == Element.DESTINATION_IPV4, from, length, destination);
        break;
      case OTHER:
        from.skip(length);
        break;
      default:
        if (length < 1 || length > Long.BYTES) {
          from.skip(length);
        } else {
          isSet[element.ordinal()] = true;
          values[element.ordinal()] =
              element == Element.PROBABILITY && length == Float.BYTES
                  ? Double.doubleToRawLongBits(Float.intBitsToFloat((int) from.number(length)))
                  : from.number(length);
        }
    }
  }

  /** Dual-stack templates carry both families; what is not meant is 0. */
  private static @Nullable IpAddress address(
      boolean ipv4, Bytes from, int length, @Nullable IpAddress before) throws Malformed {
    if (length != (ipv4 ? IPV4_BYTES : IPV6_BYTES)) {
      from.skip(length);
      return before;
    }
    if (ipv4) {
      int bits = (int) from.number(IPV4_BYTES);
      return bits == 0 && before != null ? before : IpAddress.ofIpv4(bits);
    }
    long high = from.number(Long.BYTES);
    long low = from.number(Long.BYTES);
    return high == 0 && low == 0 && before != null ? before : IpAddress.ofIpv6(high, low);
  }

  private boolean has(Element element) {
    return isSet[element.ordinal()];
  }

  private long value(Element element) {
    return values[element.ordinal()];
  }

  /**
   * The flow that the record tells of, if it tells of one.
   *
   * @param sampling what is known of the exporter beyond the record
   */
  Optional<FlowRecord> flow(ExportClock clock, Sampling sampling) {
    IpAddress from = source;
    IpAddress to = destination;
    OptionalLong end = end(clock, sampling);
    OptionalLong start = start(clock, sampling, end);
    if (from == null
        || to == null
        || start.isEmpty()
        || end.isEmpty()
        || !(has(Element.OCTETS) || has(Element.TOTAL_OCTETS))) {
      return Optional.empty();
    }
    long octets = value(has(Element.OCTETS) ? Element.OCTETS : Element.TOTAL_OCTETS);
    // As an unsigned number; what no flow sends is refused with the record.
    double bytes = (octets < 0 ? Double.MAX_VALUE : octets) * rate(sampling);
    try {
      return Optional.of(
          FlowRecord.of(from, to, start.getAsLong(), end.getAsLong(), Math.round(bytes)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private OptionalLong start(ExportClock clock, Sampling sampling, OptionalLong end) {
    OptionalLong start =
        moment(
            clock,
            sampling,
            Element.START_UPTIME,
            Element.START_SECONDS,
            Element.START_MILLISECONDS,
            Element.START_MICROSECONDS,
            Element.START_NANOSECONDS,
            Element.START_BEFORE_EXPORT);
    if (start.isEmpty() && end.isPresent() && has(Element.DURATION_MILLISECONDS)) {
      return OptionalLong.of(end.getAsLong() - value(Element.DURATION_MILLISECONDS));
    }
    return start;
  }

  private OptionalLong end(ExportClock clock, Sampling sampling) {
    return moment(
        clock,
        sampling,
        Element.END_UPTIME,
        Element.END_SECONDS,
        Element.END_MILLISECONDS,
        Element.END_MICROSECONDS,
        Element.END_NANOSECONDS,
        Element.END_BEFORE_EXPORT);
  }

  /** The moment in whatever way the record gives it; the exact ones first. */
  private OptionalLong moment(
      ExportClock clock,
      Sampling sampling,
      Element uptime,
      Element seconds,
      Element milliseconds,
      Element microseconds,
      Element nanoseconds,
      Element beforeExport) {
    if (has(milliseconds)) {
      return OptionalLong.of(value(milliseconds));
    }
    if (has(microseconds)) {
      return OptionalLong.of(ntp(value(microseconds)));
    }
    if (has(nanoseconds)) {
      return OptionalLong.of(ntp(value(nanoseconds)));
    }
    if (has(beforeExport)) {
      return OptionalLong.of(clock.exportMillis() - value(beforeExport) / MICROS);
    }
    if (has(uptime) && clock.knowsUptime()) {
      return OptionalLong.of(clock.atUptime(value(uptime)));
    }
    OptionalLong started =
        has(Element.SYSTEM_START)
            ? OptionalLong.of(value(Element.SYSTEM_START))
            : sampling.systemStart();
    if (has(uptime) && started.isPresent()) {
      return OptionalLong.of(started.getAsLong() + value(uptime));
    }
    return has(seconds) ? OptionalLong.of(value(seconds) * 1_000) : OptionalLong.empty();
  }

  /** RFC 7011, section 6.1.9: seconds since 1900 and their fraction, in 32 bits each. */
  private static long ntp(long value) {
    long seconds = (value >>> 32) - SECONDS_FROM_1900_TO_1970;
    return seconds * 1_000 + ((value & 0xffff_ffffL) * 1_000 >>> 32);
  }

  /** How many bytes each of the record's stands for. */
  private double rate(Sampling sampling) {
    OptionalDouble own = ownRate();
    return own.isPresent() ? own.getAsDouble() : sampling.rate(sampler());
  }

  /** Tells what options data say of the exporter, if they say anything of use. */
  void tell(Sampling sampling) {
    ownRate().ifPresent(rate -> sampling.set(sampler(), rate));
    if (has(Element.SYSTEM_START)) {
      sampling.setSystemStart(value(Element.SYSTEM_START));
    }
  }

  private OptionalLong sampler() {
    for (Element id : new Element[] {Element.SAMPLER_ID, Element.SELECTOR_ID}) {
      if (has(id)) {
        return OptionalLong.of(value(id));
      }
    }
    return OptionalLong.empty();
  }

  /** One of how many packets is looked at, as far as the record itself says it. */
  private OptionalDouble ownRate() {
    double rate = 0;
    if (has(Element.SAMPLING_INTERVAL)) {
      rate = value(Element.SAMPLING_INTERVAL);
    } else if (has(Element.SAMPLER_INTERVAL)) {
      rate = value(Element.SAMPLER_INTERVAL);
    } else if (has(Element.PACKET_INTERVAL) && has(Element.PACKET_SPACE)) {
      // RFC 5477: so many packets are taken, then so many are left out.
      double taken = value(Element.PACKET_INTERVAL);
      rate = (taken + value(Element.PACKET_SPACE)) / taken;
    } else if (has(Element.SAMPLE_SIZE) && has(Element.POPULATION)) {
      rate = (double) value(Element.POPULATION) / value(Element.SAMPLE_SIZE);
    } else if (has(Element.PROBABILITY)) {
      rate = 1 / Double.longBitsToDouble(value(Element.PROBABILITY));
    }
    return rate >= 1 && rate <= Sampling.MOST ? OptionalDouble.of(rate) : OptionalDouble.empty();
  }
}
