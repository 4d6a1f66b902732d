package org.paceline.control.ingress;

import com.google.auto.value.AutoValue;

/** What came from one exporter since it is listened to. */
@AutoValue
public abstract class ExporterCounts {
  /** Nothing yet. */
  public static final ExporterCounts NONE = builder().build();

  public abstract long datagrams();

  /** Those that were understood. */
  public abstract long records();

  /** Datagrams that end too early, contradict themselves or are of no known version. */
  public abstract long malformed();

  /** Sets of records that came before the template that explains them. */
  public abstract long unknownTemplates();

  /** Records without addresses, bytes or times. */
  public abstract long incomplete();

  /** By the exporter's sequence numbers, of NetFlow 5 and IPFIX. */
  public abstract long lostRecords();

  /** By the exporter's sequence numbers, of NetFlow 9. */
  public abstract long lostDatagrams();

  public static Builder builder() {
    return new AutoValue_ExporterCounts.Builder()
        .datagrams(0)
        .records(0)
        .malformed(0)
        .unknownTemplates(0)
        .incomplete(0)
        .lostRecords(0)
        .lostDatagrams(0);
  }

  /** Builds counts; what is not set is 0. */
  @AutoValue.Builder
  public abstract static class Builder {
    public abstract Builder datagrams(long datagrams);

    public abstract Builder records(long records);

    public abstract Builder malformed(long malformed);

    public abstract Builder unknownTemplates(long sets);

    public abstract Builder incomplete(long records);

    public abstract Builder lostRecords(long records);

    public abstract Builder lostDatagrams(long datagrams);

    public abstract ExporterCounts build();
  }
}
