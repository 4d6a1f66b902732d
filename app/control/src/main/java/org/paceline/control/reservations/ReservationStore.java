package org.paceline.control.reservations;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.control.port.Records;

/** What is held or committed, as it outlives a controller; each under a number of its own. */
public final class ReservationStore {
  /** The key of the last number that was given. */
  public static final String LAST = "last";

  private final Records<Reservation> records;
  private final Records<String> numbers;

  /**
   * @param numbers where the last number that was given is kept
   */
  public ReservationStore(Records<Reservation> records, Records<String> numbers) {
    this.records = records;
    this.numbers = numbers;
  }

  /** By name. */
  List<Reservation> all() {
    return new TreeSet<>(records.keys())
        .stream()
            .map(records::find)
            .flatMap(Optional::stream)
            .collect(Collectors.toUnmodifiableList());
  }

  /**
   * @param made gives the reservation a name with this number, which no other ever had
   * @param around has it stored, and says with that whether its name was free
   */
  Reservation add(
      Function<String, Reservation> made, BiPredicate<Reservation, BooleanSupplier> around) {
    long last = numbers.find(LAST).map(Long::parseLong).orElse(0L);
    while (true) {
      last++;
      // Before it is used: better a number that nobody has than one that two had.
      numbers.replace(LAST, Long.toString(last));
      Reservation added = made.apply(String.format("%06d", last));
      if (around.test(added, () -> records.add(added.id(), added))) {
        return added;
      }
    }
  }

  void replace(Reservation reservation) {
    records.replace(reservation.id(), reservation);
  }

  void remove(String id) {
    records.remove(id);
  }
}
