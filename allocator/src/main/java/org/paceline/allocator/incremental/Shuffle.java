package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one event moves. Looks at a sample of the neighbours, so that its time is bounded. */
final class Shuffle {
  private static final int SAMPLE = 96;

  private final Seating seating;
  private final Set<String> changed = new LinkedHashSet<>();

  Shuffle(Seating seating) {
    this.seating = seating;
  }

  List<String> changed() {
    return new ArrayList<>(changed);
  }

  /** Finds a place at the floor or above; others step down where that is worth it or needed. */
  boolean seat(Seat seat) {
    if (choose(seat)) {
      if (seat.step == seat.menu.first(seat.way)) {
        improve(seat);
      }
      return true;
    }
    for (int way = 0; way < seat.menu.ways(); way++) {
      long wanted = seat.menu.rate(way, seat.menu.first(way)) * seat.count;
      boolean free = true;
      for (int e : seat.menu.path(way)) {
        free = free && (seating.limit(e) - seating.load(e) >= wanted || makeRoom(e, wanted));
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
          s < seat.menu.stairs(way).size() && seat.menu.rate(way, s) <= room;
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

  /** A newcomer at the least step: its neighbours step down once if it can then step up. */
  private void improve(Seat seat) {
    long before = seating.sum();
    int step = seat.step;
    long most = 0;
    double worth = Double.NEGATIVE_INFINITY;
    for (int s = step; s < seat.menu.stairs(seat.way).size(); s++) {
      double here =
          seat.menu.utility(seat.way, s) - seat.menu.rate(seat.way, s) * seat.menu.price(seat.way);
      if (here > worth) {
        worth = here;
        most = seat.menu.rate(seat.way, s);
      }
    }
    long wanted = (most - seat.rate()) * seat.count;
    for (int e : seat.hops) {
      if (wanted > 0 && seating.limit(e) - seating.load(e) < wanted) {
        makeRoom(e, wanted);
      }
    }
    grow(seat, true);
    if (seating.sum() < before) {
      giveAway(seatHops(seat));
    }
  }

  private static List<Integer> seatHops(Seat seat) {
    List<Integer> hops = new ArrayList<>();
    for (int e : seat.hops) {
      hops.add(e);
    }
    return hops;
  }

  /** Steps neighbours down, those first who lose least for what they free. */
  private boolean makeRoom(int link, long wanted) {
    List<Seat> neighbours = sample(link);
    neighbours.sort(Comparator.comparingDouble(Shuffle::lossOfStep));
    for (Seat seat : neighbours) {
      if (seating.limit(link) - seating.load(link) >= wanted) {
        return true;
      }
      if (seat.step > seat.menu.first(seat.way)) {
        seating.step(seat, seat.step - 1);
        changed.add(seat.application.id());
      }
    }
    for (Seat seat : neighbours) {
      if (seating.limit(link) - seating.load(link) >= wanted) {
        return true;
      }
      seating.step(seat, seat.menu.first(seat.way));
      changed.add(seat.application.id());
    }
    return seating.limit(link) - seating.load(link) >= wanted;
  }

  private static double lossOfStep(Seat seat) {
    if (seat.step == seat.menu.first(seat.way)) {
      return Double.POSITIVE_INFINITY;
    }
    double lost = (double) seat.utility() - seat.menu.utility(seat.way, seat.step - 1);
    return lost / (seat.rate() - seat.menu.rate(seat.way, seat.step - 1));
  }

  private static double gainOfStep(Seat seat) {
    if (seat.step == seat.menu.stairs(seat.way).size() - 1) {
      return 0;
    }
    double gained = (double) seat.menu.utility(seat.way, seat.step + 1) - seat.utility();
    return gained / (seat.menu.rate(seat.way, seat.step + 1) - seat.rate());
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
      if (seating.price(link) > 0 && seating.limit(link) > seating.load(link)) {
        List<Seat> neighbours = sample(link);
        neighbours.sort(Comparator.comparingDouble(s -> -gainOfStep(s)));
        neighbours.forEach(s -> grow(s, true));
        neighbours.forEach(s -> grow(s, false));
      }
    }
  }

  /** To the highest step that fits; where thrifty, only as far as each step is worth its price. */
  private void grow(Seat seat, boolean thrifty) {
    long room = seating.room(seat, seat.way) + seat.rate();
    int best = seat.step;
    for (int s = seat.step + 1;
        s < seat.menu.stairs(seat.way).size() && seat.menu.rate(seat.way, s) <= room;
        s++) {
      double gained = (double) seat.menu.utility(seat.way, s) - seat.menu.utility(seat.way, best);
      long more = seat.menu.rate(seat.way, s) - seat.menu.rate(seat.way, best);
      if (!thrifty || gained >= more * seat.menu.price(seat.way)) {
        best = s;
      }
    }
    if (best != seat.step) {
      seating.step(seat, best);
      changed.add(seat.application.id());
    }
  }

  /** Until the link carries no more than it can. Returns those who must go. */
  List<String> relieve(int link) {
    List<String> homeless = new ArrayList<>();
    if (seating.load(link) <= seating.limit(link)) {
      return homeless;
    }
    List<Seat> all = new ArrayList<>(seating.seatsOn(link));
    boolean lost = seating.limit(link) == 0;
    all.sort(Comparator.comparingDouble(Shuffle::lossOfStep));
    while (!lost && seating.load(link) > seating.limit(link)) {
      boolean moved = false;
      for (Seat seat : all) {
        if (seating.load(link) > seating.limit(link) && seat.step > seat.menu.first(seat.way)) {
          seating.step(seat, seat.step - 1);
          changed.add(seat.application.id());
          moved = true;
        }
      }
      if (!moved) {
        break;
      }
    }
    all.sort(
        Comparator.<Seat>comparingInt(s -> s.application.priority())
            .thenComparing(s -> s.application.id()));
    for (Seat seat : all) {
      if (seating.load(link) <= seating.limit(link)) {
        break;
      }
      seating.rise(seat);
      if (!choose(seat) && !seat(seat)) {
        homeless.add(seat.application.id());
      }
    }
    return homeless;
  }
}
