package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one event moves. Looks at a sample of the neighbours, so that its time is bounded. */
final class Shuffle {
  private static final int SAMPLE = 160;

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
    for (Way way : seat.menu.ways()) {
      long wanted = way.steps.rate(way.steps.first()) * seat.count;
      boolean free = true;
      for (int e : way.path) {
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
    Way bestWay = seat.way;
    int bestStep = -1;
    for (Way way : seat.menu.ways()) {
      Steps steps = way.steps;
      long room = seating.room(seat, way);
      for (int s = steps.first(); s < steps.size() && steps.rate(s) <= room; s++) {
        double worth = steps.utility(s) - steps.rate(s) * way.price;
        if (worth > best) {
          best = worth;
          bestWay = way;
          bestStep = s;
        }
      }
    }
    if (bestStep >= 0) {
      seating.sit(seat, bestWay, bestStep);
      changed.add(seat.application.id());
    }
    return bestStep >= 0;
  }

  /** On the way that is worth most at the prices, from those to whom it is worth little more. */
  private void askForRoom(Seat seat) {
    Way best = seat.way;
    double most = Double.NEGATIVE_INFINITY;
    for (Way way : seat.menu.ways()) {
      double worth = way.steps.utility(way.wanted) - way.steps.rate(way.wanted) * way.price;
      if (worth > most) {
        most = worth;
        best = way;
      }
    }
    long wanted = best.steps.rate(best.wanted) * seat.count;
    for (int e : best.path) {
      freed.add(e);
      if (seating.price(e) > 0 && seating.room(e) < wanted) {
        makeRoom(e, wanted, LITTLE_MORE * seating.price(e));
      }
    }
  }

  /** Where others value what a newcomer lacks less than it does, they step down for it. */
  private void improve(Seat seat) {
    int wanted = seat.way.wanted;
    long lacking = seat.way.steps.rate(wanted) - seat.rate();
    double price = seat.way.price;
    if (lacking <= 0 || price <= 0) {
      return;
    }
    double worth = (seat.way.steps.utility(wanted) - seat.utility()) / (double) lacking;
    for (int e : seat.way.path) {
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
      to(seat, seat.way.steps.first());
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
      for (int e : move.seat.way.path) {
        freed.add(e);
      }
      to(move.seat, move.step);
    }
  }

  /** What stepping down loses for each unit that it frees, less what that is worth elsewhere. */
  private double lossOn(int link, Move move) {
    return move.slope - (move.seat.way.price - seating.price(link));
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
          if (move.slope >= LEAST_WORTH * seat.way.price && move.step != seat.step) {
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
    for (int e : move.seat.way.path) {
      lacking += seating.room(e) < wanted ? 1 : 0;
    }
    return lacking == 1;
  }

  /** What is free here may be of use to somebody for whom others make room elsewhere. */
  private boolean askElsewhere(Move move) {
    long wanted = move.rise() * move.seat.count;
    for (int e : move.seat.way.path) {
      if (seating.room(e) < wanted && seating.price(e) > 0) {
        makeRoom(e, wanted, seating.price(e));
      }
    }
    return move.rise() <= seating.room(move.seat, move.seat.way);
  }

  /** To the step that is worth most at the prices, of those that fit. */
  private void grow(Seat seat) {
    int wanted = seat.way.wanted;
    if (seat.step >= wanted) {
      return;
    }
    Steps steps = seat.way.steps;
    long room = seating.room(seat, seat.way) + seat.rate();
    int best = steps.rate(wanted) <= room ? wanted : seat.step;
    if (best == seat.step) {
      double price = seat.way.price;
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
