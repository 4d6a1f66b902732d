package org.paceline.onos.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.paceline.control.model.Conversation;
import org.paceline.intents.network.Path;

/** Conversations change their ways as at random, and switches act in any order. */
final class ChangingWaysTest {
  private static final Conversation CALL = Mesh.conversation("call", 5004);
  private static final Conversation COPY = Mesh.conversation("copy", 5080);
  private static final List<Path> PATHS = Mesh.allPaths();

  /**
   * At every moment, whatever the order in which switches act, packets arrive; where ways change no
   * quicker than packets travel, those that are on their way do, too.
   */
  @Property(tries = 1_000, seed = "20")
  void packetsArriveWhileWaysChange(
      @ForAll long seed,
      @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 0, max = 15) Integer> ways,
      @ForAll @Size(8) List<Boolean> whose,
      @ForAll boolean slowly) {
    RecordedSwitches switches = new RecordedSwitches(seed);
    StepWorker worker = new StepWorker();
    ConversationRules changing = switches.led(() -> 100, worker, (id, why) -> {});
    Set<Conversation> led = new HashSet<>();
    Map<Conversation, Path> granted = new HashMap<>();
    Map<Conversation, Path> left = new HashMap<>();
    switches.afterEachWrite(
        () ->
            led.forEach(
                c -> {
                  assertThat(switches.way(c)).startsWith(1).endsWith(Mesh.SWITCHES);
                  List<Integer> old =
                      Optional.ofNullable(left.get(c)).map(Mesh::numbers).orElse(List.of());
                  for (int i = 1; i < old.size(); i++) {
                    assertThat(switches.wayFrom(old.get(i - 1), old.get(i), c))
                        .endsWith(Mesh.SWITCHES);
                  }
                }));
    for (int i = 0; i < ways.size(); i++) {
      Conversation conversation = whose.get(i) ? CALL : COPY;
      Path path = PATHS.get(ways.get(i));
      if (slowly && granted.containsKey(conversation)) {
        left.put(conversation, granted.get(conversation));
      }
      changing.install(conversation, path);
      led.add(conversation);
      granted.put(conversation, path);
      granted.forEach((c, p) -> assertThat(Mesh.over(numbers(switches.way(c)))).isEqualTo(p));
      if (slowly || i % 3 == 2) {
        left.clear();
        worker.passTime();
      }
    }
    worker.passTime();
    worker.passTime();
    granted.forEach((c, p) -> assertThat(Mesh.over(numbers(switches.way(c)))).isEqualTo(p));
  }

  @Tag("long")
  @Property(tries = 30_000, seed = "20")
  void theSameOften(
      @ForAll long seed,
      @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 0, max = 15) Integer> ways,
      @ForAll @Size(8) List<Boolean> whose,
      @ForAll boolean slowly) {
    packetsArriveWhileWaysChange(seed, ways, whose, slowly);
  }

  private static int[] numbers(List<Integer> way) {
    return way.stream().mapToInt(Integer::intValue).toArray();
  }
}
