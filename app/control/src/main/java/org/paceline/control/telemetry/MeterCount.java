package org.paceline.control.telemetry;

import com.google.auto.value.AutoValue;

/** What a meter has counted since it was made. */
@AutoValue
public abstract class MeterCount {
  public static final MeterCount NOTHING = of(0, 0, 0, 0);

  public abstract long bytes();

  public abstract long packets();

  /** Of those bytes, what was dropped. */
  public abstract long droppedBytes();

  public abstract long droppedPackets();

  public static MeterCount of(long bytes, long packets, long droppedBytes, long droppedPackets) {
    return new AutoValue_MeterCount(bytes, packets, droppedBytes, droppedPackets);
  }

  /** What passed. */
  public final long sentBytes() {
    return Math.max(0, bytes() - droppedBytes());
  }

  public final long sentPackets() {
    return Math.max(0, packets() - droppedPackets());
  }

  public MeterCount plus(MeterCount other) {
    return of(
        bytes() + other.bytes(),
        packets() + other.packets(),
        droppedBytes() + other.droppedBytes(),
        droppedPackets() + other.droppedPackets());
  }

  /** What was counted since; all of it where the meter has begun anew. */
  public MeterCount since(MeterCount before) {
    return bytes() < before.bytes() || packets() < before.packets()
        ? this
        : of(
            bytes() - before.bytes(),
            packets() - before.packets(),
            Math.max(0, droppedBytes() - before.droppedBytes()),
            Math.max(0, droppedPackets() - before.droppedPackets()));
  }
}
