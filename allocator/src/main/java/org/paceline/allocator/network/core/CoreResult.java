package org.paceline.allocator.network.core;

import java.util.Arrays;

/** What a search of the core came to. */
public final class CoreResult {
  /** How it ended. */
  public enum Status {
    /** A better choice was found and proved to be the best. */
    OPTIMAL,
    /** A better choice was found; there may be better ones, up to the bound. */
    BETTER,
    /** It was proved that there is no better choice than the known one, or none at all. */
    NONE_BETTER,
    /** Time ran out without a better choice; the bound may have come down. */
    UNKNOWN
  }

  private final Status status;
  private final long bound;
  private final int[][] counts;

  private CoreResult(Status status, long bound, int[][] counts) {
    this.status = status;
    this.bound = bound;
    this.counts = counts;
  }

  /**
   * @param counts by group and column, adding up to the group's count
   */
  public static CoreResult optimal(long sum, int[][] counts) {
    return new CoreResult(Status.OPTIMAL, sum, copy(counts));
  }

  public static CoreResult better(long bound, int[][] counts) {
    return new CoreResult(Status.BETTER, bound, copy(counts));
  }

  public static CoreResult noneBetter(long known) {
    return new CoreResult(Status.NONE_BETTER, known, new int[0][]);
  }

  public static CoreResult unknown(long bound) {
    return new CoreResult(Status.UNKNOWN, bound, new int[0][]);
  }

  public Status status() {
    return status;
  }

  /** No choice of the core has a greater sum, in billionths. */
  public long bound() {
    return bound;
  }

  public boolean hasChoice() {
    return status == Status.OPTIMAL || status == Status.BETTER;
  }

  /** How many copies of the group take the column; only where there is a choice. */
  public int count(int group, int column) {
    return counts[group][column];
  }

  private static int[][] copy(int[][] counts) {
    return Arrays.stream(counts).map(int[]::clone).toArray(int[][]::new);
  }

  @Override
  public String toString() {
    return status + " up to " + bound;
  }
}
