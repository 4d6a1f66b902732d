package org.paceline.intents.network;

import com.google.auto.value.AutoValue;
import java.util.Comparator;

/** Names a directed link by its two ends. */
@AutoValue
public abstract class LinkId implements Comparable<LinkId> {
  private static final Comparator<LinkId> ORDER =
      Comparator.comparing(LinkId::from).thenComparing(LinkId::to);

  public abstract String from();

  public abstract String to();

  public static LinkId of(String from, String to) {
    return new AutoValue_LinkId(from, to);
  }

  @Override
  public int compareTo(LinkId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public final String toString() {
    return from() + " -> " + to();
  }
}
