package org.paceline.allocator.reservation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/**
 * Who has what of whose reservation, link by link. What nobody reserved is taken before anything
 * counts as lent. A loan stays with its borrower for as long as both sides go on; a new one is the
 * lowest priority's, for that one gives way first when its lender returns. Of each link, the time
 * grows as the loans before and those who lend and borrow: of thousands each round asks this. No
 * more loans are new than lenders and borrowers together.
 */
public final class LoanLedger {
  private LoanLedger() {}

  /**
   * The loans under a division.
   *
   * @param before those under the one before it
   * @param limits what each link carries, in millibits per second
   * @param rates what each flow has
   */
  public static List<Loan> after(
      Collection<Loan> before,
      Map<LinkId, Long> limits,
      Collection<ReservedFlow> flows,
      Map<String, DataRate> rates) {
    Map<LinkId, Account> accounts = new TreeMap<>();
    flows.stream()
        .sorted(Comparator.comparingInt(ReservedFlow::priority).thenComparing(ReservedFlow::id))
        .forEach(
            flow -> {
              long has = rates.getOrDefault(flow.id(), DataRate.ZERO).millibitsPerSecond();
              for (LinkId link : flow.links()) {
                accounts
                    .computeIfAbsent(link, id -> new Account(id, limits.getOrDefault(id, 0L)))
                    .add(flow.id(), flow.reserved().millibitsPerSecond(), has);
              }
            });
    Map<LinkId, List<Loan>> standing =
        before.stream().collect(Collectors.groupingBy(Loan::link, Collectors.toList()));
    List<Loan> after = new ArrayList<>();
    accounts.values().forEach(a -> after.addAll(a.loans(standing.getOrDefault(a.link, List.of()))));
    return Collections.unmodifiableList(after);
  }

  /** One link. */
  private static final class Account {
    private final LinkId link;

    /** What is reserved by nobody; below 0 where reservations do not fit. */
    private long spare;

    private long needed;

    /** What each lender leaves, and what each borrower has beyond its own, the lowest first. */
    private final Map<String, Long> lent = new TreeMap<>();

    private final List<String> borrowers = new ArrayList<>();
    private final Map<String, Long> borrowed = new HashMap<>();

    Account(LinkId link, long limit) {
      this.link = link;
      this.spare = limit;
    }

    void add(String flow, long reserved, long has) {
      spare -= reserved;
      if (has < reserved) {
        lent.put(flow, reserved - has);
      } else if (has > reserved) {
        borrowers.add(flow);
        borrowed.put(flow, has - reserved);
        needed += has - reserved;
      }
    }

    List<Loan> loans(List<Loan> before) {
      needed -= Math.max(0, spare);
      Map<String, Map<String, Long>> byBorrower = new HashMap<>();
      for (Loan loan : before) {
        lend(loan.lender(), loan.borrower(), loan.rate().millibitsPerSecond(), byBorrower);
      }
      Deque<String> lenders = new ArrayDeque<>(lent.keySet());
      for (String borrower : borrowers) {
        while (needed > 0 && !lenders.isEmpty() && has(borrowed, borrower)) {
          lend(lenders.element(), borrower, Long.MAX_VALUE, byBorrower);
          if (!has(lent, lenders.element())) {
            lenders.remove();
          }
        }
      }
      List<Loan> loans = new ArrayList<>();
      for (String borrower : borrowers) {
        byBorrower
            .getOrDefault(borrower, Map.of())
            .forEach(
                (lender, rate) ->
                    loans.add(
                        Loan.of(link, lender, borrower, DataRate.ofMillibitsPerSecond(rate))));
      }
      return loans;
    }

    private static boolean has(Map<String, Long> rates, String flow) {
      return rates.getOrDefault(flow, 0L) > 0;
    }

    private void lend(
        String lender, String borrower, long most, Map<String, Map<String, Long>> byBorrower) {
      long rate =
          Math.min(
              Math.min(most, needed),
              Math.min(lent.getOrDefault(lender, 0L), borrowed.getOrDefault(borrower, 0L)));
      if (rate > 0) {
        needed -= rate;
        lent.merge(lender, -rate, Long::sum);
        borrowed.merge(borrower, -rate, Long::sum);
        byBorrower.computeIfAbsent(borrower, b -> new TreeMap<>()).merge(lender, rate, Long::sum);
      }
    }
  }
}
