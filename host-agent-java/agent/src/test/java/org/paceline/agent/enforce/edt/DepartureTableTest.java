package org.paceline.agent.enforce.edt;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.paceline.agent.bpf.SharedTable;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.enforce.ClassRate;

/** What the program finds of rates, ceilings and the pool. */
class DepartureTableTest {
  private static final int ROWS = 65_536;
  // As struct conversation has them.
  private static final int RATE = 0;
  private static final int NEXT = 1;
  private static final int BYTES = 2;
  private static final int CEILING = 5;
  private static final int BOUNDED = 6;
  private static final int COLUMNS = 7;
  private static final int ONE = 7;
  private static final ClassRate MEGABIT = ClassRate.of(1_000_000);

  private final Memory memory = new Memory((long) ROWS * COLUMNS * Long.BYTES);
  private final SharedTable rows = SharedTable.at(memory, ROWS, COLUMNS);

  DepartureTableTest() {
    memory.clear();
  }

  private static void change(DepartureTable table, Map<Integer, ClassRate> wanted) {
    table.apply(ClassChanges.between(rates(table), wanted));
  }

  private static Map<Integer, ClassRate> rates(DepartureTable table) {
    Map<Integer, ClassRate> rates = new HashMap<>();
    table.all().forEach((minor, c) -> rates.put(minor, c.rate()));
    return rates;
  }

  @Test
  void aPoolIsThereBeforeAnybodyMayBorrow() {
    DepartureTable table = new DepartureTable(rows);
    assertThat(rates(table)).containsExactly(Map.entry(ClassIds.POOL, ClassRate.of(0)));
    assertThat(table.some(List.of(ONE, ClassIds.POOL)).keySet()).containsExactly(ClassIds.POOL);
  }

  @Test
  void ratesAndCeilingsAreBytesASecondAndReadBackAsWritten() {
    DepartureTable table = new DepartureTable(rows);
    Map<Integer, ClassRate> wanted =
        Map.of(
            ClassIds.POOL,
            ClassRate.of(8_000_000),
            ONE,
            ClassRate.upTo(2_000_000, 6_000_000),
            8,
            MEGABIT);
    change(table, wanted);
    assertThat(rates(table)).isEqualTo(wanted);
    assertThat(rows.get(ClassIds.POOL, RATE)).isEqualTo(1_000_000);
    assertThat(rows.get(ONE, RATE)).isEqualTo(250_000);
    assertThat(rows.get(ONE, CEILING)).isEqualTo(750_000);
    // The program lets nobody borrow whose ceiling is its rate.
    assertThat(rows.get(8, CEILING)).isEqualTo(rows.get(8, RATE)).isEqualTo(125_000);
    // As an agent that takes over finds them.
    assertThat(rates(new DepartureTable(rows))).isEqualTo(wanted);
  }

  @Test
  void aCeilingThatIsTakenBackLeavesCountersAndClocks() {
    DepartureTable table = new DepartureTable(rows);
    change(table, Map.of(ONE, ClassRate.upTo(2_000_000, 6_000_000)));
    rows.set(ONE, NEXT, 1);
    rows.set(ONE, BYTES, 1_442);
    rows.set(ONE, BOUNDED, 2);
    change(table, Map.of(ONE, ClassRate.of(2_000_000)));
    assertThat(rows.get(ONE, CEILING)).isEqualTo(250_000);
    assertThat(rows.get(ONE, NEXT)).isEqualTo(1);
    assertThat(rows.get(ONE, BYTES)).isEqualTo(1_442);
    assertThat(rows.get(ONE, BOUNDED)).isEqualTo(2);
  }

  @Test
  void aNewConversationHasNothingOfTheOneBeforeInItsRow() {
    DepartureTable table = new DepartureTable(rows);
    change(table, Map.of(ONE, ClassRate.upTo(2_000_000, 6_000_000)));
    rows.set(ONE, NEXT, Long.MAX_VALUE);
    rows.set(ONE, BOUNDED, Long.MAX_VALUE);
    change(table, Map.of());
    assertThat(rows.get(ONE, RATE)).isZero();
    change(table, Map.of(ONE, MEGABIT));
    assertThat(rows.get(ONE, NEXT)).isZero();
    assertThat(rows.get(ONE, BOUNDED)).isZero();
  }

  @Test
  void aPoolsDebtEndsAtTheHorizonAndWhatIsWaitingIsNotOvertaken() {
    DepartureTable table = new DepartureTable(rows);
    rows.set(ClassIds.POOL, NEXT, Long.MAX_VALUE);
    long before = System.nanoTime();
    change(table, Map.of(ClassIds.POOL, ClassRate.of(8_000_000)));
    long horizon = rows.get(ClassIds.POOL, NEXT);
    assertThat(horizon - before).isGreaterThanOrEqualTo(2_000_000_000L);
    assertThat(horizon).isLessThan(Long.MAX_VALUE);

    // A pool that ends and comes back goes on with its clock, also where it was believed gone.
    change(table, Map.of(ClassIds.POOL, ClassRate.of(0)));
    table.apply(ClassChanges.between(Map.of(), Map.of(ClassIds.POOL, ClassRate.of(16_000_000))));
    assertThat(rows.get(ClassIds.POOL, NEXT)).isEqualTo(horizon);
    assertThat(rates(table)).containsExactly(Map.entry(ClassIds.POOL, ClassRate.of(16_000_000)));
  }
}
