package org.paceline.allocator.incremental;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Brings a link that carries more than it can back to its limit: all step down, those first who
 * lose least; if that is not enough the lowest priorities leave it, and those of them who may stay
 * elsewhere are seated there, the highest priority first.
 */
final class Relief {
  private static final Comparator<Seat> GIVES_WAY =
      Comparator.<Seat>comparingInt(s -> s.application.priority())
          .thenComparing(s -> s.application.id());

  private final Seating seating;
  private final Shuffle shuffle;

  Relief(Seating seating, Shuffle shuffle) {
    this.seating = seating;
    this.shuffle = shuffle;
  }

  /** Returns those who find no place. */
  List<String> of(int link) {
    if (isWithin(link)) {
      return List.of();
    }
    List<Seat> all = new ArrayList<>(seating.seatsOn(link));
    if (seating.limit(link) > 0) {
      stepDown(link, all);
    }
    all.sort(GIVES_WAY);
    List<Seat> leaving = new ArrayList<>();
    for (Seat seat : all) {
      if (isWithin(link)) {
        break;
      }
      seating.rise(seat);
      leaving.add(seat);
    }
    leaving.sort(GIVES_WAY.reversed());
    List<String> homeless = new ArrayList<>();
    for (Seat seat : leaving) {
      if (!shuffle.place(seat)) {
        homeless.add(seat.application.id());
      }
    }
    return homeless;
  }

  private boolean isWithin(int link) {
    return seating.load(link) <= seating.limit(link);
  }

  private void stepDown(int link, List<Seat> all) {
    boolean moved = true;
    while (moved && !isWithin(link)) {
      List<Move> moves = new ArrayList<>();
      for (Seat seat : all) {
        Move move = Move.down(seat);
        if (move.step != seat.step) {
          moves.add(move);
        }
      }
      moves.sort(Comparator.comparingDouble(move -> move.slope));
      for (Move move : moves) {
        if (isWithin(link)) {
          break;
        }
        shuffle.to(move.seat, move.step);
      }
      moved = !moves.isEmpty();
    }
  }
}
