package org.paceline.bench.workload;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;

/**
 * Flow records as a campus has them: a month, many small flows between ever new hosts, and now and
 * then a bulk transfer between some that transfer again and again, as often one as the other. About
 * four of these share a /24 of receivers. Equal for equal seeds.
 */
public final class FlowRecordFile {
  /** How the file is written. */
  public enum Layout {
    PACELINE,
    NFDUMP
  }

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final long MONTH_MILLIS = 30L * 24 * 3_600 * 1_000;
  private static final int BULK_PAIRS = 2_000;
  private static final int BETWEEN_RECEIVERS = 61;
  private static final double BULK = 0.02;
  private static final double IPV6 = 0.1;

  private final Layout layout;
  private final Random random;

  public FlowRecordFile(Layout layout, long seed) {
    this.layout = layout;
    this.random = new Random(seed);
  }

  public void write(Path file, int records) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(
          layout == Layout.PACELINE
              ? "start,end,source,destination,bytes\n"
              : "ts,te,td,sa,da,sp,dp,pr,flg,fwd,stos,ipkt,ibyt,opkt,obyt,in,out\n");
      for (int i = 0; i < records; i++) {
        // Exporters tell of flows about when they end.
        Instant start = START.plusMillis(MONTH_MILLIS * i / records + random.nextInt(60_000));
        out.write(random.nextDouble() < BULK ? bulk(start) : small(start));
      }
    }
  }

  private String bulk(Instant start) {
    int pair = random.nextInt(BULK_PAIRS);
    long millis = 20_000 + random.nextInt(40_000);
    long bytes = 100_000_000L + (long) (random.nextDouble() * 2_900_000_000L);
    return line(
        start,
        millis,
        host(pair % 97, false),
        host(1_000 + BETWEEN_RECEIVERS * pair, false),
        bytes);
  }

  private String small(Instant start) {
    boolean ipv6 = random.nextDouble() < IPV6;
    return line(
        start,
        random.nextInt(20_000),
        host(random.nextInt(5_000), ipv6),
        host(random.nextInt(200_000), ipv6),
        40 + random.nextInt(200_000));
  }

  private static String host(int number, boolean ipv6) {
    return ipv6
        ? String.format(Locale.ROOT, "2001:db8:%x::%x", number >> 4, 1 + (number & 15))
        : "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
  }

  private String line(Instant start, long millis, String source, String destination, long bytes) {
    Instant end = start.plusMillis(millis);
    return layout == Layout.PACELINE
        ? start + "," + end + "," + source + "," + destination + "," + bytes + "\n"
        : time(start)
            + ","
            + time(end)
            + ","
            + millis / 1e3
            + ","
            + source
            + ","
            + destination
            + ",443,50000,TCP,...AP.S.,0,0,"
            + bytes / 1_000
            + ","
            + bytes
            + ",0,0,1,2\n";
  }

  private static String time(Instant moment) {
    LocalDateTime seconds =
        LocalDateTime.ofInstant(moment, ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS);
    return seconds.toLocalDate()
        + " "
        + seconds.toLocalTime().toString()
        + (seconds.getSecond() == 0 ? ":00" : "");
  }
}
