package org.paceline.allocator.classes;

import com.google.auto.value.AutoValue;

/** A class of service that users subscribe to, such as gold, silver and bronze. */
@AutoValue
public abstract class ServiceClass {
  public abstract String name();

  /** Relative, above 0. */
  public abstract double weight();

  /** From 0. */
  public abstract int activeFlows();

  /**
   * @throws IllegalArgumentException if the weight is not above 0 or the count is negative
   */
  public static ServiceClass of(String name, double weight, int activeFlows) {
    if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "The weight (" + weight + ") of service class (" + name + ") must be a number above 0.");
    }
    if (activeFlows < 0) {
      throw new IllegalArgumentException(
          "The service class ("
              + name
              + ") cannot have ("
              + activeFlows
              + ") active flows. Maybe 0.");
    }
    return new AutoValue_ServiceClass(name, weight, activeFlows);
  }
}
