package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one event moves. Looks at a sample of the neighbours, so that its time is bounded. */
final class Shuffle {
  private static final int SAMPLE = 96;

  /**
   * What is free goes to nobody to whom it is worth less than this share of its price: it would
   * seldom be found again when somebody comes to whom it is worth more.
   */
  private static final double LEAST_WORTH = 0.7;

  /**
   * What is free is left if it is worth less than this, in billionths: a look at all costs more.
   */
  private static final double LEAST_LEFT = 2e6;

  /**
   * How many are helped, of those who could use what is free on one link but lack it on another.
   */
  private static final int MOST_ASKED = 3;

  /** In one event. */
  private static final int MOST_ASKED_IN_ALL = 6;

  /** What others may lose, in prices, to make room for a newcomer's best choice. */
  private static final double LITTLE_MORE = 1.2;

  private final Seating seating;
  private final Set<String> changed = new LinkedHashSet<>();
  private final Set<Integer> freed = new LinkedHashSet<>();
  private int askedInAll;

  Shuffle(Seating seating) {
    this.seating = seating;
  }

  List<String> changed() {
    return new ArrayList<>(changed);
  }

  /** Finds a place at the floor or above; others step down where that is worth it or needed. */
  boolean seat(Seat seat) {
    askForRoom(seat);
    boolean seated = place(seat);
    if (seated) {
      improve(seat);
      giveAway(new ArrayList<>(freed));
    }
    return seated;
  }

  /** Finds a place in what is free, or else at the floor, for which others step down if need be. */
  boolean place(Seat seat) {
    if (choose(seat)) {
      return true;
    }
    for (int way = 0; way < seat.menu.ways(); way++) {
      long wanted = seat.menu.rate(way, seat.menu.first(way)) * seat.count;
      boolean free = true;
      for (int e : seat.menu.path(way)) {
        free = free && (seating.room(e) >= wanted || makeRoom(e, wanted));
      }
      if (free && choose(seat)) {
        return true;
      }
    }
    return false;
  }

  /** The best choice by utility less price within what is free. */
  private boolean choose(Seat seat) {
    double best = Double.NEGATIVE_INFINITY;
    int bestWay = -1;
    int bestStep = 0;
    for (int way = 0; way < seat.menu.ways(); way++) {
      long room = seating.room(seat, way);
      for (int s = seat.menu.first(way);
          s < seat.menu.steps(way).size() && seat.menu.rate(way, s) <= room;
          s++) {
        double worth = seat.menu.utility(way, s) - seat.menu.rate(way, s) * seat.menu.price(way);
        if (worth > best) {
          best = worth;
          bestWay = way;
          bestStep = s;
        }
      }
    }
    if (bestWay >= 0) {
      seating.sit(seat, bestWay, bestStep);
      changed.add(seat.application.id());
    }
    return bestWay >= 0;
  }

  /** On the way that is worth most at the prices, from those to whom it is worth little more. */
  private void askForRoom(Seat seat) {
    int way = -1;
    double best = Double.NEGATIVE_INFINITY;
    for (int w = 0; w < seat.menu.ways(); w++) {
      int step = seat.menu.wanted(w);
      double worth = seat.menu.utility(w, step) - seat.menu.rate(w, step) * seat.menu.price(w);
      if (worth > best) {
        best = worth;
        way = w;
      }
    }
    if (way >= 0) {
      long wanted = seat.menu.rate(way, seat.menu.wanted(way)) * seat.count;
      for (int e : seat.menu.path(way)) {
        freed.add(e);
        if (seating.price(e) > 0 && seating.room(e) < wanted) {
          makeRoom(e, wanted, LITTLE_MORE * seating.price(e));
        }
      }
    }
  }

  /** Where others value what a newcomer lacks less than it does, they step down for it. */
  private void improve(Seat seat) {
    int wanted = seat.menu.wanted(seat.way);
    long lacking = seat.menu.rate(seat.way, wanted) - seat.rate();
    double price = seat.menu.price(seat.way);
    if (lacking <= 0 || price <= 0) {
      return;
    }
    double worth = (seat.menu.utility(seat.way, wanted) - seat.utility()) / (double) lacking;
    for (int e : seat.hops) {
      if (seating.room(e) < lacking * seat.count) {
        // Of several full links each is paid its share of what the newcomer gains.
        makeRoom(e, lacking * seat.count, worth * seating.price(e) / price);
      }
    }
    grow(seat);
  }

  /** Brings neighbours down to the floor, those first who lose least for what they free. */
  private boolean makeRoom(int link, long wanted) {
    makeRoom(link, wanted, Double.MAX_VALUE);
    List<Seat> neighbours = sample(link);
    for (Seat seat : neighbours) {
      if (seating.room(link) >= wanted) {
        return true;
      }
      to(seat, seat.menu.first(seat.way));
    }
    return seating.room(link) >= wanted;
  }

  /**
   * Steps neighbours down who lose no more than that for what they free, those first who lose
   * least.
   */
  private void makeRoom(int link, long wanted, double mostLoss) {
    List<Move> moves = new ArrayList<>();
    for (Seat seat : sample(link)) {
      Move move = Move.down(seat);
      if (lossOn(link, move) <= mostLoss) {
        moves.add(move);
      }
    }
    moves.sort(Comparator.comparingDouble(move -> lossOn(link, move)));
    for (Move move : moves) {
      if (seating.room(link) >= wanted) {
        return;
      }
      for (int e : move.seat.hops) {
        freed.add(e);
      }
      to(move.seat, move.step);
    }
  }

  /** What stepping down loses for each unit that it frees, less what that is worth elsewhere. */
  private double lossOn(int link, Move move) {
    return move.slope - (move.seat.menu.price(move.seat.way) - seating.price(link));
  }

  /** Moves a seat to another step of its path. */
  void to(Seat seat, int step) {
    seating.step(seat, step);
    changed.add(seat.application.id());
  }

  /** Evenly over the list, so that the same events find the same neighbours. */
  private List<Seat> sample(int link) {
    List<Seat> all = seating.seatsOn(link);
    if (all.size() <= SAMPLE) {
      return new ArrayList<>(all);
    }
    List<Seat> some = new ArrayList<>(SAMPLE);
    int offset = (int) (Math.abs(seating.sum() / 7) % all.size());
    for (int i = 0; i < SAMPLE; i++) {
      some.add(all.get((int) ((offset + (long) i * all.size() / SAMPLE) % all.size())));
    }
    return some;
  }

  /** Gives what became free to whom it serves most. */
  void giveAway(List<Integer> links) {
    for (int link : links) {
      if (seating.price(link) * seating.room(link) > LEAST_LEFT) {
        List<Seat> neighbours = sample(link);
        neighbours.forEach(this::grow);
        List<Move> moves = new ArrayList<>();
        for (Seat seat : neighbours) {
          Move move = Move.up(seat, seating.room(link));
          if (move.slope >= LEAST_WORTH * seat.menu.price(seat.way) && move.step != seat.step) {
            moves.add(move);
          }
        }
        moves.sort(Comparator.comparingDouble(move -> -move.slope));
        int asked = 0;
        for (Move move : moves) {
          boolean fits = move.rise() <= seating.room(move.seat, move.seat.way);
          if (!fits
              && asked < MOST_ASKED
              && askedInAll < MOST_ASKED_IN_ALL
              && move.rise() * move.seat.count <= seating.room(link)
              && lacksOnOneLink(move)) {
            asked++;
            askedInAll++;
            fits = askElsewhere(move);
          }
          if (fits) {
            to(move.seat, move.step);
          }
        }
      }
    }
  }

  /**
   * Of several full links seldom all have neighbours who give way, and each costs a look at them.
   */
  private boolean lacksOnOneLink(Move move) {
    long wanted = move.rise() * move.seat.count;
    int lacking = 0;
    for (int e : move.seat.hops) {
      lacking += seating.room(e) < wanted ? 1 : 0;
    }
    return lacking == 1;
  }

  /** What is free here may be of use to somebody for whom others make room elsewhere. */
  private boolean askElsewhere(Move move) {
    long wanted = move.rise() * move.seat.count;
    for (int e : move.seat.hops) {
      if (seating.room(e) < wanted && seating.price(e) > 0) {
        makeRoom(e, wanted, seating.price(e));
      }
    }
    return move.rise() <= seating.room(move.seat, move.seat.way);
  }

  /** To the step that is worth most at the prices, of those that fit. */
  private void grow(Seat seat) {
    int wanted = seat.menu.wanted(seat.way);
    if (seat.step >= wanted) {
      return;
    }
    Steps steps = seat.steps();
    long room = seating.room(seat, seat.way) + seat.rate();
    int best = steps.rate(wanted) <= room ? wanted : seat.step;
    if (best == seat.step) {
      double price = seat.menu.price(seat.way);
      for (int s = seat.step + 1; s < wanted && steps.rate(s) <= room; s++) {
        double gained = (double) steps.utility(s) - steps.utility(best);
        if (gained >= (steps.rate(s) - steps.rate(best)) * price) {
          best = s;
        }
      }
    }
    if (best != seat.step) {
      to(seat, best);
    }
  }
}
