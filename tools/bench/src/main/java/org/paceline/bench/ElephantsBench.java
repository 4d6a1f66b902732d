package org.paceline.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.paceline.allocator.elephant.AlphaRule;
import org.paceline.allocator.elephant.AlphaSearch;
import org.paceline.bench.report.Report;
import org.paceline.bench.report.Spread;
import org.paceline.bench.workload.FlowRecordFile;
import org.paceline.bench.workload.FlowRecordFile.Layout;
import org.paceline.elephants.ElephantsCommand;
import org.paceline.flowrecords.DecodeCounts;
import org.paceline.flowrecords.FlowCollector;
import org.paceline.flowrecords.FlowDecoder;

/** How fast flow records are analysed from a file, and how many a second are received. */
final class ElephantsBench {
  private static final int RECORDS = 1_000_000;
  private static final double LIMIT_SECONDS = 2;
  private static final int A_SECOND = 50_000;

  /** What fits into one datagram. */
  private static final int IN_DATAGRAM = 30;

  private static final int HEADER = 24;
  private static final int RECORD = 48;

  private final boolean quick;
  private final Path out;
  private final Report report = new Report("Elephants");

  ElephantsBench(boolean quick, Path out) {
    this.quick = quick;
    this.out = out;
  }

  void run() throws IOException, InterruptedException {
    Files.createDirectories(out);
    report.remark(
        String.format(
            Locale.ROOT,
            "Java %s, %d processors, load average %.1f at the start%s.",
            Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
            quick ? "; quick run" : ""));
    Report.Section files =
        report.section(
            "Files",
            "A million flow records of a month, analysed by the command in a process of its own,"
                + " from its start to its end. Durations are milliseconds: median"
                + " (least..greatest).",
            "layout",
            "records",
            "MB",
            "runs",
            "ms");
    for (Layout layout : Layout.values()) {
      file(layout, files);
    }
    received(
        report.section(
            "Received",
            "NetFlow 5 over loopback, 30 records a datagram, into the collector and the search.",
            "seconds",
            "records sent",
            "records a second",
            "records received",
            "lost by the sequence"));
    report.publish(out);
  }

  /** The same each time. */
  static void writeMonth(Layout layout, Path file) throws IOException {
    new FlowRecordFile(layout, 1).write(file, RECORDS);
  }

  private void file(Layout layout, Report.Section table) throws IOException, InterruptedException {
    String name = layout.name().toLowerCase(Locale.ROOT);
    Path file = out.resolve(name + ".csv");
    writeMonth(layout, file);
    double[] millis = new double[quick ? 3 : 9];
    for (int run = 0; run < millis.length; run++) {
      long start = System.nanoTime();
      int status = command(file);
      millis[run] = (System.nanoTime() - start) / 1e6;
      if (status != 0) {
        throw new IllegalStateException("The command ended with status " + status + ".");
      }
    }
    Spread spread = Spread.of(millis);
    table.row(
        name,
        String.format(Locale.ROOT, "%,d", RECORDS),
        String.format(Locale.ROOT, "%.0f", Files.size(file) / 1e6),
        Integer.toString(millis.length),
        spread.shown());
    double median = spread.median() / 1e3;
    report.claim(
        "1,000,000 flow records analysed, process start included (" + name + ")",
        LIMIT_SECONDS,
        median,
        "s",
        median <= LIMIT_SECONDS,
        millis.length);
    Files.delete(file);
  }

  /** With the options that tools/paceline gives to Java. */
  private int command(Path file) throws IOException, InterruptedException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms512m",
            "-Xmx2g",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ElephantsCommand.class.getName(),
            file.toString())
        .redirectOutput(out.resolve("analysis.txt").toFile())
        .redirectError(out.resolve("messages.txt").toFile())
        .start()
        .waitFor();
  }

  private void received(Report.Section table) throws IOException {
    int seconds = quick ? 5 : 60;
    AlphaSearch search = new AlphaSearch(AlphaRule.DEFAULT);
    FlowDecoder decoder = new FlowDecoder(search::add);
    long sent;
    double took;
    InetAddress here = InetAddress.getLoopbackAddress();
    try (FlowCollector collector =
        FlowCollector.open(
            new InetSocketAddress(here, 0), Set.of(), decoder, Throwable::printStackTrace)) {
      long start = System.nanoTime();
      sent = send(new InetSocketAddress(here, collector.port()), Duration.ofSeconds(seconds));
      took = (System.nanoTime() - start) / 1e9;
      // What waits in the socket is received within a moment, or never.
      long until = System.nanoTime() + 1_000_000_000L;
      while (decoder.counts().records() < sent && System.nanoTime() < until) {
        LockSupport.parkNanos(1_000_000);
      }
    }
    DecodeCounts counts = decoder.counts();
    table.row(
        String.format(Locale.ROOT, "%.1f", took),
        String.format(Locale.ROOT, "%,d", sent),
        String.format(Locale.ROOT, "%,.0f", sent / took),
        String.format(Locale.ROOT, "%,d", counts.records()),
        String.format(Locale.ROOT, "%,d", counts.lostRecords()));
    report.claim(
        "records a second received for " + seconds + " s without loss",
        A_SECOND,
        counts.records() / took,
        "records/s",
        counts.records() == sent && sent / took >= A_SECOND * 0.999,
        1);
  }

  /** At an even rate; who is held up catches up. */
  private static long send(InetSocketAddress to, Duration time) throws IOException {
    byte[] datagram = new byte[HEADER + IN_DATAGRAM * RECORD];
    long datagrams = A_SECOND * time.toSeconds() / IN_DATAGRAM;
    long start = System.nanoTime();
    try (DatagramSocket socket = new DatagramSocket()) {
      for (long one = 0; one < datagrams; one++) {
        long due = start + one * 1_000_000_000L * IN_DATAGRAM / A_SECOND;
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        fill(datagram, one);
        socket.send(new DatagramPacket(datagram, datagram.length, to));
      }
    }
    return datagrams * IN_DATAGRAM;
  }

  private static void fill(byte[] datagram, long number) {
    ByteBuffer bytes = ByteBuffer.wrap(datagram);
    int uptime = (int) (number * 1_000 * IN_DATAGRAM / A_SECOND) + 60_000;
    bytes.putShort((short) 5).putShort((short) IN_DATAGRAM).putInt(uptime);
    bytes.putInt(1_772_438_400 + uptime / 1_000).putInt(uptime % 1_000 * 1_000_000);
    bytes.putInt((int) (number * IN_DATAGRAM)).putInt(0);
    for (int record = 0; record < IN_DATAGRAM; record++) {
      int flow = (int) (number * IN_DATAGRAM + record);
      bytes.putInt(0x0a00_0000 | flow * 31 % 5_000).putInt(0x0a10_0000 | flow * 17 % 200_000);
      bytes.putLong(0).putInt(100).putInt(140_000).putInt(uptime - 5_000).putInt(uptime);
      bytes.putLong(0).putLong(0);
    }
  }
}
