package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import java.util.Optional;
import org.paceline.control.port.ReservedRates;
import org.paceline.intents.problem.Application;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/** What a conversation asks of the network, and which scheme is to answer. */
@AutoValue
public abstract class Demand {
  public abstract Application application();

  public abstract SchemeName scheme();

  /** Its service class where such classes rule it. */
  public abstract Optional<ClassMembership> serviceClass();

  /** What is reserved for it where reservations rule it, or it has a circuit among elephants. */
  public abstract Optional<ReservedRate> reservation();

  public static Demand of(
      Application application,
      SchemeName scheme,
      Optional<ClassMembership> serviceClass,
      Optional<ReservedRate> reservation) {
    return new AutoValue_Demand(application, scheme, serviceClass, reservation);
  }

  /** The service class of a conversation under this policy, if such classes rule it. */
  public static Optional<ClassMembership> classOf(EffectivePolicy policy, DataRate reserved) {
    return Optional.of(policy)
        .filter(of -> of.scheme().value() == SchemeName.SERVICE_CLASSES)
        .map(of -> ClassMembership.of(of, reserved));
  }

  /**
   * What is reserved for a conversation under this policy, if reservations rule it or it has a
   * circuit among elephants. Of what another scheme has promised an elephant has no circuit: it was
   * not admitted beside circuits.
   */
  public static Optional<ReservedRate> reservationOf(
      EffectivePolicy policy, ReservedRates.Due reserved) {
    switch (policy.scheme().value()) {
      case ADAPTIVE_RESERVATIONS:
        return Optional.of(ReservedRate.of(policy, reserved));
      case ELEPHANT_ISOLATION:
        return Optional.of(reserved)
            .filter(due -> !due.circuit().equals(DataRate.ZERO))
            .map(ReservedRate::ofCircuit);
      default:
        return Optional.empty();
    }
  }

  /** The same conversation under this policy. */
  public Demand under(EffectivePolicy policy) {
    return of(
        with(policy.boundedFunction(), policy.priority().value()),
        policy.scheme().value(),
        classOf(policy, DataRate.ZERO),
        reservationOf(policy, ReservedRates.Due.NOTHING));
  }

  /** The same conversation, to which rates are worth something else. */
  public Demand valuedBy(UtilityFunction function) {
    return of(with(function, application().priority()), scheme(), serviceClass(), reservation());
  }

  /** The same conversation, for which so much is reserved, if its scheme keeps reservations. */
  public Demand reserving(DataRate rate) {
    return of(
        application(),
        scheme(),
        serviceClass().map(of -> of.reserving(rate)),
        reservation().map(of -> of.reserving(rate)));
  }

  private Application with(UtilityFunction function, int priority) {
    Application now = application();
    return Application.of(now.id(), now.from(), now.to(), function, now.count(), priority);
  }
}
