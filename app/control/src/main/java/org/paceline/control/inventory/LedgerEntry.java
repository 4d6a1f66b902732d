package org.paceline.control.inventory;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** What one conversation has, or had, at a link of what is reserved for another. */
@AutoValue
public abstract class LedgerEntry {
  public abstract LinkId link();

  /** For whom it is reserved. */
  public abstract ConversationId lender();

  public abstract ConversationId borrower();

  /** The last; of one that is back, what came back at the end. */
  public abstract DataRate rate();

  public abstract Instant since();

  /** Empty while it is lent. */
  public abstract Optional<Instant> returnedAt();

  static LedgerEntry lent(
      LinkId link, ConversationId lender, ConversationId borrower, DataRate rate, Instant since) {
    return new AutoValue_LedgerEntry(link, lender, borrower, rate, since, Optional.empty());
  }

  LedgerEntry at(DataRate other) {
    return new AutoValue_LedgerEntry(link(), lender(), borrower(), other, since(), returnedAt());
  }

  LedgerEntry returned(Instant at) {
    return new AutoValue_LedgerEntry(
        link(), lender(), borrower(), rate(), since(), Optional.of(at));
  }
}
