package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import org.paceline.intents.problem.Application;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.utility.UtilityFunction;

/** What a conversation asks of the network, and which scheme is to answer. */
@AutoValue
public abstract class Demand {
  public abstract Application application();

  public abstract SchemeName scheme();

  public static Demand of(Application application, SchemeName scheme) {
    return new AutoValue_Demand(application, scheme);
  }

  /** The same conversation under this policy. */
  public Demand under(EffectivePolicy policy) {
    return of(with(policy.boundedFunction(), policy.priority().value()), policy.scheme().value());
  }

  /** The same conversation, to which rates are worth something else. */
  public Demand valuedBy(UtilityFunction function) {
    return of(with(function, application().priority()), scheme());
  }

  private Application with(UtilityFunction function, int priority) {
    Application now = application();
    return Application.of(now.id(), now.from(), now.to(), function, now.count(), priority);
  }
}
