package org.paceline.onos.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.onosproject.net.flow.FlowRule;
import org.paceline.onos.flow.RecordedSwitches;

/**
 * Default forwarding makes only those rules anew that a change is about. However a network came to
 * be what it is, its switches hold what one that was never another has: same matches, same ids,
 * same treatments.
 */
final class ForwardingChangesTest {
  private static final int SWITCHES = 4;
  private static final int HOSTS = 5;
  private static final int MARK = 34;
  private static final int OTHER_MARK = 10;

  /** The kinds of changes: below, in {@link #change}. */
  private static final int KINDS = 10;

  private final RecordedSwitches switches = new RecordedSwitches(20);
  private final ForwardedNetwork network = new ForwardedNetwork(switches.own());

  @Property(tries = 100, seed = "20")
  void switchesHoldWhatIsMadeFromNothing(
      @ForAll @Size(min = 1, max = 12)
          List<@IntRange(min = 0, max = KINDS * SWITCHES * HOSTS - 1) Integer> changes) {
    network.core = SWITCHES;
    for (int number = 1; number <= SWITCHES; number++) {
      network.switchComes(number);
      network.linkComes(number, number % SWITCHES + 1);
      network.hostComes(number, number, number % 2 == 0);
    }
    network.refresh();
    for (int change : changes) {
      change(change % KINDS, 1 + change / KINDS % SWITCHES, 1 + change / KINDS / SWITCHES);
      network.refresh();
      RecordedSwitches others = new RecordedSwitches(20);
      network.another(others.own()).refresh();
      for (int number = 1; number <= SWITCHES; number++) {
        String device = ForwardedNetwork.device(number).toString();
        assertThat(said(switches.rules(device))).isEqualTo(said(others.rules(device)));
        assertThat(said(network.wanted(number))).isEqualTo(said(others.rules(device)));
      }
      assertThat(network.told()).hasSize(others.count());
      assertThat(said(network.told())).hasSize(others.count());
    }
  }

  private void change(int kind, int at, int host) {
    int next = at % SWITCHES + 1;
    switch (kind) {
      case 0:
        network.linkGoes(at, next);
        break;
      case 1:
        network.linkComes(at, next);
        break;
      case 2:
        network.switchGoes(at);
        break;
      case 3:
        network.switchComes(at);
        break;
      case 4:
        network.hostComes(host, at, true);
        break;
      case 5:
        network.hostComes(host, at, false);
        break;
      case 6:
        network.hostGoes(host);
        break;
      case 7:
        network.managedDscp = host % 2 * MARK;
        break;
      case 8:
        // At times the mark of the managed ones.
        network.elephantDscp = List.of(0, OTHER_MARK, MARK).get(host % 3);
        break;
      default:
        network.metered =
            host % 2 == 0
                ? Set.of()
                : Set.of(ForwardedNetwork.device(at), ForwardedNetwork.device(next));
    }
  }

  /** All that ONOS compares of rules, and what they do. */
  private static Set<List<Object>> said(Collection<FlowRule> rules) {
    return rules.stream()
        .map(rule -> List.of(rule, rule.id(), rule.priority(), rule.treatment()))
        .collect(Collectors.toSet());
  }
}
