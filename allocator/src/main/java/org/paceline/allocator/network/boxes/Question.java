package org.paceline.allocator.network.boxes;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.unit.Latency;

/** What a search is asked: one part of a field, and a menu for each of its choosers. */
final class Question {
  final Field field;
  final int[] choosers;
  final int[] units;

  /** By chooser of the field; only those of the part are there. */
  final Menu[] menus;

  private Question(Field field, int[] part, Menu[] menus) {
    this.field = field;
    this.choosers = part;
    this.units =
        Arrays.stream(part)
            .flatMap(c -> field.choosers.get(c).units.stream().mapToInt(Integer::intValue))
            .sorted()
            .toArray();
    this.menus = menus;
  }

  /** Whether all can have the level, in billionths: nothing is worth anything. */
  static Question ofLevel(Field field, int[] part, long level) {
    return of(field, part, level, false);
  }

  /** The greatest sum of utilities at or above the floor, in billionths. */
  static Question ofSum(Field field, int[] part, long floor) {
    return of(field, part, floor, true);
  }

  private static Question of(Field field, int[] part, long floor, boolean valued) {
    Menu[] menus = new Menu[field.choosers.size()];
    for (int c : part) {
      Field.Chooser chooser = field.choosers.get(c);
      menus[c] = Menu.of(chooser.function, floor, valued ? chooser.copies : 0);
    }
    return new Question(field, part, menus);
  }

  int links() {
    return field.topology.links();
  }

  long limit(int link) {
    return field.topology.limit(link);
  }

  /** Nanoseconds that the link takes under a load in millibits per second. */
  long delay(int link, long load) {
    return field.delay(link).nanosAt(load);
  }

  /** The greatest load of the link within the budget of nanoseconds; -1 if there is none. */
  long greatestLoad(int link, long budget) {
    LinkDelay delay = field.delay(link);
    if (budget < delay.least().nanos()) {
      return -1;
    }
    return delay.greatestLoadWithin(Latency.ofNanos(budget)).orElseThrow().millibitsPerSecond();
  }

  Field.Unit unit(int unit) {
    return field.units.get(unit);
  }

  Field.Chooser chooser(int chooser) {
    return field.choosers.get(chooser);
  }

  /** Whether each chooser has a cell and each unit a path. */
  boolean isAnswerable() {
    return Arrays.stream(choosers).allMatch(c -> menus[c].size() > 0)
        && IntStream.of(units).allMatch(u -> unit(u).paths.length > 0);
  }
}
