package org.paceline.cli.conversations;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.explain.Explanation;
import org.paceline.control.explain.LinkShare;
import org.paceline.control.explain.NextStep;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NodeNames;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;

/** Why a conversation got what it got, and what the next noticeable step would cost whom. */
@Service
@Command(
    scope = "paceline",
    name = "explain",
    description = "Why a conversation got what it got, and what more would cost whom",
    detailedDescription = "classpath:help/explain.txt")
public final class ExplainCommand extends PacelineCommand<ConversationService> {
  private static final int LOSERS_SHOWN = 5;
  private static final String BINDING = "binding: ";
  private static final String FULL = "full: ";

  /** The link has room, but not for this scheme. */
  private static final String PART = "its part is full: ";

  @Argument(
      name = "conversation",
      description = "HOST/ID, as paceline:conversations shows it",
      required = true)
  @Completion(ConversationCompleter.class)
  String conversation = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public ExplainCommand() {
    super(UseCases::conversations);
  }

  @Override
  protected boolean isReckoned() {
    return true;
  }

  @Override
  protected Table table(ConversationService use) {
    ConversationId id = ConversationsCommand.find(use, conversation).conversation().id();
    return use.explain(id)
        .map(explanation -> table(explanation, use.nodeNames()))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The conversation ("
                        + conversation
                        + ") has no grant. "
                        + use.proofs()
                            .find(id)
                            .map(proof -> proof.reason())
                            .orElse("It has ended.")));
  }

  static Table table(Explanation explanation, NodeNames names) {
    EffectivePolicy requested = explanation.proof().requested();
    Table table = new Table("what", "value", "why").toned("why", ExplainCommand::tone);
    table.row("intent", requested.node().toString(), "asked for as (" + requested.asked() + ")");
    table.row(
        "utility function",
        requested.utilityFunction().value().name(),
        "set at "
            + requested.utilityFunction().origin()
            + (requested.isOfUploads() ? ", for uploads" : ""));
    requested
        .minimumRate()
        .ifPresent(r -> table.row("least rate", r.value().toString(), "set at " + r.origin()));
    requested
        .maximumRate()
        .ifPresent(r -> table.row("greatest rate", r.value().toString(), "set at " + r.origin()));
    if (requested.scheme().value() == SchemeName.SERVICE_CLASSES) {
      table.row(
          "weight of its class",
          requested.classWeight().value().toString(),
          "set at " + requested.classWeight().origin());
    }
    table.row(
        "granted",
        Words.rate(explanation.grant().rate()),
        "utility "
            + Words.utility(explanation.grant().utility())
            + " within "
            + Words.delay(explanation.grant().delay()));
    for (LinkShare link : explanation.links()) {
      table.row(
          "link " + names.of(link.link()),
          Words.rate(link.granted()) + " of " + Words.rate(link.capacity()),
          why(link));
    }
    table.conclude(conclusion(explanation.next()));
    return table;
  }

  private static Tone tone(String why) {
    return Stream.of(BINDING, FULL, PART).anyMatch(why::startsWith) ? Tone.NOTABLE : Tone.PLAIN;
  }

  /** Why nobody, or nobody of a scheme, can have more here; that all can, otherwise. */
  static String why(LinkShare link) {
    List<String> reasons = new ArrayList<>();
    if (!link.filledBy().isEmpty()) {
      reasons.add(
          link.filledBy().stream()
              .map(SchemeName::word)
              .collect(Collectors.joining(", ", link.isFull() ? FULL : PART, "")));
    }
    if (link.isWorthMore()) {
      reasons.add(String.format(BINDING + "one more Mbit/s is worth %.4f", link.pricePerMbit()));
    }
    if (link.heldTo().compareTo(DataRate.ZERO) > 0) {
      reasons.add("those without a grant have " + Words.rate(link.heldTo()));
    }
    return link.isBinding() ? String.join("; ", reasons) : "not binding";
  }

  private static String conclusion(NextStep next) {
    if (next.rate().isEmpty()) {
      return next.obstacle();
    }
    List<NextStep.Loss> losses = next.losses();
    String price =
        losses.isEmpty()
            ? "nobody anything"
            : String.format("%d others %.2f of utility together", losses.size(), next.cost() / 1e9);
    String whom =
        losses.stream()
            .limit(LOSERS_SHOWN)
            .map(loss -> String.format("%s %.2f", loss.conversation(), loss.billionths() / 1e9))
            .collect(Collectors.joining(", ", losses.isEmpty() ? "" : ": ", ""));
    return "Utility "
        + Words.utility(next.utility())
        + " needs "
        + Words.rate(next.rate())
        + " and would cost "
        + price
        + whom
        + (losses.size() > LOSERS_SHOWN ? ", ..." : "")
        + ".";
  }
}
