package org.paceline.control.assurance;

import com.google.auto.value.AutoValue;
import java.time.Instant;

/** What a host sends beside all conversations, as its agent counts it. */
@AutoValue
public abstract class UnmanagedTraffic {
  public abstract String host();

  public abstract Instant at();

  /** Since the agent began to count. */
  public abstract long sentBytes();

  /** Of who sends most of it; empty where it is little, or nobody was found. */
  public abstract String process();

  public abstract String user();

  /** To whom. */
  public abstract String remoteAddress();

  public static UnmanagedTraffic of(
      String host, Instant at, long sentBytes, String process, String user, String remoteAddress) {
    return new AutoValue_UnmanagedTraffic(host, at, sentBytes, process, user, remoteAddress);
  }
}
