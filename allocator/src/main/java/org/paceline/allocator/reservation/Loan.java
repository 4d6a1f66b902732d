package org.paceline.allocator.reservation;

import com.google.auto.value.AutoValue;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.unit.DataRate;

/** What one flow has at a link of another's reservation. */
@AutoValue
public abstract class Loan {
  public abstract LinkId link();

  /** Whose reservation it is. */
  public abstract String lender();

  public abstract String borrower();

  public abstract DataRate rate();

  public static Loan of(LinkId link, String lender, String borrower, DataRate rate) {
    return new AutoValue_Loan(link, lender, borrower, rate);
  }
}
