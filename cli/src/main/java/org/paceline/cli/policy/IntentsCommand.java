package org.paceline.cli.policy;

import java.util.function.Function;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Words;
import org.paceline.control.api.PolicyService;
import org.paceline.control.api.UseCases;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.tree.Sourced;
import org.paceline.intents.utility.UtilityFunction;

/** The intent tree, each value with the node that set it. */
@Service
@Command(
    scope = "paceline",
    name = "intents",
    description = "The intent tree: what holds for each node, and which node set it",
    detailedDescription = "classpath:help/intents.txt")
public final class IntentsCommand extends PacelineCommand<PolicyService> {
  public IntentsCommand() {
    super(UseCases::policy);
  }

  @Override
  protected Table table(PolicyService use) {
    return table(use.policies().tree());
  }

  static Table table(IntentTree tree) {
    Table table =
        new Table(
            "intent",
            "utility function",
            "set by",
            "least rate",
            "greatest rate",
            "priority",
            "scheme",
            "KPI model");
    tree.policies()
        .keySet()
        .forEach(
            path -> {
              EffectivePolicy policy = tree.resolve(path);
              table.row(
                  path.toString(),
                  functions(policy, function -> function.value().name()),
                  functions(policy, function -> function.origin().toString()),
                  Words.rate(policy.minimumRate().map(Sourced::value)),
                  Words.rate(policy.maximumRate().map(Sourced::value)),
                  policy.priority().value().toString(),
                  scheme(policy),
                  policy.kpiModel().map(model -> model.value().word()).orElse(Words.NONE));
            });
    table.conclude(tree.policies().size() + " intents; whatever is unidentified is served by /.");
    return table;
  }

  /** What is said of the function of both directions, or first of what servers send. */
  private static String functions(
      EffectivePolicy policy, Function<Sourced<UtilityFunction>, String> said) {
    String uploads = said.apply(policy.uploadFunction());
    return said.apply(policy.utilityFunction())
        + (policy.uploadFunction().equals(policy.utilityFunction()) ? "" : ", uploads " + uploads);
  }

  /** With the service class and its weight, where such classes rule. */
  private static String scheme(EffectivePolicy policy) {
    String scheme = policy.scheme().value().word();
    return policy.scheme().value() == SchemeName.SERVICE_CLASSES
        ? scheme + " (" + policy.classWeight().origin() + " x" + policy.classWeight().value() + ")"
        : scheme;
  }
}
