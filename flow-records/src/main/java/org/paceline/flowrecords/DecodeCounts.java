package org.paceline.flowrecords;

import com.google.auto.value.AutoValue;

/** What became of all datagrams so far. */
@AutoValue
public abstract class DecodeCounts {
  public abstract long datagrams();

  /** Handed on. */
  public abstract long records();

  /**
   * Datagrams that end too early, contradict themselves or are of no known version. What stands
   * before the fault is taken.
   */
  public abstract long malformed();

  /** Sets of records whose template has not come yet, or was withdrawn or pushed out; kept out. */
  public abstract long unknownTemplates();

  /** Records without addresses, bytes or times, such as those of other layers; kept out. */
  public abstract long incomplete();

  /** By the exporters' sequence numbers, of NetFlow 5 and IPFIX. */
  public abstract long lostRecords();

  /** By the exporters' sequence numbers, of NetFlow 9, which counts no records. */
  public abstract long lostDatagrams();

  static Builder builder() {
    return new AutoValue_DecodeCounts.Builder();
  }

  /** Builds counts. */
  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder datagrams(long datagrams);

    abstract Builder records(long records);

    abstract Builder malformed(long malformed);

    abstract Builder unknownTemplates(long sets);

    abstract Builder incomplete(long records);

    abstract Builder lostRecords(long records);

    abstract Builder lostDatagrams(long datagrams);

    abstract DecodeCounts build();
  }
}
