package org.paceline.control.assurance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.paceline.control.model.Alarm;
import org.paceline.control.work.Each;

/**
 * Says of which conversation or setting the first alarm rises, and which has none any more; of one
 * that has several it is the first that is told. To be called by one thread.
 */
public final class AlarmChanges implements Consumer<List<Alarm>> {
  private final Consumer<Alarm> raised;
  private final Consumer<Alarm> cleared;
  private Map<String, Alarm> before = Map.of();

  public AlarmChanges(Consumer<Alarm> raised, Consumer<Alarm> cleared) {
    this.raised = raised;
    this.cleared = cleared;
  }

  @Override
  public void accept(List<Alarm> all) {
    Map<String, Alarm> now = new TreeMap<>();
    all.forEach(alarm -> now.putIfAbsent(alarm.about(), alarm));
    Map<String, Alarm> earlier = before;
    before = now;
    List<Runnable> changes = new ArrayList<>();
    now.forEach(
        (about, alarm) -> {
          if (!earlier.containsKey(about)) {
            changes.add(() -> raised.accept(alarm));
          }
        });
    earlier.forEach(
        (about, alarm) -> {
          if (!now.containsKey(about)) {
            changes.add(() -> cleared.accept(alarm));
          }
        });
    Each.of(changes, Runnable::run);
  }
}
