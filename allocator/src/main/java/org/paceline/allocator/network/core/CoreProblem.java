package org.paceline.allocator.network.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Groups of identical applications, each with the columns that its copies may choose from: a path's
 * links, a rate and a utility. Every copy takes one column; no link carries more than its limit.
 * Maximise the sum of utilities.
 *
 * <p>Where groups belong to a type, all copies of all its groups must take columns of the same
 * cell. Where there are quotas, a column may count towards one and all that follow it; no more
 * copies than the quota take columns that do.
 */
public final class CoreProblem {
  /** The type of a group whose copies choose freely. */
  public static final int FREE = -1;

  /** The quota of a column that counts towards none. */
  public static final int NO_QUOTA = Integer.MAX_VALUE;

  /** {@link #known} where no choice is known yet. */
  public static final long NOTHING = Long.MIN_VALUE;

  private final long[] limits;
  private final long known;
  private final long bound;
  private final List<Group> groups;
  private final long[] quotas;
  private final int[][] start;

  private CoreProblem(Builder builder) {
    this.start = builder.start;
    this.quotas = builder.quotas;
    this.limits = builder.limits.clone();
    this.known = builder.known;
    this.bound = builder.bound;
    this.groups = new ArrayList<>(builder.groups);
  }

  /** Identical applications. */
  private static final class Group {
    final int count;
    final int type;
    final List<int[]> links = new ArrayList<>();
    final List<long[]> rateUtilityCell = new ArrayList<>();

    Group(int count, int type) {
      this.count = count;
      this.type = type;
    }
  }

  /**
   * @param limits of each link, in millibits per second
   */
  public static Builder builder(long[] limits) {
    return new Builder(limits);
  }

  public int links() {
    return limits.length;
  }

  /** Millibits per second. */
  public long limit(int link) {
    return limits[link];
  }

  /** The sum, in billionths, of a choice that is known; only greater ones are of interest. */
  public long known() {
    return known;
  }

  /** Whether the choice that has the {@link #known} sum may be looked at. */
  public boolean hasStart() {
    return start.length > 0;
  }

  /** How many copies take the column in the choice that is known; only where there is a start. */
  public int start(int group, int column) {
    return start[group][column];
  }

  /** No choice has a greater sum than this, in billionths; {@code Long.MAX_VALUE} if unknown. */
  public long bound() {
    return bound;
  }

  public int groups() {
    return groups.size();
  }

  public int count(int group) {
    return groups.get(group).count;
  }

  /** {@link #FREE}, or a number from 0 that groups of the same type share. */
  public int type(int group) {
    return groups.get(group).type;
  }

  public int columns(int group) {
    return groups.get(group).links.size();
  }

  /** The links that a column uses, each once. */
  public int[] links(int group, int column) {
    return groups.get(group).links.get(column).clone();
  }

  /** Millibits per second on each of the column's links. */
  public long rate(int group, int column) {
    return groups.get(group).rateUtilityCell.get(column)[0];
  }

  /** Billionths for each copy. */
  public long utility(int group, int column) {
    return groups.get(group).rateUtilityCell.get(column)[1];
  }

  /** What columns of groups with a type must agree on; comparable between groups of one type. */
  public int cell(int group, int column) {
    return (int) groups.get(group).rateUtilityCell.get(column)[2];
  }

  public int quotas() {
    return quotas.length;
  }

  /** How many copies may take columns that count towards it. */
  public long quota(int quota) {
    return quotas[quota];
  }

  /** The first quota that the column counts towards, or {@link #NO_QUOTA}. */
  public int firstQuota(int group, int column) {
    return (int) groups.get(group).rateUtilityCell.get(column)[3];
  }

  @Override
  public String toString() {
    int columns = groups.stream().mapToInt(g -> g.links.size()).sum();
    return groups.size() + " groups, " + columns + " columns, " + limits.length + " links";
  }

  /** Collects groups and their columns. */
  public static final class Builder {
    private final long[] limits;
    private final List<Group> groups = new ArrayList<>();
    private long[] quotas = new long[0];
    private long known = NOTHING;
    private long bound = Long.MAX_VALUE;
    private int[][] start = new int[0][];

    private Builder(long[] limits) {
      this.limits = Arrays.copyOf(limits, limits.length);
    }

    /** Begins a group; the columns that follow are its own. */
    public Builder group(int count, int type) {
      groups.add(new Group(count, type));
      return this;
    }

    public Builder column(int[] links, long rate, long utility, int cell) {
      return column(links, rate, utility, cell, NO_QUOTA);
    }

    public Builder column(int[] links, long rate, long utility, int cell, int firstQuota) {
      Group last = groups.get(groups.size() - 1);
      last.links.add(links.clone());
      last.rateUtilityCell.add(new long[] {rate, utility, cell, firstQuota});
      return this;
    }

    /** Never falling: what counts towards one counts towards all that follow. */
    public Builder quotas(long[] most) {
      this.quotas = most.clone();
      return this;
    }

    public Builder known(long sum) {
      this.known = sum;
      return this;
    }

    /**
     * The choice that has the known sum. A search that may begin there finds better ones sooner
     * than one that is only told to.
     *
     * @param counts by group and column, adding up to the group's count
     */
    public Builder start(int[][] counts) {
      this.start = Arrays.stream(counts).map(int[]::clone).toArray(int[][]::new);
      return this;
    }

    public Builder bound(long sum) {
      this.bound = sum;
      return this;
    }

    public CoreProblem build() {
      return new CoreProblem(this);
    }
  }
}
