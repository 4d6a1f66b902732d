package org.paceline.intents.problem;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;

/**
 * How a box is parted in two that together hold all of it: by the rate or the delay of the cell
 * that somebody takes, or by whether somebody's path crosses a link. Exactly one of the three is
 * there.
 *
 * <p>Who is told by an application and a number from 0: applications of the same function and ends
 * are alike, and their copies are counted through in the order of their ids. Where all of a type
 * share a cell, any application names the type; where copies between the same ends have only one
 * path, any of them names them all.
 */
@AutoValue
public abstract class BoxSplit {
  public abstract String application();

  public abstract int copy();

  /** The first half has the cells of at most this rate. */
  public abstract Optional<DataRate> rate();

  /** The first half has the cells of at least this delay. */
  public abstract Optional<Latency> delay();

  /** The first half has the paths without this link. */
  public abstract Optional<LinkId> link();

  public static BoxSplit byRate(String application, int copy, DataRate most) {
    return new AutoValue_BoxSplit(
        application, copy, Optional.of(most), Optional.empty(), Optional.empty());
  }

  public static BoxSplit byDelay(String application, int copy, Latency least) {
    return new AutoValue_BoxSplit(
        application, copy, Optional.empty(), Optional.of(least), Optional.empty());
  }

  public static BoxSplit byLink(String application, int copy, LinkId link) {
    return new AutoValue_BoxSplit(
        application, copy, Optional.empty(), Optional.empty(), Optional.of(link));
  }
}
