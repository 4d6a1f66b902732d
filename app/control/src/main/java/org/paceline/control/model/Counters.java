package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.kpi.KpiReading;
import org.paceline.intents.unit.DataRate;

/** What an enforcer counted for a conversation since it opened. */
@AutoValue
public abstract class Counters {
  public abstract ConversationId id();

  public abstract long sentBytes();

  /** 0 where only bytes are counted. */
  public abstract long sentPackets();

  public abstract long droppedPackets();

  public abstract int sockets();

  public abstract DataRate installed();

  /** What the application measured itself, by name; empty where it reports nothing. */
  public abstract Map<String, KpiReading> kpis();

  /** Empty where its host does not know, or nothing of it is TCP. */
  public abstract Optional<TcpReading> tcp();

  public static Counters of(
      ConversationId id,
      long sentBytes,
      long droppedPackets,
      int sockets,
      DataRate installed,
      Map<String, KpiReading> kpis,
      Optional<TcpReading> tcp) {
    return new AutoValue_Counters(
        id, sentBytes, 0, droppedPackets, sockets, installed, Map.copyOf(kpis), tcp);
  }

  /** The same, with how many packets its bytes are. */
  public Counters inPackets(long sentPackets) {
    return counting(sentBytes(), sentPackets, droppedPackets());
  }

  /** The same, with other counts. */
  public Counters counting(long sentBytes, long sentPackets, long droppedPackets) {
    return new AutoValue_Counters(
        id(), sentBytes, sentPackets, droppedPackets, sockets(), installed(), kpis(), tcp());
  }
}
