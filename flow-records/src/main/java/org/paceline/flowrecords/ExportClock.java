package org.paceline.flowrecords;

/** The exporter's clock as the header of a datagram has it. */
final class ExportClock {
  private static final long NONE = -1;

  private final long exportMillis;
  private final long uptimeMillis;

  private ExportClock(long exportMillis, long uptimeMillis) {
    this.exportMillis = exportMillis;
    this.uptimeMillis = uptimeMillis;
  }

  /** Of NetFlow: its records count from when the exporter started. */
  static ExportClock of(long exportMillis, long uptimeMillis) {
    return new ExportClock(exportMillis, uptimeMillis);
  }

  /** Of IPFIX, whose header does not say when the exporter started. */
  static ExportClock of(long exportMillis) {
    return new ExportClock(exportMillis, NONE);
  }

  boolean knowsUptime() {
    return uptimeMillis != NONE;
  }

  long exportMillis() {
    return exportMillis;
  }

  /** Uptimes have 32 bits, so they start again every 49 days: the nearest moment is meant. */
  long atUptime(long uptime) {
    return exportMillis + (int) (uptime - uptimeMillis);
  }
}
