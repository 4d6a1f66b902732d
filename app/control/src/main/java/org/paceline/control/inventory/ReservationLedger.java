package org.paceline.control.inventory;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.paceline.allocator.reservation.Loan;
import org.paceline.control.model.ConversationId;

/**
 * Who lent what of its reservation to whom, and when it came back: what follows from one plan after
 * the other. Any thread may read.
 */
public final class ReservationLedger {
  /** Of those that are back, so many are kept, the newest. */
  static final int KEPT = 1_000;

  private final Map<String, LedgerEntry> lent = new TreeMap<>();
  private final Deque<LedgerEntry> returned = new ArrayDeque<>();

  /** From now on just these are lent. */
  public synchronized void record(List<Loan> loans, Instant now) {
    Map<String, LedgerEntry> standing = new TreeMap<>();
    for (Loan loan : loans) {
      String parties = String.join(" ", loan.link().toString(), loan.lender(), loan.borrower());
      standing.put(
          parties,
          Optional.ofNullable(lent.remove(parties))
              .map(before -> before.at(loan.rate()))
              .orElseGet(
                  () ->
                      LedgerEntry.lent(
                          loan.link(),
                          ConversationId.parse(loan.lender()),
                          ConversationId.parse(loan.borrower()),
                          loan.rate(),
                          now)));
    }
    lent.values().forEach(gone -> returned.addFirst(gone.returned(now)));
    lent.clear();
    lent.putAll(standing);
    while (returned.size() > KEPT) {
      returned.removeLast();
    }
  }

  /** What is lent, by link; then what is back, the last first. */
  public synchronized List<LedgerEntry> all() {
    List<LedgerEntry> all = new ArrayList<>(lent.values());
    all.addAll(returned);
    return List.copyOf(all);
  }
}
