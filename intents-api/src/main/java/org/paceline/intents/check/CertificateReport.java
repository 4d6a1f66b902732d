package org.paceline.intents.check;

import com.google.auto.value.AutoValue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a certificate is worth. */
@AutoValue
public abstract class CertificateReport {
  /** How far a bound can be trusted without the solver. */
  public enum Standing {
    /** Recomputed here from the certificate's prices or boxes. */
    PROVED,
    /** Consistent with the prices, which alone do not prove it: a search or a solver claims it. */
    CLAIMED,
    /** Contradicted here. */
    WRONG
  }

  /** One sentence for each thing that is wrong. */
  public abstract List<String> violations();

  /** Whether no allocation has a greater least utility than {@code thetaBound}. */
  public abstract Standing theta();

  /** Whether no allocation at the floor has a greater sum than {@code sumBound}. */
  public abstract Standing sum();

  /** For each level of the certificate, whether no allocation as good below has fewer there. */
  public abstract List<Standing> levels();

  /** The bound that the prices alone give, in billionths of utility. */
  public abstract BigDecimal priceBound();

  static CertificateReport of(
      List<String> violations,
      Standing theta,
      Standing sum,
      List<Standing> levels,
      BigDecimal priceBound) {
    return new AutoValue_CertificateReport(
        Collections.unmodifiableList(new ArrayList<>(violations)),
        theta,
        sum,
        Collections.unmodifiableList(new ArrayList<>(levels)),
        priceBound);
  }

  public boolean isAccepted() {
    return violations().isEmpty();
  }
}
