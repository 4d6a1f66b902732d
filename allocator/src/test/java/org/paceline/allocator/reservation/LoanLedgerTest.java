package org.paceline.allocator.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** Who borrows of whom on a link, by looking at each pair. */
final class LoanLedgerTest {
  private static final LinkId LINK = LinkId.of("a", "b");
  private static final long MEGABIT = 1_000_000_000;

  /** Each reserves 4 Mbit/s. */
  private static final int RESERVED = 4;

  @Property
  void eachBorrowerHasOfTheFirstLenderThatHasSomethingLeft(
      @ForAll @Size(max = 12) List<@IntRange(max = 9) Integer> rates,
      @ForAll @IntRange(max = 60) int limit) {
    List<ReservedFlow> flows = new ArrayList<>();
    Map<String, DataRate> has = new HashMap<>();
    Map<String, Integer> left = new HashMap<>();
    Map<String, Integer> wanted = new HashMap<>();
    for (int flow = 0; flow < rates.size(); flow++) {
      String id = String.format("f%02d", flow);
      flows.add(flow(id, rates.size() - flow));
      has.put(id, World.rate(rates.get(flow) * MEGABIT));
      left.put(id, Math.max(0, RESERVED - rates.get(flow)));
      wanted.put(id, Math.max(0, rates.get(flow) - RESERVED));
    }
    int needed =
        wanted.values().stream().mapToInt(Integer::intValue).sum()
            - Math.max(0, limit - RESERVED * flows.size());
    List<Loan> expected = new ArrayList<>();
    flows.sort(Comparator.comparing(ReservedFlow::priority));
    for (ReservedFlow borrower : flows) {
      for (String lender : new TreeSet<>(left.keySet())) {
        int rate =
            Math.min(
                needed,
                Math.min(left.getOrDefault(lender, 0), wanted.getOrDefault(borrower.id(), 0)));
        if (rate > 0) {
          needed -= rate;
          left.merge(lender, -rate, Integer::sum);
          wanted.merge(borrower.id(), -rate, Integer::sum);
          expected.add(Loan.of(LINK, lender, borrower.id(), World.rate(rate * MEGABIT)));
        }
      }
    }
    assertThat(LoanLedger.after(List.of(), Map.of(LINK, limit * MEGABIT), flows, has))
        .containsExactlyElementsOf(expected);
  }

  private static ReservedFlow flow(String id, int priority) {
    DemandEstimate demand = DemandEstimate.initial(World.rate(RESERVED * MEGABIT));
    return ReservedFlow.of(id, List.of(LINK), priority, DataRate.ZERO, DataRate.MAX, demand);
  }
}
