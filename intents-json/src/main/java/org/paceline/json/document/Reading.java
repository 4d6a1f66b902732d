package org.paceline.json.document;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What came of reading a document: a value, or every fault that it has. */
@AutoValue
public abstract class Reading<T> {
  /** The value; empty exactly where there are faults. */
  public abstract Optional<T> value();

  /** The first faults in the order of the document, at most {@link FaultLog#LISTED}. */
  public abstract List<Fault> faults();

  /** How many more faults were found than are listed. */
  public abstract int unlisted();

  /** What was passed over, such as members that nobody reads. */
  public abstract List<Fault> warnings();

  static <T> Reading<T> good(T value, List<Fault> warnings) {
    return new AutoValue_Reading<>(Optional.of(value), List.of(), 0, List.copyOf(warnings));
  }

  static <T> Reading<T> bad(FaultLog log) {
    return new AutoValue_Reading<>(
        Optional.empty(), List.copyOf(log.faults()), log.unlisted(), List.copyOf(log.warnings()));
  }

  /** All faults as one text, a line each. */
  public String describeFaults() {
    String lines = faults().stream().map(Fault::toString).collect(Collectors.joining("\n"));
    return unlisted() == 0 ? lines : lines + "\nand " + unlisted() + " more faults";
  }

  /**
   * The value, for callers that know the document is good.
   *
   * @throws IllegalArgumentException with every fault, if it is not
   */
  public T orElseThrow() {
    return value().orElseThrow(() -> new IllegalArgumentException(describeFaults()));
  }
}
